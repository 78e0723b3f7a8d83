"""Dependencies point one way: envs <- agents <- training, benchmarks <- alehouse; core knows no game."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PARTS = ("envs", "agents", "training", "benchmarks")
BELOW = {
    "envs": {"envs"},
    "agents": {"envs", "agents"},
    "training": {"envs", "agents", "training"},
    "benchmarks": {"envs", "agents", "benchmarks"},
    "alehouse": {"envs", "agents", "training", "benchmarks", "alehouse"},
}
WRITERS = ("observe.py", "aspects.py", "stock.py")  # files that write rows of numbers
SOURCES = {
    path: ast.parse(path.read_text(encoding="utf-8")) for folder in ("alehouse", *PARTS) for path in sorted((ROOT / folder).rglob("*.py"))
}


def imports(tree: ast.AST) -> Iterator[str]:
    """The dotted names a file imports from this package."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name.split(".")[0] == "alehouse")
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "alehouse":
            yield from (f"{node.module}.{name.name}" for name in node.names)


def layer(name: str) -> str:
    """The layer of a dotted name: one of the parts, or the front door."""
    part = [*name.split("."), ""][1]
    return part if part in PARTS else "alehouse"


def upward(folder: str, tree: ast.AST) -> list[str]:
    """Imports of a file that point up."""
    return [name for name in imports(tree) if layer(name) not in BELOW[folder]]


def strangers(tree: ast.Module) -> list[str]:
    """Imports of a file of core from outside core; inside a function, games may be asked for by name."""
    at_once = {name for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom) for name in imports(node)}
    foreign = [name for name in imports(tree) if name.split(".")[1:3] != ["envs", "core"]]
    return [name for name in foreign if name in at_once or name.split(".")[1:3] != ["envs", "games"]]


def other_games(game: str, tree: ast.AST) -> list[str]:
    """Imports of a game's file from anything but core and itself."""
    return [name for name in imports(tree) if name.split(".")[1:3] not in (["envs", "core"], ["envs", game])]


def loose(tree: ast.AST) -> list[int]:
    """Lines with relative or star imports."""
    found = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return [node.lineno for node in found if node.level > 0 or any(name.name == "*" for name in node.names)]


def typed_offsets(tree: ast.AST) -> list[int]:
    """Lines that write to a place in `out` which is typed as a number, alone or added to something."""
    found = []
    for node in ast.walk(tree):
        index: ast.AST | None = None
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "out":
            index = node.slice
        elif isinstance(node, ast.Call) and ast.unparse(node.func).startswith("write") and len(node.args) > 1:
            index = node.args[1]
        sums = [n for n in ast.walk(index) if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Add | ast.Sub)] if index else []
        parts = [index, *(side for n in sums for side in (n.left, n.right))]
        found += [node.lineno for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, int)]
    return found


def names(tree: ast.AST) -> set[str]:
    """The names in an expression."""
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def uses(tree: ast.AST, name: str) -> list[int]:
    """Lines in which a name is read."""
    return [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)]


def pairs(node: ast.Assign) -> list[tuple[ast.expr, ast.expr]]:
    """Each name assigned, with its value; `a, b = x, y` assigns two."""
    target = node.targets[0]
    if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
        return list(zip(target.elts, node.value.elts, strict=True))
    return [(target, node.value)]


def dangling(tree: ast.AST) -> list[str]:
    """Records taken from an array that the same kernel made, and used after the array's last use, when numba has freed its memory.

    Arrays of NumPy's own types are left out, as their entries are numbers. An array made before a loop and used in it lives until the loop
    ends.
    """
    found = []
    for kernel in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        assigned = [(node, *pair) for node in ast.walk(kernel) if isinstance(node, ast.Assign) for pair in pairs(node)]
        made = {
            target.id: node.lineno
            for node, target, value in assigned
            if isinstance(target, ast.Name) and isinstance(value, ast.Call)
            if ast.unparse(value.func) in ("np.zeros", "np.empty")
            if len(value.args) > 1 and not ast.unparse(value.args[1]).startswith("np.")
        }
        loops = [node for node in ast.walk(kernel) if isinstance(node, ast.For | ast.While)]
        for _, target, value in assigned:
            if isinstance(target, ast.Name) and isinstance(value, ast.Subscript) and ast.unparse(value.value) in made:
                room = ast.unparse(value.value)
                ends = [loop.end_lineno or 0 for loop in loops if made[room] < loop.lineno and uses(loop, room)]
                if max(uses(kernel, target.id), default=0) > max([*uses(kernel, room), *ends]):
                    found.append(f"{kernel.name}: {target.id}")
    return found


