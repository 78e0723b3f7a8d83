"""Questions and tasks are declared once: numbers, dispatch and errors follow from the declarations."""

import traceback
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any

import numpy as np
import pytest

from alehouse.envs.core.declare.questions import Question, Questions, Task
from alehouse.envs.core.declare.record import Header, i1, record
from alehouse.envs.core.run.bits import put
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.question_stack import Stack, pop, push, top

HERE = Path(__file__).parent


class State(Header):
    """A stack and what was done last."""

    done: i1
    stack: Annotated[Stack, Stack]


STATE = record(State)


@jit
def legal_drink(s, R, p, words):
    put(words, 0, 0b11)


@jit
def apply_drink(s, R, p, a):
    s.done = 10 * p + a
    pop(s)


@jit
def legal_pay(s, R, p, words):
    put(words, 2, 1)


@jit
def apply_pay(s, R, p, a):
    s.done = -a


@jit
def broke(s, p):
    return p == 1


@jit
def wash(s, R):
    s.done = top(s).a
    pop(s)


@jit
def fails(s, R):
    raise RuntimeError("no water")


DRINK = Question("drink", "drink", legal_drink, apply_drink, "1")
PAY = Question("pay", "pay", legal_pay, apply_pay, "2", secret=broke)
BAR = Questions(HERE, DRINK, PAY, tasks=(Task("wash", wash, "3"), Task("fill", fails, "4")))


def table(*entries: tuple[int, int, int]) -> Any:
    """A table with these entries on its stack: what, seat, a."""
    s = np.zeros(1, STATE)[0]
    for entry in entries:
        push(s, *entry)
    return s


def test_numbers_follow_the_rows_and_then_the_tasks() -> None:
    assert [BAR.number(name) for name in ("DRINK", "PAY", "WASH", "FILL")] == [0, 1, 2, 3]
    assert BAR.names == ("drink", "pay")
    assert len(BAR) == 2


def test_an_unknown_number_is_an_error_that_names_what_is_near() -> None:
    with pytest.raises(AttributeError, match=r"declare: no question or task 'DRINKS'; near it: DRINK"):
        BAR.number("DRINKS")


def test_legal_and_answer_call_the_pair_of_the_question_on_top() -> None:
    words = np.full(1, 0xFF, np.uint64)
    s = table((1, 0, 0), (0, 2, 0))
    BAR.legal(s, 0, words)
    assert words[0] == 0b011
    BAR.answer(s, 0, 1)
    assert (s.done, s.stack.n) == (21, 1)
    BAR.legal(s, 0, words)
    assert words[0] == 0b100
    BAR.answer(s, 0, 2)
    assert s.done == -2


def test_no_answer_is_legal_when_the_game_is_over() -> None:
    words, s = np.full(1, 0xFF, np.uint64), table((0, 0, 0))
    s.turn = -1
    BAR.legal(s, 0, words)
    assert words[0] == 0


def test_only_declared_questions_have_secrets() -> None:
    assert [BAR.secret(table(entry)) for entry in ((0, 1, 0), (1, 0, 0), (1, 1, 0))] == [False, False, True]


def test_work_runs_the_task_on_top() -> None:
    s = table((0, 0, 0), (2, 0, 7))
    BAR.work(s, 0)
    assert (s.done, s.stack.n) == (7, 1)


def test_asked_finds_the_declaration() -> None:
    assert BAR.asked(table((1, 0, 0))) is PAY


@pytest.mark.lanes
def test_a_traceback_shows_the_generated_line() -> None:
    try:
        getattr(BAR.work, "py_func", BAR.work)(table((3, 0, 0)), 0)
    except RuntimeError as error:
        assert "work_3_fails(s, R)" in "".join(traceback.format_exception(error))
    else:
        pytest.fail("the task did not run")


def test_a_name_that_is_declared_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="'drink' is declared twice"):
        Questions(HERE, DRINK, tasks=(Task("drink", wash, "3"),))


def test_a_kernel_with_other_arguments_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match=r"declare: wash.* takes 4 arguments"):
        Questions(HERE, Question("drink", "drink", wash, apply_drink, "1"))


def test_a_kernel_that_names_a_forgotten_question_is_refused_by_name(monkeypatch) -> None:
    monkeypatch.setitem(globals(), "Q", SimpleNamespace(__name__="a.game.questions"))
    space = {**globals()}
    exec("def legal_more(s, R, p, words):\n    push(s, Q.PAYS, p)", space)
    with pytest.raises(AttributeError, match=r"declare: no question or task 'PAYS'"):
        Questions(HERE, Question("more", "have more", jit(space["legal_more"], home=HERE), apply_drink, "1"))
