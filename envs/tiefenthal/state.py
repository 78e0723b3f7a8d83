"""The records of The Taverns of Tiefenthal: the state of one table, and the rules it is played by."""

from typing import Annotated

from alehouse.envs.core.declare.record import (
    FOLLOWS, Array, Header, RulesHeader, few, flag, i1, i2, i8, many, none_or, one_of, record, subset, upto,
)  # fmt: skip
from alehouse.envs.core.run.question_stack import Stack
from alehouse.envs.tiefenthal.layout import (
    ACTIONS, COLUMNS, DISPLAY, ENTERTAINER_NAMES, ENTERTAINERS, FACES, KINDS, LOOP, PHASES, PIECES, ROUNDS, ROWS, SEATS, SPACES, STARTS,
    STEPS, STOCKS, TAVERN,
)  # fmt: skip

NOBODY = -1
WORTH = 32  # prices in doubloons are below this number
OWNED = 256  # the most cards that a seat can own: all nobles and tavern cards, a guest for each round, its regulars
OWN_REGULARS = 14
PIPS = 6  # one more than the most pips that can help a die


class Seat:
    """What one tavern holds. The draw pile is `gained` on top of `deck`; nobody knows the order within the deck."""

    doubloons: many  # doubloons in the safe; in the seat's own turn, all its doubloons
    beer: many  # beers in the store; in the seat's own turn, all its beers
    counter: few  # number of counter guests
    monastery: Annotated[i1, upto(STEPS)]  # steps reached at the monastery
    fame: Annotated[i1, upto(LOOP)]  # the space reached on the reputation loop; 0 is the host
    schnapps: few
    extra: few  # number of extra own dice, in this round only
    shuffles: few  # how many times the discard pile became the draw pile
    deck_n: Annotated[i2, upto(OWNED)]
    gained_n: Annotated[i2, upto(OWNED)]
    discard_n: Annotated[i2, upto(OWNED)]
    upgraded: Annotated[i2, subset(PIECES)]  # the set of pieces that were upgraded
    working: Annotated[i2, subset(PIECES)]  # the set of pieces whose upgrade works already
    side: Annotated[Array, "i1", ENTERTAINERS, upto(2)]  # for each entertainer, the side chosen (1 or 2), or 0 if he has not come yet
    book: Annotated[Array, "i1", COLUMNS, upto(ROWS)]  # number of cells covered in each column
    dice: Annotated[Array, "i1", FACES, upto(127)]  # number of dice of each face still to be placed
    deck: Annotated[Array, "i1", KINDS, upto(127)]  # number of cards of each kind in the unknown part of the draw pile
    discard: Annotated[Array, "i1", KINDS, upto(127)]
    laid: Annotated[Array, "i1", KINDS, upto(127)]  # number of cards of each kind laid out in or beside the tavern
    deck_kinds: Annotated[i8, subset(KINDS)]  # the set of kinds in the deck
    discard_kinds: Annotated[i8, subset(KINDS)]
    laid_kinds: Annotated[i8, subset(KINDS)]
    gained: Annotated[Array, "i1", OWNED, one_of(KINDS)]  # the cards known to lie on top of the draw pile; the last one is drawn first


class Act:
    """The current turn: phases E and F of one seat."""

    seat: Annotated[i1, one_of(SEATS)]
    pips: few  # number of pips that can still be added to dice
    face: Annotated[i1, upto(FACES)]  # the face of the die to be placed
    last: Annotated[i1, upto(SPACES)]  # the place of the last die with that face
    income: many  # doubloons from guests and nobles with a die
    songs: few  # number of bards who have not sung yet
    discount: few  # doubloons off the price of the next upgrade
    bought: Annotated[i1, subset(TAVERN)]  # the set of tavern cards bought in this turn
    guest: flag  # 1 if a guest was bought in this turn
    nobles: flag  # 1 if nobles were bought in this turn
    ending: flag  # 1 if the turn is over except for dice to collect
    vacant: Annotated[i8, subset(SPACES)]  # the set of places that can take a die; during serving, the patrons in the tavern
    on: Annotated[Array, "i1", SPACES, upto(127)]  # number of dice on each place


class State(Header):
    """The state of one table."""

    phase: Annotated[i1, one_of(PHASES)]
    evening: Annotated[i1, upto(ROUNDS)]  # the number of the round, from 1
    cursor: few  # how many seats of the current phase are done
    first: Annotated[i1, one_of(SEATS)]  # the seat of the start player
    filled: flag  # 1 if the tavern of the next seat is filled
    schnapps: few  # glasses of schnapps in the supply
    tiles: few  # number of signature tiles in the supply
    counters: few  # number of counter guests beside the board
    starts: Annotated[i2, subset(STARTS)]  # the set of start cards to choose from
    deck_n: few  # number of guests in the deck
    cheap_n: few  # number of guests in the cheap pile below the top one
    signed: Annotated[i1, subset(DISPLAY)]  # the set of places on display with a signature tile
    stocked: Annotated[i1, subset(TAVERN)]  # the set of tavern cards that can still be bought
    stack: Annotated[Stack, Stack]
    act: Annotated[Act, Act]
    open: Annotated[Array, "i1", DISPLAY, none_or(KINDS)]  # the guest at each place of the display, or NOBODY
    stock: Annotated[Array, "i1", STOCKS, upto(127)]  # number of cards in each pile of nobles and tavern cards
    unseen: Annotated[Array, "i1", KINDS, upto(127)]  # number of guests of each kind in the deck and the cheap pile; their order is unknown
    box: Annotated[Array, "i1", KINDS, upto(127)]  # number of cards of each kind out of the game
    coaster: Annotated[Array, "i1", (SEATS, FACES), upto(127)]  # white dice on each coaster, by face; coaster c began in front of seat c
    seat: Annotated[list[Seat], Seat, SEATS]
    can: Annotated[Array, "u8", ACTIONS.words]


