"""The observation of Kegs, and the redeal of what a seat cannot know."""

from alehouse.envs.core.declare.layout import Features
from alehouse.envs.core.run.bits import member, popcount, without
from alehouse.envs.core.run.byte_blocks import write, write_sets
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.core.run.seats import around
from alehouse.skeleton.kegs.layout import CARD_NAMES, CARDS, FAVOURITE, KEGS, KINDS, RELATIVE
from alehouse.skeleton.kegs.state import NOTHING

REDEAL = 1  # the round number under which a redeal draws its luck
FEATURES = Features(
    [
        ("seats", RELATIVE, 1),
        ("modules", ("tips",), 1),
        ("situation", ("round", "rounds", "spilled"), 9),
        ("keg", KEGS, 1),
        ("deck", KEGS, 9),
        ("favourite", KEGS, 1),
        ("chosen", RELATIVE, 1),
        ("my_bid", CARD_NAMES, 1),
        *((f"{who}_hand", CARD_NAMES, 1) for who in RELATIVE),
        *((f"{who}_kegs", KEGS, 9) for who in RELATIVE),
        ("tips", RELATIVE, 9),
    ]
)
F = FEATURES.places


@jit
def observe(s, R, seat, out):
    """Write what a seat may know: everything except the favourites and the bids of the others."""
    out[:] = 0
    mine = s.seat[seat]
    out[F.modules.tips] = R.tips
    out[F.situation.round] = s.played
    out[F.situation.rounds] = R.rounds
    out[F.situation.spilled] = s.spilled
    out[F.keg.at + int(s.keg)] = 1
    write(out, F.deck.at, s.deck)
    out[F.favourite.at + int(mine.favourite)] = 1
    if mine.bid != NOTHING:
        out[F.my_bid.at + int(mine.bid)] = 1
    for k in range(R.seats):
        them = s.seat[around(seat + k, R.seats)]
        out[F.seats.at + k] = 1
        out[F.chosen.at + k] = them.bid != NOTHING
        write_sets(out, F.me_hand.at + k * CARDS, CARDS, (shown_hand(them, k == 0),))
        write(out, F.me_kegs.at + k * KINDS, them.kegs)
        out[F.tips.at + k] = them.tips


@jit
def shown_hand(them, own):
    """Return the cards of a hand as the observer sees it: another seat's chosen card still counts as held until it is shown."""
    return int(them.hand) if own or them.bid == NOTHING else int(them.hand) | 1 << int(them.bid)


@jit
def redeal(s, R, seat, key):
    """Draw the others' favourites again, and the cards they have chosen in this round."""
    for p in range(R.seats):
        them = s.seat[p]
        if p != seat:
            them.favourite = below(key, FAVOURITE, REDEAL, p, 0, KINDS)
            if them.bid != NOTHING:
                cards = shown_hand(them, False)
                them.bid = member(cards, below(key, FAVOURITE, REDEAL, p, 1, popcount(cards)))
                them.hand = without(cards, them.bid)
