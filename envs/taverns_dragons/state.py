"""The records of Taverns & Dragons: the state of one table, and the rules it is played by."""

from typing import Annotated

from alehouse.envs.core.declare.record import (
    FOLLOWS, Array, Header, RulesHeader, few, flag, i1, i2, i4, many, none_or, one_of, record, subset, upto,
)  # fmt: skip
from alehouse.envs.core.run.question_stack import Stack
from alehouse.envs.taverns_dragons.layout import (
    ACTIONS, BANK, DICE, DRAGONS, ENCOUNTERS, EVENTS, FACES, FINDS, FORGED, HEROES, ICONS_A_ROUND, ITEMS, KINDS, LINES, MINIONS,
    MISSIONS, PHASES, PLACES, RECIPES, ROUNDS, SEATS, SHOWN, SIDES, SLOTS, SPACES, SQUARES, SYMBOL_COUNT, TAVERNS, TOKENS, TROPHIES, WALK,
    ZONES,
)  # fmt: skip

NOTHING = -1  # stands for no card, no dragon, or no zone
IN_SIGHT = 5  # having more than this of an ingredient makes no further recipe possible
PURSE = 20  # having more gold than this makes no further hero affordable


class Seat:
    """What one tavern has, with what its minions carry."""

    score: many  # prestige reached on the track
    gold: many
    energy: few
    runes: few
    best: few  # prestige of the best recipe cooked, including its die
    bank: flag  # 1 if a die of the seat is on the bank
    source: flag  # 1 if a die of the seat is on the source
    marker: Annotated[i1, upto(SQUARES)]  # the square of the marker on the tavern's own track
    tavern: Annotated[i1, none_or(TAVERNS)]  # which of the five boards, and so which track, the seat has; NOTHING before it chooses
    trophies: Annotated[i1, upto(TROPHIES)]  # number of trophies
    rolled: few  # number of action dice rolled in this round
    hunted: few  # number of hunting dice rolled in this round
    searched: few  # number of dungeon tokens turned over in this round
    forged: few  # number of forge tokens drawn in this round
    forge: Annotated[i1, subset(FORGED)]  # the set of forge tokens held
    spoils: Annotated[i1, subset(TROPHIES)]  # the set of trophies held, which is secret
    ready: Annotated[i4, subset(HEROES)]  # the set of ready heroes
    tired: Annotated[i4, subset(HEROES)]  # the set of exhausted heroes
    bonus: Annotated[i4, subset(HEROES)]  # the set of heroes whose bonus was used
    cooked: Annotated[i4, subset(RECIPES)]  # the set of recipes cooked
    dice: Annotated[Array, "i1", SIDES, upto(DICE)]  # number of available dice of each value
    pantry: Annotated[Array, "i1", KINDS, upto(127)]  # number of stored ingredients of each kind
    items: Annotated[Array, "i1", ITEMS, upto(127)]  # number of items of each kind that were bought and not used yet
    used: Annotated[Array, "i1", ITEMS, upto(127)]  # number of used items of each kind
    zone: Annotated[Array, "i1", MINIONS, one_of(ZONES)]  # the zone where each minion stands
    die: Annotated[Array, "i1", MINIONS, upto(SIDES)]  # value of the die on each minion; 0 if it has not moved in this round
    wounds: Annotated[Array, "i1", MINIONS, upto(127)]
    load: Annotated[Array, "i1", MINIONS, upto(127)]  # number of ingredients that each minion carries
    bag: Annotated[Array, "i1", (MINIONS, KINDS), upto(127)]  # number of ingredients of each kind that each minion carries


class Deed:
    """What has been done in the current turn."""

    placed: flag  # 1 if a die was placed or discarded
    active: Annotated[i1, none_or(MINIONS)]  # the minion activated last, or NOTHING
    moved: Annotated[i1, subset(MINIONS)]  # the set of minions activated
    origin: Annotated[i1, one_of(ZONES)]  # the zone from which the active minion set out
    collected: flag  # 1 if the active minion collected an ingredient
    hunted: flag  # 1 if the active minion hunted
    met: flag  # 1 if a minion had an encounter
    bought: flag  # 1 if an item was bought
    visited: Annotated[Array, "i1", MINIONS, subset(SLOTS)]  # the set of slots whose place each minion visited
    cooked: flag  # 1 if a recipe was cooked that the Royal Chef may still season
    extra: few  # number of hunting dice to roll besides those paid for
    picked: Annotated[i1, upto(DICE)]  # number of action dice chosen to be re-rolled