class Rules(RulesHeader):
    """Every number and switch of the rules in a variant."""

    schnapps: i1
    reputation: i1
    start_cards: i1
    guest_book: i1
    rounds: i1
    white_dice: i1
    own_dice: i1
    counters: i1  # number of counter guests beside the board
    open_guests: i1
    monastery_end: i1
    glasses: i1
    keep: i1
    glass_doubloons: i1
    glass_beer: i1
    tiles: i1
    # Values of the cards, by kind
    copies: Annotated[Array, "i1", KINDS]  # number of cards in this variant; of regulars, for each seat
    vp: Annotated[Array, "i1", KINDS]
    die: Annotated[Array, "i1", KINDS]  # the face of the die that a patron wants
    pay: Annotated[Array, "i1", SPACES]  # doubloons that a patron or noble pays
    beers: Annotated[Array, "i1", KINDS]  # price of a guest in beers
    bonus: Annotated[Array, "i1", KINDS]
    amount: Annotated[Array, "i1", KINDS]
    column: Annotated[Array, "i1", KINDS]  # the column of the guest book that a guest signs in
    cheap: i8  # the set of kinds in the cheap pile
    price: Annotated[Array, "i1", TAVERN]
    affordable: Annotated[Array, "i1", WORTH]  # the set of tavern cards that this many doubloons can buy
    noble_beers: Annotated[Array, "i1", 3]
    # Dice
    pips: Annotated[Array, "i1", (FACES, SPACES)]  # pips to add to a die of this face for this place; PIPS where it cannot go
    reach: Annotated[Array, "i8", (FACES, PIPS)]  # the set of places for a die of this face with this many added pips
    # Pieces of a tavern
    level: Annotated[Array, "i1", (2, len(PIECES))]
    cost: Annotated[Array, "i1", len(PIECES)]
    upgradable: Annotated[Array, "i2", WORTH]  # the set of pieces that this many doubloons can upgrade
    at_once: i2  # the set of pieces whose upgrade works at once
    discounted: i2  # the set of pieces with a discount for cards given up
    staff: Annotated[Array, "i1", len(PIECES)]  # the kind of those cards, NOBODY where there is no discount
    # Tracks and rounds
    step_bonus: Annotated[Array, "i1", STEPS + 1]
    step_amount: Annotated[Array, "i1", STEPS + 1]
    step_before: Annotated[Array, "i1", STEPS + 1, FOLLOWS]  # the last step up to this one that gives a bonus, or 0
    step_after: Annotated[Array, "i1", STEPS + 1, FOLLOWS]  # the first step after this one that gives a bonus, or STEPS + 1
    round_schnapps: Annotated[Array, "i1", ROUNDS + 1]
    round_entertainer: Annotated[Array, "i1", ROUNDS + 1]  # the entertainer who comes in each round (1 to 3), 0 for none
    round_counter: Annotated[Array, "i1", ROUNDS + 1]
    round_card: Annotated[Array, "i1", ROUNDS + 1]  # the card that each round gives, NOBODY for none
    round_or_card: Annotated[Array, "i1", ROUNDS + 1]
    round_die: Annotated[Array, "i1", ROUNDS + 1]
    round_discount: Annotated[Array, "i1", ROUNDS + 1]
    glass_cost: Annotated[Array, "i1", len(ENTERTAINER_NAMES)]
    loop: i1  # number of spaces on the reputation loop
    space: Annotated[Array, "i1", LOOP + 1]  # the kind of each space
    points: Annotated[Array, "i1", LOOP + 1]  # the points of each space at the end
    cell_bonus: Annotated[Array, "i1", (ROWS, COLUMNS)]
    cell_amount: Annotated[Array, "i1", (ROWS, COLUMNS)]
    start_kit: Annotated[Array, "i1", (STARTS, TAVERN)]
    start_steps: Annotated[Array, "i1", STARTS]
    start_dismiss: Annotated[Array, "i1", STARTS]
    start_schnapps: Annotated[Array, "i1", STARTS]
    start_upgrade: Annotated[Array, "i1", STARTS]  # the piece that each start card upgrades, NOBODY for none
    start_beer: Annotated[Array, "i1", STARTS]
    # Switches: 0 for the default reading of a rule, 1 for the other
    many_purchases: i1
    k1_always: i1
    hire_takes_card: i1
    nobles_apart: i1


STATE, RULES = record(State), record(Rules)
