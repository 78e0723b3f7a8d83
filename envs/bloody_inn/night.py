"""Phase 2: the seats choose actions and their targets (BI 3.4)."""

from alehouse.envs.bloody_inn import questions as Q
from alehouse.envs.bloody_inn.annexes import buriable, fullest, graves_for, lay, settle_caravan
from alehouse.envs.bloody_inn.effects import from_hand, to_corpses, to_hand
from alehouse.envs.bloody_inn.layout import (
    A_BRIBE, A_BUILD, A_BURY, A_CARD, A_DONE, A_HIRE, A_KILL, A_KILL_PEASANT, A_OBJECT, A_PASS, A_TO_CASH, A_TO_CHECKS, A_UNDER, ANNEXES,
    BRIBE, BUILD, BURY, DWARF, KILL, MANY, P_SNOW, PEASANT, PEASANTS, PLACES, TWINS, UNDERS,
)  # fmt: skip
from alehouse.envs.bloody_inn.modules import action_objects, events, notables, objects
from alehouse.envs.bloody_inn.payment import ask_payment, rank_budget
from alehouse.envs.bloody_inn.places import absolute, in_turn, relative
from alehouse.envs.core.run.bits import bit, first, lowest, put, without
from alehouse.envs.core.run.byte_blocks import wipe
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.question_stack import pop, push, top
from alehouse.envs.core.run.turns import enter


@jit
def night(s, R):
    """Ask the next seat for an action; after all actions of every seat, the morning begins."""
    if s.cursor < R.actions * R.seats:
        p = in_turn(s, R, s.cursor)
        clear_action(s)
        push(s, Q.END_ACTION, p)
        push(s, Q.ACTION, p)
    else:
        events.look_for_carnies(s, R)
        enter(s, P_SNOW)


@jit
def clear_action(s):
    """Clear the record of the last action."""
    act = s.act
    wipe(act)
    act.verb = -1
    act.origin = -1
    act.lime = -1


@jit
def end_action(s, R):
    """Count an action that is finished, and offer the well to the seat that took it."""
    p = int(top(s).seat)
    pop(s)
    s.cursor += 1
    objects.offer_well(s, R, p)


# The targets of each kind of action that the hand can pay for


@jit
def guests_up_to(s, R, rank):
    """Return the places of guests who may be bribed or killed and whose rank is at most this upper limit."""
    rest = int(s.full)
    if s.coffee >= 0 and not R.coffee_weak:
        rest = without(rest, s.coffee)
    found = 0
    while rest != 0:
        place = lowest(rest)
        rest &= rest - 1
        found |= int(R.up[s.guest[place]] <= rank) << place
    return found


@jit
def buildable(s, R, p):
    """Return the kinds in hand that can be built."""
    me = s.seat[p]
    rank = rank_budget(s, p, BUILD) - 1  # minus 1, because the card that is built cannot pay
    if rank < 0:
        return 0
    found = me.kinds & R.buildable & R.low_upto[rank]
    return found if me.tokens > 0 else found & ~R.caravans


@jit
def buriable_now(s, R, p):
    """Return the kinds of unburied corpses that can be buried."""
    kinds = s.seat[p].dead & R.low_upto[rank_budget(s, p, BURY)]
    if s.act.lime >= 0 or s.act.objects & action_objects.LIME != 0:
        return action_objects.buriable_with_lime(s, R, p, kinds)
    return buriable(s, R, p, kinds)


# 3.4 (1): the choice of an action and its first target


@jit
def legal_action(s, R, p, words):
    """List every action together with its first target, and the objects that can be played with one."""
    verb = s.act.verb
    budget, rank = rank_budget(s, p, BRIBE), rank_budget(s, p, KILL)
    bribes = guests_up_to(s, R, budget) if verb < 0 or verb == BRIBE else 0
    kills = bribes if rank == budget and verb < 0 else guests_up_to(s, R, rank) if verb < 0 or verb == KILL else 0
    builds = buildable(s, R, p) if verb < 0 or verb == BUILD else 0
    buries = buriable_now(s, R, p) if verb < 0 or verb == BURY else 0
    put(words, A_BRIBE, relative(bribes, p, R.seats))
    put(words, A_KILL, relative(kills, p, R.seats))
    put(words, A_BUILD, builds)
    put(words, A_BURY, buries)
    if R.objects:
        put(words, A_OBJECT, action_objects.attachable(s, R, p, bribes, builds, kills, buries))
    if verb < 0:
        legal_without_cards(s, R, p, words)


