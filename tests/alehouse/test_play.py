"""`alehouse play` in lines of text: what is shown, what is refused, and that no match is lost."""

import functools
from pathlib import Path

import pytest
from typer.testing import CliRunner

from alehouse.cli import app
from alehouse.envs.core.run.replay import Replay
from alehouse.envs.games import game
from alehouse.levels import levels
from alehouse.matches.lines import Lines
from alehouse.matches.match import Match

DRAFT = ("bloody_inn-2p-objects", "--seat", "0,1", "--seed", "1")
FOUR = ("connect_four", "--vs", "uniform", "--seed", "1")


@pytest.fixture(autouse=True)
def somewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")


def play(*options, lines=(), code=0):
    """Play with lines from standard input, and return what was printed."""
    found = CliRunner().invoke(app, ["play", *options], input="".join(f"{line}\n" for line in lines))
    assert found.exit_code == code, found.output
    return found.stdout if code == 0 else found.stderr


def journal():
    """The only match on the disk."""
    [path] = Path("runs/play").glob("*.jsonl")
    return path


# Games


def test_a_game_is_played_to_its_end():
    said = play(*FOUR, lines=["1"] * 30)
    assert "1. player_0 (human): 1 point" in said
    assert "2. player_1 (uniform): 0 points" in said
    assert said.count("You are player_0: choose an action") == sum(Match.open(journal()).by_hand)
    assert Match.open(journal()).over
    replay = journal().with_suffix(".json")
    assert said.rstrip().endswith(f"alehouse review {replay}")
    assert len(Replay.load(replay).actions) == len(Match.open(journal()).actions)


def test_the_end_of_input_keeps_the_match():
    said = play(*FOUR, lines=["4"])
    assert said.rstrip().endswith(f"alehouse play --continue {journal()}")
    assert Match.open(journal()).actions[0] == 3
    again = play("--continue", str(journal()), lines=["4"])
    assert ". . . x . . ." in again
    assert len(Match.open(journal()).actions) == 4


def test_quit_and_ctrl_c_keep_the_match(monkeypatch):
    play(*FOUR, lines=["4", "quit"])
    moves = len(Match.open(journal()).actions)

    def interrupted(text):
        raise KeyboardInterrupt

    monkeypatch.setattr("alehouse.commands.play.Lines", functools.partial(Lines, read=interrupted))
    found = CliRunner().invoke(app, ["play", "--continue", str(journal())])
    assert found.exit_code == 130
    assert f"alehouse play --continue {journal()}" in found.stdout
    assert len(Match.open(journal()).actions) == moves


def test_lines_fit_a_small_terminal():
    said = play(*DRAFT, lines=["", "1", "", "1", "view", "?", "log", "", "1", "", "1", "view"])
    assert max(map(len, said.splitlines())) < 80


# What a person may ask


def test_a_question_is_explained_with_its_rule():
    said = play(*DRAFT, lines=["", "?"])
    assert "You are asked to keep an object of the hand. Rule 2.3 (module objects)" in said
    assert "An answer does this: Keep an object; it stays secret." in said
    assert "why NAME" in said


def test_an_answer_that_is_refused_is_explained():
    said = play(
        "connect_four", "--seat", "0,1", lines=["", *[line for _ in range(6) for line in ("1", "")], "drop:a", "why drop:a", "99", "x"]
    )
    assert said.count("drop:a is not possible: ") == 2
    assert "'99' is neither an answer from 1 to 6 nor a command" in said
    assert "no action is called 'drop:z'; names look like drop:" in play(*FOUR, "--out", "b.jsonl", lines=["why drop:z"])


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("hint", "4 Drop a disc into column d: wins 100% (± 0%)"),
        ("4", "you: Drop a disc into column d - the best answer by this measure"),
        ("7", "of the win; better: Drop a disc into column d"),
    ],
)
def test_a_hint_and_a_teacher_see_a_win(line, told):
    three = [text for answer in "414141" for text in ("", answer)]  # three discs in column d
    said = play("connect_four", "--seat", "0,1", "--teach", lines=[*three, "", line])
    assert told in " ".join(said.split())


