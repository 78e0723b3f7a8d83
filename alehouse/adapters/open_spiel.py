"""Alehouse's games as games of OpenSpiel: importing this module registers the game "alehouse".

    pyspiel.load_game("alehouse", {"variant": "bloody_inn-2p"})
    pyspiel.load_game("alehouse(variant=bloody_inn-2p?start.cash:6)")

In such a text a colon stands for the equals sign, which OpenSpiel keeps for itself.

All luck comes first: eight chance nodes draw the eight bytes of the game's seed, so a history is the seed followed by the actions, and a
search that clones a state (MCTS) knows hidden facts and future luck. A search that begins with `resample_from_infostate` (IS-MCTS) does
not.
"""

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyspiel

from alehouse.envs.core.declare.game import as_variant
from alehouse.envs.core.run.tables import Tables

SEED_BYTES = 8
KIND: dict[str, Any] = {
    "short_name": "alehouse",
    "long_name": "Alehouse",
    "dynamics": pyspiel.GameType.Dynamics.SEQUENTIAL,
    "chance_mode": pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    "information": pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    "reward_model": pyspiel.GameType.RewardModel.TERMINAL,
    "provides_information_state_string": True,
    "provides_information_state_tensor": False,
    "provides_observation_string": True,
    "provides_observation_tensor": True,
    "parameter_specification": {"variant": "connect_four-2p"},
}


def kind(fewest: int, most: int) -> pyspiel.GameType:
    """Return the type of games for these numbers of players; with several players the utilities add up to zero."""
    utility = pyspiel.GameType.Utility.ZERO_SUM if fewest > 1 else pyspiel.GameType.Utility.GENERAL_SUM
    return pyspiel.GameType(**KIND, utility=utility, min_num_players=fewest, max_num_players=most)


class Game(pyspiel.Game):
    """One variant as a game of OpenSpiel; its utility is Alehouse's "rank", from 1 for the first to -1 for the last."""

    def __init__(self, params: Mapping[str, Any]) -> None:
        self.variant = as_variant(params["variant"].replace(":", "="))
        seats = self.variant.seats
        info = pyspiel.GameInfo(
            num_distinct_actions=self.variant.n_actions,
            max_chance_outcomes=256,
            num_players=seats,
            min_utility=-1.0,
            max_utility=1.0,
            **({"utility_sum": 0.0} if seats > 1 else {}),
            max_game_length=self.variant.spec.bound(self.variant) + SEED_BYTES,  # Shimmy counts chance nodes too
        )
        super().__init__(kind(seats, seats), info, {"variant": str(self.variant).replace("=", ":")})
        self.largest = np.concatenate([np.full(row.length, max(row.max, 1), np.float32) for row in self.variant.spec.FEATURES.rows])

    def new_initial_state(self) -> "State":
        """Return the state in which no luck has been drawn yet."""
        return State(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return the number of bytes of a seed."""
        return SEED_BYTES

    def make_py_observer(self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None) -> "Observer":
        """Return what shows a player's view of a state."""
        if params:
            raise ValueError(f"observer: parameters {params} are not known")
        return Observer(self, iig_obs_type is not None and iig_obs_type.perfect_recall)


class State(pyspiel.State):
    """A position: the bytes of the seed drawn so far, then one table."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.seed = b""
        self.tables: Tables | None = None
        self.past = [b""] * game.num_players()  # for each player, a digest of what it saw at its decisions and what it chose

    def current_player(self) -> int:
        """Return the player to move, chance, or that the game is over."""
        if self.tables is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.tables.over[0] else int(self.tables.seat[0])

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.tables is not None and bool(self.tables.over[0])

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the values of the next byte of the seed, which are equally likely."""
        return [(byte, 1 / 256) for byte in range(256)]

    def returns(self) -> list[float]:
        """Return the players' utilities, which are 0 before the end."""
        if not self.is_terminal():
            return [0.0] * self.num_players()
        assert self.tables is not None
        return [float(u) for u in self.tables.utility[0]]

    def resample_from_infostate(self, player: int, sampler: Any) -> "State":
        """Return a state that the player cannot tell from this one; all that the player cannot know is dealt again, future luck too.

        Its history is empty, because no true seed and moves lead to it.
        """
        assert self.tables is not None
        twin: State = self.get_game().new_initial_state()
        twin.tables = self.tables.determinize(player, int(sampler() * 2**53))
        twin.past[player] = self.past[player]
        return twin

    def _legal_actions(self, player: int) -> list[int]:
        assert self.tables is not None
        return np.flatnonzero(self.tables.mask[0]).tolist()

    def _apply_action(self, action: int) -> None:
        if self.tables is None:
            self.seed += bytes([action])
            if len(self.seed) == SEED_BYTES:
                self.tables = Tables(self.get_game().variant, autoreset=False)
                self.tables.reset(seeds=int.from_bytes(self.seed))
            return
        player = int(self.tables.seat[0])
        seen = self.past[player] + self.tables.obs[0].tobytes() + int(action).to_bytes(4)
        self.past[player] = hashlib.blake2b(seen, digest_size=16).digest()
        self.tables.step([action])

    def _action_to_string(self, player: int, action: int) -> str:
        return f"seed byte {action}" if player == pyspiel.PlayerId.CHANCE else str(self.get_game().variant.action_names[action])

    def __str__(self) -> str:
        return f"seed {self.seed.hex()}" if self.tables is None else self.tables.text(0)


class Observer:
    """A player's view of a state: as numbers from 0 to 1, and as a string.

    The string of an information state also holds a digest of what the player saw and chose before.
    """

    def __init__(self, game: Game, perfect_recall: bool) -> None:
        self.largest, self.perfect_recall = game.largest, perfect_recall
        self.tensor = np.zeros(game.largest.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: State, player: int) -> None:
        """Write a player's view of a state into the tensor."""
        self.tensor[:] = 0 if state.tables is None else state.tables.observe(0, player) / self.largest

    def string_from(self, state: State, player: int) -> str:
        """Return a player's view of a state as a string."""
        if state.tables is None:
            return ""
        seen = state.tables.observe(0, player).tobytes().hex()
        return f"{state.past[player].hex()} {seen}" if self.perfect_recall else seen


pyspiel.register_game(kind(1, 8), Game)
