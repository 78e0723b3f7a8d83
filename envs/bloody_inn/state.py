"""The state of one table of The Bloody Inn, and its rules as a record."""

from typing import Annotated

from alehouse.envs.bloody_inn.layout import ACTIONS, ANNEXES, CARAVANS, KINDS, LASTING, OBJECTS, PLACES, RANKS, SEATS, VERBS
from alehouse.envs.core.run.question_stack import Stack
from alehouse.envs.core.declare.record import Array, Header, RulesHeader, i1, i2, i4, i8, record

NOBODY = -1  # no guest, no card
TWIN = -2  # the twins' second coffin, a card of the removed pile
WHITE, CLOSED = -1, -2  # owners of doors
TRAVELERS = 120  # in a game at most
BUILT = 68  # annexes at a table at most, barns included
GRAVES = 3  # places under an annex at most


class Annex:
    """One annex: whose it is, the card it was built of (NOBODY for a barn), its free places and the corpses under it."""

    owner: i1
    card: i1
    free: i1
    across: i1  # dwarfs, which take no place
    corpse: Annotated[Array, "i1", GRAVES]  # NOBODY where there is none; the twins' second coffin is TWIN


class Seat:
    """One innkeeper."""

    cash: i2
    before: i2  # cash when the annex bonuses of the end begin
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
    places: Annotated[Array, "i1", ANNEXES]  # free places under them
    power: Annotated[Array, "i1", LASTING]  # what the annexes do for good, by opcode
    kinds: i8  # set of kinds in hand
    dead: i8  # set of kinds unburied
    open: i8  # set of annex kinds with a free place
    objects: i4  # set of objects in hand: secret


class Act:
    """The action under way."""

    verb: i1  # -1 until chosen
    done: i1  # targets taken so far
    card: i1  # the card being built, the corpse being buried
    origin: i1  # the place a wheelbarrow takes the card from, or -1
    cost: i1  # sum of the ranks of the targets
    low: i1  # cards that must be paid
    high: i1  # cards that may be paid
    paid: i1
    kind: i1  # cards and targets are chosen in ascending order, from here on
    used: i1  # cards of that kind already played that stay in hand
    targets: i4  # places
    objects: i4  # objects attached
    lime: i1  # the annex (by number) that quicklime made a place under, or -1


class State(Header):
    """A table."""

    phase: i1
    cursor: i1  # how far a phase has come
    quiet: i1  # seats in a row that let a window pass
    rounds: i1  # ended
    first: i1  # first player
    season: i1  # times the entrance stack ran out
    last: i1  # this round is the last
    lost: i1  # solo only
    after: i1  # an action was just taken
    entrance: i1  # cards in the entrance stack, the visible one included
    top: i1  # the visible card
    bistro: i1  # peasants
    event: i1  # revealed this round, or NOBODY
    event_on: i1
    event_deck: i2  # set of events still face down
    event_pass: i1  # times the event deck was shuffled
    letter: i1
    call: i1  # the gravedigger must be called
    coffee: i1  # place
    cake: i1  # place
    cake_seat: i1
    snow_seat: i1
    snow: i1  # the corpse hidden, by kind
    annexes: i1
    hidden: i1  # cards nobody has seen: the stack below the visible card, and the removed ones
    full: i4  # set of places with a guest
    used: i4  # set of objects played
    stack: Annotated[Stack, Stack]
    act: Annotated[Act, Act]
    guest: Annotated[Array, "i1", PLACES]
    owner: Annotated[Array, "i1", PLACES]
    service: Annotated[Array, "i1", PLACES]
    caravan: Annotated[Array, "i1", PLACES - CARAVANS]  # the card each caravan was built of
    slot: Annotated[Array, "i1", OBJECTS]  # which object lies where in the deal: hand d, pick r at 4 d + r
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
    fee: i1  # checks' worth a corpse costs at the gravedigger's
    rent: i1
    rent_high: i1
    wage: i1
    wage_high: i1
    peasants: i1
    pharmacy_hand: i1
    barn_rank: i1
    title: i2  # points for a title, alone
    ranks: Annotated[Array, "i2", len(RANKS)]  # points for each rank of the long game, alone
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
    low_upto: Annotated[Array, "i8", 64]  # kinds whose lower rank is at most k
    helps: Annotated[Array, "i8", VERBS]  # kinds that return after such an action
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
