"""Heroes: hire them, use their abilities, take their bonuses (TD 1.9, 3.2)."""

from alehouse.envs.taverns_dragons import questions as Q
from alehouse.envs.core.run.question_stack import push
from alehouse.envs.core.run.bits import bit, first, lowest, popcount, without
from alehouse.envs.core.run.jit import jit
from alehouse.envs.taverns_dragons import choices, hunt, kitchen, places
from alehouse.envs.taverns_dragons.effects import draw_card, exhaust, gain_energy, gain_runes, stock, values
from alehouse.envs.taverns_dragons.layout import (
    B_BOW, B_GOLD, B_RUNE, BOW, CLAW, COPY, ENERGY_PER_HERO, EXCHANGE, EXTRA_DIE, FETCH, FLAME, FLY_HOME, FOR_COPY, FOR_FETCH, FOR_HOME,
    FOR_STEP, GAIN_GOLD, HEAL_AND_PLANT, HERO_DECK, HEROES, KINDS, NEW_RECIPE, PLANT, RAISE_DICE, REROLL_DICE, SEASON, SELL, SHIELD, SIDES,
    STEAL, STEP, SWORD, TURN_BOW, TURN_SWORD, VISIT_ANYWHERE, VISIT_FREE,
)  # fmt: skip
from alehouse.envs.taverns_dragons.state import PURSE

# Hiring heroes


@jit
def for_hire(s, R, me):
    """Return as a set the heroes on display that a seat can pay for and does not have."""
    return int(s.market) & int(R.affordable[min(PURSE, int(me.gold))]) & ~(int(me.ready) | int(me.tired))


@jit
def hire(s, R, p, hero):
    """Pay for a hero, who is ready at once; another hero comes on display."""
    me = s.seat[p]
    me.gold -= R.price[hero]
    me.ready = int(me.ready) | bit(hero)
    s.market = without(s.market, hero)
    show_hero(s)


@jit
def show_hero(s):
    """Put one more hero on display, as long as the decks last; a new deck lacks the heroes on display."""
    if s.heroes == 0 and s.packs > 0:
        s.packs -= 1
        s.heroes = first(HEROES) & ~int(s.market)
    if s.heroes != 0:
        hero = draw_card(s, HERO_DECK, s.packs, s.heroes)
        s.heroes = without(s.heroes, hero)
        s.market = int(s.market) | bit(hero)


# Bonuses of heroes


@jit
def bonuses(s, R, me):
    """Return as a set the heroes whose bonus a seat can take (TD 1.9, TD-A35)."""
    if me.energy < R.bonus_energy:
        return 0
    found = (int(me.ready) | int(me.tired)) & ~int(me.bonus)
    if me.runes >= R.rune_cap:
        found &= ~int(R.rune_bonuses)
    if not hunt.turnable(s, SWORD):
        found &= ~int(R.sword_bonuses)
    if not hunt.turnable(s, BOW):
        found &= ~int(R.bow_bonuses)
    return found


@jit
def take_bonus(s, R, p, hero):
    """Pay energy for the bonus of a hero, which can be taken once a game."""
    me, kind = s.seat[p], int(R.bonus[hero])
    me.energy -= R.bonus_energy
    me.bonus = int(me.bonus) | bit(hero)
    if kind < KINDS:
        me.pantry[kind] += 1
    elif kind == B_GOLD:
        me.gold += 1
    elif kind == B_RUNE:
        gain_runes(R, me, 1)
    else:
        push(s, Q.FACE, p, bit(BOW if kind == B_BOW else SWORD))


# Abilities of heroes


@jit
def abilities(s, R, p):
    """Return as a set the ready heroes whose ability would change something now."""
    rest = int(s.seat[p].ready)
    found = 0
    while rest != 0:
        hero = lowest(rest)
        rest &= rest - 1
        found |= int(useful(s, R, p, int(R.ability[hero]))) << hero
    return found


