"""Taverns & Dragons: aspects of an answer for networks: what is done, with which die, and what it concerns, in numbers around 1.

With them a network can learn of one recipe, hero or zone what holds for all. They read only what the seat to move may know.
"""

from alehouse.agents.heuristic.columns import columns, studying
from alehouse.agents.heuristic.taverns_dragons.values import VALUES, work_out
from alehouse.envs.core.run.bits import within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.taverns_dragons import questions as Q
from alehouse.envs.taverns_dragons.effects import available
from alehouse.envs.taverns_dragons.layout import (
    A_ABILITY, A_BANK, A_BEHIND, A_BLANK, A_BONUS, A_COLLECT, A_COOK, A_CUBE, A_DISCARD, A_DONE, A_ENCOUNTER, A_GO, A_HERO, A_HIRE,
    A_HUNT, A_KIND, A_MINION, A_MOVE, A_RECIPE, A_REROLL, A_ROB, A_SOURCE, A_VISIT, ABILITIES, BLANK, BONUSES, CITY,
    INGREDIENTS, KINDS, MINION_NAMES, MINIONS, PLACE_NAMES, SIDES, TOKENS, ZONE_NAMES, ZONES,
)  # fmt: skip
from alehouse.envs.taverns_dragons.state import NOTHING

DEEDS = ("ends", "declines", "cooks", "banks", "banks_blank", "draws", "walks", "discards", "collects", "collects_behind", "visits",
         "hunts", "meets", "hires", "uses", "takes_bonus")  # fmt: skip
STARTS = (A_DONE, A_COOK, A_BANK, A_BLANK, A_SOURCE, A_MOVE, A_DISCARD, A_COLLECT, A_BEHIND, A_VISIT, A_HUNT, A_ENCOUNTER, A_HIRE,
          A_ABILITY, A_BONUS)  # fmt: skip
ASPECTS = (
    # which kind of action the answer is
    *DEEDS, "other",
    # what the heuristic says: its rating of the answer relative to the best answer, and whether it is the best
    "rated", "best",
    # the die, how many more the seat has of its value, and what it brings at the bank or at the source
    "die_1", "die_2", "die_3", "die_4", "more_dice", "gold", "energy",
    # the recipe, and how many others have all that it needs
    "points", *(f"needs_{kind}" for kind in INGREDIENTS), "rivals",
    # the minion
    *MINION_NAMES, "load", "load_worth", "wounds", "way_home", "gets_home", "runes",
    # the zone of the minion, or the one it goes to, and the ingredients within reach
    *ZONE_NAMES, "dragon_near", "encounter_near", *(f"reaches_{kind}" for kind in INGREDIENTS),
    # the ingredient, and what it is worth to the seat in the pantry
    *(f"kind_{kind}" for kind in INGREDIENTS), "worth",
    # the place
    *(f"place_{place}" for place in PLACE_NAMES), "spaces_left",
    # the hero
    "price", "prestige", "gold_left", *(f"ability_{op}" for op in ABILITIES), *(f"bonus_{gift}" for gift in BONUSES),
)  # fmt: skip
C = columns(ASPECTS)
C_MINION, C_ZONE, C_NEEDS = ASPECTS.index(MINION_NAMES[0]), ASPECTS.index(ZONE_NAMES[0]), ASPECTS.index(f"needs_{INGREDIENTS[0]}")
C_REACHES, C_KIND, C_PLACE = (ASPECTS.index(f"{what}_{names[0]}") for what, names in
                              (("reaches", INGREDIENTS), ("kind", INGREDIENTS), ("place", PLACE_NAMES)))  # fmt: skip
C_ABILITY, C_BONUS = ASPECTS.index(f"ability_{ABILITIES[0]}"), ASPECTS.index(f"bonus_{BONUSES[0]}")
FEW, TEN = 3.0, 10.0  # divisors that bring numbers close to 1


@studying(VALUES, work_out, C)
@jit
def study(s, R, W, v, a, row):
    """Write an answer: an action of a turn, or another choice."""
    if a < A_REROLL:
        write_deed(s, R, v, a, row)
    else:
        row[C.other] = 1
        write_choice(s, R, v, a, row)


