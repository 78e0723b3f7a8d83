"""The report of a study: one page of HTML that says what was found, how certain it is, and for which game.

The cells are written beside it as Parquet and CSV.
"""

import dataclasses
import html
import io
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import polars

from alehouse.benchmarks.balance import over_rule_sets, weak_and_strong
from alehouse.benchmarks.balance import sentences as words
from alehouse.benchmarks.balance.design import MAIN, Design
from alehouse.benchmarks.balance.drawing import effects_drawn, seats_drawn
from alehouse.benchmarks.balance.effects import LEVEL
from alehouse.benchmarks.balance.examples import SHOWN as SHOWN_GAMES
from alehouse.benchmarks.balance.item_worth import Worth
from alehouse.benchmarks.balance.measures import MEASURES
from alehouse.benchmarks.balance.side_experiments import SideExperiments
from alehouse.benchmarks.balance.study import Finding
from alehouse.benchmarks.balance.taken_actions import TakenAction, never_taken
from alehouse.envs.core.declare.game import Game, rules_digest
from alehouse.envs.core.declare.offers import Family
from alehouse.envs.core.run.files import write_atomically

SENTENCES = 10  # at most this many sentences stand at the top of a report
SHOWN = 12  # number of actions shown at either end of the table
STYLE = """
body { font: 16px/1.5 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em }
table { border-collapse: collapse; font-size: 14px }
td, th { padding: .2em .7em; text-align: left; border-bottom: 1px solid #ccc }
td.n { text-align: right }
svg { max-width: 100%; height: auto }
"""


class Head(NamedTuple):
    """What a report is about: the game, the agents, the design and the experiments."""

    game: Game
    seed: int
    seconds: float
    cut: bool
    command: str
    side: SideExperiments | None  # None if the run was stopped early


def rows(findings: Sequence[Finding], what: str) -> list[tuple[str, Any]]:
    """Return the rows of one kind from all findings, each with the name of its agent."""
    return [(one.agent, row) for one in findings for row in getattr(one, what)]


def summary(head: Head, findings: Sequence[Finding]) -> dict[str, Any]:
    """Return what `--json` prints; with several agents each row names the agent whose games it describes."""
    several = len(findings) > 1

    def listed(what: str, *names: str) -> list[dict[str, Any]]:
        return [
            {name: getattr(row, name) for name in names} | over_rule_sets.as_json(row.verdict) | ({"agents": agent} if several else {})
            for agent, row in rows(findings, what)
        ]

    unknown = {one.agent: over_rule_sets.numbers_as_json(one) for one in findings if one.rule_sets}
    return {
        "game": head.game.name,
        "games": sum(one.games for one in findings),
        "seconds": round(head.seconds, 1),
        "effects": listed("effects", "effect", "measure", "estimate", "low", "high", "kind", "p"),
        "seats": listed("seats", "seats", "place", "share", "low", "high", "handicap", "handicap_low", "handicap_high"),
        "items": item_rows(head, findings),
        **({"unknown": unknown} if unknown else {}),
    }


