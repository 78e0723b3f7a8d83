"""Redeal what a seat cannot know: the missions and the trophies of the others."""

from alehouse.envs.core.run import bits
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.taverns_dragons.layout import TROPHIES, TROPHY
from alehouse.envs.taverns_dragons.modules import missions


@jit
def redeal_trophies(s, R, p, key):
    """Shuffle the trophies of the others and of the pool."""
    left = bits.first(TROPHIES) & ~int(s.seat[p].spoils)
    for k in range(1, R.seats):
        q = (int(p) + k) % int(R.seats)
        them = s.seat[q]
        them.spoils = 0
        for _ in range(them.trophies):
            n = bits.popcount(left)
            token = bits.member(left, below(key, TROPHY, 0, 0, n, n))
            left = bits.without(left, token)
            them.spoils = int(them.spoils) | bits.bit(token)
    s.pool = left


@jit
def redeal(s, R, seat, key):
    """Other missions and trophies in other hands."""
    missions.redeal(s, R, seat, key)
    redeal_trophies(s, R, seat, key)
