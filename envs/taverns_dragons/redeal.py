"""Deal again what a seat cannot know: the missions and trophies of other seats."""

from alehouse.envs.core.run import bits
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.core.run.seats import around
from alehouse.envs.taverns_dragons.layout import P_BOARDS, TROPHIES, TROPHY
from alehouse.envs.taverns_dragons.modules import missions


@jit
def redeal_trophies(s, R, p, key):
    """Shuffle the trophies of other seats together with those of the pool, and deal each seat as many as it had."""
    left = bits.first(TROPHIES) & ~int(s.seat[p].spoils)
    for k in range(1, R.seats):
        them = s.seat[around(p + k, R.seats)]
        them.spoils = 0
        for _ in range(them.trophies):
            n = bits.popcount(left)
            token = bits.member(left, below(key, TROPHY, 0, 0, n, n))
            left = bits.without(left, token)
            them.spoils = int(them.spoils) | bits.bit(token)
    s.pool = left


@jit
def redeal(s, R, seat, key):
    """Deal again the missions and the trophies that the seat has not seen."""
    if s.phase != P_BOARDS:
        missions.redeal(s, R, seat, key)
    redeal_trophies(s, R, seat, key)
