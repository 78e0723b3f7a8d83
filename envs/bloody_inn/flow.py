"""The course of the game: set-up, the three phases of a round in the order of BI 3.2 and 4.5, and the end."""

from alehouse.envs.bloody_inn import questions as Q
from alehouse.envs.bloody_inn import night
from alehouse.envs.bloody_inn.effects import discard, family_count, from_hand, gain, raise_annex, reshuffle, turn_up, vacant, visible
from alehouse.envs.bloody_inn.layout import (
    A_CARD, A_CASH, A_LODGE, ANNEXES, BARN, EACH_MORNING, EVENTS, FIRST, HOMES, KINDS, ONCE_AND_EXIT, P_CALL, P_CLOSE, P_CONFESS, P_DIG,
    P_DRAFT, P_EVENING, P_MORNING, P_NIGHT, P_OVER, P_RECKON, P_SNOW, P_WAGES, P_WELCOME, PEASANT, PER_CHECK, PLACES, WAGE, WHITES,
)  # fmt: skip
from alehouse.envs.bloody_inn.modules import carnies, deal, events, notables, objects
from alehouse.envs.bloody_inn.places import absolute, relative
from alehouse.envs.bloody_inn.state import CLOSED, NOBODY, WHITE
from alehouse.envs.core.run.question_stack import pop, push
from alehouse.envs.core.run.bits import bit, first, popcount, put, within, without
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.core.run import turns
from alehouse.envs.core.run.turns import finish

# 2. Set-up


@jit
def set_up(s, R, seed):
    """A new table, before the draft or the first welcome."""
    clear(s)
    s.seed = seed
    n = 0
    for kind in range(KINDS):
        if kind != PEASANT:
            s.unseen[kind] = R.copies[kind]
            n += int(R.copies[kind])
    s.hidden = n
    s.entrance = n - R.remove
    s.bistro = R.start_bistro
    s.box[PEASANT] = R.copies[PEASANT] - R.start_bistro - R.seats * R.start_peasants
    s.first = below(seed, FIRST, 0, 0, 0, R.seats)
    for k in range(R.white_keys):
        s.owner[WHITES + k] = WHITE
    for p in range(R.seats):
        me = s.seat[p]
        s.owner[HOMES + p] = p
        me.tokens = R.tokens - 1
        me.cash = R.start_cash
        me.checks = R.start_checks
        if R.start_peasants > 0:
            me.hand[PEASANT] = R.start_peasants
            me.cards = R.start_peasants
            me.kinds = bit(PEASANT)
        raise_annex(s, R, p, BARN, NOBODY, R.barn_rank)
    turn_up(s)
    if R.objects:
        deal.deal(s, R)


@jit
def clear(s):
    """What is not zero on an empty table."""
    s.event = NOBODY
    s.event_deck = first(EVENTS)
    s.cake_seat = -1
    s.guest[:] = NOBODY
    s.owner[:] = CLOSED
    s.service[:] = -1
    s.caravan[:] = NOBODY
    objects.clear_table(s)
    night.begin(s)


# The phases: each asks what it has to ask, or hands over to the next. True: a question is open.


@jit
def proceed(s, R):
    """Go on from where the table stands."""
    if s.phase == P_DRAFT:
        return deal.ask(s, R) or enter(s, P_WELCOME)
    if s.phase == P_WELCOME:
        return welcome(s, R)
    if s.phase == P_EVENING:
        return objects.evening(s, R) or enter(s, P_NIGHT)
    if s.phase == P_NIGHT:
        return actions(s, R)
    if s.phase == P_SNOW:
        return objects.window(s, R, Q.SNOW) or call(s, R)
    if s.phase == P_CALL:
        return objects.window(s, R, Q.TOMB) or enter(s, P_DIG)
    if s.phase == P_DIG or s.phase == P_RECKON:
        return gravedigger(s, R)
    if s.phase == P_MORNING:
        return morning(s, R)
    if s.phase == P_CONFESS:
        return objects.window(s, R, Q.CONFESS) or enter(s, P_WAGES)
    if s.phase == P_WAGES:
        return wages(s, R)
    return close(s, R)


@jit
def enter(s, phase):
    """Begin a phase; nobody has let a window pass."""
    s.quiet = 0
    return turns.enter(s, phase)


