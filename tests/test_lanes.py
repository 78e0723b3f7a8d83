"""Games play the same compiled, in plain Python, and with bounds checks: `make lanes` runs this in all three."""

import csv
from pathlib import Path

import pytest

import alehouse
from alehouse.envs.core.signature import signature


def full(name: str) -> alehouse.Variant:
    """A game with all its seats and modules."""
    spec = alehouse.game(name)
    return spec.variant(seats=spec.seats[-1], modules=[m.name for m in spec.modules])


@pytest.mark.lanes
@pytest.mark.parametrize("name", [*alehouse.GAMES, *alehouse.REFERENCE])
def test_the_signature_is_the_one_on_file(name: str, root: Path) -> None:
    with open(root / "tests" / "signatures.csv", newline="", encoding="utf-8") as source:
        kept = {row["variant"]: row["signature"] for row in csv.DictReader(source)}
    assert signature(full(name)) == kept[str(full(name))]
