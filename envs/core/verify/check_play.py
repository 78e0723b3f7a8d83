"""Checks of play: endless kernels, masks, illegal actions, lost cards, scores, copies, positions in a batch, modules that are off."""

import copy
import pickle
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numba
import numpy as np
import numpy.typing as npt

from alehouse.envs.core.declare.game import Module, Variant
from alehouse.envs.core.declare.numbers import Entry, Value
from alehouse.envs.core.declare.record import without_range
from alehouse.envs.core.run.admission import ranges, stacks
from alehouse.envs.core.run.batch_kernels import SMALL
from alehouse.envs.core.run.random_games import Results, play
from alehouse.envs.core.run.replay import Replay
from alehouse.envs.core.run.tables import IllegalAction, Tables
from alehouse.envs.core.verify.case import BEYOND, STALE, Case, changed, fresh, on_top, rows_unlike, snapshot, views, where
from alehouse.envs.core.verify.watch import WATCH

ALONE = 10  # how many games are played alone
LOOKS = 100  # at how many decisions of a batch slow checks look
ENDS = 1000  # how many finished games are audited
THREADED = 10  # one decision in this many is taken on two threads
AGREE = 1e-5  # how closely sums of 32-bit utilities must agree


def ends(case: Case) -> Iterator[str]:
    """Prove that every kernel returns, that every decision is counted, and that every game ends within its bound.

    The first games are played alone, so that a kernel that never returns is reported with its game (see watch.py).
    """
    t = Tables(case.v, n=1, autoreset=False)
    for k, seed in enumerate(case.tables().seeds[:ALONE]):
        WATCH.reach(f"the first position of game {k}")
        t.reset(seeds=[seed])
        for step in range(case.v.bound):
            if not t.mask.any():
                break
            WATCH.reach(where(step, k))
            t.step(t.sample(lively=case.v.spec.lively is not None and k % 2 == 1))
    for step, t in case.walk():
        if step == case.v.bound:
            yield from (f"game {i} is not over after {step} decisions, the bound" for i in np.flatnonzero(~t.over))
        wrong = ~t.over & (t.states["asked"] != step)
        yield from (f"{where(step, i)}: {t.states['asked'][i]} decisions counted" for i in np.flatnonzero(wrong))


def masks(case: Case) -> Iterator[str]:
    """Prove that somebody can act as long as a game lasts, and that the mask is what the rules give at that moment."""
    for step, t in case.walk():
        case.asked.update(on_top(t)[~t.over].tolist())
        for i in np.flatnonzero(~t.over & ~t.mask.any(axis=1)):
            yield f"{where(step, i)}: no legal action"
        for i in np.flatnonzero((t.seat < -1) | (t.seat >= case.v.seats) | ((t.seat < 0) != t.over)):
            yield f"{where(step, i)}: seat {t.seat[i]} to move"
        for i in np.flatnonzero(t.mask.sum(axis=1) > t.game.choices):
            yield f"{where(step, i)}: {t.mask[i].sum()} legal actions, more than the {t.game.choices} declared"
        found = fresh(t)
        yield from (f"{where(step, i)}: its legal actions are not those the rules give now" for i in np.flatnonzero(found & STALE))
        yield from (f"{where(step, i)}: legal actions beyond the last" for i in np.flatnonzero(found & BEYOND))


def declarations(case: Case) -> Iterator[str]:
    """Prove that a variant's id leads back to the variant, that everything its modules and questions refer to exists, and that every number
    of a state and every argument of a question has a range."""
    v = case.v
    if v.spec.parse(str(v)) != v or pickle.loads(pickle.dumps(v)) != v:
        yield "its id does not lead back to it"
    features = {name for name, *_ in v.features}
    for module in v.spec.modules:
        yield from (f"module {module.name}: no action {name!r}" for name in module.actions if not case.columns([name]))
        yield from (f"module {module.name}: no feature {name!r}" for name in module.features if name not in features)
        yield from (f"module {module.name}: no number {key!r}" for key in module.numbers if not any(k.startswith(key) for k in v.numbers))
    yield from (f"State.{name}: it has no range; declare one, as in Annotated[i1, upto(9)]" for name in without_range(v.spec.STATE))
    questions = v.spec.questions
    for name, args in questions.arguments() if questions else ():
        yield from (f"question or task {name!r}: an argument has no range" for arg in args if arg is None)
    modules = {"", *(module.name for module in v.spec.modules)}
    for row in v.spec.questions.rows if v.spec.questions else ():
        yield from (f"question {row.name!r} has no {word}" for word in ("rule", "prompt") if not getattr(row, word))
        if row.module not in modules:
            yield f"question {row.name!r}: no module {row.module!r}"


