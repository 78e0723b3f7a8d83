# /// script
# dependencies = ["alehouse[openspiel]", "shimmy[openspiel]"]
# [tool.alehouse]
# tests = "tests/alehouse/adapters/test_open_spiel.py"
# ///
"""OpenSpiel: its information-set tree search against its random bot in The Bloody Inn, and Shimmy's way back to PettingZoo."""

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts
from open_spiel.python.bots.uniform_random import UniformRandomBot
from shimmy import OpenSpielCompatibilityV0

import alehouse.adapters.open_spiel  # noqa: F401 - registers the game "alehouse"

game = pyspiel.load_game("alehouse", {"variant": "bloody_inn-2p"})
rng = np.random.RandomState(1)
searcher = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, rng), uct_c=2.0, max_simulations=20, random_state=rng)
bots = [searcher, UniformRandomBot(1, rng)]

state = game.new_initial_state()
while state.is_chance_node():  # the luck of the whole game: eight bytes of its seed
    state.apply_action(int(rng.choice([byte for byte, _ in state.chance_outcomes()])))
while not state.is_terminal():
    state.apply_action(int(bots[state.current_player()].step(state)))
print(state)
print("utilities of the search and the random bot:", state.returns())

env = OpenSpielCompatibilityV0(game_name="alehouse", config={"variant": "bloody_inn-2p"})
env.reset(seed=1)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    if terminated or truncated:
        break
    env.step(int(env.action_space(agent).sample(info["action_mask"])))
print("a random game through Shimmy:", env.rewards)
