"""The balance lab finds faults that were planted in games, and finds nothing where there is none."""

import numpy as np
import pytest

from alehouse.agents import ask, greedy
from alehouse.agents.ladder import uniform
from alehouse.benchmarks.balance import effects, luck_sources, rule_gaps, seat_numbers, seats, sweep, taken_actions
from alehouse.benchmarks.balance.design import MAIN, PAIR, factorial
from alehouse.benchmarks.balance.kernels import watched_games as watch
from alehouse.benchmarks.balance.measures import MEASURES, NAMES, in_order, measured
from alehouse.benchmarks.balance.play import Played, block_seeds, instant_agents, play
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.games import game

INN = game("bloody_inn")
FOUR = game("connect_four")


# The design


def test_the_factorial_of_the_bloody_inn() -> None:
    design = factorial(INN, [m.name for m in INN.modules], [2, 3, 4], INN.lengths)
    assert len(design.cells) == len(set(design.cells)) == 3 * 2 * 2 * 3 * 2
    found = {e.name: e for e in design.effects()}
    assert [e.name for e in found.values() if e.kind == MAIN] == [
        "+carnies", "+events", "+notables", "+objects", "2 to 3 seats", "3 to 4 seats", "short to long",
    ]  # fmt: skip
    assert sum(e.kind == PAIR for e in found.values()) == 21 - 2  # no interaction of two steps of one row
    events = found["+events"].weights
    for v, weight in zip(design.cells, events, strict=True):
        part = 1 / 24  # cells at one level of the row that carnies and events make
        assert weight == pytest.approx(part if "events" in v.modules else -part if "carnies" in v.modules else 0)


def test_modules_that_need_each_other_are_nested() -> None:
    tiefenthal = game("tiefenthal")
    design = factorial(tiefenthal, [m.name for m in tiefenthal.modules], [4], tiefenthal.lengths)
    assert [len(v.modules) for v in design.cells] == [0, 1, 2, 3, 4]
    with pytest.raises(ValueError, match="'events' needs 'carnies'"):
        factorial(INN, ["events"], [2], INN.lengths)


def test_experiments_at_one_variant_take_one_that_was_asked_for() -> None:
    rules = [("", {}), ("dear rooms", {"game.rent": 5})]
    assert str(factorial(INN, ["notables"], [2, 3], ["long"], rules).fullest) == "bloody_inn-3p-notables-long?game.rent=5"
    assert str(factorial(INN, ["notables", "objects"], [2, 3, 4], INN.lengths).fullest) == "bloody_inn-4p-notables+objects"


# Effects


def test_holm_by_hand() -> None:
    adjusted, level = effects.holm(np.array([0.01, 0.04, 0.03]))
    assert adjusted == pytest.approx([0.03, 0.06, 0.06])
    assert level == pytest.approx([0.05 / 3, 0.05 / 2, 0.05 / 2])


def test_a_planted_effect_is_found_and_no_other() -> None:
    design = factorial(INN, ["notables", "objects"], [2, 3], ["short"])
    luck_of = np.random.default_rng(1)
    values = luck_of.normal(size=(400, len(design.cells), len(MEASURES))) + luck_of.normal(size=(400, 1, 1))
    with_objects = np.array(["objects" in v.modules for v in design.cells])
    values[:, with_objects, NAMES.index("score")] += 0.5
    sure = [row for row in effects.estimated(values, design.effects()) if row.sure]
    assert [(row.effect, row.measure) for row in sure] == [("+objects", "score")]
    assert sure[0].low < 0.5 < sure[0].high
    assert sure[0].low > 0


def test_what_is_the_same_in_every_cell_is_no_effect() -> None:
    design = factorial(INN, ["carnies", "events", "objects"], [2, 3, 4], INN.lengths)
    values = np.random.default_rng(8).normal(size=(60, 1, len(MEASURES))) + np.zeros((1, len(design.cells), 1))
    assert not any(row.sure for row in effects.estimated(values, design.effects()))


def test_no_more_false_alarms_than_stated() -> None:
    design = factorial(INN, ["notables", "objects"], [2, 3], ["short"])
    main = [e for e in design.effects() if e.kind == MAIN]
    luck_of = np.random.default_rng(2)
    studies = 400
    alarms = 0
    for _ in range(studies):
        values = luck_of.normal(size=(60, len(design.cells), len(MEASURES)))
        rows = effects.family(values, main)
        alarms += any(row.sure for row in rows)
        assert all(row.sure == (row.low > 0 or row.high < 0) for row in rows)
    assert alarms / studies < 0.05 + 3 * np.sqrt(0.05 * 0.95 / studies)


