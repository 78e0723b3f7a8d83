"""Tavern Battle: who acts in the brawl, how, and with whose help."""

from alehouse.agents.heuristic.tavern_battle.fight import best_target, rivalry, target_worth
from alehouse.agents.heuristic.tavern_battle.view import loss
from alehouse.envs.core.run.bits import lowest, within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.tavern_battle.combat import asset, dice, ready
from alehouse.envs.tavern_battle.layout import (
    A_CHARACTER, A_HIDE, A_KEEP, A_PASS, A_PICK_UP, A_PROTECT, A_ROLL, A_STAY_HIDDEN, A_STRIKE, A_STRIKE_DRAWN, A_THROW,
    A_WINDOW, HEROES, HIDE, STAY, STRIKE, THROW, TROPHY, TROPHY_CARD, WINDOW,
)  # fmt: skip
from alehouse.envs.tavern_battle.state import NOBODY

FACES = 6.0


# Tests and flight


@jit
def passes(R, verb, k):
    """The chance to pass a test with k dice."""
    if verb != WINDOW:
        return 1.0 - ((int(R.hide_from) - 1) / FACES) ** k
    p = (7.0 - int(R.window_from)) / FACES
    miss, chance, ways = 1.0 - p, 0.0, 1.0
    for n in range(k + 1):
        if n >= R.window_dice:
            chance += ways * p**n * miss ** (k - n)
        ways = ways * (k - n) / (n + 1)
    return chance


@jit
def safety(s, R, W, m):
    """What it is worth to put the best treasures in hand safe; and what all in hand are."""
    best, second, exposed = 0.0, 0.0, 0.0
    rest = int(s.seat[m.p].treasures)
    while rest != 0:
        worth = loss(R, W, m, lowest(rest))
        rest &= rest - 1
        exposed += worth
        if worth > best:
            best, second = worth, best
        else:
            second = max(second, worth)
    return (W.hard_secure if R.tete_dure else W.secure) * (best + second if R.secured > 1 else best * int(R.secured)), exposed


@jit
def labour(R, W, c):
    """What a character's turn is worth in later rounds."""
    better = max(int(R.strength[c]), int(R.cunning[c]))
    return W.hard_labour + W.hard_muscle * better if R.tete_dure else W.labour + W.muscle * better


@jit
def flight(s, R, W, m, c, rounds):
    """What it brings that a character flees when so many rounds are still to be played without him."""
    saved, exposed = safety(s, R, W, m)
    worth = saved + ((W.hard_escape if R.tete_dure else W.escape) * exposed if c < HEROES else 0.0)
    return worth * min(1.0, rounds) - rounds * labour(R, W, c)


@jit
def test_worth(s, R, W, m, c, verb):
    """What it brings to pass a test."""
    if verb == WINDOW:
        return flight(s, R, W, m, c, m.rounds - 0.5)
    return (W.hide_hero if c < HEROES else W.hide_arrival) * (m.rounds - W.hide_cost)


# Actions (TB 3.4)


@jit
def deed(s, R, W, m, x, a):
    """What an action of the activated character brings; to pass brings nothing."""
    c = int(s.act.actor)
    if a == A_PASS:
        return x.door if within(s.door, c) else 0.0
    if a >= A_STRIKE and a < A_WINDOW:
        return attack(s, R, W, m, x, a) - (W.uncover if within(s.covered, c) else 0.0)
    if a == A_PICK_UP:
        return x.best
    if a < A_HIDE:
        return cover(s, R, W, m, c, a - A_PROTECT)
    if a < A_STAY_HIDDEN:
        return passes(R, HIDE, int(R.cunning[c])) * test_worth(s, R, W, m, c, HIDE) - W.tavern * int(R.price[a - A_HIDE])
    if a == A_STAY_HIDDEN:
        return passes(R, STAY, int(R.cunning[c])) * test_worth(s, R, W, m, c, STAY)
    if a < A_STRIKE:
        later = m.rounds - 1.0
        return later * (W.blade * (int(R.strength[c]) + int(R.bonus)) - W.blade_cost) if R.strength[c] > 0 else 0.0
    if a == A_WINDOW:
        return passes(R, WINDOW, int(R.cunning[c])) * flight(s, R, W, m, c, m.rounds - 0.5)
    return x.door


@jit
def at_door(s, R, W, m, c):
    """What it brings to stand at the door: to flee when the next round ends, if there is one and he is not down till then."""
    rounds = m.rounds - 1.0 if not within(s.door, c) else m.rounds
    if rounds <= 0.0:
        return 0.0
    return (W.hard_way_out if R.tete_dure else W.way_out) * flight(s, R, W, m, c, rounds)


