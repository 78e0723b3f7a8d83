"""Agents in processes of their own: the messages exchanged, and what happens when they fail."""

import json
import os
import pickle
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from alehouse.agents import Context, ask
from alehouse.agents.process import Child, Late, Process
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.games import game

LOOP = """
import json, os, sys, time
def tell(**answer):
    print(json.dumps(answer), flush=True)
for line in sys.stdin:
    q = json.loads(line)
    if q["type"] == "hello":
        hello = q
        tell(id=q["id"])
        continue
    {decide}
"""
FIRST = 'tell(id=q["id"], action=q["legal"][0])'


@pytest.fixture
def bot(tmp_path: Path) -> Iterator[object]:
    """Makes a program that does something at each decision into an agent of connect four."""
    made = []

    def make(decide: str, limit: float = 5.0, whole: str = LOOP) -> Process:
        path = tmp_path / f"bot{len(made)}.py"
        path.write_text(whole.replace("{decide}", decide))
        made.append(Process(f"{sys.executable} {path}", game("connect_four"), limit))
        return made[-1]

    yield make
    for agent in made:
        agent.close()


@pytest.fixture
def tables() -> Tables:
    """Three games of connect four in which column a is full."""
    found = Tables("connect_four", n=3)
    for _ in range(6):
        found.step([0, 0, 0])
    return found


def test_a_program_plays(bot, tables) -> None:
    assert ask(bot(FIRST), tables).tolist() == [1, 1, 1]
    assert ask(bot('tell(id=q["id"], action="drop:c")'), tables, [2]).tolist() == [2]


def test_what_it_is_told(bot, tables, tmp_path: Path) -> None:
    note = tmp_path / "told.json"
    agent = bot(f'open({str(note)!r}, "w").write(json.dumps([hello, q])); ' + FIRST)
    ask(agent, tables, [1])
    hello, question = json.loads(note.read_text())
    assert {key: hello[key] for key in ("type", "id", "protocol", "game")} == {
        "type": "hello", "id": 0, "protocol": 1, "game": "connect_four"
    }  # fmt: skip
    assert hello["actions"] == [f"drop:{c}" for c in "abcdefg"]
    assert hello["features"] == [list(row) for row in game("connect_four").FEATURES.rows]
    assert list(question) == ["type", "id", "variant", "seat", "obs", "legal", "key"]
    assert (question["variant"], question["seat"], question["legal"]) == ("connect_four-2p", 0, [1, 2, 3, 4, 5, 6])
    assert question["obs"] == tables.obs[1].tolist()
    assert question["key"] == int(Context.of(tables).keys[1]) >> 11


FAILURES = {
    "late": ("time.sleep(60)", "no answer within 0.3 s"),
    "silent": ("pass", "no answer within 0.3 s"),
    "gone": ('sys.exit("the cat ate it")', "exit code 1: the cat ate it"),
    "error": ("1 / 0", "exit code 1: ZeroDivisionError: division by zero"),
    "no JSON": ('print("hm", flush=True)', "'hm'; a JSON object with 'id': 1 is wanted"),
    "a list": ("print([1], flush=True)", "a JSON object with 'id': 1 is wanted"),
    "another question's": ('tell(id=q["id"] - 1, action=0)', "with 'id': 1 is wanted"),
    "no action": ('tell(id=q["id"])', "a number or a name"),
    "a fraction": ('tell(id=q["id"], action=1.0)', "a number or a name"),
    "true": ('tell(id=q["id"], action=True)', "a number or a name"),
    "too high": ('tell(id=q["id"], action=7)', "a number or a name"),
    "an unknown name": ('tell(id=q["id"], action="drop:z")', "no such action"),
    "without end": ('print("x" * (1 << 21), flush=True)', "in one line"),
    "deep": ('print("[" * 100000, flush=True)', "a JSON object"),
    "closed": ("os.close(1); time.sleep(60)", "it closed its stdin or stdout"),
}


@pytest.mark.parametrize("name", FAILURES)
def test_failures_are_told_and_it_is_started_again(name: str, bot, tables) -> None:
    decide, said = FAILURES[name]
    agent = bot(f'if q["seat"] == 0 and q["legal"][-1] == 6 and q["obs"] == {tables.obs[0].tolist()}: {decide}\n    else: {FIRST}')
    fresh = Tables("connect_four")
    assert ask(agent, fresh).tolist() == [0]
    agent.limit, agent._asked = 0.3, 0
    with pytest.raises(ValueError, match=".*") as caught:
        ask(agent, tables, [0])
    assert said in str(caught.value)
    assert isinstance(caught.value, Late) == ("no answer" in said)
    agent.limit = 5.0
    assert ask(agent, fresh).tolist() == [0]


def test_a_failure_ends_the_program_it_started_and_no_other(bot, tables) -> None:
    good, bad = bot(FIRST), bot("time.sleep(60)", 0.2)
    ask(good, tables)
    agent = good._child.process
    with pytest.raises(Late):
        ask(bad, tables)
    assert bad._child is None
    assert agent.poll() is None
    good.close()
    assert agent.wait(5) == 0  # it ended by itself when its stdin was closed


def test_a_program_that_does_not_listen_is_late(bot) -> None:
    child = Child(bot("", whole="import time\ntime.sleep(60)").words)
    start = time.monotonic()
    with pytest.raises(Late):
        child.ask({"type": "decide", "id": 1, "obs": [0] * 200000}, 0.2)
    child.close()
    assert time.monotonic() - start < 5


def test_commands_that_can_not_be_started(tables) -> None:
    with pytest.raises(ValueError, match="cannot be started: /nowhere/bot"):
        ask(Process("/nowhere/bot", game("connect_four")), tables)
    with pytest.raises(ValueError, match="a command is wanted"):
        Process(" ", game("connect_four"))
    with pytest.raises(ValueError, match="quotation"):
        Process("'bot", game("connect_four"))


def test_it_can_be_pickled_while_it_plays(bot, tables) -> None:
    agent = bot(FIRST)
    ask(agent, tables)
    twin = pickle.loads(pickle.dumps(agent))
    assert ask(twin, tables).tolist() == [1, 1, 1]
    twin.close()


def test_nothing_is_left_open(bot, tables) -> None:
    before = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0
    for _ in range(3):
        agent = bot(FIRST)
        ask(agent, tables)
        agent.close()
        agent.close()
    after = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0
    assert after == before


def test_observations_arrive_whole(bot, tables) -> None:
    agent = bot('tell(id=q["id"], action=q["legal"][sum(q["obs"]) % len(q["legal"])])')
    expected = [np.flatnonzero(m)[int(o.sum()) % int(m.sum())] for o, m in zip(tables.obs, tables.mask, strict=True)]
    assert ask(agent, tables).tolist() == expected
