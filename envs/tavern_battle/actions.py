"""The actions of an activated character, with the target and the supports they need (TB 3.4, 3.5)."""

from alehouse.envs.tavern_battle import questions as Q
from alehouse.envs.core.run.question_stack import pop, push
from alehouse.envs.core.run.bits import bit, member, popcount, put, within, without
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.tavern_battle.combat import (
    add_support, dice, fight, helpers, needed, possible, reach, ready, take_weapon, test,
)  # fmt: skip
from alehouse.envs.tavern_battle.effects import as_named, come_out, play_object, uncover
from alehouse.envs.tavern_battle.layout import (
    A_CHARACTER, A_DOOR, A_DRAW, A_FACE_DOWN, A_HIDE, A_PASS, A_PICK_UP, A_PROTECT, A_ROLL, A_SEAT, A_STAY_HIDDEN, A_STRIKE,
    A_STRIKE_DRAWN, A_THROW, A_TREASURE, A_WINDOW, FACE_DOWN, HAND, HIDE, LANCE, LANCE_CARD, PILE, STAY, STRIKE, SWORD, SWORD_CARD,
    THROW, TROPHY, TROPHY_CARD, WINDOW,
)  # fmt: skip
from alehouse.envs.tavern_battle.memory import move, show, tidy
from alehouse.envs.tavern_battle.modules import tete_dure, tous_sur_un
from alehouse.envs.tavern_battle.state import NOBODY


@jit
def legal_action(s, R, p, words):
    """List the actions that the activated character can take (TB 3.4)."""
    c = int(s.act.actor)
    types = int(s.seat[p].types)
    put(words, A_PASS, 1)
    put(words, A_PICK_UP, int(s.fallen | s.pile != 0))
    put(words, A_PROTECT, types & R.protection)
    if within(s.hidden, c):
        put(words, A_STAY_HIDDEN, int(possible(s, R, c, STAY)))
    elif types & R.hideout != 0 and possible(s, R, c, HIDE):
        put(words, A_HIDE, types & R.hideout)
    put(words, A_DRAW, drawable(s, p))
    put(words, A_WINDOW, int(possible(s, R, c, WINDOW)))
    put(words, A_DOOR, int(not within(s.door, c)))
    weapons = ready(s, c)
    if R.strength[c] > 0 and (types & R.contact != 0 or weapons != 0) and reach(s, R, p, STRIKE) != 0:
        put(words, A_STRIKE, types & R.contact)
        put(words, A_STRIKE_DRAWN, weapons)
    if R.cunning[c] > 0 and types & R.ranged != 0 and reach(s, R, p, THROW) != 0:
        put(words, A_THROW, types & R.ranged)


@jit
def drawable(s, p):
    """Return as a set the weapons that a seat owns and has not drawn."""
    me = s.seat[p]
    found = int(within(me.treasures, SWORD_CARD) and s.bearer[SWORD] == NOBODY) << SWORD
    found |= int(within(me.treasures, LANCE_CARD) and s.bearer[LANCE] == NOBODY) << LANCE
    return found | int(within(me.types, TROPHY_CARD)) << TROPHY


@jit
def apply_action(s, R, p, a):
    """Begin an action. All actions except staying hidden end a hide-out, and all except passing give up the door (TB 3.6)."""
    pop(s)
    c = int(s.act.actor)
    if a != A_STAY_HIDDEN:
        come_out(s, R, c, False)
    if a != A_PASS:
        s.door = without(s.door, c)
    if A_STRIKE <= a < A_WINDOW:
        take_weapon(s, R, c, a)
        prepare_roll(s, p, s.act.verb)
        push(s, Q.TARGET, p)
    elif a == A_PICK_UP:
        push(s, Q.PICK, p)
    elif A_PROTECT <= a < A_HIDE:
        protect(s, R, p, c, a - A_PROTECT)
    elif A_HIDE <= a < A_STAY_HIDDEN:
        s.act.object = a - A_HIDE
        play_object(s, p, s.act.object)
        s.used[s.act.object] += 1
        prepare_roll(s, p, HIDE)
    elif a == A_STAY_HIDDEN:
        prepare_roll(s, p, STAY)
    elif a == A_WINDOW:
        prepare_roll(s, p, WINDOW)
    elif a == A_DOOR:
        s.door |= bit(c)
        s.door_now |= bit(c)
    elif a != A_PASS:
        draw_weapon(s, R, p, c, a - A_DRAW)


