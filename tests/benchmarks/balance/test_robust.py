"""What holds over plausible rule sets: on made-up effects with a known answer, and on games of the toy with planted ones."""

import pickle
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

from alehouse.agents.ladder import uniform
from alehouse.agents.whole_games import line_of
from alehouse.benchmarks.balance import effects, robust, rule_sets, study, worth_knowing
from alehouse.benchmarks.balance.design import Design, factorial
from alehouse.benchmarks.balance.effects import LEVEL
from alehouse.benchmarks.balance.measures import MEASURES, NAMES, measured
from alehouse.benchmarks.balance.on_ray import Player
from alehouse.benchmarks.balance.play import Played, block_seeds, play, play_quick, play_records, record_actions
from alehouse.benchmarks.balance.robust import DEPENDS, OPEN, ROBUST, Verdict
from alehouse.benchmarks.balance.rule_sets import DrawnNumbers, RuleSets
from alehouse.benchmarks.balance.store import Store
from alehouse.benchmarks.balance.study import Job, Study, on_this_machine
from tests import toy

Floats = npt.NDArray[np.float64]
STUDIES = 100
MOST = int(stats.binom.isf(1e-4, STUDIES, LEVEL))  # more alarms than this, once in ten thousand times
SCORE = NAMES.index("score")


def numbers(sets: int, count: int = 30, words: tuple[int, ...] = ()) -> DrawnNumbers:
    """Made-up unknown numbers, each from -1 to 1; those in `words` are words."""
    values = np.random.default_rng(5).integers(-1, 2, (sets, count))
    return DrawnNumbers(tuple(f"n{k}" for k in range(count)), np.isin(np.arange(count), words), values)


def sample(luck_of: np.random.Generator, true: Floats, blocks: int) -> Floats:
    """Blocks of each rule set: the true effects of the rule set, and luck of standard deviation 1."""
    return (true[:, None] + luck_of.normal(size=(len(true), blocks, true.shape[1]))).reshape(-1, true.shape[1])


def judged(luck_of: np.random.Generator, mean: float, spread: float, effects: int, sets: int = 40, blocks: int = 16) -> list[Verdict]:
    """A study of several effects, each with this mean and spread over the rule sets."""
    return robust.verdicts(sample(luck_of, luck_of.normal(mean, spread, (sets, effects)), blocks), blocks, numbers(sets))


# Made-up effects


def test_equal_rule_sets_are_taken_together() -> None:
    """Two numbers of four values give 16 rule sets, each drawn so often that a small effect is seen to be in all of them."""
    luck_of = np.random.default_rng(9)
    drawn = DrawnNumbers(("a", "b"), np.array([True, True]), luck_of.integers(0, 4, (600, 2)))
    apart = DrawnNumbers(("a",), np.array([False]), np.arange(600)[:, None])
    blocks = sample(luck_of, np.full((600, 20), 0.3) + 0.02 * (drawn.values[:, :1] - drawn.values[:, 1:]), 4)
    together, alone = ([one.word for one in robust.verdicts(blocks, 4, some)] for some in (drawn, apart))
    assert together.count(ROBUST) > alone.count(ROBUST) + 10


def test_no_more_false_words_than_stated_with_equal_rule_sets() -> None:
    """Each of 16 rule sets is drawn more or less often; true effects have one sign in exactly 95 % of the plausible games."""
    luck_of, alarms = np.random.default_rng(10), 0
    for _ in range(STUDIES):
        drawn = DrawnNumbers(("a",), np.array([True]), luck_of.integers(0, 16, (60, 1)))
        true = luck_of.normal(stats.norm.ppf(robust.SHARE) * 0.3, 0.3, (16, 12))
        alarms += any(one.word != OPEN for one in robust.verdicts(sample(luck_of, true[drawn.values[:, 0]], 8), 8, drawn))
    assert alarms <= MOST


