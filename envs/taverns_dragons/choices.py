"""Choices of minions, ingredients, heroes, dice or recipes that heroes, items, events and squares need (TD 1.9, 1.11, 1.13, 4.5)."""

from alehouse.envs.taverns_dragons import questions as Q
from alehouse.envs.core.run.question_stack import pop, push, top
from alehouse.envs.core.run.bits import bit, first, put, without
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.seats import around
from alehouse.envs.taverns_dragons import kitchen, places
from alehouse.envs.taverns_dragons.effects import (
    at_home, available, carried, exhaust, fly, gain_runes, has_room, hurt, laden, pick_up, refresh, roll, set_out, stock, store,
    take_from, values, wounded,
)  # fmt: skip
from alehouse.envs.taverns_dragons.layout import (
    A_DIE, A_DONE, A_HERO, A_KIND, A_MINION, A_RECIPE, A_ROB, CITY, FOR_BACK, FOR_COPY, FOR_FETCH, FOR_HEAL, FOR_HOME, FOR_STEP,
    FOR_STORE, FOR_TALISMAN, FOR_TELEPORT, FOR_WOUND, MINIONS, MUSHROOM, PLANT, SPICE,
)  # fmt: skip

FOR_EXCHANGE, FOR_SALE, FOR_NOTHING = range(3)  # what an ingredient from the pantry is given away for

# A minion of the seat, for many purposes


@jit
def heal_one(s, p):
    """Ask which minion to heal, if any minion has wounds."""
    if wounded(s.seat[p]) != 0:
        push(s, Q.MINION, p, FOR_HEAL)


@jit
def suitable(s, R, me, purpose):
    """Return as a set the minions that can be chosen for a purpose."""
    if purpose == FOR_HEAL:
        return wounded(me)
    if purpose == FOR_STORE:
        return laden(me)
    if purpose == FOR_HOME or purpose == FOR_BACK:
        return first(MINIONS) & ~at_home(me)
    if purpose == FOR_STEP or purpose == FOR_TELEPORT or purpose == FOR_WOUND:
        return first(MINIONS)
    found = 0
    for m in range(MINIONS):
        if purpose == FOR_FETCH:
            found |= int(available(s, R, int(me.zone[m])) != 0) << m
        elif purpose == FOR_COPY:
            found |= int(me.load[m] > 0 and has_room(R, me, m)) << m
        else:
            found |= int(me.die[m] > 0) << m
    return found


@jit
def legal_minion(s, R, p, words):
    """List the minions that are suitable for the purpose."""
    put(words, A_MINION, suitable(s, R, s.seat[p], int(top(s).a)))


@jit
def apply_minion(s, R, p, a):
    """Apply to the minion what it was chosen for."""
    me, m, purpose, n = s.seat[p], a - A_MINION, int(top(s).a), int(top(s).b)
    pop(s)
    if purpose == FOR_FETCH:
        push(s, Q.FETCH, p, m)
    elif purpose == FOR_COPY:
        push(s, Q.COPY, p, m)
    elif purpose == FOR_HEAL:
        me.wounds[m] = 0
    elif purpose == FOR_STEP:
        set_out(s, p, m, n)
    elif purpose == FOR_HOME:
        fly(s, R, p, m, CITY)
    elif purpose == FOR_TELEPORT:
        push(s, Q.TELEPORT, p, m)
    elif purpose == FOR_TALISMAN:
        places.move_again(s, R, p, m)
    elif purpose == FOR_STORE:
        store(me, m)
    elif purpose == FOR_WOUND:
        hurt(s, p, m, n)
    else:
        step_back(s, R, p, m)


@jit
def step_back(s, R, p, m):
    """Move a minion one zone back along the ring of zones; entering the Maple that way is a step too (TD-A7)."""
    me = s.seat[p]
    zone = int(R.back[me.zone[m]])
    fly(s, R, p, m, zone)
    gain_runes(R, me, int(R.zone_runes[zone]))


# An ingredient: the Owl Master fetches one into the pantry, the Summoner doubles one


@jit
def legal_fetch(s, R, p, words):
    """List the ingredients in the minion's zone."""
    put(words, A_KIND, available(s, R, int(s.seat[p].zone[top(s).a])))


