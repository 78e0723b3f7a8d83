"""The Bloody Inn: what a seat computes from the table before it rates its answers."""

from typing import NamedTuple

from alehouse.envs.bloody_inn.effects import visible
from alehouse.envs.bloody_inn.layout import BRIBE, BUILD, BURY, KILL, KINDS, P_MORNING, P_NIGHT, P_WELCOME, RETURN
from alehouse.envs.core.run.bits import lowest, popcount, within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.seats import left


class Outlook(NamedTuple):
    """What a seat computes from the table before it rates its answers."""

    p: int
    rounds: float  # how many rounds are left
    now: int  # how many actions the seat has left in this round after the current one
    actions: float  # how many actions the seat has left in the game
    time: float  # what share of its worth a thing held for later keeps, from 0 to 1
    card: float  # how many francs one more card in hand is worth
    cards: int  # number of cards in the seat's hand
    police: int  # number of guests who are police
    call: float  # the chance that the gravedigger comes in this round
    graves: int  # number of free graves under the seat's own annexes
    fillable: float  # number of those graves that the seat has time to fill
    others_have_graves: bool
    corpses: int  # number of the seat's own unburied corpses
    others_corpses: int
    returning: tuple[int, int, int, int]  # for each kind of action, how many cards in hand would come back after it


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
def outlook_of(s, R, W, p):
    """Compute the outlook of seat p."""
    me = s.seat[p]
    rounds = rounds_left(s, R, W)
    now = actions_left(s, R, p)
    actions = max(float(now), now + int(R.actions) * (rounds - 1.0))
    time = actions / (actions + W.horizon)
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
    others_have_graves, others_corpses = False, 0
    for q in range(R.seats):
        if q != p:
            others_have_graves |= s.seat[q].open != 0
            others_corpses += visible(s, q)
    lodged = P_WELCOME < s.phase <= P_NIGHT
    return Outlook(
        p, rounds, now, actions, time, W.card * time / (1.0 + W.crowd * int(me.cards)), int(me.cards), police,
        1.0 if s.letter else call_chance(W, police) if lodged else W.police_later, graves, 0.1 + actions / W.cycle, others_have_graves,
        int(me.corpses), others_corpses,
        (returning_cards(R, me, BRIBE), returning_cards(R, me, BUILD), returning_cards(R, me, KILL), returning_cards(R, me, BURY)),
    )  # fmt: skip


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