@jit
def write_deed(s, R, v, a, row):
    """Write an action of a turn."""
    me, deed = s.seat[v.p], 0
    for k in range(len(STARTS)):
        deed += int(a >= STARTS[k])
    row[deed] = 1
    if A_COOK <= a < A_COLLECT:
        write_die(s, R, v, a, row)
    if A_COOK <= a < A_BANK:
        write_recipe(s, R, v, int(s.display[(a - A_COOK) // SIDES]), row)
    elif A_MOVE <= a < A_DISCARD:
        m = (a - A_MOVE) // SIDES
        write_minion(R, v, me, m, row)
        write_walk(s, R, me, int(me.zone[m]), (a - A_MOVE) % SIDES + 1 + int(R.extra_steps[m]), row)
    elif A_COLLECT <= a < A_HIRE and s.deed.active >= 0:
        write_minion(R, v, me, int(s.deed.active), row)
        write_zone(s, R, int(me.zone[s.deed.active]), row)
        if a < A_VISIT:
            write_kind(v, (a - A_COLLECT) % TOKENS, row)
        elif a < A_HUNT:
            row[C_PLACE + int(s.place[a - A_VISIT])] = 1
            row[C.spaces_left] = (int(s.open) - int(s.paid[a - A_VISIT])) / FEW
        elif a < A_ENCOUNTER:
            row[C.energy] = (a - A_HUNT + 1) / FEW
    elif a >= A_HIRE:
        write_hero(R, me, a - (A_HIRE if a < A_ABILITY else A_ABILITY if a < A_BONUS else A_BONUS), row)


@jit
def write_choice(s, R, v, a, row):
    """Write an answer to another question."""
    me = s.seat[v.p]
    if A_GO <= a < A_MINION:
        m = int(top(s).a)
        if (top(s).what == Q.FORK or top(s).what == Q.TELEPORT) and 0 <= m < MINIONS:
            write_minion(R, v, me, m, row)
        write_zone(s, R, a - A_GO, row)
    elif A_MINION <= a < A_KIND:
        write_minion(R, v, me, a - A_MINION, row)
        write_zone(s, R, int(me.zone[a - A_MINION]), row)
    elif A_KIND <= a < A_HERO:
        write_kind(v, a - (A_KIND if a < A_CUBE else A_CUBE), row)
    elif A_HERO <= a < A_ROB:
        write_hero(R, me, a - A_HERO, row)
    elif A_RECIPE <= a < A_RECIPE + s.display.size:
        write_recipe(s, R, v, int(s.display[a - A_RECIPE]), row)


@jit
def write_die(s, R, v, a, row):
    """Write the die of an action, and what it brings at the bank or at the source."""
    me, face = s.seat[v.p], (a - A_COOK) % SIDES
    row[C.die_1 + face], row[C.more_dice] = 1, (int(me.dice[face]) - 1) / FEW
    if A_BANK <= a < A_SOURCE:
        row[C.gold] = int(R.bank[face if a < A_BLANK else BLANK]) / FEW
    elif A_SOURCE <= a < A_MOVE:
        row[C.energy] = min(face + 1, int(R.energy_cap) - int(me.energy)) / FEW


@jit
def write_recipe(s, R, v, recipe, row):
    """Write a recipe, and how many other seats can cook it."""
    if recipe == NOTHING:
        return
    row[C.points] = int(R.points[recipe]) / TEN
    for kind in range(KINDS):
        row[C_NEEDS + kind] = int(R.needs[recipe, kind]) / FEW
    for q in range(R.seats):
        enough = q != v.p
        for kind in range(KINDS):
            enough &= s.seat[q].pantry[kind] >= R.needs[recipe, kind]
        row[C.rivals] += enough


@jit
def write_minion(R, v, me, m, row):
    """Write a minion of the seat."""
    row[C_MINION + m] = 1
    row[C.load], row[C.load_worth], row[C.wounds] = int(me.load[m]) / FEW, v.load[m] / TEN, int(me.wounds[m]) / FEW
    row[C.way_home] = (int(R.steps_home[me.zone[m]]) - int(R.extra_steps[m])) / FEW


@jit
def write_walk(s, R, me, zone, steps, row):
    """Write where a walk of some steps from a zone may end, and what lies there."""
    row[C_ZONE + zone], row[C.runes] = 1, int(R.passed[zone, steps])
    ends, there = int(R.reached[zone, steps]), 0
    row[C.gets_home] = within(ends, CITY)
    for end in range(ZONES):
        if within(ends, end):
            there |= available(s, R, end)
            row[C.dragon_near] = max(row[C.dragon_near], int(s.dragon != NOTHING and within(R.beside[end], R.lair[s.dragon])))
            row[C.encounter_near] = max(row[C.encounter_near], int(s.encounter == end))
    for kind in range(KINDS):
        row[C_REACHES + kind] = int(within(there, kind))


@jit
def write_zone(s, R, zone, row):
    """Write a zone and what it has to offer."""
    row[C_ZONE + zone] = 1
    there = available(s, R, zone)
    for kind in range(KINDS):
        row[C_REACHES + kind] = int(within(there, kind))
    row[C.dragon_near] = int(s.dragon != NOTHING and within(R.beside[zone], R.lair[s.dragon]))
    row[C.encounter_near] = int(s.encounter == zone)


@jit
def write_kind(v, kind, row):
    """Write an ingredient."""
    row[C_KIND + kind], row[C.worth] = 1, v.stored[kind] / FEW


@jit
def write_hero(R, me, hero, row):
    """Write a hero, and the gold that is left once he is hired."""
    row[C.price], row[C.prestige] = int(R.price[hero]) / FEW, int(R.hero_prestige[hero]) / FEW
    row[C.gold_left] = (int(me.gold) - int(R.price[hero])) / TEN
    row[C_ABILITY + int(R.ability[hero])], row[C_BONUS + int(R.bonus[hero])] = 1, 1
