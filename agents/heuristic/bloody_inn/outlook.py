"""The Bloody Inn: what a seat computes from the table before it rates its answers."""

from typing import Annotated

from alehouse.envs.bloody_inn.effects import visible
from alehouse.envs.bloody_inn.layout import KINDS, P_MORNING, P_NIGHT, P_WELCOME, RETURN, VERBS
from alehouse.envs.core.declare.record import Array, i8, record
from alehouse.envs.core.run.bits import lowest, popcount, within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.seats import left


f8 = Annotated[float, "f8"]


class Outlook:
    """What a seat computes from the table before it rates its answers."""

    p: i8
    first_card: i8  # the card to name first, if the seat must choose cards of its hand
    rounds: f8  # how many rounds are left
    now: i8  # how many actions the seat has left in this round after the current one
    actions: f8  # how many actions the seat has left in the game
    time: f8  # what share of its worth a thing held for later keeps, from 0 to 1
    card: f8  # how many francs one more card in hand is worth
    cards: i8  # number of cards in the seat's hand
    police: i8  # number of guests who are police
    call: f8  # the chance that the gravedigger comes in this round
    graves: i8  # number of free graves under the seat's own annexes
    fillable: f8  # number of those graves that the seat has time to fill
    graves_worth: f8  # what the free graves under its own annexes are worth
    others_have_graves: i8
    corpses: i8  # number of the seat's own unburied corpses
    others_corpses: i8
    returning: Annotated[Array, "i8", VERBS]  # for each kind of action, how many cards in hand would come back after it
    kin: Annotated[Array, "f8", VERBS]  # for each kind of action, what it is worth that a card comes back after it


OUTLOOK = record(Outlook)


@jit
def rounds_left(s, R, W):
    """Return how many rounds are left, counting this one."""
    rooms = float(int(R.seats) + int(R.white_keys))
    if s.last:
        return float(int(s.phase <= P_MORNING))
    this = popcount(int(s.full)) / rooms if s.phase <= P_WELCOME else float(int(s.phase <= P_MORNING))
    coming = float(s.entrance)
    if s.season == 0:
        gone = 0
        for kind in range(KINDS):
            gone += int(s.exit[kind])
        coming += gone + W.flow * s.entrance
    return this + coming / rooms


@jit
def actions_left(s, R, p):
    """Return how many actions a seat has left in this round after the current one."""
    if s.phase != P_NIGHT:
        return int(R.actions) if s.phase < P_NIGHT else 0
    return int(R.actions) - 1 - (int(s.cursor) - left(p, s.first, R.seats)) // int(R.seats)


@jit
def call_chance(W, police):
    """Return the chance that this many police guests, or those of them who stay, cause an investigation."""
    return 0.0 if police == 0 else W.police_one if police == 1 else W.police_two


@jit
def look_out(s, R, W, p, outlook):
    """Compute the outlook of seat p."""
    me, o = s.seat[p], outlook
    o.p = p
    o.rounds = rounds_left(s, R, W)
    o.now = actions_left(s, R, p)
    o.actions = max(float(o.now), o.now + int(R.actions) * (o.rounds - 1.0))
    o.time = o.actions / (o.actions + W.horizon)
    o.cards = int(me.cards)
    o.card = W.card * o.time / (1.0 + W.crowd * o.cards)
    police = 0
    rest = int(s.full)
    while rest != 0:
        police += int(within(R.police, s.guest[lowest(rest)]))
        rest &= rest - 1
    graves = 0
    rest = int(me.open)
    while rest != 0:
        graves += int(me.graves[lowest(rest)])
        rest &= rest - 1
    o.others_have_graves = o.others_corpses = 0
    for q in range(R.seats):
        if q != p:
            o.others_have_graves |= int(s.seat[q].open != 0)
            o.others_corpses += visible(s, q)
    o.police, o.graves, o.corpses = police, graves, int(me.corpses)
    lodged = P_WELCOME < s.phase <= P_NIGHT
    o.call = 1.0 if s.letter else call_chance(W, police) if lodged else W.police_later
    o.fillable = 0.1 + o.actions / W.cycle
    o.graves_worth = graves_worth(W, o, graves)
    for verb in range(VERBS):
        o.returning[verb] = returning_cards(R, me, verb)
        o.kin[verb] = W.kin[verb] * o.time / (1.0 + W.crowd_kin * o.returning[verb])


@jit
def graves_worth(W, outlook, n):
    """Rate n free graves under the seat's own annexes, as far as there is time to fill them."""
    return W.grave * n * outlook.fillable / (n + outlook.fillable)


@jit
def returning_cards(R, me, verb):
    """Count the cards in hand that would come back after an action of this kind."""
    if me.power[RETURN + verb] > 0:
        return int(me.cards)
    n = 0
    rest = int(me.kinds & R.helps[verb])
    while rest != 0:
        n += int(me.hand[lowest(rest)])
        rest &= rest - 1
    return n