def observations(case: Case) -> Iterator[str]:
    """Prove that observers write every byte, stay within the largest values declared, and change nothing by looking."""
    most = np.concatenate([np.full(f.length, f.max) for f in case.v.features])
    labels = [f"{f.name}[{k}]" for f in case.v.features for k in range(f.length)]
    for step, t in case.at_some(LOOKS):
        before = t.states.tobytes()
        seen, again = views(t)[:, : case.v.seats], views(t, 255)[:, : case.v.seats]
        if t.states.tobytes() != before:
            yield f"decision {step}: looking changes the table"
        for i, p, k in np.argwhere(seen != again)[:1]:
            yield f"{where(step, i)}: the observation of player_{p} leaves {labels[k]} unwritten"
        if (seen > most).any():
            i, p, k = np.argwhere(seen > most)[0]
            yield f"{where(step, i)}: player_{p} sees {labels[k]} = {seen[i, p, k]}, more than {most[k]}"
        mine = np.where(t.over[:, None], 0, seen[np.arange(t.n), t.seat])
        yield from (f"{where(step, i)}: the batch shows another observation" for i in np.flatnonzero((mine != t.obs).any(axis=1)))


def refusals(case: Case) -> Iterator[str]:
    """Prove that an illegal action is refused with a reason and changes nothing."""
    size, words = case.v.n_actions, 64 * case.v.spec.ACTIONS.words
    for step, t, live in case.visits(12):
        i = int(case.random.choice(live))
        illegal = [int(a) for a in np.flatnonzero(t.mask[i] == 0)]
        yield from (f"{where(step, i)}: no reason why {case.v.action_names[a]!r} is illegal" for a in illegal if not t.why_illegal(i, a))
        if any(t.why_illegal(i, int(a)) for a in np.flatnonzero(t.mask[i])[:4]):
            yield f"{where(step, i)}: a reason against a legal action"
        some = [int(a) for a in case.random.permutation(illegal)[:8]]
        for action in (*some, -1, size, words - 1, words, -(2**40), 2**40):
            if not 0 <= action < size or t.mask[i, action] == 0:
                yield from (f"{where(step, i)}: {fault}" for fault in refused(t, i, int(action)))


def refused(t: Tables, i: int, action: int) -> Iterator[str]:
    """Yield the faults in how a batch refuses an illegal action at one table."""
    actions = t.sample()
    actions[i] = action
    actions[i + 1 :][~t.over[i + 1 :]] = -1
    before = snapshot(t)
    name = t.game.ACTIONS.names[action] if 0 <= action < len(t.game.ACTIONS) else "no such action"
    try:
        t.step(actions)
    except IllegalAction as error:
        if (error.table, error.seat, error.action, error.name) != (i, t.seat[i], action, name) or not error.why:
            yield f"the refusal of {name!r} ({action}) names {error}"
    else:
        yield f"action {action} ({name!r}) is not refused"
    if what := changed(before, snapshot(t)):
        yield f"refusing {name!r} changes {what}"


