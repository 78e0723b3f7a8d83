"""One decision: what is legal, what an answer does, and on to the next question."""

from alehouse.envs.core.run import bits
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.core.run.turns import turns
from alehouse.envs.taverns_dragons import effects, errands, flow, hunt, kitchen, menu, places
from alehouse.envs.taverns_dragons.layout import (
    FOLDER, P_OVER, Q_BANDIT, Q_CHEST, Q_COPY, Q_CUBE, Q_DICE, Q_DRYAD, Q_EXHAUST, Q_FACE, Q_FAIR, Q_FETCH, Q_FORK, Q_GIVE, Q_HUNT, Q_LINE,
    Q_LOSE, Q_MARKET, Q_MINION, Q_MISSION, Q_PLACE, Q_READY, Q_RECEIVE, Q_RECIPE, Q_SEARCH, Q_SMUGGLER, Q_STRIKE, Q_TELEPORT, Q_TURN,
    Q_VICTIM, Q_WIND, TROPHIES, TROPHY,
)  # fmt: skip
from alehouse.envs.taverns_dragons.modules import encounters, events, missions


@jit
def legal(s, R, words):
    """The answers to the question on top."""
    bits.clear(words)
    if s.phase == P_OVER:
        return
    what, p = int(top(s.asks).what), int(top(s.asks).seat)
    if what == Q_TURN:
        menu.legal_turn(s, R, p, words)
    elif what == Q_FORK:
        effects.legal_fork(s, R, p, words)
    elif what == Q_HUNT:
        menu.legal_hunt(s, R, p, words)
    elif what == Q_MISSION:
        missions.legal_keep(s, R, p, words)
    elif what == Q_TELEPORT:
        effects.legal_teleport(s, R, p, words)
    elif what == Q_PLACE:
        places.legal_place(s, R, p, words)
    elif what == Q_MARKET:
        places.legal_market(s, R, p, words)
    elif what == Q_SEARCH:
        places.legal_search(s, R, p, words)
    elif what == Q_FACE:
        hunt.legal_face(s, R, p, words)
    elif what == Q_STRIKE:
        hunt.legal_strike(s, R, p, words)
    elif what == Q_LINE:
        hunt.legal_line(s, R, p, words)
    elif what == Q_LOSE:
        effects.legal_lose(s, R, p, words)
    elif what <= Q_CUBE:
        legal_errand(s, R, p, words, what)
    else:
        legal_adventure(s, R, p, words, what)


@jit
def legal_errand(s, R, p, words, what):
    """The answers to the questions heroes and recipes lead to."""
    if what == Q_MINION:
        errands.legal_minion(s, R, p, words)
    elif what == Q_FETCH:
        errands.legal_fetch(s, R, p, words)
    elif what == Q_COPY:
        errands.legal_copy(s, R, p, words)
    elif what == Q_GIVE:
        errands.legal_give(s, R, p, words)
    elif what == Q_RECEIVE:
        errands.legal_receive(s, R, p, words)
    elif what == Q_VICTIM:
        errands.legal_victim(s, R, p, words)
    elif what == Q_DICE:
        errands.legal_dice(s, R, p, words)
    elif what == Q_RECIPE:
        errands.legal_recipe(s, R, p, words)
    elif what == Q_EXHAUST:
        errands.legal_exhaust(s, R, p, words)
    elif what == Q_READY:
        errands.legal_ready(s, R, p, words)
    else:
        kitchen.legal_cube(s, R, p, words)


@jit
def legal_adventure(s, R, p, words, what):
    """The answers to the questions of encounters and events."""
    if what == Q_BANDIT:
        encounters.legal_bandit(s, R, p, words)
    elif what == Q_CHEST:
        encounters.legal_chest(s, R, p, words)
    elif what == Q_SMUGGLER:
        encounters.legal_smuggler(s, R, p, words)
    elif what == Q_DRYAD:
        encounters.legal_dryad(s, R, p, words)
    elif what == Q_WIND:
        events.legal_wind(s, R, p, words)
    elif what == Q_FAIR:
        events.legal_fair(s, R, p, words)
    else:
        encounters.legal_ring(s, R, p, words)


