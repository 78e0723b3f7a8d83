"""Phase 2: the actions, their targets and their payment (BI 3.4)."""

from alehouse.envs.bloody_inn import questions as Q
from alehouse.envs.bloody_inn.effects import (
    buriable, build, discard, from_hand, fullest, graves_for, lay, purse, settle_caravan, to_corpses, to_hand, unserved, vacate,
    white_rooms,
)  # fmt: skip
from alehouse.envs.bloody_inn.layout import (
    A_AT, A_BRIBE, A_BUILD, A_BURY, A_CARD, A_DONE, A_HIRE, A_KILL, A_KILL_PEASANT, A_OBJECT, A_PASS, A_TO_CASH, A_TO_CHECKS, A_UNDER,
    ANNEXES, BRIBE, BUILD, BURY, DISCOUNT, DWARF, KILL, KINDS, MANY, PEASANT, PEASANTS, PLACES, RETURN, TWINS, UNDERS,
)  # fmt: skip
from alehouse.envs.bloody_inn.modules import attached, carnies, notables
from alehouse.envs.bloody_inn.places import absolute, relative
from alehouse.envs.core.run.question_stack import pop, push
from alehouse.envs.core.run.bits import bit, first, highest, lowest, put, within, without
from alehouse.envs.core.run.jit import jit


@jit
def begin(s):
    """No action is under way."""
    act = s.act
    act.verb = -1
    act.done = 0
    act.card = 0
    act.origin = -1
    act.cost = 0
    act.low = 0
    act.high = 0
    act.paid = 0
    act.kind = 0
    act.used = 0
    act.targets = 0
    act.objects = 0
    act.lime = -1


# What can be done: each function gives the targets of one verb that the hand can pay for.


@jit
def guests_upto(s, R, rank):
    """Places whose guest may be bribed or killed and has at most this upper rank."""
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
    """Kinds in hand that can be built."""
    me = s.seat[p]
    reach = purse(s, p, BUILD) - 1
    if reach < 0:
        return 0
    found = me.kinds & R.buildable & R.low_upto[reach]
    return found if me.tokens > 0 else found & ~R.caravans


@jit
def buriable_now(s, R, p):
    """Kinds of unburied corpses that can be buried."""
    reach = purse(s, p, BURY)
    kinds = s.seat[p].dead & R.low_upto[reach]
    if s.act.lime >= 0 or s.act.objects & attached.LIME != 0:
        return attached.buriable_with_lime(s, R, p, kinds)
    return buriable(s, R, p, kinds)


# 3.4 (1): choose an action


@jit
def legal_action(s, R, p, words):
    """Everything a seat can do with its turn."""
    verb = s.act.verb
    bribes = guests_upto(s, R, purse(s, p, BRIBE)) if verb < 0 or verb == BRIBE else 0
    kills = guests_upto(s, R, purse(s, p, KILL)) if verb < 0 or verb == KILL else 0
    builds = buildable(s, R, p) if verb < 0 or verb == BUILD else 0
    buries = buriable_now(s, R, p) if verb < 0 or verb == BURY else 0
    put(words, A_BRIBE, relative(bribes, p, R.seats))
    put(words, A_KILL, relative(kills, p, R.seats))
    put(words, A_BUILD, builds)
    put(words, A_BURY, buries)
    if R.objects:
        put(words, A_OBJECT, attached.attachable(s, R, p, bribes, builds, kills, buries))
    if verb < 0:
        legal_without_target(s, R, p, words)


