"""The records of The Bloody Inn: the state of one table, and the rules it is played by."""

from typing import Annotated

from alehouse.envs.bloody_inn.layout import (
    ACTIONS, ANNEXES, CARAVANS, EVENTS, KINDS, LASTING, OBJECTS, PHASES, PLACES, RANKS, SEATS, VERBS,
)  # fmt: skip
from alehouse.envs.core.declare.record import (
    Array, Header, RulesHeader, between, few, flag, i1, i2, i4, i8, many, none_or, one_of, record, subset, upto,
)  # fmt: skip
from alehouse.envs.core.run.question_stack import Stack

NOBODY = -1  # stands for no guest, or no card
TWIN = -2  # the twins' second coffin, which is a card of the removed pile
WHITE, CLOSED = -1, -2  # owners of rooms without a seat: rooms of the white keys, and closed rooms
MOST_CARDS = 127  # the most cards in a game, counting peasants: a number of a record counts no further
BUILT = 68  # the most annexes at a table, counting barns
GRAVES = 3  # the most graves under an annex


class Annex:
    """An annex and the corpses under it. A grave is the place for one corpse."""

    owner: Annotated[i1, one_of(SEATS)]
    card: Annotated[i1, none_or(KINDS)]  # the card it was built from, or NOBODY for a barn
    free: Annotated[i1, upto(GRAVES)]  # number of graves without a corpse
    across: few  # number of dwarfs laid across, who need no grave
    corpse: Annotated[Array, "i1", GRAVES, between(TWIN, KINDS - 1)]  # the kind in each grave, NOBODY for none, TWIN for a second coffin


class Seat:
    """What one innkeeper has."""

    cash: many
    before: many  # cash just before annexes pay at the end
    checks: many  # number of checks, worth 10F each
    cards: few  # number of accomplices in hand
    corpses: few  # number of unburied corpses
    tokens: few
    buried: few  # number of corpses under the seat's own annexes
    interred: few  # number of corpses that this seat buried anywhere
    spent: few  # price of the objects it kept; public once the draft is over
    held: Annotated[i1, upto(OBJECTS)]  # number of objects in hand
    hand: Annotated[Array, "i1", KINDS, upto(127)]
    corpse: Annotated[Array, "i1", KINDS, upto(127)]  # number of unburied corpses of each kind
    annex: Annotated[Array, "i1", ANNEXES, upto(BUILT)]  # number of annexes of each kind
    graves: Annotated[Array, "i1", ANNEXES, upto(127)]  # number of free graves under the annexes of each kind
    power: Annotated[Array, "i1", LASTING, upto(127)]  # total amount of each lasting effect of its annexes, by opcode
    kinds: Annotated[i8, subset(KINDS)]  # the set of kinds in hand
    dead: Annotated[i8, subset(KINDS)]  # the set of kinds of unburied corpses
    open: Annotated[i8, subset(ANNEXES)]  # the set of annex kinds with a free grave
    objects: Annotated[i4, subset(OBJECTS)]  # the set of objects in hand, which is secret


class Act:
    """The current action, its targets and its payment."""

    verb: Annotated[i1, none_or(VERBS)]  # the kind of action, or -1 before it is chosen
    card: Annotated[i1, one_of(KINDS)]  # the card that is built, or the corpse that is buried
    origin: Annotated[i1, none_or(PLACES)]  # the place from which a wheelbarrow takes the card, or -1
    cost: few  # sum of the ranks of the targets
    low: few  # number of cards that must be played, or of accomplices that must leave unpaid
    high: few  # number of cards that may be played
    paid: few  # number of cards played, or of accomplices that have left
    kind: Annotated[i1, one_of(KINDS)]  # cards and targets are chosen in ascending order; the next one may not be below this
    used: few  # number of cards of that kind that were played and return to the hand
    targets: Annotated[i4, subset(PLACES)]  # the set of places that are targets
    objects: Annotated[i4, subset(OBJECTS)]  # the set of objects played with the action
    lime: Annotated[i1, none_or(BUILT)]  # the number of the annex in which quicklime emptied a grave, or -1