@jit
def attack(s, R, W, m, x, a):
    """The best target for a weapon, less what the weapon is good for otherwise."""
    if a >= A_THROW:
        kind = a - A_THROW
        return (
            x.throw
            - W.both * int(within(R.contact, kind))
            - W.shield * int(within(R.protection | R.hideout, kind))
            - wear(s, R, W, m, kind)
        )
    if a >= A_STRIKE_DRAWN:
        return x.drawn - (wear(s, R, W, m, TROPHY_CARD) if a - A_STRIKE_DRAWN == TROPHY else 0.0)
    return x.strike - W.both * int(within(R.ranged, a - A_STRIKE)) - wear(s, R, W, m, a - A_STRIKE)


@jit
def wear(s, R, W, m, kind):
    """What it costs to use an object that may break: the tavern counts for its keeper."""
    owned = int(s.seat[m.p].group) & int(R.keepers) != 0
    return W.tavern * int(R.price[kind]) * (1.0 if owned else -m.envy)


@jit
def cover(s, R, W, m, c, kind):
    """What a protection brings."""
    if s.cover[c] != NOBODY:
        return -1.0
    return (W.cover_hero if c < HEROES else W.cover_arrival) * (m.rounds - W.cover_cost)


# Who, with what, with whose help


@jit
def activation(s, R, W, m, x, c):
    """Who comes first."""
    worth = W.first_strength * int(R.strength[c]) + W.first_cunning * int(R.cunning[c])
    if x.best > 0.0:
        worth *= W.first_picks
    worth += W.first_hero * int(c < HEROES) + W.first_armed * int(ready(s, c) != 0)
    return worth - W.last_door * int(within(s.door, c)) - W.last_hidden * int(within(s.hidden, c))


@jit
def turn_worth(s, R, W, m, c):
    """What a character could do with his own turn in this round."""
    if within(s.door, c):
        return 0.0
    types = int(s.seat[m.p].types)
    armed = (R.strength[c] > 0 and types & R.contact != 0) or (R.cunning[c] > 0 and types & R.ranged != 0) or ready(s, c) != 0
    return W.armed if armed else W.idle


@jit
def support(s, R, W, m, a):
    """What one more die brings; others are asked before one's own."""
    if a == A_ROLL:
        return 0.0
    act = s.act
    k, verb = dice(s, R), int(act.verb)
    c = a - A_CHARACTER
    own = a >= A_CHARACTER
    more = int(R.lends[asset(verb), c]) if own else 1
    if act.target != NOBODY:
        t = int(act.target)
        brings = target_worth(s, R, W, m, t, k + more, verb) - target_worth(s, R, W, m, t, k, verb)
    else:
        brings = (passes(R, verb, k + more) - passes(R, verb, k)) * test_worth(s, R, W, m, int(act.actor), verb)
    return brings - turn_worth(s, R, W, m, c) if own else W.ask + brings


@jit
def lending(s, R, W, m, a):
    """Whether to lend a character to another's action: against a third."""
    t = int(s.act.target)
    if a == A_PASS:
        return 0.0
    if t == NOBODY or s.owner[t] == m.p:
        return -1.0
    return W.lend * rivalry(s, W, m, int(s.owner[t])) - turn_worth(s, R, W, m, a - A_CHARACTER)


@jit
def keeping(s, R, W, m, a):
    """The object to keep for the next round."""
    if a == A_PASS:
        return 0.0
    kind = a - A_KEEP
    if kind == TROPHY_CARD:
        return W.keep_trophy
    worth = W.keep_contact * int(within(R.contact, kind)) + W.keep_ranged * int(within(R.ranged, kind))
    return worth + W.keep_cover * int(within(R.protection, kind)) + W.keep_den * int(within(R.hideout, kind))


@jit
def riposte(s, R, W, m, a):
    """An attack that costs no turn: the strongest weapon."""
    if a == A_PASS:
        return 0.0
    c = int(s.stack.entry[s.stack.n - 1].a)
    k = int(R.cunning[c]) if a >= A_THROW else int(R.strength[c]) + (int(R.bonus) if a >= A_STRIKE_DRAWN else 0)
    return W.answer + best_foe(s, R, W, m, k, THROW if a >= A_THROW else STRIKE)


@jit
def best_foe(s, R, W, m, k, verb):
    """The most a riposte may bring."""
    most = 0.0
    rest = int(s.act.supporters) | (1 << int(s.act.actor))
    while rest != 0:
        most = max(most, target_worth(s, R, W, m, lowest(rest), k, verb))
        rest &= rest - 1
    return most


@jit
def strikes(s, R, W, m, c):
    """The best attacks of a character: with an object, with a drawn weapon, with one thrown."""
    types = int(s.seat[m.p].types)
    strike, drawn, throw = 0.0, 0.0, 0.0
    if R.strength[c] > 0 and types & R.contact != 0:
        strike = best_target(s, R, W, m, int(R.strength[c]), STRIKE)
    if R.strength[c] > 0 and ready(s, c) != 0:
        drawn = best_target(s, R, W, m, int(R.strength[c]) + int(R.bonus), STRIKE)
    if R.cunning[c] > 0 and types & R.ranged != 0:
        throw = best_target(s, R, W, m, int(R.cunning[c]), THROW)
    return strike, drawn, throw
