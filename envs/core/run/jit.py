"""The one jit decorator, with a cache that is never stale.

Numba's own cache ignores edits of called functions and changes of the bounds-check flag, and never finds a closure over a jitted
function again. So each cache folder is named by a digest of all source that its kernels can reach. A kernel belongs to a home: the
folder of the game its code comes from, or core. The digest covers core, that home, the flags and the versions.
"""

import builtins
import contextlib
import dis
import functools
import gc
import hashlib
import inspect
import os
import pickle
import re
import shutil
import sys
import tempfile
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
from numba.core.compiler import CompileResult
from numba.core.datamodel.models import NestedArrayModel
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError
from numba.core.serialize import dumps
from numba.extending import register_model

from alehouse.envs.core.run.machine_code import INNER, only_for_python

CORE = Path(__file__).parents[1]
SOURCES = (".py", ".csv", ".toml")  # kernels freeze what is read from tables when a game is imported, so these files count too
PLAIN = (bool, int, float, str, np.generic, np.dtype)  # types of values that machine code may contain as constants
KEPT = 8  # cache folders kept for each home; the oldest are removed when a new one is made
UNKEPT: list[str] = []  # why files of the cache could not be written in this process

# Numba counts its calls into LLVM, some hundred thousand for a game. Nobody reads that count, and without it compiling takes an eighth less
# time.
for callbacks in tuple(getattr(getattr(llvmlite.binding.ffi.lib, "_lock", None), "_cblist", ())):
    llvmlite.binding.ffi.unregister_lock_callback(*callbacks)


@register_model(types.NestedArray)
class Field(NestedArrayModel):  # type: ignore[misc]
    """An array inside a record. It has no memory of its own, so machine code need not count who uses it, as it does for other arrays."""

    def traverse(self, builder: Any) -> list[Any]:
        """Return no parts that are counted."""
        return []


def cache_root() -> Path:
    """Return the folder for compiled kernels: NUMBA_CACHE_DIR if it is set, else a folder in the user's cache."""
    if numba.config.CACHE_DIR:
        return Path(numba.config.CACHE_DIR)
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "alehouse"
    except RuntimeError:  # there is no home folder
        return Path(os.devnull) / "alehouse"


def processor() -> tuple[str, str]:
    """Return the processor that numba compiles for, and its features."""
    name, features = numba.config.CPU_NAME, numba.config.CPU_FEATURES
    return (
        llvmlite.binding.get_host_cpu_name() if name is None else name,
        llvmlite.binding.get_host_cpu_features().flatten() if features is None else features,
    )


@functools.cache
def digest(home: Path) -> str:
    """Return a digest of everything that decides the machine code of a home's kernels."""
    flags = (numba.config.BOUNDSCHECK, numba.config.OPT, numba.config.DEBUGINFO_DEFAULT, numba.config.ENABLE_AVX)
    versions = (sys.implementation.cache_tag, numba.__version__, llvmlite.__version__, np.__version__)
    text = hashlib.sha256(repr((versions, flags, processor())).encode())
    games = [home] if CORE.parent in home.parents else [CORE.parent, home]  # agents' kernels may contain the layout of any game
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
    """Return the cache folder for a home's kernels, which changes with its sources."""
    return cache_root() / f"{home.name}-{digest(home)}"


def prune(folder: Path) -> None:
    """Remove the oldest cache folders of the home that a cache folder belongs to, and keep the newest."""
    home = folder.name[:-17]
    found = [p for p in folder.parent.glob(f"{home}-*") if p.is_dir() and len(p.name) == len(folder.name)]
    found.sort(key=lambda p: p.stat().st_mtime, reverse=True)
    for old in found[KEPT:]:
        if time.time() - old.stat().st_mtime > 3600:
            shutil.rmtree(old, ignore_errors=True)


def named(fn: Callable[..., Any]) -> list[Any]:
    """Return the values that a kernel uses from outside: what it closes over, its globals, and names of modules among them."""
    names = fn.__code__.co_names
    spaces = [fn.__globals__, *(vars(m) for name in names if isinstance(m := fn.__globals__.get(name), ModuleType))]
    return [cell.cell_contents for cell in fn.__closure__ or ()] + [space[name] for space in spaces for name in names if name in space]


