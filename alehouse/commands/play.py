"""`alehouse play`: a game against agents, or with other people at one screen."""

import importlib.util
import sys
from pathlib import Path
from typing import Annotated

import typer

from alehouse import players
from alehouse.commands import show, variants
from alehouse.commands.interrupt import pressed
from alehouse.envs.core.declare.game import Game, Variant
from alehouse.levels import level, levels, measured, strength
from alehouse.matches.lines import Leave, Lines
from alehouse.matches.match import HUMAN, Match

LEVEL = 3  # of the opponents by default

What = Annotated[
    str,
    typer.Argument(metavar="GAME", help="A game by its name, or a variant by its id.", autocompletion=show.completed, show_default=False),
]
Against = Annotated[str, typer.Option("--vs", metavar="A,B", help="Agents in turn at the other seats; human is another person.")]
Strength = Annotated[
    str | None, typer.Option("--level", metavar="1-6|NAME", help=f"The level of all opponents, by number or name (default: {LEVEL}).")
]
Own = Annotated[str, typer.Option("--seat", metavar="P", help="Your seat; several joined by commas are several people at one screen.")]
File = Annotated[Path | None, typer.Option("--continue", metavar="FILE", help="Go on with a match; it needs no GAME.")]
Trust = Annotated[bool, typer.Option("--trust", help="Run agents from outside the package that the file of a match names.")]
Luck = Annotated[int | None, typer.Option("--seed", min=0, max=2**64 - 1, help="The seed that decides all luck (default: a random one).")]
Teach = Annotated[bool, typer.Option("--teach", help="Say after each of your answers what it cost.")]
Listed = Annotated[bool, typer.Option("--levels", help="List the levels of the game with their ratings, and play nothing.")]
Full = Annotated[bool, typer.Option("--screen", help="Use the whole screen of the terminal (needs the extra `play`).")]
Out = Annotated[Path | None, typer.Option(metavar="FILE", help="The file of the match (default: a new one in runs/play).")]


def play(
    what: What = "",
    against: Against = "",
    strength_of: Strength = None,
    own: Own = "0",
    seats: variants.Seats = None,
    modules: variants.Modules = None,
    length: variants.Length = None,
    changes: variants.Set = None,
    rules: variants.Rules = None,
    file: File = None,
    trust: Trust = False,
    seed: Luck = None,
    teach: Teach = False,
    full: Full = False,
    listed: Listed = False,
    out: Out = None,
) -> int:
    """Play a game against agents. Every move is on disk at once, so a match that is left, or killed, can go on."""
    if full and importlib.util.find_spec("textual") is None:
        raise ValueError("--screen needs textual: pip install 'alehouse[play]'")
    if bool(what) == (file is not None):
        raise ValueError("say what to play, such as `alehouse play bloody_inn`, or which match goes on, with --continue FILE")
    if file is not None:
        match = Match.open(file)
        for name in match.players:
            if not (trust or name == HUMAN or players.trusted(name)):
                raise ValueError(f"{file}: its agent {name!r} is a program from outside this package; --trust runs it")
    else:
        v = variants.variant_of(what, seats, modules, length, changes, rules)
        if listed:
            return write_levels(v)
        match = Match.new(v, around(v, against, strength_of, own), seed, out)
    show.compiled([match.variant])
    if not full:
        greet(match)
    try:
        played(match, teach, full)
    except (Leave, EOFError, KeyboardInterrupt) as left:
        print(f"\nThe match is kept. This goes on with it:\nalehouse play --continue {match.path}")
        return show.status(isinstance(left, KeyboardInterrupt) or pressed())
    path = match.path.with_suffix(".json")
    match.replay().save(path)
    print(f"\nThis says what each decision cost:\nalehouse review {path}")
    return 0


def played(match: Match, teach: bool, full: bool) -> None:
    """Play a match to its end; raise Leave if the player goes first."""
    if not full:
        Lines(match, teach).play()
        return
    from alehouse.matches.screen import Screen

    Screen(match, teach).run()
    if not match.over:
        raise Leave


def write_levels(v: Variant) -> int:
    """Print the levels of a game."""
    show.write_table(("level", "name", "agent", "strength"), [(x.number, x.name, x.agent, strength(x, v.seats)) for x in levels(v.spec)])
    print(scale(v.spec) or "python tools/measure_levels.py measures them")
    return 0


def scale(game: Game) -> str:
    """Return what ratings of levels mean and how they were measured, or "" if nobody has measured them."""
    how = measured(game)
    return f"points above the heuristic, 400 for odds of ten to one, measured in {how}" if how else ""


def around(v: Variant, against: str, chosen: str | None, own: str) -> list[str]:
    """Return who plays at each seat."""
    mine = [int(text) if text.strip().isdecimal() and len(text) < 4 else -1 for text in own.split(",")]
    if not all(0 <= p < v.seats for p in mine):
        raise ValueError(f"--seat {own}: seats from 0 to {v.seats - 1} in {v}, joined by commas")
    if against and chosen is not None:
        raise ValueError("--vs or --level, not both: a level is an agent too, such as --vs level:2,level:5")
    names = players.names(against) if against else (f"level:{level(chosen or str(LEVEL), v.spec).number}",)
    others = [p for p in range(v.seats) if p not in mine]
    if len(names) > max(1, len(others)):
        raise ValueError(f"--vs {against}: {len(names)} names for {len(others)} other seats")
    return [HUMAN if p in mine else names[others.index(p) % len(names)] for p in range(v.seats)]


def greet(match: Match) -> None:
    """Say what is played, by whom, and how strong the opponents are."""
    print(f"{match.variant.spec.title}: {match.variant}")
    for p, name in enumerate(match.players):
        print(f"  player_{p}: {told(match, name)}")
    if any(name.startswith("level:") for name in match.players) and (what := scale(match.variant.spec)):
        print(f"  {what}")
    print(f"The match is kept in {match.path}\n")
    sys.stdout.flush()


def told(match: Match, name: str) -> str:
    """Return the name of a player with the strength of its level."""
    if not name.startswith("level:"):
        return name
    found = level(name.partition(":")[2], match.variant.spec)
    return f"{name} ({found.name}), {found.agent}, {strength(found, match.variant.seats)}"
