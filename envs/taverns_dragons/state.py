"""The state of one table of Taverns & Dragons, and its rules as a record."""

from typing import Annotated

from alehouse.envs.core.run.question_stack import Stack
from alehouse.envs.core.declare.record import Array, Header, RulesHeader, i1, i2, i4, record
from alehouse.envs.taverns_dragons.layout import (
    ACTIONS, BANK, DRAGONS, ENCOUNTERS, EVENTS, FACES, FINDS, FORGED, HEROES, ITEMS, KINDS, LINES, MINIONS, MISSIONS, PLACES, RECIPES,
    ROUNDS, SEATS, SHOWN, SIDES, SLOTS, SPACES, SQUARES, SYMBOL_COUNT, TAVERNS, TOKENS, TROPHIES, ZONES,
)  # fmt: skip

NOTHING = -1  # no card, no dragon, no zone
IN_SIGHT = 5  # more of an ingredient than this makes no further recipe possible
PURSE = 20  # more gold than this makes no further hero affordable


class Seat:
    """One tavern, with what its minions carry."""

    score: i2  # prestige on the track
    gold: i2
    energy: i1
    runes: i1
    best: i1  # prestige of the best recipe cooked, its die included
    bank: i1  # whether a die of the seat is on the bank
    source: i1  # whether a die of the seat is on the source
    marker: i1  # square of the track
    tavern: i1  # which of the five tracks
    trophies: i1  # number of trophies
    rolled: i1  # action dice rolled this round
    hunted: i1  # hunting dice rolled this round
    searched: i1  # dungeon tokens turned over this round
    forged: i1  # forge tokens drawn this round
    forge: i1  # set of forge tokens held
    spoils: i1  # set of trophies, which is secret
    ready: i4  # set of heroes
    tired: i4  # set of exhausted heroes
    bonus: i4  # set of heroes whose bonus was used
    cooked: i4  # set of recipes
    dice: Annotated[Array, "i1", SIDES]  # available dice, by value
    pantry: Annotated[Array, "i1", KINDS]  # stored ingredients
    items: Annotated[Array, "i1", ITEMS]  # items bought and not used yet
    used: Annotated[Array, "i1", ITEMS]  # items used
    zone: Annotated[Array, "i1", MINIONS]  # where each minion stands
    die: Annotated[Array, "i1", MINIONS]  # value of the die on each minion; 0 if it was not moved this round
    wounds: Annotated[Array, "i1", MINIONS]
    load: Annotated[Array, "i1", MINIONS]  # number of ingredients each minion carries
    bag: Annotated[Array, "i1", (MINIONS, KINDS)]  # ingredients each minion carries


class Deed:
    """What has been done this turn."""

    placed: i1  # whether a die was placed or discarded
    active: i1  # the minion activated last, or NOTHING
    moved: i1  # set of minions activated
    origin: i1  # zone from which the active minion set out
    collected: i1  # whether the active minion collected an ingredient
    hunted: i1  # whether the active minion hunted
    met: i1  # whether a minion had an encounter
    bought: i1  # whether an item was bought
    visited: i1  # set of slots whose place was visited
    cooked: i1  # whether a recipe was cooked that the Royal Chef may still season
    extra: i1  # hunting dice to roll in addition to those paid for
    picked: i1  # action dice taken up to be re-rolled


class Hunt:
    """The hunt under way; all zero while nobody hunts."""

    shield: i1  # whether wounds and the special attack are ignored
    charm: i1  # hunting dice that forge tokens may turn
    swords: i1  # damage still to be marked; before the attack only that of forge tokens and the glaive
    bows: i1
    dice: Annotated[Array, "i1", SYMBOL_COUNT]  # hunting dice, by symbol


