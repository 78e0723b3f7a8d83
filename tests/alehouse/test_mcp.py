"""`alehouse mcp`: a model plays by tools, through the client of the official library; it reads what its seat may know and nothing else."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import alehouse
from alehouse.cli import app
from alehouse.mcp_server import TOOLS, Desk

pytest.importorskip("mcp")


def content(result: Any) -> Any:
    """What a tool returned, or the line by which it refused."""
    text = "\n".join(part.text for part in result.content)
    return text if result.is_error else json.loads(text)


@pytest.mark.slow
def test_a_game_through_the_official_client(tmp_path: Path) -> None:
    import anyio
    from mcp import Client, StdioServerParameters

    async def play() -> None:
        program = StdioServerParameters(command=sys.executable, args=["-m", "alehouse", "mcp", "--out", str(tmp_path)])
        async with Client(program) as client:
            assert {tool.name for tool in (await client.list_tools()).tools} == set(TOOLS)

            async def call(tool: str, **given: Any) -> Any:
                return content(await client.call_tool(tool, given))

            refused = await call("new_game", game="chess")
            assert refused.count("\n") == 0
            assert "connect_four" in refused
            seen = await call("new_game", game="connect_four", seat=1, opponents="uniform", seed=3)
            assert (seen["seat"], seen["answers"], seen["over"]) == (1, 7, False)
            assert seen["asked"].startswith("player_1")
            assert len(seen["news"]) == 1
            while not seen["over"]:
                options = (await call("options", match=1))["options"]
                assert len(options) == seen["answers"]
                seen = await call("act", match=1, answer=options[0]["name"])
            done = await call("replay", match=1)
            assert alehouse.Replay.load(done["path"]).tables().scores[0].tolist() == seen["scores"] == done["scores"]

    anyio.run(play)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A desk whose matches are kept in a folder of its own."""
    return Desk(tmp_path)


def test_a_model_is_told_what_happened_once(desk: Desk) -> None:
    seen = desk.new_game("connect_four", seed=1)
    assert (seen["news"], seen["match"]) == ([], 1)
    after = desk.act(1, "drop:d")
    assert after["news"][0] == "1. you: Drop a disc into column d"
    assert len(after["news"]) == 2
    assert desk.observe(1)["news"] == []


def test_ratings_are_best_first_and_only_for_your_question(desk: Desk) -> None:
    desk.new_game("connect_four", seed=1)
    rows = desk.rate(1, plays=8)
    assert len(rows) == 7
    assert [row["value"] for row in rows] == sorted((row["value"] for row in rows), reverse=True)
    with pytest.raises(ValueError, match="2 to 2000"):
        desk.rate(1, plays=1)


def test_what_the_command_names_is_played_unless_the_model_asks_for_more(tmp_path: Path) -> None:
    desk = Desk(tmp_path, alehouse.variant("bloody_inn-3p-carnies?start.cash=7"))
    played = [desk.variant(*asked) for asked in (
        ("bloody_inn", None, "", ""), ("bloody_inn", 2, "notables", "game.rent=2, start.cash=6"), ("bloody_inn-4p", None, "", ""),
        ("kuhn_poker", None, "", ""),
    )]  # fmt: skip
    assert list(map(str, played)) == [
        "bloody_inn-3p-carnies?start.cash=7", "bloody_inn-2p-notables?game.rent=2&start.cash=6", "bloody_inn-4p?start.cash=7",
        "kuhn_poker-2p",
    ]  # fmt: skip
    with pytest.raises(ValueError, match="start.cash"):
        desk.variant("bloody_inn", None, "", "start.cash=x")


def test_rules_come_with_the_options(desk: Desk) -> None:
    desk.new_game("connect_four")
    assert "rules" not in desk.options(1)
    assert "column" in desk.options(1, rules=True)["rules"]


def test_what_is_refused_is_explained(desk: Desk) -> None:
    with pytest.raises(ValueError, match="begin one with new_game"):
        desk.observe(1)
    desk.new_game("kuhn_poker")
    with pytest.raises(ValueError, match="not over"):
        desk.replay(1)
    with pytest.raises(ValueError, match="0 to 1, or a name"):
        desk.act(1, 9)
    with pytest.raises(ValueError, match="no such action"):
        desk.act(1, "fold")
    assert desk.why_illegal(1, "bet") == "it is legal"
    with pytest.raises(ValueError, match="seat 2: 0 to 1"):
        desk.new_game("kuhn_poker", seat=2)
    for name in ("process:python bot.py", "bot.py:Bot", "somebody"):
        with pytest.raises(ValueError, match="only agents of this package"):
            desk.new_game("kuhn_poker", opponents=name)
        with pytest.raises(ValueError, match="only agents of this package"):
            desk.rate(1, by=name)
    with pytest.raises(ValueError, match="the name of an agent"):
        desk.new_game("kuhn_poker", opponents="human")


def test_hidden_cards_do_not_reach_the_model(desk: Desk) -> None:
    seen = [desk.new_game("kuhn_poker", seed=seed) for seed in range(12)]
    cards = [desk.matches[one["match"]][0].tables.states["card"][0].tolist() for one in seen]
    alike = [(one["table"], one["asked"], desk.options(one["match"])) for one in seen]
    for (mine, theirs), told in zip(cards, alike, strict=True):
        assert [other for (m, t), other in zip(cards, alike, strict=True) if m == mine and t != theirs].count(told) > 0


def test_without_the_library_one_line_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    result = CliRunner().invoke(app, ["mcp"])
    assert (result.exit_code, result.stderr) == (2, "alehouse: mcp needs mcp: pip install 'alehouse[mcp]'\n")
