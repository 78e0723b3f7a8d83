"""The Bloody Inn with The Carnies: innkeepers bribe, bury and rob their guests.

What is played: the base game for 1 to 4, short and long, and the three modules of The Carnies in every combination, the carnies
with or without events. rules.md says it in short; cards.csv, annexes.csv, objects.csv, events.csv and rules.toml hold every number.

    draft     (objects) each seat keeps 4 - 1, 3 - 1, 2 - 1 objects, in secret        deal.py
    welcome   the first player lodges the visible traveler, until the inn is full      flow.py
    evening   (objects) letter, rug, coffee, cake, poison                              objects.py
    night     two actions a seat: bribe, build, kill, bury, pass                       night.py, attached.py
    snow, call, dig   the investigation, and the gravedigger to pay                    flow.py, events.py
    morning   rents, gardens, cakes, laboratories; the travelers leave                 flow.py, notables.py
    confess, wages, close   wages, unpaid accomplices leave; the next first player     flow.py

Places, as the seat to move names them (home_me, home_left1 ... white1 ... caravan1 ...):

    home_me  home_left1  home_left2  home_left3 | white1  white2  white3  white4 | caravan1 .. caravan4

In the open: everything but the order of the entrance stack, the removed cards, the order of events and the objects in hands.
Not known: the printed wording of some events and objects; see `alehouse cards bloody_inn --guesses`.
"""

from alehouse.envs.bloody_inn.questions import QUESTIONS  # comes first: the phases refer to it
from alehouse.envs.bloody_inn import flow
from alehouse.envs.bloody_inn.audit import audit, score_again
from alehouse.envs.bloody_inn.layout import ACTIONS, FOLDER, NUMBERS, OBJECTS, PLACES
from alehouse.envs.bloody_inn.modules import carnies, deal, events, notables, objects
from alehouse.envs.bloody_inn.observe import FEATURES, observe
from alehouse.envs.bloody_inn.view import describe, why
from alehouse.envs.bloody_inn.state import RULES, STATE
from alehouse.envs.bloody_inn.rules_record import fill
from alehouse.envs.core.faces import pettingzoo_faces
from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.run.turns import turns


def bound(v: Variant) -> int:
    """Decisions at most. Every traveler is lodged once a season, which bounds the rounds; an action takes at most every place
    and a payment for it; every corpse is buried, and every accomplice leaves, once for each time he was in the inn."""
    R = v.rules_record()[0]
    travelers = 2 * int(R.copies.sum())
    rounds = travelers // (v.seats + int(R.white_keys)) + 2
    action = 2 + PLACES + 3 * PLACES + v.seats  # choose, well; targets; cards; studies
    windows = 6  # evening, snow, tomb, confessional, gravedigger, and a window that a play opens anew
    corpse = 6  # choose, object, annex, three cards
    return travelers * (2 + corpse) + rounds * v.seats * (int(R.actions) * action + windows) + 6 * OBJECTS


TURNS = turns(QUESTIONS, flow.set_up, flow.proceed, deal.redeal)
GAME = Game(
    name="bloody_inn", module=__name__, title="The Bloody Inn with The Carnies", folder=FOLDER, seats=(1, 2, 3, 4),
    lengths=("short", "long"), most_choices=200, modules=(carnies.MODULE, events.MODULE, notables.MODULE, objects.MODULE),
    STATE=STATE, RULES=RULES, ACTIONS=ACTIONS, FEATURES=FEATURES, numbers=NUMBERS, fill=fill, questions=QUESTIONS,
    reset=TURNS.reset, legal=TURNS.legal, step=TURNS.step, observe=observe, scores=flow.score, standing=flow.standing,
    determinize=TURNS.determinize, describe=describe, audit=audit, score_again=score_again, why=why, bound=bound,
)  # fmt: skip

env, raw_env, parallel_env = pettingzoo_faces(GAME)
