"""The Bloody Inn: what a seat takes in of the table before it rates its actions."""

from typing import NamedTuple

from alehouse.envs.bloody_inn.effects import visible
from alehouse.envs.bloody_inn.layout import BRIBE, BUILD, BURY, KILL, KINDS, P_MORNING, P_NIGHT, P_WELCOME, RETURN
from alehouse.envs.core.run.bits import lowest, popcount, within
from alehouse.envs.core.run.jit import jit


class Mind(NamedTuple):
    """What a seat takes in before it rates its actions."""

    p: int
    rounds: float  # mornings to come
    soon: int  # own turns left this round, after this one
    later: float  # and in all
    reach: float  # how much the turns left are worth, 0 to 1
    card: float  # one more card to pay with
    cards: int
    police: int  # guests
    call: float  # the chance that the gravedigger comes
    graves: int  # own places for corpses
    need: float  # places one can still fill
    guested: bool  # whether others have places
    corpses: int  # own, unburied
    others: int  # of all others
    stay: tuple[int, int, int, int]  # cards in hand that return, by verb


# What is left of the game


@jit
def mornings(s, R, W):
    """Rounds still to be ended, this one included."""
    rooms = float(int(R.seats) + int(R.white_keys))
    if s.last:
        return float(int(s.phase <= P_MORNING))
    there = popcount(int(s.full)) / rooms if s.phase <= P_WELCOME else float(int(s.phase <= P_MORNING))
    coming = float(s.entrance)
    if s.season == 0:
        gone = 0
        for kind in range(KINDS):
            gone += int(s.exit[kind])
        coming += gone + W.flow * s.entrance
    return there + coming / rooms


@jit
def turns(s, R, p):
    """Turns of a seat left this round, after the one under way."""
    if s.phase != P_NIGHT:
        return int(R.actions) if s.phase < P_NIGHT else 0
    place = (p - int(s.first)) % int(R.seats)
    return int(R.actions) - 1 - (int(s.cursor) - place) // int(R.seats)


@jit
def investigated(W, police):
    """The chance that so many guests of the police, or what is left of them, ask in the morning."""
    return 0.0 if police == 0 else W.police_one if police == 1 else W.police_two


@jit
def look(s, R, W, p):
    """What seat p takes in."""
    me = s.seat[p]
    rounds = mornings(s, R, W)
    soon = turns(s, R, p)
    later = max(float(soon), soon + int(R.actions) * (rounds - 1.0))
    reach = later / (later + W.horizon)
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
    guested, others = False, 0
    for q in range(R.seats):
        if q != p:
            guested |= s.seat[q].open != 0
            others += visible(s, q)
    night = s.phase <= P_NIGHT
    call = 1.0 if s.letter else investigated(W, police) if night and s.phase > P_WELCOME else W.police_later
    return Mind(
        p, rounds, soon, later, reach, W.card * reach / (1.0 + W.crowd * int(me.cards)), int(me.cards), police, call, graves,
        0.1 + later / W.cycle, guested, int(me.corpses), others,
        (remaining(R, me, BRIBE), remaining(R, me, BUILD), remaining(R, me, KILL), remaining(R, me, BURY)),
    )  # fmt: skip


@jit
def remaining(R, me, verb):
    """Cards in hand that would come back after an action."""
    if me.power[RETURN + verb] > 0:
        return int(me.cards)
    n = 0
    rest = int(me.kinds & R.helps[verb])
    while rest != 0:
        n += int(me.hand[lowest(rest)])
        rest &= rest - 1
    return n
