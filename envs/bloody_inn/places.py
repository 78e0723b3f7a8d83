"""Seats in turn order, places as a seat names them (its own room first), and sets of places."""

from alehouse.envs.bloody_inn.layout import CARAVANS, PLACES, WHITES
from alehouse.envs.bloody_inn.state import CLOSED, NOBODY
from alehouse.envs.core.run.bits import first
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.seats import around, left, turned


@jit
def in_turn(s, R, k):
    """Return the k-th seat in turn order; the first player is number 0."""
    return around(s.first + k, R.seats)


# Names of places: actions and observations are relative to the seat to move.


@jit
def relative(places, p, seats):
    """Return a set of places as seat p names them."""
    return (int(places) & ~first(WHITES)) | turned(int(places) & first(seats), p, seats)


@jit
def absolute(name, p, seats):
    """Return the place that seat p means by one of its own names."""
    return around(int(name) + int(p), seats) if name < WHITES else int(name)


@jit
def named(place, p, seats):
    """Return the name by which seat p calls a place: the inverse of `absolute`."""
    return left(place, p, seats) if place < WHITES else int(place)


# Sets of places, such as all rooms of one owner


@jit
def owned(s, owner):
    """Return as a set the places of an owner: a seat, WHITE or CLOSED."""
    found = 0
    for place in range(PLACES):
        found |= int(s.owner[place] == owner) << place
    return found


@jit
def vacant(s):
    """Return as a set the open rooms and caravans without a guest."""
    return first(PLACES) & ~owned(s, CLOSED) & ~int(s.full)


@jit
def unserved(s):
    """Return as a set the rooms with a key and without a service token; caravans never get one."""
    found = 0
    for place in range(CARAVANS):
        found |= int(s.owner[place] != CLOSED and s.service[place] < 0) << place
    return found


@jit
def in_the_inn(s, R, family):
    """Return whether any guest in the inn belongs to a family."""
    found = False
    for place in range(PLACES):
        found |= s.guest[place] != NOBODY and R.family[s.guest[place]] == family
    return found


@jit
def empty_caravan(s, p):
    """Return the first caravan of a seat that has no guest, or -1."""
    for place in range(CARAVANS, PLACES):
        if s.owner[place] == p and s.guest[place] == NOBODY:
            return place
    return -1
