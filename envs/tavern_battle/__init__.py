"""Tavern Battle: heroes come home with treasures, trade them, and fight for those they want.

What is played: 2 to 6 players, and the modules Casse-tout, Tous sur un and Tête dure (with Tous sur un) in every combination.
rules.md tells the rules in short; the csv tables and rules.toml hold every number.

    window    players may post agitation cards, from the seller on           trade.py, agitation.py
    reveal    the seller shows the treasure he sells                         trade.py
    offers    the others make offers, hidden until all are made              trade.py
    choice    the seller takes one of the offers                             trade.py
    opening   with a card posted for each player, objects are dealt          brawl.py
    brawl     seat after seat activates a character, who acts                brawl.py, actions.py, combat.py
    objects   used weapons are discarded, hands are renewed                  brawl.py
    escape    characters at the door flee, the others straighten up          brawl.py
    arrivals  three cards are claimed or rolled for; the Militia ends it     arrivals.py

Heroes and arrivals are named alike in actions, and other seats as the seat to move counts them: left1, left2 ...

Everybody sees: characters and what lies on them, posted agitation cards, dropped treasures, the sizes of all hands, discarded and
broken objects. Hidden are treasures, except those that a seat has seen (memory.py), agitation cards and objects in hand, and the decks.
Not known: the printed cards. The card tables are made to fit the rulebook; see `alehouse cards tavern_battle --guesses`.
"""

from alehouse.envs.tavern_battle.questions import QUESTIONS  # must come first, because the phases refer to it
from alehouse.envs.core.faces import pettingzoo_faces
from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.run.turns import turns
from alehouse.envs.tavern_battle import flow
from alehouse.envs.tavern_battle.audit import audit, score_again
from alehouse.envs.tavern_battle.layout import ACTIONS, ARRIVALS, CHARACTERS, FOLDER, NUMBERS, SEATS, STREAMS
from alehouse.envs.tavern_battle.modules import casse_tout, tete_dure, tous_sur_un
from alehouse.envs.tavern_battle.observe import FEATURES, observe
from alehouse.envs.tavern_battle.offers import OFFERS
from alehouse.envs.tavern_battle.progress import SUPPLIES, clock, first
from alehouse.envs.tavern_battle.redeal import redeal
from alehouse.envs.tavern_battle import trade
from alehouse.envs.tavern_battle.drawing import draw
from alehouse.envs.tavern_battle.view import PHRASES, chance, describe, view, why
from alehouse.envs.tavern_battle.state import RULES, STATE
from alehouse.envs.tavern_battle.rules_record import fill


def bound(v: Variant) -> int:
    """Return the largest number of decisions that a game can have.

    In a trade turn each seat may post a card, a treasure is shown, all others may be offered, each offer is confirmed, and a buyer is
    chosen;
    a posted card asks for a target and a treasure, or for one treasure of each seat. In a round each character acts once, and each seat
    chooses an object to keep.
    """
    R = v.rules_record()[0]
    treasures = v.seats * int(R.treasures)
    turn = v.seats + 1 + treasures + v.seats
    posted = v.seats * (2 + v.seats)
    rounds = ARRIVALS // int(R.arrivals) + 1
    supports = int(R.supports) + 2 * v.seats + 1
    action = 3 + supports + 5  # activate, act, target; a loss by the attack and one by a riposte; the riposte and its target
    arrival = 2 * v.seats
    fled = CHARACTERS * int(R.secured)
    return turn * int(R.turns) * v.seats + posted + rounds * (CHARACTERS * action + v.seats) + ARRIVALS * arrival + fled


TURNS = turns(QUESTIONS, flow.set_up, flow.proceed, redeal)
GAME = Game(
    name="tavern_battle", module=__name__, title="Tavern Battle", folder=FOLDER, seats=tuple(range(2, SEATS + 1)),
    modules=(casse_tout.MODULE, tous_sur_un.MODULE, tete_dure.MODULE),
    STATE=STATE, RULES=RULES, ACTIONS=ACTIONS, FEATURES=FEATURES, numbers=NUMBERS, fill=fill, questions=QUESTIONS,
    reset=TURNS.reset, legal=TURNS.legal, step=TURNS.step, settle=TURNS.settle, observe=observe, scores=flow.score, standing=flow.standing,
    determinize=TURNS.determinize, view=view, phrases=PHRASES, draw=draw,
    describe=describe, audit=audit, score_again=score_again, why=why, bound=bound,
    clock=clock, horizon=1000, first=first, streams=STREAMS, supplies=SUPPLIES, offers=OFFERS, rule_ids=r"TB-[TR]\d+",
    lively=trade.lively, chance=chance,
)  # fmt: skip

env, raw_env, parallel_env = pettingzoo_faces(GAME)
