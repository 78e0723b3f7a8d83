"""The state of one table of The Bloody Inn, and its rules as a record."""

from typing import Annotated

from alehouse.envs.bloody_inn.layout import ACTIONS, ANNEXES, CARAVANS, KINDS, LASTING, OBJECTS, PLACES, RANKS, SEATS, VERBS
from alehouse.envs.core.run.question_stack import Stack
from alehouse.envs.core.declare.record import Array, Header, RulesHeader, i1, i2, i4, i8, record

NOBODY = -1  # no guest, no card
TWIN = -2  # the twins' second coffin, a card of the removed pile
WHITE, CLOSED = -1, -2  # owners of doors
TRAVELERS = 120  # in a game at most
BUILT = 68  # annexes at a table at most, with barns
GRAVES = 3  # under an annex at most


class Annex:
    """An annex and the corpses under it. A grave is a place for one corpse."""

    owner: i1
    card: i1  # it was built of; NOBODY for a barn
    free: i1  # graves without a corpse
    across: i1  # dwarfs, which need no grave
    corpse: Annotated[Array, "i1", GRAVES]  # NOBODY where there is none; the twins' second coffin is TWIN


class Seat:
    """An innkeeper."""

    cash: i2
    before: i2  # cash just before annexes pay at the end
    checks: i2  # of 10F each
    cards: i1  # accomplices in hand
    corpses: i1  # unburied
    tokens: i1
    buried: i1  # corpses under own annexes
    interred: i1  # corpses this seat buried anywhere
    spent: i1  # price of the objects kept, public once the draft is over
    held: i1  # objects in hand
    hand: Annotated[Array, "i1", KINDS]
    corpse: Annotated[Array, "i1", KINDS]  # unburied, by kind
    annex: Annotated[Array, "i1", ANNEXES]  # annexes of each kind
    graves: Annotated[Array, "i1", ANNEXES]  # free graves under the annexes of each kind
    power: Annotated[Array, "i1", LASTING]  # what the annexes do as long as they stand, by opcode
    kinds: i8  # set of kinds in hand
    dead: i8  # set of kinds of unburied corpses
    open: i8  # set of annex kinds with a free grave
    objects: i4  # set of objects in hand: secret


class Act:
    """The action under way, its targets and its payment."""

    verb: i1  # -1 until it is chosen
    card: i1  # the card that is built, the corpse that is buried
    origin: i1  # the place from which a wheelbarrow takes the card, or -1
    cost: i1  # sum of the ranks of the targets
    low: i1  # cards that must be played; accomplices that must leave unpaid
    high: i1  # cards that may be played
    paid: i1  # cards played; accomplices that have left
    kind: i1  # cards and targets are chosen in ascending order, from this one on
    used: i1  # cards of that kind that were played and stay in hand
    targets: i4  # set of places
    objects: i4  # set of objects attached
    lime: i1  # the number of the annex in which quicklime emptied a grave, or -1


class State(Header):
    """A table."""

    phase: i1
    cursor: i1  # how far a phase has come: picks, actions or seats that are done
    rounds: i1  # that have ended
    first: i1  # first player
    season: i1  # how often the entrance stack was made of the exit stack
    last: i1  # whether this round is the last
    lost: i1  # whether a player alone has lost
    entrance: i1  # cards in the entrance stack, the visible one included
    top: i1  # the visible card
    bistro: i1  # peasants
    event: i1  # revealed this round, or NOBODY
    event_on: i1  # whether it applies in phase 3
    event_deck: i2  # set of events still face down
    event_pass: i1  # how often the event deck was shuffled again
    letter: i1  # whether a letter of denunciation was sent this round
    coffee: i1  # the place where coffee was served, or -1
    cake: i1  # the place where a cake waits, or -1
    cake_seat: i1  # whose cake it is
    snow_seat: i1  # whose corpse lies under a snow pile, or -1
    snow: i1  # that corpse, by kind
    annexes: i1  # how many there are
    hidden: i1  # cards that nobody has seen: the stack below the visible card, and the removed ones
    full: i4  # set of places with a guest
    used: i4  # set of objects played
    stack: Annotated[Stack, Stack]
    act: Annotated[Act, Act]
    guest: Annotated[Array, "i1", PLACES]
    owner: Annotated[Array, "i1", PLACES]
    service: Annotated[Array, "i1", PLACES]  # the seat whose service token lies there, or -1
    caravan: Annotated[Array, "i1", PLACES - CARAVANS]  # the card that each caravan was built of
    slot: Annotated[Array, "i1", OBJECTS]  # the object in each slot of the draft
    unseen: Annotated[Array, "i1", KINDS]  # the hidden cards by kind; the stack is drawn from them
    exit: Annotated[Array, "i1", KINDS]
    box: Annotated[Array, "i1", KINDS]
    seat: Annotated[list[Seat], Seat, SEATS]
    built: Annotated[list[Annex], Annex, BUILT]
    can: Annotated[Array, "u8", ACTIONS.words]


class Rules(RulesHeader):
    """Every number and switch of a variant."""

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
    actions: i1
    cash_limit: i1
    fee: i1  # what the gravedigger takes for a corpse, in checks
    rent: i1
    rent_high: i1
    wage: i1
    wage_high: i1
    peasants: i1
    pharmacy_hand: i1
    barn_rank: i1
    title: i2  # points that a player alone needs for a title
    ranks: Annotated[Array, "i2", len(RANKS)]  # points that a player alone needs for each rank of the long game
    # cards
    family: Annotated[Array, "i1", KINDS]
    aptitude: Annotated[Array, "i1", KINDS]
    up: Annotated[Array, "i1", KINDS]
    low: Annotated[Array, "i1", KINDS]
    money: Annotated[Array, "i1", KINDS]
    copies: Annotated[Array, "i1", KINDS]  # in this variant
    annex: Annotated[Array, "i1", KINDS]  # -1: none
    special: Annotated[Array, "i1", KINDS]
    buildable: i8  # set of kinds
    caravans: i8  # set of kinds that become a caravan
    low_upto: Annotated[Array, "i8", 64]  # for each rank, the set of kinds whose lower rank is at most that
    helps: Annotated[Array, "i8", VERBS]  # for each verb, the set of kinds that return after such an action
    police: i8  # set of kinds
    # annexes
    op: Annotated[Array, "i1", ANNEXES]
    amount: Annotated[Array, "i1", ANNEXES]
    per_card: Annotated[Array, "i1", ANNEXES]
    colour: Annotated[Array, "i1", ANNEXES]  # the family of the card it is built of
    # objects and events
    price: Annotated[Array, "i1", OBJECTS]
    worth: Annotated[Array, "i1", OBJECTS]
    event_amount: Annotated[Array, "i1", 8]
    # switches
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
