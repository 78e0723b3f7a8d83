"""The wheel holds what the repository holds, and plays where nothing else of the repository is."""

import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

PARTS = ("envs", "agents", "training", "benchmarks")

PLAY = """
import alehouse
for name in (*alehouse.GAMES, *alehouse.REFERENCE):
    t = alehouse.Tables(name, autoreset=False)
    while not t.over[0]:
        t.step(t.sample())
    t.replay(0).verify()
print(alehouse.__file__)
"""


def run(*command: object, cwd: Path) -> str:
    """The output of a command that must succeed."""
    done = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def tracked(root: Path) -> list[str]:
    """The files git knows or would take."""
    listed = run("git", "ls-files", "--cached", "--others", "--exclude-standard", cwd=root).split("\n")
    return [name for name in listed if name and (root / name).is_file()]


@pytest.fixture(scope="module")
def wheel(root: Path, tracked: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of a copy of those files."""
    source = tmp_path_factory.mktemp("source")
    for name in tracked:
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / name, source / name)
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", source / "dist", source, cwd=source)
    [built] = (source / "dist").glob("*.whl")
    return built


def test_what_names_the_version_names_the_same(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"\nversion: {project['version']}\n" in (root / "CITATION.cff").read_text(encoding="utf-8")


def place(name: str) -> str | None:
    """Where a file of the repository stands in the wheel."""
    top = name.split("/")[0]
    return name if top == "alehouse" else f"alehouse/{name}" if top in PARTS else None


def test_the_wheel_holds_every_file_and_no_other(tracked: list[str], wheel: Path) -> None:
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert held == {place(name) for name in tracked} - {None}


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment that has the wheel, and what it depends on, and nothing else of the repository."""
    home = tmp_path_factory.mktemp("installed")
    run(sys.executable, "-m", "venv", "--without-pip", home / "venv", cwd=home)
    programs = home / "venv" / "bin"
    pip(programs, wheel)
    site = Path(run(programs / "python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=home).strip())
    (site / "dependencies.pth").write_text("\n".join(place for place in sys.path if place.endswith("site-packages")))
    return programs


def pip(programs: Path, package: Path) -> None:
    """Install a package, and nothing that it depends on."""
    options = ("--no-deps", "--no-index", "--no-build-isolation", "--quiet")
    run(sys.executable, "-m", "pip", "--python", programs / "python", "install", *options, package, cwd=package.parent)


def test_an_installed_wheel_plays(installed: Path, tmp_path: Path) -> None:
    assert Path(run(installed / "python", "-c", PLAY, cwd=tmp_path).strip()).is_relative_to(installed.parent)
    assert "bloody_inn" in run(installed / "alehouse", "games", cwd=tmp_path)
    run(installed / "alehouse", "cards", "bloody_inn", "--export", "tables", cwd=tmp_path)
    assert (tmp_path / "tables" / "cards.csv").is_file()


@pytest.mark.slow
def test_a_game_of_another_package_is_a_game_like_any_other(installed: Path, tmp_path: Path) -> None:
    alehouse = installed / "alehouse"
    run(alehouse, "new-game", "mead_and_malt", "--dir", "mead", cwd=tmp_path)
    pip(installed, tmp_path / "mead")
    run(installed / "python", "-m", "pytest", "-q", "-W", "ignore::pytest.PytestUnknownMarkWarning", tmp_path / "mead", cwd=tmp_path)
    assert "mead_and_malt" in run(alehouse, "games", cwd=tmp_path)
    assert " 0 failed" in run(alehouse, "check", "mead_and_malt", "--games", 5, cwd=tmp_path)
    agents = ("--agents", "heuristic,uniform", "--blocks", 20)
    assert "heuristic" in run(alehouse, "arena", "mead_and_malt-3p-tips", *agents, cwd=tmp_path)
    run(alehouse, "balance", "mead_and_malt", "--blocks", 20, "--out", "balance", cwd=tmp_path)
    run(alehouse, "train", "mead_and_malt", "--trainer", "lean", "--minutes", 0.02, "--out", "train", cwd=tmp_path)
    (tmp_path / "pages").mkdir()
    run(installed / "python", "-m", "alehouse.docs", "pages", "mead_and_malt", cwd=tmp_path)
    assert "choose a bid card" in (tmp_path / "pages" / "mead_and_malt.md").read_text(encoding="utf-8")
