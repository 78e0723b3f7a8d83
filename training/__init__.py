"""Training: tune the weights of a heuristic, or train a network by self-play."""

from typing import Any

__all__ = ["SeatVecEnv"]


def __getattr__(name: str) -> Any:
    """Load a part that needs the extra `train` when it is first used."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from alehouse.training.seat_vec_env import SeatVecEnv
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("stable_baselines3", "torch"):
            raise
        raise ModuleNotFoundError("SeatVecEnv needs Stable-Baselines3: pip install 'alehouse[train]'", name=error.name) from None
    return SeatVecEnv
