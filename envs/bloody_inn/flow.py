"""The course of the game: set-up, the phases of a round in the order of BI 3.2 and 4.5, and the end."""

from alehouse.envs.bloody_inn import questions as Q
from alehouse.envs.bloody_inn.annexes import raise_annex
from alehouse.envs.bloody_inn.effects import discard, from_hand, gain, reshuffle, to_hand, turn_up, visible
from alehouse.envs.bloody_inn.layout import (
    A_CARD, A_CASH, A_LODGE, ANNEXES, CONFESSIONAL, EACH_MORNING, FIRST, HOMES, KINDS, ONCE_AND_EXIT, P_CALL, P_CLOSE, P_CONFESS,
    P_DIG, P_DRAFT, P_EVENING, P_MORNING, P_NIGHT, P_OVER, P_RECKON, P_SNOW, P_WAGES, P_WELCOME, PEASANT, PER_CHECK, PLACES, POLICE, SNOW,
    TOMB, WAGE, WHITES,
)  # fmt: skip
from alehouse.envs.bloody_inn.modules import carnies, draft, events, notables, objects
from alehouse.envs.bloody_inn.night import clear_action, night
from alehouse.envs.bloody_inn.payment import choosable
from alehouse.envs.bloody_inn.places import absolute, in_the_inn, in_turn, owned, relative, vacant
from alehouse.envs.bloody_inn.state import CLOSED, NOBODY, WHITE
from alehouse.envs.core.run.bits import bit, first, popcount, put
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.core.run.question_stack import pop, push
from alehouse.envs.core.run.turns import enter, finish

# 2. Set-up


@jit
def set_up(s, R, seed):
    """Lay out a new table, up to the draft or the first welcome."""
    empty_table(s, R)
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
        for _ in range(R.start_peasants):
            to_hand(s, p, PEASANT)
        raise_annex(s, R, p, NOBODY)
    turn_up(s)
    draft.deal(s, R)


@jit
def empty_table(s, R):
    """Write the values that are not zero on an empty table."""
    s.event = NOBODY
    s.event_deck = events.whole_deck(R)
    s.cake_seat = -1
    s.guest[:] = NOBODY
    s.owner[:] = CLOSED
    s.service[:] = -1
    s.caravan[:] = NOBODY
    objects.clear_table(s)
    clear_action(s)


# The phases. Each function does the next thing that is due, and enters the next phase when nothing is left.


@jit
def proceed(s, R):
    """Continue the current phase; the stack is empty."""
    if s.phase == P_DRAFT:
        draft.draft(s, R)
    elif s.phase == P_WELCOME:
        welcome(s, R)
    elif s.phase == P_EVENING:
        objects.evening(s, R)
    elif s.phase == P_NIGHT:
        night(s, R)
    elif s.phase == P_SNOW:
        snow(s, R)
    elif s.phase == P_CALL:
        objects.offer(s, R, Q.TOMB, TOMB, P_DIG)
    elif s.phase == P_DIG:
        dig(s, R)
    elif s.phase == P_MORNING:
        morning(s, R)
    elif s.phase == P_CONFESS:
        objects.offer(s, R, Q.CONFESS, CONFESSIONAL, P_WAGES)
    elif s.phase == P_WAGES:
        wages(s, R)
    elif s.phase == P_CLOSE:
        close(s, R)
    else:
        reckon(s, R)


# 3.3 Phase 1: the travelers are welcomed


@jit
def welcome(s, R):
    """Let travelers be lodged until the inn is full or none are left; with too few travelers the game ends (BI 3.3, 3.7, 3.8)."""
    if vacant(s) != 0:
        if s.entrance == 0 and s.season == 0:
            reshuffle(s)
        if s.entrance > 0:
            push(s, Q.LODGE, s.first)
            return
    s.last = int(s.entrance == 0 and s.season == 1)
    if s.last and popcount(int(s.full)) < R.seats:
        empty_inn(s)
        events.discard_event(s)
        enter(s, P_RECKON)
    else:
        enter(s, P_EVENING)


@jit
def legal_lodge(s, R, p, words):
    """List the empty rooms and caravans; an official variant allows only the first of them."""
    free = vacant(s)
    put(words, A_LODGE, relative(free & -free if R.in_order else free, p, R.seats))


@jit
def apply_lodge(s, R, p, a):
    """Lodge the visible traveler, and turn up the next one."""
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


@jit
def empty_inn(s):
    """Send all guests to the exit stack."""
    for place in range(PLACES):
        if s.guest[place] != NOBODY:
            discard(s, s.guest[place], 1)
            s.guest[place] = NOBODY
    s.full = 0


# 3.5a The investigation


@jit
def snow(s, R):
    """Offer the snow pile; then the gravedigger comes if police, an event or a letter call him (BI 4.5 (2), (3))."""
    called = events.calls(s, R, in_the_inn(s, R, POLICE)) or s.letter
    objects.offer(s, R, Q.SNOW, SNOW, P_CALL if called else P_MORNING)


@jit
def dig(s, R):
    """Let every seat pay the gravedigger; a player alone loses the game if he finds a corpse."""
    collect_fees(s, R)
    if s.lost:
        finish(s, P_OVER)
    elif s.stack.n == 0:
        enter(s, P_MORNING)


