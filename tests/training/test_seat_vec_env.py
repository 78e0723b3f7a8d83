"""SeatVecEnv for Stable-Baselines3: what a learner meets equals games played by hand on ordinary tables."""

from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch
from stable_baselines3.common.env_checker import check_env

from alehouse.agents import UNIFORM, Policy, ask, heuristic
from alehouse.agents.uniform import uniform
from alehouse.envs.core.run.context import true_records
from alehouse.envs.core.run.learner_tables import agents_inside
from alehouse.envs.core.run.tables import IllegalAction, Tables
from alehouse.envs.games import game
from alehouse.training import SeatVecEnv
from alehouse.training.sb3_policy import Rollouts
from tests import one_move, toy
from tests.agents.test_value import KUHN, drawn, written

FOUR = "connect_four-2p"
TOYS = [toy.GAME.variant(2), toy.GAME.variant(3), toy.GAME.variant(3, ["spice"])]
Steps = Iterator[tuple[Any, ...]]


def choices(masks: np.ndarray, luck: np.random.Generator) -> np.ndarray:
    return (luck.random(masks.shape) * masks).argmax(axis=1)


def steps(env: SeatVecEnv, count: int, seed: int = 0) -> Steps:
    """Random play by the learner; what each step gave."""
    luck = np.random.default_rng(seed)
    seen = env.reset()
    for _ in range(count):
        masks = env.env_method("action_masks")
        actions = choices(masks, luck)
        yield seen, masks, actions, *(result := env.step(actions))
        seen = result[0]


class Alone(gymnasium.Env):
    """The only table of an environment, as Gymnasium has it."""

    def __init__(self, env: SeatVecEnv) -> None:
        self.env, self.observation_space, self.action_space = env, env.observation_space, env.action_space

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        self.env.seed(seed)
        return self.env.reset()[0], {}

    def step(self, action: Any) -> Any:
        seen, rewards, dones, infos = self.env.step(np.array([action]))
        return infos[0].get("terminal_observation", seen[0]), float(rewards[0]), bool(dones[0]), False, infos[0]


def test_stable_baselines_accepts_it():
    check_env(Alone(SeatVecEnv("kuhn_poker", 1)))
    env = SeatVecEnv(FOUR, 4)
    assert env.has_attr("action_masks")
    assert not env.has_attr("no_such_thing")
    assert env.env_is_wrapped(gymnasium.Wrapper) == [False] * 4
    assert env.get_attr("render_mode", [1, 2]) == [None, None]
    env.reset()
    assert env.env_method("action_masks", indices=[2]).shape == (1, 7)


def by_hand(env: SeatVecEnv, i: int, luck: list[int]) -> tuple[Any, ...]:
    """The game a table is at, played by hand: what the learner sees at its end, its utility, and how often it chose."""
    shown, v = env.tables, env.variants[env.tables.rule[i]]
    own = int(shown.own[i])
    tables = Tables(v, 1, autoreset=False)
    tables.reset(seeds=[shown.states["seed"][i]])
    chosen = 0
    while not tables.over[0]:
        if tables.mask[0].sum() == 1:
            action = int(tables.mask[0].argmax())
        elif tables.seat[0] == own:
            legal = np.flatnonzero(tables.mask[0])
            action = int(legal[luck[chosen] % legal.size])
            chosen += 1
        else:
            action = int(ask(UNIFORM, tables)[0])
        tables.step([action])
    return tables.observe(0, own).tolist(), float(tables.utility[0, own]), chosen


def test_a_game_is_the_one_played_by_hand():
    env = SeatVecEnv(TOYS, 12, seed=5)
    env.reset()
    luck = list(np.random.default_rng(1).integers(0, 1000, 200))
    turns = np.zeros(12, int)
    wanted = [by_hand(env, i, luck) for i in range(12)]
    ended, met = 0, set()
    for _ in range(60):
        masks = env.action_masks()
        assert (masks.sum(axis=1) > 1).all()
        assert (env.tables.seat == env.tables.own).all()
        legal = [np.flatnonzero(mask) for mask in masks]
        actions = np.array([one[luck[turns[i]] % one.size] for i, one in enumerate(legal)])
        turns += 1
        seen, rewards, dones, infos = env.step(actions)
        for i in range(12):
            if not dones[i]:
                assert rewards[i] == 0
                assert infos[i] == {}
                continue
            terminal, utility, chosen = wanted[i]
            assert infos[i]["terminal_observation"].tolist() == terminal
            assert rewards[i] == infos[i]["episode"]["r"] == pytest.approx(utility)
            assert infos[i]["episode"]["l"] == chosen == turns[i]
            turns[i] = 0
            wanted[i] = by_hand(env, i, luck)
            met.add((str(env.variants[env.tables.rule[i]]), int(env.tables.own[i])))
            ended += 1
        assert (seen == env.tables.obs).all()
    assert ended > 50
    assert len(met) == 2 + 3 + 3  # each seat of each variant


