"""The wheel holds what the repository holds, and plays where nothing else of the repository is."""

import shutil
import subprocess
import sys
import sysconfig
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


def place(name: str) -> str | None:
    """Where a file of the repository stands in the wheel."""
    top = name.split("/")[0]
    return name if top == "alehouse" else f"alehouse/{name}" if top in PARTS else None


def test_the_wheel_holds_every_file_and_no_other(tracked: list[str], wheel: Path) -> None:
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert held == {place(name) for name in tracked} - {None}


def test_an_installed_wheel_plays(wheel: Path, tmp_path: Path) -> None:
    home = tmp_path / "venv"
    run(sys.executable, "-m", "venv", "--without-pip", home, cwd=tmp_path)
    python = home / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", wheel, cwd=tmp_path)
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=tmp_path).strip())
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    assert Path(run(python, "-c", PLAY, cwd=tmp_path).strip()).is_relative_to(site)
    assert "bloody_inn" in run(home / "bin" / "alehouse", "games", cwd=tmp_path)
    run(home / "bin" / "alehouse", "cards", "bloody_inn", "--export", "tables", cwd=tmp_path)
    assert (tmp_path / "tables" / "cards.csv").is_file()