@jit
def collect_fees(s, R):
    """Take the gravedigger's fee for visible corpses, seat by seat; a seat that can pay in full chooses how (BI 3.5a)."""
    while s.stack.n == 0 and s.cursor < R.seats:
        p = in_turn(s, R, s.cursor)
        s.cursor += 1
        me = s.seat[p]
        due = visible(s, p) * int(R.fee)
        if visible(s, p) == 0:
            continue
        if R.seats == 1:
            s.lost = 1
            remove_corpses(s, p)
        elif int(me.cash) + 10 * int(me.checks) <= 10 * due:
            me.cash = 0
            me.checks = 0
            remove_corpses(s, p)
        else:
            push(s, Q.DIG, p)


@jit
def remove_corpses(s, p):
    """Put the visible corpses of a seat into the box, out of the game."""
    me = s.seat[p]
    for kind in range(KINDS):
        kept = int(s.snow_seat == p and s.snow == kind)
        s.box[kind] += me.corpse[kind] - kept
        me.corpse[kind] = kept
    me.corpses = int(s.snow_seat == p)
    me.dead = bit(s.snow) if s.snow_seat == p else 0


@jit
def legal_dig(s, R, p, words):
    """List how many tens of francs can be paid in cash; checks pay the rest."""
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
    remove_corpses(s, p)


# 3.5b The travelers leave


@jit
def morning(s, R):
    """Pay rents, gardens, cakes and laboratories, empty the inn, and apply what comes before wages (BI 4.5 (5) to (9))."""
    for k in range(R.seats):
        p = in_turn(s, R, k)
        rent = popcount(owned(s, p) & int(s.full)) * events.rent(s, R)
        gain(s, R, p, rent + int(s.seat[p].power[EACH_MORNING]) + objects.cake_money(s, R, p) + notables.laboratories(s, R, p))
    empty_inn(s)
    objects.clear_table(s)
    events.fiasco(s, R)
    notables.pharmacies(s, R)
    events.losses(s, R)
    enter(s, P_CONFESS)


# 3.5c Wages


@jit
def wages(s, R):
    """Pay the accomplices, seat by seat, as far as the cash goes; a seat that cannot pay all chooses who leaves."""
    wage = events.wage(s, R)
    while s.stack.n == 0 and s.cursor < R.seats:
        p = in_turn(s, R, s.cursor)
        s.cursor += 1
        me = s.seat[p]
        waiting = max(0, int(me.cards) - int(me.power[WAGE]))
        paid = min(waiting, int(me.cash) // wage) if wage > 0 else waiting
        me.cash -= paid * wage
        if paid < waiting:
            s.act.low = waiting - paid
            s.act.paid = 0
            s.act.kind = 0
            push(s, Q.DISMISS, p)
    if s.stack.n == 0:
        enter(s, P_CLOSE)


@jit
def legal_dismiss(s, R, p, words):
    """List the accomplices that may leave next."""
    put(words, A_CARD, choosable(s.seat[p], s.act.kind, 0, int(s.act.low) - int(s.act.paid)))


@jit
def apply_dismiss(s, R, p, a):
    """Send an accomplice away."""
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
    """End the round: the first player's role passes to the left, unless this was the last round."""
    events.cirrhosis(s, R)
    events.discard_event(s)
    if s.last:
        enter(s, P_RECKON)
    else:
        s.rounds += 1
        s.first = in_turn(s, R, 1)
        enter(s, P_WELCOME)


@jit
def reckon(s, R):
    """Let every seat pay the gravedigger for the corpses that are left; then annexes pay, and the game is over (BI 5)."""
    collect_fees(s, R)
    if s.stack.n == 0:
        if not s.lost:
            bonuses(s, R)
        finish(s, P_OVER)


@jit
def bonuses(s, R):
    """Pay each annex its bonus at the end, for cards of a colour in the exit stack or for checks (BI 5)."""
    for p in range(R.seats):
        s.seat[p].before = s.seat[p].cash
    for k in range(R.seats):
        p = in_turn(s, R, k)
        me = s.seat[p]
        for annex in range(ANNEXES):
            n = min(1, int(me.annex[annex])) if R.annex_once else int(me.annex[annex])
            bonus = 0
            if R.op[annex] == ONCE_AND_EXIT:
                bonus = n * int(R.per_card[annex]) * in_exit(s, R, R.colour[annex])
            elif R.op[annex] == PER_CHECK:
                bonus = n * int(R.amount[annex]) * int(me.checks)
            if bonus > 0 and R.end_uncapped:
                me.cash += bonus
            elif bonus > 0:
                gain(s, R, p, bonus)


@jit
def in_exit(s, R, family):
    """Count the cards of a family in the exit stack."""
    n = 0
    for kind in range(KINDS):
        if R.family[kind] == family:
            n += int(s.exit[kind])
    return n


@jit
def score(s, R, out):
    """Write each seat's points: cash and checks; a player alone who has lost has none (BI-R43)."""
    for p in range(R.seats):
        out[p] = 0 if s.lost else int(s.seat[p].cash) + 10 * int(s.seat[p].checks)


@jit
def standing(s, R, out):
    """Write a number that ranks the seats: points, then the tie-break (corpses under own annexes). For a player alone write the utility."""
    score(s, R, out)
    if R.seats == 1:
        out[0] = -1 if s.lost else int(out[0] >= R.title)
        return
    for p in range(R.seats):
        out[p] = 1000 * out[p] + int(s.seat[p].buried)