def test_games_do_not_depend_on_the_batch():
    def played(n: int, threads: int) -> dict[int, tuple[Any, ...]]:
        found: dict[int, tuple[Any, ...]] = {}
        env = SeatVecEnv(FOUR, n, heuristic(game("connect_four")), seed=3, threads=threads)
        env.reset()
        while len(found) < 150:
            at, own = env.tables.batch.games.copy(), env.tables.own.copy()
            _, rewards, dones, infos = env.step(env.action_masks().argmax(axis=1))
            found |= {int(at[i]): (int(own[i]), float(rewards[i]), infos[i]["episode"]["l"]) for i in np.flatnonzero(dones)}
        return found

    one, other, wide = played(8, 1), played(80, 1), played(80, 2)
    assert other == wide
    both = one.keys() & other.keys()
    assert len(both) > 60
    assert {k: one[k] for k in both} == {k: other[k] for k in both}


def test_an_agent_in_lock_step_plays_as_it_does_in_the_kernel():
    inside, outside = (SeatVecEnv(FOUR, 16, opponents, seed=9) for opponents in (UNIFORM, Policy(uniform)))
    assert agents_inside(outside.opponents, outside.game) == [None]
    assert agents_inside(inside.opponents, inside.game) != [None]
    for one, other in zip(steps(inside, 60), steps(outside, 60), strict=True):
        for mine, theirs in zip(one[:6], other[:6], strict=True):
            assert (mine == theirs).all()


class Noting:
    """Any legal action, and a list of the games it was asked in."""

    def __init__(self) -> None:
        self.name, self.games = "noting", set[int]()

    def act(self, obs: Any, mask: Any, ctx: Any) -> Any:
        self.games |= set(true_records(ctx)[0]["seed"].tolist())
        return UNIFORM.act(obs, mask, ctx)


def test_one_opponent_has_all_other_seats_for_a_game():
    line = [Noting(), Noting(), UNIFORM]
    for _ in steps(SeatVecEnv(TOYS[1], 16, line, seed=2), 80):
        pass
    first, second = line[0].games, line[1].games
    assert first
    assert second
    assert not first & second


def test_among_its_like_a_learner_wins_its_share():
    won = [info["won"] for *_, infos in steps(SeatVecEnv(TOYS[1], 200, seed=4), 120) for info in infos if "won" in info]
    assert len(won) > 1500
    assert abs(np.mean(won) - 1 / 3) < 4 * np.std(won) / np.sqrt(len(won))


def test_a_seat_may_be_given_and_seeds_repeat():
    env = SeatVecEnv(FOUR, 8, seat=1, seed=6)
    first = [(seen, rewards) for seen, _, _, _, rewards, _, _ in steps(env, 20)]
    assert (env.tables.own == 1).all()
    env.seed(6)
    for (seen, rewards), again in zip(first, steps(env, 20), strict=True):
        assert (seen == again[0]).all()
        assert (rewards == again[4]).all()


def test_saved_tables_go_on():
    env, twin = (SeatVecEnv(FOUR, 8, [UNIFORM, heuristic(game("connect_four"))], seed=7) for _ in range(2))
    for _ in steps(env, 30):
        pass
    twin.tables.restore(env.tables.kept())
    assert (twin.tables.obs == env.tables.obs).all()
    for _ in range(60):
        actions = env.action_masks().argmax(axis=1)
        for mine, theirs in zip(env.step(actions)[:3], twin.step(actions)[:3], strict=True):
            assert (mine == theirs).all()
    with pytest.raises(ValueError, match="saved tables: states"):
        SeatVecEnv(FOUR, 4).tables.restore(env.tables.kept())


def test_returns_of_every_seat():
    """With discount and lambda 1 what follows a decision is worth what its seat gets in the end."""
    env = SeatVecEnv(one_move.GAME.variant(), 6, every_seat=True)
    count = 5  # an odd number: of half the tables, the last game is cut
    buffer = Rollouts(count, env.observation_space, env.action_space, "cpu", gamma=1.0, gae_lambda=1.0, n_envs=6, env=env)
    luck = np.random.default_rng(0)
    seats, won = [], []
    env.reset()
    for _ in range(count):
        seats.append(env.tables.seat.copy())
        masks, actions = env.action_masks(), choices(env.action_masks(), luck)
        seen, rewards, dones, _ = env.step(actions)
        value = torch.from_numpy(luck.normal(size=6).astype(np.float32))
        buffer.add(seen, actions, rewards, np.zeros(6), value, value, action_masks=masks)
        won.append(actions == one_move.WIN)
    buffer.compute_returns_and_advantage(torch.full((6,), 7.0), dones)
    for t in range(count):
        for i in range(6):
            if seats[t][i] == 0 and t == count - 1:
                assert buffer.advantages[t, i] == 0  # its seat is not asked again before the end of the rollout
                assert buffer.returns[t, i] == buffer.values[t, i]
            else:
                first = t if seats[t][i] == 0 else t - 1
                sign = 1 if won[first][i] else -1
                assert buffer.returns[t, i] == pytest.approx(sign if seats[t][i] == 0 else -sign, abs=1e-5)


