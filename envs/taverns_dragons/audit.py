"""Checks of what must be true at every table, and the score counted a second time, in plain Python."""

from typing import Any

import numpy as np

from alehouse.envs.taverns_dragons import questions as Q
from alehouse.envs.taverns_dragons.effects import CHAIN
from alehouse.envs.taverns_dragons.layout import (
    AIMS, DICE, EGG, FORGED, HEROES, MEAT, MINIONS, MISSIONS, MUSHROOM, P_BOARDS, P_DRAGON, P_EVENT, P_ICONS, P_OVER, P_TURNS, RECIPES,
    SHOWN, SPICE, TAVERNS, TROPHIES, ZONES,
)  # fmt: skip


def bits(members: Any) -> list[int]:
    """Return the members of a set as a list."""
    return [k for k in range(32) if int(members) >> k & 1]


def partition(parts: list[Any], size: int) -> bool:
    """Return whether each of `size` cards is in exactly one of the sets."""
    found = sorted(k for part in parts for k in bits(part))
    return found == list(range(size))


def audit(s: Any, R: Any) -> list[str]:
    """Return in words what is wrong at a table."""
    seats = [s.seat[p] for p in range(int(R.seats))]
    shown = sum(1 << int(r) for r in s.display if r >= 0)
    tokens = int(s.tokens.sum())
    strewn = int(R.tokens.sum()) - int(R.encounters)
    waiting = {int(entry.what) for entry in s.stack.entry[: int(s.stack.n)]}
    hunting = waiting & {Q.HUNT, Q.DAMAGE, Q.CLAWS, Q.FLAMES, Q.REWARDS}
    checks = {
        "recipes": partition([s.recipes, s.thrown, shown, *(me.cooked for me in seats)], RECIPES),
        "heroes": heroes_add_up(s, R, [s.heroes, s.market, *(x for me in seats for x in (me.ready, me.tired))]),
        "decks of heroes": 0 <= int(s.packs) < int(R.hero_copies),
        "heroes on display": len(bits(s.market)) == SHOWN or not (int(s.heroes) or int(s.packs)),
        "trophies": partition([s.pool, *(me.spoils for me in seats)], TROPHIES),
        "forge tokens": partition([s.forge, *(me.forge for me in seats)], FORGED),
        "missions": sorted(int(m) for m in s.mission) == list(range(MISSIONS)) or not R.missions or s.phase == P_BOARDS,
        "boards": not R.asymmetric or distinct([int(me.tavern) for me in seats if s.phase > P_BOARDS or me.tavern >= 0], TAVERNS),
        "ingredient tokens": 0 <= tokens <= strewn,
        "encounter token": (0 <= s.encounter < ZONES) == bool(R.encounters),
        "items": not R.goblin or (held(seats) + s.hoard == R.copies).all(),
        "unsold items": int(s.hoard.sum()) == int(s.unsold) >= int(s.goblin_items),
        "dungeon": Q.SEARCH in waiting or not int(s.finds),
        "spaces of places": (s.paid <= s.open).all() and (s.paid >= 0).all(),
        "boxes": (s.boxes >= 0).all() and (s.dragon >= 0 or not s.boxes.any()),
        "stack of questions": s.stack.n <= CHAIN,
        "rounds": int(s.rounds) + int(s.phase in (P_ICONS, P_DRAGON, P_EVENT)) < int(R.rounds),
        "phase after the end": (s.phase == P_OVER) == (s.turn < 0),
        "hunt": hunting or not (s.hunt.dice.any() or s.hunt.swords or s.hunt.bows or s.hunt.charm or s.hunt.shield),
    }
    faults = [name for name, good in checks.items() if not good]
    for p in range(len(seats)):
        faults += [f"player_{p}: {fault}" for fault in seat_faults(s, R, p)]
    return faults


