"""The Bloody Inn: aspects of an answer for networks: what is done with which card, what it costs, and where, in numbers around 1.

With them a network can learn of one card or place what holds for all. They read only what the seat to move may know.
"""

from alehouse.agents.heuristic.bloody_inn.outlook import OUTLOOK, look_out
from alehouse.agents.heuristic.bloody_inn.worth import annex_worth, card_worth, cards_due, corpse_worth, departure_worth
from alehouse.agents.heuristic.columns import columns, studying
from alehouse.envs.bloody_inn.annexes import family_annexes
from alehouse.envs.bloody_inn.layout import (
    A_AT, A_BRIBE, A_BUILD, A_BURY, A_CARD, A_CORPSE, A_HIRE, A_KILL, A_KILL_PEASANT, A_LODGE, A_PASS, A_TO_CASH, A_TO_CHECKS,
    A_UNDER, ANNEXES, BRIBE, BUILD, BURY, FAMILIES, KILL, OPS, SEATS, UNDERS,
)  # fmt: skip
from alehouse.envs.bloody_inn.places import absolute
from alehouse.envs.bloody_inn.state import NOBODY, WHITE
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.seats import left

DEEDS = ("lodges", "bribes", "kills", "is_at", "hires", "kills_peasant", "passes", "to_checks", "to_cash", "builds", "buries", "card",
         "corpse", "grave", "other")  # fmt: skip
STARTS = (
    A_LODGE,
    A_BRIBE,
    A_KILL,
    A_AT,
    A_HIRE,
    A_KILL_PEASANT,
    A_PASS,
    A_TO_CHECKS,
    A_TO_CASH,
    A_BUILD,
    A_BURY,
    A_CARD,
    A_CORPSE,
    A_UNDER,
)
ASPECTS = (
    # which kind of action the answer is, and how many peasants or tens of francs it takes
    *DEEDS, "amount",
    # what the heuristic says: its rating of the answer relative to the best answer, and whether it is the best
    "rated", "best",
    # the card that the answer concerns
    "up_0", "up_1", "up_2", "up_3", "low_0", "low_1", "low_2", "low_3", "money", "in_hand", "unburied",
    *FAMILIES, *(f"annex_{op}" for op in OPS), "annex_amount", "annex_kin",
    # what the heuristic expects of the card in hand, as a corpse, as an annex, and of the guest's departure
    "as_card", "as_corpse", "as_annex", "departure",
    # the cards that the action takes, those that are lost, and those that are left
    "due", "lost", "remaining", "last_card",
    # the place or the annex: whose it is, and how many others may take the guest before
    "own", "neutral", "to_the_left", "across", "to_the_right", "my_service", "their_service", "rivals", "free_graves",
)  # fmt: skip
C = columns(ASPECTS)
TEN, TOP = 10.0, 26.0  # divisors that bring numbers close to 1


@studying(OUTLOOK, look_out, C)
@jit
def study(s, R, W, o, a, row):
    """Write which kind of action an answer is, and what it concerns."""
    if a < A_LODGE or a >= A_UNDER + SEATS * UNDERS:
        row[C.other] = 1
        return
    deed = 0
    for k in range(len(STARTS)):
        deed += int(a >= STARTS[k])
    row[C.lodges + deed - 1] = 1
    if a < A_HIRE:
        place = absolute(a - STARTS[deed - 1], o.p, R.seats)
        verb = BRIBE if a < A_KILL else KILL if a < A_AT else int(s.act.verb)
        kind = int(s.top) if a < A_BRIBE else int(s.guest[place])
        write_place(s, R, o, place, row)
        if a >= A_BRIBE and kind != NOBODY:
            row[C.departure] = departure_worth(s, R, W, o, place, o.corpses) / TEN
            row[C.rivals] = rivals(s, R, o, int(R.up[kind])) / 3.0
        write_card(s, R, W, o, kind, row)
        if a >= A_BRIBE:
            write_cost(s, R, o, verb, int(R.up[kind]), row)
    elif a < A_BUILD:
        row[C.amount] = (a - STARTS[deed - 1] + 1) / 4.0
    elif a < A_UNDER:
        kind = (a - A_BUILD) % (A_BURY - A_BUILD)
        write_card(s, R, W, o, kind, row)
        if a < A_CARD:
            write_cost(s, R, o, BUILD if a < A_BURY else BURY, int(R.low[kind]), row)
    else:
        seat = (a - A_UNDER) // UNDERS
        write_seat(R, seat, row)
        write_card(s, R, W, o, int(s.act.card), row)
        annex = (a - A_UNDER) % UNDERS
        if annex < ANNEXES:
            row[C.free_graves] = int(s.seat[(o.p + seat) % int(R.seats)].graves[annex]) / 3.0
            row[C.annex_none + int(R.op[annex])] = 1


@jit
def write_seat(R, k, row):
    """Write whose a place is: that of the k-th seat to the left."""
    row[C.own] = k == 0
    row[C.to_the_left], row[C.to_the_right] = k == 1, k > 1 and k == int(R.seats) - 1
    row[C.across] = k > 1 and k < int(R.seats) - 1


@jit
def write_place(s, R, o, place, row):
    """Write whose a place is, and who has a service token there."""
    owner, service = int(s.owner[place]), int(s.service[place])
    row[C.neutral] = owner == WHITE
    if owner >= 0:
        write_seat(R, left(owner, o.p, R.seats), row)
    row[C.my_service], row[C.their_service] = service == o.p, service >= 0 and service != o.p


@jit
def rivals(s, R, o, rank):
    """Count the other seats that have the cards to take a guest of this rank."""
    n = 0
    for q in range(R.seats):
        n += int(q != o.p and s.seat[q].cards >= rank)
    return n


@jit
def write_card(s, R, W, o, kind, row):
    """Write what a card is, and what the heuristic expects of it."""
    if kind == NOBODY:
        return
    me, annex = s.seat[o.p], int(R.annex[kind])
    row[C.up_0 + int(R.up[kind])], row[C.low_0 + int(R.low[kind])] = 1, 1
    row[C.money] = int(R.money[kind]) / TOP
    row[C.in_hand], row[C.unburied] = int(me.hand[kind]) / 3.0, int(me.corpse[kind]) / 3.0
    row[C.artisan + int(R.family[kind])] = 1
    row[C.as_card] = card_worth(s, R, W, o, kind) / TEN
    row[C.as_corpse] = corpse_worth(s, R, W, o, kind, o.corpses, o.cards) / TEN
    if annex >= 0:
        row[C.annex_none + int(R.op[annex])] = 1
        row[C.annex_amount] = int(R.amount[annex]) / TEN
        row[C.annex_kin] = family_annexes(s, R, o.p, R.colour[annex]) / 3.0
        row[C.as_annex] = annex_worth(s, R, W, o, kind) / TEN


@jit
def write_cost(s, R, o, verb, rank, row):
    """Write how many cards an action takes."""
    due = cards_due(s, o, verb, rank)
    lost = max(0, due - int(o.returning[verb]))
    row[C.due], row[C.lost] = due / 3.0, lost / 3.0
    row[C.remaining], row[C.last_card] = (o.cards - lost) / 6.0, o.cards == lost