def escaping(tree: ast.AST) -> list[str]:
    """Arrays made by `scratch` that leave the function in which they are made: they are gone when it returns, unless it is copied."""
    found, kernels = [], [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    copied = [kernel for kernel in kernels if "inline=True" in map(ast.unparse, (k for d in kernel.decorator_list for k in ast.walk(d)))]
    free = {node for kernel in copied for node in ast.walk(kernel)}
    for kernel in kernels:
        made = {
            name.id
            for node in ast.walk(kernel)
            if isinstance(node, ast.Assign)
            for target, value in pairs(node)
            if any(isinstance(call, ast.Call) and ast.unparse(call.func) == "scratch" for call in ast.walk(value))
            for name in ast.walk(target)
            if isinstance(name, ast.Name)
        }
        for node in ast.walk(kernel):
            if isinstance(node, ast.Return) and node.value is not None and node not in free:
                single = {
                    part.value.id for part in ast.walk(node.value) if isinstance(part, ast.Subscript) and isinstance(part.value, ast.Name)
                }
                found += sorted((names(node.value) & (made | {"scratch"})) - single)
    return found


def unannotated(tree: ast.AST) -> list[str]:
    """Functions without annotations that are not kernels, nor stand inside one."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args]
    compiled = {ast.unparse(call.args[0]) for call in calls if ast.unparse(call.func) == "jit"}
    found = []
    todo: list[tuple[ast.AST, bool]] = [(tree, False)]
    while todo:
        node, inside = todo.pop()
        if isinstance(node, ast.FunctionDef) and not inside:
            arguments = [a for a in node.args.args + node.args.kwonlyargs if a.arg not in ("self", "cls")]
            inside = node.name in compiled or any({"jit", "kernel"} & names(d) for d in node.decorator_list)
            if not inside and (node.returns is None or any(a.annotation is None for a in arguments)):
                found.append(node.name)
        todo += [(child, inside) for child in ast.iter_child_nodes(node)]
    return found


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_keeps_to_its_layer(path: Path) -> None:
    tree, place = SOURCES[path], path.relative_to(ROOT).parts
    assert not upward(place[0], tree)
    assert not loose(tree)
    assert not unannotated(tree)
    assert not dangling(tree)
    assert not escaping(tree)
    if place[:2] == ("envs", "core"):
        assert not strangers(tree)
    elif place[0] == "envs" and len(place) > 2:
        assert not other_games(place[1], tree)


@pytest.mark.parametrize("path", [p for p in SOURCES if p.name in WRITERS], ids=lambda path: str(path.relative_to(ROOT)))
def test_places_in_observations_and_rows_have_names(path: Path) -> None:
    assert not typed_offsets(SOURCES[path])


@pytest.mark.parametrize(
    ("check", "text"),
    [
        (lambda tree: upward("envs", tree), "from alehouse.agents import uniform"),
        (lambda tree: upward("agents", tree), "import alehouse"),
        (lambda tree: upward("benchmarks", tree), "import alehouse.training.lean"),
        (strangers, "from alehouse.envs.games import game"),
        (strangers, "def f():\n    from alehouse.envs.bloody_inn import layout"),
        (strangers, "from alehouse.envs.bloody_inn.layout import CARDS"),
        (lambda tree: other_games("tiefenthal", tree), "import alehouse.envs.bloody_inn"),
        (loose, "from . import core"),
        (loose, "from alehouse.envs.core import *"),
        (typed_offsets, "out[0] = 1"),
        (typed_offsets, "out[F.me.at + 3] = 1"),
        (typed_offsets, "out[at + k * 5 + 1] += 1"),
        (typed_offsets, "write(out, F.hand.at + 2, me.hand)"),
        (dangling, "def f(n):\n    room = np.zeros(1, n)\n    t = room[0]\n    g(t)"),
        (dangling, "def f(n):\n    a, room = 1, np.zeros(1, n)\n    t, R = room[0], 2\n    while t.turn:\n        g(t)"),
        (dangling, "def f(n):\n    for i in n:\n        room = np.zeros(1, n)\n        t = room[0]\n        g(t)"),
        (escaping, "def f():\n    a = scratch(3, np.int64)\n    return a"),
        (escaping, "def f():\n    a, b = 1, scratch(3, np.int64)\n    return Pair(a, b)"),
        (escaping, "def f():\n    mat = Mat(scratch(3, np.int64))\n    return mat"),
        (escaping, "def f():\n    return scratch(3, np.int64)"),
        (unannotated, "def f(x): pass"),
        (unannotated, "class A:\n    def f(self, x: int): pass"),
    ],
)
def test_what_is_forbidden_is_seen(check, text) -> None:
    assert check(ast.parse(text))


@pytest.mark.parametrize(
    "text",
    [
        "def f(n):\n    room = np.zeros(1, n)\n    for i in n:\n        t = room[0]\n        g(t)\n        h(t)",
        "def f(n):\n    room = np.zeros(1, n)\n    t = room[0]\n    g(t)\n    return room",
        "def f(room):\n    t = room[0]\n    g(t)",
    ],
)
def test_an_array_that_lives_long_enough_may_give_rows(text) -> None:
    assert not dangling(ast.parse(text))


def test_a_number_of_such_an_array_may_be_returned() -> None:
    assert not escaping(ast.parse("def f(n):\n    a = scratch(3, np.int64)\n    g(a)\n    return a[n]"))


def test_only_kernels_of_this_package_and_what_tells_seats_see_true_states() -> None:
    users = {str(path.relative_to(ROOT)) for path, tree in SOURCES.items() if any(name.endswith(".true_records") for name in imports(tree))}
    assert users == {"agents/kernel_agent.py", "agents/searcher.py", "agents/timed.py", "envs/core/show/telling.py"}


@pytest.mark.parametrize(
    "text", ["@jit\ndef f(s, R):\n    def g(x): pass", "@partial(kernel, parallel=True)\ndef f(s): pass", "def f(s): pass\njit(f)"]
)
def test_a_kernel_needs_no_annotations(text) -> None:
    assert not unannotated(ast.parse(text))


def test_importing_alehouse_loads_no_game_and_no_command_line() -> None:
    seen = "import sys, alehouse; print([m for m in sys.modules if m.startswith(('alehouse.envs.', 'typer', 'rich', 'torch'))])"
    found = subprocess.run([sys.executable, "-c", seen], capture_output=True, text=True, check=True).stdout
    loaded = ast.literal_eval(found)
    assert [name for name in loaded if name.split(".")[:3] not in (["alehouse", "envs", "core"], ["alehouse", "envs", "games"])] == []
