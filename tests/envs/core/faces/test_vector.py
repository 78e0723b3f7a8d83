"""The Gymnasium vector environment: when games begin again, limits, several variants, threads; against games played one at a time."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from alehouse.envs.core.faces import SeatVectorEnv
from alehouse.envs.core.run.tables import IllegalAction
from alehouse.envs.games import game
from tests import toy

MODES = [mode.value for mode in AutoresetMode]
TOYS = [toy.GAME.variant(2), toy.GAME.variant(3), toy.GAME.variant(3, ["spice"])]
FOUR = "connect_four-2p"


def chosen(masks: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """A legal action for each table that depends on nothing but what its seat sees; 0 where there is none."""
    heights = masks * (1.0 + (seen.astype(np.int64) @ np.arange(1, seen.shape[1] + 1))[:, None] * np.arange(1, masks.shape[1] + 1) % 17)
    return heights.argmax(axis=1)


def ends(mode: str, v: Any, count: int, **settings: Any) -> dict[int, tuple[Any, ...]]:
    """How the first games of a seed end, by the number of the game: reward, last observation, and what the infos say."""
    env = SeatVectorEnv(6, v, autoreset_mode=mode, **settings)
    found: dict[int, tuple[Any, ...]] = {}
    seen, infos = env.reset(seed=11)
    numbers = env.tables.batch.games.copy()
    while len(found) < count:
        seen, rewards, over, cut, infos = env.step(chosen(infos["action_mask"], seen))
        assert not cut.any()
        final = infos.get("final_info", {}) if mode == "SameStep" else infos
        for i in np.flatnonzero(over):
            last = infos["final_obs"][i] if mode == "SameStep" else seen[i]
            facts = {name: final[name][i].tolist() for name in ("points", "ranks", "winner", "seat")}
            assert all(final[f"_{name}"].tolist() == over.tolist() for name in ("points", "ranks", "winner"))
            found[int(numbers[i])] = (float(rewards[i]), last.tolist(), facts)
        if mode == "Disabled" and over.any():
            seen, infos = env.reset(options={"reset_mask": over})
        numbers = env.tables.batch.games.copy()
        assert "points" in final or not over.any()
    return found


@pytest.mark.parametrize("v", [TOYS, FOUR])
def test_games_are_the_same_whenever_they_begin(v: Any) -> None:
    one, two, three = (ends(mode, v, 60) for mode in MODES)
    both = one.keys() & two.keys() & three.keys()
    assert len(both) > 40
    for k in both:
        assert one[k] == two[k] == three[k]
    assert len({str(end) for end in one.values()}) > 10
    for reward, last, facts in one.values():
        assert any(last)
        if facts["winner"] >= 0:
            assert facts["ranks"][facts["winner"]] == 1
            assert (reward == 1) == (facts["winner"] == facts["seat"])


def test_threads_change_nothing() -> None:
    wide = [SeatVectorEnv(130, FOUR, threads=threads, autoreset_mode="SameStep") for threads in (1, 2)]
    shown = [env.reset(seed=2) for env in wide]
    for _ in range(30):
        shown = [env.step(chosen(found[-1]["action_mask"], found[0])) for env, found in zip(wide, shown, strict=True)]
        for a, b in zip(shown[0][:4], shown[1][:4], strict=True):
            assert (a == b).all()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("obs", ["flat", "dict"])
def test_a_step_limit_cuts_games_off(mode: str, obs: str) -> None:
    env = gymnasium.make_vec("alehouse/ConnectFour-v0", num_envs=5, autoreset_mode=mode, max_episode_steps=2, obs=obs, seat=0)
    assert env.metadata["autoreset_mode"] is AutoresetMode(mode)
    env.reset(seed=0)
    for k in range(1, 3):
        actions = np.full(5, 2 * k)
        _, rewards, over, cut, infos = env.step(actions)
        assert not over.any()
        assert not rewards.any()
        assert cut.all() == cut.any() == (k == 2)
    if mode == "SameStep":
        assert infos["_final_obs"].all()
        last = infos["final_obs"][0]
        assert last in env.single_observation_space
        first = last["observation"] if obs == "dict" else last
        assert first[:42].sum() + first[42:].sum() >= 4  # two stones of each seat
        assert set(infos["final_info"]) == {"seat", "_seat"}
        assert infos["action_mask"].all()
        assert not env.step(np.zeros(5, int))[3].any()
    elif mode == "Disabled":
        assert not infos["action_mask"].any()
        with pytest.raises(ValueError, match="table 0: no game is in progress"):
            env.step(actions)
        env.reset(options={"reset_mask": np.arange(5) > 0})
        with pytest.raises(ValueError, match="table 0"):
            env.step(actions)
    else:
        _, rewards, _, cut, infos = env.step(actions)
        assert not cut.any()
        assert infos["action_mask"].all()
        assert not env.step(np.zeros(5, int))[3].any()


def test_what_is_illegal_ends_a_game_in_the_same_step() -> None:
    env = SeatVectorEnv(3, FOUR, autoreset_mode="SameStep", seat=0)
    before, _ = env.reset(seed=4)
    seeds = env.tables.seeds.copy()
    _, rewards, over, _, infos = env.step(np.array([3, 7, 3]))
    assert rewards.tolist() == [0, -1, 0]
    assert over.tolist() == infos["_final_obs"].tolist() == [False, True, False]
    assert (infos["final_obs"][1] == before[1]).all()
    assert "points" not in infos["final_info"]
    assert (env.tables.seeds != seeds).tolist() == [False, True, False]
    assert infos["action_mask"].any(axis=1).all()


def test_an_illegal_action_that_raises_changes_nothing() -> None:
    env = SeatVectorEnv(2, FOUR, on_illegal="raise", autoreset_mode="SameStep")
    env.reset(seed=0)
    before = env.tables.states.copy()
    with pytest.raises(IllegalAction):
        env.step(np.array([0, 9]))
    assert (env.tables.states == before).all()
    env.step(np.array([0, 0]))
    assert (env.tables.states != before).all()


def test_several_variants_are_drawn() -> None:
    env = SeatVectorEnv(40, TOYS, autoreset_mode="SameStep")
    _, infos = env.reset(seed=1)
    ranks = []
    for _ in range(60):
        *_, infos = env.step(infos["action_mask"].argmax(axis=1))
        final = infos.get("final_info", {"ranks": np.zeros((0, 3)), "_ranks": []})
        ranks += final["ranks"][final["_ranks"]].tolist()
    assert {sum(one > 0 for one in row) for row in ranks} == {2, 3}
    assert {str(v) for v in env.tables.variants} == {str(v) for v in TOYS}


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"autoreset_mode": "never"}, "'NextStep', 'SameStep', 'Disabled'"),
        ({"max_episode_steps": 0}, "max_episode_steps=0"),
        ({"threads": 0}, "threads=0"),
        ({"variant": []}, "at least one"),
        ({"variant": [FOUR, "kuhn_poker-2p"]}, "one game only"),
        ({"line_ups": [[3]], "opponents": ["uniform"]}, "line_ups"),
    ],
)
def test_bad_settings(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        SeatVectorEnv(2, **({"variant": FOUR} | settings))


def test_stable_baselines_gets_what_the_vector_environment_shows() -> None:
    pytest.importorskip("stable_baselines3")
    training = pytest.importorskip("alehouse.training")
    heuristic = "heuristic"
    env = training.SeatVecEnv(FOUR, 6, heuristic, seed=3, scaled=True)
    vector = SeatVectorEnv(6, FOUR, opponents=heuristic, autoreset_mode="SameStep", skip_forced=True, scaled=True)
    assert env.observation_space == vector.single_observation_space
    seen, (shown, infos) = env.reset(), vector.reset(seed=3)
    ended = 0
    for _ in range(40):
        assert (seen == shown).all()
        assert (env.action_masks() == infos["action_mask"]).all()
        actions = env.action_masks().argmax(axis=1)
        seen, rewards, dones, told = env.step(actions)
        shown, paid, over, _, infos = vector.step(actions)
        assert (dones == over).all()
        assert rewards.tolist() == paid.tolist()
        for i in np.flatnonzero(over):
            assert (told[i]["terminal_observation"] == infos["final_obs"][i]).all()
            assert (told[i]["points"] == infos["final_info"]["points"][i]).all()
            assert told[i]["winner"] == infos["final_info"]["winner"][i]
            ended += 1
    assert ended > 5
    assert game("connect_four") is env.game
