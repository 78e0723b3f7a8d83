"""Checkpoints: damaged ones are not used, the one before is kept, a run with other settings is refused by name."""

import json

import numpy as np
import pytest

pytest.importorskip("safetensors")

from alehouse.training import checkpoint

ARRAYS = {"a": np.arange(6, dtype=np.float32).reshape(2, 3), "b/c": np.array([True, False]), "empty": np.zeros((0, 4), np.uint64)}


def saved(folder, *counts):
    checkpoint.begin(folder, {"seed": 0})
    for count in counts:
        checkpoint.save(folder, ARRAYS | {"n": np.array([count])}, {"count": count, "luck": {"state": 2**100}})


def test_what_is_saved_is_loaded(tmp_path):
    saved(tmp_path, 1, 2)
    arrays, facts = checkpoint.load(tmp_path)
    assert facts == {"count": 2, "luck": {"state": 2**100}}
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype
        assert arrays[name].tolist() == array.tolist()
    assert sorted(path.name for path in tmp_path.iterdir()) == [checkpoint.LATEST, checkpoint.PREVIOUS, checkpoint.SETTINGS]


def test_a_folder_without_a_checkpoint(tmp_path):
    assert checkpoint.load(tmp_path) is None


def cut(data):
    return data[: len(data) // 2]


def flipped(data):
    return data[:-2] + bytes([data[-2] ^ 1]) + data[-1:]


@pytest.mark.parametrize("damage", [cut, flipped, lambda data: b"", lambda data: b"nonsense" * 99])
def test_a_damaged_one_is_replaced_by_the_one_before_and_reported(damage, tmp_path, capsys):
    saved(tmp_path, 1, 2)
    latest = tmp_path / checkpoint.LATEST
    latest.write_bytes(damage(latest.read_bytes()))
    assert checkpoint.load(tmp_path)[1]["count"] == 1
    said = capsys.readouterr().err
    assert "latest.safetensors: a damaged checkpoint" in said
    assert "going on from previous.safetensors" in said
    (tmp_path / checkpoint.PREVIOUS).unlink()
    with pytest.raises(ValueError, match="no other is left"):
        checkpoint.load(tmp_path)


def test_killed_between_two_renames_nothing_is_lost(tmp_path, monkeypatch):
    saved(tmp_path, 1, 2)
    (tmp_path / checkpoint.LATEST).replace(tmp_path / checkpoint.PREVIOUS)
    assert checkpoint.load(tmp_path)[1]["count"] == 2
    saved(tmp_path, 3)
    assert checkpoint.load(tmp_path)[1]["count"] == 3


def test_a_full_disk_leaves_the_last_one(tmp_path, monkeypatch):
    saved(tmp_path, 1, 2)

    def full(path, data):
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(checkpoint, "write_atomically", full)
    with pytest.raises(OSError, match="No space left"):
        saved(tmp_path, 3)
    assert checkpoint.load(tmp_path)[1]["count"] == 2


def test_a_folder_is_that_of_one_run(tmp_path):
    folder = tmp_path / "runs" / "one"
    checkpoint.begin(folder, {"seed": 0, "width": 64, "variants": ("a", "b")})
    checkpoint.begin(folder, {"seed": 0, "width": 64, "variants": ("a", "b")})
    with pytest.raises(ValueError, match="width was 64, is 80") as caught:
        checkpoint.begin(folder, {"seed": 0, "width": 80, "variants": ("a", "b")})
    assert "seed" not in str(caught.value)
    for text in ("nonsense", json.dumps([1])):
        (folder / checkpoint.SETTINGS).write_text(text)
        with pytest.raises(ValueError, match="not the settings of a run"):
            checkpoint.begin(folder, {"seed": 0})
    (folder / checkpoint.SETTINGS).unlink()
    saved(folder, 1)
    (folder / checkpoint.SETTINGS).unlink()
    for needing in (checkpoint.load, lambda folder: checkpoint.begin(folder, {"seed": 0})):
        with pytest.raises(ValueError, match="holds checkpoints but no settings"):
            needing(folder)


def test_a_run_of_an_earlier_version_is_refused_with_the_version_that_goes_on_with_it(tmp_path):
    (tmp_path / checkpoint.SETTINGS).write_text(json.dumps({"trainer": "lean", "seed": 0}))
    for needing in (checkpoint.load, lambda folder: checkpoint.begin(folder, {"trainer": "lean", "seed": 0})):
        with pytest.raises(ValueError, match=r"settings.json: format alehouse-run-1, which Alehouse 0\.1 reads"):
            needing(tmp_path)
