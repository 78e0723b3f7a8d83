"""Tavern Battle: rate the answers during the brawl: who acts, how, and with whose support."""

from alehouse.agents.heuristic.tavern_battle.fight import FACES, best_target, harm, rate_target
from alehouse.agents.heuristic.tavern_battle.view import loss
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.core.run.bits import lowest, within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.tavern_battle.combat import asset, dice, reach, ready
from alehouse.envs.tavern_battle.layout import (
    A_CHARACTER, A_HIDE, A_KEEP, A_PASS, A_PICK_UP, A_ROLL, A_STAY_HIDDEN, A_STRIKE, A_STRIKE_DRAWN, A_THROW,
    A_WINDOW, HEROES, HIDE, STAY, STRIKE, THROW, TROPHY, TROPHY_CARD, WINDOW,
)  # fmt: skip
from alehouse.envs.tavern_battle.modules.tete_dure import foes
from alehouse.envs.tavern_battle.state import NOBODY

# Tests of cunning, and flight


@jit
def chance_to_pass(R, verb, k):
    """Return the chance of passing a test with k dice."""
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
def rate_safety(s, R, W, v):
    """Rate putting the best treasures in hand into safety; also return what all treasures in hand are worth."""
    best, second, exposed = 0.0, 0.0, 0.0
    rest = int(s.seat[v.p].treasures)
    while rest != 0:
        worth = loss(R, W, v, lowest(rest))
        rest &= rest - 1
        exposed += worth
        if worth > best:
            best, second = worth, best
        else:
            second = max(second, worth)
    return (W.hard_secure if R.tete_dure else W.secure) * (best + second if R.secured > 1 else best * int(R.secured)), exposed


@jit
def rate_activity(R, W, c):
    """Rate what a character can still do in a later round."""
    better = max(int(R.strength[c]), int(R.cunning[c]))
    return W.hard_labour + W.hard_muscle * better if R.tete_dure else W.labour + W.muscle * better


@jit
def rate_flight(s, R, W, v, c, rounds):
    """Rate the flight of a character: treasures are saved, but he is missing in the rounds that are left."""
    saved, exposed = rate_safety(s, R, W, v)
    worth = saved + ((W.hard_escape if R.tete_dure else W.escape) * exposed if c < HEROES else 0.0)
    return worth * min(1.0, rounds) - rounds * rate_activity(R, W, c)


@jit
def rate_passing(s, R, W, v, c, verb):
    """Return what passing a test brings a character: he flees through the window, or is hidden."""
    if verb == WINDOW:
        return rate_flight(s, R, W, v, c, v.rounds - 0.5)
    return (W.hide_hero if c < HEROES else W.hide_arrival) * (v.rounds - W.hide_cost)


@jit
def rate_door(s, R, W, v, c):
    """Rate standing at the door: the character flees at the end of the next round, unless the brawl ends or he goes down before."""
    rounds = v.rounds - 1.0 if not within(s.door, c) else v.rounds
    if rounds <= 0.0:
        return 0.0
    return (W.hard_way_out if R.tete_dure else W.way_out) * rate_flight(s, R, W, v, c, rounds)


# Actions of a character (TB 3.4)


@jit
def rate_action(s, R, W, v, a):
    """Rate an action of the activated character; passing is worth nothing."""
    c = int(s.act.actor)
    if a == A_PASS:
        return v.door if within(s.door, c) else 0.0
    if a >= A_STRIKE and a < A_WINDOW:
        return rate_attack(s, R, W, v, a) - (W.uncover if within(s.covered, c) else 0.0)
    if a == A_PICK_UP:
        return v.fallen
    if a < A_HIDE:
        return rate_protection(s, W, v, c)
    if a < A_STAY_HIDDEN:
        return chance_to_pass(R, HIDE, int(R.cunning[c])) * rate_passing(s, R, W, v, c, HIDE) - W.tavern * int(R.price[a - A_HIDE])
    if a == A_STAY_HIDDEN:
        return chance_to_pass(R, STAY, int(R.cunning[c])) * rate_passing(s, R, W, v, c, STAY)
    if a < A_STRIKE:
        later = v.rounds - 1.0
        return later * (W.blade * (int(R.strength[c]) + int(R.bonus)) - W.blade_cost) if R.strength[c] > 0 else 0.0
    if a == A_WINDOW:
        return chance_to_pass(R, WINDOW, int(R.cunning[c])) * rate_passing(s, R, W, v, c, WINDOW)
    return v.door


