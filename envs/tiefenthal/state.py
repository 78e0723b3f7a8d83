"""The state of one table of The Taverns of Tiefenthal, and the rules it is played by, as records."""

from typing import Annotated

from alehouse.envs.core.run.question_stack import Stack
from alehouse.envs.core.declare.record import Array, Header, RulesHeader, i1, i2, i8, record
from alehouse.envs.tiefenthal.layout import (
    ACTIONS, COLUMNS, DISPLAY, ENTERTAINER_NAMES, ENTERTAINERS, FACES, KINDS, LOOP, PIECES, ROUNDS, ROWS, SEATS, SPACES, STARTS, STEPS,
    STOCKS, TAVERN,
)  # fmt: skip

NOBODY = -1
WORTH = 32  # prices in doubloons are below it
OWNED = 160  # cards a seat owns at most: 6 x 16 tavern cards, 42 nobles, 8 guests, 14 regulars
OWN_REGULARS = 14
PIPS = 6  # pips that can make a difference to a die, and one more


class Seat:
    """One tavern. The draw pile is `gained` on top of `deck`; nobody knows the order within the deck."""

    doubloons: i2  # in the safe; in the own turn, all one has
    beer: i2  # in the store; in the own turn, all one has
    counter: i1  # counter guests
    monastery: i1  # step on its track
    fame: i1  # space of the reputation loop, 0 on the host
    schnapps: i1
    extra: i1  # own dice more, this round only
    shuffles: i1  # times the discard pile became the draw pile
    deck_n: i2
    gained_n: i2
    discard_n: i2
    upgraded: i2  # set of pieces flipped
    working: i2  # set of pieces whose upgrade is in force
    side: Annotated[Array, "i1", ENTERTAINERS]  # 0: not there yet, else the side chosen
    book: Annotated[Array, "i1", COLUMNS]  # cells covered in each column
    dice: Annotated[Array, "i1", FACES]  # to be placed, by face
    deck: Annotated[Array, "i1", KINDS]  # cards of the draw pile in unknown order
    discard: Annotated[Array, "i1", KINDS]
    laid: Annotated[Array, "i1", KINDS]  # in or beside the tavern
    deck_kinds: i8  # set of kinds in the deck
    discard_kinds: i8
    laid_kinds: i8
    gained: Annotated[Array, "i1", OWNED]  # cards known to lie on top of the draw pile, the last one first to be drawn


class Act:
    """The turn under way: phases E and F of one seat."""

    seat: i1
    pips: i1  # left to be added to dice
    face: i1  # of the die to be placed
    last: i1  # place of the last die of that face
    income: i2  # doubloons from guests and nobles with a die
    songs: i1  # not yet sung
    discount: i1  # on the next upgrade
    bought: i1  # set of tavern cards bought
    guest: i1  # a guest was bought
    nobles: i1  # a set of nobles was bought
    ending: i1  # the turn is over but for what is collected
    vacant: i8  # set of places that take a die; while serving, of patrons in the tavern
    on: Annotated[Array, "i1", SPACES]  # dice on each place


class State(Header):
    """A table."""

    phase: i1
    evening: i1  # round, from 1
    cursor: i1  # how far a phase has come
    first: i1  # start player
    filled: i1  # the tavern under the cursor was filled
    schnapps: i1  # in the supply
    tiles: i1  # signature tiles in the supply
    counters: i1  # counter guests beside the board
    starts: i2  # set of start cards on offer
    deck_n: i1  # guests in the deck
    cheap_n: i1  # guests in the cheap pile below the top one
    signed: i1  # set of places of the display with a signature tile
    stocked: i1  # set of tavern cards still to be had
    stack: Annotated[Stack, Stack]
    act: Annotated[Act, Act]
    open: Annotated[Array, "i1", DISPLAY]  # guests on offer, NOBODY where there is none
    stock: Annotated[Array, "i1", STOCKS]  # nobles and tavern cards
    unseen: Annotated[Array, "i1", KINDS]  # guests in the deck and in the cheap pile; their order is unknown
    box: Annotated[Array, "i1", KINDS]  # out of the game
    coaster: Annotated[Array, "i1", (SEATS, FACES)]  # white dice by face; coaster c began in front of seat c
    seat: Annotated[list[Seat], Seat, SEATS]
    can: Annotated[Array, "u8", ACTIONS.words]


