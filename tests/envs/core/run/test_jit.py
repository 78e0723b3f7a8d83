"""The cache of compiled kernels is used and never stale; a kernel that cannot be compiled is reported in one line."""

import errno
import gc
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import llvmlite.binding
import numba
import pytest
from numba.core import event

from alehouse.envs.core.run import compiling, jit
from tests import toy

pytestmark = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")

PLAY = """
import json
from numba import config
from alehouse.envs.core.run.batch_kernels import batch_kernels
from alehouse.envs.core.run.jit import cache_folder
from alehouse.envs.core.run.random_games import play
from alehouse.envs.core.run.tables import Tables
from tests import toy
for threads in (1, 2) if config.NUMBA_NUM_THREADS > 1 else (1,):
    t = Tables([toy.GAME.variant()] * 64, threads=threads)
    t.step(t.sample())
play(toy.GAME.variant(), 1)
k = batch_kernels(toy.GAME)
chunked = {name: getattr(k, name) for name in ("refuse", "advance", "choose", "play")}
used = {"open_tables": k.open_tables.stats} | {name: one.kernel.stats for name, one in chunked.items()}
if config.NUMBA_NUM_THREADS > 1:
    used["advance on two threads"] = k.advance.several.stats
print(json.dumps({"folder": str(cache_folder(toy.FOLDER)),
    "hits": {name: sum(s.cache_hits.values()) for name, s in used.items()},
    "misses": {name: sum(s.cache_misses.values()) for name, s in used.items()}}))
"""
ENTRIES = ["open_tables", "refuse", "advance", "choose", "play"]
ENTRIES += ["advance on two threads"] * (numba.config.NUMBA_NUM_THREADS > 1)


