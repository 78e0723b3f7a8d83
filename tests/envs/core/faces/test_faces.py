"""The PettingZoo and Gymnasium environments pass the checks of these libraries, and show what the tables say."""

import copy
import importlib
import itertools
import pickle
import subprocess
import sys
from functools import partial

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.utils.env_match import check_environments_match
from gymnasium.vector import AutoresetMode
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test, state_test

from alehouse.agents import UNIFORM
from alehouse.envs.core import faces
from alehouse.envs.core.run.luck import game_seed
from alehouse.envs.core.run.tables import IllegalAction, Tables
from alehouse.envs.games import GAMES, REFERENCE, game, newest
from tests.slow import slow

NAMES = (*GAMES, *REFERENCE)
FORMS = ("dict", "flat")

each_game = pytest.mark.parametrize("name", [*REFERENCE, GAMES[0], *map(slow, GAMES[1:])])
each_form = pytest.mark.parametrize("obs", FORMS)


def module(name):
    return importlib.import_module(game(name).module)


def title(name):
    return f"alehouse/{''.join(word.title() for word in name.split('_'))}-v{newest(name)}"


def legal(mask, luck):
    return int(luck.choice(np.flatnonzero(mask)))


def illegal(name):
    """An action that is never legal."""
    return len(game(name).ACTIONS)


def mover(env):
    """Who is to move."""
    return env.possible_agents[env.tables.seat[0]]


# PettingZoo's own checks


@each_game
@each_form
@pytest.mark.filterwarnings("ignore")
def test_pettingzoo_checks(name, obs, capsys):
    env, parallel_env = (partial(getattr(module(name), face), obs=obs) for face in ("env", "parallel_env"))
    api_test(env(), num_cycles=200)
    api_test(module(name).raw_env(obs=obs), num_cycles=50)
    seed_test(env, num_cycles=50)
    parallel_api_test(parallel_env(), num_cycles=200)
    parallel_seed_test(parallel_env, num_cycles=50)
    state_test(env(), parallel_env())
    if obs == "dict":
        render_test(env)


# AEC and Parallel


@each_game
def test_aec_shows_what_the_tables_say(name):
    env, luck = module(name).raw_env(), np.random.default_rng(0)
    tables = Tables(name, n=1, seed=4, autoreset=False)
    env.reset(seed=4)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, info = env.last()
        assert not truncated
        if tables.over[0]:
            assert terminated
            assert reward == tables.utility[0, env.possible_agents.index(agent)]
            env.step(None)
            continue
        assert not terminated
        assert reward == 0
        assert agent == f"player_{tables.seat[0]}"
        assert (seen["observation"] == tables.obs[0]).all()
        for other in env.agents:
            look = env.observe(other)
            assert list(look) == ["observation", "action_mask"]
            assert (look["observation"] == tables.observe(0, env.possible_agents.index(other))).all()
            assert (look["action_mask"] == (tables.mask[0] if other == agent else 0)).all()
            assert (env.infos[other]["action_mask"] == look["action_mask"]).all()
        assert info["action_mask"].dtype == np.int8
        action = legal(info["action_mask"], luck)
        env.step(action)
        tables.step([action])
    assert env.agents == []
    assert tables.over[0]
    assert env.tables.replay(0).actions == tables.replay(0).actions


@each_game
@each_form
def test_parallel_shows_what_aec_shows(name, obs):
    aec, parallel = module(name).env(obs=obs), module(name).parallel_env(obs=obs)
    luck = np.random.default_rng(1)
    aec.reset(seed=9)
    seen, infos = parallel.reset(seed=9)
    while True:
        assert parallel.agents == aec.possible_agents
        assert data_equivalence(seen, {agent: aec.observe(agent) for agent in aec.possible_agents}, exact=True)
        assert data_equivalence(infos, aec.infos, exact=True)
        assert (parallel.state() == aec.state()).all()
        asked = [agent for agent in parallel.agents if infos[agent]["action_mask"].any()]
        assert asked == [aec.agent_selection]
        action = legal(infos[asked[0]]["action_mask"], luck)
        actions = {agent: action if agent in asked else -1 for agent in parallel.agents}
        seen, rewards, terminations, truncations, infos = parallel.step(actions)
        aec.step(action)
        assert (rewards, terminations, truncations) == (aec.rewards, aec.terminations, aec.truncations)
        if not parallel.agents:
            break
    assert all(terminations.values())
    assert data_equivalence(seen, {agent: aec.observe(agent) for agent in aec.possible_agents}, exact=True)
    assert not any(info["action_mask"].any() for info in infos.values())


