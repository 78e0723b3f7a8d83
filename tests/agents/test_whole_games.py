"""Whole games inside numba are the same as games played decision by decision, with any number of threads."""

import numba
import numpy as np
import pytest

from alehouse.agents import UNIFORM, ask, greedy, heuristic, ismcts, play_line
from alehouse.agents.heuristic import heuristic_of
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.games import game
from tests.nets import drawn_net
from tests.slow import slow

VARIANTS = ["kuhn_poker-2p", "connect_four-2p", "bloody_inn-4p-carnies+events+notables+objects", "bloody_inn-1p"]


def line_for(spec):
    """The quick agents of a game, two of them by networks with weights drawn at random."""
    return [UNIFORM, greedy(spec), *([heuristic(spec)] if heuristic_of(spec) else []), drawn_net(spec), drawn_net(spec, sample=True)]


def in_lock_step(v, agents, seating, seeds):
    """The same games decision by decision."""
    tables = Tables(v, n=len(seeds), autoreset=False)
    tables.reset(seeds=seeds)
    decisions = np.zeros(seating.shape, np.int32)
    while not tables.over.all():
        live = np.flatnonzero(~tables.over)
        actions, who = np.zeros(live.size, np.int64), seating[live, tables.seat[live]]
        for k, agent in enumerate(agents):
            if (who == k).any():
                actions[who == k] = ask(agent, tables, live[who == k])
        decisions[live, tables.seat[live]] += 1
        tables.step(actions, live)
    return tables.scores, tables.utility, decisions


@pytest.mark.lanes
@pytest.mark.parametrize("v", VARIANTS[:2])
def test_whole_games_are_those_of_lock_step_lanes(v):
    same_both_ways(v, 12)


@pytest.mark.slow
@pytest.mark.parametrize("v", VARIANTS[2:])
def test_whole_games_are_those_of_lock_step(v):
    same_both_ways(v, 12)


def same_both_ways(v, n):
    spec = game(v.split("-")[0])
    agents = line_for(spec)
    seats = spec.parse(v).seats
    seating = (np.arange(n)[:, None] + np.arange(seats)) % len(agents)
    seeds = np.arange(n, dtype=np.uint64) * 77
    played = play_line(v, agents, seating, seeds)
    for found, wanted in zip(played, in_lock_step(v, agents, seating, seeds), strict=True):
        assert (found == wanted).all()


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="one core")
@pytest.mark.parametrize("v", ["connect_four-2p", slow("bloody_inn-4p-carnies+events+notables+objects")])
def test_threads_change_nothing(v):
    spec = game(v.split("-")[0])
    agents = line_for(spec)
    seating = np.zeros((37, spec.parse(v).seats), int) + len(agents) - 1
    one, two = (play_line(v, agents, seating, np.arange(37), threads) for threads in (1, 2))
    assert all((a == b).all() for a, b in zip(one, two, strict=True))


def test_no_games():
    assert play_line("kuhn_poker", [UNIFORM], np.zeros((0, 2), int), []).scores.shape == (0, 2)


@pytest.mark.parametrize(
    ("agents", "seating", "match"),
    [
        (lambda spec: [ismcts(spec)], [[0, 0]], "'ismcts:1000'"),
        (lambda spec: [greedy(game("connect_four"))], [[0, 0]], "'greedy'"),
        (lambda spec: [UNIFORM], [[0, 1]], "seating"),
        (lambda spec: [UNIFORM], [[0, -1]], "seating"),
        (lambda spec: [UNIFORM], [[0]], "seating"),
        (lambda spec: [UNIFORM], [[0.0, 0.0]], "seating"),
    ],
)
def test_bad_line_ups(agents, seating, match):
    with pytest.raises(ValueError, match=match):
        play_line("kuhn_poker", agents(game("kuhn_poker")), seating, [1])