def test_the_smallest_effect_is_found_four_times_in_five() -> None:
    design = factorial(INN, ["objects"], [2], ["short"])
    luck_of = np.random.default_rng(3)
    size = effects.smallest(luck_of.normal(size=(2000, 2, len(MEASURES))), design.effects(), 50)
    assert size == pytest.approx((2.77 + 0.84) * np.sqrt(2 / 50), rel=0.1)  # normal quantiles: 0.05 / 2 / 9, 0.8


# Seats


def planted(bonus: int) -> Played:
    """Games of two seats whose first player, by turns either seat, has a bonus."""
    luck_of = np.random.default_rng(4)
    n = 4000
    scores = luck_of.integers(0, 40, (n, 1, 2)).astype(np.int16)
    seen = np.zeros((n, 1, len(watch.SEEN)), np.int16)
    seen[:, 0, watch.FIRST] = seen[:, 0, watch.OPENER] = np.arange(n) % 2
    scores[np.arange(n), 0, np.arange(n) % 2] += bonus
    return Played(scores, np.sign(scores - scores[:, :, ::-1]).astype(np.float32), seen, np.zeros((len(watch.TALLY), 7)))


def test_a_favoured_seat_is_found_with_the_bonus_that_levels_it() -> None:
    first, last = seats.seats(planted(5), [FOUR.variant()])
    assert first.share > first.low > 0.5 > last.high
    assert first.p < 0.001
    for row, bonus in ((first, -5), (last, 5)):
        assert row.handicap_low is not None
        assert row.handicap_high is not None
        assert row.handicap_low < bonus < row.handicap_high
    assert all(row.p > 0.05 and row.low < 0.5 < row.high for row in seats.seats(planted(0), [FOUR.variant()]))


