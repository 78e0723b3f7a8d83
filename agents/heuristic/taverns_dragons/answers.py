"""Taverns & Dragons: the answers to questions within a turn, and to events."""

from alehouse.envs.taverns_dragons import questions as Q
from alehouse.agents.heuristic.taverns_dragons import heroes
from alehouse.agents.heuristic.taverns_dragons.hunts import best_turn, marking, now, rolled, struck, turned
from alehouse.agents.heuristic.taverns_dragons.plan import dish, rolling
from alehouse.agents.heuristic.taverns_dragons.visits import visiting
from alehouse.agents.heuristic.taverns_dragons.ways import arrival, best_walk, carry, place_of
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.core.run.bits import within
from alehouse.envs.taverns_dragons.effects import interrupted
from alehouse.envs.core.run.jit import jit
from alehouse.envs.taverns_dragons.layout import (
    A_ACCEPT, A_ATTACK, A_CHARM, A_CUBE, A_DIE, A_GO, A_HERO, A_HUNT, A_KEEP, A_KIND, A_LINE, A_MINION, A_RECIPE, A_REROLL_HUNTING,
    A_ROB, A_SEARCH, A_STEPS, A_STRIKE, A_TURN, A_VISIT, BOW, CITY, COPY, FETCH, FINDS, FLY_HOME, FOR_BACK, FOR_COPY, FOR_FETCH,
    FOR_HEAL, FOR_HOME, FOR_STEP, FOR_STORE, FOR_TALISMAN, FOR_WOUND, SPICE, STEP, SWORD, SYMBOL_COUNT,
)  # fmt: skip


@jit
def window(s, R, W, m, a):
    """Before the attack: dice changed for the better."""
    if a == A_ATTACK:
        return 0.0
    if a < A_CHARM:
        return rolled(s, R, W, m, a - A_REROLL_HUNTING) - now(s, R, W, m) - m.rune
    return best_turn(s, R, W, m, (1 << SYMBOL_COUNT) - 1)


@jit
def searching(s, R, W, m):
    """One more token of the dungeon."""
    gain, left = 0.0, 0
    for token in range(FINDS):
        if not within(s.finds, token):
            left += 1
            gain += int(R.find_gold[token]) * m.coin + int(R.find_prestige[token]) - int(R.find_wounds[token]) * m.wound
    return gain / max(1, left)


@jit
def going(s, R, W, m, what, zone):
    """A fork, or a flight."""
    if what == Q.FORK:
        mi, steps = int(top(s).a), int(interrupted(s).b) - 1
        worth = best_walk(s, R, W, m, mi, zone, steps) if mi == s.deed.active else place_of(s, R, W, m, mi, zone, False)
        return worth + int(R.zone_runes[zone]) * m.rune
    mi = int(top(s).a)
    if mi == s.deed.active:
        return arrival(s, R, W, m, mi, zone)
    return place_of(s, R, W, m, mi, zone, s.seat[m.p].die[mi] > 0)


@jit
def sending(s, R, W, m, mi):
    """Which minion."""
    me, ask = s.seat[m.p], top(s)
    zone, errand = int(me.zone[mi]), int(ask.a)
    if ask.what == Q.WIND or errand == FOR_STEP:
        return heroes.errand(s, R, W, m, STEP, 1, mi)
    if errand in (FOR_FETCH, FOR_COPY, FOR_HOME):
        op = FETCH if errand == FOR_FETCH else COPY if errand == FOR_COPY else FLY_HOME
        return heroes.errand(s, R, W, m, op, 0, mi)
    if errand == FOR_HEAL:
        return float(me.wounds[mi])
    if errand == FOR_STORE:
        return m.goods[mi] * (1.0 - carry(R, W, m, me, mi, zone, me.die[mi] > 0))
    if errand == FOR_WOUND:
        return (1.0 if zone == CITY else 0.0) + int(R.slots[mi]) - int(me.load[mi]) - int(me.wounds[mi])
    if errand == FOR_BACK:
        return place_of(s, R, W, m, mi, int(R.back[zone]), False) - place_of(s, R, W, m, mi, zone, False)
    if errand == FOR_TALISMAN:
        return (1.0 if mi == s.deed.active else 0.0) - int(me.load[mi]) - int(me.wounds[mi])
    return heroes.flight(s, R, W, m, mi)


@jit
def which_kind(s, R, W, m, what, kind):
    """Which ingredient."""
    if what == Q.LOSE:
        return -m.hold[kind]
    if what == Q.GIVE:
        return -m.hold[kind]
    if what == Q.FAIR:
        return m.want[kind] - int(R.fair_price) * m.coin
    if what == Q.MARKET:
        return m.hold[kind] - int(R.market[kind]) * m.coin
    return m.hold[kind] if what == Q.DRYAD else m.want[kind]


@jit
def bargain(s, R, W, m, what):
    """What saying yes to an encounter brings, more than saying no."""
    if what == Q.BANDIT:
        return m.wound - m.coin * min(int(top(s).a), int(s.seat[m.p].gold))
    if what == Q.CHEST:
        return 0.5 * (int(top(s).a) * m.coin - m.wound)
    return int(top(s).a) * m.want[SPICE] * W.far - int(R.smuggler_price) * m.coin


@jit
def answer(s, R, W, m, what, a):
    """What an answer to any other question than that of the turn brings."""
    if a < A_TURN:
        return visiting(s, R, W, m, a - A_VISIT, top(s).a != 0) if A_VISIT <= a < A_HUNT else 0.0
    if a < A_STRIKE:
        return turned(s, R, W, m, (a - A_TURN) // SYMBOL_COUNT, (a - A_TURN) % SYMBOL_COUNT)
    if a < A_LINE:
        return struck(s, R, W, m, int(a - A_STRIKE == SWORD), int(a - A_STRIKE == BOW))
    if a < A_SEARCH:
        return marking(s, R, W, m, a - A_LINE, int(top(s).a))
    if a == A_SEARCH:
        return searching(s, R, W, m)
    if a < A_MINION:
        return going(s, R, W, m, what, a - A_GO)
    if a < A_KIND:
        return sending(s, R, W, m, a - A_MINION)
    if a < A_CUBE:
        return which_kind(s, R, W, m, what, a - A_KIND)
    if a < A_HERO:
        return -1.0
    if a < A_ROB:
        return -W.heroes[a - A_HERO] if what == Q.EXHAUST else W.heroes[a - A_HERO]
    return other(s, R, W, m, what, a)


@jit
def other(s, R, W, m, what, a):
    """Whom to rob, which dice to roll, which recipe goes, bargains, the ring, the mission."""
    if a < A_DIE:
        return float(s.seat[(m.p + a - A_ROB + 1) % int(R.seats)].score)
    if a < A_RECIPE:
        return rolling(s, m, a - A_DIE)
    if a < A_ACCEPT:
        return -dish(s, R, W, m, a - A_RECIPE)
    if a < A_STEPS:
        return bargain(s, R, W, m, what) if a == A_ACCEPT else 0.0
    mi = int(s.deed.active)
    if a < A_KEEP:
        here = int(s.seat[m.p].zone[mi])
        return best_walk(s, R, W, m, mi, here, a - A_STEPS) if a > A_STEPS else place_of(s, R, W, m, mi, here, True)
    return W.missions[a - A_KEEP]
