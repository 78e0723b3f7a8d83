"""The eight places a minion may visit, among them the dungeon with its search (TD 1.5, 3.3)."""

from alehouse.envs.taverns_dragons import questions as Q
from alehouse.envs.core.run.question_stack import pop, push, top
from alehouse.envs.core.run.bits import bit, first, lowest, member, popcount, put, within, without
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.taverns_dragons.effects import gain_runes, hurt, put_down, roll, set_out, store, store_one
from alehouse.envs.taverns_dragons.layout import (
    A_DONE, A_KIND, A_SEARCH, A_VISIT, CAMPFIRE, CARAVAN, DUNGEON, FINDS, FORGE, KINDS, LIBRARY, MARKET, PORTAL, RUNES, SEARCH, SLOTS,
    SMITH,
)  # fmt: skip

# Which places can be visited


@jit
def beside(s, R, me, m):
    """Return as a set the slots next to a minion."""
    return int(R.beside[me.zone[m]])


@jit
def visitable(s, R, p, slots, free):
    """Return which of some slots the active minion can visit, as a set (TD 3.3).

    It has not visited the place in this turn, a space is free, no dragon sits there, and the seat can pay.
    """
    me, m = s.seat[p], int(s.deed.active)
    rest = int(slots) & ~int(s.deed.visited[m])
    if s.dragon >= 0:
        rest = without(rest, R.lair[s.dragon])
    found = 0
    while rest != 0:
        slot = lowest(rest)
        rest &= rest - 1
        found |= int(s.paid[slot] < s.open and payable(s, R, me, m, int(s.place[slot]), free)) << slot
    return found


@jit
def payable(s, R, me, m, tile, free):
    """Return whether a place has something to give and the seat can pay its cost."""
    if tile == FORGE and s.forge == 0:
        return False
    if tile == MARKET and on_sale(R, me, m, free) == 0:
        return False
    pays = int(R.place_pays[tile])
    return free or (me.energy >= R.place_energy[tile] and (pays < 0 or me.bag[m, pays] > 0))


@jit
def on_sale(R, me, m, free):
    """Return as a set the minion's ingredients that the market stores at a price the seat can pay."""
    found = 0
    for kind in range(KINDS):
        price = int(R.market[kind])
        found |= int(me.bag[m, kind] > 0 and price > 0 and (free or price <= me.gold)) << kind
    return found


# A visit of the active minion


@jit
def visit(s, R, p, slot, free):
    """Let the active minion pay for a place, take one of its spaces and get what it gives."""
    me, m, tile = s.seat[p], int(s.deed.active), int(s.place[slot])
    s.paid[slot] += 1
    s.deed.visited[m] = int(s.deed.visited[m]) | bit(slot)
    if not free:
        me.energy -= R.place_energy[tile]
        if R.place_pays[tile] >= 0:
            put_down(me, m, int(R.place_pays[tile]))
    amount = int(R.place_amount[tile])
    if tile == CAMPFIRE:
        move_again(s, R, p, m)
    elif tile == PORTAL:
        push(s, Q.TELEPORT, p, m)
    elif tile == RUNES:
        gain_runes(R, me, amount)
    elif tile == CARAVAN:
        store(me, m)
    elif tile == DUNGEON:
        turn_token(s, R, p)
    elif tile == FORGE:
        draw_forge_token(s, p)
    elif tile == LIBRARY:
        me.gold += amount
    else:
        push(s, Q.MARKET, p, m, int(free))


@jit
def move_again(s, R, p, m):
    """Roll the die of a minion again; the minion then moves and acts once more (TD-A28)."""
    activate(s, R, p, m, roll(s, p) + 1)


@jit
def activate(s, R, p, m, value):
    """Put a die on a minion, which becomes the active minion and sets out; after the walk it may act."""
    deed = s.deed
    s.seat[p].die[m] = value
    deed.active = m
    deed.moved = int(deed.moved) | bit(m)
    deed.origin = s.seat[p].zone[m]
    deed.collected = 0
    deed.hunted = 0
    set_out(s, p, m, value + int(R.extra_steps[m]))


@jit
def legal_place(s, R, p, words):
    """List the places to which a hero leads the active minion: those beside it for a free visit, or any at its cost."""
    free = top(s).a != 0
    put(words, A_VISIT, visitable(s, R, p, reach(s, R, p, free), free))


@jit
def reach(s, R, p, free):
    """Return as a set the slots to which a hero may lead: those beside the minion for a free visit, or else all."""
    return beside(s, R, s.seat[p], int(s.deed.active)) if free else first(SLOTS)


@jit
def apply_place(s, R, p, a):
    """Visit the place."""
    free = top(s).a != 0
    pop(s)
    visit(s, R, p, a - A_VISIT, free)


# The market: store an ingredient for gold


@jit
def legal_market(s, R, p, words):
    """List the ingredients of the minion for which the seat can pay the market."""
    put(words, A_KIND, on_sale(R, s.seat[p], int(top(s).a), top(s).b != 0))


@jit
def apply_market(s, R, p, a):
    """Pay for one ingredient and store it."""
    me, m, free = s.seat[p], int(top(s).a), top(s).b != 0
    pop(s)
    if not free:
        me.gold -= R.market[a - A_KIND]
    store_one(me, m, a - A_KIND)


# The forge: draw a token for the next hunt


@jit
def draw_forge_token(s, p):
    """Draw a random forge token, which helps in the next hunt."""
    me = s.seat[p]
    left = popcount(int(s.forge))
    token = member(s.forge, below(s.seed, SMITH, s.rounds, p, me.forged, left))
    me.forged += 1
    s.forge = without(s.forge, token)
    me.forge = int(me.forge) | bit(token)


# The dungeon: turn tokens over as long as one dares


@jit
def turn_token(s, R, p):
    """Turn a dungeon token over; the search may go on if the token was good and another good one is left."""
    me = s.seat[p]
    left = first(FINDS) & ~int(s.finds)
    token = member(left, below(s.seed, SEARCH, s.rounds, p, me.searched, popcount(left)))
    me.searched += 1
    s.finds = int(s.finds) | bit(token)
    me.gold += R.find_gold[token]
    me.score += R.find_prestige[token]
    if R.find_wounds[token] == 0 and good_left(s, R):
        push(s, Q.SEARCH, p)
        return
    s.finds = 0
    if R.find_wounds[token] > 0:
        hurt(s, p, int(s.deed.active), int(R.find_wounds[token]))


@jit
def good_left(s, R):
    """Return whether a token without a wound is still face down."""
    found = False
    for token in range(FINDS):
        found |= R.find_wounds[token] == 0 and not within(s.finds, token)
    return found


@jit
def legal_search(s, R, p, words):
    """List searching on and stopping."""
    put(words, A_SEARCH, 1)
    put(words, A_DONE, 1)


@jit
def apply_search(s, R, p, a):
    """Search on; or stop, after which all tokens are turned face down again."""
    pop(s)
    if a == A_SEARCH:
        turn_token(s, R, p)
    else:
        s.finds = 0
