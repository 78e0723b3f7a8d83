"""Module 2, the notables (BI 4.3). Safe, oak barrel and silk farm act in effects.py, where money and annexes are."""

from alehouse.envs.bloody_inn import questions as Q
from alehouse.envs.bloody_inn.effects import gain, visible
from alehouse.envs.bloody_inn.layout import A_DONE, A_TO_CHECKS, LABORATORY, PHARMACY, STUDY, of_family
from alehouse.envs.core.run.question_stack import pop, push
from alehouse.envs.core.run.bits import put
from alehouse.envs.core.declare.game import Module
from alehouse.envs.core.run.jit import jit

OWN_ACTIONS, OWN_NUMBERS = of_family("notable")
MODULE = Module("notables", "The notables", actions=OWN_ACTIONS, numbers=(*OWN_NUMBERS, "game.pharmacy_hand"))


@jit
def laundered(s, R, p):
    """Others' studies may follow when p turns cash into checks (BI-R20); the one on his left is asked first."""
    if R.notables:
        for k in range(R.seats - 1, 0, -1):
            q = (p + k) % R.seats
            if s.seat[q].power[STUDY] > 0 and s.seat[q].cash >= 10:
                push(s, Q.STUDY, q)


@jit
def legal_study(s, R, p, words):
    """10F into one check, or not."""
    put(words, A_DONE, 1)
    put(words, A_TO_CHECKS, 1)


@jit
def apply_study(s, R, p, a):
    """Follow the laundering, or not."""
    pop(s)
    if a != A_DONE:
        s.seat[p].cash -= 10
        s.seat[p].checks += 1


@jit
def laboratories(s, R, p):
    """What laboratories bring if another seat shows a corpse (BI 1.5)."""
    if not R.notables or s.seat[p].power[LABORATORY] == 0:
        return 0
    shown = False
    for q in range(R.seats):
        shown |= q != p and visible(s, q) > 0
    return int(s.seat[p].power[LABORATORY]) if shown else 0


@jit
def pharmacies(s, R):
    """Pharmacies pay if another seat holds many accomplices."""
    if R.notables:
        for k in range(R.seats):
            p = (s.first + k) % R.seats
            many = False
            for q in range(R.seats):
                many |= q != p and s.seat[q].cards >= R.pharmacy_hand
            if many and s.seat[p].power[PHARMACY] > 0:
                gain(s, R, p, int(s.seat[p].power[PHARMACY]))
