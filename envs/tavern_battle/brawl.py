"""The brawl round by round: activations, the nine actions, objects, escapes (TB 3.3, 3.4, 3.6)."""

from alehouse.envs.tavern_battle import questions as Q
from alehouse.envs.core.run.question_stack import pop, push, top
from alehouse.envs.core.run.bits import bit, lowest, member, popcount, put, within, without
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.core.run.seats import around
from alehouse.envs.core.run.turns import enter, finish
from alehouse.envs.tavern_battle.combat import (
    add_support, begin, dice, fight, helpers, needed, possible, reach, ready, take_drawn, take_up, test,
)  # fmt: skip
from alehouse.envs.tavern_battle.effects import alive, as_named, come_out, draw_object, flee, living, play_object, secure, tilt, uncover
from alehouse.envs.tavern_battle.layout import (
    A_CHARACTER, A_DOOR, A_DRAW, A_FACE_DOWN, A_HIDE, A_KEEP, A_PASS, A_PICK_UP, A_PROTECT, A_ROLL, A_SEAT, A_STAY_HIDDEN, A_STRIKE,
    A_STRIKE_DRAWN, A_THROW, A_TREASURE, A_WINDOW, FACE_DOWN, HAND, HIDE, LANCE, LANCE_CARD, OBJECTS, P_ARRIVALS, P_BRAWL, P_ESCAPE,
    P_OBJECTS, P_OVER, PILE, STAY, STRIKE, SWORD, SWORD_CARD, THROW, TROPHY, TROPHY_CARD, WINDOW,
)  # fmt: skip
from alehouse.envs.tavern_battle.memory import blur, drop, see, show, tidy
from alehouse.envs.tavern_battle.modules import tete_dure, tous_sur_un
from alehouse.envs.tavern_battle.state import NOBODY


@jit
def opening(s, R):
    """Agitation cards are put away, objects dealt, insults felt (TB 3.2)."""
    for p in range(R.seats):
        me = s.seat[p]
        me.agitation[:] = 0
        me.cards = 0
        for _ in range(R.objects + me.cloaks):
            draw_object(s, p)
    s.upright = without_all(s.upright, s.insulted)
    s.tilted |= s.insulted
    s.rounds = 1
    return enter(s, P_BRAWL)


@jit
def without_all(members, others):
    """A small set less another."""
    return int(members) & ~int(others)


# B1. Activations


@jit
def activations(s, R):
    """The leader, or the next to the left with an upright character, must activate one."""
    if popcount(alive(s, R)) <= 1:
        return finish(s, P_OVER)
    for k in range(R.seats):
        p = around(s.leader + k, R.seats)
        if s.seat[p].group & s.upright != 0:
            s.leader = p
            push(s, Q.ACTIVATE, p)
            return True
    return enter(s, P_OBJECTS)


@jit
def legal_activate(s, R, p, words):
    """Upright characters of one's own."""
    put(words, A_CHARACTER, s.seat[p].group & s.upright)


@jit
def apply_activate(s, R, p, a):
    """He is tilted and may act; the next leader sits to the left."""
    pop(s)
    c = a - A_CHARACTER
    tilt(s, c)
    begin(s, c)
    s.leader = around(p + 1, R.seats)
    push(s, Q.ACTION, p)


@jit
def legal_action(s, R, p, words):
    """The actions open to the activated character (TB 3.4)."""
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
def holds_cards(s, p):
    """Return whether a seat holds objects or treasures, which others cannot see."""
    return s.seat[p].held > 0 or s.seat[p].treasures != 0


@jit
def drawable(s, p):
    """Weapons a seat owns that are not drawn, as a set."""
    me = s.seat[p]
    found = int(within(me.treasures, SWORD_CARD) and s.bearer[SWORD] == NOBODY) << SWORD
    found |= int(within(me.treasures, LANCE_CARD) and s.bearer[LANCE] == NOBODY) << LANCE
    return found | int(within(me.types, TROPHY_CARD)) << TROPHY


@jit
def apply_action(s, R, p, a):
    """One action; but for staying there it leaves a hide-out, and but for passing the door (TB 3.6)."""
    pop(s)
    c = int(s.act.actor)
    if a != A_STAY_HIDDEN:
        come_out(s, R, c, False)
    if a != A_PASS:
        s.door = without(s.door, c)
    if A_STRIKE <= a < A_WINDOW:
        attack(s, R, p, c, a)
    elif a == A_PICK_UP:
        push(s, Q.PICK, p)
    elif A_PROTECT <= a < A_HIDE:
        protect(s, R, p, c, a - A_PROTECT)
    elif A_HIDE <= a < A_STAY_HIDDEN:
        s.act.object = a - A_HIDE
        play_object(s, p, s.act.object)
        s.used[s.act.object] += 1
        push_test(s, p, HIDE)
    elif a == A_STAY_HIDDEN:
        push_test(s, p, STAY)
    elif a == A_WINDOW:
        push_test(s, p, WINDOW)
    elif a == A_DOOR:
        s.door |= bit(c)
        s.door_now |= bit(c)
    elif a != A_PASS:
        draw_weapon(s, R, p, c, a - A_DRAW)


@jit
def push_test(s, p, verb):
    """A test of cunning, after its supports."""
    s.act.verb = verb
    push(s, Q.SUPPORT, p)