class Hunt:
    """The hunt in progress; all zero while nobody hunts."""

    shield: flag  # 1 if wounds and the special attack are ignored
    charm: few  # number of hunting dice that forge tokens may turn
    swords: few  # damage still to be marked; before the attack only the damage from forge tokens and the glaive
    bows: few
    dice: Annotated[Array, "i1", SYMBOL_COUNT, upto(127)]  # number of hunting dice showing each symbol


class State(Header):
    """The state of one table."""

    phase: Annotated[i1, one_of(PHASES)]
    cursor: few  # how many seats or steps of the current phase are done
    icon: Annotated[i1, upto(ICONS_A_ROUND)]  # number of icons that the round marker has passed
    rounds: Annotated[i1, one_of(ROUNDS)]  # number of rounds that have ended
    first: Annotated[i1, one_of(SEATS)]  # the seat of the first player
    open: few  # number of activation spaces of each place
    finds: Annotated[i1, subset(FINDS)]  # the set of dungeon tokens turned over
    dragon: Annotated[i1, none_or(DRAGONS)]
    lines: Annotated[i1, subset(LINES)]  # the set of the dragon's lines that are completed
    encounter: Annotated[i1, none_or(ZONES)]  # the zone of the encounter token
    goblin: Annotated[i1, none_or(ZONES)]  # the zone of the goblin
    goblin_items: few  # number of items on the goblin's board
    unsold: few  # number of items that nobody has seen
    event: Annotated[i1, none_or(EVENTS)]  # the event that was revealed last
    dragons: Annotated[i1, subset(DRAGONS)]  # the set of dragon boards still face down
    pool: Annotated[i1, subset(TROPHIES)]  # the set of trophies that nobody holds
    forge: Annotated[i1, subset(FORGED)]  # the set of forge tokens that nobody holds
    bank: Annotated[i1, subset(BANK)]  # the set of spaces of the bank that are taken
    met: few  # number of encounters so far
    events: Annotated[i2, subset(EVENTS)]  # the set of events still face down
    meetings: Annotated[i2, subset(ENCOUNTERS)]  # the set of encounters still face down
    meeting_pass: few  # how many times the encounters were shuffled again
    recipe_pass: few  # how many times the recipes were shuffled again
    recipes: Annotated[i4, subset(RECIPES)]  # the set of recipes still face down
    thrown: Annotated[i4, subset(RECIPES)]  # the set of recipes discarded
    heroes: Annotated[i4, subset(HEROES)]  # the set of heroes still face down
    market: Annotated[i4, subset(HEROES)]  # the set of heroes on display
    packs: few  # number of decks of heroes still to be opened
    display: Annotated[Array, "i1", SHOWN, none_or(RECIPES)]  # the recipes on display, from the top space down
    place: Annotated[Array, "i1", SLOTS, one_of(PLACES)]  # the place on each slot
    paid: Annotated[Array, "i1", SLOTS, upto(127)]  # number of activation spaces taken at each slot
    boxes: Annotated[Array, "i1", (LINES, 2), upto(127)]  # number of free boxes in each line of the dragon: swords, bows
    tokens: Annotated[Array, "i1", (ZONES, TOKENS), upto(127)]  # number of ingredient tokens of each kind in each zone
    # the common mission, then two for each seat (the one it kept first), then those not dealt
    mission: Annotated[Array, "i1", MISSIONS, one_of(MISSIONS)]
    hoard: Annotated[Array, "i1", ITEMS, upto(127)]  # number of items of each kind that nobody has seen
    deed: Annotated[Deed, Deed]
    hunt: Annotated[Hunt, Hunt]
    stack: Annotated[Stack, Stack]
    seat: Annotated[list[Seat], Seat, SEATS]
    can: Annotated[Array, "u8", ACTIONS.words]


