"""The record of a training run: whole rows, none of them behind the checkpoint that the run goes on from; and the curve drawn from it."""

import threading
from pathlib import Path

import pytest

pytest.importorskip("torch")

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from alehouse.training import metrics
from alehouse.training.curve import draw
from alehouse.training.metrics import Row, Share


def row(samples: int, won: float = 0.5) -> Row:
    """A row of a run against two opponents."""
    shares = {"uniform": Share(100, won, 0.25), "heuristic": Share(50, won / 2, 0.25)}
    return Row(samples, samples / 1000, 1000.0, 0.9, 0.01, shares, {"train/value_loss": 0.2})


def test_rows_come_back_whole(tmp_path: Path) -> None:
    assert list(metrics.rows(tmp_path)) == []
    for samples in (100, 200):
        metrics.record(tmp_path, row(samples))
    assert list(metrics.rows(tmp_path)) == [row(100), row(200)]
    with open(tmp_path / metrics.FILE, "a") as file:
        file.write('{"samples": 300, "sec')  # a run that was killed
    assert list(metrics.rows(tmp_path)) == [row(100), row(200)]


def test_a_run_that_goes_on_forgets_what_it_did_after_its_checkpoint(tmp_path: Path) -> None:
    metrics.go_back(tmp_path, 0)
    for samples in (100, 200, 300):
        metrics.record(tmp_path, row(samples))
    metrics.go_back(tmp_path, 200)
    metrics.record(tmp_path, row(300, 0.7))
    assert list(metrics.rows(tmp_path)) == [row(100), row(200), row(300, 0.7)]


def test_a_run_that_is_killed_while_it_goes_back_keeps_its_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for samples in (100, 200, 300):
        metrics.record(tmp_path, row(samples))

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(metrics, "append", killed)
    metrics.go_back(tmp_path, 200)
    assert list(metrics.rows(tmp_path)) == [row(100), row(200)]


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    metrics.record(tmp_path, row(100))
    with open(tmp_path / metrics.FILE, "a") as file:
        file.write("12.5}\n")
    with pytest.raises(ValueError, match=r"metrics\.jsonl, line 2: "):
        list(metrics.rows(tmp_path))


def test_tensorboard_gets_the_same_figures(tmp_path: Path) -> None:
    before = threading.active_count()
    with metrics.tensorboard(tmp_path, 0) as sink:
        sink(row(100))
        sink(row(200, 0.75))
    assert threading.active_count() == before
    kept = EventAccumulator(str(tmp_path / metrics.LOGS)).Reload()
    assert set(kept.Tags()["scalars"]) == set(row(1).scalars()) > {"train/entropy", "train/value_loss", "share/uniform", "even/heuristic"}
    assert [(one.step, one.value) for one in kept.Scalars("share/uniform")] == [(100, 0.5), (200, 0.75)]


def test_the_curve_is_drawn_from_the_record(tmp_path: Path) -> None:
    found = [row(k, won=k / 1000) for k in range(100, 1000, 10)]
    for name in ("a", "b"):
        draw(found, tmp_path / f"{name}.svg", "A game")
    text = (tmp_path / "a.svg").read_text()
    assert "against uniform" in text
    assert "against heuristic" in text
    assert (tmp_path / "b.svg").read_text() == text
    draw([], tmp_path / "none.svg", "A game")
    assert "against" not in (tmp_path / "none.svg").read_text()
