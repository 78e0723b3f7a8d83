"""Tous sur un: heroes can support like arrivals, and every other player may be called on for a support (TB 4.2)."""

from alehouse.envs.tavern_battle import questions as Q
from alehouse.envs.core.run.question_stack import pop, push
from alehouse.envs.core.run.bits import bit, put
from alehouse.envs.core.declare.game import Module
from alehouse.envs.core.run.jit import jit
from alehouse.envs.tavern_battle.combat import add_support, helpers
from alehouse.envs.tavern_battle.effects import seat_named
from alehouse.envs.tavern_battle.layout import A_CHARACTER, A_PASS, HERO_NAMES

MODULE = Module(
    "tous_sur_un",
    "Tous sur un",
    features=("called",),
    numbers=tuple(f"heroes.{hero}.support_" for hero in HERO_NAMES),
)


@jit
def callable_seats(s, R, p):
    """Return as a set the other seats that were not called on yet and have a character to lend."""
    found = 0
    if R.tous_sur_un:
        for q in range(R.seats):
            if q != p and helpers(s, R, q, s.act.verb) != 0:
                found |= bit(q)
    return found & ~int(s.act.called)


@jit
def call(s, R, p, a):
    """Call on another player for a support, which is possible once for each action."""
    q = seat_named(a, p, R.seats)
    s.act.called |= bit(q)
    push(s, Q.LEND, q)


@jit
def legal_lend(s, R, q, words):
    """List the characters the seat can lend, and refusing."""
    put(words, A_PASS, 1)
    put(words, A_CHARACTER, helpers(s, R, q, s.act.verb))


@jit
def apply_lend(s, R, q, a):
    """Add the lent character as a support, or refuse to lend one."""
    pop(s)
    if a != A_PASS:
        add_support(s, R, a - A_CHARACTER)