@each_game
@each_form
def test_observations_stay_as_they_were(name, obs):
    env, luck = module(name).env(obs=obs), np.random.default_rng(2)
    env.reset(seed=0)
    kept = []
    for _ in range(3):
        seen, *_, info = env.last()
        kept.append((seen, copy.deepcopy(seen), info, copy.deepcopy(info)))
        env.step(legal(info["action_mask"], luck) if not env.terminations[env.agent_selection] else None)
    assert all(data_equivalence(a, b) and data_equivalence(c, d) for a, b, c, d in kept)
    assert len({pickle.dumps(after) for _, after, *_ in kept}) == 3


@each_game
def test_a_seed_decides_everything_and_games_follow_from_it(name):
    env = module(name).raw_env()
    env.reset(seed=5)
    for k in range(1, 4):
        env.reset()
        assert env.tables.seeds[0] == game_seed(np.uint64(5), k)
    env.reset(seed=5)
    assert env.tables.seeds[0] == game_seed(np.uint64(5), 0)
    fresh = [module(name).raw_env().tables.seeds[0] for _ in range(2)]
    assert fresh[0] != fresh[1]


@each_game
@pytest.mark.parametrize("face", ["raw_env", "parallel_env"])
def test_unknown_reset_options_warn(name, face):
    env = getattr(module(name), face)()
    with pytest.warns(UserWarning, match="'colour'"):
        env.reset(seed=1, options={"colour": "red"})
    assert env.agents == env.possible_agents


def finished(env, seed):
    """The last state of a game played to its end."""
    luck = np.random.default_rng(seed)
    while env.agents:
        env.step(None if env.terminations[env.agent_selection] else legal(env.last()[4]["action_mask"], luck))
    return env.tables.states.tobytes()


@each_game
@pytest.mark.parametrize("way", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env)), lambda env: env.clone()])
def test_copies_keep_the_state_and_share_nothing(name, way):
    env = module(name).env()
    env.reset(seed=3)
    env.step(legal(env.last()[4]["action_mask"], np.random.default_rng(0)))
    twin = way(env)
    before = env.tables.states.tobytes()
    end = finished(twin, 1)
    assert env.tables.states.tobytes() == before != end
    assert not any(env.terminations.values())
    assert finished(env, 1) == end
    env.reset()
    twin.reset()
    assert env.tables.states.tobytes() == twin.tables.states.tobytes()


@each_game
@pytest.mark.parametrize("face", ["raw_env", "parallel_env"])
def test_text(name, face, capsys):
    env = getattr(module(name), face)(render_mode="ansi")
    env.reset(seed=0)
    assert env.render() == env.tables.text(0)
    assert capsys.readouterr().out == ""
    printing = getattr(module(name), face)(render_mode="human")
    printing.reset(seed=0)
    assert capsys.readouterr().out.strip() == env.tables.text(0)
    assert printing.render() is None
    assert capsys.readouterr().out.strip() == env.tables.text(0)
    silent = getattr(module(name), face)()
    silent.reset(seed=0)
    with pytest.warns(UserWarning, match="render_mode"):
        assert silent.render() is None


# What is not allowed


def play(env, action):
    """One action of whoever is to move, through either face: (rewards, terminations, truncations, infos)."""
    if isinstance(env, pettingzoo.AECEnv):
        env.step(action)
        return dict(env.rewards), dict(env.terminations), dict(env.truncations), dict(env.infos)
    return env.step(dict.fromkeys(env.agents, action))[1:]


@each_game
@pytest.mark.parametrize("face", ["env", "parallel_env"])
def test_illegal_actions_raise_if_told(name, face):
    env = getattr(module(name), face)(on_illegal="raise")
    env.reset(seed=2)
    before = env.tables.states.tobytes(), pickle.dumps(getattr(env, "rewards", None))
    with pytest.raises(IllegalAction) as refusal:
        play(env, illegal(name))
    assert (f"player_{refusal.value.seat}", refusal.value.action) == (mover(env), illegal(name))
    assert (env.tables.states.tobytes(), pickle.dumps(getattr(env, "rewards", None))) == before
    assert env.agents == env.possible_agents


