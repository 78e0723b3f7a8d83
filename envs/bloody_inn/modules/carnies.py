"""Module 1, the carnies (BI 4.1). Caravans and special burials are in annexes.py."""

from alehouse.envs.bloody_inn.effects import gain
from alehouse.envs.bloody_inn.layout import ACTIONS, BOOTH, CARNY, of_family
from alehouse.envs.bloody_inn.places import in_turn
from alehouse.envs.core.declare.game import Module
from alehouse.envs.core.run.jit import jit

OWN_ACTIONS, OWN_NUMBERS = of_family("carny")
SWITCHES = ("carny_aptitude", "barker_trigger", "twins_where", "dwarf_any_annex")
MODULE = Module(
    "carnies",
    "The carnies",
    actions=(*OWN_ACTIONS, *(name for name in ACTIONS.names if ":caravan" in name)),
    numbers=(*OWN_NUMBERS, *(f"switch.{name}" for name in SWITCHES)),
)


@jit
def bribed(s, R, p, kind):
    """Pay the booths of a seat that has bribed a carny (BI-R29)."""
    if R.carnies and not R.barker_checkin and R.family[kind] == CARNY and s.seat[p].power[BOOTH] > 0:
        gain(s, R, p, int(s.seat[p].power[BOOTH]))


@jit
def lodged(s, R, kind):
    """Pay every booth when a carny is lodged anywhere, if the switch barker_trigger says so."""
    if R.carnies and R.barker_checkin and R.family[kind] == CARNY:
        for k in range(R.seats):
            p = in_turn(s, R, k)
            if s.seat[p].power[BOOTH] > 0:
                gain(s, R, p, int(s.seat[p].power[BOOTH]))
