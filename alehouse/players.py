"""Finds agents by their names: those of this package, installed ones, files, and programs in any language."""

import csv
import hashlib
import importlib.util
import inspect
import shlex
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

import numba

from alehouse.agents import Agent, Careless, OneByOne, Policy, greedy, heuristic, ismcts, rollout, value
from alehouse.agents.ladder import exploit, search, uniform
from alehouse.agents.network import net
from alehouse.agents.network_file import SHIPPED
from alehouse.agents.process import Process
from alehouse.envs.core.declare.game import Game, as_variant
from alehouse.levels import NAMES, choices, level

LADDER: dict[str, Callable[..., Agent]] = {
    "uniform": uniform,
    "greedy": greedy,
    "heuristic": heuristic,
    "rollout": rollout,
    "ismcts": ismcts,
    "search": search,
    "exploit": exploit,
    "careless": Careless,
}
OPTIONS = ("iterations", "ms", "rounds", "leaf", "candidates", "explore", "prior", "policy", "players", "share")
LEVEL = "level:"
GROUP = "alehouse.agents"  # installed packages add agents under this entry point
COMMAND = "process:"
SEARCHES = ("rollout", "ismcts", "search", "exploit")
FOLDERS = {"net": (SHIPPED,), **dict.fromkeys(SEARCHES, (value.SHIPPED, SHIPPED))}  # where the files of agents are
WORDS = ("leaf", "policy", "players")  # the options that are words or name a file
FILES = ("path", "carry")  # the options of a network that name its file
LIMIT = 10.0  # seconds that an agent from outside the package has for a decision


def player(text: str, game: Game, threads: int = 1, limit: float = LIMIT) -> Agent:
    """Return the agent of a name, such as uniform, rollout:iterations=100, my_file.py:MyAgent, an entry point, or process:COMMAND."""
    name, _, rest = text.partition(":")
    if text.startswith(COMMAND):
        return Process(rest, game, limit)
    if is_level(text):
        return player(level(rest or text, game).agent, game, threads, limit)
    if name in LADDER:
        return of_the_ladder(text, name, rest, game, threads)
    if name == "net":
        return of_a_network(text, rest, game, threads)
    if name.endswith(".py"):
        return adapted(loaded(f"agent {text!r}", text), text)
    point = installed().get(text)
    if point is None:
        raise ValueError(
            f"agent {text!r}: one of {', '.join(LADDER)}, net, level:1 to level:6, {', '.join(NAMES)}, {listed(installed())}FILE.py:NAME, "
            "or process:COMMAND for a program"
        )
    try:
        found = point.load()
    except Exception as error:
        raise ValueError(f"agent {text!r}: {point.value} does not load: {type(error).__name__}: {error}") from None
    return adapted(found, text)


def line_up(texts: Sequence[str], variant: str, threads: int = 1, limit: float = LIMIT) -> list[Agent]:
    """Return the agents of these names for the game of a variant."""
    return [player(text, as_variant(variant).spec, threads, limit) for text in texts]


def names(text: str) -> tuple[str, ...]:
    """Split a list of names at its commas; a name that holds a comma stands in double quotes."""
    found = tuple(name.strip() for row in csv.reader([text], skipinitialspace=True) for name in row)
    if not found or not all(found):
        raise ValueError(f"--agents {text!r}: names of agents joined by commas")
    return found


def is_level(text: str) -> bool:
    """Return whether a name is that of a level of play."""
    return text.startswith(LEVEL) or text in NAMES


def trusted(text: str) -> bool:
    """Return whether an agent belongs to this package, and so needs neither a time limit nor a process of its own."""
    return is_level(text) or text.partition(":")[0] in (*LADDER, "net")


def fingerprint(text: str) -> str:
    """Return a digest of what an agent is made of, as far as that can be seen; "" for agents of this package."""
    name, _, rest = text.partition(":")
    if is_level(text):
        return hashlib.sha256(repr((choices(), *map(fingerprint, FOLDERS))).encode()).hexdigest()[:16]
    if trusted(text):
        files = files_of(name, rest)
        return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:16] if files else ""
    point = installed().get(text)
    words = shlex.split(rest) if text.startswith(COMMAND) else [name]
    found = hashlib.sha256(repr((text, point and (point.value, point.dist and point.dist.version))).encode())
    for path in (Path(word) for word in words):
        if path.is_file():
            found.update(path.read_bytes())
    return found.hexdigest()[:16]


def installed() -> dict[str, EntryPoint]:
    """Return the agents that other installed packages add."""
    return {point.name: point for point in entry_points(group=GROUP)}


def listed(points: dict[str, EntryPoint]) -> str:
    """Return a sentence that names the installed agents, or ""."""
    return "".join(f"{name}, " for name in sorted(points))


