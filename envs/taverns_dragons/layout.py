"""The actions of Taverns & Dragons, with the names and sizes they are made of."""

from pathlib import Path

from alehouse.envs.core.declare.layout import Actions, Segment
from alehouse.envs.core.declare.numbers import load

FOLDER = Path(__file__).parent
NUMBERS = load(FOLDER)

SEATS = 5
DICE = 5  # action dice of each tavern
SIDES = 4  # an action die has this many values
WALK = SIDES + 3  # most steps of a minion that walks
ROUNDS = 7

INGREDIENTS = NUMBERS.rows("ingredients")
KINDS = len(INGREDIENTS)
PLANT, MUSHROOM, SPICE, EGG, MEAT = range(KINDS)
WIDTH = 8  # numbers of all ingredients in one integer take this many bits for each
TOKENS = MEAT  # number of kinds of ingredients that lie on the board as tokens

ZONE_NAMES = NUMBERS.rows("zones")
ZONES = len(ZONE_NAMES)
CITY = 0
SPACES = 16  # the most spaces for ingredient tokens

MINION_NAMES = NUMBERS.rows("minions")
MINIONS = len(MINION_NAMES)

SLOT_NAMES = ("A", "B", "C", "D")  # slots for place cards, clockwise around the board
SLOTS = len(SLOT_NAMES)
PLACE_NAMES = NUMBERS.rows("places")
PLACES = len(PLACE_NAMES)
CAMPFIRE, PORTAL, RUNES, CARAVAN, DUNGEON, FORGE, LIBRARY, MARKET = range(PLACES)
FIRST_GAME = (CARAVAN, PORTAL, DUNGEON, MARKET)
FINDS = len(NUMBERS.rows("dungeon"))  # number of dungeon tokens
FORGED = len(NUMBERS.rows("forge"))  # number of forge tokens

SYMBOLS = ("sword", "bow", "claw", "flame")
SYMBOL_COUNT = len(SYMBOLS)
SWORD, BOW, CLAW, FLAME = range(SYMBOL_COUNT)
FACES = len(NUMBERS.rows("faces"))
LINES = 4
DRAGON_NAMES = NUMBERS.rows("dragons")
DRAGONS = len(DRAGON_NAMES)
APPEARANCES = ("none", "wound", "clear", "energy", "gold")
WOUND, CLEAR, LOSE_ENERGY, LOSE_GOLD = range(1, len(APPEARANCES))
SPECIALS = ("none", "lose_ingredient", "wound", "lose_energy", "exhaust_hero")
SP_INGREDIENT, SP_WOUND, SP_ENERGY, SP_HERO = range(1, len(SPECIALS))
REWARDS = ("gold", "energy", "meat", "prestige")
R_GOLD, R_ENERGY, R_MEAT, R_PRESTIGE = range(len(REWARDS))
TROPHIES = len(NUMBERS.rows("trophies"))

RECIPE_NAMES = NUMBERS.rows("recipes")
RECIPES = len(RECIPE_NAMES)
SHOWN = 4  # recipes on display; also heroes on display
BANK = 5  # spaces of the bank: one for each value of a die, and a blank one
BLANK = BANK - 1

HERO_NAMES = NUMBERS.rows("heroes")
HEROES = len(HERO_NAMES)
# What heroes can do, in the words of heroes.csv.
ABILITIES = ("raise_dice", "visit_anywhere", "visit_free", "fetch", "energy_per_hero", "copy", "gold", "exchange", "extra_die", "shield",
             "heal_and_plant", "steal", "season", "step", "fly_home", "reroll_dice", "sell", "turn_sword", "turn_bow",
             "new_recipe")  # fmt: skip
(RAISE_DICE, VISIT_ANYWHERE, VISIT_FREE, FETCH, ENERGY_PER_HERO, COPY, GAIN_GOLD, EXCHANGE, EXTRA_DIE, SHIELD, HEAL_AND_PLANT, STEAL,
 SEASON, STEP, FLY_HOME, REROLL_DICE, SELL, TURN_SWORD, TURN_BOW, NEW_RECIPE) = range(len(ABILITIES))  # fmt: skip
BONUSES = (*INGREDIENTS, "gold", "rune", "sword", "bow")
B_GOLD, B_RUNE, B_SWORD, B_BOW = range(KINDS, len(BONUSES))

