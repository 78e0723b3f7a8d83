"""How every game moves on: a seat answers its question, then the game runs to the next question that leaves a choice."""

from collections.abc import Callable
from typing import Any, NamedTuple

from alehouse.envs.core.declare.questions import Questions
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.question_stack import top


class Turns(NamedTuple):
    """The kernels of a game that start it, move it on, and redeal what a seat cannot know."""

    reset: Callable[..., Any]
    legal: Callable[..., Any]
    step: Callable[..., Any]
    determinize: Callable[..., Any]
    settle: Callable[..., Any]


@jit
def nothing_hidden(s, R, seat, key):
    """Redeal nothing: in this game no seat has a secret, only future luck is unknown."""


def turns(
    questions: Questions, set_up: Callable[..., Any], proceed: Callable[..., Any], redeal: Callable[..., Any] = nothing_hidden
) -> Turns:
    """Make the kernels of a game from its parts.

    `set_up(s, R, seed)` lays out a new table. `proceed(s, R)` does the next thing that is due; it is called when the stack is empty.
    `redeal(s, R, seat, key)` deals again what the seat cannot know.
    """
    legal, answer, secret, work, count = questions.legal, questions.answer, questions.secret, questions.work, len(questions)

    def kernel(fn: Callable[..., Any]) -> Any:
        return jit(fn, home=questions.folder)

    @kernel
    def settle(s, R, through):
        """Do what is due until a seat must decide or the game is over; return whether it is so.

        A question with only one answer that everybody can foresee is answered at once, or, unless `through`, left open.
        """
        while True:
            if s.turn < 0:
                bits.clear(s.can)
                return True
            if s.stack.n == 0:
                proceed(s, R)
            elif top(s).what >= count:
                work(s, R)
            else:
                legal(s, R, s.can)
                if bits.count(s.can) != 1 or secret(s):
                    s.turn = top(s).seat
                    return True
                if not through:
                    return False
                answer(s, R, bits.nth(s.can, 0))

    @kernel
    def reset(s, R, seed):
        """Begin a new game and go on to its first question."""
        set_up(s, R, seed)
        settle(s, R, True)

    @kernel
    def step(s, R, action):
        """Answer the question on top and go on to the next one."""
        s.asked += 1
        answer(s, R, action)
        settle(s, R, True)

    @kernel
    def determinize(s, R, seat, key):
        """Redeal: change the table into one that the seat cannot tell from the true one, with different luck to come."""
        redeal(s, R, seat, key)
        s.seed = key
        if s.turn >= 0:
            legal(s, R, s.can)

    return Turns(reset, legal, step, determinize, settle)


# The kernels below change the phase of a game.


@jit
def enter(s, phase):
    """Begin another phase of the game."""
    s.phase = phase
    s.cursor = 0


@jit
def finish(s, phase):
    """End the game, in its last phase."""
    s.turn = -1
    s.phase = phase
