"""What all faces share: the choice of a variant, the spaces, how text is shown, and checks of settings."""

import warnings
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from alehouse.envs.core.declare.game import Game, Variant, as_variant
from alehouse.envs.core.declare.numbers import Value
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.show.draw import need_pixels, pixels, show

RENDER_MODES = ["ansi", "human", "rgb_array"]
ON_ILLEGAL = ("terminate", "penalize", "raise")
IDLE = ("none", "any")  # which answers the mask of a seat allows that is not asked
PATIENCE = 100  # a game that penalizes illegal actions is truncated after this many in a row


def chosen(
    game: Game | str | None,
    variant: Variant | str | None,
    seats: int | None,
    modules: Sequence[str],
    length: str | None,
    overrides: Mapping[str, Value] | None,
) -> Variant:
    """Return the variant that the caller gave, whole or by its parts."""
    spec = as_variant(game).spec if isinstance(game, str) else game
    if variant is None:
        if spec is None:
            raise ValueError("variant: give one, such as 'connect_four-2p'")
        return spec.variant(seats, modules if isinstance(modules, str) else tuple(modules), length, overrides)
    if seats is not None or modules or length is not None or overrides:
        raise ValueError(f"variant {str(variant)!r}: give a variant, or its seats, modules, length and overrides; not both")
    v = as_variant(variant)
    if spec is not None and v.spec is not spec:
        raise ValueError(f"variant {str(v)!r}: not one of {spec.name}")
    return v


def check_settings(render_mode: str | None, on_illegal: str, idle: str = IDLE[0]) -> None:
    """Raise a ValueError unless each setting has one of its possible values."""
    possible = {"render_mode": (None, *RENDER_MODES), "on_illegal": ON_ILLEGAL, "idle": IDLE}
    for name, value in (("render_mode", render_mode), ("on_illegal", on_illegal), ("idle", idle)):
        if value not in possible[name]:
            raise ValueError(f"{name}={value!r}: one of {', '.join(str(p) for p in possible[name])}")
    if render_mode == "rgb_array":
        need_pixels()


def check_options(options: Mapping[str, Any] | None, known: Collection[str] = ()) -> None:
    """Warn about options of `reset` that no face knows."""
    unknown = [repr(name) for name in options or () if name not in known]
    if unknown:
        warnings.warn(f"reset options {', '.join(unknown)}: not known, ignored", stacklevel=3)


def fresh_seed() -> int:
    """Return a random seed for a face that was given none."""
    return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])


def shown(tables: Tables, i: int, seat: int | None, render_mode: str | None) -> Any:
    """Return a table as the render mode says, as far as a seat may know it: in words or as pixels; or show it."""
    if render_mode == "ansi":
        return tables.text(i, seat)
    if render_mode == "rgb_array":
        return pixels(tables.svg(i, seat))
    if render_mode == "human":
        show(tables.view(i, seat), tables.text(i, seat))
    else:
        warnings.warn(f"render: the environment was made without a render_mode; one of {', '.join(RENDER_MODES)}", stacklevel=3)
    return None