def heroes_add_up(s: Any, R: Any, parts: list[Any]) -> bool:
    """Return whether each hero is in exactly one place, or in no more places than decks have been opened."""
    found = [k for part in parts for k in bits(part)]
    decks = int(R.hero_copies) - int(s.packs)
    return partition(parts, HEROES) if decks == 1 else all(found.count(k) <= decks for k in found)


def distinct(found: list[int], size: int) -> bool:
    """Return whether these are different numbers from 0 to below a size."""
    return len(set(found)) == len(found) and all(0 <= k < size for k in found)


def held(seats: list[Any]) -> Any:
    """Count the items that were bought, by kind, including used ones."""
    return sum((np.asarray(me.items, np.int64) + me.used for me in seats), np.int64(0))


def seat_faults(s: Any, R: Any, p: int) -> list[str]:
    """Return what is wrong with one seat: dice, goods or minions out of range."""
    me = s.seat[p]
    turn = (p - int(s.first)) % int(R.seats)
    mine = (s.phase == P_TURNS) and int(s.cursor) % int(R.seats) == turn
    played = sum(1 for k in range(int(s.cursor)) if k % int(R.seats) == turn) + int(mine and s.deed.placed)
    dice = int(me.dice.sum()) + int(mine) * int(s.deed.picked)
    checks = {
        "dice": dice == DICE - played if s.phase == P_TURNS else dice == 0,
        "gold": int(me.gold) >= 0,
        "energy": 0 <= int(me.energy) <= int(R.energy_cap),
        "runes": 0 <= int(me.runes) <= int(R.rune_cap),
        "prestige": int(me.score) >= 0 and int(me.best) <= 127,
        "pantry": (me.pantry >= 0).all(),
        "bags": (me.bag >= 0).all() and (me.bag.sum(axis=1) == me.load).all(),
        "slots": all(int(me.wounds[m]) >= 0 and int(me.load[m]) + int(me.wounds[m]) <= int(R.slots[m]) for m in range(MINIONS)),
        "zones": ((me.zone >= 0) & (me.zone < ZONES)).all(),
        "bonuses": int(me.bonus) & ~(int(me.ready) | int(me.tired)) == 0,
        "trophies": len(bits(me.spoils)) == int(me.trophies),
        "recipes": not int(me.cooked) or int(me.best) >= max(int(R.points[r]) for r in bits(me.cooked)) + 1,
    }
    return [name for name, good in checks.items() if not good]


def score_again(s: Any, R: Any) -> list[int]:
    """Count the points of each seat again, from the cards in front of it (TD 5)."""
    found = []
    for p in range(int(R.seats)):
        me = s.seat[p]
        heroes = bits(int(me.ready) | int(me.tired))
        points = int(me.score) + int(np.asarray(R.hero_prestige, np.int64)[heroes].sum())
        points += int(np.asarray(R.trophy, np.int64)[bits(me.spoils)].sum())
        points += int(me.pantry.sum()) * int(R.pantry_point)
        if R.missions:
            points += sum(int(R.mission_prestige[k]) for k in (s.mission[0], s.mission[2 * p + 1]) if achieved(me, R, k))
        found.append(points)
    return found


def achieved(me: Any, R: Any, k: int) -> bool:
    """Return whether a tavern meets the condition of a mission."""
    recipes = R.needs[bits(me.cooked)]
    counts = {
        "recipes": len(recipes),
        "heroes": len(bits(int(me.ready) | int(me.tired))),
        "trophies": len(bits(me.spoils)),
        "gold": int(me.gold),
        "pantry": int(me.pantry.sum()),
        "home": int((me.zone == 0).sum()),
        "with_spice": int((recipes[:, SPICE] > 0).sum()),
        "with_mushroom": int((recipes[:, MUSHROOM] > 0).sum()),
        "with_egg_or_meat": int((recipes[:, EGG] + recipes[:, MEAT] > 0).sum()),
        "bonuses": len(bits(me.bonus)),
        "energy": int(me.energy),
    }
    aim = AIMS[R.aim[k]]
    return not me.wounds.any() if aim == "wounds" else counts[aim] >= int(R.aim_amount[k])
