"""Measures RLCard: its environments step one decision at a time and return an observation with the legal actions."""

import random
from importlib.metadata import version
from typing import Any

import rlcard
from protocol import SEEN, Case, games_one_by_one, serve

GAMES = {"uno": "uno", "gin-rummy": "gin_rummy", "leduc-holdem": "leduc_holdem"}


def case(name: str, game: str) -> Case:
    """Return the case of one environment."""
    env: Any = rlcard.make(name)

    def play(luck: random.Random) -> int:
        state, _ = env.reset()
        decisions = 0
        while not env.is_over():
            state, _ = env.step(luck.choice(list(state["legal_actions"])))
            decisions += 1
        return decisions

    return Case(game, "RLCard", SEEN, games_one_by_one(play))


if __name__ == "__main__":
    serve(version("rlcard"), [case(*item) for item in GAMES.items()])
