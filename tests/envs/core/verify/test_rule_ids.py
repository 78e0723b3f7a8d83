"""Every example, ruling and module rule of a game's rules.md has a test that names it, and no test names another."""

import ast
import re
from pathlib import Path

import pytest

from alehouse.envs.games import GAMES, game


def marks(name: str) -> list[str]:
    """Return the ids given to `@rule(...)` in a game's tests."""
    found = []
    for path in sorted((Path(__file__).parents[3] / "envs" / name).glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                calls = [d for d in node.decorator_list if isinstance(d, ast.Call) and isinstance(d.func, ast.Name) and d.func.id == "rule"]
                found += [ast.literal_eval(argument) for call in calls for argument in call.args]
    return found


def listed(name: str) -> list[str]:
    """Return the ids in the first column of the tables of rules.md."""
    text = (game(name).folder / "rules.md").read_text(encoding="utf-8")
    return re.findall(rf"^\| ({game(name).rule_ids}) \|", text, re.MULTILINE)


@pytest.mark.parametrize("name", GAMES)
def test_every_id_has_a_test_and_every_mark_an_id(name: str) -> None:
    assert sorted(set(listed(name))) == sorted(set(marks(name)))


@pytest.mark.parametrize("name", GAMES)
def test_no_id_is_listed_twice(name: str) -> None:
    ids = listed(name)
    assert len(ids) == len(set(ids)) > 40
