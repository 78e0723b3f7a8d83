"""Tavern Battle: estimate the final points of each seat, and its utility from that.

Searches judge positions by this estimate, in tables that they have redealt for the seat that searches. Like the final score it reads all
hands.
"""

import numpy as np

from alehouse.agents.heuristic.tavern_battle.view import heroes_of, rounds_left
from alehouse.envs.core.run.bits import popcount
from alehouse.agents.heuristic.leads import write_leads
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.scratch import scratch
from alehouse.envs.tavern_battle.effects import living
from alehouse.envs.tavern_battle.flow import points, treasure_points
from alehouse.envs.tavern_battle.layout import SEATS


@jit
def expected_points(s, R, W, p, left):
    """Return the points a seat may expect at the end. In Tête dure no treasure in hand is safe, and any character may loot."""
    me = s.seat[p]
    heroes = heroes_of(s, p)
    there = living(s, p)
    able = popcount(there & heroes)
    friends = popcount(there) - able
    at_stake = treasure_points(s, R, p, int(me.treasures))
    worth = points(s, R, p) - popcount(heroes & int(R.keepers)) * W.wear * left
    if R.tete_dure:
        return worth + left / (left + 1.0) * (W.hard_hero * able + W.hard_friend * friends - W.hard_risk * at_stake)
    return worth + left * (W.win_hero * able + W.win_friend * friends - W.risk * at_stake)


@jit
def evaluate(s, R, W, out):
    """Write the utility each seat may expect, from its lead over each other seat and how safe that lead is."""
    left = rounds_left(s, R)
    expected = scratch(SEATS, np.float64)
    for p in range(R.seats):
        expected[p] = expected_points(s, R, W, p, left)
    doubt = W.doubt + W.doubt_round * left + (W.hard_doubt if R.tete_dure else 0.0)
    write_leads(expected, R.seats, doubt, out)