@jit
def useful(s, R, p, op):
    """Return whether an ability would change something now (TD-A35)."""
    me, h = s.seat[p], s.hunt
    hunting = hunt.open_to_change(s)
    if hunting and (op == VISIT_ANYWHERE or op == VISIT_FREE or op == EXTRA_DIE or op == STEP or op == FLY_HOME):
        return False
    if op == VISIT_ANYWHERE or op == VISIT_FREE:
        free = op == VISIT_FREE
        return s.deed.active >= 0 and places.visitable(s, R, p, places.reach(s, R, p, free), free) != 0
    if op == FETCH or op == COPY or op == FLY_HOME:
        return choices.suitable(s, R, me, FOR_FETCH if op == FETCH else FOR_COPY if op == COPY else FOR_HOME) != 0
    if op == EXCHANGE or op == SELL:
        return stock(me) != 0
    if op == SHIELD:
        return hunting and not h.shield and int(h.dice[CLAW]) + int(h.dice[FLAME]) > 0
    if op == TURN_SWORD or op == TURN_BOW:
        return hunt.turnable(s, SWORD if op == TURN_SWORD else BOW)
    if op == RAISE_DICE:
        return without(values(me), SIDES - 1) != 0
    if op == REROLL_DICE:
        return values(me) != 0
    if op == ENERGY_PER_HERO:
        return me.energy < R.energy_cap
    if op == EXTRA_DIE:
        return s.deed.extra == 0 and hunt.huntable(s, R, p) > 0
    if op == SEASON:
        return s.deed.cooked != 0
    if op == NEW_RECIPE:
        return kitchen.displayed(s) != 0
    return True


@jit
def use(s, R, p, hero):
    """Exhaust a hero and apply its ability."""
    me, op, n = s.seat[p], int(R.ability[hero]), int(R.amount[hero])
    exhaust(me, hero)
    if op == RAISE_DICE:
        raise_dice(me, n)
    elif op == VISIT_ANYWHERE or op == VISIT_FREE:
        push(s, Q.PLACE, p, int(op == VISIT_FREE))
    elif op == ENERGY_PER_HERO:
        gain_energy(R, me, n * popcount(int(me.ready) | int(me.tired)))
    elif op == GAIN_GOLD:
        me.gold += n
    elif op == EXTRA_DIE:
        s.deed.extra = n
    elif op == SHIELD:
        s.hunt.shield = 1
    elif op == SEASON:
        me.score += n
        s.deed.cooked = 0
    elif op == TURN_SWORD or op == TURN_BOW:
        push(s, Q.FACE, p, bit(SWORD if op == TURN_SWORD else BOW))
    else:
        use_with_choice(s, R, p, op, n)


@jit
def raise_dice(me, n):
    """Raise the value of every available die by n, up to 4."""
    for _ in range(n):
        for v in range(SIDES - 1, 0, -1):
            me.dice[v] += me.dice[v - 1]
            me.dice[v - 1] = 0


@jit
def use_with_choice(s, R, p, op, n):
    """Apply an ability that needs a choice first."""
    me = s.seat[p]
    if op == FETCH:
        push(s, Q.MINION, p, FOR_FETCH)
    elif op == COPY:
        push(s, Q.MINION, p, FOR_COPY)
    elif op == STEP:
        push(s, Q.MINION, p, FOR_STEP, n)
    elif op == FLY_HOME:
        push(s, Q.MINION, p, FOR_HOME)
    elif op == HEAL_AND_PLANT:
        me.pantry[PLANT] += n
        choices.heal_one(s, p)
    elif op == EXCHANGE:
        push(s, Q.GIVE, p, choices.FOR_EXCHANGE)
    elif op == SELL:
        push(s, Q.GIVE, p, choices.FOR_SALE, n)
    elif op == STEAL:
        me.gold += n
        if choices.victims(s, R, p) != 0:
            push(s, Q.VICTIM, p, n)
    elif op == REROLL_DICE:
        push(s, Q.DICE, p)
    elif op == NEW_RECIPE:
        push(s, Q.RECIPE, p, n)
