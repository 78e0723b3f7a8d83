"""Games play the same compiled, in plain Python and with bounds checks: `make lanes` runs this in the last two."""

import pytest

from alehouse.envs.core.verify.signature import signature
from alehouse.envs.games import game
from tests.goldens import PLAYED, read_signatures


@pytest.mark.lanes
@pytest.mark.parametrize("name", PLAYED)
def test_a_game_with_all_modules_keeps_its_signature(name: str) -> None:
    spec = game(name)
    v = spec.variant(seats=spec.seats[-1], modules=[m.name for m in spec.modules])
    assert signature(v) == read_signatures()[str(v)]
