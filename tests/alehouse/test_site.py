"""The site of docs/ builds without a warning, from any of whose pages nothing is loaded from elsewhere."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import alehouse

LOADED = re.compile(
    r"<(?:script|img|iframe|source)\b[^>]*\bsrc=\"(?:https?:)?//|<link\b[^>]*rel=\"(?:stylesheet|preconnect|icon)\"[^>]*\bhref=\"(?:https?:)?//"
)


@pytest.fixture(scope="module")
def site(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built strictly: a link or an anchor that leads nowhere ends the build."""
    pytest.importorskip("material")
    subprocess.run(["make", "-s", "typing"], cwd=root, check=True)
    built = tmp_path_factory.mktemp("site")
    words = ("-m", "mkdocs", "build", "--strict", "--site-dir", str(built))
    done = subprocess.run([sys.executable, *words], cwd=root, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return built


@pytest.mark.slow
def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 20
    for page in pages:
        assert not LOADED.search(page.read_text(encoding="utf-8")), page


@pytest.mark.slow
def test_the_search_knows_pages_notebooks_results_and_the_reference(site: Path) -> None:
    found = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))["docs"]
    places = {row["location"].partition("#")[0] for row in found}
    assert places >= {"index.html", "tiefenthal.html", "RESULTS.html", "CHANGELOG.html", "notebooks/training.html", "reference.html"}
    named = {row["location"].partition("#")[2] for row in found if row["location"].startswith("reference.html")}
    assert named >= {f"alehouse.{name}" for name in alehouse.__all__}


@pytest.mark.slow
@pytest.mark.parametrize("name", alehouse.GAMES)
def test_the_page_of_a_game_has_its_figures(name: str, site: Path) -> None:
    page = (site / f"{name}.html").read_text(encoding="utf-8")
    assert "Speed and baselines" in page
    for mode in ("kernel", "batch", "heuristics"):
        assert f"<td>{mode}</td>" in page
