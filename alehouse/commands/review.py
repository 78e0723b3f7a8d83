"""`alehouse review`: what each decision of a game cost, and what luck brought; or what the agents of an arena lost by their decisions."""

from pathlib import Path
from typing import Annotated, Any

import typer

from alehouse.agents.kernel_agent import Kernel
from alehouse.benchmarks.review.decisions import Accuracy, Course, Decision, accuracy, decisions, mistakes
from alehouse.benchmarks.review.luck import MOST, Luck, lucks
from alehouse.commands import past_games, playing_on, show
from alehouse.commands.moves import question
from alehouse.commands.playing_on import percent
from alehouse.envs.core.run.replay import Replay
from alehouse.envs.core.verify.intervals import Z95

TOLD = 3  # how many costly decisions are told
GAMES = 20  # by default, this many games of an arena are reviewed

What = Annotated[Path, typer.Argument(metavar="FILE|RUN", help="A replay file, or the folder of an arena.")]
Games = Annotated[int, typer.Option(min=2, help="Of an arena, review this many games from its first block on, in whole blocks.")]


def review(
    what: What,
    plays: playing_on.Plays = 64,
    games: Games = GAMES,
    by: playing_on.By = "",
    threads: playing_on.Threads = None,
    seed: show.Seed = 0,
    json: show.Json = False,
) -> int:
    """Say what decisions cost: of a replay by player, with the costliest ones and the luck; of an arena by agent."""
    count = playing_on.threads_of(threads)
    if what.is_dir():
        return past_games.review(what, games, plays, by, count, seed, json)
    saved = Replay.load(what)
    if not saved.actions:
        raise ValueError(f"{what}: nobody has decided anything yet")
    course = Course.of(saved)
    agent = playing_on.agent_of(by, course.variant)
    found, cut = show.collect(decisions(course, agent, plays, seed, count), len(saved.actions), "comparing answers")
    if not cut:
        base, brought = lucks(course.variant, agent, saved.seed, MOST, count)
        players, costly = accuracy(found, course.variant.seats), mistakes(found)[:TOLD]
        if json:
            show.write_json(answer(course, agent, players, costly, base.tolist(), brought))
        else:
            write(saved, course, agent, plays, players, costly, base.tolist(), brought)
    return show.status(cut)


def answer(
    course: Course, agent: Kernel, players: list[Accuracy], costly: list[Decision], base: list[float], brought: list[Luck]
) -> dict[str, Any]:
    """Return the review in the form that `--json` prints; all figures are shares of the win."""
    names = course.variant.action_names
    return {
        "variant": str(course.variant),
        "by": agent.name,
        "won": None if course.won is None else course.won.tolist(),
        "players": [one._asdict() for one in players],
        "costliest": [
            {"move": one.move, "seat": one.seat, "action": names[one.action], "best": names[one.best], "loss": one.loss,
             "half": Z95 * one.error}
            for one in costly
        ],
        "with_this_luck": base,
        "luck": [one._asdict() for one in brought],
    }  # fmt: skip


def write(
    saved: Replay, course: Course, agent: Kernel, plays: int, players: list[Accuracy], costly: list[Decision], base: list[float],
    brought: list[Luck],
) -> None:  # fmt: skip
    """Print the review of a game: players, costly decisions, luck."""
    rows = [
        (f"player_{one.seat}", "" if course.won is None else f"{course.won[one.seat]:.0%}", one.decisions, f"{100 * one.loss:.2f}",
         f"± {100 * one.half:.2f}", f"{100 * one.total:.1f}", one.mistakes)
        for one in players
    ]  # fmt: skip
    show.write_table(("player", "won", "decisions", "lost by each", "", "in all", "mistakes"), rows)
    print(
        "In points of the share of the win; only decisions with a choice count. Mistakes surely cost something, and about 2 points or more."
    )
    print(f"Each answer was played on by {agent.name}; half of {plays} plays found the best answer, the other half compared it.\n")
    for one in costly:
        print(costs(saved, one))
    print("" if costly else "No decision was surely a mistake; more --plays tell more.\n")
    headings = ("luck", *(f"player_{p}" for p in range(course.variant.seats)))
    lines = [("wins on this luck", *(f"{share:.1%}" for share in base))]
    lines += [(one.source, *(f"{percent(x)} ± {100 * h:.1f}" for x, h in zip(one.brought, one.half, strict=True))) for one in brought]
    show.write_table(headings, lines)
    print(f"The same seed, {agent.name} in every seat: what its luck brought beyond the same source redrawn.")


def costs(saved: Replay, one: Decision) -> str:
    """Return a costly decision in words."""
    table = saved.tables(one.move - 1)
    words, asked = {option.action: option.words for option in table.view(0).options}, question(table)
    prompt = f" was asked to {asked}" if asked else ""
    better = f"'{words[one.best]}' was better by {100 * one.loss:.1f} ± {100 * Z95 * one.error:.1f}"
    return f"{one.move}. player_{one.seat}{prompt}: '{words[one.action]}'. {better}."
