"""The scripts of examples/ have a page, and run; `make examples` runs them all."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

SCRIPTS = sorted(path.name for path in (Path(__file__).parents[2] / "examples").glob("*.py") if path.name != "run.py")


@pytest.mark.parametrize("name", SCRIPTS)
def test_an_example_names_its_packages_and_is_on_the_page(name: str, root: Path) -> None:
    text = (root / "examples" / name).read_text(encoding="utf-8")
    [head] = re.findall(r"^# /// script\n((?:#.*\n)+?)# ///$", text, re.MULTILINE)
    assert "alehouse" in str(tomllib.loads(head.replace("# ", ""))["dependencies"])
    assert f"(../examples/{name})" in (root / "docs" / "integrations.md").read_text(encoding="utf-8").split("## Versions")[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["torch_zero_copy.py", "sb3_ppo.py"])
def test_an_example_runs(name: str, root: Path, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, root / "examples" / name], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
