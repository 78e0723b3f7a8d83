"""Names, sizes and the action space of Tavern Battle."""

from pathlib import Path

from alehouse.envs.core.declare.layout import Actions, Segment
from alehouse.envs.core.declare.numbers import load

FOLDER = Path(__file__).parent
NUMBERS = load(FOLDER)

SEATS = 6
TYPE_NAMES = ("beer", "weapon", "invention", "magic", "music", "jewel", "holy", "demonic")
HERO_NAMES = NUMBERS.rows("heroes")
HEROES = len(HERO_NAMES)
ARRIVAL_NAMES = NUMBERS.rows("arrivals")
ARRIVALS = len(ARRIVAL_NAMES)
CHARACTER_NAMES = [*HERO_NAMES, *ARRIVAL_NAMES]  # heroes and arrivals are numbered together, heroes first
CHARACTERS = len(CHARACTER_NAMES)
TREASURE_NAMES = NUMBERS.rows("treasures")
TREASURES = len(TREASURE_NAMES)
OBJECT_NAMES = NUMBERS.rows("objects")
OBJECTS = len(OBJECT_NAMES)
TROPHY_CARD = OBJECT_NAMES.index("wall_trophy")
AGITATION_NAMES = NUMBERS.rows("agitation")
KINDS = len(AGITATION_NAMES)
REFUSAL, DISAPPROVAL, ELBOW, FINGERS, ROUND, INSULT, BAIT, CLOAK = range(KINDS)
TRADE_KINDS = (REFUSAL, DISAPPROVAL)  # kinds that concern sales; the effects of the others are invented
TAVERN_STATES = NUMBERS.rows("tavern")

# Weapons that must be drawn before they are used: two treasures and an object.
WEAPON_NAMES = ("demonic_sword", "blessed_lance", "wall_trophy")
WEAPONS = len(WEAPON_NAMES)
SWORD, LANCE, TROPHY = range(WEAPONS)
SWORD_CARD, LANCE_CARD = TREASURE_NAMES.index("demonic_sword"), TREASURE_NAMES.index("blessed_lance")

# Hidden places of treasures: the hand of each seat, its treasures in safety, the face-down pile, the box.
HAND, SAFE, PILE, BOX = 0, SEATS, 2 * SEATS, 2 * SEATS + 1
PLACES = BOX + 1

STRENGTH, CUNNING = 0, 1
POSITIONS = ("upright", "tilted", "down", "ko", "fled")
UPRIGHT, TILTED, DOWN, KO, FLED = range(len(POSITIONS))

# Actions of an activated character for which dice are rolled.
VERB_NAMES = ("strike", "throw", "hide", "stay_hidden", "window")
STRIKE, THROW, HIDE, STAY, WINDOW = range(len(VERB_NAMES))

# Phases of the game, in order of play.
PHASES = ("window", "reveal", "offers", "choice", "opening", "brawl", "objects", "escape", "arrivals", "over")
(P_WINDOW, P_REVEAL, P_OFFERS, P_CHOICE, P_OPENING, P_BRAWL, P_OBJECTS, P_ESCAPE, P_ARRIVALS, P_OVER) = range(len(PHASES))

# Streams of luck, explained in rules.md.
STREAMS = (
    "hero_deal", "treasure_deal", "agitation_deal", "first", "theft", "object_deck", "dice", "defence", "riposte", "gift", "face_down",
    "arrival_deck", "militia", "claims", "roll_off", "redeal",
)  # fmt: skip
(HERO_DEAL, TREASURE_DEAL, AGITATION_DEAL, FIRST, THEFT, OBJECT_DECK, DICE, DEFENCE, RIPOSTE, GIFT, FACE_DOWN, ARRIVAL_DECK, MILITIA,
 CLAIMS, ROLL_OFF, REDEAL) = range(len(STREAMS))  # fmt: skip

RELATIVE = ("me", "left1", "left2", "left3", "left4", "left5")

ACTIONS = Actions(
    Segment("pass"),
    Segment("post", AGITATION_NAMES),
    Segment("confirm"),
    Segment("treasure", TREASURE_NAMES),
    Segment("face_down"),
    Segment("seat", RELATIVE[1:]),
    Segment("character", CHARACTER_NAMES),
    Segment("pick_up"),
    Segment("protect", OBJECT_NAMES),
    Segment("hide", OBJECT_NAMES),
    Segment("stay_hidden"),
    Segment("draw", WEAPON_NAMES),
    Segment("strike", OBJECT_NAMES),
    Segment("strike_drawn", WEAPON_NAMES),
    Segment("throw", OBJECT_NAMES),
    Segment("window"),
    Segment("door"),
    Segment("roll"),
    Segment("keep", OBJECT_NAMES),
    Segment("claim"),
)
at = ACTIONS.start
A_PASS, A_POST, A_CONFIRM, A_TREASURE, A_FACE_DOWN, A_SEAT = (at(f) for f in ("pass", "post", "confirm", "treasure", "face_down", "seat"))
A_CHARACTER, A_PICK_UP, A_PROTECT, A_HIDE, A_STAY_HIDDEN = (at(f) for f in ("character", "pick_up", "protect", "hide", "stay_hidden"))
A_DRAW, A_STRIKE, A_STRIKE_DRAWN, A_THROW, A_WINDOW, A_DOOR = (at(f) for f in ("draw", "strike", "strike_drawn", "throw", "window", "door"))
A_ROLL, A_KEEP, A_CLAIM = (at(f) for f in ("roll", "keep", "claim"))
