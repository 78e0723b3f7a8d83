"""The course of a game of Kegs: the set-up, the rounds, and the score."""

from alehouse.envs.core.declare.game import Module
from alehouse.envs.core.run.bits import first, put, without
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.core.run.question_stack import pop, push
from alehouse.skeleton.kegs import questions as Q
from alehouse.skeleton.kegs.layout import A_BID, CARDS, DECK, FAVOURITE, KINDS
from alehouse.skeleton.kegs.state import NOTHING

TIPS = Module("tips", "Tips", features=("tips",), numbers=("tips.",))


@jit
def set_up(s, R, seed):
    """Lay out a new table (rule 1)."""
    s.seed = seed
    for p in range(R.seats):
        me = s.seat[p]
        me.hand = first(R.rounds)
        me.bid = NOTHING
        me.favourite = below(seed, FAVOURITE, 0, p, 0, KINDS)
    for kind in range(KINDS):
        s.deck[kind] = R.copies[kind]
    turn_up(s)


@jit
def turn_up(s):
    """Turn up the top keg; all kegs in the deck are equally likely (rule 2)."""
    n = 0
    for kind in range(KINDS):
        n += int(s.deck[kind])
    k = below(s.seed, DECK, 0, 0, n, n)
    s.keg = 0
    while k >= s.deck[s.keg]:
        k -= int(s.deck[s.keg])
        s.keg += 1
    s.deck[s.keg] -= 1


@jit
def proceed(s, R):
    """Ask the next brewer for a bid; after the last bid, show all bids and go on to the next round."""
    if s.cursor < R.seats:
        s.cursor += 1
        push(s, Q.BID, s.cursor - 1)
        return
    show_bids(s, R)
    s.cursor = 0
    s.played += 1
    if s.played == R.rounds:
        s.turn = -1
    else:
        turn_up(s)


@jit
def legal_bid(s, R, p, words):
    """List the cards of the hand."""
    put(words, A_BID, int(s.seat[p].hand))


@jit
def apply_bid(s, R, p, a):
    """Choose a card as the bid; nobody else sees it yet."""
    pop(s)
    me = s.seat[p]
    me.bid = a - A_BID
    me.hand = without(me.hand, me.bid)


@jit
def show_bids(s, R):
    """Give the keg to the highest card that was played once, a tip to the lowest, and remove the cards from the game (rules 2 and 3)."""
    winner = tipped = NOTHING
    for card in range(CARDS):
        players, who = 0, NOTHING
        for p in range(R.seats):
            if s.seat[p].bid == card:
                players += 1
                who = p
        if players == 1:
            winner = who
            if tipped == NOTHING:
                tipped = who
    if winner == NOTHING:
        s.spilled += 1
    else:
        s.seat[winner].kegs[s.keg] += 1
        s.seat[tipped].tips += R.tips
    for p in range(R.seats):
        s.seat[p].bid = NOTHING


@jit
def score(s, R, out):
    """Count points for kegs, favourites and tips (rule 4)."""
    for p in range(R.seats):
        me = s.seat[p]
        out[p] = int(me.tips) * int(R.tip) + int(me.kegs[me.favourite]) * int(R.favourite)
        for kind in range(KINDS):
            out[p] += int(me.kegs[kind]) * int(R.value[kind])


@jit
def clock(s):
    """Return how many rounds have been played."""
    return int(s.played)
