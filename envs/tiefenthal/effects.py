"""Effects on cards, goods and tracks that several phases and modules use.

Steps on a track wait on the stack until they are taken, so that each bonus on the way is resolved before the next step (M5-8). The stack
never holds more than CHAIN entries, of the DEPTH it has room for:

* Before a round there are at most four, those of a start card: its upgrade, its regulars, its steps, and a question of theirs.
* A new guest who joins the seat's deck adds at most one entry, once a turn. Steps at the monastery lead to a question, never to other
  steps.
* A walk of reputation leaves the stack before it arrives at its last space. So one that lies below another has stopped on a signature
  space with steps left, and the one above comes from the cell just covered. No cell gives as many steps as lie between two signature
  spaces (rules_record.py refuses it), so that one ends before it could reach the next: two walks at most.
* Below a walk lies the completed row of its cell, unless it comes from the new guest, from dice or from a song. The guest's entry has
  left the stack when his signature covers a cell. With the question on top the most is: guest, walk, row, walk, question; or row, walk,
  row, walk, question.
"""

from alehouse.envs.tiefenthal import questions as Q
from alehouse.envs.core.run.question_stack import pop, push, top
from alehouse.envs.core.run.bits import bit, first, lowest, put, within, without
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.tiefenthal.layout import (
    A_DONE, A_REMOVE, B_BEER, B_DOUBLOONS, B_MONASTERY, B_NOBLE, B_REMOVE, B_REPUTATION, B_SCHNAPPS, BARD, KINDS, NOBLE, P_SAFE, P_SERVE,
    P_STORE, PATRONS, PILE,
)  # fmt: skip
from alehouse.envs.tiefenthal.state import NOBODY

CHAIN = 5


@jit
def level(R, me, piece):
    """Return what a piece of a tavern gives on its present side."""
    return int(R.level[int(within(me.working, piece)), piece])


# Doubloons, beers and schnapps


@jit
def gain_doubloons(s, R, p, n):
    """Give doubloons to a seat; outside its own turn they must fit into the safe (TT-R24)."""
    me = s.seat[p]
    total = int(me.doubloons) + n
    me.doubloons = total if s.phase == P_SERVE else min(total, level(R, me, P_SAFE))


@jit
def gain_beer(s, R, p, n):
    """Give beers to a seat; outside its own turn they must fit into the store (TT-R24)."""
    me = s.seat[p]
    total = int(me.beer) + n
    me.beer = total if s.phase == P_SERVE else min(total, level(R, me, P_STORE))


@jit
def gain_schnapps(s, R, p, n):
    """Give schnapps from the supply, as long as it lasts; without module 2 give none."""
    if R.schnapps:
        got = min(n, int(s.schnapps))
        s.schnapps -= got
        s.seat[p].schnapps += got


@jit
def pay_schnapps(s, p, n):
    """Return schnapps to the supply."""
    s.schnapps += n
    s.seat[p].schnapps -= n


# Cards: piles, hands and tables


@jit
def onto_pile(s, p, kind):
    """Put a card face down on top of the seat's draw pile; everybody has seen it (3 F8)."""
    me = s.seat[p]
    me.gained[me.gained_n] = kind
    me.gained_n += 1


@jit
def take_from_stock(s, kind):
    """Take a noble or a tavern card from its pile; return whether there was one."""
    k = kind - NOBLE
    if s.stock[k] == 0:
        return False
    s.stock[k] -= 1
    if s.stock[k] == 0 and kind != NOBLE:
        s.stocked = without(s.stocked, kind - BARD)
    return True


@jit
def gain_card(s, p, kind):
    """Give a seat a noble or a tavern card, if one is left."""
    if take_from_stock(s, kind):
        onto_pile(s, p, kind)


@jit
def lay(me, kind):
    """Lay out a card in or beside the tavern."""
    me.laid[kind] += 1
    me.laid_kinds |= bit(kind)


@jit
def unlay(me, kind):
    """Take a laid-out card away."""
    me.laid[kind] -= 1
    if me.laid[kind] == 0:
        me.laid_kinds = without(me.laid_kinds, kind)


