"""Levels of play: every game has six, and each is an agent that plays."""

import runpy

import pytest

from alehouse import players
from alehouse.agents import Careless, ask, heuristic
from alehouse.agents.ladder import uniform
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.games import GAMES, REFERENCE, game
from alehouse.levels import LEVELS, NAMES, Level, Rating, choices, levels, measured, sections, strength

FOUR = game("connect_four")


@pytest.mark.parametrize("name", [*GAMES, *REFERENCE])
def test_every_game_has_six_levels(name):
    found = levels(game(name))
    assert [one.number for one in found] == list(range(1, LEVELS + 1))
    assert len({one.agent for one in found}) == LEVELS
    assert tuple(one.name for one in found) == NAMES
    for one in found:
        for text in (f"level:{one.number}", f"level:{one.name}", one.name):
            assert players.player(text, game(name)).name == players.player(one.agent, game(name)).name
        for seats, rating in one.ratings.items():
            assert measured(game(name))
            assert seats in game(name).seats
            assert rating.low <= rating.points <= rating.high


@pytest.mark.parametrize("number", ["0", "7", "", "x", "1:2"])
def test_a_wrong_level_is_explained(number):
    with pytest.raises(ValueError, match=r"1 \(weakest\) to 6 \(strongest\)"):
        players.player(f"level:{number}", FOUR)


def test_levels_are_trusted_and_runs_know_what_they_are():
    assert players.trusted("level:3")
    assert players.trusted("master")
    assert not players.trusted("masters")
    assert players.fingerprint("level:3") == players.fingerprint("master") != players.fingerprint("net")


def test_strength_is_told_with_its_interval():
    known = Level(1, "uniform", {2: Rating(-120, -150, -90), 3: Rating(0, 0, 0)})
    assert [strength(known, seats) for seats in (2, 3, 4)] == ["-120 points (-150 to -90)", "+0 points", "not measured"]


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_a_careless_agent_decides_a_share_of_decisions_at_random(share):
    tables = Tables("connect_four", n=2000, seed=1)
    found = ask(Careless(FOUR, share), tables)
    random, best = ask(uniform(FOUR), tables), ask(heuristic(FOUR), tables)
    assert ((found == random) | (found == best)).all()
    lapses = (found != best).mean()
    assert abs(lapses - share * (random != best).mean()) < 0.05


def test_the_file_of_levels_is_written_as_it_is_read(root):
    tool = runpy.run_path(str(root / "tools" / "measure_levels.py"))
    text = (root / "alehouse" / "levels.toml").read_text(encoding="utf-8")
    assert tool["text_of"](sections()) == text
    assert set(choices()) == {"default", "kuhn_poker", *GAMES}
