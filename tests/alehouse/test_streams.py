"""Standard output that is closed, full, or left by its reader: no traceback, and the exit code of the command."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = str(Path(sys.executable).with_name("alehouse"))
FULL = "alehouse: standard output: No space left on device\n"


def shell(line: str) -> tuple[int, str, str]:
    """The exit code of the first command of a pipeline, and what is said."""
    done = subprocess.run(["bash", "-c", f"{line}; exit ${{PIPESTATUS[0]}}"], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def test_a_reader_who_leaves() -> None:
    code, out, err = shell(f"{SCRIPT} cards taverns_dragons | head -n 3")
    assert (code, out.count("\n"), err) == (0, 3, "")
    assert shell(f"{SCRIPT} -h | true") == (0, "", "")
    assert shell(f"{SCRIPT} cards nothing 2>&1 | true") == (2, "", "")


def test_the_exit_code_of_a_failed_check_is_not_lost_with_its_reader(tmp_path: Path) -> None:
    code = "import sys; from alehouse.commands import check; check.check_game = lambda *_: iter([(v, 1, ['bad ' * 5000]) for v in _[3]]); "
    program = tmp_path / "failing.py"
    program.write_text(f"{code}sys.argv[1:] = ['check', 'connect_four']; from alehouse.__main__ import main; main()\n")
    assert shell(f"{sys.executable} {program} | true") == (1, "", "")


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_full_disk() -> None:
    for words in ("games", "games --json", "-h", "--version"):
        assert shell(f"{SCRIPT} {words} >/dev/full") == (2, "", FULL)
    assert shell(f"{SCRIPT} games >/dev/full 2>&1") == (2, "", "")


def test_what_is_closed() -> None:
    assert shell(f"{SCRIPT} games >&-") == (0, "", "")
    assert shell(f"{SCRIPT} cards nothing 2>&-") == (2, "", "")