@jit
def legal_without_target(s, R, p, words):
    """Peasants, passing, laundering."""
    me = s.seat[p]
    peasants = min(4, max(int(R.peasants), int(me.power[PEASANTS])), int(s.bistro))
    put(words, A_HIRE, first(peasants))
    put(words, A_KILL_PEASANT, int(s.bistro > 0))
    put(words, A_PASS, 1)
    put(words, A_TO_CHECKS, first(int(me.cash) // 10))
    put(words, A_TO_CASH, first(min(4, int(me.checks), max(0, int(R.cash_limit) - int(me.cash)) // 10)))


@jit
def apply_action(s, R, p, a):
    """Choose an action, or attach an object to it first."""
    if a >= A_OBJECT:
        attached.attach(s, R, p, a - A_OBJECT)
        return
    pop(s)
    if A_BRIBE <= a < A_KILL + PLACES:
        take_guest(s, R, p, BRIBE if a < A_KILL else KILL, a - (A_BRIBE if a < A_KILL else A_KILL))
    elif A_BUILD <= a < A_BURY:
        s.act.verb = BUILD
        s.act.card = a - A_BUILD
        s.act.cost = R.low[s.act.card]
        from_hand(s, p, s.act.card)
        ask_payment(s, R, p)
    elif A_BURY <= a < A_CARD:
        take_corpse(s, R, p, a - A_BURY)
    else:
        apply_without_target(s, R, p, a)


@jit
def apply_without_target(s, R, p, a):
    """Peasants, passing, laundering: done at once."""
    me = s.seat[p]
    s.after = 1
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


# 3.4 (1), Store, Butcher's Shop, Crypt: more targets, in ascending order


@jit
def take_guest(s, R, p, verb, named):
    """One more guest to bribe or kill."""
    act = s.act
    place = absolute(named, p, R.seats)
    act.verb = verb
    act.targets |= bit(place)
    act.cost += R.up[s.guest[place]]
    act.done += 1
    act.kind = named + 1
    if s.seat[p].power[MANY + verb] > 0 and more_guests(s, R, p) != 0:
        push(s, Q.MORE, p)
    else:
        ask_payment(s, R, p)


@jit
def more_guests(s, R, p):
    """Further guests the action can take, as the seat names their places."""
    return relative(guests_upto(s, R, purse(s, p, s.act.verb)), p, R.seats) & ~first(s.act.kind)


@jit
def more_corpses(s, R, p):
    """Further corpses the action can bury."""
    return buriable_now(s, R, p) & ~first(s.act.kind)


@jit
def legal_more(s, R, p, words):
    """One more target, or enough."""
    if s.act.lime < 0:
        put(words, A_DONE, 1)
    if s.act.verb == BURY:
        corpses = more_corpses(s, R, p)
        put(words, A_BURY, corpses)
        if R.objects:
            put(words, A_OBJECT, attached.attachable(s, R, p, 0, 0, 0, corpses))
    else:
        put(words, A_BRIBE if s.act.verb == BRIBE else A_KILL, more_guests(s, R, p))


@jit
def apply_more(s, R, p, a):
    """One more target, or on to the payment."""
    if a >= A_OBJECT:
        attached.attach(s, R, p, a - A_OBJECT)
        return
    pop(s)
    if a == A_DONE:
        ask_payment(s, R, p)
    elif s.act.verb == BURY:
        take_corpse(s, R, p, a - A_BURY)
    else:
        take_guest(s, R, p, s.act.verb, a - (A_BRIBE if s.act.verb == BRIBE else A_KILL))


# 3.4.4: where a corpse goes


@jit
def take_corpse(s, R, p, kind):
    """One more corpse to bury."""
    act = s.act
    act.verb = BURY
    act.card = kind
    act.cost += R.low[kind]
    act.done += 1
    act.kind = kind
    if act.lime >= 0:
        bury_under(s, R, p, act.lime)
    else:
        push(s, Q.UNDER, p)


@jit
def legal_under(s, R, p, words):
    """Annexes with room, by owner and kind."""
    for k in range(R.seats):
        owner = (p + k) % R.seats
        if s.act.objects & attached.LIME != 0:
            graves = attached.any_grave(s, R, p, owner, s.act.card)
        else:
            graves = graves_for(s, R, p, owner, s.act.card)
        put(words, A_UNDER + k * UNDERS, graves)


@jit
def apply_under(s, R, p, a):
    """Bury the corpse under an annex, or an empty caravan."""
    pop(s)
    owner = (p + (a - A_UNDER) // UNDERS) % R.seats
    annex = (a - A_UNDER) % UNDERS
    if annex == ANNEXES:
        k = settle_caravan(s, R, owner)
    else:
        special = R.special[s.act.card]
        places = 0 if special == DWARF or s.act.objects & attached.LIME != 0 else 2 if special == TWINS else 1
        k = fullest(s, R, owner, annex, places)
    bury_under(s, R, p, k)


@jit
def bury_under(s, R, p, k):
    """The corpse goes under annex k; then more corpses, or the payment."""
    act = s.act
    lay(s, R, p, k, act.card)
    attached.buried(s, R, p)
    if s.seat[p].power[MANY + BURY] > 0 and more_in_view(s, p):
        push(s, Q.MORE, p)
    else:
        ask_payment(s, R, p)


@jit
def more_in_view(s, p):
    """Whether a corpse is left that could come next."""
    return s.seat[p].dead & ~first(s.act.kind) != 0


# 3.4 (2), (3): pay with cards


@jit
def ask_payment(s, R, p):
    """How many cards must and may be played."""
    act, me = s.act, s.seat[p]
    act.low = max(0, int(act.cost) - int(me.power[DISCOUNT + act.verb]))
    act.high = act.low if R.discount_forced else min(int(act.cost), int(me.cards))
    act.kind = 0
    act.used = 0
    act.paid = 0
    if act.high > 0:
        push(s, Q.PAY, p)
    else:
        carry_out(s, R, p)


@jit
def staying(s, R, p):
    """Kinds that come back to hand after the action (BI 3.4 (5))."""
    verb = s.act.verb
    if s.seat[p].power[RETURN + verb] > 0 or attached.returning(s, verb):
        return first(KINDS)
    return R.helps[verb]


@jit
def choosable(me, kind, used, need):
    """Cards of this kind or later that can be chosen so that `need` in all still can be (BI-R38)."""
    rest = me.kinds & ~first(kind)
    later = 0
    found = 0
    while rest != 0:
        k = highest(rest)
        rest ^= bit(k)
        n = int(me.hand[k]) - (used if k == kind else 0)
        later += n
        found |= int(n > 0 and later >= need) << k
    return found


@jit
def legal_pay(s, R, p, words):
    """One card of the hand, or enough."""
    act = s.act
    put(words, A_DONE, int(act.paid >= act.low))
    put(words, A_CARD, choosable(s.seat[p], act.kind, act.used, int(act.low) - int(act.paid)))


@jit
def apply_pay(s, R, p, a):
    """Play a card; the last one carries the action out."""
    act = s.act
    if a != A_DONE:
        kind = a - A_CARD
        if kind != act.kind:
            act.kind = kind
            act.used = 0
        if within(staying(s, R, p), kind):
            act.used += 1
        else:
            from_hand(s, p, kind)
            discard(s, kind, 1)
        act.paid += 1
    if a == A_DONE or act.paid == act.high:
        pop(s)
        carry_out(s, R, p)


# 3.4 (4)


@jit
def carry_out(s, R, p):
    """Do what was paid for."""
    act = s.act
    s.after = 1
    if act.verb == BUILD:
        if act.origin >= 0:
            vacate(s, act.origin)
        build(s, R, p, act.card)
    elif act.verb == BRIBE or act.verb == KILL:
        rest = int(act.targets)
        while rest != 0:
            place = lowest(rest)
            rest &= rest - 1
            kind = vacate(s, place)
            if act.verb == BRIBE:
                to_hand(s, p, kind)
                carnies.bribed(s, R, p, kind)
            else:
                to_corpses(s, p, kind)


# 3.4.2: monk and concierge


@jit
def legal_key(s, R, p, words):
    """Rooms with a white key."""
    put(words, A_AT, white_rooms(s))


@jit
def apply_key(s, R, p, a):
    """A white key becomes one's own."""
    pop(s)
    s.owner[a - A_AT] = p
    s.seat[p].tokens -= 1


@jit
def legal_service(s, R, p, words):
    """Rooms without a service token."""
    put(words, A_AT, relative(unserved(s), p, R.seats))


@jit
def apply_service(s, R, p, a):
    """A room is served from now on."""
    pop(s)
    s.service[absolute(a - A_AT, p, R.seats)] = p
    s.seat[p].tokens -= 1


# Wheelbarrow


@jit
def apply_barrow(s, R, p, a):
    """Build with a guest instead of a card in hand."""
    if a >= A_OBJECT:
        attached.attach(s, R, p, a - A_OBJECT)
        return
    pop(s)
    act = s.act
    act.origin = absolute(a - A_AT, p, R.seats)
    act.card = s.guest[act.origin]
    act.cost = R.low[act.card]
    ask_payment(s, R, p)