def test_undo_takes_back_an_answer():
    said = play(*FOUR, lines=["4", "undo", "undo"])
    assert "2 moves taken back" in said
    assert "there is no answer to take back" in said
    assert Match.open(journal()).actions == ()


def test_an_agent_takes_a_seat():
    said = play(*FOUR, lines=["seat 5 uniform", "seat x", "seat 0 nobody", "seat 0 uniform"])
    assert "uniform plays player_0 from now on" in said
    assert "seat 5: 0 to 1" in said
    assert "agent 'nobody'" in said
    assert Match.open(journal()).over


def test_a_game_is_saved_as_a_replay():
    said = play(*FOUR, lines=["4", "save", "save nowhere/x.json", "save mine.json"])
    assert "2 moves; alehouse replay" in said
    assert "nowhere" in said
    assert Replay.load("mine.json") == Replay.load(journal().with_suffix(".json"))


# Secrets


def test_the_next_person_does_not_see_the_cards_of_the_last():
    said = play("kuhn_poker", "--seat", "0,1", "--seed", "1", lines=["", "2", "", "view"])
    first, second, third = said.split("Press Enter when nobody else can see the screen.")
    cards = [("jack", "queen", "king")[card] for card in Match.open(journal()).at(0).states["card"][0]]
    assert f"player_0: {cards[0]}" in second
    assert cards[0] not in third
    assert f"player_1: {cards[1]}" in third
    assert not any(card in first for card in cards)


def test_a_hidden_answer_is_told_as_hidden():
    said = play(*DRAFT, lines=["", "1", "", "1", ""])
    kept = Match.open(journal()).log(0)[0].words
    second = said.split("player_1 is asked. Press Enter")[1]
    assert "player_0 (human): an answer that stays hidden (keep an object of the hand)" in second
    assert kept not in second.partition("player_0 is asked. Press Enter")[0]


# Bad input


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "say what to play"),
        (("connect_four", "--continue", "x.jsonl"), "say what to play"),
        (("--continue", "x.jsonl"), "x.jsonl: there is no such file"),
        (("chess",), "chess"),
        (("connect_four", "--seat", "2"), "--seat 2: seats from 0 to 1"),
        (("connect_four", "--seat", "x"), "--seat x: seats from 0 to 1"),
        (("connect_four", "--vs", "nobody"), "agent 'nobody'"),
        (("connect_four", "--vs", "uniform,greedy"), "2 names for 1 other seats"),
        (("connect_four", "--vs", "uniform", "--level", "2"), "--vs or --level, not both"),
    ],
)
def test_bad_input_is_told_in_one_line(options, said):
    found = play(*options, code=2)
    assert said in found
    assert len(found.splitlines()) == 1


def test_without_textual_the_screen_says_what_to_install(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert "--screen needs textual: pip install 'alehouse[play]'" in play("connect_four", "--screen", code=2)
    assert not Path("runs").exists()


def test_a_damaged_match_is_told_in_one_line():
    Path("x.jsonl").write_text("nonsense\n")
    assert len(play("--continue", "x.jsonl", code=2).splitlines()) == 1


def test_a_match_from_elsewhere_runs_no_program():
    Path("mine.py").write_text("from pathlib import Path\nPath('ran').touch()\ndef first(obs, mask):\n    return int(mask.argmax())\n")
    play("connect_four", "--vs", "mine.py:first", lines=["4"])
    Path("ran").unlink()
    assert "mine.py:first' is a program from outside this package; --trust runs it" in play("--continue", str(journal()), code=2)
    assert not Path("ran").exists()
    play("--continue", str(journal()), "--trust", lines=["4"])
    assert len(Match.open(journal()).actions) == 4


def test_levels_are_listed():
    said = play("connect_four", "--levels")
    listed = [line.split()[:3] for line in said.splitlines()[3:9]]
    assert listed == [[str(one.number), one.name, one.agent] for one in levels(game("connect_four"))]
    assert not Path("runs").exists()


def test_levels_sit_at_the_other_seats():
    said = play("connect_four", "--level", "regular")
    level = levels(Match.open(journal()).variant.spec)[1]
    assert f"player_1: level:2 (regular), {level.agent}, " in said
    assert Match.open(journal()).players == ("human", "level:2")
