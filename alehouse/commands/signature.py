"""`alehouse signature`: print a digest of the play of each variant, which stays the same as long as its games go the same."""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from alehouse.commands import show
from alehouse.commands.variants import Rules, by_rules
from alehouse.envs.core.declare.game import Variant
from alehouse.envs.core.verify.signature import signature as digest
from alehouse.envs.games import GAMES, REFERENCE, variants

KEPT = Path("tests/signatures.csv")

Name = Annotated[str, typer.Argument(metavar="GAME|all", help="The name of the game, or none for all games.")]
Write = Annotated[bool, typer.Option("--write", help=f"Write the digests to {KEPT} of a checkout.")]


def signature(name: Name, rules: Rules = None, write: Write = False, json: show.Json = False) -> int:
    """Print a digest of the play of every variant."""
    if rules and (write or name == "all"):
        raise ValueError(f"--rules {rules}: for one game, and not with --write")
    played = by_rules([v for one in (GAMES + REFERENCE if name == "all" else (name,)) for v in variants(one)], rules)
    if write and not KEPT.parent.is_dir():
        raise ValueError(f"{KEPT}: no such folder here; run it at the top of a checkout")
    show.compiled(played)
    found, cut = show.collect(signed(played), len(played), "signing")
    if write and not cut:
        keep(dict(found))
    if json:
        show.write_json({"signatures": [{"variant": v, "signature": text} for v, text in found]})
    else:
        for v, text in found:
            print(f"{text} {v}")
    return show.status(cut)


def signed(played: Sequence[Variant]) -> Iterator[tuple[str, str]]:
    """Yield each variant of some games with its digest."""
    for v in played:
        yield str(v), digest(v)


def keep(found: dict[str, str]) -> None:
    """Write the signatures of these games to the file, and keep those of other games."""
    signed_games = {text.partition("-")[0] for text in found}
    kept: dict[str, str] = {}
    if KEPT.exists():
        with open(KEPT, newline="", encoding="utf-8") as source:
            kept = {row["variant"]: row["signature"] for row in csv.DictReader(source)}
    rows = {v: text for v, text in kept.items() if v.partition("-")[0] not in signed_games} | found
    with open(KEPT, "w", newline="", encoding="utf-8") as target:
        csv.writer(target, lineterminator="\n").writerows([("variant", "signature"), *sorted(rows.items())])
