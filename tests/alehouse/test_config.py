"""Settings of a run as a TOML file: what a run writes starts the same run again, and what no command knows is refused."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from alehouse.cli import app
from alehouse.commands import config
from alehouse.commands.arena import arena
from alehouse.commands.balance import balance
from alehouse.commands.sweep import sweep
from alehouse.commands.train import train
from alehouse.commands.tune import tune


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of one's own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: object) -> Result:
    """A command, in this process."""
    return CliRunner().invoke(app, [str(word) for word in words])


def written(folder: str) -> dict[str, Any]:
    """The settings in the folder of a run."""
    return tomllib.loads((Path(folder) / config.FILE).read_text())


def test_a_file_takes_the_place_of_options_and_each_run_writes_its_own(here: Path) -> None:
    (here / "mine.toml").write_text('game = "connect_four"\nagents = ["uniform", "greedy"]\nblocks = 4\nseed = 3\n')
    whole = json.loads(run("arena", "--config", "mine.toml", "--json", "--out", "a").stdout)
    assert (whole["variant"], whole["blocks"], [row["name"] for row in whole["agents"]]) == ("connect_four-2p", 4, ["uniform", "greedy"])
    settings = written("a")
    assert settings.items() >= {"game": "connect_four", "agents": "uniform,greedy", "blocks": 4, "seed": 3}.items()
    assert not {"out", "json", "config", "until", "modules"} & settings.keys()
    again = json.loads(run("arena", "--config", "a/config.toml", "--json", "--out", "b").stdout)
    assert again["agents"][0]["utility"] == whole["agents"][0]["utility"]
    assert written("b") == settings
    fewer = json.loads(run("arena", "--config", "mine.toml", "--blocks", 2, "--json", "--out", "c").stdout)
    assert (fewer["blocks"], written("c")["blocks"], written("c")["seed"]) == (2, 2, 3)


@pytest.mark.slow
def test_a_training_run(here: Path) -> None:
    (here / "mine.toml").write_text(
        'game = "kuhn_poker"\ntrainer = "sb3"\nopponents = "uniform"\nsamples = 512\n'
        "[set]\ntables = 32\nsteps = 16\nminibatch = 128\nwidth = 16\nclip = 0.1\n"
    )
    result = run("train", "--config", "mine.toml", "--out", "a", "--threads", 1, "--json")
    assert result.exit_code == 0, result.output
    settings = written("a")
    assert settings["set"] == ["tables=32", "steps=16", "minibatch=128", "width=16", "clip=0.1"]
    assert (settings["threads"], settings["samples"], settings["trainer"]) == (1, 512, "sb3")
    again = run("train", "--config", "a/config.toml", "--out", "b", "--json")
    assert json.loads(again.stdout)["weights"] == json.loads(result.stdout)["weights"]


@pytest.mark.parametrize("command", [arena, balance, sweep, train, tune])
def test_what_a_command_knows(command: Any, here: Path) -> None:
    known = config.keys(command)
    assert set(known.values()) >= {"game", "seed", "rules", "threads"}
    given = dict.fromkeys(known) | {"seed": 0, "rules": Path("a b"), "changes": ['x="y"', "z=é"], "carry": True, "trust": False}
    config.write(here / "all.toml", command, given)
    settings = tomllib.loads((here / "all.toml").read_text())
    assert settings["seed"] == 0
    assert settings["rules"] == "a b"
    if "set" in known.values():
        assert settings["set"] == ['x="y"', "z=é"]
    assert settings.get("carry", True) is True
    assert "trust" not in settings


BAD = {
    "unknown key": ("blokcs = 3\n", "unknown key 'blokcs'; arena knows game, agents, seats"),
    "key of the command line only": ('out = "a"\n', "unknown key 'out'"),
    "not TOML": ("blocks 3\n", "bad.toml: Expected '='"),
    "brackets without end": ("blocks = " + "[" * 5000, "bad.toml: maximum recursion depth exceeded"),
    "a list of lists": ('agents = [["uniform"]]', "bad.toml: agents: a list or a table in another one"),
    "a date": ("seed = 2026-01-01\n", "seed: 2026-01-01 is neither a text"),
}


@pytest.mark.parametrize(("text", "said"), BAD.values(), ids=BAD)
def test_bad_files_get_one_line(text: str, said: str, here: Path) -> None:
    (here / "bad.toml").write_text(text)
    result = run("arena", "connect_four", "--agents", "uniform", "--config", "bad.toml")
    assert result.exit_code == 2
    assert result.stderr.startswith("alehouse: ")
    assert said in result.stderr
    assert result.stderr.count("\n") == 1
    assert list(here.iterdir()) == [here / "bad.toml"]


def test_a_file_that_is_not_there() -> None:
    result = run("train", "--config", "nowhere.toml")
    assert (result.exit_code, result.stderr) == (2, "alehouse: nowhere.toml: No such file or directory\n")
