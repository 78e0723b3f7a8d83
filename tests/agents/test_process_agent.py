"""Agents in processes of their own: the messages exchanged, and what happens when they fail."""

import json
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from alehouse.agents import Context, ask, process
from alehouse.agents.process import Child, Late, Process, printable
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
    assert 0 <= question["key"] < 1 << 53


READS = LOOP.replace('tell(id=q["id"])', 'tell(id=q["id"], text=True)')


def test_a_program_that_reads_gets_the_table_and_its_answers_in_words(bot, tables, tmp_path: Path) -> None:
    note = tmp_path / "told.json"
    agent = bot(f'open({str(note)!r}, "w").write(json.dumps(q)); ' + FIRST, whole=READS)
    assert ask(agent, tables, [1]).tolist() == [1]
    text = json.loads(note.read_text())["text"]
    assert text["table"] == tables.text(1, 0)
    assert text["asked"] == "player_0, choose an action."
    assert text["options"][0] == {"action": 1, "name": "drop:b", "words": "Drop a disc into column b"}
    assert len(text["options"]) == 6


def test_a_program_that_reads_may_ask_for_the_rules_once(bot, tables, tmp_path: Path) -> None:
    note = tmp_path / "told.json"
    once = """if q["type"] == "decide":
        tell(id=q["id"], rules=True)
        continue
    """
    agent = bot(f'{once}open({str(note)!r}, "w").write(json.dumps(q)); tell(id=q["id"], action=3)', whole=READS)
    assert ask(agent, tables, [1]).tolist() == [3]
    found = json.loads(note.read_text())
    assert (found["type"], found["id"]) == ("rules", 1)
    assert "column" in found["text"]
    never = bot('tell(id=q["id"], rules=True)', whole=READS)
    with pytest.raises(ValueError, match="a number or a name"):
        ask(never, tables, [1])


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


KEYS = 'tell(id=q["id"], action=q["key"] % len(q["legal"]) if open(hello["game"] + ".keys", "a").write(f"{q[\'key\']} ") else 0)'


def test_random_numbers_follow_from_a_secret_and_not_from_the_seed_alone(bot, tables, tmp_path: Path, monkeypatch) -> None:
    """Two agents with one secret get the same numbers, others get others, and none is what anybody can compute from a guessed seed."""
    monkeypatch.chdir(tmp_path)
    fresh, told = Tables("connect_four", n=4), []
    for secret in (b"one", b"one", b"two", None):
        agent = bot(KEYS)
        agent.secret = agent.secret if secret is None else secret
        ask(agent, fresh)
        agent.close()
        told.append([int(word) for word in Path("connect_four.keys").read_text().split()])
        Path("connect_four.keys").unlink()
    assert told[0] == told[1]
    keys = {int(key) >> 11 for key in Context.of(fresh).keys}
    assert len(keys | set(told[0]) | set(told[2]) | set(told[3])) == 16


def alive(pid: int) -> bool:
    """Return whether a process runs, and is not just waiting to be buried."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def gone(pid: int) -> bool:
    """Return whether a process ends within a few seconds."""
    end = time.monotonic() + 5
    while alive(pid) and time.monotonic() < end:
        time.sleep(0.02)
    return not alive(pid)


FAMILY = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import time, signal; signal.signal(signal.SIGHUP, signal.SIG_IGN); time.sleep(600)"])
open({path!r}, "w").write(str(child.pid))
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_what_a_program_has_started_ends_with_it(bot, tables, tmp_path: Path) -> None:
    agent = bot(FIRST, whole=FAMILY.format(path=str(tmp_path / "pid")) + LOOP)
    ask(agent, tables)
    child = int((tmp_path / "pid").read_text())
    assert alive(child)
    agent.close()
    assert gone(child)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_programs_end_when_their_player_is_killed(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(
        FAMILY.format(path=str(tmp_path / "pid")) + "import time\nprint('{\"id\": 0}', flush=True)\ntime.sleep(600)"
    )
    player = f"""
from alehouse.agents.process import Process
from alehouse.envs.games import game
agent = Process({f"{sys.executable} {tmp_path / 'bot.py'}"!r}, game("kuhn_poker"))
agent._ready()
open({str(tmp_path / "ready")!r}, "w").close()
import time
time.sleep(600)
"""
    running = subprocess.Popen([sys.executable, "-c", player])
    end = time.monotonic() + 60
    while not (tmp_path / "ready").exists() and time.monotonic() < end:
        time.sleep(0.05)
    child = int((tmp_path / "pid").read_text())
    running.kill()
    running.wait()
    assert gone(child)


def test_a_program_that_never_greets_is_not_waited_for_again(bot, tables, monkeypatch) -> None:
    monkeypatch.setattr(process, "START", 0.3)
    agent, start = bot("", 0.1, whole="import time\ntime.sleep(60)"), time.monotonic()
    for _ in range(20):
        with pytest.raises(Late, match=r"no answer within 0\.3 s"):
            ask(agent, tables, [0])
    assert time.monotonic() - start < 5


def test_a_talkative_program_plays_on_and_little_of_what_it_says_is_kept(bot, tables) -> None:
    agent = bot('sys.stderr.write("x" * (1 << 22)); ' + FIRST)
    assert ask(agent, tables).tolist() == [1, 1, 1]
    assert len(agent._child.said) <= process.HEARD


def test_terminals_are_not_told_what_to_do(bot, tables) -> None:
    agent = bot('sys.exit("\\x1b[31mred\\x1b[0m \\x1b]0;title\\x07alert\\x07\\u202e\\x9b2J")')
    with pytest.raises(ValueError, match=r"exit code 1: red alert2J$"):
        ask(agent, tables, [0])
    assert printable("\x1b[2Ja\tb\x1bc") == "ab"
