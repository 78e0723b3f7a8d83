"""Questions and tasks of a game, each declared once; the kernels that call the right function for each are written from this."""

import difflib
import dis
import itertools
import linecache
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from alehouse.envs.core.declare.record import Range
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.jit import jit, reached
from alehouse.envs.core.run.question_stack import top

Kernel = Callable[..., Any]


@dataclass(frozen=True)
class Question:
    """A question for a seat, and the pair of kernels that belongs to it.

    `legal(s, R, p, words)` adds the answers of seat p to an empty word set; `apply(s, R, p, a)` carries out the answer a. If only one
    answer
    is legal it is taken at once, unless `secret(s, p)` says that cards hidden in the hand of p might have allowed another.
    """

    name: str
    prompt: str  # what the seat is asked to do, worded to follow "player_0 is asked to ..."
    legal: Kernel
    apply: Kernel
    rule: str
    module: str = ""  # the name of the module that adds this question, if one does
    args: tuple[str, ...] = ()  # the meaning of its small arguments a and b
    secret: Kernel | None = None


@dataclass(frozen=True)
class Task:
    """Work that waits on the stack until everything above it is done; `run(s, R)` does its next part, and pops it when finished."""

    name: str
    run: Kernel
    rule: str
    args: tuple[str, ...] = ()


class Questions:
    """All questions and tasks of a game in rulebook order, with their numbers, and four kernels that serve the entry on top of the stack.

    legal(s, R, words) lists the answers to the question on top, answer(s, R, a) carries one out, secret(s) says whether the question must
    be asked even if only one answer is legal, and work(s, R) does the next part of the task on top.
    """

    def __init__(
        self, folder: Path, *rows: Question, tasks: tuple[Task, ...] = (), ranges: Mapping[str, Range] = MappingProxyType({})
    ) -> None:
        """`ranges`: the numbers that each argument of a question or a task may be, by the argument's name."""
        self.folder, self.rows, self.tasks, self.ranges = folder, rows, tasks, ranges
        self.names = tuple(row.name for row in rows)
        every = [*self.names, *(task.name for task in tasks)]
        self._numbers = {name.upper(): k for k, name in enumerate(every)}
        if len(self._numbers) < len(every):
            raise ValueError(f"{folder.name}: question or task {max(every, key=every.count)!r} is declared twice")
        secrets = {k: row.secret for k, row in enumerate(rows) if row.secret}
        self.legal = self._written(LEGAL, {k: row.legal for k, row in enumerate(rows)}, "{}(s, R, p, words)")
        self.answer = self._written(ANSWER, {k: row.apply for k, row in enumerate(rows)}, "{}(s, R, p, a)")
        self.secret = self._written(SECRET, secrets, "return {}(s, p)")
        self.work = self._written(WORK, {len(rows) + k: task.run for k, task in enumerate(tasks)}, "{}(s, R)")
        for kernel in (self.legal, self.answer, self.secret, self.work):
            self.check(kernel)

    def __len__(self) -> int:
        return len(self.rows)

    def number(self, name: str) -> int:
        """Return the number of the question or task with this name in capitals."""
        if name not in self._numbers:
            near = difflib.get_close_matches(name, self._numbers, 3)
            raise AttributeError(f"{self.folder.name}: no question or task {name!r}" + (f"; near it: {', '.join(near)}" if near else ""))
        return self._numbers[name]

    def asked(self, s: Any) -> Question:
        """Return the question on top of a table's stack."""
        row: Question = self.rows[top(s).what]
        return row

    def arguments(self) -> Iterator[tuple[str, list[Range | None]]]:
        """Yield the name of each question and task, and the ranges of its arguments a and b; None for one that has no range."""
        for name, args in [*((row.name, row.args) for row in self.rows), *((task.name, task.args) for task in self.tasks)]:
            yield name, [*map(self.ranges.get, args), Range(0, 0), Range(0, 0)][:2]

    def check(self, kernel: Kernel) -> None:
        """Raise an AttributeError if a kernel, or one it calls, uses a question or a task that is not declared."""
        for fn in reached(getattr(kernel, "py_func", kernel)):
            module = fn.__globals__.get(NUMBERS)
            if NUMBERS in fn.__code__.co_names and getattr(module, "__name__", "").endswith(".questions"):
                code = list(dis.get_instructions(fn))
                for load, attribute in itertools.pairwise(code):
                    if load.opname == "LOAD_GLOBAL" and load.argval == NUMBERS and attribute.argval not in vars(module):
                        self.number(attribute.argval)

    def _written(self, head: str, calls: dict[int, Kernel], call: str) -> Kernel:
        """Compile an if-chain from its text: no other form compiles or runs as fast. Each kernel has one branch."""
        name = head.partition("(")[0].removeprefix("def ")
        wanted = call.count(",") + 1
        branches: dict[Kernel, list[int]] = {}
        for number, kernel in calls.items():
            code = getattr(kernel, "py_func", kernel).__code__
            if code.co_argcount != wanted:
                raise TypeError(f"{self.folder.name}: {kernel.__name__}{code.co_varnames[: code.co_argcount]} takes {wanted} arguments")
            branches.setdefault(kernel, []).append(number)
        functions = {f"{name}_{numbers[0]}_{kernel.__name__}": kernel for kernel, numbers in branches.items()}
        lines = [head] if calls or name == "legal" else [head.partition("\n")[0]]
        for word, function, numbers in zip(itertools.chain(["if"], itertools.repeat("elif")), functions, branches.values(), strict=False):
            lines += [f"    {word} {' or '.join(f'what == {k}' for k in numbers)}:", f"        {call.format(function)}"]
        text = "\n".join([*lines, "    return False" if name == "secret" else "    return", ""])
        place = f"<{name} of {self.folder.name}>"
        linecache.cache[place] = (len(text), None, text.splitlines(True), place)  # with this a traceback can show the generated line
        space = {**functions, "top": top, "clear": bits.clear, "__name__": __name__}
        exec(compile(text, place, "exec"), space)
        compiled: Kernel = jit(space[name], home=self.folder)
        return compiled


NUMBERS = "Q"  # the name under which a game's kernels import its questions
TOP = "    what, p = top(s).what, int(top(s).seat)"
LEGAL = f"def legal(s, R, words):\n    clear(words)\n    if s.turn < 0:\n        return\n{TOP}"
ANSWER = f"def answer(s, R, a):\n{TOP}"
SECRET = f"def secret(s):\n{TOP}"
WORK = "def work(s, R):\n    what = top(s).what"
