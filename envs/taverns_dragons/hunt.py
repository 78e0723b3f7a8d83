"""The hunt: roll hunting dice, change them, attack, suffer the dragon's counter-attack, claim rewards (TD 3.3)."""

from alehouse.envs.taverns_dragons import questions as Q
from alehouse.envs.core.run.question_stack import pop, push, top
from alehouse.envs.core.run.bits import bit, first, lowest, member, popcount, put, within, without
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.taverns_dragons.effects import bag_meat, gain_energy, hurt, lose_energy, roll_hunting
from alehouse.envs.taverns_dragons.layout import (
    A_LINE, A_STRIKE, A_TURN, BOW, CLAW, FLAME, FORGED, LINES, R_ENERGY, R_GOLD, R_MEAT, SP_ENERGY, SP_HERO, SP_INGREDIENT, SP_WOUND, SWORD,
    SYMBOL_COUNT, TROPHY,
)  # fmt: skip
from alehouse.envs.taverns_dragons.state import NOTHING

TOKEN_SWORD, TOKEN_BOW, TOKEN_DICE, TOKEN_TURN, TOKEN_SHIELD = range(5)  # the columns of R.forge


@jit
def huntable(s, R, p):
    """Return the most energy that the active minion may spend on a hunt now: 0 if it cannot hunt."""
    deed = s.deed
    if s.dragon < 0 or deed.active < 0 or deed.hunted or not within(R.beside[s.seat[p].zone[deed.active]], R.lair[s.dragon]):
        return 0
    return min(int(R.hunt_energy), int(s.seat[p].energy))


# (1) Pay energy and roll the hunting dice


@jit
def start(s, R, p, energy):
    """Pay energy, use up the forge tokens, and roll the hunting dice."""
    me, h = s.seat[p], s.hunt
    me.energy -= energy
    s.deed.hunted = 1
    dice = energy + int(s.deed.extra)
    s.deed.extra = 0
    for token in range(FORGED):
        if within(me.forge, token):
            h.swords += R.forge[token, TOKEN_SWORD]
            h.bows += R.forge[token, TOKEN_BOW]
            dice += int(R.forge[token, TOKEN_DICE])
            h.charm += R.forge[token, TOKEN_TURN]
            h.shield = int(h.shield) | int(R.forge[token, TOKEN_SHIELD])
    s.forge = int(s.forge) | int(me.forge)
    me.forge = 0
    for _ in range(min(dice, int(R.hunt_dice))):
        h.dice[roll_hunting(s, R, p)] += 1
    push(s, Q.HUNT, p)


# (2) Change hunting dice. The question "hunt" (turn.py) stays on the stack until the attack.


@jit
def open_to_change(s):
    """Return whether hunting dice may be changed now: they are rolled and the attack has not begun."""
    return top(s).what == Q.HUNT


@jit
def use_charm(s, p):
    """Use a forge token that turns one hunting die to any symbol."""
    s.hunt.charm -= 1
    push(s, Q.FACE, p, first(SYMBOL_COUNT))


@jit
def symbols(h):
    """Return as a set the symbols that the hunting dice show."""
    found = 0
    for symbol in range(SYMBOL_COUNT):
        found |= int(h.dice[symbol] > 0) << symbol
    return found


@jit
def turnable(s, symbol):
    """Return whether a hunting die can be turned to a symbol now, because one shows another symbol."""
    return open_to_change(s) and without(symbols(s.hunt), symbol) != 0


@jit
def legal_face(s, R, p, words):
    """List each pair of a symbol that a die shows and a symbol that it may be turned to."""
    found = 0
    for old in range(SYMBOL_COUNT):
        if s.hunt.dice[old] > 0:
            found |= without(top(s).a, old) << (SYMBOL_COUNT * old)
    put(words, A_TURN, found)


