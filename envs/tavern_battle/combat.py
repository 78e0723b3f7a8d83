"""Dice, tests and combat (TB 3.4, 3.5)."""

from alehouse.envs.tavern_battle import questions as Q
from alehouse.envs.core.run.question_stack import push
from alehouse.envs.core.run.bits import bit, highest, lowest, popcount, within, without
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.core.run.seats import around
from alehouse.envs.tavern_battle.effects import (
    alive, as_named, break_object, come_out, flee, living, play_object, position, put_away, turn_to, uncover,
)  # fmt: skip
from alehouse.envs.tavern_battle.layout import (
    CUNNING, DICE, DOWN, GIFT, HEROES, HIDE, KO, RIPOSTE, STAY, STRENGTH, STRIKE, THROW, TROPHY, TROPHY_CARD, WEAPONS, WINDOW,
)  # fmt: skip
from alehouse.envs.tavern_battle.memory import give
from alehouse.envs.tavern_battle.modules import casse_tout
from alehouse.envs.tavern_battle.state import NOBODY
from alehouse.envs.tavern_battle.trade import any_treasure

MOST_DICE = 16  # of one roll; strength, bonus and supports stay below


@jit
def begin(s, c):
    """A character is about to act."""
    act = s.act
    act.verb = NOBODY
    act.actor = c
    act.object = NOBODY
    act.weapon = NOBODY
    act.target = NOBODY
    act.foe = NOBODY
    act.points = 0
    act.supports = 0
    act.called = 0
    act.supporters = 0


# Weapons and targets


@jit
def ready(s, c):
    """Weapons a character has drawn in an earlier round, as a set."""
    found = 0
    for weapon in range(WEAPONS):
        found |= int(s.bearer[weapon] == c) << weapon
    return found & ~int(s.fresh)


@jit
def reach(s, R, p, verb):
    """The characters a seat may strike or throw at (TB 3.5 (2)): at hand are the nearest living groups to the left and right."""
    seats = alive(s, R)
    others = as_named(seats, p, R.seats)
    if others == 0:
        return 0
    chosen = bit(lowest(others)) | bit(highest(others))
    if verb == THROW:
        chosen = others if popcount(seats) <= R.few_groups else others & ~chosen
    found = 0
    while chosen != 0:
        found |= living(s, around(p + 1 + lowest(chosen), R.seats))
        chosen &= chosen - 1
    return found & ~int(s.hidden | s.covered if verb == THROW else s.hidden)


@jit
def take_up(s, R, c, verb, kind):
    """A character takes an object to fight with, and comes out from behind his protection."""
    s.act.verb = verb
    s.act.object = kind
    play_object(s, s.owner[c], kind)
    s.used[kind] += 1
    uncover(s, R, c, False)


@jit
def take_drawn(s, R, c, weapon):
    """A character fights with a weapon he has drawn."""
    s.act.verb = STRIKE
    s.act.weapon = weapon
    s.act.object = TROPHY_CARD if weapon == TROPHY else NOBODY
    uncover(s, R, c, False)


@jit
def spend(s, R, broken):
    """The object used breaks, or lies there until the round ends (TB 3.5 (6))."""
    kind = s.act.object
    if kind != NOBODY and broken:
        break_object(s, R, kind)
        if s.act.weapon == TROPHY:
            s.bearer[TROPHY] = NOBODY
        else:
            s.used[kind] -= 1


# Dice


@jit
def score(R, c, verb):
    """What a character fights or is tested with."""
    return int(R.strength[c]) if verb == STRIKE else int(R.cunning[c])


@jit
def asset(verb):
    """The characteristic supports add to."""
    return STRENGTH if verb == STRIKE else CUNNING


@jit
def dice(s, R):
    """How many dice the action has so far (TB 3.5 (4))."""
    act = s.act
    return score(R, act.actor, act.verb) + int(act.points) + (int(R.bonus) if act.weapon != NOBODY else 0)


@jit
def die(s, k):
    """Die k of the action under way."""
    act = s.act
    if act.foe != NOBODY:
        return 1 + below(s.seed, RIPOSTE, s.rounds, act.actor, MOST_DICE * int(act.foe) + k, 6)
    return 1 + below(s.seed, DICE, s.rounds, act.actor, k, 6)


