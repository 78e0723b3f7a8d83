"""The lookup trainer: which answers it looks up, that it learns from them, and stopped runs that go on."""

from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("safetensors")

from alehouse.agents import UNIFORM, heuristic
from alehouse.agents.network_file import read_net
from alehouse.envs.games import game
from alehouse.training import lookup
from alehouse.training.lookup_kernels import choose

KUHN = "kuhn_poker-2p"
TINY = {"tables": 64, "part": 2048, "minibatch": 256, "width": 16, "learning_rate": 3e-3}


def trainer(folder, variant=KUHN, line=None, start="", **changes):
    """Make a small trainer on one thread."""
    line = [heuristic(game(variant.partition("-")[0]))] if line is None else line
    job = lookup.Job((variant,), tuple(agent.name for agent in line), 0, lookup.Settings(**{**TINY, **changes}), str(start))
    return lookup.Trainer(job, folder, line, threads=1)


def test_answers_looked_up_are_the_best_ones_the_heuristics_and_one_drawn():
    logits, prior = np.array([5, 0, 4, 1, 3, 2], np.float32), np.array([-1, 0, -1, -1, -1, -1], np.float32)
    work, drawn = SimpleNamespace(logits=logits, prior=prior), set()
    for key in range(60):
        wanted = np.zeros(6, np.bool_)
        getattr(choose, "py_func", choose)(work, 6, 4, np.uint64(key * 7919), wanted)
        assert wanted.sum() == 4
        assert wanted[[0, 1, 2]].all()
        drawn.add(int(np.flatnonzero(wanted[3:])[0]) + 3)
    assert drawn == {3, 4, 5}
    wanted = np.zeros(6, np.bool_)
    getattr(choose, "py_func", choose)(work, 4, 4, np.uint64(1), wanted)
    assert wanted.tolist() == [True] * 4 + [False] * 2


@pytest.mark.slow
def test_it_learns_to_beat_the_heuristic_and_a_stopped_run_goes_on_to_the_same_bits(tmp_path):
    whole = trainer(tmp_path / "whole")
    rows = [whole.iterate() for _ in range(8)]
    assert rows[0].shares["heuristic"].parity == 0.5
    assert rows[-1].others["train/gain"] > max(0.02, rows[0].others["train/gain"])
    assert rows[-1].shares["heuristic"].won > 0.53
    first = trainer(tmp_path / "part")
    again = [first.iterate() for _ in range(3)]
    first.save()
    second = trainer(tmp_path / "part")
    again += [second.iterate() for _ in range(5)]
    assert second.weights() == whole.weights()
    assert [(row.samples, row.entropy, row.shares, row.others) for row in again] == [
        (row.samples, row.entropy, row.shares, row.others) for row in rows
    ]
    second.export(file := tmp_path / "net.safetensors", "alehouse train kuhn_poker --trainer lookup")
    begun = trainer(tmp_path / "begun", start=file)
    assert begun.learner.net.record()["second"] == pytest.approx(read_net(file, game("kuhn_poker"))[0]["second"])


def test_what_it_cannot_train_is_refused(tmp_path):
    with pytest.raises(ValueError, match="--opponents uniform: lookup trains against heuristic alone"):
        trainer(tmp_path, line=[UNIFORM])
    with pytest.raises(ValueError, match="answers=2: a whole number from 3"):
        trainer(tmp_path, answers=2)


@pytest.mark.slow
def test_the_value_judges_after_as_many_rounds_as_in_roll_outs(tmp_path):
    """At the same positions a later cut changes what answers are worth, and all worths of a decision are centred."""
    found = []
    for rounds in (0, 1, 2):
        run = trainer(tmp_path / str(rounds), "tiefenthal-4p", rounds=rounds, tables=16, part=256)
        assert run.job.rounds == (rounds or lookup.usual_rounds(game("tiefenthal")))
        run.iterate()
        found.append(run.room.effect.copy())
        assert np.abs(run.room.effect.sum(axis=1)).max() < 1e-5
    assert (found[0] == found[1]).all()
    assert (found[1] != found[2]).any()


@pytest.mark.slow
def test_answers_are_judged_where_hidden_facts_are_redealt(tmp_path):
    """Calling a bet with the queen is judged by a card that is dealt again, so not always by the one that the other seat holds."""
    run = trainer(tmp_path, tables=512, part=512, copies=0.0)
    run.iterate()
    cards, seats = run.job.states["card"], run.job.seat
    mine, theirs = cards[np.arange(512), seats], cards[np.arange(512), 1 - seats]
    paid = game("kuhn_poker").FEATURES.start("paid")
    called = (run.room.obs[:, paid : paid + 2] == [1, 2]).all(axis=1) & (mine == 1)
    won = run.room.effect[called, 1] > 0
    assert 0.3 < (won == (theirs[called] < 1)).mean() < 0.7