def callees(fn: Callable[..., Any]) -> list[Callable[..., Any]]:
    """Return the kernels that a kernel calls."""
    return [f.py_func for f in named(fn) if isinstance(f, Dispatcher)]


def constants(fn: Callable[..., Any]) -> list[Any]:
    """Return the plain values that a kernel uses as constants.

    They count in its digest, because they may come from files that no digest covers.
    """
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
    """Return a digest of every kernel that a kernel can reach, with the sources of their homes."""
    lines = sorted(f"{k.__module__}.{k.__code__.co_qualname} {digest(k.__home__)} {constants(k)}" for k in reached(fn))  # type: ignore[attr-defined]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


class Cache:
    """Keeps the machine code of a kernel, in a file for each signature whose name is a digest of all that decides the code.

    Numba asks a dispatcher's cache for code before it compiles, and hands it what it has compiled. Its own caches are private, and change
    from version to version. This one needs of numba only these two calls, and a way to take compiled code apart and put it together.
    """

    def __init__(self, fn: Callable[..., Any]) -> None:
        self.fn = fn

    @property
    def cache_path(self) -> str:
        """The folder of the files, which numba shows in a kernel's `stats`."""
        return str(cache_folder(self.fn.__home__))  # type: ignore[attr-defined]

    def file(self, sig: Any) -> Path:
        """Return the file that holds the code for a signature."""
        key = hashlib.sha256(f"{sig} {reach(self.fn)} {INNER[-1]}".encode()).hexdigest()[:32]
        return Path(self.cache_path) / f"{self.fn.__name__}-{key}.nbc"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load compiled code, after giving the kernel a name that no other kernel has.

        Numba names machine code by the kernel's name and by numbers that it counts in each process. Two kernels made by one function for
        two games could have the same name, if they were compiled in different processes; then one game would run the other's code.
        """
        self.fn.__qualname__ = f"{self.fn.__code__.co_qualname}_{reach(self.fn)}"
        target_context.refresh()
        found = undamaged(self.file(sig))
        return None if found is None else CompileResult._rebuild(target_context, *pickle.loads(found))

    def save_overload(self, sig: Any, found: Any) -> None:
        """Save compiled code, where there is room for it."""
        if not found.library.has_dynamic_globals:
            data = dumps(found._reduce())
            keep(self.file(sig), hashlib.sha256(data).digest() + data)


def keep(path: Path, data: bytes) -> None:
    """Write a file of the cache; if that fails, kernels stay in memory, and UNKEPT holds the reason."""
    temporary = path.with_name(f"{path.name}.{uuid.uuid4().hex}")  # processes that compile the same kernel write the same code
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(data)
        os.replace(temporary, path)
    except OSError as error:
        UNKEPT.append(error.strerror or str(error))
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def unwritable(folder: Path) -> str | None:
    """Return why nothing can be written into a folder, or None if that is possible; the folder is made if need be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(1 << 16))
    except OSError as error:
        return error.strerror or str(error)
    return None


