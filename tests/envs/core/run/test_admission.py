"""States from files: each is one that its moves lead to, or one that the declarations of its game allow; anything else is refused."""

import sys

import numpy as np
import pytest

from alehouse.envs.core.declare.record import without_range
from alehouse.envs.core.run import array_file
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.games import GAMES, REFERENCE, game
from alehouse.skeleton import kegs
from tests import fuzz_states, knockout, one_move, toy
from tests.broken import posing
from tests.slow import slow

DECLARED = [*(game(name) for name in (*GAMES, *REFERENCE)), toy.GAME, knockout.GAME, one_move.GAME, kegs.GAME]


@pytest.mark.parametrize("spec", DECLARED, ids=lambda spec: spec.name)
def test_every_number_of_a_state_has_a_range(spec):
    assert list(without_range(spec.STATE)) == []


@pytest.mark.parametrize("spec", [spec for spec in DECLARED if spec.questions], ids=lambda spec: spec.name)
def test_every_argument_of_a_question_has_a_range(spec):
    assert [name for name, args in spec.questions.arguments() if None in args] == []


def redealt(v, steps, n=4):
    """Return tables in the middle of their games, redealt for seat 0, and what is saved of them."""
    t = Tables(v, n=n, seed=1)
    for _ in range(steps):
        t.step(t.sample())
    t = t.determinize(0, 5)
    arrays = t.kept()
    return t, arrays, arrays["states"].reshape(-1).view(t.game.STATE)


def again(t, arrays):
    """Return new tables that go on from saved ones."""
    found = Tables(t.variants)
    found.restore(arrays)
    return found


@pytest.mark.slow
def test_what_nobody_has_changed_goes_on():
    with posing(knockout.GAME):
        t, arrays, _ = redealt("knockout-3p-thieves", 3)
        assert (again(t, arrays).states == t.states).all()


# in a game with a stack of questions: what is changed at table 2, and the words of the refusal
FAULTS = {
    "a number above its range": (lambda s: s["seat"]["card"].__setitem__((2, 1), 5), "seat.card is 5, which is not in -1 to 4"),
    "a number below its range": (lambda s: s["begins"].__setitem__(2, -1), "begins is -1, which is not in 0 to 3"),
    "a flag": (lambda s: s["seat"]["out"].__setitem__((2, 0), 2), "seat.out is 2, which is not in 0 to 1"),
    "a set": (lambda s: s["seat"]["cleared"].__setitem__((2, 0), 32), "seat.cleared is 32, which is not in 0 to 31"),
    "the turn of a seat that nobody sits in": (lambda s: s["turn"].__setitem__(2, 3), "turn is 3, and 3 seats play"),
    "too many decisions": (lambda s: s["asked"].__setitem__(2, 25), "asked is 25, more than 24"),
    "more entries than the stack holds": (lambda s: s["stack"]["n"].__setitem__(2, 9), "stack.n is 9, which is not in 0 to 7"),
    "no question": (lambda s: s["stack"]["n"].__setitem__(2, 0), "a seat is to move, and it is asked nothing"),
    "an unknown question": (lambda s: s["stack"]["entry"]["what"].__setitem__((2, 0), 2), "entry 0 of the stack"),
    "a question for nobody": (lambda s: s["stack"]["entry"]["seat"].__setitem__((2, 0), 3), "entry 0 of the stack"),
    "an argument": (lambda s: s["stack"]["entry"]["a"].__setitem__((2, 0), 9), "entry 0 of the stack"),
    "what the audit finds": (lambda s: s["seat"]["coins"].__setitem__((2, 0), 100), "coins"),
    "legal actions": (lambda s: s["can"].__setitem__((2, 0), 1), "its legal actions are not those the rules give"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_state_that_its_declaration_forbids_is_refused(name):
    change, words = FAULTS[name]
    with posing(knockout.GAME):
        t, arrays, states = redealt("knockout-3p-thieves", 2)
        change(states)
        with pytest.raises(ValueError, match="a state is not one of knockout-3p-thieves: ") as error:
            again(t, arrays)
    assert words in str(error.value)


def test_a_question_of_a_module_that_is_off_is_refused():
    with posing(knockout.GAME):
        t, arrays, states = redealt("knockout-3p", 2)
        states["stack"]["entry"]["what"][0, 0] = 1
        with pytest.raises(ValueError, match="entry 0 of the stack of questions"):
            again(t, arrays)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("rule", 1, "rule holds numbers outside 0 to 0"),
        ("rule", -1, "rule holds numbers outside 0 to 0"),
        ("games", 2**63 - 1, "games holds numbers outside"),
        ("utility", np.nan, "utility holds numbers outside"),
    ],
)
def test_other_numbers_of_a_batch_have_limits_too(name, value, words):
    with posing(toy.GAME):
        t, arrays, _ = redealt("toy-2p", 2)
        arrays[name].flat[0] = value
        with pytest.raises(ValueError, match=words):
            again(t, arrays)


