"""Checks of what must be true at every table, and a second count of the score, in plain Python."""

import itertools
from typing import Any

import numpy as np

from alehouse.envs.tavern_battle.layout import (
    ARRIVALS, BOX, CHARACTER_NAMES, CHARACTERS, HAND, HEROES, KINDS, LANCE, LANCE_CARD, OBJECT_NAMES, P_CHOICE,
    P_OFFERS, P_OVER, PILE, PLACES, SAFE, SWORD,
    SWORD_CARD, TREASURE_NAMES, TREASURES, TROPHY, TROPHY_CARD,
)  # fmt: skip
from alehouse.envs.tavern_battle.state import NOBODY
from alehouse.envs.core.declare.numbers import members


def listed(word: Any) -> list[int]:
    """Return the members of a set."""
    return [k for k in range(int(word).bit_length()) if int(word) >> k & 1]


def audit(s: Any, R: Any) -> list[str]:
    """Return in words what is wrong at a table."""
    faults = [*treasure_faults(s, R), *object_faults(s, R), *character_faults(s, R), *agitation_faults(s, R)]
    if (s.phase == P_OVER) != (s.turn < 0):
        faults.append("the last phase has not come with the end of the game")
    for p in range(int(R.seats)):
        faults += [f"player_{p} {fault}" for fault in memory_faults(s, R, p)]
    return faults


def places(s: Any, R: Any) -> list[int]:
    """Return the set of treasures at each hidden place; the box comes last."""
    found = [0] * PLACES
    for p in range(int(R.seats)):
        found[HAND + p], found[SAFE + p] = int(s.seat[p].treasures), int(s.seat[p].safe)
    found[PILE] = int(s.pile)
    found[BOX] = (1 << TREASURES) - 1 & ~int(s.fallen) & ~sum(found)
    return found


def treasure_faults(s: Any, R: Any) -> list[str]:
    """Return treasures that are missing or in two places, and drawn weapons whose bearer belongs to another seat than the weapon."""
    held = [*places(s, R)[:BOX], int(s.fallen)]
    faults = []
    if sum(word.bit_count() for word in held) != int(R.seats) * int(R.treasures):
        faults.append(f"{sum(word.bit_count() for word in held)} treasures in play, but {int(R.seats) * int(R.treasures)} were dealt")
    for a, b in itertools.combinations(held, 2):
        faults += [f"{TREASURE_NAMES[t]} lies in two places" for t in listed(a & b)]
    for weapon, card in ((SWORD, SWORD_CARD), (LANCE, LANCE_CARD)):
        bearer = int(s.bearer[weapon])
        if bearer != NOBODY and not int(s.seat[s.owner[bearer]].treasures) >> card & 1:
            faults.append(f"{TREASURE_NAMES[card]} is drawn, but its bearer's player does not own it")
    shown = int(s.shown)
    if (s.phase in (P_OFFERS, P_CHOICE)) != (shown != NOBODY and bool(int(s.seat[s.seller].treasures) >> shown & 1)):
        faults.append("the treasure for sale is not the seller's")
    for p in range(int(R.seats)):
        if int(s.seat[p].offer) & ~int(s.seat[p].treasures):
            faults.append(f"player_{p} offers a treasure it does not own")
    return faults


def memory_faults(s: Any, R: Any, p: int) -> list[str]:
    """Return what a seat remembers wrongly: about its own treasures, about those elsewhere, or about those in sight."""
    may = [int(word) for word in s.seat[p].may]
    faults = []
    if may[HAND + p] != int(s.seat[p].treasures) or may[SAFE + p] != int(s.seat[p].safe):
        faults.append("does not know its own treasures")
    for k, there in enumerate(places(s, R)):
        faults += [f"rules out {TREASURE_NAMES[t]} where it is" for t in listed(there & ~may[k])]
        if there == 0 and may[k]:
            faults.append(f"expects treasures at place {k}, which is empty")
        faults += [f"expects {TREASURE_NAMES[t]} out of sight, and it is in sight" for t in listed(may[k] & int(s.fallen))]
    return faults


