"""The shape of every turn: the seat asked answers, what leaves no choice is answered, up to the next question with a choice."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from alehouse.envs.core.run import bits
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.question_stack import top


class Turns(NamedTuple):
    """The kernels of a game that move it on."""

    reset: Callable[..., Any]
    step: Callable[..., Any]
    determinize: Callable[..., Any]


@jit
def asked(s):
    """Whether a question is open."""
    return s.asks.n > 0


@jit
def nothing_secret(s):
    """All that decides a question lies open."""
    return False


@jit
def nothing_hidden(s, R, seat, key):
    """No seat has a secret: only the luck to come is unknown."""


def turns(
    folder: Path,
    set_up: Callable[..., Any],
    proceed: Callable[..., Any],
    legal: Callable[..., Any],
    answer: Callable[..., Any],
    waiting: Callable[..., Any] = asked,
    secret: Callable[..., Any] = nothing_secret,
    redeal: Callable[..., Any] = nothing_hidden,
) -> Turns:
    """The kernels made of what a game does.

    `proceed(s, R)` does the next thing that is due while no question is `waiting`, until one is or the game is finished.
    `legal(s, R, words)` are the answers to the question on top, `answer(s, R, a)` one of them. A question with one answer is
    asked all the same where a `secret(s)` could have added to the choice. `redeal(s, R, seat, key)` deals anew what is hidden.
    """

    def kernel(fn: Callable[..., Any]) -> Any:
        return jit(fn, home=folder)

    @kernel
    def settle(s, R):
        """Answer what leaves no choice, as far as everybody can see that it leaves none."""
        while True:
            while not waiting(s):
                if s.turn < 0:
                    bits.clear(s.can)
                    return
                proceed(s, R)
            legal(s, R, s.can)
            if bits.count(s.can) > 1 or secret(s):
                s.turn = top(s.asks).seat
                return
            answer(s, R, bits.nth(s.can, 0))

    @kernel
    def reset(s, R, seed):
        """A new game, up to its first question."""
        set_up(s, R, seed)
        settle(s, R)

    @kernel
    def step(s, R, action):
        """The seat asked answers; the game goes on to the next question with a choice."""
        s.asked += 1
        answer(s, R, action)
        settle(s, R)

    @kernel
    def determinize(s, R, seat, key):
        """A table that a seat can not tell from this one: other luck to come, other hidden cards in other places."""
        redeal(s, R, seat, key)
        s.seed = key
        if s.turn >= 0:
            legal(s, R, s.can)

    return Turns(reset, step, determinize)


# The phases of a game, and the table around which its seats sit.


@jit
def enter(s, phase):
    """Begin a phase."""
    s.phase = phase
    s.cursor = 0
    return False


@jit
def finish(s, phase):
    """The game is over, and its phase says so."""
    s.turn = -1
    s.phase = phase
    return True
