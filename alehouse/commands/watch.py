"""`alehouse watch`: let agents play a game, and tell it in words while one watches."""

import contextlib
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import typer

from alehouse import players
from alehouse.agents import Agent, ask
from alehouse.agents.heuristic import heuristic_of
from alehouse.benchmarks.arena.lineup import check_line_up
from alehouse.commands import show, streams, variants
from alehouse.commands.interrupt import pressed
from alehouse.commands.moves import Move, moves, news, question, sentence
from alehouse.envs.core.declare.game import zero
from alehouse.envs.core.run.tables import Tables

PAUSE = 0.5  # by default, seconds to wait after a move on a terminal

Agents = Annotated[
    str, typer.Option("--agents", metavar="A,B", help="Agents in turn around the table (default: heuristics, if the game has one).")
]
Delay = Annotated[float | None, typer.Option(min=0, help=f"Seconds after each move; {PAUSE:g} on a terminal by default, else none.")]


def watch(
    what: variants.What,
    agents: Agents = "",
    seats: variants.Seats = None,
    modules: variants.Modules = None,
    length: variants.Length = None,
    changes: variants.Set = None,
    rules: variants.Rules = None,
    delay: Delay = None,
    seed: show.Seed = 0,
    json: show.Json = False,
) -> int:
    """Let agents play a game and tell it move by move: each question, its answer, and what that changes on the table."""
    v = variants.variant_of(what, seats, modules, length, changes, rules)
    names = players.names(agents or ("heuristic" if heuristic_of(v.spec) else "uniform"))
    check_line_up(len(names), v.seats)
    around = [names[p % len(names)] for p in range(v.seats)]
    team = [players.player(name, v.spec) for name in around]
    show.compiled([v])
    tables, told, cut = Tables(v, n=1, seed=seed, autoreset=False), list[Move](), False
    wait = (PAUSE if sys.stdout.isatty() else 0.0) if delay is None else delay
    if not json:
        print(f"{v.spec.title}: {v}, seed {seed}\n\n{tables.text(0)}\n")
    try:
        round_told = rounds(tables)
        for move in moves(tables, answers(tables, team), texts=True):
            told.append(move)
            if not json:
                round_told = tell(tables, move, around, round_told)
                sys.stdout.flush()
                time.sleep(wait)
            if pressed() or streams.left():
                break
    except KeyboardInterrupt:
        cut = True
    cut = cut or pressed()
    if json:
        show.write_json(summary(tables, told, around, seed))
    elif tables.over[0]:
        points = zip(around, tables.scores[0], strict=True)
        print("points: " + ", ".join(f"player_{p} ({name}) {n}" for p, (name, n) in enumerate(points)))
    elif cut:
        print(f"alehouse: stopped after {len(told)} moves", file=sys.stderr)
    return show.status(cut)


def answers(tables: Tables, team: Sequence[Agent]) -> Iterator[int]:
    """Yield the action of the seat to move until the game is over."""
    while not tables.over[0]:
        agent = team[tables.seat[0]]
        try:
            with contextlib.redirect_stdout(sys.stderr):  # agents may print; stdout is for the game only
                [action] = ask(agent, tables)
        except Exception as error:
            raise ValueError(f"agent {agent.name!r}: {type(error).__name__}: {error}") from error
        yield int(action)


def rounds(tables: Tables) -> int:
    """Return how many rounds of the game at the table have ended."""
    return int(tables.game.clock(tables.states[0]))


def tell(tables: Tables, move: Move, around: Sequence[str], round_told: int) -> int:
    """Print a move and what it changed, or the whole table if a round ended or the game has no rounds. Return the rounds ended so far."""
    print(sentence(move, f"player_{move.seat} ({around[move.seat]})"))
    for line in move.then:
        print(f"   {line}")
    after, now = tables.text(0), rounds(tables)
    if now != round_told or tables.over[0] or tables.game.clock is zero:
        print(f"\n{after}\n")
    else:
        for line in news(move.text, after, f"player_{tables.seat[0]} is asked to {question(tables)}"):
            print(f"      {line}")
    return now


def summary(tables: Tables, told: Sequence[Move], around: Sequence[str], seed: int) -> dict[str, Any]:
    """Return the game in the form that `--json` prints."""
    return {
        "variant": str(tables.variants[0]),
        "seed": seed,
        "agents": list(around),
        "moves": [move.as_json() for move in told],
        "over": bool(tables.over[0]),
        "scores": tables.scores[0].tolist(),
        "utility": tables.utility[0].tolist(),
        "text": tables.text(0),
    }
