"""The events, which may be added to module 1 (BI 4.2, 1.6)."""

from alehouse.envs.bloody_inn.effects import discard
from alehouse.envs.bloody_inn.layout import (
    BLACKMAIL, BROKEN_SAFE, CARNY, CIRRHOSIS, EVENT_DECK, EVENTS, EXTORTION, FIASCO, HIGH_SEASON, KINDS, PEASANT, PICKPOCKETS, RED_HERRING,
)  # fmt: skip
from alehouse.envs.bloody_inn.places import in_the_inn
from alehouse.envs.bloody_inn.state import NOBODY
from alehouse.envs.core.declare.game import Module
from alehouse.envs.core.run.bits import first, lowest, popcount, without
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below

MODULE = Module(
    "events",
    "Events",
    requires="carnies",
    features=("event", "event_deck"),
    numbers=("events.", "start.event_copies", "switch.ev_", "game.extortion_wage", "game.high_season_rent"),
)


@jit
def whole_deck(R):
    """Return all event cards as a set: copy k of event e is number EVENTS * k + e."""
    return first(EVENTS * int(R.event_copies))


@jit
def lodged(s, R, kind):
    """Reveal an event if the first carny of this welcome has been lodged (BI 4.2)."""
    if R.events and s.event == NOBODY and R.family[kind] == CARNY:
        if s.event_deck == 0:
            s.event_deck = whole_deck(R)
            s.event_pass += 1
        left = popcount(int(s.event_deck))
        rest = int(s.event_deck)
        for _ in range(below(s.seed, EVENT_DECK, s.event_pass, 0, left, left)):
            rest &= rest - 1
        s.event = lowest(rest) % EVENTS
        s.event_deck = without(s.event_deck, lowest(rest))


@jit
def look_for_carnies(s, R):
    """Decide whether the event applies: a carny must be in the inn when phase 3 begins (BI-R14)."""
    s.event_on = int(R.events and s.event != NOBODY and in_the_inn(s, R, CARNY))


@jit
def applies(s, R, event):
    """Return whether this event applies in the current phase 3."""
    return R.events and s.event_on and s.event == event


@jit
def calls(s, R, police):
    """Return whether police or the event call the gravedigger (BI 4.5 (3))."""
    return (police and not applies(s, R, RED_HERRING)) or applies(s, R, BLACKMAIL)


@jit
def rent(s, R):
    """Return the rent of an occupied room."""
    return int(R.rent_high) if applies(s, R, HIGH_SEASON) else int(R.rent)


@jit
def wage(s, R):
    """Return the wage of an accomplice."""
    return int(R.wage_high) if applies(s, R, EXTORTION) else int(R.wage)


@jit
def fiasco(s, R):
    """Send all accomplices away, unpaid."""
    if applies(s, R, FIASCO):
        for p in range(R.seats):
            me = s.seat[p]
            for kind in range(KINDS):
                discard(s, kind, int(me.hand[kind]))
                me.hand[kind] = 0
            me.cards = 0
            me.kinds = 0


@jit
def losses(s, R):
    """Take from every seat the money that Pickpockets or the Broken Safe cost it."""
    for p in range(R.seats):
        me = s.seat[p]
        if applies(s, R, PICKPOCKETS):
            cash = int(me.cash)
            me.cash = cash - (min(cash, int(R.event_amount[PICKPOCKETS])) if R.pickpockets_two else (cash + 1) // 2)
        if applies(s, R, BROKEN_SAFE):
            me.checks -= (int(me.checks) + 1) // 2


@jit
def cirrhosis(s, R):
    """Put some peasants from the bistro into the box, out of the game."""
    if applies(s, R, CIRRHOSIS):
        dead = min(int(s.bistro), int(R.event_amount[CIRRHOSIS]))
        s.bistro -= dead
        s.box[PEASANT] += dead


@jit
def discard_event(s):
    """Discard the event of the round, if there is one."""
    s.event = NOBODY
    s.event_on = 0