def test_verdicts_on_effects_with_a_known_answer() -> None:
    luck_of = np.random.default_rng(8)
    true = np.column_stack([luck_of.normal(2, 0.1, 60), luck_of.normal(0.2, 1, 60), np.zeros(60)])
    sure, mixed, none = robust.verdicts(sample(luck_of, true, 16), 16, numbers(60))
    assert [one.word for one in (sure, mixed, none)] == [ROBUST, DEPENDS, OPEN]
    assert mixed.low < stats.norm.cdf(0.2) < mixed.high
    assert mixed.spread == pytest.approx(1, abs=0.3)


def test_an_effect_that_is_always_the_same() -> None:
    always, never = robust.verdicts(np.tile([1.0, 0.0], (40, 1)), 4, numbers(10))
    assert (always.word, always.low, always.high) == (ROBUST, 1, 1)
    assert (never.word, never.high) == (OPEN, 1)
    assert never.low < 1e-6


@pytest.mark.parametrize(("mean", "spread"), [(0.3, 0.3), (1.0, 0.5), (0.1, 1.0)])
def test_the_interval_holds_the_true_share(mean: float, spread: float) -> None:
    luck_of, share = np.random.default_rng(2), stats.norm.cdf(mean / spread)
    missed = sum(not one.low <= share <= one.high for _ in range(2 * STUDIES) for one in judged(luck_of, mean, spread, 1))
    assert missed <= stats.binom.isf(1e-4, 2 * STUDIES, LEVEL)


@pytest.mark.parametrize("spread", [0.1, 1.0])
def test_no_more_false_words_than_stated_at_the_border(spread: float) -> None:
    """Effects with one sign in exactly 95 % of the plausible games are neither robust nor not."""
    luck_of, border = np.random.default_rng(3), stats.norm.ppf(robust.SHARE) * spread
    assert sum(any(one.word != OPEN for one in judged(luck_of, border, spread, 12)) for _ in range(STUDIES)) <= MOST


def test_no_more_false_words_than_stated_where_there_is_nothing() -> None:
    luck_of = np.random.default_rng(4)
    assert sum(any(one.word != OPEN for one in judged(luck_of, 0, 0, 12)) for _ in range(STUDIES)) <= MOST


def test_numbers_that_move_an_effect_are_named_with_their_share() -> None:
    luck_of, drawn = np.random.default_rng(6), numbers(200, 50, words=(7,))
    line = 3 * drawn.values[:, 3] + luck_of.normal(0, 2, 200)  # variances 6 and 4
    middle = 4.0 * (drawn.values[:, 7] == 0)  # no straight line shows this
    one, two, three = robust.verdicts(sample(luck_of, np.column_stack([line, middle, np.zeros(200)]), 16), 16, drawn)
    assert [mover.key for mover in one.movers if mover.sure] == ["n3"]
    assert one.movers[0].share == pytest.approx(0.6, abs=0.12)
    assert [mover.key for mover in two.movers if mover.sure] == ["n7"]
    assert two.movers[0].share == pytest.approx(1, abs=0.05)
    assert not any(mover.sure for mover in three.movers)


def test_numbers_worth_looking_up() -> None:
    drawn, luck_of = numbers(100, 30), np.random.default_rng(7)
    values = luck_of.normal(size=(800, 2, len(MEASURES)))
    values[:, 1, SCORE] += np.repeat(drawn.values[:, 11], 8)
    values[:, :, NAMES.index("rounds")] += 5.0 * np.repeat(drawn.values[:, 4], 8)[:, None]
    change = factorial(toy.GAME, [], [2], ["short"], [("", {}), ("more", {"game.die": 4})]).effects()
    first, second, *others = worth_knowing.unknown(values, 8, change, drawn)
    assert {(first.key, first.most, first.measure), (second.key, second.most, second.measure)} == {
        ("n4", worth_knowing.WHOLE, "rounds"), ("n11", "more", "score")
    }  # fmt: skip
    assert first.sure
    assert second.sure
    assert sum(one.sure for one in others) <= 2


# Rule sets of the toy: its die and the worth of its silver token are guesses

SHORT = toy.GAME.variant(2, [], "short")
RICH = toy.GAME.variant(2, [], "short", {"tokens.copper.worth": 4})
SETS = RuleSets((), 4)


