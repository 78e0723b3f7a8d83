"""Connect four: two seats drop discs into seven columns; four in a line win.

Columns of 7 bits, the lowest six are cells; bit 6 of a column stays empty, so that lines never wrap around. A seat's discs are
one 64-bit board. Phases: drop. Observation: own discs, then the other's, column by column. Forced moves are asked, against the
house rule: so do the simulators this game is compared with.

    5 12 19 26 33 40 47
    4 11 18 25 32 39 46
    3 10 17 24 31 38 45
    2  9 16 23 30 37 44
    1  8 15 22 29 36 43
    0  7 14 21 28 35 42
"""

from pathlib import Path
from typing import Annotated, Any

import numpy as np

from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.declare.layout import Actions, Features, Segment
from alehouse.envs.core.declare.numbers import Numbers
from alehouse.envs.core.declare.record import Array, Header, RulesHeader, i8, none_or, record, subset
from alehouse.envs.core.faces import pettingzoo_faces
from alehouse.envs.core.run.byte_blocks import write_sets
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.show.svg import Picture
from alehouse.envs.core.show.view import Phrases, View

COLUMNS, ROWS, HEIGHT = 7, 6, 7
CELLS = [f"{column}{row + 1}" for column in "abcdefg" for row in range(ROWS)]
TOP = 0b0100000_0100000_0100000_0100000_0100000_0100000_0100000

ACTIONS = Actions(Segment("drop", "abcdefg"))
FEATURES = Features([("mine", CELLS, 1), ("theirs", CELLS, 1)])


class State(Header):
    """The discs of both seats, and the winner."""

    board: Annotated[Array, "i8", 2, subset(COLUMNS * HEIGHT)]
    winner: Annotated[i8, none_or(2)]  # the seat that won, or -1
    can: Annotated[Array, "u8", ACTIONS.words]


class Rules(RulesHeader):
    """The rules of the game: only the number of seats."""


@jit
def reset(s, R, seed):
    """Empty the grid; seat 0 begins."""
    s.seed = seed
    s.winner = -1
    legal(s, R, s.can)


@jit
def legal(s, R, words):
    """List the columns that have an empty cell on top."""
    free = TOP & ~(s.board[0] | s.board[1])
    columns = 0
    for c in range(COLUMNS):
        columns |= ((free >> (c * HEIGHT + ROWS - 1)) & 1) << c
    words[0] = np.uint64(columns if s.turn >= 0 else 0)


@jit
def four(board):
    """Return whether a board holds four in a line."""
    found = False
    for way in (1, HEIGHT - 1, HEIGHT, HEIGHT + 1):
        pairs = board & (board >> way)
        found |= pairs & (pairs >> (2 * way)) != 0
    return found


@jit
def step(s, R, action):
    """Drop a disc, then pass the turn to the other seat."""
    taken = s.board[0] | s.board[1]
    column = 0b0111111 << (action * HEIGHT)
    s.board[s.turn] |= ((taken & column) + (1 << (action * HEIGHT))) & column
    s.asked += 1
    if four(s.board[s.turn]):
        s.winner = s.turn
        s.turn = -1
    elif (s.board[0] | s.board[1]) & TOP == TOP:
        s.turn = -1
    else:
        s.turn = 1 - s.turn
    legal(s, R, s.can)


@jit
def observe(s, R, seat, out):
    """Write both boards, the observer's own first."""
    for k in range(2):
        board = s.board[seat ^ k]
        for c in range(COLUMNS):
            write_sets(out, (k * COLUMNS + c) * ROWS, ROWS, (board >> (c * HEIGHT),))


@jit
def scores(s, R, out):
    """Give the winner 1 point and the loser none."""
    if s.winner >= 0:
        out[s.winner] = 1


standing = scores


@jit
def determinize(s, R, seat, key):
    """Change only the seed: nothing is hidden, and nothing is random."""
    s.seed = key


def describe(s: Any, R: Any, seat: int | None) -> str:
    """Draw the grid; x is seat 0, o is seat 1."""
    first, second = (int(b) for b in s.board)
    marks = ["x" if first >> k & 1 else "o" if second >> k & 1 else "." for k in range(COLUMNS * HEIGHT)]
    rows = [" ".join(marks[r::HEIGHT]) for r in reversed(range(ROWS))]
    turn = f"player_{s.turn} to drop" if s.turn >= 0 else "over"
    return "\n".join([*rows, "a b c d e f g", turn])


def view(s: Any, R: Any, seat: int | None) -> tuple[str, ...]:
    """Return the rows of the grid from above, as `describe` draws them."""
    return tuple(describe(s, R, seat).splitlines()[:ROWS])


def draw(view: View) -> str:
    """Draw the grid; each column can be clicked."""
    p = Picture(view, "Connect four", f"{sum(len(row) - row.count('.') - row.count(' ') for row in view.table)} discs")
    x, top = 208, p.y
    for c, name in enumerate("abcdefg"):
        with p.thing(f"column:{name}", x + 70 * c, top, 66, 70 * ROWS + 24):
            p.box(x + 70 * c, top, 66, 70 * ROWS + 24, "sunk")
            for r, row in enumerate(view.table):
                cell = ".xo".index(row[2 * c])
                if cell:
                    p.badge(cell - 1, x + 70 * c + 33, top + 70 * r + 36, 54)
                else:
                    p.icon("circle", x + 70 * c + 33, top + 70 * r + 36, 54, "card")
            p.text(x + 70 * c + 33, top + 70 * ROWS + 16, name, 14, "soft", anchor="middle")
    p.y = top + 70 * ROWS + 36
    return p.svg()


def audit(s: Any, R: Any) -> list[str]:
    """Report discs that overlap, and seats whose discs differ by more than one."""
    first, second = (int(b) for b in s.board)
    faults = ["two discs in one cell"] if first & second else []
    return faults + (["one seat dropped too often"] if first.bit_count() - second.bit_count() not in (0, 1) else [])


def score_again(s: Any, R: Any) -> list[int]:
    """Return the points again, after a search for lines cell by cell."""
    points = [0, 0]
    for p in (0, 1):
        cells = {(c, r) for c in range(COLUMNS) for r in range(ROWS) if int(s.board[p]) >> (c * HEIGHT + r) & 1}
        for c, r in cells:
            for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1)):
                if all((c + k * dc, r + k * dr) in cells for k in range(4)):
                    points[p] = 1
    return points


def why(s: Any, R: Any, action: int) -> str:
    """Return the one reason for an illegal move: a full column takes no disc."""
    return f"column {ACTIONS.segment(action)[1]} is full"


def fill(R: Any, numbers: Numbers, v: Variant) -> None:
    """Write the number of seats; the game has no other numbers."""
    R.seats = v.seats


GAME = Game(
    name="connect_four", module=__name__, title="Connect four", folder=Path(__file__).parent, seats=(2,), default_seats=2,
    STATE=record(State), RULES=record(Rules), ACTIONS=ACTIONS, FEATURES=FEATURES, numbers=Numbers({}, {}), fill=fill,
    reset=reset, legal=legal, step=step, observe=observe, scores=scores, standing=standing, determinize=determinize,
    view=view, phrases=Phrases({"drop": ("Drop a disc into column {key}", "column:{key}")}), draw=draw, describe=describe,
    audit=audit, score_again=score_again, why=why, bound=lambda v: COLUMNS * ROWS,
)  # fmt: skip
env, raw_env, parallel_env = pettingzoo_faces(GAME)