def test_raw_raises_and_the_others_terminate():
    for name in NAMES:
        faces_of = module(name)
        assert [getattr(faces_of, face)().on_illegal for face in ("raw_env", "env", "parallel_env")] == ["raise", "terminate", "terminate"]


@each_game
@pytest.mark.parametrize("face", ["env", "parallel_env"])
def test_illegal_actions_terminate(name, face):
    env = getattr(module(name), face)()
    env.reset(seed=2)
    offender = mover(env)
    rewards, terminations, truncations, infos = play(env, illegal(name))
    assert rewards == {agent: -1.0 if agent == offender else 0.0 for agent in env.possible_agents}
    assert all(terminations.values())
    assert not any(truncations.values())
    assert "is not legal" in infos[offender]["illegal"]
    assert not any(info["action_mask"].any() for info in infos.values())


@each_game
@pytest.mark.parametrize("face", ["env", "parallel_env"])
def test_illegal_actions_are_penalized_and_cut_off_after_a_hundred(name, face):
    env = getattr(module(name), face)(on_illegal="penalize")
    env.reset(seed=2)
    before, offender = env.tables.states.tobytes(), mover(env)
    for k in range(1, 101):
        mask = env.tables.mask[0].copy()
        rewards, terminations, truncations, infos = play(env, illegal(name))
        assert rewards == {agent: -1.0 if agent == offender else 0.0 for agent in env.possible_agents}
        assert env.tables.states.tobytes() == before
        assert not any(terminations.values())
        assert all(truncations.values()) == any(truncations.values()) == (k == 100)
        assert (infos[offender]["action_mask"] == (0 if k == 100 else mask)).all()


@each_game
@pytest.mark.parametrize("face", ["env", "parallel_env"])
def test_a_legal_action_wipes_the_slate(name, face):
    env = getattr(module(name), face)(on_illegal="penalize")
    env.reset(seed=2)
    for _ in range(99):
        play(env, illegal(name))
    rewards, _, truncations, infos = play(env, int(np.flatnonzero(env.tables.mask[0])[0]))
    assert set(rewards.values()) == {0.0}
    assert not any("illegal" in info for info in infos.values())
    for _ in range(99):
        *_, truncations, _ = play(env, illegal(name))
        assert not any(truncations.values())


@each_game
def test_penalties_add_up_until_the_offender_acts(name):
    env = module(name).env(on_illegal="penalize")
    env.reset(seed=2)
    env.step(illegal(name))
    assert env.last()[1] == -1
    env.step(illegal(name))
    assert env.last()[1] == -1


@each_game
@pytest.mark.parametrize("face", ["env", "parallel_env"])
@pytest.mark.parametrize("action", [None, 0.0, "0", [0], 2**70])
def test_what_is_no_action_is_an_error(name, face, action):
    env = getattr(module(name), face)()
    env.reset(seed=2)
    before = env.tables.states.tobytes()
    with pytest.raises(ValueError, match="whole number"):
        play(env, action)
    assert env.tables.states.tobytes() == before
    assert env.agents == env.possible_agents


@each_game
def test_out_of_turn(name):
    env = module(name).env()
    with pytest.raises(ValueError, match="reset"):
        env.step(0)
    env.reset(seed=0)
    env.step(illegal(name))
    with pytest.raises(ValueError, match="None"):
        env.step(0)
    while env.agents:
        env.step(None)
    with pytest.raises(ValueError, match="reset"):
        env.step(0)
    with pytest.raises(ValueError, match="'player_9'"):
        env.observe("player_9")
    parallel = module(name).parallel_env()
    with pytest.raises(ValueError, match="reset"):
        parallel.step({})
    parallel.reset(seed=0)
    asked = mover(parallel)
    with pytest.raises(ValueError, match=f"{asked} is to move"):
        parallel.step({agent: 0 for agent in parallel.agents if agent != asked})
    with pytest.raises(ValueError, match="'dealer'"):
        parallel.step({asked: 0, "dealer": 0})


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"seats": 9}, "seats 2"),
        ({"modules": ("storm",)}, "'storm'"),
        ({"length": "endless"}, "'endless'"),
        ({"overrides": {"price": 1}}, "'price'"),
        ({"variant": "connect_four-2p", "seats": 2}, "not both"),
        ({"variant": "kuhn_poker-2p"}, "connect_four"),
        ({"variant": "chess-2p"}, "'chess'"),
        ({"variant": 3}, "variant 3"),
        ({"render_mode": "film"}, "ansi"),
        ({"on_illegal": "ignore"}, "penalize"),
        ({"reward": "gold"}, "rank"),
        ({"obs": "image"}, "flat"),
    ],
)
@pytest.mark.parametrize("kind", ["env", "raw_env", "parallel_env", "seat", "vector"])
def test_bad_settings_are_one_clear_error(kind, settings, words):
    if kind == "seat":
        make = partial(faces.SeatEnv, game="connect_four")
    elif kind == "vector":
        make = partial(faces.SeatVectorEnv, 3, game="connect_four")
    else:
        make = getattr(module("connect_four"), kind)
    with pytest.raises(ValueError, match=words):
        make(**settings)


