"""`alehouse train`: stopped and killed runs can be continued, and errors are explained."""

import errno
import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console
from typer.testing import CliRunner

pytest.importorskip("sb3_contrib")

from safetensors.numpy import save as safe_bytes

from alehouse.agents.network import net
from alehouse.agents.network_file import grouped, header, names_of, read_net, sealed, shapes
from alehouse.cli import app
from alehouse.commands.train import command, variants_of
from alehouse.envs.games import game
from alehouse.training import checkpoint, metrics
from alehouse.training.metrics import Row, Share
from alehouse.training.progress import GAMES, Latest, clock, picture, standing

TINY = ["--trainer", "sb3", "--opponents", "uniform", "--threads", "1"]
TINY += [word for item in ("tables=32", "steps=16", "minibatch=128", "width=16", "keep=0") for word in ("--set", item)]
BATCH = 32 * 16


def run(*words: Any) -> Any:
    return CliRunner().invoke(app, ["train", *map(str, words)])


def trained(folder: Path, batches: int, *words: Any) -> dict[str, Any]:
    result = run("kuhn_poker", *TINY, "--samples", batches * BATCH, "--out", folder, "--json", *words)
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def start(folder: Path, batches: int) -> subprocess.Popen[str]:
    words = ["train", "kuhn_poker", *TINY, "--samples", str(batches * BATCH), "--out", str(folder), "--json"]
    command = [sys.executable, "-m", "alehouse", *words]
    return subprocess.Popen(command, cwd=folder.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def until(folder: Path, samples: int, running: subprocess.Popen[str]) -> None:
    """Wait until a run has written a checkpoint with at least `samples` samples."""
    for _ in range(6000):
        assert running.poll() is None, running.communicate()
        try:
            if checkpoint.read(folder / checkpoint.LATEST)[1]["samples"] >= samples:
                return
        except ValueError:
            pass
        time.sleep(0.05)
    raise AssertionError("no checkpoint")


def test_a_run_writes_a_network_and_says_how_it_stands(tmp_path):
    found = trained(tmp_path / "a", 20)
    assert found["samples"] == 20 * BATCH
    against = found["against"]["uniform"]
    assert against["low"] < against["won"] < against["high"]
    assert against["parity"] == 0.5
    assert against["games"] >= 1000
    agent = net(game("kuhn_poker"), found["file"])
    assert agent.name == "net:net.safetensors"
    assert Path(found["file"]).stat().st_size < 300_000
    assert "against uniform" in (tmp_path / "a" / "curve.svg").read_text(encoding="utf-8")
    words = run("kuhn_poker", *TINY, "--samples", 20 * BATCH, "--out", tmp_path / "a")
    assert words.exit_code == 0
    assert "10,240 samples" in words.stdout


def test_the_command_is_told_without_its_folder(monkeypatch):
    monkeypatch.setattr("sys.argv", ["x", "train", "kuhn_poker", "--out", "/home/me", "--seed", "3", "--out=b", "--set", "clip=0.1"])
    assert command() == "alehouse train kuhn_poker --seed 3 --set clip=0.1"


@pytest.mark.slow
def test_the_lean_trainer_is_run_alike(tmp_path):
    words = ["--threads", "1", "--samples", "4000", "--out", tmp_path / "a", "--json"]
    for item in ("tables=64", "batch=2048", "minibatch=512", "width=16", "warm=0"):
        words += ["--set", item]
    result = run("kuhn_poker", *words)
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["samples"] >= 4000
    assert net(game("kuhn_poker"), found["file"])
    result = run("kuhn_poker", *words, "--set", "clip=0.3")
    assert result.exit_code == 2
    assert "clip was 0.2, is 0.3" in result.stderr


@pytest.mark.slow
def test_a_network_of_an_earlier_layout_is_carried_over_if_asked(tmp_path):
    spec, file, tiny = game("kuhn_poker"), tmp_path / "old.safetensors", ["--samples", "100", "--set", "width=16", "--set", "batch=256"]
    theirs = names_of(spec) | {"features": ("moon", *names_of(spec)["features"])}
    tensors = {name: np.ones(shape, np.float16) for name, shape in shapes(theirs, 16).items()}
    file.write_bytes(safe_bytes(tensors, sealed(header(spec) | {"features": grouped(theirs["features"])}, tensors)))
    words = ["kuhn_poker", *tiny, "--set", "tables=32", "--threads", "1", "--start", file, "--out", tmp_path / "a"]
    result = run(*words)
    assert result.exit_code == 2
    assert "features that kuhn_poker no longer has: 'moon'; to carry it over without them" in result.stderr
    assert not (tmp_path / "a").exists()
    assert run(*words, "--carry").exit_code == 0


def test_a_network_is_measured_for_shipping(tmp_path, monkeypatch):
    words = ["kuhn_poker", "--ship", "--seeds", 40, "--threads", 1, "--out", tmp_path / "a"]
    result = run(*words)
    assert result.exit_code == 2
    assert f"--ship: there is no network {tmp_path / 'a' / 'net.safetensors'}" in result.stderr
    file = Path(trained(tmp_path / "a", 3)["file"])
    before = file.read_bytes()

    def interrupted(*args: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("alehouse.training.ship.measure", interrupted)
        result = run(*words)
    assert result.exit_code == 130
    assert "stopped with 0 of 1 variants; the same command goes on" in result.stderr
    assert file.read_bytes() == before
    result = run(*words, "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert (found["file"], found["seeds"], found["seed"]) == (str(file), 40, 2026)
    figures = found["figures"]["kuhn_poker-2p"]
    assert (figures["games"], figures["against"], figures["rules"]) == (80, "heuristic", game("kuhn_poker").variant().rules_digest)
    said = read_net(file, game("kuhn_poker"))[1]
    assert json.loads(said["results"])["kuhn_poker-2p"] == figures
    table = run(*words, "--start", file)
    assert "kuhn_poker-2p" in table.stdout
    assert f"{figures['won']:.1%}" in table.stdout


@pytest.mark.slow
def test_killed_it_goes_on_to_the_same_weights(tmp_path):
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    running = start(killed, 10**6)
    until(killed, 3 * BATCH, running)
    os.kill(running.pid, signal.SIGKILL)
    running.communicate()
    done = (checkpoint.load(killed) or ({}, {}))[1]["samples"] // BATCH
    one, other = trained(killed, done + 3), trained(whole, done + 3)
    assert one["weights"] == other["weights"]
    assert one["samples"] == other["samples"]
    records = [[(row.samples, row.entropy, row.kl, row.shares) for row in metrics.rows(folder)] for folder in (killed, whole)]
    assert records[0] == records[1]
    assert [samples for samples, *_ in records[0]] == [BATCH * k for k in range(1, done + 4)]


SINK = """
def begin(folder, settings):
    file = open(folder / "mine.txt", "a")
    print(settings["trainer"], file=file)
    return lambda row: print(row.samples, row.scalars()["share/uniform"], file=file, flush=True)

nothing = lambda folder, settings: None
"""


def test_the_figures_go_into_a_sink_of_ones_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(SINK)
    trained(Path("a"), 2, "--sink", "mine.py:begin")
    first, *lines = Path("a/mine.txt").read_text().splitlines()
    assert first == "sb3"
    assert lines == [f"{row.samples} {row.shares['uniform'].won}" for row in metrics.rows(Path("a"))]
    for text, said in (("nowhere.py:begin", "there is no file nowhere.py"), ("mine.py:end", "has no 'end'; it has begin")):
        result = run("kuhn_poker", *TINY, "--sink", text, "--out", "b")
        assert (result.exit_code, Path("b").exists()) == (2, False)
        assert f"--sink {text}: " in result.stderr
        assert said in result.stderr
    Path("seven.py").write_text("seven = 7\n")
    result = run("kuhn_poker", *TINY, "--sink", "seven.py:seven", "--out", "b")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "--sink seven.py:seven: it must be a function" in result.stderr


@pytest.mark.slow
def test_ctrl_c_keeps_the_checkpoint_and_ends_with_what_there_is(tmp_path):
    running = start(tmp_path / "cut", 10**6)
    until(tmp_path / "cut", BATCH, running)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=120)
    assert running.returncode == 130
    assert "goes on from the last checkpoint" in err
    assert "Traceback" not in err
    found = json.loads(out)
    assert found["samples"] >= BATCH
    assert Path(found["file"]).is_file()


@pytest.mark.slow
def test_ctrl_c_before_the_run_has_begun_is_said(tmp_path, monkeypatch):
    def interrupted(*args: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("alehouse.training.lean.sample_of", interrupted)
    result = run("kuhn_poker", "--trainer", "lean", "--samples", "100", "--out", tmp_path / "a")
    assert result.exit_code == 130
    assert "stopped; the same command begins again" in result.stderr
    assert not (tmp_path / "a").exists()


def test_a_damaged_checkpoint_falls_back(tmp_path):
    wanted = trained(tmp_path / "b", 4)["weights"]
    trained(tmp_path / "a", 3)
    latest = tmp_path / "a" / checkpoint.LATEST
    latest.write_bytes(latest.read_bytes()[:-100])
    result = run("kuhn_poker", *TINY, "--samples", 4 * BATCH, "--out", tmp_path / "a", "--json")
    assert result.exit_code == 0
    assert "damaged" in result.stderr
    assert json.loads(result.stdout)["weights"] == wanted
    for name in (checkpoint.LATEST, checkpoint.PREVIOUS):
        (tmp_path / "a" / name).write_bytes(b"nothing")
    result = run("kuhn_poker", *TINY, "--samples", 5 * BATCH, "--out", tmp_path / "a")
    assert result.exit_code == 2
    assert "remove" in result.stderr


def test_a_full_disk_is_said_and_the_last_checkpoint_kept(tmp_path, monkeypatch):
    trained(tmp_path / "a", 1)

    def full(path: Path, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr(checkpoint, "write_atomically", full)
    result = run("kuhn_poker", *TINY, "--samples", 2 * BATCH, "--out", tmp_path / "a")
    assert result.exit_code == 2
    assert "No space left on device; the last checkpoint is kept" in result.stderr
    monkeypatch.undo()
    assert trained(tmp_path / "a", 2)["weights"] == trained(tmp_path / "b", 2)["weights"]


def test_a_saved_model_is_loaded_only_if_trusted(tmp_path):
    first = trained(tmp_path / "a", 3)
    model = tmp_path / "a" / "net.zip"
    result = run("kuhn_poker", *TINY, "--samples", BATCH, "--out", tmp_path / "b", "--start", model)
    assert result.exit_code == 2
    assert "--trust" in result.stderr
    begun = trained(tmp_path / "b", 1, "--start", model, "--trust")
    fresh = trained(tmp_path / "c", 1)
    assert len({first["weights"], begun["weights"], fresh["weights"]}) == 3
    result = run("kuhn_poker", *TINY, "--out", tmp_path / "d", "--start", __file__, "--trust")
    assert result.exit_code == 2
    assert not (tmp_path / "d").exists()
    assert "not a model of this game" in result.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--set", "tabels=3"], "NAME is one of tables, steps"),
        (["--set", "tables=many"], "'many' is not a number"),
        (["--set", "tables=0"], "tables=0: a whole number from 1 to 4096"),
        (["--set", "learning_rate=nan"], "learning_rate=nan: a number from"),
        (["--set", "tables=3", "--set", "steps=3", "--set", "minibatch=4"], "one decision would be left"),
        (["--threads", "1000"], "threads=1000"),
        (["--minutes", "0"], "--minutes 0: more than 0"),
        (["--minutes", "1", "--samples", "5"], "give one of them"),
        (["--engine", "sparse"], "--engine sparse: only with --trainer lean"),
        (["--trainer", "fat"], "--trainer 'fat': one of lookup, lean, sb3"),
        (["--opponents", "nobody"], "agent 'nobody'"),
        (["--variant", "connect_four-2p"], "not a variant of kuhn_poker"),
        (["--seats", "3"], "numbers from 2"),
        (["--modules", "spice"], "module 'spice'"),
        (["--trainer", "lean", "--start", __file__], "not a network for kuhn_poker"),
        (["--trainer", "lean", "--start", "none.safetensors"], "none.safetensors"),
    ],
)
def test_bad_input(words, said, tmp_path):
    result = run("kuhn_poker", "--trainer", "sb3", "--out", tmp_path / "a", *words)
    assert result.exit_code == 2
    assert said in result.stderr
    assert not (tmp_path / "a").exists()


def test_without_the_extra_it_says_how_to_get_it(monkeypatch):
    there = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "torch" else there(name))
    result = run("kuhn_poker")
    assert result.exit_code == 2
    assert "training needs torch: pip install 'alehouse[train]'" in result.stderr


def test_which_variants_are_played():
    inn, tiefenthal = game("bloody_inn"), game("tiefenthal")
    assert list(map(str, variants_of(tiefenthal, [], "none", "", ""))) == ["tiefenthal-4p"]
    assert len(variants_of(tiefenthal, [], "all", "all", "")) == 15
    assert len(variants_of(tiefenthal, [], "", "", "", everything=True)) == 15
    assert len(variants_of(inn, [], "", "", "", everything=True)) == 72
    assert list(map(str, variants_of(tiefenthal, ["tiefenthal-3p"], "", "", "", everything=True))) == ["tiefenthal-3p"]
    assert len(variants_of(inn, [], "all", "1,2,3,4", "all")) == 96
    mixed = list(map(str, variants_of(tiefenthal, ["tiefenthal-4p"], "all", "all", "")))
    assert mixed.count("tiefenthal-4p") == len(mixed) / 2 == 14
    assert len(set(mixed)) == 15
    assert list(map(str, variants_of(inn, [], "objects", "2", ""))) == ["bloody_inn-2p", "bloody_inn-2p-objects"]


def test_shares_add_up_and_have_wilsons_interval():
    one = standing([Share(60, 0.4, 0.25), Share(40, 0.65, 0.5)])
    assert (one.games, one.won, one.parity) == (100, pytest.approx(0.5), pytest.approx(0.35))
    assert (one.low, one.high) == (pytest.approx(0.4038, abs=1e-4), pytest.approx(0.5962, abs=1e-4))  # Wilson, 50 of 100
    assert standing([Share(10, 0.0, 0.25)]).high == pytest.approx(0.2775, abs=1e-4)


def test_only_the_latest_games_count():
    latest = Latest()
    for won in (0.0, 1.0, 1.0):
        latest.add(Row(1, 1.0, 1.0, 1.0, 0.0, {"uniform": Share(GAMES // 2, won, 0.5)}))
    assert latest.standings()["uniform"].won == 1
    latest.add(Row(1, 1.0, 1.0, 1.0, 0.0, {}))
    assert latest.standings()["uniform"].games == GAMES


def test_what_the_live_view_shows():
    latest = Latest()
    row = Row(25_000, 90.0, 12_345.6, 0.75, 0.0123, {"heuristic": Share(400, 0.3, 0.25)})
    latest.add(row)
    console = Console(width=100, record=True, file=open(os.devnull, "w"))  # noqa: SIM115
    console.print(picture(row, latest, "tiefenthal (sb3)", 100_000, float("inf")))
    text = console.export_text()
    for words in ("25,000 samples", "12,346/s", "1:30 done, 4:30 left", "entropy 0.750", "KL 0.0123", "heuristic", "30.0%", "25.0%"):
        assert words in text
    assert (clock(float("inf")), clock(3700)) == ("?", "1:01:40")