class Rules(RulesHeader):
    """Every number and switch of a variant."""

    schnapps: i1
    reputation: i1
    start_cards: i1
    guest_book: i1
    rounds: i1
    white_dice: i1
    own_dice: i1
    counters: i1  # counter guests beside the board
    open_guests: i1
    monastery_end: i1
    glasses: i1
    keep: i1
    glass_doubloons: i1
    glass_beer: i1
    tiles: i1
    # cards
    copies: Annotated[Array, "i1", KINDS]  # in this variant; of regulars, for each seat
    vp: Annotated[Array, "i1", KINDS]
    die: Annotated[Array, "i1", KINDS]  # of patrons
    pay: Annotated[Array, "i1", SPACES]  # of patrons and nobles
    beers: Annotated[Array, "i1", KINDS]  # price of guests
    bonus: Annotated[Array, "i1", KINDS]
    amount: Annotated[Array, "i1", KINDS]
    column: Annotated[Array, "i1", KINDS]  # of the guest book
    cheap: i8  # set of kinds of the cheap pile
    price: Annotated[Array, "i1", TAVERN]
    affordable: Annotated[Array, "i1", WORTH]  # tavern cards for at most so many doubloons
    noble_beers: Annotated[Array, "i1", 3]
    # dice
    pips: Annotated[Array, "i1", (FACES, SPACES)]  # pips a die of a face needs for a place; PIPS where it can not go
    reach: Annotated[Array, "i8", (FACES, PIPS)]  # places for a die of a face and at most so many pips
    # pieces
    level: Annotated[Array, "i1", (2, len(PIECES))]
    cost: Annotated[Array, "i1", len(PIECES)]
    upgradable: Annotated[Array, "i2", WORTH]  # pieces for at most so many doubloons
    at_once: i2  # set of pieces whose upgrade works at once
    # tracks
    step_bonus: Annotated[Array, "i1", STEPS + 1]
    step_amount: Annotated[Array, "i1", STEPS + 1]
    round_schnapps: Annotated[Array, "i1", ROUNDS + 1]
    round_entertainer: Annotated[Array, "i1", ROUNDS + 1]  # 1 to 3, 0 for none
    round_counter: Annotated[Array, "i1", ROUNDS + 1]
    round_card: Annotated[Array, "i1", ROUNDS + 1]  # kinds, NOBODY for none
    round_or_card: Annotated[Array, "i1", ROUNDS + 1]
    round_die: Annotated[Array, "i1", ROUNDS + 1]
    round_discount: Annotated[Array, "i1", ROUNDS + 1]
    glass_cost: Annotated[Array, "i1", len(ENTERTAINER_NAMES)]
    loop: i1  # spaces of the reputation loop
    space: Annotated[Array, "i1", LOOP + 1]  # what each of them is
    points: Annotated[Array, "i1", LOOP + 1]  # what each of them is worth in the end
    cell_bonus: Annotated[Array, "i1", (ROWS, COLUMNS)]
    cell_amount: Annotated[Array, "i1", (ROWS, COLUMNS)]
    start_kit: Annotated[Array, "i1", (STARTS, TAVERN)]
    start_steps: Annotated[Array, "i1", STARTS]
    start_dismiss: Annotated[Array, "i1", STARTS]
    start_schnapps: Annotated[Array, "i1", STARTS]
    start_upgrade: Annotated[Array, "i1", STARTS]  # a piece, NOBODY for none
    start_beer: Annotated[Array, "i1", STARTS]
    # switches
    many_purchases: i1
    k1_always: i1
    hire_takes_card: i1
    nobles_apart: i1


STATE, RULES = record(State), record(Rules)
