"""What a seat may know, as bytes: everything in the open, its own objects, and what it saw of the others' in the draft."""

from alehouse.envs.bloody_inn.layout import (
    ANNEX_NAMES, ANNEXES, CARAVANS, CARDS, EVENT_NAMES, EVENTS, FAMILIES, KINDS, OBJECT_NAMES, OBJECTS, P_DRAFT, PHASES, PLACE_NAMES,
    PLACES, QUESTIONS, RELATIVE, SEATS, VERB_NAMES, VERBS,
)  # fmt: skip
from alehouse.envs.bloody_inn.modules import deal
from alehouse.envs.bloody_inn.places import absolute, left
from alehouse.envs.bloody_inn.state import CLOSED, NOBODY, WHITE
from alehouse.envs.core.ask import top
from alehouse.envs.core.jit import jit
from alehouse.envs.core.layout import Features

BYTE = 255
OWNERS = (*RELATIVE, "white")
COUNTS = ("cash", "checks", "cards", "corpses", "tokens", "buried", "interred", "spent", "held")

FEATURES = Features(
    [
        ("seats", RELATIVE, 1),
        ("modules", ("carnies", "events", "notables", "objects", "long"), 1),
        ("first_player", RELATIVE, 1),
        ("phase", PHASES[:-1], 1),
        ("question", tuple(QUESTIONS), 1),
        ("rounds", 1, BYTE),
        ("season", 1, 1),
        ("last_round", 1, 1),
        ("turns", 1, BYTE),
        ("stack", 1, BYTE),
        ("bistro", 1, BYTE),
        ("top", CARDS, 1),
        ("verb", VERB_NAMES, 1),
        ("action", ("low", "high", "paid", "cost"), BYTE),
        ("action_card", CARDS, 1),
        ("guest", PLACE_NAMES, KINDS),
        *((f"guest_{name}", PLACE_NAMES, most) for name, most in (("family", len(FAMILIES)), ("up", 3), ("low", 3), ("money", BYTE))),
        ("place_owner", PLACE_NAMES, len(OWNERS)),
        ("service", PLACE_NAMES, SEATS),
        ("targets", PLACE_NAMES, 1),
        ("unseen", CARDS, BYTE),
        ("exit", CARDS, BYTE),
        *((f"{who}_counts", COUNTS, BYTE) for who in RELATIVE),
        *((f"{who}_hand", CARDS, BYTE) for who in RELATIVE),
        *((f"{who}_corpses", CARDS, BYTE) for who in RELATIVE),
        *((f"{who}_annexes", ANNEX_NAMES, BYTE) for who in RELATIVE),
        *((f"{who}_places", ANNEX_NAMES, BYTE) for who in RELATIVE),
        ("event", EVENT_NAMES, 1),
        ("event_deck", EVENT_NAMES, 1),
        ("my_objects", OBJECT_NAMES, 1),
        ("used", OBJECT_NAMES, 1),
        ("attached", OBJECT_NAMES, 1),
        ("seen", OBJECT_NAMES, 4),
        ("letter", 1, 1),
        ("coffee", PLACE_NAMES, 1),
        ("cake", PLACE_NAMES, SEATS),
        ("snow", RELATIVE, 1),
        ("snow_corpse", CARDS, 1),
    ]
)
at = FEATURES.start
F_SEATS, F_MODULES, F_FIRST, F_PHASE, F_QUESTION, F_ROUND = (at(f) for f in ("seats", "modules", "first_player", "phase", "question", "rounds"))
F_SEASON, F_LAST, F_TURNS, F_STACK, F_BISTRO, F_TOP = (at(f) for f in ("season", "last_round", "turns", "stack", "bistro", "top"))
F_VERB, F_ACTION, F_CARD, F_GUEST, F_OWNER, F_SERVICE = (at(f) for f in ("verb", "action", "action_card", "guest", "place_owner", "service"))
F_FAMILY, F_UP, F_LOW, F_MONEY = (at(f"guest_{name}") for name in ("family", "up", "low", "money"))
F_TARGETS, F_UNSEEN, F_EXIT, F_EVENT, F_EVENT_DECK = (at(f) for f in ("targets", "unseen", "exit", "event", "event_deck"))
F_MINE, F_USED, F_ATTACHED, F_SEEN, F_LETTER = (at(f) for f in ("my_objects", "used", "attached", "seen", "letter"))
F_COFFEE, F_CAKE, F_SNOW, F_SNOW_CORPSE = (at(f) for f in ("coffee", "cake", "snow", "snow_corpse"))
F_COUNTS, F_HAND, F_CORPSES, F_ANNEXES, F_PLACES = (at(f"me_{f}") for f in ("counts", "hand", "corpses", "annexes", "places"))
NCOUNTS = len(COUNTS)


@jit
def observe(s, R, seat, out):
    """Write all segments."""
    out[:] = 0
    situation(s, R, seat, out)
    for k in range(PLACES):
        show_place(s, R, seat, k, out)
    for k in range(R.seats):
        show_seat(s, s.seat[(seat + k) % R.seats], k, out)
    for kind in range(KINDS):
        out[F_UNSEEN + kind] = s.unseen[kind]
        out[F_EXIT + kind] = s.exit[kind]
    if R.events:
        show_events(s, out)
    if R.objects:
        show_objects(s, R, seat, out)


