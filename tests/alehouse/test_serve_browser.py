"""The pages of `alehouse serve` in headless Chromium, where it and selenium are installed: games are clicked through to their end."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import alehouse
from alehouse.benchmarks.review.puzzles import Puzzle
from alehouse.envs.games import GAMES

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed: pip install 'alehouse[dev]'")
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="chromium and chromedriver are not installed")]

SOON = 300.0  # seconds for a table to be laid, compiling included
SCREENS = ((1280, 800), (390, 844))


@contextlib.contextmanager
def served(folder: Path) -> Iterator[str]:
    """A server over a folder: the address that lets the host in."""
    with subprocess.Popen([sys.executable, "-m", "alehouse", "serve", "--runs", folder], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        try:
            yield server.stdout.readline().strip()
        finally:
            server.kill()


@contextlib.contextmanager
def browser(width: int, height: int) -> Iterator[Any]:
    """A browser with cookies of its own and a screen of this size, which must not complain about a page."""
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.binary_location = CHROMIUM
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    try:
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
        yield driver
        assert [line for line in driver.get_log("browser") if line["source"] != "network"] == []
    finally:
        driver.quit()


def state(driver: Any) -> dict[str, Any]:
    """What the page of a table shows."""
    found: dict[str, Any] = driver.execute_script("""
        const area = document.getElementById("area");
        const text = area ? area.innerText : "";
        return {version: area?.dataset.version ?? "", over: text.includes("The game is over"),
                answers: [...document.querySelectorAll("form.options button")].map((one) => one.value),
                problem: document.querySelector(".problem")?.innerText ?? "",
                wide: (document.documentElement?.scrollWidth ?? 0) - innerWidth,
                notice: document.getElementById("notice")?.innerText ?? ""}""")
    return found


def until(driver: Any, ready: Any) -> dict[str, Any]:
    """What the page shows once it is ready."""
    end = time.monotonic() + SOON
    while time.monotonic() < end:
        now = state(driver)
        assert not now["problem"], now
        if ready(now):
            return now
        time.sleep(0.03)
    raise AssertionError(now)


def asked(driver: Any) -> dict[str, Any]:
    """What the page shows once the seat is asked, or the game is over."""
    return until(driver, lambda now: now["over"] or now["answers"])


def begin(driver: Any, address: str, game: str, people: int = 1) -> str:
    """Enter as the host, choose a game with the fewest seats for these people, and return the address of the table."""
    driver.get(address)
    home = address.split("?")[0]
    until(driver, lambda _: driver.current_url == home)
    driver.get(f"{home}new/{game}")
    driver.execute_script("""
        const seats = [...document.querySelectorAll("[name=seats]")];
        (seats.find((one) => Number(one.value) >= Math.max(2, arguments[0]))).click();
        document.querySelectorAll("select").forEach((one, k) => { one.value = k < arguments[0] ? "human" : "level:1"; });
        document.querySelector(".go").click()""", people)  # fmt: skip
    asked(driver)
    return str(driver.current_url)


def click(driver: Any, turn: int) -> None:
    """Give an answer: by a thing in the picture, and from the menu if it has several; every second time by a button of the list."""
    driver.execute_script("""
        const things = document.querySelectorAll(".board [data-action]");
        const menu = document.getElementById("menu");
        if (arguments[0] % 2 && things.length) {
            const thing = things[(7 * arguments[0]) % things.length];
            thing.dispatchEvent(new MouseEvent("click", {bubbles: true}));
            if (menu.open) menu.querySelector("button").click();
        } else {
            const buttons = document.querySelectorAll("form.options button");
            buttons[(7 * arguments[0]) % buttons.length].click();
        }""", turn)  # fmt: skip


def played(driver: Any, most: int) -> dict[str, Any]:
    """Click until the game is over, or so many times."""
    now = asked(driver)
    for turn in range(most):
        if now["over"]:
            break
        click(driver, turn)
        until(driver, lambda new, old=now: new["version"] != old["version"])
        now = asked(driver)
        assert now["wide"] <= 0, "the page is wider than the screen"
    return now


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_clicked_through_to_its_end(game: str, screen: tuple[int, int], tmp_path: Path) -> None:
    with served(tmp_path) as address, browser(*screen) as driver:
        table = begin(driver, address, game)
        played(driver, 5)
        driver.get(table)  # a reload in mid-game
        assert played(driver, 2000)["over"]
        shots = os.environ.get("ALEHOUSE_SHOTS")
        if shots:
            driver.save_screenshot(f"{shots}/end-{game}-{screen[0]}.png")


def test_a_refused_answer_is_told_and_the_table_stands(tmp_path: Path) -> None:
    with served(tmp_path) as address, browser(*SCREENS[0]) as driver:
        begin(driver, address, "connect_four")
        before = state(driver)
        driver.execute_script('const one = document.querySelector("form.options button"); one.value = 99; one.click()')
        now = until(driver, lambda now: now["notice"])
        assert "not allowed" in now["notice"]
        assert now["version"] == before["version"]
        driver.refresh()
        assert played(driver, 50)["over"]


def test_two_players_at_two_browsers(tmp_path: Path) -> None:
    with served(tmp_path) as address, browser(*SCREENS[0]) as one, browser(*SCREENS[1]) as two:
        begin(one, address, "kuhn_poker", people=2)
        [link] = [found for found in re.findall(r'value="(http[^"]*)"', one.page_source) if "/1?" in found]
        two.get(link)
        for turn in range(10):
            now = [until(driver, lambda now: now["version"]) for driver in (one, two)]
            if all(here["over"] for here in now):
                break
            for driver, here in zip((one, two), now, strict=True):
                if here["answers"]:
                    click(driver, turn)
            time.sleep(0.5)
        assert all(here["over"] for here in now)


def test_a_killed_server_loses_nothing(tmp_path: Path) -> None:
    with browser(*SCREENS[0]) as driver:
        with served(tmp_path) as address:
            table = begin(driver, address, "connect_four")
            before = played(driver, 2)
        end = time.monotonic() + SOON
        while "does not answer" not in state(driver)["notice"]:
            assert time.monotonic() < end
        with served(tmp_path) as address:
            driver.get(address)
            time.sleep(1)
            driver.get(address.split("/?")[0] + table[table.index("/table") :])
            now = asked(driver)
            assert (now["version"], now["answers"]) == (before["version"], before["answers"])
            assert played(driver, 50)["over"]


def ended(driver: Any) -> None:
    """Wait until the work that a page shows has ended."""
    end = time.monotonic() + SOON
    while driver.execute_script('return document.getElementById("area")?.dataset.every') != "":
        assert time.monotonic() < end
        time.sleep(0.1)


def test_a_puzzle_is_clicked_and_a_game_reviewed(tmp_path: Path) -> None:
    v = alehouse.variant("connect_four")
    answers = {f"drop:{letter}": (float(letter == "a"), 0.01) for letter in "abcdefg"}
    found = Puzzle(str(v), v.rules_digest, 0, (0, 1, 0, 1, 0, 1), "drop:a", answers, 0.9, 100, 5, "heuristic", ("uniform",))
    (tmp_path / "puzzles/connect_four").mkdir(parents=True)
    found.save(tmp_path / "puzzles/connect_four/one.json")
    alehouse.Replay.of("connect_four", 0, (0, 1, 0, 1, 0, 1, 6, 1)).save(tmp_path / "game.json")
    with served(tmp_path) as address, browser(*SCREENS[1]) as driver:
        home = address.split("?")[0]
        driver.get(address)
        until(driver, lambda _: driver.current_url == home)
        driver.get(f"{home}puzzle/connect_four/one")
        ended(driver)
        driver.execute_script("""
            const thing = document.querySelector('.board [data-action~="0"]');
            thing.dispatchEvent(new MouseEvent("click", {bubbles: true}))""")
        until(driver, lambda _: "Right" in driver.page_source)
        assert state(driver)["wide"] <= 0
        driver.get(f"{home}review/game.json")
        ended(driver)
        assert state(driver)["wide"] <= 0
        driver.execute_script('document.querySelector("ol.rows a").click()')
        until(driver, lambda _: "move=6" in driver.current_url)
