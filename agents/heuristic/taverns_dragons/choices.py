"""Taverns & Dragons: rate the answers to all questions outside the turn and the hunt."""

from alehouse.envs.taverns_dragons import questions as Q
from alehouse.agents.heuristic.taverns_dragons import heroes
from alehouse.agents.heuristic.taverns_dragons.hunt import outcome_turned, outcome_with_more, rate_line
from alehouse.agents.heuristic.taverns_dragons.dice import rate_display, rate_reroll
from alehouse.agents.heuristic.taverns_dragons.positions import best_arrival, best_walk, rate_visit, share_on_way, standing
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.core.run.bits import bit, within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.taverns_dragons.effects import interrupted
from alehouse.envs.taverns_dragons.layout import (
    A_ACCEPT, A_BOARD, A_CUBE, A_DIE, A_DONE, A_GO, A_HERO, A_HUNT, A_KEEP, A_KIND, A_LINE, A_MINION, A_RECIPE, A_ROB, A_SEARCH, A_STEPS,
    A_STRIKE, A_TURN, A_VISIT, BOW, CITY, CLAW, COPY, FACES, FETCH, FINDS, FLY_HOME, FOR_BACK, FOR_COPY, FOR_FETCH, FOR_HEAL, FOR_HOME,
    FOR_STEP, FOR_STORE, FOR_TALISMAN, FOR_WOUND, SPICE, STEP, SWORD, SYMBOL_COUNT,
)  # fmt: skip


@jit
def rate_answer(s, R, W, v, what, a):
    """Rate an answer to the question `what`."""
    if a < A_TURN:
        if what == Q.BEAR:
            return rate_bear(s, R, v) if a != A_DONE else 0.0
        return rate_visit(s, R, W, v, a - A_VISIT, top(s).a != 0) if A_VISIT <= a < A_HUNT else 0.0
    if a < A_STRIKE:
        return outcome_turned(s, R, W, v, (a - A_TURN) // SYMBOL_COUNT, (a - A_TURN) % SYMBOL_COUNT)
    if a < A_LINE:
        return outcome_with_more(s, R, W, v, int(a - A_STRIKE == SWORD), int(a - A_STRIKE == BOW))
    if a < A_SEARCH:
        return rate_line(s, v, a - A_LINE, int(top(s).a))
    if a == A_SEARCH:
        return rate_search(s, R, v)
    if a < A_MINION:
        return rate_zone(s, R, W, v, what, a - A_GO)
    if a < A_KIND:
        return rate_minion(s, R, W, v, a - A_MINION)
    if a < A_CUBE:
        return rate_ingredient(R, v, what, a - A_KIND)
    if a < A_HERO:
        return -1.0
    if a < A_ROB:
        return -W.heroes[a - A_HERO] if what == Q.EXHAUST else W.heroes[a - A_HERO]
    if a < A_DIE:
        return float(s.seat[(v.p + a - A_ROB + 1) % int(R.seats)].score)
    if a < A_RECIPE:
        return rate_reroll(v, a - A_DIE)
    if a < A_ACCEPT:
        return -rate_display(s, R, W, v, a - A_RECIPE)
    if a < A_STEPS:
        return rate_acceptance(s, R, W, v, what) if a == A_ACCEPT else 0.0
    if a < A_KEEP:
        m = int(s.deed.active)
        here = int(s.seat[v.p].zone[m])
        return best_walk(s, R, W, v, m, here, a - A_STEPS) if a > A_STEPS else standing(s, R, W, v, m, here, True)
    return W.missions[a - A_KEEP] if a < A_BOARD else W.boards[a - A_BOARD]


@jit
def rate_bear(s, R, v):
    """Rate rolling the die again that is rolled for the bear, for a rune."""
    gain = 0.0
    for face in range(FACES):
        gain += bear_worth(s, v, R.face[face]) / FACES
    return gain - bear_worth(s, v, top(s).a) - v.rune


@jit
def bear_worth(s, v, symbol):
    """Return what the bear brings for a symbol."""
    if symbol in (SWORD, BOW):
        return float(top(s).b)
    return -v.wound if symbol == CLAW else 0.0


@jit
def rate_search(s, R, v):
    """Rate turning over one more dungeon token."""
    gain, left = 0.0, 0
    for token in range(FINDS):
        if not within(s.finds, token):
            left += 1
            gain += int(R.find_gold[token]) * v.gold + int(R.find_prestige[token]) - int(R.find_wounds[token]) * v.wound
    return gain / max(1, left)


@jit
def rate_zone(s, R, W, v, what, zone):
    """Rate the zone to which a minion walks on from a fork, or flies."""
    m = int(top(s).a)
    if what == Q.FORK:
        steps = int(interrupted(s).b) - 1
        worth = best_walk(s, R, W, v, m, zone, steps) if m == s.deed.active else standing(s, R, W, v, m, zone, False)
        return worth + int(R.zone_runes[zone]) * v.rune
    if m == s.deed.active:
        return best_arrival(s, R, W, v, m, bit(zone))
    return standing(s, R, W, v, m, zone, s.seat[v.p].die[m] > 0)


@jit
def rate_minion(s, R, W, v, m):
    """Rate choosing a minion, for the purpose of the current question."""
    me, question = s.seat[v.p], top(s)
    zone, purpose = int(me.zone[m]), int(question.a)
    if question.what == Q.WIND or purpose == FOR_STEP:
        return heroes.rate_minion(s, R, W, v, STEP, m)
    if purpose in (FOR_FETCH, FOR_COPY, FOR_HOME):
        op = FETCH if purpose == FOR_FETCH else COPY if purpose == FOR_COPY else FLY_HOME
        return heroes.rate_minion(s, R, W, v, op, m)
    if purpose == FOR_HEAL:
        return float(me.wounds[m])
    if purpose == FOR_STORE:
        return v.load[m] * (1.0 - share_on_way(R, W, v, me, m, zone, me.die[m] > 0))
    if purpose == FOR_WOUND:
        return (1.0 if zone == CITY else 0.0) + int(R.slots[m]) - int(me.load[m]) - int(me.wounds[m])
    if purpose == FOR_BACK:
        return standing(s, R, W, v, m, int(R.back[zone]), False) - standing(s, R, W, v, m, zone, False)
    if purpose == FOR_TALISMAN:
        return (1.0 if m == s.deed.active else 0.0) - int(me.load[m]) - int(me.wounds[m])
    return heroes.rate_flight(s, R, W, v, m)


@jit
def rate_ingredient(R, v, what, kind):
    """Rate choosing an ingredient to lose, give away, buy, store or get, as the current question demands."""
    if what == Q.LOSE or what == Q.GIVE:
        return -v.carried[kind]
    if what == Q.FAIR:
        return v.stored[kind] - int(R.fair_price) * v.gold
    if what == Q.MARKET:
        return v.carried[kind] - int(R.market[kind]) * v.gold
    return v.carried[kind] if what == Q.DRYAD else v.stored[kind]


@jit
def rate_acceptance(s, R, W, v, what):
    """Rate accepting what an encounter offers, compared with declining."""
    n = int(top(s).a)
    if what == Q.BANDIT:
        return v.wound - v.gold * min(n, int(s.seat[v.p].gold))
    if what == Q.CHEST:
        return 0.5 * (n * v.gold - v.wound)
    return n * v.stored[SPICE] * W.far - int(R.smuggler_price) * v.gold
