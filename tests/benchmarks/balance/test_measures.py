"""Each measure of the lab, compared with what the same games show to somebody who follows them at the table, and on games made by hand."""

import dataclasses
import itertools
from typing import Any

import numpy as np
import pytest

from alehouse.agents import ask
from alehouse.agents.ladder import uniform
from alehouse.benchmarks.balance.kernels import watched_games as watch
from alehouse.benchmarks.balance.measures import NAMES, measured
from alehouse.benchmarks.balance.play import Played, block_seeds, play, play_records
from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.verify.case import on_top
from alehouse.envs.games import GAMES, game
from tests import toy
from tests.envs.core.declare.test_game import SET_UP
from tests.slow import slow

BLOCKS = 12

# Games followed at the table


def rounds_printed(spec: Game, s: Any) -> int:
    """Return the round as the rulebook counts it, the first being 1; a trade turn of Tavern Battle is a round."""
    if spec.name == "tiefenthal":
        return int(s["evening"])
    return 1 + int(s["rounds"]) + (int(s["turns"]) if spec.name == "tavern_battle" else 0)


class Follower:
    """Somebody who sits at a table and keeps a list of what happens."""

    def __init__(self, set_up: list[int]) -> None:
        self.set_up = set_up
        self.asked: list[tuple[int, int]] = []  # seat and number of choices of every decision
        self.first = -1
        self.now = 1
        self.trail: list[list[int]] = []  # points at the end of each round

    def look(self, question: int, seat: int, choices: int, now: int, points: list[int]) -> None:
        """Note a decision, and the points if it is the first one of a round."""
        self.asked.append((seat, choices))
        if question not in self.set_up:
            self.first = seat if self.first < 0 else self.first
            if now != self.now:
                self.trail.append(points)
            self.now = now

    def measures(self, points: list[int], utility: list[float]) -> dict[str, float]:
        """Return the measures of the game, which has ended with these points."""
        seats, best = len(points), max(utility)
        winners = {p for p in range(seats) if utility[p] == best}
        share = [(p in winners) / len(winners) for p in range(seats)]
        fronts = [{p for p in range(seats) if row[p] == max(row)} for row in [*self.trail, points]]
        alone = [front for front in fronts if len(front) == 1]
        half = len(fronts) // 2  # rounds at half-way
        free = sum(choices > 1 for _, choices in self.asked)
        return {
            "first player": 100 * (share[self.first] - 1 / seats),
            "last player": 100 * (share[self.first - 1] - 1 / seats),
            "score": sum(points) / seats,
            "spread": max(points) - min(points),
            "length": len(self.asked),
            "rounds": len(fronts),
            "lead changes": sum(a != b for a, b in itertools.pairwise(alone)),
            "comeback": 100 * (half > 0 and not winners & fronts[half - 1]),
            "choices": 100 * free / len(self.asked),
        }


def followed(v: Variant, seeds: np.ndarray) -> list[dict[str, float]]:
    """Play games at tables of their own and return the measures of each."""
    spec = v.spec
    assert spec.questions is not None
    t = Tables([v] * len(seeds), autoreset=False)
    t.reset(seeds=seeds)
    set_up = [spec.questions.number(name.upper()) for name in SET_UP[spec.name]]
    followers = [Follower(set_up) for _ in seeds]
    points, agent = np.zeros(v.seats, np.int64), uniform(spec)
    while not t.over.all():
        question = on_top(t)
        live = np.flatnonzero(~t.over)
        for i in live:
            spec.scores(t.states[i], t.rules[t.rule[i]], points)
            now = rounds_printed(spec, t.states[i])
            followers[i].look(int(question[i]), int(t.seat[i]), int(t.mask[i].sum()), now, points.tolist())
        t.step(ask(agent, t, live), live)
    return [one.measures(t.scores[i].tolist(), t.utility[i].tolist()) for i, one in enumerate(followers)]


def with_module(spec: Game, name: str) -> tuple[str, ...]:
    """Return a module with those it needs."""
    needed = next(m.requires for m in spec.modules if m.name == name)
    return (*(with_module(spec, needed) if needed else ()), name)


@pytest.mark.parametrize("name", [slow(name) for name in GAMES])
def test_measures_are_what_one_sees_at_the_table(name: str) -> None:
    spec, seeds = game(name), block_seeds(11, 0, BLOCKS)
    choices = [(), *(with_module(spec, m.name) for m in spec.modules)]
    cells = [spec.variant(3, modules) for modules in choices]
    found = measured(play(cells, uniform(spec), seeds), cells)
    for c, v in enumerate(cells):
        for i, expected in enumerate(followed(v, seeds)):
            assert dict(zip(NAMES, found[i, c].tolist(), strict=True)) == pytest.approx(expected), (str(v), i)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "rounds"), [("tiefenthal", 8), ("taverns_dragons", 7)])
