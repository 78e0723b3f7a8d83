"""Events (TD 4.2, 1.11): when the round marker passes an icon, a card is revealed that all seats resolve in turn order."""

from alehouse.envs.taverns_dragons import questions as Q
from alehouse.envs.core.run.question_stack import pop, push, top
from alehouse.envs.core.run.bits import bit, first, popcount, put, without
from alehouse.envs.core.declare.game import Module
from alehouse.envs.core.run.jit import jit
from alehouse.envs.taverns_dragons import choices
from alehouse.envs.taverns_dragons.effects import draw_card, gain_energy, gain_runes, lose_energy, lose_gold, set_out, stock
from alehouse.envs.taverns_dragons.layout import (
    A_DONE, A_KIND, A_MINION, EVENT_DECK, EVENT_MINUS, EVENTS, FOR_BACK, FOR_WOUND, MINIONS, MINUS_BACK, MINUS_ENERGY, MINUS_EXHAUST,
    MINUS_GOLD, MINUS_HEROES, MINUS_PRESTIGE, MINUS_RUNE, MINUS_SPOIL, MINUS_TITHE, MINUS_WOUND, MUSHROOM, PLANT, PLUS_BUY, PLUS_ENERGY,
    PLUS_GOLD, PLUS_HEAL, PLUS_HEROES, PLUS_PLANT, PLUS_PRESTIGE, PLUS_READY, PLUS_RUNE, PLUS_STEP,
)  # fmt: skip

MODULE = Module(
    "events",
    "Events",
    features=("event", "event_deck"),
    numbers=("events.", "event."),
)


@jit
def reveal(s, R):
    """Reveal the next card; when none is left, shuffle all of them first."""
    if s.events == 0:
        s.events = first(EVENTS)
    s.event = draw_card(s, EVENT_DECK, s.rounds, s.events)
    s.events = without(s.events, s.event)


@jit
def resolve(s, R, p, icon):
    """Resolve for one seat the half of the card that the icon selects."""
    half = int(icon == EVENT_MINUS)
    op, n, least = int(R.event[s.event, half]), int(R.event_amount[s.event, half]), int(R.event_from[s.event, half])
    if half == 0:
        positive(s, R, p, op, n, least)
    else:
        negative(s, R, p, op, n, least)


@jit
def heroes_in(me):
    """Return the number of heroes in a tavern."""
    return popcount(int(me.ready) | int(me.tired))


@jit
def positive(s, R, p, op, n, least):
    """Resolve a positive half; op, n and least come from the card."""
    me = s.seat[p]
    if op == PLUS_PLANT:
        me.pantry[PLANT] += n
    elif op == PLUS_GOLD:
        me.gold += n
    elif op == PLUS_ENERGY:
        gain_energy(R, me, n)
    elif op == PLUS_PRESTIGE or (op == PLUS_HEROES and heroes_in(me) >= least):
        me.score += n
    elif op == PLUS_RUNE:
        gain_runes(R, me, n)
    elif op == PLUS_HEAL:
        choices.heal_one(s, p)
    elif op == PLUS_STEP:
        push(s, Q.WIND, p, n)
    elif op == PLUS_BUY and me.gold >= R.fair_price:
        push(s, Q.FAIR, p)
    elif op == PLUS_READY and me.tired != 0:
        push(s, Q.READY, p)


@jit
def negative(s, R, p, op, n, least):
    """Resolve a negative half."""
    me = s.seat[p]
    if op == MINUS_SPOIL and stock(me) & (bit(PLANT) | bit(MUSHROOM)) != 0:
        push(s, Q.GIVE, p, choices.FOR_NOTHING)
    elif op == MINUS_GOLD or (op == MINUS_HEROES and heroes_in(me) <= least) or (op == MINUS_TITHE and me.gold >= least):
        lose_gold(me, n)
    elif op == MINUS_ENERGY:
        lose_energy(me, n)
    elif op == MINUS_PRESTIGE:
        me.score = max(0, int(me.score) - n)
    elif op == MINUS_RUNE:
        if me.runes > 0:
            me.runes -= min(n, int(me.runes))
        else:
            lose_energy(me, n)
    elif op == MINUS_WOUND:
        push(s, Q.MINION, p, FOR_WOUND, n)
    elif op == MINUS_BACK and choices.suitable(s, R, me, FOR_BACK) != 0:
        push(s, Q.MINION, p, FOR_BACK)
    elif op == MINUS_EXHAUST and me.ready != 0:
        push(s, Q.EXHAUST, p)


@jit
def legal_wind(s, R, p, words):
    """List the minions that may be moved, and moving none."""
    put(words, A_MINION, first(MINIONS))
    put(words, A_DONE, 1)


@jit
def apply_wind(s, R, p, a):
    """Let the chosen minion walk."""
    n = int(top(s).a)
    pop(s)
    if a != A_DONE:
        set_out(s, p, a - A_MINION, n)


@jit
def legal_fair(s, R, p, words):
    """List buying a plant, a mushroom, or nothing."""
    put(words, A_KIND, bit(PLANT) | bit(MUSHROOM))
    put(words, A_DONE, 1)


@jit
def apply_fair(s, R, p, a):
    """Pay for the ingredient and put it into the pantry, or buy nothing."""
    me = s.seat[p]
    pop(s)
    if a != A_DONE:
        me.gold -= R.fair_price
        me.pantry[a - A_KIND] += 1
