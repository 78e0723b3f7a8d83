"""Agents are found by their names, and a wrong name is explained."""

import sys
import textwrap
from pathlib import Path

import pytest

from alehouse import players
from alehouse.agents import OneByOne, Policy, ask
from alehouse.agents.process import Process
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.games import game

AGENTS = """
import numba
import numpy as np
from neighbour import TOP

class Batch:
    def act(self, obs, mask, ctx):
        return mask.argmax(axis=1) + 0 * TOP

class Single:
    def act(self, obs, mask):
        return int(np.flatnonzero(mask)[0])

def batch(obs, mask, ctx):
    return mask.argmax(axis=1)

def single(obs, mask, bold=False):
    return int(np.flatnonzero(mask)[0])

@numba.njit
def policy(obs, mask, key):
    for a in range(mask.size):
        if mask[a]:
            return a

ready = Batch()

class Needy:
    def __init__(self, network):
        pass

class Mute:
    pass

class Odd:
    def act(self, obs):
        return 0

number = 7
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file of agents, and its neighbour."""
    path = tmp_path / "my_file.py"
    path.write_text(AGENTS)
    (tmp_path / "neighbour.py").write_text("TOP = 6\n")
    return path


def player(text: object) -> players.Agent:
    return players.player(str(text), game("connect_four"))


KINDS = {"Batch": players.Named, "Single": OneByOne, "batch": players.Named, "single": OneByOne, "policy": Policy, "ready": players.Named}


@pytest.mark.parametrize("name", KINDS)
def test_three_ways_in(name: str, file: Path) -> None:
    agent = player(f"{file}:{name}")
    assert isinstance(agent, KINDS[name])
    assert agent.name == f"{file}:{name}"
    tables = Tables("connect_four", n=3)
    for _ in range(6):
        tables.step([0, 6, 3])
    assert ask(agent, tables).tolist() == [1, 0, 0]


def test_our_own() -> None:
    assert [player(name).name for name in ("uniform", "greedy")] == ["uniform", "greedy"]
    assert player("rollout:iterations=30").options[0] == 30
    assert player("rollout:30").name == player("rollout:iterations=30").name == "rollout:30"
    assert player("ismcts:20ms").name == player("ismcts:ms=20").name == "ismcts:20ms"
    assert player("ismcts:iterations=40:rounds=2").options[:2].tolist() == [40, 2]
    assert player("ismcts:ms=2.5").name == "ismcts:2.5ms"
    assert player("rollout:5ms").name == "rollout:5ms"
    assert player("rollout:8:leaf=estimate:candidates=3").options.tolist()[:5] == [8, 1, 0, 0, 3]
    assert player("exploit:9:policy=heuristic").name == "exploit:9:policy=heuristic"
    assert isinstance(player("process:cat -u"), Process)


def test_installed_agents(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = file.parent / "others-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: others\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[alehouse.agents]\nclever = my_file:Single\nbroken = my_file:Nobody\n")
    monkeypatch.syspath_prepend(str(file.parent))
    assert player("clever").name == "clever"
    assert not players.trusted("clever")
    with pytest.raises(ValueError, match="broken"):
        player("broken")
    with pytest.raises(ValueError, match="broken, clever"):
        player("nobody")
    one = players.fingerprint("clever")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: others\nVersion: 1.1\n")
    assert players.fingerprint("clever") != one
    sys.modules.pop("my_file")


BAD = {
    "clever": "one of uniform, greedy, heuristic, rollout, ismcts",
    "": "one of uniform",
    "rollout:iterations": "is not an option; write rollout:iterations=NUMBER",
    "rollout:depth=3": "rollout has iterations, ms, rounds, leaf, candidates, prior",
    "rollout:leaf=nowhere": "there is no such file",
    "exploit:leaf=value": "exploit has iterations, ms, policy",
    "search:20ms": "no value comes with the package for",
    "uniform:ms=3": "uniform has none",
    "rollout:iterations=0": "iterations",
    "ismcts:ms=20:iterations=10": "without iterations",
    "nowhere.py:Agent": "there is no file nowhere.py",
    "process:": "a command is wanted",
    "FILE": "has no ''; it has Batch, Single, batch, single",
    "FILE:Nobody": "has no 'Nobody'; it has Batch",
    "FILE:Needy": "cannot be made: TypeError",
    "FILE:Mute": "an agent has act",
    "FILE:Odd": "not 1 arguments",
    "FILE:number": "an agent has act",
}


@pytest.mark.parametrize("text", BAD)
def test_bad_names(text: str, file: Path) -> None:
    with pytest.raises(ValueError, match="agent '") as caught:
        player(text.replace("FILE", str(file)))
    assert BAD[text] in str(caught.value)


@pytest.mark.parametrize("text", ["import nothing_of_the_kind", "def f(:", "1 / 0", "raise SystemExit(3)", "\x00"])
def test_files_that_do_not_load(text: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.py"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"bad\.py does not load: \w+"):
        player(f"{path}:Agent")


def test_lists_of_names() -> None:
    assert players.names("a, b:c=1,a") == ("a", "b:c=1", "a")
    assert players.names('"process:bot 1,2",b') == ("process:bot 1,2", "b")
    for text in ("", ",", "a,,b", "a,"):
        with pytest.raises(ValueError, match="--agents"):
            players.names(text)


def test_a_fingerprint_changes_with_the_file(file: Path) -> None:
    texts = [f"{file}:Batch", f"{file}:Single", f"process:python {file}", "process:python"]
    before = [players.fingerprint(text) for text in texts]
    assert len(set(before)) == 4
    assert players.fingerprint("greedy") == players.fingerprint("rollout:3:leaf=estimate") == ""
    assert len({players.fingerprint(text) for text in ("rollout:3", f"rollout:3:leaf={file}", "net")}) == 3
    file.write_text(textwrap.dedent(AGENTS) + "\n")
    assert [a == b for a, b in zip(before, map(players.fingerprint, texts), strict=True)] == [False, False, False, True]
