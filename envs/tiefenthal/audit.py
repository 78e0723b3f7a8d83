"""Checks of what must be true at every table, and the score counted a second time, in plain Python."""

from typing import Any

import numpy as np

from alehouse.envs.tiefenthal import questions as Q
from alehouse.envs.tiefenthal.effects import CHAIN
from alehouse.envs.tiefenthal.layout import (
    CARDS, CASHBOX, KINDS, MONK, NOBLE, P_CLOSING, P_DRAFT, P_JUGGLE, P_OVER, P_SAFE, P_SERVE, P_STORE, PATRONS, REGULARS, S_CROWN,
    S_POINTS,
)  # fmt: skip
from alehouse.envs.tiefenthal.state import NOBODY
from alehouse.envs.core.declare.numbers import members


def own_cards(me: Any) -> Any:
    """Count all cards of a seat by kind, wherever they are (5)."""
    known = np.bincount(me["gained"][: int(me.gained_n)], minlength=KINDS)
    return me["deck"].astype(np.int64) + me["discard"] + me["laid"] + known


def where_cards_are(s: Any, R: Any) -> Any:
    """Count every card of the game, area by area."""
    total = s["unseen"].astype(np.int64) + s["box"]
    total[NOBLE:] += s["stock"]
    for p in range(int(R.seats)):
        total += own_cards(s.seat[p])
    single = [int(kind) for kind in s["open"] if kind != NOBODY]
    single += [int(entry.a) for entry in s.stack.entry[: int(s.stack.n)] if entry.what == Q.WELCOME]
    return total + np.bincount(single, minlength=KINDS)


def audit(s: Any, R: Any) -> list[str]:
    """Return in words what is wrong at a table."""
    seats = int(R.seats)
    printed = R["copies"].astype(np.int64)
    printed[:REGULARS] *= seats
    there = where_cards_are(s, R)
    faults = [f"{CARDS[k]}: {there[k]} cards, {printed[k]} in the game" for k in np.flatnonzero(there != printed)]
    if int(s.schnapps) + int(s["seat"]["schnapps"].sum()) != int(R.glasses):
        faults.append("schnapps was lost or made")
    cheap = sum(int(n) for kind, n in enumerate(s["unseen"]) if int(R.cheap) >> kind & 1)
    if (int(s.cheap_n), int(s.deck_n)) != (cheap, int(s["unseen"].sum()) - cheap):
        faults.append("the piles of guests are not the unseen ones")
    if members(s["stock"][1:] > 0) != int(s.stocked):
        faults.append("the tavern cards to be had are not those in stock")
    covered = int(s["seat"]["book"].sum()) + int(s.signed).bit_count()
    if s.tiles < 0 or covered + int(s.tiles) > int(R.tiles):
        faults.append(f"{covered + int(s.tiles)} signatures of {R.tiles}")
    if int(s["seat"]["counter"].sum()) + int(s.counters) > int(R.counters):
        faults.append("too many counter guests")
    if int(s.evening) > int(R.rounds):
        faults.append(f"evening {s.evening} of {R.rounds}")
    if (s.phase == P_OVER) != (s.turn < 0):
        faults.append("the last phase has not come with the end of the game")
    if s.stack.n > CHAIN:
        faults.append(f"{s.stack.n} entries on the stack of questions, more than {CHAIN}")
    picked = int(s.cursor) if s.phase == P_DRAFT else seats * int(R.white_dice)
    if s.phase >= P_DRAFT and int(s["coaster"].sum()) != seats * int(R.white_dice) - picked:
        faults.append("the coasters do not hold the dice that were not picked")
    for p in range(seats):
        faults += [f"player_{p}: {fault}" for fault in seat_faults(s, R, p)]
    return faults


def seat_faults(s: Any, R: Any, p: int) -> list[str]:
    """Return what is wrong with one seat: sums that do not add up, goods out of range."""
    me = s.seat[p]
    own = p == s.act.seat and P_JUGGLE <= s.phase < P_CLOSING
    safe, store = (max(int(level) for level in R["level"][:, piece]) for piece in (P_SAFE, P_STORE))
    busy = own and s.phase == P_SERVE
    checks = {
        "cards in the deck": int(me.deck_n) == me["deck"].sum(),
        "cards discarded": int(me.discard_n) == me["discard"].sum(),
        "kinds in the deck": int(me.deck_kinds) == members(me["deck"] > 0),
        "kinds discarded": int(me.discard_kinds) == members(me["discard"] > 0),
        "kinds laid out": int(me.laid_kinds) == members(me["laid"] > 0),
        "negative cards": min(me[zone].min() for zone in ("deck", "discard", "laid", "dice")) >= 0,
        "doubloons": int(me.doubloons) >= 0 and (busy or int(me.doubloons) <= safe),
        "beer": int(me.beer) >= 0 and (busy or int(me.beer) <= store),
        "schnapps": int(me.schnapps) >= 0 and (s.phase < P_OVER or int(me.schnapps) <= int(R.keep)),
        "dice on patrons": not own or bool((s.act.on[: NOBLE + 1] <= me.laid[: NOBLE + 1]).all()),
        "more than one die": not own or all(s.act.on[place] <= 1 for place in range(CASHBOX, MONK)),
        "places without a die": not own or int(s.act.vacant) % (1 << PATRONS) == members(me.laid[:PATRONS] > s.act.on[:PATRONS]),
        "pips": not own or s.act.pips >= 0,
        "dice in the wrong order": not own or s.phase <= P_JUGGLE or not any(me["dice"][: max(0, int(s.act.face) - 1)]),
        "upgrades": int(me.working) & ~int(me.upgraded) == 0,
    }
    return [name for name, good in checks.items() if not good]


def score_again(s: Any, R: Any) -> list[int]:
    """Return the points again, counted card by card; the reputation marker goes back to the last space with points (5, M3-9)."""
    points = []
    for p in range(int(R.seats)):
        me = s.seat[p]
        total = sum(int(n) * int(vp) for n, vp in zip(own_cards(me), R["vp"], strict=True))
        space = int(me.fame)
        while space > 0 and R.space[space] not in (S_POINTS, S_CROWN):
            space -= 1
        worth = int(R.points[space]) if R.space[space] == S_POINTS else 0
        points.append(total + int(me.schnapps) + (worth if R.reputation and space else 0))
    return points
