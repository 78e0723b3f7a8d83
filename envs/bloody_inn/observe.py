"""What a seat may know, as bytes: everything that lies open, its own objects, and the objects it saw in the draft."""

import numpy as np

from alehouse.envs.bloody_inn.layout import (
    ANNEX_NAMES, ANNEXES, BUILD, BURY, CARAVANS, CARDS, EVENT_NAMES, EVENTS, FAMILIES, KINDS, OBJECT_NAMES, OBJECTS, P_DRAFT, PHASES,
    PLACE_NAMES, PLACES, RELATIVE, SEATS, VERB_NAMES,
)  # fmt: skip
from alehouse.envs.bloody_inn.modules.draft import HAND, PICKS
from alehouse.envs.bloody_inn.places import absolute, named, relative
from alehouse.envs.bloody_inn.questions import QUESTIONS
from alehouse.envs.bloody_inn.state import CLOSED, NOBODY, WHITE
from alehouse.envs.core.declare.layout import Features
from alehouse.envs.core.run.bits import lowest
from alehouse.envs.core.run.byte_blocks import write, write_sets
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.core.run.scratch import scratch
from alehouse.envs.core.run.seats import around, left

BYTE = 255
CARDS_SHOWN = (*PLACE_NAMES, "top")  # cards that are shown: the guests, and the visible card of the entrance stack
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
F = FEATURES.places
TOP = CARDS_SHOWN.index("top")
OWNED, SERVED = SEATS - CLOSED, SEATS + 1  # how many values the owner of a place and its service token have


@jit
def observe(s, R, seat, out):
    """Write all segments as one seat may see them."""
    out[:] = 0
    show_situation(s, R, seat, out)
    show_action(s, out)
    show_places(s, R, seat, out)
    for k in range(R.seats):
        show_seat(s.seat[around(seat + k, R.seats)], k, out)
    show_card(R, s.top, TOP, out)
    write(out, F.unseen.at, s.unseen)
    write(out, F.exit.at, s.exit)
    if R.events:
        show_events(s, out)
    if R.objects:
        show_objects(s, R, seat, out)
        show_draft(s, R, seat, out)


@jit
def show_situation(s, R, seat, out):
    """Write who plays what, how far the game has come, and which question is open."""
    for k in range(R.seats):
        out[F.seats.at + k] = 1
    out[F.modules.carnies] = R.carnies
    out[F.modules.events] = R.events
    out[F.modules.notables] = R.notables
    out[F.modules.objects] = R.objects
    out[F.modules.long] = R.long
    out[F.first_player.at + left(s.first, seat, R.seats)] = 1
    if s.stack.n > 0:
        out[F.phase.at + int(s.phase)] = 1
        out[F.question.at + int(top(s).what)] = 1
    out[F.situation.rounds] = s.rounds
    out[F.situation.season] = s.season
    out[F.situation.last_round] = s.last
    out[F.situation.turns] = s.cursor
    out[F.situation.stack] = s.entrance
    out[F.situation.bistro] = s.bistro


@jit
def show_action(s, out):
    """Write the last action that was begun, even when it is over."""
    act = s.act
    out[F.action.low] = act.low
    out[F.action.high] = act.high
    out[F.action.paid] = act.paid
    out[F.action.cost] = act.cost
    if act.verb >= 0:
        out[F.verb.at + int(act.verb)] = 1
        if act.verb == BUILD or act.verb == BURY:
            out[F.action.card] = int(act.card) + 1


@jit
def show_card(R, kind, k, out):
    """Write which traveler can be seen at place k, and the values on his card."""
    if kind != NOBODY:
        out[F.guest.at + k] = int(kind) + 1
        out[F.guest_family.at + k] = int(R.family[kind]) + 1
        out[F.guest_up.at + k] = R.up[kind]
        out[F.guest_low.at + k] = R.low[kind]
        out[F.guest_money.at + k] = R.money[kind]


@jit
def show_places(s, R, seat, out):
    """Write who owns each room and caravan, whose service token lies there, and who lodges there; the seat's own room comes first."""
    owner, service = scratch(OWNED, np.uint8), scratch(SERVED, np.uint8)  # what is shown for each value
    owner[WHITE - CLOSED] = SEATS + 1
    for p in range(R.seats):
        owner[p - CLOSED] = service[p + 1] = left(p, seat, R.seats) + 1
    for k in range(PLACES):
        if k < R.seats or k >= SEATS:
            place = absolute(k, seat, R.seats)
            out[F.place_owner.at + k] = owner[int(s.owner[place]) - CLOSED]
            if k < CARAVANS:
                out[F.service.at + k] = service[int(s.service[place]) + 1]
    write_sets(out, F.targets.at, PLACES, (relative(s.act.targets, seat, R.seats),))
    taken = relative(s.full, seat, R.seats)
    while taken != 0:
        k = lowest(taken)
        taken &= taken - 1
        show_card(R, s.guest[absolute(k, seat, R.seats)], k, out)


@jit
def show_seat(me, k, out):
    """Write the open cards and the money of the seat k places to the left."""
    at = k * len(COUNTS)
    out[F.me_counts.cash + at] = min(BYTE, int(me.cash))
    out[F.me_counts.checks + at] = min(BYTE, int(me.checks))
    out[F.me_counts.cards + at] = me.cards
    out[F.me_counts.corpses + at] = me.corpses
    out[F.me_counts.tokens + at] = me.tokens
    out[F.me_counts.buried + at] = me.buried
    out[F.me_counts.interred + at] = me.interred
    out[F.me_counts.spent + at] = me.spent
    out[F.me_counts.held + at] = me.held
    write(out, F.me_hand.at + k * KINDS, me.hand)
    write(out, F.me_corpses.at + k * KINDS, me.corpse)
    write(out, F.me_annexes.at + k * ANNEXES, me.annex)
    write(out, F.me_places.at + k * ANNEXES, me.graves)


@jit
def show_events(s, out):
    """Write the event of the round, and those still to come."""
    if s.event != NOBODY:
        out[F.event.at + int(s.event)] = 1
    deck = int(s.event_deck)
    write_sets(out, F.event_deck.at, EVENTS, (deck | deck >> EVENTS | deck >> (2 * EVENTS),))


@jit
def show_objects(s, R, seat, out):
    """Write the seat's own objects, the objects played, and their effects still on the table."""
    write_sets(out, F.my_objects.at, OBJECTS, (int(s.seat[seat].objects),))
    write_sets(out, F.used.at, OBJECTS, (int(s.used),))
    write_sets(out, F.attached.at, OBJECTS, (int(s.act.objects),))
    out[F.letter.at] = s.letter
    if s.coffee >= 0:
        out[F.coffee.at + named(s.coffee, seat, R.seats)] = 1
    if s.cake >= 0:
        out[F.cake.at + named(s.cake, seat, R.seats)] = left(s.cake_seat, seat, R.seats) + 1
    if s.snow_seat >= 0:
        out[F.snow.at + left(s.snow_seat, seat, R.seats)] = int(s.snow) + 1


@jit
def show_draft(s, R, seat, out):
    """Write for each object in which round of the draft (1 to 3) the seat saw it last; 4 marks those it may pick now."""
    now = s.cursor // R.seats if s.phase == P_DRAFT else PICKS - 1
    for k in range(HAND * R.seats):
        look = around(seat - k // HAND, R.seats)
        while look <= min(now, k % HAND):
            out[F.seen.at + int(s.slot[k])] = 4 if look == now and s.phase == P_DRAFT else look + 1
            look += R.seats
