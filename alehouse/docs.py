"""Writes the documentation page of each game from the game's declaration: `python -m alehouse.docs FOLDER [GAME ...]`."""

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from alehouse import agent_cards, agents
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.games import GAMES, game
from alehouse.skeleton import EXAMPLE, project

TUTORIAL_NOTE = "Written by `make docs` from alehouse/skeleton; change the text and the files there, not this page."
NOTE = "Written by `make docs` from what the game declares; change the declarations, not this page."
PICTURED = 3  # the seed of the game in the pictures
SHOWN = 8  # at most this many names of a long list are shown
SECTIONS = ("The rules in short", "What is not known", "Rulings", "Known deviations", "Luck")


def pages(names: Sequence[str] = GAMES) -> dict[str, str]:
    """Yield the file name and the text of each page that is made for this game, or for all."""
    found = {f"{name}.md": page(game(name)) for name in names}
    return found | {"add_a_game.md": tutorial()} if names == GAMES else found


def picture(spec: Game) -> str:
    """Return a picture of a game with all modules, as the seat to move sees it, where it has most answers in the middle of the game."""
    v = max((v for v in spec.variants() if v.seats == spec.default_seats), key=lambda v: len(v.modules))
    player, answers = agents.heuristic(spec), list[int]()
    t = Tables(v, n=1, seed=PICTURED, autoreset=False)
    while not t.over[0]:
        answers.append(int(t.mask.sum()))
        t.step(agents.ask(player, t))
    middle = range(len(answers) // 2, len(answers) * 3 // 4)
    shown = t.replay(0).tables(max(middle, key=answers.__getitem__))
    return shown.svg(0, int(shown.seat[0]))


def tutorial() -> str:
    """Return the page that explains the example game, with each of its files inserted at the place marked for it."""
    text = (EXAMPLE.parent / "add_a_game.md").read_text(encoding="utf-8")
    heading, _, rest = text.partition("\n")
    files = project("kegs", "Kegs")

    def block(mark: re.Match[str]) -> str:
        name = mark[1]
        kind = {"py": "python", "md": "markdown"}.get(name.rpartition(".")[2], name.rpartition(".")[2])
        path = name if name == "pyproject.toml" else f"kegs/{name}"
        return f"`{path}`\n\n```{kind}\n{files[Path(path)]}```"

    return f"{heading}\n\n{TUTORIAL_NOTE}\n{re.sub('^<<< (.*)$', block, rest, flags=re.MULTILINE)}"


def page(spec: Game) -> str:
    """Return the documentation page of a game, as Markdown."""
    rules = sections((spec.folder / "rules.md").read_text(encoding="utf-8"))
    if missing := [name for name in SECTIONS if name not in rules]:
        raise ValueError(f"{spec.folder / 'rules.md'}: there is no section '## {missing[0]}'; it must have {', '.join(SECTIONS)}")
    parts = [
        f"# {spec.title}",
        NOTE,
        f"![A table of {spec.title}](pictures/{spec.name}.svg)",
        *("\n".join(block) for block in (at_a_glance(spec), modules(spec))),
        "## The rules in short",
        rules["The rules in short"],
        "## What is not known",
        rules["What is not known"],
        table(("guess", "played as", "plausible", "what"), ((f"`{e.key}`", e.value, e.likely, e.note) for e in spec.numbers.guesses())),
        "## Rulings",
        rules["Rulings"],
        "## Known deviations",
        rules["Known deviations"],
        "## Luck",
        rules["Luck"],
        "## Questions",
        "What a seat can be asked, in rulebook order; the numbers in brackets are the small arguments of a question.",
        table(("question", "the seat is asked to", "rule", "module"), questions(spec)),
        "## Actions",
        f"{len(spec.ACTIONS)} actions in segments; `variant.action(name)` gives the number of a name, `variant.action_names` all names.",
        table(("segment", "first", "size", "names"), actions(spec)),
        "## Observation",
        f"{spec.FEATURES.size} bytes in segments, as the observing seat sees the table; `variant.features` lists them.",
        table(("segment", "first", "size", "largest value", "what"), features(spec)),
        "## Numbers",
        "`from` is the source of a value: seed (the rulebook), seed* (follows from it), src (other sources), mem (from memory), guess, "
        "rule (a ruling above). Each can be overridden.",
        *numbers(spec),
    ]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def sections(text: str) -> dict[str, str]:
    """Return the second-level sections of a page by their headings."""
    found = (part.partition("\n") for part in text.split("\n## ")[1:])
    return {heading.strip(): body.strip() for heading, _, body in found}


def table(headings: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return rows under headings as a Markdown table."""
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join(f"| {' | '.join(str(cell).replace('|', '&#124;') for cell in line)} |" for line in lines)


def at_a_glance(spec: Game) -> Iterator[str]:
    """Return the most important figures of the game as a list."""
    lengths = ", ".join(length for length in spec.lengths if length)
    yield f"* Name: `{spec.name}`"
    yield f"* Seats: {spec.seats[0]} to {spec.seats[-1]}"
    if lengths:
        yield f"* Lengths: {lengths}"
    yield f"* Variants: {len(list(spec.variants()))}, overrides and switches aside; by default `{spec.variant()}`"
    yield f"* Printed numbers that are known: {spec.numbers.known()}; the others are reconstructed"
    yield f"* Decisions in a game: at most {max(v.bound for v in spec.variants()):,}"


def modules(spec: Game) -> Iterator[str]:
    """Return a table of the modules and what they add."""
    rows = [[f"`{m.name}`", m.title, f"`{m.requires}`" if m.requires else "", few(m.actions), few(m.features)] for m in spec.modules]
    yield table(("module", "title", "needs", "actions it adds", "observation it adds"), rows)


def listed(names: Sequence[str]) -> str:
    """Return names as code, joined by commas."""
    return ", ".join(f"`{name}`" for name in names)


def few(labels: Sequence[str]) -> str:
    """Return the first of many names as code."""
    return listed(labels[:SHOWN]) + (" ..." if len(labels) > SHOWN else "")


def questions(spec: Game) -> Iterator[Sequence[Any]]:
    """Return a table with a row for each question."""
    for q in spec.questions.rows if spec.questions else ():
        yield f"`{q.name}`" + (f" ({', '.join(q.args)})" if q.args else ""), q.prompt, q.rule, f"`{q.module}`" if q.module else ""


def actions(spec: Game) -> Iterator[Sequence[Any]]:
    """Return a table with a row for each segment of actions."""
    for segment in spec.ACTIONS.segments:
        first = spec.ACTIONS.start(segment.name)
        yield f"`{segment.name}`", first, len(segment.labels), few(spec.ACTIONS.names[first : first + len(segment.labels)])


def features(spec: Game) -> Iterator[Sequence[Any]]:
    """Return a table with a row for each segment of the observation."""
    for name, start, length, most in spec.FEATURES.rows:
        labels = spec.FEATURES.labels[name]
        yield f"`{name}`", start, length, most, "" if length == 1 or labels[0] == "0" else few(labels)


def numbers(spec: Game) -> Iterator[str]:
    """Return tables of the single numbers and of the card tables."""
    single = [entry for key, entry in spec.numbers.items() if key.count(".") == 1]
    yield table(("key", "value", "possible", "from", "what"), ((f"`{e.key}`", e.value, e.possible, e.provenance, e.note) for e in single))
    for name, rows in spec.numbers.tables.items():
        yield f"### {name}.csv"
        yield table(list(rows[0]), (list(row.values()) for row in rows))


def speeds(results: str) -> str:
    """Return the speed of each game, without modules, from the table of RESULTS.md; figures are rounded to two digits."""
    rows = [[cell.strip(" `") for cell in line.split("|")[1:-1]] for line in results.splitlines() if re.match(r"\| \w+ \| `\w+-4p", line)]
    found = dict[tuple[str, str, str], list[str]]()
    for name, _, mode, threads, _, decisions, games in rows:
        found.setdefault((name, mode, threads), [decisions, games])  # the variant without modules stands first
    lines = (
        (what, *(rounded(found[name, mode, threads][column]) for name in GAMES))
        for what, mode, threads, column in (
            ("games a second, random play in compiled code", "kernel", "2", 1),
            ("decisions a second from Python, with observation and mask", "batch", "2", 0),
            ("games a second by four heuristics", "heuristics", "2", 1),
            ("games a second by four networks", "networks", "2", 1),
            ("PettingZoo turns a second", "aec", "1", 0),
        )
    )
    return table(("", *(game(name).title for name in GAMES)), lines)


def cards(text: str) -> str:
    """Return the page on agents with the figures of the files that come with the package in the places marked for them."""
    tables = {
        "networks": table(agent_cards.NETWORKS, agent_cards.networks()),
        "values": table(agent_cards.VALUES, agent_cards.values()),
    }
    marked = r"(<!-- (networks|values): [^\n]*-->\n).*?(<!-- end -->)"
    return re.sub(marked, lambda m: f"{m[1]}{tables[m[2]]}\n{m[3]}", text, flags=re.DOTALL)


def rounded(figure: str) -> str:
    """Return a figure rounded to two digits."""
    number = float(figure.replace(",", ""))
    return f"{float(f'{number:.2g}'):,.0f}"


def readme(text: str, results: str) -> str:
    """Return the README with the speeds of RESULTS.md in the place marked for them."""
    return re.sub(r"(<!-- speed: .*-->\n).*(<!-- end of speed -->)", lambda m: f"{m[1]}{speeds(results)}\n{m[2]}", text, flags=re.DOTALL)


def main() -> None:
    """Write the pages and pictures to the folder named on the command line, of all games or of those named after it.

    Without names the table of speeds in the README beside that folder and the tables of the page on agents are written too.
    """
    folder, names = Path(sys.argv[1]), sys.argv[2:] or GAMES
    pictures = {f"pictures/{name}.svg": picture(game(name)) for name in names}
    (folder / "pictures").mkdir(exist_ok=True)
    for name, text in (pages(names) | pictures).items():
        (folder / name).write_text(text, encoding="utf-8")
        print(folder / name)
    if names == GAMES:
        page, results = folder.parent / "README.md", folder.parent / "RESULTS.md"
        page.write_text(readme(page.read_text("utf-8"), results.read_text("utf-8")), "utf-8")
        page = folder / "agents.md"
        page.write_text(cards(page.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