def run(text: str, cwd: Path, **more: str) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"} | more
    done = subprocess.run([sys.executable, "-c", text], cwd=cwd, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def files_below(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file()}


# A game, in two processes


@pytest.fixture(scope="module")
def two_runs(tmp_path_factory, root):
    cache, elsewhere = tmp_path_factory.mktemp("cache"), tmp_path_factory.mktemp("elsewhere")
    told = [json.loads(run(PLAY, root, NUMBA_CACHE_DIR=str(cache), XDG_CACHE_HOME=str(elsewhere))) for _ in range(2)]
    return *told, cache, elsewhere


@pytest.mark.slow
def test_the_first_process_compiles(two_runs):
    first, _, _, _ = two_runs
    assert first["misses"] == dict.fromkeys(ENTRIES, 1)
    assert not any(first["hits"].values())


@pytest.mark.slow
def test_the_second_finds_every_kernel_closures_too(two_runs):
    _, second, _, _ = two_runs
    assert second["hits"] == dict.fromkeys(ENTRIES, 1)
    assert not any(second["misses"].values())


@pytest.mark.slow
def test_a_users_cache_folder_is_respected(two_runs):
    first, _, cache, elsewhere = two_runs
    assert Path(first["folder"]).parent == cache
    assert files_below(Path(first["folder"]))
    assert not files_below(elsewhere)


def test_without_one_it_is_the_folder_of_the_users_caches(tmp_path, root):
    text = "from alehouse.envs.core.run.jit import cache_root; print(cache_root())"
    assert run(text, root, XDG_CACHE_HOME=str(tmp_path)).strip() == str(tmp_path / "alehouse")
    assert run(text, root, XDG_CACHE_HOME="", HOME=str(tmp_path)).strip() == str(tmp_path / ".cache" / "alehouse")


@pytest.mark.slow
def test_flags_have_folders_of_their_own(root):
    text = "from pathlib import Path; from alehouse.envs.core.run.jit import digest, CORE; print(digest(CORE))"
    found = {run(text, root, **flags) for flags in ({}, {"NUMBA_BOUNDSCHECK": "1"}, {"NUMBA_OPT": "1"}, {"NUMBA_DEBUGINFO": "1"})}
    assert len(found) == 4
    assert run(text, root) in found


# Edits


@pytest.fixture
def house(tmp_path):
    """Return a copy of core and of a game to edit."""
    shutil.copytree(jit.CORE, tmp_path / "envs" / "core", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(toy.FOLDER, tmp_path / "envs" / "toy", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "envs"


@pytest.mark.parametrize("path", ["core/run/luck.py", "core/run/batch_kernels.py", "toy/__init__.py", "toy/tokens.csv", "toy/rules.toml"])
def test_any_edit_makes_a_new_folder(house, path, monkeypatch):
    monkeypatch.setattr(jit, "CORE", house / "core")
    before = jit.digest.__wrapped__(house / "toy")
    assert jit.digest.__wrapped__(house / "toy") == before
    with open(house / path, "a", encoding="utf-8") as target:
        target.write("\n")
    assert jit.digest.__wrapped__(house / "toy") != before


def test_another_game_or_a_page_of_rules_changes_nothing(house, monkeypatch):
    monkeypatch.setattr(jit, "CORE", house / "core")
    before = jit.digest.__wrapped__(house / "toy")
    (house / "toy" / "rules.md").write_text("words")
    (house / "other").mkdir()
    (house / "other" / "kernels.py").write_text("x = 1\n")
    assert jit.digest.__wrapped__(house / "toy") == before


def test_an_edit_of_a_called_kernel_is_seen(tmp_path):
    """Numba's own cache would answer 1 again."""
    (tmp_path / "below.py").write_text("from alehouse.envs.core.run.jit import jit\n@jit\ndef f():\n    return 1\n")
    (tmp_path / "above.py").write_text(
        "from alehouse.envs.core.run.jit import jit\nfrom below import f\n@jit\ndef g():\n    return 10 * f()\n"
    )
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    text = "from above import g; print(g(), sum(g.stats.cache_hits.values()))"
    assert run(text, tmp_path, **cache).split() == ["10", "0"]
    assert run(text, tmp_path, **cache).split() == ["10", "1"]
    (tmp_path / "below.py").write_text((tmp_path / "below.py").read_text().replace("1", "2"))
    assert run(text, tmp_path, **cache).split() == ["20", "0"]


def test_kernels_of_one_name_from_two_processes_stay_apart(tmp_path):
    """Without names of their own, the second kernel calls the `f` of the first."""
    (tmp_path / "twins.py").write_text("""
from alehouse.envs.core.run.jit import jit
def make(n):
    @jit
    def f(x):
        for k in range(x):
            if k % 7 == 3:
                x += k // 2
        return x + n
    @jit
    def g(x):
        return f(x) + f(2 * x) + f(3 * x)  # so often that no call is replaced by what it calls
    return g
""")
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    apart = [run(f"from twins import make; print(make({n})(10))", tmp_path, **cache) for n in (1, 2)]
    text = "from twins import make; a, b = make(1), make(2); print(a(10), b(10), sum((a.stats.cache_hits + b.stats.cache_hits).values()))"
    assert run(text, tmp_path, **cache).split() == [*map(str.strip, apart), "2"]
    assert int(apart[1]) - int(apart[0]) == 3


def test_only_kernels_that_python_calls_become_machine_code(tmp_path):
    """A kernel for other kernels has none until Python calls it; its errors come through either way, with their numbers."""
    (tmp_path / "low.py").write_text("""
from alehouse.envs.core.run.jit import jit
@jit
def low(n):
    if n > 5:
        raise ValueError("too much", n)
    return n + 1
@jit
def high(n):
    return 2 * low(n)
def made():
    return [found.library.made for found in low.overloads.values()]
def error(kernel):
    try:
        kernel(7)
    except ValueError as fault:
        return fault.args
""")
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    text = "from low import *; print([high(3), any(made()), low(3), made(), error(high), error(low)])"
    for _ in range(2):  # compiled, then from the cache
        assert run(text, tmp_path, **cache).strip() == "[8, False, 4, [True], ('too much', 7), ('too much', 7)]"


EMPTY, SHORT, CHANGED = (lambda data: b""), (lambda data: data[:-9]), (lambda data: data[:50] + b"?" + data[51:])


@pytest.mark.slow
@pytest.mark.parametrize("damage", [CHANGED, EMPTY, SHORT], ids=["changed", "empty", "short"])
def test_a_damaged_file_of_the_cache_is_seen_and_compiled_again(tmp_path, damage):
    (tmp_path / "below.py").write_text("from alehouse.envs.core.run.jit import jit\n@jit\ndef f():\n    return 1\n")
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    text = """
from pathlib import Path
from alehouse.envs.core.run.jit import damaged
from below import f
before = len(damaged(Path("below.py").absolute().parent))
print(before, f(), sum(f.stats.cache_hits.values()), len(damaged(Path("below.py").absolute().parent)))
"""
    assert run(text, tmp_path, **cache).split() == ["0", "1", "0", "0"]
    assert run(text, tmp_path, **cache).split() == ["0", "1", "1", "0"]
    [file] = (tmp_path / "cache").rglob("*.nbc")
    file.write_bytes(damage(file.read_bytes()))
    assert run(text, tmp_path, **cache).split() == ["1", "1", "0", "0"]
    assert run(text, tmp_path, **cache).split() == ["0", "1", "1", "0"]


def test_kernels_run_where_nothing_can_be_saved(tmp_path):
    (tmp_path / "below.py").write_text("from alehouse.envs.core.run.jit import jit\n@jit\ndef f():\n    return 1\n")
    (tmp_path / "cache").write_text("no folder")
    assert run("from below import f; print(f())", tmp_path, NUMBA_CACHE_DIR=str(tmp_path / "cache")).split() == ["1"]


@pytest.mark.slow
def test_closures_over_other_kernels_are_other_kernels(tmp_path):
    """The batch kernels of two games of one folder are like this: same code, same types, other kernels two calls below."""
    (tmp_path / "made.py").write_text(
        "from alehouse.envs.core.run.jit import jit\n@jit\ndef one():\n    return 1\n@jit\ndef two():\n    return 2\n"
        "def make(f, k):\n    @jit\n    def middle():\n        return 10 * f() + k\n"
        "    @jit\n    def outer():\n        return middle()\n    return outer\n"
    )
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    for f, k, due in (("one", 0, 10), ("two", 0, 20), ("one", 5, 15), ("one", 0, 10)):
        assert int(run(f"import made; print(made.make(made.{f}, {k})())", tmp_path, **cache)) == due


@pytest.mark.slow
def test_closures_over_other_records_are_other_kernels(tmp_path):
    """Kernels of agents that make tables of two games are like this: same code, same types, other records."""
    (tmp_path / "made.py").write_text(
        "import numpy as np\nfrom alehouse.envs.core.run.jit import jit\n"
        "def make(size):\n    state = np.dtype([('a', 'i1', size)])\n"
        "    @jit\n    def room():\n        return np.zeros(1, state).nbytes\n    return room\n"
    )
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    for size in (3, 5, 3):
        assert int(run(f"import made; print(made.make({size})())", tmp_path, **cache)) == size


@pytest.mark.slow
def test_bounds_checks_do_not_meet_kernels_without(tmp_path):
    (tmp_path / "far.py").write_text("from alehouse.envs.core.run.jit import jit\n@jit\ndef f(a, k):\n    return a[k]\n")
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    text = "import numpy, far\ntry:\n    far.f(numpy.zeros(3), 7)\nexcept IndexError:\n    print('caught')\nelse:\n    print('silent')"
    assert run(text, tmp_path, **cache).strip() == "silent"
    assert run(text, tmp_path, **cache, NUMBA_BOUNDSCHECK="1").strip() == "caught"
    assert run(text, tmp_path, **cache).strip() == "silent"


# What slows compiling down


class Collecting(event.Listener):
    """Notes whether garbage is collected when a compilation starts or ends."""

    def __init__(self):
        self.seen = set()

    def on_start(self, _):
        self.seen.add(gc.isenabled())

    on_end = on_start


@pytest.mark.parametrize("collects", [True, False])
def test_no_garbage_is_collected_while_a_kernel_compiles(collects, request):
    @jit.jit
    def good(x):
        return x + 1

    @jit.jit
    def bad(x):
        return x + "one"

    request.addfinalizer(gc.enable)
    (gc.enable if collects else gc.disable)()
    told = Collecting()
    with event.install_listener("numba:compile", told):
        assert good(1) == 2
        with pytest.raises((jit.KernelError, numba.TypingError)):
            bad(1)
    assert told.seen == {False}
    assert gc.isenabled() == collects


def test_calls_into_llvm_are_told_to_nobody():
    assert not llvmlite.binding.ffi.lib._lock._cblist


# Pruning


def test_old_folders_are_removed_but_not_those_in_use(tmp_path):
    now = time.time()

    def folder(name: str, age: float) -> Path:
        path = tmp_path / name
        path.mkdir()
        (path / "kernel").write_text("x")
        os.utime(path, (now - age, now - age))
        return path

    kept = [folder(f"toy-{k:016x}", 7200 + k) for k in range(jit.KEPT)]
    gone = [folder(f"toy-{k:016x}", 7200 + k) for k in range(jit.KEPT, jit.KEPT + 3)]
    others = [folder("toyshop-0123456789abcdef", 10**7), folder("toy-notes", 10**7), folder("toy-shop-0123456789abcdef", 10**7)]
    jit.prune(tmp_path / "toy-0123456789abcdef")
    assert all(path.is_dir() for path in kept + others)
    assert not any(path.exists() for path in gone)


def test_a_folder_younger_than_an_hour_stays(tmp_path, monkeypatch):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    young = [tmp_path / f"toy-{k:016x}" for k in range(jit.KEPT + 4)]
    for path in young:
        path.mkdir()
    jit.prune(tmp_path / "toy-0123456789abcdef")
    assert all(path.is_dir() for path in young)


# Where nothing can be kept, and where several processes start


@pytest.fixture
def mark(tmp_path, monkeypatch):
    """Return the mark of something that was never compiled, in a cache of its own."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(compiling, "UNKEPT", [])
    compiling.tell_unkept.cache_clear()
    compiling.tell_waiting.cache_clear()
    yield tmp_path / "cache" / "toy-0123456789abcdef" / "toy.ready"
    jit.cache_folder.cache_clear()


def test_what_was_compiled_is_said_once_and_marked(mark, capsys):
    for due in (True, False):
        with compiling.announced("toy", mark) as found:
            assert found == due
    assert capsys.readouterr().err == "alehouse: compiling toy, once ... 0 s\n"


def test_an_unwritable_cache_is_one_line(mark, capsys):
    mark.parents[1].write_text("no folder")
    for _ in range(2):
        with compiling.announced("toy", mark) as due:
            assert due
    line = f"alehouse: compiled kernels cannot be kept in {mark.parents[1]} (Not a directory), so each start compiles them again; "
    line += "set NUMBA_CACHE_DIR to a folder that can be written\n"
    assert capsys.readouterr().err == line + 2 * "alehouse: compiling toy ... 0 s\n"


def test_a_disk_that_fills_up_is_one_line_and_leaves_no_mark(mark, capsys, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with compiling.announced("toy", mark):
        monkeypatch.setattr(jit, "UNKEPT", compiling.UNKEPT)
        monkeypatch.setattr(jit.os, "replace", full)
        jit.keep(mark.with_name("kernel.nbc"), b"code")
    assert [path.name for path in mark.parent.iterdir()] == ["toy.lock"]
    first, second = capsys.readouterr().err.splitlines()
    assert first == "alehouse: compiling toy, once ... 0 s"
    assert "(No space left on device), so each start compiles them again" in second


def test_without_a_home_folder_nothing_is_kept(monkeypatch):
    def homeless():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    assert jit.unwritable(jit.cache_root()) == "Not a directory"


def test_of_several_first_starts_one_compiles_and_the_others_wait(mark, capsys):
    fcntl, found = pytest.importorskip("fcntl"), []

    def start():
        with compiling.announced("toy", mark) as due:
            found.append(due)

    mark.parent.mkdir(parents=True)
    with open(mark.with_suffix(".lock"), "ab") as file:  # as the process that compiles has it
        fcntl.flock(file, fcntl.LOCK_EX)
        other = threading.Thread(target=start)
        other.start()
        other.join(0.3)
        assert not found
        mark.touch()
    other.join()
    assert found == [False]
    assert capsys.readouterr().err == "alehouse: another process compiles toy, waiting for it ...\n"


def test_a_process_that_is_killed_while_it_compiles_holds_nobody_up(mark, capsys):
    mark.parent.mkdir(parents=True)
    mark.with_suffix(".lock").touch()
    with compiling.announced("toy", mark) as due:
        assert due
    assert "waiting" not in capsys.readouterr().err


def test_who_compiles_already_does_not_wait_for_itself(mark):
    with compiling.announced("toy", mark) as outer, compiling.announced("toy", mark) as inner:
        assert outer
        assert inner


FORK = """
import os
from alehouse.envs.core.run.tables import Tables
def seats(t):
    for _ in range(5):
        t.step(t.sample())
    return t.states.tobytes()
before = Tables("kuhn_poker", n=64, threads=2)
expected = seats(before)
child = os.fork()
if child == 0:
    os._exit(int(seats(Tables("kuhn_poker", n=64, threads=2)) != expected))
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork") or numba.config.NUMBA_NUM_THREADS == 1, reason="nothing to fork, or one thread")
def test_a_child_forked_after_threaded_kernels_plays_the_same_games(tmp_path):
    done = subprocess.run([sys.executable, "-c", FORK], capture_output=True, text=True, timeout=120)
    assert done.stdout.split() == ["0"], done.stderr
    assert done.stderr.count("this process was forked after kernels had run on several threads, so it runs them on one") == 1


# Faults


FAULTY = """import numpy as np
from alehouse.envs.core.declare.record import i2, record
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.jit import jit


class Purse:
    gold: i2


@jit
def name(s):
    return s.gold + golld


@jit
def module(s):
    return bits.popcunt(s.gold)


@jit
def field(s):
    return s.golld


@jit
def shape(s):
    return s.gold if s.gold > 1 else (1, s)


@jit
def outer(s):
    return 1 + name(s)


@jit
def far(s):
    return 1 + field(s)


PURSE = np.zeros(1, record(Purse))[0]
"""
SAID = {
    "name": "kernel name ({file}, line 13): the name 'golld' is not defined",
    "outer": "kernel name ({file}, line 13): the name 'golld' is not defined",
    "module": "kernel module ({file}, line 18): the module alehouse.envs.core.run.bits has no 'popcunt'",
    "field": "kernel field cannot be compiled: {file}, line 23: there is no field 'golld'; NUMBA_FULL_TRACEBACKS=1 shows more",
    "far": "kernel far cannot be compiled: {file}, line 23: there is no field 'golld'; NUMBA_FULL_TRACEBACKS=1 shows more",
    "shape": "kernel shape cannot be compiled: {file}, line 28: Can",  # "Cannot unify", or "Can't unify return type" from Python 3.12 on
}


@pytest.fixture(scope="module")
def faults(tmp_path_factory):
    folder = tmp_path_factory.mktemp("faults")
    (folder / "faulty.py").write_text(FAULTY)
    text = (
        "import faulty, json\nsaid = {}\nfor kernel in NAMES:\n    try:\n        getattr(faulty, kernel)(faulty.PURSE)\n"
        "    except Exception as error:\n        said[kernel] = type(error).__name__, str(error)\nprint(json.dumps(said))"
    ).replace("NAMES", repr(list(SAID)))
    return folder / "faulty.py", *(json.loads(run(text, folder, **flags)) for flags in ({}, {"NUMBA_FULL_TRACEBACKS": "1"}))


@pytest.mark.parametrize("kernel", SAID)
def test_a_fault_in_a_kernel_is_one_line_with_its_place(kernel, faults):
    file, short, _ = faults
    kind, text = short[kernel]
    assert kind == "KernelError"
    assert text.startswith(SAID[kernel].format(file=file))
    assert "\n" not in text
    assert len(text) < 300


def test_all_that_numba_says_can_be_shown(faults):
    _, _, full = faults
    assert full["outer"][0] == "TypingError"
    assert full["outer"][1].count("\n") > 5


def test_a_fault_while_a_kernel_runs_is_not_touched(tmp_path):
    (tmp_path / "raising.py").write_text(
        "from alehouse.envs.core.run.jit import jit\n@jit\ndef f(x):\n    raise OverflowError('too much')\n"
    )
    text = "import raising\ntry:\n    raising.f(1)\nexcept OverflowError as error:\n    print(error)"
    assert run(text, tmp_path).strip() == "too much"


def test_no_kernel_of_core_uses_a_name_that_is_not_defined():
    from alehouse.envs.core.run import batch_kernels

    kernels = vars(batch_kernels.batch_kernels(toy.GAME)).values()
    assert [text for fn in kernels if hasattr(fn, "py_func") for text in jit.undefined(fn)] == []