@jit
def answer(s, R, a):
    """Answer the question on top."""
    what, p = int(top(s.asks).what), int(top(s.asks).seat)
    if what == Q_TURN:
        menu.apply_turn(s, R, p, a)
    elif what == Q_FORK:
        effects.apply_fork(s, R, p, a)
    elif what == Q_HUNT:
        menu.apply_hunt(s, R, p, a)
    elif what == Q_MISSION:
        missions.apply_keep(s, R, p, a)
    elif what == Q_TELEPORT:
        effects.apply_teleport(s, R, p, a)
    elif what == Q_PLACE:
        places.apply_place(s, R, p, a)
    elif what == Q_MARKET:
        places.apply_market(s, R, p, a)
    elif what == Q_SEARCH:
        places.apply_search(s, R, p, a)
    elif what == Q_FACE:
        hunt.apply_face(s, R, p, a)
    elif what == Q_STRIKE:
        hunt.apply_strike(s, R, p, a)
    elif what == Q_LINE:
        hunt.apply_line(s, R, p, a)
    elif what == Q_LOSE:
        effects.apply_lose(s, R, p, a)
    elif what <= Q_CUBE:
        answer_errand(s, R, p, a, what)
    else:
        answer_adventure(s, R, p, a, what)


@jit
def answer_errand(s, R, p, a, what):
    """Answer a question heroes and recipes lead to."""
    if what == Q_MINION:
        errands.apply_minion(s, R, p, a)
    elif what == Q_FETCH:
        errands.apply_fetch(s, R, p, a)
    elif what == Q_COPY:
        errands.apply_copy(s, R, p, a)
    elif what == Q_GIVE:
        errands.apply_give(s, R, p, a)
    elif what == Q_RECEIVE:
        errands.apply_receive(s, R, p, a)
    elif what == Q_VICTIM:
        errands.apply_victim(s, R, p, a)
    elif what == Q_DICE:
        errands.apply_dice(s, R, p, a)
    elif what == Q_RECIPE:
        errands.apply_recipe(s, R, p, a)
    elif what == Q_EXHAUST:
        errands.apply_exhaust(s, R, p, a)
    elif what == Q_READY:
        errands.apply_ready(s, R, p, a)
    else:
        kitchen.apply_cube(s, R, p, a)


@jit
def answer_adventure(s, R, p, a, what):
    """Answer a question of encounters and events."""
    if what == Q_BANDIT:
        encounters.apply_bandit(s, R, p, a)
    elif what == Q_CHEST:
        encounters.apply_chest(s, R, p, a)
    elif what == Q_SMUGGLER:
        encounters.apply_smuggler(s, R, p, a)
    elif what == Q_DRYAD:
        encounters.apply_dryad(s, R, p, a)
    elif what == Q_WIND:
        events.apply_wind(s, R, p, a)
    elif what == Q_FAIR:
        events.apply_fair(s, R, p, a)
    else:
        encounters.apply_ring(s, R, p, a)


@jit
def redeal_trophies(s, R, p, key):
    """Shuffle the trophies of the others and of the pool."""
    left = bits.first(TROPHIES) & ~int(s.seat[p].spoils)
    for k in range(1, R.seats):
        q = (int(p) + k) % int(R.seats)
        them = s.seat[q]
        them.spoils = 0
        for _ in range(them.trophies):
            n = bits.popcount(left)
            token = bits.member(left, below(key, TROPHY, 0, 0, n, n))
            left = bits.without(left, token)
            them.spoils = int(them.spoils) | bits.bit(token)
    s.pool = left


@jit
def redeal(s, R, seat, key):
    """Other missions and trophies in other hands."""
    missions.redeal(s, R, seat, key)
    redeal_trophies(s, R, seat, key)


reset, step, determinize = turns(FOLDER, flow.set_up, flow.proceed, legal, answer, redeal=redeal)