# 3.3 Phase 1: the travelers are welcomed


@jit
def welcome(s, R):
    """Lodge travelers until the inn is full or there are none left (BI 3.3, 3.7, 3.8)."""
    if vacant(s) != 0:
        if s.entrance == 0 and s.season == 0:
            reshuffle(s)
        if s.entrance > 0:
            push(s, Q.LODGE, s.first)
            return True
    s.last = int(s.entrance == 0 and s.season == 1)
    if s.last and popcount(int(s.full)) < R.seats:
        for place in range(PLACES):
            leave(s, place)
        events.dusk(s, R)
        return enter(s, P_RECKON)
    return enter(s, P_EVENING)


@jit
def leave(s, place):
    """A guest leaves the inn."""
    if s.guest[place] != NOBODY:
        discard(s, s.guest[place], 1)
        s.guest[place] = NOBODY
        s.full = without(s.full, place)


@jit
def legal_lodge(s, R, p, words):
    """Rooms and caravans that are empty; by the official variant, the first of them."""
    free = vacant(s)
    put(words, A_LODGE, relative(free & -free if R.in_order else free, p, R.seats))


@jit
def apply_lodge(s, R, p, a):
    """The visible traveler takes a room; the next one becomes visible."""
    pop(s)
    place = absolute(a - A_LODGE, p, R.seats)
    kind = s.top
    s.guest[place] = kind
    s.full |= bit(place)
    s.entrance -= 1
    turn_up(s)
    if s.entrance == 0 and s.season == 0 and R.eager:
        reshuffle(s)
    if s.service[place] >= 0:
        gain(s, R, s.service[place], int(R.up[kind]))
    carnies.lodged(s, R, kind)
    events.lodged(s, R, kind)


# 3.4 Phase 2: the actions stand in night.py


@jit
def actions(s, R):
    """Every seat in turn, twice around; after an action its window for the well."""
    p = (s.first + s.cursor) % R.seats
    if s.after:
        s.after = 0
        s.cursor += 1
        return objects.after_action(s, R, p)
    if s.cursor < R.actions * R.seats:
        night.begin(s)
        push(s, Q.ACTION, p)
        return True
    events.dawn(s, R)
    return enter(s, P_SNOW)


# 3.5a The investigation


@jit
def call(s, R):
    """Whether the gravedigger has to be called (BI 4.5 (3))."""
    police = False
    for place in range(PLACES):
        police |= s.guest[place] != NOBODY and within(R.police, s.guest[place])
    s.call = int(events.calls(s, R, police) or s.letter)
    return enter(s, P_CALL if s.call else P_MORNING)


@jit
def gravedigger(s, R):
    """Each seat pays for its visible corpses; at the end of the game the same, then the score (BI 3.5a, 5)."""
    while s.cursor < R.seats:
        p = (s.first + s.cursor) % R.seats
        s.cursor += 1
        me = s.seat[p]
        due = visible(s, p) * int(R.fee)
        if visible(s, p) > 0 and R.seats == 1:
            s.lost = 1
            bury_for_nothing(s, p)
            return finish(s, P_OVER)
        if visible(s, p) > 0 and int(me.cash) + 10 * int(me.checks) <= 10 * due:
            me.cash = 0
            me.checks = 0
            bury_for_nothing(s, p)
        elif visible(s, p) > 0:
            push(s, Q.DIG, p)
            return True
    if s.phase == P_RECKON:
        bonuses(s, R)
        return finish(s, P_OVER)
    return enter(s, P_MORNING)


@jit
def bury_for_nothing(s, p):
    """The visible corpses of a seat go to the box."""
    me = s.seat[p]
    for kind in range(KINDS):
        kept = int(s.snow_seat == p and s.snow == kind)
        s.box[kind] += me.corpse[kind] - kept
        me.corpse[kind] = kept
    me.corpses = int(s.snow_seat == p)
    me.dead = bit(s.snow) if s.snow_seat == p else 0


