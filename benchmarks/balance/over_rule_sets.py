"""Says what holds over all plausible rule sets: in sentences, in the tables of a report, and as JSON."""

import dataclasses
import html
from collections.abc import Collection, Sequence
from typing import Any

from alehouse.benchmarks.balance import sentences as words
from alehouse.benchmarks.balance.design import MAIN
from alehouse.benchmarks.balance.effects import EffectEstimate
from alehouse.benchmarks.balance.measures import SHARES
from alehouse.benchmarks.balance.robust import DEPENDS, OPEN, ROBUST, Verdict
from alehouse.benchmarks.balance.study import Finding
from alehouse.benchmarks.balance.worth_knowing import ASKED

SHOWN = 3  # a sentence names at most this many dependent effects or unknown numbers
HEADINGS = ("same sign", "low", "high", "verdict", "moved most by")
JUDGED = (
    "Same sign is the share of the plausible games in which the effect, freed from luck, has the sign of its mean; its intervals hold"
    " together as those of the effects do. The effect is robust if this interval lies above 95 %, and depends on the unknown numbers if it"
    " lies below. Then come the unknown numbers that move the effect most, each with its share of the spread between plausible games;"
    " those in brackets may do so by chance."
)


def sentences(one: Finding, chosen: Collection[str]) -> list[str]:
    """Say which main effects and places are robust, and then which effects depend on the unknown numbers."""
    main = sorted(
        (row for row in one.effects if row.kind == MAIN),
        key=lambda row: (row.effect not in chosen, row.measure in words.PACE, -words.strength(row)),
    )
    by_word = {word: [row for row in main if row.verdict and row.verdict.word == word] for word in (ROBUST, DEPENDS, OPEN)}
    said = [*(robust_effects(by_word[ROBUST], one.agent) if main else []), robust_place(one)]
    if main:
        said.append(
            f"Of {len(main)} main effects on a measure, these are robust: {len(by_word[ROBUST])}; depending on the unknown numbers:"
            f" {len(by_word[DEPENDS])}; not told, as more games are needed: {len(by_word[OPEN])}."
        )
    if by_word[DEPENDS]:
        wide = sorted(by_word[DEPENDS], key=lambda row: (row.effect not in chosen, -spread(row)))
        said.append(f"Depending on unknown numbers: {'; '.join(depending(row) for row in wide[:SHOWN])}.")
    sure = [row.key for row in one.unknown if row.sure][:SHOWN]
    return said + ([f"Most worth looking up: {', '.join(sure)}."] if sure else [])


def robust_effects(found: Sequence[EffectEstimate], agent: str) -> list[str]:
    """Say which effects are robust, first one measure of each, then those on who wins."""
    first: dict[str, EffectEstimate] = {}
    for row in found:
        first.setdefault(row.effect, row)
    shares = [row for row in found if row.measure in SHARES]
    return [
        f"Robust with {agent}: {words.listed(list(first.values())[: words.NAMED])}."
        if first
        else f"No main effect is robust with {agent}.",
        f"Robust in who wins: {words.listed(shares[: words.NAMED])}."
        if shares
        else "No change of the first or the last player's share is robust.",
    ]


def robust_place(one: Finding) -> str:
    """Say which place in the order of play is robustly furthest from an even share."""
    far = [row for row in one.seats if row.verdict and row.verdict.word == ROBUST]
    if not far:
        return "No place in the order of play is robustly better or worse than even."
    return f"Robustly uneven is {words.place(max(far, key=lambda row: abs(row.share - 1 / row.seats)))}."


def spread(row: EffectEstimate) -> float:
    """Return how widely plausible games differ in an effect, as a multiple of half its interval."""
    return row.verdict.spread / max(row.half, 1e-12) if row.verdict else 0.0


def depending(row: EffectEstimate) -> str:
    """Say of an effect in how many plausible games it has the other sign, and which numbers move it."""
    assert row.verdict is not None
    moved = [mover.key for mover in row.verdict.movers if mover.sure]
    most = f"moved most by {', '.join(moved)}" if moved else "moved by no single number beyond chance"
    other = f"the other sign in {1 - row.verdict.high:.0%} to {1 - row.verdict.low:.0%} of the plausible games"
    return f"{row.effect} ({row.measure} {row.estimate:+.3g} {row.unit} on average, {other}; {most})"


def as_json(verdict: Verdict | None) -> dict[str, Any]:
    """Return what the plausible rule sets say of an effect or a place, in the form that `--json` prints."""
    if verdict is None:
        return {}
    return {
        "verdict": verdict.word,
        "same_sign": verdict.same,
        "same_sign_low": verdict.low,
        "same_sign_high": verdict.high,
        "spread": verdict.spread,
        "movers": [dataclasses.asdict(mover) for mover in verdict.movers],
    }


def numbers_as_json(one: Finding) -> dict[str, Any]:
    """Return how many rule sets were drawn, and the unknown numbers most worth looking up, in the form that `--json` prints."""
    most = [dataclasses.asdict(row) for row in one.unknown[:ASKED]]
    return {"rule_sets": one.rule_sets, "numbers": len(one.unknown), "most_worth_looking_up": most}


def headings(one: Finding) -> tuple[str, ...]:
    """Return the headings of the columns on rule sets; none if the given numbers were played."""
    return HEADINGS if one.rule_sets else ()


def cells(verdict: Verdict | None) -> tuple[Any, ...]:
    """Return what stands under these headings."""
    if verdict is None:
        return ()
    named = (f"{mover.key} {mover.share:.0%}" for mover in verdict.movers)
    told = ", ".join(text if mover.sure else f"({text})" for text, mover in zip(named, verdict.movers, strict=True))
    return verdict.same, verdict.low, verdict.high, verdict.word, told


def chapter(one: Finding) -> list[str]:
    """Return what a report says of the rule sets and of the numbers most worth looking up."""
    if not one.rule_sets:
        return []
    rows = "".join(
        f"<li><code>{html.escape(row.key)}</code>: {row.part:.1%}{'' if row.sure else ' (which may be chance)'}, most of"
        f" {html.escape(row.most)}, {html.escape(row.measure)} ({row.share:.0%})</li>"
        for row in one.unknown[:ASKED]
    )
    return [
        f"<p>{JUDGED}</p><h2>Numbers most worth looking up</h2><p>The part of all differences between rule sets that each number explains,"
        f" and where it explains most.</p><ol>{rows}</ol>"
    ]
