"""What all trainers share: settings with ranges, the description of a run, and the training loop."""

import hashlib
import json
import math
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar

from alehouse.agents.network_file import names_of
from alehouse.envs.core.declare.game import Game, as_variant
from alehouse.training import metrics
from alehouse.training.metrics import Row, Sink

S = TypeVar("S", bound="Ranged")


class Training(Protocol):
    """A training run, as every trainer provides it."""

    @property
    def folder(self) -> Path:
        """The folder of the run."""

    @property
    def samples(self) -> int:
        """The number of decisions learnt from since the run began."""

    @property
    def seconds(self) -> float:
        """The seconds of training since the run began."""

    def iterate(self) -> Row:
        """Play one batch of decisions and learn from it."""

    def save(self) -> None:
        """Write a checkpoint."""

    def weights(self) -> str:
        """Return a digest of the network's weights."""

    def export(self, path: Path, command: str, results: dict[str, Any] | None = None) -> int:
        """Write the network to a file that agents can play from, and return its size in bytes."""


def train(trainer: Training, samples: float, seconds: float, keep: float, sinks: Iterable[Sink] = ()) -> Iterator[Row]:
    """Train and yield each iteration, up to a number of samples or seconds; write checkpoints.

    The first iteration of a run is kept at once, since it chooses an engine and a number of threads by timing; then there is a checkpoint
    every `keep` seconds, and one at the end. Each row is recorded in the folder of the run, and given to the sinks.
    """
    metrics.go_back(trainer.folder, trainer.samples)
    kept = time.monotonic() if trainer.samples else -math.inf
    while trainer.samples < samples and trainer.seconds < seconds:
        row = trainer.iterate()
        metrics.record(trainer.folder, row)
        for sink in sinks:
            sink(row)
        if time.monotonic() - kept >= keep or row.samples >= samples or row.seconds >= seconds:
            trainer.save()
            kept = time.monotonic()
        yield row


def setting(default: Any, low: float, high: float, about: str) -> Any:
    """Declare a setting: its default, its range, and a description."""
    return field(default=default, metadata={"low": low, "high": high, "about": about})


@dataclass(frozen=True)
class Ranged:
    """A set of settings, each with a range; a value outside its range raises a ValueError that names it."""

    def __post_init__(self) -> None:
        for f in fields(self):
            value = getattr(self, f.name)
            whole = isinstance(f.default, int)
            fits = isinstance(value, int) if whole else isinstance(value, (int, float)) and not isinstance(value, bool)
            if not fits or not f.metadata["low"] <= value <= f.metadata["high"]:
                kind = "a whole number" if whole else "a number"
                raise ValueError(f"{f.name}={value!r}: {kind} from {f.metadata['low']:g} to {f.metadata['high']:g} ({f.metadata['about']})")


@dataclass(frozen=True)
class TrainingJob:
    """What a run trains and how; a stopped run goes on only with the same job."""

    trainer: ClassVar[str]
    variants: tuple[str, ...]
    opponents: tuple[str, ...]  # the names of the opponents
    seed: int = 0
    settings: Ranged = field(default_factory=Ranged)
    start: str = ""  # the file with the first weights; "" begins at random

    def facts(self) -> dict[str, Any]:
        """Return this description as JSON, with digests of the rules and of the game's layout."""
        return {
            "trainer": self.trainer,
            "variants": list(self.variants),
            "rules": {text: as_variant(text).rules_digest for text in self.variants},
            "layout": layout_digest(as_variant(self.variants[0]).spec),
            "opponents": list(self.opponents),
            "seed": self.seed,
            "start": self.start,
            **{name: value for name, value in asdict(self.settings).items() if name != "keep"},
        }


def layout_digest(game: Game) -> str:
    """Return a digest of the names of a game's features, actions and aspects; a checkpoint fits only the same layout."""
    return hashlib.sha256(json.dumps(names_of(game)).encode()).hexdigest()[:16]


def changed(settings: S, items: Iterable[str]) -> S:
    """Return a copy of some settings with changes, each given as name=value."""
    known = {f.name: f for f in fields(settings)}
    values: dict[str, Any] = {}
    for item in items:
        name, equals, text = item.partition("=")
        if name not in known or not equals:
            raise ValueError(f"setting {item!r}: NAME=VALUE, where NAME is one of {', '.join(known)}")
        try:
            values[name] = int(text) if isinstance(known[name].default, int) else float(text)
        except ValueError:
            about = known[name].metadata["about"]
            raise ValueError(f"setting {item!r}: {text!r} is not a number of its kind ({about})") from None
    return replace(settings, **values)
