"""The contract of a game, checked by playing it: `alehouse check`.

A batch of games by uniform agents is played over and over, and looked at from many sides. What is cheap is done
at every table and every decision of all games; what runs in plain Python (audits, pictures, reasons) on samples, whose
sizes stand in the checks; what plays the batch many times over (OTHERS), with the first SAMPLE games. What is found
names the variant, the seed, the game and the decision.
"""

import itertools
import json
import os
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence

from alehouse.envs.core.declare.game import Game, Variant, game_of
from alehouse.envs.core.verify import check_hidden, check_play
from alehouse.envs.core.verify.case import Case, all_variants
from alehouse.envs.core.verify.signature import trace

Check = Callable[[Case], Iterator[str]]

FIRST: tuple[Check, ...] = (check_play.masks, check_play.ends)  # the others rely on these
WHOLE: tuple[Check, ...] = (
    check_play.declarations,
    check_play.conservation,
    check_play.scoring,
    check_play.absent,
)
OTHERS: tuple[Check, ...] = (
    check_play.observations,
    check_play.refusals,
    check_play.copies,
    check_play.placing,
    check_play.series,
    check_play.replays,
    check_play.numbers,
    check_hidden.redeals,
    check_hidden.pictures,
    check_hidden.playable,
    check_hidden.asking,
    check_hidden.diversity,
    check_hidden.first_deals,
)
SAMPLE = 500
SHOWN = 3  # failures told of each check
PLAIN_GAMES = 1  # games played without the JIT


def check_variant(v: Variant, games: int, seed: int = 0) -> list[str]:
    """What breaks the contract, in words; nothing if the variant is fine."""
    case = Case(v, games, seed)
    found = [failure for check in FIRST for failure in run(check, case)]
    found = found or [failure for check in WHOLE for failure in run(check, case)]
    few = Case(v, min(games, SAMPLE), seed)
    return found or [failure for check in OTHERS for failure in run(check, few)]


def run(check: Check, case: Case) -> list[str]:
    """The first failures of one check; an exception is one."""
    found: list[str] = []
    try:
        found += itertools.islice(check(case), SHOWN)
    except Exception as error:
        found.append(in_short(error))
    return [f"{case.v}, seed {case.seed}, {check.__name__}: {failure}" for failure in found]


def in_short(error: Exception) -> str:
    """An exception in one line, with the place it comes from."""
    at = traceback.extract_tb(error.__traceback__)[-1]
    first = (str(error).strip() or "no message").splitlines()[0]
    return f"{type(error).__name__} in {at.name} ({os.path.basename(at.filename)}, line {at.lineno}): {first}"


def check_game(
    name_or_game: str | Game, games: int, seed: int = 0, variants: Sequence[Variant] | None = None
) -> Iterator[tuple[Variant, int, list[str]]]:
    """Check every variant of a game, or those given; a few are also played without the JIT, reported with the last."""
    from alehouse.envs.games import game

    spec = game(name_or_game) if isinstance(name_or_game, str) else name_or_game
    played = list(all_variants(spec) if variants is None else variants)
    plain = without_jit(some(played), seed)
    try:
        for v in played[:-1]:
            yield v, games, check_variant(v, games, seed)
        for v in played[-1:]:
            yield v, games, check_variant(v, games, seed) + jit_failures(plain, some(played), seed)
    finally:
        plain.kill()
        plain.communicate()


def some(played: Sequence[Variant]) -> list[Variant]:
    """The variants to play without the JIT: the one with the most modules, the one with the fewest, one between."""
    order = sorted(played, key=lambda v: (len(v.modules), v.seats))
    return list(dict.fromkeys([order[-1], order[0], order[len(order) // 2]])) if order else []


def without_jit(chosen: Sequence[Variant], seed: int) -> "subprocess.Popen[str]":
    """Play variants in a process of its own that compiles nothing."""
    arguments = [json.dumps([[v.spec.module, str(v)] for v in chosen]), str(seed)]
    command = [sys.executable, "-c", f"from {__name__} import tell; tell()", *arguments]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


def tell() -> None:
    """Print what uniform play of the variants named on the command line comes to."""
    chosen, seed = json.loads(sys.argv[1]), int(sys.argv[2])
    print(json.dumps([trace(game_of(module).parse(text), PLAIN_GAMES, seed) for module, text in chosen]))


def jit_failures(plain: "subprocess.Popen[str]", chosen: Sequence[Variant], seed: int) -> list[str]:
    """The variants that play otherwise without the JIT."""
    out, err = plain.communicate()
    if plain.returncode:
        return [f"without the JIT: {err.strip().splitlines()[-1] if err.strip() else f'exit code {plain.returncode}'}"]
    try:
        here = [trace(v, PLAIN_GAMES, seed) for v in chosen]
    except Exception as error:
        return [f"with the JIT: {in_short(error)}"]
    return [
        f"{v}, seed {seed}, without the JIT: {place} differ"
        for v, mine, theirs in zip(chosen, here, json.loads(out), strict=True)
        for place in [place for place in mine if mine[place] != theirs.get(place)][:1]
    ]
