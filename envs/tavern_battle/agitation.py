"""Agitation cards: how they are posted, and what each kind does (TB 3.1 A0, 1.7)."""

from alehouse.envs.tavern_battle import questions as Q
from alehouse.envs.core.run.question_stack import pop, push, top
from alehouse.envs.core.run.bits import bit, first, put, within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.seats import around
from alehouse.envs.tavern_battle.effects import any_treasure, as_named, seat_named
from alehouse.envs.tavern_battle.layout import (
    A_CHARACTER, A_PASS, A_POST, A_SEAT, A_TREASURE, BAIT, CLOAK, DISAPPROVAL, ELBOW, FINGERS, HAND, HEROES, INSULT, REFUSAL, ROUND, THEFT,
)  # fmt: skip
from alehouse.envs.tavern_battle.memory import give, see
from alehouse.envs.tavern_battle.state import NOBODY
from alehouse.envs.tavern_battle.trade import end_turn, take_back


@jit
def legal_post(s, R, p, words):
    """List the cards in hand, and passing."""
    put(words, A_PASS, 1)
    for kind in range(s.seat[p].agitation.size):
        if s.seat[p].agitation[kind] > 0:
            put(words, A_POST + kind, 1)


@jit
def apply_post(s, R, p, a):
    """Post a card. It brings the brawl nearer and takes effect at once; without a target it has no effect."""
    pop(s)
    if a == A_PASS:
        return
    kind = a - A_POST
    me = s.seat[p]
    me.agitation[kind] -= 1
    me.cards -= 1
    s.agitation[kind] += 1
    s.posted += 1
    s.leader = p
    if R.no_effects:
        return
    if kind == REFUSAL:
        refuse(s, R)
    elif kind == DISAPPROVAL:
        take_back(s, R)
    elif kind == CLOAK:
        me.cloaks += 1
    elif kind == ROUND:
        round_on_the_house(s, R, p)
    elif kind == INSULT:
        if insultable(s, R, p) != 0:
            push(s, Q.INSULT, p)
    elif victims(s, R, p) != 0 and (kind != BAIT or me.treasures != 0):
        push(s, Q.VICTIM, p, kind)


# Refusal


@jit
def refuse(s, R):
    """End the trade turn before the sale; if the card starts the brawl there is no turn left to end."""
    if s.posted < R.seats:
        end_turn(s, R)


# Three cards against one opponent: elbow in the ribs, light fingers, bait and switch


@jit
def victims(s, R, p):
    """Return as a set the opponents who have a treasure."""
    found = 0
    for q in range(R.seats):
        if q != p and s.seat[q].treasures != 0:
            found |= bit(q)
    return found


@jit
def legal_victim(s, R, p, words):
    """List the opponents who have a treasure."""
    put(words, A_SEAT, as_named(victims(s, R, p), p, R.seats))


@jit
def apply_victim(s, R, p, a):
    """Let the opponent drop a treasure, or take one from him; with bait and switch, first choose what he gets for it."""
    kind = top(s).a
    pop(s)
    q = seat_named(a, p, R.seats)
    if kind == ELBOW:
        push(s, Q.DROP, q)
    elif kind == FINGERS:
        give(s, R, any_treasure(s, q, THEFT, s.posted), q, p)
    else:
        push(s, Q.BAIT, p, q)


@jit
def legal_bait(s, R, p, words):
    """List the treasures in hand, one of which the opponent will get."""
    put(words, A_TREASURE, s.seat[p].treasures)


@jit
def apply_bait(s, R, p, a):
    """Exchange this treasure for a random one of the opponent's, which is drawn before he receives this one."""
    q = int(top(s).a)
    pop(s)
    taken = any_treasure(s, q, THEFT, s.posted)
    give(s, R, a - A_TREASURE, p, q)
    give(s, R, taken, q, p)


# The card insult


@jit
def insultable(s, R, p):
    """Return as a set the opposing heroes who have not been insulted yet."""
    found = 0
    for q in range(R.seats):
        if q != p:
            found |= s.seat[q].group
    return found & first(HEROES) & ~int(s.insulted)


@jit
def legal_insult(s, R, p, words):
    """List the opposing heroes who have not been insulted yet."""
    put(words, A_CHARACTER, insultable(s, R, p))


@jit
def apply_insult(s, R, p, a):
    """Insult a hero, who will begin the brawl tilted."""
    pop(s)
    s.insulted |= bit(a - A_CHARACTER)


# The card round on the house


@jit
def round_on_the_house(s, R, p):
    """Ask everybody with a treasure to choose one, beginning with the poster; then pass them all at once."""
    push(s, Q.HAND_OVER, p)
    for k in range(R.seats - 1, -1, -1):
        q = around(p + k, R.seats)
        if s.seat[q].treasures != 0:
            push(s, Q.PASS_LEFT, q)


@jit
def legal_pass_left(s, R, p, words):
    """List the treasures in hand, one of which goes to the left."""
    put(words, A_TREASURE, s.seat[p].treasures)


@jit
def apply_pass_left(s, R, p, a):
    """Choose a treasure in secret; it stays in the hand until all have chosen."""
    pop(s)
    s.seat[p].passing = a - A_TREASURE


@jit
def hand_over(s, R):
    """Move all chosen treasures to the left at once."""
    pop(s)
    givers = 0
    for q in range(R.seats):
        if s.seat[q].passing != NOBODY:
            s.seat[q].treasures ^= bit(s.seat[q].passing)
            givers |= bit(q)
    for q in range(R.seats):
        blur_hands(s, R, q, givers)
    for q in range(R.seats):
        if within(givers, q):
            receive(s, R, q, around(q + 1, R.seats))


@jit
def blur_hands(s, R, p, givers):
    """Update what seat p knows of the others' hands: what may have been in a giver's hand may now be in the hand of its left neighbour."""
    may = s.seat[p].may
    last = may[HAND + R.seats - 1]
    for q in range(R.seats - 1, -1, -1):
        giver = q - 1 if q > 0 else R.seats - 1
        came = may[HAND + giver] if q > 0 else last
        kept = may[HAND + q] if s.seat[q].treasures != 0 else 0
        if q != p:
            may[HAND + q] = kept | (came if within(givers, giver) and giver != p else 0)


@jit
def receive(s, R, giver, taker):
    """Take the passed treasure in hand; only giver and receiver know which one it is."""
    card = bit(s.seat[giver].passing)
    s.seat[giver].passing = NOBODY
    s.seat[taker].treasures |= card
    see(s.seat[giver], card, HAND + taker)
    see(s.seat[taker], card, HAND + taker)
