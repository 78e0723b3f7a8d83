"""`alehouse puzzle`: positions in which one answer is clearly best, to be solved by people or agents, and found in play."""

import itertools
import sys
from pathlib import Path
from typing import Annotated

import typer

from alehouse import players
from alehouse.agents.heuristic import heuristic_of
from alehouse.benchmarks.review.puzzles import Puzzle, files, mined, solved
from alehouse.commands import playing_on, show, variants
from alehouse.commands.interrupt import pressed
from alehouse.envs.core.declare.game import Variant, as_variant
from alehouse.envs.core.verify.intervals import Z95
from alehouse.matches import words

RUNS = Path("runs/puzzles")
PLAYS = 1000  # the proof of a puzzle plays each answer on this often

Folder = Annotated[
    Path | None,
    typer.Option("--dir", metavar="DIR", help=f"The folder of the puzzles (default: those of the package, and those in {RUNS})."),
]
Mine = Annotated[int | None, typer.Option("--mine", min=1, metavar="GAMES", help="Look for puzzles in this many games of the heuristic.")]
Agents = Annotated[
    str, typer.Option("--agents", metavar="A,B", help="Let these agents solve the puzzles; with --mine, those that must miss.")
]


def puzzle(
    what: variants.What,
    agents: Agents = "",
    mine: Mine = None,
    folder: Folder = None,
    plays: playing_on.Plays = PLAYS,
    by: playing_on.By = "",
    seats: variants.Seats = None,
    modules: variants.Modules = None,
    length: variants.Length = None,
    changes: variants.Set = None,
    rules: variants.Rules = None,
    threads: playing_on.Threads = None,
    seed: show.Seed = 0,
    json: show.Json = False,
) -> int:
    """Solve puzzles, or let agents solve them; look for new ones with --mine."""
    v = variants.variant_of(what, seats, modules, length, changes, rules)
    place = folder or RUNS / v.game
    if mine is not None:
        return look_for(v, place, mine, agents or ("heuristic" if heuristic_of(v.spec) else "greedy"), plays, by, threads, seed)
    show.compiled([v])
    found = puzzles_of(v, folder)
    if not found:
        raise ValueError(f"{place}: there are no puzzles of {v}; `alehouse puzzle {v} --mine 20` looks for some")
    return tested(found, v, agents, json) if agents else asked(found)


def puzzles_of(v: Variant, folder: Path | None) -> list[Puzzle]:
    """Return the puzzles in a folder, by default those of the package and those found before: of a game by its name, or of one variant."""
    paths = sorted(folder.glob("*.json")) if folder is not None else files(v.game, RUNS / v.game).values()
    found = {path: Puzzle.load(path) for path in paths}
    for path, one in found.items():
        if as_variant(one.variant).game != v.game:
            raise ValueError(f"{path}: a puzzle of {one.variant}, not of {v.game}")
    return [one for one in found.values() if v in (v.spec.variant(), as_variant(one.variant))]


def look_for(v: Variant, place: Path, games: int, agents: str, plays: int, by: str, threads: int | None, seed: int) -> int:
    """Play games and write each puzzle that they hold."""
    agent = playing_on.agent_of(by, v)
    missing = [players.player(name, v.spec) for name in players.names(agents)]
    place.mkdir(parents=True, exist_ok=True)

    def kept(puzzles: list[Puzzle]) -> int:
        for one in puzzles:
            one.save(place / f"{one.seed:016x}-{len(one.actions) + 1}.json")
        return len(puzzles)

    some = itertools.islice(mined(v, agent, missing, plays, seed, playing_on.threads_of(threads)), games)
    counts, cut = show.collect(map(kept, some), games, "looking for puzzles")
    print(f"{sum(counts)} puzzles in {len(counts)} games of {v}, in {place}")
    return show.status(cut)


def tested(puzzles: list[Puzzle], v: Variant, agents: str, json: bool) -> int:
    """Let agents solve puzzles, and print how many each of them solves."""
    team, rows, cut = players.names(agents), list[tuple[str, int, int]](), False
    for name in team:
        agent = players.player(name, v.spec)
        right, cut = show.collect((solved(one, agent) for one in puzzles), len(puzzles), name)
        rows.append((name, sum(right), len(right)))
        if cut:
            break
    if json:
        show.write_json([{"agent": name, "solved": right, "puzzles": count} for name, right, count in rows])
    else:
        show.write_table(("agent", "solved", "of"), rows)
    return show.status(cut)


def asked(puzzles: list[Puzzle]) -> int:
    """Put puzzles to the person at the terminal, one after another; an empty line goes on, the end of input ends."""
    right = done = 0
    for number, one in enumerate(puzzles, 1):
        table = one.tables()
        view = table.view(0, int(table.seat[0]))
        print(f"Puzzle {number} of {len(puzzles)}: {one.variant}, move {len(one.actions) + 1}\n\n{table.text(0, int(table.seat[0]))}\n")
        if view.asked is not None:
            print(f"You are player_{view.asked.seat}. Which answer is best? You are asked to {view.asked.prompt}:")
        for k, option in enumerate(view.options, 1):
            print(f"{k:3}  {option.words}")
        chosen = None
        while chosen is None:
            print("> ", end="", flush=True)
            line = sys.stdin.readline()
            if not line or pressed():
                print(f"\n{right} of {done} solved")
                return show.status(pressed())
            if not line.strip():
                break
            chosen = words.found_by(view, line.strip())
            if chosen is None:
                print(f"{line.strip()}: a number from 1 to {len(view.options)}, or the name of an answer; an empty line shows the answer")
        done, right = done + 1, right + (chosen is not None and chosen.name == one.best)
        print("Right." if chosen is not None and chosen.name == one.best else "The best answer is another one.")
        told = {option.name: option.words for option in view.options}
        for name, (value, error) in sorted(one.answers.items(), key=lambda item: -item[1][0]):
            print(f"  {'>' if chosen is not None and name == chosen.name else ' '} {value:.1%} ± {100 * Z95 * error:.1f}  {told[name]}")
        print()
    print(f"{right} of {done} solved")
    return 0