def test_bad_seeds():
    for env in (module("kuhn_poker").env(), module("kuhn_poker").parallel_env(), gymnasium.make(title("kuhn_poker")).unwrapped):
        for seed in (-1, 2**64, 0.5, "x", True):
            with pytest.raises(ValueError, match="seed"):
                env.reset(seed=seed)


@pytest.mark.parametrize(("reward", "expected"), [("score", [2.0, -2.0]), ("rank", [1.0, -1.0]), ("win", [1.0, 0.0])])
def test_rewards_are_what_was_asked_for(reward, expected):
    env = module("kuhn_poker").env(reward=reward)
    for seed in range(20):
        env.reset(seed=seed)
        if env.tables.states["card"][0, 0] > env.tables.states["card"][0, 1]:
            break
    bet = env.variant.action("bet")
    env.step(bet)
    env.step(bet)
    assert [env.rewards[agent] for agent in env.possible_agents] == expected
    assert env.last()[1:4] == (expected[0], True, False)


# Registries


def test_importing_alehouse_registers_and_loads_no_game():
    code = "import alehouse, sys; print([m for m in sys.modules for g in alehouse.GAMES + alehouse.REFERENCE if m.split('.')[-1] == g])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"


def test_every_game_is_in_the_registries():
    for name in (*GAMES, *REFERENCE):
        for version in range(2 if name in GAMES else 1):
            assert title(name)[:-1] + str(version) in gymnasium.registry
            for kind in ("aec", "parallel"):
                registry = getattr(pettingzoo, f"{kind}_registry", None)
                assert registry is None or f"alehouse/{name}-v{version}" in registry


@each_game
def test_environments_are_made_by_name(name):
    if hasattr(pettingzoo, "make"):
        aec = pettingzoo.make("aec", f"alehouse/{name}-v{newest(name)}", obs="flat")
        parallel = pettingzoo.make("parallel", f"alehouse/{name}-v{newest(name)}", on_illegal="penalize")
        assert str(aec) == str(parallel) == f"{name}_v{newest(name)}"
        assert (aec.obs, parallel.on_illegal) == ("flat", "penalize")
    assert gymnasium.make(title(name), reward="win").unwrapped.vector.tables.reward == "win"
    assert gymnasium.make_vec(title(name), num_envs=3).num_envs == 3


# Gymnasium


@each_game
@each_form
def test_gymnasium_checks(name, obs, capsys):
    check_env(gymnasium.make(title(name), obs=obs).unwrapped)
    a, b = (gymnasium.make(title(name), obs=obs, render_mode="ansi") for _ in range(2))
    check_environments_match(a, b, 50, seed=3, skip_render=True)  # Gymnasium 1.2 compares pictures only
    assert a.render() == b.render()