@jit
def roll(s, n):
    """Roll n dice; how each face came up is there for all to see."""
    s.faces[:] = 0
    for k in range(n):
        s.faces[die(s, k) - 1] += 1


@jit
def at_least(s, least):
    """How many of the dice rolled show so much."""
    n = 0
    for face in range(least - 1, 6):
        n += int(s.faces[face])
    return n


# Tests


@jit
def needed(R, verb):
    """Dice a test takes at least."""
    return int(R.window_dice) if verb == WINDOW else int(verb == HIDE or verb == STAY)


@jit
def test(s, R):
    """Hiding, staying hidden, the window (TB 3.4, 3.6)."""
    act = s.act
    c = int(act.actor)
    roll(s, dice(s, R))
    if act.verb == WINDOW:
        if at_least(s, R.window_from) >= R.window_dice:
            flee(s, R, c)
        return
    passed = at_least(s, R.hide_from) > 0
    if passed:
        s.steady |= bit(c)
    if act.verb == STAY:
        if not passed:
            come_out(s, R, c, R.casse_tout)
        return
    s.used[act.object] -= 1
    if passed:
        s.den[c] = act.object
        s.hidden |= bit(c)
    else:
        put_away(s, R, act.object, False)


# Combat


@jit
def fight(s, R):
    """Roll, break, damage (TB 3.5 (4) to (8))."""
    act = s.act
    c, t = int(act.actor), int(act.target)
    roll(s, dice(s, R))
    spend(s, R, s.faces[0] >= R.breaking_ones or casse_tout.breaks(R, at_least(s, R.breaks_from)))
    damage = at_least(s, R.hurts_hero if t < HEROES else R.hurts_arrival)
    if damage > 0:
        if act.verb == STRIKE:
            uncover(s, R, t, R.casse_tout)
        new = min(KO, position(s, t) + damage)
        turn_to(s, R, t, new)
        if t < HEROES:
            lose_treasures(s, R, t, new, int(s.owner[c]))


@jit
def lose_treasures(s, R, hero, new, attacker):
    """What a hero who is down for the first time, or knocked out, costs his player (TB 3.5 (8))."""
    p = int(s.owner[hero])
    if new == KO and s.seat[p].treasures != 0:
        give(s, R, any_treasure(s, p, GIFT, hero), p, attacker)
    first_down = new == DOWN and not within(s.fallen_once, hero)
    if first_down:
        s.fallen_once |= bit(hero)
    if (new == KO or first_down) and s.seat[p].treasures != 0:
        push(s, Q.DROP, p)


# Supports


@jit
def helpers(s, R, q, verb):
    """Upright characters of a seat that add to an action."""
    found = int(s.seat[q].group) & int(s.upright) & int(R.lenders[asset(verb)])
    return without(found, s.act.target) if s.act.target != NOBODY else found


@jit
def add_support(s, R, c):
    """A character is tilted and adds his points; he leaves a hide-out, not the door (TB-R30)."""
    act = s.act
    s.upright = without(s.upright, c)
    s.tilted |= bit(c)
    come_out(s, R, c, False)
    act.supporters |= bit(c)
    act.supports += 1
    act.points += R.lends[asset(act.verb), c]


@jit
def most_points(s, R, p, verb):
    """What supports could add to an action of a seat at most: own characters, and with Tous sur un one of each other seat."""
    n = 0
    doubles = 0
    for q in range(R.seats):
        if q == p or R.tous_sur_un:
            rest = helpers(s, R, q, verb)
            strong = strong_ones(R, rest, verb)
            n += popcount(rest) if q == p else int(rest != 0)
            doubles += strong if q == p else int(strong != 0)
    return min(n, int(R.supports)) + min(doubles, int(R.supports))


@jit
def strong_ones(R, members, verb):
    """How many of a set of characters add two points."""
    n = 0
    for c in range(R.strength.size):
        n += int(within(members, c) and R.lends[asset(verb), c] > 1)
    return n


@jit
def possible(s, R, c, verb):
    """Whether a test can reach the dice it takes."""
    own = score(R, c, verb)
    return own >= needed(R, verb) or own + most_points(s, R, int(s.owner[c]), verb) >= needed(R, verb)