def test_blocks_of_a_rule_set_play_by_the_same_numbers_in_every_cell() -> None:
    drawn = rule_sets.drawn_rules((SHORT, RICH), SETS, 3, (0, 40))
    assert drawn.of_block.tolist() == [k // 4 for k in range(40)]
    rules, known = drawn.rules.reshape(10, 2), rule_sets.drawn_numbers((SHORT, RICH), SETS, 3, 10)
    assert known.keys == ("game.die", "tokens.silver.worth")
    for column in (rules[:, 0], rules[:, 1]):
        assert column["die"].tolist() == known.values[:, 0].tolist()
        assert column["worth"][:, 1].tolist() == known.values[:, 1].tolist()
    assert len(set(known.values[:, 0].tolist())) > 1
    assert rules["worth"][:, 0, 0].tolist() == [1] * 10
    assert rules["worth"][:, 1, 0].tolist() == [4] * 10


def test_a_rule_set_depends_on_its_number_and_the_seed_alone() -> None:
    whole = rule_sets.drawn_rules((SHORT,), SETS, 3, (0, 400))
    part = rule_sets.drawn_rules((SHORT,), SETS, 3, (240, 280))
    assert part.rules.tobytes() == whole.rules[60:70].tobytes()  # they are drawn in two batches
    assert rule_sets.drawn_rules((SHORT,), SETS, 4, (0, 400)).rules.tobytes() != whole.rules.tobytes()
    assert rule_sets.drawn_numbers((SHORT,), SETS, 3, 100).values[:, 0].tolist() == whole.rules["die"].tolist()


def test_what_a_cell_gives_is_known() -> None:
    given = toy.GAME.variant(2, [], "short", {"game.die": 5})
    assert rule_sets.unknown_numbers((given,)) == {"tokens.silver.worth"}
    assert rule_sets.unknown_numbers((SHORT,), ("game.die", "tokens.silver.worth")) == set()
    assert set(rule_sets.drawn_rules((given,), SETS, 3, (0, 40)).rules["die"].tolist()) == {5}


def test_agents_outside_numba_play_by_the_same_rule_sets() -> None:
    cells, seeds, agent = (SHORT, RICH), block_seeds(3, 0, 12), uniform(toy.GAME)
    drawn = rule_sets.drawn_rules(cells, SETS, 3, (0, 12))
    ours, variants = play(cells, agent, seeds, 1, drawn), drawn.variants()
    rule = (drawn.of_block[:, None] * 2 + np.arange(2)).ravel()
    asked = play_records(variants, rule, record_actions(variants, rule, agent, np.repeat(seeds, 2), 1), np.repeat(seeds, 2))
    assert np.array_equal(ours.scores.reshape(24, 2), asked.scores)
    line = line_of([agent], toy.GAME)
    assert line is not None
    for k, v in enumerate(variants):
        mine = np.flatnonzero(rule == k)
        seating = np.zeros((mine.size, 2), np.int8)
        alone = play_quick([v], np.zeros(mine.size, np.int64), seating, line, np.repeat(seeds, 2)[mine], 1)
        assert np.array_equal(alone.scores, ours.scores.reshape(24, 2)[mine])


def test_nothing_is_concluded_from_two_rule_sets() -> None:
    """So few are left where Ctrl-C stops a run early; the numbers have words among them."""
    luck_of, drawn = np.random.default_rng(11), numbers(2, 5, words=(0, 1))
    found = robust.verdicts(sample(luck_of, luck_of.normal(size=(2, 4)), 4), 4, drawn)
    assert all(one.word == OPEN and not any(mover.sure for mover in one.movers) for one in found)


def test_a_game_is_found_again_with_its_rules() -> None:
    cells, variants = (SHORT, RICH), rule_sets.drawn_rules((SHORT, RICH), SETS, 3, (0, 400)).variants()
    for block, cell in ((0, 0), (9, 1), (399, 1)):
        assert rule_sets.variant_of(cells, SETS, 3, block, cell) == variants[block // 4 * 2 + cell]


def small_study(folder: Path, design: Design) -> Study:
    """A study of drawn rule sets, in chunks of two rule sets."""
    job = Job(design.cells, uniform(toy.GAME), 3, SETS)
    return Study(design, job, Store(folder, {"seed": 3}), on_this_machine(1))


def test_a_study_that_was_stopped_goes_on_with_the_same_rule_sets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study, "GAMES", 16)
    monkeypatch.setattr(study, "examples", lambda values, number: ())  # replays name their game, and the toy is not installed
    design = factorial(toy.GAME, ["spice"], [2], ["short"])
    whole, cut = small_study(tmp_path / "whole", design), small_study(tmp_path / "cut", design)
    list(whole.play(80))
    assert whole.sets == 20
    steps = cut.play(80)
    for _ in range(3):
        next(steps)
    (tmp_path / "cut" / "agent0-blocks-0000008-0000016.npz").write_bytes(b"half")
    again = small_study(tmp_path / "cut", design)
    list(again.play(80))
    one, two = whole.finding(), again.finding()
    assert one.effects == two.effects
    assert one.seats == two.seats
    assert one.rule_sets == 20
    for path in (tmp_path / "whole").glob("*.npz"):
        assert path.read_bytes() == (tmp_path / "cut" / path.name).read_bytes()


def test_an_actor_of_a_cluster_plays_by_the_same_rule_sets() -> None:
    job = Job((SHORT, RICH), uniform(toy.GAME), 3, SETS)
    [here] = on_this_machine(2)(job, [(8, 24)])
    there = Player(pickle.loads(pickle.dumps(job))).play((8, 24))
    assert all(np.array_equal(one, two) for one, two in zip(here, there, strict=True))
    [guessed] = on_this_machine(2)(job._replace(rule_sets=None), [(8, 24)])
    assert not np.array_equal(here.scores, guessed.scores)


# Planted in games of the toy


def found(cells: tuple[Played, Played], blocks: int, drawn: DrawnNumbers) -> list[Verdict]:
    """What the lab says of the second cell against the first, on every measure."""
    values = np.concatenate([measured(part, [SHORT]) for part in cells], axis=1)
    [step] = factorial(toy.GAME, [], [2], ["short"], [("", {}), ("planted", {"game.bank": 80})]).effects()
    return robust.verdicts(effects.by_block(values, [step])[:, 0], blocks, drawn)


def studies(other: str = "toy-2p", known: tuple[str, ...] = (), again: int = 0) -> list[list[Verdict]]:
    """100 studies of the toy and another cell, where the numbers `known` are as given; games of the other have seeds `again` studies on."""
    cells = tuple(toy.GAME.parse(text) for text in ("toy-2p", other))
    agent, answer = uniform(toy.GAME), []
    for k in range(STUDIES):
        drawn = [rule_sets.drawn_rules((v,), RuleSets(keys, 16), k, (0, 640)) for v, keys in zip(cells, ((), known), strict=True)]
        parts = [play([v], agent, block_seeds(k + at, 0, 640), 1, rules) for v, at, rules in zip(cells, (0, again), drawn, strict=True)]
        answer.append(found((parts[0], parts[1]), 16, rule_sets.drawn_numbers(cells[:1], RuleSets((), 16), k, 40)))
    return answer


def test_an_effect_that_every_plausible_game_has_is_found() -> None:
    """A copper token worth one more is points for its holder, however large the die is."""
    said = [one[SCORE] for one in studies("toy-2p?tokens.copper.worth=2")]
    assert sum(one.word == ROBUST for one in said) >= 0.95 * STUDIES


def test_no_more_effects_are_found_than_stated_where_none_is_planted() -> None:
    """Two cells with the same rule sets and different luck: every word is a false alarm."""
    said = studies(again=STUDIES)
    assert sum(any(one.word != OPEN for one in row) for row in said) <= MOST


def test_an_effect_whose_sign_is_unknown_depends_on_its_number() -> None:
    """A die of three sides is more than one of two and less than one of four, which are as plausible."""
    said = [one[SCORE] for one in studies(known=("game.die",))]
    assert not any(one.word == ROBUST for one in said)
    assert sum(one.word == DEPENDS and one.movers[0].key == "game.die" and one.movers[0].sure for one in said) >= 0.95 * STUDIES
