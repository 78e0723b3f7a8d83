"""What a seat may know, as bytes: everything in the open, its own objects, and what it saw of the others' in the draft."""

from alehouse.envs.bloody_inn.questions import QUESTIONS
from alehouse.envs.bloody_inn.layout import (
    ANNEX_NAMES, ANNEXES, BUILD, BURY, CARAVANS, CARDS, EVENT_NAMES, EVENTS, FAMILIES, KINDS, OBJECT_NAMES, OBJECTS, P_DRAFT, PHASES,
    PLACE_NAMES, PLACES, RELATIVE, SEATS, VERB_NAMES,
)  # fmt: skip
from alehouse.envs.bloody_inn.modules import deal
from alehouse.envs.bloody_inn.places import absolute, named
from alehouse.envs.bloody_inn.state import CLOSED, NOBODY, WHITE
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.core.run.byte_blocks import write, write_sets
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.declare.layout import Features
from alehouse.envs.core.run.seats import left

BYTE = 255
CARDS_SHOWN = (*PLACE_NAMES, "top")  # guests, and the visible card of the entrance stack
OWNERS = (*RELATIVE, "white")
COUNTS = ("cash", "checks", "cards", "corpses", "tokens", "buried", "interred", "spent", "held")

FEATURES = Features(
    [
        ("seats", RELATIVE, 1),
        ("modules", ("carnies", "events", "notables", "objects", "long"), 1),
        ("first_player", RELATIVE, 1),
        ("phase", PHASES[:-1], 1),
        ("question", QUESTIONS.names, 1),
        ("situation", ("rounds", "season", "last_round", "turns", "stack", "bistro"), BYTE),
        ("verb", VERB_NAMES, 1),
        ("action", ("low", "high", "paid", "cost", "card"), BYTE),
        ("guest", CARDS_SHOWN, KINDS),
        ("guest_family", CARDS_SHOWN, len(FAMILIES)),
        ("guest_up", CARDS_SHOWN, 3),
        ("guest_low", CARDS_SHOWN, 3),
        ("guest_money", CARDS_SHOWN, BYTE),
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
        ("snow", RELATIVE, KINDS),
    ]
)
at = FEATURES.start
F_SEATS, F_MODULES, F_FIRST, F_PHASE, F_QUESTION = (at(f) for f in ("seats", "modules", "first_player", "phase", "question"))
F_SITUATION, F_VERB, F_ACTION, F_OWNER, F_SERVICE = (at(f) for f in ("situation", "verb", "action", "place_owner", "service"))
F_GUEST, F_FAMILY, F_UP, F_LOW, F_MONEY = (at(f) for f in ("guest", "guest_family", "guest_up", "guest_low", "guest_money"))
F_TARGETS, F_UNSEEN, F_EXIT, F_EVENT, F_EVENT_DECK = (at(f) for f in ("targets", "unseen", "exit", "event", "event_deck"))
F_MINE, F_USED, F_ATTACHED, F_SEEN, F_LETTER = (at(f) for f in ("my_objects", "used", "attached", "seen", "letter"))
F_COFFEE, F_CAKE, F_SNOW = (at(f) for f in ("coffee", "cake", "snow"))
F_COUNTS, F_HAND, F_CORPSES, F_ANNEXES, F_PLACES = (at(f"me_{f}") for f in ("counts", "hand", "corpses", "annexes", "places"))
TOP = len(PLACE_NAMES)


@jit
def observe(s, R, seat, out):
    """Write all segments."""
    out[:] = 0
    situation(s, R, seat, out)
    for k in range(PLACES):
        show_place(s, R, seat, k, out)
    for k in range(R.seats):
        show_seat(s, s.seat[(seat + k) % R.seats], k, out)
    show_card(R, s.top, TOP, out)
    write(out, F_UNSEEN, s.unseen)
    write(out, F_EXIT, s.exit)
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
    if s.stack.n > 0:
        out[F_PHASE + int(s.phase)] = 1
        out[F_QUESTION + int(top(s).what)] = 1
    out[F_SITUATION] = s.rounds
    out[F_SITUATION + 1] = s.season
    out[F_SITUATION + 2] = s.last
    out[F_SITUATION + 3] = s.cursor
    out[F_SITUATION + 4] = s.entrance
    out[F_SITUATION + 5] = s.bistro
    act = s.act
    out[F_ACTION] = act.low
    out[F_ACTION + 1] = act.high
    out[F_ACTION + 2] = act.paid
    out[F_ACTION + 3] = act.cost
    if act.verb >= 0:
        out[F_VERB + int(act.verb)] = 1
        if act.verb == BUILD or act.verb == BURY:
            out[F_ACTION + 4] = int(act.card) + 1


@jit
def show_card(R, kind, k, out):
    """A traveler in view: which he is, and what his card says."""
    if kind != NOBODY:
        out[F_GUEST + k] = int(kind) + 1
        out[F_FAMILY + k] = int(R.family[kind]) + 1
        out[F_UP + k] = R.up[kind]
        out[F_LOW + k] = R.low[kind]
        out[F_MONEY + k] = R.money[kind]


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
    show_card(R, s.guest[place], k, out)
    out[F_TARGETS + k] = (int(s.act.targets) >> place) & 1


@jit
def show_seat(s, me, k, out):
    """One seat's open cards and money; k counts seats to the left."""
    c = F_COUNTS + k * len(COUNTS)
    out[c] = min(BYTE, int(me.cash))
    out[c + 1] = min(BYTE, int(me.checks))
    out[c + 2] = me.cards
    out[c + 3] = me.corpses
    out[c + 4] = me.tokens
    out[c + 5] = me.buried
    out[c + 6] = me.interred
    out[c + 7] = me.spent
    out[c + 8] = me.held
    write(out, F_HAND + k * KINDS, me.hand)
    write(out, F_CORPSES + k * KINDS, me.corpse)
    write(out, F_ANNEXES + k * ANNEXES, me.annex)
    write(out, F_PLACES + k * ANNEXES, me.places)


@jit
def show_events(s, out):
    """The event revealed, and those still to come."""
    if s.event != NOBODY:
        out[F_EVENT + int(s.event)] = 1
    write_sets(out, F_EVENT_DECK, EVENTS, (int(s.event_deck),))


@jit
def show_objects(s, R, seat, out):
    """One's own objects, those played, and in which round of the draft one saw which: 4 what is on offer now."""
    write_sets(out, F_MINE, OBJECTS, (int(s.seat[seat].objects),))
    write_sets(out, F_USED, OBJECTS, (int(s.used),))
    write_sets(out, F_ATTACHED, OBJECTS, (int(s.act.objects),))
    now = s.cursor // R.seats if s.phase == P_DRAFT else deal.PICKS - 1
    for k in range(deal.HAND * R.seats):
        look = (seat - k // deal.HAND) % R.seats
        while look <= min(now, k % deal.HAND):
            out[F_SEEN + int(s.slot[k])] = 4 if look == now and s.phase == P_DRAFT else look + 1
            look += R.seats
    out[F_LETTER] = s.letter
    if s.coffee >= 0:
        out[F_COFFEE + named(s.coffee, seat, R.seats)] = 1
    if s.cake >= 0:
        out[F_CAKE + named(s.cake, seat, R.seats)] = left(s.cake_seat, seat, R.seats) + 1
    if s.snow_seat >= 0:
        out[F_SNOW + left(s.snow_seat, seat, R.seats)] = int(s.snow) + 1
