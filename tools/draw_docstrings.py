"""Draw docstrings, comments and help texts at random, to judge whether a stranger understands each at first read.

`python tools/draw_docstrings.py [--seed 0] [--n 60]` prints them numbered, each with its file, line and what it belongs to. The same seed
draws the same texts as long as no text is added or removed.
"""

import argparse
import ast
import io
import random
import re
import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOR_TOOLS = re.compile(r"#\s*(!|fmt:|type:|isort:|noqa|ruff:|mypy:|pragma:)")  # comments that are meant for a program
Text = tuple[int, str, str]  # the line, what the text belongs to, and its words


def docstrings(tree: ast.Module) -> Iterator[Text]:
    """Yield the docstrings of a file."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and (words := ast.get_docstring(node)):
            yield node.body[0].lineno, getattr(node, "name", "file"), words


def comments(source: str) -> Iterator[Text]:
    """Yield the comments of a file: a comment behind code together with that code; comments on lines of their own in one piece."""
    block: list[str] = []
    last = -1
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT or FOR_TOOLS.match(token.string):
            continue
        line, words, code = token.start[0], token.string.lstrip("# "), token.line[: token.start[1]].strip()
        if code:
            yield line, f"`{code}`", words
            continue
        if block and line > last + 1:
            yield last - len(block) + 1, "comment", " ".join(block)
            block = []
        block.append(words)
        last = line
    if block:
        yield last - len(block) + 1, "comment", " ".join(block)


def help_texts(tree: ast.Module) -> Iterator[Text]:
    """Yield the help texts of commands and options."""
    for node in ast.walk(tree):
        for keyword in node.keywords if isinstance(node, ast.Call) else ():
            if keyword.arg == "help" and isinstance(keyword.value, ast.Constant) and isinstance(keyword.value.value, str):
                yield keyword.value.lineno, "help", keyword.value.value


def texts() -> list[tuple[str, Text]]:
    """Return every text of every Python file outside tests, in order."""
    listed = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    found = []
    for name in (name for name in listed if not name.startswith("tests/") and (ROOT / name).is_file()):
        source = (ROOT / name).read_text(encoding="utf-8")
        tree = ast.parse(source)
        found += [(name, text) for text in sorted([*docstrings(tree), *comments(source), *help_texts(tree)])]
    return found


def main() -> None:
    """Draw texts and print them."""
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--seed", type=int, default=0, help="the seed of the draw")
    options.add_argument("--n", type=int, default=60, help="the number of texts to draw")
    chosen = options.parse_args()
    every = texts()
    for k, (name, (line, belongs, words)) in enumerate(random.Random(chosen.seed).sample(every, chosen.n), 1):
        print(f"{k}. {name}:{line} {belongs}\n   {' '.join(words.split())}\n")
    print(f"{chosen.n} of {len(every)} texts")


if __name__ == "__main__":
    main()
