"""The options that describe what is played, the variant they lead to, and what a folder of rules changes in it."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from alehouse.commands import show
from alehouse.envs.core.declare.corrections import Correction, correction
from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.declare.numbers import Value
from alehouse.envs.games import variant

NAMED = 5  # the line about a folder of rules names at most this many changed numbers

What = Annotated[str, typer.Argument(metavar="GAME", help="A game by its name, or a variant by its id.", autocompletion=show.completed)]
Usual = Annotated[
    str,
    typer.Argument(
        metavar="GAME", help="The game that --set and --rules change, or the variant to offer first for a game.",
        autocompletion=show.completed, show_default=False,
    ),
]  # fmt: skip
Seats = Annotated[int | None, typer.Option(help="Number of players (default: 4, or what the game allows).")]
Modules = Annotated[str | None, typer.Option(metavar="A,B", help="Modules to play with, joined by commas.")]
Length = Annotated[str | None, typer.Option(help="Length of the game, if the game has several.")]
Set = Annotated[list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a number of the rules; may be repeated.")]
Rules = Annotated[Path | None, typer.Option(metavar="DIR", help="Play by the tables in a folder (see `alehouse cards GAME --export`).")]


class Change(NamedTuple):
    """A number whose value is not the printed one."""

    key: str
    was: Value
    now: Value


def variant_of(
    what: str, seats: int | None, modules: str | None, length: str | None, pairs: Sequence[str] | None, rules: Path | None
) -> Variant:
    """Return the variant that the options describe."""
    chosen = [name for name in (modules or "").replace("+", ",").split(",") if name]
    [v] = by_rules([variant(what, seats, chosen, length, overrides_of(pairs or ()) or None)], rules)
    return v


def overrides_of(pairs: Iterable[str]) -> dict[str, str]:
    """Return the numbers that texts of the form KEY=VALUE change."""
    return {key: value for key, _, value in (pair.partition("=") for pair in pairs)}


def usual(what: str, pairs: Sequence[str] | None, rules: Path | None) -> Variant | None:
    """Return the variant that a server offers first for its game; None where none is named."""
    if what:
        return variant_of(what, None, None, None, pairs, rules)
    if pairs or rules:
        raise ValueError("--set and --rules change a game: name it too, such as bloody_inn --rules DIR")
    return None


def named(spec: Game, ids: Iterable[str]) -> list[Variant]:
    """Return variants of a game by their ids."""
    found = [variant(text) for text in ids]
    for v in found:
        if v.spec is not spec:
            raise ValueError(f"--variant {v}: not a variant of {spec.name}")
    return found


def by_rules(played: Sequence[Variant], folder: Path | None) -> list[Variant]:
    """Return variants played by the tables in a folder, if one is given, and say what the folder changes. Changes in an id stay in
    force.
    """
    if folder is None:
        return list(played)
    spec = played[0].spec
    say_notes(correction(spec.numbers, folder))
    changed = changes(spec.variant(rules=folder))
    more = f", see `alehouse cards {spec.name} --rules {folder}`" if len(changed) > NAMED else ""
    print(f"alehouse: rules of {folder}: {in_words(changed)}{more}", file=sys.stderr)
    return [spec.variant(v.seats, v.modules, v.length, dict(v.overrides), folder) for v in played]


def say_notes(found: Correction) -> None:
    """Say what a folder of rules leaves out, and what it changes that means nothing; of many notes, the first."""
    for note in found.notes[:NAMED]:
        print(f"alehouse: {note}", file=sys.stderr)
    if len(found.notes) > NAMED:
        print(f"alehouse: and {len(found.notes) - NAMED} more such notes", file=sys.stderr)


def in_words(changed: Sequence[Change]) -> str:
    """Return in words which numbers are not the printed ones; of many, the first."""
    told = "; ".join(f"{one.key} is {one.now}, not {one.was}" for one in changed[:NAMED]) or "the same numbers as printed"
    return f"{told} and {len(changed) - NAMED} more" if len(changed) > NAMED else told


def changes(v: Variant) -> list[Change]:
    """Return the numbers of a variant that differ from the printed ones."""
    return [Change(key, v.spec.numbers[key].value, value) for key, value in v.overrides]