@jit
def legal_dig(s, R, p, words):
    """Tens paid in cash; the rest in checks."""
    due = visible(s, p) * int(R.fee)
    least = max(0, due - int(s.seat[p].checks))
    most = min(due, int(s.seat[p].cash) // 10)
    put(words, A_CASH, first(most + 1) & ~first(least))


@jit
def apply_dig(s, R, p, a):
    """Pay the gravedigger."""
    pop(s)
    due = visible(s, p) * int(R.fee)
    s.seat[p].cash -= 10 * (a - A_CASH)
    s.seat[p].checks -= due - (a - A_CASH)
    bury_for_nothing(s, p)


# 3.5b The travelers leave


@jit
def morning(s, R):
    """Rents and gardens, then everybody leaves; fiasco, pharmacies, pickpockets, the broken safe (BI 4.5 (5) to (9))."""
    for k in range(R.seats):
        p = (s.first + k) % R.seats
        rooms = 0
        for place in range(PLACES):
            rooms += int(s.owner[place] == p and s.guest[place] != NOBODY)
        income = rooms * events.rent(s, R) + int(s.seat[p].power[EACH_MORNING])
        gain(s, R, p, income + objects.cake_money(s, R, p) + notables.laboratories(s, R, p))
    for place in range(PLACES):
        leave(s, place)
    objects.clear_table(s)
    events.fiasco(s, R)
    notables.pharmacies(s, R)
    events.losses(s, R)
    return enter(s, P_CONFESS)


# 3.5c Wages


@jit
def wages(s, R):
    """Cash as far as it goes; who can not be paid leaves."""
    wage = events.wage(s, R)
    while s.cursor < R.seats:
        p = (s.first + s.cursor) % R.seats
        s.cursor += 1
        me = s.seat[p]
        wanting = max(0, int(me.cards) - int(me.power[WAGE]))
        paid = min(wanting, int(me.cash) // wage) if wage > 0 else wanting
        me.cash -= paid * wage
        if paid < wanting:
            s.act.low = wanting - paid
            s.act.paid = 0
            s.act.kind = 0
            push(s, Q.DISMISS, p)
            return True
    return enter(s, P_CLOSE)


@jit
def legal_dismiss(s, R, p, words):
    """Accomplices that may leave."""
    put(words, A_CARD, night.choosable(s.seat[p], s.act.kind, 0, int(s.act.low) - int(s.act.paid)))


@jit
def apply_dismiss(s, R, p, a):
    """One leaves."""
    kind = a - A_CARD
    from_hand(s, p, kind)
    discard(s, kind, 1)
    s.act.kind = kind
    s.act.paid += 1
    if s.act.paid == s.act.low:
        pop(s)


# 3.6 The end of the round, and of the game


@jit
def close(s, R):
    """Cirrhosis; the first player passes left; another round or the reckoning."""
    events.dusk(s, R)
    if s.last:
        return enter(s, P_RECKON)
    s.rounds += 1
    s.first = (s.first + 1) % R.seats
    return enter(s, P_WELCOME)


@jit
def bonuses(s, R):
    """What annexes are worth at the end: cards of a colour in the exit stack, checks (BI 5)."""
    for p in range(R.seats):
        s.seat[p].before = s.seat[p].cash
    for k in range(R.seats):
        p = (s.first + k) % R.seats
        me = s.seat[p]
        for annex in range(ANNEXES):
            n = min(1, int(me.annex[annex])) if R.annex_once else int(me.annex[annex])
            bonus = 0
            if R.op[annex] == ONCE_AND_EXIT:
                bonus = n * int(R.per_card[annex]) * family_count(s, R, R.colour[annex])
            elif R.op[annex] == PER_CHECK:
                bonus = n * int(R.amount[annex]) * int(me.checks)
            if bonus > 0 and R.end_uncapped:
                me.cash += bonus
            elif bonus > 0:
                gain(s, R, p, bonus)


@jit
def score(s, R, out):
    """Cash and checks; alone and lost, nothing (BI-R43)."""
    for p in range(R.seats):
        out[p] = 0 if s.lost else int(s.seat[p].cash) + 10 * int(s.seat[p].checks)


@jit
def standing(s, R, out):
    """Points, then corpses under one's own annexes; alone, the utility."""
    for p in range(R.seats):
        out[p] = 1000 * (int(s.seat[p].cash) + 10 * int(s.seat[p].checks)) + int(s.seat[p].buried)
    if R.seats == 1:
        points = int(s.seat[0].cash) + 10 * int(s.seat[0].checks)
        out[0] = -1 if s.lost else int(points >= R.title)
