"""What happens to characters, objects and treasures, whoever causes it."""

from alehouse.envs.tavern_battle import questions as Q
from alehouse.envs.core.run.question_stack import push
from alehouse.envs.core.run.bits import bit, first, lowest, popcount, within, without
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.core.run.seats import around
from alehouse.envs.tavern_battle.layout import (
    A_SEAT, DOWN, HAND, KO, OBJECT_DECK, OBJECTS, SAFE, TILTED, TROPHY, TROPHY_CARD, UPRIGHT, WEAPONS,
)  # fmt: skip
from alehouse.envs.tavern_battle.memory import blur, drawn, see, sheathe, tidy
from alehouse.envs.tavern_battle.state import NOBODY

# Phases


# Sets


@jit
def living(s, p):
    """The characters of a seat that are neither KO nor fled."""
    return int(s.seat[p].group) & ~int(s.ko | s.fled)


@jit
def alive(s, R):
    """The seats whose group is alive, as a set (TB-R10)."""
    found = 0
    for p in range(R.seats):
        found |= int(living(s, p) != 0) << p
    return found


@jit
def as_named(members, p, seats):
    """A set of other seats as seat p names them: bit 0 for its left neighbour."""
    turned = (int(members) >> (int(p) + 1)) | (int(members) << (int(seats) - int(p) - 1))
    return turned & first(int(seats) - 1)


@jit
def seat_named(a, p, seats):
    """The seat that p names by an action of the segment `seat`."""
    return around(int(p) + 1 + a - A_SEAT, seats)


# Objects


@jit
def draw_object(s, p):
    """An object from the deck, made anew of the discarded ones when it is empty (TB 3.3 B2)."""
    if s.left == 0:
        for kind in range(OBJECTS):
            n = s.discard[kind]
            s.deck[kind] = n
            s.shuffled[kind] = n
            s.hidden_objects[kind] += n
            s.left += n
            s.discard[kind] = 0
    if s.left > 0:
        me = s.seat[p]
        k = below(s.seed, OBJECT_DECK, s.rounds, p, me.held, s.left)
        kind = 0
        while k >= s.deck[kind]:
            k -= s.deck[kind]
            kind += 1
        s.deck[kind] -= 1
        s.left -= 1
        me.objects[kind] += 1
        me.held += 1
        me.types |= bit(kind)


@jit
def play_object(s, p, kind):
    """An object leaves a hand, for all to see."""
    me = s.seat[p]
    me.objects[kind] -= 1
    me.held -= 1
    if me.objects[kind] == 0:
        me.types = without(me.types, kind)
    s.hidden_objects[kind] -= 1


@jit
def break_object(s, R, kind):
    """An object is out of the game."""
    s.broken[kind] += 1
    s.broken_value += R.price[kind]


@jit
def put_away(s, R, kind, broken):
    """An object is broken, or only discarded."""
    if broken:
        break_object(s, R, kind)
    else:
        s.discard[kind] += 1


@jit
def uncover(s, R, c, broken):
    """A character loses his protection, if he has one."""
    if s.cover[c] != NOBODY:
        put_away(s, R, s.cover[c], broken)
        s.cover[c] = NOBODY
        s.covered = without(s.covered, c)


@jit
def come_out(s, R, c, broken):
    """A character loses his hide-out, if he has one."""
    if s.den[c] != NOBODY:
        put_away(s, R, s.den[c], broken)
        s.den[c] = NOBODY
        s.hidden = without(s.hidden, c)


@jit
def strip(s, R, c):
    """Cards lying on a character who is out: objects are discarded, drawn treasures go back to the others (TB 3.5 (8))."""
    uncover(s, R, c, False)
    come_out(s, R, c, False)
    for weapon in range(WEAPONS):
        if s.bearer[weapon] == c:
            s.bearer[weapon] = NOBODY
            if weapon == TROPHY:
                s.discard[TROPHY_CARD] += 1


# Characters


@jit
def position(s, c):
    """How a character lies."""
    if within(s.upright, c):
        return UPRIGHT
    if within(s.tilted, c):
        return TILTED
    return DOWN if within(s.down, c) else KO


@jit
def turn_to(s, R, c, new):
    """A character comes to lie otherwise; down or worse he is thrown back from the door (TB 3.6)."""
    s.upright = without(s.upright, c)
    s.tilted = without(s.tilted, c)
    s.down = without(s.down, c)
    if new == TILTED:
        s.tilted |= bit(c)
        return
    s.door = without(s.door, c)
    if new == DOWN:
        s.down |= bit(c)
    else:
        s.ko |= bit(c)
        strip(s, R, c)


@jit
def tilt(s, c):
    """An upright character is tilted."""
    s.upright = without(s.upright, c)
    s.tilted |= bit(c)


@jit
def flee(s, R, c):
    """A character is out of play, and his player puts treasures safe (TB 3.6)."""
    p = int(s.owner[c])
    s.upright = without(s.upright, c)
    s.tilted = without(s.tilted, c)
    s.down = without(s.down, c)
    s.door = without(s.door, c)
    s.fled |= bit(c)
    strip(s, R, c)
    n = popcount(s.seat[p].treasures)
    if n > R.secured and R.secured > 0:
        push(s, Q.SECURE, p, R.secured)
    elif n <= R.secured:
        for _ in range(n):
            secure(s, R, p, lowest(s.seat[p].treasures))


@jit
def secure(s, R, p, t):
    """A treasure is put safe; which, nobody else sees, unless it was drawn."""
    in_sight = drawn(s, p)
    card = bit(t)
    me = s.seat[p]
    me.treasures ^= card
    me.safe |= card
    for q in range(R.seats):
        if q == p or in_sight & card:
            see(s.seat[q], card, SAFE + p)
        else:
            blur(s.seat[q], HAND + p, SAFE + p, in_sight)
    tidy(s, R, HAND + p, me.treasures)
    sheathe(s, card)
