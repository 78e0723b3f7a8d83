"""Tavern Battle: describe what each seat holds at the beginning of a round, or after its fighting, as numbers for a judge.

Like the final score they are read from all hands: they serve to judge games as they were dealt, never to decide in one.
"""

from alehouse.agents.heuristic.columns import columns
from alehouse.agents.heuristic.tavern_battle.view import heroes_of, points_with
from alehouse.envs.core.run.bits import highest, lowest, popcount, within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.seats import left
from alehouse.envs.tavern_battle.combat import ready
from alehouse.envs.tavern_battle.effects import living
from alehouse.envs.tavern_battle.flow import points, treasure_points
from alehouse.envs.tavern_battle.layout import ARRIVALS, OBJECTS, P_BRAWL

STAGES = 16  # two stages for each round: the fighting, and what follows
HERO = ("there", "fled", "upright", "tilted", "down", "hidden", "covered", "at_the_door", "strength", "cunning", "armed", "fallen_once")
ARRIVALS_OF = ("strength", "cunning", "upright", "tilted", "down", "hidden", "covered", "at_the_door", "armed")
STOCK = (
    # points now, and points of treasures in hand and in safety; how many of both; the points of the two best in hand
    "points", "at_stake", "safe", "in_hand", "kept", "best", "second",
    *(f"{which}_{what}" for which in ("first", "second") for what in HERO),
    "arrivals", *(f"arrivals_{what}" for what in ARRIVALS_OF),
    # objects in hand: how many, how many for each use, and their tavern value
    "held", "contact", "ranged", "both", "protection", "hideout", "price",
    # the best treasure in the centre, arrivals to come that the seat's heroes may claim, seats until it leads, agitation cards, heroes that
    # score any treasure (ANY), heroes that score the tavern (TAVERN)
    "centre", "kin", "turn", "cards", "greedy", "keeper",
)  # fmt: skip
C = columns(STOCK)


@jit
def stage(s):
    """Return how far a game has come, as a stage; each round has two: its fighting, and what follows."""
    return 2 * int(s.rounds) + int(s.phase > P_BRAWL)


@jit
def take_stock(s, R, out):
    """Write a row of numbers for each seat."""
    for p in range(R.seats):
        row, me, heroes = out[p], s.seat[p], heroes_of(s, p)
        row[:] = 0
        row[C.points] = points(s, R, p)
        row[C.at_stake], row[C.safe] = treasure_points(s, R, p, int(me.treasures)), treasure_points(s, R, p, int(me.safe))
        row[C.in_hand], row[C.kept] = popcount(me.treasures), popcount(me.safe)
        write_best(R, heroes, int(me.treasures), row)
        write_hero(s, R, lowest(heroes), 0, row)
        write_hero(s, R, highest(heroes), len(HERO), row)
        write_arrivals(s, R, living(s, p) & ~heroes, row)
        write_objects(R, me, row)
        rest = int(s.fallen)
        while rest != 0:
            row[C.centre] = max(row[C.centre], points_with(R, heroes, lowest(rest)))
            rest &= rest - 1
        for a in range(ARRIVALS):
            row[C.kin] += int(within(s.arrivals, a) and int(R.kin[a]) & heroes != 0)
        row[C.turn], row[C.cards] = left(p, int(s.leader), R.seats), me.cards
        row[C.greedy], row[C.keeper] = popcount(heroes & int(R.greedy)), popcount(heroes & int(R.keepers))


@jit
def write_best(R, heroes, members, row):
    """Write the points that the two best treasures in hand give."""
    while members != 0:
        worth = points_with(R, heroes, lowest(members))
        members &= members - 1
        if worth > row[C.best]:
            row[C.best], row[C.second] = worth, row[C.best]
        else:
            row[C.second] = max(row[C.second], worth)


@jit
def write_hero(s, R, c, at, row):
    """Write the numbers of one of the two heroes; `at` is 0 for the first hero and the number of columns of a hero for the second."""
    row[C.first_fled + at], row[C.first_fallen_once + at] = int(within(s.fled, c)), int(within(s.fallen_once, c))
    if not within(s.ko | s.fled, c):
        row[C.first_there + at], row[C.first_upright + at] = 1, int(within(s.upright, c))
        row[C.first_tilted + at], row[C.first_down + at] = int(within(s.tilted, c)), int(within(s.down, c))
        row[C.first_hidden + at], row[C.first_covered + at] = int(within(s.hidden, c)), int(within(s.covered, c))
        row[C.first_at_the_door + at], row[C.first_armed + at] = int(within(s.door, c)), int(ready(s, c) != 0)
        row[C.first_strength + at], row[C.first_cunning + at] = R.strength[c], R.cunning[c]


@jit
def write_arrivals(s, R, members, row):
    """Write the numbers of a group's arrivals, added up."""
    row[C.arrivals], row[C.arrivals_upright] = popcount(members), popcount(members & s.upright)
    row[C.arrivals_tilted], row[C.arrivals_down] = popcount(members & s.tilted), popcount(members & s.down)
    row[C.arrivals_hidden], row[C.arrivals_covered] = popcount(members & s.hidden), popcount(members & s.covered)
    row[C.arrivals_at_the_door] = popcount(members & s.door)
    while members != 0:
        c = lowest(members)
        members &= members - 1
        row[C.arrivals_strength] += R.strength[c]
        row[C.arrivals_cunning] += R.cunning[c]
        row[C.arrivals_armed] += int(ready(s, c) != 0)


@jit
def write_objects(R, me, row):
    """Write the numbers of the objects in hand."""
    row[C.held] = me.held
    for kind in range(OBJECTS):
        n = int(me.objects[kind])
        if n > 0:
            row[C.contact] += n * int(within(R.contact, kind))
            row[C.ranged] += n * int(within(R.ranged, kind))
            row[C.both] += n * int(within(R.contact & R.ranged, kind))
            row[C.protection] += n * int(within(R.protection, kind))
            row[C.hideout] += n * int(within(R.hideout, kind))
            row[C.price] += n * int(R.price[kind])
