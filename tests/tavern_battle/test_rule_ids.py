"""Every example and ruling of rules.md has a test that names it, and no test names another."""

import ast
import re
from pathlib import Path

from alehouse.envs.tavern_battle import layout


def marks() -> list[str]:
    """The ids given to `@rule(...)` in the tests beside this file."""
    found = []
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                calls = [d for d in node.decorator_list if isinstance(d, ast.Call) and isinstance(d.func, ast.Name) and d.func.id == "rule"]
                found += [ast.literal_eval(argument) for call in calls for argument in call.args]
    return found


def listed() -> list[str]:
    """The ids in the first column of the tables of rules.md."""
    text = (layout.FOLDER / "rules.md").read_text(encoding="utf-8")
    return re.findall(r"^\| (TB-[TR]\d+) \|", text, re.MULTILINE)


def test_every_id_has_a_test_and_every_mark_an_id() -> None:
    assert sorted(set(listed())) == sorted(set(marks()))


def test_no_id_is_listed_twice() -> None:
    ids = listed()
    assert len(ids) == len(set(ids)) == 20 + 31
