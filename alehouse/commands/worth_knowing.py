"""`alehouse cards GAME --ask`: the unknown numbers most worth looking up, by what they move."""

import dataclasses
import sys

from alehouse.agents.heuristic import heuristic_of
from alehouse.commands import show
from alehouse.commands.studies import chunk_player, have_libraries, known_numbers, play_all, studies_of, team_of, thread_count
from alehouse.envs.core.declare.corrections import Correction
from alehouse.envs.core.declare.game import Game

MINUTES = 1.0
HEADINGS = ("number", "given", "plausible", "explains", "p", "most of", "measure", "explains of it")


def print_worth_knowing(spec: Game, corrected: Correction | None, seed: int, json: bool) -> int:
    """Print the numbers that explain most of how plausible games differ, from the games of `alehouse balance GAME`, played if missing."""
    have_libraries()
    from alehouse.benchmarks.balance.design import factorial
    from alehouse.benchmarks.balance.worth_knowing import ASKED

    agent, threads = "heuristic" if heuristic_of(spec) else "greedy", thread_count(None)
    seats = [n for n in spec.seats if n > 1]
    design = factorial(spec, [m.name for m in spec.modules], seats, spec.lengths, [("", corrected.changed)] if corrected else [])
    known = known_numbers(design, False, corrected.known if corrected else ())
    if known is None:
        show.write_json({"game": spec.name, "games": 0, "ask": []}) if json else print(f"{spec.title}: no number that matters is unknown.")
        return 0
    [study] = studies_of(
        design, [agent], team_of(agent, spec, threads), seed, chunk_player("threads", None, threads), None, spec.name, known
    )
    cut = play_all([study], None, MINUTES)
    if study.sets < 2:
        print(f"alehouse: nothing is done yet; the same command goes on in {study.store.folder}", file=sys.stderr)
        return show.status(cut)
    one = study.finding()
    found = one.unknown[:ASKED]
    if json:
        rows = [dataclasses.asdict(row) for row in found]
        show.write_json({"game": spec.name, "games": one.games, "rule_sets": one.rule_sets, "numbers": len(one.unknown), "ask": rows})
        return show.status(cut)
    entries = [design.cells[0].numbers[row.key] for row in found]
    show.write_table(HEADINGS, [
        (row.key, entry.value, entry.likely,
         f"{row.part:.1%}", row.p, row.most, row.measure, f"{row.share:.0%}")
        for row, entry in zip(found, entries, strict=True)
    ])  # fmt: skip
    print(
        f"{len(one.unknown)} unknown numbers in {one.rule_sets:,} plausible games, each a set of rules; {one.games:,} games by {one.agent}."
    )
    print("A number explains part of how these differ, in all main effects and in the game as a whole, on all measures.")
    return show.status(cut)
