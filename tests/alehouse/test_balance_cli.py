"""`alehouse balance` and `alehouse sweep`: what they print and keep, and how a stopped run goes on to the same bytes."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

import polars
import pytest
from typer.testing import CliRunner, Result

from alehouse.benchmarks.balance import study
from alehouse.benchmarks.balance.measures import MEASURES
from alehouse.benchmarks.balance.report import SENTENCES
from alehouse.cli import app
from alehouse.commands import worth_knowing
from alehouse.envs.core.declare.game import rules_digest
from alehouse.envs.games import game, variant
from tests import toy
from tests.slow import slow

INN = game("bloody_inn")
OBJECTS = ("bloody_inn", "--modules", "objects", "--seats", "2", "--length", "short")
SMALL = ("bloody_inn", "--modules", "none", "--seats", "2", "--length", "short", "--as-guessed")


def run(*words: object) -> Result:
    """A command, in this process."""
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of one's own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
def test_what_json_holds(here: Path) -> None:
    result = run("balance", *SMALL, "--blocks", 600, "--set", "game.rent=5", "--json")
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    assert list(data) == ["game", "games", "seconds", "effects", "seats", "items", "sentences", "report"]
    assert (data["game"], data["games"]) == ("bloody_inn", 1200)
    assert len(data["effects"]) == len(MEASURES)
    assert all(list(row) == ["effect", "measure", "estimate", "low", "high", "kind", "p"] for row in data["effects"])
    score = next(row for row in data["effects"] if row["measure"] == "score")
    assert score["effect"] == "game.rent=5"
    assert 0 < score["low"] < score["estimate"] < score["high"]  # dearer rooms are money for everybody
    assert [(row["seats"], row["place"]) for row in data["seats"]] == [(2, 1), (2, 2)]
    [folder] = (here / "runs" / "balance").iterdir()
    assert here / data["report"] == folder / "report.html"
    assert tomllib.loads((folder / "config.toml").read_text())["set"] == ["game.rent=5"]
    text = run("balance", *SMALL, "--blocks", 600, "--set", "game.rent=5").stdout
    assert all(sentence in text for sentence in data["sentences"][1:])  # the first says how many games were played this time
    assert len(data["sentences"]) >= 3
    assert {row["measure"] for row in data["effects"] if row["p"] < 0.05} == {
        m.name for m in MEASURES if f" {m.name} " in text.partition("found beyond")[2]
    }
    cells = polars.read_parquet(folder / "cells.parquet")
    assert len(cells) == 2 * len(MEASURES)
    assert cells.equals(polars.read_csv(folder / "cells.csv", schema=cells.schema))
    page = (folder / "report.html").read_text()
    for figure in ("agent0-effects.svg", "agent0-seats.svg"):
        assert (folder / figure).read_text() in page
    opening = page[page.index("</h1>") : page.index("<table>")]
    assert 3 <= opening.count("<p>") <= SENTENCES
    assert rules_digest(*(variant(text) for text in dict.fromkeys(cells["variant"]))) in page
    assert all(entry.key in page for entry in INN.numbers.guesses())
    assert "<svg" in page
    assert not re.search(r"(src|href)=.?http|<script|<link|url\(http|@import", page)


@pytest.mark.slow
def test_findings_over_unknown_numbers(here: Path) -> None:
    """Three guesses matter to objects: where a cake may be put, what quicklime does, and whether the well pays."""
    result = run("balance", *OBJECTS, "--blocks", 700, "--json")
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    assert data["games"] == 2 * 704  # 22 rule sets of 32 blocks
    assert data["unknown"]["heuristic"]["rule_sets"] == 22
    rows = data["unknown"]["heuristic"]["most_worth_looking_up"]
    assert {row["key"] for row in rows} == {"switch.cake_room", "switch.quicklime", "switch.well_pays"}
    length = next(row for row in data["effects"] if row["measure"] == "length")
    assert (length["verdict"], length["same_sign"]) == ("robust", 1)  # objects are asked about, whatever three of them do
    assert 0.95 <= length["same_sign_low"] <= length["same_sign_high"] <= 1
    assert all(one["key"] != "switch.ev_pickpockets" for row in data["effects"] + data["seats"] for one in row["movers"])
    assert data["sentences"][1].startswith(f"5 of the {len(INN.numbers)} numbers of the game are guesses, and 3 of them matter here")
    assert data["sentences"][2].startswith("Robust with heuristic: +objects (length +")
    page = (here / data["report"]).read_text()
    assert "<h2>Numbers most worth looking up</h2>" in page
    by_guesses = json.loads(run("balance", *OBJECTS, "--blocks", 700, "--as-guessed", "--json").stdout)
    assert by_guesses["games"] == 2 * 700
    assert "unknown" not in by_guesses
    assert not {"verdict", "movers"} & {*by_guesses["effects"][0]}
    assert len(list((here / "runs" / "balance").iterdir())) == 2


@pytest.mark.slow
def test_a_game_with_guesses_is_studied_over_plausible_rule_sets(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two numbers of the toy are guesses; herbs bring a coin more for spice, whatever they are."""
    for place in ("balance.game", "cards.game"):
        monkeypatch.setattr(f"alehouse.commands.{place}", lambda name: toy.GAME)
    monkeypatch.setattr(worth_knowing, "MINUTES", 0.01)
    monkeypatch.setattr(study, "examples", lambda values, number: ())  # replays name their game, and the toy is not installed
    words = ("toy", "--agents", "uniform", "--blocks", 600)
    data = json.loads(run("balance", *words, "--json").stdout)
    assert data["games"] == 12 * 608  # 19 rule sets of 32 blocks
    assert (data["unknown"]["uniform"]["rule_sets"], data["unknown"]["uniform"]["numbers"]) == (19, 2)
    herbs = next(row for row in data["effects"] if (row["effect"], row["measure"]) == ("+herbs", "score"))
    assert (herbs["verdict"], herbs["same_sign_high"]) == ("robust", 1)
    assert {one["key"] for one in herbs["movers"]} == {"game.die", "tokens.silver.worth"}
    assert data["sentences"][1].startswith("2 of the 17 numbers of the game are guesses, and 2 of them matter here, so 19 rule sets")
    assert "+herbs (score +" in data["sentences"][2]
    assert "<h2>Numbers most worth looking up</h2>" in (here / data["report"]).read_text()
    guessed = json.loads(run("balance", *words, "--as-guessed", "--json").stdout)
    assert guessed["games"] == 12 * 600
    assert "unknown" not in guessed
    assert not {"verdict", "movers"} & {*guessed["effects"][0]}
    assert len(list((here / "runs" / "balance").iterdir())) == 2
    asked = json.loads(run("cards", "toy", "--ask", "--json").stdout)
    assert [row["key"] for row in asked["ask"]] == ["game.die", "tokens.silver.worth"]  # the die fills the pot in every round
    (here / "mine").mkdir()
    (here / "mine" / "rules.toml").write_text('[game]\ndie = { value = 3, from = "box" }\n')
    said = run("cards", "toy", "--ask", "--rules", "mine").stdout
    assert "tokens.silver.worth" in said
    assert "game.die" not in said  # its owner looked it up


