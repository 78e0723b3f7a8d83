"""Measures the classic environments of PettingZoo, with uniform legal play; `env` has the customary wrappers, `raw_env` none."""

import random
from importlib.metadata import version
from typing import Any

from pettingzoo.classic import chess_v6, connect_four_v3, hanabi_v5
from protocol import SEEN, Case, games_one_by_one, serve

GAMES = (
    ("connect_four", connect_four_v3, "raw_env"),
    ("connect_four", connect_four_v3, "env"),
    ("hanabi", hanabi_v5, "env"),
    ("chess", chess_v6, "env"),
)


def case(game: str, module: Any, kind: str) -> Case:
    """Return the case of one environment."""
    env = getattr(module, kind)()

    def play(luck: random.Random) -> int:
        env.reset(seed=luck.getrandbits(31))
        decisions = 0
        for _ in env.agent_iter():
            observation, _, ended, cut, _ = env.last()
            if ended or cut:
                env.step(None)
                continue
            env.step(luck.choice(observation["action_mask"].nonzero()[0]))
            decisions += 1
        return decisions

    return Case(game, f"PettingZoo {kind}", SEEN, games_one_by_one(play))


if __name__ == "__main__":
    serve(version("pettingzoo"), [case(*game) for game in GAMES])
