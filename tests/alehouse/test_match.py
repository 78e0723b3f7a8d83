"""Matches: nothing is lost, what can be taken back, what each seat is told, and files that are damaged."""

import json

import numpy as np
import pytest

import alehouse
from alehouse import Match
from alehouse.envs.core.run.replay import Replay
from alehouse.envs.core.run.tables import IllegalAction, Tables
from alehouse.matches.knowledge import told
from alehouse.matches.match import HUMAN, Stale
from alehouse.training.journal import sealed, unsealed

PASS, BET = 0, 1
DRAFT = "bloody_inn-2p-objects"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "match.jsonl"


def begun(path, name="connect_four", *players, seed=1):
    return Match.new(name, players or (HUMAN, "uniform"), seed, path)


def played(match, answers):
    """Let a person give some answers, and the agents theirs."""
    for action in answers:
        match.act(action)
        for _ in match.play_on():
            pass
    return match


def changed(path, number, **names):
    """Write other values into a line of a journal, with its digest."""
    lines = path.read_bytes().splitlines()
    lines[number] = sealed(unsealed(lines[number]) | names).rstrip()
    path.write_bytes(b"\n".join([*lines, b""]))


# Nothing is lost


def test_a_killed_process_loses_nothing(path):
    match = played(begun(path), [3, 3, 3])
    match.take_over(0, "uniform")
    match.take_over(0, HUMAN)
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    assert len(lines) == 9
    for kept in range(1, len(lines) + 1):
        for torn in (b"", lines[kept][:-1] if kept < len(lines) else b'{"change"'):
            path.write_bytes(b"".join(lines[:kept]) + torn)
            again = Match.open(path)
            moves = min(kept - 1, 6)
            assert (again.actions, again.version, again.seed) == (match.actions[:moves], kept - 1, match.seed)
            assert again.by_hand == (True, False) * (moves // 2) + (True,) * (moves % 2)
            assert path.read_bytes() == b"".join(lines[:kept])
            assert (again.tables.states == match.at(moves).states).all()
    assert Match.open(path).log(0) == match.log(0)


def test_a_move_is_on_disk_before_it_is_seen(path):
    match = begun(path)
    match.act(3)
    for moves in match.play_on():
        assert len(Match.open(path).actions) == moves == 2


def test_a_match_that_goes_on_ends_like_one_that_was_never_left(path, tmp_path):
    left, right = begun(path), begun(tmp_path / "other.jsonl")
    while not left.over:
        action = int(np.flatnonzero(left.tables.mask[0])[0])
        played(left, [action])
        played(right, [action])
        left = Match.open(path)
    assert left.actions == right.actions
    assert left.scores == right.scores
    assert (left.seat, left.waiting) == (-1, False)
    left.replay().save(tmp_path / "game.json")
    assert Replay.load(tmp_path / "game.json").tables().scores[0].tolist() == left.scores


def test_a_replay_is_played_on_from_its_end(path):
    match = Match.of(Replay.of("connect_four", 4, [3, 3, 2]), ("uniform", HUMAN), path)
    assert match.actions == (3, 3, 2)
    assert match.waiting
    assert match.no_undo() == "there is no answer to take back"
    assert Match.open(path).actions == (3, 3, 2)


# Answers


def test_an_illegal_answer_changes_nothing(path):
    match = played(begun(path, "connect_four", HUMAN, HUMAN), [0] * 6)
    before = path.read_bytes()
    for action in (0, 7, -1):
        with pytest.raises(IllegalAction):
            match.act(action)
    assert (len(match.actions), match.version, path.read_bytes()) == (6, 6, before)


def test_a_late_answer_is_refused(path):
    match = begun(path)
    played(match, [3])
    with pytest.raises(Stale, match="since version 0; it has version 2"):
        match.act(3, version=0)
    match.act(3, version=2)


def test_only_the_person_who_is_asked_answers(path):
    match = begun(path, "connect_four", "uniform", HUMAN)
    with pytest.raises(ValueError, match="player_0 is asked, and uniform plays there"):
        match.act(3)
    assert list(match.play_on()) == [1]
    assert match.waiting


def test_seats_change_hands(path):
    match = played(begun(path), [3])
    match.take_over(0, "uniform")
    for _ in match.play_on():
        pass
    assert match.over
    assert Match.open(path).players == ("uniform", "uniform")
    with pytest.raises(ValueError, match="the game is over"):
        match.act(3)
    for wrong in ((2, HUMAN), (0, "nobody"), (0, "")):
        with pytest.raises(ValueError):
            match.take_over(*wrong)


def test_a_fault_of_an_agent_leaves_a_match_that_goes_on(path, tmp_path):
    (tmp_path / "mine.py").write_text("def broken(obs, mask):\n    raise KeyError('oh')\n")
    match = begun(path, "connect_four", HUMAN, f"{tmp_path / 'mine.py'}:broken")
    match.act(3)
    with pytest.raises(ValueError, match=r"mine.py:broken': KeyError: 'oh'"):
        list(match.play_on())
    again = Match.open(path)
    again.take_over(1, "uniform")
    assert list(again.play_on()) == [2]


def test_a_hint_rates_the_open_question(path):
    match = played(begun(path, "connect_four", HUMAN, HUMAN), [3, 0, 3, 0, 3, 0])
    assert match.hint(plays=4).best.tolist() == [3]
    assert match.hint("uniform", plays=4).value[0, 3] == 1.0


# Taking back


def test_an_answer_is_taken_back_with_what_followed(path):
    match = played(begun(path), [3, 2])
    assert match.undo() == 2
    assert len(match.actions) == 2
    assert match.actions == Match.open(path).actions
    assert match.undo() == 2
    assert (match.actions, match.log(0), match.version) == ((), [], 6)
    with pytest.raises(ValueError, match="no answer to take back"):
        match.undo()
    assert played(match, [4]).log(0)[0].action == 4


def test_nothing_is_taken_back_once_cards_were_shown(path):
    match = begun(path, "kuhn_poker", HUMAN, HUMAN)
    match.act(BET)
    assert match.no_undo() == ""
    match.act(BET)
    assert "has seen something new" in match.no_undo()
    with pytest.raises(ValueError, match="has seen something new"):
        match.undo()
    assert Match.open(path).over


def test_nothing_is_taken_back_once_a_card_was_turned_up(path):
    """Whoever lodges a traveler sees the next one (BI 3.1); a hidden object of a draft is seen by its owner before it is kept."""
    match = begun(path, DRAFT, HUMAN, HUMAN)
    keep = np.flatnonzero(match.tables.mask[0])
    match.act(int(keep[0]))
    assert match.undo() == 1
    while "lodge" not in match.view(None).asked.prompt:
        match.act(int(np.flatnonzero(match.tables.mask[0])[0]))
    match.act(match.variant.action("lodge:home_me"))
    assert "has seen something new" in match.no_undo()


# What a seat is told


def test_a_hidden_answer_is_not_told_to_others(path):
    """The first object of a draft is kept in secret (BI 2.3)."""
    tables = Tables(DRAFT, n=1, seed=1, autoreset=False)
    tables.step([int(np.flatnonzero(tables.mask[0])[0])])
    mover = int(tables.seat[0])
    answers = np.flatnonzero(tables.mask[0]).tolist()
    assert len(answers) > 1
    assert len({told(tables, action, 2, 1 - mover) for action in answers}) == 1
    for seat in (mover, None):
        assert [told(tables, action, 2, seat).action for action in answers] == answers


def test_an_open_answer_is_told_to_all(path):
    match = played(begun(path, "kuhn_poker", HUMAN, HUMAN), [PASS, BET, BET])
    for seat in (0, 1, None):
        assert [(one.move, one.seat, one.name) for one in match.log(seat)] == [(1, 0, "pass"), (2, 1, "bet"), (3, 0, "bet")]
    assert match.log(0, 2)[0].words == "Bet a chip, or call a bet"


# Files


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda path: path.unlink(), "there is no such file"),
        (lambda path: path.write_text(""), "not a match that can go on"),
        (lambda path: path.write_text("nonsense\n"), "not a match that can go on"),
        (lambda path: path.write_text("[1]\n"), "not a file of format alehouse-match-1"),
        (lambda path: Replay.of("connect_four", 1, [3]).save(path), "not a file of format alehouse-match-1"),
        (lambda path: path.write_bytes(path.read_bytes().replace(b'"seed": 1', b'"seed": 2')), "damaged"),
        (lambda path: path.write_bytes(path.read_bytes().replace(b'"action": 3', b'"action": 4', 1)), "line 2: a line is damaged"),
        (lambda path: changed(path, 0, rules="0"), "have changed since it began"),
        (lambda path: changed(path, 0, variant="connect_five"), "connect_five"),
        (lambda path: changed(path, 0, players=["human"]), "has 2 seats"),
        (lambda path: changed(path, 1, change=7), "line 2: it does not follow the line before"),
        (lambda path: changed(path, 1, action=4), "line 2: the game goes differently now; player_0 cannot answer 'drop:d'"),
        (lambda path: changed(path, 2, seat=0), "line 3: the game goes differently now"),
        (lambda path: changed(path, 1, action="x"), "line 2"),
        (lambda path: path.write_bytes(path.read_bytes() + sealed({"change": 3, "keep": 99})), "line 4"),
        (lambda path: path.write_bytes(path.read_bytes() + sealed({"change": 3})), "line 4"),
    ],
)
def test_a_damaged_file_is_told_in_one_line(path, spoil, said):
    played(begun(path), [3])
    spoil(path)
    with pytest.raises(ValueError) as found:
        Match.open(path)
    assert said in str(found.value)
    assert str(found.value).startswith(f"{path}: ")
    assert "\n" not in str(found.value)


def test_what_a_match_cannot_begin_with(path, tmp_path, monkeypatch):
    for players in ((HUMAN,), (HUMAN, "nobody"), (HUMAN, "")):
        with pytest.raises(ValueError):
            begun(path, "connect_four", *players)
        assert not path.exists()
    begun(path)
    with pytest.raises(ValueError, match="such a file already"):
        begun(path)
    monkeypatch.chdir(tmp_path)
    where = Match.new("connect_four", (HUMAN, HUMAN)).path
    assert where.is_relative_to("runs/play")
    assert json.loads(where.read_text())["players"] == [HUMAN, HUMAN]


def test_a_match_is_part_of_the_public_names():
    assert alehouse.Match is Match
    with pytest.raises(AttributeError, match="no attribute 'Mitch'"):
        alehouse.Mitch  # noqa: B018