def object_faults(s: Any, R: Any) -> list[str]:
    """Return objects that are missing or too many, and sums that do not add up."""
    hands = s["seat"]["objects"][: int(R.seats)]
    single = np.concatenate([s["cover"], s["den"]])
    out = [*single[single != NOBODY], *([TROPHY_CARD] if s.bearer[TROPHY] != NOBODY else [])]
    total = s["deck"] + s["discard"] + s["used"] + s["broken"] + hands.sum(axis=0) + np.bincount(out, minlength=len(OBJECT_NAMES))
    faults = [f"{OBJECT_NAMES[k]}: {total[k]} found, {R.copies[k]} in the game" for k in np.flatnonzero(total != R["copies"])]
    checks = {
        "hidden objects": (s["hidden_objects"] == s["deck"] + hands.sum(axis=0)).all(),
        "the deck": int(s.left) == s["deck"].sum() and (s["deck"] <= s["shuffled"]).all() and (s["deck"] >= 0).all(),
        "hands": (s["seat"]["held"][: int(R.seats)] == hands.sum(axis=1)).all(),
        "types in hand": all(int(s.seat[p].types) == members(hands[p] > 0) for p in range(int(R.seats))),
        "protections": members(s["cover"] != NOBODY) == int(s.covered),
        "hide-outs": members(s["den"] != NOBODY) == int(s.hidden),
        "the value broken": int((s["broken"] * R["price"].astype(np.int64)).sum()) == int(s.broken_value),
    }
    return faults + [f"{name} do not add up" for name, good in checks.items() if not good]


def character_faults(s: Any, R: Any) -> list[str]:
    """Return characters in two positions or in none, and groups that contradict the owners of characters."""
    lying = [int(s.upright), int(s.tilted), int(s.down), int(s.ko), int(s.fled)]
    owned = members(s["owner"] != NOBODY)
    astray = [c for c in range(CHARACTERS) if sum(word >> c & 1 for word in lying) != (owned >> c & 1)]
    faults = [f"{CHARACTER_NAMES[c]} is in no position, or in several" for c in astray]
    groups = [members(s["owner"] == p) for p in range(int(R.seats))]
    faults += [f"player_{p} does not own the characters of its group" for p, group in enumerate(groups) if group != int(s.seat[p].group)]
    seen = (1 << ARRIVALS) - 1 & ~int(s.arrivals)
    waiting = 1 << int(s.arrival) if s.arrival != NOBODY else 0
    if owned >> HEROES != seen & ~(waiting >> HEROES) or seen.bit_count() != int(s.drawn):
        faults.append("arrivals do not add up")
    if (int(s.door) | int(s.covered) | int(s.hidden)) & ~(lying[0] | lying[1] | lying[2]) or int(s.door) & lying[2]:
        faults.append("somebody out of play is at the door, protected or hidden")
    return faults


def agitation_faults(s: Any, R: Any) -> list[str]:
    """Return agitation cards that are missing or too many."""
    hands = s["seat"]["agitation"][: int(R.seats)]
    faults = []
    if (hands.sum(axis=1) != s["seat"]["cards"][: int(R.seats)]).any():
        faults.append("agitation cards in hand do not add up")
    if s["agitation"].sum() != int(s.posted) or any(hands[:, k].sum() + s.agitation[k] > R.kinds[k] for k in range(KINDS)):
        faults.append("agitation cards do not add up")
    return faults


def score_again(s: Any, R: Any) -> list[int]:
    """Return the points of each seat again, counted from the cards as they lie at the end (TB 5)."""
    return [seat_points(s, R, p) for p in range(int(R.seats))]


def seat_points(s: Any, R: Any, p: int) -> int:
    """Return the points of one seat: treasures with its heroes, ANY, and the tavern."""
    heroes = [c for c in listed(s.seat[p].group) if c < HEROES and not (R.ko_scoreless and int(s.ko) >> c & 1)]
    owned = listed(s.seat[p].treasures) + listed(s.seat[p].safe)
    gains = [[int(R.worth[h][t]) for h in heroes] for t in owned]
    wild = [h for h in heroes if int(R.greedy) >> h & 1]
    total = sum(max(row, default=0) for row in gains) + min(len(wild), sum(not any(row) for row in gains))
    worth = max(0, int(R.value) - sum(int(n) * int(price) for n, price in zip(s.broken, R.price, strict=True)))
    reached = [int(points) for least, points in zip(R.least, R.points, strict=True) if worth >= least]
    return total + sum(reached[:1]) * sum(int(R.keepers) >> h & 1 for h in heroes)
