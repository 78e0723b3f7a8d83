"""The examples, links and commands of the documentation work."""

import functools
import importlib.util
import re
import tomllib
from pathlib import Path

import gymnasium
import pytest
from typer.testing import CliRunner

from alehouse import docs
from alehouse.cli import app
from alehouse.envs.games import GAMES, REFERENCE, game, newest
from tests.slow import slow


@pytest.mark.parametrize("name", docs.pages())
def test_a_page_is_what_make_docs_writes(name: str, root: Path) -> None:
    assert (root / "docs" / name).read_text(encoding="utf-8") == docs.pages()[name], "run `make docs`"


ROOT = Path(__file__).parents[2]
WRITTEN = [f"docs/{name}" for name in docs.pages()]  # pages that `make docs` writes
PAGES = sorted(
    {str(path.relative_to(ROOT)) for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]} - {*WRITTEN, "RESULTS.md", "CHANGELOG.md"}
)
RUN = ["README.md", "docs/first_steps.md", "docs/own_loop.md", "docs/play.md"]  # pages whose Python runs here, from top to bottom
RUN_SLOWLY = ["docs/api.md", "docs/environments.md"]
RUN_ELSEWHERE = {
    "docs/arena.md": "tests/alehouse/test_arena_cli.py",
    "docs/training.md": "tests/training/test_train_sb3.py",
}


def blocks(name: str, kind: str = "python") -> list[str]:
    """Return the fenced blocks of a kind on a page."""
    return re.findall(rf"^```{kind}\n(.*?)^```", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("name", [*RUN, *map(slow, RUN_SLOWLY)])
def test_examples_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    space: dict[str, object] = {}
    for block in blocks(name):
        exec(compile(block, name, "exec"), space)


def test_each_page_with_python_is_run_by_a_test() -> None:
    assert {name for name in PAGES if blocks(name)} == {*RUN, *RUN_SLOWLY, *RUN_ELSEWHERE}
    for name, test in RUN_ELSEWHERE.items():
        assert Path(name).name in (ROOT / test).read_text(encoding="utf-8")


def shell_lines(name: str) -> list[list[str]]:
    """Return the words of each shell line of a page: indented or in backquotes, with lines that go on joined, without comments."""
    text = re.sub(r"\\\n|\n {8,}", " ", (ROOT / name).read_text(encoding="utf-8"))
    found = re.findall(r"^    ((?:alehouse|make|pip|python|uv|docker) .*)", text, re.MULTILINE) + re.findall(
        r"`((?:alehouse|make|pip|python|uv|docker) [^`]*)`", text
    )
    return [line.split("#")[0].split() for line in found if "..." not in line]


@functools.cache
def help_of(command: str) -> str:
    """Return what a command's help prints."""
    known = CliRunner().invoke(app, [command, "-h"] if command else ["-h"])
    assert known.exit_code == 0, command
    return known.stdout


@pytest.mark.parametrize("name", PAGES)
def test_the_command_line_has_the_commands_and_options_of_the_page(name: str) -> None:
    for line in shell_lines(name):
        if line[0] == "alehouse":
            command = line[1] if line[1].islower() and not line[1].startswith("-") else ""
            for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", " ".join(line)):
                assert option in help_of(command), line


@pytest.mark.parametrize("name", PAGES)
def test_make_has_the_targets_and_the_package_the_extras_of_the_page(name: str) -> None:
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    for line in shell_lines(name):
        if line[0] == "make":
            assert line[1] in targets, line
        for asked in re.findall(r"pip install '(?:alehouse|\.)\[([a-z,]+)\]'", " ".join(line)):
            assert extras.keys() >= set(asked.split(",")), line
        for module in re.findall(r"python -m ((?:alehouse|tests)[\w.]*)", " ".join(line)):
            assert importlib.util.find_spec(module), line


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


def anchors(page: Path) -> set[str]:
    """Return the anchors of the headings of a page."""
    headings = re.findall(
        r"^#+ (.*)", re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL), re.MULTILINE
    )
    marked = re.findall(r'<a id="([\w-]+)">', page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings} | set(marked)


@pytest.mark.parametrize("name", [*PAGES, *WRITTEN, "RESULTS.md", "CHANGELOG.md"])
def test_links_lead_somewhere(name: str, root: Path) -> None:
    page = root / name
    for target, anchor in re.findall(r"\]\(([^)#:\s]*)#?([^):\s]*)\)", page.read_text(encoding="utf-8")):
        other = page.parent / target if target else page
        assert other.exists(), f"{name}: {target}"
        if anchor:
            assert anchor in anchors(other), f"{name}: {target}#{anchor}"


def test_the_readme_says_how_much_of_each_game_is_known(root: Path) -> None:
    text = (root / "README.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| \[.*\]\(docs/(\w+)\.md\) .* \| (\d+ %) \|$", text, re.MULTILINE))
    assert rows == {name: game(name).numbers.known().share for name in GAMES}


def test_the_readme_has_the_speeds_of_the_results(root: Path) -> None:
    text, results = ((root / name).read_text(encoding="utf-8") for name in ("README.md", "RESULTS.md"))
    assert docs.readme(text, results) == text, "run `make docs`"
    faster = re.sub(r"(\| kernel \| 2 \| 2 \| [\d,]+ \| )\d", r"\g<1>9", results)
    assert docs.readme(text, faster) != text


def test_the_cards_of_agents_have_the_figures_of_their_files(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (root / "docs" / "agents.md").read_text(encoding="utf-8")
    assert docs.cards(text) == text, "run `make docs`"
    assert text.count("| The Taverns of Tiefenthal |") == 2
    monkeypatch.setattr("alehouse.agent_cards.won", lambda variant, row: f"{row['won']:.0%}")
    assert docs.cards(text) != text


def test_other_figures_of_the_readme_stand_in_the_results(root: Path) -> None:
    text, results = ((root / name).read_text(encoding="utf-8") for name in ("README.md", "RESULTS.md"))
    prose = re.sub(r"^```.*?^```|<!-- speed.*end of speed -->", "", text, flags=re.MULTILINE | re.DOTALL)
    figures = set(re.findall(r"\d[\d,]*[.,]\d+", prose)) - {"3.11", "2.0"}  # Python's version, and the licence's
    assert len(figures) >= 12
    known = set(re.findall(r"\d[\d,]*[.,]\d+", results))
    assert not figures - known


def test_exact_is_said_only_beside_how_much_is_known(root: Path) -> None:
    text = (root / "README.md").read_text(encoding="utf-8")
    for paragraph in text.split("\n\n"):
        assert not re.search(r"\bexact", paragraph) or "*Known*" in paragraph


def test_the_versions_of_environments_have_the_sizes_of_now(root: Path) -> None:
    rows = re.findall(
        r"^\| `\w+-v\d`, `(\w+)-v(\d)` \|.*\| (\d+) \| (\d+) \|$", (root / "docs" / "environments.md").read_text(), re.MULTILINE
    )
    now = {name: (int(actions), int(observed)) for name, version, actions, observed in rows if int(version) == newest(name)}
    assert now == {name: (len(game(name).ACTIONS), game(name).FEATURES.size) for name in (*GAMES, *REFERENCE)}


@pytest.mark.parametrize("name", PAGES)
def test_environments_are_named_with_the_version_of_now(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    newest = {spec.name: spec.version for spec in sorted(gymnasium.registry.values(), key=lambda spec: spec.version or 0)}
    for environment, version in re.findall(r'"alehouse/([A-Z]\w+)-v(\d+)"', text):
        assert newest[environment] == int(version), environment
