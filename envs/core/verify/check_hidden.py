"""Checks of hidden facts: redeals, pictures, and whether the choice of the next question reveals anything."""

from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import numpy as np
import numpy.typing as npt

from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.show.draw import draw
from alehouse.envs.core.show.view import View
from alehouse.envs.core.verify.case import QUESTION, Case, bytewise, deals, fresh, on_top, questions, unlike, views, where
from alehouse.envs.core.verify.watch import WATCH

SINGLES = 100  # number of games in which questions with one answer are counted
ENOUGH = 12  # a verdict needs at least this many of those games in which a redeal leaves a question one answer
STRETCH = 8  # a batch is redealt at least every this many decisions
GROUP = "{http://www.w3.org/2000/svg}g"
SUSPECTS = 2  # number of tables examined at each decision
KEYS = 32  # redeals of each examined table
SIGMAS = 6.0  # how many standard deviations a count may differ by chance
SLACK = 0.02  # how much two shares may differ beyond chance


def redeals(case: Case) -> Iterator[str]:
    """Prove that a redeal keeps all that its owner sees and may do and keeps the questions asked, and that it changes future luck."""
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
    """Yield the faults found after a batch was redealt for one seat, each with its table."""
    faults = {
        "asks someone else, or something else": (questions(t) != questions(twin)).any(axis=1),
        "counts decisions differently": t.states["asked"] != twin.states["asked"],
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
        shown = zip(("words", "view", "picture"), told(t, i, p), told(twin, i, p), strict=True)
        yield from ((int(i), f"changes the {part} its owner may see") for part, mine, theirs in shown if mine != theirs)


def told(t: Tables, i: int, p: int | None) -> tuple[str, View, str]:
    """Return a table in words, as data with the answers, and as a picture, as far as a seat may know it."""
    view = t.view(i, p)
    return t.text(i, p), view, draw(view)


def pictures(case: Case) -> Iterator[str]:
    """Prove that a table can be told and drawn for every seat, that its picture offers every answer, and that drawing changes nothing."""
    for step, t, live in case.visits(6):
        i, before = int(case.random.choice(live)), t.states.tobytes()
        for p in (None, *range(case.v.seats)):
            words, view, picture = told(t, i, p)
            if not words:
                yield f"{where(step, i)}: player_{p} sees no words"
            groups = (group.get("data-action", "") for group in ElementTree.fromstring(picture).iter(GROUP))
            offered = {int(action) for actions in groups for action in actions.split()}
            wanted = set(np.flatnonzero(t.mask[i]).tolist()) if p in (None, t.seat[i]) else set()
            if not offered == {option.action for option in view.options} == wanted:
                yield f"{where(step, i)}: the picture of player_{p} offers {sorted(offered)}, the rules allow {sorted(wanted)}"
        if t.states.tobytes() != before:
            yield f"{where(step, i)}: drawing a picture changes the table"
    yield from (f"game {i}: no words or no picture of the end" for i in range(min(2, t.n)) if not all(told(t, i, None)))


def playable(case: Case) -> Iterator[str]:
    """Prove that a redealt game can be played to its end, that nothing is lost, and that both ways of scoring agree."""
    for step, t, live in case.visits(4):
        p = int(case.random.integers(case.v.seats))
        twin = t.determinize(p, int(case.random.integers(2**32)))
        for later in range(step, case.v.bound):
            WATCH.reach(f"decision {later} of a redeal for player_{p}")
            stuck = np.flatnonzero(~twin.over & ~twin.mask.any(axis=1))
            yield from (f"{where(step, i)}: redealt for player_{p} it has no legal action left" for i in stuck)
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
    """Prove that what a seat cannot see decides neither who is asked what next nor what that seat may do.

    Every table gets a twin: a redeal for one of its seats, with the same luck to come. Both take the same actions for as long as the seat
    sees no difference, and both should ask the same questions. A comparison stops where either table deals its cards again, because the
    hidden cards have then been shown; new twins are made when few comparisons are left.
    """
    t, everyone, step = case.tables(), np.arange(case.games), 0
    while not t.over.all():
        seats = case.random.integers(case.v.seats, size=t.n)
        twin = t.determinize(seats, int(case.random.integers(2**32)))
        twin.states["seed"] = t.states["seed"]
        live, begun, end = np.flatnonzero(~t.over), deals(t), step + STRETCH
        while step < end and 4 * live.size > (~t.over).sum():
            WATCH.reach(f"decision {step}")
            actions = t.sample()
            live = live[(twin.mask[live, actions[live]] == 1) & ~t.over[live]]
            before = t.states.copy(), twin.states.copy()
            t.step(actions)
            twin.step(actions[live], live)
            live = live[(deals(t) == begun)[live] & (deals(twin) == begun)[live]]
            differs = (questions(t) != questions(twin)).any(axis=1)
            for i in live[differs[live]][:SUSPECTS]:
                if only_asked(t, twin, i, seats[i]) or decided(t, twin, i, seats[i], actions[i], *(states[i] for states in before)):
                    name = case.v.action_names[actions[i]]
                    yield f"{where(step, i)}: what player_{seats[i]} cannot see decides who is asked, or what, after {name!r}"
            distinct = (views(t)[everyone, seats] != views(twin)[everyone, seats]).any(axis=1)
            wrong = ~differs & ~distinct & (t.seat == seats) & (t.mask != twin.mask).any(axis=1)
            yield from (f"{where(step, i)}: what player_{seats[i]} cannot see decides what it may do" for i in live[wrong[live]])
            live, step = live[~differs[live] & ~distinct[live]], step + 1


def only_asked(t: Tables, twin: Tables, i: int, p: int) -> bool:
    """Return whether two tables look the same to seat p except for which seat is asked which question."""
    other = like(t, twin.states[i], 1)
    for field in set(QUESTION) & set(t.states.dtype.names or ()):
        other.states[field] = t.states[i][field]
    return bool(np.array_equal(views(other)[0, p], t.observe(i, p)))


def decided(t: Tables, twin: Tables, i: int, p: int, action: int, truth: Any, dealt: Any) -> bool:
    """Return whether an action made the game ask a question because of something that seat q knows and seat p was not shown.

    The fact decided if the question stays the same in all redeals of what q does not know. It was not shown if q still holds what it
    held at both tables, and a redeal for p after the action allows q at this table to hold what it holds at the twin.
    """
    for q in {*range(t.variants[i].seats)} - {p}:
        mine, theirs = (views(like(t, record, 1))[0, q] for record in (truth, dealt))
        private = mine != theirs
        holds = np.array_equal(t.observe(i, q)[private], mine[private]) and np.array_equal(twin.observe(i, q)[private], theirs[private])
        cases = ((truth, t), (dealt, twin)) if private.any() and holds else ()
        if cases and all(always(like(t, record, KEYS).determinize(q, KEYS), action, questions(after)[i]) for record, after in cases):
            possible = views(like(t, t.states[i], KEYS).determinize(p, KEYS))[:, q, private]
            if (possible == theirs[private]).all(axis=1).any():
                return True
    return False


def always(crowd: Tables, action: int, question: npt.NDArray[np.int64]) -> bool:
    """Return whether most tables allow an action, and whether all that do ask the same question after it."""
    able = np.flatnonzero(crowd.mask[:, action])
    crowd.step(np.full(able.size, action), able)
    return bool(2 * able.size > crowd.n and (questions(crowd)[able] == question).all())


def like(t: Tables, record: Any, n: int) -> Tables:
    """Return n tables that all are copies of one record."""
    found = Tables(t.variants[0], n=n, autoreset=False)
    found.states[:] = record
    return found


def single_answers(case: Case) -> Iterator[str]:
    """Prove that a seat is asked a question even if its hidden cards leave it one answer.

    A game that skips such a question (it lacks a `secret`) tells all others what the seat holds. In such a game the question never has one
    answer at a true table, but it sometimes has at tables redealt for another seat.
    """
    t = Tables(case.v, n=SINGLES, seed=case.seed, autoreset=False)
    true, dealt = set[tuple[int, int]](), set[tuple[int, int]]()  # pairs of question and table: where the question had one answer
    while case.v.seats > 1 and not t.over.all():
        WATCH.reach(f"decision {int(t.states['asked'].max())}")
        others = (np.maximum(t.seat, 0) + case.random.integers(1, case.v.seats, size=t.n)) % case.v.seats
        twin = t.determinize(others, int(case.random.integers(2**32)))
        for found, tables in ((true, t), (dealt, twin)):
            found.update((int(on_top(t)[i]), int(i)) for i in np.flatnonzero(tables.mask.sum(axis=1) == 1))
        t.step(t.mixed())
    for number in sorted({k for k, _ in dealt} - {k for k, _ in true}):
        games = sum(k == number for k, _ in dealt)
        if games >= ENOUGH:
            name = f"question {case.v.spec.questions.names[number]!r}" if case.v.spec.questions else "a question"
            yield (
                f"{name}: redeals left it one answer in {games} of {t.n} games, true tables in none: it needs a `secret`, "
                "or redeals forget what its seat has shown"
            )


def secrets(t: Tables, p: int) -> npt.NDArray[np.uint8]:
    """Return what all seats except one see, as a row of bytes for each table."""
    return bytewise(np.delete(views(t), p, axis=1))


def far_apart(a: int, b: int, trials: int) -> bool:
    """Return whether two counts, each out of `trials`, differ by more than chance allows."""
    spread = np.sqrt((a + b) * (1 - (a + b) / (2 * trials))) if trials else 0.0
    return bool(abs(a - b) > SIGMAS * spread + SLACK * trials)


def diversity(case: Case) -> Iterator[str]:
    """Prove that redeals differ from one another as often as from the truth, and that they vary what pictures hide."""
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
