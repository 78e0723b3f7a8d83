"""The puzzles that come with the package: they can be set by the rules of now, and their proof holds."""

import json

import pytest

from alehouse.agents import heuristic
from alehouse.benchmarks.review.decisions import Course, played_on
from alehouse.benchmarks.review.puzzles import KEPT, MARGIN, Puzzle, files, lucks
from alehouse.envs.core.declare.game import as_variant
from alehouse.envs.games import GAMES
from tests.slow import slow

NAMES = sorted(folder.name for folder in KEPT.iterdir())


def test_puzzles_come_with_games_of_the_package() -> None:
    assert set(NAMES) == set(GAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_kept_puzzle_is_of_these_rules_and_one_answer_stands_out(name: str) -> None:
    for path in files(name).values():
        found = json.loads(path.read_text())
        v, answers = as_variant(found["variant"]), found["answers"]
        assert (v.game, v.rules_digest) == (name, found["rules"]), f"{path}: mine puzzles again; see docs/review.md"
        others = [value for answer, (value, _) in answers.items() if answer != found["best"]]
        assert answers[found["best"]][0] - max(others) >= found["ahead"] >= MARGIN
        assert found["plays"] >= 1000
        assert found["missed"]


@pytest.mark.parametrize("name", [slow("bloody_inn")])
def test_the_best_answer_stays_the_best(name: str) -> None:
    for path in files(name).values():
        one = Puzzle.load(path)
        table = one.tables()
        table.step([table.variants[0].action(one.best)])
        course, at = Course.of(table.replay(0)), len(one.actions)
        legal, seat = course.legal[at].tolist(), course.seats[at]
        keys = lucks(7, at, 400)[0]
        values = played_on(course, at, legal, heuristic(course.variant.spec), keys, seat)[:, :, seat].mean(axis=1)
        assert course.variant.action_names[legal[int(values.argmax())]] == one.best
