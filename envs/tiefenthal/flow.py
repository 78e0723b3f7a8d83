"""The course of the game: set-up, the phases of a round in order, and the end."""

from alehouse.envs.tiefenthal import questions as Q
from alehouse.envs.core.run.question_stack import pop, push
from alehouse.envs.core.run.bits import put, within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.core.run.seats import around
from alehouse.envs.core.run.turns import enter, finish
from alehouse.envs.tiefenthal import plan, service, tavern
from alehouse.envs.tiefenthal.effects import clear_tavern, gain_card
from alehouse.envs.tiefenthal.layout import (
    A_TAKE, A_TAKE_DIE, BARD, FIRST, KINDS, NOBLE, P_CLOSING, P_DRAFT, P_EVENING, P_FILL, P_JUGGLE, P_OVER, P_PLAN, P_REPUTATION,
    P_SERVE, PATRONS, REGULARS, SIDE, STOCKS, TAVERN,
)  # fmt: skip
from alehouse.envs.tiefenthal.modules import reputation, schnapps, start_cards
from alehouse.envs.tiefenthal.state import NOBODY

# 2. Set-up


@jit
def set_up(s, R, seed):
    """A new table, before anybody has his start (2.1)."""
    s.seed = seed
    s.first = below(seed, FIRST, 0, 0, 0, R.seats)
    s.counters = R.counters
    s.schnapps = R.glasses
    s.tiles = R.tiles
    for k in range(STOCKS):
        s.stock[k] = R.copies[NOBLE + k]
    for k in range(TAVERN):
        s.stocked |= int(s.stock[1 + k] > 0) << k
    for kind in range(REGULARS, PATRONS):
        s.unseen[kind] = R.copies[kind]
        if within(R.cheap, kind):
            s.cheap_n += R.copies[kind]
        else:
            s.deck_n += R.copies[kind]
    for place in range(SIDE):
        s.open[place] = NOBODY
        if place < R.open_guests:
            service.turn_up(s, R, place)
    service.turn_up(s, R, SIDE)
    for p in range(R.seats):
        me = s.seat[p]
        for kind in range(REGULARS):
            me.deck[kind] = R.copies[kind]
            me.deck_n += R.copies[kind]
            me.deck_kinds |= int(R.copies[kind] > 0) << kind
    start_cards.reveal(s, R)


# The phases: each asks what it has to ask, or hands over to the next. True: a question is open.


@jit
def proceed(s, R):
    """Go on from where the table stands."""
    if s.phase == P_PLAN:
        return plan.next_die(s) or rate(s, R)
    if s.phase == P_SERVE:
        return service.serve(s, R) or next_turn(s, R)
    if s.phase == P_DRAFT:
        return tavern.draft(s, R) or first_turn(s, R)
    if s.phase == P_JUGGLE:
        return plan.juggle(s, R)
    if s.phase == P_REPUTATION:
        service.open_bar(s, R)
        return False
    if s.phase == P_FILL:
        return tavern.open_doors(s, R) or dice(s, R)
    if s.phase == P_EVENING:
        return bonuses(s, R)
    if s.phase == P_CLOSING:
        return closing(s, R)
    return start(s, R)


@jit
def start(s, R):
    """Start cards in turn order; then the decks are shuffled (4.3)."""
    if s.cursor < R.seats:
        p = around(s.first + s.cursor, R.seats)
        s.cursor += 1
        start_cards.ask(s, R, p)
        return s.stack.n > 0
    for p in range(R.seats):
        start_cards.shuffle_in(s, p)
    return evening(s, R)


# A. New evening


@jit
def evening(s, R):
    """The moon moves: gifts to all at once; what was upgraded is in force."""
    s.evening += 1
    schnapps.pour(s, R)
    for k in range(R.seats):
        p = around(s.first + k, R.seats)
        me = s.seat[p]
        me.working = me.upgraded
        me.extra = 0
        guests = min(int(R.round_counter[s.evening]), int(s.counters))
        s.counters -= guests
        me.counter += guests
    return enter(s, P_EVENING)


@jit
def bonuses(s, R):
    """Entertainers and cards, seat by seat (3 A)."""
    if s.cursor == R.seats:
        return enter(s, P_FILL)
    p = around(s.first + s.cursor, R.seats)
    s.cursor += 1
    k = s.evening
    if R.round_card[k] != NOBODY or R.round_or_card[k] != NOBODY or R.round_die[k]:
        push(s, Q.BONUS, p)
    schnapps.arrive(s, R, p)
    return s.stack.n > 0


@jit
def legal_bonus(s, R, p, words):
    """The card, the other card or the die."""
    k = s.evening
    put(words, A_TAKE_DIE, int(R.round_die[k]))
    for card in (R.round_card[k], R.round_or_card[k]):
        if card != NOBODY:
            put(words, A_TAKE + card - BARD, 1)


@jit
def apply_bonus(s, R, p, a):
    """Take it; a card goes onto the draw pile (TT-R42)."""
    pop(s)
    if a == A_TAKE_DIE:
        s.seat[p].extra = 1
    else:
        gain_card(s, p, BARD + a - A_TAKE)


# From B to F


@jit
def dice(s, R):
    """The tavern is full; dice are rolled for the draft."""
    tavern.roll(s, R)
    return enter(s, P_DRAFT)


@jit
def first_turn(s, R):
    """The start player plans and serves first (3 F, TT-R6)."""
    s.cursor = 0
    plan.begin(s, R)
    return False


@jit
def rate(s, R):
    """All dice are placed, and the plan is binding (TT-R5)."""
    s.phase = P_REPUTATION
    reputation.phase(s, R, int(s.act.seat))
    return False


@jit
def next_turn(s, R):
    """The next seat's turn, or the closing."""
    s.cursor += 1
    if s.cursor == R.seats:
        return enter(s, P_CLOSING)
    plan.begin(s, R)
    return False


# G. Closing, and the end


@jit
def closing(s, R):
    """Seat by seat, cards go to the discard pile; then another evening, or the end."""
    while s.cursor < 2 * R.seats:
        p = around(s.first + (s.cursor >> 1), R.seats)
        s.cursor += 1
        if s.cursor % 2 == 0:
            clear_tavern(s.seat[p])
        elif schnapps.closing(s, R, p):
            return True
    if s.evening == R.rounds:
        return finish(s, P_OVER)
    s.first = around(s.first + 1, R.seats)
    return evening(s, R)


@jit
def score(s, R, out):
    """Cards wherever they are, schnapps, reputation (5)."""
    for p in range(R.seats):
        me = s.seat[p]
        total = int(me.schnapps) + reputation.points(R, me)
        for kind in range(KINDS):
            total += int(R.vp[kind]) * (int(me.deck[kind]) + int(me.discard[kind]) + int(me.laid[kind]))
        for k in range(me.gained_n):
            total += int(R.vp[me.gained[k]])
        out[p] = total


@jit
def standing(s, R, out):
    """Points, then stored beer and doubloons (5, TT-R36)."""
    score(s, R, out)
    for p in range(R.seats):
        out[p] = 1000 * out[p] + int(s.seat[p].beer) + int(s.seat[p].doubloons)