@pytest.mark.slow
def test_two_agents_each_have_their_say() -> None:
    words = (*SMALL, "--blocks", 300, "--set", "game.rent=5", "--agents", "heuristic,uniform")
    data = json.loads(run("balance", *words, "--json").stdout)
    assert [row["agents"] for row in data["effects"]] == ["heuristic"] * len(MEASURES) + ["uniform"] * len(MEASURES)
    assert data["games"] == 2 * 2 * 300
    said = run("balance", *words).stdout
    assert re.search(r"Of the \d main effects that weak \(uniform\) or strong play \(heuristic\) shows, both show \d", said)
    assert "each one seed in all 2 cells" in said


@pytest.mark.slow
def test_experiments_beside_the_cells_play_what_was_asked_for(here: Path) -> None:
    data = json.loads(run("balance", *SMALL, "--blocks", 8000, "--set", "game.rent=5", "--json").stdout)
    assert {row["variant"] for row in data["items"] if row["by"] == "swap"} == {"bloody_inn-2p?game.rent=5"}
    page = next((here / "runs" / "balance").glob("*/report.html")).read_text()
    assert "<h2>Items by experiment in bloody_inn-2p?game.rent=5</h2>" in page
    assert "<h2>Luck and skill in bloody_inn-2p?game.rent=5</h2>" in page


@pytest.mark.slow
def test_numbers_of_seats_say_nothing_about_who_wins() -> None:
    result = run("balance", *SMALL, "--blocks", 600, "--check")
    assert result.exit_code == 0, result.output
    assert "in 1 of 1 variants all shares are even within their intervals, which hold together for 2 seats" in result.stdout
    assert "The first player is the first to be asked in 100.0% to 100.0% of the games" in result.stdout
    result = run("balance", "connect_four", "--agents", "uniform", "--blocks", 4000, "--check", "--json")
    assert result.exit_code == 1
    [row] = json.loads(result.stdout)["variants"]
    assert row["firsts"] == [1, 0]
    [said] = row["faults"]
    assert said.endswith("as not every seat is first equally often: seat 0 in 100.0% of the games")


