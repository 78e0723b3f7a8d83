"""Weapons, targets, dice, tests of cunning, and combat (TB 3.4, 3.5)."""

from alehouse.envs.tavern_battle import questions as Q
from alehouse.envs.core.run.question_stack import pop, push
from alehouse.envs.core.run.bits import bit, highest, lowest, popcount, put, within, without
from alehouse.envs.core.run.byte_blocks import wipe
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.core.run.seats import around
from alehouse.envs.tavern_battle.effects import (
    alive, any_treasure, as_named, come_out, flee, living, play_object, position, put_away, tilt, turn_to,
    uncover,
)  # fmt: skip
from alehouse.envs.tavern_battle.layout import (
    A_STRIKE, A_STRIKE_DRAWN, A_THROW, A_TREASURE, CUNNING, DICE, DOWN, GIFT, HEROES, HIDE, KO, RIPOSTE, STAY, STRENGTH, STRIKE, THROW,
    TROPHY, TROPHY_CARD, WEAPONS, WINDOW,
)  # fmt: skip
from alehouse.envs.tavern_battle.memory import drop, give
from alehouse.envs.tavern_battle.modules import casse_tout
from alehouse.envs.tavern_battle.state import NOBODY

MOST_DICE = 16  # no roll has as many dice, with strength, bonus and supports together


@jit
def begin(s, c):
    """Begin the action of a character, with no weapon, target or support yet."""
    act = s.act
    wipe(act)
    act.actor = c
    act.verb = NOBODY
    act.object = NOBODY
    act.weapon = NOBODY
    act.target = NOBODY
    act.foe = NOBODY


# Weapons, and the characters they reach


@jit
def ready(s, c):
    """Return as a set the weapons that a character has drawn in an earlier round."""
    found = 0
    for weapon in range(WEAPONS):
        found |= int(s.bearer[weapon] == c) << weapon
    return found & ~int(s.fresh)


@jit
def reach(s, R, p, verb):
    """Return as a set the characters that a seat may throw at, or may strike: those of the nearest living groups (TB 3.5 (2))."""
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
def take_weapon(s, R, c, a):
    """Let a character fight with the weapon that answer a names; he leaves his protection for that."""
    act = s.act
    act.verb = THROW if a >= A_THROW else STRIKE
    uncover(s, R, c, False)
    if A_STRIKE_DRAWN <= a < A_THROW:
        act.weapon = a - A_STRIKE_DRAWN
        act.object = TROPHY_CARD if act.weapon == TROPHY else NOBODY
        return
    act.object = a - A_THROW if a >= A_THROW else a - A_STRIKE
    play_object(s, s.owner[c], act.object)
    s.used[act.object] += 1


@jit
def wear_out(s, R, broken):
    """Break the object that was used, or leave it on the character until the round ends (TB 3.5 (6))."""
    kind = s.act.object
    if kind != NOBODY and broken:
        put_away(s, R, kind, True)
        if s.act.weapon == TROPHY:
            s.bearer[TROPHY] = NOBODY
        else:
            s.used[kind] -= 1


# Rolling dice


@jit
def score(R, c, verb):
    """Return the value of a character that counts for an action: strength in contact, else cunning."""
    return int(R.strength[c]) if verb == STRIKE else int(R.cunning[c])


@jit
def asset(verb):
    """Return which value supports add to: STRENGTH or CUNNING."""
    return STRENGTH if verb == STRIKE else CUNNING


@jit
def dice(s, R):
    """Return how many dice the action has so far (TB 3.5 (4))."""
    act = s.act
    return score(R, act.actor, act.verb) + int(act.points) + (int(R.bonus) if act.weapon != NOBODY else 0)


@jit
def die(s, k):
    """Return the face that die k of the action shows."""
    act = s.act
    if act.foe != NOBODY:
        return 1 + below(s.seed, RIPOSTE, s.rounds, act.actor, MOST_DICE * int(act.foe) + k, 6)
    return 1 + below(s.seed, DICE, s.rounds, act.actor, k, 6)


