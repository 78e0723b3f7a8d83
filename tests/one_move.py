"""A game of two moves that the first move decides: seat 0 wins or loses by it, whatever seat 1 answers."""

from pathlib import Path
from typing import Annotated, Any

from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.declare.layout import Actions, Features, Segment
from alehouse.envs.core.declare.numbers import Numbers
from alehouse.envs.core.declare.record import Array, Header, RulesHeader, i1, none_or, record
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.jit import jit

ACTIONS = Actions(Segment("move", ("win", "lose")))
FEATURES = Features([("seat", 2, 1), ("won", 2, 1)])
WIN, LOSE = 0, 1


class State(Header):
    """Who has won, once the first move is made."""

    winner: Annotated[i1, none_or(2)]  # a seat, or -1
    can: Annotated[Array, "u8", ACTIONS.words]


class Rules(RulesHeader):
    """Nothing but the seats."""


@jit
def reset(s, R, seed):
    s.seed = seed
    s.winner = -1
    legal(s, R, s.can)


@jit
def legal(s, R, words):
    bits.clear(words)
    if s.turn >= 0:
        bits.put(words, 0, 0b11)


@jit
def step(s, R, action):
    if s.turn == 0:
        s.winner = int(action == LOSE)
    s.asked += 1
    s.turn = 1 if s.turn == 0 else -1
    legal(s, R, s.can)


@jit
def observe(s, R, seat, out):
    for p in range(2):
        out[p] = seat == p
        out[2 + p] = s.winner == p


@jit
def scores(s, R, out):
    if s.turn < 0:
        out[s.winner] = 1


@jit
def determinize(s, R, seat, key):
    s.seed = key


def fill(R: Any, numbers: Numbers, v: Variant) -> None:
    R.seats = v.seats


GAME = Game(
    name="one_move", module=__name__, title="One move", folder=Path(__file__).parent, seats=(2,), default_seats=2,
    STATE=record(State), RULES=record(Rules), ACTIONS=ACTIONS, FEATURES=FEATURES, numbers=Numbers({}, {}), fill=fill,
    reset=reset, legal=legal, step=step, observe=observe, scores=scores, standing=scores, determinize=determinize,
    describe=lambda s, R, seat: "", audit=lambda s, R: [], score_again=lambda s, R: [], why=lambda s, R, action: "over", bound=lambda v: 2,
)  # fmt: skip
