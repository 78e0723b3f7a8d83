"""Module 4: start cards (4.3, 1.14). Without the module every seat takes the standard start."""

from alehouse.envs.tiefenthal import questions as Q
from alehouse.envs.core.run.question_stack import pop, push, top
from alehouse.envs.core.run.bits import bit, first, lowest, put
from alehouse.envs.core.declare.game import Module
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.tiefenthal.effects import from_deck, gain_beer, gain_schnapps, take_from_stock
from alehouse.envs.tiefenthal.layout import (
    A_ACCEPT, A_DONE, A_REMOVE, A_START, BARD, K1, REGULARS, STANDARD, START_CARDS, START_NAMES, STARTS, TAVERN,
)  # fmt: skip
from alehouse.envs.tiefenthal.state import NOBODY

REVEALED = 3
MODULE = Module(
    "start_cards",
    "Start cards",
    requires="reputation",
    actions=("start",),
    features=("starts",),
    numbers=(*(f"starts.{key}." for key in START_NAMES[K1:]), "switch.start_card_default_always"),
)


@jit
def reveal(s, R):
    """Reveal three of the start cards."""
    if R.start_cards:
        rest = first(STARTS) & ~bit(STANDARD)
        for n in range(STARTS - 1, STARTS - 1 - REVEALED, -1):
            left = rest
            for _ in range(below(s.seed, START_CARDS, 0, 0, n, n)):
                left &= left - 1
            s.starts |= bit(lowest(left))
            rest &= ~bit(lowest(left))


@jit
def ask(s, R, p):
    """Ask a seat to choose its start card, or give it the standard start."""
    if R.start_cards:
        push(s, Q.START, p)
    else:
        take(s, R, p, STANDARD)


@jit
def legal_start(s, R, p, words):
    """List the revealed cards (TT-R19)."""
    put(words, A_START, (int(s.starts) | (bit(K1) if R.k1_always else 0)) >> K1)


@jit
def apply_start(s, R, p, a):
    """Take everything that the card gives."""
    pop(s)
    take(s, R, p, K1 + a - A_START)


@jit
def take(s, R, p, start):
    """Put the cards of a start into the deck, which is shuffled before round 1; then come steps, regulars that leave, and the upgrade."""
    me = s.seat[p]
    for k in range(TAVERN):
        for _ in range(R.start_kit[start, k]):
            if take_from_stock(s, BARD + k):
                me.deck[BARD + k] += 1
                me.deck_n += 1
                me.deck_kinds |= bit(BARD + k)
    gain_schnapps(s, R, p, int(R.start_schnapps[start]))
    if R.start_upgrade[start] == NOBODY:
        gain_beer(s, R, p, int(R.start_beer[start]))
    else:
        push(s, Q.ACCEPT, p, start)
    if R.start_dismiss[start] > 0:
        push(s, Q.DISMISS, p, int(R.start_dismiss[start]))
    if R.start_steps[start] > 0:
        push(s, Q.STEPS, p, int(R.start_steps[start]))


@jit
def legal_dismiss(s, R, p, words):
    """List regulars from the last one chosen on, so that they leave in ascending order, and stopping."""
    put(words, A_DONE, 1)
    put(words, A_REMOVE, int(s.seat[p].deck_kinds) & first(REGULARS) & ~first(top(s).b))


@jit
def apply_dismiss(s, R, p, a):
    """Put a regular into the box, out of the game, or stop."""
    entry = top(s)
    if a == A_DONE:
        pop(s)
        return
    kind = a - A_REMOVE
    from_deck(s.seat[p], kind)
    s.box[kind] += 1
    entry.b = kind
    entry.a -= 1
    if entry.a == 0:
        pop(s)


@jit
def legal_accept(s, R, p, words):
    """List taking the free upgrade, and declining (TT-R21)."""
    put(words, A_DONE, 1)
    put(words, A_ACCEPT, 1)


@jit
def apply_accept(s, R, p, a):
    """Upgrade the piece without gaining a noble; an upgraded store comes with beer."""
    start = int(top(s).a)
    pop(s)
    if a != A_DONE:
        me = s.seat[p]
        me.upgraded |= bit(R.start_upgrade[start])
        me.working = me.upgraded
        gain_beer(s, R, p, int(R.start_beer[start]))


@jit
def shuffle_in(s, p):
    """Shuffle the cards gained from the start card into the deck (4.3)."""
    me = s.seat[p]
    for k in range(me.gained_n):
        kind = int(me.gained[k])
        me.deck[kind] += 1
        me.deck_kinds |= bit(kind)
    me.deck_n += me.gained_n
    me.gained_n = 0
