"""Names and sizes of The Taverns of Tiefenthal, its luck streams and its actions."""

from pathlib import Path

from alehouse.envs.core.declare.layout import Actions, Segment
from alehouse.envs.core.declare.numbers import load

FOLDER = Path(__file__).parent
NUMBERS = load(FOLDER)

SEATS = 4
FACES = 6

# Kinds of cards in order: patrons who sit at tables, then nobles, then cards laid beside the tables.
REGULAR_NAMES, GUEST_NAMES, TAVERN_NAMES = (tuple(NUMBERS.rows(table)) for table in ("regulars", "guests", "tavern"))
CARDS = (*REGULAR_NAMES, *GUEST_NAMES, "noble", *TAVERN_NAMES)
KINDS = len(CARDS)
REGULARS, GUESTS, TAVERN = len(REGULAR_NAMES), len(GUEST_NAMES), len(TAVERN_NAMES)
PATRONS = REGULARS + GUESTS  # patrons are regulars and guests; their kinds are below this number
NOBLE = PATRONS
BARD, MERCHANT, DISHWASHER, WAITRESS, TABLE, SUPPLIER = range(NOBLE + 1, KINDS)
STOCKS = 1 + TAVERN  # number of piles of nobles and tavern cards; kind k lies in pile k - NOBLE

# Places for dice: a patron or the noble, the spaces of the tavern, or unused.
PLACES = (*CARDS[: NOBLE + 1], "cashbox", "barrel", "monk", "supplier", "unused")
SPACES = len(PLACES)
CASHBOX, BARREL, MONK, SUPPLY, UNUSED = range(NOBLE + 1, SPACES)
COLLECTED = PLACES[CASHBOX:UNUSED]
ANY_DICE = (1 << MONK) | (1 << SUPPLY) | (1 << UNUSED)  # places that take any number of dice, as a set

PIECES = tuple(NUMBERS.rows("pieces"))
(P_TABLE, P_WAITRESS, P_DISHWASHER, P_CASHBOX, P_BARREL, P_MONK, P_SUPPLIER, P_STORE, P_SAFE) = range(len(PIECES))

# Kinds of bonus; the card that a bonus gives is bonus - 1 + BARD.
BONUSES = ("none", *TAVERN_NAMES, "noble", "doubloons", "beer", "monastery", "remove", "schnapps", "reputation")
B_NOBLE, B_DOUBLOONS, B_BEER, B_MONASTERY, B_REMOVE, B_SCHNAPPS, B_REPUTATION = range(1 + TAVERN, len(BONUSES))

DISPLAY = 5  # number of places on display: four guests, and the top guest of the cheap pile
SIDE = 4  # the place of the cheap pile's top guest
DECK, CHEAP = 0, 1  # the two piles of guests

STEPS = len(NUMBERS.rows("monastery"))
ROUNDS = 8
ENTERTAINERS = 3
ENTERTAINER_NAMES = tuple(NUMBERS.rows("entertainers"))  # names of the sides, two for each entertainer
LOOP = len(NUMBERS.rows("reputation"))
LOOP_SPACES = ("points", "schnapps", "schnapps_or_remove", "crown", "signature")
S_POINTS, S_SCHNAPPS, S_CHEER, S_CROWN, S_SIGNATURE = range(len(LOOP_SPACES))
COLUMNS, ROWS = 4, 4
COLUMN_NAMES = ("a", "b", "c", "d")
START_NAMES = tuple(NUMBERS.rows("starts"))
STARTS = len(START_NAMES)
STANDARD, K1 = 0, 1

# Phases in order of play: A, B with C, D, then for each seat in turn E, the reputation phase and F, then G.
PHASES = ("start", "evening", "fill", "draft", "juggle", "plan", "reputation", "serve", "closing", "over")
P_START, P_EVENING, P_FILL, P_DRAFT, P_JUGGLE, P_PLAN, P_REPUTATION, P_SERVE, P_CLOSING, P_OVER = range(len(PHASES))

# Streams of luck: each serves one purpose, which rules.md explains.
STREAMS = ("first", "start_cards", "pile", "guest_deck", "cheap_pile", "white_dice", "own_dice")
FIRST, START_CARDS, PILE, GUEST_DECK, CHEAP_PILE, WHITE_DICE, OWN_DICE = range(len(STREAMS))

RELATIVE = ("me", "left1", "left2", "left3")
FACE_NAMES = tuple(str(face) for face in range(1, FACES + 1))
TURNS = tuple((a, b) for a in range(1, FACES + 1) for b in range(1, FACES + 1) if a != b)

ACTIONS = Actions(
    Segment("done"),
    Segment("start", START_NAMES[K1:]),
    Segment("accept"),
    Segment("side", ("1", "2")),
    Segment("take", (*TAVERN_NAMES, "die", "schnapps")),
    Segment("redraw"),
    Segment("die", FACE_NAMES),
    Segment("turn", [f"{a}>{b}" for a, b in TURNS]),
    Segment("place", PLACES),
    Segment("collect", COLLECTED),
    Segment("sing"),
    Segment("buy", TAVERN_NAMES),
    Segment("upgrade", PIECES),
    Segment("free", PIECES),
    Segment("guest", ("open1", "open2", "open3", "open4", "cheap")),
    Segment("nobles", ("1", "2", "3")),
    Segment("counter"),
    Segment("spend", ("doubloons", "beer")),
    Segment("remove", CARDS[:PATRONS]),
    Segment("column", COLUMN_NAMES),
    Segment("topdeck", CARDS),
    Segment("give_up"),
    Segment("end"),
)
at = ACTIONS.start
A_DONE, A_START, A_ACCEPT, A_SIDE, A_TAKE, A_REDRAW, A_DIE = (at(f) for f in ("done", "start", "accept", "side", "take", "redraw", "die"))
A_TURN, A_PLACE, A_COLLECT, A_SING, A_BUY, A_UPGRADE, A_FREE = (
    at(f) for f in ("turn", "place", "collect", "sing", "buy", "upgrade", "free")
)
A_GUEST, A_NOBLES, A_COUNTER, A_SPEND, A_REMOVE, A_COLUMN, A_TOPDECK, A_GIVE_UP, A_END = (
    at(f) for f in ("guest", "nobles", "counter", "spend", "remove", "column", "topdeck", "give_up", "end")
)
A_TAKE_DIE, A_TAKE_SCHNAPPS = ACTIONS.index("take:die"), ACTIONS.index("take:schnapps")


def named(cards: set[str]) -> tuple[str, ...]:
    """Return the names of the actions that name one of these cards."""
    return tuple(name for name in ACTIONS.names if name.partition(":")[2] in cards)
