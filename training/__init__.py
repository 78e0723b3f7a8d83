"""Training: agents that get better, by tuning their weights or by learning."""

from typing import Any

__all__ = ["SeatVecEnv"]


def __getattr__(name: str) -> Any:
    """What needs the extra `train` is loaded when it is asked for."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from alehouse.training.seat_vec_env import SeatVecEnv
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("stable_baselines3", "torch"):
            raise
        raise ModuleNotFoundError("SeatVecEnv needs Stable-Baselines3: pip install 'alehouse[train]'", name=error.name) from None
    return SeatVecEnv
