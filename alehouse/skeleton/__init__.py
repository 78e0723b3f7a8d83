"""The example game, Kegs, and the project that `alehouse new-game` makes from it. docs/add_a_game.md explains it file by file."""

from pathlib import Path

EXAMPLE = Path(__file__).parent / "kegs"
TEXT = (".py", ".md", ".toml", ".csv")
PROJECT = """[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "alehouse-{dashed}"
version = "0.1.0"
description = "{title}, a game for Alehouse"
requires-python = ">=3.11"
dependencies = ["alehouse"]

[project.entry-points."alehouse.games"]
{name} = "{name}"

[tool.setuptools]
packages = ["{name}", "{name}.tests"]
package-data = {{ "*" = ["*.toml", "*.md", "tables/*.csv"] }}
"""


def project(name: str, title: str) -> dict[Path, str]:
    """Return the files of a package in which the example game has another name."""
    found = {Path("pyproject.toml"): PROJECT.format(name=name, dashed=name.replace("_", "-"), title=title)}
    for source in sorted(path for path in EXAMPLE.rglob("*") if path.suffix in TEXT):
        text = source.read_text(encoding="utf-8").replace("alehouse.skeleton.kegs", name)
        text = text.replace('name="kegs"', f'name="{name}"').replace('title="Kegs"', f'title="{title}"')
        found[Path(name) / source.relative_to(EXAMPLE)] = text
    return found
