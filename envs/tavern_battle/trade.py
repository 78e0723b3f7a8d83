"""The trade: agitation cards, the treasure for sale, offers, the choice of the buyer (TB 3.1, 1.7)."""

from alehouse.envs.tavern_battle import questions as Q
from alehouse.envs.core.run.question_stack import pop, push, top
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.bits import bit, first, highest, member, popcount, put, within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import AGENTS, below
from alehouse.envs.core.run.seats import around
from alehouse.envs.core.run.turns import enter
from alehouse.envs.tavern_battle.effects import as_named, seat_named
from alehouse.envs.tavern_battle.layout import (
    A_CHARACTER, A_CONFIRM, A_PASS, A_POST, A_SEAT, A_TREASURE, BAIT, CLOAK, ELBOW, FINGERS, HAND, HEROES, INSULT, P_CHOICE, P_OFFERS,
    P_REVEAL, P_WINDOW, ROUND, THEFT,
)  # fmt: skip
from alehouse.envs.tavern_battle.memory import give, see, show, tidy
from alehouse.envs.tavern_battle.state import NOBODY


SELDOM = 16  # a lively player posts an agitation card in about one of so many windows

# A0. Agitation


@jit
def window(s, R):
    """Each seat that holds an agitation card may post one, from the seller on."""
    while s.cursor < R.seats:
        p = around(s.seller + s.cursor, R.seats)
        s.cursor += 1
        if s.seat[p].cards > 0:
            push(s, Q.POST, p)
            return True
    return enter(s, P_REVEAL)


@jit
def legal_post(s, R, p, words):
    """One of the cards in hand, or none."""
    put(words, A_PASS, 1)
    for kind in range(s.seat[p].agitation.size):
        if s.seat[p].agitation[kind] > 0:
            put(words, A_POST + kind, 1)


@jit
def apply_post(s, R, p, a):
    """Post a card: it brings the brawl nearer, and acts at once."""
    pop(s)
    if a == A_PASS:
        return
    kind = a - A_POST
    me = s.seat[p]
    me.agitation[kind] -= 1
    me.cards -= 1
    s.agitation[kind] += 1
    s.posted += 1
    s.leader = p
    if R.no_effects:
        return
    if kind == CLOAK:
        me.cloaks += 1
    elif kind == ROUND:
        round_on_the_house(s, R, p)
    elif kind == INSULT:
        if insultable(s, R, p) != 0:
            push(s, Q.INSULT, p)
    elif victims(s, R, p) != 0 and (kind != BAIT or me.treasures != 0):
        push(s, Q.VICTIM, p, kind)


@jit
def victims(s, R, p):
    """Opponents with a treasure, as a set of seats."""
    found = 0
    for q in range(R.seats):
        if q != p and s.seat[q].treasures != 0:
            found |= bit(q)
    return found


@jit
def legal_victim(s, R, p, words):
    """Opponents with a treasure."""
    put(words, A_SEAT, as_named(victims(s, R, p), p, R.seats))


@jit
def apply_victim(s, R, p, a):
    """The opponent drops a treasure, or loses one to the poster."""
    kind = top(s).a
    pop(s)
    q = seat_named(a, p, R.seats)
    if kind == ELBOW:
        push(s, Q.DROP, q)
    elif kind == FINGERS:
        give(s, R, any_treasure(s, q, THEFT, s.posted), q, p)
    else:
        push(s, Q.BAIT, p, q)


@jit
def any_treasure(s, q, stream, index):
    """One of the treasures of a seat at random."""
    members = s.seat[q].treasures
    return member(members, below(s.seed, stream, s.rounds, q, index, popcount(members)))


@jit
def apply_bait(s, R, p, a):
    """One treasure against another, the opponent's taken at random before he receives his."""
    q = int(top(s).a)
    pop(s)
    taken = any_treasure(s, q, THEFT, s.posted)
    give(s, R, a - A_TREASURE, p, q)
    give(s, R, taken, q, p)


@jit
def insultable(s, R, p):
    """Opposing heroes nobody has insulted yet."""
    found = 0
    for q in range(R.seats):
        if q != p:
            found |= s.seat[q].group
    return found & first(HEROES) & ~int(s.insulted)


@jit
def legal_insult(s, R, p, words):
    """Opposing heroes."""
    put(words, A_CHARACTER, insultable(s, R, p))


@jit
def apply_insult(s, R, p, a):
    """He will begin the brawl tilted."""
    pop(s)
    s.insulted |= bit(a - A_CHARACTER)


@jit
def round_on_the_house(s, R, p):
    """Everybody with a treasure chooses one; the poster is asked first."""
    for k in range(R.seats - 1, -1, -1):
        q = around(p + k, R.seats)
        if s.seat[q].treasures != 0:
            push(s, Q.PASS_LEFT, q)


