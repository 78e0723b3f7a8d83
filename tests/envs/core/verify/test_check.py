"""The contract checker finds what is broken, and nothing in what is whole."""

import dataclasses
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.verify import check_hidden
from alehouse.envs.core.verify.check import check_game, check_variant
from alehouse.envs.games import game, variant
from tests import toy
from tests.broken import CASES, CHECKS, posing


@pytest.fixture(scope="module")
def found(root: Path) -> dict[str, list[str]]:
    """What the checker says of each broken toy."""
    plain = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-m", "tests.broken"], capture_output=True, text=True, env=plain, cwd=root)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", [name for name, (_, _, check, _) in CASES.items() if check])
def test_finds(name: str, found: dict[str, list[str]]) -> None:
    text, _, check, word = CASES[name]
    told = [failure for failure in found[name] if word in failure]
    assert told, found[name]
    assert told[0].startswith(f"{text}, seed 0, {check}: ")


def test_every_check_is_seen_to_fail() -> None:
    assert {check for _, _, check, _ in CASES.values() if check} == set(CHECKS)


def test_finds_nothing_in_the_toy(found: dict[str, list[str]]) -> None:
    assert found["whole"] == []


def test_what_is_shown_may_decide_who_is_asked(found: dict[str, list[str]]) -> None:
    assert found["secrets that are shown"] == []


@pytest.mark.parametrize("spec", [toy.GAME, game("connect_four"), game("kuhn_poker")], ids=lambda spec: spec.name)
def test_whole_games_pass(spec: Game, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    with posing(spec if spec.name == "toy" else toy.GAME):
        told = list(check_game(spec, 20))
    assert [v for v, _, _ in told] == list(spec.variants())
    assert [failure for _, _, failures in told for failure in failures] == []


def test_a_failure_says_where(found: dict[str, list[str]]) -> None:
    place = re.fullmatch(r"toy-3p, seed 0, masks: game (\d), decision (\d+): no legal action", found["no legal action"][0])
    assert place is not None
    with posing(toy.GAME):
        t = Tables("toy-3p", n=8, seed=0)
        for _ in range(int(place[2])):
            t.step(t.sample())
    assert t.states["pot"][int(place[1])] == 0


def test_a_fault_that_stops_play_is_told_alone() -> None:
    broken = dataclasses.replace(game("connect_four"), bound=lambda v: 5, audit=lambda s, R: ["never right"])
    told = check_variant(broken.variant(), 4)
    assert len(told) == 3
    assert all("ends: game" in failure for failure in told)


def test_finds_what_the_jit_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_hidden, "DEALS", 20)
    v = variant("kuhn_poker")
    monkeypatch.setattr("alehouse.envs.core.verify.check.trace", lambda v, games, seed: {"decisions 0 to 15": "something else"})
    told = [failure for _, _, failures in check_game("kuhn_poker", 2, variants=[v]) for failure in failures]
    assert told == ["kuhn_poker-2p, seed 0, without the JIT: decisions 0 to 15 differ"]
