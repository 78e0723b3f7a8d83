"""Errands: what minions, ingredients, dice and heroes are chosen for, whoever asks (TD 1.9, 1.11, 1.13, 4.5)."""

from alehouse.envs.taverns_dragons import questions as Q
from alehouse.envs.core.run.question_stack import pop, push, top
from alehouse.envs.core.run.bits import bit, first, put, without
from alehouse.envs.core.run.jit import jit
from alehouse.envs.taverns_dragons import kitchen, places
from alehouse.envs.taverns_dragons.effects import (
    at_home, available, carried, exhaust, fly, gain_runes, has_room, pick_up, refresh, roll, set_out, stock, store, take_from, values,
    wounded, laden, hurt,
)  # fmt: skip
from alehouse.envs.taverns_dragons.layout import (
    A_DIE, A_DONE, A_HERO, A_KIND, A_MINION, A_RECIPE, A_ROB, CITY, FOR_BACK, FOR_COPY, FOR_FETCH, FOR_HEAL, FOR_HOME, FOR_STEP,
    FOR_STORE, FOR_TALISMAN, FOR_TELEPORT, FOR_WOUND, MINIONS, MUSHROOM, PLANT, SPICE,
)  # fmt: skip

FOR_EXCHANGE, FOR_SALE, FOR_NOTHING = range(3)  # what an ingredient of the pantry is given away for


@jit
def heal_one(s, p):
    """Ask whose wounds are healed, if there are any."""
    if wounded(s.seat[p]) != 0:
        push(s, Q.MINION, p, FOR_HEAL)


# A minion is sent on an errand


@jit
def sent(s, R, me, errand):
    """Minions that can be chosen for an errand, as a set."""
    if errand == FOR_HEAL:
        return wounded(me)
    if errand == FOR_STORE:
        return laden(me)
    if errand == FOR_HOME or errand == FOR_BACK:
        return first(MINIONS) & ~at_home(me)
    if errand == FOR_STEP or errand == FOR_TELEPORT or errand == FOR_WOUND:
        return first(MINIONS)
    found = 0
    for m in range(MINIONS):
        if errand == FOR_FETCH:
            found |= int(available(s, R, int(me.zone[m])) != 0) << m
        elif errand == FOR_COPY:
            found |= int(me.load[m] > 0 and has_room(R, me, m)) << m
        else:
            found |= int(me.die[m] > 0) << m
    return found


@jit
def legal_minion(s, R, p, words):
    """Those of one's minions that can go."""
    put(words, A_MINION, sent(s, R, s.seat[p], int(top(s).a)))


@jit
def apply_minion(s, R, p, a):
    """The minion goes about its errand."""
    me, m, errand, n = s.seat[p], a - A_MINION, int(top(s).a), int(top(s).b)
    pop(s)
    if errand == FOR_FETCH:
        push(s, Q.FETCH, p, m)
    elif errand == FOR_COPY:
        push(s, Q.COPY, p, m)
    elif errand == FOR_HEAL:
        me.wounds[m] = 0
    elif errand == FOR_STEP:
        set_out(s, p, m, n)
    elif errand == FOR_HOME:
        fly(s, R, p, m, CITY)
    elif errand == FOR_TELEPORT:
        push(s, Q.TELEPORT, p, m)
    elif errand == FOR_TALISMAN:
        places.again(s, R, p, m)
    elif errand == FOR_STORE:
        store(me, m)
    elif errand == FOR_WOUND:
        hurt(s, p, m, n)
    else:
        step_back(s, R, p, m)


@jit
def step_back(s, R, p, m):
    """One zone back along the ring; entering the Maple that way is a step too (TD-A7)."""
    me = s.seat[p]
    zone = int(R.back[me.zone[m]])
    fly(s, R, p, m, zone)
    gain_runes(R, me, int(R.zone_runes[zone]))


# What the owl master and the summoner bring


@jit
def legal_fetch(s, R, p, words):
    """Kinds in the zone of the minion."""
    put(words, A_KIND, available(s, R, int(s.seat[p].zone[top(s).a])))


