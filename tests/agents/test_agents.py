"""Agents: what they are given, how they are called, and the uniform agent."""

import copy
import pickle

import numba
import numpy as np
import pytest

from alehouse.agents import UNIFORM, Context, OneByOne, Policy, ask
from alehouse.envs.core import faces
from alehouse.envs.core.run.context import true_records
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.games import REFERENCE


class Highest:
    """The legal action with the highest number: an agent in five lines."""

    def act(self, obs, mask):
        return int(np.flatnonzero(mask)[-1])


@numba.njit
def lowest(obs, mask, key):
    for a in range(mask.size):
        if mask[a]:
            return a
    return -1


@pytest.mark.lanes
@pytest.mark.parametrize("name", REFERENCE)
def test_uniform_plays_whole_games(name):
    tables = Tables(name, n=20, autoreset=False)
    while not tables.over.all():
        playing = np.flatnonzero(~tables.over)
        actions = ask(UNIFORM, tables, playing)
        assert (tables.mask[playing, actions] == 1).all()
        tables.step(actions, playing)


def test_uniform_is_uniform_over_what_is_legal():
    n = 14000
    tables = Tables("connect_four", n=n, seed=1)
    for _ in range(6):
        tables.step(np.full(n, 3))
    counts = np.bincount(ask(UNIFORM, tables), minlength=7)
    assert counts[3] == 0
    assert max(abs(np.delete(counts, 3) - n / 6)) < 5 * np.sqrt(n * 5 / 36)


@pytest.mark.parametrize("agent", [UNIFORM, OneByOne(Highest()), Policy(lowest)], ids=lambda agent: agent.name)
def test_answers_do_not_depend_on_the_place_in_the_batch(agent):
    tables = Tables("connect_four", n=50, seed=3)
    for _ in range(9):
        tables.step(tables.sample())
    order = np.random.default_rng(0).permutation(50)
    assert (ask(agent, tables)[order] == ask(agent, tables, order)).all()
    assert ask(agent, tables, order[:1])[0] == ask(agent, tables)[order[0]]


def test_adapters_hand_on_what_the_agent_sees():
    tables = Tables("connect_four", n=3)
    for _ in range(6):
        tables.step([0, 6, 3])
    assert ask(Policy(lowest), tables).tolist() == [1, 0, 0]
    assert ask(OneByOne(Highest()), tables).tolist() == [6, 5, 6]
    assert (Policy(lowest).name, OneByOne(Highest()).name, OneByOne(Highest(), "top").name) == ("lowest", "Highest", "top")


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is jitted")
def test_a_policy_must_be_jitted():
    with pytest.raises(ValueError, match="OneByOne"):
        Policy(lambda obs, mask, key: 0)


@pytest.mark.parametrize("answer", [None, 0.0, "0", [0]])
def test_a_player_must_answer_with_a_number(answer):
    class Dazed:
        def act(self, obs, mask):
            return answer

    with pytest.raises(ValueError, match="'Dazed'"):
        ask(OneByOne(Dazed()), Tables("kuhn_poker"))


@pytest.mark.parametrize("answer", [None, 0, [0], [0.0, 0.0], [[0, 0]], [0, 0, 0]])
def test_an_agent_must_answer_with_one_number_a_row(answer):
    class Dazed:
        name = "dazed"

        def act(self, obs, mask, ctx):
            return answer

    with pytest.raises(ValueError, match="'dazed': 2 whole numbers"):
        ask(Dazed(), Tables("kuhn_poker", n=2))


def test_agents_can_not_change_the_table():
    class Cheat:
        def act(self, obs, mask, ctx):
            obs[:], mask[:] = 0, 1
            return mask.argmax(axis=1)

    tables = Tables("kuhn_poker", n=2)
    before = tables.obs.tobytes(), tables.mask.tobytes()
    ask(Cheat(), tables)
    assert (tables.obs.tobytes(), tables.mask.tobytes()) == before


def test_agents_can_be_copied():
    tables = Tables("connect_four", n=30, seed=8)
    for twin in (copy.deepcopy(UNIFORM), pickle.loads(pickle.dumps(UNIFORM))):
        assert (ask(twin, tables) == ask(UNIFORM, tables)).all()


# Context


def test_a_context_tells_who_decides_what():
    tables = Tables(["kuhn_poker-2p"] * 4, seed=1)
    tables.step([0, 1], which=[1, 2])
    ctx = Context.of(tables, [2, 0, 1])
    assert ctx.seats.tolist() == [1, 0, 1]
    assert [str(v) for v in ctx.variants] == ["kuhn_poker-2p"] * 3
    assert ctx.game is tables.game
    assert Context.of(tables).seats.tolist() == [0, 1, 1, 0]


