"""Taverns & Dragons: rate hunts, before the roll and with the hunting dice as they lie."""

import numpy as np
import numpy.typing as npt

from alehouse.envs.core.run.bits import bit, highest, within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.scratch import scratch
from alehouse.envs.taverns_dragons.hunt import TOKEN_BOW, TOKEN_DICE, TOKEN_SHIELD, TOKEN_SWORD, open_to_change
from alehouse.envs.taverns_dragons.layout import (
    BOW, CLAW, FACES, FLAME, FORGED, LINES, R_ENERGY, R_GOLD, R_MEAT, SP_ENERGY, SP_HERO, SP_INGREDIENT, SWORD, SYMBOL_COUNT,
)  # fmt: skip

CHOICES = 1 << LINES  # how many sets of lines there are
MOST = 8  # the table of chances covers up to this many hunting dice


def odds() -> npt.NDArray[np.float64]:
    """Compute the chance of at least a swords and b bows with n dice, at [n, a, b]; each symbol is on two of six faces."""
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
def value_rewards(s, R, v):
    """Write what the reward of each line is worth; nothing once the line is complete."""
    for line in range(LINES):
        v.reward[line] = 0.0 if is_complete(s, line) else line_reward(s, R, v, line)


@jit
def line_reward(s, R, v, line):
    """Rate the reward of completing a line."""
    kind, n = R.reward[s.dragon, line], int(R.reward_amount[s.dragon, line])
    if kind == R_GOLD:
        return n * v.gold
    if kind == R_ENERGY:
        return n * v.energy
    if kind == R_MEAT:
        return n * v.stored[R.needs.shape[1] - 1]
    return float(n)


@jit
def is_complete(s, line):
    """Return whether all boxes of a line are marked."""
    return s.boxes[line, SWORD] == 0 and s.boxes[line, BOW] == 0


@jit
def chance(n, swords, bows):
    """Return the chance of at least these numbers of swords and bows with n dice."""
    return ODDS[min(n, MOST), min(MOST + 1, max(0, swords)), min(MOST + 1, max(0, bows))]


@jit
def of_tokens(R, me, column):
    """Return what the forge tokens a seat holds add to the next hunt in one column of R.forge."""
    n = 0
    for token in range(FORGED):
        if within(me.forge, token):
            n += int(R.forge[token, column])
    return n


@jit
def rate_hunt(s, R, W, v, energy, extra):
    """Rate a hunt for an amount of energy with extra dice."""
    me = s.seat[v.p]
    swords, bows, dice = 0, 0, energy + extra
    shielded = False
    if me.forge != 0:
        swords, bows = of_tokens(R, me, TOKEN_SWORD), of_tokens(R, me, TOKEN_BOW)
        dice += of_tokens(R, me, TOKEN_DICE)
        shielded = of_tokens(R, me, TOKEN_SHIELD) > 0
    best = others = 0.0
    all_swords = all_bows = 0
    for line in range(LINES):
        a, b = int(s.boxes[line, SWORD]), int(s.boxes[line, BOW])
        all_swords += a
        all_bows += b
        worth = v.reward[line] * chance(dice, a - swords, b - bows)
        others += worth
        best = max(best, worth)
    found = best + W.lines * (others - best) + W.trophy * chance(dice, all_swords - swords, all_bows - bows)
    if not shielded:
        found -= dice * (v.wound + special_attack_cost(s, R, W, v)) / FACES
    return found - energy * v.energy


@jit
def special_attack_cost(s, R, W, v):
    """Return what the dragon's special attack costs the seat."""
    kind, n = R.special[s.dragon], int(R.special_amount[s.dragon])
    if kind == SP_ENERGY:
        return n * v.energy
    return W.tired if kind == SP_HERO else W.special if kind == SP_INGREDIENT else n * v.wound


@jit
def best_hunt(s, R, W, v, extra):
    """Return the rating of the best hunt that the seat has energy for, at least 0."""
    found = 0.0
    for energy in range(1, min(int(R.hunt_energy), int(s.seat[v.p].energy)) + 1):
        found = max(found, rate_hunt(s, R, W, v, energy, extra))
    return found


