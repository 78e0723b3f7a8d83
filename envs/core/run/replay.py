"""A game saved as a small file: its variant, its seed and its actions, with digests that tell whether it still plays the same."""

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from alehouse.envs.core.declare.game import Variant, as_variant
from alehouse.envs.core.run.files import check_format, parsed, read_text, write_atomically

if TYPE_CHECKING:
    from alehouse.envs.core.run.tables import Tables

FORMAT = "alehouse-replay-2"


@dataclass(frozen=True)
class Replay:
    """One game, finished or in progress."""

    variant: str
    rules: str  # digest of the rules that the game was played by
    seed: int
    actions: tuple[int, ...]
    play: str = ""  # digest of the questions that the actions answer and of the final points
    format: str = FORMAT

    @classmethod
    def of(cls, v: Variant | str, seed: int, actions: Sequence[int]) -> "Replay":
        """Play the actions from the start and return the replay of that game."""
        v = as_variant(v)
        bare = cls(str(v), v.rules_digest, int(seed), tuple(int(a) for a in actions))
        return replace(bare, play=bare.digest())

    @classmethod
    def of_log(cls, v: Variant, seed: int, log: Sequence[int], asked: int | None = None) -> "Replay":
        """Return the replay of a logged game: of its first `asked` decisions, or of all.

        The log holds each action as its position among the legal ones.
        """
        from alehouse.envs.core.run.tables import Tables

        table, actions = Tables(v, n=1, autoreset=False), list[int]()
        table.reset(seeds=[seed])
        while not table.over[0] and len(actions) != asked:
            actions.append(int(np.flatnonzero(table.mask[0])[log[len(actions)]]))
            table.step(actions[-1:])
        return cls.of(v, seed, actions)

    def tables(self, moves: int | None = None) -> "Tables":
        """Return a table after all actions, or after the first `moves` of them; raise IllegalAction if one of them is not legal."""
        *_, table = islice(self.played(), None if moves is None else moves + 1)
        return table

    def played(self) -> Iterator["Tables"]:
        """Yield one table at its first decision, and again after each action."""
        from alehouse.envs.core.run.tables import Tables

        table = Tables(as_variant(self.variant), n=1, autoreset=False)
        table.reset(seeds=[self.seed])
        yield table
        for action in self.actions:
            if table.over[0]:
                raise ValueError("there are actions after the end of the game")
            table.step([action])
            yield table

    def _repr_svg_(self) -> str:
        return self.tables().svg(0)

    def digest(self) -> str:
        """Return a digest of who decided, what was legal and what was done at each decision, and of the final points.

        It does not cover the state itself, so that a replay survives a change of the state's record.
        """
        text = hashlib.sha256(str(self.seed).encode())
        for table, action in zip(self.played(), (*self.actions, "so far"), strict=True):
            text.update(f"{table.seat[0]} {np.flatnonzero(table.mask[0]).tolist()} {action}\n".encode())
        return hashlib.sha256(f"{text.hexdigest()} {table.over[0]} {table.scores[0].tolist()}".encode()).hexdigest()[:16]

    def verify(self) -> None:
        """Raise a ValueError if the game is played by other rules than the replay names, or plays differently than when it was saved."""
        rules = as_variant(self.variant).rules_digest
        if rules != self.rules:
            raise ValueError(f"replay of {self.variant}: its rules have digest {self.rules}, here they have {rules}")
        play = self.digest()
        if play != self.play:
            raise ValueError(f"replay of {self.variant}: it plays differently now; its play has digest {play}, the file says {self.play}")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the replay as JSON; the file never appears half written."""
        write_atomically(Path(path), (json.dumps(asdict(self)) + "\n").encode())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Replay":
        """Read a replay from a file and verify it; a ValueError says what is wrong with it."""
        try:
            found: Any = parsed(read_text(Path(path)))
            check_format(found.get("format") if isinstance(found, dict) else None, FORMAT)
            kinds = {"variant": str, "rules": str, "seed": int, "actions": list, "play": str, "format": str}
            if set(found) != set(kinds) or any(type(found[name]) is not kind for name, kind in kinds.items()):
                raise ValueError(f"it must hold {', '.join(kinds)}, each of its type")
            if any(type(a) is not int for a in found["actions"]):
                raise ValueError("actions must be whole numbers")
            replay = cls(**{**found, "actions": tuple(found["actions"])})
            replay.verify()
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{path}: {error}") from None
        return replay
