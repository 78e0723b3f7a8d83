"""`alehouse balance --check`: counted by their numbers, the seats of every variant must have even shares."""

from typing import TYPE_CHECKING

from alehouse.commands import show
from alehouse.envs.core.declare.game import Variant

if TYPE_CHECKING:
    from alehouse.benchmarks.balance.play import Played
    from alehouse.benchmarks.balance.study import Study


def print_seat_numbers(study: "Study", threads: int, json: bool) -> int:
    """Print the variants in which seats are uneven, with the reason; return 1 if there is one."""
    from alehouse.agents.uniform import UNIFORM
    from alehouse.benchmarks.balance.play import block_seeds, play
    from alehouse.benchmarks.balance.seat_numbers import numbered_seats

    job = study.job

    def by_uniform(v: Variant) -> "Played":
        return play([v], UNIFORM, block_seeds(job.seed, 0, study.blocks), threads)

    found = numbered_seats(study.together(), job.cells, by_uniform)
    faults = [(one.variant, fault) for one in found for fault in one.faults]
    if json:
        rows = [one._asdict() for one in found]
        show.write_json({"game": study.design.spec.name, "agent": job.agent.name, "games": study.games, "seed": job.seed, "variants": rows})
        return int(bool(faults))
    seats, half = sum(len(one.shares) for one in found), [100 * one.half for one in found]
    print(
        f"{study.games:,} games by {job.agent.name}, seed {job.seed}, places counted by the numbers of the seats: in"
        f" {len(found) - len({v for v, _ in faults})} of {len(found)} variants all shares are even within their intervals, which hold"
        f" together for {seats} seats (± {min(half):.1f} to {max(half):.1f} points)."
    )
    opening = [one.opening for one in found]
    print(f"The first player is the first to be asked in {min(opening):.1%} to {max(opening):.1%} of the games of a variant.")
    if faults:
        show.write_table(("variant", "what should not be"), faults)
    return int(bool(faults))
