"""What happens to dice, goods, heroes and minions, whoever causes it."""

from alehouse.envs.taverns_dragons import questions as Q
from alehouse.envs.core.run.question_stack import pop, push, top
from alehouse.envs.core.run.bits import bit, member, popcount, put, without
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.taverns_dragons.layout import (
    A_GO, A_KIND, CITY, DICE_ROLL, FACES, HUNT_ROLL, KINDS, MEAT, MINIONS, SIDES, TOKENS, ZONES,
)  # fmt: skip

# Luck


@jit
def draw_card(s, stream, shuffles, deck):
    """The top card of a deck that is the set of what is face down: any of them, as likely."""
    left = popcount(int(deck))
    return member(deck, below(s.seed, stream, shuffles, 0, left, left))


@jit
def roll(s, p):
    """One action die of a seat, counted from 0."""
    me = s.seat[p]
    face = below(s.seed, DICE_ROLL, s.rounds, p, me.rolled, SIDES)
    me.rolled += 1
    return face


@jit
def roll_hunting(s, R, p):
    """The symbol of one hunting die."""
    me = s.seat[p]
    face = below(s.seed, HUNT_ROLL, s.rounds, p, me.hunted, FACES)
    me.hunted += 1
    return int(R.face[face])


# Dice and goods


@jit
def values(me):
    """The values of available dice, as a set of faces counted from 0."""
    found = 0
    for v in range(SIDES):
        found |= int(me.dice[v] > 0) << v
    return found


@jit
def gain_energy(R, me, n):
    """Energy, up to the cap (TD-A16)."""
    me.energy = min(int(R.energy_cap), int(me.energy) + n)


@jit
def gain_runes(R, me, n):
    """Runes, up to the cap (TD-A16)."""
    me.runes = min(int(R.rune_cap), int(me.runes) + n)


@jit
def lose_energy(me, n):
    """Energy, as far as there is some."""
    me.energy = max(0, int(me.energy) - n)


@jit
def lose_gold(me, n):
    """Gold, as far as there is some."""
    me.gold = max(0, int(me.gold) - n)


@jit
def stock(me):
    """Kinds in the pantry, as a set."""
    found = 0
    for kind in range(KINDS):
        found |= int(me.pantry[kind] > 0) << kind
    return found


# What minions carry


@jit
def carried(me, m):
    """Kinds a minion carries, as a set."""
    found = 0
    for kind in range(KINDS):
        found |= int(me.bag[m, kind] > 0) << kind
    return found


@jit
def has_room(R, me, m):
    """Whether a minion has a free slot."""
    return int(me.load[m]) + int(me.wounds[m]) < R.slots[m]


@jit
def pick_up(me, m, kind):
    """A minion takes an ingredient into a free slot."""
    me.bag[m, kind] += 1
    me.load[m] += 1


@jit
def put_down(me, m, kind):
    """A minion loses an ingredient."""
    me.bag[m, kind] -= 1
    me.load[m] -= 1


@jit
def store(me, m):
    """All a minion carries goes to the pantry."""
    for kind in range(KINDS):
        me.pantry[kind] += me.bag[m, kind]
        me.bag[m, kind] = 0
    me.load[m] = 0


@jit
def store_one(me, m, kind):
    """One ingredient of a minion goes to the pantry."""
    put_down(me, m, kind)
    me.pantry[kind] += 1


@jit
def laden(me):
    """Minions that carry something, as a set."""
    found = 0
    for m in range(MINIONS):
        found |= int(me.load[m] > 0) << m
    return found


@jit
def wounded(me):
    """Minions with wounds, as a set."""
    found = 0
    for m in range(MINIONS):
        found |= int(me.wounds[m] > 0) << m
    return found


@jit
def at_home(me):
    """Minions in the City, as a set."""
    found = 0
    for m in range(MINIONS):
        found |= int(me.zone[m] == CITY) << m
    return found


@jit
def available(s, R, zone):
    """Kinds to be had in a zone, printed or as tokens, as a set."""
    found = int(R.printed[zone])
    for kind in range(TOKENS):
        found |= int(s.tokens[zone, kind] > 0) << kind
    return found