def conservation(case: Case) -> Iterator[str]:
    """Prove by the game's own audit that nothing is lost or made: at some tables during play, at up to ENDS of them at the end. Prove that
    all numbers of all states are in their ranges, and all entries on the stack of questions too."""
    some = min(2 + case.games // 100, case.games)
    for step, t in case.at_some(LOOKS):
        chosen = range(min(t.n, ENDS)) if t.over.all() else [(step * some + k) % t.n for k in range(some)]
        for i in chosen:
            yield from (f"{where(step, i)}: {fault}" for fault in t.game.audit(t.states[i], t.rules[t.rule[i]]))
        for faults in (ranges, stacks):
            yield from (f"{where(step, i)}: {fault}" for i, fault in faults(t.game, t.distinct, t.rules, t.rule, t.states))


def scoring(case: Case) -> Iterator[str]:
    """Prove that two ways of scoring agree, that utilities add up, and that games played inside one kernel go the same way."""
    for _, last in case.walk():
        t = last
    for i in range(t.n):
        points = [int(x) for x in t.game.score_again(t.states[i], t.rules[t.rule[i]])]
        if points != t.scores[i].tolist():
            yield f"game {i}: scores {t.scores[i].tolist()}, counted again {points}"
        order = np.sign(t.scores[i][:, None] - t.scores[i])
        if case.v.seats > 1 and (order * np.sign(t.utility[i][:, None] - t.utility[i]) != order**2).any():
            yield f"game {i}: scores {t.scores[i].tolist()} but utilities {t.utility[i].tolist()}"
    for reward in ("rank", "win", "score"):
        results = played(case, reward)
        if case.v.seats == 1:
            wrong = (reward != "score") & ~np.isin(results.utility[:, 0], (-1, 0, 1))
        else:
            due = {"rank": 0, "win": 1, "score": results.scores.sum(axis=1)}[reward]
            wrong = abs(results.utility.sum(axis=1) - due) > AGREE
        yield from (f"game {i}: utilities {results.utility[i].tolist()} by {reward}" for i in np.flatnonzero(wrong))
        other = (results.scores != t.scores).any(axis=1) | (results.decisions != t.states["asked"])
        yield from (f"game {i}: it goes differently when played in one kernel" for i in np.flatnonzero(other))


def played(case: Case, reward: str) -> Results:
    """Play the games of a case inside one kernel, by the uniform and the lively player in turn."""
    uniform, lively = (play(case.v, case.games, case.seed, reward=reward, lively=lively) for lively in (False, True))
    uniform.scores[1::2] = lively.scores[1::2]
    uniform.utility[1::2] = lively.utility[1::2]
    uniform.decisions[1::2] = lively.decisions[1::2]
    return uniform


def copies(case: Case) -> Iterator[str]:
    """Prove that copies share no memory with the original and go on as it does."""
    for name, twin_of in COPIES.items():
        for _, t, _ in case.visits(3):
            twin = twin_of(t)
            yield from (f"{name}: {fault}" for fault in independent(t.clone(), twin))


def independent(t: Tables, twin: Tables) -> Iterator[str]:
    """Yield memory that a batch shares with its copy, and later differences between the two."""
    pairs = [(name, value, getattr(twin.batch, name)) for name, value in t.batch._asdict().items() if isinstance(value, np.ndarray)]
    yield from (f"shares {name}" for name, mine, theirs in pairs if np.may_share_memory(mine, theirs))
    before = snapshot(twin)
    yield from (f"{name} differs" for name in changed(before, snapshot(t)).split(", ") if name)
    actions: list[npt.NDArray[np.int64]] = []
    while not t.over.all() and len(actions) < t.game.bound(t.variants[0]):
        actions.append(t.sample())
        t.step(actions[-1])
    if what := changed(before, snapshot(twin)):
        yield f"changes with the original: {what}"
    for action in actions:
        twin.step(action)
    if what := changed(snapshot(t), snapshot(twin)):
        yield f"does not go on as the original: {what}"


def reloaded(t: Tables) -> Tables:
    """Return a batch that was saved to a file and loaded."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "batch")
        t.save(path)
        return Tables.load(path)


def rebuilt(t: Tables) -> Tables:
    """Return a copy of a batch, made by copying its records one by one."""
    twin = t.clone()
    twin.states[:] = np.zeros(1, t.states.dtype)
    for i in range(t.n):
        twin.states[i] = t.states[i].copy()
    return twin


COPIES: dict[str, Callable[[Tables], Tables]] = {
    "clone": Tables.clone,
    "deepcopy": copy.deepcopy,
    "pickle": lambda t: pickle.loads(pickle.dumps(t)),
    "save and load": reloaded,
    "records": rebuilt,
}


def placing(case: Case) -> Iterator[str]:
    """Prove that a game goes the same at any position of a batch, among any other games, with any number of threads."""
    t, many = case.tables(), max(case.games, SMALL)
    backwards = np.arange(many)[::-1] % case.games
    threads = min(2, int(numba.config.NUMBA_NUM_THREADS))
    crowd = Tables(case.v, n=many, seed=case.seed, autoreset=False)
    crowd.reset(seeds=t.seeds[backwards])
    mixed = Tables([case.neighbour(), case.v] * case.games, seed=case.seed, autoreset=False)
    mixed.reset(seeds=np.repeat(t.seeds, 2))
    single = Tables(case.v, n=1, autoreset=False)
    single.reset(seeds=t.seeds[-1:])
    others = {
        f"backwards on {threads} threads": (crowd, many - 1 - np.arange(case.games)),
        f"beside {case.neighbour()}": (mixed, 2 * np.arange(case.games) + 1),
    }
    moments = case.moments(LOOKS)
    for step in range(case.v.bound + 1):
        WATCH.reach(f"decision {step}")
        for name, (other, at) in others.items() if step in moments or t.over.all() else ():
            yield from (f"{where(step, i)}: {name} its {what} differ" for i, what in rows_unlike(t, other, at))
        yield from (f"{where(step, case.games - 1)}: alone its {what} differ" for _, what in rows_unlike(single, t, np.array([t.n - 1])))
        if t.over.all():
            return
        actions = t.sample()
        beside = mixed.sample()
        beside[1::2] = actions
        t.step(actions)
        crowd.threads = threads if step % THREADED == 0 else 1
        crowd.step(actions[backwards])
        mixed.step(beside)
        single.step(actions[-1:])


def series(case: Case) -> Iterator[str]:
    """Prove that game k is the same at any table of a batch that starts new games by itself, and that its replay leads to the same game."""
    t = case.tables()
    while not t.over.all():
        t.step(t.sample())
    due = min(case.games, 28)
    batch = Tables(case.v, n=min(5, due), seed=case.seed)
    new = Tables(case.v, n=1, autoreset=False)
    played = np.arange(batch.n)
    for step in range(case.v.bound * due):
        WATCH.reach(f"decision {step} of a series")
        batch.step(batch.sample())
        for i in np.flatnonzero(batch.over):
            k = played[i]
            if k < due and (batch.scores[i] != t.scores[k]).any():
                yield f"game {k}: scores {t.scores[k].tolist()}, but {batch.scores[i].tolist()} in a series"
            if k < batch.n:
                if replayed(batch, int(i)) != replayed(t, int(k)):
                    yield f"game {k}: another replay in a series"
                new.reset(seeds=batch.seeds[i : i + 1])
                if new.states[0].tobytes() != batch.states[i].tobytes():
                    yield f"game {k + batch.n}: it begins differently after game {k} than at a new table"
                new = Tables(case.v, n=1, autoreset=False)
            played[i] += batch.n
        if (played >= due).all():
            return


def replayed(t: Tables, i: int) -> Replay | str:
    """Return the replay of a table, or why it has none."""
    try:
        return t.replay(i)
    except ValueError as error:
        return str(error)


def replays(case: Case) -> Iterator[str]:
    """Prove that the variant, seed and actions of a game lead to the same state again, also from a file."""
    for step, t, live in case.visits(3):
        i = int(live[-1])
        replay = t.replay(i)
        with tempfile.TemporaryDirectory() as folder:
            replay.save(Path(folder, "game"))
            if Replay.load(Path(folder, "game")) != replay:
                yield f"{where(step, i)}: its file holds another game"
        if replay.tables().states[0].tobytes() != t.states[i].tobytes():
            yield f"{where(step, i)}: its replay leads elsewhere"


def absent(case: Case) -> Iterator[str]:
    """Prove that a module that is off adds no legal action and no feature above zero."""
    off = [m for m in case.v.spec.modules if m.name not in case.v.modules]
    on = [m for m in case.v.spec.modules if m.name in case.v.modules]
    actions = {a: m.name for m in off for a in set(case.columns(m.actions)) - set(case.columns(a for m in on for a in m.actions))}
    shared = {name for m in on for name in m.features}
    segments = [(m, f) for m in off for f in case.v.features if f.name in m.features and f.name not in shared]
    features = {f.start + k: m.name for m, f in segments for k in range(f.length)}
    for step, t in case.at_some(LOOKS) if off else ():
        for i, k in np.argwhere(t.mask[:, [*actions]]):
            action = [*actions][k]
            yield f"{where(step, i)}: {case.v.action_names[action]!r} is legal without {actions[action]}"
        for i, p, k in np.argwhere(views(t)[:, :, [*features]]):
            yield f"{where(step, i)}: player_{p} sees something of {features[[*features][k]]}"


def numbers(case: Case) -> Iterator[str]:
    """Prove that the numbers of a module that is off change nothing."""
    off = [m for m in case.v.spec.modules if m.name not in case.v.modules]
    on = tuple(key for m in case.v.spec.modules if m.name in case.v.modules for key in m.numbers)
    keys = [key for m in off for key in case.v.numbers if key.startswith(m.numbers) and not (on and key.startswith(on))]
    for high in (True, False):
        changes = {key: other_value(case.v.numbers[key], high) for key in keys}
        if not changes or differs(case, changes) is None:
            continue
        culprits = {key: found for key, value in changes.items() if (found := differs(case, {key: value})) is not None}
        for key, found in culprits.items() or [("all of them together", differs(case, changes))]:
            yield f"{found}: differs with {key}={changes.get(key, '')} of a module that is off ({owner(off, key)})"


def other_value(entry: Entry, high: bool) -> Value:
    """Return another value that a number may have, from one end of its range."""
    choices: tuple[Value, ...] = entry.allowed[::-1] if high else entry.allowed
    return next((x for x in choices if x != entry.value), entry.value)


def owner(modules: list[Module], key: str) -> str:
    """Return the name of the module that a number belongs to."""
    return next((m.name for m in modules if key.startswith(m.numbers)), "several")


def differs(case: Case, changes: dict[str, Value]) -> str | None:
    """Return the first place where a batch played with other numbers differs, if there is one."""
    try:
        v: Variant = case.v.spec.variant(case.v.seats, case.v.modules, case.v.length, dict(case.v.overrides) | changes)
    except ValueError:
        return None
    t, other = case.tables(), case.tables(v)
    for step in range(case.v.bound + 1):
        WATCH.reach(f"decision {step} with {', '.join(changes)} changed")
        for i, what in rows_unlike(t, other, np.arange(t.n)) if step % 5 == 0 or t.over.all() else ():
            return f"{where(step, i)}: {what}"
        if t.over.all():
            return None
        actions = t.sample()
        t.step(actions)
        other.step(actions)
    return None