@each_game
@each_form
@pytest.mark.parametrize("seat", [None, 1])
def test_one_environment_is_a_vector_of_one(name, obs, seat):
    single = gymnasium.make(title(name), obs=obs, seat=seat).unwrapped
    vector = gymnasium.make_vec(title(name), num_envs=1, obs=obs, seat=seat)
    assert vector.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    luck = np.random.default_rng(0)

    def first(batch):
        return {key: value[0] for key, value in batch.items() if key[0] != "_"} if isinstance(batch, dict) else batch[0]

    left, right = single.reset(seed=6), vector.reset(seed=6)
    games = 0
    while games < 20:
        assert data_equivalence(left[0], first(right[0]), exact=True)
        assert data_equivalence(left[-1], first(right[-1]), exact=True)
        assert left[0] in single.observation_space
        assert right[0] in vector.observation_space
        if len(left) == 5:
            assert left[1:4] == tuple(part[0] for part in right[1:4])
        if len(left) == 5 and left[2]:
            left, right = single.reset(), vector.step(np.array([0]))
            assert (right[1][0], right[2][0], right[3][0]) == (0, False, False)
            games += 1
        else:
            action = legal(left[-1]["action_mask"], luck)
            left, right = single.step(action), vector.step(np.array([action]))


@each_game
def test_a_game_is_the_same_alone_or_in_a_batch(name):
    vector, single = gymnasium.make_vec(title(name), num_envs=8), gymnasium.make(title(name)).unwrapped
    seen, infos = vector.reset(seed=3)
    for k in range(8):
        alone, info = single.reset(seed=3 if k == 0 else None)
        assert (alone == seen[k]).all()
        assert info["seat"] == infos["seat"][k]


@each_game
def test_the_seat_is_given_or_drawn_evenly(name):
    vector = gymnasium.make_vec(title(name), num_envs=3000)
    seats = vector.unwrapped.variant.seats
    counts = np.bincount(vector.reset(seed=0)[1]["seat"], minlength=seats)
    assert counts.size == seats
    assert max(abs(counts - 3000 / seats)) < 5 * np.sqrt(3000 * (seats - 1)) / seats
    for seat in range(seats):
        given = gymnasium.make_vec(title(name), num_envs=5, seat=seat)
        assert (given.reset(seed=0)[1]["seat"] == seat).all()
        assert (given.unwrapped.tables.seat == seat).all()
    for seat in (-1, seats, 0.5, "x"):
        with pytest.raises(ValueError, match="seat"):
            gymnasium.make_vec(title(name), seat=seat)


@each_game
def test_a_reset_mask_touches_only_its_tables(name):
    vector = gymnasium.make_vec(title(name), num_envs=6)
    vector.reset(seed=1)
    before = vector.unwrapped.tables.states.copy()
    seeds = vector.unwrapped.tables.seeds.copy()
    which = np.array([True, False, False, True, False, False])
    vector.reset(options={"reset_mask": which})
    after = vector.unwrapped.tables
    assert (after.seeds != seeds).tolist() == which.tolist()
    assert (after.states[~which] == before[~which]).all()
    assert after.seeds[which].tolist() == [game_seed(np.uint64(1), 6), game_seed(np.uint64(1), 9)]
    for mask in ([True], np.zeros(6, bool), np.ones(6), "all"):
        with pytest.raises(ValueError, match="reset_mask"):
            vector.reset(options={"reset_mask": mask})
    with pytest.raises(ValueError, match="reset_mask"):
        vector.reset(seed=1, options={"reset_mask": which})
    with pytest.warns(UserWarning, match="'colour'"):
        vector.reset(options={"colour": 1})


@each_game
def test_vector_arrays_are_new_every_step(name):
    vector = gymnasium.make_vec(title(name), num_envs=4)
    kept = [vector.reset(seed=1)]
    for _ in range(4):
        kept.append(vector.step(kept[-1][-1]["action_mask"].argmax(axis=1)))
    for a, b in itertools.pairwise(kept):
        assert not np.shares_memory(a[0], b[0])
        assert not np.shares_memory(a[-1]["action_mask"], b[-1]["action_mask"])


class Always:
    """Always the same action; notes whom it played for."""

    def __init__(self, action):
        self.action = action
        self.seats = set()

    def act(self, obs, mask, ctx):
        self.seats |= set(ctx.seats.tolist())
        return np.full(len(obs), self.action)


@pytest.mark.parametrize("seat", [0, 1])
def test_opponents_play_the_other_seats(seat):
    passer = Always(0)
    env = gymnasium.make(title("kuhn_poker"), opponents=passer, seat=seat, reward="score")
    for seed in range(10):
        env.reset(seed=seed)
        _, reward, terminated, *_ = env.step(1)  # a bet against a seat that never calls
        assert terminated
        assert reward == 1
    assert passer.seats == {1 - seat}


