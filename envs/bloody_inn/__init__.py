"""The Bloody Inn with The Carnies: innkeepers bribe, bury and rob their guests.

What is played: the base game for 1 to 4, short and long, and the three modules of The Carnies in every combination, the carnies
with or without events. rules.md tells the rules in short; tables/*.csv and rules.toml hold every number.

    draft     (objects) each seat keeps three objects, in secret                    modules/draft.py
    welcome   the first player lodges the visible traveler until the inn is full    flow.py
    evening   (objects) letter, rug, coffee, cake, poison                           modules/objects.py
    night     two actions a seat: bribe, build, kill, bury, pass                    night.py, payment.py, modules/action_objects.py
    snow, call, dig   objects, then the gravedigger if he is called                 flow.py, modules/objects.py
    morning   rents, gardens, cakes, laboratories; then all travelers leave         flow.py, modules/notables.py, modules/events.py
    confess, wages, close   wages; unpaid accomplices leave; the next first player  flow.py
    reckon    the gravedigger and the annexes at the end of the game                flow.py

effects.py moves money and cards; annexes.py builds annexes and buries under them; places.py names rooms. The seat to move names places
relative to itself:

    home_me  home_left1  home_left2  home_left3 | white1  white2  white3  white4 | caravan1 .. caravan4

Hidden are the order of the entrance stack, the removed cards, the order of events and the objects in hands; all else is open.
Not known is the printed wording of some events and objects; see `alehouse cards bloody_inn --guesses`.
"""

from alehouse.envs.bloody_inn.questions import QUESTIONS  # must come first, because the phases refer to it
from alehouse.envs.bloody_inn import flow
from alehouse.envs.bloody_inn.audit import audit, score_again
from alehouse.envs.bloody_inn.layout import ACTIONS, FOLDER, NUMBERS, OBJECTS, PLACES, STREAMS
from alehouse.envs.bloody_inn.modules import carnies, events, notables, objects
from alehouse.envs.bloody_inn.observe import FEATURES, observe
from alehouse.envs.bloody_inn.offers import OFFERS
from alehouse.envs.bloody_inn.progress import SUPPLIES, clock, first
from alehouse.envs.bloody_inn.redeal import redeal
from alehouse.envs.bloody_inn.rules_record import fill
from alehouse.envs.bloody_inn.state import RULES, STATE
from alehouse.envs.bloody_inn.drawing import draw
from alehouse.envs.bloody_inn.view import PHRASES, describe, view, why
from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.faces import pettingzoo_faces
from alehouse.envs.core.run.turns import turns


def bound(v: Variant) -> int:
    """Return the largest number of decisions that a game can have.

    Every traveler is lodged once a season, which bounds the rounds. An action takes at most every place as a target, and a payment for it.
    Every corpse is buried, and every accomplice leaves, at most once for each time that the card was in the inn.
    """
    R = v.rules_record()[0]
    travelers = 2 * int(R.copies.sum())
    rounds = travelers // (v.seats + int(R.white_keys)) + 2
    # one action with the well after it, then targets, cards to pay with, and answers of study owners
    action = 2 + PLACES + 3 * PLACES + v.seats
    windows = 6  # windows for objects in a round: evening, snow, tomb, confessional, gravedigger, and the evening again after an object
    corpse = 6  # decisions for one corpse: the corpse, an object, the annex, three cards
    return travelers * (2 + corpse) + rounds * v.seats * (int(R.actions) * action + windows) + 6 * OBJECTS


TURNS = turns(QUESTIONS, flow.set_up, flow.proceed, redeal)
GAME = Game(
    name="bloody_inn", module=__name__, title="The Bloody Inn with The Carnies", folder=FOLDER, seats=(1, 2, 3, 4),
    lengths=("short", "long"), solo=("solo.", "start.solo_bistro"),
    most_choices=200, modules=(carnies.MODULE, events.MODULE, notables.MODULE, objects.MODULE),
    STATE=STATE, RULES=RULES, ACTIONS=ACTIONS, FEATURES=FEATURES, numbers=NUMBERS, fill=fill, questions=QUESTIONS,
    reset=TURNS.reset, legal=TURNS.legal, step=TURNS.step, settle=TURNS.settle, observe=observe, scores=flow.score, standing=flow.standing,
    determinize=TURNS.determinize, view=view, phrases=PHRASES, draw=draw,
    describe=describe, audit=audit, score_again=score_again, why=why, bound=bound,
    clock=clock, horizon=6, first=first, streams=STREAMS, supplies=SUPPLIES, offers=OFFERS, rule_ids=r"BI-[TR]\d+",
)  # fmt: skip

env, raw_env, parallel_env = pettingzoo_faces(GAME)
