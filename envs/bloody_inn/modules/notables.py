"""Module 2, the notables (BI 4.3). The safe is in effects.py with the money; oak barrel and silk farm are in annexes.py."""

from alehouse.envs.bloody_inn import questions as Q
from alehouse.envs.bloody_inn.effects import gain, visible
from alehouse.envs.bloody_inn.layout import A_DONE, A_TO_CHECKS, LABORATORY, PHARMACY, STUDY, of_family
from alehouse.envs.bloody_inn.places import in_turn
from alehouse.envs.core.declare.game import Module
from alehouse.envs.core.run.bits import put
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.question_stack import pop, push

OWN_ACTIONS, OWN_NUMBERS = of_family("notable")
MODULE = Module("notables", "The notables", actions=OWN_ACTIONS, numbers=(*OWN_NUMBERS, "game.pharmacy_hand"))


@jit
def laundered(s, R, p):
    """Ask the other owners of a study after p has turned cash into checks (BI-R20); the one nearest to p's left decides first."""
    if R.notables:
        for k in range(R.seats - 1, 0, -1):
            q = (p + k) % R.seats
            if s.seat[q].power[STUDY] > 0 and s.seat[q].cash >= 10:
                push(s, Q.STUDY, q)


@jit
def legal_study(s, R, p, words):
    """List turning 10F into a check, and declining."""
    put(words, A_DONE, 1)
    put(words, A_TO_CHECKS, 1)


@jit
def apply_study(s, R, p, a):
    """Turn 10F into a check, or decline."""
    pop(s)
    if a != A_DONE:
        s.seat[p].cash -= 10
        s.seat[p].checks += 1


@jit
def laboratories(s, R, p):
    """Return what laboratories pay a seat if another seat has a visible corpse (BI 1.5)."""
    if not R.notables or s.seat[p].power[LABORATORY] == 0:
        return 0
    shown = False
    for q in range(R.seats):
        shown |= q != p and visible(s, q) > 0
    return int(s.seat[p].power[LABORATORY]) if shown else 0


@jit
def pharmacies(s, R):
    """Pay the owners of pharmacies if another seat holds many accomplices."""
    if R.notables:
        for k in range(R.seats):
            p = in_turn(s, R, k)
            many = False
            for q in range(R.seats):
                many |= q != p and s.seat[q].cards >= R.pharmacy_hand
            if many and s.seat[p].power[PHARMACY] > 0:
                gain(s, R, p, int(s.seat[p].power[PHARMACY]))