def of_the_ladder(text: str, name: str, rest: str, game: Game, threads: int) -> Agent:
    """Return an agent of this package from its name with options: rollout:100, ismcts:20ms, or in full ismcts:iterations=100:rounds=2."""
    make = LADDER[name]
    known = [option for option in OPTIONS if option in inspect.signature(make).parameters]
    options: dict[str, float | str] = {}
    for item in rest.split(":") if rest else ():
        key, _, value = spelled_out(item).partition("=")
        try:
            options[key] = value if key in WORDS else int(value) if value.lstrip("-").isdigit() else float(value)
        except ValueError:
            raise ValueError(f"agent {text!r}: {item!r} is not an option; write {name}:{known[0] if known else '...'}=NUMBER") from None
        if key not in known:
            raise ValueError(f"agent {text!r}: no option {key!r}; {name} has {', '.join(known) or 'none'}")
    try:
        return make(game, **options, threads=threads)
    except ValueError as error:
        raise ValueError(f"agent {text!r}: {error}") from None


def spelled_out(option: str) -> str:
    """Return an option with its name: 100 means iterations, 20ms means milliseconds."""
    if "=" in option:
        return option
    return f"ms={option[:-2]}" if option.endswith("ms") else f"iterations={option}"


def of_a_network(text: str, rest: str, game: Game, threads: int) -> Agent:
    """Return the network that comes with the package, or the one in a file."""
    try:
        option, _, file = rest.partition("=")
        if rest and (option not in FILES or not file):
            raise ValueError("write net, net:path=FILE, or net:carry=FILE for a network of an earlier layout")
        return net(game, file or None, threads=threads, carry=option == "carry")
    except ValueError as error:
        raise ValueError(f"agent {text!r}: {error}") from None


def files_of(name: str, rest: str) -> list[Path]:
    """Return the files that an agent of this package may read: those that its options name, or all that come with the package."""
    if name not in FOLDERS or "leaf=estimate" in rest.split(":"):
        return []
    items = [rest] if name == "net" else rest.split(":")  # the file of a network may have a colon in its name
    given = [Path(item.partition("=")[2]) for item in items if item.partition("=")[0] in (*FILES, *WORDS)]
    found = [path for path in given if path.is_file()]
    shipped = sorted(path for folder in FOLDERS[name] for path in folder.glob("*.safetensors"))
    return found or shipped if name == "net" else found + shipped


def loaded(what: str, text: str) -> Any:
    """Return what a file defines under a name, from FILE.py:NAME; the file may import files beside it. Errors begin with `what`."""
    file, _, name = text.partition(":")
    path = Path(file)
    if not path.is_file():
        raise ValueError(f"{what}: there is no file {path}")
    key = f"alehouse_agent_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:16]}"
    spec = importlib.util.spec_from_file_location(key, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[key] = module
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise ValueError(f"{what}: {path} does not load: {type(error).__name__}: {error}") from None
    there = [key for key, value in vars(module).items() if getattr(value, "__module__", None) == module.__name__]
    if not hasattr(module, name):
        raise ValueError(f"{what}: {path} has no {name!r}; it has {', '.join(there) or 'nothing of the kind'}: FILE.py:NAME")
    return getattr(module, name)


def adapted(found: Any, text: str) -> Agent:
    """Make an agent from a class, an object or a function.

    A function takes (obs, mask) or (obs, mask, ctx), or it is jitted and takes (obs, mask, key).
    """
    if inspect.isclass(found):
        try:
            found = found()
        except (Exception, SystemExit) as error:
            raise ValueError(f"agent {text!r}: it cannot be made: {type(error).__name__}: {error}") from None
    jitted = hasattr(found, "py_func") or (numba.config.DISABLE_JIT and inspect.isfunction(found) and "key" in takes(found))
    if jitted:
        return Policy(found, text)
    act = getattr(found, "act", found if callable(found) else None)
    if act is None:
        raise ValueError(f"agent {text!r}: an agent has act(obs, mask) or act(obs, mask, ctx), or is such a function")
    taken = len(takes(act))
    if taken not in (2, 3):
        raise ValueError(f"agent {text!r}: act takes (obs, mask) for one decision or (obs, mask, ctx) for many, not {taken} arguments")
    if taken == 2:
        return OneByOne(found if act is not found else Function(act), text)
    return Named(act, text)


def takes(act: Callable[..., Any]) -> list[str]:
    """Return the parameters that a caller must give."""
    parameters = inspect.signature(act).parameters.values()
    return [p.name for p in parameters if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]


class Function:
    """A player made from a function."""

    def __init__(self, act: Callable[..., Any]) -> None:
        self.act = act


class Named:
    """An agent made from a function; it has the name that the user typed."""

    def __init__(self, act: Callable[..., Any], name: str) -> None:
        self.act, self.name = act, name
