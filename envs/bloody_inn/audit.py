"""What never changes whatever is played, and the score counted a second time in plain Python."""

from typing import Any

from alehouse.envs.bloody_inn.layout import (
    ANNEX_NAMES, BARN, BUILD, CARAVANS, CARDS, FAMILIES, KINDS, P_OVER, PLACES, Q_PAY, TRAILER,
)  # fmt: skip
from alehouse.envs.bloody_inn.state import CLOSED, NOBODY, TWIN

COLOURS = {"park": "artisan", "grocery": "merchant", "bishopric": "religious", "stables": "noble"}


def where_cards_are(s: Any, R: Any) -> list[int]:
    """Every card of the game, counted zone by zone."""
    total = [int(s.unseen[k]) + int(s.exit[k]) + int(s.box[k]) for k in range(KINDS)]
    total[CARDS.index("peasant")] += int(s.bistro)
    single = [int(s.guest[k]) for k in range(PLACES)] + [int(card) for card in s.caravan] + [int(s.top)]
    for k in range(int(s.annexes)):
        built = s.built[k]
        single += [int(built.card), *(int(c) for c in built.corpse)]
        total[CARDS.index("dwarf")] += int(built.across)
    if s.asks.n and s.asks.entry[s.asks.n - 1].what == Q_PAY and s.act.verb == BUILD and s.act.origin < 0:
        single.append(int(s.act.card))  # between hand and annex while it is paid for
    for card in single:
        if card not in (NOBODY, TWIN):
            total[card] += 1
    for p in range(int(R.seats)):
        for k in range(KINDS):
            total[k] += int(s.seat[p].hand[k]) + int(s.seat[p].corpse[k])
    return total


def audit(s: Any, R: Any) -> list[str]:
    """Faults in a state, in words."""
    faults = [
        f"{CARDS[k]}: {there} cards, {int(R.copies[k])} in the game"
        for k, there in enumerate(where_cards_are(s, R))
        if there != int(R.copies[k])
    ]
    for p in range(int(R.seats)):
        faults += [f"player_{p}: {fault}" for fault in seat_faults(s, R, p)]
    guests = sum(1 << k for k in range(PLACES) if s.guest[k] != NOBODY)
    if guests != int(s.full):
        faults.append("the set of taken places is not the guests'")
    if sorted(int(x) for x in s.slot) != list(range(len(s.slot))) and R.objects:
        faults.append("an object lies in two slots")
    if sum(int(x) for x in s.unseen) != int(s.hidden):
        faults.append("hidden cards are not the unseen ones")
    return faults


def seat_faults(s: Any, R: Any, p: int) -> list[str]:
    """Faults of one seat: sums that do not add up, money and tokens out of range."""
    me = s.seat[p]
    mine = [s.built[k] for k in range(int(s.annexes)) if s.built[k].owner == p]
    kinds = [BARN if b.card == NOBODY else int(R.annex[b.card]) for b in mine]
    rooms = sum(int(s.owner[k] == p) for k in range(PLACES))
    services = sum(int(s.service[k] == p) for k in range(CARAVANS))
    coffins = sum(int(c != NOBODY) for b in mine for c in b.corpse) + sum(int(b.across) for b in mine)
    limit = 10_000 if s.phase == P_OVER and R.end_uncapped else int(R.cash_limit)
    checks = {
        "hand": int(me.cards) == sum(int(n) for n in me.hand),
        "kinds in hand": int(me.kinds) == sum(1 << k for k in range(KINDS) if me.hand[k]),
        "corpses": int(me.corpses) == sum(int(n) for n in me.corpse),
        "kinds of corpses": int(me.dead) == sum(1 << k for k in range(KINDS) if me.corpse[k]),
        "cash": 0 <= int(me.cash) <= limit,
        "tokens": int(me.tokens) + rooms + services == int(R.tokens),
        "annexes": all(int(me.annex[a]) == kinds.count(a) for a in range(len(ANNEX_NAMES))),
        "free places": all(int(me.places[a]) == sum(int(b.free) for b, k in zip(mine, kinds, strict=True) if k == a) for a in set(kinds)),
        "buried": int(me.buried) == coffins or bool(R.quicklime_ignores),
        "objects": int(me.held) == int(me.objects).bit_count(),
        "caravans": all(s.caravan[k - CARAVANS] != NOBODY for k in range(CARAVANS, PLACES) if s.owner[k] != CLOSED),
        "caravan kinds": all(R.annex[int(c)] == TRAILER for c in s.caravan if c != NOBODY),
    }
    return [name for name, good in checks.items() if not good]


def score_again(s: Any, R: Any) -> list[int]:
    """The points from what lies on the table when annex bonuses begin (BI 5): money then, annexes, the exit stack."""
    seats = int(R.seats)
    if s.lost:
        return [0] * seats
    cash = [int(s.seat[p].before) for p in range(seats)]
    checks = [int(s.seat[p].checks) for p in range(seats)]
    if R.unlimited:
        return [int(s.seat[p].cash) + 10 * checks[p] for p in range(seats)]
    safes = [p for p in range(seats) if s.seat[p].annex[ANNEX_NAMES.index("safe")]]
    families = [FAMILIES[f] for f in R.family]
    for p in ((int(s.first) + k) % seats for k in range(seats)):
        for bonus in bonuses(s, R, p, families, checks[p]):
            room = bonus if R.end_uncapped else max(0, int(R.cash_limit) - cash[p])
            cash[p] += min(bonus, room)
            others = [q for q in ((p + k) % seats for k in range(1, seats)) if q in safes]
            if bonus > room and others:
                cash[others[0]] = min(int(R.cash_limit), cash[others[0]] + bonus - room)
    return [c + 10 * n for c, n in zip(cash, checks, strict=True)]


def bonuses(s: Any, R: Any, p: int, families: list[str], checks: int) -> list[int]:
    """What each of a seat's annexes is worth at the end, in the order of the table."""
    found = []
    for annex, name in enumerate(ANNEX_NAMES):
        n = int(s.seat[p].annex[annex])
        n = min(n, 1) if R.annex_once else n
        if name in COLOURS:
            found.append(n * int(R.per_card[annex]) * sum(int(x) for x, f in zip(s.exit, families, strict=True) if f == COLOURS[name]))
        elif name == "greenhouse":
            found.append(n * int(R.amount[annex]) * checks)
    return found
