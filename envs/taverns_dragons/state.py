"""The state of one table of Taverns & Dragons, and its rules as a record."""

from typing import Annotated

from alehouse.envs.core.run.question_stack import Stack
from alehouse.envs.core.declare.record import Array, Header, RulesHeader, i1, i2, i4, record
from alehouse.envs.taverns_dragons.layout import (
    ACTIONS, BANK, DRAGONS, ENCOUNTERS, EVENTS, FACES, FINDS, FORGED, HEROES, ITEMS, KINDS, LINES, MINIONS, MISSIONS, PLACES, RECIPES,
    ROUNDS, SEATS, SHOWN, SIDES, SLOTS, SPACES, SQUARES, SYMBOL_COUNT, TAVERNS, TOKENS, TROPHIES, ZONES,
)  # fmt: skip

NOTHING = -1  # no card, no dragon, no zone
IN_SIGHT = 5  # counts of an ingredient above it allow nothing more
PURSE = 20  # gold above it allows no more to be hired

# Stages of a hunt.
NO_HUNT, WINDOW, STRIKES, CLAWS, FLAMES, SPOILS = range(6)


class Seat:
    """One tavern, with what its minions do and carry."""

    score: i2  # on the track
    gold: i2
    energy: i1
    runes: i1
    best: i1  # the most a recipe brought, its die included
    bank: i1  # has a die on the bank this round
    source: i1  # has a die on the source this round
    marker: i1  # square of its track
    tavern: i1  # which track
    trophies: i1  # how many
    rolled: i1  # action dice rolled this round
    hunted: i1  # hunting dice rolled this round
    searched: i1  # dungeon tokens turned this round
    forged: i1  # forge tokens drawn this round
    forge: i1  # set of forge tokens held
    spoils: i1  # set of trophies: secret
    ready: i4  # set of heroes
    tired: i4  # set of heroes
    bonus: i4  # set of heroes whose bonus was used
    cooked: i4  # set of recipes
    dice: Annotated[Array, "i1", SIDES]  # available, by value
    pantry: Annotated[Array, "i1", KINDS]
    items: Annotated[Array, "i1", ITEMS]  # bought and not used
    used: Annotated[Array, "i1", ITEMS]
    zone: Annotated[Array, "i1", MINIONS]
    die: Annotated[Array, "i1", MINIONS]  # the die on a minion; 0: not moved this round
    wounds: Annotated[Array, "i1", MINIONS]
    load: Annotated[Array, "i1", MINIONS]  # ingredients carried
    bag: Annotated[Array, "i1", (MINIONS, KINDS)]


class Deed:
    """What has been done this turn."""

    placed: i1  # a die was placed, or discarded
    ended: i1
    active: i1  # the minion activated last, or NOTHING
    moved: i1  # set of minions activated
    origin: i1  # zone the active minion set out from
    collected: i1
    hunted: i1
    met: i1  # had an encounter
    bought: i1
    visited: i1  # set of slots
    cooked: i1  # a chef may season what was just cooked
    extra: i1  # hunting dice to roll beside those paid for
    space: i1  # of the recipe being cooked
    value: i1  # of the die it is cooked with
    picked: i1  # dice taken up to be re-rolled


class Hunt:
    """The hunt under way."""

    stage: i1
    shield: i1  # wounds and the special attack are ignored
    charm: i1  # dice that may be turned by a forge token
    swords: i1  # damage still to place
    bows: i1
    dice: Annotated[Array, "i1", SYMBOL_COUNT]  # hunting dice, by symbol


class State(Header):
    """A table."""

    phase: i1
    cursor: i1  # how far a phase has come
    icon: i1  # which icon the round marker crosses
    rounds: i1  # ended
    first: i1  # first player
    open: i1  # activation spaces of a place
    # work under way
    walker: i1  # the minion on its way ...
    walker_seat: i1
    steps: i1  # ... and zones still to go
    hurt: i1  # the minion being wounded ...
    hurt_seat: i1
    wounds: i1  # ... and wounds still to take
    searching: i1  # in the dungeon
    finds: i1  # set of dungeon tokens turned over
    # the board
    dragon: i1
    lines: i1  # set of lines completed
    encounter: i1  # zone of the encounter token
    goblin: i1  # zone
    goblin_items: i1  # items on his board
    unsold: i1  # items nobody has seen
    event: i1  # revealed last
    dragons: i1  # set of boards still face down
    pool: i1  # set of trophies nobody holds
    forge: i1  # set of tokens on the forge
    bank: i1  # set of spaces taken
    met: i1  # encounters so far
    events: i2  # set face down
    meetings: i2  # set of encounters face down
    meeting_pass: i1  # times they were shuffled
    recipe_pass: i1
    recipes: i4  # set face down
    thrown: i4  # set discarded
    heroes: i4  # set face down
    market: i4  # set on display
    display: Annotated[Array, "i1", SHOWN]  # recipes, top space first
    place: Annotated[Array, "i1", SLOTS]
    paid: Annotated[Array, "i1", SLOTS]  # activation spaces taken
    boxes: Annotated[Array, "i1", (LINES, 2)]  # free boxes of the dragon: swords, bows
    tokens: Annotated[Array, "i1", (ZONES, TOKENS)]
    mission: Annotated[Array, "i1", MISSIONS]  # 0 the common one, then two for each seat, the first kept; the rest undealt
    hoard: Annotated[Array, "i1", ITEMS]  # items nobody has seen, by kind
    deed: Annotated[Deed, Deed]
    hunt: Annotated[Hunt, Hunt]
    stack: Annotated[Stack, Stack]
    seat: Annotated[list[Seat], Seat, SEATS]
    can: Annotated[Array, "u8", ACTIONS.words]


