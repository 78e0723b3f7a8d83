"""Games of an arena, played again by its agents: to be saved as replays, and to be reviewed."""

from pathlib import Path
from typing import Any

import numpy as np

from alehouse import players
from alehouse.benchmarks.arena.figures import bootstrap
from alehouse.benchmarks.arena.lineup import rotations
from alehouse.benchmarks.arena.play import NOBODY, Job, again
from alehouse.benchmarks.arena.store import FORMAT, Store
from alehouse.benchmarks.review.decisions import Course, accuracy, decisions
from alehouse.commands import playing_on, show
from alehouse.envs.core.declare.game import as_variant
from alehouse.envs.core.run.files import check_format, parsed, read_text
from alehouse.envs.core.run.luck import game_seed
from alehouse.envs.core.run.replay import Replay


def job_of(run: Path) -> tuple[Store, Job]:
    """Return the store and the job of an arena by the note in its folder."""
    note = run / "job.json"
    try:
        found: Any = parsed(read_text(note))
        check_format(found.get("format"), FORMAT)
        names = tuple(str(one["name"]) for one in found["agents"])
        v, limits = as_variant(str(found["variant"])), tuple(found["limits"])
        seed, batch = int(found["seed"]), int(found["batch"])
        limit = max([players.LIMIT, *(float(one) for one in limits if one)])
    except (AttributeError, KeyError, TypeError, RecursionError, ValueError) as error:
        raise ValueError(f"{note}: it does not describe the games of an arena: {error}") from None
    store = Store(run, found)
    return store, Job(str(v), names, lambda: players.line_up(names, str(v), 1, limit), limits, seed, batch, store.secret)


def replay_of(run: Path, block: int, rotation: int) -> Replay:
    """Return the replay of a game of an arena; a ValueError if its agents do not play it as they did then."""
    store, job = job_of(run)
    games, turns = store.holding(block), rotations(len(job.names), job.seats)
    if games is None or not 0 <= rotation < turns:
        raise ValueError(f"--replay {block},{rotation}: {run} holds no such game; a block has rotations 0 to {turns - 1}")
    _, found, replays = again(job, (block, block + 1))
    [row] = np.flatnonzero(games.block == block)[rotation : rotation + 1]
    if (found.scores[rotation] != games.scores[row]).any() or found.offender[rotation] != games.offender[row]:
        raise ValueError(
            f"--replay {block},{rotation}: the agents play it differently now, as agents with a time limit or of another version do"
        )
    return replays[rotation]


def review(run: Path, games: int, plays: int, by: str, threads: int, seed: int, json: bool) -> int:
    """Play games of an arena again, and print what each of its agents lost by a decision."""
    _, job = job_of(run)
    turns = rotations(len(job.names), job.seats)
    blocks = max(2, games // turns)
    agent = playing_on.agent_of(by, as_variant(job.variant))
    seating, out, replays = again(job, (0, blocks))
    courses = [Course.of(replay) for replay in replays]
    found, cut = show.collect(
        (list(decisions(course, agent, plays, int(game_seed(np.uint64(seed), k)), threads)) for k, course in enumerate(courses)),
        len(courses), "reviewing games",
    )  # fmt: skip
    if len(found) < 2 * turns:
        raise ValueError(f"{run}: fewer than two blocks were reviewed")
    whole = len(found) // turns
    lost, count, mistakes = (np.zeros((whole, len(job.names))) for _ in range(3))
    for k, judged in enumerate(found[: whole * turns]):
        for one in accuracy(judged, job.seats):
            who = int(seating[k, one.seat])
            lost[k // turns, who] += one.total
            count[k // turns, who] += one.decisions
            mistakes[k // turns, who] += one.mistakes
    write(job, agent.name, plays, whole * turns, lost, count, mistakes, int((out.offender != NOBODY).sum()), json)
    return show.status(cut)


def write(job: Job, by: str, plays: int, games: int, lost: Any, count: Any, mistakes: Any, forfeited: int, json: bool) -> None:
    """Print what each agent lost by a decision, with an interval over blocks."""
    low, high = bootstrap(lost, count, seed=0)
    means, errors = lost.sum(axis=0) / count.sum(axis=0), mistakes.sum(axis=0) / count.sum(axis=0)
    rows = [
        {"name": name, "decisions": int(n), "lost": float(mean), "low": float(least), "high": float(most), "mistakes": float(wrong)}
        for name, n, mean, least, most, wrong in zip(job.names, count.sum(axis=0), means, low, high, errors, strict=True)
    ]
    if json:
        show.write_json({"variant": job.variant, "games": games, "forfeited": forfeited, "plays": plays, "by": by, "agents": rows})
        return
    told = [(x["name"], x["decisions"], f"{100 * x['lost']:.2f}", f"{100 * x['low']:.2f} to {100 * x['high']:.2f}",
             f"{x['mistakes']:.1%}") for x in rows]  # fmt: skip
    show.write_table(("agent", "decisions", "lost by each", "95 %", "mistakes"), told)
    print(f"{games} games of {job.variant}, played again; in points of the share of the win; only decisions with a choice count.")
    print(f"Each answer was played on by {by}; half of {plays} plays found the best answer, the other half compared it.")
