"""The arena: line-ups, play, forfeits, figures, stopping, ratings, leagues, the payoff table."""

import collections
import contextlib
import dataclasses
import functools
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from alehouse import players
from alehouse.agents import play_line
from alehouse.agents.process import Process
from alehouse.benchmarks.arena import league, payoff, timed_agents
from alehouse.benchmarks.arena.figures import SCORE, SHARE, UTILITY, figures, half_widths, sums, together, variance_saved
from alehouse.benchmarks.arena.lineup import check_line_up, seatings
from alehouse.benchmarks.arena.play import NOBODY, REASON, ROWS, Games, Job, Outcome, blocks_a_span, forfeits, joined, play
from alehouse.benchmarks.arena.ratings import ELO, ratings
from alehouse.benchmarks.arena.run import Arena
from alehouse.benchmarks.arena.stopping import Blocks, Sprt, Until, parse_sprt, parse_until, rule_of
from alehouse.benchmarks.arena.store import Store, description, folder_of, sources
from alehouse.benchmarks.arena.workers import in_this_process
from alehouse.envs.core.declare.game import as_variant
from alehouse.envs.core.run.standings import win_shares
from tests.slow import slow

KUHN = "kuhn_poker-2p"
FOUR = "connect_four-2p"


def job(variant: str, *agents: Any, limit: float | None = None, batch: int = 64, seed: int = 0) -> Job:
    """A job of agents, or of names of our own."""
    names = tuple(agent if isinstance(agent, str) else agent.name for agent in agents)
    spec = as_variant(variant).spec
    made = [players.player(agent, spec) if isinstance(agent, str) else agent for agent in agents]
    limits = tuple(None if isinstance(agent, str) else limit or 5.0 for agent in agents)
    return Job(variant, names, lambda: made, limits, seed, batch)


def played(what: Job, first: int = 0, last: int = 10, **options: Any) -> Games:
    """The games of some blocks."""
    return play(what, what.seated(), (first, last), **options)


def made(utility: Any, seating: Any, scores: Any = None, offender: Any = None, rotations: int = 1) -> Games:
    """Games as they might have ended."""
    worth = np.array(utility, np.float32)
    n = len(worth)
    seats = np.broadcast_to(np.array(seating, np.int8), worth.shape)
    points = np.zeros(worth.shape, np.int32) if scores is None else np.array(scores, np.int32)
    bad = np.full(n, NOBODY, np.int8) if offender is None else np.array(offender, np.int8)
    block = np.arange(n) // rotations
    none = np.zeros(0, np.uint8)
    return Games(
        block, block.astype(np.uint64), seats, points, worth, np.ones(worth.shape, np.int32), bad, none, np.zeros((4, 3), np.int64)
    )


class Last:
    """The legal action with the highest number."""

    name = "last"

    def act(self, obs: Any, mask: Any, ctx: Any) -> Any:
        return mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)


# Who sits where


def test_one_agent_sits_everywhere_and_two_take_turns_at_being_alone() -> None:
    assert seatings(1, 3, 5, 7).tolist() == [[0, 0, 0], [0, 0, 0]]
    assert seatings(2, 3, 0, 2).tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]] * 2
    assert seatings(2, 2, 9, 10).tolist() == [[0, 1], [1, 0]]


def test_every_block_has_each_rotation_of_one_order() -> None:
    for agents, seats in ((3, 4), (3, 5), (4, 4), (5, 5)):
        for block in range(30):
            rows = seatings(agents, seats, block, block + 1).tolist()
            assert rows == [[rows[0][(p - turn) % seats] for p in range(seats)] for turn in range(seats)]


@pytest.mark.parametrize(("agents", "seats"), [(3, 4), (3, 5), (4, 5), (2, 4)])
def test_agents_are_dealt_out_evenly(agents: int, seats: int) -> None:
    for start in (0, 7):
        dealt = seatings(agents, seats, start, start + agents)
        counts = np.bincount(dealt.ravel(), minlength=agents)
        assert counts.tolist() == ([seats * seats] * agents if agents > 2 else [2 * seats, 2 * seats * (seats - 1)])


def test_at_a_full_table_all_orders_around_it_come_up() -> None:
    rows = seatings(4, 4, 0, 24)[::4].tolist()
    around = collections.Counter(tuple(row[(row.index(0) + p) % 4] for p in range(4)) for row in rows)
    assert len(around) == math.factorial(3)
    assert set(around.values()) == {4}


