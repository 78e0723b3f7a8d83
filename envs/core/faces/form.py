"""The form in which observations leave a face."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from alehouse.envs.core.declare.game import Game

OBS = ("dict", "flat")
DTYPES = ("uint8", "float32")


class Form:
    """How observations are shown: alone ("flat") or with the mask ("dict"), as bytes or as float32, as they are or scaled to at most 1."""

    def __init__(self, game: Game, obs: str, dtype: Any, scaled: bool) -> None:
        if obs not in OBS:
            raise ValueError(f"obs={obs!r}: one of {', '.join(OBS)}")
        kind = getattr(dtype, "__name__", str(dtype or (DTYPES[scaled is True])))
        if kind not in DTYPES:
            raise ValueError(f"dtype={dtype!r}: one of {', '.join(DTYPES)}")
        if scaled not in (False, True) or (scaled and kind != "float32"):
            raise ValueError(f"scaled={scaled!r}, dtype={dtype!r}: scaled is True or False; scaled observations are float32")
        self.obs, self.kind, self.scaled, self.n_actions = obs, np.dtype(kind), bool(scaled), len(game.ACTIONS)
        self.most = np.concatenate([np.full(row.length, row.max, self.kind) for row in game.FEATURES.rows])
        # returns observations in a new array of the chosen numbers
        self.numbers: Callable[[npt.NDArray[np.uint8]], npt.NDArray[Any]]
        self.numbers = self._divided if self.scaled else np.ndarray.copy if kind == "uint8" else self._as_floats

    def _divided(self, seen: npt.NDArray[np.uint8]) -> npt.NDArray[Any]:
        """Return observations divided by the largest number that each byte can be."""
        found: npt.NDArray[np.float32] = np.divide(seen, self.most, dtype=np.float32)
        return found

    def _as_floats(self, seen: npt.NDArray[np.uint8]) -> npt.NDArray[Any]:
        """Return observations as float32."""
        return seen.astype(np.float32)

    def seen(self, seen: npt.NDArray[np.uint8], mask: npt.NDArray[np.int8]) -> Any:
        """Return observations in this form; the mask is taken as it is."""
        numbers = self.numbers(seen)
        return numbers if self.obs == "flat" else {"observation": numbers, "action_mask": mask}

    def box(self, times: int = 1) -> spaces.Box:
        """Return the space of the numbers of one or several observations, one after the other."""
        most = np.tile(np.ones_like(self.most) if self.scaled else self.most, times)
        return spaces.Box(np.zeros_like(most), most, dtype=self.kind.type)

    def space(self) -> spaces.Space[Any]:
        """Return the space of what a seat sees."""
        if self.obs == "flat":
            return self.box()
        return spaces.Dict(observation=self.box(), action_mask=spaces.Box(0, 1, (self.n_actions,), np.int8))