@jit
def rate_best_attacks(s, R, W, v, c):
    """Rate the best attacks of a character, where he can make them: with an object, with a drawn weapon, and with a thrown object."""
    types = int(s.seat[v.p].types)
    if R.strength[c] > 0 and types & R.contact != 0:
        v.strike = best_target(s, R, W, v, int(R.strength[c]), STRIKE, reach(s, R, v.p, STRIKE))
    if R.strength[c] > 0 and ready(s, c) != 0:
        v.drawn = best_target(s, R, W, v, int(R.strength[c]) + int(R.bonus), STRIKE, reach(s, R, v.p, STRIKE))
    if R.cunning[c] > 0 and types & R.ranged != 0:
        v.throw = best_target(s, R, W, v, int(R.cunning[c]), THROW, reach(s, R, v.p, THROW))


@jit
def rate_attack(s, R, W, v, a):
    """Rate an attack: what its best target is worth, less other uses of the weapon and the loss if it breaks."""
    if a >= A_THROW:
        kind = a - A_THROW
        shield = W.shield * int(within(R.protection | R.hideout, kind))
        return v.throw - W.both * int(within(R.contact, kind)) - shield - rate_wear(s, R, W, v, kind)
    if a >= A_STRIKE_DRAWN:
        return v.drawn - (rate_wear(s, R, W, v, TROPHY_CARD) if a - A_STRIKE_DRAWN == TROPHY else 0.0)
    return v.strike - W.both * int(within(R.ranged, a - A_STRIKE)) - rate_wear(s, R, W, v, a - A_STRIKE)


@jit
def rate_wear(s, R, W, v, kind):
    """Rate the cost of using an object that may break; a broken object lowers the points of the Tavernkeeper's owner."""
    owned = int(s.seat[v.p].group) & int(R.keepers) != 0
    return W.tavern * int(R.price[kind]) * (1.0 if owned else -v.envy)


@jit
def rate_protection(s, W, v, c):
    """Rate putting a protection in front of a character."""
    if s.cover[c] != NOBODY:
        return -1.0
    return (W.cover_hero if c < HEROES else W.cover_arrival) * (v.rounds - W.cover_cost)


# Activating a character, supports, objects to keep, riposte


@jit
def rate_activation(s, R, W, v, c):
    """Rate activating a character before the others."""
    worth = W.first_strength * int(R.strength[c]) + W.first_cunning * int(R.cunning[c])
    if v.fallen > 0.0:
        worth *= W.first_picks
    worth += W.first_hero * int(c < HEROES) + W.first_armed * int(ready(s, c) != 0)
    return worth - W.last_door * int(within(s.door, c)) - W.last_hidden * int(within(s.hidden, c))


@jit
def rate_own_action(s, R, W, v, c):
    """Rate what a character could still do himself in this round."""
    if within(s.door, c):
        return 0.0
    types = int(s.seat[v.p].types)
    armed = (R.strength[c] > 0 and types & R.contact != 0) or (R.cunning[c] > 0 and types & R.ranged != 0) or ready(s, c) != 0
    return W.armed if armed else W.idle


@jit
def rate_support(s, R, W, v, a):
    """Rate one more support by what its dice bring; calling on another player is better than tilting a character of one's own."""
    if a == A_ROLL:
        return 0.0
    act = s.act
    k, verb = dice(s, R), int(act.verb)
    c = a - A_CHARACTER
    own = a >= A_CHARACTER
    more = int(R.lends[asset(verb), c]) if own else 1
    if act.target != NOBODY:
        t = int(act.target)
        brings = rate_target(s, R, W, v, t, k + more, verb) - rate_target(s, R, W, v, t, k, verb)
    else:
        brings = (chance_to_pass(R, verb, k + more) - chance_to_pass(R, verb, k)) * rate_passing(s, R, W, v, int(act.actor), verb)
    return brings - rate_own_action(s, R, W, v, c) if own else W.ask + brings


@jit
def rate_lending(s, R, W, v, a):
    """Rate lending a character to another player's action, which is only worth it against a third player."""
    t = int(s.act.target)
    if a == A_PASS:
        return 0.0
    if t == NOBODY or s.owner[t] == v.p:
        return -1.0
    return W.lend * harm(s, W, v, int(s.owner[t])) - rate_own_action(s, R, W, v, a - A_CHARACTER)


@jit
def rate_keeping(s, R, W, v, a):
    """Rate keeping an object for the next round."""
    if a == A_PASS:
        return 0.0
    kind = a - A_KEEP
    if kind == TROPHY_CARD:
        return W.keep_trophy
    worth = W.keep_contact * int(within(R.contact, kind)) + W.keep_ranged * int(within(R.ranged, kind))
    return worth + W.keep_cover * int(within(R.protection, kind)) + W.keep_den * int(within(R.hideout, kind))


@jit
def rate_riposte(s, R, W, v, a):
    """Rate striking back with a weapon, by its best target."""
    if a == A_PASS:
        return 0.0
    c = int(top(s).a)
    k = int(R.cunning[c]) if a >= A_THROW else int(R.strength[c]) + (int(R.bonus) if a >= A_STRIKE_DRAWN else 0)
    return W.answer + best_target(s, R, W, v, k, THROW if a >= A_THROW else STRIKE, foes(s))
