"""A game as a small file: its variant, its seed and its actions, with digests to tell whether it still plays the same."""

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from alehouse.envs.core.declare.game import Variant, as_variant
from alehouse.envs.core.run.files import write_atomically

if TYPE_CHECKING:
    from alehouse.envs.core.run.tables import Tables

FORMAT = "alehouse-replay-1"


@dataclass(frozen=True)
class Replay:
    """One game, over or under way."""

    variant: str
    rules: str
    seed: int
    actions: tuple[int, ...]
    final: str  # digest of the state after the last action
    format: str = FORMAT

    @classmethod
    def of(cls, v: Variant | str, seed: int, actions: Sequence[int]) -> "Replay":
        """Play the actions and note where they lead."""
        v = as_variant(v)
        bare = cls(str(v), v.rules_digest, int(seed), tuple(int(a) for a in actions), "")
        return cls(bare.variant, bare.rules, bare.seed, bare.actions, state_digest(bare.tables()))

    def tables(self, moves: int | None = None) -> "Tables":
        """A table after all the actions, or after the first few; IllegalAction if one is not legal."""
        from alehouse.envs.core.run.tables import Tables

        tables = Tables(as_variant(self.variant), n=1, autoreset=False)
        tables.reset(seeds=[self.seed])
        for action in self.actions[:moves]:
            if tables.over[0]:
                raise ValueError("there are actions after the end of the game")
            tables.step([action])
        return tables

    def verify(self) -> None:
        """Raise a ValueError unless it plays to the end it names, by the rules it names."""
        digest = as_variant(self.variant).rules_digest
        if digest != self.rules:
            raise ValueError(f"replay of {self.variant}: its rules have digest {self.rules}, here they have {digest}")
        reached = state_digest(self.tables())
        if reached != self.final:
            raise ValueError(f"replay of {self.variant}: ends in state {reached}, the file says {self.final}")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it as JSON, by a temporary name."""
        write_atomically(Path(path), (json.dumps(asdict(self)) + "\n").encode())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Replay":
        """Read and verify; a ValueError says what is wrong with the file."""
        try:
            found: Any = json.loads(Path(path).read_text(encoding="utf-8"))
            if not isinstance(found, dict) or found.get("format") != FORMAT:
                raise ValueError(f"not a file of format {FORMAT}")
            kinds = {"variant": str, "rules": str, "seed": int, "actions": list, "final": str, "format": str}
            if set(found) != set(kinds) or any(type(found[name]) is not kind for name, kind in kinds.items()):
                raise ValueError(f"it must hold {', '.join(kinds)}, each of its type")
            if any(type(a) is not int for a in found["actions"]):
                raise ValueError("actions must be whole numbers")
            replay = cls(**{**found, "actions": tuple(found["actions"])})
            replay.verify()
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{path}: {error}") from None
        return replay


def state_digest(tables: "Tables") -> str:
    """A digest of the first table's state."""
    return hashlib.sha256(tables.states[0].tobytes()).hexdigest()[:16]
