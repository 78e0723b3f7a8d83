"""Tables as PufferLib sees them; these tests run where PufferLib is installed."""

import numpy as np
import pytest

pytest.importorskip("pufferlib")

import pufferlib.vector

import alehouse
from alehouse.adapters.puffer import PufferTables


def legal(env, seen, rng):
    """A random legal action for each row."""
    _, mask = env.split(seen)
    return (rng.random(mask.shape) * mask).argmax(axis=1)


def test_observations_masks_and_rewards_are_those_of_the_tables():
    env, rng = PufferTables("kuhn_poker-2p", 16, seat=0), np.random.default_rng(1)
    seen, _ = env.reset(seed=3)
    ends = 0
    for _ in range(30):
        view, mask = env.split(seen)
        assert (view == env.tables.obs).all()
        assert (mask == env.tables.mask).all()
        seen, rewards, terminals, truncations, infos = env.step(legal(env, seen, rng))
        assert (np.abs(rewards) == terminals).all()  # two seats: one wins, one loses
        assert not truncations.any()
        assert len(infos) == terminals.any()
        if terminals.any():
            assert infos[0]["won"] == pytest.approx((rewards[terminals] == 1).mean())
        ends += terminals.sum()
    assert ends > 100


def test_an_illegal_action_is_refused():
    env, rng = PufferTables("connect_four-2p", 1, seat=0), np.random.default_rng(1)
    seen, _ = env.reset(seed=1)
    while env.split(seen)[1].all():  # until a column is full
        seen, *_ = env.step(legal(env, seen, rng))
    with pytest.raises(alehouse.IllegalAction):
        env.step(env.split(seen)[1].argmin(axis=1))


def test_pufferlibs_own_vector_shares_its_memory_with_the_tables():
    vector = pufferlib.vector.make(
        PufferTables, env_kwargs={"variant": "kuhn_poker-2p", "n": 8}, num_envs=2, backend=pufferlib.vector.Serial
    )
    seen, _ = vector.reset(seed=1)
    first, second = vector.envs
    assert np.shares_memory(first.observations, vector.observations)
    rng = np.random.default_rng(1)
    for _ in range(20):
        actions = np.concatenate([legal(env, env.observations, rng) for env in (first, second)])
        seen, *_ = vector.step(actions)
    assert (second.split(seen[8:])[1] == second.tables.mask).all()