def test_nothing_in_a_context_leads_to_the_true_states():
    tables = Tables("kuhn_poker", n=3, seed=1)
    ctx = Context.of(tables)
    for name in dir(ctx):
        found = getattr(ctx, name)
        assert not isinstance(found, Tables | np.recarray)
        assert not np.may_share_memory(found, tables.states) if isinstance(found, np.ndarray) else True
    true = true_records(ctx)[0]
    assert (true == tables.states).all()
    assert not np.may_share_memory(true, tables.states)


def test_a_redealt_batch_does_not_lead_back_to_the_true_game():
    tables = Tables("kuhn_poker", n=50, seed=7)
    for _ in range(5):
        tables.step(tables.sample())
    for redealt in (Context.of(tables).redeal(3), tables.determinize(0, 3)):
        assert redealt.seed != 7
        assert not redealt.batch.log.any()
        true = {*tables.seeds.tolist(), *tables.batch.ended_seeds.tolist()}
        for _ in range(6):
            assert not true & {*redealt.seeds.tolist(), *redealt.states["seed"].tolist(), *redealt.batch.ended_seeds.tolist()}
            redealt.step(redealt.sample())
            tables.step(tables.sample())
            true |= set(tables.seeds.tolist())


def test_keys_belong_to_the_decision():
    tables = Tables("connect_four", n=100, seed=1)
    first = Context.of(tables).keys
    assert len(set(first.tolist())) == 100
    assert not set(first.tolist()) & set(tables.seeds.tolist())
    for _ in range(2):
        tables.step(tables.sample())
        assert not set(Context.of(tables).keys.tolist()) & set(first.tolist())
    same = Tables("connect_four", n=7, seed=1)
    assert (Context.of(same, [6, 2]).keys == first[[6, 2]]).all()


def test_keys_do_not_depend_on_what_was_played():
    left, right = (Tables("connect_four", n=5, seed=1) for _ in range(2))
    left.step([0, 1, 2, 3, 4])
    right.step([6, 6, 6, 6, 6])
    assert (Context.of(left).keys == Context.of(right).keys).all()


def test_redeals_keep_what_one_knows_and_not_what_one_does_not():
    n = 4000
    tables = Tables("kuhn_poker", n=n, seed=2)
    tables.step(tables.sample())
    before = tables.states.tobytes()
    ctx = Context.of(tables)
    redealt = ctx.redeal(0)
    assert tables.states.tobytes() == before
    assert (redealt.obs == tables.obs).all()
    assert (redealt.seat == tables.seat).all()
    changed = (redealt.states["card"] != tables.states["card"]).any(axis=1)
    assert abs(changed.sum() - n / 2) < 5 * np.sqrt(n / 4)
    assert not set(redealt.seeds.tolist()) & set(tables.seeds.tolist())
    assert redealt.seed == 0
    assert (ctx.redeal(1).states["card"] != redealt.states["card"]).any()
    assert (ctx.redeal(0).states == redealt.states).all()
    some = Context.of(tables, [70, 3]).redeal(0)
    assert (some.states == redealt.states[[70, 3]]).all()


@pytest.mark.parametrize("key", [-1, 2**32, 0.5, True])
def test_bad_redeal_keys(key):
    with pytest.raises(ValueError, match="key"):
        Context.of(Tables("kuhn_poker")).redeal(key)


# At the table


def test_an_agent_against_copies_of_itself_wins_its_share():
    vector = faces.SeatVectorEnv(1000, "connect_four-2p", opponents=UNIFORM, reward="win")
    _, infos = vector.reset(seed=0)
    total = games = 0
    while games < 6000:
        actions = np.zeros(1000, np.int64)
        playing = np.flatnonzero(infos["action_mask"].any(axis=1))
        actions[playing] = ask(UNIFORM, vector.tables, playing)
        _, rewards, terminated, _, infos = vector.step(actions)
        total, games = total + rewards.sum(), games + terminated.sum()
    assert abs(total - games / 2) < 5 * np.sqrt(games / 4)


@pytest.mark.parametrize(
    ("opponent", "columns", "reward"),
    [(Policy(lowest), [6, 6, 6, 6], 1), (OneByOne(Highest()), [0, 0, 0, 1], -1)],
)
def test_adapted_agents_sit_down_as_opponents(opponent, columns, reward):
    env = faces.SeatEnv("connect_four-2p", opponents=opponent, seat=0)
    env.reset(seed=0)
    for column in columns[:-1]:
        assert env.step(column)[1:3] == (0, False)
    assert env.step(columns[-1])[1:3] == (reward, True)
