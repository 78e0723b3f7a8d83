"""Kegs: brewers bid for kegs of beer in secret, and each has a favourite that nobody else knows.

What is played: 2 to 5 seats, with or without the module tips. rules.md says how; rules.toml and tables/kegs.csv hold every number.

    bid     each seat in turn chooses a card in secret; then all are shown           play.py

In the open: everything but the favourites, the cards chosen in this round, and the order of the deck.
"""

from alehouse.skeleton.kegs.questions import QUESTIONS  # must come first, because the phases refer to it

# isort: split
from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.faces import pettingzoo_faces
from alehouse.envs.core.run.turns import turns
from alehouse.skeleton.kegs import play
from alehouse.skeleton.kegs.drawing import draw
from alehouse.skeleton.kegs.layout import ACTIONS, FOLDER, NUMBERS, STREAMS
from alehouse.skeleton.kegs.observe import FEATURES, observe, redeal
from alehouse.skeleton.kegs.state import RULES, STATE, fill
from alehouse.skeleton.kegs.view import PHRASES, audit, describe, score_again, view, why


def bound(v: Variant) -> int:
    """Return the largest number of decisions in a game: each seat chooses once a round."""
    return v.seats * int(v.numbers.number("game.rounds"))


TURNS = turns(QUESTIONS, play.set_up, play.proceed, redeal)
GAME = Game(
    name="kegs", module=__name__, title="Kegs", folder=FOLDER, seats=(2, 3, 4, 5), modules=(play.TIPS,),
    STATE=STATE, RULES=RULES, ACTIONS=ACTIONS, FEATURES=FEATURES, numbers=NUMBERS, fill=fill, questions=QUESTIONS,
    reset=TURNS.reset, legal=TURNS.legal, step=TURNS.step, settle=TURNS.settle, observe=observe, scores=play.score, standing=play.score,
    determinize=TURNS.determinize, view=view, phrases=PHRASES, draw=draw,
    describe=describe, audit=audit, score_again=score_again, why=why, bound=bound,
    clock=play.clock, horizon=2, streams=STREAMS, rule_ids=r"KG-[TR]\d+",
)  # fmt: skip

env, raw_env, parallel_env = pettingzoo_faces(GAME)
