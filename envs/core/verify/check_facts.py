"""A statistical check of redeals, one hidden fact at a time.

A fact is a byte of the state, or a bit of one. Each true game gets an owner, for whom it is redealt once, and a twin that the owner cannot
tell from it: a game whose luck differs in one stream only. Both are played on to a random decision. A redeal that follows from what the
owner knows agrees with the truth in a fact as often as with the twin. One that keeps something of the truth agrees with the truth more
often.

The other seats act as at a third table, the guide, which is a redeal too, and make choices that nobody sees at random. So the owner learns
only what the rules show it, and the truth is one more redeal: the redeal lacks a bit that the truth has as often as it has one that the
truth lacks. Where the owner comes to see a difference, twin or guide is replaced by a redeal.

Every game is examined once, so the counts of a fact are tosses of a fair coin. By Chernoff's bound a sound variant fails with a
probability of at most ERROR, over all its facts.
"""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from alehouse.envs.core.run.luck import redrawn
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.verify.case import Case, bytewise, chosen, on_top, questions, seen
from alehouse.envs.core.verify.watch import WATCH

ERROR = 1e-5  # the probability that a sound variant fails
PAIRS, MOST = 600, 3000  # how many true games are played with a twin, at least and at most
SHARPER = 10  # for this many games that the case has, PAIRS more are played
BASES = 4  # how many seeds are tried to find out whether a stream hides anything
DEALT = 64  # how many games of one seed, which differ in one stream, are searched for two that look alike
OFTEN = 0.25  # a choice is secret if at least this share of other answers would look the same to another seat
LATE = 2000  # how many games are redealt for all seats shortly before their end
STRIDE = 4  # which means: at most this many decisions before it
AUDITED = 60  # how many redeals are audited
SKIPPED = ("seed", "can")  # fields that are no facts of the table
TRUTH, TWIN, GUIDE = range(3)  # the blocks of rows of a batch of trios
Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]


