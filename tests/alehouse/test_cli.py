"""The command line: what it prints, its exit codes, bad input, Ctrl-C."""

import contextlib
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import alehouse
from alehouse.cli import app
from alehouse.envs.core.run.tables import Tables
from tests.slow import slow

SCRIPT = (sys.executable, "-m", "alehouse")


def run(*words: object) -> Result:
    """A command run in this process."""
    return CliRunner().invoke(app, [str(word) for word in words])


def output(*words: object) -> str:
    """What a command that must go well prints."""
    result = run(*words)
    assert result.exit_code == 0, result.output
    return result.stdout


def data(*words: object) -> Any:
    """The JSON a command prints."""
    return json.loads(output(*words, "--json"))


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A replay in which player_0 fills column a before player_1 fills column b: four in a column after seven moves."""
    path = tmp_path / "game.json"
    alehouse.Replay.of("connect_four", 7, [0, 1, 0, 1, 0, 1, 0]).save(path)
    return path


def test_help() -> None:
    assert "Exit codes" in output("-h")
    assert "--variant" in output("check", "-h")
    assert "..." not in output("-h").replace("[ARGS]...", "")
    for width in ("40", "80"):
        said = CliRunner(env={"COLUMNS": width}).invoke(app, ["check", "-h"]).stdout
        assert max(map(len, said.splitlines())) <= 80
        assert str(2**64 - 1) in said


def test_alone_it_shows_five_things_to_try() -> None:
    tried = [line.split("  ")[1].split()[1:] for line in output().splitlines() if line.startswith("  alehouse ")]
    assert len(tried) == 5
    for name, *_ in tried:
        assert run(name, "-h").exit_code == 0


def test_version() -> None:
    assert output("--version") == f"alehouse {alehouse.__version__}\n"


@pytest.mark.parametrize("shell", ["bash", slow("zsh"), slow("fish")])
def test_shell_completion(shell: str) -> None:
    code = "from alehouse.cli import app; app(prog_name='alehouse')"
    for typed, wanted, other in (("alehouse ba", "balance", "bench"), ("alehouse watch ti", "tiefenthal", "tavern_battle")):
        environment = os.environ | {"_ALEHOUSE_COMPLETE": f"complete_{shell}", "COMP_WORDS": typed, "COMP_CWORD": str(typed.count(" "))}
        environment |= {"_TYPER_COMPLETE_ARGS": typed, "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
        assert wanted in done.stdout
        assert other not in done.stdout


def test_games() -> None:
    rows = {row["game"]: row for row in data("games", "--reference")["games"]}
    assert set(rows) == {*alehouse.GAMES, *alehouse.REFERENCE}
    inn, four = rows["bloody_inn"], rows["connect_four"]
    assert (inn["seats"], inn["lengths"], inn["variants"]) == ([1, 2, 3, 4], ["short", "long"], 96)
    assert {m["name"]: m["requires"] for m in inn["modules"]} == {"carnies": None, "events": "carnies", "notables": None, "objects": None}
    assert (four["seats"], four["variants"], four["actions"], four["observation"]) == ([2], 1, 7, 84)
    assert [row["game"] for row in data("games")["games"]] == list(alehouse.GAMES)
    assert "1-4" in output("games")


def test_cards() -> None:
    entries = {entry["key"]: entry for entry in data("cards", "bloody_inn")["entries"]}
    assert (entries["start.cash"]["value"], entries["start.cash"]["allowed"]) == (5, [0, 40])
    assert entries["cards.cultivator.money"]["value"] == 8
    guesses = data("cards", "bloody_inn", "--guesses")["entries"]
    assert {entry["key"] for entry in guesses} == {key for key, entry in entries.items() if "guess" in entry["from"]}
    assert {entry["key"]: entry["plausible"] for entry in guesses}["switch.well_pays"] == ["yes", "no"]
    known = data("cards", "bloody_inn")["known"]
    assert (known["printed"] - known["known"], sum(known["sources"].values())) == (len(guesses), len(entries))
    assert "start.cash" in output("cards", "bloody_inn")
    shown = output("cards", "bloody_inn", "--guesses")
    assert re.search(r"solo\.title_short +80 +70 to 90 +0 to 400", shown)
    assert "5 of 5 guesses have more than one plausible value." in shown


def test_play_by_corrected_tables(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    assert "rules.toml" in output("cards", "bloody_inn", "--export", folder)
    assert data("cards", "bloody_inn", "--rules", folder)["changes"] == []
    sheet = folder / "rules.toml"
    sheet.write_text(sheet.read_text().replace("cash = { value = 5", "cash = { value = 7", 1))
    found = data("cards", "bloody_inn", "--rules", folder)
    assert found["changes"] == [{"key": "start.cash", "was": 5, "is": 7}]
    assert found["variant"] == "bloody_inn-4p?start.cash=7"
    assert found["played"]["games"] == 20
    assert "start.cash" in output("cards", "bloody_inn", "--rules", folder)


def test_what_an_owner_confirms_is_known(tmp_path: Path) -> None:
    before = data("cards", "bloody_inn")["known"]["known"]
    (tmp_path / "rules.toml").write_text('[switch]\nwell_pays = { value = "yes", from = "box" }\ncake_room = { value = "own" }\n')
    (tmp_path / "objects.csv").write_text("key;Effect\ncake;Yummy\n")
    found = data("cards", "bloody_inn", "--rules", tmp_path)
    assert (found["confirmed"], found["changes"]) == (["switch.well_pays"], [{"key": "switch.cake_room", "was": "any", "is": "own"}])
    assert (found["known"]["known"], found["known"]["sources"]["owner"]) == (before + 2, 2)
    assert len(found["notes"]) == 3
    result = run("cards", "bloody_inn", "--guesses", "--rules", tmp_path, "--json")
    assert {e["key"] for e in json.loads(result.stdout)["entries"]} == {"solo.title_short", "switch.ev_pickpockets", "switch.quicklime"}
    assert "column 'effect': cake changed; this means nothing" in result.stderr
    assert result.stderr.count("\n") == 3


def test_check(monkeypatch: pytest.MonkeyPatch) -> None:
    good = data("check", "connect_four", "--games", 2)
    assert good == {"game": "connect_four", "faults": [], "variants": [{"variant": "connect_four-2p", "games": 2, "failures": []}]}
    v = alehouse.variant("connect_four")
    monkeypatch.setattr("alehouse.commands.check.check_game", lambda *_: iter([(v, 2, ["two discs in one cell"])]))
    bad = run("check", "connect_four", "--json")
    assert bad.exit_code == 1
    assert json.loads(bad.stdout)["variants"][0]["failures"] == ["two discs in one cell"]
    assert "two discs in one cell" in run("check", "connect_four").stdout


def test_check_plays_the_variants_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("alehouse.commands.check.check_game", lambda _, games, seed, chosen: ((v, games, [str(seed)]) for v in chosen))
    one, other = "bloody_inn-1p", "bloody_inn-2p-carnies-long"
    result = run("check", "bloody_inn", "--games", 3, "--seed", 5, "--variant", one, "--variant", other, "--json")
    assert json.loads(result.stdout)["variants"] == [{"variant": v, "games": 3, "failures": ["5"]} for v in (one, other)]
    assert len(json.loads(run("check", "bloody_inn", "--json").stdout)["variants"]) == 96


def test_signature(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [row] = data("signature", "kuhn_poker")["signatures"]
    assert row["variant"] == "kuhn_poker-2p"
    assert len(row["signature"]) == 16
    assert output("signature", "kuhn_poker").split() == [row["signature"], row["variant"]]
    monkeypatch.chdir(tmp_path)
    assert run("signature", "kuhn_poker", "--write").exit_code == 2
    (tmp_path / "tests").mkdir()
    kept = tmp_path / "tests" / "signatures.csv"
    kept.write_text("variant,signature\nconnect_four-2p,0\nkuhn_poker-9p,1\n")
    output("signature", "kuhn_poker", "--write")
    assert kept.read_text().split() == ["variant,signature", "connect_four-2p,0", f"kuhn_poker-2p,{row['signature']}"]


def test_replay(saved: Path) -> None:
    found = data("replay", saved)
    assert [found[key] for key in ("variant", "seed", "length", "verified", "over")] == ["connect_four-2p", 7, 7, True, True]
    assert [(m["seat"], m["name"]) for m in found["moves"]] == [(k % 2, "drop:" + "ab"[k % 2]) for k in range(7)]
    assert found["scores"] == [1, 0]
    text = output("replay", saved)
    assert "7. player_0: Drop a disc into column a (drop:a)" in text
    assert "points: 1, 0" in text
    assert "verified" in output("replay", saved, "--verify")
    assert data("replay", saved, "--verify")["verified"] is True


def test_a_replay_of_bloody_inn_says_which_rules_it_was_played_by(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    alehouse.Replay.of("bloody_inn-2p?game.rent=2&start.cash=7", 7, []).save(path)
    assert "rules: game.rent is 2, not 1; start.cash is 7, not 5" in output("replay", path).splitlines()


def test_a_replay_tells_what_followed_by_itself(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("alehouse.commands.moves.narrated", lambda tables, i, action: [f"the board shakes {action + 1} times"])
    assert [move["then"] for move in data("replay", saved)["moves"]][:2] == [["the board shakes 1 times"], ["the board shakes 2 times"]]
    lines = output("replay", saved).splitlines()
    assert [line for line in lines if "shakes" in line] == [f"   the board shakes {1 + k % 2} times" for k in range(7)]


def test_replay_in_part_and_in_pictures(saved: Path) -> None:
    found = data("replay", saved, "--to", 3, "--text")
    assert (len(found["moves"]), found["over"]) == (3, False)
    pictures = [move["text"] for move in found["moves"]] + [found["text"]]
    assert [sum(line.count("x") for line in text.split("\n")[:6]) for text in pictures] == [0, 1, 1, 2]
    assert output("replay", saved, "--text").count("a b c d e f g") == 8


def test_signatures_by_rules_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rules.toml").write_text("[start]\ncash = { value = 7 }\n")
    monkeypatch.setattr("alehouse.commands.signature.digest", lambda v: str(dict(v.overrides).get("start.cash")))
    monkeypatch.setattr("alehouse.commands.show.compiled", lambda played: None)
    assert {row["signature"] for row in data("signature", "bloody_inn", "--rules", tmp_path)["signatures"]} == {"7"}
    result = run("signature", "all", "--rules", tmp_path)
    assert result.exit_code == 2
    assert "for one game" in result.stderr


def test_warmup_and_doctor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("alehouse.commands.warmup.use_all", lambda spec: Tables(spec.variant()))
    assert [row["game"] for row in data("warmup", "connect_four", "kuhn_poker")["games"]] == ["connect_four", "kuhn_poker"]
    result = run("doctor", "--json")
    found = json.loads(result.stdout)
    assert found["versions"]["numba"]
    assert found["machine"]["threading_layer"] == "omp"
    assert found["compiled"]["connect_four"] is found["flags"]["jit"]
    assert result.exit_code == int(bool(found["problems"]))


def test_doctor_names_problems_and_what_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numba.config.BOUNDSCHECK", 1)
    result = run("doctor")
    assert result.exit_code == 1
    assert "unset NUMBA_BOUNDSCHECK" in result.stdout


def test_bench() -> None:
    found = data("bench", "--games", "kuhn_poker", "--seconds", 0.001, "--rounds", 1)
    assert set(found) == {"machine", "rows"}
    assert {row["game"] for row in found["rows"]} == {"kuhn_poker", "connect_four"}
    assert {row["mode"] for row in found["rows"]} == {"kernel", "batch", "heuristics", "ismcts:1000", "aec", "clone"}
    for row in found["rows"]:
        assert list(row) == ["game", "variant", "mode", "threads", "n", "decisions_per_s", "games_per_s", "lowest", "highest"]
        assert row["highest"] >= row["decisions_per_s"] >= row["lowest"] > 0
        assert (row["games_per_s"] is None) == (row["mode"] in ("clone", "ismcts:1000"))
    assert "connect_four-2p" in output("bench", "--games", "connect_four", "--seconds", 0.001, "--rounds", 1)


BAD = {
    "unknown game": ("check", "ludo"),
    "no numbers": ("cards", "kuhn_poker", "--export", "nowhere"),
    "unknown game to warm up": ("warmup", "ludo"),
    "unknown game to measure": ("bench", "--games", "connect_four,ludo"),
    "unknown game to sign": ("signature", "ludo"),
    "variant of another game": ("check", "connect_four", "--variant", "kuhn_poker-2p"),
    "too many seats": ("check", "bloody_inn", "--variant", "bloody_inn-7p"),
    "module without its base": ("check", "bloody_inn", "--variant", "bloody_inn-2p-events"),
    "override out of range": ("check", "bloody_inn", "--variant", "bloody_inn-2p?start.cash=99"),
    "no replay there": ("replay", "nowhere.json"),
    "no tables there": ("cards", "bloody_inn", "--rules", "nowhere"),
    "two things at once": ("cards", "bloody_inn", "--guesses", "--export", "nowhere"),
}


@pytest.mark.parametrize("words", BAD.values(), ids=BAD)
def test_bad_input_gets_one_line(words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*words)
    assert result.exit_code == 2
    assert not result.stdout
    assert result.stderr.startswith("alehouse: ")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        ("check",),
        ("nothing",),
        ("games", "--nothing"),
        ("check", "connect_four", "--games", "0"),
        ("check", "connect_four", "--games", 10**12),
        ("check", "connect_four", "--seed", "-1"),
    ],
)
def test_bad_usage(words: tuple[object, ...]) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert "Error: " in result.stderr


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"format": "another"}', "replaced"],
)
def test_a_damaged_replay(saved: Path, text: str) -> None:
    whole = json.loads(saved.read_text())
    saved.write_text(json.dumps({**whole, "actions": [0, 1, 0]}) if text == "replaced" else text)
    result = run("replay", saved)
    assert result.exit_code == 2
    assert str(saved) in result.stderr
    assert result.stderr.count("\n") == 1


def test_tables_are_not_exported_over_others(tmp_path: Path) -> None:
    assert run("cards", "bloody_inn", "--export", tmp_path).exit_code == 0
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert run("cards", "bloody_inn", "--export", tmp_path).exit_code == 2
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_ctrl_c_prints_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    v = alehouse.variant("connect_four")

    def interrupted(*_: object) -> Any:
        yield v, 2, []
        raise KeyboardInterrupt

    monkeypatch.setattr("alehouse.commands.check.check_game", interrupted)
    result = run("check", "connect_four", "--json")
    assert result.exit_code == 130
    assert len(json.loads(result.stdout)["variants"]) == 1


def test_ctrl_c_lost_without_a_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    v = alehouse.variant("connect_four")

    def lost(*_: object) -> Any:
        with contextlib.suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        yield from [(v, 2, [])] * 100

    monkeypatch.setattr("alehouse.commands.check.check_game", lost)
    result = run("check", "connect_four", "--json")
    assert result.exit_code == 130
    assert len(json.loads(result.stdout)["variants"]) == 1


def test_ctrl_c_turned_into_another_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(*_: object) -> Any:
        with contextlib.suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        raise RuntimeError("no compiled object yet")

    monkeypatch.setattr("alehouse.commands.check.check_game", lost)
    result = run("check", "connect_four")
    assert result.exit_code == 130
    assert not result.stderr
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_from_the_keyboard() -> None:
    keyboard, terminal = pty.openpty()
    command = [*SCRIPT, "bench", "--games", "connect_four", "--seconds", "0.02", "--rounds", "100000", "--json"]
    environment = os.environ | {"TERM": "xterm"}
    heard = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=terminal, text=True, env=environment)
    finally:
        signal.signal(signal.SIGINT, heard)
        os.close(terminal)
    seen = b""
    while b"measuring" not in seen:
        seen += os.read(keyboard, 1024)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    try:
        out, _ = process.communicate(timeout=120)
    finally:
        process.kill()
        os.close(keyboard)
    assert process.returncode == 130
    assert set(json.loads(out)) == {"machine", "rows"}


def test_without_typer_the_script_says_how_to_get_it() -> None:
    code = "import sys; sys.modules['typer'] = None; from alehouse.__main__ import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "pip install 'alehouse[cli]'" in done.stderr
