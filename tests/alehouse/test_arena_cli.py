"""`alehouse arena`: what it prints, where it plays, how it can be stopped and continued."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import polars
import pytest
from typer.testing import CliRunner, Result

from alehouse.cli import app
from alehouse.commands import show

ROOT = Path(__file__).parents[2]

AGENTS = """
import os, time
import numba
import numpy as np

class Last:
    def act(self, obs, mask, ctx):
        return mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)

class Chatty(Last):
    def act(self, obs, mask, ctx):
        print("thinking")
        return super().act(obs, mask, ctx)

class Slow(Last):
    def act(self, obs, mask, ctx):
        time.sleep(0.002)
        return super().act(obs, mask, ctx)

class Gone(Last):
    def act(self, obs, mask, ctx):
        if (ctx.keys % 150 == 0).any():
            os._exit(3)
        return super().act(obs, mask, ctx)

@numba.njit
def endless(obs, mask, key):
    while key % np.uint64(90) == 0:
        pass
    for action in range(mask.size - 1, -1, -1):
        if mask[action]:
            return action
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of one's own, with a file of agents."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(AGENTS)
    return tmp_path


def run(*words: object) -> Result:
    """The command, in this process."""
    return CliRunner().invoke(app, ["arena", *(str(word) for word in words)])


def found(*words: object, code: int = 0) -> Any:
    """What it prints as JSON, clocks and folders aside."""
    result = run(*words, "--json")
    assert result.exit_code == code, result.output
    data = json.loads(result.stdout)
    data.pop("folder")
    for row in data["agents"]:
        row.pop("us_per_decision")
    return data


def test_what_json_holds(here: Path) -> None:
    result = run("connect_four", "--agents", "greedy,uniform", "--blocks", 40, "--json")
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    assert list(data) == ["game", "variant", "games", "agents", "blocks", "parity", "verdict", "ratings", "league", "forfeits", "folder"]
    assert (data["game"], data["variant"], data["games"]) == ("connect_four", "connect_four-2p", 80)
    assert [row["name"] for row in data["agents"]] == ["greedy", "uniform"]
    for row in data["agents"]:
        assert list(row) == [
            "name", "share", "low", "high", "utility", "utility_low", "utility_high", "score", "score_low", "score_high",
            "paired", "us_per_decision", "steps_per_decision", "forfeits",
        ]  # fmt: skip
        assert 0 <= row["low"] <= row["share"] <= row["high"] <= 1
        assert row["us_per_decision"] > 0
    assert sum(row["share"] for row in data["agents"]) == pytest.approx(1)
    assert data["agents"][0]["low"] > 0.5
    [folder] = (here / "runs" / "arena").iterdir()
    assert here / data["folder"] == folder
    assert folder.name.startswith("connect_four-2p-")
    result_file = json.loads((folder / "result.json").read_text())
    assert [row["share"]["mean"] for row in result_file["agents"]] == [row["share"] for row in data["agents"]]
    assert result_file["ratings"]["anchor"] == data["ratings"]["anchor"] == "uniform"
    assert result_file["ratings"]["agents"] == data["ratings"]["agents"]
    assert result_file["ratings"]["agents"][0]["low"] > 0
    assert len(polars.read_parquet(folder / "games.parquet")) == 160
    assert len(json.loads((folder / "payoff.json").read_text())) == 4


@pytest.mark.slow
def test_json_says_all_that_the_text_says() -> None:
    words = ("connect_four", "--agents", "greedy,mine.py:Gone", "--blocks", 40, "--threads", 1, "--league", "league.json")
    text = run(*words, "--out", "a").stdout
    data = found(*words, "--out", "a", code=1)
    assert (data["blocks"], data["parity"]) == (40, 0.5)
    assert f"{data['games']} games of {data['variant']} in {data['blocks']} blocks; parity {data['parity']:.2%}" in text
    for row, rated in zip(data["agents"], data["ratings"]["agents"], strict=True):
        assert f"{row['share']:.2%}" in text
        assert f"{row['utility_low']:+.3f} to {row['utility_high']:+.3f}" in text
        assert f"{row['score_low']:.2f} to {row['score_high']:.2f}" in text
        assert f"{row['paired']:.0%}" in text
        assert show.written(rated["rating"]) in text
        assert show.written(data["league"][row["name"]]["mu"]) in text
    [lost] = data["forfeits"]
    assert (lost["agent"], lost["games"]) == ("mine.py:Gone", data["agents"][1]["forfeits"])
    assert "its process ended with exit code 3" in lost["why"]
    told = run("kuhn_poker", "--agents", "uniform,greedy", "--sprt", "20:30", "--json").stdout
    assert json.loads(told)["verdict"].startswith("the first agent's share is above 20.00%")


