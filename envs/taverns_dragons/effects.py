"""Effects on dice, goods, minions and heroes that several phases and modules use.

Steps and wounds wait on the stack until they are done, because a fork or the choice of what to lose may interrupt them. The stack never
holds more than CHAIN entries, of the DEPTH it has room for:

* The turn is at the bottom. Above it is what is done in the turn (a recipe being cooked, a walk or a hunt) and one question about it.
* An attack adds four tasks: damage, claws, flames and rewards. With the question for a line the stack holds six entries. Later the wounds
  from claws and the question what to lose take the places of damage, claws and the question for a line.
* The special attack asks about all losses at once, above the turn and the rewards. A minion has at most five ingredients to lose, and
  dragons.*.special_amount is at most 5, so that makes seven.
"""

from alehouse.envs.taverns_dragons import questions as Q
from alehouse.envs.core.run.question_stack import pop, push, top
from alehouse.envs.core.run.bits import bit, member, popcount, put, without
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.taverns_dragons.layout import (
    A_GO, A_KIND, CITY, DICE_ROLL, FACES, HUNT_ROLL, KINDS, MEAT, MINIONS, SIDES, TOKENS, ZONES,
)  # fmt: skip

CHAIN = 7


@jit
def interrupted(s):
    """Return the entry below the top of the stack: the task that the question on top interrupts."""
    return s.stack.entry[s.stack.n - 2]


# Cards drawn and dice rolled at random


@jit
def draw_card(s, stream, shuffles, deck):
    """Draw the top card of a deck, which is given as a set of cards; all of them are equally likely."""
    left = popcount(int(deck))
    return member(deck, below(s.seed, stream, shuffles, 0, left, left))


@jit
def roll(s, p):
    """Roll one action die of a seat; return its face, counting from 0."""
    me = s.seat[p]
    face = below(s.seed, DICE_ROLL, s.rounds, p, me.rolled, SIDES)
    me.rolled += 1
    return face


@jit
def roll_hunting(s, R, p):
    """Roll one hunting die; return its symbol."""
    me = s.seat[p]
    face = below(s.seed, HUNT_ROLL, s.rounds, p, me.hunted, FACES)
    me.hunted += 1
    return int(R.face[face])


# Dice, energy, runes, gold and ingredients of a seat


@jit
def values(me):
    """Return as a set the values of the available dice, counting from 0."""
    found = 0
    for v in range(SIDES):
        found |= int(me.dice[v] > 0) << v
    return found


@jit
def gain_energy(R, me, n):
    """Give a seat energy; energy above the limit is lost (TD-A16)."""
    me.energy = min(int(R.energy_cap), int(me.energy) + n)


@jit
def gain_runes(R, me, n):
    """Give a seat runes; runes above the limit are lost (TD-A16)."""
    me.runes = min(int(R.rune_cap), int(me.runes) + n)


@jit
def lose_energy(me, n):
    """Take energy from a seat, as much as it has up to this amount."""
    me.energy = max(0, int(me.energy) - n)


@jit
def lose_gold(me, n):
    """Take gold from a seat, as much as it has up to this amount."""
    me.gold = max(0, int(me.gold) - n)


@jit
def stock(me):
    """Return as a set the kinds of ingredients in the pantry."""
    found = 0
    for kind in range(KINDS):
        found |= int(me.pantry[kind] > 0) << kind
    return found


# What minions carry, and where they carry it


@jit
def carried(me, m):
    """Return as a set the kinds of ingredients that a minion carries."""
    found = 0
    for kind in range(KINDS):
        found |= int(me.bag[m, kind] > 0) << kind
    return found


@jit
def has_room(R, me, m):
    """Return whether a minion has a free slot."""
    return int(me.load[m]) + int(me.wounds[m]) < R.slots[m]


@jit
def pick_up(me, m, kind):
    """Put an ingredient into a free slot of a minion."""
    me.bag[m, kind] += 1
    me.load[m] += 1


@jit
def put_down(me, m, kind):
    """Take an ingredient from a minion."""
    me.bag[m, kind] -= 1
    me.load[m] -= 1


@jit
def bag_meat(R, me, m, n):
    """Give dragon meat to a minion; without a free slot it is lost (TD-A9)."""
    for _ in range(n):
        if has_room(R, me, m):
            pick_up(me, m, MEAT)


@jit
def store(me, m):
    """Move all that a minion carries to the pantry."""
    for kind in range(KINDS):
        me.pantry[kind] += me.bag[m, kind]
        me.bag[m, kind] = 0
    me.load[m] = 0


@jit
def store_one(me, m, kind):
    """Move one ingredient of a minion to the pantry."""
    put_down(me, m, kind)
    me.pantry[kind] += 1


