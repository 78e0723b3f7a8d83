"""Tuning: it finds better weights, goes on where it was stopped, and reports bad input."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from alehouse.agents.heuristic import heuristic_of
from alehouse.agents.heuristic.weights import Weights
from alehouse.cli import app
from alehouse.envs.games import game
from alehouse.training import tune as training
from alehouse.training.journal import sealed

pytest.importorskip("cmaes")

SPEC = game("kuhn_poker")
CALLS = ("call.jack", "call.king")
JOB = training.Job(("kuhn_poker-2p",), CALLS, generations=4, population=6, blocks=200, seed=3)


@pytest.fixture
def foolish(monkeypatch):
    """Weights for Kuhn poker that call with the jack and not with the king."""
    values = {"call.jack": 0.9, "call.king": 0.1}
    entries = [type(w)(w.section, w.name, values.get(w.key, w.value), w.low, w.high) for w in heuristic_of(SPEC).weights.entries]
    weights = Weights(entries, heuristic_of(SPEC).weights.source)
    monkeypatch.setattr(training, "weights_of", lambda _: weights)
    return weights


def values_of(found):
    return [g.values.tolist() for g in found]


def test_it_learns_what_to_call_with(foolish, tmp_path):
    job = training.Job(("kuhn_poker-2p",), CALLS, generations=25, population=8, blocks=300, seed=1)
    last = list(training.tune(job, tmp_path / "j.jsonl"))[-1]
    jack, king = (last.values[[w.key for w in foolish.entries].index(key)] for key in CALLS)
    assert jack < 0.4 < 0.6 < king
    verdict = training.compared(job, last.values)
    assert verdict.utility - verdict.half > 0
    others = [k for k, w in enumerate(foolish.entries) if w.key not in CALLS]
    assert (last.values[others] == foolish.vector()[others]).all()


def test_it_goes_on_where_it_was_stopped(foolish, tmp_path):
    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    wanted = values_of(training.tune(JOB, whole))
    begun = training.tune(JOB, parts)
    for _ in range(2):
        next(begun)
    begun.close()
    with open(parts, "a") as file:
        file.write('{"generation": 2, "util')  # cut short by a power failure
    assert values_of(training.tune(JOB, parts)) == wanted
    assert parts.read_bytes() == whole.read_bytes()


def test_a_journal_of_other_work_is_refused(foolish, tmp_path):
    journal = tmp_path / "j.jsonl"
    next(training.tune(JOB, journal))
    other = training.Job(("kuhn_poker-2p",), CALLS, generations=4, population=6, blocks=200, seed=4)
    with pytest.raises(ValueError, match=r"of other work \(seed differ\)"):
        next(training.tune(other, journal))
    first = json.loads(journal.read_text().splitlines()[0])
    for name, match in (("rules", r"\(rules differ\)"), ("format", r"format alehouse-tune-1, which Alehouse 0\.1 reads")):
        journal.write_bytes(sealed({key: value for key, value in first.items() if key not in (name, "digest")}))
        with pytest.raises(ValueError, match=match):
            next(training.tune(JOB, journal))
    journal.write_text("nonsense\n")
    with pytest.raises(ValueError, match="not a journal of this work"):
        next(training.tune(JOB, journal))


def test_weights_against_themselves_are_even():
    verdict = training.compared(JOB, heuristic_of(SPEC).weights.vector())
    assert abs(verdict.utility) < 1e-6


def test_the_command_writes_weights_with_the_command_that_made_them(tmp_path):
    out = tmp_path / "kuhn.toml"
    words = [
        "tune",
        "kuhn_poker",
        "--only",
        "call",
        "--generations",
        "2",
        "--population",
        "4",
        "--blocks",
        "20",
        "--out",
        str(out),
        "--json",
    ]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    figures = json.loads(done.stdout)
    assert figures["low"] <= figures["utility"] <= figures["high"]
    labels = dict.fromkeys(("begin", "call", "follow", "answer"), ("jack", "queen", "king"))
    written = Weights.load(out, **labels)
    command = "alehouse tune kuhn_poker --variant kuhn_poker-2p --only call --generations 2 --population 4 --blocks 20 --seed 0"
    assert written.made.split("; ")[-1] == command
    moved = written.vector() != np.array([float(f"{x:.4g}") for x in heuristic_of(SPEC).weights.vector()])
    assert {w.section for w, other in zip(written.entries, moved, strict=True) if other} == {"call"}


@pytest.mark.parametrize(
    ("words", "match"),
    [
        (["chess"], "game 'chess'"),
        (["kuhn_poker", "--variant", "connect_four-2p"], "not a variant of kuhn_poker"),
        (["kuhn_poker", "--only", "bluff"], "weight 'bluff'"),
    ],
)
def test_bad_input_is_one_clear_line(words, match, tmp_path):
    done = CliRunner().invoke(app, ["tune", *words, "--out", str(tmp_path / "x.toml")])
    assert done.exit_code == 2
    assert match in done.stderr
    assert done.stderr.count("\n") == 1