@jit
def apply_fetch(s, R, p, a):
    """Into the pantry."""
    me, m = s.seat[p], int(top(s).a)
    pop(s)
    take_from(s, int(me.zone[m]), a - A_KIND)
    me.pantry[a - A_KIND] += 1


@jit
def legal_copy(s, R, p, words):
    """Kinds the minion carries."""
    put(words, A_KIND, carried(s.seat[p], int(top(s).a)))


@jit
def apply_copy(s, R, p, a):
    """One more of the kind."""
    m = int(top(s).a)
    pop(s)
    pick_up(s.seat[p], m, a - A_KIND)


# Giving away and getting ingredients


@jit
def legal_give(s, R, p, words):
    """Kinds in the pantry; plants and mushrooms where an event spoils them."""
    found = stock(s.seat[p])
    if top(s).a == FOR_NOTHING:
        found &= bit(PLANT) | bit(MUSHROOM)
    put(words, A_KIND, found)


@jit
def apply_give(s, R, p, a):
    """One ingredient is gone, for gold or another ingredient or nothing."""
    me, purpose, n = s.seat[p], int(top(s).a), int(top(s).b)
    pop(s)
    me.pantry[a - A_KIND] -= 1
    if purpose == FOR_SALE:
        me.gold += n
    elif purpose == FOR_EXCHANGE:
        push(s, Q.RECEIVE, p, a - A_KIND)


@jit
def legal_receive(s, R, p, words):
    """Plant, mushroom or spice, but not what was given."""
    put(words, A_KIND, without(bit(PLANT) | bit(MUSHROOM) | bit(SPICE), top(s).a))


@jit
def apply_receive(s, R, p, a):
    """Into the pantry."""
    pop(s)
    s.seat[p].pantry[a - A_KIND] += 1


# The thief


@jit
def victims(s, R, p):
    """Opponents with gold, counted to the left, as a set."""
    found = 0
    for k in range(1, R.seats):
        found |= int(s.seat[(p + k) % R.seats].gold > 0) << (k - 1)
    return found


@jit
def legal_victim(s, R, p, words):
    """Opponents with gold."""
    put(words, A_ROB, victims(s, R, p))


@jit
def apply_victim(s, R, p, a):
    """Their gold is yours."""
    n = int(top(s).a)
    pop(s)
    other = s.seat[(p + a - A_ROB + 1) % R.seats]
    taken = min(n, int(other.gold))
    other.gold -= taken
    s.seat[p].gold += taken


# The oracle


@jit
def legal_dice(s, R, p, words):
    """One more available die, of a value not below the last; or enough."""
    put(words, A_DIE, values(s.seat[p]) & ~first(top(s).a))
    put(words, A_DONE, int(s.deed.picked > 0))


@jit
def apply_dice(s, R, p, a):
    """Take up a die, or roll those taken up."""
    me = s.seat[p]
    if a != A_DONE:
        me.dice[a - A_DIE] -= 1
        s.deed.picked += 1
        top(s).a = a - A_DIE
        return
    pop(s)
    for _ in range(s.deed.picked):
        me.dice[roll(s, p)] += 1
    s.deed.picked = 0


# The jester


@jit
def legal_recipe(s, R, p, words):
    """Recipes on display."""
    put(words, A_RECIPE, kitchen.displayed(s))


@jit
def apply_recipe(s, R, p, a):
    """The recipe is discarded, the display refilled."""
    n = int(top(s).a)
    pop(s)
    s.thrown = int(s.thrown) | bit(s.display[a - A_RECIPE])
    kitchen.take_away(s, a - A_RECIPE)
    s.seat[p].score += n


# Exhausting and readying heroes


@jit
def legal_exhaust(s, R, p, words):
    """Ready heroes."""
    put(words, A_HERO, int(s.seat[p].ready))


@jit
def apply_exhaust(s, R, p, a):
    """One is exhausted."""
    pop(s)
    exhaust(s.seat[p], a - A_HERO)


@jit
def legal_ready(s, R, p, words):
    """Exhausted heroes."""
    put(words, A_HERO, int(s.seat[p].tired))


@jit
def apply_ready(s, R, p, a):
    """One is ready again."""
    pop(s)
    refresh(s.seat[p], a - A_HERO)