def test_a_caller_pays_the_higher_card():
    env = gymnasium.make(title("kuhn_poker"), opponents=[Always(1)], seat=0, reward="score").unwrapped
    rewards = set()
    for seed in range(30):
        env.reset(seed=seed)
        cards = env.vector.tables.states["card"][0]
        reward = env.step(1)[1]
        assert reward == (2 if cards[0] > cards[1] else -2)
        rewards.add(reward)
    assert rewards == {2, -2}


class Spy:
    """Plays uniformly and notes the seats it plays for."""

    def __init__(self):
        self.seats = set()

    def act(self, obs, mask, ctx):
        self.seats |= set(ctx.seats.tolist())
        return UNIFORM.act(obs, mask, ctx)


def test_opponents_sit_in_order_of_play_from_ones_own_seat():
    spies, other = [Spy(), Spy(), Spy()], Spy()
    for opponents in (spies, other):
        vector = faces.SeatVectorEnv(4, "bloody_inn-4p", opponents=opponents, seat=2)
        _, infos = vector.reset(seed=0)
        for _ in range(5):
            *_, infos = vector.step(infos["action_mask"].argmax(axis=1))
    assert [spy.seats for spy in spies] == [{3}, {0}, {1}]
    assert other.seats == {0, 1, 3}


def test_one_can_play_alone():
    env = faces.SeatEnv("bloody_inn-1p")
    _, info = env.reset(seed=0)
    over = False
    while not over:
        _, reward, over, _, info = env.step(info["action_mask"].argmax())
    assert reward == env.vector.tables.utility[0, 0]


@pytest.mark.parametrize("face", ["env", "raw_env", "parallel_env"])
def test_settings_make_the_variant(face):
    make = getattr(module("bloody_inn"), face)
    env = make(seats=2, modules=["events", "carnies"], length="long", overrides={"start.cash": 6})
    assert str(env.variant) == "bloody_inn-2p-carnies+events-long?start.cash=6"
    assert str(make("bloody_inn-2p-carnies+events-long?start.cash=6").variant) == str(env.variant)
    assert str(make(env.variant).variant) == str(env.variant)
    assert env.possible_agents == ["player_0", "player_1"]


@pytest.mark.parametrize("opponents", [[], [Always(0), Always(0)], [3], object()])
def test_bad_opponents(opponents):
    with pytest.raises(ValueError, match="opponents"):
        faces.SeatEnv("kuhn_poker-2p", opponents=opponents)


@pytest.mark.parametrize("answer", [0, [0, 0], 0.5, None])
def test_opponents_that_do_not_answer_are_named(answer):
    class Dazed:
        name = "dazed"

        def act(self, obs, mask, ctx):
            return answer if isinstance(answer, list) else [answer] if answer else answer

    env = faces.SeatEnv("kuhn_poker-2p", opponents=Dazed(), seat=1)
    with pytest.raises(ValueError, match="'dazed'"):
        env.reset(seed=0)


def test_an_opponents_illegal_action_is_an_error():
    env = faces.SeatEnv("kuhn_poker-2p", opponents=Always(7), seat=1)
    with pytest.raises(IllegalAction) as refusal:
        env.reset(seed=0)
    assert (refusal.value.seat, refusal.value.action) == (0, 7)


def test_after_an_opponents_error_nobody_moves_for_it():
    opponent = Always(0)
    vector = faces.SeatVectorEnv(3, "kuhn_poker-2p", opponents=opponent, seat=0)
    vector.reset(seed=0)
    opponent.action = 7
    with pytest.raises(IllegalAction):
        vector.step([0, 0, 0])
    opponent.action = 0
    _, rewards, terminated, _, infos = vector.step([0, 0, 0])
    assert not rewards.any()
    assert not terminated.any()
    assert (vector.tables.states["asked"] == 0).all()
    assert infos["action_mask"].all()


