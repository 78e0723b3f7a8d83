"""Taverns & Dragons: innkeepers send minions for rare ingredients, hire heroes and hunt dragons, to cook for the king.

2 to 5 taverns play seven rounds, with the five modules in every combination. rules.md tells the rules in short, questions.py lists every
question that is asked; the csv files in tables/ and rules.toml hold every number. The phases in order, and the files that play them:

    boards    (module asymmetric) each seat chooses a tavern board                    modules/asymmetric.py
    missions  (module missions) each seat keeps one of two missions, in secret        modules/missions.py
    turns     one die a turn, five turns a round for each seat                        flow.py, turn.py
                  main action: cook, bank, source or move a minion                    kitchen.py, turn.py, effects.py
                  the minion then collects, visits, hunts, has an encounter           places.py, hunt.py, modules/encounters.py
                  free actions: heroes, runes, the City, track, goblin                heroes.py, modules/asymmetric.py, modules/goblin.py
                  what heroes, items and squares ask for                              choices.py
    icons     between rounds: mead, fresh ingredients                                 flow.py
    dragon    a dragon appears                                                        flow.py
    event     (module events) every seat resolves a card                              modules/events.py, choices.py

The board, clockwise; letters are the slots of places beside a zone, brackets hold the ingredient printed in it:

    0 city > 1 meadow A > 2 wood A [plant] > 3 pass AB > 4 maple B > 5 marsh BC [mushroom] > 6 canyon C > 7 caves CD > 8 road D > 0
    shortcuts lead from 2 to 5 and from 4 to 7; entering 4 brings a rune

Hidden are the missions kept, the trophies, and the order of everything face down: decks, dungeon and forge tokens, items.
Most printed numbers are not known; `alehouse cards taverns_dragons --guesses` lists them.
"""

from alehouse.envs.taverns_dragons.questions import QUESTIONS  # must come first, because the phases refer to it
from alehouse.envs.core.faces import pettingzoo_faces
from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.run.turns import turns
from alehouse.envs.taverns_dragons import flow
from alehouse.envs.taverns_dragons.audit import audit, score_again
from alehouse.envs.taverns_dragons.layout import ACTIONS, DICE, FOLDER, HEROES, ITEMS, NUMBERS, PLACES, STREAMS
from alehouse.envs.taverns_dragons.modules import asymmetric, encounters, events, goblin, missions
from alehouse.envs.taverns_dragons.observe import FEATURES, observe
from alehouse.envs.taverns_dragons.offers import OFFERS
from alehouse.envs.taverns_dragons.progress import SUPPLIES, clock, first
from alehouse.envs.taverns_dragons.redeal import redeal
from alehouse.envs.taverns_dragons.drawing import draw
from alehouse.envs.taverns_dragons.view import PHRASES, describe, view, why
from alehouse.envs.taverns_dragons.state import RULES, STATE
from alehouse.envs.taverns_dragons.rules_record import fill


def bound(v: Variant) -> int:
    """Return the largest number of decisions that a game can have.

    A turn consists of a die and a movement with what the minion does then, twice with a campfire. Everything else uses up a hero, a bonus,
    energy, a rune, gold or an item, and each of these comes from a die, a card or a token.
    """
    R = v.rules_record()[0]
    turns = DICE * int(R.rounds) * v.seats
    movement = 20  # decisions for one movement: forks, collecting, a hunt with its lines and wounds, and an encounter
    searches = 10 * PLACES
    cards = 2 * HEROES * int(R.hero_copies)  # heroes that can be hired, and bonuses that can be used
    uses = 12  # decisions that one use of a hero, a rune or an item can lead to
    wealth = int(R.energy_cap) + int(R.rune_cap) + HEROES
    return turns * (2 * movement + searches + uses * wealth) + uses * (cards + v.seats * ITEMS * int(R.copies.max())) + 20 * v.seats


TURNS = turns(QUESTIONS, flow.set_up, flow.proceed, redeal)
GAME = Game(
    name="taverns_dragons", module=__name__, title="Taverns & Dragons", folder=FOLDER, seats=(2, 3, 4, 5),
    modules=(missions.MODULE, events.MODULE, asymmetric.MODULE, encounters.MODULE, goblin.MODULE),
    STATE=STATE, RULES=RULES, ACTIONS=ACTIONS, FEATURES=FEATURES, numbers=NUMBERS, fill=fill, questions=QUESTIONS,
    reset=TURNS.reset, legal=TURNS.legal, step=TURNS.step, settle=TURNS.settle, observe=observe, scores=flow.score, standing=flow.standing,
    determinize=TURNS.determinize, view=view, phrases=PHRASES, draw=draw,
    describe=describe, audit=audit, score_again=score_again, why=why, bound=bound,
    clock=clock, first=first, streams=STREAMS, supplies=SUPPLIES, offers=OFFERS, rule_ids=r"TD-[TA]\d+",
)  # fmt: skip

env, raw_env, parallel_env = pettingzoo_faces(GAME)
