"""`alehouse cards`: show the numbers of a game and their sources, and play by corrected ones."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from alehouse.commands import show
from alehouse.commands.variants import changes, say_notes
from alehouse.commands.worth_knowing import print_worth_knowing
from alehouse.envs.core.declare import numbers
from alehouse.envs.core.declare.corrections import correction
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.declare.numbers import Entry
from alehouse.envs.core.run.random_games import play
from alehouse.envs.games import game, variant

HEADINGS = ("key", "value", "possible", "from", "what")
GUESSED = ("key", "value", "plausible", "possible", "what")
CHANGED = ("key", "was", "is")
TRIAL = 20  # number of games played by the corrected tables

Export = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR", help="Copy the tables to this empty folder. Correct them there, and write box for guess where a guess is right."
    ),
]
Rules = Annotated[Path | None, typer.Option(metavar="DIR", help="Show what the tables in this folder change, and play by them.")]
Guesses = Annotated[
    bool,
    typer.Option("--guesses", help="Show only guesses: numbers whose printed value is not known, also by --rules DIR if that is given."),
]

Ask = Annotated[bool, typer.Option("--ask", help="List the ten unknown numbers most worth looking up, by what they move.")]


def cards(
    name: show.GameName,
    export: Export = None,
    guesses: Guesses = False,
    rules: Rules = None,
    ask: Ask = False,
    seed: show.Seed = 0,
    json: show.Json = False,
) -> int:
    """List every number of a game with its range and source, export the tables, or play by a folder of corrected ones."""
    if export is not None and (guesses or ask or rules is not None):
        raise ValueError("cards: give --export alone")
    if ask and guesses:
        raise ValueError("cards: give --ask or --guesses, not both")
    spec = game(name)
    if export is not None:
        return copied(name, export, json)
    if rules is not None and not (guesses or ask):
        return corrected(name, rules, seed, json)
    found = correction(spec.numbers, rules) if rules is not None else None
    if found is not None:
        say_notes(found)
    if ask:
        return print_worth_knowing(spec, found, seed, json)
    confirmed = found.known if found is not None else set()
    entries = [entry for entry in spec.numbers.values() if not guesses or (entry.guess and entry.key not in confirmed)]
    if json:
        show.write_json({"game": name, "known": described_known(spec, confirmed), "entries": [described(entry) for entry in entries]})
        return 0
    show.write_table(GUESSED if guesses else HEADINGS, [row(entry, guesses) for entry in entries])
    if guesses:
        print(f"{sum(len({*entry.plausible}) > 1 for entry in entries)} of {len(entries)} guesses have more than one plausible value.")
    if spec.numbers:
        print(summary(spec, confirmed))
    return 0


def row(entry: Entry, guesses: bool) -> Sequence[Any]:
    """Return an entry as a row of the list of guesses, or of all numbers."""
    if guesses:
        return entry.key, entry.value, entry.likely, entry.possible, entry.note
    return entry.key, entry.value, entry.possible, entry.provenance, entry.note


def described(entry: Entry) -> dict[str, Any]:
    """Return an entry in the form that `--json` prints."""
    what = {"key": entry.key, "value": entry.value, "allowed": list(entry.allowed), "from": entry.provenance, "note": entry.note}
    return {**what, "plausible": list(entry.plausible)} if entry.guess else what


def described_known(spec: Game, confirmed: Collection[str]) -> dict[str, Any]:
    """Return how much of a game is known in the form that `--json` prints."""
    return spec.numbers.known(confirmed)._asdict()


def summary(spec: Game, confirmed: Collection[str]) -> str:
    """Return in words how much of a game is known."""
    known = spec.numbers.known(confirmed)
    sources = ", ".join(f"{source} {count:,}" for source, count in known.sources.items())
    return f"Printed numbers that are known: {known}. Numbers by their source: {sources}."


def copied(name: str, folder: Path, json: bool) -> int:
    """Write a game's tables to a folder."""
    spec = game(name)
    if not (spec.folder / "rules.toml").is_file():
        raise ValueError(f"cards --export: {name} has no numbers to correct")
    written = [str(path) for path in numbers.export(spec.folder, folder)]
    if json:
        show.write_json({"game": name, "files": written})
        return 0
    print("\n".join(written))
    print("Correct them, and where a guess is right write box for guess: in a table under provenance, in rules.toml behind from.")
    print(f"Then: alehouse cards {name} --rules {folder}")
    return 0


def corrected(name: str, folder: Path, seed: int, json: bool) -> int:
    """Show what the tables in a folder change, and play a few games by them."""
    spec, v = game(name), variant(name, rules=folder)
    found, changed = correction(spec.numbers, folder), changes(v)
    played = play(v, TRIAL, seed)
    if json:
        trial = {"games": TRIAL, "decisions": int(played.decisions.sum()), "scores": played.scores.mean(axis=0).round(2).tolist()}
        show.write_json(
            {
                "game": name, "variant": str(v), "changes": [dict(zip(CHANGED, one, strict=True)) for one in changed],
                "confirmed": sorted(found.known - found.changed.keys()), "notes": found.notes,
                "known": described_known(spec, found.known), "played": trial,
            }
        )  # fmt: skip
        return 0
    say_notes(found)
    show.write_table(CHANGED, changed)
    points = ", ".join(f"{mean:.1f}" for mean in played.scores.mean(axis=0))
    print(f"{len(changed)} changes, {len(found.known - found.changed.keys())} guesses confirmed: {v}")
    print(f"{TRIAL} games by uniform agents: {played.decisions.mean():.0f} decisions a game, mean points {points}")
    print(summary(spec, found.known) + f" Before: {spec.numbers.known()}.")
    return 0
