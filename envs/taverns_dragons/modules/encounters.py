"""Encounters (TD 4.4, 1.12): a minion in the zone of the encounter token pays energy and draws a card."""

from alehouse.envs.taverns_dragons import questions as Q
from alehouse.envs.core.run.question_stack import pop, push, top
from alehouse.envs.core.run.bits import first, put, without
from alehouse.envs.core.declare.game import Module
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.taverns_dragons.effects import (
    carried, draw_card, gain_energy, gain_runes, has_room, hurt, lose_gold, pick_up, roll_hunting, set_out, store_one,
)  # fmt: skip
from alehouse.envs.taverns_dragons.layout import (
    A_ACCEPT, A_DECLINE, A_DONE, A_KIND, A_REROLL_HUNTING, A_STEPS, BOW, CHEST, CLAW, ENCOUNTER_DECK, ENCOUNTERS, MEET_BANDIT, MEET_BEAR,
    MEET_CHEST, MEET_GOLD, MEET_HEAL, MEET_PRESTIGE, MEET_RING, MEET_RUNE, MEET_SMUGGLER, MEET_STORE, PLANT, SPICE, SWORD,
)  # fmt: skip

MODULE = Module(
    "encounters",
    "Encounters",
    actions=("encounter", "accept", "decline", "steps"),
    features=("encounter_zone", "encounter_deck"),
    numbers=("encounters.", "encounter."),
)


@jit
def possible(s, R, p):
    """Return whether the active minion can have an encounter: once a turn, in the zone of the encounter token (TD 4.4)."""
    deed, me = s.deed, s.seat[p]
    return R.encounters and not deed.met and me.zone[deed.active] == s.encounter and me.energy >= R.encounter_energy


@jit
def meet(s, R, p):
    """Pay energy, draw a card, apply and discard it; when no card is left, shuffle all of them."""
    me, m = s.seat[p], int(s.deed.active)
    me.energy -= R.encounter_energy
    s.deed.met = 1
    if s.meetings == 0:
        s.meetings = first(ENCOUNTERS)
        s.meeting_pass += 1
    card = draw_card(s, ENCOUNTER_DECK, s.meeting_pass, s.meetings)
    s.meetings = without(s.meetings, card)
    s.met += 1
    op, n = R.meeting[card], int(R.meeting_amount[card])
    if op == MEET_GOLD:
        me.gold += n
    elif op == MEET_PRESTIGE:
        me.score += n
    elif op == MEET_RUNE:
        gain_runes(R, me, n)
    elif op == MEET_HEAL:
        heal(R, me, m, n)
    elif op == MEET_BEAR:
        push(s, Q.BEAR, p, roll_hunting(s, R, p), n)
    else:
        offer(s, R, p, m, op, n)


@jit
def heal(R, me, m, n):
    """Heal all wounds of a minion; if it has none, its owner gains energy."""
    if me.wounds[m] > 0:
        me.wounds[m] = 0
    else:
        gain_energy(R, me, n)


@jit
def legal_bear(s, R, p, words):
    """List rolling the hunting die again for a rune, and letting it count (TD-A38)."""
    put(words, A_DONE, 1)
    put(words, A_REROLL_HUNTING + int(top(s).a), int(s.seat[p].runes > 0))


@jit
def apply_bear(s, R, p, a):
    """Roll the die again, or let it count: a sword or a bow brings prestige, a claw a wound."""
    me, symbol, n = s.seat[p], int(top(s).a), int(top(s).b)
    if a != A_DONE:
        me.runes -= 1
        top(s).a = roll_hunting(s, R, p)
        return
    pop(s)
    if symbol == SWORD or symbol == BOW:
        me.score += n
    elif symbol == CLAW:
        hurt(s, p, int(s.deed.active), 1)


@jit
def offer(s, R, p, m, op, n):
    """Apply a card that needs a choice."""
    me = s.seat[p]
    if op == MEET_STORE:
        if me.load[m] > 0:
            push(s, Q.DRYAD, p, m)
        else:
            me.pantry[PLANT] += n
    elif op == MEET_BANDIT:
        push(s, Q.BANDIT, p, n)
    elif op == MEET_CHEST:
        push(s, Q.CHEST, p, n)
    elif op == MEET_SMUGGLER:
        push(s, Q.SMUGGLER, p, n)
    elif op == MEET_RING:
        push(s, Q.RING, p, n)


@jit
def legal_dryad(s, R, p, words):
    """List the ingredients that the minion carries."""
    put(words, A_KIND, carried(s.seat[p], int(top(s).a)))


@jit
def apply_dryad(s, R, p, a):
    """Store the ingredient in the pantry."""
    m = int(top(s).a)
    pop(s)
    store_one(s.seat[p], m, a - A_KIND)


@jit
def legal_bandit(s, R, p, words):
    """List paying the bandit, if the seat has the gold, and declining."""
    put(words, A_ACCEPT, int(s.seat[p].gold > 0))
    put(words, A_DECLINE, 1)


@jit
def apply_bandit(s, R, p, a):
    """Pay the bandit, or let the minion take a wound."""
    n = int(top(s).a)
    pop(s)
    if a == A_ACCEPT:
        lose_gold(s.seat[p], n)
    else:
        hurt(s, p, int(s.deed.active), 1)


@jit
def legal_chest(s, R, p, words):
    """List opening the chest, and leaving it closed."""
    put(words, A_ACCEPT, 1)
    put(words, A_DECLINE, 1)


@jit
def apply_chest(s, R, p, a):
    """Open the chest, which holds gold or a wound with equal chance, or leave it."""
    n = int(top(s).a)
    pop(s)
    if a == A_ACCEPT:
        if below(s.seed, CHEST, 0, 0, s.met, 2) == 0:
            s.seat[p].gold += n
        else:
            hurt(s, p, int(s.deed.active), 1)


@jit
def legal_smuggler(s, R, p, words):
    """List buying, if the seat has the gold and the minion a free slot, and declining."""
    me = s.seat[p]
    put(words, A_ACCEPT, int(me.gold >= R.smuggler_price and has_room(R, me, int(s.deed.active))))
    put(words, A_DECLINE, 1)


@jit
def apply_smuggler(s, R, p, a):
    """Pay the smuggler; the minion takes as many ingredients as it has room for."""
    me, m, n = s.seat[p], int(s.deed.active), int(top(s).a)
    pop(s)
    if a == A_ACCEPT:
        me.gold -= R.smuggler_price
        for _ in range(n):
            if has_room(R, me, m):
                pick_up(me, m, SPICE)


@jit
def legal_ring(s, R, p, words):
    """List the possible numbers of steps, from none to the number on the card."""
    put(words, A_STEPS, first(int(top(s).a) + 1))


@jit
def apply_ring(s, R, p, a):
    """Let the minion walk the chosen number of steps."""
    pop(s)
    set_out(s, p, int(s.deed.active), a - A_STEPS)
