"""The Taverns of Tiefenthal: innkeepers fill their taverns, place dice, and bring better guests into their decks.

What is played: module 1 for 2 to 4, and the modules schnapps, reputation, start_cards and guest_book, each with all before it.
rules.md says it in short; the csv tables and rules.toml hold every number.

    start       (start_cards) one of three start cards                              start_cards.py
    evening     A: the moon brings bonuses, schnapps, entertainers                  flow.py, schnapps.py
    fill        B: cards until every table is taken; a counter guest for another go tavern.py
    draft       C, D: own dice; the white dice go around on their coasters          tavern.py
    juggle      E: (schnapps) the juggler turns dice                                schnapps.py
    plan        E: the dice of one seat, in ascending order, each on a place        plan.py
    reputation  (reputation) steps for what dice and merchants will bring           reputation.py
    serve       F: the seat is paid, buys, upgrades, and ends its turn              service.py
    closing     G: (schnapps) the juggler keeps a card; all cards are discarded     flow.py, schnapps.py

From juggle to serve it is one seat's turn, then the next one's. Places for dice, in their order:

    regular_d2_p1 ... guest8_d4_reputation  noble | cashbox  barrel  monk  supplier | unused

In the open: everything but the order of the draw piles below the cards gained, and of the piles of guests.
Not known: most printed values of cards and tracks; see `alehouse cards tiefenthal --guesses`.
"""

from alehouse.envs.tiefenthal.questions import QUESTIONS  # must come first, because the phases refer to it
from alehouse.envs.core.faces import pettingzoo_faces
from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.run.turns import turns
from alehouse.envs.tiefenthal import flow
from alehouse.envs.tiefenthal.audit import audit, score_again
from alehouse.envs.tiefenthal.layout import (
    ACTIONS, BARD, COLUMNS, FOLDER, MERCHANT, NUMBERS, PIECES, P_CASHBOX, ROWS, STEPS, STREAMS, SUPPLIER, TAVERN_NAMES,
)  # fmt: skip
from alehouse.envs.tiefenthal.modules import guest_book, reputation, schnapps, start_cards
from alehouse.envs.tiefenthal.observe import FEATURES, observe
from alehouse.envs.tiefenthal.offers import OFFERS
from alehouse.envs.tiefenthal.progress import SUPPLIES, clock, first
from alehouse.envs.tiefenthal.drawing import draw
from alehouse.envs.tiefenthal.view import PHRASES, describe, view, why
from alehouse.envs.tiefenthal.state import RULES, STATE
from alehouse.envs.tiefenthal.rules_record import fill


def bound(v: Variant) -> int:
    """Return the largest number of decisions that a game can have.

    Every step of reputation leads to at most one question and one glass to spend, every die to one place and one collecting, every glass to
    one use. Tracks, cells, pieces, counter guests and cards given up come only once.
    """
    R = v.rules_record()[0]
    dice, longest = int(R.white_dice) + int(R.own_dice), int(R.amount.max())
    bards, merchants, suppliers = (int(R.copies[kind]) for kind in (BARD, MERCHANT, SUPPLIER))
    steps = dice * int(max(R.pay.max(), R.level[:, P_CASHBOX].max())) + bards + longest
    glasses = int(R.keep) + int(R.round_schnapps.max()) + steps + longest
    beers = dice * (int(R.level.max()) + suppliers) + merchants + int(R.level.max()) + glasses * int(R.glass_beer) + STEPS * 9
    sets = beers // int(R.noble_beers.min()) if R.many_purchases else 1
    cards = int(R.copies[BARD:].sum())  # to be given up, each once
    turn = 4 + int(R.white_dice) + 2 * dice + 2 * steps + glasses + len(TAVERN_NAMES) + 1 + longest + sets + 2
    game = (
        int(R.counters)
        + 2 * len(PIECES)
        + cards
        + STEPS * (1 + int(R.step_amount.max()))
        + ROWS * COLUMNS * 2 * (1 + int(R.cell_amount.max()))
    )
    start = 3 + int(R.start_dismiss.max())
    return v.seats * (int(R.rounds) * turn + game + start)


TURNS = turns(QUESTIONS, flow.set_up, flow.proceed)
GAME = Game(
    name="tiefenthal", module=__name__, title="The Taverns of Tiefenthal", folder=FOLDER, seats=(2, 3, 4), most_choices=96,
    modules=(schnapps.MODULE, reputation.MODULE, start_cards.MODULE, guest_book.MODULE),
    STATE=STATE, RULES=RULES, ACTIONS=ACTIONS, FEATURES=FEATURES, numbers=NUMBERS, fill=fill, questions=QUESTIONS,
    reset=TURNS.reset, legal=TURNS.legal, step=TURNS.step, settle=TURNS.settle, observe=observe, scores=flow.score, standing=flow.standing,
    determinize=TURNS.determinize, view=view, phrases=PHRASES, draw=draw,
    describe=describe, audit=audit, score_again=score_again, why=why, bound=bound,
    clock=clock, first=first, streams=STREAMS, supplies=SUPPLIES, offers=OFFERS, rule_ids=r"TT-(?:[TR]|M\d-)\d+",
)  # fmt: skip

env, raw_env, parallel_env = pettingzoo_faces(GAME)
