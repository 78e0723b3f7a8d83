"""What a seat learns from a move: the answer in words, unless it is sealed, and whether the move showed the seat anything new."""

from typing import NamedTuple

import numpy as np

from alehouse.commands.moves import question
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.verify.narration import narrated

DEALS = 32  # redeals in which a move must look the same if it shows a seat nothing new


class Told(NamedTuple):
    """A move as a seat may know it."""

    move: int  # the number of the move, from 1 on
    seat: int  # the seat that moved
    asked: str  # what that seat was asked to do, worded to follow "player_0 is asked to ..."
    action: int  # -1 where the answer is hidden
    name: str  # "" where the answer is hidden
    words: str  # the answer as a sentence; "" where it is hidden
    then: tuple[str, ...]  # what followed by itself: answers that had no choice, and chance


def sealed(tables: Tables, seat: int | None) -> bool:
    """Return whether the answer to the question at the only table of a batch is hidden from a seat; nothing is without a seat."""
    asked = tables.view(0).asked
    return asked is not None and seat not in (None, asked.seat) and asked.question in tables.game.phrases.sealed


def told(tables: Tables, action: int, number: int, seat: int | None) -> Told:
    """Return a move, about to be made at the only table of a batch, as a seat may know it; without a seat, all of it."""
    mover, asked, then = int(tables.seat[0]), question(tables), tuple(narrated(tables, 0, action))
    if sealed(tables, seat):
        return Told(number, mover, asked, -1, "", "", then)
    words = next(option.words for option in tables.view(0).options if option.action == action)
    return Told(number, mover, asked, action, tables.variants[0].action_names[action], words, then)


def learnt(tables: Tables, action: int, seat: int) -> bool:
    """Return whether a move, about to be made at the only table of a batch, shows a seat anything that it could not foresee.

    The move is made at tables that are redealt for the seat, future luck included. The seat learns nothing if the move is legal at all of
    them and the seat sees the same after it. Where the answer is sealed, any answers must lead to what the seat sees.
    """
    dealt = Tables(tables.variants[0], n=DEALS, autoreset=False)
    dealt.states[:] = tables.states[0]
    dealt = dealt.determinize(seat, 0)
    actions = dealt.mask.argmax(axis=1) if sealed(tables, seat) else np.full(DEALS, action)
    if not dealt.mask[np.arange(DEALS), actions].all():
        return True
    dealt.states[0], actions[0] = tables.states[0], action
    dealt.step(actions)
    sights = {dealt.observe(k, seat).tobytes() + (dealt.scores[k].tobytes() if dealt.over[k] else b"") for k in range(DEALS)}
    return len(sights) > 1
