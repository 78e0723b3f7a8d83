"""Fixtures that all tests share."""

import signal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from xdist.scheduler.loadscope import LoadScopeScheduling

from alehouse.envs.games import GAMES

settings.register_profile("compiling", deadline=None)  # a first call compiles
settings.load_profile("compiling")
signal.signal(signal.SIGINT, signal.default_int_handler)  # tests send Ctrl-C, which a run in the background ignores

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the checkout."""
    return ROOT


def scope(nodeid: str) -> str:
    """Return what a test belongs to: the game that its folder, its file, itself or its parameters name, else its file."""
    return next((name for name in GAMES if name in nodeid), nodeid.split("::")[0])


class ByGame(LoadScopeScheduling):
    """Where several processes share the tests, all tests of a game run in one of them, so that no other compiles the game as well."""

    def _split_scope(self, nodeid: str) -> str:
        return scope(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByGame:
    """Share the tests by game and file."""
    return ByGame(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the tests of games come first: they take longest."""
    items.sort(key=lambda item: scope(item.nodeid) not in GAMES)
