"""`alehouse balance --explain EFFECT`: which numbers of the rules make an effect vanish."""

import difflib
import math
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from alehouse.agents import Agent
from alehouse.commands import show

if TYPE_CHECKING:
    from alehouse.benchmarks.balance.causes import Target, Tried
    from alehouse.benchmarks.balance.design import Change, Design

TIMED = 200  # approximate games played to see how many fit the time


def print_causes(
    design: "Design", team: Sequence[Agent], effect: str, minutes: float, blocks: int | None, seed: int, threads: int, json: bool
) -> int:
    """Try all changes with the first agent, play fewer and fewer of them again, and print what the last ones leave of the effect."""
    from alehouse.benchmarks.balance import causes

    target, agent = target_of(design, effect), team[0]
    some = causes.changes(target.cells)
    if blocks is None:
        blocks = blocks_in(target, len(some), agent, minutes, threads)
    cells = len(target.cells)
    print(f"{target.name}: {len(some)} changes in {cells} variants, {3 * blocks * cells * (len(some) + 1):,} games.", file=sys.stderr)
    chosen, begin = some, 0
    for choose in (causes.moving, causes.promising, None):
        more = blocks * (len(some) + 1) // (len(chosen) + 1)
        found, cut = plays(target, chosen, agent, seed, begin, more, threads)
        if cut or choose is None:
            break
        chosen, begin = choose(target, found), begin + more
    if cut:
        print("alehouse: stopped before the changes were compared", file=sys.stderr)
        return show.status(cut)
    rows = causes.causes(target, found)
    mean, low, high = causes.printed_effect(found[0])
    if json:
        data = {"effect": target.name, "unit": target.unit, "agent": agent.name, "seed": seed, "variants": [str(v) for v in target.cells]}
        data |= {"games": len(found[0].effect), "estimate": mean, "low": low, "high": high, "tried": len(some)}
        show.write_json(data | {"causes": [{**row._asdict(), "levels": row.levels} for row in rows]})
        return 0
    for sentence in causes.sentences(target, found[0], rows, len(some)):
        show.write_text(sentence)
    headings = (
        "change", "left of the effect", "low", "high", "moved by", "low", "high", "games changed", "other measures move", "levels it",
    )  # fmt: skip
    show.write_table(headings, [(*row, "yes" if row.levels else "no") for row in rows])
    return 0


def target_of(design: "Design", effect: str) -> "Target":
    """Return the effect of a name; a ValueError names similar ones."""
    from alehouse.benchmarks.balance.causes import targets

    known = targets(design)
    if effect not in known:
        near = difflib.get_close_matches(effect, known, 3, 0.3) or list(known)[:3]
        raise ValueError(f"--explain {effect!r}: {design.spec.name} as asked for has no such effect; near it: {'; '.join(near)}")
    return known[effect]


def blocks_in(target: "Target", count: int, agent: Agent, minutes: float, threads: int) -> int:
    """Return the blocks for each change that fit the time; two thirds of the time are for the changes that are played again."""
    from alehouse.benchmarks.balance.study import LEAST

    plays(target, [], agent, 0, 0, 2, threads)  # compile before the clock starts
    few = math.ceil(TIMED / len(target.cells))
    start = time.perf_counter()
    plays(target, [], agent, 0, 0, few, threads)
    blocks = int(60 * minutes / 3 / (time.perf_counter() - start) * few / (count + 1))
    if blocks < LEAST:
        raise ValueError(
            f"--minutes {minutes:g}: too short to try {count} changes; {minutes * LEAST / max(1, blocks):.2g} minutes are enough"
        )
    return blocks


def plays(
    target: "Target", some: "Sequence[Change]", agent: Agent, seed: int, low: int, blocks: int, threads: int
) -> "tuple[list[Tried], bool]":
    """Play the printed rules and each change behind a progress bar; return the games, and whether Ctrl-C stopped them."""
    from alehouse.benchmarks.balance import causes
    from alehouse.benchmarks.balance.play import block_seeds

    seeds = block_seeds(seed, causes.FIRST_BLOCK + low, causes.FIRST_BLOCK + low + blocks)
    return show.collect(causes.tried(target, some, agent, seeds, threads), len(some) + 1, f"explaining {target.name}")
