"""Payment: the cards that an action costs, and carrying the action out once they are played (BI 3.4 (2) to (5))."""

from alehouse.envs.bloody_inn import questions as Q
from alehouse.envs.bloody_inn.annexes import build
from alehouse.envs.bloody_inn.effects import discard, from_hand, take_guest, to_corpses, to_hand
from alehouse.envs.bloody_inn.layout import A_CARD, A_DONE, BIBLE, BRIBE, BUILD, DISCOUNT, HAMMER, KILL, KINDS, LIQUOR, RETURN, WOLF_TRAP
from alehouse.envs.bloody_inn.modules import carnies
from alehouse.envs.core.run.bits import bit, first, highest, lowest, put, within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.question_stack import pop, push, top

RETURN_OBJECTS = (LIQUOR, HAMMER, WOLF_TRAP, BIBLE)  # for each verb, the object that brings the played cards back


@jit
def rank_budget(s, p, verb):
    """Return how much the ranks of further targets may add up to, so that the seat can still pay."""
    return min(63, int(s.seat[p].cards) + int(s.seat[p].power[DISCOUNT + verb]) - int(s.act.cost))


@jit
def ask_payment(s, R, p):
    """Compute how many cards must and may be played, ask for them, and have the action carried out after that."""
    act, me = s.act, s.seat[p]
    act.low = max(0, int(act.cost) - int(me.power[DISCOUNT + act.verb]))
    act.high = act.low if R.discount_forced else min(int(act.cost), int(me.cards))
    act.kind = 0
    act.used = 0
    act.paid = 0
    push(s, Q.CARRY_OUT, p)
    if act.high > 0:
        push(s, Q.PAY, p)


@jit
def returning(s, R, p):
    """Return as a set the kinds of cards that return to the hand after the current action (BI 3.4 (5))."""
    verb = s.act.verb
    if s.seat[p].power[RETURN + verb] > 0 or within(s.act.objects, RETURN_OBJECTS[verb]):
        return first(KINDS)
    return R.helps[verb]


@jit
def choosable(me, kind, used, need):
    """Return the kinds, from `kind` on, that can be chosen next so that `need` cards can still be reached (BI-R38)."""
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
    """List the cards in hand that can be played next, and stopping once enough are played."""
    act = s.act
    put(words, A_DONE, int(act.paid >= act.low))
    put(words, A_CARD, choosable(s.seat[p], act.kind, act.used, int(act.low) - int(act.paid)))


@jit
def apply_pay(s, R, p, a):
    """Play a card as payment, or stop."""
    act = s.act
    if a != A_DONE:
        kind = a - A_CARD
        if kind != act.kind:
            act.kind = kind
            act.used = 0
        if within(returning(s, R, p), kind):
            act.used += 1
        else:
            from_hand(s, p, kind)
            discard(s, kind, 1)
        act.paid += 1
    if a == A_DONE or act.paid == act.high:
        pop(s)


@jit
def carry_out(s, R):
    """Carry out the building, bribes or killings that were paid for; a burial was done when its grave was chosen."""
    act, p = s.act, int(top(s).seat)
    pop(s)
    if act.verb == BUILD:
        if act.origin >= 0:
            take_guest(s, act.origin)
        build(s, R, p, act.card)
    elif act.verb == BRIBE or act.verb == KILL:
        rest = int(act.targets)
        while rest != 0:
            kind = take_guest(s, lowest(rest))
            rest &= rest - 1
            if act.verb == BRIBE:
                to_hand(s, p, kind)
                carnies.bribed(s, R, p, kind)
            else:
                to_corpses(s, p, kind)