class Rules(RulesHeader):
    """Every number and switch of a variant."""

    missions: i1
    events: i1
    asymmetric: i1
    encounters: i1
    goblin: i1
    start_gold: i1
    start_energy: i1
    start_runes: i1
    rounds: i1
    energy_cap: i1
    rune_cap: i1
    low_sum: i1
    low_gold: i1
    bonus_energy: i1
    pantry_point: i1
    spaces: i1  # activation spaces of a place
    hunt_energy: i1
    hunt_dice: i1
    encounter_energy: i1
    smuggler_price: i1
    goblin_price: i1
    fair_price: i1
    initial_recipes: i1
    collect_from_start: i1
    first_game_places: i1
    manual_city: i1
    # the board
    token_count: i1  # spaces for ingredient tokens
    token_space: Annotated[Array, "i1", SPACES]  # the zone of each
    tokens: Annotated[Array, "i1", TOKENS]  # of each ingredient
    market: Annotated[Array, "i1", KINDS]
    printed: Annotated[Array, "i1", ZONES]  # set of kinds
    next: Annotated[Array, "i1", ZONES]
    shortcut: Annotated[Array, "i1", ZONES]  # NOTHING where there is none
    back: Annotated[Array, "i1", ZONES]
    zone_runes: Annotated[Array, "i1", ZONES]
    beside: Annotated[Array, "i1", ZONES]  # set of slots
    bank: Annotated[Array, "i1", BANK]
    slots: Annotated[Array, "i1", MINIONS]
    extra_steps: Annotated[Array, "i1", MINIONS]
    place_energy: Annotated[Array, "i1", PLACES]
    place_pays: Annotated[Array, "i1", PLACES]  # an ingredient, or NOTHING
    place_amount: Annotated[Array, "i1", PLACES]
    find_gold: Annotated[Array, "i1", FINDS]
    find_prestige: Annotated[Array, "i1", FINDS]
    find_wounds: Annotated[Array, "i1", FINDS]
    forge: Annotated[Array, "i1", (FORGED, 5)]  # sword, bow, dice, turn, shield
    icons: Annotated[Array, "i1", (ROUNDS, 2)]
    # dragons
    face: Annotated[Array, "i1", FACES]
    lair: Annotated[Array, "i1", DRAGONS]  # slot
    appear: Annotated[Array, "i1", DRAGONS]
    appear_amount: Annotated[Array, "i1", DRAGONS]
    from_zone: Annotated[Array, "i1", DRAGONS]
    to_zone: Annotated[Array, "i1", DRAGONS]
    special: Annotated[Array, "i1", DRAGONS]
    special_amount: Annotated[Array, "i1", DRAGONS]
    boxes: Annotated[Array, "i1", (DRAGONS, LINES, 2)]
    reward: Annotated[Array, "i1", (DRAGONS, LINES)]
    reward_amount: Annotated[Array, "i1", (DRAGONS, LINES)]
    trophy: Annotated[Array, "i1", TROPHIES]
    # cards
    needs: Annotated[Array, "i1", (RECIPES, KINDS)]
    points: Annotated[Array, "i1", RECIPES]
    payable: Annotated[Array, "i4", (KINDS, IN_SIGHT + 1)]  # recipes that need at most so many of a kind
    with_kind: Annotated[Array, "i4", KINDS]  # recipes that need a kind
    price: Annotated[Array, "i1", HEROES]
    affordable: Annotated[Array, "i4", PURSE + 1]  # heroes for at most so much gold
    hero_prestige: Annotated[Array, "i1", HEROES]
    ability: Annotated[Array, "i1", HEROES]
    amount: Annotated[Array, "i1", HEROES]
    bonus: Annotated[Array, "i1", HEROES]
    rune_bonuses: i4  # heroes whose bonus is a rune
    sword_bonuses: i4
    bow_bonuses: i4
    aim: Annotated[Array, "i1", MISSIONS]
    aim_amount: Annotated[Array, "i1", MISSIONS]
    mission_prestige: Annotated[Array, "i1", MISSIONS]
    event: Annotated[Array, "i1", (EVENTS, 2)]  # plus, minus
    event_amount: Annotated[Array, "i1", (EVENTS, 2)]
    event_from: Annotated[Array, "i1", (EVENTS, 2)]
    meeting: Annotated[Array, "i1", ENCOUNTERS]
    meeting_amount: Annotated[Array, "i1", ENCOUNTERS]
    copies: Annotated[Array, "i1", ITEMS]
    square_gold: Annotated[Array, "i1", (TAVERNS, SQUARES)]
    square_energy: Annotated[Array, "i1", (TAVERNS, SQUARES)]
    square_runes: Annotated[Array, "i1", (TAVERNS, SQUARES)]
    square_prestige: Annotated[Array, "i1", (TAVERNS, SQUARES)]
    square_kind: Annotated[Array, "i1", (TAVERNS, SQUARES)]  # an ingredient, or NOTHING
    square_op: Annotated[Array, "i1", (TAVERNS, SQUARES)]


STATE, RULES = record(State), record(Rules)