def test_too_many_agents_for_a_table() -> None:
    with pytest.raises(ValueError, match="4 seats"):
        check_line_up(5, 4)


# Play


def test_blocks_are_the_same_in_any_span_batch_and_thread() -> None:
    what = job(FOUR, "uniform", Last())
    whole = played(what, 0, 12)
    parts = joined([played(what, 0, 5), played(what, 5, 12, threads=2)])
    alone = played(what, 0, 12, announce=lambda g: None)
    for other in (parts, alone):
        for name in ("block", "seeds", "seating", "scores", "utility", "decisions"):
            assert (getattr(whole, name) == getattr(other, name)).all(), name
    assert whole.block.tolist() == [b for b in range(12) for _ in range(2)]
    assert (whole.seeds[::2] == whole.seeds[1::2]).all()
    assert len(set(whole.seeds.tolist())) == 12


def test_whole_games_are_those_of_lock_step() -> None:
    quick, slow = job(FOUR, "uniform", "greedy"), job(FOUR, "uniform", "greedy")
    inside = played(quick, 3, 20)
    seated = slow.seated()
    seated[0].agent = OneByOneOf(seated[0].agent)
    outside = play(slow, seated, (3, 20))
    for name in ("scores", "utility", "decisions", "offender"):
        assert (getattr(inside, name) == getattr(outside, name)).all()
    assert inside.times.sum() == 0
    assert (outside.times[:, 1] > 0).all()
    assert (played(quick, 0, 2).times[:, 1] > 0).all()


class OneByOneOf:
    """An agent that is not known to be quick."""

    def __init__(self, agent: Any) -> None:
        self.name, self.agent = agent.name, agent

    def act(self, obs: Any, mask: Any, ctx: Any) -> Any:
        return self.agent.act(obs, mask, ctx)


def test_whole_games_that_differ_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = play_line
    monkeypatch.setattr(
        "alehouse.benchmarks.arena.play.play_line", lambda v, agents, seating, *rest: right(v, agents, seating[::-1], *rest)
    )
    with pytest.raises(RuntimeError, match="differ"):
        played(job(FOUR, "uniform", "greedy"), 0, 3)


@pytest.mark.parametrize("variant", [KUHN, FOUR, *(slow(f"bloody_inn-{seats}p") for seats in (2, 3, 4))])
def test_uniform_against_copies_of_itself_gets_its_part(variant: str) -> None:
    seats = as_variant(variant).seats
    found = played(job(variant, "uniform", OneByOneOf(players.player("uniform", as_variant(variant).spec))), 0, 30)
    [one, rest] = figures(sums(found, 2))[SHARE]
    assert one.mean == pytest.approx(1 / seats)
    assert rest.mean == pytest.approx(1 / seats)
    alone = figures(sums(played(job(variant, "uniform"), 0, 200), 1))[SHARE][0]
    assert alone.mean == pytest.approx(1 / seats)
    shares = win_shares(played(job(variant, "uniform"), 0, 400).utility)
    off = abs(shares.mean(axis=0) - 1 / seats)
    assert (off < 5 * np.sqrt(0.25 / 400) + 0.06 * (variant == FOUR)).all()  # whoever begins at connect four wins more often


@pytest.mark.slow
def test_a_seat_may_play_alone() -> None:
    found = played(job("bloody_inn-1p", "uniform"), 0, 5)
    assert found.seating.shape == (5, 1)


def test_a_span_has_many_games_where_all_are_quick() -> None:
    assert blocks_a_span(job(FOUR, "uniform", Last()), instant=False) == 32
    assert blocks_a_span(job(FOUR, "uniform", "greedy"), instant=True) == 500
    assert blocks_a_span(job(FOUR, "uniform", Last(), batch=1), instant=False) == 1


# Forfeits


class Faulty(Last):
    """As the one above, but at fault in some games, told by the decision's key."""

    def __init__(self, fault: Any, share: int = 20) -> None:
        self.fault, self.share = fault, share

    def act(self, obs: Any, mask: Any, ctx: Any) -> Any:
        bad = ctx.keys % self.share == 0
        moves = super().act(obs, mask, ctx)
        return self.fault(moves, bad, mask) if bad.any() else moves


def crash(moves: Any, bad: Any, mask: Any) -> Any:
    raise TypeError("what now?")


