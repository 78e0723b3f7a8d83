"""The hunt: roll, change dice, attack, be attacked, claim rewards (TD 3.3)."""

from alehouse.envs.taverns_dragons import questions as Q
from alehouse.envs.core.run.question_stack import pop, push, top
from alehouse.envs.core.run.bits import bit, first, lowest, member, popcount, put, within, without
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.taverns_dragons.effects import bag_meat, gain_energy, hurt, lose_energy, roll_hunting
from alehouse.envs.taverns_dragons.layout import (
    A_ATTACK, A_CHARM, A_LINE, A_REROLL_HUNTING, A_STRIKE, A_TURN, BOW, CLAW, FLAME, FORGED, LINES, R_ENERGY, R_GOLD, R_MEAT, SP_ENERGY,
    SP_HERO, SP_INGREDIENT, SP_WOUND, SWORD, SYMBOL_COUNT, TROPHY,
)  # fmt: skip
from alehouse.envs.taverns_dragons.state import CLAWS, FLAMES, NO_HUNT, NOTHING, SPOILS, STRIKES, WINDOW

TOKEN_SWORD, TOKEN_BOW, TOKEN_DICE, TOKEN_TURN, TOKEN_SHIELD = range(5)  # columns of R.forge


@jit
def huntable(s, R, p):
    """How much energy the active minion may hunt with: 0 if it can not."""
    deed = s.deed
    if s.dragon < 0 or deed.active < 0 or deed.hunted or not within(R.beside[s.seat[p].zone[deed.active]], R.lair[s.dragon]):
        return 0
    return min(int(R.hunt_energy), int(s.seat[p].energy))


@jit
def start(s, R, p, energy):
    """Pay, use the tokens of the forge, roll."""
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
    h.stage = WINDOW


@jit
def go_on(s, R, p):
    """The next stage of a hunt. True: a question is open."""
    h = s.hunt
    if h.stage == WINDOW:
        push(s, Q.HUNT, p)
        return True
    if h.stage == STRIKES:
        return strike(s, R, p)
    if h.stage == CLAWS:
        h.stage = FLAMES
        if not h.shield and h.dice[CLAW] > 0:
            hurt(s, p, int(s.deed.active), int(h.dice[CLAW]))
        return False
    if h.stage == FLAMES:
        h.stage = SPOILS
        if not h.shield and h.dice[FLAME] > 0:
            return special_attack(s, R, p)
        return False
    claim(s, R, p)
    return False


# (2) Hunting dice may be changed


@jit
def legal_window(s, R, p, words):
    """Attack, or roll a die again, or turn one by a token of the forge."""
    h = s.hunt
    put(words, A_ATTACK, 1)
    if s.seat[p].runes > 0:
        put(words, A_REROLL_HUNTING, symbols(h))
    put(words, A_CHARM, int(h.charm > 0))


@jit
def apply_window(s, R, p, a):
    """Attack, or change a die; the window stays open."""
    h = s.hunt
    if a == A_ATTACK:
        h.swords += h.dice[SWORD]
        h.bows += h.dice[BOW]
        h.charm = 0
        h.stage = STRIKES
    elif a == A_CHARM:
        h.charm -= 1
        push(s, Q.FACE, p, first(SYMBOL_COUNT))
    else:
        s.seat[p].runes -= 1
        h.dice[a - A_REROLL_HUNTING] -= 1
        h.dice[roll_hunting(s, R, p)] += 1


@jit
def symbols(h):
    """Symbols the dice show, as a set."""
    found = 0
    for symbol in range(SYMBOL_COUNT):
        found |= int(h.dice[symbol] > 0) << symbol
    return found


@jit
def turnable(h, symbol):
    """Whether a die shows another symbol."""
    return h.stage == WINDOW and without(symbols(h), symbol) != 0


@jit
def legal_face(s, R, p, words):
    """Each symbol shown, to each of the symbols allowed."""
    found = 0
    for old in range(SYMBOL_COUNT):
        if s.hunt.dice[old] > 0:
            found |= without(top(s).a, old) << (SYMBOL_COUNT * old)
    put(words, A_TURN, found)


@jit
def apply_face(s, R, p, a):
    """Turn one die."""
    pop(s)
    s.hunt.dice[(a - A_TURN) // SYMBOL_COUNT] -= 1
    s.hunt.dice[(a - A_TURN) % SYMBOL_COUNT] += 1


@jit
def open_lines(s, symbol):
    """Lines with a free box of a symbol, as a set."""
    found = 0
    for line in range(LINES):
        found |= int(s.boxes[line, symbol] > 0) << line
    return found


@jit
def legal_strike(s, R, p, words):
    """Damage there is a free box for."""
    for symbol in (SWORD, BOW):
        put(words, A_STRIKE + symbol, int(open_lines(s, symbol) != 0))


@jit
def apply_strike(s, R, p, a):
    """One more damage."""
    pop(s)
    if a - A_STRIKE == SWORD:
        s.hunt.swords += 1
    else:
        s.hunt.bows += 1


# (3) Attack


@jit
def strike(s, R, p):
    """Mark free boxes, asking where there is a choice of lines; damage without a box is lost."""
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
            push(s, Q.LINE, p, symbol)
            return True
    h.stage = CLAWS
    return False


@jit
def spend(h, symbol, damage):
    """Damage has been done."""
    if symbol == SWORD:
        h.swords -= damage
    else:
        h.bows -= damage


@jit
def legal_line(s, R, p, words):
    """Lines with a free box."""
    put(words, A_LINE, open_lines(s, int(top(s).a)))


@jit
def apply_line(s, R, p, a):
    """Mark one box of a line."""
    symbol = int(top(s).a)
    pop(s)
    s.boxes[a - A_LINE, symbol] -= 1
    spend(s.hunt, symbol, 1)


# (4) Counter-attack


@jit
def special_attack(s, R, p):
    """What the dragon does if there is a flame. True: a question is open."""
    me, m = s.seat[p], int(s.deed.active)
    special, n = R.special[s.dragon], int(R.special_amount[s.dragon])
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
    return s.stack.n > 0


# (5), (6) Rewards


@jit
def claim(s, R, p):
    """Pay every line completed now; after the last box a trophy, and the dragon is gone."""
    h = s.hunt
    complete = first(LINES) & ~open_lines(s, SWORD) & ~open_lines(s, BOW)
    rest = complete & ~int(s.lines)
    s.lines = complete
    while rest != 0:
        reward(s, R, p, lowest(rest))
        rest &= rest - 1
    if complete == first(LINES):
        take_trophy(s, p)
        remove(s)
    h.dice[:] = 0
    h.shield = 0
    h.stage = NO_HUNT


@jit
def reward(s, R, p, line):
    """What a line brings."""
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
    """A random trophy, kept secret."""
    left = popcount(int(s.pool))
    token = member(s.pool, below(s.seed, TROPHY, 0, 0, left, left))
    s.pool = without(s.pool, token)
    s.seat[p].spoils = int(s.seat[p].spoils) | bit(token)
    s.seat[p].trophies += 1


@jit
def remove(s):
    """No dragon is in play."""
    s.dragon = NOTHING
    s.lines = 0
    s.boxes[:, :] = 0
