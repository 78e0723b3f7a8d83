"""The sly goblin, who sells items (TD 4.5). How gelatinous cubes are used is in kitchen.py."""

from alehouse.envs.taverns_dragons import questions as Q
from alehouse.envs.core.run.question_stack import push
from alehouse.envs.core.declare.game import Module
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.taverns_dragons import choices, hunt
from alehouse.envs.taverns_dragons.effects import wounded
from alehouse.envs.taverns_dragons.layout import (
    BOOTS, CUBE, FOR_HEAL, FOR_TALISMAN, FOR_TELEPORT, GLAIVE, GOBLIN_ROLL, HOURGLASS, ITEM, ITEMS, MINIONS, POTION, RELATIVE, SIDES,
    TALISMAN,
)  # fmt: skip
from alehouse.envs.taverns_dragons.state import NOTHING

MODULE = Module(
    "goblin",
    "Sly goblin",
    actions=("buy", "item", "cube", "strike"),
    features=("goblin_zone", "goblin", "unseen_items", *(f"{who}_{items}" for who in RELATIVE for items in ("items", "used_items"))),
    numbers=("items.", "goblin."),
)


@jit
def begin(s, R):
    """Put all items into the stock of unsold ones, at the set-up."""
    if R.goblin:
        for item in range(ITEMS):
            s.hoard[item] = R.copies[item]
            s.unsold += R.copies[item]


@jit
def come_or_go(s, R):
    """Bring the goblin in odd rounds: two dice say to which zone, and he has one item for each player. In even rounds he is away."""
    if R.goblin:
        s.goblin = NOTHING
        s.goblin_items = 0
        if s.rounds % 2 == 0:
            s.goblin_items = R.seats
            s.goblin = 2
            for k in range(2):
                s.goblin += below(s.seed, GOBLIN_ROLL, s.rounds, 0, k, SIDES)


@jit
def for_sale(s, R, me):
    """Return whether a seat can buy an item now: once a turn, with a minion in the goblin's zone."""
    if not R.goblin or s.goblin_items == 0 or s.deed.bought or me.gold < R.goblin_price:
        return False
    found = False
    for m in range(MINIONS):
        found |= me.zone[m] == s.goblin
    return found


@jit
def buy(s, R, p):
    """Buy the top item; all items that nobody has seen are equally likely."""
    me = s.seat[p]
    me.gold -= R.goblin_price
    s.deed.bought = 1
    k = below(s.seed, ITEM, 0, 0, s.unsold, s.unsold)
    item = 0
    while k >= s.hoard[item]:
        k -= int(s.hoard[item])
        item += 1
    s.hoard[item] -= 1
    s.unsold -= 1
    s.goblin_items -= 1
    me.items[item] += 1


@jit
def items(s, R, me):
    """Return as a set, counting from the item after the cube, the items that can be used now and would change something."""
    if not R.goblin:
        return 0
    found = 0
    for item in range(CUBE + 1, ITEMS):
        found |= int(me.items[item] > 0 and useful(s, R, me, item)) << (item - CUBE - 1)
    return found


@jit
def useful(s, R, me, item):
    """Return whether an item can be used now and would change something (TD 4.5)."""
    if item == POTION:
        return wounded(me) != 0
    if item == HOURGLASS:
        return me.tired != 0
    if item == GLAIVE:
        return hunt.open_to_change(s)
    return not hunt.open_to_change(s) and (item == BOOTS or choices.suitable(s, R, me, FOR_TALISMAN) != 0)


@jit
def use(s, R, p, label):
    """Use an item, which is turned over afterwards."""
    me, item = s.seat[p], label + CUBE + 1
    me.items[item] -= 1
    me.used[item] += 1
    if item == POTION:
        push(s, Q.MINION, p, FOR_HEAL)
    elif item == TALISMAN:
        push(s, Q.MINION, p, FOR_TALISMAN)
    elif item == BOOTS:
        push(s, Q.MINION, p, FOR_TELEPORT)
    elif item == HOURGLASS:
        push(s, Q.READY, p)
    else:
        push(s, Q.STRIKE, p)
