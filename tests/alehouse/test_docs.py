"""The examples, links and commands of the documentation work."""

import re
from pathlib import Path

import pytest

from alehouse import docs


@pytest.mark.parametrize("name", docs.pages())
def test_a_page_is_what_make_docs_writes(name: str, root: Path) -> None:
    assert (root / "docs" / name).read_text(encoding="utf-8") == docs.pages()[name], "run `make docs`"


@pytest.mark.parametrize("name", ["README.md", "docs/api.md"])
def test_examples_run(name: str, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", (root / name).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert blocks
    space: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, name, "exec"), space)


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "docs/index.md", "docs/api.md"])
def test_links_lead_somewhere(name: str, root: Path) -> None:
    page = root / name
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{name}: {target}"
