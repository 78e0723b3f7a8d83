"""The part of the contract that concerns what seats may not know: redeals, pictures, and whom the game asks."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.verify.case import QUESTION, Case, bytewise, fresh, questions, unlike, views, where

DEALS = 3000  # first positions compared with their redeals
STRETCH = 8  # decisions between two redeals of a batch
SUSPECTS = 2  # tables looked into at each decision
KEYS = 32  # redeals of a table looked into
SIGMAS = 6.0  # how far chance may carry a count
SLACK = 0.02  # share of the trials by which a count may differ beyond chance


def redeals(case: Case) -> Iterator[str]:
    """A redeal keeps all its owner sees and may do, and who is asked what; the luck to come is another."""
    for step, t, live in case.visits(10):
        seen, before = views(t), t.states.tobytes()
        for p in range(case.v.seats):
            key = int(case.random.integers(2**32))
            twin = t.determinize(p, key)
            yield from (f"{where(step, i)}: a redeal for player_{p} {fault}" for i, fault in redealt(case, t, twin, seen, p, live))
            if not np.array_equal(t.determinize(p, key).states, twin.states):
                yield f"decision {step}: two redeals for player_{p} with one key differ"
        if t.states.tobytes() != before:
            yield f"decision {step}: a redeal changes the true table"


def redealt(
    case: Case, t: Tables, twin: Tables, seen: npt.NDArray[np.uint8], p: int, live: npt.NDArray[np.int64]
) -> Iterator[tuple[int, str]]:
    """What is wrong with a redeal of a batch for one seat, table by table."""
    faults = {
        "asks someone else, or something else": (questions(t) != questions(twin)).any(axis=1),
        "counts decisions otherwise": t.states["asked"] != twin.states["asked"],
        "changes what its owner sees": (seen[:, p] != views(twin)[:, p]).any(axis=1),
        "changes what its owner may do": (t.seat == p) & (t.mask != twin.mask).any(axis=1),
        "has stale legal actions": fresh(twin) != 0,
        "leaves nothing legal": ~twin.mask.any(axis=1),
        "keeps the luck to come": t.states["seed"] == twin.states["seed"],
    }
    for fault, wrong in faults.items():
        yield from ((int(i), fault) for i in live[wrong[live]])
    for i in case.random.choice(live, min(2, live.size), replace=False):
        rules = t.rules[t.rule[i]]
        yield from ((int(i), fault) for fault in t.game.audit(twin.states[i], rules))
        if t.text(i, p) != twin.text(i, p):
            yield int(i), "changes the picture its owner may see"


def pictures(case: Case) -> Iterator[str]:
    """Every picture can be drawn, and drawing changes nothing."""
    for step, t, live in case.visits(6):
        i, before = int(case.random.choice(live)), t.states.tobytes()
        yield from (f"{where(step, i)}: player_{p} sees no picture" for p in (None, *range(case.v.seats)) if not t.text(i, p))
        if t.states.tobytes() != before:
            yield f"{where(step, i)}: drawing a picture changes the table"
    yield from (f"game {i}: no picture of the end" for i in range(min(2, t.n)) if not t.text(i))


def playable(case: Case) -> Iterator[str]:
    """A redealt game can be played to its end, and everything still adds up."""
    for step, t, live in case.visits(4):
        p = int(case.random.integers(case.v.seats))
        twin = t.determinize(p, int(case.random.integers(2**32)))
        for _ in range(case.v.bound - step):
            stuck = np.flatnonzero(~twin.over & ~twin.mask.any(axis=1))
            yield from (f"{where(step, i)}: redealt for player_{p} it comes to a stop" for i in stuck)
            if stuck.size or twin.over.all():
                break
            twin.step(twin.sample())
        yield from (f"{where(step, i)}: redealt for player_{p} it does not end" for i in np.flatnonzero(~twin.over))
        for i in case.random.choice(live, min(8, live.size), replace=False):
            rules = t.rules[t.rule[i]]
            faults = t.game.audit(twin.states[i], rules)
            if twin.over[i] and [int(x) for x in t.game.score_again(twin.states[i], rules)] != twin.scores[i].tolist():
                faults = [*faults, "two ways of scoring disagree"]
            yield from (f"{where(step, i)}: redealt for player_{p} and played on: {fault}" for fault in faults)


def asking(case: Case) -> Iterator[str]:
    """Who is asked next never depends on what a seat can not see.

    Every STRETCH decisions each table is dealt anew for one of its seats, with the luck to come left as it is. Both go on by
    the same actions for as long as the seat sees no difference, and both should go on asking the same.
    """
    t = case.tables()
    for start in range(0, case.v.bound, STRETCH):
        seats = case.random.integers(case.v.seats, size=t.n)
        other = t.determinize(seats, int(case.random.integers(2**32)))
        other.states["seed"] = t.states["seed"]
        live = np.flatnonzero(~t.over)
        for step in range(start, start + STRETCH):
            actions = t.sample()
            live = live[(other.mask[live, actions[live]] == 1) & ~t.over[live]]
            before = t.states.copy(), other.states.copy()
            t.step(actions)
            other.step(actions[live], live)
            differs = (questions(t) != questions(other)).any(axis=1)
            for i in live[differs[live]][:SUSPECTS]:
                if only_asked(t, other, i, seats[i]) or decided(t, other, i, seats[i], actions[i], *(states[i] for states in before)):
                    name = case.v.action_names[actions[i]]
                    yield f"{where(step, i)}: what player_{seats[i]} can not see decides who is asked, or what, after {name!r}"
            everyone = np.arange(t.n)
            distinct = (views(t)[everyone, seats] != views(other)[everyone, seats]).any(axis=1)
            wrong = ~differs & ~distinct & (t.seat == seats) & (t.mask != other.mask).any(axis=1)
            yield from (f"{where(step, i)}: what player_{seats[i]} can not see decides what it may do" for i in live[wrong[live]])
            live = live[~differs[live] & ~distinct[live]]
        if t.over.all():
            return


def only_asked(t: Tables, other: Tables, i: int, p: int) -> bool:
    """Whether all that a seat sees differ between two tables is who is asked what."""
    twin = like(t, other.states[i], 1)
    for field in set(QUESTION) & set(t.states.dtype.names or ()):
        twin.states[field] = t.states[i][field]
    return bool(np.array_equal(views(twin)[0, p], t.observe(i, p)))


def decided(t: Tables, other: Tables, i: int, p: int, action: int, truth: Any, dealt: Any) -> bool:
    """Whether what another seat knows, not luck, decided whom the action has asked next, without being shown by that.

    It decided if the question is always the same once all that seat does not know is dealt anew. It was not shown if a
    redeal for seat p after the action still allows what would have led to another question.
    """
    for q in {*range(t.variants[i].seats)} - {p}:
        private = views(like(t, truth, 1))[0, q] != views(like(t, dealt, 1))[0, q]
        cases = ((truth, t), (dealt, other)) if private.any() else ()
        if cases and all(always(like(t, record, KEYS).determinize(q, KEYS), action, questions(after)[i]) for record, after in cases):
            possible = views(like(t, t.states[i], KEYS).determinize(p, KEYS))[:, q, private]
            if (possible == other.observe(i, q)[private]).all(axis=1).any():
                return True
    return False


def always(crowd: Tables, action: int, question: npt.NDArray[np.int64]) -> bool:
    """Whether an action leads to the same question at every table that allows it, and most allow it."""
    able = np.flatnonzero(crowd.mask[:, action])
    crowd.step(np.full(able.size, action), able)
    return bool(2 * able.size > crowd.n and (questions(crowd)[able] == question).all())


def like(t: Tables, record: Any, n: int) -> Tables:
    """Tables that all stand as one record does."""
    found = Tables(t.variants[0], n=n, autoreset=False)
    found.states[:] = record
    return found


def secrets(t: Tables, p: int) -> npt.NDArray[np.uint8]:
    """What all seats but one see, as a row of bytes a table."""
    return bytewise(np.delete(views(t), p, axis=1))


def far_apart(a: int, b: int, trials: int) -> bool:
    """Whether two counts out of equally many trials differ by more than chance allows."""
    spread = np.sqrt((a + b) * (1 - (a + b) / (2 * trials))) if trials else 0.0
    return bool(abs(a - b) > SIGMAS * spread + SLACK * trials)


def diversity(case: Case) -> Iterator[str]:
    """Redeals differ from one another as often as from the truth, and vary whatever a picture hides."""
    hidden = varied = 0
    for p in range(case.v.seats if case.v.seats > 1 else 0):
        true = alike = trials = 0
        for turn, (_, t, live) in enumerate(case.visits(8)):
            mine = live[live % 8 == turn]
            first, second = (t.determinize(p, int(case.random.integers(2**32))) for _ in range(2))
            truth, one, two = (secrets(x, p) for x in (t, first, second))
            true += int((~unlike(truth, one)[mine]).sum())
            alike += int((~unlike(one, two)[mine]).sum())
            trials += mine.size
            for i in live[:2]:
                if t.text(i) != t.text(i, p):
                    hidden += 1
                    varied += first.text(i) != t.text(i) or second.text(i) != t.text(i)
        if far_apart(true, alike, trials):
            yield f"player_{p}: of {trials} redeals {true} are the truth, but {alike} the same as another redeal"
    if hidden and not varied:
        yield f"{hidden} pictures hide something from a seat, but no redeal changes anything in the full picture"


def first_deals(case: Case) -> Iterator[str]:
    """At the first decision, redeals differ from the truth as often as two true tables that look alike to a seat."""
    t = Tables(case.v, n=DEALS, seed=case.seed, autoreset=False)
    seen = views(t)
    for p in range(case.v.seats if case.v.seats > 1 else 0):
        look = np.array([hash(row.tobytes()) for row in seen[:, p]])
        order = np.argsort(look, kind="stable")
        pairs = np.flatnonzero(look[order[:-1]] == look[order[1:]])[::2]
        a, b = order[pairs], order[pairs + 1]
        truth, dealt = secrets(t, p), secrets(t.determinize(p, case.seed), p)
        true, other = int(unlike(truth[a], truth[b]).sum()), int(unlike(truth[a], dealt[a]).sum())
        if far_apart(true, other, a.size):
            yield f"player_{p}: {true} of {a.size} true first deals that look alike differ, but {other} of their redeals"
