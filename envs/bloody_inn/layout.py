"""Names, sizes and the action space of The Bloody Inn."""

from pathlib import Path

from alehouse.envs.core.declare.layout import Actions, Segment
from alehouse.envs.core.declare.numbers import load

FOLDER = Path(__file__).parent
NUMBERS = load(FOLDER)

SEATS = 4
CARDS = NUMBERS.rows("cards")
KINDS = len(CARDS)
PEASANT = CARDS.index("peasant")
FAMILIES = ("artisan", "merchant", "religious", "police", "noble", "peasant", "carny", "notable")
POLICE, CARNY = FAMILIES.index("police"), FAMILIES.index("carny")
SPECIALS = ("", "dwarf", "bearded", "twins")
DWARF, BEARDED, TWINS = 1, 2, 3
ANNEX_NAMES = NUMBERS.rows("annexes")
ANNEXES = len(ANNEX_NAMES)
BARN = ANNEX_NAMES.index("barn")
OBJECT_NAMES = NUMBERS.rows("objects")
OBJECTS = len(OBJECT_NAMES)
(GOLD_TEETH, CAKE, LETTER, RUG, COFFEE, LIQUOR, HAMMER, SNOW, BIBLE, CONFESSIONAL, WOLF_TRAP, TOMB, WHEELBARROW, QUICKLIME,
 POISON, WELL) = range(OBJECTS)  # fmt: skip
EVENT_NAMES = NUMBERS.rows("events")
EVENTS = len(EVENT_NAMES)
CIRRHOSIS, BROKEN_SAFE, FIASCO, RED_HERRING, HIGH_SEASON, BLACKMAIL, PICKPOCKETS, EXTORTION = range(EVENTS)

# Places: each seat's own room, the rooms of the white keys, the caravans.
HOMES, WHITES, CARAVANS = 0, 4, 8
PLACES = 12

VERB_NAMES = ("bribe", "build", "kill", "bury")
VERBS = len(VERB_NAMES)
BRIBE, BUILD, KILL, BURY = range(VERBS)

# What annexes do, in the words of annexes.csv. Effects that exist once for each verb are in the order of the verbs.
OPS = ("none", "discount_bribe", "discount_build", "discount_kill", "discount_bury", "many_bribe", "many_build", "many_kill",
       "many_bury", "return_bribe", "return_build", "return_kill", "return_bury", "wage", "each_morning", "peasants", "booth",
       "laboratory", "safe", "study", "pharmacy", "once_and_exit", "per_check", "per_family", "once", "key", "service",
       "neutral_rooms", "own_rooms", "caravan")  # fmt: skip
DISCOUNT, MANY, RETURN = OPS.index("discount_bribe"), OPS.index("many_bribe"), OPS.index("return_bribe")
(WAGE, EACH_MORNING, PEASANTS, BOOTH, LABORATORY, SAFE, STUDY, PHARMACY, ONCE_AND_EXIT, PER_CHECK, PER_FAMILY, ONCE, KEY, SERVICE,
 NEUTRAL_ROOMS, OWN_ROOMS, CARAVAN) = range(OPS.index("wage"), len(OPS))  # fmt: skip
LASTING = ONCE_AND_EXIT  # effects below this number last as long as the annex stands; the others come when it is built or at the end

# Phases of a round, in order of play.
PHASES = ("draft", "welcome", "evening", "night", "snow", "call", "dig", "morning", "confess", "wages", "close", "reckon", "over")
(P_DRAFT, P_WELCOME, P_EVENING, P_NIGHT, P_SNOW, P_CALL, P_DIG, P_MORNING, P_CONFESS, P_WAGES, P_CLOSE, P_RECKON, P_OVER) = range(
    len(PHASES)
)

RANKS = ("worrying", "hazardous", "evil", "demonic")  # ranks that a player alone can reach

# Streams of luck: each serves one purpose, which rules.md explains.
STREAMS = ("deck", "event_deck", "deal", "first")
DECK, EVENT_DECK, DEAL, FIRST = range(len(STREAMS))

RELATIVE = ("me", "left1", "left2", "left3")
PLACE_NAMES = (*(f"home_{who}" for who in RELATIVE), *(f"white{k + 1}" for k in range(4)), *(f"caravan{k + 1}" for k in range(4)))
UNDER_NAMES = [*ANNEX_NAMES, "caravan"]
TENS = 5  # number of choices of how many tens to pay in cash, from 0 on

ACTIONS = Actions(
    Segment("done"),
    Segment("lodge", PLACE_NAMES),
    Segment("bribe", PLACE_NAMES),
    Segment("kill", PLACE_NAMES),
    Segment("at", PLACE_NAMES),
    Segment("hire", ("1", "2", "3", "4")),
    Segment("kill_peasant"),
    Segment("pass"),
    Segment("to_checks", ("1", "2", "3", "4")),
    Segment("to_cash", ("1", "2", "3", "4")),
    Segment("build", CARDS),
    Segment("bury", CARDS),
    Segment("card", CARDS),
    Segment("corpse", CARDS),
    *(Segment(f"under_{who}", UNDER_NAMES) for who in RELATIVE),
    Segment("seat", RELATIVE),
    Segment("cash", [str(10 * k) for k in range(TENS)]),
    Segment("object", OBJECT_NAMES),
)
(A_DONE, A_LODGE, A_BRIBE, A_KILL, A_AT, A_HIRE, A_KILL_PEASANT, A_PASS, A_TO_CHECKS, A_TO_CASH, A_BUILD, A_BURY, A_CARD, A_CORPSE, A_UNDER,
 A_SEAT, A_CASH, A_OBJECT) = (ACTIONS.start(name) for name in (
    "done", "lodge", "bribe", "kill", "at", "hire", "kill_peasant", "pass", "to_checks", "to_cash", "build", "bury", "card", "corpse",
    "under_me", "seat", "cash", "object"))  # fmt: skip
UNDERS = len(UNDER_NAMES)


def of_family(family: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what a module adds for a family: the actions that name its cards or annexes, and the keys of their numbers."""
    rows = [row for row in NUMBERS.tables["cards"] if row["family"] == family]
    cards, annexes = [row["key"] for row in rows], sorted({row["annex"] for row in rows if row["annex"]})
    actions = tuple(name for name in ACTIONS.names if name.partition(":")[2] in {*cards, *annexes})
    return actions, (*(f"cards.{key}." for key in cards), *(f"annexes.{key}." for key in annexes))
