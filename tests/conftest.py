"""What all tests share."""

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("compiling", deadline=None)  # a first call compiles
settings.load_profile("compiling")

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the checkout."""
    return ROOT
