"""Module 3: the reputation loop, the reputation phase and the bards (4.2)."""

from alehouse.envs.tiefenthal import questions as Q
from alehouse.envs.core.run.question_stack import pop, push, top
from alehouse.envs.core.run.bits import put
from alehouse.envs.core.declare.game import Module
from alehouse.envs.core.run.jit import jit
from alehouse.envs.tiefenthal.effects import gain_card, gain_schnapps, level, removable, remove_patron
from alehouse.envs.tiefenthal.layout import (
    A_REMOVE, A_SING, A_TAKE_SCHNAPPS, BARREL, CASHBOX, GUEST_NAMES, MERCHANT, NOBLE, NUMBERS, P_BARREL, P_CASHBOX, P_SUPPLIER, S_CHEER,
    S_CROWN, S_POINTS, S_SCHNAPPS, S_SIGNATURE, SUPPLIER, SUPPLY, named,
)  # fmt: skip
from alehouse.envs.tiefenthal.modules import guest_book

NEW_GUESTS = tuple(row["key"] for row in NUMBERS.tables["guests"] if row["pile"] == "module3")
OWN_CARDS = ("bard", *NEW_GUESTS)
MODULE = Module(
    "reputation",
    "Your reputation precedes you",
    requires="schnapps",
    actions=("sing", "take:schnapps", *named(set(OWN_CARDS))),
    features=("songs", "fame", "points"),
    numbers=("reputation.", "tavern.bard.", *(f"guests.{key}." for key in GUEST_NAMES if key in NEW_GUESTS)),
)


@jit
def count(s, R, p):
    """Let the seat walk as many steps as it will get doubloons or beers from dice and merchants, whichever is fewer (M3-3, M3-4)."""
    if not R.reputation:
        return
    act, me = s.act, s.seat[p]
    doubloons = int(act.income) + int(act.on[CASHBOX]) * level(R, me, P_CASHBOX)
    beer = int(act.on[SUPPLY]) * (level(R, me, P_SUPPLIER) + int(me.laid[SUPPLIER]))
    beer += int(act.on[BARREL]) * level(R, me, P_BARREL) + int(me.laid[MERCHANT])
    if min(doubloons, beer) > 0:
        push(s, Q.FAME, p, min(doubloons, beer))


@jit
def walk(s, R):
    """Walk on the loop to the next space with a bonus, or until no steps are left (M3-1, M3-2)."""
    entry = top(s)
    p = int(entry.seat)
    me = s.seat[p]
    what = S_POINTS
    while entry.a > 0 and what == S_POINTS:
        me.fame = me.fame % R.loop + 1
        what = R.space[me.fame]
        entry.a -= 1
    if entry.a == 0:
        pop(s)
    if what == S_SCHNAPPS:
        gain_schnapps(s, R, p, 1)
    elif what == S_CHEER:
        push(s, Q.CHEER, p)
    elif what == S_CROWN:
        gain_card(s, p, NOBLE)
    elif what == S_SIGNATURE:
        guest_book.reach(s, R, p)


@jit
def legal_cheer(s, R, p, words):
    """List taking a schnapps, and removing each patron who has no die (TT-R13)."""
    put(words, A_TAKE_SCHNAPPS, 1)
    put(words, A_REMOVE, removable(s))


@jit
def apply_cheer(s, R, p, a):
    """Take the schnapps, or remove the patron."""
    pop(s)
    if a == A_TAKE_SCHNAPPS:
        gain_schnapps(s, R, p, 1)
    else:
        remove_patron(s, p, a - A_REMOVE)


@jit
def legal_song(s, R, words):
    """List letting a bard sing, if one has not sung yet (M3-7, TT-R8)."""
    put(words, A_SING, int(s.act.songs > 0))


@jit
def sing(s, p):
    """Let a bard sing, which gives one step."""
    s.act.songs -= 1
    push(s, Q.FAME, p, 1)


@jit
def points(R, me):
    """Return the points of the space that the marker has reached at the end (M3-9)."""
    return int(R.points[me.fame])