def test_the_best_rated_actions_are_those_of_the_heuristic():
    env = SeatVecEnv(FOUR, 64, ratings=True, seed=2)
    player = heuristic(env.game)
    seen = env.reset()
    for _ in range(6):
        masks, ratings = env.action_masks(), seen["ratings"]
        assert (seen["observation"] == env.tables.obs).all()
        assert (ratings[~masks] == 0).all()
        chosen = ask(player, env.tables)
        assert (ratings[np.arange(64), chosen] == 0).all()
        assert (np.where(masks, ratings, -np.inf).max(axis=1) == 0).all()
        seen, *_ = env.step(choices(masks, np.random.default_rng(5)))
    assert (ratings < -1e-3).any()


def test_shaping_moves_rewards_but_changes_no_sum(tmp_path):
    """What a game pays is its utility, less what its first position was worth to the learner; the plain rewards show the utility."""
    file = written(tmp_path / "value.safetensors", drawn(KUHN.FEATURES.size))
    for reward, scale in (("rank", lambda share: 2 * share - 1), ("win", lambda share: share)):
        shaped, plain = (SeatVecEnv("kuhn_poker", 32, seed=3, reward=reward, shaping=leaf) for leaf in (str(file), None))
        luck, sums = np.random.default_rng(0), np.zeros(32)
        shaped.reset(), plain.reset()
        first = shaped.worth.copy()
        assert first == pytest.approx(scale(shaped.adviser.shares()), abs=1e-6)
        assert np.ptp(first) > 0.01
        ended, between = 0, 0.0
        for _ in range(20):
            actions = choices(shaped.action_masks(), luck)
            _, rewards, dones, infos = shaped.step(actions)
            _, utility, *_ = plain.step(actions)
            sums += rewards
            assert sums[dones] == pytest.approx(utility[dones] - first[dones], abs=1e-5)
            assert all(infos[i]["episode"]["r"] == utility[i] for i in np.flatnonzero(dones))
            between = max(between, np.abs(rewards[~dones]).max(initial=0))
            ended += dones.sum()
            sums[dones], first[dones] = 0, shaped.worth[dones]
        assert ended > 100
        assert between > 1e-4
    for wrong in ({"every_seat": True}, {"reward": "score"}):
        with pytest.raises(ValueError, match="with reward rank or win"):
            SeatVecEnv("kuhn_poker", 2, shaping=str(file), **wrong)
    with pytest.raises(ValueError, match="no value comes with the package"):
        SeatVecEnv("kuhn_poker", 2, shaping="value")


def test_what_is_wrong_is_said():
    v = one_move.GAME.variant()
    for settings, words in (
        ({"n": 0}, "n=0"),
        ({"n": 4097}, "n=4097"),
        ({"seat": 2}, "seat=2"),
        ({"opponents": [3]}, "3 is no agent"),
        ({"opponents": "x"}, "agent 'x': one of uniform"),
        ({"opponents": []}, "at least one agent"),
        ({"every_seat": True, "seat": 0}, "neither opponents nor seat"),
        ({"v": []}, "at least one variant"),
        ({"v": [FOUR, "kuhn_poker-2p"]}, "one game only"),
        ({"reward": "fame"}, "reward 'fame'"),
    ):
        with pytest.raises(ValueError, match=words):
            SeatVecEnv(**({"v": v, "n": 2} | settings))
    env = SeatVecEnv(FOUR, 2)
    with pytest.raises(ValueError, match="call reset"):
        env.step(np.zeros(2, int))
    env.reset()
    with pytest.raises(ValueError, match="2 whole numbers"):
        env.step(np.zeros(3, int))
    before = env.tables.kept()
    with pytest.raises(IllegalAction) as caught:
        env.step(np.array([3, 7]))
    assert (caught.value.table, caught.value.action) == (1, 7)
    assert all((before[name] == now).all() for name, now in env.tables.kept().items())
    with pytest.raises(AttributeError, match="action_masks alone"):
        env.env_method("render")
    with pytest.raises(ValueError, match="all tables"):
        env.set_attr("reward", "win", [0])