@jit
def clear_tavern(me):
    """Put all laid-out cards of a seat on its discard pile (3 G)."""
    rest = int(me.laid_kinds)
    me.discard_kinds |= rest
    while rest != 0:
        kind = lowest(rest)
        rest &= rest - 1
        me.discard[kind] += me.laid[kind]
        me.discard_n += me.laid[kind]
        me.laid[kind] = 0
    me.laid_kinds = 0


@jit
def draw_card(s, p):
    """Draw the top card of a seat's draw pile.

    Below the known cards all cards are equally likely; an empty pile is first refilled from the discard pile (3 B4).
    """
    me = s.seat[p]
    if me.gained_n > 0:
        me.gained_n -= 1
        return int(me.gained[me.gained_n])
    if me.deck_n == 0:
        shuffle(me)
    if me.deck_n == 0:
        return NOBODY
    k = below(s.seed, PILE, me.shuffles, p, me.deck_n, me.deck_n)
    rest = int(me.deck_kinds)
    kind = lowest(rest)
    while k >= me.deck[kind]:
        k -= int(me.deck[kind])
        rest &= rest - 1
        kind = lowest(rest)
    from_deck(me, kind)
    return kind


@jit
def from_deck(me, kind):
    """Take a card out of the part of the draw pile whose order is unknown."""
    me.deck[kind] -= 1
    me.deck_n -= 1
    if me.deck[kind] == 0:
        me.deck_kinds = without(me.deck_kinds, kind)


@jit
def shuffle(me):
    """Shuffle the discard pile, which becomes the draw pile."""
    for kind in range(KINDS):
        me.deck[kind] = me.discard[kind]
        me.discard[kind] = 0
    me.deck_n = me.discard_n
    me.deck_kinds = me.discard_kinds
    me.discard_n = 0
    me.discard_kinds = 0
    me.shuffles += 1


# Removing seated patrons


@jit
def removable(s):
    """Return the regulars and guests without a die in the tavern of the seat whose turn it is (TT-R10, TT-R13)."""
    return int(s.act.vacant) & first(PATRONS)


@jit
def legal_remove(s, R, p, words):
    """List each patron who may be removed, and declining."""
    put(words, A_DONE, 1)
    put(words, A_REMOVE, removable(s))


@jit
def apply_remove(s, R, p, a):
    """Remove the patron; the bonus says how many patrons may be removed, one after another."""
    entry = top(s)
    entry.a -= 1
    if a == A_DONE or entry.a == 0:
        pop(s)
    if a != A_DONE:
        remove_patron(s, p, a - A_REMOVE)


@jit
def remove_patron(s, p, kind):
    """Remove a seated patron without a die from the game; the table stays empty (TT-R12)."""
    me = s.seat[p]
    unlay(me, kind)
    s.box[kind] += 1
    if me.laid[kind] == s.act.on[kind]:
        s.act.vacant = without(s.act.vacant, kind)


# Bonuses, and steps on tracks


@jit
def grant(s, R, p, bonus, amount):
    """Give a seat a bonus; steps and choices that it brings wait on the stack."""
    if amount <= 0 or bonus <= 0:
        return
    if bonus <= B_NOBLE:
        for _ in range(amount):
            gain_card(s, p, NOBLE if bonus == B_NOBLE else BARD + bonus - 1)
    elif bonus == B_DOUBLOONS:
        gain_doubloons(s, R, p, amount)
    elif bonus == B_BEER:
        gain_beer(s, R, p, amount)
    elif bonus == B_MONASTERY:
        push(s, Q.STEPS, p, amount)
    elif bonus == B_REMOVE:
        push(s, Q.REMOVE, p, amount)
    elif bonus == B_SCHNAPPS:
        gain_schnapps(s, R, p, amount)
    elif bonus == B_REPUTATION and R.reputation:
        push(s, Q.FAME, p, amount)


@jit
def climb(s, R):
    """Go one step at the monastery; steps beyond the last one are lost (1.9)."""
    entry = top(s)
    p = int(entry.seat)
    me = s.seat[p]
    if me.monastery >= R.monastery_end:
        pop(s)
        return
    me.monastery += 1
    entry.a -= 1
    if entry.a == 0:
        pop(s)
    grant(s, R, p, int(R.step_bonus[me.monastery]), int(R.step_amount[me.monastery]))