def leave(moves: Any, bad: Any, mask: Any) -> Any:
    raise SystemExit(0)


def hang(moves: Any, bad: Any, mask: Any) -> Any:
    while True:
        with contextlib.suppress(Exception):
            sum(range(1000))


FAULTS = {
    "illegal": (lambda moves, bad, mask: np.where(bad, -1, moves), "no such action"),
    "crash": (crash, "TypeError: what now?"),
    "exit": (leave, "wants to exit"),
    "nothing": (lambda moves, bad, mask: None, "whole numbers are wanted"),
    "too few": (lambda moves, bad, mask: moves[:0], "whole numbers are wanted"),
    "fractions": (lambda moves, bad, mask: moves + 0.5, "whole numbers are wanted"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_costs_its_own_game_and_no_other(name: str) -> None:
    fault, said = FAULTS[name]
    good, bad = played(job(FOUR, "uniform", Last()), 0, 32), played(job(FOUR, "uniform", Faulty(fault)), 0, 32)
    lost = bad.offender != NOBODY
    assert 0 < lost.sum() < 64
    assert (bad.utility[~lost] == good.utility[~lost]).all()
    assert (bad.scores[~lost] == good.scores[~lost]).all()
    rows = np.flatnonzero(lost)
    assert (bad.seating[rows, bad.offender[rows]] == 1).all()
    assert (bad.utility[rows, bad.offender[rows]] == -1).all()
    assert (bad.utility[rows, 1 - bad.offender[rows]] == 1).all()
    assert (bad.scores[rows] == 0).all()
    assert set(bad.why) == set(rows.tolist())
    assert all(said in why for why in bad.why.values())
    [(_, who, count, block, why)] = forfeits(job(FOUR, "uniform", Last()), [bad])
    assert (who, count, block, why) == ("last", lost.sum(), bad.block[rows[0]], bad.why[rows[0]])


def test_a_program_cannot_fill_a_file_with_reasons() -> None:
    out = Outcome.empty(np.zeros((1, 2), np.int8))
    out.forfeit(0, 1, "a" * 10**6)
    assert out.why == {0: "a" * REASON}


@pytest.mark.slow
def test_the_others_share_what_the_offender_leaves() -> None:
    found = played(job("bloody_inn-4p", "uniform", Faulty(crash, 1)), 0, 1)
    assert sorted(found.utility[0].tolist()) == pytest.approx([-1, 1 / 3, 1 / 3, 1 / 3])
    assert found.utility.sum() == pytest.approx(0, abs=1e-6)


def test_an_agent_that_hangs_now_and_then_forfeits_those_games() -> None:
    good, bad = played(job(FOUR, "uniform", Last()), 0, 32), played(job(FOUR, "uniform", Faulty(hang, 60), limit=0.05), 0, 32)
    lost = bad.offender != NOBODY
    assert timed_agents.STRIKES < lost.sum() < 20
    assert set(bad.why.values()) == {"no answer within 0.05 s"}
    assert (bad.utility[~lost] == good.utility[~lost]).all()


def test_an_agent_that_always_hangs_is_after_some_times_not_asked_again() -> None:
    found = played(job(FOUR, "uniform", Faulty(hang, 1), limit=0.05), 0, 8)
    whys = list(found.why.values())
    assert len(whys) == 16
    assert sum("no answer within 0.05 s" in why for why in whys) == timed_agents.STRIKES
    assert sum(f"after {timed_agents.STRIKES} answers in a row" in why for why in whys) == len(whys) - timed_agents.STRIKES > 0


def test_a_fault_of_our_own_is_not_a_forfeit() -> None:
    what = job(FOUR, "uniform", Last())
    ours = Job(what.variant, what.names, lambda: [Faulty(crash, 1), Last()], (None, None))
    with pytest.raises(TypeError, match="what now"):
        played(ours)


def test_steps_of_the_simulator_are_counted_where_they_are_told() -> None:
    class Counting(Last):
        steps = 0

        def act(self, obs: Any, mask: Any, ctx: Any) -> Any:
            self.steps += 7 * len(obs)
            return super().act(obs, mask, ctx)

    times = played(job(FOUR, Counting(), Last())).times
    assert times[0, 2] == 7 * times[0, 1] > 0
    assert times[1, 2] < 0


# Figures


def test_figures_of_a_few_games() -> None:
    found = made([[1, -1], [1, -1], [-1, 1], [0, 0]], [0, 1], [[5, 1], [7, 3], [2, 4], [0, 0]], [NOBODY, NOBODY, NOBODY, 0])
    share_, utility, score = figures(sums(found, 2))
    assert [one.mean for one in share_] == [0.625, 0.375]
    assert [one.mean for one in utility] == [0.25, -0.25]
    assert [one.mean for one in score] == pytest.approx([14 / 3, 8 / 3])
    assert figures(sums(found, 2)) == figures(sums(found, 2))
    assert figures(together([sums(found, 2)] * 2))[SHARE][0].mean == 0.625


def test_a_single_block_has_the_widest_interval() -> None:
    found = figures(sums(made([[1, -1]], [0, 1], [[3, 1]]), 2))
    assert found[SHARE][0] == (1, 0, 1)
    assert found[UTILITY][1] == (-1, -1, 1)
    assert found[SCORE][0] == (3, None, None)


def test_where_no_game_was_finished_there_is_no_score() -> None:
    found = figures(sums(made([[1, -1]] * 3, [0, 1], offender=[1, 1, 1]), 2))
    assert found[SCORE] == [(None, None, None)] * 2
    assert found[SHARE] == [(1, 0, 1), (0, 0, 1)]


def test_whoever_won_every_block_may_still_lose_some() -> None:
    found = figures(sums(made([[1, -1]] * 300, [0, 1]), 2))
    assert found[SHARE] == [(1, 0.99, 1), (0, 0, 0.01)]
    assert found[UTILITY] == [(1, 0.98, 1), (-1, -1, -0.98)]
    level = figures(sums(made([[0, 0]] * 300, [0, 1]), 2))
    assert level[SHARE] == [(0.5, 0.5, 0.5)] * 2


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    rng = np.random.default_rng(1)
    hits = widths = 0
    for k in range(60):
        won = rng.random(300) < 0.3
        found = sums(made(np.where(won[:, None], [1, -1], [-1, 1]), [0, 1]), 2)
        [one, _] = figures(found, k)[SHARE]
        assert one.low is not None
        assert one.high is not None
        hits += one.low <= 0.3 <= one.high
        widths += (one.high - one.low) / 2
    assert half_widths(found)[0] == pytest.approx((one.high - one.low) / 2, rel=0.15)
    assert 51 <= hits <= 60
    assert widths / 60 == pytest.approx(1.96 * np.sqrt(0.21 / 300), rel=0.05)


def test_blocks_are_drawn_whole() -> None:
    rng = np.random.default_rng(2)
    luck = np.repeat(rng.random(200) < 0.5, 4)  # the four games of a block end alike
    found = sums(made(np.where(luck[:, None], [1, -1], [-1, 1]), [0, 1], rotations=4), 2)
    assert half_widths(found)[0] == pytest.approx(1.96 * np.sqrt(0.25 / 200), rel=0.1)
    assert variance_saved(found)[0] == pytest.approx(1 - 4, rel=0.05)


def test_what_pairing_saves() -> None:
    opposite = made([[1, -1], [-1, 1]] * 50, [0, 1], rotations=2)  # whoever has the better seat wins
    assert variance_saved(sums(opposite, 2)) == [1, 1]
    rng = np.random.default_rng(3)
    independent = made(np.where(rng.random((4000, 1)) < 0.5, [1, -1], [-1, 1]), [0, 1], rotations=2)
    assert variance_saved(sums(independent, 2))[0] == pytest.approx(0, abs=0.08)
    assert variance_saved(sums(made([[1, -1]] * 5, [0, 1]), 2)) == [None, None]


def test_many_blocks_are_merged_before_they_are_drawn() -> None:
    rng = np.random.default_rng(4)
    found = sums(made(np.where(rng.random((9000, 1)) < 0.4, [1, -1], [-1, 1]), [0, 1]), 2)
    [one, _] = figures(found)[SHARE]
    assert one.low is not None
    assert one.high is not None
    assert (one.high - one.low) / 2 == pytest.approx(1.96 * np.sqrt(0.24 / 9000), rel=0.1)


# Stopping


def shares(values: Any) -> Any:
    """The sums of blocks of one game in which the first agent's share is as given."""
    x = np.asarray(values, np.float64)
    pair = np.stack([x, 1 - x], axis=1)
    total = np.stack([pair, pair, pair], axis=1)
    return games_sums(total, np.ones_like(total), pair, pair**2)


def games_sums(*parts: Any) -> Any:
    from alehouse.benchmarks.arena.figures import Sums

    return Sums(*parts, games=1)


def test_blocks_come_in_spans() -> None:
    assert list(Blocks(10).spans(4)) == [(0, 4), (4, 8), (8, 10)]
    spans = Until(0.01).spans(4)
    assert [next(spans) for _ in range(3)] == [(0, 4), (4, 8), (8, 12)]


def test_until_waits_for_the_width_and_for_what_has_not_shown() -> None:
    rng = np.random.default_rng(5)
    won = rng.random(20000) < 0.5
    rule = Until(0.02)
    needed = 1.96**2 * 0.25 / 0.02**2
    assert not rule.met(shares(won[: int(0.85 * needed)]))
    assert rule.met(shares(won[: int(1.25 * needed)]))
    assert rule.expected(shares(won[:1000])) == pytest.approx(needed, rel=0.02)
    assert not rule.met(shares(np.ones(149)))
    assert rule.met(shares(np.ones(150)))


@pytest.mark.parametrize(("truth", "wrong"), [(0.25, True), (0.27, False), (0.2, True), (0.4, False)])
def test_wrong_answers_of_the_sequential_test_are_rare(truth: float, wrong: bool) -> None:
    rng = np.random.default_rng(6)
    rule, answers, length = Sprt(0.25, 0.27), collections.Counter[bool | None](), []
    for _ in range(300):
        x = (rng.random((12000, 4)) < truth).mean(axis=1)
        said = rule.answer(shares(x))
        answers[None if said is None else said[1]] += 1
        length.append(len(x) if said is None else said[0])
    assert answers[wrong] <= 0.05 * 300 + 2 * np.sqrt(300 * 0.05 * 0.95)
    assert answers[None] <= 10
    wald = 2 * (truth * (1 - truth) / 4) / 0.02**2 * math.log(20)  # blocks of Wald's test in the normal approximation, at either end
    assert np.mean(length) < 1.5 * wald


def test_the_sequential_test_says_what_it_knows() -> None:
    rule = Sprt(0.25, 0.27)
    clear = rule.verdict(shares(np.ones(400)))
    assert "above 25.00%" in clear
    assert "5%" in clear
    assert "below 27.00%" in rule.verdict(shares(np.zeros(400)))
    assert "no answer yet" in rule.verdict(shares([0.25, 0.3]))
    assert rule.expected(shares(np.full(50, 0.26))) >= 50


@pytest.mark.parametrize("text", ["1", "pp", "0pp", "99pp", "-1pp", "1 pp", "onepp"])
def test_bad_widths(text: str) -> None:
    with pytest.raises(ValueError, match="--until"):
        parse_until(text)


@pytest.mark.parametrize("text", ["25", "27:25", "25:25", "0:10", "10:100", "a:b", ""])
def test_bad_tests(text: str) -> None:
    with pytest.raises(ValueError, match="--sprt"):
        parse_sprt(text)


def test_which_rule() -> None:
    assert rule_of(None, None, None) == Until(0.01)
    assert rule_of(5, None, None) == Blocks(5)
    assert rule_of(None, "0.5pp", None) == Until(0.005)
    assert rule_of(None, None, "25:27.5") == Sprt(0.25, 0.275)
    with pytest.raises(ValueError, match="one of them"):
        rule_of(5, "1pp", None)


# Ratings and leagues


def ranked(strengths: Any, seating: Any, n: int, seed: int = 0) -> Games:
    """Games whose ranks follow Plackett and Luce: an exponential clock for each seat, the first to ring is first."""
    rng = np.random.default_rng(seed)
    seats = np.array(seating)
    rank = (rng.exponential(size=(n, len(seats))) / np.array(strengths)[seats]).argsort(axis=1).argsort(axis=1)
    return made(1 - 2 * rank / (len(seats) - 1), seats)


@pytest.mark.parametrize("seating", [[0, 1, 2, 2], [0, 1, 2]])
def test_ratings_find_the_strengths(seating: list[int]) -> None:
    found = ratings(ranked([4.0, 2.0, 1.0], seating, 3000), ("strong", "middling", "uniform"))
    assert found.anchor == "uniform"
    assert found.agents[2] == (0, 0, 0)
    for one, truth in zip(found.agents, (4, 2), strict=False):
        width = one.high - one.low
        assert abs(one.rating - ELO * np.log(truth)) < width
        assert one.low < one.rating < one.high
        assert width < 50
    free = ratings(ranked([4.0, 2.0, 1.0], seating, 300), ("a", "b", "c"))
    assert free.anchor == "mean"
    assert sum(one.rating for one in free.agents) == pytest.approx(0, abs=1e-6)


def test_intervals_of_ratings_hold_the_truth_as_often_as_they_say() -> None:
    found = [ratings(ranked([4.0, 1.0], [0, 1, 1], 100, seed), ("strong", "uniform"), seed).agents[0] for seed in range(25)]
    assert 20 <= sum(one.low < ELO * np.log(4) < one.high for one in found) <= 25


def test_whoever_always_wins_has_a_finite_rating() -> None:
    found = ratings(made([[1, -1]] * 50, [0, 1]), ("best", "uniform"))
    assert 400 < found.agents[0].rating < 10000


def test_a_league_goes_on_and_counts_nothing_twice(tmp_path: Path) -> None:
    path = tmp_path / "league.json"
    found = ranked([5.0, 1.0, 1.0], [0, 1, 1, 2], 200)
    table = league.entered(league.read(path, KUHN), "run", found, ("good", "bad", "bad too"))
    league.write(path, table)
    rows = league.read(path, KUHN)["ratings"]
    assert rows["good"]["mu"] > rows["bad"]["mu"] + 3 * rows["bad"]["sigma"]
    assert {row["games"] for row in rows.values()} == {200}
    assert league.entered(league.read(path, KUHN), "run", found, ("good", "bad", "bad too")) == table
    more = league.entered(table, "run", ranked([5.0, 1.0, 1.0], [0, 1, 1, 2], 300), ("good", "bad", "bad too"))
    assert more["ratings"]["good"]["games"] == 300
    other = league.entered(table, "another run", found, ("good", "new", "bad"))
    assert (other["ratings"]["good"]["games"], other["ratings"]["new"]["games"]) == (400, 200)


def test_ranks_in_a_league() -> None:
    assert league.mean_ranks(np.array([0, 1, 1]), np.array([0.5, -1, 0.5]), ("a", "b")) == {"a": 0.5, "b": 1.25}


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "alehouse-league-1", "variant": 1, "ratings": {"a": {}}, "runs": {}}'])
def test_a_damaged_league(text: str, tmp_path: Path) -> None:
    path = tmp_path / "league.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"league\.json"):
        league.read(path, KUHN)


def test_a_league_has_one_variant(tmp_path: Path) -> None:
    path = tmp_path / "league.json"
    league.write(path, league.read(path, KUHN))
    with pytest.raises(ValueError, match="a league of kuhn_poker-2p, not of connect_four-2p"):
        league.read(path, FOUR)


# What is kept


def test_the_payoff_table(tmp_path: Path) -> None:
    import polars

    found = made(
        [[1, -1], [-1, 1], [1, -1], [1, -1]], [[0, 1], [1, 0], [0, 1], [1, 0]], [[3, 1], [2, 4], [5, 3], [0, 0]], [NOBODY] * 3 + [1], 2
    )
    payoff.write(tmp_path, found, ("a", "b"))
    rows = json.loads((tmp_path / "payoff.json").read_text())
    assert rows == [
        {"line_up": "a | b", "seat": 0, "agent": "a", "games": 2, "share": 1, "utility": 1, "score": 4, "forfeits": 0},
        {"line_up": "a | b", "seat": 1, "agent": "b", "games": 2, "share": 0, "utility": -1, "score": 2, "forfeits": 0},
        {"line_up": "b | a", "seat": 0, "agent": "b", "games": 2, "share": 0.5, "utility": 0, "score": 2, "forfeits": 0},
        {"line_up": "b | a", "seat": 1, "agent": "a", "games": 2, "share": 0.5, "utility": 0, "score": 4, "forfeits": 1},
    ]
    assert polars.read_parquet(tmp_path / "payoff.parquet").to_dicts() == rows
    every = polars.read_parquet(tmp_path / "games.parquet")
    assert every["score"].to_list() == [3, 1, 2, 4, 5, 3, 0, 0]
    assert every["agent"].to_list() == ["a", "b", "b", "a"] * 2
    assert every["rotation"].to_list() == [0, 0, 1, 1] * 2


def arena(folder: Path, blocks: int, size: int = 4) -> Arena:
    """A run of two agents."""
    what = job(KUHN, "uniform", Last())
    asked = description(what, ["", "x"])
    return Arena(what, Blocks(blocks), Store(folder, asked), size)


def finished(run: Arena) -> Games:
    """All its games."""
    for _ in run.play(functools.partial(in_this_process, run.job, threads=1)):
        pass
    return run.report().games


def test_what_is_done_is_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = finished(arena(tmp_path / "whole", 30))
    half = arena(tmp_path / "half", 30)
    steps = half.play(functools.partial(in_this_process, half.job, threads=1))
    assert [next(steps), next(steps), next(steps)] == [(4, 30), (8, 30), (12, 30)]
    steps.close()
    files = sorted((tmp_path / "half").glob("blocks*"))
    files[1].write_bytes(files[1].read_bytes()[:100])  # a damaged file is played again
    (tmp_path / "half" / ".blocks-0000012-0000016.npz.1").write_bytes(b"cut short")
    spans = []
    right = play
    monkeypatch.setattr("alehouse.benchmarks.arena.workers.play", lambda *args: spans.append(args[2]) or right(*args))
    again = finished(arena(tmp_path / "half", 30))
    assert spans == [(4, 8), *((first, min(first + 4, 30)) for first in range(12, 30, 4))]
    for name in ROWS:
        assert (getattr(whole, name) == getattr(again, name)).all(), name
    more = finished(arena(tmp_path / "half", 32))
    assert (more.utility[:60] == whole.utility).all()


def test_spans_that_come_in_any_order_make_the_same_run(tmp_path: Path) -> None:
    run = arena(tmp_path / "a", 20)

    def shuffled(spans: Any) -> Any:
        return reversed(list(in_this_process(run.job, spans, 1)))

    assert [done for done, _ in run.play(shuffled)] == [0, 0, 0, 0, 20]
    assert (run.report().games.utility == finished(arena(tmp_path / "b", 20)).utility).all()


def test_a_folder_holds_one_job(tmp_path: Path) -> None:
    finished(arena(tmp_path, 4))
    other = description(job(KUHN, "uniform", Last(), seed=1), ["", "x"])
    with pytest.raises(ValueError, match=r"another job \(seed changed\)"):
        Store(tmp_path, other)
    (tmp_path / "job.json").write_text("{")
    with pytest.raises(ValueError, match=r"job\.json"):
        Store(tmp_path, other)


def test_programs_get_the_secret_of_the_run(tmp_path: Path) -> None:
    """It is drawn once for a folder, so that a run goes on with the same random numbers in any process."""
    what = Job(KUHN, ("process:cat",), lambda: [Process("cat", as_variant(KUHN).spec)], (1.0,))
    secrets = [Store(tmp_path / folder, description(what, [""])).secret for folder in ("one", "one", "two")]
    assert secrets[0] == secrets[1] != secrets[2]
    [one], [other] = (dataclasses.replace(what, secret=secrets[0]).seated() for _ in range(2))
    assert one.agent.secret == other.agent.secret == secrets[0]
    assert what.seated()[0].agent.secret != what.seated()[0].agent.secret
    (tmp_path / "one" / "secret").write_bytes(b"short")
    with pytest.raises(ValueError, match="secret: it is damaged"):
        _ = Store(tmp_path / "one", description(what, [""])).secret


def test_sources_of_other_games_are_another_matter(tmp_path: Path) -> None:
    spec = as_variant(KUHN).spec
    for name in ("kernel.py", "kuhn_poker.toml", "bloody_inn/rate.py", "notes.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("1")
    before = sources(spec, tmp_path)
    for name, same in (("bloody_inn/rate.py", True), ("notes.txt", True), ("kuhn_poker.toml", False), ("kernel.py", False)):
        (tmp_path / name).write_text("2")
        assert (sources(spec, tmp_path) == before) is same
        before = sources(spec, tmp_path)


def test_the_folder_is_named_by_what_decides_the_games(tmp_path: Path) -> None:
    one, two = job(KUHN, "uniform", Last()), job(KUHN, "uniform", Last(), seed=1)
    names = {folder_of(description(what, digests), tmp_path).name for what in (one, two) for digests in (["", "x"], ["", "y"])}
    assert len(names) == 4
    assert all(name.startswith("kuhn_poker-2p-") for name in names)