def test_modules_neither_add_nor_take_rounds(name: str, rounds: int) -> None:
    """TT 3 and TD 3: eight and seven rounds, whatever is chosen before the first one."""
    spec = game(name)
    cells = [spec.variant(2, modules) for modules in ((), tuple(m.name for m in spec.modules))]
    values = measured(play(cells, uniform(spec), block_seeds(3, 0, 5)), cells)
    assert (values[:, :, NAMES.index("rounds")] == rounds).all()


@pytest.mark.slow
def test_dice_decide_the_first_player_of_taverns_dragons_after_missions_are_kept() -> None:
    """TD 3.1: dice decide it when missions have been kept, so the luck of the deal does not."""
    spec = game("taverns_dragons")
    cells = [spec.variant(5), spec.variant(5, ("missions",))]
    first = play(cells, uniform(spec), block_seeds(3, 0, 200)).seen[:, :, watch.FIRST]
    assert (first[:, 0] == first[:, 1]).all()  # the same dice


# Games made by hand


@jit
def lap(s):
    """Return the rounds ended."""
    return int(s.lap)


@jit
def known_late(s):
    """Return seat 1, known from the third decision on."""
    return 1 if s.asked > 1 else -1


TOY = dataclasses.replace(toy.GAME, clock=lap)


def by_hand(spec: Game, coins: list[tuple[int, int]]) -> Played:
    """Return a game of two in which the seats take these coins in each round, and keep their tokens."""
    v = spec.variant(2, (), "long")
    for seed in range(200):
        t = Tables(v, n=1, autoreset=False)
        t.reset(seeds=[seed])
        actions = []
        for taken in coins:
            for action in (*(toy.TAKE + n - 1 if n else toy.PASS for n in taken), toy.KEEP, toy.KEEP):
                if t.over[0] or not t.mask[0, action]:
                    break
                actions.append(action)
                t.step(np.array([action]))
        if t.over[0] and t.scores[0].tolist() == [sum(a) for a in zip(*coins, strict=True)]:
            found = play_records([v], np.zeros(1, np.int64), np.array([actions], np.int16), np.array([seed], np.uint64))
            return Played(*(getattr(found, name)[None] for name in ("scores", "utility", "seen")), found.tally)
    raise AssertionError("no seed has so many coins")


@pytest.mark.parametrize(
    ("coins", "expected"),
    [
        ([(1, 0), (0, 2), (0, 0)], {"lead changes": 1, "comeback": 100, "first player": -50, "last player": 50, "spread": 1}),
        ([(1, 0), (0, 2), (2, 0)], {"lead changes": 2, "comeback": 0, "first player": 50, "last player": -50, "spread": 1}),
        ([(1, 0), (0, 1), (1, 0)], {"lead changes": 0, "comeback": 0, "first player": 50, "last player": -50, "spread": 1}),
        ([(0, 0), (0, 0), (0, 0)], {"lead changes": 0, "comeback": 0, "first player": 0, "last player": 0, "spread": 0}),
        ([(0, 0), (1, 0), (0, 2)], {"lead changes": 1, "comeback": 0, "first player": -50, "last player": 50, "spread": 1}),
    ],
)
def test_games_made_by_hand(coins: list[tuple[int, int]], expected: dict[str, float]) -> None:
    cells = [TOY.variant(2, (), "long")]
    found = dict(zip(NAMES, measured(by_hand(TOY, coins), cells)[0, 0].tolist(), strict=True))
    whole = {"rounds": 3, "length": 12, "score": sum(map(sum, coins)) / 2}
    assert {name: found[name] for name in expected | whole} == pytest.approx(expected | whole)


def test_the_first_player_counts_from_when_it_is_known() -> None:
    late = dataclasses.replace(TOY, first=known_late)
    seen = by_hand(late, [(1, 0), (0, 0), (0, 0)]).seen[0, 0]
    assert (seen[watch.FIRST], seen[watch.OPENER]) == (1, 0)  # after two decisions seat 0 is asked again, for its token
    values = measured(by_hand(late, [(1, 0), (0, 0), (0, 0)]), [late.variant(2, (), "long")])[0, 0]
    assert values[:2].tolist() == [-50, 50]
