"""Taverns & Dragons: innkeepers send minions for rare ingredients, hire heroes and hunt dragons, to cook for the king.

What is played: 2 to 5 taverns, seven rounds, and the five modules in every combination. rules.md says it in short; the csv files in
tables/ and rules.toml hold every number.

    missions  (missions) each seat keeps one of two, in secret                        modules/missions.py
    turns     one die a turn, five turns a round each                                 menu.py
                  cook, bank, source, move a minion                                   kitchen.py, menu.py, effects.py
                  collect, visit, hunt, encounter                                     places.py, hunt.py, modules/encounters.py
                  free actions: heroes, runes, the City, track, goblin                heroes.py, modules/asymmetric.py, modules/goblin.py
    icons     between rounds: mead, fresh ingredients                                 flow.py
    dragon    a dragon wakes                                                          flow.py
    event     (events) a card for everybody                                           modules/events.py

The board, clockwise; next to the zones the slots of places, in brackets what is printed:

    0 city > 1 meadow A > 2 wood A [plant] > 3 pass AB > 4 maple B > 5 marsh BC [mushroom] > 6 canyon C > 7 caves CD > 8 road D > 0
    shortcuts 2 > 5 and 4 > 7; entering 4 brings a rune

In the open: everything but missions kept, trophies, the order of decks, dungeon and forge tokens and items face down.
Not known: most printed numbers; see `alehouse cards taverns_dragons --guesses`.
"""

from alehouse.envs.taverns_dragons.questions import QUESTIONS  # comes first: the phases refer to it
from alehouse.envs.core.faces import pettingzoo_faces
from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.run.turns import turns
from alehouse.envs.taverns_dragons import flow
from alehouse.envs.taverns_dragons.audit import audit, score_again
from alehouse.envs.taverns_dragons.layout import ACTIONS, DICE, FOLDER, HEROES, ITEMS, NUMBERS, PLACES
from alehouse.envs.taverns_dragons.modules import asymmetric, encounters, events, goblin, missions
from alehouse.envs.taverns_dragons.observe import FEATURES, observe
from alehouse.envs.taverns_dragons.redeal import redeal
from alehouse.envs.taverns_dragons.view import describe, why
from alehouse.envs.taverns_dragons.state import RULES, STATE
from alehouse.envs.taverns_dragons.rules_record import fill


def bound(v: Variant) -> int:
    """Decisions at most. A turn holds a die and a movement with what the minion does then, twice by a campfire; all else uses up
    a hero, a bonus, energy, a rune, gold or an item, and none of these comes without a die, a card or a token."""
    R = v.rules_record()[0]
    turns = DICE * int(R.rounds) * v.seats
    movement = 20  # forks, collecting, a hunt with its lines and wounds, an encounter
    searches = 10 * PLACES
    cards = 2 * HEROES  # hired, bonuses
    uses = 12  # decisions one use of a hero, a rune or an item leads to
    wealth = int(R.energy_cap) + int(R.rune_cap) + HEROES
    return turns * (2 * movement + searches + uses * wealth) + uses * (cards + v.seats * ITEMS * int(R.copies.max())) + 20 * v.seats


TURNS = turns(QUESTIONS, flow.set_up, flow.proceed, redeal)
GAME = Game(
    name="taverns_dragons", module=__name__, title="Taverns & Dragons", folder=FOLDER, seats=(2, 3, 4, 5),
    modules=(missions.MODULE, events.MODULE, asymmetric.MODULE, encounters.MODULE, goblin.MODULE),
    STATE=STATE, RULES=RULES, ACTIONS=ACTIONS, FEATURES=FEATURES, numbers=NUMBERS, fill=fill, questions=QUESTIONS,
    reset=TURNS.reset, legal=TURNS.legal, step=TURNS.step, observe=observe, scores=flow.score, standing=flow.standing,
    determinize=TURNS.determinize, describe=describe, audit=audit, score_again=score_again, why=why, bound=bound,
)  # fmt: skip

env, raw_env, parallel_env = pettingzoo_faces(GAME)