class Rules(RulesHeader):
    """Every number and switch of the rules in a variant."""

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
    spaces: i1  # number of activation spaces of each place
    hunt_energy: i1
    hunt_dice: i1
    encounter_energy: i1
    smuggler_price: i1
    goblin_price: i1
    fair_price: i1
    hero_copies: i1
    initial_recipes: i1
    collect_from_start: i1
    first_game_places: i1
    manual_city: i1
    deal_boards: i1
    # Values of the board
    token_count: i1  # number of spaces for ingredient tokens
    token_space: Annotated[Array, "i1", SPACES]  # the zone of each space
    tokens: Annotated[Array, "i1", TOKENS]  # number of tokens of each ingredient
    market: Annotated[Array, "i1", KINDS]  # price of storing an ingredient at the market; 0 if the market does not store it
    printed: Annotated[Array, "i1", ZONES]  # the set of ingredients printed in each zone
    next: Annotated[Array, "i1", ZONES]  # the next zone clockwise from each zone
    shortcut: Annotated[Array, "i1", ZONES]  # the zone to which a shortcut leads, or NOTHING
    back: Annotated[Array, "i1", ZONES]  # the zone before each zone
    readyings: Annotated[Array, "i1", ROUNDS + 1, FOLLOWS]  # how often heroes are readied from a round on
    until_ready: Annotated[Array, "i1", ROUNDS + 1, FOLLOWS]  # how many rounds end before heroes are readied, from a round on
    steps_home: Annotated[Array, "i1", ZONES, FOLLOWS]  # the least number of steps from each zone to the City
    zone_runes: Annotated[Array, "i1", ZONES]
    reached: Annotated[Array, "i4", (ZONES, WALK + 1), FOLLOWS]  # the set of zones where a number of steps from each zone may end
    passed: Annotated[Array, "i1", (ZONES, WALK + 1), FOLLOWS]  # the most runes of any zone that these steps may pass
    beside: Annotated[Array, "i1", ZONES]  # the set of slots beside each zone
    bank: Annotated[Array, "i1", BANK]  # gold that each space of the bank gives
    slots: Annotated[Array, "i1", MINIONS]
    extra_steps: Annotated[Array, "i1", MINIONS]
    place_energy: Annotated[Array, "i1", PLACES]
    place_pays: Annotated[Array, "i1", PLACES]  # the ingredient that a visit costs, or NOTHING
    place_amount: Annotated[Array, "i1", PLACES]
    find_gold: Annotated[Array, "i1", FINDS]
    find_prestige: Annotated[Array, "i1", FINDS]
    find_wounds: Annotated[Array, "i1", FINDS]
    forge: Annotated[Array, "i1", (FORGED, 5)]  # what each forge token gives: swords, bows, dice, dice to turn, a shield
    icons: Annotated[Array, "i1", (ROUNDS, ICONS_A_ROUND)]
    # Values of the dragons
    face: Annotated[Array, "i1", FACES]  # the symbol on each face of a hunting die
    lair: Annotated[Array, "i1", DRAGONS]  # the slot on which each dragon sits
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
    # Values of the cards and items
    needs: Annotated[Array, "i1", (RECIPES, KINDS)]
    all_needs: Annotated[Array, "i8", RECIPES, FOLLOWS]  # for each recipe, its row of `needs` as one integer, WIDTH bits for each kind
    points: Annotated[Array, "i1", RECIPES]
    payable: Annotated[Array, "i4", (KINDS, IN_SIGHT + 1)]  # for each kind, the set of recipes that need at most n of it
    with_kind: Annotated[Array, "i4", KINDS]  # for each kind, the set of recipes that need it
    price: Annotated[Array, "i1", HEROES]
    affordable: Annotated[Array, "i4", PURSE + 1]  # the set of heroes that cost at most n gold
    hero_prestige: Annotated[Array, "i1", HEROES]
    ability: Annotated[Array, "i1", HEROES]
    amount: Annotated[Array, "i1", HEROES]
    bonus: Annotated[Array, "i1", HEROES]
    rune_bonuses: i4  # the set of heroes whose bonus is a rune
    sword_bonuses: i4
    bow_bonuses: i4
    aim: Annotated[Array, "i1", MISSIONS]
    aim_amount: Annotated[Array, "i1", MISSIONS]
    mission_prestige: Annotated[Array, "i1", MISSIONS]
    event: Annotated[Array, "i1", (EVENTS, 2)]  # the effect of the positive and the negative half of each event
    event_amount: Annotated[Array, "i1", (EVENTS, 2)]
    event_from: Annotated[Array, "i1", (EVENTS, 2)]  # number of heroes, or amount of gold, that a half requires
    meeting: Annotated[Array, "i1", ENCOUNTERS]
    meeting_amount: Annotated[Array, "i1", ENCOUNTERS]
    copies: Annotated[Array, "i1", ITEMS]  # number of items of each kind in the box
    square_gold: Annotated[Array, "i1", (TAVERNS, SQUARES)]
    square_energy: Annotated[Array, "i1", (TAVERNS, SQUARES)]
    square_runes: Annotated[Array, "i1", (TAVERNS, SQUARES)]
    square_prestige: Annotated[Array, "i1", (TAVERNS, SQUARES)]
    square_kind: Annotated[Array, "i1", (TAVERNS, SQUARES)]  # the ingredient that a square of a track concerns, or NOTHING
    square_op: Annotated[Array, "i1", (TAVERNS, SQUARES)]


STATE, RULES = record(State), record(Rules)
