"""The 95 % confidence intervals are as wide as they should be."""

import numpy as np
import pytest

from alehouse.envs.core.verify.intervals import half_width, wilson


def test_wilson() -> None:
    assert wilson(0.5, 100) == (pytest.approx(0.4038, abs=1e-4), pytest.approx(0.5962, abs=1e-4))
    assert wilson(0.0, 10) == (pytest.approx(0.0, abs=1e-9), pytest.approx(0.2775, abs=1e-4))


def test_the_mean_of_each_column() -> None:
    sample = np.array([[0, 5], [2, 5], [0, 5], [2, 5]])
    assert half_width(sample) == pytest.approx([1.96 * np.sqrt(4 / 3) / 2, 0], rel=1e-4)
    covered = [abs(some.mean()) <= half_width(some) for some in np.random.default_rng(1).normal(0, 3, (2000, 50))]
    assert np.mean(covered) == pytest.approx(0.95, abs=0.02)
