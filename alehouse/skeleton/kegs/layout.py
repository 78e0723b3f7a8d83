"""Names and sizes of Kegs, its luck streams and its actions."""

from pathlib import Path

from alehouse.envs.core.declare.layout import Actions, Segment
from alehouse.envs.core.declare.numbers import load

FOLDER = Path(__file__).parent
NUMBERS = load(FOLDER)

SEATS = 5
CARDS = 9  # the most bid cards a seat may have
KEGS = tuple(NUMBERS.rows("kegs"))
KINDS = len(KEGS)

STREAMS = ("deck", "favourite")
DECK, FAVOURITE = range(len(STREAMS))

RELATIVE = ("me", "left1", "left2", "left3", "left4")
CARD_NAMES = tuple(str(card) for card in range(1, CARDS + 1))
ACTIONS = Actions(Segment("bid", CARD_NAMES))
A_BID = ACTIONS.start("bid")
