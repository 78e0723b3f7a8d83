"""Taverns & Dragons: what a hunt brings."""

import numpy as np
import numpy.typing as npt

from alehouse.envs.core.run.bits import within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.taverns_dragons.hunt import open_to_change
from alehouse.envs.taverns_dragons.layout import (
    BOW, CLAW, FACES, FLAME, FORGED, LINES, R_ENERGY, R_GOLD, R_MEAT, SP_ENERGY, SP_HERO, SP_INGREDIENT, SWORD, SYMBOL_COUNT,
)  # fmt: skip

MOST = 8  # hunting dice


def odds() -> npt.NDArray[np.float64]:
    """The chance of at least a swords and b bows with n dice that show each on two faces of six."""
    exact = np.zeros((MOST + 1, MOST + 2, MOST + 2))
    exact[0, 0, 0] = 1.0
    for n in range(MOST):
        for a in range(n + 1):
            for b in range(n + 1 - a):
                exact[n + 1, a + 1, b] += exact[n, a, b] / 3
                exact[n + 1, a, b + 1] += exact[n, a, b] / 3
                exact[n + 1, a, b] += exact[n, a, b] / 3
    found: npt.NDArray[np.float64] = exact[:, ::-1, ::-1].cumsum(1).cumsum(2)[:, ::-1, ::-1].copy()
    return found


ODDS = odds()


@jit
def prize(s, R, m, line):
    """What a line brings whoever completes it."""
    kind, n = R.reward[s.dragon, line], int(R.reward_amount[s.dragon, line])
    if kind == R_GOLD:
        return n * m.coin
    if kind == R_ENERGY:
        return n * m.spark
    if kind == R_MEAT:
        return n * m.want[R.needs.shape[1] - 1]
    return float(n)


@jit
def done(s, line):
    """Whether a line has no free box."""
    return s.boxes[line, SWORD] == 0 and s.boxes[line, BOW] == 0


@jit
def chance(n, swords, bows):
    """The chance of so many swords and bows."""
    return ODDS[min(n, MOST), min(MOST + 1, max(0, swords)), min(MOST + 1, max(0, bows))]


@jit
def held(R, me, column):
    """What the forge's tokens add to the next hunt."""
    n = 0
    for token in range(FORGED):
        if within(me.forge, token):
            n += int(R.forge[token, column])
    return n


@jit
def hunting(s, R, W, m, energy, extra):
    """What a hunt for so much energy may bring."""
    me = s.seat[m.p]
    swords, bows, dice = 0, 0, energy + extra
    shielded = False
    if me.forge != 0:
        swords, bows, dice, shielded = held(R, me, SWORD), held(R, me, BOW), dice + held(R, me, 2), held(R, me, 4) > 0
    best = others = 0.0
    all_swords = all_bows = 0
    for line in range(LINES):
        if not done(s, line):
            a, b = int(s.boxes[line, SWORD]), int(s.boxes[line, BOW])
            all_swords += a
            all_bows += b
            worth = prize(s, R, m, line) * chance(dice, a - swords, b - bows)
            others += worth
            best = max(best, worth)
    found = best + W.lines * (others - best) + W.trophy * chance(dice, all_swords - swords, all_bows - bows)
    if not shielded:
        found -= dice * (m.wound + special(s, R, W, m)) / FACES
    return found - energy * m.spark


@jit
def special(s, R, W, m):
    """What the dragon's special attack costs."""
    kind, n = R.special[s.dragon], int(R.special_amount[s.dragon])
    if kind == SP_ENERGY:
        return n * m.spark
    return W.tired if kind == SP_HERO else W.special if kind == SP_INGREDIENT else n * m.wound


@jit
def best_hunt(s, R, W, m, extra):
    """The best a seat can do with its energy against the dragon, at least nothing."""
    found = 0.0
    for energy in range(1, min(int(R.hunt_energy), int(s.seat[m.p].energy)) + 1):
        found = max(found, hunting(s, R, W, m, energy, extra))
    return found


# The hunt under way


@jit
def spoils(s, R, W, m, swords, bows):
    """The most that lines bring which so much damage completes."""
    most = 0.0
    for lines in range(1 << LINES):
        a, b, worth, every = 0, 0, 0.0, True
        for line in range(LINES):
            if within(lines, line):
                a += int(s.boxes[line, SWORD])
                b += int(s.boxes[line, BOW])
                if not done(s, line):
                    worth += prize(s, R, m, line)
            else:
                every &= done(s, line)
        if a <= swords and b <= bows:
            most = max(most, worth + (W.trophy if every else 0.0))
    return most


@jit
def outcome(s, R, W, m, swords, bows, claws, flames):
    """What the hunt brings if the dice are so."""
    h = s.hunt
    swords += int(h.swords)
    bows += int(h.bows)
    found = spoils(s, R, W, m, swords, bows) + W.box * (swords + bows)
    if h.shield:
        return found
    return found - claws * m.wound - (special(s, R, W, m) if flames > 0 else 0.0)


@jit
def struck(s, R, W, m, swords, bows):
    """What it brings as the dice lie, with so much more damage."""
    d = s.hunt.dice
    return outcome(s, R, W, m, int(d[SWORD]) + swords, int(d[BOW]) + bows, int(d[CLAW]), int(d[FLAME]))


@jit
def now(s, R, W, m):
    """What it brings as the dice lie."""
    return struck(s, R, W, m, 0, 0)


@jit
def turned(s, R, W, m, old, new):
    """What it brings if one die shows another symbol."""
    d = s.hunt.dice
    return outcome(
        s, R, W, m,
        int(d[SWORD]) - int(old == SWORD) + int(new == SWORD), int(d[BOW]) - int(old == BOW) + int(new == BOW),
        int(d[CLAW]) - int(old == CLAW) + int(new == CLAW), int(d[FLAME]) - int(old == FLAME) + int(new == FLAME),
    )  # fmt: skip


@jit
def rolled(s, R, W, m, old):
    """What it brings on average if one die is rolled again."""
    total = 0.0
    for symbol in range(SYMBOL_COUNT):
        n = 0
        for face in range(FACES):
            n += int(R.face[face] == symbol)
        if n > 0:
            total += n * (turned(s, R, W, m, old, symbol) if symbol != old else now(s, R, W, m))
    return total / FACES


@jit
def best_turn(s, R, W, m, symbols):
    """The most that turning one die to one of some symbols adds."""
    if not open_to_change(s):
        return 0.0
    most, base = 0.0, now(s, R, W, m)
    for old in range(SYMBOL_COUNT):
        if s.hunt.dice[old] > 0:
            for new in range(SYMBOL_COUNT):
                if new != old and within(symbols, new):
                    most = max(most, turned(s, R, W, m, old, new) - base)
    return most


@jit
def marking(s, R, W, m, line, symbol):
    """A box of a line: of the dearest line that can be completed now, else of one that leaves others the most to do."""
    a, b = int(s.boxes[line, SWORD]), int(s.boxes[line, BOW])
    worth = prize(s, R, m, line)
    if symbol == SWORD and a <= s.hunt.swords and b <= s.hunt.bows:
        return 10.0 + worth
    if symbol == BOW and a == 0 and b <= s.hunt.bows:
        return 10.0 + worth
    return -worth / (a + b)
