"""Kuhn poker: two seats, three cards, one bet.

    seat 0   pass              bet             Each seat pays the ante and gets a card; the third stays unseen.
             /  \\             /  \\             pass checks, or folds against a bet; bet opens, or calls a bet.
    seat 1 pass  bet       pass   bet          After a fold the other seat takes the pot, otherwise the higher
           +-1  /  \\        1     +-2          card does. Points are net chips: seat 0 gets the figure shown,
    seat 0   pass   bet                        seat 1 its opposite. Played perfectly seat 0 gets -1/18 a deal.
              -1    +-2

Phases: bet. Luck: the deal. Hidden: the other's card. Observation: own card, whether one began, chips paid.
"""

from pathlib import Path
from typing import Annotated, Any

from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.declare.layout import Actions, Features, Segment
from alehouse.envs.core.declare.numbers import Numbers
from alehouse.envs.core.declare.record import Array, Header, RulesHeader, between, i1, none_or, one_of, record
from alehouse.envs.core.faces import pettingzoo_faces
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.core.show.view import Phrases

CARDS = ("jack", "queen", "king")
KINDS = len(CARDS)
ANTE, BET = 1, 1
DEAL = 0  # the stream of luck for the deal

ACTIONS = Actions(Segment("pass"), Segment("bet"))
PASS = ACTIONS.start("pass")
FEATURES = Features([("card", CARDS, 1), ("first", 1, 1), ("paid", ["mine", "theirs"], ANTE + BET)])
F = FEATURES.places


class State(Header):
    """Cards and chips of both seats."""

    card: Annotated[Array, "i1", 2, one_of(CARDS)]
    paid: Annotated[Array, "i1", 2, between(ANTE, ANTE + BET)]
    folded: Annotated[i1, none_or(2)]  # the seat that folded, or -1
    can: Annotated[Array, "u8", ACTIONS.words]


class Rules(RulesHeader):
    """The rules of the game: only the number of seats."""


@jit
def reset(s, R, seed):
    """Take the antes and deal the cards; seat 0 begins."""
    s.seed = seed
    s.folded = -1
    s.paid[:] = ANTE
    s.card[0] = below(seed, DEAL, 0, 0, 0, KINDS)
    deal_other(s, 1, seed)
    legal(s, R, s.can)


@jit
def deal_other(s, seat, seed):
    """Deal a seat one of the two cards that the other does not hold."""
    held = s.card[1 - seat]
    card = below(seed, DEAL, 0, seat, 0, KINDS - 1)
    s.card[seat] = card + int(card >= held)


@jit
def legal(s, R, words):
    """List both actions, as long as the deal lasts."""
    bits.clear(words)
    if s.turn >= 0:
        bits.put(words, PASS, 0b11)


@jit
def step(s, R, action):
    """Pass or bet; a fold, a call, or a second pass ends the deal."""
    me = s.turn
    other = 1 - me
    s.asked += 1
    over = s.paid[other] > s.paid[me] or (action == PASS and me == 1)
    if action != PASS:
        s.paid[me] = ANTE + BET
    elif s.paid[other] > s.paid[me]:
        s.folded = me
    s.turn = -1 if over else other
    legal(s, R, s.can)


@jit
def observe(s, R, seat, out):
    """Write the observer's own card and what lies on the table."""
    for c in range(KINDS):
        out[F.card.at + c] = s.card[seat] == c
    out[F.first.at] = seat == 0
    out[F.paid.mine] = s.paid[seat]
    out[F.paid.theirs] = s.paid[1 - seat]


@jit
def scores(s, R, out):
    """Count the net chips: the winner gets what the loser paid."""
    if s.turn >= 0:
        return
    winner = int(s.card[1] > s.card[0]) if s.folded < 0 else 1 - s.folded
    out[winner] = s.paid[1 - winner]
    out[1 - winner] = -s.paid[1 - winner]


standing = scores


@jit
def determinize(s, R, seat, key):
    """Deal the other seat either of the two cards that this one does not see."""
    s.seed = key
    deal_other(s, 1 - seat, key)


def describe(s: Any, R: Any, seat: int | None) -> str:
    """Return cards and chips as text; a card the seat may not know is a question mark."""
    cards = [CARDS[s.card[p]] if seat in (None, p) else "?" for p in (0, 1)]
    lines = [f"player_{p}: {cards[p]}, paid {s.paid[p]}{', folded' if s.folded == p else ''}" for p in (0, 1)]
    return "\n".join([*lines, f"player_{s.turn} to pass or bet" if s.turn >= 0 else "over"])


def audit(s: Any, R: Any) -> list[str]:
    """Report cards that are the same, and payments other than the ante and the bet."""
    faults = [] if {int(c) for c in s.card} in ({0, 1}, {0, 2}, {1, 2}) else ["not two different cards"]
    return faults + [f"player_{p} paid {s.paid[p]}" for p in (0, 1) if s.paid[p] not in (ANTE, ANTE + BET)]


def score_again(s: Any, R: Any) -> list[int]:
    """Return the points again: give the pot to the winner, and subtract what each seat paid."""
    pot = [0, 0]
    if s.turn < 0:
        living = [p for p in (0, 1) if s.folded != p]
        pot[max(living, key=lambda p: s.card[p])] = int(s.paid.sum())
    return [pot[p] - int(s.paid[p]) if s.turn < 0 else 0 for p in (0, 1)]


def why(s: Any, R: Any, action: int) -> str:
    """Return the reason for an illegal move, though nothing is ever forbidden."""
    return "passing and betting are legal as long as the deal lasts"


def fill(R: Any, numbers: Numbers, v: Variant) -> None:
    """Write the number of seats; the game has no other numbers."""
    R.seats = v.seats


GAME = Game(
    name="kuhn_poker", module=__name__, title="Kuhn poker", folder=Path(__file__).parent, seats=(2,), default_seats=2,
    STATE=record(State), RULES=record(Rules), ACTIONS=ACTIONS, FEATURES=FEATURES, numbers=Numbers({}, {}), fill=fill,
    reset=reset, legal=legal, step=step, observe=observe, scores=scores, standing=standing, determinize=determinize,
    phrases=Phrases({"pass": ("Pass: check, or fold against a bet", ""), "bet": ("Bet a chip, or call a bet", "")}), describe=describe,
    audit=audit, score_again=score_again, why=why, bound=lambda v: 3, streams=("deal",),
)  # fmt: skip
env, raw_env, parallel_env = pettingzoo_faces(GAME)