MISSION_NAMES = NUMBERS.rows("missions")
MISSIONS = len(MISSION_NAMES)
AIMS = ("recipes", "heroes", "trophies", "gold", "pantry", "wounds", "home", "with_spice", "with_mushroom", "with_egg_or_meat", "bonuses",
        "energy")  # fmt: skip
(AIM_RECIPES, AIM_HEROES, AIM_TROPHIES, AIM_GOLD, AIM_PANTRY, AIM_WOUNDS, AIM_HOME, AIM_SPICE, AIM_MUSHROOM, AIM_GRAND, AIM_BONUSES,
 AIM_ENERGY) = range(len(AIMS))  # fmt: skip

EVENT_NAMES = NUMBERS.rows("events")
EVENTS = len(EVENT_NAMES)
PLUS = ("none", "plant", "gold", "energy", "prestige", "rune", "heal", "heroes", "step", "buy", "ready")
(PLUS_PLANT, PLUS_GOLD, PLUS_ENERGY, PLUS_PRESTIGE, PLUS_RUNE, PLUS_HEAL, PLUS_HEROES, PLUS_STEP, PLUS_BUY, PLUS_READY) = range(
    1, len(PLUS)
)
MINUS = ("none", "spoil", "lose_gold", "lose_energy", "lose_prestige", "lose_rune", "wound", "few_heroes", "back", "tithe", "exhaust")
(MINUS_SPOIL, MINUS_GOLD, MINUS_ENERGY, MINUS_PRESTIGE, MINUS_RUNE, MINUS_WOUND, MINUS_HEROES, MINUS_BACK, MINUS_TITHE, MINUS_EXHAUST) = (
    range(1, len(MINUS))
)

ENCOUNTER_NAMES = NUMBERS.rows("encounters")
ENCOUNTERS = len(ENCOUNTER_NAMES)
MEETINGS = ("none", "gold", "store", "bandit", "heal", "bear", "rune", "chest", "smuggler", "prestige", "ring")
(MEET_GOLD, MEET_STORE, MEET_BANDIT, MEET_HEAL, MEET_BEAR, MEET_RUNE, MEET_CHEST, MEET_SMUGGLER, MEET_PRESTIGE, MEET_RING) = range(
    1, len(MEETINGS)
)

TAVERN_NAMES = ("raccoons_den", "boars_head", "mushroom_cellar", "dragons_tooth", "wandering_inn")
TAVERNS = len(TAVERN_NAMES)
SQUARES = 4
SQUARE_OPS = ("none", "ready", "heal", "turn", "store", "step", "teleport")
SQUARE_READY, SQUARE_HEAL, SQUARE_TURN, SQUARE_STORE, SQUARE_STEP, SQUARE_TELEPORT = range(1, len(SQUARE_OPS))

ITEM_NAMES = NUMBERS.rows("items")
ITEMS = len(ITEM_NAMES)
CUBE, POTION, TALISMAN, BOOTS, HOURGLASS, GLAIVE = range(ITEMS)

ICONS_A_ROUND = 2
ICONS = ("none", "mead", "dragon", "ingredients", "event_plus", "event_minus")
MEAD, DRAGON, FRESH, EVENT_PLUS, EVENT_MINUS = range(1, len(ICONS))

# Phases of the game, in order of play.
PHASES = ("boards", "missions", "turns", "icons", "dragon", "event", "over")
P_BOARDS, P_MISSIONS, P_TURNS, P_ICONS, P_DRAGON, P_EVENT, P_OVER = range(len(PHASES))

# The purposes for which a minion is chosen.
PURPOSES = ("fetch", "copy", "heal", "step", "fly_home", "boots", "talisman", "store", "wound", "back")
(FOR_FETCH, FOR_COPY, FOR_HEAL, FOR_STEP, FOR_HOME, FOR_TELEPORT, FOR_TALISMAN, FOR_STORE, FOR_WOUND, FOR_BACK) = range(len(PURPOSES))

# Streams of luck: each serves one purpose, which rules.md explains.
STREAMS = (
    "first", "place_deck", "token_deal", "hero_deck", "recipe_deck", "dragon_deck", "trophy", "dice_roll", "hunt_roll", "search", "smith",
    "mission_deal", "event_deck", "tavern_deal", "encounter_deck", "chest", "goblin_roll", "item",
)  # fmt: skip
(FIRST, PLACE_DECK, TOKEN_DEAL, HERO_DECK, RECIPE_DECK, DRAGON_DECK, TROPHY, DICE_ROLL, HUNT_ROLL, SEARCH, SMITH, MISSION_DEAL, EVENT_DECK,
 TAVERN_DEAL, ENCOUNTER_DECK, CHEST, GOBLIN_ROLL, ITEM) = range(len(STREAMS))  # fmt: skip

