"""`alehouse cards`: show the numbers of a game and their sources, and play by corrected ones."""

from pathlib import Path
from typing import Annotated, Any

import typer

from alehouse.commands import show
from alehouse.commands.variants import changes
from alehouse.envs.core.declare import numbers
from alehouse.envs.core.declare.numbers import Entry
from alehouse.envs.core.run.random_games import play
from alehouse.envs.games import game, variant

HEADINGS = ("key", "value", "possible", "from", "what")
CHANGED = ("key", "was", "is")
TRIAL = 20  # number of games played by the corrected tables

Export = Annotated[Path | None, typer.Option(metavar="DIR", help="Copy the tables to this empty folder, where you can correct them.")]
Rules = Annotated[Path | None, typer.Option(metavar="DIR", help="Show what the tables in this folder change, and play by them.")]
Guesses = Annotated[bool, typer.Option("--guesses", help="Show only guesses: numbers whose printed value is not known.")]


def cards(
    name: show.GameName,
    export: Export = None,
    guesses: Guesses = False,
    rules: Rules = None,
    seed: show.Seed = 0,
    json: show.Json = False,
) -> int:
    """List every number of a game with its range and source, export the tables, or play by a folder of corrected ones."""
    if sum((export is not None, guesses, rules is not None)) > 1:
        raise ValueError("cards: give only one of --export, --guesses and --rules")
    if export is not None:
        return copied(name, export, json)
    if rules is not None:
        return corrected(name, rules, seed, json)
    known = game(name).numbers
    entries = known.guesses() if guesses else list(known.values())
    if json:
        show.write_json({"game": name, "entries": [described(entry) for entry in entries]})
    else:
        show.write_table(HEADINGS, [[e.key, e.value, e.possible, e.provenance, e.note] for e in entries])
    return 0


def described(entry: Entry) -> dict[str, Any]:
    """Return an entry in the form that `--json` prints."""
    return {"key": entry.key, "value": entry.value, "allowed": list(entry.allowed), "from": entry.provenance, "note": entry.note}


def copied(name: str, folder: Path, json: bool) -> int:
    """Write a game's tables to a folder."""
    written = [str(path) for path in numbers.export(game(name).folder, folder)]
    if json:
        show.write_json({"game": name, "files": written})
    else:
        print("\n".join([*written, f"Correct them, then: alehouse cards {name} --rules {folder}"]))
    return 0


def corrected(name: str, folder: Path, seed: int, json: bool) -> int:
    """Show what the tables in a folder change, and play a few games by them."""
    v = variant(name, rules=folder)
    changed = changes(v)
    played = play(v, TRIAL, seed)
    if json:
        summary = {"games": TRIAL, "decisions": int(played.decisions.sum()), "scores": played.scores.mean(axis=0).round(2).tolist()}
        show.write_json(
            {"game": name, "variant": str(v), "changes": [dict(zip(CHANGED, one, strict=True)) for one in changed], "played": summary}
        )
        return 0
    show.write_table(CHANGED, changed)
    points = ", ".join(f"{mean:.1f}" for mean in played.scores.mean(axis=0))
    print(f"{len(changed)} changes: {v}")
    print(f"{TRIAL} games by uniform agents: {played.decisions.mean():.0f} decisions a game, mean points {points}")
    return 0