@pytest.mark.slow
def test_a_number_of_a_module_that_is_out_does_nothing() -> None:
    data = json.loads(run("balance", *SMALL, "--blocks", 40, "--set", "events.cirrhosis.amount=3", "--json").stdout)
    assert {(row["estimate"], row["low"], row["high"]) for row in data["effects"]} == {(0, 0, 0)}


@pytest.mark.slow
def test_a_range_and_a_folder_of_rules(here: Path) -> None:
    data = json.loads(run("balance", *SMALL, "--blocks", 40, "--set", "game.rent=0..2", "--json").stdout)
    assert [row["effect"] for row in data["effects"][:: len(MEASURES)]] == ["game.rent=0 to game.rent=1", "game.rent=1 to game.rent=2"]
    (here / "mine").mkdir()
    text = (INN.folder / "rules.toml").read_text()
    (here / "mine" / "rules.toml").write_text(text.replace("rent = { value = 1,", "rent = { value = 5,"))
    one = json.loads(run("balance", *SMALL, "--blocks", 40, "--rules", "mine", "--against-printed", "--json").stdout)
    two = json.loads(run("balance", *SMALL, "--blocks", 40, "--set", "game.rent=5", "--json").stdout)
    assert one["effects"][0]["effect"] == "rules of mine"
    assert [row["estimate"] for row in one["effects"]] == [row["estimate"] for row in two["effects"]]
    alone = run("balance", *SMALL, "--blocks", 40, "--rules", "mine", "--json")
    assert json.loads(alone.stdout)["effects"] == []
    assert "alehouse: rules of mine: game.rent is 5, not 1" in alone.stderr


@pytest.mark.slow
def test_a_sweep_ranks_and_keeps_a_table(here: Path) -> None:
    result = run("sweep", "bloody_inn", "--seats", 2, "--modules", "none", "--over", "game.rent,game.corpse", "--blocks", 60, "--json")
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    assert data["games"] == 60 * (1 + len(data["numbers"]))
    assert {row["key"] for row in data["numbers"]} == {"game.rent"}  # 9 and 11 francs for a corpse are no checks
    assert [row["shift"] for row in data["numbers"]] == sorted((row["shift"] for row in data["numbers"]), reverse=True)
    [folder] = (here / "runs" / "balance").iterdir()
    assert len(polars.read_csv(folder / "sweep.csv")) == len(data["numbers"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("balance", "chess"), "game 'chess': one of"),
        (("balance", *SMALL, "--set", "game.rant=2"), "no such number; near it: game.rent"),
        (("balance", *SMALL, "--set", "game.rent=9"), "game.rent=9: a whole number from 0 to 5"),
        (("balance", *SMALL, "--set", "game.rent=1"), "the same numbers as printed"),
        (("balance", *SMALL, "--set", "game.rent=1..9"), "game.rent=9: a whole number from 0 to 5"),
        (("balance", *SMALL, "--set", "game.rent=2", "--rules", "x"), "--set or --rules"),
        (("balance", *SMALL, "--against-printed"), "--against-printed: give --rules DIR"),
        (("balance", "bloody_inn", "--seats", "1"), "alehouse arena bloody_inn --seats 1 shows how often agents get a title"),
        (("balance", "bloody_inn", "--seats", "2,7"), "numbers from 2, 3, 4"),
        (("balance", "bloody_inn", "--modules", "elves"), "module 'elves'; bloody_inn has carnies"),
        (("balance", "bloody_inn", "--length", "endless"), "bloody_inn has short, long"),
        (("balance", *SMALL, "--agents", "mine.py:Agent"), "the balance lab plays uniform, greedy, heuristic, rollout, ismcts"),
        (
            ("balance", *SMALL, "--agents", "net", "--fair-price", "annex", "--number", "game.rent"),
            "agent 'net': only uniform, greedy and heuristic play games with exchanged items",
        ),
        (("balance", *SMALL, "--agents", "ismcts:5ms"), "a limit in milliseconds gives different games every time"),
        (("balance", *SMALL, "--agents", "rollout:4,rollout:iterations=4"), "'rollout:4' twice"),
        (
            ("balance", *SMALL, "--explain", "place 3 of 2"),
            "--explain 'place 3 of 2': bloody_inn as asked for has no such effect; near it: place 2 of 2",
        ),
        slow(("balance", *SMALL, "--explain", "place 1 of 2", "--minutes", "0.00001"), "too short to try"),
        (("balance", *SMALL, "--check", "--agents", "greedy,uniform"), "--check: give one of --agents"),
        (("balance", *SMALL, "--unknown"), "give --unknown or --as-guessed, not both"),
        (("balance", *OBJECTS, "--unknown", "--check"), "--unknown with --check: --check plays by the given numbers"),
        (("balance", *OBJECTS, "--unknown", "--explain", "place 1 of 2"), "--unknown with --explain: --explain plays by the given"),
        (("balance", *OBJECTS, "--unknown", "--fair-price", "annex"), "--unknown with --fair-price: --fair-price plays by the given"),
        (
            ("balance", "connect_four", "--agents", "greedy", "--unknown"),
            "--unknown: no number of connect_four that matters here is a guess",
        ),
        (("balance", *OBJECTS, "--blocks", "64"), "nothing is concluded from fewer than 6 rule sets; give --blocks 192 or more"),
        (("cards", "bloody_inn", "--ask", "--guesses"), "cards: give --ask or --guesses, not both"),
        (("balance", *SMALL, "--on", "moon"), "--on moon: one of threads, ray"),
        (("balance", *SMALL, "--on", "ray"), "measured on this machine alone; give --blocks"),
        (("sweep", "bloody_inn", "--over", "game.*", "--agent", "greedy,uniform"), "one agent"),
        (("balance", *SMALL, "--minutes", "0"), "--minutes 0: more than 0"),
        slow(("balance", "bloody_inn", "--minutes", "0.000001"), "too short for any conclusion; 72 cells need about"),
        (("sweep", "bloody_inn", "--over", "nothing.*"), "no number of bloody_inn has such a name"),
        (("sweep", "bloody_inn", "--over", "game.*", "--by", "some"), "--by some: a whole number above 0"),
    ],
)
def test_bad_input_is_said_plainly(words: tuple[str, ...], said: str) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert said in result.stderr
    assert "Traceback" not in result.output
    assert not Path("runs").exists() or "too short" in said  # a run that was timed has a folder