@jit
def apply_face(s, R, p, a):
    """Turn one die to the symbol chosen."""
    pop(s)
    s.hunt.dice[(a - A_TURN) // SYMBOL_COUNT] -= 1
    s.hunt.dice[(a - A_TURN) % SYMBOL_COUNT] += 1


@jit
def open_lines(s, symbol):
    """Return as a set the dragon's lines that have a free box of a symbol."""
    found = 0
    for line in range(LINES):
        found |= int(s.boxes[line, symbol] > 0) << line
    return found


@jit
def legal_strike(s, R, p, words):
    """List each kind of damage for which a box is free."""
    for symbol in (SWORD, BOW):
        put(words, A_STRIKE + symbol, int(open_lines(s, symbol) != 0))


@jit
def apply_strike(s, R, p, a):
    """Add one damage of the chosen kind."""
    pop(s)
    if a - A_STRIKE == SWORD:
        s.hunt.swords += 1
    else:
        s.hunt.bows += 1


# (3) Attack the dragon


@jit
def attack(s, p):
    """Add up the damage; then damage, claws, flames and rewards follow in this order."""
    h = s.hunt
    h.swords += h.dice[SWORD]
    h.bows += h.dice[BOW]
    h.charm = 0
    pop(s)
    push(s, Q.REWARDS, p)
    push(s, Q.FLAMES, p)
    push(s, Q.CLAWS, p)
    push(s, Q.DAMAGE, p)


@jit
def mark_boxes(s, R):
    """Mark free boxes of the dragon, and ask for the line where there is a choice; damage without a free box is lost."""
    h = s.hunt
    for symbol in (SWORD, BOW):
        damage = int(h.swords) if symbol == SWORD else int(h.bows)
        free = 0
        for line in range(LINES):
            free += int(s.boxes[line, symbol])
        if damage >= free:
            s.boxes[:, symbol] = 0
            spend(h, symbol, damage)
        elif damage > 0:
            push(s, Q.LINE, top(s).seat, symbol)
            return
    pop(s)


@jit
def spend(h, symbol, damage):
    """Subtract damage that was done from the damage still to do."""
    if symbol == SWORD:
        h.swords -= damage
    else:
        h.bows -= damage


@jit
def legal_line(s, R, p, words):
    """List the lines with a free box of the symbol."""
    put(words, A_LINE, open_lines(s, int(top(s).a)))


@jit
def apply_line(s, R, p, a):
    """Mark one box of the line."""
    symbol = int(top(s).a)
    pop(s)
    s.boxes[a - A_LINE, symbol] -= 1
    spend(s.hunt, symbol, 1)


# (4) The dragon's counter-attack


@jit
def take_claws(s, R):
    """Give the hunting minion one wound for each claw on the dice."""
    p, h = int(top(s).seat), s.hunt
    pop(s)
    if not h.shield and h.dice[CLAW] > 0:
        hurt(s, p, int(s.deed.active), int(h.dice[CLAW]))


@jit
def special_attack(s, R):
    """Carry out the dragon's special attack, once, if any die shows a flame."""
    p, m, h = int(top(s).seat), int(s.deed.active), s.hunt
    pop(s)
    if h.shield or h.dice[FLAME] == 0:
        return
    me, special, n = s.seat[p], R.special[s.dragon], int(R.special_amount[s.dragon])
    if special == SP_WOUND:
        hurt(s, p, m, n)
    elif special == SP_ENERGY:
        lose_energy(me, n)
    elif special == SP_INGREDIENT:
        for _ in range(min(n, int(me.load[m]))):
            push(s, Q.LOSE, p, m)
    elif special == SP_HERO:
        for _ in range(min(n, popcount(int(me.ready)))):
            push(s, Q.EXHAUST, p)


# (5), (6) Rewards and the trophy


@jit
def claim(s, R):
    """End the hunt: pay for every line completed now; if all boxes are marked, give a trophy and remove the dragon."""
    p, h = int(top(s).seat), s.hunt
    pop(s)
    complete = first(LINES) & ~open_lines(s, SWORD) & ~open_lines(s, BOW)
    rest = complete & ~int(s.lines)
    s.lines = complete
    while rest != 0:
        reward(s, R, p, lowest(rest))
        rest &= rest - 1
    if complete == first(LINES):
        take_trophy(s, p)
        remove_dragon(s)
    h.dice[:] = 0
    h.shield = 0


@jit
def reward(s, R, p, line):
    """Pay the hunting seat the reward of a line."""
    me, kind, n = s.seat[p], R.reward[s.dragon, line], int(R.reward_amount[s.dragon, line])
    if kind == R_GOLD:
        me.gold += n
    elif kind == R_ENERGY:
        gain_energy(R, me, n)
    elif kind == R_MEAT:
        bag_meat(R, me, int(s.deed.active), n)
    else:
        me.score += n


@jit
def take_trophy(s, p):
    """Draw a random trophy, which stays secret."""
    left = popcount(int(s.pool))
    token = member(s.pool, below(s.seed, TROPHY, 0, 0, left, left))
    s.pool = without(s.pool, token)
    s.seat[p].spoils = int(s.seat[p].spoils) | bit(token)
    s.seat[p].trophies += 1


@jit
def remove_dragon(s):
    """Remove the dragon from the board, if there is one."""
    s.dragon = NOTHING
    s.lines = 0
    s.boxes[:, :] = 0