RELATIVE = ("me", "left1", "left2", "left3", "left4")
VALUES = tuple(str(k + 1) for k in range(SIDES))
SPACES_SHOWN = tuple(str(k + 1) for k in range(SHOWN))  # names of the display's spaces; 1 is the top one

ACTIONS = Actions(
    Segment("end"),
    Segment("done"),
    Segment("cook", [f"{space}_with_{value}" for space in SPACES_SHOWN for value in VALUES]),
    Segment("bank", VALUES),
    Segment("bank_blank", VALUES),
    Segment("source", VALUES),
    Segment("move", [f"{minion}_{value}" for minion in MINION_NAMES for value in VALUES]),
    Segment("discard", VALUES),
    Segment("collect", INGREDIENTS[:TOKENS]),
    Segment("collect_behind", INGREDIENTS[:TOKENS]),
    Segment("visit", SLOT_NAMES),
    Segment("hunt", ("1", "2", "3")),
    Segment("encounter"),
    Segment("hire", HERO_NAMES),
    Segment("ability", HERO_NAMES),
    Segment("bonus", HERO_NAMES),
    Segment("reroll", VALUES),
    Segment("store", MINION_NAMES),
    Segment("heal", MINION_NAMES),
    Segment("track", [str(k + 1) for k in range(SQUARES)]),
    Segment("buy"),
    Segment("item", ITEM_NAMES[CUBE + 1 :]),
    Segment("attack"),
    Segment("reroll_hunting", SYMBOLS),
    Segment("charm"),
    Segment("turn", [f"{old}_to_{new}" for old in SYMBOLS for new in SYMBOLS]),
    Segment("strike", SYMBOLS[:CLAW]),
    Segment("line", [str(k + 1) for k in range(LINES)]),
    Segment("search"),
    Segment("go", ZONE_NAMES),
    Segment("minion", MINION_NAMES),
    Segment("kind", INGREDIENTS),
    Segment("cube", INGREDIENTS),
    Segment("hero", HERO_NAMES),
    Segment("rob", RELATIVE[1:]),
    Segment("die", VALUES),
    Segment("recipe", SPACES_SHOWN),
    Segment("accept"),
    Segment("decline"),
    Segment("steps", ("0", "1", "2", "3", "4", "5")),
    Segment("keep", MISSION_NAMES),
    Segment("board", TAVERN_NAMES),
)
A_END, A_DONE, A_COOK, A_BANK, A_BLANK, A_SOURCE = (ACTIONS.start(n) for n in ("end", "done", "cook", "bank", "bank_blank", "source"))
A_MOVE, A_DISCARD, A_COLLECT, A_BEHIND = (ACTIONS.start(n) for n in ("move", "discard", "collect", "collect_behind"))
A_VISIT, A_HUNT, A_ENCOUNTER, A_HIRE = (ACTIONS.start(n) for n in ("visit", "hunt", "encounter", "hire"))
A_ABILITY, A_BONUS, A_REROLL, A_STORE, A_HEAL = (ACTIONS.start(n) for n in ("ability", "bonus", "reroll", "store", "heal"))
A_TRACK, A_BUY, A_ITEM, A_ATTACK, A_REROLL_HUNTING = (ACTIONS.start(n) for n in ("track", "buy", "item", "attack", "reroll_hunting"))
A_CHARM, A_TURN, A_STRIKE, A_LINE, A_SEARCH = (ACTIONS.start(n) for n in ("charm", "turn", "strike", "line", "search"))
A_GO, A_MINION, A_KIND, A_CUBE, A_HERO, A_ROB = (ACTIONS.start(n) for n in ("go", "minion", "kind", "cube", "hero", "rob"))
A_DIE, A_RECIPE, A_ACCEPT, A_DECLINE, A_STEPS = (ACTIONS.start(n) for n in ("die", "recipe", "accept", "decline", "steps"))
A_KEEP, A_BOARD = ACTIONS.start("keep"), ACTIONS.start("board")
