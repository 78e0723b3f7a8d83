"""What an agent's decisions cost on average, at positions that are kept with the value of every answer.

    python -m alehouse.benchmarks.kept_decisions GAME [--by net] [--positions 1000] [--redeals 500] [--minutes 10] [--threads 2]

makes the file of a game, or goes on with it, for the given time; what it has by then is a whole file. Position k is a random decision with
a choice in game k of heuristics that lapse now and then, without modules and with all of them in turn. Each answer is played on to the end
on the same redeals for the seat that decides, with all seats played by the agent `by`. The file holds a digest of that agent's numbers. An
agent with other numbers does not go on with it: `--by net:FILE` goes on by an earlier network.

The best of many uncertain values looks better than it is. Therefore the values are kept in two halves: the best answer of one half is
compared with the agent's answer in the other half, and the other way round. So an agent's loss is not raised by noise in the values.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from alehouse.agents import Agent, Careless, ask, heuristic
from alehouse.agents.heuristic import weights_of
from alehouse.agents.kernel_agent import Kernel
from alehouse.agents.ladder import search
from alehouse.agents.network import net
from alehouse.agents.network_file import SHIPPED as NETS
from alehouse.agents.network_file import tensors_of
from alehouse.agents.rate import played_out
from alehouse.agents.value import SHIPPED as VALUES
from alehouse.envs.core.declare.game import Game, Variant, as_variant
from alehouse.envs.core.run.array_file import packed, undamaged, unpacked
from alehouse.envs.core.run.files import DAMAGE, digest, read_within, write_atomically
from alehouse.envs.core.run.luck import AGENTS, REDEALS, draw_each
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.verify.intervals import Z95
from alehouse.envs.games import game

FOLDER = Path(__file__).parent / "kept"
LAPSES = 0.1  # share of random decisions in the games that lead to the positions
TOGETHER = 16  # positions that are made before the file is written again
MOST = 10**8  # no file is larger, in bytes
NOTHING = -1

Floats = npt.NDArray[np.float32]
Whole = npt.NDArray[np.int64]


class Kept(NamedTuple):
    """Kept positions, a row for each; the columns of values follow the order of the legal answers, with NaN behind them."""

    by: str  # the agent that played on
    numbers: str  # the digest of its numbers, which tells one network from another
    redeals: int
    variants: tuple[str, ...]  # position k is of variant k modulo their number
    actions: list[list[int]]  # what led to the position
    first: list[list[float]]  # the share of the win of each answer, in one half of the redeals
    second: list[list[float]]


class Mean(NamedTuple):
    """A mean over positions, with the half width of its 95 % interval."""

    mean: float
    half_width: float


def agent_by(by: str, spec: Game, threads: int) -> tuple[Kernel, str]:
    """Return the agent that plays on (net, net:FILE, heuristic, or search:N), and a digest of its numbers."""
    name, _, rest = by.partition(":")
    network, value = (folder / f"{spec.name}.safetensors" for folder in (NETS, VALUES))
    if name == "net":
        found = net(spec, rest or None, threads=threads)
        found.name = name
        return found, numbers_of(Path(rest) if rest else network)
    if by == "heuristic":
        return heuristic(spec, threads=threads), digest({}, {weight.key: weight.value for weight in weights_of(spec).entries})
    if name == "search" and rest.isdigit() and int(rest):
        return search(spec, int(rest), threads=threads), numbers_of(network, value)
    raise ValueError(f"by {by!r}: one of net, net:FILE, heuristic, search:N")


def numbers_of(*paths: Path) -> str:
    """Return a digest of the numbers in the files of networks and values; what else their headers say does not count."""
    parts = [tensors_of(read_within(path, MOST)) for path in paths]
    arrays = {f"{k}/{name}": tensor for k, (_, tensors) in enumerate(parts) for name, tensor in tensors.items()}
    return digest(arrays, [words.get("heuristic") for words, _ in parts])


def standing(variants: Sequence[Variant | str], seeds: Sequence[int], actions: Sequence[Sequence[int]]) -> Tables:
    """Return tables at which these actions have been taken since the start of the games."""
    tables = Tables(list(variants), autoreset=False)
    tables.reset(seeds=np.array(seeds, np.uint64))
    for step in range(max(map(len, actions))):
        which = np.array([i for i, taken in enumerate(actions) if len(taken) > step])
        tables.step(np.array([actions[i][step] for i in which]), which)
    return tables


def positions(variants: Sequence[Variant | str], seeds: Sequence[int]) -> list[list[int]]:
    """Return for each game the actions that lead to a random one of its decisions with a choice."""
    tables = Tables(list(variants), autoreset=False)
    tables.reset(seeds=np.array(seeds, np.uint64))
    player, taken = Careless(tables.game, LAPSES), [list[int]() for _ in seeds]
    choices = [list[int]() for _ in seeds]
    while not tables.over.all():
        live = np.flatnonzero(~tables.over)
        for i, action in zip(live.tolist(), (chosen := ask(player, tables, live)).tolist(), strict=True):
            if tables.mask[i].sum() > 1:
                choices[i].append(len(taken[i]))
            taken[i].append(action)
        tables.step(chosen, live)
    luck = draw_each(np.array(seeds, np.uint64), AGENTS, np.full(len(seeds), 10**6))
    return [taken[i][: choices[i][int(luck[i] % np.uint64(len(choices[i])))]] for i in range(len(seeds))]


def values(tables: Tables, redeals: int, player: Agent, threads: int) -> tuple[list[list[float]], list[list[float]]]:
    """Return the share of the win of every answer at every table, in the first and in the second half of the redeals."""
    rows, actions = np.nonzero(tables.mask)
    keys = draw_each(np.zeros(redeals, np.uint64), REDEALS, np.arange(redeals))
    shares = played_out(tables, rows, actions, keys, player, threads)[np.arange(rows.size), :, tables.seat[rows]]
    halves = [half.mean(axis=1) for half in (shares[:, : redeals // 2], shares[:, redeals // 2 :])]
    first, second = ([half[rows == i].tolist() for i in range(tables.n)] for half in halves)
    return first, second


def begin(player: Kernel, numbers: str, redeals: int) -> Kept:
    """Return a file without positions: of the game without modules and with all, in its longest form."""
    spec = player.game
    full = spec.variant(length=spec.lengths[-1], modules=tuple(module.name for module in spec.modules))
    variants = tuple(dict.fromkeys((str(spec.variant(length=spec.lengths[-1])), str(full))))
    return Kept(player.name, numbers, redeals, variants, [], [], [])


def more(kept: Kept, count: int, player: Kernel, threads: int) -> Kept:
    """Return the file with more positions."""
    seeds = range(len(kept.actions), len(kept.actions) + count)
    variants = [kept.variants[k % len(kept.variants)] for k in seeds]
    led = positions(variants, seeds)
    first, second = values(standing(variants, seeds, led), kept.redeals, player, threads)
    return kept._replace(actions=kept.actions + led, first=kept.first + first, second=kept.second + second)


def write(kept: Kept, path: Path) -> None:
    """Write a file, complete or not at all."""
    facts = {
        "by": kept.by,
        "numbers": kept.numbers,
        "redeals": kept.redeals,
        "variants": kept.variants,
        "rules": [as_variant(v).rules_digest for v in kept.variants],
    }
    arrays: dict[str, npt.NDArray[Any]] = {
        "facts": np.frombuffer(json.dumps(facts).encode(), np.uint8),
        "actions": padded(kept.actions, NOTHING).astype(np.int16),
        "first": padded(kept.first, np.nan).astype(np.float32),
        "second": padded(kept.second, np.nan).astype(np.float32),
    }
    path.parent.mkdir(exist_ok=True)
    write_atomically(path, packed(arrays, compressed=True))


def padded(rows: Sequence[Sequence[float]], filler: float) -> npt.NDArray[Any]:
    """Return rows of different lengths as one array."""
    found = np.full((len(rows), max(map(len, rows))), filler)
    for k, row in enumerate(rows):
        found[k, : len(row)] = row
    return found


def read(path: Path) -> Kept:
    """Read a file; a ValueError says what is wrong with it, or that it is of other rules."""
    try:
        arrays = undamaged(unpacked(read_within(path, MOST), MOST))
        facts = json.loads(arrays["facts"].tobytes())
        rows = [[[x for x in row if x >= 0] for row in arrays[name].tolist()] for name in ("actions", "first", "second")]
        kept = Kept(facts["by"], facts["numbers"], facts["redeals"], tuple(facts["variants"]), *rows)
        if not kept.variants or len(kept.actions) != len(kept.first) or list(map(len, kept.first)) != list(map(len, kept.second)):
            raise ValueError("its variants, positions and values do not fit together")
    except (*DAMAGE, KeyError) as error:
        raise ValueError(f"{path}: not a file of kept decisions: {error}") from None
    if facts["rules"] != [as_variant(v).rules_digest for v in kept.variants]:
        raise ValueError(f"{path}: its values are of other rules; delete it, and make it again")
    return kept


def kept_of(spec: Game) -> Kept:
    """Return the positions that are kept of a game."""
    path = FOLDER / f"{spec.name}.npz"
    if not path.is_file():
        raise ValueError(f"no decisions of {spec.name} are kept; `python -m alehouse.benchmarks.kept_decisions {spec.name}` makes them")
    return read(path)


def answers(kept: Kept, agent: Agent) -> Whole:
    """Ask an agent at every kept position, and return the place of its answer among the legal ones."""
    n = len(kept.actions)
    tables = standing([kept.variants[k % len(kept.variants)] for k in range(n)], range(n), kept.actions)
    if tables.mask.sum(axis=1).tolist() != list(map(len, kept.first)):
        raise ValueError("the kept decisions do not have a value for each answer; delete their file, and make it again")
    return np.array([tables.mask[i, :action].sum() for i, action in enumerate(ask(agent, tables).tolist())], np.int64)


def loss(kept: Kept, chosen: Whole) -> Mean:
    """Return how much less of the win these answers are worth than the best ones."""
    lost = []
    for k, *halves in zip(chosen.tolist(), kept.first, kept.second, strict=True):
        first, second = map(np.array, halves)
        lost.append(((second[first.argmax()] - second[k]) + (first[second.argmax()] - first[k])) / 2)
    return mean(np.array(lost))


def gain(kept: Kept, chosen: Whole, other: Whole) -> Mean:
    """Return how much more of the win these answers are worth than those of another agent."""
    every = zip(kept.first, kept.second, chosen.tolist(), other.tolist(), strict=True)
    return mean(np.array([(first[a] + second[a] - first[b] - second[b]) / 2 for first, second, a, b in every]))


def best(kept: Kept, chosen: Whole) -> float:
    """Return how often no answer is better than the given one, by all redeals together."""
    every = zip(kept.first, kept.second, chosen.tolist(), strict=True)
    return float(np.mean([(total := np.add(first, second))[k] == total.max() for first, second, k in every]))


def mean(numbers: npt.NDArray[np.float64]) -> Mean:
    """Return the mean of one number for each position."""
    half = Z95 * float(numbers.std(ddof=1)) / numbers.size**0.5 if numbers.size > 1 else float("inf")
    return Mean(float(numbers.mean()), half)


def main(words: Sequence[str]) -> int:
    """Make the file of a game, or add to it."""
    parser = argparse.ArgumentParser(prog="python -m alehouse.benchmarks.kept_decisions")
    parser.add_argument("game", help="the name of the game")
    parser.add_argument("--by", default="net", help="the agent that plays on: net, net:FILE, heuristic, search:N")
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--redeals", type=int, default=500, help="how often each answer is played on; an even number")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--threads", type=int, default=2)
    wanted = parser.parse_args(words)
    try:
        spec = game(wanted.game)
        player, numbers = agent_by(wanted.by, spec, wanted.threads)
        path, new = FOLDER / f"{spec.name}.npz", begin(player, numbers, wanted.redeals)
        kept = read(path) if path.is_file() else new
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    if (kept.by, kept.redeals) != (new.by, new.redeals):
        print(f"{path}: it is by {kept.by} on {kept.redeals} redeals; give the same, or delete it", file=sys.stderr)
        return 2
    if kept.numbers != new.numbers:
        way_out = "give the file of the network that made it as --by net:FILE, or delete it to start again"
        print(f"{path}: made by another {kept.by} than this one ({kept.numbers:.8}, not {new.numbers:.8}); {way_out}", file=sys.stderr)
        return 2
    start = time.monotonic()
    while len(kept.actions) < wanted.positions and time.monotonic() - start < 60 * wanted.minutes:
        kept = more(kept, min(TOGETHER, wanted.positions - len(kept.actions)), player, wanted.threads)
        write(kept, path)
        print(f"{len(kept.actions)} of {wanted.positions} positions, {time.monotonic() - start:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
