"""Checks of what must be true at every table, and the score counted a second time, in plain Python."""

from typing import Any

import numpy as np

from alehouse.envs.bloody_inn import questions as Q
from alehouse.envs.bloody_inn.layout import ANNEX_NAMES, ANNEXES, BARN, BUILD, CARAVAN, CARAVANS, CARDS, FAMILIES, KINDS, P_OVER, PEASANT
from alehouse.envs.core.declare.numbers import members
from alehouse.envs.bloody_inn.state import CLOSED, NOBODY
from alehouse.envs.core.run.question_stack import top

COLOURS = {"park": "artisan", "grocery": "merchant", "bishopric": "religious", "stables": "noble"}


def where_cards_are(s: Any, R: Any) -> Any:
    """Return how many cards of each kind there are, counted area by area."""
    seats, built = s["seat"], s["built"][: int(s.annexes)]
    zones = [s["unseen"][None], s["exit"][None], s["box"][None], seats["hand"], seats["corpse"]]
    total = np.concatenate(zones).sum(axis=0, dtype=np.int64)
    total[PEASANT] += int(s.bistro)
    total[CARDS.index("dwarf")] += int(built["across"].sum())
    single = [s["guest"], s["caravan"], [s.top], built["card"], built["corpse"].ravel()]
    if s.stack.n and top(s).what == Q.PAY and s.act.verb == BUILD and s.act.origin < 0:
        single.append([s.act.card])  # a card is neither in hand nor built while it is being paid for
    cards = np.concatenate(single)
    total += np.bincount(cards[cards >= 0], minlength=KINDS)
    return total


def audit(s: Any, R: Any) -> list[str]:
    """Return in words what is wrong at a table."""
    there = where_cards_are(s, R)
    faults = [f"{CARDS[k]}: {there[k]} cards, {R.copies[k]} in the game" for k in np.flatnonzero(there != R["copies"])]
    for p in range(int(R.seats)):
        faults += [f"player_{p}: {fault}" for fault in seat_faults(s, R, p)]
    if members(s["guest"] != NOBODY) != int(s.full):
        faults.append("the set of places taken does not match the guests")
    if sorted(int(x) for x in s.slot) != list(range(len(s.slot))) and R.objects:
        faults.append("an object lies in two slots, or in none")
    caravans = s["caravan"][s["owner"][CARAVANS:] != CLOSED]
    if (caravans == NOBODY).any() or (R["op"][R["annex"][caravans]] != CARAVAN).any():
        faults.append("a card that gives no caravan serves as one")
    if (s.phase == P_OVER) != (s.turn < 0):
        faults.append("the last phase has not come with the end of the game")
    if s["unseen"].sum() != int(s.hidden):
        faults.append("the number of hidden cards does not match the unseen ones")
    return faults


def seat_faults(s: Any, R: Any, p: int) -> list[str]:
    """Return what is wrong with one seat: sums that do not add up, money or tokens out of range."""
    me, hand, corpse = s.seat[p], s["seat"]["hand"][p], s["seat"]["corpse"][p]
    mine = s["built"][: int(s.annexes)]
    mine = mine[mine["owner"] == p]
    kinds = np.where(mine["card"] == NOBODY, BARN, R["annex"][mine["card"]])
    rooms, services = int((s["owner"] == p).sum()), int((s["service"][:CARAVANS] == p).sum())
    coffins = int((mine["corpse"] != NOBODY).sum() + mine["across"].sum())
    limit = 10_000 if s.phase == P_OVER and R.end_uncapped else int(R.cash_limit)
    checks = {
        "hand": int(me.cards) == hand.sum(),
        "kinds in hand": int(me.kinds) == members(hand),
        "corpses": int(me.corpses) == corpse.sum(),
        "kinds of corpses": int(me.dead) == members(corpse),
        "cash": 0 <= int(me.cash) <= limit,
        "tokens": int(me.tokens) + rooms + services == int(R.tokens),
        "barns": int((mine["card"] == NOBODY).sum()) == 1,
        "annexes": (np.bincount(kinds, minlength=ANNEXES) == me.annex).all(),
        "free graves": (np.bincount(kinds, mine["free"], minlength=ANNEXES) == me.graves).all(),
        "buried": int(me.buried) == coffins or bool(R.quicklime_ignores),
        "objects": int(me.held) == int(me.objects).bit_count(),
    }
    return [name for name, good in checks.items() if not good]


def score_again(s: Any, R: Any) -> list[int]:
    """Return the points again: the money before annexes pay at the end, the annexes, and the exit stack (BI 5)."""
    seats = int(R.seats)
    if s.lost:
        return [0] * seats
    annexes = s["seat"]["annex"]
    cash = [int(s.seat[p].before) for p in range(seats)]
    checks = [int(s.seat[p].checks) for p in range(seats)]
    if R.unlimited:
        return [int(s.seat[p].cash) + 10 * checks[p] for p in range(seats)]
    safes = [p for p in range(seats) if annexes[p, ANNEX_NAMES.index("safe")]]
    for p in ((int(s.first) + k) % seats for k in range(seats)):
        for bonus in bonuses(s, R, annexes[p], checks[p]):
            room = bonus if R.end_uncapped else max(0, int(R.cash_limit) - cash[p])
            cash[p] += min(bonus, room)
            others = [q for q in ((p + k) % seats for k in range(1, seats)) if q in safes]
            if bonus > room and others:
                cash[others[0]] = min(int(R.cash_limit), cash[others[0]] + bonus - room)
    return [c + 10 * n for c, n in zip(cash, checks, strict=True)]


def bonuses(s: Any, R: Any, annexes: Any, checks: int) -> list[int]:
    """Return what each kind of a seat's annexes pays at the end, in the order of annexes.csv."""
    found = []
    for annex in np.flatnonzero(annexes):
        name, n = ANNEX_NAMES[annex], 1 if R.annex_once else int(annexes[annex])
        if name in COLOURS:
            found.append(n * int(R.per_card[annex]) * int(s["exit"][R["family"] == FAMILIES.index(COLOURS[name])].sum()))
        elif name == "greenhouse":
            found.append(n * int(R.amount[annex]) * checks)
    return found
