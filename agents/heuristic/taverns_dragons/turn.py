"""Taverns & Dragons: rate the actions of a turn, and changes of the dice between the roll and the attack of a hunt."""

from alehouse.agents.heuristic.taverns_dragons import heroes
from alehouse.agents.heuristic.taverns_dragons.hunt import gain_of_turning, outcome_now, outcome_rerolled, rate_hunt
from alehouse.agents.heuristic.taverns_dragons.values import USE_BANK, USE_RECIPE, USE_SOURCE
from alehouse.agents.heuristic.taverns_dragons.dice import rate_display, rate_gold, rate_reroll
from alehouse.agents.heuristic.taverns_dragons.positions import rate_visit, share_on_way
from alehouse.envs.core.run.jit import jit
from alehouse.envs.taverns_dragons.layout import (
    A_ABILITY, A_ATTACK, A_BANK, A_BEHIND, A_BLANK, A_BONUS, A_BUY, A_CHARM, A_COLLECT, A_COOK, A_DISCARD, A_ENCOUNTER, A_HEAL, A_HIRE,
    A_HUNT, A_ITEM, A_MOVE, A_REROLL, A_REROLL_HUNTING, A_SOURCE, A_STORE, A_TRACK, A_VISIT, BLANK, CUBE, SIDES, SYMBOL_COUNT,
)  # fmt: skip


@jit
def rate_die(s, R, W, v, a):
    """Rate placing a die: what it brings less what the die brings elsewhere, plus a bonus where another seat might be faster."""
    if a >= A_DISCARD:
        return float(A_DISCARD - a)
    if a >= A_MOVE:
        use, face = (a - A_MOVE) // SIDES, (a - A_MOVE) % SIDES
        worth, hurry = v.gain[a - A_MOVE], W.hurry_move
    elif a >= A_SOURCE:
        use, face = USE_SOURCE, a - A_SOURCE
        worth, hurry = v.gain[USE_SOURCE * SIDES + face], 0.0
    elif a >= A_BANK:
        use, face = USE_BANK, (a - A_BANK) % SIDES
        worth, hurry = rate_gold(s, R, v, int(R.bank[face if a < A_BLANK else BLANK])), W.hurry_bank
    else:
        use, face = USE_RECIPE, (a - A_COOK) % SIDES
        worth, hurry = rate_display(s, R, W, v, (a - A_COOK) // SIDES) + W.pip * (face + 1), W.hurry_cook
    return worth - v.elsewhere[face] + hurry * max(0.0, v.surplus[use])


@jit
def rate_secondary(s, R, W, v, a):
    """Rate what the active minion may do: whatever brings something comes first, what leads the minion away comes last."""
    me, m = s.seat[v.p], int(s.deed.active)
    zone = int(me.zone[m])
    if a < A_VISIT:
        kind = a - (A_COLLECT if a < A_BEHIND else A_BEHIND)
        worth = v.stored[kind] * share_on_way(R, W, v, me, m, zone, True)
        return W.first + worth if worth > 0.0 else worth - 0.1
    if a < A_HUNT:
        return rate_visit(s, R, W, v, a - A_VISIT, False)
    if a < A_ENCOUNTER:
        worth = rate_hunt(s, R, W, v, a - A_HUNT + 1, int(s.deed.extra))
        return W.first + worth if worth > 0.0 else worth
    return W.encounter - int(R.encounter_energy) * v.energy


@jit
def rate_free(s, R, W, v, a):
    """Rate a free action: what it brings now, less what it could still bring later."""
    if a < A_ABILITY:
        return heroes.rate_hire(s, R, W, v, a - A_HIRE)
    if a < A_BONUS:
        return heroes.rate_ability(s, R, W, v, a - A_ABILITY)
    if a < A_REROLL:
        return heroes.rate_bonus(s, R, W, v, a - A_BONUS)
    if a < A_STORE:
        return (rate_reroll(v, a - A_REROLL) if s.deed.placed == 0 else 0.0) - v.rune - 0.05
    if a < A_HEAL:
        return 0.1 if R.manual_city or s.deed.placed == 0 else -0.1
    if a < A_TRACK:
        return 0.1 if R.manual_city else -0.1
    if a < A_BUY:
        return heroes.rate_square(s, R, W, v, a - A_TRACK)
    if a < A_ITEM:
        return W.goblin_item * v.later - int(R.goblin_price) * v.gold
    return heroes.rate_item(s, R, W, v, a - A_ITEM + CUBE + 1)


@jit
def rate_change(s, R, W, v, a):
    """Rate re-rolling or turning a hunting die, compared with the attack, which is worth 0."""
    if a == A_ATTACK:
        return 0.0
    if a < A_CHARM:
        return outcome_rerolled(s, R, W, v, a - A_REROLL_HUNTING) - outcome_now(s, R, W, v) - v.rune
    return gain_of_turning(s, R, W, v, (1 << SYMBOL_COUNT) - 1)