@jit
def situation(s, R, seat, out):
    """Who plays what, where the game stands, what is asked."""
    for k in range(R.seats):
        out[F_SEATS + k] = 1
    out[F_MODULES] = R.carnies
    out[F_MODULES + 1] = R.events
    out[F_MODULES + 2] = R.notables
    out[F_MODULES + 3] = R.objects
    out[F_MODULES + 4] = R.long
    out[F_FIRST + left(s.first, seat, R.seats)] = 1
    if s.asks.n > 0:
        out[F_PHASE + int(s.phase)] = 1
        out[F_QUESTION + int(top(s.asks).what)] = 1
    out[F_ROUND] = s.rounds
    out[F_SEASON] = s.season
    out[F_LAST] = s.last
    out[F_TURNS] = s.cursor
    out[F_STACK] = s.stack
    out[F_BISTRO] = s.bistro
    if s.top != NOBODY:
        out[F_TOP + int(s.top)] = 1
    act = s.act
    if act.verb >= 0:
        out[F_VERB + int(act.verb)] = 1
        out[F_CARD + int(act.card)] = int(act.done == 0 or act.verb == VERBS - 1)
    out[F_ACTION] = act.low
    out[F_ACTION + 1] = act.high
    out[F_ACTION + 2] = act.paid
    out[F_ACTION + 3] = act.cost


@jit
def show_place(s, R, seat, k, out):
    """One room or caravan: whose, who serves it, who lodges there."""
    if k < SEATS and k >= R.seats:
        return
    place = absolute(k, seat, R.seats)
    owner = s.owner[place]
    if owner == CLOSED:
        return
    out[F_OWNER + k] = SEATS + 1 if owner == WHITE else left(owner, seat, R.seats) + 1
    if place < CARAVANS and s.service[place] >= 0:
        out[F_SERVICE + k] = left(s.service[place], seat, R.seats) + 1
    kind = int(s.guest[place])
    if kind != NOBODY:
        out[F_GUEST + k] = kind + 1
        out[F_FAMILY + k] = R.family[kind] + 1
        out[F_UP + k] = R.up[kind]
        out[F_LOW + k] = R.low[kind]
        out[F_MONEY + k] = R.money[kind]
        out[F_TARGETS + k] = (int(s.act.targets) >> place) & 1


@jit
def show_seat(s, me, k, out):
    """One seat's open cards and money; k counts seats to the left."""
    c = F_COUNTS + k * NCOUNTS
    out[c] = min(255, int(me.cash))
    out[c + 1] = min(255, int(me.checks))
    out[c + 2] = me.cards
    out[c + 3] = me.corpses
    out[c + 4] = me.tokens
    out[c + 5] = me.buried
    out[c + 6] = me.interred
    out[c + 7] = me.spent
    out[c + 8] = me.held
    hand, corpses = F_HAND + k * KINDS, F_CORPSES + k * KINDS
    for kind in range(KINDS):
        out[hand + kind] = me.hand[kind]
        out[corpses + kind] = me.corpse[kind]
    annexes, places = F_ANNEXES + k * ANNEXES, F_PLACES + k * ANNEXES
    for annex in range(ANNEXES):
        out[annexes + annex] = me.annex[annex]
        out[places + annex] = me.places[annex]


@jit
def show_events(s, out):
    """The event revealed, and those still to come."""
    if s.event != NOBODY:
        out[F_EVENT + int(s.event)] = 1
    for e in range(EVENTS):
        out[F_EVENT_DECK + e] = (int(s.event_deck) >> e) & 1


@jit
def show_objects(s, R, seat, out):
    """One's own objects, those played, and in which round of the draft one saw which: 4 what is on offer now."""
    for k in range(OBJECTS):
        out[F_MINE + k] = (int(s.seat[seat].objects) >> k) & 1
        out[F_USED + k] = (int(s.used) >> k) & 1
        out[F_ATTACHED + k] = (int(s.act.objects) >> k) & 1
    now = s.cursor // R.seats if s.phase == P_DRAFT else deal.PICKS - 1
    for k in range(deal.HAND * R.seats):
        look = (seat - k // deal.HAND) % R.seats
        while look <= min(now, k % deal.HAND):
            out[F_SEEN + int(s.slot[k])] = 4 if look == now and s.phase == P_DRAFT else look + 1
            look += R.seats
    out[F_LETTER] = s.letter
    for k in range(PLACES):
        if k >= SEATS or k < R.seats:
            place = absolute(k, seat, R.seats)
            out[F_COFFEE + k] = int(s.coffee == place)
            if s.cake == place:
                out[F_CAKE + k] = left(s.cake_seat, seat, R.seats) + 1
    if s.snow_seat >= 0:
        out[F_SNOW + left(s.snow_seat, seat, R.seats)] = 1
        out[F_SNOW_CORPSE + int(s.snow)] = 1