@jit
def laden(me):
    """Return as a set the minions that carry something."""
    found = 0
    for m in range(MINIONS):
        found |= int(me.load[m] > 0) << m
    return found


@jit
def wounded(me):
    """Return as a set the minions with wounds."""
    found = 0
    for m in range(MINIONS):
        found |= int(me.wounds[m] > 0) << m
    return found


@jit
def at_home(me):
    """Return as a set the minions in the City."""
    found = 0
    for m in range(MINIONS):
        found |= int(me.zone[m] == CITY) << m
    return found


@jit
def available(s, R, zone):
    """Return as a set the kinds of ingredients that a zone offers, printed or as tokens."""
    found = int(R.printed[zone])
    for kind in range(TOKENS):
        found |= int(s.tokens[zone, kind] > 0) << kind
    return found


@jit
def take_from(s, zone, kind):
    """Take an ingredient from a zone: a token if there is one, or else a printed one, which never runs out."""
    if s.tokens[zone, kind] > 0:
        s.tokens[zone, kind] -= 1


# Heroes become exhausted or ready


@jit
def exhaust(me, hero):
    """Exhaust a ready hero."""
    me.ready = without(me.ready, hero)
    me.tired = int(me.tired) | bit(hero)


@jit
def refresh(me, hero):
    """Ready an exhausted hero."""
    me.tired = without(me.tired, hero)
    me.ready = int(me.ready) | bit(hero)


# Movement of minions: walks, forks and flights


@jit
def set_out(s, p, m, steps):
    """Send a minion a number of steps along the path."""
    push(s, Q.WALK, p, m, steps)


@jit
def walk(s, R):
    """Walk on to the next fork or to the end of the walk (TD 3.2 M4)."""
    entry = top(s)
    me, m = s.seat[entry.seat], int(entry.a)
    while entry.b > 0:
        zone = int(me.zone[m])
        if R.shortcut[zone] >= 0:
            push(s, Q.FORK, entry.seat, m)
            return
        step_to(s, R, int(R.next[zone]))
    pop(s)


@jit
def step_to(s, R, zone):
    """Take one step of the walk on top of the stack; each time a minion enters the Maple it brings a rune (TD-A7)."""
    entry = top(s)
    me, m = s.seat[entry.seat], int(entry.a)
    me.zone[m] = zone
    gain_runes(R, me, int(R.zone_runes[zone]))
    entry.b -= 1
    if entry.b == 0:
        arrive(R, me, m)


@jit
def arrive(R, me, m):
    """Heal the wounds of a minion that ends its movement in the City (TD-A31)."""
    if me.zone[m] == CITY and not R.manual_city:
        me.wounds[m] = 0


@jit
def fly(s, R, p, m, zone):
    """Move a minion to a zone without walking."""
    me = s.seat[p]
    me.zone[m] = zone
    arrive(R, me, m)


@jit
def legal_fork(s, R, p, words):
    """List the next zone of the ring, and the end of the shortcut."""
    zone = int(s.seat[p].zone[top(s).a])
    put(words, A_GO, bit(R.next[zone]) | bit(R.shortcut[zone]))


@jit
def apply_fork(s, R, p, a):
    """Take a step to the zone chosen."""
    pop(s)
    step_to(s, R, a - A_GO)


@jit
def legal_teleport(s, R, p, words):
    """List all zones except the minion's own."""
    put(words, A_GO, without((1 << ZONES) - 1, s.seat[p].zone[top(s).a]))


@jit
def apply_teleport(s, R, p, a):
    """Move the minion to the zone chosen."""
    m = int(top(s).a)
    pop(s)
    fly(s, R, p, m, a - A_GO)


# Wounds of minions


@jit
def hurt(s, p, m, wounds):
    """Give a minion a number of wounds to take."""
    push(s, Q.WOUNDS, p, m, wounds)


@jit
def suffer(s, R):
    """Put wounds into free slots; without one an ingredient makes room. A minion full of wounds takes no more (TD 3.3, TD-A22)."""
    entry = top(s)
    me, m = s.seat[entry.seat], int(entry.a)
    while entry.b > 0 and has_room(R, me, m):
        me.wounds[m] += 1
        entry.b -= 1
    if entry.b > 0 and me.load[m] > 0:
        push(s, Q.LOSE, entry.seat, m, 1)
    else:
        pop(s)


@jit
def legal_lose(s, R, p, words):
    """List the ingredients that the minion carries."""
    put(words, A_KIND, carried(s.seat[p], int(top(s).a)))


@jit
def apply_lose(s, R, p, a):
    """Discard the ingredient; if it was lost to make room for a wound, the wound takes its slot."""
    me, m, wound = s.seat[p], int(top(s).a), top(s).b
    pop(s)
    put_down(me, m, a - A_KIND)
    if wound:
        me.wounds[m] += 1
        top(s).b -= 1