def facts(case: Case) -> Iterator[str]:
    """Prove that redeals keep none of the facts that their owner cannot know, that they deal each as it truly falls, and lose nothing."""
    every, pairs = range(max(1, len(case.v.spec.streams))), min(MOST, PAIRS * (1 + case.games // SHARPER))
    hiding = [k for k in every if hides(case, k)]
    truth, twin, dealt = examined(case, np.concatenate([np.resize(some, pairs // 2) for some in (hiding or every, every)]))
    fields = names(case.v.spec.STATE)
    limit = math.log(2 * 17 * truth.shape[1] / ERROR)
    for bit, (a, b, t) in ((False, (truth, twin, dealt)), (True, (split(truth), split(twin), split(dealt)))):
        labels = [f"{field}, bit {k}" for field in fields for k in range(8)] if bit else fields
        kept, missed = (t == a) & (t != b), (t == b) & (t != a)
        yield from unfair(kept, missed, limit, labels, "redeals that agree with the truth or with its twin, {} agree with the truth")
        if bit:
            yield from unfair(a > t, a < t, limit, labels, "redeals that differ from the truth, {} lack what it has")
    yield from conserved(case, truth, dealt)
    yield from conserved(case, *at_the_end(case))


def conserved(case: Case, truth: Bytes, dealt: Bytes) -> Iterator[str]:
    """Audit redeals: those that changed what few others did."""
    changed = truth != dealt
    rarity = changed[:, changed.any(axis=0)] @ (1 / changed.sum(axis=0)[changed.any(axis=0)])
    records, rules = dealt.view(case.v.spec.STATE)[:, 0], case.v.rules_record()[0]
    for i in np.argsort(-rarity)[:AUDITED]:
        yield from (f"a redeal: {fault}" for fault in case.v.spec.audit(records[i], rules))


def at_the_end(case: Case) -> tuple[Bytes, Bytes]:
    """Return the bytes of true games shortly before their end, when most has been dealt, and of a redeal for each of their seats."""
    t = Tables(case.v, n=LATE, seed=case.seed, autoreset=False)
    raw = bytewise(t.states)
    truth = raw.copy()
    for step in range(case.v.bound + 1):
        if step % STRIDE == 0:
            truth[~t.over] = raw[~t.over]
        if t.over.all():
            break
        t.step(t.mixed())
    raw[:], t.over[:] = truth, False
    keys = case.random.integers(2**63, size=(case.v.seats, LATE))
    dealt = [bytewise(t.redealt(None, np.full(LATE, p), keys[p]).states) for p in range(case.v.seats)]
    return np.tile(truth, (case.v.seats, 1)), np.concatenate(dealt)


def unfair(more: Any, fewer: Any, limit: float, labels: list[str], words: str) -> Iterator[str]:
    """Yield the facts in which the two counts differ by more than chance allows."""
    a, b = more.sum(axis=0, dtype=np.int64), fewer.sum(axis=0, dtype=np.int64)
    far = sum(x * np.log(2 * np.maximum(x, 1) / np.maximum(a + b, 1)) for x in (a, b))
    for k in np.flatnonzero(far > limit):
        yield f"{labels[k]}: of {a[k] + b[k]} {words.format(a[k])}"


def split(rows: Bytes) -> Bytes:
    """Return the bits of rows of bytes."""
    return np.unpackbits(rows, axis=1, bitorder="little")


def names(kind: np.dtype[Any], before: str = "") -> list[str]:
    """Return for each byte of a record the name of the number that it belongs to."""
    found: list[str] = []
    for name in kind.names or ():
        part, shape = kind[name].base, kind[name].shape
        for place in np.ndindex(shape):
            label = before + name + "".join(f"[{k}]" for k in place)
            found += names(part, f"{label}.") if part.names else [label] * part.itemsize
    return found


def examined(case: Case, streams: Ints) -> tuple[Bytes, Bytes, Bytes]:
    """Play a trio of games for each listed stream of luck; return the facts of truths, twins and redeals when they were examined."""
    n, random = streams.size, case.random
    trios = Trios(case, streams)
    t, seats, secret = trios.tables, trios.seats, secrets(case)
    lengths = case.lengths[random.integers(case.games, size=n)]
    due = (lengths * random.random(n) ** 2).astype(np.int64)
    live, done, found = np.ones(n, np.bool_), np.zeros(n, np.bool_), np.zeros((3, n, t.states.itemsize), np.uint8)
    for step in range(case.v.bound):
        WATCH.reach(f"decision {step} of {n} games with twins")
        now = np.flatnonzero(live & (due <= step))
        if now.size:
            redeals = t.redealt(now, seats[now], random.integers(2**63, size=now.size))
            found[:, now] = *(bytewise(t.states[now + part * n]) for part in (TRUTH, TWIN)), bytewise(redeals.states)
            done[now], live[now] = True, False
        if not live.any():
            break
        live[live] = trios.decide(np.flatnonzero(live), secret)
    kept = np.array([name.partition("[")[0] not in SKIPPED for name in names(case.v.spec.STATE)])
    truth, twin, dealt = (np.where(kept, part[done], 0) for part in found)
    return truth, twin, dealt


def hides(case: Case, stream: int) -> bool:
    """Return whether two deals whose luck differs in one stream may look alike to a seat and yet differ."""
    crowd = Tables(case.v, n=DEALT, autoreset=False)
    for _ in range(BASES):
        crowd.reset(seeds=in_stream(int(case.random.integers(2**48)), stream))
        pair = lookalikes(crowd, int(case.random.integers(case.v.seats)))
        a, b = (bytewise(crowd.states[k : k + 1])[:, crowd.states["seed"].itemsize :] for k in pair)
        if pair[1] and (a != b).any():
            return True
    return False


def in_stream(base: int, stream: int) -> npt.NDArray[np.uint64]:
    """Return seeds of games whose luck differs in one stream only."""
    return np.array([redrawn(base, stream, k) for k in range(DEALT)], np.uint64)


def lookalikes(crowd: Tables, seat: int) -> tuple[int, int]:
    """Return the first two tables that a seat cannot tell apart, or twice table 0 if it can tell all apart."""
    first: dict[bytes, int] = {}
    for k, look in enumerate(seen(crowd, np.arange(crowd.n), np.full(crowd.n, seat))):
        if first.setdefault(look.tobytes(), k) < k:
            return first[look.tobytes()], k
    return 0, 0


def secrets(case: Case) -> npt.NDArray[np.bool_]:
    """Return for each question, by its number, whether other seats often cannot tell one answer from another."""
    counts, t = np.zeros((2, 256)), case.tables()
    while case.v.seats > 1 and not t.over.all():
        other, mine, rows = t.clone(), t.mixed(), np.flatnonzero(~t.over)
        random = chosen(t, rows, case.random.integers(2**31, size=rows.size))
        other.step(random, rows)
        rows = rows[mine[rows] != random]
        watchers = (t.seat[rows] + case.random.integers(1, case.v.seats, size=rows.size)) % case.v.seats
        asked = on_top(t)[rows]
        t.step(mine)
        same = (seen(t, rows, watchers) == seen(other, rows, watchers)).all(axis=1)
        np.add.at(counts, (same.astype(int), asked), 1)
    often: npt.NDArray[np.bool_] = counts[1] > OFTEN * counts.sum(axis=0)
    return often


class Trios:
    """True games, their twins and their guides, in three blocks of rows of one batch."""

    def __init__(self, case: Case, streams: Ints) -> None:
        """Begin a game for each listed stream of luck; if no two deals look alike to the owner, the twin is a redeal."""
        self.n, self.random = streams.size, case.random
        self.seats = self.random.integers(case.v.seats, size=self.n)  # for each trio, the owner
        self.tables = Tables(case.v, n=3 * self.n, autoreset=False)
        apart = np.zeros(self.n, np.bool_)
        crowd = Tables(case.v, n=DEALT, autoreset=False)
        self.seeds = np.zeros((3, self.n), np.uint64)
        for i, base in enumerate(self.random.integers(2**48, size=self.n)):
            seeds = in_stream(int(base), streams[i])
            crowd.reset(seeds=seeds)
            a, b = lookalikes(crowd, self.seats[i])
            self.seeds[:, i] = seeds[[a, b or 1, a]]
            apart[i] = b == 0
        self.tables.reset(seeds=self.seeds.ravel())
        self.redeal(TWIN, np.flatnonzero(apart))
        self.redeal(GUIDE, np.arange(self.n))

    def redeal(self, part: int, which: Ints) -> None:
        """Replace the listed twins or guides by redeals of the true games; the luck to come stays as it was."""
        t, rows = self.tables, which + part * self.n
        for array in (t.states.view(np.dtype((np.void, t.states.itemsize))), t.over):
            array[rows] = array[which]
        t.redeal(rows, self.seats[which], self.random.integers(2**63, size=which.size))
        t.states["seed"][rows] = self.seeds[part, which]

    def decide(self, live: Ints, secret: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Take one decision in the listed trios; return which of them can go on.

        The guide decides for all three tables; but a secret choice of another seat is made at random at each.
        """
        t, n = self.tables, self.n
        actions = np.tile(t.mixed()[live + GUIDE * n], 3)
        rows = np.concatenate([live + part * n for part in (TRUTH, TWIN, GUIDE)])
        free = np.tile(secret[on_top(t)[live]] & (t.seat[live] != self.seats[live]), 3)
        actions[free] = chosen(t, rows[free], self.random.integers(2**31, size=int(free.sum())))
        able = t.mask[rows, actions] == 1
        t.step(actions[able], rows[able])
        on = able[: live.size] & ~t.over[live]
        for part in (TWIN, GUIDE):
            lost = live[on & ~(able[part * live.size :][: live.size] & self.alike(part, live))]
            self.redeal(part, lost)
        return np.asarray(on, np.bool_)

    def alike(self, part: int, live: Ints) -> npt.NDArray[np.bool_]:
        """Return whether the owner sees the same at the true game as at its twin or guide, and all are asked the same."""
        t, other, asked = self.tables, live + part * self.n, questions(self.tables)
        looks = seen(t, live, self.seats[live]), seen(t, other, self.seats[live])
        found: npt.NDArray[np.bool_] = (looks[0] == looks[1]).all(axis=1) & (asked[live] == asked[other]).all(axis=1)
        return found