class State(Header):
    """One table."""

    phase: i1
    cursor: i1  # how far a phase has come
    icon: i1  # number of icons the round marker has crossed
    rounds: i1  # number of rounds ended
    first: i1  # the first player
    open: i1  # activation spaces of each place
    finds: i1  # set of dungeon tokens turned over
    dragon: i1
    lines: i1  # set of lines completed
    encounter: i1  # zone of the encounter token
    goblin: i1  # zone of the goblin
    goblin_items: i1  # items on his board
    unsold: i1  # items nobody has seen
    event: i1  # the event revealed last
    dragons: i1  # set of dragon boards face down
    pool: i1  # set of trophies nobody holds
    forge: i1  # set of forge tokens nobody holds
    bank: i1  # set of spaces of the bank that are taken
    met: i1  # number of encounters so far
    events: i2  # set of events face down
    meetings: i2  # set of encounters face down
    meeting_pass: i1  # times the encounters were shuffled again
    recipe_pass: i1  # times the recipes were shuffled again
    recipes: i4  # set of recipes face down
    thrown: i4  # set of recipes discarded
    heroes: i4  # set of heroes face down
    market: i4  # set of heroes on display
    display: Annotated[Array, "i1", SHOWN]  # recipes on display, top space first
    place: Annotated[Array, "i1", SLOTS]  # the place on each slot
    paid: Annotated[Array, "i1", SLOTS]  # activation spaces taken
    boxes: Annotated[Array, "i1", (LINES, 2)]  # free boxes of the dragon: swords, bows
    tokens: Annotated[Array, "i1", (ZONES, TOKENS)]  # ingredient tokens
    mission: Annotated[Array, "i1", MISSIONS]  # the common one, then two for each seat with the one kept first, then those not dealt
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
    spaces: i1  # activation spaces of each place
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
    token_count: i1  # number of spaces for ingredient tokens
    token_space: Annotated[Array, "i1", SPACES]  # the zone of each space
    tokens: Annotated[Array, "i1", TOKENS]  # number of tokens of each ingredient
    market: Annotated[Array, "i1", KINDS]  # price of storing an ingredient, 0 where the market does not store it
    printed: Annotated[Array, "i1", ZONES]  # set of ingredients printed in each zone
    next: Annotated[Array, "i1", ZONES]  # the next zone clockwise
    shortcut: Annotated[Array, "i1", ZONES]  # where a shortcut leads, NOTHING where there is none
    back: Annotated[Array, "i1", ZONES]  # the zone before
    zone_runes: Annotated[Array, "i1", ZONES]
    beside: Annotated[Array, "i1", ZONES]  # set of slots beside each zone
    bank: Annotated[Array, "i1", BANK]  # gold of each space
    slots: Annotated[Array, "i1", MINIONS]
    extra_steps: Annotated[Array, "i1", MINIONS]
    place_energy: Annotated[Array, "i1", PLACES]
    place_pays: Annotated[Array, "i1", PLACES]  # the ingredient a visit costs, or NOTHING
    place_amount: Annotated[Array, "i1", PLACES]
    find_gold: Annotated[Array, "i1", FINDS]
    find_prestige: Annotated[Array, "i1", FINDS]
    find_wounds: Annotated[Array, "i1", FINDS]
    forge: Annotated[Array, "i1", (FORGED, 5)]  # what each token gives: swords, bows, dice, dice to turn, a shield
    icons: Annotated[Array, "i1", (ROUNDS, 2)]
    # dragons
    face: Annotated[Array, "i1", FACES]  # symbol of each face of a hunting die
    lair: Annotated[Array, "i1", DRAGONS]  # slot on which a dragon sits
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
    payable: Annotated[Array, "i4", (KINDS, IN_SIGHT + 1)]  # set of recipes that need at most n of a kind
    with_kind: Annotated[Array, "i4", KINDS]  # set of recipes that need a kind
    price: Annotated[Array, "i1", HEROES]
    affordable: Annotated[Array, "i4", PURSE + 1]  # set of heroes that cost at most n gold
    hero_prestige: Annotated[Array, "i1", HEROES]
    ability: Annotated[Array, "i1", HEROES]
    amount: Annotated[Array, "i1", HEROES]
    bonus: Annotated[Array, "i1", HEROES]
    rune_bonuses: i4  # set of heroes whose bonus is a rune
    sword_bonuses: i4
    bow_bonuses: i4
    aim: Annotated[Array, "i1", MISSIONS]
    aim_amount: Annotated[Array, "i1", MISSIONS]
    mission_prestige: Annotated[Array, "i1", MISSIONS]
    event: Annotated[Array, "i1", (EVENTS, 2)]  # what the positive and the negative half do
    event_amount: Annotated[Array, "i1", (EVENTS, 2)]
    event_from: Annotated[Array, "i1", (EVENTS, 2)]  # number of heroes or gold that a half asks for
    meeting: Annotated[Array, "i1", ENCOUNTERS]
    meeting_amount: Annotated[Array, "i1", ENCOUNTERS]
    copies: Annotated[Array, "i1", ITEMS]  # number of items of each kind
    square_gold: Annotated[Array, "i1", (TAVERNS, SQUARES)]
    square_energy: Annotated[Array, "i1", (TAVERNS, SQUARES)]
    square_runes: Annotated[Array, "i1", (TAVERNS, SQUARES)]
    square_prestige: Annotated[Array, "i1", (TAVERNS, SQUARES)]
    square_kind: Annotated[Array, "i1", (TAVERNS, SQUARES)]  # an ingredient, or NOTHING
    square_op: Annotated[Array, "i1", (TAVERNS, SQUARES)]


STATE, RULES = record(State), record(Rules)