@jit
def apply_pass_left(s, R, p, a):
    """Choose in secret; the last choice moves all treasures chosen at once."""
    pop(s)
    s.seat[p].passing = a - A_TREASURE
    if s.stack.n > 0:
        return
    givers = 0
    for q in range(R.seats):
        if s.seat[q].passing != NOBODY:
            s.seat[q].treasures ^= bit(s.seat[q].passing)
            givers |= bit(q)
    for q in range(R.seats):
        blur_hands(s, R, q, givers)
    for q in range(R.seats):
        if within(givers, q):
            arrive(s, R, q, around(q + 1, R.seats))


@jit
def blur_hands(s, R, p, givers):
    """What seat p can say of the others' hands when treasures have gone left: what may have been in a hand may now be in the next."""
    may = s.seat[p].may
    last = may[HAND + R.seats - 1]
    for q in range(R.seats - 1, -1, -1):
        giver = q - 1 if q > 0 else R.seats - 1
        came = may[HAND + giver] if q > 0 else last
        kept = may[HAND + q] if s.seat[q].treasures != 0 else 0
        if q != p:
            may[HAND + q] = kept | (came if within(givers, giver) and giver != p else 0)


@jit
def arrive(s, R, giver, taker):
    """A treasure passed comes to hand; the two it concerns know which it is."""
    card = bit(s.seat[giver].passing)
    s.seat[giver].passing = NOBODY
    s.seat[taker].treasures |= card
    see(s.seat[giver], card, HAND + taker)
    see(s.seat[taker], card, HAND + taker)


@jit
def legal_hand(s, R, p, words):
    """Any treasure of one's own that is not safe."""
    put(words, A_TREASURE, s.seat[p].treasures)


# A1. The treasure for sale


@jit
def reveal(s, R):
    """The seller shows a treasure; without one his turn is over."""
    if s.seat[s.seller].treasures == 0:
        return end_turn(s, R)
    push(s, Q.REVEAL, s.seller)
    return True


@jit
def apply_reveal(s, R, p, a):
    """All see it."""
    pop(s)
    s.shown = a - A_TREASURE
    show(s, R, bit(s.shown), HAND + p)
    enter(s, P_OFFERS)


# A2. Offers


@jit
def offers(s, R):
    """The others make their offers one after the other, unseen; then all are shown (TB-R16)."""
    while s.cursor < R.seats - 1:
        p = around(s.seller + 1 + s.cursor, R.seats)
        s.cursor += 1
        if s.seat[p].treasures != 0:
            push(s, Q.OFFER, p)
            return True
    for p in range(R.seats):
        if s.seat[p].offer != 0:
            show(s, R, s.seat[p].offer, HAND + p)
    enter(s, P_CHOICE)
    push(s, Q.BUYER, s.seller)
    return True


@jit
def legal_offer(s, R, p, words):
    """Treasures above the last one added, or the end."""
    me = s.seat[p]
    put(words, A_CONFIRM, 1)
    if R.max_offer == 0 or popcount(me.offer) < R.max_offer:
        passed = first(highest(me.offer) + 1) if me.offer != 0 else 0
        put(words, A_TREASURE, me.treasures & ~passed)


@jit
def apply_offer(s, R, p, a):
    """One more treasure, or the offer as it is."""
    if a == A_CONFIRM:
        pop(s)
    else:
        s.seat[p].offer |= bit(a - A_TREASURE)


# A3. The choice, A4. the next seller


@jit
def legal_buyer(s, R, p, words):
    """Any other player; the seller must sell (TB-R17)."""
    put(words, A_SEAT, first(R.seats - 1))


@jit
def apply_buyer(s, R, p, a):
    """The treasure against the whole offer, in sight of all."""
    pop(s)
    q = seat_named(a, p, R.seats)
    me, buyer = s.seat[p], s.seat[q]
    sold, bought = bit(s.shown), int(buyer.offer)
    me.treasures = me.treasures & ~sold | bought
    buyer.treasures = buyer.treasures & ~bought | sold
    show(s, R, sold, HAND + q)
    show(s, R, bought, HAND + p)
    tidy(s, R, HAND + p, me.treasures)
    end_turn(s, R)


@jit
def end_turn(s, R):
    """The next seller; after so many turns the trade ends in peace (TB-R24)."""
    s.shown = NOBODY
    for p in range(R.seats):
        s.seat[p].offer = 0
    s.turns += 1
    s.seller = around(s.seller + 1, R.seats)
    return enter(s, P_WINDOW)


@jit
def always(s, p):
    """Ask this question whatever the seat holds."""
    return True


@jit
def lively(s):
    """The action of a random player who trades: as a uniform one, but he seldom posts (TB-R31)."""
    n = bits.count(s.can)
    k = below(s.seed, AGENTS, s.asked, 0, 0, n)
    if top(s).what == Q.POST and below(s.seed, AGENTS, s.asked, 0, 1, SELDOM) > 0:
        return A_PASS
    return bits.nth(s.can, k)
