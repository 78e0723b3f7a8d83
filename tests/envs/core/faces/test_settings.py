"""Settings that all faces share: numbers of observations, idle seats, opponents by name, what infos say of the end, classes of a game."""

import inspect
import pickle
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest

from alehouse.envs.core import faces
from alehouse.envs.core.run.standings import outcomes
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.reference import connect_four, kuhn_poker

KUHN = "kuhn_poker-2p"


def shown(face: Any, **settings: Any) -> tuple[Any, Any]:
    """What a face shows first, and the space that it names."""
    if face is faces.SeatVectorEnv:
        env = face(3, KUHN, seat=0, **settings)
        return env.reset(seed=3)[0], env.observation_space
    if face is faces.SeatEnv:
        env = face(KUHN, seat=0, **settings)
        return env.reset(seed=3)[0], env.observation_space
    env = face(**settings)
    env.reset(seed=3)
    seen = env.observe("player_0") if hasattr(env, "observe") else env._views()[0]["player_0"]
    assert env.state() in env.state_space
    assert env.state().dtype == env.state_space.dtype
    return seen, env.observation_space("player_0")


@pytest.mark.parametrize("face", [faces.SeatEnv, faces.SeatVectorEnv, kuhn_poker.env, kuhn_poker.raw_env, kuhn_poker.parallel_env])
@pytest.mark.parametrize("obs", ["flat", "dict"])
def test_observations_are_bytes_or_floats_and_may_be_scaled(face: Any, obs: str) -> None:
    most = np.array([n for row in kuhn_poker.GAME.FEATURES.rows for n in [row.max] * row.length])
    for settings, kind, scale in (
        ({}, np.uint8, 1),
        ({"dtype": "float32"}, np.float32, 1),
        ({"dtype": np.float32, "scaled": True}, np.float32, most),
        ({"scaled": True}, np.float32, most),
    ):
        plain = shown(face, obs=obs)[0]
        seen, space = shown(face, obs=obs, **settings)
        assert seen in space
        if obs == "dict":
            assert (seen["action_mask"] == plain["action_mask"]).all()
            seen, plain, space = seen["observation"], plain["observation"], space["observation"]
        assert seen.dtype == space.dtype == kind
        np.testing.assert_allclose(seen * scale, plain, rtol=1e-6)
        np.testing.assert_allclose(space.high * scale, np.broadcast_to(most, space.shape))
        assert seen.any()


def test_scaled_numbers_reach_one_and_never_pass_it() -> None:
    form = faces.form.Form(connect_four.GAME, "flat", None, True)
    form.most = np.arange(1, 256, dtype=np.float32)
    every = np.arange(256)[:, None] * (np.arange(256)[:, None] <= form.most)
    assert form.numbers(every.astype(np.uint8)).max(axis=0).tolist() == [1.0] * 255


@pytest.mark.parametrize("settings", [{"dtype": "int64"}, {"dtype": "uint8", "scaled": True}, {"scaled": "yes"}, {"idle": "some"}])
def test_bad_settings(settings: dict[str, Any]) -> None:
    for make in (kuhn_poker.env, kuhn_poker.parallel_env, faces.SeatEnv, partial(faces.SeatVectorEnv, 2)):
        if "idle" in settings and make in (faces.SeatEnv, faces.SeatVectorEnv):
            continue
        with pytest.raises((ValueError, TypeError), match=next(iter(settings))):
            make(variant=KUHN, **settings)


@pytest.mark.parametrize("obs", ["flat", "dict"])
def test_idle_seats_may_choose_anything(obs: str) -> None:
    env = kuhn_poker.parallel_env(idle="any", obs=obs)
    luck = np.random.default_rng(0)
    seen, infos = env.reset(seed=1)
    for _ in range(50):
        masks = {agent: infos[agent]["action_mask"] for agent in env.possible_agents}
        for agent, mask in masks.items():
            assert mask.any()
            if agent != f"player_{env.tables.seat[0]}":
                assert mask.all()
            assert obs == "flat" or (seen[agent]["action_mask"] == mask).all()
        if not env.agents:
            seen, infos = env.reset()
            continue
        seen, *_, infos = env.step({agent: luck.choice(np.flatnonzero(masks[agent])) for agent in env.agents})


# Opponents by name


def rewards(opponents: Any) -> list[float]:
    """What 200 games against opponents bring a seat that always plays its first legal action."""
    env = gymnasium.make_vec("alehouse/ConnectFour-v0", num_envs=20, opponents=opponents, seat=0)
    _, infos = env.reset(seed=5)
    found = []
    while len(found) < 200:
        _, reward, over, _, infos = env.step(infos["action_mask"].argmax(axis=1))
        found += reward[over].tolist()
    return found


def test_opponents_have_names() -> None:
    from alehouse.agents import UNIFORM, heuristic

    assert rewards("uniform") == rewards(["uniform"]) == rewards(UNIFORM)
    assert rewards("heuristic") == rewards(heuristic(connect_four.GAME)) != rewards("uniform")
    with pytest.raises(ValueError, match="agent 'nobody': one of uniform"):
        gymnasium.make("alehouse/ConnectFour-v0", opponents="nobody")