@jit
def prepare_roll(s, p, verb):
    """Ask for supports, then roll the dice of a test or an attack."""
    s.act.verb = verb
    push(s, Q.RESOLVE, p)
    push(s, Q.SUPPORT, p)


@jit
def protect(s, R, p, c, kind):
    """Put a protection in front of the character; it replaces an earlier one."""
    play_object(s, p, kind)
    uncover(s, R, c, False)
    s.cover[c] = kind
    s.covered |= bit(c)


@jit
def draw_weapon(s, R, p, c, weapon):
    """Lay a weapon on the character, who can use it from the next round on (TB-R22)."""
    s.bearer[weapon] = c
    s.fresh |= bit(weapon)
    if weapon == TROPHY:
        play_object(s, p, TROPHY_CARD)
    else:
        show(s, R, bit(SWORD_CARD if weapon == SWORD else LANCE_CARD), HAND + p)


# Picking up a treasure


@jit
def legal_pick(s, R, p, words):
    """List the treasures that lie face up, and drawing one at random from those face down."""
    put(words, A_TREASURE, s.fallen)
    put(words, A_FACE_DOWN, int(s.pile != 0))


@jit
def apply_pick(s, R, p, a):
    """Take the treasure in hand; if it lay face down, only its new owner sees which one it is (TB 6 D13)."""
    pop(s)
    if a != A_FACE_DOWN:
        card = bit(a - A_TREASURE)
        s.fallen ^= card
        s.seat[p].treasures |= card
        show(s, R, card, HAND + p)
        return
    card = bit(member(s.pile, below(s.seed, FACE_DOWN, s.rounds, s.act.actor, 0, popcount(s.pile))))
    s.pile ^= card
    s.seat[p].treasures |= card
    move(s, R, card, PILE, HAND + p, bit(p), 0)
    tidy(s, R, PILE, s.pile)


# The target, the supports and the dice of an action


@jit
def legal_target(s, R, p, words):
    """List the characters that the attack can reach; a riposte can only reach the attacker and his supporters."""
    found = reach(s, R, p, s.act.verb)
    put(words, A_CHARACTER, found if s.act.foe == NOBODY else found & int(s.act.supporters))


@jit
def apply_target(s, R, p, a):
    """Choose whom to attack."""
    pop(s)
    s.act.target = a - A_CHARACTER


@jit
def legal_support(s, R, p, words):
    """List who can support; also rolling, once there are enough dice or nobody else can support."""
    act = s.act
    own = 0
    others = 0
    if act.supports < R.supports:
        own = helpers(s, R, p, act.verb)
        others = tous_sur_un.callable_seats(s, R, p)
    put(words, A_CHARACTER, own)
    put(words, A_SEAT, as_named(others, p, R.seats))
    put(words, A_ROLL, int(dice(s, R) >= needed(R, act.verb) or (own == 0 and others == 0)))


@jit
def apply_support(s, R, p, a):
    """Add a character as support, call on another player for one, or stop and roll."""
    if a == A_ROLL:
        pop(s)
    elif a >= A_CHARACTER:
        add_support(s, R, a - A_CHARACTER)
    else:
        tous_sur_un.call(s, R, p, a)


@jit
def resolve(s, R):
    """Roll the dice of the test or the attack, and apply the result."""
    pop(s)
    if s.act.target == NOBODY:
        test(s, R)
    elif R.tete_dure:
        tete_dure.duel(s, R)
    else:
        fight(s, R)