@jit
def attack(s, R, p, c, a):
    """Choose whom to strike, or to throw at."""
    if a >= A_THROW:
        take_up(s, R, c, THROW, a - A_THROW)
    elif a >= A_STRIKE_DRAWN:
        take_drawn(s, R, c, a - A_STRIKE_DRAWN)
    else:
        take_up(s, R, c, STRIKE, a - A_STRIKE)
    push(s, Q.TARGET, p)


@jit
def protect(s, R, p, c, kind):
    """A protection is put in front of him, in the place of another."""
    play_object(s, p, kind)
    uncover(s, R, c, False)
    s.cover[c] = kind
    s.covered |= bit(c)


@jit
def draw_weapon(s, R, p, c, weapon):
    """A weapon is laid on him, for use from the next round on (TB-R22)."""
    s.bearer[weapon] = c
    s.fresh |= bit(weapon)
    if weapon == TROPHY:
        play_object(s, p, TROPHY_CARD)
    else:
        show(s, R, bit(SWORD_CARD if weapon == SWORD else LANCE_CARD), HAND + p)


@jit
def legal_pick(s, R, p, words):
    """A treasure that lies face up, or any of those face down."""
    put(words, A_TREASURE, s.fallen)
    put(words, A_FACE_DOWN, int(s.pile != 0))


@jit
def apply_pick(s, R, p, a):
    """It joins the others in secret; what lies face down is drawn at random (TB 6 D13)."""
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
    for q in range(R.seats):
        if q == p:
            see(s.seat[q], card, HAND + p)
        else:
            blur(s.seat[q], PILE, HAND + p, 0)
    tidy(s, R, PILE, s.pile)


# Combat and tests


@jit
def legal_target(s, R, p, words):
    """Characters in reach; for a riposte the attacker and his supporters only."""
    found = reach(s, R, p, s.act.verb)
    put(words, A_CHARACTER, found if s.act.foe == NOBODY else found & int(s.act.supporters))


@jit
def apply_target(s, R, p, a):
    """Supports come next; a riposte has none."""
    pop(s)
    s.act.target = a - A_CHARACTER
    if s.act.foe == NOBODY:
        push(s, Q.SUPPORT, p)
    else:
        resolve(s, R)


@jit
def legal_support(s, R, p, words):
    """Another support, or the dice: once there are enough of them, or nobody else can help."""
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
    """One more support, one more player asked, or the dice."""
    if a == A_ROLL:
        pop(s)
        resolve(s, R)
    elif a >= A_CHARACTER:
        add_support(s, R, a - A_CHARACTER)
    else:
        tous_sur_un.call(s, R, p, a)


@jit
def resolve(s, R):
    """The dice decide."""
    if s.act.target == NOBODY:
        test(s, R)
    elif R.tete_dure:
        tete_dure.duel(s, R)
    else:
        fight(s, R)


@jit
def apply_drop(s, R, p, a):
    """A treasure falls, face up."""
    pop(s)
    drop(s, R, p, a - A_TREASURE)


@jit
def apply_secure(s, R, p, a):
    """A treasure is put safe; how many more."""
    more = top(s).a - 1
    pop(s)
    secure(s, R, p, a - A_TREASURE)
    if more > 0:
        push(s, Q.SECURE, p, more)


# B2. Objects


@jit
def renew_objects(s, R):
    """Weapons used are discarded; in seat order each keeps one object or none and draws others (TB 3.3 B2)."""
    if s.cursor == 0:
        for kind in range(OBJECTS):
            s.discard[kind] += s.used[kind]
            s.used[kind] = 0
    while s.cursor < R.seats:
        p = int(s.cursor)
        s.cursor += 1
        if s.seat[p].held > 0:
            push(s, Q.KEEP, p)
            return True
        draw_hand(s, R, p)
    return enter(s, P_ESCAPE)


@jit
def legal_keep(s, R, p, words):
    """One object of the hand, or none."""
    put(words, A_PASS, 1)
    put(words, A_KEEP, s.seat[p].types)


@jit
def apply_keep(s, R, p, a):
    """The others are discarded, new ones drawn."""
    pop(s)
    me = s.seat[p]
    rest = int(me.types)
    while rest != 0:
        kind = lowest(rest)
        rest &= rest - 1
        n = int(me.objects[kind]) - int(a == A_KEEP + kind)
        s.discard[kind] += n
        s.hidden_objects[kind] -= n
        me.objects[kind] -= n
    me.held = int(a != A_PASS)
    me.types = bit(a - A_KEEP) if a != A_PASS else 0
    draw_hand(s, R, p)


@jit
def draw_hand(s, R, p):
    """As many objects as the round brings, or as there are living characters if these are many."""
    n = popcount(living(s, p))
    for _ in range(n if n > R.many else R.draw):
        draw_object(s, p)


# B3. Escapes, and up again


@jit
def escapes(s, R):
    """Who has stood at the door since the round before flees; the others turn a quarter back (TB 3.3 B3, 3.6)."""
    while s.door & ~s.door_now != 0:
        flee(s, R, lowest(s.door & ~s.door_now))
        if s.stack.n > 0:
            return True
    s.door_now = 0
    rest = without_all(s.hidden, s.steady)
    while rest != 0:
        come_out(s, R, lowest(rest), False)
        rest &= rest - 1
    s.steady = 0
    s.fresh = 0
    s.upright |= s.tilted
    s.tilted = s.down
    s.down = 0
    if popcount(alive(s, R)) <= 1:
        return finish(s, P_OVER)
    return enter(s, P_ARRIVALS)