@jit
def roll(s, n):
    """Roll n dice and record how many of them show each face."""
    s.rolls += 1
    s.parry = 0
    s.faces[:] = 0
    for k in range(n):
        s.faces[die(s, k) - 1] += 1


@jit
def at_least(s, least):
    """Return how many of the dice rolled show this face or a higher one."""
    n = 0
    for face in range(least - 1, 6):
        n += int(s.faces[face])
    return n


# Supports for an action


@jit
def helpers(s, R, q, verb):
    """Return as a set the upright characters of a seat who can support an action; the character attacked never can."""
    found = int(s.seat[q].group) & int(s.upright) & int(R.lenders[asset(verb)])
    return without(found, s.act.target) if s.act.target != NOBODY else found


@jit
def add_support(s, R, c):
    """Tilt a character and add his points to the action; he leaves a hide-out but keeps his place at the door (TB-R30)."""
    act = s.act
    tilt(s, c)
    come_out(s, R, c, False)
    act.supporters |= bit(c)
    act.supports += 1
    act.points += R.lends[asset(act.verb), c]


@jit
def most_points(s, R, p, verb):
    """Return the most points that supports can add to a seat's action: its own, and in Tous sur un one from each other seat."""
    n = 0
    doubles = 0
    for q in range(R.seats):
        if q == p or R.tous_sur_un:
            rest = helpers(s, R, q, verb)
            strong = strong_helpers(R, rest, verb)
            n += popcount(rest) if q == p else int(rest != 0)
            doubles += strong if q == p else int(strong != 0)
    return min(n, int(R.supports)) + min(doubles, int(R.supports))


@jit
def strong_helpers(R, members, verb):
    """Return how many characters in a set add two points."""
    n = 0
    for c in range(R.strength.size):
        n += int(within(members, c) and R.lends[asset(verb), c] > 1)
    return n


# Tests of cunning


@jit
def needed(R, verb):
    """Return the smallest number of dice with which an action may be rolled; an attack has no limit."""
    return int(R.window_dice) if verb == WINDOW else int(verb == HIDE or verb == STAY)


@jit
def possible(s, R, c, verb):
    """Return whether a character can get as many dice as a test needs."""
    own = score(R, c, verb)
    return own >= needed(R, verb) or own + most_points(s, R, int(s.owner[c]), verb) >= needed(R, verb)


@jit
def test(s, R):
    """Roll a test of cunning, to hide, to stay hidden, or to flee through the window, and apply the result (TB 3.4, 3.6)."""
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


# Attacks on a target


@jit
def fight(s, R):
    """Roll the attack: the object may break, and the target may be hurt (TB 3.5 (4) to (8))."""
    act = s.act
    c, t = int(act.actor), int(act.target)
    roll(s, dice(s, R))
    wear_out(s, R, s.faces[0] >= R.breaking_ones or casse_tout.breaks(R, at_least(s, R.breaks_from)))
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
    """Take treasures from the player of a hero who is KO, or is down for the first time (TB 3.5 (8))."""
    p = int(s.owner[hero])
    if new == KO and s.seat[p].treasures != 0:
        give(s, R, any_treasure(s, p, GIFT, hero), p, attacker)
    first_down = new == DOWN and not within(s.fallen_once, hero)
    if first_down:
        s.fallen_once |= bit(hero)
    if (new == KO or first_down) and s.seat[p].treasures != 0:
        push(s, Q.DROP, p)


@jit
def legal_drop(s, R, p, words):
    """List the treasures in hand, one of which is lost."""
    put(words, A_TREASURE, s.seat[p].treasures)


@jit
def apply_drop(s, R, p, a):
    """Drop the treasure face up into the centre."""
    pop(s)
    drop(s, R, p, a - A_TREASURE)
