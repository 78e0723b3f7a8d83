"""The kept list of broken rules fits the sources: `make mutants` would change what it names."""

import sys
import tomllib
from pathlib import Path

import pytest


def test_every_mutant_changes_one_place(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(root / "tools"))
    import mutants

    listed = tomllib.loads((root / "tools" / "mutants.toml").read_text(encoding="utf-8"))
    for where, rows in listed.items():
        for row in rows:
            mutant = mutants.Mutant(where, **row)
            assert mutant.old != mutant.new
            mutant.source(root)  # a ValueError says if the old text does not stand there once
            assert list(mutant.concerned(root))
    del sys.modules["mutants"]