def by_number(bonus: int, alike: bool = True) -> Played:
    """Games of two seats whose seat 0 has a bonus; the first player is either seat, or always seat 0."""
    played = planted(0)
    scores, first = played.scores.copy(), (np.arange(len(played.scores)) // 2 % 2) * alike
    scores[:, 0, 0] += bonus
    played.seen[:, 0, watch.FIRST] = played.seen[:, 0, watch.OPENER] = first
    return played._replace(scores=scores, utility=np.sign(scores - scores[:, :, ::-1]).astype(np.float32))


def numbered(played: Played, by_uniform: Played) -> list[str]:
    """What is wrong with the seats of one variant, counted by their numbers."""
    [found] = seat_numbers.numbered_seats(played, [FOUR.variant()], lambda v: by_uniform)
    return found.faults


def test_a_place_in_the_order_of_play_is_no_number_of_a_seat() -> None:
    assert numbered(planted(5), planted(5)) == []
    assert numbered(by_number(0), by_number(0)) == []


def test_a_favoured_number_of_a_seat_is_found_with_the_reason() -> None:
    [said] = numbered(by_number(5), by_number(0))
    assert said.startswith("seat 0 wins 6")
    assert said.endswith("by uniform agents the seats are even: the agents favour the number of a seat")
    [said] = numbered(by_number(5), by_number(5))
    assert said.endswith("by uniform agents too: the rules favour the number of a seat")
    [said] = numbered(by_number(5, alike=False), by_number(0))
    assert said.endswith("as not every seat is first equally often: seat 0 in 100.0% of the games")


def test_a_first_player_who_is_not_asked_first_is_found() -> None:
    played = planted(0)
    played.seen[:1000, 0, watch.OPENER] = 1 - played.seen[:1000, 0, watch.FIRST]
    assert numbered(played, played) == ["the first player is the first to be asked in 75.0% of the games only"]


def test_the_order_of_play() -> None:
    values = np.array([[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]])
    assert in_order(values, np.array([0, 2], np.int16)).tolist() == [[1, 2, 3], [3, 1, 2]]


# Games


def test_what_is_seen_of_a_game() -> None:
    agent = instant_agents([greedy(FOUR)], FOUR)[0]
    one = play([FOUR.variant()], agent, block_seeds(7, 0, 40))
    two = play([FOUR.variant()], agent, block_seeds(7, 0, 40), threads=2)
    for a, b in zip(one, two, strict=True):
        assert np.array_equal(a, b)
    decisions = one.seen[:, 0, watch.DECISIONS]
    assert decisions.min() >= 7  # nobody has four discs before
    assert decisions.max() <= 42
    assert one.tally[watch.TAKEN].sum() == one.seen[:, 0, watch.CHOICES].sum()
    assert one.tally[watch.WON_OFFERED].sum() == pytest.approx(0)
    met = rule_gaps.gaps(one, [FOUR.variant()])[0]
    assert met.longest == decisions.max() <= met.bound
    assert measured(one, [FOUR.variant()]).shape == (40, 1, len(MEASURES))


def test_what_runs_out_is_what_is_seen_to_run_out() -> None:
    """Peasants and events, followed decision by decision at tables of their own."""
    cells = [INN.variant(2, modules=("carnies", "events")), INN.variant(2)]
    seeds, agent = block_seeds(7, 0, 60), uniform(INN)
    found = play(cells, agent, seeds)
    for c, v in enumerate(cells):
        tables = Tables([v] * 60, autoreset=False)
        tables.reset(seeds=seeds)
        held, ran_out = np.zeros((2, 60), bool), np.zeros((2, 60), bool)
        while not tables.over.all():
            there = np.stack([tables.states["bistro"] > 0, tables.states["event_deck"] != 0])
            ran_out |= held & ~there
            held |= there
            live = np.flatnonzero(~tables.over)
            tables.step(ask(agent, tables, live), live)
        ran_out |= held & ~np.stack([tables.states["bistro"] > 0, tables.states["event_deck"] != 0])
        parts = dict(zip(("peasants in the bistro", "event deck"), ran_out.mean(axis=1), strict=True))
        assert rule_gaps.ran_out(found.seen[:, c], INN) == {name: part for name, part in parts.items() if part > 0}
    assert rule_gaps.ran_out(found.seen, INN)["peasants in the bistro"] > 0.5


def test_actions_of_modules_that_are_out_are_not_missed() -> None:
    found = play([INN.variant(2)], uniform(INN), block_seeds(7, 0, 20))
    never = rule_gaps.never_open([found.tally], [INN.variant(2)])
    assert never
    assert not any(name.startswith("object:") for name in never)
    assert not set(never) & {INN.ACTIONS.names[a] for a in np.flatnonzero(found.tally[watch.OFFERED])}


def test_the_kernel_plays_as_the_arena_does() -> None:
    from alehouse.agents import play_line

    agent = greedy(FOUR)
    seeds = block_seeds(3, 0, 50)
    ours = play([FOUR.variant()], instant_agents([agent], FOUR)[0], seeds)
    theirs = play_line(FOUR.variant(), [agent], np.zeros((50, 2), np.int8), seeds)
    assert np.array_equal(ours.scores[:, 0], theirs.scores)
    assert np.array_equal(ours.seen[:, 0, watch.DECISIONS], theirs.decisions.sum(axis=1))


# Items


def test_actions_never_taken_are_named() -> None:
    tallies = np.zeros((5, len(watch.TALLY), len(INN.ACTIONS)))
    a = INN.ACTIONS.index("bribe:white1")
    tallies[:, watch.OFFERED, a] = tallies[:, watch.SEATS_OFFERED, a] = 100
    [item] = taken_actions.taken_actions(list(tallies), INN)
    assert (item.name, item.offered, item.taken, item.estimate) == ("bribe:white1", 500, 0, None)
    assert taken_actions.never_taken([item]) == [item]


# Luck, sweeps


def test_parts_of_the_variance() -> None:
    luck_of = np.random.default_rng(6)
    a, b, c = luck_of.normal(size=(3, 20000, 1))
    part, half = luck_sources.index(a + b, a + c)  # half of it is drawn again
    assert part == pytest.approx(0.5, abs=0.03)
    assert 0 < half < 0.03
    assert luck_sources.index(a, a) == (0, 0)


def test_a_sweep_names_the_number_that_moves_the_game() -> None:
    changes, idle = sweep.moves(INN.variant(2), ["game.rent", "events.pickpockets.amount", "game.check"], 1)
    assert [name for name, _ in changes] == ["game.rent=0", "game.rent=2"]
    assert idle == 2  # no events are in play; a check is always worth 10
    luck_of = np.random.default_rng(7)
    values = luck_of.normal(size=(300, 1, len(MEASURES))) + luck_of.normal(0, 0.3, (300, 3, len(MEASURES)))
    values[:, 2, NAMES.index("score")] += 1
    first, second = sweep.ranked(values, changes, INN.variant(2))
    assert (first.key, first.value, first.measure) == ("game.rent", 2, "score")
    assert first.low < 1 < first.high
    assert sweep.sure([first, second]) == [first]


def test_a_sweep_starts_from_the_rules_of_the_variant() -> None:
    v = INN.variant(2, overrides={"game.rent": 3, "start.cash": 7})
    changes, _ = sweep.moves(v, ["game.rent"], 1)
    assert [name for name, _ in changes] == ["game.rent=2", "game.rent=4"]
    assert [str(one).partition("?")[2] for one in sweep.swept(v, changes).cells] == [f"game.rent={n}&start.cash=7" for n in (3, 2, 4)]