@pytest.mark.slow
def test_rules_of_ones_own_in_bloody_inn(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "rules.toml").write_text("[start]\ncash = { value = 7 }\n")
    words = ("bloody_inn", "--seats", 2, "--agents", "uniform", "--blocks", 2)
    result = run(*words, "--rules", "mine", "--json")
    assert "alehouse: rules of mine: start.cash is 7, not 5\n" in result.stderr
    assert json.loads(result.stdout)["variant"] == "bloody_inn-2p?start.cash=7"


def test_tables_for_people() -> None:
    text = run("connect_four", "--agents", "uniform,mine.py:Last", "--blocks", 20, "--league", "league.json").stdout
    for words in (
        "mine.py:Last",
        "40 games of connect_four-2p in 20 blocks; parity 50.00%",
        "Plackett-Luce",
        "mu",
        "runs/arena/connect_four-2p-",
    ):
        assert words in text
    assert json.loads(Path("league.json").read_text())["ratings"]["uniform"]["games"] == 40
    run("connect_four", "--agents", "uniform,mine.py:Last", "--blocks", 30, "--league", "league.json")
    assert json.loads(Path("league.json").read_text())["ratings"]["uniform"]["games"] == 60


def test_rules_to_stop() -> None:
    data = found("connect_four", "--agents", "uniform", "--until", "5pp")
    assert data["games"] == 1000  # a span of quick games
    data = found("kuhn_poker", "--agents", "uniform,mine.py:Last", "--until", "5pp", "--on", "threads")
    assert data["agents"][0]["high"] - data["agents"][0]["low"] <= 0.1
    assert (
        "Sequential test: the first agent's share is above 20.00%"
        in run("kuhn_poker", "--agents", "uniform,greedy", "--sprt", "20:30").stdout
    )


@pytest.mark.slow
def test_the_same_everywhere() -> None:
    words = ("connect_four", "--agents", "uniform,mine.py:Chatty", "--blocks", 48, "--seed", 3)
    whole = found(*words, "--on", "threads", "--threads", 1, "--out", "a")
    assert found(*words, "--on", "threads", "--threads", 2, "--out", "b") == whole
    assert found(*words, "--threads", 2, "--out", "c") == whole  # agents from files play in processes
    assert found(*words, "--out", "a") == whole
    assert found(*words[:-1], 4, "--out", "d") != whole
    again = run(*words, "--out", "a", "--json").stdout
    assert again == run(*words, "--out", "a", "--json").stdout  # clocks too: nothing is played again


@pytest.mark.slow
def test_a_process_that_ends_costs_one_game() -> None:
    words = ("connect_four", "--blocks", 32, "--threads", 1)
    good = games(*words, "--agents", "uniform,mine.py:Last", "--out", "good")
    result = run(*words, "--agents", "uniform,mine.py:Gone", "--out", "bad", "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["games"] == 64
    bad = polars.read_parquet("bad/games.parquet")
    lost = bad.filter(polars.col("forfeited"))
    assert 0 < len(lost) <= 20
    assert set(lost["agent"]) == {"mine.py:Gone"}
    fine = bad["finished"]
    assert good.filter(fine)["utility"].to_list() == bad.filter(fine)["utility"].to_list()
    assert re.search(
        r"agent 'mine.py:Gone' forfeited \d+ of 64 games, first in block \d+: its process ended with exit code 3", result.stderr
    )


@pytest.mark.slow
def test_compiled_code_that_does_not_end_costs_one_game() -> None:
    words = ("kuhn_poker", "--blocks", 32, "--threads", 1, "--limit", 0.2)
    good = games(*words, "--agents", "uniform,mine.py:Last", "--out", "good")
    result = run(*words, "--agents", "uniform,mine.py:endless", "--out", "bad")
    assert result.exit_code == 1
    assert "compiled code that does not end?" in result.stderr
    bad = polars.read_parquet("bad/games.parquet")
    fine = bad["finished"]
    assert 0 < (~fine).sum() <= 6
    assert good.filter(fine)["utility"].to_list() == bad.filter(fine)["utility"].to_list()


def games(*words: object) -> polars.DataFrame:
    """Every game of a run that goes well."""
    result = run(*words)
    assert result.exit_code == 0, result.output
    return polars.read_parquet(f"{words[-1]}/games.parquet")


COMMAND = ("arena", "connect_four", "--agents", "uniform,mine.py:Slow", "--blocks", "120", "--batch", "4", "--json", "--out")


def started(folder: str) -> subprocess.Popen[str]:
    """The command in a process of its own, after it has played some games."""
    before = len(list(Path(folder).glob("blocks-*")))
    heard = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        process = subprocess.Popen([sys.executable, "-m", "alehouse", *COMMAND, folder], stdout=-1, stderr=-1, text=True)
    finally:
        signal.signal(signal.SIGINT, heard)
    end = time.monotonic() + 120
    while len(list(Path(folder).glob("blocks-*"))) == before and time.monotonic() < end:
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    return process


@pytest.mark.slow
def test_stopped_by_force_and_by_ctrl_c_it_goes_on_to_the_same_result() -> None:
    process = started("run")
    process.kill()
    process.communicate()
    done = {path.name for path in Path("run").glob("blocks-*")}
    assert 0 < len(done) < 60
    assert not (Path("run") / "result.json").exists()
    process = started("run")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert done < {path.name for path in Path("run").glob("blocks-*")}
    part = json.loads(out) if out else {"games": 0}
    assert part["games"] < 240
    words = COMMAND[1:-2]
    assert found(*words, "--out", "run") == found(*words, "--on", "threads", "--out", "whole")
    assert (Path("run") / "payoff.json").read_text() == (Path("whole") / "payoff.json").read_text()


def test_workers_end_with_the_run() -> None:
    process = started("run")
    workers = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True).stdout.split()
    assert workers
    process.kill()
    process.communicate()
    end = time.monotonic() + 20
    while any(alive(int(pid)) for pid in workers) and time.monotonic() < end:
        time.sleep(0.1)
    assert not any(alive(int(pid)) for pid in workers)


