"""Tavern Battle: what seats have when a round begins or its fighting ends, in numbers that a judge weighs.

Like the score at the end it reads all hands: it is for judging games as they were dealt, never for deciding.
"""

from alehouse.agents.heuristic.tavern_battle.view import heroes_of, pleasure
from alehouse.envs.core.run.bits import highest, lowest, popcount, within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.seats import left
from alehouse.envs.tavern_battle.combat import ready
from alehouse.envs.tavern_battle.effects import living
from alehouse.envs.tavern_battle.flow import points, treasure_points
from alehouse.envs.tavern_battle.layout import ARRIVALS, OBJECTS, P_BRAWL

STAGES = 16  # two a round: to its end of fighting, to its end
HERO = ("there", "fled", "upright", "tilted", "down", "hidden", "covered", "at_the_door", "strength", "cunning", "armed", "fallen_once")
ARRIVALS_OF = ("strength", "cunning", "upright", "tilted", "down", "hidden", "covered", "at_the_door", "armed")
STOCK = (
    # points now, in hand, put safe; how many treasures, and the two best of those in hand
    "points", "at_stake", "safe", "in_hand", "kept", "best", "second",
    *(f"{which}_{what}" for which in ("first", "second") for what in HERO),
    "arrivals", *(f"arrivals_{what}" for what in ARRIVALS_OF),
    # objects: how many, and how many of each use; what they are worth to the tavern
    "held", "contact", "ranged", "both", "protection", "hideout", "price",
    # the best treasure in the centre; arrivals still to come that its heroes may claim; its place in the order; cards; who it plays
    "centre", "kin", "turn", "cards", "greedy", "keeper",
)  # fmt: skip
HEROES_AT, ARRIVALS_AT, HELD, CENTRE = (STOCK.index(name) for name in ("first_there", "arrivals", "held", "centre"))


@jit
def stage(s):
    """How far a game has come: every round has two stages, its fighting and what follows."""
    return 2 * int(s.rounds) + int(s.phase > P_BRAWL)


@jit
def take_stock(s, R, out):
    """A row for each seat."""
    for p in range(R.seats):
        row, me, heroes = out[p], s.seat[p], heroes_of(s, p)
        row[:] = 0
        row[0], row[1] = points(s, R, p), treasure_points(s, R, p, int(me.treasures))
        row[2], row[3], row[4] = treasure_points(s, R, p, int(me.safe)), popcount(me.treasures), popcount(me.safe)
        two_best(R, heroes, int(me.treasures), row)
        of_hero(s, R, lowest(heroes), row[HEROES_AT:])
        of_hero(s, R, highest(heroes), row[HEROES_AT + len(HERO) :])
        of_arrivals(s, R, living(s, p) & ~heroes, row[ARRIVALS_AT:])
        of_objects(R, me, row[HELD:])
        last = row[CENTRE:]
        rest = int(s.fallen)
        while rest != 0:
            last[0] = max(last[0], pleasure(R, heroes, lowest(rest)))
            rest &= rest - 1
        for a in range(ARRIVALS):
            last[1] += int(within(s.arrivals, a) and int(R.kin[a]) & heroes != 0)
        last[2], last[3] = left(p, int(s.leader), R.seats), me.cards
        last[4], last[5] = popcount(heroes & int(R.greedy)), popcount(heroes & int(R.keepers))


@jit
def two_best(R, heroes, members, row):
    """The points for the two best of some treasures."""
    while members != 0:
        worth = pleasure(R, heroes, lowest(members))
        members &= members - 1
        if worth > row[5]:
            row[5], row[6] = worth, row[5]
        else:
            row[6] = max(row[6], worth)


@jit
def of_hero(s, R, c, row):
    """One of its two heroes."""
    row[1], row[11] = int(within(s.fled, c)), int(within(s.fallen_once, c))
    if not within(s.ko | s.fled, c):
        row[0], row[2], row[3], row[4] = 1, int(within(s.upright, c)), int(within(s.tilted, c)), int(within(s.down, c))
        row[5], row[6], row[7] = int(within(s.hidden, c)), int(within(s.covered, c)), int(within(s.door, c))
        row[8], row[9], row[10] = R.strength[c], R.cunning[c], int(ready(s, c) != 0)


@jit
def of_arrivals(s, R, members, row):
    """Its arrivals taken together."""
    row[0] = popcount(members)
    row[3], row[4], row[5] = popcount(members & s.upright), popcount(members & s.tilted), popcount(members & s.down)
    row[6], row[7], row[8] = popcount(members & s.hidden), popcount(members & s.covered), popcount(members & s.door)
    while members != 0:
        c = lowest(members)
        members &= members - 1
        row[1] += R.strength[c]
        row[2] += R.cunning[c]
        row[9] += int(ready(s, c) != 0)


@jit
def of_objects(R, me, row):
    """The objects in its hand."""
    row[0] = me.held
    for kind in range(OBJECTS):
        n = int(me.objects[kind])
        if n > 0:
            row[1] += n * int(within(R.contact, kind))
            row[2] += n * int(within(R.ranged, kind))
            row[3] += n * int(within(R.contact & R.ranged, kind))
            row[4] += n * int(within(R.protection, kind))
            row[5] += n * int(within(R.hideout, kind))
            row[6] += n * int(R.price[kind])
