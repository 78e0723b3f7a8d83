"""Tavern Battle: heroes come home with treasures, trade them, and fight for those they want.

The card tables are a reconstruction: no list of the printed cards was found. Heroes, treasures, objects, arrivals and agitation
cards bear the names the rulebook gives and are otherwise made to fit it; `alehouse cards tavern_battle --guesses` lists what is not
known, and everything can be corrected there.

What is played: 2 to 6 players, and the variants Casse-tout, Tous sur un, Tête dure (with Tous sur un) in every combination. rules.md
says it in short; the csv tables and rules.toml hold every number.

    window    from the seller on, an agitation card may be posted            trade.py
    reveal    the seller shows a treasure                                    trade.py
    offers    the others offer theirs, unseen until all are made             trade.py
    choice    the seller takes one of the offers                             trade.py
    opening   as many cards posted as players: objects are dealt             brawl.py
    brawl     a character is activated and acts, seat after seat             brawl.py, combat.py
    objects   weapons used are discarded, hands renewed                      brawl.py
    escape    who stands at the door flees; the others straighten            brawl.py
    arrivals  three cards, claimed or rolled for; the Militia ends it        arrivals.py

Characters go by their names, heroes and arrivals alike; other seats as the seat to move counts them: left1, left2 ...

In the open: characters and what lies on them, posted cards, what has been dropped, the sizes of all hands, discarded and broken
objects. Hidden: treasures but for those a seat has seen (memory.py), agitation cards, objects in hand, the decks.
"""

from alehouse.envs.tavern_battle.questions import QUESTIONS  # comes first: the phases refer to it
from alehouse.envs.core.faces import pettingzoo_faces
from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.run.turns import turns
from alehouse.envs.tavern_battle import flow
from alehouse.envs.tavern_battle.audit import audit, score_again
from alehouse.envs.tavern_battle.layout import ACTIONS, ARRIVALS, CHARACTERS, FOLDER, NUMBERS, SEATS
from alehouse.envs.tavern_battle.modules import casse_tout, tete_dure, tous_sur_un
from alehouse.envs.tavern_battle.observe import FEATURES, observe
from alehouse.envs.tavern_battle.redeal import redeal
from alehouse.envs.tavern_battle import trade
from alehouse.envs.tavern_battle.view import describe, why
from alehouse.envs.tavern_battle.state import RULES, STATE
from alehouse.envs.tavern_battle.rules_record import fill


def bound(v: Variant) -> int:
    """Decisions at most. A trade turn: a window, a treasure shown, every other treasure offered and every offer confirmed, a buyer;
    a posted card asks for a target, a treasure, or one of each seat. A round: each character acts once, and the objects are renewed."""
    R = v.rules_record()[0]
    treasures = v.seats * int(R.treasures)
    turn = v.seats + 1 + treasures + v.seats
    posted = v.seats * (2 + v.seats)
    rounds = ARRIVALS // int(R.arrivals) + 1
    supports = int(R.supports) + 2 * v.seats + 1
    action = 3 + supports + 5  # activate, act, target; drops and loot twice; a riposte with its target
    arrival = 2 * v.seats
    fled = CHARACTERS * int(R.secured)
    return turn * int(R.turns) * v.seats + posted + rounds * (CHARACTERS * action + v.seats) + ARRIVALS * arrival + fled


TURNS = turns(QUESTIONS, flow.set_up, flow.proceed, redeal)
GAME = Game(
    name="tavern_battle", module=__name__, title="Tavern Battle", folder=FOLDER, seats=tuple(range(2, SEATS + 1)),
    modules=(casse_tout.MODULE, tous_sur_un.MODULE, tete_dure.MODULE),
    STATE=STATE, RULES=RULES, ACTIONS=ACTIONS, FEATURES=FEATURES, numbers=NUMBERS, fill=fill, questions=QUESTIONS,
    reset=TURNS.reset, legal=TURNS.legal, step=TURNS.step, observe=observe, scores=flow.score, standing=flow.standing,
    determinize=TURNS.determinize, describe=describe, audit=audit, score_again=score_again, why=why, bound=bound,
    lively=trade.lively,
)  # fmt: skip

env, raw_env, parallel_env = pettingzoo_faces(GAME)
