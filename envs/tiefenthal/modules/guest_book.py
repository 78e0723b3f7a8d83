"""Module 5: the guest book and its signatures (4.4)."""

from alehouse.envs.tiefenthal import questions as Q
from alehouse.envs.core.run.question_stack import pop, push
from alehouse.envs.core.run.bits import bit, first, put, within, without
from alehouse.envs.core.declare.game import Module
from alehouse.envs.core.run.jit import jit
from alehouse.envs.tiefenthal.effects import gain_card, grant
from alehouse.envs.tiefenthal.layout import A_COLUMN, A_DONE, COLUMNS, NOBLE, RELATIVE, ROWS

MODULE = Module(
    "guest_book",
    "The guest book",
    requires="start_cards",
    actions=("column",),
    features=("tiles", "signed", *(f"{who}_book" for who in RELATIVE)),
    numbers=("book.", "column.", "signature."),
)


@jit
def offer(s, R, place):
    """A guest on offer gets a tile from the supply, while there is one (M5-2)."""
    if R.guest_book and s.tiles > 0:
        s.tiles -= 1
        s.signed |= bit(place)


@jit
def carry(s, place):
    """A guest who leaves the display takes his tile along; whether he had one (M5-7)."""
    there = within(s.signed, place)
    s.signed = without(s.signed, place)
    return there


@jit
def reach(s, R, p):
    """The signature space: a tile, if there is one, for a column of one's choice (M5-3)."""
    if R.guest_book and s.tiles > 0:
        push(s, Q.SIGN, p)


@jit
def legal_sign(s, R, p, words):
    """Any column, or none."""
    put(words, A_DONE, 1)
    put(words, A_COLUMN, first(COLUMNS))


@jit
def apply_sign(s, R, p, a):
    """Place the tile, or leave it."""
    pop(s)
    if a != A_DONE:
        s.tiles -= 1
        cover(s, R, p, a - A_COLUMN)


@jit
def cover(s, R, p, column):
    """A tile on the next cell of a column, lost if it is full; its bonus, then a noble for a full row (M5-4 to M5-6)."""
    me = s.seat[p]
    row = int(me.book[column])
    if row == ROWS:
        return
    me.book[column] += 1
    complete = True
    for k in range(COLUMNS):
        complete &= me.book[k] > row
    if complete:
        push(s, Q.ROW, p)
    grant(s, R, p, int(R.cell_bonus[row, column]), int(R.cell_amount[row, column]))


@jit
def complete_row(s, R):
    """The noble of a completed row."""
    entry = s.stack.entry[s.stack.n - 1]
    pop(s)
    gain_card(s, int(entry.seat), NOBLE)