@jit
def apply_fetch(s, R, p, a):
    """Move the ingredient from the minion's zone to the pantry."""
    me, m = s.seat[p], int(top(s).a)
    pop(s)
    take_from(s, int(me.zone[m]), a - A_KIND)
    me.pantry[a - A_KIND] += 1


@jit
def legal_copy(s, R, p, words):
    """List the ingredients that the minion carries."""
    put(words, A_KIND, carried(s.seat[p], int(top(s).a)))


@jit
def apply_copy(s, R, p, a):
    """Give the minion one more of this ingredient."""
    m = int(top(s).a)
    pop(s)
    pick_up(s.seat[p], m, a - A_KIND)


# An ingredient of the pantry to give away, and one to get in return


@jit
def legal_give(s, R, p, words):
    """List the ingredients in the pantry; an event only spoils plants and mushrooms."""
    found = stock(s.seat[p])
    if top(s).a == FOR_NOTHING:
        found &= bit(PLANT) | bit(MUSHROOM)
    put(words, A_KIND, found)


@jit
def apply_give(s, R, p, a):
    """Discard the ingredient, in exchange for gold, for another ingredient or for nothing."""
    me, purpose, n = s.seat[p], int(top(s).a), int(top(s).b)
    pop(s)
    me.pantry[a - A_KIND] -= 1
    if purpose == FOR_SALE:
        me.gold += n
    elif purpose == FOR_EXCHANGE:
        push(s, Q.RECEIVE, p, a - A_KIND)


@jit
def legal_receive(s, R, p, words):
    """List plant, mushroom and spice, except the kind given away."""
    put(words, A_KIND, without(bit(PLANT) | bit(MUSHROOM) | bit(SPICE), top(s).a))


@jit
def apply_receive(s, R, p, a):
    """Put the ingredient into the pantry."""
    pop(s)
    s.seat[p].pantry[a - A_KIND] += 1


# An opponent: the Thief robs one


@jit
def victims(s, R, p):
    """Return the opponents with gold, in order to the left, as a set."""
    found = 0
    for k in range(1, R.seats):
        found |= int(s.seat[around(p + k, R.seats)].gold > 0) << (k - 1)
    return found


@jit
def legal_victim(s, R, p, words):
    """List the opponents with gold."""
    put(words, A_ROB, victims(s, R, p))


@jit
def apply_victim(s, R, p, a):
    """Take gold from the opponent, as much as he has up to the amount."""
    n = int(top(s).a)
    pop(s)
    other = s.seat[around(p + a - A_ROB + 1, R.seats)]
    taken = min(n, int(other.gold))
    other.gold -= taken
    s.seat[p].gold += taken


# Dice: the Oracle re-rolls any number of them


@jit
def legal_dice(s, R, p, words):
    """List available dice whose value is not below that of the last one chosen; once one is chosen also list stopping."""
    put(words, A_DIE, values(s.seat[p]) & ~first(top(s).a))
    put(words, A_DONE, int(s.deed.picked > 0))


@jit
def apply_dice(s, R, p, a):
    """Choose a die to re-roll, or re-roll all those chosen."""
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


# A recipe on display: the Jester discards one


@jit
def legal_recipe(s, R, p, words):
    """List the recipes on display."""
    put(words, A_RECIPE, kitchen.displayed(s))


@jit
def apply_recipe(s, R, p, a):
    """Discard the recipe, refill the display and give prestige."""
    n = int(top(s).a)
    pop(s)
    s.thrown = int(s.thrown) | bit(s.display[a - A_RECIPE])
    kitchen.take_away(s, a - A_RECIPE)
    s.seat[p].score += n


# A hero of the tavern: one is exhausted, or readied


@jit
def legal_exhaust(s, R, p, words):
    """List the ready heroes."""
    put(words, A_HERO, int(s.seat[p].ready))


@jit
def apply_exhaust(s, R, p, a):
    """Exhaust the hero."""
    pop(s)
    exhaust(s.seat[p], a - A_HERO)


@jit
def legal_ready(s, R, p, words):
    """List the exhausted heroes."""
    put(words, A_HERO, int(s.seat[p].tired))


@jit
def apply_ready(s, R, p, a):
    """Ready the hero."""
    pop(s)
    refresh(s.seat[p], a - A_HERO)
