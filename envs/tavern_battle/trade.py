"""The trade: a window for agitation cards, the treasure for sale, offers, and the choice of the buyer (TB 3.1)."""

from alehouse.envs.tavern_battle import questions as Q
from alehouse.envs.core.run.question_stack import pop, push, top
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.bits import bit, first, highest, popcount, put, within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import AGENTS, below
from alehouse.envs.core.run.seats import around
from alehouse.envs.core.run.turns import enter, finish
from alehouse.envs.tavern_battle.effects import seat_named
from alehouse.envs.tavern_battle.layout import (
    A_CONFIRM, A_PASS, A_SEAT, A_TREASURE, DISAPPROVAL, HAND, P_CHOICE, P_OFFERS, P_OPENING, P_OVER, P_REVEAL, P_WINDOW,
)  # fmt: skip
from alehouse.envs.tavern_battle.memory import show, tidy
from alehouse.envs.tavern_battle.state import NOBODY

SELDOM = 16  # a lively player posts an agitation card in about one of this many windows

# A0. Posting agitation cards


@jit
def window(s, R):
    """Ask seats with an agitation card, from the seller on, whether they post one; enough posted cards start the brawl."""
    if s.posted == R.seats:
        enter(s, P_OPENING)
    elif s.cursor == R.seats:
        enter(s, P_REVEAL)
    else:
        p = around(s.seller + s.cursor, R.seats)
        s.cursor += 1
        if s.seat[p].cards > 0:
            push(s, Q.POST, p)


# A1. The treasure for sale


@jit
def reveal(s, R):
    """Ask the seller for the treasure to sell; if he has none, his turn is over."""
    if s.seat[s.seller].treasures == 0:
        end_turn(s, R)
    else:
        push(s, Q.REVEAL, s.seller)


@jit
def legal_reveal(s, R, p, words):
    """List the treasures in hand, one of which is put up for sale."""
    put(words, A_TREASURE, s.seat[p].treasures)


@jit
def apply_reveal(s, R, p, a):
    """Show the treasure to all."""
    pop(s)
    s.shown = a - A_TREASURE
    show(s, R, bit(s.shown), HAND + p)
    enter(s, P_OFFERS)


# A2. Offers for the treasure


@jit
def offers(s, R):
    """Ask the next seat to the left for an offer, which the others do not see; after the last seat show all offers (TB-R16)."""
    if s.cursor < R.seats - 1:
        s.cursor += 1
        p = around(s.seller + s.cursor, R.seats)
        if s.seat[p].treasures != 0:
            push(s, Q.OFFER, p)
        return
    for p in range(R.seats):
        if s.seat[p].offer != 0:
            show(s, R, s.seat[p].offer, HAND + p)
    enter(s, P_CHOICE)


@jit
def legal_offer(s, R, p, words):
    """List the treasures after the last one in the offer, and confirming the offer."""
    me = s.seat[p]
    put(words, A_CONFIRM, 1)
    if R.max_offer == 0 or popcount(me.offer) < R.max_offer:
        passed = first(highest(me.offer) + 1) if me.offer != 0 else 0
        put(words, A_TREASURE, me.treasures & ~passed)


@jit
def apply_offer(s, R, p, a):
    """Add a treasure to the offer, or confirm it."""
    if a == A_CONFIRM:
        pop(s)
    else:
        s.seat[p].offer |= bit(a - A_TREASURE)


# A3. The choice of the buyer, and A4. the next seller


@jit
def choice(s, R):
    """Ask the seller whose offer he takes."""
    push(s, Q.BUYER, s.seller)


@jit
def legal_buyer(s, R, p, words):
    """List all other seats; the seller must sell to one of them (TB-R17)."""
    put(words, A_SEAT, first(R.seats - 1))


@jit
def apply_buyer(s, R, p, a):
    """Exchange the treasure shown for the buyer's whole offer."""
    pop(s)
    q = seat_named(a, p, R.seats)
    paid = int(s.seat[q].offer)
    exchange(s, R, p, q, bit(s.shown), paid)
    if R.kinds[DISAPPROVAL] > 0:
        sale = s.sale
        sale.seller, sale.buyer, sale.sold, sale.paid = p, q, s.shown, paid
    end_turn(s, R)


@jit
def exchange(s, R, p, q, given, taken):
    """Exchange treasures of seat p for treasures of seat q, in sight of all."""
    me, other = s.seat[p], s.seat[q]
    me.treasures = me.treasures & ~given | taken
    other.treasures = other.treasures & ~taken | given
    show(s, R, given, HAND + q)
    show(s, R, taken, HAND + p)
    tidy(s, R, HAND + p, me.treasures)


@jit
def stands(s):
    """Return whether all treasures of the last sale still lie where it brought them."""
    sale = s.sale
    if sale.sold == NOBODY:
        return False
    return within(s.seat[sale.buyer].treasures, sale.sold) and int(sale.paid) & ~int(s.seat[sale.seller].treasures) == 0


@jit
def take_back(s, R):
    """Give all treasures of the last sale back to those who had them before it, if they still lie where it brought them (TB 1.7)."""
    if stands(s):
        sale = s.sale
        exchange(s, R, int(sale.seller), int(sale.buyer), int(sale.paid), bit(sale.sold))


@jit
def end_turn(s, R):
    """Go on to the next seller; after the last trade turn the game ends in peace (TB-R24)."""
    s.shown = NOBODY
    for p in range(R.seats):
        s.seat[p].offer = 0
    s.turns += 1
    s.seller = around(s.seller + 1, R.seats)
    if s.turns == R.turns * R.seats:
        finish(s, P_OVER)
    else:
        enter(s, P_WINDOW)


@jit
def lively(s):
    """Return the action of the lively random player: he rarely posts cards, so that trades happen, and is otherwise uniform (TB-R31)."""
    n = bits.count(s.can)
    k = below(s.seed, AGENTS, s.asked, 0, 0, n)
    if top(s).what == Q.POST and below(s.seed, AGENTS, s.asked, 0, 1, SELDOM) > 0:
        return A_PASS
    return bits.nth(s.can, k)
