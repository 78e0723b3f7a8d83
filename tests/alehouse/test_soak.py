"""`alehouse soak` injects faults, counts them, and notices what is lost."""

import itertools
import json
import os
import random
from typing import Any

import pytest
from typer.testing import CliRunner

from alehouse import faults, soaking
from alehouse.cli import app

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="it forks")


def soak(*words: Any) -> Any:
    result = CliRunner().invoke(app, ["soak", "--json", *map(str, words)])
    return result, json.loads(result.stdout)


@pytest.mark.slow
def test_matches_and_files_survive() -> None:
    result, found = soak("--minutes", 0.1, "--only", "play,files,decisions", "--games", "kuhn_poker")
    assert result.exit_code == 0, found
    assert found["failures"] == []
    assert found["play: jobs done"] > 0
    assert found["files: replay.json damaged"] >= soaking.DAMAGED
    assert found["files: refused"] > soaking.DAMAGED
    assert found["decisions"] > 2 * soaking.CHUNK


@pytest.mark.slow
def test_what_is_lost_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    ends = itertools.count()
    monkeypatch.setattr(soaking, "matched", lambda folder, ended: next(ends))
    result, found = soak("--minutes", 0.01, "--only", "play")
    assert result.exit_code == 1
    assert found["failures"][0].endswith("another result than without faults")


def test_damaged_bytes_are_other_bytes() -> None:
    luck, data = random.Random(0), bytes(range(200))
    found = [faults.damaged(data, luck) for _ in range(200)]
    assert sum(one != data for one in found) > 180
    assert {len(one) < len(data) for one in found} == {True, False}


def test_an_unknown_trial_is_bad_input() -> None:
    result = CliRunner().invoke(app, ["soak", "--only", "sleep"])
    assert result.exit_code == 2
    assert "one of arena, balance, train, play, files, decisions" in result.stderr