def files(folder: Path) -> dict[str, bytes]:
    """What must be the same, by name: everything but the clock and the page that shows it."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix in (".npz", ".parquet", ".csv")}


def process(*words: str) -> subprocess.Popen[bytes]:
    """The command in a process of its own."""
    return subprocess.Popen([sys.executable, "-m", "alehouse", "balance", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def until_started(folder: Path, running: subprocess.Popen[bytes]) -> None:
    """Wait for the second chunk."""
    end = time.monotonic() + 300
    while len(list(folder.glob("*.npz"))) < 2:
        assert running.poll() is None, running.communicate()
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.slow
@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGINT])
def test_a_stopped_run_goes_on_to_the_same_bytes(here: Path, blow: signal.Signals) -> None:
    words = ("connect_four", "--agents", "greedy", "--blocks", "200000", "--json")
    running = process(*words, "--out", "cut")
    until_started(here / "cut", running)
    os.kill(running.pid, blow)
    out = running.communicate()[0]
    assert running.returncode in ((130,) if blow == signal.SIGINT else (-signal.SIGKILL,))
    if blow == signal.SIGINT:
        done: Any = json.loads(out)
        assert 0 < done["games"] < 200000
        assert "stopped early" in (here / "cut" / "report.html").read_text()
    for folder in ("cut", "whole"):
        assert run("balance", *words, "--out", folder).exit_code == 0
    assert files(here / "cut") == files(here / "whole")
    assert "stopped early" not in (here / "cut" / "report.html").read_text()


def test_a_folder_of_another_question_is_refused() -> None:
    assert run("balance", "connect_four", "--agents", "greedy", "--blocks", 40, "--out", "one").exit_code == 0
    result = run("balance", "connect_four", "--agents", "greedy", "--blocks", 40, "--out", "one", "--seed", 1)
    assert result.exit_code == 2
    assert "seed changed" in result.stderr


def test_without_ray_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    result = run("balance", "connect_four", "--agents", "greedy", "--blocks", 40, "--on", "ray")
    assert result.exit_code == 2
    assert "pip install 'alehouse[ray]'" in result.stderr
