"""Tests and parameters that only `make slow` runs: what takes long to compile or to play."""

from typing import Any

import pytest


def slow(*values: object) -> Any:
    """Return parameters of a test with the mark slow."""
    return pytest.param(*values, marks=pytest.mark.slow)
