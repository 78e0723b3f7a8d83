"""The examples, links and commands of the documentation work."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from alehouse import docs
from alehouse.cli import app
from alehouse.envs.games import GAMES, game
from tests.slow import slow


@pytest.mark.parametrize("name", docs.pages())
def test_a_page_is_what_make_docs_writes(name: str, root: Path) -> None:
    assert (root / "docs" / name).read_text(encoding="utf-8") == docs.pages()[name], "run `make docs`"


@pytest.mark.parametrize("name", ["README.md", "docs/play.md", slow("docs/api.md")])
def test_examples_run(name: str, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", (root / name).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert blocks
    space: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, name, "exec"), space)


NAMES = ("add_a_game", "api", "arena", "balance", "command_line", "play", "review", "training")
PAGES = ["README.md", *(f"docs/{name}.md" for name in NAMES)]


@pytest.mark.parametrize("name", PAGES)
def test_the_command_line_has_the_commands_and_options_of_the_page(name: str, root: Path) -> None:
    text = re.sub(r"\\\n|\n {8,}", " ", (root / name).read_text(encoding="utf-8"))
    lines = [
        line
        for line in re.findall(r"^    (alehouse .*)", text, re.MULTILINE) + re.findall(r"`(alehouse [^`]*)`", text)
        if "..." not in line
    ]
    assert lines
    for line in lines:
        words = line.split("#")[0].split()
        command = words[1] if len(words) > 1 and not words[1].startswith("-") and words[1].islower() else ""
        known = CliRunner().invoke(app, [command, "-h"] if command else ["-h"])
        assert known.exit_code == 0, line
        for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", line):
            assert option in known.stdout, line


def test_settings_of_the_page_are_read(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (root / "docs" / "command_line.md").read_text(encoding="utf-8")
    [text] = re.findall(r"^```toml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    (tmp_path / "page.toml").write_text(text)

    def asked(wanted: object, *_: object) -> None:
        raise ValueError(str(wanted))

    monkeypatch.setattr("alehouse.commands.train.made", asked)
    said = CliRunner().invoke(app, ["train", "--config", str(tmp_path / "page.toml")]).stderr
    for words in ("('kuhn_poker-2p',)", "opponents=('uniform', 'heuristic')", "changes=('width=32', 'clip=0.1')"):
        assert words in said


@pytest.mark.parametrize("name", [*PAGES, "CONTRIBUTING.md", "docs/index.md"])
def test_links_lead_somewhere(name: str, root: Path) -> None:
    page = root / name
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{name}: {target}"


def test_the_readme_says_how_much_of_each_game_is_known(root: Path) -> None:
    text = (root / "README.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| \[.*\]\(docs/(\w+)\.md\) .* \| (\d+ %) \|$", text, re.MULTILINE))
    assert rows == {name: game(name).numbers.known().share for name in GAMES}
