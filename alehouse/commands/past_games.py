"""Games of an arena, played again by its agents: to be saved as replays, and to be reviewed."""

from pathlib import Path
from typing import Any

import numpy as np

from alehouse import players
from alehouse.benchmarks.arena.figures import bootstrap
from alehouse.benchmarks.arena.lineup import rotations
from alehouse.benchmarks.arena.play import Job, again
from alehouse.benchmarks.arena.store import FORMAT, Store
from alehouse.benchmarks.review.decisions import Course, losses
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
    """Play games of an arena again, ask each of its agents at every decision of them, and print what their answers cost."""
    _, job = job_of(run)
    v, turns = as_variant(job.variant), rotations(len(job.names), job.seats)
    agent, team = playing_on.agent_of(by, v), job.make()
    _, _, replays = again(job, (0, max(2, -(-games // turns))))
    work = (losses(Course.of(replay), team, agent, plays, int(game_seed(np.uint64(seed), k)), threads) for k, replay in enumerate(replays))
    found, cut = show.collect(work, len(replays), "reviewing games")
    whole = len(found) // turns
    if whole < 2:
        raise ValueError(f"{run}: fewer than two blocks were reviewed")
    blocks = [np.concatenate(found[k * turns : (k + 1) * turns]) for k in range(whole)]
    lost = np.array([block.sum(axis=0) for block in blocks])
    count = np.array([len(block) for block in blocks], np.float64)[:, None] * np.ones(len(team))
    rows = [
        {"name": name, "lost": mean, "low": low, "high": high, "beyond_first": more, "beyond_low": more_low, "beyond_high": more_high}
        for name, mean, low, high, more, more_low, more_high in zip(
            job.names, *figures(lost, count), *figures(lost - lost[:, :1], count), strict=True
        )
    ]
    head = {"variant": job.variant, "games": whole * turns, "decisions": int(count[:, 0].sum()), "plays": plays, "by": agent.name}
    if json:
        show.write_json({**head, "agents": rows})
    else:
        write(head, rows)
    return show.status(cut)


def figures(lost: Any, count: Any) -> list[list[float]]:
    """Return the means of losses over decisions, and both ends of their intervals over blocks."""
    low, high = bootstrap(lost, count, seed=0)
    return [(lost.sum(axis=0) / count.sum(axis=0)).tolist(), low.tolist(), high.tolist()]


def write(head: dict[str, Any], rows: list[dict[str, Any]]) -> None:
    """Print what the answers of each agent cost."""

    def points(row: dict[str, Any], *names: str) -> list[str]:
        mean, low, high = (100 * row[name] for name in names)
        return [f"{mean:.2f}", f"{low:.2f} to {high:.2f}"]

    told = [
        (row["name"], *points(row, "lost", "low", "high"), *(points(row, "beyond_first", "beyond_low", "beyond_high") if k else ("", "")))
        for k, row in enumerate(rows)
    ]
    show.write_table(("agent", "lost by a decision", "95 %", f"beyond {rows[0]['name']}", "95 %"), told)
    print(f"{head['decisions']:,} decisions with a choice in {head['games']} games of {head['variant']}; every agent was asked at each.")
    print(f"In points of the share of the win, by {head['plays']} plays of {head['by']}: half found the best answer, half compared it.")
