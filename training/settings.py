"""What both trainers share: settings with ranges, changed by name, what is asked, the row of figures an iteration yields, and the loop."""

import hashlib
import json
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar

from alehouse.agents.network_file import names_of
from alehouse.envs.core.declare.game import Game, as_variant

S = TypeVar("S", bound="Ranged")


class Share(NamedTuple):
    """Games against an anchor: how many, how much of them was won, and what even play would win."""

    games: int
    won: float
    parity: float


class Row(NamedTuple):
    """One iteration of a trainer."""

    samples: int  # learnt from so far
    seconds: float  # of training so far
    rate: float  # samples a second, this time
    entropy: float  # of the policy, 1 where all legal actions are as likely
    kl: float  # from the policy before the iteration
    shares: Mapping[str, Share]  # by anchor, this iteration

    def scalars(self) -> dict[str, float]:
        """It for TensorBoard."""
        figures = {"train/entropy": self.entropy, "train/approx_kl": self.kl, "time/samples_per_second": self.rate}
        won = {f"share/{name}": share.won for name, share in self.shares.items()}
        return figures | won | {f"even/{name}": share.parity for name, share in self.shares.items()}


class Training(Protocol):
    """A run of training: how far it is, how it goes on, what it leaves behind."""

    @property
    def samples(self) -> int:
        """Decisions learnt from so far."""

    @property
    def seconds(self) -> float:
        """Time spent so far."""

    def iterate(self) -> Row:
        """Play and learn once."""

    def save(self) -> None:
        """Write a checkpoint."""

    def weights(self) -> str:
        """A digest of the network."""

    def export(self, path: Path, command: str, results: dict[str, Any] | None = None) -> int:
        """Write the network as a file that plays; its size in bytes."""


def train(trainer: Training, samples: float, seconds: float, keep: float) -> Iterator[Row]:
    """The iterations up to so many samples or so much time, with a checkpoint every so often and at the end."""
    kept = time.monotonic()
    while trainer.samples < samples and trainer.seconds < seconds:
        row = trainer.iterate()
        if time.monotonic() - kept >= keep or row.samples >= samples or row.seconds >= seconds:
            trainer.save()
            kept = time.monotonic()
        yield row


def setting(default: Any, low: float, high: float, about: str) -> Any:
    """A setting: its default, its range, what it is."""
    return field(default=default, metadata={"low": low, "high": high, "about": about})


@dataclass(frozen=True)
class Ranged:
    """Settings; a ValueError unless each lies in its range."""

    def __post_init__(self) -> None:
        for f in fields(self):
            value = getattr(self, f.name)
            whole = isinstance(f.default, int)
            fits = isinstance(value, int) if whole else isinstance(value, (int, float)) and not isinstance(value, bool)
            if not fits or not f.metadata["low"] <= value <= f.metadata["high"]:
                kind = "a whole number" if whole else "a number"
                raise ValueError(f"{f.name}={value!r}: {kind} from {f.metadata['low']:g} to {f.metadata['high']:g} ({f.metadata['about']})")


@dataclass(frozen=True)
class Task:
    """What is trained; the same question goes on where it was stopped."""

    trainer: ClassVar[str]
    variants: tuple[str, ...]
    opponents: tuple[str, ...]  # their names
    seed: int = 0
    settings: Ranged = field(default_factory=Ranged)
    start: str = ""  # the file the first weights are from

    def facts(self) -> dict[str, Any]:
        """It, and the numbers of the rules it is played by, as JSON knows them."""
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
    """Return a digest of the names of a game's features, actions and aspects: a checkpoint fits no other layout."""
    return hashlib.sha256(json.dumps(names_of(game)).encode()).hexdigest()[:16]


def changed(settings: S, items: Iterable[str]) -> S:
    """Settings with some changed, each given as name=value."""
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
