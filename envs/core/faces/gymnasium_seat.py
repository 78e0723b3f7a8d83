"""The Gymnasium environment for one seat at one table: the vector environment with a single table."""

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from alehouse.envs.core.declare.game import Variant
from alehouse.envs.core.faces.gymnasium_vector import SeatVectorEnv
from alehouse.envs.core.faces.settings import RENDER_MODES, check_options


class SeatEnv(gymnasium.Env[Any, Any]):
    """One seat at one table, with opponents in the others; SeatVectorEnv describes the settings."""

    metadata = {"render_modes": RENDER_MODES, "render_fps": 1}  # noqa: RUF012

    def __init__(self, variant: Variant | str | None = None, **settings: Any) -> None:
        self.vector = SeatVectorEnv(1, variant, **settings)
        self.render_mode = self.vector.render_mode
        self.observation_space = self.vector.single_observation_space
        self.action_space = self.vector.single_action_space
        self._open = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start the first game of this seed or, without a seed, the next game of the series."""
        check_options(options)
        seen, infos = self.vector.reset(seed=seed)
        super().reset(seed=seed)
        self._open = True
        self._show()
        return first(seen), first(infos)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play an action of one's own, then let the opponents play up to one's next decision."""
        if not self._open:
            raise ValueError("no game is in progress: call reset() first")
        seen, rewards, terminated, truncated, infos = self.vector.step(np.reshape(action, -1))
        self._open = not (terminated[0] or truncated[0])
        self._show()
        return first(seen), float(rewards[0]), bool(terminated[0]), bool(truncated[0]), first(infos)

    def render(self) -> Any:
        """Return or show the table as the render mode says, as far as one may know it."""
        return self.vector.render()[0]

    def _repr_svg_(self) -> str:
        return self.vector.tables.svg(0, int(self.vector.tables.own[0]))

    def action_masks(self) -> npt.NDArray[np.int8]:
        """Return the mask of legal actions."""
        masks: npt.NDArray[np.int8] = self.vector.action_masks()[0]
        return masks

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


def first(batch: Any) -> Any:
    """Return the entry of the first table, out of a batch of one."""
    if not isinstance(batch, dict):
        return batch[0]
    return {key: value[0] for key, value in batch.items() if not key.startswith("_")}
