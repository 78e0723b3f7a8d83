"""Tête dure: attacks roll one die against the defender's die; also looting and the riposte (TB 4.3)."""

from alehouse.envs.tavern_battle import questions as Q
from alehouse.envs.core.run.question_stack import pop, push, top
from alehouse.envs.core.run.bits import bit, put, within
from alehouse.envs.core.declare.game import Module
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.tavern_battle.combat import begin, dice, die, reach, ready, score, take_weapon, wear_out
from alehouse.envs.tavern_battle.effects import position, turn_to, uncover
from alehouse.envs.tavern_battle.layout import (
    A_PASS, A_STRIKE, A_STRIKE_DRAWN, A_THROW, A_TREASURE, CHARACTERS, DEFENCE, DOWN, HAND, KO, PILE, STRIKE, THROW, TILTED,
)  # fmt: skip
from alehouse.envs.tavern_battle.memory import blur, give, look, see, sheathe, tidy
from alehouse.envs.tavern_battle.modules import casse_tout
from alehouse.envs.tavern_battle.state import NOBODY

MODULE = Module(
    "tete_dure",
    "Tête dure",
    requires="tous_sur_un",
    actions=("face_down",),
    features=("pile",),
    numbers=("tete_dure.",),
)


@jit
def defence(s, t):
    """Return the face of the defender's die."""
    act = s.act
    return 1 + below(s.seed, DEFENCE, s.rounds, t, CHARACTERS * (1 + int(act.foe)) + int(act.actor), 6)


@jit
def duel(s, R):
    """Roll a die for each side and compare the totals with characteristics, bonus and supports."""
    act = s.act
    t = int(act.target)
    face = die(s, 0)
    s.rolls += 1
    s.faces[:] = 0
    s.faces[face - 1] = 1
    s.parry = defence(s, t)
    margin = face + dice(s, R) - int(s.parry) - score(R, t, act.verb)
    high = int(face >= R.breaks_from)
    wear_out(s, R, int(face == 1) >= R.breaking_ones or casse_tout.breaks(R, high))
    if margin >= R.stunned:
        if act.verb == STRIKE:
            uncover(s, R, t, casse_tout.breaks(R, high))
        hit(s, R, t, margin)
    elif act.foe == NOBODY and may_riposte(s, t):
        push(s, Q.RIPOSTE, s.owner[t], t)


@jit
def hit(s, R, t, margin):
    """Stun the target, put him down or knock him out; the attacker loots the player of a target who is down or KO."""
    before = position(s, t)
    new = KO if margin >= R.ko else DOWN if margin >= R.down else TILTED
    if new > before:
        turn_to(s, R, t, new)
    victim, looter = int(s.owner[t]), int(s.owner[s.act.actor])
    if new >= DOWN and s.seat[victim].treasures != 0:
        look(s.seat[looter], s.seat[victim].treasures, HAND + victim)
        push(s, Q.LOOT, looter, victim, new)


@jit
def legal_loot(s, R, p, words):
    """List the treasures that the looter looks at."""
    put(words, A_TREASURE, s.seat[top(s).a].treasures)


@jit
def apply_loot(s, R, p, a):
    """Keep one treasure. The others go back or, if the target is KO, face down into the centre (TB-R29)."""
    victim, new = int(top(s).a), top(s).b
    pop(s)
    if new == DOWN:
        give(s, R, a - A_TREASURE, victim, p)
        return
    card, all_of_them = bit(a - A_TREASURE), int(s.seat[victim].treasures)
    rest = all_of_them & ~card
    s.seat[victim].treasures = 0
    s.seat[p].treasures |= card
    s.pile |= rest
    sheathe(s, all_of_them)
    for q in range(R.seats):
        me = s.seat[q]
        if q == p:
            see(me, card, HAND + p)
            see(me, rest, PILE)
        else:
            if rest != 0:
                blur(me, HAND + victim, PILE, 0)
            blur(me, HAND + victim, HAND + p, 0)
    tidy(s, R, HAND + victim, 0)


# The riposte: the defender strikes back


@jit
def may_riposte(s, t):
    """Return whether the defender may strike back: he must be upright, with an object in hand or a weapon drawn earlier (TB-R28)."""
    return within(s.upright, t) and (s.seat[s.owner[t]].held > 0 or ready(s, t) != 0)


@jit
def asks_always(s, p):
    """Return True: even a seat that can only decline is asked, so that the question does not reveal its objects (TB-R28)."""
    return True


@jit
def foes(s):
    """Return as a set whom a riposte may be aimed at: the attacker and his supporters."""
    return int(s.act.supporters) | bit(s.act.actor)


@jit
def legal_riposte(s, R, p, words):
    """List the objects and drawn weapons that reach a possible target, and declining."""
    t = int(top(s).a)
    put(words, A_PASS, 1)
    types = int(s.seat[p].types)
    if R.strength[t] > 0 and reach(s, R, p, STRIKE) & foes(s) != 0:
        put(words, A_STRIKE, types & R.contact)
        put(words, A_STRIKE_DRAWN, ready(s, t))
    if R.cunning[t] > 0 and reach(s, R, p, THROW) & foes(s) != 0:
        put(words, A_THROW, types & R.ranged)


@jit
def apply_riposte(s, R, p, a):
    """Strike back with the defender, who is not tilted and cannot get supports."""
    t = int(top(s).a)
    pop(s)
    if a == A_PASS:
        return
    among, foe = foes(s), s.act.actor
    begin(s, t)
    s.act.foe = foe
    s.act.supporters = among
    take_weapon(s, R, t, a)
    push(s, Q.RESOLVE, p)
    push(s, Q.TARGET, p)