class State(Header):
    """The state of one table."""

    phase: Annotated[i1, one_of(PHASES)]
    cursor: few  # how many picks, actions or seats of the current phase are done
    rounds: few  # number of rounds that have ended
    first: Annotated[i1, one_of(SEATS)]  # the seat of the first player
    season: flag  # how often the exit stack became the entrance stack
    last: flag  # 1 if this round is the last
    lost: flag  # 1 if a player alone has lost
    entrance: Annotated[i1, upto(MOST_CARDS)]  # number of cards in the entrance stack, counting the visible one
    top: Annotated[i1, none_or(KINDS)]  # the kind of the visible card
    bistro: few  # number of peasants in the bistro
    event: Annotated[i1, none_or(EVENTS)]  # the event revealed this round, or NOBODY
    event_on: flag  # 1 if the event applies in phase 3
    event_deck: Annotated[i4, subset(3 * EVENTS)]  # the set of event cards still face down, of three copies at most
    event_pass: few  # how often the event deck was shuffled again
    letter: flag  # 1 if a letter of denunciation was sent this round
    coffee: Annotated[i1, none_or(PLACES)]  # the place where coffee was served, or -1
    cake: Annotated[i1, none_or(PLACES)]  # the place where a cake waits, or -1
    cake_seat: Annotated[i1, none_or(SEATS)]  # the seat that served the cake
    snow_seat: Annotated[i1, none_or(SEATS)]  # the seat whose corpse lies under a snow pile, or -1
    snow: Annotated[i1, one_of(KINDS)]  # the kind of that corpse
    annexes: Annotated[i1, upto(BUILT)]  # number of annexes at the table
    hidden: Annotated[i1, upto(MOST_CARDS)]  # number of cards that nobody has seen: the stack below the visible card, and the removed cards
    full: Annotated[i4, subset(PLACES)]  # the set of places with a guest
    used: Annotated[i4, subset(OBJECTS)]  # the set of objects that were played
    stack: Annotated[Stack, Stack]
    act: Annotated[Act, Act]
    guest: Annotated[Array, "i1", PLACES, none_or(KINDS)]
    owner: Annotated[Array, "i1", PLACES, between(CLOSED, SEATS - 1)]
    service: Annotated[Array, "i1", PLACES, none_or(SEATS)]  # for each place, the seat whose service token lies there, or -1
    caravan: Annotated[Array, "i1", PLACES - CARAVANS, none_or(KINDS)]  # the card that each caravan was built from
    slot: Annotated[Array, "i1", OBJECTS, one_of(OBJECTS)]  # the object in each slot of the draft
    unseen: Annotated[Array, "i1", KINDS, upto(127)]  # number of hidden cards of each kind, from which the stack is drawn
    exit: Annotated[Array, "i1", KINDS, upto(127)]
    box: Annotated[Array, "i1", KINDS, upto(127)]
    seat: Annotated[list[Seat], Seat, SEATS]
    built: Annotated[list[Annex], Annex, BUILT]
    can: Annotated[Array, "u8", ACTIONS.words]


class Rules(RulesHeader):
    """Every number and switch of the rules in a variant."""

    carnies: i1
    events: i1
    notables: i1
    objects: i1
    long: i1
    remove: i1
    white_keys: i1
    tokens: i1
    start_cash: i1
    start_checks: i1
    start_peasants: i1
    start_bistro: i1
    event_copies: i1 = 1
    actions: i1
    cash_limit: i1
    fee: i1  # number of checks that the gravedigger takes for a corpse
    rent: i1
    rent_high: i1
    wage: i1
    wage_high: i1
    peasants: i1
    pharmacy_hand: i1
    barn_rank: i1
    title: i2  # points that a player alone needs for the title
    ranks: Annotated[Array, "i2", len(RANKS)]  # points that a player alone needs for each rank in the long game
    # Values of the cards, by kind
    family: Annotated[Array, "i1", KINDS]
    aptitude: Annotated[Array, "i1", KINDS]
    up: Annotated[Array, "i1", KINDS]
    low: Annotated[Array, "i1", KINDS]
    money: Annotated[Array, "i1", KINDS]
    copies: Annotated[Array, "i1", KINDS]  # number of cards of each kind in this variant
    annex: Annotated[Array, "i1", KINDS]  # the annex that each kind can become, or -1
    special: Annotated[Array, "i1", KINDS]
    buildable: i8  # the set of kinds that can become an annex
    caravans: i8  # the set of kinds that become a caravan
    low_upto: Annotated[Array, "i8", 64]  # for each rank, the set of kinds whose lower rank does not exceed it
    helps: Annotated[Array, "i8", VERBS]  # for each verb, the set of kinds that return to the hand after such an action
    police: i8  # the set of kinds that are police
    # Values of the annexes, by kind
    op: Annotated[Array, "i1", ANNEXES]
    amount: Annotated[Array, "i1", ANNEXES]
    per_card: Annotated[Array, "i1", ANNEXES]
    colour: Annotated[Array, "i1", ANNEXES]  # the family of the card that an annex is built from
    # Values of the objects and events
    price: Annotated[Array, "i1", OBJECTS]
    worth: Annotated[Array, "i1", OBJECTS]
    event_amount: Annotated[Array, "i1", 8]
    # Switches: 0 for the default reading of a rule, 1 for the other
    barker_checkin: i1
    twins_any: i1
    dwarf_needs_rank: i1
    pickpockets_two: i1
    coffee_weak: i1
    cake_own: i1
    quicklime_ignores: i1
    well_free: i1
    end_uncapped: i1
    annex_once: i1
    discount_forced: i1
    eager: i1
    unlimited: i1
    in_order: i1
    confess_interred: i1


STATE, RULES = record(State), record(Rules)