@jit
def legal_without_cards(s, R, p, words):
    """List the actions that cost no cards: hiring and killing peasants, passing, laundering."""
    me = s.seat[p]
    peasants = min(4, max(int(R.peasants), int(me.power[PEASANTS])), int(s.bistro))
    put(words, A_HIRE, first(peasants))
    put(words, A_KILL_PEASANT, int(s.bistro > 0))
    put(words, A_PASS, 1)
    put(words, A_TO_CHECKS, first(int(me.cash) // 10))
    put(words, A_TO_CASH, first(min(4, int(me.checks), max(0, int(R.cash_limit) - int(me.cash)) // 10)))


@jit
def apply_action(s, R, p, a):
    """Choose an action and its first target, or first play an object with it."""
    if a >= A_OBJECT:
        action_objects.attach(s, R, p, a - A_OBJECT)
        return
    pop(s)
    if A_BRIBE <= a < A_KILL + PLACES:
        take_target(s, R, p, BRIBE if a < A_KILL else KILL, a - (A_BRIBE if a < A_KILL else A_KILL))
    elif A_BUILD <= a < A_BURY:
        s.act.verb = BUILD
        s.act.card = a - A_BUILD
        s.act.cost = R.low[s.act.card]
        from_hand(s, p, s.act.card)
        ask_payment(s, R, p)
    elif A_BURY <= a < A_CARD:
        take_corpse(s, R, p, a - A_BURY)
    else:
        apply_without_cards(s, R, p, a)


@jit
def apply_without_cards(s, R, p, a):
    """Carry out an action without cards at once: hire or kill peasants, pass, or launder."""
    me = s.seat[p]
    if A_HIRE <= a < A_KILL_PEASANT:
        for _ in range(a - A_HIRE + 1):
            s.bistro -= 1
            to_hand(s, p, PEASANT)
    elif a == A_KILL_PEASANT:
        s.bistro -= 1
        to_corpses(s, p, PEASANT)
    elif A_TO_CHECKS <= a < A_TO_CASH:
        me.cash -= 10 * (a - A_TO_CHECKS + 1)
        me.checks += a - A_TO_CHECKS + 1
        notables.laundered(s, R, p)
    elif a >= A_TO_CASH:
        me.cash += 10 * (a - A_TO_CASH + 1)
        me.checks -= a - A_TO_CASH + 1


# 3.4 (1), Store, Butcher's Shop, Crypt: further targets, in ascending order


@jit
def take_target(s, R, p, verb, name):
    """Add the guest at a place to the targets of the bribe or kill; the place has the name that the seat uses."""
    act = s.act
    place = absolute(name, p, R.seats)
    act.verb = verb
    act.targets |= bit(place)
    act.cost += R.up[s.guest[place]]
    act.kind = name + 1
    if s.seat[p].power[MANY + verb] > 0 and more_guests(s, R, p) != 0:
        push(s, Q.MORE, p)
    else:
        ask_payment(s, R, p)


@jit
def more_guests(s, R, p):
    """Return the further guests that the action can take, as places in the seat's own naming."""
    return relative(guests_up_to(s, R, rank_budget(s, p, s.act.verb)), p, R.seats) & ~first(s.act.kind)


@jit
def legal_more(s, R, p, words):
    """List further targets, and stopping; quicklime that was played must be used first."""
    if s.act.lime < 0:
        put(words, A_DONE, 1)
    if s.act.verb == BURY:
        corpses = buriable_now(s, R, p) & ~first(s.act.kind)
        put(words, A_BURY, corpses)
        if R.objects:
            put(words, A_OBJECT, action_objects.attachable(s, R, p, 0, 0, 0, corpses))
    else:
        put(words, A_BRIBE if s.act.verb == BRIBE else A_KILL, more_guests(s, R, p))


@jit
def apply_more(s, R, p, a):
    """Take one more target, play an object with the next burial, or go on to the payment."""
    if a >= A_OBJECT:
        action_objects.attach(s, R, p, a - A_OBJECT)
        return
    pop(s)
    if a == A_DONE:
        ask_payment(s, R, p)
    elif s.act.verb == BURY:
        take_corpse(s, R, p, a - A_BURY)
    else:
        take_target(s, R, p, s.act.verb, a - (A_BRIBE if s.act.verb == BRIBE else A_KILL))


# 3.4.4: a corpse and the annex to bury it under


@jit
def take_corpse(s, R, p, kind):
    """Take a corpse to bury, and ask under which annex; after quicklime the annex is already fixed."""
    act = s.act
    act.verb = BURY
    act.card = kind
    act.cost += R.low[kind]
    act.kind = kind
    if act.lime >= 0:
        bury_under(s, R, p, act.lime)
    else:
        push(s, Q.UNDER, p)


@jit
def legal_under(s, R, p, words):
    """List the annexes that can take the corpse, by owner and kind."""
    for k in range(R.seats):
        owner = (p + k) % R.seats
        if s.act.objects & action_objects.LIME != 0:
            graves = action_objects.annexes_for(s, R, p, owner, s.act.card)
        else:
            graves = graves_for(s, R, p, owner, s.act.card)
        put(words, A_UNDER + k * UNDERS, graves)


@jit
def apply_under(s, R, p, a):
    """Bury the corpse under an annex, or under an empty caravan."""
    pop(s)
    owner = (p + (a - A_UNDER) // UNDERS) % R.seats
    annex = (a - A_UNDER) % UNDERS
    if annex == ANNEXES:
        k = settle_caravan(s, R, owner)
    else:
        special = R.special[s.act.card]
        graves = 0 if special == DWARF or s.act.objects & action_objects.LIME != 0 else 2 if special == TWINS else 1
        k = fullest(s, R, owner, annex, graves)
    bury_under(s, R, p, k)


@jit
def bury_under(s, R, p, k):
    """Bury the corpse under annex k, and go on to the next corpse or to the payment."""
    act, me = s.act, s.seat[p]
    lay(s, R, p, k, act.card)
    action_objects.buried(s, R, p)
    if me.power[MANY + BURY] > 0 and me.dead & ~first(act.kind) != 0:
        push(s, Q.MORE, p)
    else:
        ask_payment(s, R, p)
