"""Effects on characters, objects and treasures that several phases and modules use."""

from alehouse.envs.tavern_battle import questions as Q
from alehouse.envs.core.run.question_stack import pop, push, top
from alehouse.envs.core.run.bits import bit, first, lowest, member, popcount, put, within, without
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.core.run.seats import around
from alehouse.envs.tavern_battle.layout import (
    A_SEAT, A_TREASURE, DOWN, FLED, HAND, KO, OBJECT_DECK, OBJECTS, SAFE, TILTED, TROPHY, TROPHY_CARD, UPRIGHT, WEAPONS,
)  # fmt: skip
from alehouse.envs.tavern_battle.memory import drawn, move, sheathe, tidy
from alehouse.envs.tavern_battle.state import NOBODY

# Sets of seats and of characters


@jit
def living(s, p):
    """Return as a set the characters of a seat that are neither KO nor fled."""
    return int(s.seat[p].group) & ~int(s.ko | s.fled)


@jit
def alive(s, R):
    """Return as a set the seats whose group is still alive (TB-R10)."""
    found = 0
    for p in range(R.seats):
        found |= int(living(s, p) != 0) << p
    return found


@jit
def as_named(members, p, seats):
    """Return a set of other seats in seat p's own numbering: bit 0 is its left neighbour."""
    turned = (int(members) >> (int(p) + 1)) | (int(members) << (int(seats) - int(p) - 1))
    return turned & first(int(seats) - 1)


@jit
def seat_named(a, p, seats):
    """Return the seat that p means by an action of the segment `seat`."""
    return around(int(p) + 1 + a - A_SEAT, seats)


@jit
def holds_cards(s, p):
    """Return whether a seat holds objects or treasures, which the others cannot see."""
    return s.seat[p].held > 0 or s.seat[p].treasures != 0


@jit
def any_treasure(s, q, stream, index):
    """Return a random treasure from a seat's hand."""
    members = s.seat[q].treasures
    return member(members, below(s.seed, stream, s.rounds, q, index, popcount(members)))


# Drawing, playing and discarding objects


@jit
def draw_object(s, p):
    """Draw an object; if the deck is empty, first shuffle the discard pile (TB 3.3 B2)."""
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
    """Play an object from a hand, in sight of all."""
    me = s.seat[p]
    me.objects[kind] -= 1
    me.held -= 1
    if me.objects[kind] == 0:
        me.types = without(me.types, kind)
    s.hidden_objects[kind] -= 1


@jit
def put_away(s, R, kind, broken):
    """Take an object out of the game if it is broken, or else discard it."""
    if broken:
        s.broken[kind] += 1
        s.broken_value += R.price[kind]
    else:
        s.discard[kind] += 1


@jit
def uncover(s, R, c, broken):
    """Take the protection away from a character, if he has one."""
    if s.cover[c] != NOBODY:
        put_away(s, R, s.cover[c], broken)
        s.cover[c] = NOBODY
        s.covered = without(s.covered, c)


@jit
def come_out(s, R, c, broken):
    """Take the hide-out away from a character, if he has one."""
    if s.den[c] != NOBODY:
        put_away(s, R, s.den[c], broken)
        s.den[c] = NOBODY
        s.hidden = without(s.hidden, c)


@jit
def strip(s, R, c):
    """Discard the objects lying on a character who is out; treasures he drew as weapons go back to his player's hand (TB 3.5 (8))."""
    uncover(s, R, c, False)
    come_out(s, R, c, False)
    for weapon in range(WEAPONS):
        if s.bearer[weapon] == c:
            s.bearer[weapon] = NOBODY
            if weapon == TROPHY:
                s.discard[TROPHY_CARD] += 1


# Positions of characters


@jit
def position(s, c):
    """Return the position of a character in play: UPRIGHT, TILTED, DOWN or KO."""
    if within(s.upright, c):
        return UPRIGHT
    if within(s.tilted, c):
        return TILTED
    return DOWN if within(s.down, c) else KO


@jit
def turn_to(s, R, c, new):
    """Put a character into a worse position, or out of play; he keeps his place at the door only if he is just tilted (TB 3.6)."""
    s.upright = without(s.upright, c)
    s.tilted = without(s.tilted, c)
    s.down = without(s.down, c)
    if new == TILTED:
        s.tilted |= bit(c)
        return
    s.door = without(s.door, c)
    if new == DOWN:
        s.down |= bit(c)
        return
    if new == KO:
        s.ko |= bit(c)
    else:
        s.fled |= bit(c)
    strip(s, R, c)


@jit
def tilt(s, c):
    """Tilt an upright character."""
    s.upright = without(s.upright, c)
    s.tilted |= bit(c)


# The flight of a character


@jit
def flee(s, R, c):
    """Take a fled character out of play. His player puts treasures into safety, and chooses which if there are more (TB 3.6)."""
    p = int(s.owner[c])
    turn_to(s, R, c, FLED)
    n = popcount(s.seat[p].treasures)
    if n > R.secured and R.secured > 0:
        push(s, Q.SECURE, p, R.secured)
    elif n <= R.secured:
        for _ in range(n):
            secure(s, R, p, lowest(s.seat[p].treasures))


@jit
def legal_secure(s, R, p, words):
    """List the treasures in hand, one of which goes into safety."""
    put(words, A_TREASURE, s.seat[p].treasures)


@jit
def apply_secure(s, R, p, a):
    """Put a treasure into safety, and ask again while more are allowed."""
    entry = top(s)
    entry.a -= 1
    if entry.a == 0:
        pop(s)
    secure(s, R, p, a - A_TREASURE)


@jit
def secure(s, R, p, t):
    """Put a treasure into safety; the others do not see which one, unless it was drawn as a weapon."""
    in_sight = drawn(s, p)
    card = bit(t)
    me = s.seat[p]
    me.treasures ^= card
    me.safe |= card
    move(s, R, card, HAND + p, SAFE + p, bit(p), in_sight)
    tidy(s, R, HAND + p, me.treasures)
    sheathe(s, card)
