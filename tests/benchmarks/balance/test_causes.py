"""The cause of an effect: the change that makes it vanish is found, and no other is taken for it."""

import numpy as np
import pytest

from alehouse.agents import heuristic
from alehouse.benchmarks.balance import causes
from alehouse.benchmarks.balance.causes import Target, Tried
from alehouse.benchmarks.balance.design import factorial
from alehouse.benchmarks.balance.measures import MEASURES, NAMES, measured
from alehouse.benchmarks.balance.play import block_seeds, instant_agents, play
from alehouse.benchmarks.balance.seats import seats
from alehouse.envs.games import game

INN, DRAGONS, TIEFENTHAL = game("bloody_inn"), game("taverns_dragons"), game("tiefenthal")
BLOCKS = 400


def made_up(name: str, left: float, touched: float, noise: float = 8.0) -> Tried:
    """Games that leave this much of an effect; this part of them end with other scores."""
    luck_of = np.random.default_rng(len(name))
    effect = luck_of.normal(left, noise, BLOCKS)
    ones = np.ones((1, len(MEASURES)))
    return Tried(
        (name, {}),
        effect - effect.mean() + left,
        touched * ones,
        ones,
        (np.arange(BLOCKS) < touched * BLOCKS)[:, None, None].astype(np.int32),
    )


TARGET = Target("place 2 of 2", (INN.variant(2),), (1.0,), 2, "")
TRIED = [
    made_up("", 7, 0), made_up("nothing to do with it", 7.2, 0.1), made_up("half of it", 3.5, 0.1), made_up("the cause", 0.1, 0.3),
    made_up("no game left", 0, 1), made_up("turned around", -7, 0.2),
]  # fmt: skip


def test_the_change_that_leaves_most_games_as_they_were_comes_first() -> None:
    assert {name for name, _ in causes.moving(TARGET, TRIED)[:3]} == {"turned around", "no game left", "the cause"}
    assert [name for name, _ in causes.promising(TARGET, TRIED)] == ["the cause", "no game left"]
    found = causes.causes(TARGET, TRIED)
    assert [row.change for row in found if row.levels] == ["the cause", "no game left"]
    assert found[0].low < 0 < found[0].high
    assert found[0].moved == pytest.approx(-6.9)
    said = causes.sentences(TARGET, TRIED[0], found, 5)
    assert said[0].startswith("place 2 of 2: +7 points of share (6.2 to 7.8) in bloody_inn-2p, 400 games each.")
    assert said[1].startswith("Of 5 changes, 2 make it vanish. 70% of the games end as before with the cause (left: +0.1, ")
    assert len(said) == 2
    said = causes.sentences(TARGET, TRIED[0], [row for row in found if row.change == "no game left"], 5)
    assert said[2] == "Each changes nearly every game, so it may offset the effect and not be its cause."


def test_what_is_no_effect_needs_no_cause() -> None:
    said = causes.sentences(TARGET, made_up("", 0.1, 0), [], 5)
    assert said[1] == "The interval holds 0: there is nothing to explain."
    said = causes.sentences(TARGET, TRIED[0], causes.causes(TARGET, TRIED[:2]), 1)
    assert said[1].startswith("None of 1 changes was found to make it vanish")


def test_no_more_false_causes_than_stated() -> None:
    luck_of, alarms, studies = np.random.default_rng(4), 0, 300
    ones = np.ones((1, len(MEASURES)))
    for _ in range(studies):
        found = [Tried((str(k), {}), luck_of.normal(2, 8, 100), ones, ones, np.zeros((100, 1, 1), np.int32)) for k in range(5)]
        alarms += any(not row.moved_low <= 0 <= row.moved_high for row in causes.causes(TARGET, found))
    assert alarms / studies < 0.05 + 3 * np.sqrt(0.05 * 0.95 / studies)


def test_effects_are_looked_at_without_modules_and_with_all() -> None:
    design = factorial(DRAGONS, [m.name for m in DRAGONS.modules], [3, 4, 5], DRAGONS.lengths)
    known = causes.targets(design)
    assert [str(v) for v in known["place 5 of 5"].cells] == [
        "taverns_dragons-5p", "taverns_dragons-5p-missions+events+asymmetric+encounters+goblin",
    ]  # fmt: skip
    events = known["+events, score"]
    assert [(str(v).removeprefix("taverns_dragons-4p"), weight) for v, weight in zip(events.cells, events.weights, strict=True)] == [
        ("", -0.5), ("-missions+asymmetric+encounters+goblin", -0.5),
        ("-events", 0.5), ("-missions+events+asymmetric+encounters+goblin", 0.5),
    ]  # fmt: skip
    nested = causes.targets(factorial(TIEFENTHAL, ["schnapps", "reputation"], [4], TIEFENTHAL.lengths))["+reputation, rounds"]
    assert [str(v) for v in nested.cells] == ["tiefenthal-4p-schnapps", "tiefenthal-4p-schnapps+reputation"]


@pytest.mark.slow
def test_an_effect_is_what_the_report_shows() -> None:
    [agent], seeds = instant_agents([heuristic(INN)], INN), block_seeds(1, 0, 30)
    design = factorial(INN, ["notables"], [2], ["short"])
    played = play(design.cells, agent, seeds)
    known = causes.targets(design)
    for row in seats(played, design.cells):
        target = known[f"place {row.place} of {row.seats}"]
        assert target.by_block(play(target.cells, agent, seeds), target.cells).mean() == pytest.approx(100 * (row.share - 1 / row.seats))
    target = known["+notables, score"]
    values = measured(played, design.cells)[:, :, NAMES.index("score")]
    assert target.by_block(play(target.cells, agent, seeds), target.cells) == pytest.approx(values[:, 1] - values[:, 0])


def test_every_number_in_play_is_tried() -> None:
    names = [name for name, _ in causes.changes([INN.variant(2), INN.variant(2, ("notables",))])]
    assert {"game.rent=0 instead of 1", "game.rent=5 instead of 1", "cards.*.money=60", "game.pharmacy_hand=8 instead of 3"} <= set(names)
    assert not any(name.startswith(("events.", "game.check=", "removed.short_3")) for name in names)  # not in play, or fixed
    assert not any("rent" in name for name, _ in causes.changes([INN.variant(2, overrides={"game.rent": 2})]))  # what is studied


@pytest.mark.slow
def test_missions_of_taverns_dragons_bring_points_because_of_their_prestige() -> None:
    design = factorial(DRAGONS, ["missions"], [2], [""])
    target = causes.targets(design)["+missions, score"]
    some = [change for change in causes.changes(target.cells) if change[0].startswith(("missions.", "game.rounds"))]
    [agent] = instant_agents([heuristic(DRAGONS)], DRAGONS)
    found = list(causes.tried(target, some, agent, block_seeds(2, 0, 150), 1))
    level = {row.change for row in causes.causes(target, found) if row.levels}
    assert {"missions.*.prestige=0", "missions.*.amount=20"} <= level  # worth nothing, or out of reach
    assert "missions.*.prestige=20" not in level
