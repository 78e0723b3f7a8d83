"""The brawl round by round: the opening, activations, objects, and straightening up (TB 3.2, 3.3)."""

from alehouse.envs.tavern_battle import questions as Q
from alehouse.envs.core.run.question_stack import pop, push
from alehouse.envs.core.run.bits import bit, lowest, popcount, put
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.seats import around
from alehouse.envs.core.run.turns import enter, finish
from alehouse.envs.tavern_battle.combat import begin
from alehouse.envs.tavern_battle.effects import alive, come_out, draw_object, flee, living, tilt
from alehouse.envs.tavern_battle.layout import A_CHARACTER, A_KEEP, A_PASS, OBJECTS, P_ARRIVALS, P_BRAWL, P_ESCAPE, P_OBJECTS, P_OVER


@jit
def opening(s, R):
    """Put agitation cards away, deal objects and tilt insulted heroes (TB 3.2)."""
    for p in range(R.seats):
        me = s.seat[p]
        me.agitation[:] = 0
        me.cards = 0
        for _ in range(R.objects + me.cloaks):
            draw_object(s, p)
    s.upright = int(s.upright) & ~int(s.insulted)
    s.tilted |= s.insulted
    s.rounds = 1
    enter(s, P_BRAWL)


# B1. Activating characters


@jit
def activations(s, R):
    """Ask the leader, or the next seat to the left with an upright character, to activate one; if nobody has one, go on to the objects."""
    if popcount(alive(s, R)) <= 1:
        finish(s, P_OVER)
        return
    for k in range(R.seats):
        p = around(s.leader + k, R.seats)
        if s.seat[p].group & s.upright != 0:
            s.leader = p
            push(s, Q.ACTIVATE, p)
            return
    enter(s, P_OBJECTS)


@jit
def legal_activate(s, R, p, words):
    """List the seat's upright characters."""
    put(words, A_CHARACTER, s.seat[p].group & s.upright)


@jit
def apply_activate(s, R, p, a):
    """Tilt the character and let him act; the seat to the left leads next."""
    pop(s)
    c = a - A_CHARACTER
    tilt(s, c)
    begin(s, c)
    s.leader = around(p + 1, R.seats)
    push(s, Q.ACTION, p)


# B2. Renewing the objects in hand


@jit
def renew_objects(s, R):
    """Discard used weapons; then each seat, from the leader on, keeps one object or none and draws new ones (TB 3.3 B2, TB-R33)."""
    if s.cursor == R.seats:
        enter(s, P_ESCAPE)
        return
    if s.cursor == 0:
        for kind in range(OBJECTS):
            s.discard[kind] += s.used[kind]
            s.used[kind] = 0
    p = around(s.leader + s.cursor, R.seats)
    s.cursor += 1
    if s.seat[p].held > 0:
        push(s, Q.KEEP, p)
    else:
        draw_hand(s, R, p)


@jit
def legal_keep(s, R, p, words):
    """List the objects in hand, and keeping none."""
    put(words, A_PASS, 1)
    put(words, A_KEEP, s.seat[p].types)


@jit
def apply_keep(s, R, p, a):
    """Discard all other objects in hand and draw new ones."""
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
    """Draw a round's objects; a seat with many living characters draws one for each of them."""
    n = popcount(living(s, p))
    for _ in range(n if n > R.many else R.draw):
        draw_object(s, p)


# B3. Straightening characters up


@jit
def escapes(s, R):
    """Let characters flee who have stood at the door since last round, one after another; then straighten the others up."""
    leaving = int(s.door) & ~int(s.door_now)
    if leaving != 0:
        flee(s, R, lowest(leaving))
    else:
        straighten(s, R)


@jit
def straighten(s, R):
    """Turn every character who is not KO one step back up; first, hidden characters who passed no test come out (TB 3.3 B3, 3.6)."""
    s.door_now = 0
    rest = int(s.hidden) & ~int(s.steady)
    while rest != 0:
        come_out(s, R, lowest(rest), False)
        rest &= rest - 1
    s.steady = 0
    s.fresh = 0
    s.upright |= s.tilted
    s.tilted = s.down
    s.down = 0
    if popcount(alive(s, R)) <= 1:
        finish(s, P_OVER)
    else:
        enter(s, P_ARRIVALS)
