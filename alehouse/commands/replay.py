"""`alehouse replay`: verify a saved game, show it action by action or as a page, and try other answers in it."""

from pathlib import Path
from typing import Annotated, Any

import typer

from alehouse import players
from alehouse.agents import rate
from alehouse.agents.heuristic import heuristic_of
from alehouse.agents.rate import PLAYS
from alehouse.benchmarks.review.decisions import Course, Decision, Fork, decisions, fork
from alehouse.commands import playing_on, show
from alehouse.commands.moves import moves, question, sentence
from alehouse.commands.playing_on import percent
from alehouse.commands.variants import changes, in_words
from alehouse.envs.core.run.files import write_atomically
from alehouse.envs.core.run.replay import Replay
from alehouse.matches.words import rows_of
from alehouse.pages.replay import Frames, need_jinja, page

FORKED = 400  # by default, a fork plays each answer on this often
PAGED = 64  # by default, a page plays answers on this often

File = Annotated[Path, typer.Argument(metavar="FILE", help="The replay file to verify and show.")]
Verify = Annotated[bool, typer.Option("--verify", help="Only verify that the game goes as the file says; show nothing.")]
Pictures = Annotated[bool, typer.Option("--text", help="Show the table before every action.")]
To = Annotated[int | None, typer.Option("--to", min=0, metavar="N", help="Stop after this many actions.")]
Html = Annotated[
    Path | None, typer.Option("--html", metavar="OUT", help="Write the game as a page with pictures, log and win probability.")
]
Seat = Annotated[int | None, typer.Option(min=0, help="In the page, show the table as this seat knew it (default: everything).")]
ForkAt = Annotated[int | None, typer.Option("--fork", min=1, metavar="N", help="Try the other answers of move N on the same luck.")]
Plays = Annotated[
    int | None,
    typer.Option(
        min=0, help=f"How often answers are played on: {PAGED} for a page (0 for none), {FORKED} for a fork, {PLAYS} to rate them."
    ),
]
RateAt = Annotated[int | None, typer.Option("--rate", min=1, metavar="N", help="Let agents rate the answers of move N.")]
Agents = Annotated[
    str, typer.Option("--agents", metavar="A,B", help="With --rate, the agents that rate (default: heuristic, if there is one).")
]


def replay(
    file: File,
    verify: Verify = False,
    pictures: Pictures = False,
    to: To = None,
    html: Html = None,
    seat: Seat = None,
    fork_at: ForkAt = None,
    rate_at: RateAt = None,
    agents: Agents = "",
    plays: Plays = None,
    by: playing_on.By = "",
    threads: playing_on.Threads = None,
    seed: show.Seed = 0,
    json: show.Json = False,
) -> int:
    """Verify a replay file and show its game: each action by name with what followed by itself, then the table."""
    saved = Replay.load(file)
    for option, at in (("--to", to), ("--fork", fork_at), ("--rate", rate_at)):
        if at is not None and at > len(saved.actions):
            raise ValueError(f"{option} {at}: {file} has {len(saved.actions)} actions")
    if fork_at is not None:
        return forked(saved, fork_at, FORKED if plays is None else plays, by, playing_on.threads_of(threads), seed, json)
    if rate_at is not None:
        return rated(saved, rate_at, agents, PLAYS if plays is None else plays, playing_on.threads_of(threads), seed, json)
    if html is not None:
        return paged(saved, html, seat, PAGED if plays is None else plays, by, playing_on.threads_of(threads), seed)
    head = {"variant": saved.variant, "seed": saved.seed, "length": len(saved.actions), "verified": True}
    if verify:
        if json:
            show.write_json(head)
        else:
            print(f"{file}: verified, {head['length']} actions of {saved.variant}, seed {saved.seed}")
        return 0
    return told(saved, head, saved.actions[:to], pictures, json)


def told(saved: Replay, head: dict[str, Any], actions: tuple[int, ...], pictures: bool, json: bool) -> int:
    """Print a game action by action, then the table."""
    tables = saved.tables(0)
    listed = moves(tables, actions, texts=pictures)
    if json:
        rows = [move.as_json() for move in listed]
        points = tables.scores[0].tolist()
        show.write_json({**head, "moves": rows, "over": bool(tables.over[0]), "scores": points, "text": tables.text(0)})
        return 0
    print(f"{saved.variant}, seed {saved.seed}")
    if changed := changes(tables.variants[0]):
        print(f"rules: {in_words(changed)}")
    for move in listed:
        if pictures:
            print(f"\n{move.text}\n")
        print(sentence(move, f"player_{move.seat}"))
        for line in move.then:
            print(f"   {line}")
    print(f"\n{tables.text(0)}")
    if tables.over[0]:
        print(f"points: {', '.join(str(points) for points in tables.scores[0])}")
    return 0