def item_rows(head: Head, findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """Return the rows about items: first those from experiments, then actions as they were taken."""
    swapped = [
        {"item": one.name, "by": "swap", "kind": one.family, "measure": "score", "n": one.swaps, "rate": one.seen.rate}
        | {"estimate": one.score, "low": one.score_low, "high": one.score_high, "variant": side.variant}
        for side in [head.side] if side for one in side.worths
    ]  # fmt: skip
    taken = [
        {"item": one.name, "by": f"taken by {agent}", "kind": "action", "measure": "share", "n": one.offered, "rate": one.rate}
        | {"estimate": one.estimate, "low": one.low, "high": one.high}
        for agent, one in rows(findings, "actions")
    ]
    return swapped + taken


def sentences(head: Head, design: Design, findings: Sequence[Finding]) -> list[str]:
    """Return at most ten plain sentences, most important first."""
    one = findings[0]
    said = [words.played(head.game, len(design.cells), findings, head.cut), words.reconstructed(head.game, one)]
    if one.rule_sets:
        said += over_rule_sets.sentences(one, design.chosen) + words.alone(findings)
    else:
        said += words.alone(findings) + words.effects(one.effects, one.agent, design.chosen)
    if len(findings) > 1 and one.effects:
        said += weak_and_strong.sentences(*weak_and_strong.ends(findings))
    said += [] if one.rule_sets else [words.seats(one.seats)]
    said += [*side_sentences(head.side, one), *words.gaps(one), *words.interactions(one.effects)]
    return said[:SENTENCES]


def side_sentences(side: SideExperiments | None, one: Finding) -> list[str]:
    """Return the sentences on the side experiments; they say where these are by other numbers or another agent than the finding."""
    if side is None:
        return []
    by_numbers, by_agent = ", by the guessed numbers alone" if one.rule_sets else "", f", played by {side.agent}"
    where = f"In {side.variant}{by_numbers}{by_agent if side.agent != one.agent else ''}"
    said = []
    if any(one.sure for one in side.worths):
        ranked = sorted(side.worths, key=lambda one: (one.sure, one.score))
        best, worst = ranked[-1], ranked[0]
        said.append(
            f"{where}, exchanged for others of its kind with all else fixed, {best.name} ({best.family}) is worth most to the"
            f" seat to move ({best.score:+.1f} points of score), {worst.name} ({worst.family}) least ({worst.score:+.1f})."
        )
    if side.luck:
        agents = next(one for one in side.luck if one.name == "agents")
        first = next(one for one in side.luck if one is not agents)
        said.append(
            f"{where}, of the variance of a seat's score, {agents.score:.0%} (± {agents.score_half:.0%}) would change with who of"
            f" {side.agent} and {side.other} sits where, and {first.score:.0%} (± {first.score_half:.0%}) with the luck that matters"
            f" most, {first.name}."
        )
    return said


def table(headings: Sequence[str], lines: Iterable[Sequence[Any]]) -> str:
    """Return an HTML table; numbers are aligned to the right."""
    body = "".join(f"<tr>{''.join(boxed(cell) for cell in line)}</tr>" for line in lines)
    return f"<table><tr>{''.join(f'<th>{html.escape(h)}</th>' for h in headings)}</tr>{body}</table>"


def boxed(cell: Any) -> str:
    """Return one cell of a table as HTML."""
    return f"<td{'' if isinstance(cell, str) else ' class=n'}>{html.escape(written(cell))}</td>"


def written(cell: Any) -> str:
    """Return a value as the text of a cell."""
    if cell is None:
        return ""
    return f"{cell:,.4g}" if isinstance(cell, float) and abs(cell) < 1e4 else f"{cell:,}" if isinstance(cell, (int, float)) else str(cell)


def ends(found: Sequence[TakenAction]) -> list[TakenAction]:
    """Return the actions that stand out most, at either end."""
    told = sorted((item for item in found if item.estimate is not None), key=lambda item: -(item.estimate or 0.0))
    return told if len(told) <= 2 * SHOWN else told[:SHOWN] + told[-SHOWN:]


def page(head: Head, design: Design, findings: Sequence[Finding]) -> str:
    """Return the report as HTML."""
    blocks = ", ".join(f"{one.blocks:,} by {one.agent}" for one in findings)
    parts = [
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{html.escape(head.game.title)}: balance</title><style>{STYLE}</style>",
        f"<h1>{html.escape(head.game.title)}: balance</h1>",
        *(f"<p>{html.escape(text)}</p>" for text in sentences(head, design, findings)),
        table(("what", "value"), [
            ("games", f"{sum(one.games for one in findings):,}"), ("blocks", blocks),
            ("cells", f"{len(design.cells):,}"), ("seed", str(head.seed)),
            ("rules digest", rules_digest(*design.cells)),
            ("reconstructed numbers", f"{len(head.game.numbers.guesses()):,} of {len(head.game.numbers):,}"), ("command", head.command),
        ]),
    ]  # fmt: skip
    parts += apart(findings)
    for one in findings:
        parts += chapter(one, design)
    parts += beside(head.side, head.game)
    parts += reconstructions(head.game)
    return "".join(parts) + "</html>\n"


def apart(findings: Sequence[Finding]) -> list[str]:
    """Return the chapter on effects that differ between weak and strong play."""
    if len(findings) < 2 or not findings[0].effects:
        return []
    weak, strong = weak_and_strong.ends(findings)
    rows = [
        (pair.weak.effect, pair.weak.measure, pair.weak.unit, pair.weak.estimate, pair.weak.half, pair.strong.estimate, pair.strong.half,
         pair.shown)
        for pair in weak_and_strong.pairs(weak, strong) if pair.differs
    ]  # fmt: skip
    note = "Main effects that one of the two shows and the other does not, or shows with the opposite sign; ± is for a row alone."
    headings = ("effect", "measure", "unit", weak.agent, "±", strong.agent, "±", "shown by")
    body = table(headings, rows) if rows else "<p>They disagree on none.</p>"
    return ["<h2>Where weak and strong play disagree</h2>", f"<p>{note}</p>", body]


def reconstructions(game: Game) -> list[str]:
    """Return the chapter on numbers that may differ from the printed ones, table by table and number by number."""
    guesses = game.numbers.guesses()
    if not guesses:
        return []
    tables = [key.partition(".")[0] for key in game.numbers]
    count = Counter(entry.key.partition(".")[0] for entry in guesses)
    return [
        "<h2>Reconstructed numbers</h2><p>The printed values of these are not known. <code>alehouse cards</code> writes them out for an"
        " owner of the box to correct, and <code>--rules</code> plays by the corrected ones.</p>",
        table(("table", "reconstructed", "of"), [(name, count[name], tables.count(name)) for name in count]),
        "<details><summary>Each of them</summary>",
        table(("number", "value", "what it is"), [(entry.key, entry.value, entry.note) for entry in guesses]),
        "</details>",
    ]


SWAPS = (
    "At a random moment one item was exchanged for another, with the rest of the table and all luck as it was, and both games were played"
    " on. Items on display or in the hand were swapped with one that nobody had seen, so later cards may differ. Of items that are always"
    " available, one game took one of them and the other game another, each at its own cost. The points are the worth to the seat to move"
    " beyond the mean of the alternatives; intervals of all items hold together. The columns after p are about the games as they were"
    " played and prove nothing about strength, as whoever does well can take more: how often the item was taken when that was possible,"
    " what its takers won beyond an even share, and, adjusted, beyond those who could have taken it and did not (± for a row alone)."
)
LUCK = (
    "Each game was played again with one source drawn again. A figure is the part of the variance that would change with it (± for a row"
    " alone). What sources do only together counts for each of them, so parts may add up to more than 1."
)


def items_page(family: Family, worths: Sequence[Worth]) -> list[str]:
    """Return the section on the items of a family: those that stand out, then all of them."""
    some = [one for one in worths if one.family == family.title]
    if not some:
        return [f"<h3>{html.escape(family.title.capitalize())}</h3><p>Not in play, or met too seldom to tell.</p>"]
    rare = set(family.names) - {one.name for one in some}
    out = {sign: ", ".join(one.name for one in some if one.sure == sign) or "none" for sign in (1, -1)}
    headings = ("item", "exchanges", "points of share", "low", "high", "points of score", "low", "high", "p")
    seen = ("met", "open", "rate", "won when taken", "adjusted", "±")
    return [
        f"<h3>{html.escape(family.title.capitalize())}</h3><p>Better than the others beyond chance: {out[1]}. Worse: {out[-1]}."
        f" Met too seldom to tell: {', '.join(name for name in family.names if name in rare) or 'none'}.</p>",
        table((*headings, *seen), [
            (one.name, one.swaps, one.share, one.low, one.high, one.score, one.score_low, one.score_high, one.p, *one.seen) for one in some
        ]),
    ]  # fmt: skip


def beside(side: SideExperiments | None, game: Game) -> list[str]:
    """Return the chapters on the side experiments."""
    if side is None:
        return ["<p>The run was stopped before any item was exchanged or any luck redrawn.</p>"]
    parts = []
    if game.offers.families:
        parts.append(f"<h2>Items by experiment in {html.escape(side.variant)}</h2><p>{side.swaps:,} games by {side.agent}. {SWAPS}</p>")
        parts += [text for family in game.offers.families for text in items_page(family, side.worths)]
    if side.luck:
        who = f"each seat played by {side.agent} or {side.other} at random"
        parts += [
            f"<h2>Luck and skill in {html.escape(side.variant)}</h2><p>{side.redrawn:,} games, {who}. {LUCK}</p>",
            table(("source", "of the score", "±", "of the share", "±"), [dataclasses.astuple(one) for one in side.luck]),
        ]
    return parts


def to_look_at(one: Finding, design: Design) -> list[str]:
    """Return the section with links to the replays of games that stand out."""
    if not one.examples:
        return []
    units = {m.name: m.unit for m in MEASURES}
    lines = [
        f"<li>{SHOWN_GAMES[game.measure]}: <a href='{html.escape(game.file)}'>{html.escape(game.file)}</a>, {game.value:,.4g}"
        f" {html.escape(units[game.measure])}, {html.escape(str(design.cells[game.cell]))}, block {game.block:,}</li>"
        for game in one.examples
    ]
    note = "Replays of the games that stand out; <code>alehouse replay FILE --html OUT</code> shows one, <code>alehouse review FILE</code>"
    return ["<h2>Games to look at</h2>", f"<p>{note} says what its decisions cost.</p>", f"<ul>{''.join(lines)}</ul>"]


def chapter(one: Finding, design: Design) -> list[str]:
    """Return the chapters on the games of one agent."""
    shown = [row for row in one.effects if row.kind == MAIN or row.sure]
    headings = ("effect", "measure", "unit", "estimate", "low", "high", "±", "p (Holm)")
    places = ("seats", "place", "share", "low", "high", "p", "bonus", "low", "high")
    return [
        f"<h2>Effects, played by {html.escape(one.agent)}</h2>",
        "<p>Main effects, and the interactions found beyond chance. Intervals hold together: the chance of any false alarm is"
        f" at most {LEVEL:.0%} among all main effects, and {LEVEL:.0%} among all interactions (Holm). ± is for that row alone.</p>",
        effects_drawn(one.effects),
        table((*headings, *over_rule_sets.headings(one)), [
            (row.effect, row.measure, row.unit, row.estimate, row.low, row.high, row.half, row.p, *over_rule_sets.cells(row.verdict))
            for row in shown
        ]),
        *over_rule_sets.chapter(one),
        "<h2>Seats</h2><p>Place 1 is the first player. The bonus is the number of points that, added to the score of that place alone,"
        f" would make its share even; equal scores count as shared wins there. <code>alehouse balance {design.spec.name} --explain 'place"
        f" 1 of {one.seats[-1].seats}'</code> looks for the numbers that make a place better or worse than the others.</p>",
        seats_drawn(one.seats),
        table((*places, *over_rule_sets.headings(one)), [
            (row.seats, row.place, row.share, row.low, row.high, row.p, row.handicap, row.handicap_low, row.handicap_high,
             *over_rule_sets.cells(row.verdict)) for row in one.seats
        ]),
        "<h2>Actions that name something</h2><p>In points of share: what the seats that took the action won beyond an even share, and,"
        " adjusted, beyond all seats that could have taken it. Neither proves strength: whoever does well takes more.</p>",
        table(("action", "open", "taken", "rate", "won when taken", "adjusted", "low", "high"), [
            dataclasses.astuple(row) for row in ends(one.actions)
        ]),
        f"<p>Often open, never taken: {html.escape(', '.join(item.name for item in never_taken(one.actions))) or 'nothing'}.</p>",
        "<h2>Cell by cell</h2>",
        table(("variant", *(f"{m.name} ({m.unit})" for m in MEASURES)), [
            (str(v), *map(float, means)) for v, means in zip(design.cells, one.means, strict=True)
        ]),
        "<h2>Gaps in the rules, cell by cell</h2><p>The last column says which supplies ran out, and in what part of the games.</p>",
        table(("variant", "longest game", "bound", "longest stretch without a choice", "shared wins", "ran out"), [
            dataclasses.astuple(row) for row in one.gaps
        ]),
        f"<p>Never open in any game: {html.escape(', '.join(one.never_open)) or 'nothing'}.</p>",
        *to_look_at(one, design),
        "<h2>What was measured</h2>",
        table(("measure", "unit", "what it is"), [dataclasses.astuple(m) for m in MEASURES]),
    ]  # fmt: skip


def frame(design: Design, findings: Sequence[Finding]) -> polars.DataFrame:
    """Return the cells as a data frame, with a row for each agent, cell and measure."""
    found = []
    for one in findings:
        for c, v in enumerate(design.cells):
            for j, measure in enumerate(MEASURES):
                figures = {"mean": float(one.means[c, j]), "error": float(one.errors[c, j])}
                what = {"agents": one.agent, "variant": str(v), "seats": v.seats, "modules": "+".join(v.modules), "length": v.length}
                found.append({**what, "measure": measure.name, "unit": measure.unit, "games": one.blocks, **figures})
    return polars.DataFrame(found)


def write(folder: Path, head: Head, design: Design, findings: Sequence[Finding]) -> Path:
    """Write the report, its charts, the cells and the summary; return the path of the report."""
    cells, parquet = frame(design, findings), io.BytesIO()
    cells.write_parquet(parquet)
    write_atomically(folder / "cells.parquet", parquet.getvalue())
    write_atomically(folder / "cells.csv", cells.write_csv().encode())
    write_atomically(folder / "summary.json", (json.dumps(summary(head, findings), indent=2) + "\n").encode())
    for k, one in enumerate(findings):
        write_atomically(folder / f"agent{k}-effects.svg", effects_drawn(one.effects).encode())
        write_atomically(folder / f"agent{k}-seats.svg", seats_drawn(one.seats).encode())
    write_atomically(folder / "report.html", page(head, design, findings).encode())
    return folder / "report.html"