# The hunt in progress


@jit
def best_lines(s, W, v, swords, bows):
    """Return the highest total reward of lines that these numbers of swords and bows can complete."""
    need_swords, need_bows = scratch(CHOICES, np.int64), scratch(CHOICES, np.int64)
    worth, most, complete = scratch(CHOICES, np.float64), 0.0, 0
    for line in range(LINES):
        complete |= int(is_complete(s, line)) << line
    for lines in range(CHOICES):
        if lines > 0:
            line = highest(lines)
            others = lines & ~bit(line)
            need_swords[lines] = need_swords[others] + int(s.boxes[line, SWORD])
            need_bows[lines] = need_bows[others] + int(s.boxes[line, BOW])
            worth[lines] = worth[others] + v.reward[line]
        if need_swords[lines] <= swords and need_bows[lines] <= bows:
            most = max(most, worth[lines] + (W.trophy if lines | complete == CHOICES - 1 else 0.0))
    return most


@jit
def outcome(s, R, W, v, swords, bows, claws, flames):
    """Return what the hunt brings with these symbols on the dice and the damage already due."""
    h = s.hunt
    swords += int(h.swords)
    bows += int(h.bows)
    found = best_lines(s, W, v, swords, bows) + W.box * (swords + bows)
    if h.shield:
        return found
    return found - claws * v.wound - (special_attack_cost(s, R, W, v) if flames > 0 else 0.0)


@jit
def outcome_with_more(s, R, W, v, swords, bows):
    """Return what the hunt brings as the dice lie, plus some swords or bows."""
    d = s.hunt.dice
    return outcome(s, R, W, v, int(d[SWORD]) + swords, int(d[BOW]) + bows, int(d[CLAW]), int(d[FLAME]))


@jit
def outcome_now(s, R, W, v):
    """Return what the hunt brings if no die is changed."""
    return outcome_with_more(s, R, W, v, 0, 0)


@jit
def outcome_turned(s, R, W, v, old, new):
    """Return what the hunt brings after one die is turned from an old to a new symbol."""
    d = s.hunt.dice
    return outcome(
        s, R, W, v,
        int(d[SWORD]) - int(old == SWORD) + int(new == SWORD), int(d[BOW]) - int(old == BOW) + int(new == BOW),
        int(d[CLAW]) - int(old == CLAW) + int(new == CLAW), int(d[FLAME]) - int(old == FLAME) + int(new == FLAME),
    )  # fmt: skip


@jit
def outcome_rerolled(s, R, W, v, old):
    """Return what the hunt brings on average after one die is rolled again."""
    total = 0.0
    for symbol in range(SYMBOL_COUNT):
        n = 0
        for face in range(FACES):
            n += int(R.face[face] == symbol)
        if n > 0:
            total += n * (outcome_turned(s, R, W, v, old, symbol) if symbol != old else outcome_now(s, R, W, v))
    return total / FACES


@jit
def gain_of_turning(s, R, W, v, symbols):
    """Return the most that turning one die to one of some symbols adds."""
    if not open_to_change(s):
        return 0.0
    most, base = 0.0, outcome_now(s, R, W, v)
    for old in range(SYMBOL_COUNT):
        if s.hunt.dice[old] > 0:
            for new in range(SYMBOL_COUNT):
                if new != old and within(symbols, new):
                    most = max(most, outcome_turned(s, R, W, v, old, new) - base)
    return most


@jit
def rate_line(s, v, line, symbol):
    """Rate marking a box of a line: best the most valuable line that can be completed now, else one that leaves much to do for others."""
    a, b = int(s.boxes[line, SWORD]), int(s.boxes[line, BOW])
    worth = v.reward[line]
    if symbol == SWORD and a <= s.hunt.swords and b <= s.hunt.bows:
        return 10.0 + worth
    if symbol == BOW and a == 0 and b <= s.hunt.bows:
        return 10.0 + worth
    return -worth / (a + b)
