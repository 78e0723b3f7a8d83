"""Compares effects under weak and strong play: what only weak play shows comes from playing badly, not from the rules."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from alehouse.benchmarks.balance.design import MAIN
from alehouse.benchmarks.balance.effects import EffectEstimate
from alehouse.benchmarks.balance.study import Finding

STRENGTH = ("uniform", "greedy", "heuristic", "rollout", "ismcts", "search")
SAME, OPPOSITE, WEAK, STRONG, OPEN = "both", "opposite", "weak alone", "strong alone", "not told apart"


@dataclass(frozen=True)
class Pair:
    """A main effect that weak or strong play shows beyond chance, with the estimates from both."""

    weak: EffectEstimate
    strong: EffectEstimate

    @property
    def apart(self) -> bool:
        """Return whether the two estimates differ by more than their intervals allow."""
        half = math.hypot(self.weak.high - self.weak.low, self.strong.high - self.strong.low) / 2
        return abs(self.weak.estimate - self.strong.estimate) > half

    @property
    def shown(self) -> str:
        """Return in words which play shows the effect."""
        if self.weak.sure and self.strong.sure:
            return SAME if self.weak.estimate * self.strong.estimate > 0 else OPPOSITE
        if not self.apart:
            return OPEN
        return WEAK if self.weak.sure else STRONG

    @property
    def differs(self) -> bool:
        """Return whether weak and strong play disagree about the effect."""
        return self.shown in (OPPOSITE, WEAK, STRONG)


def ends(findings: Sequence[Finding]) -> tuple[Finding, Finding]:
    """Return the findings of the weakest and of the strongest agent."""
    ranked = sorted(findings, key=lambda one: STRENGTH.index(one.agent.partition(":")[0]))
    return ranked[0], ranked[-1]


def pairs(weak: Finding, strong: Finding) -> list[Pair]:
    """Return the main effects that at least one of the two shows: first those that differ, in order of their distance."""
    both = [Pair(a, b) for a, b in zip(weak.effects, strong.effects, strict=True) if a.kind == MAIN and (a.sure or b.sure)]
    return sorted(both, key=lambda pair: (not pair.differs, -distance(pair)))


def distance(pair: Pair) -> float:
    """Return how far two estimates are apart, in units of half their own intervals."""
    return abs(pair.weak.estimate - pair.strong.estimate) / max(1e-12, math.hypot(pair.weak.half, pair.strong.half))


def sentences(weak: Finding, strong: Finding) -> list[str]:
    """Say in at most two sentences where weak and strong play agree and where not."""
    found = pairs(weak, strong)
    if not found:
        return [f"Neither weak ({weak.agent}) nor strong play ({strong.agent}) shows a main effect beyond chance."]
    count = {shown: sum(pair.shown == shown for pair in found) for shown in (SAME, OPPOSITE, WEAK, STRONG, OPEN)}
    said = [
        f"Of the {len(found)} main effects that weak ({weak.agent}) or strong play ({strong.agent}) shows, both show {count[SAME]} in the"
        f" same direction and {count[OPPOSITE]} in opposite ones; {count[WEAK]} show in weak play alone, which is a matter of learning,"
        f" {count[STRONG]} in strong play alone, and for {count[OPEN]} there are too few games to tell."
    ]
    first = found[0]
    if first.differs:
        said.append(
            f"They disagree most on {first.weak.effect}: {first.weak.measure} {first.weak.estimate:+.3g} {first.weak.unit} with"
            f" {weak.agent}, {first.strong.estimate:+.3g} with {strong.agent}."
        )
    return said
