"""The policy of MaskablePPO for these games, its rollout buffers, and its export to a file that plays without torch.

Policy and value share layers of the shape that `agents.network` can play. Observations and masks stay bytes until a minibatch is made of
them.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableDictRolloutBuffer, MaskableRolloutBuffer
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.buffers import RolloutBuffer
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

from alehouse.agents.network_file import packed
from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.run.tables import Tables
from alehouse.training.network import measured, write_net
from alehouse.training.seat_vec_env import SeatVecEnv

Arrays = dict[str, npt.NDArray[Any]]
Seen = torch.Tensor | dict[str, torch.Tensor]  # a batch of observations, without ratings or with them
TRUST, REACH = 3.0, 2.0  # how much the heuristic's ratings count, and how far below the best one a rating counts
SAMPLED = 256  # the scale of inputs is measured at this many tables, and for this many steps at each
BARRED = -1e8  # the logit given to an illegal action


class Trunk(BaseFeaturesExtractor):
    """The layers that policy and value share: features times their scales, then two layers as in `training.network.Net`.

    Without scales each feature is divided by the largest number that it can be.
    """

    scale: torch.Tensor

    def __init__(self, observation_space: spaces.Space[Any], width: int, scale: npt.NDArray[np.float32] | None) -> None:
        super().__init__(observation_space, width)
        box = observation_space["observation"] if isinstance(observation_space, spaces.Dict) else observation_space
        assert isinstance(box, spaces.Box)
        self.register_buffer("scale", torch.from_numpy((1 / np.maximum(box.high, 1)).astype(np.float32) if scale is None else scale))
        size = self.scale.numel()
        self.layers = torch.nn.Sequential(torch.nn.Linear(size, width), torch.nn.ReLU(), torch.nn.Linear(width, width), torch.nn.ReLU())

    def forward(self, observations: Seen) -> torch.Tensor:
        """Return the last layer for a batch of observations, with ratings or without."""
        numbers = observations["observation"] if isinstance(observations, dict) else observations
        found: torch.Tensor = self.layers(numbers.float() * self.scale)
        return found


class Policy(MaskableActorCriticPolicy):
    """A policy that adds `trust` times the heuristic's ratings to the logits, if observations hold ratings (`SeatVecEnv(ratings=True)`).

    A rating counts as at least minus `reach`. Policy and value share two layers of `width`; `scale` holds a factor for each feature, see
    `scale_of`. It is faster than that of sb3-contrib: it computes one softmax instead of two. The entropy is divided by the highest one
    that the number of legal actions allows.
    """

    def __init__(
        self, *given: Any, width: int = 64, scale: npt.NDArray[np.float32] | None = None, trust: float = TRUST, reach: float = REACH,
        **options: Any,
    ) -> None:  # fmt: skip
        self.trust, self.reach = trust, reach
        layers: dict[str, Any] = {
            "features_extractor_class": Trunk,
            "features_extractor_kwargs": {"width": width, "scale": scale},
            "net_arch": [],
        }
        super().__init__(*given, **layers | options)

    def _get_constructor_parameters(self) -> dict[str, Any]:
        return super()._get_constructor_parameters() | {"trust": self.trust, "reach": self.reach}

    def forward(self, obs: Seen, deterministic: bool = False, action_masks: Any = None) -> tuple[torch.Tensor, ...]:  # type: ignore[override]
        """Return actions, values, and the logarithms of the actions' probabilities."""
        logs, values = self._outputs(obs, action_masks)
        if deterministic:
            actions = logs.argmax(1)
        else:
            heights = logs.softmax(1).cumsum(1)
            drawn = 1 - torch.rand(len(heights), 1)  # on the processor, so that runs on a graphics card draw the same numbers
            actions = (heights < drawn.to(heights.device) * heights[:, -1:]).sum(1)
        return actions, values, logs.gather(1, actions[:, None])[:, 0]

    def evaluate_actions(  # type: ignore[override]
        self, obs: Seen, actions: torch.Tensor, action_masks: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return values, the logarithms of the actions' probabilities, and entropies."""
        logs, values = self._outputs(obs, action_masks)
        most = action_masks.sum(1).clamp(min=2).log()
        entropy = -(logs.softmax(1) * logs).sum(1) / most  # exp would be slow where a probability is 0
        return values, logs.gather(1, actions[:, None])[:, 0], entropy

    def get_distribution(self, obs: Seen, action_masks: Any = None) -> MaskableDistribution:
        """Return the distribution of actions."""
        found: MaskableDistribution = self.action_dist.proba_distribution(action_logits=self._logits(obs, self.features_extractor(obs)))
        if action_masks is not None:
            found.apply_masking(action_masks)
        return found

    def predict_values(self, obs: Seen) -> torch.Tensor:
        """Return the values of positions."""
        found: torch.Tensor = self.value_net(self.features_extractor(obs))
        return found

    def _outputs(self, obs: Seen, masks: Any) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the logarithm of each action's probability, 0 as the probability of illegal ones, and the values."""
        latent = self.features_extractor(obs)
        legal = torch.as_tensor(masks, dtype=torch.bool, device=latent.device)
        return torch.log_softmax(torch.where(legal, self._logits(obs, latent), BARRED), 1), self.value_net(latent)

    def _logits(self, obs: Seen, latent: torch.Tensor) -> torch.Tensor:
        """Return the logit of each action."""
        found: torch.Tensor = self.action_net(latent)
        return found + self.trust * obs["ratings"].clamp(min=-self.reach) if isinstance(obs, dict) else found


class AlongSeats(RolloutBuffer):
    """What both rollout buffers share: masks as bytes and, where every seat learns, returns computed along each seat of each table.

    The last decision of a seat in a rollout teaches nothing, if the seat's next decision lies beyond the rollout.
    """

    def __init__(self, *args: Any, env: SeatVecEnv, **options: Any) -> None:
        self.env = env
        super().__init__(*args, **options)

    def reset(self) -> None:
        """Empty the buffer."""
        steps, n, seats = self.buffer_size, self.n_envs, self.env.tables.utility.shape[1]
        super().reset()
        self.action_masks = np.zeros((steps, n, len(self.env.game.ACTIONS)), np.bool_)
        self.moved = np.zeros((steps, n), np.int8)
        self.over = np.zeros((steps, n), np.bool_)
        self.utility = np.zeros((steps, n, seats), np.float32)

    def add(self, *args: Any, **options: Any) -> None:
        """Keep one step of all tables, with the seats that decided and with the results of games that ended."""
        at = self.pos
        super().add(*args, **options)
        tables = self.env.tables
        self.moved[at], self.over[at], self.utility[at] = tables.moved, tables.over, tables.utility

    def compute_returns_and_advantage(self, last_values: torch.Tensor, dones: npt.NDArray[Any]) -> None:
        """Compute returns and advantages (GAE): along each seat if every seat learns, or else along each table."""
        if not self.env.every_seat:
            super().compute_returns_and_advantage(last_values, dones)
            return
        n, seats = self.utility.shape[1:]
        rows = np.arange(n)
        known = np.zeros((n, seats), np.bool_)  # whether the seat's next decision, or the end of its game, is known
        # the value and the advantage at the seat's next decision, and the reward until then
        after, ahead, paid = np.zeros((3, n, seats), np.float32)
        here = rows, self.env.tables.seat
        known[here], after[here] = True, last_values.flatten().cpu().numpy()
        for t in reversed(range(self.buffer_size)):
            over = self.over[t]
            known[over], after[over], ahead[over], paid[over] = True, 0.0, 0.0, self.utility[t][over]
            here = rows, self.moved[t]
            surprise = paid[here] + self.gamma * (after[here] + self.gae_lambda * ahead[here]) - self.values[t]
            self.advantages[t] = np.where(known[here], surprise, 0.0)
            known[here], after[here], ahead[here], paid[here] = True, self.values[t], self.advantages[t], 0.0
        self.returns = self.advantages + self.values


class Rollouts(AlongSeats, MaskableRolloutBuffer):
    """A rollout buffer for observations alone."""


class RatedRollouts(AlongSeats, MaskableDictRolloutBuffer):
    """A rollout buffer for observations with ratings."""


def weights_of(policy: torch.nn.Module) -> Arrays:
    """Return the weights of a policy as arrays."""
    return {name: value.cpu().numpy() for name, value in policy.state_dict().items()}


def record_of(policy: Any, game: Game) -> npt.NDArray[Any]:
    """Return a `Policy` as a network of `agents.network`: an array of one record. The scale is multiplied into the first weights."""
    found = weights_of(policy)
    trunk = "features_extractor."
    return packed(
        game,
        {
            "first": found[f"{trunk}layers.0.weight"].T * found[f"{trunk}scale"][:, None],
            "first_bias": found[f"{trunk}layers.0.bias"],
            "second": found[f"{trunk}layers.2.weight"].T,
            "second_bias": found[f"{trunk}layers.2.bias"],
            "policy": found["action_net.weight"],
            "policy_bias": found["action_net.bias"],
            "value": found["value_net.weight"],
            "value_bias": found["value_net.bias"],
            "trust": np.array([policy.trust if isinstance(policy.observation_space, spaces.Dict) else 0.0]),
            "reach": np.array([policy.reach]),
        },
    )


def export(model: MaskablePPO, path: Path | str, command: str = "", results: dict[str, Any] | None = None) -> int:
    """Write a model whose policy is `Policy`, and whose environment is a SeatVecEnv, to a file that agents play from without torch.

    Return the size of the file in bytes.
    """
    if not isinstance(model.policy, Policy):
        raise ValueError(f"export: the policy is a {type(model.policy).__name__}; agents play alehouse.training.sb3_policy.Policy")
    assert isinstance(model.env, SeatVecEnv)
    return write_net(Path(path), model.env.game, record_of(model.policy, model.env.game), command, results)


def scale_of(variants: Sequence[Variant], seed: int = 0) -> npt.NDArray[np.float32]:
    """Return the scale of each feature, measured in random games so that the mean sum of squares equals the number of features."""
    tables = Tables([variants[k % len(variants)] for k in range(max(SAMPLED, len(variants)))], seed=seed)
    seen = []
    for step in range(SAMPLED):
        if step % 8 == 0:
            seen.append(tables.obs.copy())
        tables.step(tables.sample())
    scale, active = measured(tables.game, np.concatenate(seen))
    return np.asarray(scale * np.sqrt(scale.size / active), np.float32)
