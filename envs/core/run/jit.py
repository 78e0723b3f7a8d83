"""The one jit decorator. Its cache is never stale: each folder is named by a digest of all source that its kernels can reach.

Numba's own cache ignores edits of called functions and changes of the bounds-check flag, and never hits for
closures over jitted functions. Here a kernel belongs to a home (the game folder its code comes from, or core);
the name of its cache folder holds a digest of core, of that home, of the flags and of the versions.
"""

import builtins
import dis
import functools
import gc
import hashlib
import inspect
import os
import re
import shutil
import time
import traceback
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import llvmlite
import llvmlite.binding
import numba
import numpy as np
from numba import types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, _CacheLocator
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError

CORE = Path(__file__).parents[1]
SOURCES = (".py", ".csv", ".toml")  # kernels freeze what is read from tables when a game is imported
PLAIN = (bool, int, float, str, np.generic, np.dtype)  # values that machine code may freeze
KEPT = 4  # cache folders kept for each home; older ones are removed when a new one is made

# Numba counts the calls into LLVM, a hundred thousand for a game, for every compilation under way. Without that, which nobody reads,
# compiling takes seven eighths of the time.
for callbacks in tuple(getattr(getattr(llvmlite.binding.ffi.lib, "_lock", None), "_cblist", ())):
    llvmlite.binding.ffi.unregister_lock_callback(*callbacks)


def cache_root() -> Path:
    """Return the folder of compiled kernels: NUMBA_CACHE_DIR if it is set, else a folder in the user's cache."""
    if numba.config.CACHE_DIR:
        return Path(numba.config.CACHE_DIR)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "alehouse"


@functools.cache
def digest(home: Path) -> str:
    """Return a digest of everything that decides the machine code of a home's kernels."""
    flags = (numba.config.BOUNDSCHECK, numba.config.OPT, numba.config.DEBUGINFO_DEFAULT)
    text = hashlib.sha256(repr((numba.__version__, llvmlite.__version__, np.__version__, flags)).encode())
    games = [home] if CORE.parent in home.parents else [CORE.parent, home]  # agents' kernels may freeze any game's layout
    found = [
        *sorted(CORE.glob("declare/*.py")),
        *sorted(CORE.glob("run/*.py")),
        *(path for folder in games for path in sorted(folder.rglob("*"))),
    ]
    for path in (path for path in found if path.suffix in SOURCES):
        text.update(path.name.encode() + b"\0" + path.read_bytes())
    return text.hexdigest()[:16]


@functools.cache
def cache_folder(home: Path) -> Path:
    """Return the folder of a home's kernels for its present sources."""
    return cache_root() / f"{home.name}-{digest(home)}"


def prune(home: Path) -> None:
    """Remove the cache folders of a home, except the newest ones."""
    found = [p for p in cache_root().glob(f"{home.name}-*") if p.is_dir() and len(p.name) == len(home.name) + 17]
    found.sort(key=lambda p: p.stat().st_mtime, reverse=True)
    for old in found[KEPT:]:
        if time.time() - old.stat().st_mtime > 3600:
            shutil.rmtree(old, ignore_errors=True)


def named(fn: Callable[..., Any]) -> list[Any]:
    """Return what a kernel closes over, and what it names of its globals and of modules among them."""
    names = fn.__code__.co_names
    spaces = [fn.__globals__, *(vars(m) for name in names if isinstance(m := fn.__globals__.get(name), ModuleType))]
    return [cell.cell_contents for cell in fn.__closure__ or ()] + [space[name] for space in spaces for name in names if name in space]


def callees(fn: Callable[..., Any]) -> list[Callable[..., Any]]:
    """Return the kernels a kernel calls."""
    return [f.py_func for f in named(fn) if isinstance(f, Dispatcher)]


def constants(fn: Callable[..., Any]) -> list[Any]:
    """Return the plain values a kernel freezes: their sources may stand in a folder that no digest covers."""
    return [value for value in named(fn) if plain(value)]


def plain(value: Any) -> bool:
    """Return whether a value is a number, a text, a dtype, or a tuple of such values."""
    return all(map(plain, value)) if isinstance(value, tuple) else isinstance(value, PLAIN)


def reached(fn: Callable[..., Any]) -> list[Callable[..., Any]]:
    """Return a kernel and every kernel it calls, directly or through others."""
    found: dict[Callable[..., Any], None] = {}
    new = [fn]
    while new:
        kernel = new.pop()
        if kernel not in found:
            found[kernel] = None
            new += callees(kernel)
    return list(found)


@functools.cache
def reach(fn: Callable[..., Any]) -> str:
    """Return a digest of all kernels a kernel can reach, with the sources of their homes."""
    lines = sorted(f"{kernel.__module__}.{kernel.__qualname__} {digest(kernel.__home__)} {constants(kernel)}" for kernel in reached(fn))  # type: ignore[attr-defined]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


class Locator(_CacheLocator):  # type: ignore[misc]
    """Tell numba where the cache of a kernel is."""

    def __init__(self, home: Path, line: int) -> None:
        self.home, self.line = home, line

    def get_cache_path(self) -> str:
        return str(cache_folder(self.home))

    def get_source_stamp(self) -> str:
        return digest(self.home)

    def get_disambiguator(self) -> str:
        return str(self.line)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> "Locator":
        return cls(py_func.__home__, py_func.__code__.co_firstlineno)


class Impl(CompileResultCacheImpl):  # type: ignore[misc]
    """Keep numba's cache in the folder that Locator names."""

    _locator_classes = (Locator,)