def alive(pid: int) -> bool:
    """Whether a process runs."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False


BAD = {
    "unknown game": ("ludo", "--agents", "uniform"),
    "unknown agent": ("connect_four", "--agents", "uniform,clever"),
    "no agent": ("connect_four", "--agents", ""),
    "too many agents": ("connect_four", "--agents", "uniform,uniform,uniform"),
    "no such file": ("connect_four", "--agents", "nowhere.py:Agent"),
    "no such name": ("connect_four", "--agents", "mine.py:Nobody"),
    "bad seats": ("connect_four", "--agents", "uniform", "--seats", 5),
    "bad module": ("bloody_inn", "--agents", "uniform", "--modules", "goblin"),
    "bad override": ("bloody_inn", "--agents", "uniform", "--set", "start.cash=99"),
    "an id and seats": ("connect_four-2p", "--agents", "uniform", "--seats", 2),
    "two rules": ("connect_four", "--agents", "uniform", "--blocks", 3, "--until", "1pp"),
    "bad width": ("connect_four", "--agents", "uniform", "--until", "1"),
    "bad test": ("connect_four", "--agents", "uniform,uniform", "--sprt", "27:25"),
    "uneven test": ("bloody_inn", "--agents", "uniform,uniform,uniform", "--sprt", "25:27"),
    "bad place": ("connect_four", "--agents", "uniform", "--on", "moon"),
    "a file for a folder": ("connect_four", "--agents", "uniform", "--blocks", 3, "--out", "mine.py"),
    "no league": ("connect_four", "--agents", "uniform", "--blocks", 3, "--league", "mine.py"),
    "no folder for the league": ("connect_four", "--agents", "uniform", "--blocks", 3, "--league", "nowhere/league.json"),
}


@pytest.mark.parametrize("words", BAD.values(), ids=BAD)
def test_bad_input_gets_one_line(words: tuple[object, ...]) -> None:
    result = run(*words)
    assert result.exit_code == 2, result.output
    assert not result.stdout
    assert result.stderr.startswith("alehouse: ")
    assert result.stderr.count("\n") == 1


def test_without_the_libraries_it_says_how_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("alehouse.commands.arena.LIBRARIES", ("numpy", "no_such_library"))
    result = run("connect_four", "--agents", "uniform")
    assert result.exit_code == 2
    assert result.stderr == "alehouse: the arena needs no_such_library: pip install 'alehouse[study]'\n"


def test_ray_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    result = run("connect_four", "--agents", "uniform", "--blocks", 1, "--on", "ray")
    assert result.exit_code == 2
    assert "pip install 'alehouse[ray]'" in result.stderr


@pytest.mark.slow
def test_the_examples_of_the_page_play(here: Path) -> None:
    page = (ROOT / "docs" / "arena.md").read_text(encoding="utf-8")
    for block in re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL):
        (here / re.findall(r"^# (\w+\.py)", block)[0]).write_text(block)
    bot = f"process:{sys.executable} bot.py"
    for other in ("my_agents.py:First", "my_agents.py:lowest"):
        data = found("connect_four", "--agents", f"{bot},{other}", "--blocks", 6)
        assert [row["share"] for row in data["agents"]] == [0.5, 0.5]  # all three take the first legal action
    data = found("connect_four", "--agents", f"my_agents.py:Last,{bot}", "--blocks", 6)
    assert data["games"] == 12
