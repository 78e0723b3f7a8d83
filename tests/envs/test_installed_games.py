"""Games of other installed packages are found by name; broken ones are left out with a warning."""

import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from alehouse.agents.heuristic import heuristic_of
from alehouse.cli import app
from alehouse.envs import games
from alehouse.envs.core.faces import register

GOOD = "import dataclasses\nfrom tests import toy\nGAME = dataclasses.replace(toy.GAME, name={name!r}, module=__name__)\n"
HEURISTIC = """
from pathlib import Path
from alehouse.agents.heuristic.weights import Weights
from alehouse.envs.core.run.jit import jit
WEIGHTS = Weights((), Path("none"))

@jit
def think(s, R, W, key):
    return 0

@jit
def rate(s, R, W, mind, a):
    return float(a)

@jit
def evaluate(s, R, W, out):
    out[:] = 0.0
"""
Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Install packages of one game each into a folder of this test."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def package(name: str, module: str, text: str, heuristic: str = "", dist: str = "") -> None:
        folder = tmp_path / module
        folder.mkdir(exist_ok=True)
        (folder / "__init__.py").write_text(text)
        if heuristic:
            (folder / "heuristic.py").write_text(heuristic)
        info = tmp_path / f"{dist or module}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {dist or module}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[alehouse.games]\n{name} = {module}\n")
        games.installed.cache_clear()

    yield package
    games.installed.cache_clear()


def warned(*others: str) -> list[str]:
    """List the warnings that come when games are listed; the games of other packages that are listed must be these."""
    games.installed.cache_clear()
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        assert games.playable() == (*games.GAMES, *others)
    return [str(one.message) for one in found]


def test_a_game_of_another_package_is_there(install: Install) -> None:
    install("dart_board", "darts_for_alehouse", GOOD.format(name="dart_board"), HEURISTIC)
    assert warned("dart_board") == []
    v = games.variant("dart_board-2p-spice")
    assert (v.game, str(v), v.spec.module) == ("dart_board", "dart_board-2p-spice", "darts_for_alehouse")
    known = heuristic_of(v.spec)
    assert known is not None
    assert known.rate.__module__ == "darts_for_alehouse.heuristic"
    assert "dart_board" in CliRunner().invoke(app, ["games"]).output
    import gymnasium

    register(games.installed())
    assert gymnasium.spec("alehouse/DartBoard-v0").kwargs == {"game": "dart_board"}
    del gymnasium.registry["alehouse/DartBoard-v0"]


def test_a_game_without_a_heuristic(install: Install) -> None:
    install("bare_board", "bare_for_alehouse", GOOD.format(name="bare_board"))
    assert heuristic_of(games.game("bare_board")) is None


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("broken_a", "import nothing_of_the_kind", "does not load: ModuleNotFoundError: No module named 'nothing_of_the_kind'"),
        ("broken_b", "GAME = 7", "GAME in broken_b_for_alehouse is not a Game with name='broken_b' and module=__name__"),
        ("broken_c", GOOD.format(name="another"), "GAME in broken_c_for_alehouse is not a Game with name='broken_c'"),
        ("broken_d", "", "does not load: AttributeError"),
        ("tiefenthal", GOOD.format(name="tiefenthal"), "is left out: there is one of alehouse already"),
        ("Darts 501", GOOD.format(name="Darts 501"), "is left out: a name is made of small letters and underscores"),
    ],
)
def test_a_faulty_package_is_named_once(install: Install, name: str, text: str, why: str) -> None:
    module = f"{name.lower().replace(' ', '_')}_for_alehouse"
    install(name, module, text)
    [told] = warned()
    assert told.startswith(f"game {name!r} of package {module}")
    assert why in told
    if name.startswith("broken"):
        found = CliRunner().invoke(app, ["cards", name])
        assert found.exit_code == 2
        assert "Traceback" not in found.output


def test_of_two_games_of_one_name_the_first_stays(install: Install) -> None:
    install("dart_board", "dart_one", GOOD.format(name="dart_board"))
    install("dart_board", "dart_two", GOOD.format(name="dart_board"))
    assert warned("dart_board") == [
        "game 'dart_board' of package dart_two is left out: there is game 'dart_board' of package dart_one already"
    ]
    assert games.game("dart_board").module == "dart_one"


def test_an_unknown_game_is_told_which_there_are(install: Install) -> None:
    install("dart_board", "darts_again", GOOD.format(name="dart_board"))
    with pytest.raises(ValueError, match="game 'chess': one of bloody_inn, .*kuhn_poker, dart_board"):
        games.game("chess")
