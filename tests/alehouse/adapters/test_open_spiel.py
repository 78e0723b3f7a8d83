"""Games as OpenSpiel sees them; `make examples` runs these tests, where OpenSpiel and Shimmy are installed."""

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")
shimmy = pytest.importorskip("shimmy")

from open_spiel.python import rl_environment  # noqa: E402
from open_spiel.python.algorithms import ismcts, mcts  # noqa: E402

import alehouse  # noqa: E402
import alehouse.adapters.open_spiel  # noqa: E402


def load(variant):
    return pyspiel.load_game("alehouse", {"variant": variant})


def dealt(game, seed):
    """The state after the bytes of a seed."""
    state = game.new_initial_state()
    for byte in seed.to_bytes(8):
        state.apply_action(byte)
    return state


def played(state, *names):
    """The state after actions given by name."""
    for name in names:
        state.apply_action(state.string_to_action(state.current_player(), name))
    return state


@pytest.mark.parametrize("variant", ["kuhn_poker-2p", "connect_four-2p", "bloody_inn-1p", "bloody_inn-3p?start.cash=6"])
def test_random_games_pass_open_spiels_own_test(variant):
    pyspiel.random_sim_test(load(variant), num_sims=1, serialize=True, verbose=False)


def test_a_game_is_found_by_its_text():
    game = load("bloody_inn-2p?start.cash=6")
    assert pyspiel.load_game(str(game)).variant == alehouse.variant("bloody_inn-2p?start.cash=6")


def test_a_history_is_the_seed_and_the_actions():
    state, rng = dealt(load("bloody_inn-2p"), 987654321), np.random.RandomState(1)
    while not state.is_terminal():
        state.apply_action(int(rng.choice(state.legal_actions())))
    tables = alehouse.Tables("bloody_inn-2p", autoreset=False)
    tables.reset(seeds=int.from_bytes(bytes(state.history()[:8])))
    for action in state.history()[8:]:
        tables.step([action])
    assert tables.over[0]
    assert state.returns() == tables.utility[0].tolist()
    assert sum(state.returns()) == 0


def test_kuhn_poker_has_twelve_information_states():
    seen, game, rng = set(), load("kuhn_poker-2p"), np.random.RandomState(1)
    for seed in range(300):
        state = dealt(game, seed)
        while not state.is_terminal():
            seen.add((state.current_player(), state.information_state_string()))
            state.apply_action(int(rng.choice(state.legal_actions())))
    assert len(seen) == 12


def test_resampling_keeps_what_the_player_knows_and_deals_the_rest_again():
    state = played(dealt(load("kuhn_poker-2p"), 5), "pass")
    twins = [state.resample_from_infostate(1, np.random.RandomState(k).uniform) for k in range(20)]
    assert {twin.information_state_string(1) for twin in twins} == {state.information_state_string(1)}
    assert len({twin.observation_string(0) for twin in twins}) == 2  # the other player may hold either of the other two cards
    assert {tuple(twin.history()) for twin in twins} == {()}


@pytest.mark.parametrize("search", ["mcts", "ismcts"])
def test_searches_find_the_only_good_answer(search):
    game, rng = load("connect_four-2p"), np.random.RandomState(1)
    columns = [game.variant.action_names[k] for k in (0, 6, 0, 6, 0, 6)]
    state = played(dealt(game, 1), *columns)  # three in a column: the fourth wins
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    bot = mcts.MCTSBot(game, 2.0, 100, evaluator, random_state=rng)
    if search == "ismcts":
        bot = ismcts.ISMCTSBot(game, evaluator, 2.0, 100, random_state=rng)
    assert bot.step(state) == 0


def test_a_learner_of_open_spiel_plays_a_game():
    env, rng = rl_environment.Environment(load("bloody_inn-2p")), np.random.RandomState(1)
    env.seed(1)
    now = env.reset()
    while not now.last():
        player = now.observations["current_player"]
        seen = np.array(now.observations["info_state"][player])
        assert seen.min() >= 0
        assert seen.max() <= 1
        now = env.step([int(rng.choice(now.observations["legal_actions"][player]))])
    assert sorted(now.rewards) == [-1, 1]


def test_shimmy_leads_back_to_the_same_game():
    env = shimmy.OpenSpielCompatibilityV0(game_name="alehouse", config={"variant": "bloody_inn-2p"})
    env.reset(seed=3)
    tables = alehouse.Tables("bloody_inn-2p", autoreset=False)
    tables.reset(seeds=int.from_bytes(bytes(env.game_state.history())))
    rng = np.random.default_rng(1)
    for agent in env.agent_iter():
        seen, _, terminated, _, info = env.last()
        if terminated:
            break
        seat = env.possible_agents.index(agent)
        assert seat == tables.seat[0]
        assert (info["action_mask"] == tables.mask[0]).all()
        assert np.allclose(seen * env.game_state.get_game().largest, tables.obs[0])
        action = int(rng.choice(np.flatnonzero(tables.mask[0])))
        env.step(action)
        tables.step([action])
    assert tables.over[0]
    assert [env.rewards[agent] for agent in env.possible_agents] == tables.utility[0].tolist()
