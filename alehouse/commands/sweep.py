"""`alehouse sweep`: change every number a little, and rank the numbers by how much each changes the game."""

import csv
import dataclasses
import io
import sys
import time
from typing import Annotated

import typer

from alehouse.commands import config, show, variants
from alehouse.commands.balance import Blocks, Minutes, On, Out, Threads, modules_of, split_list
from alehouse.commands.studies import check_minutes, chunk_player, follow, have_libraries, studies_of, team_of, thread_count
from alehouse.envs.core.run.files import write_atomically
from alehouse.envs.games import variant

Over = Annotated[str, typer.Option("--over", metavar="PATTERN", help="The numbers to change, such as 'inn.*,cards.*.money'.")]
By = Annotated[str, typer.Option("--by", metavar="+-1", help="How far to change each number, down and up.")]
Seats = Annotated[int | None, typer.Option(help="Number of players (default: the usual number).")]
Modules = Annotated[str, typer.Option(metavar="all|none|A,B", help="Modules to play with, joined by commas.")]
Length = Annotated[str | None, typer.Option(help="Length of the game, if the game has several.")]
Player = Annotated[str, typer.Option("--agent", help="The agent that plays all seats: heuristic, or rollout:50.")]

SHOWN = 30
HEADINGS = ("number", "printed", "moved to", "from", "shift", "by chance", "surest change", "estimate", "low", "high", "p (Holm)")


def sweep(
    name: show.GameName,
    over: Over,
    by: By = "+-1",
    minutes: Minutes = 1.0,
    blocks: Blocks = None,
    seats: Seats = None,
    modules: Modules = "all",
    length: Length = None,
    rules: variants.Rules = None,
    agent: Player = "heuristic",
    seed: show.Seed = 0,
    on: On = "threads",
    threads: Threads = None,
    out: Out = None,
    settings: config.Config = None,
    json: show.Json = False,
) -> int:
    """Change one number of a game after another, and rank them by how much the game changes. The same command continues a stopped run."""
    given = locals()
    have_libraries()
    from alehouse.benchmarks.balance import sweep as lab
    from alehouse.benchmarks.balance.measures import measured

    check_minutes(minutes)
    where = chunk_player(on, blocks, thread_count(threads))
    base = variant(name, seats)
    [v] = variants.by_rules([variant(name, base.seats, modules_of(base.spec, modules), length)], rules)
    changes, idle = lab.moves(v, split_list(over), step_of(by))
    team = team_of(agent, v.spec, thread_count(threads) if on == "threads" else 1)
    if len(team) != 1:
        raise ValueError(f"--agent {agent}: give one agent")
    [study] = studies_of(lab.swept(v, changes), [agent], team, seed, where, out, f"{name}-sweep")
    config.write(study.store.folder / config.FILE, sweep, given)
    show.compiled([v])
    start = time.perf_counter()
    due = blocks if blocks is not None else study.plan(minutes)
    print(f"{v}: {len(changes)} steps ({idle} more do nothing here), {due:,} games each.", file=sys.stderr)
    cut = follow(study, due, f"sweeping {name}")
    if study.blocks < 2:
        print(f"alehouse: nothing is done yet; the same command goes on in {study.store.folder}", file=sys.stderr)
        return show.status(cut)
    found = lab.ranked(measured(study.together(), study.design.cells), changes, v)
    folder, rows = study.store.folder, [dataclasses.asdict(one) for one in found]
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_atomically(folder / "sweep.csv", text.getvalue().encode())
    if json:
        seconds = round(time.perf_counter() - start, 1)
        show.write_json({"game": name, "variant": str(v), "games": study.games, "seconds": seconds, "numbers": rows})
    else:
        show.write_table(HEADINGS, [tuple(row.values()) for row in rows[:SHOWN]])
        print(f"{len(lab.sure(found))} of {len(found)} steps move the game beyond chance, by {agent}. All of them: {folder}/sweep.csv")
        print("Shift: root mean square of the changes of all measures, each in standard deviations of a game.")
    return show.status(cut)


def step_of(text: str) -> int:
    """Return how far to change numbers, from a text such as +-1."""
    digits = text.removeprefix("+-").removeprefix("±")
    if not digits.isdigit() or int(digits) == 0:
        raise ValueError(f"--by {text}: a whole number above 0, as in +-1")
    return int(digits)
