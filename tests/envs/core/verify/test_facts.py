"""The check of hidden facts finds redeals of real games that keep something of the truth, and finds nothing in sound ones."""

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from alehouse.envs.bloody_inn.layout import OBJECTS
from alehouse.envs.bloody_inn.redeal import picks
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.verify.case import Case
from alehouse.envs.core.verify.check_facts import facts
from alehouse.envs.games import game
from alehouse.envs.taverns_dragons.modules.missions import slot

INN, DRAGONS = game("bloody_inn").determinize, game("taverns_dragons").determinize


@jit
def last_slot_kept(s, R, seat, key):
    last = s.slot[OBJECTS - 1]
    INN(s, R, seat, key)
    for k in range(OBJECTS):
        if s.slot[k] == last:
            s.slot[k], s.slot[OBJECTS - 1] = s.slot[OBJECTS - 1], last
    for q in range(R.seats):
        s.seat[q].objects = picks(s, R, q) & ~s.used


@jit
def mission_kept(s, R, seat, key):
    place = slot(1 if seat == 0 else 0)
    kept = s.mission[place]
    DRAGONS(s, R, seat, key)
    for k in range(s.mission.size):
        if s.mission[k] == kept:
            s.mission[k], s.mission[place] = s.mission[place], kept


@jit
def trophy_dealt_twice(s, R, seat, key):
    DRAGONS(s, R, seat, key)
    for p in range(R.seats):
        q = (p + 1) % R.seats
        if p != seat and q != seat and s.seat[p].trophies == s.seat[q].trophies:
            s.seat[p].spoils = s.seat[q].spoils


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variant", "broken", "words"),
    [
        ("bloody_inn-3p-carnies+events+notables+objects", last_slot_kept, f"slot[{OBJECTS - 1}]: of"),
        ("taverns_dragons-3p-missions", mission_kept, "mission[1]: of"),
        ("taverns_dragons-3p", trophy_dealt_twice, "a redeal: trophies"),
    ],
)
def test_a_redeal_that_keeps_some_truth_is_found(variant: str, broken: Callable[..., Any], words: str) -> None:
    spec = game(variant.partition("-")[0])
    sound, wrong = (list(facts(Case(made.parse(variant), 20, 0))) for made in (spec, dataclasses.replace(spec, determinize=broken)))
    assert sound == []
    assert any(fault.startswith(words) for fault in wrong), wrong
