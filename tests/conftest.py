"""Fixtures that all tests share."""

import signal
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("compiling", deadline=None)  # a first call compiles
settings.load_profile("compiling")
signal.signal(signal.SIGINT, signal.default_int_handler)  # tests send Ctrl-C, which a run in the background ignores

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the checkout."""
    return ROOT