def undamaged(path: Path) -> bytes | None:
    """Return what a file of the cache holds behind its digest; None if the file is damaged or cannot be read."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    size = hashlib.sha256().digest_size
    return data[size:] if hashlib.sha256(data[size:]).digest() == data[:size] else None


def damaged(home: Path) -> list[Path]:
    """Return the damaged files among the compiled kernels of a home."""
    return [path for path in sorted(cache_folder(home).glob("*.nbc")) if undamaged(path) is None]


def jit(fn: Callable[..., Any] | None = None, *, home: Path | None = None, parallel: bool = False, inline: bool = False) -> Any:
    """Compile a kernel. `home` is needed only for a kernel that core makes out of a game's functions: the game's folder.

    `inline`: numba copies the kernel into its callers, so that it may return what `scratch` made. Then only kernels may call it.
    """
    if fn is None:
        return functools.partial(jit, home=home, parallel=parallel, inline=inline)
    fn.__home__ = home or home_of(fn)  # type: ignore[attr-defined]
    copied = "always" if inline else "never"
    compiled = numba.njit(fn, nogil=True, parallel=parallel, error_model="numpy", no_cfunc_wrapper=True, inline=copied)
    if not numba.config.DISABLE_JIT:
        compiled._cache = Cache(fn)
        only_for_python(compiled)
        template = compiled.get_call_template
        compiled.get_call_template = lambda args, kws: template(tuple(map(widened, args)), kws)
        compiled._compile_for_args = uncollected(briefly(fn, compiled._compile_for_args))
    return compiled


def widened(kind: Any) -> Any:
    """Return the type for which a kernel is compiled when another kernel calls it.

    Constants and small integers become int64; otherwise numba would compile the kernel again for each of them.
    """
    kind = types.unliteral(kind)
    return types.int64 if isinstance(kind, types.Integer) and kind.signed else kind


def home_of_kernel(kernel: Callable[..., Any]) -> Path | None:
    """Return the home of a kernel, or None if something else compiled it."""
    return getattr(getattr(kernel, "py_func", kernel), "__home__", None)


def home_of(fn: Callable[..., Any]) -> Path:
    """Return the home of a function: the folder of its game, at most two levels below the package root."""
    folder, root = Path(inspect.getfile(fn)).parent, CORE.parent.parent
    return root.joinpath(*folder.relative_to(root).parts[:2]) if folder.is_relative_to(root) else folder


def uncollected(compile_: Callable[..., Any]) -> Callable[..., Any]:
    """Pause the garbage collector while something compiles: it finds little then, and takes an eighth of the time."""

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
    """An error in one line for a kernel that cannot be compiled: which kernel, where, and why."""


def briefly(fn: Callable[..., Any], compile_: Callable[..., Any]) -> Callable[..., Any]:
    """Shorten the errors of a kernel's compilation to one line each; NUMBA_FULL_TRACEBACKS=1 shows all that numba says."""

    def compiled(*args: Any, **kws: Any) -> Any:
        try:
            return compile_(*args, **kws)
        except Exception as error:
            if numba.config.FULL_TRACEBACKS or not (text := next(undefined(fn), "") or complaint(fn, error)):
                raise
            raise KernelError(text) from None

    return compiled


def undefined(fn: Callable[..., Any]) -> Iterator[str]:
    """Yield each undefined name that a kernel, or a kernel it calls, uses, together with the place of its use."""
    for kernel in reached(getattr(fn, "py_func", fn)):
        space: Any = None  # the module that the next instruction reads a name from, if any
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
                yield f"kernel {kernel.__code__.co_qualname} ({kernel.__code__.co_filename}, line {line}): {what}"
            space = found


def complaint(fn: Callable[..., Any], error: Exception) -> str:
    """Return numba's error about a kernel in one line, with the innermost place it names; return "" if it names none."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", str(error))  # numba colours its errors where colorama is installed
    text = "\n".join(line for line in plain.splitlines() if not line.startswith("Failed in "))
    places = re.findall(r" at (.+?) \((\d+)\)", text) or [
        (Path(path).absolute(), at) for path, at in re.findall(r'File "(.+?)", line (\d+)', text)
    ]
    if isinstance(error, KeyError):  # numba raises a KeyError when a record has no such field
        text = f"there is no field {text}"
        frames = [frame.f_locals.get("self") for frame, _ in traceback.walk_tb(error.__traceback__)]
        places = [(at.filename, at.line) for at in (getattr(self, "loc", None) for self in reversed(frames)) if at is not None]
    if not isinstance(error, (NumbaError, KeyError)) or not text or not places:
        return ""
    (path, line), fault = places[0], re.sub(r"Record\(.*(True|False)\)", "a record", text.splitlines()[0])
    return f"kernel {fn.__code__.co_qualname} cannot be compiled: {path}, line {line}: {fault}; NUMBA_FULL_TRACEBACKS=1 shows more"
