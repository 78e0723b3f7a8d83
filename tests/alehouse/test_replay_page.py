"""The page of a replay stands alone and shows every move; `--fork` tries other answers."""

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import alehouse
from alehouse.cli import app
from alehouse.pages.replay import Frames

MISSED = (0, 1, 0, 1, 0, 1, 6, 1)  # player_0 could win in column a and drops in column g; player_1 wins in column b


def run(*words: object) -> Result:
    """The command, in this process."""
    return CliRunner().invoke(app, ["replay", *(str(word) for word in words)])


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A game of connect four in which a win was missed."""
    path = tmp_path / "game.json"
    alehouse.Replay.of("connect_four", 0, MISSED).save(path)
    return path


class Reader(HTMLParser):
    """Collects the tags of a page, and the data in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags, self.data, self.inside = list[tuple[str, dict[str, str | None]]](), "", False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.inside = dict(attrs).get("id") == "data"

    def handle_data(self, data: str) -> None:
        self.data += data if self.inside else ""

    def handle_endtag(self, tag: str) -> None:
        self.inside = False


def page(saved: Path, *words: object) -> tuple[str, Reader, Any]:
    """The page of a replay: its text, its tags, its data."""
    out = saved.with_suffix(".html")
    result = run(saved, "--html", out, *words)
    assert result.exit_code == 0, result.output
    assert result.stdout == f"{out}: 8 moves of connect_four-2p\n"
    text = out.read_text(encoding="utf-8")
    found = Reader(text)
    return text, found, json.loads(found.data)


def test_a_page_shows_every_move_and_what_it_cost(saved: Path) -> None:
    _, found, data = page(saved, "--plays", 40)
    pictures = ["\n".join(data["lines"][k] for k in one) for one in data["pictures"]]
    tables = alehouse.Replay.load(saved).played()
    assert pictures == [table.svg(0).rstrip("\n") for table in tables]
    assert [one["words"][-1] for one in data["log"]] == list("abababgb")
    seventh = data["log"][6]
    assert (seventh["best"], seventh["loss"], seventh["mistake"]) == ("Drop a disc into column a", 100, True)
    assert seventh["answers"][0]["words"] == "Drop a disc into column a"
    assert [one["words"] for one in seventh["answers"] if one["given"]] == ["Drop a disc into column g"]
    assert next(one["data-move"] for tag, one in found.tags if tag == "li") == "7"  # the costliest decision leads its list
    assert len([tag for tag, _ in found.tags if tag == "polyline"]) == 2


def test_a_page_needs_nothing_from_elsewhere(saved: Path) -> None:
    text, found, _ = page(saved, "--plays", 0)
    assert not re.findall(r"https?:(?!//www\.w3\.org/2000/svg)|@import|url\(", text)
    assert not [one for _, one in found.tags if one.get("src") or (one.get("href") or "#")[0] != "#"]
    assert not [tag for tag, _ in found.tags if tag == "polyline"]  # nothing was compared


def test_words_cannot_become_code(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("alehouse.commands.moves.narrated", lambda *_: ["</script><script>alert(1)</script>"])
    _, found, data = page(saved, "--plays", 0)
    assert len([tag for tag, _ in found.tags if tag == "script"]) == 2
    assert data["log"][0]["then"] == ["</script><script>alert(1)</script>"]


def test_a_seat_sees_what_it_knew(tmp_path: Path) -> None:
    path = tmp_path / "kuhn.json"
    v = alehouse.variant("kuhn_poker")
    alehouse.Replay.of(v, 3, [v.action("pass")] * 2).save(path)
    result = run(path, "--html", tmp_path / "out.html", "--seat", 1, "--plays", 0)
    assert result.exit_code == 0, result.output
    data = json.loads(Reader((tmp_path / "out.html").read_text(encoding="utf-8")).data)
    first = "\n".join(data["lines"][k] for k in data["pictures"][0])
    assert first == alehouse.Replay.load(path).tables(0).svg(0, 1).rstrip("\n")
    assert "player_0: ?" in first


def test_pictures_share_their_lines() -> None:
    frames = Frames.of(iter(["a\nb\n", "a\nc\n", "a\nb\n"]))
    assert (frames.lines, frames.pictures) == (["a", "b", "c"], [[0, 1], [0, 2], [0, 1]])


def test_a_fork_tells_a_wrong_move_from_luck(saved: Path) -> None:
    told = run(saved, "--fork", 7, "--plays", 40).stdout
    assert "7. player_0: Drop a disc into column g" in told
    assert "'Drop a disc into column a' did best" in told
    assert "the move was wrong" in told
    assert "neither surely good nor surely bad" in told
    found = json.loads(run(saved, "--fork", 7, "--plays", 40, "--json").stdout)
    assert (found["move"], found["gain"], found["luck"], found["tried"][0]["name"]) == (7, 1.0, 0.0, "drop:a")
    assert "no other answer did better" in run(saved, "--fork", 8, "--plays", 40).stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--fork", 9), "--fork 9: "),
        (("--fork", 7, "--plays", 3), "--plays 3: at least 4"),
        (("--html", "out.html", "--plays", 2), "--plays 2: 0 for none, or at least 4"),
        (("--html", "out.html", "--seat", 2), "--seat 2: 0 to 1"),
        (("--html", "no/such/folder/out.html", "--plays", 0), "No such file"),
        (("--fork", 7, "--by", "rollout:10"), "uniform, greedy or heuristic"),
    ],
)
def test_bad_input_is_told_in_one_line(saved: Path, words: tuple[object, ...], said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(saved.parent)
    result = run(saved, *words)
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert said in result.stderr


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("chromium") is None, reason="no browser")
def test_the_slider_moves_in_a_browser(saved: Path) -> None:
    page(saved, "--plays", 40)
    words = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=3000", "--dump-dom"]
    shown = subprocess.run([*words, f"file://{saved.with_suffix('.html')}#7"], capture_output=True, text=True).stdout
    assert "7 of 8" in shown
    assert "7. player_0: Drop a disc into column g" in re.sub("<[^>]*>", "", shown)
    assert re.search(r'<li data-move="7"[^>]*class="now"', shown)