@each_game
def test_illegal_actions_at_one_table_of_many(name):
    for on_illegal in ("terminate", "penalize", "raise"):
        vector = faces.SeatVectorEnv(3, game=name, on_illegal=on_illegal, seat=0)
        _, infos = vector.reset(seed=1)
        before = vector.tables.states.copy()
        actions = infos["action_mask"].argmax(axis=1)
        actions[1] = illegal(name)
        if on_illegal == "raise":
            with pytest.raises(IllegalAction) as refusal:
                vector.step(actions)
            assert refusal.value.table == 1
            assert (vector.tables.states == before).all()
            continue
        _, rewards, terminated, truncated, infos = vector.step(actions)
        assert rewards[1] == -1
        assert terminated[1] == (on_illegal == "terminate")
        assert not truncated[1]
        assert vector.tables.states[1] == before[1]
        assert (vector.tables.states != before).tolist() == [True, False, True]
        assert infos["action_mask"][1].any() == (on_illegal == "penalize")
        _, rewards, terminated, *_ = vector.step(np.where(infos["action_mask"].any(axis=1), infos["action_mask"].argmax(axis=1), 0))
        assert vector.tables.seeds[1] == (game_seed(np.uint64(1), 4) if on_illegal == "terminate" else game_seed(np.uint64(1), 1))


@each_game
def test_a_hundred_illegal_actions_truncate(name):
    env = faces.SeatEnv(game=name, on_illegal="penalize")
    env.reset(seed=0)
    for k in range(1, 101):
        _, reward, terminated, truncated, _ = env.step(illegal(name))
        assert (reward, terminated, truncated) == (-1, False, k == 100)
    with pytest.raises(ValueError, match="reset"):
        env.step(0)


@each_game
def test_illegal_actions_in_a_row_are_counted_by_table(name):
    vector = faces.SeatVectorEnv(3, game=name, on_illegal="penalize", seat=0)
    _, infos = vector.reset(seed=0)
    actions = np.full(3, illegal(name))
    for _ in range(50):
        vector.step(actions)
    vector.reset(options={"reset_mask": np.array([True, False, False])})
    mixed = actions.copy()
    mixed[1] = infos["action_mask"][1].argmax()
    vector.step(mixed)
    for k in range(1, 52):
        *_, truncated, _ = vector.step(actions)
        if k == 49:
            assert truncated.tolist() == [False, False, True]
        elif k < 49:
            assert not truncated.any()
    _, rewards, _, truncated, infos = vector.step(actions)
    assert rewards.tolist() == [-1, -1, -1]
    assert not truncated.any()
    assert vector.tables.seeds.tolist() == [game_seed(np.uint64(0), k) for k in (3, 1, 5)]


@each_game
def test_the_last_observation_is_ones_own(name):
    vector = faces.SeatVectorEnv(20, game=name)
    seen, infos = vector.reset(seed=0)
    ends = 0
    for _ in range(2 * vector.variant.bound):
        seen, _, terminated, _, infos = vector.step(infos["action_mask"].argmax(axis=1))
        for i in np.flatnonzero(terminated):
            assert (seen[i] == vector.tables.observe(int(i), int(infos["seat"][i]))).all()
            assert seen[i].any()
        ends += terminated.sum()
        if ends > 20:
            return
    raise AssertionError("too few games ended")


@pytest.mark.parametrize("actions", [[0], [0.0, 0.0], [[0, 0]], None, "ab"])
def test_malformed_batches_of_actions(actions):
    vector = faces.SeatVectorEnv(2, "kuhn_poker-2p")
    vector.reset(seed=0)
    with pytest.raises(ValueError, match="actions"):
        vector.step(actions)


@each_game
@pytest.mark.parametrize("way", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_of_gymnasium_environments_keep_the_state(name, way):
    vector = faces.SeatVectorEnv(5, game=name, opponents=None)
    _, infos = vector.reset(seed=2)
    *_, infos = vector.step(infos["action_mask"].argmax(axis=1))
    twin = way(vector)
    before = vector.tables.states.copy()
    actions = infos["action_mask"].argmax(axis=1)
    moved = twin.step(actions)
    assert (vector.tables.states == before).all()
    assert data_equivalence(moved, vector.step(actions), exact=True)


@each_game
def test_text_shows_what_ones_seat_may_know(name, capsys):
    env = faces.SeatEnv(game=name, render_mode="ansi", seat=1)
    env.reset(seed=0)
    assert env.render() == env.vector.tables.text(0, 1)
    faces.SeatEnv(game=name, render_mode="human", seat=1).reset(seed=0)
    assert capsys.readouterr().out.strip() == env.render()
