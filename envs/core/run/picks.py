"""Random choices from a small set, or from cards counted by kind; the same key gives the same choice."""

from alehouse.envs.core.run import bits
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import REDEALS, below


@jit
def any_member(members, key):
    """Return a random member of a small set, all equally likely; -1 if the set is empty."""
    n = bits.popcount(members)
    return bits.member(members, below(key, REDEALS, 0, 0, 0, n)) if n > 0 else -1


@jit
def any_of(counts, but, key):
    """Return the kind of a random card among those of all kinds except `but`, each card equally likely; -1 if there is none."""
    n = 0
    for kind in range(counts.size):
        n += int(counts[kind]) if kind != but else 0
    if n == 0:
        return -1
    k = below(key, REDEALS, 0, 0, 0, n)
    for kind in range(counts.size):
        if kind != but:
            if k < counts[kind]:
                return kind
            k -= int(counts[kind])
    return -1