class Files(IndexDataCacheFile):  # type: ignore[misc]
    """Name the file of each compilation by chance. Numba counts them, so two processes that compile at once would use the same
    number, and one would run the other's code."""

    def _data_name(self, number: int) -> str:
        return str(self._data_name_pattern.format(number=uuid.uuid4().int))


class Cache(FunctionCache):  # type: ignore[misc]
    """Give numba's cache a key under which closures over kernels are found again."""

    _impl_class = Impl

    def __init__(self, fn: Callable[..., Any]) -> None:
        super().__init__(fn)
        self._cache_file = Files(self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp())

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return sig, codegen.magic_tuple(), reach(self._py_func)


def jit(fn: Callable[..., Any] | None = None, *, home: Path | None = None, parallel: bool = False) -> Any:
    """Compile a kernel; `home` is the game folder of a kernel made in core out of a game's functions."""
    if fn is None:
        return functools.partial(jit, home=home, parallel=parallel)
    fn.__home__ = home or home_of(fn)  # type: ignore[attr-defined]
    compiled = numba.njit(fn, nogil=True, parallel=parallel, error_model="numpy", no_cfunc_wrapper=True)
    if not numba.config.DISABLE_JIT:
        template = compiled.get_call_template
        compiled.get_call_template = lambda args, kws: template(tuple(map(widened, args)), kws)
        compiled._cache = Cache(fn)
        compiled._compile_for_args = uncollected(briefly(fn, compiled._compile_for_args))
    return compiled


def widened(kind: Any) -> Any:
    """Return the type that a kernel is compiled for when another kernel calls it. Constants and small integers become int64, because
    numba would compile the kernel again for each of them."""
    kind = types.unliteral(kind)
    return types.int64 if isinstance(kind, types.Integer) and kind.signed else kind


def home_of_kernel(kernel: Callable[..., Any]) -> Path | None:
    """Return the home of a kernel; None if it was compiled by other means."""
    return getattr(getattr(kernel, "py_func", kernel), "__home__", None)


def home_of(fn: Callable[..., Any]) -> Path:
    """Return the folder that the digest of a function covers: that of its game, at most two levels below the package root."""
    folder, root = Path(inspect.getfile(fn)).parent, CORE.parent.parent
    return root.joinpath(*folder.relative_to(root).parts[:2]) if folder.is_relative_to(root) else folder


def uncollected(compile_: Callable[..., Any]) -> Callable[..., Any]:
    """Stop the garbage collector while something compiles: it finds little then, and takes an eighth of the time."""

    def compiled(*args: Any, **kws: Any) -> Any:
        collects = gc.isenabled()
        gc.disable()
        try:
            return compile_(*args, **kws)
        finally:
            if collects:
                gc.enable()

    return compiled


class KernelError(ValueError):
    """A kernel that cannot be compiled: which one, where, and why, in one line."""


def briefly(fn: Callable[..., Any], compile_: Callable[..., Any]) -> Callable[..., Any]:
    """Make a kernel's compilation fail with one line; NUMBA_FULL_TRACEBACKS=1 shows all that numba says."""

    def compiled(*args: Any, **kws: Any) -> Any:
        try:
            return compile_(*args, **kws)
        except Exception as error:
            if numba.config.FULL_TRACEBACKS or not (text := next(undefined(fn), "") or complaint(fn, error)):
                raise
            raise KernelError(text) from None

    return compiled


def undefined(fn: Callable[..., Any]) -> Iterator[str]:
    """Yield the names that a kernel, or one it calls, uses and nobody has defined, each with its place."""
    for kernel in reached(getattr(fn, "py_func", fn)):
        space: Any = None  # the module whose names the next instruction looks up, if it looks up any
        for code in dis.get_instructions(kernel):
            name, found = code.argval, space
            if code.opname == "LOAD_GLOBAL":
                found, known = kernel.__globals__.get(name), name in kernel.__globals__ or hasattr(builtins, name)
                what = f"the name {name!r} is not defined"
            elif code.opname in ("LOAD_ATTR", "LOAD_METHOD") and isinstance(space, ModuleType):
                found, known = getattr(space, name, None), hasattr(space, name)
                what = f"the module {space.__name__} has no {name!r}"
            else:
                found, known = None, True
            if not known:
                line = code.positions.lineno if code.positions else kernel.__code__.co_firstlineno
                yield f"kernel {kernel.__qualname__} ({kernel.__code__.co_filename}, line {line}): {what}"
            space = found


def complaint(fn: Callable[..., Any], error: Exception) -> str:
    """Return in one line what numba says against a kernel, with the innermost place it names; empty if it names none."""
    text = "\n".join(line for line in str(error).splitlines() if not line.startswith("Failed in "))
    places = re.findall(r" at (.+?) \((\d+)\)", text)
    if isinstance(error, KeyError):  # numba's way to say that a record has no such field
        text = f"there is no field {text}"
        frames = [frame.f_locals.get("self") for frame, _ in traceback.walk_tb(error.__traceback__)]
        places = [(at.filename, at.line) for at in (getattr(self, "loc", None) for self in reversed(frames)) if at is not None]
    if not isinstance(error, (NumbaError, KeyError)) or not text or not places:
        return ""
    (path, line), fault = places[0], re.sub(r"Record\(.*(True|False)\)", "a record", text.splitlines()[0])
    return f"kernel {fn.__qualname__} cannot be compiled: {path}, line {line}: {fault}; NUMBA_FULL_TRACEBACKS=1 shows more"