def test_a_spec_with_named_opponents_is_json() -> None:
    env = gymnasium.make("alehouse/KuhnPoker-v0", opponents="uniform", scaled=True)
    assert env.spec is not None
    again = gymnasium.make(gymnasium.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    for seed in range(3):
        assert (env.reset(seed=seed)[0] == again.reset(seed=seed)[0]).all()


# What infos say of the end


def test_outcomes() -> None:
    standings, seats = np.array([[7, 9, 9], [-2, -1, 0], [3, 1, 2]]), np.array([3, 2, 3])
    found = outcomes(np.array([[7, 9, 9], [5, 5, 0], [3, 1, 2]]), standings, seats)
    assert found["points"].tolist() == [[7, 9, 9], [5, 5, 0], [3, 1, 2]]
    assert found["ranks"].tolist() == [[3, 1, 1], [2, 1, 0], [1, 3, 2]]  # the third seat of the second game is absent
    assert found["winner"].tolist() == [-1, 1, 0]
    for stands, winner in ((1, 0), (0, -1), (-1, -1)):  # alone: with a title, without, lost
        assert outcomes(np.array([[9]]), np.array([[stands]]), np.array([1]))["winner"].tolist() == [winner]


@pytest.mark.parametrize("face", ["env", "parallel_env"])
def test_final_infos_of_all_seats(face: str) -> None:
    env = getattr(kuhn_poker, face)()
    cards = set()
    for seed in range(12):
        env.reset(seed=seed)
        first = env.infos if face == "env" else env._views()[1]
        assert all(set(info) == {"action_mask"} for info in first.values())
        cards.add(tuple(env.tables.states["card"][0].tolist()))
        better = int(env.tables.states["card"][0].argmax())
        for action in ("bet", "bet"):
            move = env.variant.action(action)
            infos = env.step(move) or env.infos if face == "env" else env.step(dict.fromkeys(env.agents, move))[-1]
        assert list(infos) == ["player_0", "player_1"]
        for info in infos.values():  # a bet of one coin on an ante of one, called
            assert info["points"].tolist() == [2 if seat == better else -2 for seat in (0, 1)]
            assert info["ranks"].tolist() == [1 if seat == better else 2 for seat in (0, 1)]
            assert info["winner"] == better
    assert len(cards) > 3


def test_final_infos_of_one_seat() -> None:
    env = faces.SeatEnv(KUHN, seat=1, opponents="uniform")
    for seed in range(20):
        _, info = env.reset(seed=seed)
        assert set(info) == {"action_mask", "seat"}
        over = False
        while not over:
            _, reward, over, _, info = env.step(np.array([info["action_mask"].argmax()]))
        assert set(info) == {"action_mask", "seat", "points", "ranks", "winner"}
        assert reward == (1 if info["winner"] == 1 else -1)
        assert info["ranks"][info["winner"]] == 1
    env.reset()
    with pytest.raises(ValueError, match="1 whole numbers"):
        env.step(np.array([0, 1]))


def test_a_game_cut_off_has_no_outcome() -> None:
    env = kuhn_poker.env()
    env.reset(seed=0)
    env.step(99)
    assert all(set(info) <= {"action_mask", "illegal"} for info in env.infos.values())


# The classes of a game


def test_a_games_faces_are_classes_with_a_signature() -> None:
    for name, on_illegal in (("env", "terminate"), ("raw_env", "raise"), ("parallel_env", "terminate")):
        face = getattr(kuhn_poker, name)
        found = inspect.signature(face).parameters
        assert next(iter(found)) == "variant"
        assert {"seats", "modules", "obs", "dtype", "scaled", "reward", "idle"} < set(found)
        assert "game" not in found
        assert found["on_illegal"].default == face(on_illegal=on_illegal).on_illegal == face().on_illegal == on_illegal
        assert "on_illegal:" in face.__doc__
        assert (face.__module__, face.__qualname__) == ("alehouse.envs.reference.kuhn_poker", name)
        assert pickle.loads(pickle.dumps(face)) is face


class Counted(kuhn_poker.env):  # type: ignore[misc]
    """An environment that counts its steps."""

    steps = 0

    def step(self, action: Any) -> None:
        self.steps += 1
        super().step(action)


def test_a_games_faces_can_be_extended() -> None:
    env = Counted(obs="flat")
    env.reset(seed=1)
    env.step(0)
    assert (env.steps, env.obs, str(env.variant)) == (1, "flat", KUHN)
    assert pickle.loads(pickle.dumps(env)).steps == 1
    assert partial(kuhn_poker.raw_env, obs="flat")().on_illegal == "raise"


def test_standing_of_a_table() -> None:
    t = Tables(KUHN, autoreset=False)
    while not t.over[0]:
        t.step(t.sample())
    assert t.standing(0).argmax() == t.utility[0].argmax()
