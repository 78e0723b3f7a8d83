"""Measures OpenSpiel: games stepped from Python, with and without observation and mask, and roll-outs inside its C++ code."""

import random
import time
from importlib.metadata import version
from typing import Any

import pyspiel
from protocol import BARE, SEEN, Case, games_one_by_one, serve

GAMES = ("connect_four", "gin_rummy", "backgammon")
ROLLOUTS = 100  # roll-outs in each call of the C++ code
SAMPLE = 200  # games from which the mean number of decisions is taken, for roll-outs report none


def played(game: Any, luck: random.Random, seen: bool) -> int:
    """Play a game at random and return its number of decisions; chance is drawn by its probabilities and is no decision."""
    state, decisions = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(luck.choices(outcomes, chances)[0])
            continue
        if seen:
            state.observation_tensor()
            state.legal_actions_mask()
        state.apply_action(luck.choice(state.legal_actions()))
        decisions += 1
    return decisions


def rollouts(game: Any) -> Any:
    """Return a `run` that plays whole games inside C++: a tree search of one simulation, whose leaf is the first position."""
    luck = random.Random(0)
    start = game.new_initial_state()
    while start.is_chance_node():
        outcomes, chances = zip(*start.chance_outcomes(), strict=True)
        start.apply_action(luck.choices(outcomes, chances)[0])
    lengths: list[int] = []

    def run(seconds: float, seed: int) -> tuple[int, int, float]:
        if not lengths:
            lengths.extend(played(game, luck, False) for _ in range(SAMPLE))
        bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(ROLLOUTS, seed), 1.0, 1, 100, False, seed, False)
        games = 0
        begin = now = time.perf_counter()
        while now - begin < seconds:
            bot.mcts_search(start)
            games += ROLLOUTS
            now = time.perf_counter()
        return round(games * sum(lengths) / len(lengths)), games, now - begin

    return run


def cases() -> list[Case]:
    """Return three cases of each game."""
    found = []
    for name in GAMES:
        game = pyspiel.load_game(name)
        for seen in (True, False):
            how = "OpenSpiel, Python loop"
            found.append(Case(name, how, SEEN if seen else BARE, games_one_by_one(lambda luck, g=game, s=seen: played(g, luck, s))))
        found.append(Case(name, "OpenSpiel, C++ roll-outs", BARE, rollouts(game)))
    return found


if __name__ == "__main__":
    serve(version("open_spiel"), cases())
