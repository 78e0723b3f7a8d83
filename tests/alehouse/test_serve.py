"""The pages of `alehouse serve`: who is let in, what a seat sees, and that nothing is lost."""

import json
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from urllib.parse import unquote

import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

import alehouse
from alehouse.benchmarks.review.puzzles import Puzzle
from alehouse.cli import app
from alehouse.training.journal import sealed, unsealed
from alehouse.web import runs
from alehouse.web.guard import LARGEST, Keys
from alehouse.web.server import application
from alehouse.web.site import bar

PORT = 8123
HOME = f"http://127.0.0.1:{PORT}"
ORIGIN = {"origin": HOME}
SOON = 300.0  # seconds within which a table is laid and agents answer, compiling included


@pytest.fixture
def keys() -> Keys:
    """The tokens of the server."""
    return Keys()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The folder of runs."""
    (tmp_path / "runs").mkdir()
    return tmp_path / "runs"


def browser(root: Path, keys: Keys) -> TestClient:
    """A browser that no link has let in yet, at a server that was just started."""
    return TestClient(application(root, keys, PORT), base_url=HOME, headers=ORIGIN, follow_redirects=False)


@pytest.fixture
def host(root: Path, keys: Keys) -> TestClient:
    """The browser of the host."""
    found = browser(root, keys)
    assert found.get(f"/?token={keys.host}").status_code == 200
    return found


def begun(client: TestClient, game: str, *players: str, **more: str) -> str:
    """The address of a new table, after it has been laid."""
    who = {f"player{seat}": name for seat, name in enumerate(players)}
    answer = client.post(f"/new/{game}", data={"seats": str(len(players)), "seed": "5", **who, **more})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def looked(client: TestClient, seat: str, mine: bool = True) -> str:
    """The page of a seat, once it is asked something or the game is over."""
    end = time.monotonic() + SOON
    while time.monotonic() < end:
        text = client.get(seat).text
        if 'class="options"' in text or "The game is over" in text or (not mine and 'class="board"' in text):
            return text
        time.sleep(0.05)
    raise AssertionError(text)


def fields(text: str) -> dict[str, str]:
    """The first answer on a page, as its button would send it."""
    version = re.search(r'name="version" value="(\d+)"', text)
    action = re.search(r'name="action" value="(\d+)"', text)
    assert version
    assert action
    return {"version": version[1], "action": action[1]}


@pytest.mark.parametrize("path", ["/", "/runs", "/new/kuhn_poker", "/table/x/0", "/report/x", "/nothing"])
def test_nobody_enters_without_a_token(path: str, root: Path, keys: Keys) -> None:
    stranger = browser(root, keys)
    assert stranger.get(path).status_code == 403
    assert stranger.get(f"{path}?token=wrong").status_code == 403
    assert stranger.get(f"{path}?token=%ff%fe").status_code == 403
    stranger.cookies.set(f"alehouse_{PORT}", "wrong")
    assert stranger.get(path).status_code == 403


def test_the_token_becomes_a_strict_cookie_that_scripts_cannot_read(root: Path, keys: Keys) -> None:
    answer = browser(root, keys).get(f"/?token={keys.host}")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert keys.host not in answer.text


@pytest.mark.parametrize("name", ["example.com", f"example.com:{PORT}", "127.0.0.1", f"127.0.0.1:{PORT + 1}", ""])
def test_other_names_of_the_host_are_refused(name: str, host: TestClient) -> None:
    assert host.get("/", headers={"host": name}).status_code == 403


@pytest.mark.parametrize("origin", ["http://example.com", "null", f"http://127.0.0.1:{PORT + 1}", ""])
def test_forms_of_other_pages_are_refused(origin: str, host: TestClient) -> None:
    assert host.post("/new/kuhn_poker", headers={"origin": origin}).status_code == 403


@pytest.mark.parametrize("path", ["/", "/runs", "/new/kuhn_poker", "/static/page.js", "/nothing"])
def test_pages_may_load_nothing_from_elsewhere(path: str, host: TestClient) -> None:
    answer = host.get(path)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "<style" not in answer.text
    assert " style=" not in answer.text
    assert "://" not in re.sub(r'xmlns="[^"]*"', "", answer.text)


@pytest.mark.parametrize(
    ("path", "sent", "status"),
    [
        ("/new/kuhn_poker", b"x" * (LARGEST + 1), 413),
        ("/new/kuhn_poker", b"\xff\xfe", 400),
        ("/new/kuhn_poker", b"&".join(b"a=1" for _ in range(101)), 400),
        ("/new/kuhn_poker", b"", 400),
        ("/new/kuhn_poker", b"seats=9", 400),
        ("/new/kuhn_poker", b"seats=-1", 400),
        ("/new/kuhn_poker", b"seats=2&player0=human&player1=level:1&seed=no", 400),
        ("/new/kuhn_poker", b"seats=2&player0=human&player1=level:1&seed=99999999999999999999", 400),
        ("/new/bloody_inn", b"seats=2&player0=human&player1=level:1&changes=nonsense", 400),
        ("/new/bloody_inn", b"seats=2&player0=human&player1=level:1&changes=start.cash%3D-7", 400),
        ("/new/kuhn_poker", b"seats=2&module=x&player0=human&player1=uniform", 400),
        ("/new/kuhn_poker", b"seats=2&player0=human&player1=process:touch%20x", 400),
        ("/new/kuhn_poker", b"seats=2&player0=level:1&player1=level:1", 400),
        ("/new/chess", b"seats=2", 404),
        ("/new/..%2f", b"", 404),
        ("/table/x/0/answer", b"version=1&action=1", 404),
        ("/table/x/0/nothing", b"", 404),
        ("/table/x/0", b"", 405),
        ("/", b"", 405),
    ],
)
def test_whatever_is_sent_gets_one_line(path: str, sent: bytes, status: int, host: TestClient, root: Path) -> None:
    answer = host.post(path, content=sent, headers={"content-type": "application/x-www-form-urlencoded"})
    assert answer.status_code == status, answer.text
    assert answer.text.count("\n") == 1
    assert "Traceback" not in answer.text
    assert not list(root.rglob("*"))
    assert host.request("DELETE", path).status_code == 405


def test_a_person_is_refused_on_a_page(host: TestClient) -> None:
    for path in ("/nothing", "/static/nothing", "/runs/nothing"):
        answer = host.get(path, headers={"accept": "text/html"})
        assert answer.status_code == 404
        assert len(re.findall('<p class="problem">.*</p>', answer.text)) == 1


def test_a_fault_of_our_own_gets_one_line_too(
    host: TestClient, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(root: Path, name: str) -> None:
        raise KeyError("\x1b[2J two\nlines")

    monkeypatch.setattr("alehouse.web.run_pages.runs.run_at", fail)
    answer = host.get("/runs/%1b[2J")
    assert answer.status_code == 500
    assert answer.text.count("\n") == 1
    assert capsys.readouterr().err == "alehouse: /runs/%1B%5B2J: KeyError: '\\x1b[2J two\\nlines'\n"


def test_a_game_of_connect_four_from_a_browser(host: TestClient) -> None:
    seat = begun(host, "connect_four", "human", "level:1")
    for _ in range(42):
        text = looked(host, seat)
        if "The game is over" in text:
            break
        assert host.post(f"{seat}/answer", data=fields(text)).status_code == 303
    assert len(re.findall("points · (?:wins|shares the win)", text)) in (1, 2)
    assert host.post(f"{seat}/undo", data={"version": "0"}).status_code == 409
    [version] = re.findall('name="version" value="(.*?)"', text)
    assert host.post(f"{seat}/undo", data={"version": version}).text == "The game is over, and everything has been seen.\n"
    [whole] = re.findall(r'href="(/runs/[^"]*)"', text)
    assert 'type="range"' in host.get(whole).text
    first = host.get(f"{whole}?move=1", headers={"x-part": "1"}).text
    assert "1. " in first
    assert "<html" not in first


@pytest.mark.parametrize(
    ("shares", "labels"), [((0.9, 0.1), ["0: 90%", "1"]), ((0.5, 0.47, 0.03), ["0: 50%", "1: 47%"]), ((1, 0), ["0: 100%"])]
)
def test_labels_of_the_bar_stay_within_their_parts(shares: tuple[float, ...], labels: list[str]) -> None:
    assert re.findall(">([^<>]+)</text>", bar(shares)) == labels


def test_what_the_command_names_is_offered_first(root: Path, keys: Keys) -> None:
    found = TestClient(application(root, keys, PORT, alehouse.variant("bloody_inn-2p-carnies?start.cash=7")), base_url=HOME, headers=ORIGIN)
    found.get(f"/?token={keys.host}")
    form = found.get("/new/bloody_inn").text
    assert re.findall(r'value="([^"]*)"[^>]* checked', form) == ["2", "carnies", "short"]
    assert 'name="changes" value="start.cash=7"' in form
    assert 'name="changes" value=""' in found.get("/new/tiefenthal").text


def ended(host: TestClient, path: str) -> str:
    """The page of a job, once it has ended."""
    end = time.monotonic() + SOON
    while 'data-every=""' not in (text := host.get(path).text):
        assert time.monotonic() < end, text
        time.sleep(0.05)
    return text


def test_a_game_is_reviewed_beside_the_pages(host: TestClient, root: Path) -> None:
    missed = (0, 1, 0, 1, 0, 1, 6, 1)  # player_0 could win in column a and drops in column g; player_1 wins
    alehouse.Replay.of("connect_four", 0, missed).save(root / "game.json")
    assert "What each decision cost" in host.get("/runs/game.json").text
    text = ended(host, "/review/game.json")
    assert "Drop a disc into column g" in text
    assert re.findall(r'href="/runs/game.json\?move=(\d+)"', text)[0] == "6"
    assert "all luck" in text
    [stamp] = re.findall('data-seen="([^"]*)"', text)
    assert host.get(f"/review/game.json?seen={stamp}").status_code == 204
    (root / "damaged.json").write_text((root / "game.json").read_text().replace('"seed": 0', '"seed": "x"'))
    assert len(re.findall('<p class="problem".*</p>', ended(host, "/review/damaged.json"))) == 1
    assert host.get("/review/nothing.json").status_code == 404


def test_a_puzzle_is_solved_on_the_page(host: TestClient, root: Path) -> None:
    v = alehouse.variant("connect_four")
    answers = {f"drop:{letter}": (0.5 - 0.5 * (letter != "a"), 0.01) for letter in "abcdefg"}
    found = Puzzle(str(v), v.rules_digest, 0, (0, 1, 0, 1, 0, 1), "drop:a", answers, 0.4, 100, 5, "heuristic", ("uniform",))
    (root / "puzzles/connect_four").mkdir(parents=True)
    found.save(root / "puzzles/connect_four/one.json")
    assert 'href="/puzzle/connect_four/one"' in host.get("/puzzles").text
    here = "/puzzle/connect_four/one"
    asked = ended(host, here)
    assert asked.count('name="action"') == 7
    assert "50.0%" not in asked
    assert "Right: " in host.post(here, data={"action": "0"}).text
    other = host.post(here, data={"action": "3"}).text
    assert "Another answer is better" in other
    assert "50.0% ± 2.0" in other
    assert 'data-best="0"' in other
    for sent, status in (({"action": "99"}, 400), ({"action": "x"}, 400), ({"seed": "1"}, 400)):
        assert host.post(here, data=sent).status_code == status
    assert host.get("/puzzle/connect_four/two").status_code == 404
    assert host.get("/puzzle/chess/one").status_code == 404


def test_an_answer_counts_once(host: TestClient) -> None:
    seat = begun(host, "connect_four", "human", "level:1")
    sent = fields(looked(host, seat))
    assert host.post(f"{seat}/answer", data=sent).status_code == 303
    again = host.post(f"{seat}/answer", data=sent)
    assert again.status_code == 409
    assert again.text.count("\n") == 1
    assert host.post(f"{seat}/undo", data=sent).status_code == 409


def test_an_answer_that_is_not_allowed_is_explained_and_changes_nothing(host: TestClient) -> None:
    seat = begun(host, "connect_four", "human", "level:1")
    sent = fields(looked(host, seat))
    refused = host.post(f"{seat}/answer", data={**sent, "action": "99"})
    assert refused.status_code == 400
    assert refused.text.startswith("That is not allowed: ")
    assert fields(looked(host, seat)) == sent


def test_undo_and_hint(host: TestClient) -> None:
    seat = begun(host, "connect_four", "human", "level:1")
    empty = looked(host, seat)
    host.post(f"{seat}/answer", data=fields(empty))
    played = looked(host, seat)
    assert played.count('class="fresh"') == 2
    assert host.post(f"{seat}/undo", data=fields(played)).status_code == 303
    assert 'class="fresh"' not in looked(host, seat)
    host.post(f"{seat}/hint")
    end = time.monotonic() + SOON
    while "%</em>" not in host.get(seat).text:
        assert time.monotonic() < end
        time.sleep(0.05)


def test_nobody_takes_back_the_answer_of_another_person(host: TestClient) -> None:
    mine = begun(host, "connect_four", "human", "human")
    theirs = f"{mine[:-1]}1"
    host.post(f"{mine}/answer", data=fields(looked(host, mine)))
    refused = host.post(f"{theirs}/undo", data=fields(looked(host, theirs)))
    assert (refused.status_code, refused.text) == (409, "The last answer was that of player_0.\n")
    assert host.post(f"{mine}/undo", data=fields(looked(host, theirs))).status_code == 303
    assert looked(host, mine).count("<li value") == 0


def test_a_script_that_has_seen_everything_gets_nothing(host: TestClient) -> None:
    seat = begun(host, "connect_four", "human", "human")
    [stamp] = re.findall('data-seen="([^"]*)"', looked(host, seat))
    end = time.monotonic() + SOON
    while host.get(f"{seat}?seen={stamp}", headers={"x-part": "1"}).status_code != 204:  # until the answers are rated
        assert time.monotonic() < end
        time.sleep(0.05)
        [stamp] = re.findall('data-seen="([^"]*)"', host.get(seat).text)
    host.post(f"{seat}/answer", data=fields(looked(host, seat)))
    assert host.get(f"{seat}?seen={stamp}", headers={"x-part": "1"}).text.startswith('<article id="area"')


CARDS = ("jack", "queen", "king")


def test_two_players_see_only_their_own_cards(host: TestClient, root: Path, keys: Keys) -> None:
    mine = begun(host, "kuhn_poker", "human", "human")
    name = mine.split("/")[2]
    theirs = f"/table/{name}/1"
    guest = TestClient(host.app, base_url=HOME, headers=ORIGIN, follow_redirects=False)
    assert guest.get(theirs).status_code == 403
    assert guest.get(f"{theirs}?token={keys.seat(name, 0)}").status_code == 403
    assert guest.get(f"{theirs}?token={keys.seat(name, 1)}").status_code == 200
    pages = [looked(host, mine), looked(guest, theirs, mine=False)]
    seen = [{card for card in CARDS if card in text.lower()} for text in pages]
    assert len(seen[0]) == len(seen[1]) == 1, seen
    assert seen[0] != seen[1]
    for path in ("/", mine, "/runs", f"{mine}/answer"):
        assert guest.get(path).status_code == 403
    assert guest.post(f"{mine}/answer", data=fields(pages[0])).status_code == 403
    assert guest.post(f"{theirs}/answer", data=fields(pages[0])).status_code == 409
    assert keys.seat(name, 0) not in pages[1]
    assert f"{theirs}?token={keys.seat(name, 1)}" in pages[0]
    assert "token=" not in pages[1]


@pytest.mark.slow
def test_what_is_offered_in_secret_in_tavern_battle_stays_secret(host: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("alehouse.web.rooms.Room.rate", lambda room: None)  # ratings would be compiled for long
    first = begun(host, "tavern_battle", "human", "human", module="casse_tout")
    seats = [first, f"{first[:-1]}1"]
    for _ in range(20):
        pages = [looked(host, seat, mine=False) for seat in seats]
        asked = next(seat for seat, text in enumerate(pages) if 'class="options"' in text)
        if "answered in secret" in pages[0] + pages[1]:
            break
        assert 'data-action="' in pages[asked]
        assert "<legend>" in pages[asked]
        assert host.post(f"{seats[asked]}/answer", data=fields(pages[asked])).status_code == 303
    logs = [re.findall("<li value.*?<div>(.*?)\n", text, re.DOTALL) for text in pages]
    secret = [k for k, (one, other) in enumerate(zip(*logs, strict=True)) if one != other]
    assert secret
    for k in secret:
        assert [log[k].startswith("answered in secret") for log in logs].count(True) == 1
    hands = [set(re.findall(r'data-thing="(?:hand|treasure)[^"]*"', text)) for text in pages]
    assert hands[0] != hands[1]


def test_the_host_says_who_plays_another_seat(host: TestClient, keys: Keys) -> None:
    mine = begun(host, "connect_four", "human", "human")
    sent = {"version": fields(looked(host, mine))["version"], "seat": "1", "player": "level:1"}
    theirs = f"{mine[:-1]}1"
    guest = TestClient(host.app, base_url=HOME, headers=ORIGIN, follow_redirects=False)
    guest.get(f"{theirs}?token={keys.seat(mine.split('/')[2], 1)}")
    assert guest.post(f"{theirs}/replace", data={**sent, "seat": "0"}).status_code == 403
    assert host.post(f"{mine}/replace", data={**sent, "player": "process:ls"}).status_code == 400
    assert host.post(f"{mine}/replace", data={**sent, "seat": "0"}).status_code == 400
    assert host.post(f"{mine}/replace", data={**sent, "seat": "7"}).status_code == 400
    assert host.post(f"{mine}/replace", data=sent).status_code == 303
    assert "Player 1 (level 1)" in looked(host, mine)
    assert guest.get(theirs).status_code == 404


def test_a_killed_server_loses_nothing(host: TestClient, root: Path) -> None:
    seat = begun(host, "connect_four", "human", "level:1")
    for _ in range(2):
        host.post(f"{seat}/answer", data=fields(looked(host, seat)))
    before = looked(host, seat)
    fresh = Keys()
    again = browser(root, fresh)
    assert again.get(seat).status_code == 403
    again.get(f"/?token={fresh.host}")
    assert seat in again.get("/").text
    after = looked(again, seat)
    assert fields(after) == fields(before)
    assert re.findall("<li value.*?</li>", after, re.DOTALL) == re.findall("<li value.*?</li>", before, re.DOTALL)


def test_tables_that_are_put_away_come_back(host: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("alehouse.web.rooms.OPEN", 1)
    seats = [begun(host, "connect_four", "human", "human")]
    looked(host, seats[0])
    seats.append(begun(host, "connect_four", "human", "human"))
    for seat in (*seats, *seats):
        assert host.post(f"{seat}/answer", data=fields(looked(host, seat))).status_code == 303
        other = f"{seat[:-1]}1"
        assert host.post(f"{other}/answer", data=fields(looked(host, other))).status_code == 303
    assert looked(host, seats[0]).count("<li value") == 4


def test_a_match_goes_on_in_another_program_and_comes_back(host: TestClient, root: Path) -> None:
    seat = begun(host, "connect_four", "human", "human")
    looked(host, seat)
    path = next(root.rglob("*.jsonl"))
    alehouse.Match.open(path).act(3)
    other = f"{seat[:-1]}1"
    assert looked(host, other).count("<li value") == 1
    assert host.post(f"{other}/answer", data=fields(looked(host, other))).status_code == 303
    assert len(alehouse.Match.open(path).actions) == 2


def test_there_is_an_end_to_matches(host: TestClient, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked(host, begun(host, "connect_four", "human", "human"))
    monkeypatch.setattr("alehouse.web.rooms.KEPT", 1)
    answer = host.post("/new/connect_four", data={"seats": "2", "player0": "human", "player1": "human"})
    assert answer.status_code == 429
    assert answer.text.count("\n") == 1


def test_a_damaged_match_is_told_in_one_line(host: TestClient, root: Path) -> None:
    (root / "play").mkdir()
    (root / "play" / "bad.jsonl").write_text("nonsense\n")
    assert host.get("/").status_code == 200
    assert "not a match" in problem(host, "/table/bad/0")


def problem(client: TestClient, seat: str) -> str:
    """The line that says what is wrong with a table."""
    end = time.monotonic() + SOON
    while time.monotonic() < end:
        found = re.findall('<p class="problem" role="alert">(.*)</p>', client.get(seat).text)
        if found:
            return str(found[0])
        time.sleep(0.05)
    raise AssertionError


def test_no_program_of_a_strange_match_is_started(host: TestClient, root: Path, tmp_path: Path) -> None:
    looked(host, begun(host, "connect_four", "level:1", "human"))
    head, *_ = next(root.rglob("*.jsonl")).read_bytes().split(b"\n")
    started = tmp_path / "started"
    changed = {**unsealed(head), "players": [f"process:touch {started}", "human"]}
    (root / "play" / "strange.jsonl").write_bytes(sealed(changed))
    assert "comes from outside" in problem(host, "/table/strange/1")
    assert not started.exists()


OUTSIDE = (
    "../secret.json",
    "..%2fsecret.json",
    "%2e%2e/secret.json",
    "/etc/passwd",
    "link/secret.json",
    ".hidden.json",
    "x%00y",
    "play/../../secret.json",
)


@pytest.mark.parametrize("name", OUTSIDE)
def test_nothing_outside_the_runs_is_shown(name: str, host: TestClient, root: Path, tmp_path: Path) -> None:
    game = alehouse.Replay.of("kuhn_poker", 7, [])
    game.save(tmp_path / "secret.json")
    game.save(root / ".hidden.json")
    (root / "link").symlink_to(tmp_path)
    with pytest.raises(ValueError, match="not below|embedded null"):
        runs.inside(root, unquote(name))
    for path in (f"/runs/{name}", f"/report/{name}"):
        answer = host.get(path)
        assert answer.status_code == 404, path
        assert "seed" not in answer.text


def test_runs_of_every_kind_are_listed_and_shown(host: TestClient, root: Path) -> None:
    alehouse.Replay.of("connect_four", 7, [0, 1, 0, 1, 0, 1, 0]).save(root / "game.json")
    write(root / "train" / "one" / "metrics.jsonl", ROW)
    write(
        root / "arena" / "two" / "job.json", {"format": "alehouse-arena-1", "variant": "kuhn_poker-2p", "agents": [{"name": "<b>uniform"}]}
    )
    write(root / "balance" / "three" / "job.json", {"format": "alehouse-balance-3", "cells": ["kuhn_poker-2p"], "agents": ["uniform"]})
    (root / "balance" / "three" / "report.html").write_text("<script>alert(1)</script>")
    (root / "balance" / "three" / "replays").mkdir()
    for name in ("agent0-lead-changes-2", "agent9-length-1", "agent0-nonsense-1"):
        alehouse.Replay.of("connect_four", 7, [3]).save(root / "balance" / "three" / "replays" / f"{name}.json")
    write(root / "balance" / "four" / "sweep.csv", "number,effect")
    text = host.get("/runs").text
    for name, said in {"game.json": "7 moves", "train/one": "37.5%", "arena/two": "&lt;b&gt;uniform", "balance/three": "iframe",
                       "balance/four": "effect"}.items():  # fmt: skip
        assert f'href="/runs/{name}"' in text
        assert said in host.get(f"/runs/{name}").text
    games = re.findall('href="(/runs/balance/three/replays/[^"]*)">([^<]*)<', host.get("/runs/balance/three").text)
    assert [words for _, words in games] == ["Most changes of the lead, 2", "Longest, 1"]
    assert "1 moves" in host.get(games[0][0]).text
    report = host.get("/report/balance/three")
    assert report.headers["content-security-policy"].startswith("sandbox; default-src 'none'")


ROW = {"samples": 800, "seconds": 2.0, "rate": 400.0, "entropy": 0.5, "kl": 0.01, "others": {},
       "shares": {"uniform": {"games": 8, "won": 0.375, "parity": 0.5}}}  # fmt: skip


def write(path: Path, what: object) -> None:
    """Write a file of a run."""
    path.parent.mkdir(parents=True)
    path.write_text(what if isinstance(what, str) else json.dumps(what) + "\n")


def test_a_run_that_grows_is_shown_again(host: TestClient, root: Path) -> None:
    path = root / "train" / "metrics.jsonl"
    write(path, ROW)
    [stamp] = re.findall('data-seen="([^"]*)"', host.get("/runs/train").text)
    assert host.get(f"/runs/train?seen={stamp}").status_code == 204
    with path.open("a") as file:
        file.write(json.dumps({**ROW, "samples": 1600}) + "\n")
    assert "1,600" in host.get(f"/runs/train?seen={stamp}").text


@pytest.mark.parametrize("name", ["train/metrics.jsonl", "arena/job.json", "game.json"])
@pytest.mark.parametrize("text", ["", "{", "[1]", '{"format": "alehouse-arena-1"}', '{"format": "alehouse-replay-2"}', "\0"])
def test_damaged_runs_are_told_in_one_line(name: str, text: str, host: TestClient, root: Path) -> None:
    (root / name).parent.mkdir(exist_ok=True)
    (root / name).write_text(text)
    assert host.get("/runs").status_code == 200
    path = f"/runs/{name.removesuffix('/metrics.jsonl').removesuffix('/job.json')}"
    answer = host.get(path)
    assert answer.status_code in (200, 400, 404)
    if answer.status_code != 200:
        assert answer.text.count("\n") == 1


def test_the_command_serves_this_computer_until_ctrl_c(root: Path) -> None:
    command = [sys.executable, "-m", "alehouse", "serve", "--runs", str(root)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout
        address = server.stdout.readline().strip()
        try:
            host, port = re.fullmatch(r"http://([^:]*):(\d+)/\?token=.*", address).groups()
            assert host == "127.0.0.1"
            with urllib.request.urlopen(address) as answer:
                assert answer.status == 200
            with socket.create_connection((host, int(port))) as raw:
                raw.sendall(b"nonsense\r\n\r\n")
                assert b" 400 " in raw.recv(1000)
            taken = subprocess.run([*command, "--port", port], capture_output=True, text=True)
            assert (taken.returncode, taken.stderr) == (2, f"alehouse: --port {port}: Address already in use\n")
        finally:
            server.send_signal(signal.SIGINT)
            said = server.communicate(timeout=SOON)[1]
    assert (server.returncode, said) == (130, "")


def test_without_the_libraries_it_says_how_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("alehouse.commands.serve.LIBRARIES", ("starlette", "no_such_library"))
    said = CliRunner().invoke(app, ["serve"])
    assert said.exit_code == 2
    assert said.stderr == "alehouse: serve needs no_such_library: pip install 'alehouse[web]'\n"