def test_a_flag_is_a_flag():
    with posing(toy.GAME):
        t, arrays, _ = redealt("toy-2p", 2)
        arrays["over"].view(np.uint8)[0] = 2
        with pytest.raises(ValueError, match="over holds numbers outside 0 to 1"):
            again(t, arrays)


@pytest.mark.parametrize("v", ["connect_four", "kuhn_poker", "toy-3p-spice"])
def test_a_state_is_the_one_that_its_moves_lead_to(v):
    """What is not redealt is played again from its seed: other numbers of the state, other moves and another seed are all seen."""
    with posing(toy.GAME):
        t = Tables(v, n=3, seed=1)
        t.step(t.sample())
        for name, change in (("states", 1), ("seeds", 1), ("log", 1)):
            arrays = t.kept()
            arrays[name].flat[-1 if name != "log" else 0] += change
            with pytest.raises(ValueError, match=r"saved tables: table \d: its moves do not lead to its state"):
                again(t, arrays)
        assert (again(t, t.kept()).states == t.states).all()


def test_an_edited_table_is_saved_as_one_whose_moves_are_not_known():
    with posing(toy.GAME):
        t = Tables("toy-2p", n=2, seed=1)
        t.step(t.sample())
        t.states["seat"]["coins"][0, 0] += 1
        t.states["bank"][0] -= 1
        twin = again(t, t.kept())
        assert (twin.states == t.states).all()
        with pytest.raises(ValueError, match="table 0: no replay"):
            twin.replay(0)
        assert twin.replay(1) == t.replay(1)
        with pytest.raises(ValueError, match="table 0: no replay; its moves do not lead to its state"):
            t.replay(0)


def test_ctrl_c_while_the_log_is_widened_comes_before_or_after_it():
    """The arrays of a batch change places in one step, so that none of them is left behind with what was logged since."""
    for line in range(200):
        t = Tables("connect_four", n=2)
        t.batch = t.batch._replace(log=t.batch.log[:, :2].copy())
        t._hold(t.batch)
        t._longest = 2
        t.step([0, 1])
        t.step([1, 2])
        seen = [0]

        def interrupt(frame, event, argument, seen=seen, line=line):
            if event == "line" and frame.f_code.co_name in ("_hold", "_replace", "_widen_log"):
                seen[0] += 1
                if seen[0] > line:
                    raise KeyboardInterrupt
            return interrupt

        before = sys.gettrace()
        sys.settrace(interrupt)
        try:
            t.step([2, 3])
        except KeyboardInterrupt:
            pass
        else:
            assert line > 5
            return
        finally:
            sys.settrace(before)
        while not t.over.any():
            t.step(t.sample())
            assert t._job[t.batch._fields.index("log")] is t.batch.log
            assert all(len(t.replay(i).actions) == t.states["asked"][i] for i in range(2) if not t.over[i])


def test_a_small_file_takes_little_memory(tmp_path):
    """Neither an array that claims to be large nor one that unpacks to something large is believed."""
    with posing(toy.GAME):
        t = Tables("toy-2p", n=2)
        bomb = array_file.packed({**t.kept(), "log": np.zeros((2, 1 << 24), np.uint8)}, compressed=True)
        assert len(bomb) < 1 << 20
        (tmp_path / "batch").write_bytes(bomb)
        with pytest.raises(ValueError, match=r"not a batch this version can load: its arrays take more than [\d,]+ bytes"):
            Tables.load(tmp_path / "batch")


@pytest.mark.parametrize("name", [*REFERENCE, GAMES[0], *map(slow, GAMES[1:])])
def test_changed_states_are_refused_or_played(name):
    ends = [fuzz_states.trial(name, number).partition(":")[0] for number in range(30 if name in REFERENCE else 12)]
    assert "refused" in ends
    assert set(ends) <= {"refused", "played", "same"}


@pytest.mark.parametrize("name", [*REFERENCE, GAMES[0], *map(slow, GAMES[1:])])
def test_no_change_of_a_state_whose_moves_are_known_goes_through(name):
    ends = [fuzz_states.trial(name, number, marked=False).partition(":")[0] for number in range(20 if name in REFERENCE else 4)]
    assert "refused" in ends
    assert set(ends) <= {"refused", "same"}
