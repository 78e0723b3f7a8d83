"""The course of the game: the set-up, the phases of a round in order, and the end."""

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
    """Lay out a new table; start cards come later (2.1)."""
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


# The phases. Each function does the next thing that is due, and enters the next phase when nothing is left.


@jit
def proceed(s, R):
    """Continue the current phase; the stack is empty."""
    if s.phase == P_PLAN:
        plan.place_dice(s, R)
    elif s.phase == P_SERVE:
        service.serve(s, R)
    elif s.phase == P_DRAFT:
        tavern.draft(s, R)
    elif s.phase == P_JUGGLE:
        plan.juggle(s, R)
    elif s.phase == P_REPUTATION:
        service.open_bar(s, R)
    elif s.phase == P_FILL:
        tavern.open_doors(s, R)
    elif s.phase == P_EVENING:
        bonuses(s, R)
    elif s.phase == P_CLOSING:
        closing(s, R)
    else:
        start(s, R)


@jit
def start(s, R):
    """Let each seat in turn order choose its start card; then shuffle the decks and begin round 1 (4.3)."""
    if s.cursor < R.seats:
        p = around(s.first + s.cursor, R.seats)
        s.cursor += 1
        start_cards.ask(s, R, p)
        return
    for p in range(R.seats):
        start_cards.shuffle_in(s, p)
    evening(s, R)


# A. A new evening begins


@jit
def evening(s, R):
    """Move the moon: all seats get its gifts at once, and upgrades made last round begin to work."""
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
    enter(s, P_EVENING)


@jit
def bonuses(s, R):
    """Ask the next seat to choose its bonus and the side of its entertainer (3 A)."""
    if s.cursor == R.seats:
        enter(s, P_FILL)
        return
    p = around(s.first + s.cursor, R.seats)
    s.cursor += 1
    k = s.evening
    if R.round_card[k] != NOBODY or R.round_or_card[k] != NOBODY or R.round_die[k]:
        push(s, Q.BONUS, p)
    schnapps.arrive(s, R, p)


@jit
def legal_bonus(s, R, p, words):
    """List the bonuses of the round that a seat may choose: a card, another card, or a die."""
    k = s.evening
    put(words, A_TAKE_DIE, int(R.round_die[k]))
    for card in (R.round_card[k], R.round_or_card[k]):
        if card != NOBODY:
            put(words, A_TAKE + card - BARD, 1)


@jit
def apply_bonus(s, R, p, a):
    """Take the bonus; a card goes on top of the draw pile (TT-R42)."""
    pop(s)
    if a == A_TAKE_DIE:
        s.seat[p].extra = 1
    else:
        gain_card(s, p, BARD + a - A_TAKE)


# G. The closing of a round, and the end of the game


@jit
def closing(s, R):
    """Let each seat keep a card, then discard what is laid out; after the last seat begin another evening, or end the game."""
    if s.cursor < 2 * R.seats:
        p = around(s.first + (s.cursor >> 1), R.seats)
        s.cursor += 1
        if s.cursor % 2 == 1:
            schnapps.keep_card(s, R, p)
        else:
            clear_tavern(s.seat[p])
    elif s.evening == R.rounds:
        finish(s, P_OVER)
    else:
        s.first = around(s.first + 1, R.seats)
        evening(s, R)


@jit
def score(s, R, out):
    """Count the points of every seat: its cards wherever they are, schnapps and reputation (5)."""
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
    """Write a number that ranks the seats: points, then stored beer and doubloons (5, TT-R36)."""
    score(s, R, out)
    for p in range(R.seats):
        out[p] = 1000 * out[p] + int(s.seat[p].beer) + int(s.seat[p].doubloons)
