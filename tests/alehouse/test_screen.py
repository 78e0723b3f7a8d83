"""`alehouse play --screen`: driven by textual's pilot at 80 by 24."""

import asyncio

import pytest

from alehouse.matches.match import Match

pytest.importorskip("textual")

from textual.widgets import OptionList, Static

from alehouse.matches.screen import Screen

SIZE = 80, 24


@pytest.fixture
def path(tmp_path):
    return tmp_path / "match.jsonl"


def driven(match, drive, teach=False):
    """Show a match and let a test drive it."""

    async def run():
        app = Screen(match, teach)
        async with app.run_test(size=SIZE) as pilot:
            await settled(pilot)
            await drive(app, pilot)

    asyncio.run(run())


async def settled(pilot):
    """Wait until nothing happens in the background any more."""
    await pilot.pause()
    while pilot.app.busy:
        await pilot.pause(0.02)
    await pilot.pause()


async def press(pilot, *keys):
    await pilot.press(*keys)
    await settled(pilot)


def text(app, name):
    return str(app.query_one(f"#{name}", Static).content)


def test_a_game_is_played_to_its_end(path):
    match = Match.new("connect_four", ("human", "uniform"), 1, path)

    async def drive(app, pilot):
        for _ in range(30):
            await press(pilot, "1", "enter")
        assert match.over
        assert "The game is over" in text(app, "question")
        assert "1. player_0 (human): 1 point" in text(app, "question")
        assert app.query_one("#answers", OptionList).option_count == 0

    driven(match, drive)
    assert Match.open(path).actions == match.actions


def test_numbers_arrows_and_undo(path):
    match = Match.new("connect_four", ("human", "uniform"), 1, path)

    async def drive(app, pilot):
        await press(pilot, "3", "4", "down", "enter")
        assert match.actions[0] == 4
        assert len(match.actions) == 2
        assert "Drop a disc into column e: " in text(app, "note")
        assert "x" in text(app, "words")
        await press(pilot, "u")
        assert match.actions == ()
        await press(pilot, "u")
        assert text(app, "note") == "there is no answer to take back"

    driven(match, drive, teach=True)


def test_hints_teaching_and_explaining(path):
    match = Match.new("connect_four", ("human", "human"), 1, path)
    for action in (3, 0, 3, 0, 3, 0):
        match.act(action)

    async def drive(app, pilot):
        await press(pilot, "enter")
        await press(pilot, "h")
        assert "Drop a disc into column d: wins 100%" in text(app, "note")
        await press(pilot, "question_mark")
        assert "Choose one of the legal actions" in text(app, "note")
        await press(pilot, "s")
        assert path.with_suffix(".json").exists()
        await press(pilot, "7", "enter")
        assert "of the win; better: Drop a disc into column d" in text(app, "note")

    driven(match, drive, teach=True)


def test_the_next_person_does_not_see_the_cards_of_the_last(path):
    match = Match.new("kuhn_poker", ("human", "human"), 1, path)
    first, second = (("jack", "queen", "king")[card] for card in match.tables.states["card"][0])

    async def drive(app, pilot):
        assert text(app, "words") == ""
        await press(pilot, "h")
        assert text(app, "note") == ""
        await press(pilot, "enter")
        assert first in text(app, "words")
        await press(pilot, "2", "enter")
        assert text(app, "words") == ""
        await press(pilot, "enter")
        assert second in text(app, "words")
        assert first not in text(app, "words")

    driven(match, drive)


def test_a_long_table_is_scrolled_by_keys(path):
    match = Match.new("bloody_inn-4p", ("human",) * 4, 1, path)

    async def drive(app, pilot):
        await press(pilot, "enter")
        assert match.text(match.seat) == text(app, "words")
        table = app.query_one("#table")
        assert table.max_scroll_y > 0
        await press(pilot, "pagedown")
        assert table.scroll_y > 0
        await press(pilot, "pageup", "pageup")
        assert table.scroll_y == 0

    driven(match, drive)


def test_a_fault_of_an_agent_is_shown(path, tmp_path):
    (tmp_path / "mine.py").write_text("def broken(obs, mask):\n    raise KeyError('oh')\n")
    match = Match.new("connect_four", ("human", f"{tmp_path / 'mine.py'}:broken"), 1, path)

    async def drive(app, pilot):
        await press(pilot, "enter")
        assert "KeyError: 'oh'" in text(app, "note")
        await press(pilot, "q")

    driven(match, drive)
    assert len(Match.open(path).actions) == 1
