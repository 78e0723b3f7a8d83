"""The notebooks run, with small budgets, and are kept with what they print."""

import json
from pathlib import Path
from typing import Any

import pytest

NAMES = ("quick_tour", "training", "own_agent", "balance", "benchmark", "search")
LEAN = "tables=64 batch=2048 minibatch=512 width=16 warm=2000"
SMALL = {
    "quick_tour": {"GAME": "connect_four", "GAMES": "640"},
    "training": {"GAME": "kuhn_poker-2p", "MINUTES": "0.02", "SB3": "tables=64 steps=16 minibatch=256 width=16", "LEAN": LEAN},
    "own_agent": {"VARIANT": "connect_four-2p", "BLOCKS": "20", "MOVES": "6"},
    "balance": {"BLOCKS": "200"},
    "benchmark": {"GAME": "connect_four", "AGENTS": "uniform,heuristic", "PAIR": "heuristic,uniform", "BLOCKS": "20"},
    "search": {"VARIANT": "bloody_inn-2p", "BLOCKS": "2", "GAMES": "40", "HALFWAY": "20", "ROLLOUTS": "2,3"},
}


def cells(root: Path, name: str) -> list[dict[str, Any]]:
    """Return the cells of a notebook."""
    found: list[dict[str, Any]] = json.loads((root / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    return found


def ran(root: Path, name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Run the code of a notebook with a small budget, and return its variables."""
    monkeypatch.chdir(folder)
    for key, value in {**SMALL[name], "FOLDER": str(folder), "MPLBACKEND": "agg"}.items():
        monkeypatch.setenv(key, value)
    space: dict[str, Any] = {}
    for cell in cells(root, name):
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"{name}.ipynb", "exec"), space)
    return space


def test_no_notebook_is_forgotten(root: Path) -> None:
    assert {path.stem for path in (root / "notebooks").glob("*.ipynb")} == set(NAMES) == set(SMALL)


@pytest.mark.parametrize("name", NAMES)
def test_it_begins_with_the_cell_for_hosted_notebooks_and_keeps_its_outputs(name: str, root: Path) -> None:
    heading, install, *_ = found = cells(root, name)
    assert heading["source"][0].startswith("# ")
    assert "pip" in "".join(install["source"])
    code = [cell for cell in found if cell["cell_type"] == "code"]
    assert all(cell["execution_count"] for cell in code), "run `make notebooks`"
    outputs = [output for cell in code for output in cell["outputs"]]
    assert not [output for output in outputs if output["output_type"] == "error"]
    pictures = [kind for output in outputs for kind in output.get("data", {}) if kind.startswith("image/")]
    assert pictures
    for text in (str(output.get("text", "")) + str(output.get("data", {}).get("text/plain", "")) for output in outputs):
        assert "/tmp" not in text
        assert " … " not in text.split("\n")[0]  # a column that is cut


@pytest.mark.slow
def test_the_quick_tour_runs(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    space = ran(root, "quick_tour", tmp_path, monkeypatch)
    assert space["won"] > 0.6
    assert space["game"].verify() is None


@pytest.mark.slow
def test_the_first_training_run_runs(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    pytest.importorskip("stable_baselines3")
    space = ran(root, "training", tmp_path, monkeypatch)
    assert set(space["by_sb3"].standings()) == {"uniform", "heuristic"}
    assert space["trainer"].seconds >= 1.2
    assert space["wins"] > 0
    assert 0 < (tmp_path / "net.safetensors").stat().st_size < 400_000
    assert "games against the heuristic won" in capsys.readouterr().out


@pytest.mark.slow
def test_an_agent_of_ones_own_runs(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    space = ran(root, "own_agent", tmp_path, monkeypatch)
    assert space["lost"]
    assert 0 <= space["mean"] <= 1


@pytest.mark.slow
def test_the_designers_study_runs(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    space = ran(root, "balance", tmp_path, monkeypatch)
    assert space["found"]
    assert space["worths"]


@pytest.mark.slow
def test_the_researchers_benchmark_runs(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    space = ran(root, "benchmark", tmp_path, monkeypatch)
    assert [row["name"] for row in space["found"]["agents"]] == ["uniform", "heuristic"]
    assert space["test"]["verdict"]


@pytest.mark.slow
def test_search_and_values_run(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    space = ran(root, "search", tmp_path, monkeypatch)
    assert abs(sum(space["course"][0]) - 1) < 1e-6
    assert len(space["found"]) == 2
