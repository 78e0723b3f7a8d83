"""Puts the findings of a study into plain sentences."""

from collections.abc import Collection, Iterable, Sequence

from alehouse.benchmarks.balance.design import MAIN, PAIR
from alehouse.benchmarks.balance.effects import LEVEL, EffectEstimate
from alehouse.benchmarks.balance.measures import SHARES
from alehouse.benchmarks.balance.robust import SHARE
from alehouse.benchmarks.balance.seats import Seat
from alehouse.benchmarks.balance.study import Finding
from alehouse.benchmarks.balance.taken_actions import never_taken
from alehouse.envs.core.declare.game import Game

NAMED = 4  # a sentence names at most this many effects
PACE = ("length", "rounds", "choices")  # any module that adds or removes questions changes these measures


def played(game: Game, cells: int, findings: Sequence[Finding], cut: bool) -> str:
    """Say what was played, and by whom."""
    where = "the only cell" if cells == 1 else f"all {cells} cells"
    by = " and, in separate games, ".join(f"{one.blocks:,} blocks by {one.agent} in all seats" for one in findings)
    early = " (stopped early)" if cut else ""
    return f"{sum(one.games for one in findings):,} games of {game.title} were played{early}: {by}, each one seed in {where} of the design."


def alone(findings: Sequence[Finding]) -> list[str]:
    """Say what the games of one agent cannot show."""
    if len(findings) > 1:
        return []
    return [f"Only {findings[0].agent} played: run it with several --agents to see whether weaker and stronger play show the same."]


def reconstructed(game: Game, one: Finding) -> str:
    """Say how far this game is the published one."""
    guesses = len(game.numbers.guesses())
    if one.rule_sets:
        return (
            f"{guesses} of the {len(game.numbers)} numbers of the game are guesses, and {len(one.unknown)} of them matter here, so"
            f" {one.rule_sets:,} rule sets were drawn from what is plausible. An effect is robust if it has one sign in {SHARE:.0%} of the"
            f" plausible games ({1 - LEVEL:.0%} confidence for all effects together)."
        )
    if not guesses:
        return "No number of the game is a guess."
    part = "are reconstructions, listed at the end: the findings hold for these rules, and for the published game as far as they are right"
    return f"{guesses} of the {len(game.numbers)} numbers of the game {part}."


def effects(found: Sequence[EffectEstimate], agent: str, chosen: Collection[str]) -> list[str]:
    """Say what changes the game, what changes the shares of the win, and what changes nothing; effects in `chosen` come first."""
    main = [row for row in found if row.kind == MAIN]
    if not main:
        return []
    sure = sorted((row for row in main if row.sure), key=lambda row: (row.effect not in chosen, row.measure in PACE, -strength(row)))
    if not sure:
        return [f"No main effect was found beyond chance with {agent}: {nothing(main)}."]
    first: dict[str, EffectEstimate] = {}
    for row in sure:
        first.setdefault(row.effect, row)
    said = [f"With {agent}, the game is moved by {listed(list(first.values())[:NAMED])}."]
    shares = [row for row in sure if row.measure in SHARES]
    said.append(
        f"Who wins is moved by {listed(shares[:NAMED])}." if shares else "Nothing moves the first or the last player's share beyond chance."
    )
    idle = [row for row in main if row.effect not in first]
    return said + ([f"No effect at all was found of {nothing(idle)}."] if idle else [])


def strength(row: EffectEstimate) -> float:
    """Return an estimate as a multiple of half its interval."""
    return abs(row.estimate) / max(row.half, 1e-12)


def listed(found: Iterable[EffectEstimate]) -> str:
    """Return effects as a list in words."""
    return "; ".join(f"{row.effect} ({row.measure} {row.estimate:+.3g} {row.unit}, {row.low:.3g} to {row.high:.3g})" for row in found)


def nothing(found: Sequence[EffectEstimate]) -> str:
    """Say which effects were not found, and how large each could be at most."""
    names = list(dict.fromkeys(row.effect for row in found))
    some = [row for row in found if row.effect in names[:NAMED]]
    bounds = {(row.effect, row.measure): f"{max(-row.low, row.high):.2g} {row.unit}" for row in some}
    more = f", and of {len(names) - NAMED} more" if len(names) > NAMED else ""
    return (
        "; ".join(f"{name} (score within ±{bounds[name, 'score']}, {SHARES[0]} ±{bounds[name, SHARES[0]]})" for name in names[:NAMED])
        + more
    )


def interactions(found: Sequence[EffectEstimate]) -> list[str]:
    """Say how many interactions there are."""
    pairs = [row for row in found if row.kind == PAIR]
    return [f"{sum(row.sure for row in pairs)} of {len(pairs)} two-way interactions were found beyond chance."] if pairs else []


def gaps(one: Finding) -> list[str]:
    """Say which supplies ran out, and which actions nobody took or could take."""
    said = []
    if one.ran_out:
        often = sorted(one.ran_out.items(), key=lambda item: -item[1])
        more = f", and {len(often) - NAMED} more" if len(often) > NAMED else ""
        said.append(f"Ran out: {', '.join(f'{name} (in {part:.1%} of the games)' for name, part in often[:NAMED])}{more}.")
    never = never_taken(one.actions)
    if never or one.never_open:
        said.append(
            f"{len(never)} named actions were often open and never taken by {one.agent} (worthless, or not understood),"
            f" {len(one.never_open)} were never open."
        )
    return said


def seats(found: Sequence[Seat]) -> str:
    """Say which place in the order of play is furthest from an even share."""
    far = max(found, key=lambda row: (row.p < LEVEL, abs(row.share - 1 / row.seats)))
    return f"Furthest from an even share is {place(far)}{'' if far.p < LEVEL else ', which may be chance'}."


def place(row: Seat) -> str:
    """Return a place in the order of play in words, with its share of the wins and the bonus that would level it."""
    level = "" if row.handicap is None else f", and {row.handicap:+.1f} points at the end would level it"
    return (
        f"place {row.place} of {row.seats} in the order of play, with {row.share:.1%} of the wins"
        f" ({row.low:.1%} to {row.high:.1%}; even is {1 / row.seats:.1%}){level}"
    )
