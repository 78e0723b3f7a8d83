"""`alehouse new-game`: what it writes, and what it refuses. test_packaging.py installs and plays it."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from alehouse.cli import app
from alehouse.skeleton import project


def new_game(*words: object) -> tuple[int, str]:
    """The exit code and the output of the command."""
    done = CliRunner().invoke(app, ["new-game", *map(str, words)])
    return done.exit_code, done.output


def test_it_writes_a_project_that_names_nothing_but_the_new_game(tmp_path: Path) -> None:
    code, text = new_game("hop_war", "--dir", tmp_path / "hop")
    assert code == 0
    assert "pip install" in text
    for path, content in project("hop_war", "Hop war").items():
        assert (tmp_path / "hop" / path).read_text(encoding="utf-8") == content
        assert "alehouse.skeleton" not in content
    assert 'hop_war = "hop_war"' in (tmp_path / "hop" / "pyproject.toml").read_text(encoding="utf-8")
    assert 'name="hop_war"' in (tmp_path / "hop" / "hop_war" / "__init__.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "why"),
    [("Hops", "small letters"), ("x", "small letters"), ("2hops", "small letters"), ("tiefenthal", "already"), ("connect_four", "already")],
)
def test_a_name_that_cannot_be_used_is_refused(name: str, why: str, tmp_path: Path) -> None:
    code, text = new_game(name, "--dir", tmp_path / "new")
    assert code == 2
    assert why in text
    assert not (tmp_path / "new").exists()


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    code, text = new_game("hops", "--dir", tmp_path)
    assert code == 2
    assert "choose an empty folder" in text
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
