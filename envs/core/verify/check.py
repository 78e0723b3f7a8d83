"""The contract of a game, checked by playing it: `alehouse check`.

A batch of games by the uniform and the lively player is played again and again, and each check examines another side of it. Cheap
checks look at every table and every decision of all games. Checks in plain Python (audits, pictures, reasons) look at samples, whose
sizes are constants beside them. Checks that play the batch many times (OTHERS) use the first SAMPLE games. A failure names the variant,
the seed, the game and the decision.
"""

import contextlib
import dataclasses
import itertools
import json
import os
import subprocess
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from alehouse.envs.core.declare.game import Game, Variant, game_of
from alehouse.envs.core.run.jit import KernelError, undefined
from alehouse.envs.core.verify import check_facts, check_hidden, check_play, check_rounds
from alehouse.envs.core.verify.case import Case, all_variants, on_top
from alehouse.envs.core.verify.signature import trace
from alehouse.envs.core.verify.watch import PATIENCE, WATCH

Check = Callable[[Case], Iterator[str]]
Asked = dict[Variant, Counter[int]]  # for each variant, how often each question (by number) was decided

FIRST: tuple[Check, ...] = (check_play.ends, check_play.masks)  # all other checks rely on these
WHOLE: tuple[Check, ...] = (
    check_play.declarations,
    check_play.conservation,
    check_play.scoring,
    check_play.absent,
)
OTHERS: tuple[Check, ...] = (
    check_rounds.rounds,
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
    check_hidden.single_answers,
    check_hidden.diversity,
    check_facts.facts,
)
SAMPLE = 500
SHOWN = 3  # how many failures of each check are reported
PLAIN_GAMES = 1  # how many games are played without the JIT
LONGER_GAMES = 500  # games of a variant that are played in search of a question that never came up
LONGER_VARIANTS = 10  # about how many variants take part in that search


def check_variant(v: Variant, games: int, seed: int = 0, asked: Asked | None = None) -> list[str]:
    """Return in words what breaks the contract; count in `asked` how often the variant asks each question."""
    case, few = Case(v, games, seed), Case(v, min(games, SAMPLE), seed)
    for played, checks in ((case, FIRST[:1]), (case, FIRST[1:]), (case, WHOLE), (few, OTHERS)):
        if found := [failure for check in checks for failure in run(check, played)]:
            return found
    if asked is not None:
        asked[v] = case.asked
    return []


def run(check: Check, case: Case) -> list[str]:
    """Return the first failures of one check; an exception counts as one."""
    found: list[str] = []
    named = f"{case.v}, seed {case.seed}, {check.__name__}"
    WATCH.begin(named)
    try:
        found += itertools.islice(check(case), SHOWN)
    except Exception as error:
        found.append(in_short(error))
    return [f"{named}: {failure}" for failure in found]


def in_short(error: Exception) -> str:
    """Return an exception in one line, with the place that raised it."""
    if isinstance(error, KernelError):
        return str(error)
    at = traceback.extract_tb(error.__traceback__)[-1]
    first = (str(error).strip() or "no message").splitlines()[0]
    return f"{type(error).__name__} in {at.name} ({os.path.basename(at.filename)}, line {at.lineno}): {first}"


def undefined_names(game: Game) -> list[str]:
    """Return the undefined names in a game's kernels, each with its kernel, file and line."""
    kernels = [value for field in dataclasses.fields(game) if hasattr(value := getattr(game, field.name), "py_func")]
    return list(dict.fromkeys(text for kernel in kernels for text in undefined(kernel)))


def check_game(
    name_or_game: str | Game, games: int, seed: int = 0, variants: Sequence[Variant] | None = None
) -> Iterator[tuple[Variant, int, list[str]]]:
    """Check every variant of a game, or the given ones, and yield the failures of each.

    The last variant's failures include those of the game as a whole: variants that play differently without the JIT and, if every variant
    was played, questions that no variant asks.
    """
    from alehouse.envs.games import game

    spec = game(name_or_game) if isinstance(name_or_game, str) else name_or_game
    played = list(all_variants(spec) if variants is None else variants)
    asked: Asked = {}
    plain = without_jit(some(played), seed)
    try:
        for v in played[:-1]:
            yield v, games, check_variant(v, games, seed, asked)
        for v in played[-1:]:
            found = check_variant(v, games, seed, asked) + jit_failures(plain, some(played), seed)
            if set(played) >= set(all_variants(spec)) and not found:
                found = unreached(spec, asked, seed)
            yield v, games, found
    finally:
        plain.kill()
        plain.communicate()


def unreached(game: Game, asked: Asked, seed: int) -> list[str]:
    """Return the questions that no variant asks, after longer play of the variants that could ask them, also with other switches."""
    found = []
    for number, row in enumerate(game.questions.rows if game.questions else ()):
        able = [v for v in asked if row.module in ("", *v.modules)]
        WATCH.begin(f"{game.name}, seed {seed}, question {row.name!r}")
        others = list(switched(able[-1])) if able else []
        for v in able[:: max(1, len(able) // LONGER_VARIANTS)] + others:
            if any(asked[w][number] for w in able):
                break
            able += [v] if v not in able else []
            for _, t in Case(v, LONGER_GAMES, seed).walk():
                asked.setdefault(v, Counter()).update(on_top(t)[~t.over].tolist())
        if able and not any(asked[v][number] for v in able):
            decisions = sum(asked[v].total() for v in able)
            told = f"question {row.name!r} is never asked in {decisions:,} decisions; variants that could ask it: {len(able)}"
            found.append(f"{game.name}, seed {seed}: {told}")
    return found


def switched(v: Variant) -> Iterator[Variant]:
    """Yield a variant again and again, each time with one switch in another setting."""
    for key, entry in v.numbers.items():
        for word in entry.allowed if key.startswith("switch.") and isinstance(entry.value, str) else ():
            if word != entry.value:
                with contextlib.suppress(ValueError):
                    yield v.spec.variant(v.seats, v.modules, v.length, {**dict(v.overrides), key: word})


def some(played: Sequence[Variant]) -> list[Variant]:
    """Return three variants to play without the JIT: one with the most modules, one with the fewest, and one between."""
    order = sorted(played, key=lambda v: (len(v.modules), v.seats))
    return list(dict.fromkeys([order[-1], order[0], order[len(order) // 2]])) if order else []


def without_jit(chosen: Sequence[Variant], seed: int) -> "subprocess.Popen[str]":
    """Start a process that plays variants without compiling anything."""
    arguments = [json.dumps([[v.spec.module, str(v)] for v in chosen]), str(seed)]
    command = [sys.executable, "-c", f"from {__name__} import tell; tell()", *arguments]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    WATCH.children.append(process)
    return process


def tell() -> None:
    """Print digests of random play of the variants named on the command line (this runs in that process)."""
    chosen, seed = json.loads(sys.argv[1]), int(sys.argv[2])
    with WATCH.guard(PATIENCE, lambda place: print(place, file=sys.stderr, flush=True)):
        print(json.dumps([trace(game_of(module).parse(text), PLAIN_GAMES, seed) for module, text in chosen]))


def jit_failures(plain: "subprocess.Popen[str]", chosen: Sequence[Variant], seed: int) -> list[str]:
    """Return the variants that play differently without the JIT."""
    with WATCH.waiting():
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
