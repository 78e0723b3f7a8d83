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
    """Put a signature tile with a guest on display, as long as the supply lasts (M5-2)."""
    if R.guest_book and s.tiles > 0:
        s.tiles -= 1
        s.signed |= bit(place)


@jit
def carry(s, place):
    """Take the tile of a guest who leaves the display; return whether there was one (M5-7)."""
    there = within(s.signed, place)
    s.signed = without(s.signed, place)
    return there


@jit
def reach(s, R, p):
    """Ask for the column in which to place a tile from the signature space, as long as the supply lasts (M5-3)."""
    if R.guest_book and s.tiles > 0:
        push(s, Q.SIGN, p)


@jit
def legal_sign(s, R, p, words):
    """List every column, and declining."""
    put(words, A_DONE, 1)
    put(words, A_COLUMN, first(COLUMNS))


@jit
def apply_sign(s, R, p, a):
    """Place the tile, or leave it in the supply."""
    pop(s)
    if a != A_DONE:
        s.tiles -= 1
        cover(s, R, p, a - A_COLUMN)


@jit
def cover(s, R, p, column):
    """Put a tile on the next cell of a column and give the cell's bonus; a full row also brings a noble.

    In a full column the tile is lost (M5-4 to M5-6).
    """
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
    """Give the noble for a completed row."""
    entry = s.stack.entry[s.stack.n - 1]
    pop(s)
    gain_card(s, int(entry.seat), NOBLE)