def paged(saved: Replay, out: Path, seat: int | None, plays: int, by: str, threads: int, seed: int) -> int:
    """Write a game as a page."""
    need_jinja()
    course = Course.of(saved)
    if seat is not None and seat >= course.variant.seats:
        raise ValueError(f"--seat {seat}: 0 to {course.variant.seats - 1} in {saved.variant}")
    if 0 < plays < 4:
        raise ValueError(f"--plays {plays}: 0 for none, or at least 4")
    found, cut = list[Decision](), False
    if plays and saved.actions:
        agent = playing_on.agent_of(by, course.variant)
        found, cut = show.collect(decisions(course, agent, plays, seed, threads), len(saved.actions), "comparing answers")
    if not cut:
        frames = Frames.of(table.svg(0, seat) for table in saved.played())
        write_atomically(out, page(saved, course, found, frames, seat).encode())
        print(f"{out}: {len(saved.actions)} moves of {saved.variant}")
    return show.status(cut)


def forked(saved: Replay, number: int, plays: int, by: str, threads: int, seed: int, json: bool) -> int:
    """Play the answers of a move on, and tell whether the move was wrong and whether its luck was good or bad."""
    if plays < 4:
        raise ValueError(f"--plays {plays}: at least 4")
    course = Course.of(saved)
    table = saved.tables(number - 1)
    words = {one.action: one.words for one in table.view(0).options}
    agent = playing_on.agent_of(by, course.variant)
    found = fork(course, number - 1, agent, plays, seed, threads)
    if json:
        named = [{"name": course.variant.action_names[one.action], **one._asdict()} for one in found.tried]
        show.write_json({**found._asdict(), "move": number, "plays": plays, "by": agent.name, "tried": named})
        return 0
    asked = question(table)
    print(f"{number}. player_{found.seat}{f' is asked to {asked}' if asked else ''}: {words[found.action]}")
    rows = [
        (("> " if one.action == found.action else "  ") + words[one.action], f"{one.value:.1%}", f"± {100 * one.half:.1f}",
         *(("", "") if one.action == found.action else (percent(one.more), f"± {100 * one.more_half:.1f}")), f"{one.as_it_was:.1%}")
        for one in found.tried
    ]  # fmt: skip
    show.write_table(("answer", "share of the win", "", "beyond the given", "", "on the luck as it was"), rows)
    print(f"{plays} plays of each answer by {agent.name}, on the same luck for all; ± is half of a 95 % interval.")
    for line in (verdict(found, words), fortune(found, course)):
        print(line)
    return 0


def rated(saved: Replay, number: int, agents: str, plays: int, threads: int, seed: int, json: bool) -> int:
    """Print what agents say each answer of a move is worth."""
    table = saved.tables(number - 1)
    spec, view = table.game, table.view(0, int(table.seat[0]))
    names = players.names(agents or ("heuristic" if heuristic_of(spec) else "uniform"))
    team = [players.player(name, spec) for name in names]
    show.compiled([table.variants[0]])
    work = (rows_of(rate(agent, table, plays, seed=seed, threads=threads), view.options) for agent in team)
    told, cut = show.collect(work, len(team), "rating answers")
    found = dict(zip(names, told, strict=False))
    if json:
        show.write_json({"variant": saved.variant, "move": number, "seat": int(table.seat[0]), "ratings": found})
        return show.status(cut)
    rows = [
        (name, row["words"], *("" if row[part] is None else f"{row[part]:.1%}" for part in ("value", "error")), row["visits"])
        for name, some in found.items()
        for row in some
    ]
    show.write_table(("agent", "answer", "share of the win", "error", "tried"), rows)
    return show.status(cut)


def verdict(found: Fork, words: dict[int, str]) -> str:
    """Return in words whether the move was wrong."""
    if found.best == found.action:
        return "The move: no other answer did better on half of the plays."
    other = f"'{words[found.best]}' did best on half of the plays; on the other half it brought {percent(found.gain)}"
    sure = "the move was wrong" if found.gain > found.gain_half else "that does not prove the move wrong"
    return f"The move: {other} ± {100 * found.gain_half:.1f} points of the share of the win: {sure}."


def fortune(found: Fork, course: Course) -> str:
    """Return in words what luck brought after the move."""
    kind = "good" if found.luck > found.luck_half else "bad" if found.luck < -found.luck_half else "neither surely good nor surely bad"
    ended = "" if course.won is None else f" The game ended with {course.won[found.seat]:.0%} of the win for player_{found.seat}."
    return (
        f"The luck: hidden cards and luck as they were brought {percent(found.luck)} ± {100 * found.luck_half:.1f} points"
        f" beyond what could be expected after the move: it was {kind}.{ended}"
    )