@jit
def take_from(s, zone, kind):
    """An ingredient of a zone is taken: a token, or else a printed one, of which there is no end."""
    if s.tokens[zone, kind] > 0:
        s.tokens[zone, kind] -= 1


# Heroes


@jit
def exhaust(me, hero):
    """A ready hero is exhausted."""
    me.ready = without(me.ready, hero)
    me.tired = int(me.tired) | bit(hero)


@jit
def refresh(me, hero):
    """An exhausted hero is ready again."""
    me.tired = without(me.tired, hero)
    me.ready = int(me.ready) | bit(hero)


# Moves


@jit
def set_out(s, p, m, steps):
    """A minion has so many steps to go."""
    s.walker_seat = p
    s.walker = m
    s.steps = steps


@jit
def walk(s, R):
    """Walk on to the next fork, or to the end (TD 3.2 M4). True: a question is open."""
    me, m = s.seat[s.walker_seat], int(s.walker)
    while s.steps > 0:
        zone = int(me.zone[m])
        if R.shortcut[zone] >= 0:
            push(s, Q.FORK, s.walker_seat, m)
            return True
        step_to(s, R, int(R.next[zone]))
    return False


@jit
def step_to(s, R, zone):
    """One step; each entry of the Maple brings a rune (TD-A7)."""
    p, m = int(s.walker_seat), int(s.walker)
    me = s.seat[p]
    me.zone[m] = zone
    gain_runes(R, me, int(R.zone_runes[zone]))
    s.steps -= 1
    if s.steps == 0:
        arrive(R, me, m)


@jit
def arrive(R, me, m):
    """In the City wounds heal (TD-A31)."""
    if me.zone[m] == CITY and not R.manual_city:
        me.wounds[m] = 0


@jit
def fly(s, R, p, m, zone):
    """A minion gets to a zone without walking."""
    me = s.seat[p]
    me.zone[m] = zone
    arrive(R, me, m)


@jit
def legal_fork(s, R, p, words):
    """Straight on, or the shortcut."""
    zone = int(s.seat[p].zone[s.walker])
    put(words, A_GO, bit(R.next[zone]) | bit(R.shortcut[zone]))


@jit
def apply_fork(s, R, p, a):
    """Walk on."""
    pop(s)
    step_to(s, R, a - A_GO)


@jit
def legal_teleport(s, R, p, words):
    """Any other zone."""
    put(words, A_GO, without((1 << ZONES) - 1, s.seat[p].zone[top(s).a]))


@jit
def apply_teleport(s, R, p, a):
    """The minion is there."""
    m = int(top(s).a)
    pop(s)
    fly(s, R, p, m, a - A_GO)


# Wounds


@jit
def hurt(s, p, m, wounds):
    """A minion has so many wounds to take."""
    s.hurt_seat = p
    s.hurt = m
    s.wounds = wounds


@jit
def suffer(s, R):
    """Wounds take free slots, then make room by ingredients, then nothing (TD 3.3, A22). True: a question is open."""
    me, m = s.seat[s.hurt_seat], int(s.hurt)
    while s.wounds > 0:
        if has_room(R, me, m):
            me.wounds[m] += 1
            s.wounds -= 1
        elif me.load[m] > 0:
            push(s, Q.LOSE, s.hurt_seat, m, 1)
            return True
        else:
            s.wounds = 0
    return False


@jit
def legal_lose(s, R, p, words):
    """Anything the minion carries."""
    put(words, A_KIND, carried(s.seat[p], int(top(s).a)))


@jit
def apply_lose(s, R, p, a):
    """An ingredient is gone; it may have made room for a wound."""
    me, m, wound = s.seat[p], int(top(s).a), int(top(s).b)
    pop(s)
    put_down(me, m, a - A_KIND)
    me.wounds[m] += wound
    s.wounds -= wound


# Meat


@jit
def bag_meat(R, me, m, n):
    """Dragon meat for a minion; without a free slot it is lost (TD-A9)."""
    for _ in range(n):
        if has_room(R, me, m):
            pick_up(me, m, MEAT)
