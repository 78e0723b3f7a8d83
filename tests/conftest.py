"""Fixtures that all tests share."""

import signal
from pathlib import Path

import pytest
from hypothesis import settings

from alehouse.envs.games import GAMES

settings.register_profile("compiling", deadline=None)  # a first call compiles
settings.load_profile("compiling")
signal.signal(signal.SIGINT, signal.default_int_handler)  # tests send Ctrl-C, which a run in the background ignores

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the checkout."""
    return ROOT


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where several processes share the tests, give all tests of a game to one of them, so that no other compiles the game as well.

    Tests of a game name it in their folder, their file, themselves or their parameters. They come first, other tests file by file.
    """
    if hasattr(config, "workerinput"):
        groups = {item: next((name for name in GAMES if name in item.nodeid), str(item.path)) for item in items}
        for item, group in groups.items():
            item.add_marker(pytest.mark.xdist_group(group))
        items.sort(key=lambda item: groups[item] not in GAMES)
