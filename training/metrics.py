"""The record of a training run: `metrics.jsonl` in its folder, a line of JSON for each iteration. Sinks get the same rows."""

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from alehouse.envs.core.run.files import DAMAGE, append, write_atomically

FILE = "metrics.jsonl"
LOGS = "logs"  # the folder of TensorBoard's files


class Share(NamedTuple):
    """Results against an anchor: the number of games, the share won, and the share that even play would win."""

    games: int
    won: float
    parity: float


class Row(NamedTuple):
    """The figures of one iteration of a trainer."""

    samples: int  # samples learnt from since the run began
    seconds: float  # seconds since the run began
    rate: float  # samples per second in this iteration
    entropy: float  # normalised entropy of the policy: 1 where all legal actions are equally likely
    kl: float  # the KL divergence from the policy before the iteration
    shares: Mapping[str, Share]  # for each anchor, the results in this iteration
    others: Mapping[str, float] = MappingProxyType({})  # other figures that a trainer has, under names such as train/value_loss

    def scalars(self) -> dict[str, float]:
        """Return the figures by names under which tools such as TensorBoard group them."""
        figures = {"train/entropy": self.entropy, "train/approx_kl": self.kl, "time/samples_per_second": self.rate}
        won = {f"share/{name}": share.won for name, share in self.shares.items()}
        return {**self.others, **figures} | won | {f"even/{name}": share.parity for name, share in self.shares.items()}


Sink = Callable[[Row], object]  # whatever wants to see each row


def record(folder: Path, row: Row) -> None:
    """Add a row to the record of a run."""
    append(folder / FILE, line_of(row))


def line_of(row: Row) -> bytes:
    """Return a row as a line of the record."""
    shares = {name: share._asdict() for name, share in row.shares.items()}
    return (json.dumps({**row._asdict(), "shares": shares, "others": dict(row.others)}) + "\n").encode()


def rows(folder: Path) -> Iterator[Row]:
    """Yield the rows that a run has recorded; a last line cut short is left out."""
    file = folder / FILE
    for number, line in enumerate(file.read_text(encoding="utf-8").split("\n")[:-1] if file.exists() else (), 1):
        try:
            found = json.loads(line)
            row = Row(**{**found, "shares": {name: Share(**share) for name, share in found["shares"].items()}})
        except DAMAGE as error:
            raise ValueError(f"{file}, line {number}: {error}; remove the line to go on without it") from None
        yield row


def go_back(folder: Path, samples: int) -> None:
    """Remove the rows of a run behind its last checkpoint, from which it goes on: their iterations are played again."""
    if (folder / FILE).exists():
        write_atomically(folder / FILE, b"".join(line_of(row) for row in rows(folder) if row.samples <= samples))


@contextlib.contextmanager
def tensorboard(folder: Path, samples: int) -> Iterator[Sink]:
    """Provide a sink that writes rows where TensorBoard reads them; it forgets what a stopped run wrote after this many samples."""
    from torch.utils.tensorboard import SummaryWriter

    with SummaryWriter(str(folder / LOGS), purge_step=samples) as writer:

        def sink(row: Row) -> None:
            for name, value in row.scalars().items():
                writer.add_scalar(name, value, row.samples)
            writer.flush()

        yield sink
