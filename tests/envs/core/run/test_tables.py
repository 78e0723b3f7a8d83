"""Batches of tables keep their promises, whatever the game."""

import copy
import json
import pickle
import zipfile
from pathlib import Path

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alehouse.envs.core.run import array_file
from alehouse.envs.core.run.luck import game_seed
from alehouse.envs.core.run.random_games import play
from alehouse.envs.core.run.tables import IllegalAction, Tables
from alehouse.envs.games import variant, variants
from tests import toy
from tests.broken import posing

CONNECT, KUHN, TOY, INN = "connect_four", "kuhn_poker", "toy-3p-spice", "bloody_inn-3p-carnies"
EACH = [CONNECT, KUHN, TOY, INN]
ARRAYS = ("seat", "mask", "obs", "over", "scores", "utility", "states", "seeds")
PASS, BET = 0, 1
TWO_THREADS = pytest.param(2, marks=pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="one core"))


@pytest.fixture(autouse=True)
def _the_toy_is_known():
    with posing(toy.GAME):
        yield


def arrays(t):
    return {name: getattr(t, name).copy() for name in ARRAYS}


def same(a, b):
    return all(np.array_equal(a[name], b[name]) for name in ARRAYS)


def walk(t, steps):
    for _ in range(steps):
        t.step(t.sample())


def seeds_of(series, games):
    return [int(game_seed(np.uint64(series), k)) for k in games]


# What a batch shows


@pytest.mark.lanes
@pytest.mark.parametrize("v", EACH)
def test_shapes_and_types(v):
    t = Tables(v, n=5)
    a, f, p = t.variants[0].n_actions, t.game.FEATURES.size, t.variants[0].seats
    due = {
        "seat": ((5,), np.int8), "mask": ((5, a), np.int8), "obs": ((5, f), np.uint8), "over": ((5,), np.bool_),
        "scores": ((5, p), np.int32), "utility": ((5, p), np.float32), "seeds": ((5,), np.uint64),
    }  # fmt: skip
    assert {name: (getattr(t, name).shape, getattr(t, name).dtype.type) for name in due} == due
    assert not t.over.any()
    assert not t.scores.any()
    assert not t.utility.any()


@pytest.mark.lanes
@pytest.mark.parametrize("v", EACH)
@pytest.mark.parametrize("autoreset", [True, False])
def test_arrays_are_the_same_objects_for_life(v, autoreset):
    t = Tables(v, n=6, autoreset=autoreset)
    before = {name: (getattr(t, name), getattr(t, name).ctypes.data) for name in ARRAYS}
    walk(t, 70)
    t.reset([1, 2])
    t.reset(seeds=7)
    t.step(t.sample()[:2], [0, 1])
    for name, (array, place) in before.items():
        assert getattr(t, name) is array
        assert array.ctypes.data == place
    assert t.step(t.sample()) is None


@pytest.mark.parametrize("v", EACH)
def test_what_is_shown_is_what_may_be_asked(v):
    t = Tables(v, n=8, seed=3, autoreset=False)
    for _ in range(12):
        for i in np.flatnonzero(~t.over):
            assert np.array_equal(t.obs[i], t.observe(i, t.seat[i]))
            assert np.array_equal(t.obs[i], t.observe_all(i)[t.seat[i]])
        t.step(t.sample())


# Ended tables (design 8)


@pytest.mark.lanes
def test_with_autoreset_over_is_true_for_one_step():
    t = Tables(KUHN, n=2, seed=5)
    cards = t.states["card"].copy()
    t.step([PASS, BET])
    t.step([PASS, BET])
    assert t.over.tolist() == [True, True]
    high = np.where(cards[:, 0] > cards[:, 1], 1, -1)
    assert t.scores[:, 0].tolist() == [high[0], 2 * high[1]]
    assert t.utility[:, 0].tolist() == high.tolist()
    assert t.seat.tolist() == [0, 0]
    assert t.mask.tolist() == [[1, 1], [1, 1]]
    assert t.states["asked"].tolist() == [0, 0]
    assert t.seeds.tolist() == seeds_of(5, [2, 3])
    first = Tables(KUHN, n=4, seed=5)
    assert np.array_equal(t.obs, first.obs[2:])
    scores, utility = t.scores.copy(), t.utility.copy()
    t.step([PASS, PASS])
    assert t.over.tolist() == [False, False]
    assert np.array_equal(t.scores, scores)
    assert np.array_equal(t.utility, utility)


@pytest.mark.lanes
def test_without_autoreset_an_ended_table_waits():
    t = Tables(KUHN, n=3, seed=5, autoreset=False)
    t.step([PASS, BET, PASS])
    t.step([PASS, BET, BET])
    assert t.over.tolist() == [True, True, False]
    assert t.seat.tolist() == [-1, -1, 0]
    assert t.mask.tolist() == [[0, 0], [0, 0], [1, 1]]
    assert not t.obs[:2].any()
    before = arrays(t)
    t.step([-5, 10**9, BET])
    assert t.over.tolist() == [True, True, True]
    for name in ARRAYS:
        assert np.array_equal(getattr(t, name)[:2], before[name][:2])
    last = arrays(t)
    t.step([7, 7, 7])
    assert same(last, arrays(t))
    t.reset([1])
    assert t.over.tolist() == [True, False, True]
    assert t.seeds.tolist()[1] == seeds_of(5, [4])[0]
    assert t.mask[1].tolist() == [1, 1]


def test_rewards():
    for reward, due in (("rank", [1, -1]), ("win", [1, 0]), ("score", [2, -2])):
        t = Tables(KUHN, n=64, seed=1, reward=reward, autoreset=False)
        t.step([BET] * 64)
        t.step([BET] * 64)
        winner = (t.states["card"][:, 1] > t.states["card"][:, 0]).astype(int)
        assert {0, 1} == set(winner.tolist())
        assert t.utility.tolist() == [due if w == 0 else due[::-1] for w in winner]


def test_a_draw_is_shared():
    t = Tables(CONNECT, n=1, autoreset=False)
    for letter in "fbdgfccfddafeaaabcfabedfdgabbcdcebeecegggg":
        t.step(["abcdefg".index(letter)])
    assert t.over[0]
    assert t.utility.tolist() == [[0, 0]]
    assert t.scores.tolist() == [[0, 0]]


def test_a_tie_in_the_middle_is_averaged():
    t = Tables("toy-3p", n=1, autoreset=False)
    name = t.variants[0].action
    while not t.over[0]:
        t.states["seat"]["token"] = [2, 2, 0] if t.states["lap"][0] == 0 else t.states["seat"]["token"]
        t.step([name("keep") if t.mask[0, name("keep")] else name("pass")])
    assert t.utility.tolist() == [[0, 0, 0]]


# Seeds


@pytest.mark.parametrize("v", [KUHN, TOY])
@pytest.mark.parametrize("n", [1, 3, 8])
def test_table_i_plays_games_i_and_every_nth_after_it(v, n):
    t = Tables(v, n=n, seed=11)
    played = np.arange(n)
    for _ in range(60):
        assert t.seeds.tolist() == seeds_of(11, played)
        t.step(t.sample())
        played[t.over] += n


@pytest.mark.parametrize(
    ("threads", "v"),
    [*((1, v) for v in EACH), *(pytest.param(2, v, marks=[*TWO_THREADS.marks, *[pytest.mark.slow] * (v == INN)]) for v in EACH)],
)
def test_game_k_is_game_k(v, threads):
    """Whatever the size of the batch and the threads: the first 70 games of a seed have the same ends."""
    whole = Tables(v, n=70, seed=2, autoreset=False, threads=threads)
    while not whole.over.all():
        whole.step(whole.sample())
    alone = play(v, 70, seed=2, threads=threads)
    assert np.array_equal(alone.scores, whole.scores)
    assert np.array_equal(alone.utility, whole.utility)
    assert np.array_equal(alone.decisions, whole.states["asked"])
    few = Tables(v, n=9, seed=2)
    played = np.arange(9)
    while (played < 27).any():
        few.step(few.sample())
        for i in np.flatnonzero(few.over):
            if played[i] < 70:
                assert np.array_equal(few.scores[i], whole.scores[played[i]])
            played[i] += 9


def test_later_games_of_a_seed_can_be_played_alone():
    assert np.array_equal(play(TOY, 10, seed=4, first=5).scores, play(TOY, 15, seed=4).scores[5:])


@pytest.mark.parametrize("threads", [TWO_THREADS])
@pytest.mark.parametrize("autoreset", [True, False])
def test_threads_change_nothing(threads, autoreset):
    """An odd size, so that the two chunks differ."""
    one, two = (Tables(TOY, n=201, seed=8, autoreset=autoreset, threads=k) for k in (1, threads))
    for _ in range(40):
        actions = one.sample()
        assert np.array_equal(two.sample(), actions)
        one.step(actions)
        two.step(actions)
        assert same(arrays(one), arrays(two))


@pytest.mark.parametrize("threads", [TWO_THREADS])
@pytest.mark.parametrize("bad", [[3], [150], [150, 3, 200]])
def test_threads_name_the_first_illegal_action(threads, bad):
    t = Tables(TOY, n=201, seed=8, threads=threads)
    before, actions = arrays(t), t.sample()
    actions[bad] = -1
    with pytest.raises(IllegalAction, match=f"table {min(bad)},"):
        t.step(actions)
    assert same(before, arrays(t))


def test_reset_some_to_seeds():
    t = Tables(TOY, n=6, seed=1)
    walk(t, 4)
    before = arrays(t)
    t.reset([4, 1], seeds=[2**64 - 1, 3])
    assert t.seeds[[4, 1]].tolist() == [2**64 - 1, 3]
    fresh = Tables(TOY, n=2)
    fresh.reset(seeds=np.array([2**64 - 1, 3], np.uint64))
    for name in ("seat", "mask", "obs", "states"):
        assert np.array_equal(getattr(t, name)[[4, 1]], getattr(fresh, name))
        assert np.array_equal(getattr(t, name)[[0, 2, 3, 5]], before[name][[0, 2, 3, 5]])


def test_reset_takes_masks_and_goes_on_in_the_series():
    t = Tables(TOY, n=4, seed=1)
    t.reset(np.array([True, False, False, True]))
    assert t.seeds.tolist() == seeds_of(1, [4, 1, 2, 7])
    t.reset(2)
    assert t.seeds.tolist() == seeds_of(1, [4, 1, 6, 7])
    t.reset([])
    assert t.seeds.tolist() == seeds_of(1, [4, 1, 6, 7])
    t.reset()
    assert t.seeds.tolist() == seeds_of(1, [8, 5, 10, 11])


@pytest.mark.parametrize("v", EACH)
def test_a_new_game_has_no_byte_of_the_one_before(v):
    t, firsts = Tables(v, n=1, seed=2), Tables(v, n=4, seed=2)
    for k in range(1, 4):
        t.step(t.sample())
        while not t.over[0]:
            t.step(t.sample())
        assert t.states[0].tobytes() == firsts.states[k].tobytes()


@pytest.mark.parametrize("seeds", [[1, 2**63], [2**64 - 1, 0], np.array([5, 6]), 9, (np.uint64(2**64 - 1), 1), np.uint64(4)])
def test_seeds_of_any_size_and_type(seeds):
    t = Tables(KUHN, n=2)
    t.reset(seeds=seeds)
    due = [int(x) for x in np.broadcast_to(np.asarray(seeds, object), 2)]
    assert t.seeds.tolist() == due
    assert t.states["seed"].tolist() == due


@pytest.mark.parametrize(
    "seeds", [[-1, 0], [2**64, 0], [0.5, 1], [True, False], ["1", "2"], None, [1], [1, 2, 3], [[1, 2]], np.array([-3, 1])]
)
def test_bad_seeds(seeds):
    t = Tables(KUHN, n=2)
    if seeds is None:
        return
    before = arrays(t)
    with pytest.raises(ValueError, match="seed"):
        t.reset(seeds=seeds)
    assert same(before, arrays(t))


@pytest.mark.parametrize("which", [[2], [-1], [0.0], ["0"], np.array([True]), [[0]], [0, 0]])
def test_bad_tables_to_reset(which):
    t = Tables(KUHN, n=2)
    before = arrays(t)
    with pytest.raises(ValueError, match="which"):
        t.reset(which)
    assert same(before, arrays(t))


# Mixing


def test_mixed_variants_play_as_they_do_alone():
    mix = [TOY, "toy-2p-long", "toy-3p?game.die=6", TOY, "toy-2p-spice+herbs"]
    t = Tables(mix, seed=3, autoreset=False)
    assert [str(v) for v in t.variants] == mix
    alone = [Tables(v, n=1, autoreset=False) for v in mix]
    for i, one in enumerate(alone):
        one.reset(seeds=t.seeds[i : i + 1])
    while not t.over.all():
        actions = t.sample()
        t.step(actions)
        for i, one in enumerate(alone):
            one.step(actions[i : i + 1])
            for name in ("seat", "mask", "obs", "over", "states"):
                assert np.array_equal(getattr(one, name)[0], getattr(t, name)[i])
            seats = one.variants[0].seats
            assert np.array_equal(one.scores[0], t.scores[i, :seats])
            assert np.array_equal(one.utility[0], t.utility[i, :seats])
    assert not t.scores[[1, 4], 2].any()
    assert not t.utility[[1, 4], 2].any()


def test_a_whole_game_in_one_batch():
    every = variants("bloody_inn")
    t = Tables(every, seed=1)
    walk(t, 50)
    assert t.n == len(every)


# Bad input


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"v": "toy-9p"}, "toy seats 2 to 3"),
        ({"v": TOY, "n": 0}, "n=0"),
        ({"v": TOY, "n": -3}, "n=-3"),
        ({"v": TOY, "n": 2.0}, "n=2.0"),
        ({"v": TOY, "n": True}, "n=True"),
        ({"v": []}, "at least 1"),
        ({"v": [TOY, KUHN]}, "variants of one game only; these are of kuhn_poker, toy"),
        ({"v": [TOY, TOY], "n": 3}, "as many as variants given (2)"),
        ({"v": TOY, "seed": -1}, "seed=-1: a whole number from 0 to 18446744073709551615"),
        ({"v": TOY, "seed": 2**64}, "seed="),
        ({"v": TOY, "seed": 1.5}, "seed=1.5"),
        ({"v": TOY, "seed": None}, "seed=None"),
        ({"v": TOY, "threads": 0}, "threads=0"),
        ({"v": TOY, "threads": 4096}, "threads=4096"),
        ({"v": TOY, "threads": "2"}, "threads='2'"),
        ({"v": TOY, "reward": "fame"}, "reward 'fame': one of rank, win, score"),
        ({"v": 7}, "7"),
    ],
)
def test_bad_batches(arguments, words):
    with pytest.raises((ValueError, TypeError)) as error:
        Tables(**arguments)
    assert words in str(error.value)


@pytest.mark.parametrize(
    "actions",
    [[0], [0, 0, 0], 0, [[0, 0]], [0.0, 0.0], [True, False], ["0", "0"], [None, None], [], [2**70, 0], np.zeros(2, complex)],
    ids=str,
)
def test_actions_of_the_wrong_length_or_type(actions):
    t = Tables(KUHN, n=2)
    before = pickle.dumps(t)
    with pytest.raises(ValueError, match=r"actions: 2 whole numbers are wanted, got shape"):
        t.step(actions)
    assert pickle.dumps(t) == before


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.int32, np.uint32, np.int64, np.uint64])
def test_actions_of_any_whole_type(kind):
    t, other = Tables(CONNECT, n=4), Tables(CONNECT, n=4)
    t.step(np.array([0, 1, 2, 3], kind))
    other.step([0, 1, 2, 3])
    assert same(arrays(t), arrays(other))


@pytest.mark.lanes
@pytest.mark.parametrize("v", EACH)
def test_an_illegal_action_changes_nothing(v):
    t = Tables(v, n=4, seed=6, autoreset=False)
    walk(t, 1)
    size = t.variants[0].n_actions
    for action in (-1, size, 64 * t.game.ACTIONS.words, 2**62, -(2**62), *np.flatnonzero(t.mask[2] == 0)[:9]):
        before, actions = pickle.dumps(t), t.sample()
        actions[2] = action
        with pytest.raises(IllegalAction) as caught:
            t.step(actions)
        error = caught.value
        assert (error.table, error.seat, error.action) == (2, t.seat[2], action)
        assert error.name == (t.variants[0].action_names[action] if 0 <= action < size else "no such action")
        assert error.why
        assert str(error) == f"table 2, player_{error.seat}: {error.name!r} (action {action}) is not legal: {error.why}"
        assert error.why == t.why_illegal(2, int(action))
        assert isinstance(error, ValueError)
        assert str(pickle.loads(pickle.dumps(error))) == str(error)
        assert pickle.loads(before).states.tobytes() == t.states.tobytes()
        assert same(arrays(pickle.loads(before)), arrays(t))


def test_the_first_bad_table_is_named():
    t = Tables(KUHN, n=5)
    with pytest.raises(IllegalAction, match="table 1, player_0: 'no such action'"):
        t.step([0, 9, 0, -1, 9])


def test_why_illegal():
    t = Tables(CONNECT, n=1, autoreset=False)
    assert t.why_illegal(0, 3) == ""
    assert t.why_illegal(0, 7) == "actions are 0 to 6"
    for column in (0, 0, 0, 0, 0, 0):
        t.step([column])
    assert t.why_illegal(0, 0) == "column a is full"
    for column in (1, 2, 1, 2, 1, 2, 1):
        t.step([column])
    assert t.over[0]
    assert t.why_illegal(0, 3) == "the game is over"


@pytest.mark.parametrize(("i", "seat"), [(2, 0), (-1, 0), (0, 2), (0, -1)])
def test_what_is_not_there_can_not_be_looked_at(i, seat):
    t = Tables(KUHN, n=2)
    for look in (t.observe, t.text):
        with pytest.raises(ValueError, match=r"table|seat"):
            look(i, seat)
    if i != 0:
        for ask in (t.replay, lambda k: t.why_illegal(k, 0)):
            with pytest.raises(ValueError, match="table"):
                ask(i)


# Copies


TWINS = {"clone": Tables.clone, "copy": copy.copy, "deepcopy": copy.deepcopy, "pickle": lambda t: pickle.loads(pickle.dumps(t))}


@pytest.mark.parametrize("make", TWINS)
@pytest.mark.parametrize("v", EACH)
def test_copies_share_nothing_and_go_on_alike(make, v):
    t = Tables(v, n=5, seed=9)
    walk(t, 7)
    twin = TWINS[make](t)
    before = arrays(t)
    assert same(before, arrays(twin))
    walk(twin, 20)
    assert same(before, arrays(t))
    walk(t, 20)
    assert same(arrays(t), arrays(twin))
    assert t.replay(0) == twin.replay(0)


@pytest.mark.parametrize("v", EACH)
def test_a_saved_batch_goes_on(v, tmp_path):
    t = Tables(v, n=5, seed=9, reward="win")
    walk(t, 75)
    t.save(tmp_path / "batch")
    twin = Tables.load(tmp_path / "batch")
    assert same(arrays(t), arrays(twin))
    assert (twin.seed, twin.autoreset, twin.threads, twin.reward) == (9, True, 1, "win")
    assert [t.replay(i) for i in range(5)] == [twin.replay(i) for i in range(5)]
    walk(t, 90)
    walk(twin, 90)
    assert same(arrays(t), arrays(twin))
    assert [t.replay(i) for i in range(5)] == [twin.replay(i) for i in range(5)]
    assert [path.name for path in tmp_path.iterdir()] == ["batch"]


def test_mixed_and_ended_tables_are_saved_too(tmp_path):
    t = Tables([TOY, "toy-2p?game.die=6", TOY], seed=2, autoreset=False)
    while not t.over[1]:
        t.step(t.sample())
    t.save(tmp_path / "batch")
    twin = Tables.load(tmp_path / "batch")
    assert same(arrays(t), arrays(twin))
    assert twin.variants == t.variants
    assert twin.text(1) == t.text(1)


# Damaged files


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    with posing(toy.GAME):
        t = Tables("toy-2p", n=2, seed=3)
        walk(t, 3)
        path = tmp_path_factory.mktemp("saved") / "batch"
        t.save(path)
        return path.read_bytes(), arrays(t)


def rejected(path, words="not a batch this version can load"):
    with pytest.raises(ValueError) as error:
        Tables.load(path)
    assert str(path) in str(error.value)
    assert words in str(error.value)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no files without a size")
def test_what_says_no_size_is_not_read_to_its_end():
    with pytest.raises(ValueError, match="not a batch this version can load: it is larger than 0 bytes"):
        Tables.load("/proc/self/status")


def test_a_truncated_batch_is_not_loaded(saved, tmp_path):
    path, data = tmp_path / "batch", saved[0]
    for size in [*range(0, len(data), 97), len(data) - 1]:
        path.write_bytes(data[:size])
        rejected(path)


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_a_flipped_bit_is_noticed_or_harmless(saved, tmp_path_factory, data):
    """Every byte that carries something is guarded by a checksum; the rest of an archive says things like its date."""
    whole, before = saved
    at = data.draw(st.integers(0, 8 * len(whole) - 1))
    spoiled = bytearray(whole)
    spoiled[at // 8] ^= 1 << at % 8
    path = tmp_path_factory.mktemp("flipped") / "batch"
    path.write_bytes(spoiled)
    try:
        t = Tables.load(path)
    except ValueError as error:
        assert "not a batch this version can load" in str(error)
        return
    assert same(before, arrays(t))


def rewritten(data, path, change):
    """The batch with its head or an array replaced, and a new digest."""
    contents = array_file.undamaged(array_file.unpacked(data, len(data)))
    head = json.loads(contents["head"].tobytes())
    change(head, contents)
    contents["head"] = np.frombuffer(json.dumps(head).encode(), np.uint8)
    path.write_bytes(array_file.packed(contents))
    return path


FOREIGN = {
    "another format": (lambda head, a: head.update(format="alehouse-tables-9"), "not a file of format alehouse-tables-2"),
    "an earlier format": (lambda head, a: head.update(format="alehouse-tables-1"), "format alehouse-tables-1, which Alehouse 0.1 reads"),
    "other rules": (lambda head, a: head["rules"].update({"toy-2p": "0" * 16}), "toy-2p had rules 0000000000000000, here they are"),
    "another version": (
        lambda head, a: (head.update(version="0.1.7"), a.update(fields=a["fields"][:-1])),
        "Alehouse 0.1.7 wrote it, whose states hold other fields",
    ),
    "unknown variant": (lambda head, a: head.update(rules={"toy-9p": ""}), "toy seats 2 to 3"),
    "no rules": (lambda head, a: head.update(rules={}), ""),
    "fewer tables": (lambda head, a: head.update(variants=["toy-2p"]), "shape"),
    "no seed": (lambda head, a: head.pop("seed"), "seed"),
    "odd reward": (lambda head, a: head.update(reward="fame"), "reward 'fame'"),
    "odd threads": (lambda head, a: head.update(threads="two"), ""),
    "no states": (lambda head, a: a.pop("states"), "states"),
    "short states": (lambda head, a: a.update(states=a["states"][:, :-1]), ""),
    "float scores": (lambda head, a: a.update(scores=a["scores"].astype(float)), ""),
    "one row of scores": (lambda head, a: a.update(scores=a["scores"][:1]), "shape"),
}  # fmt: skip


@pytest.mark.parametrize("name", FOREIGN)
def test_what_another_program_wrote(saved, tmp_path, name):
    change, words = FOREIGN[name]
    rejected(rewritten(saved[0], tmp_path / "batch", change), words)


def test_rewritten_without_change_it_loads(saved, tmp_path):
    assert same(saved[1], arrays(Tables.load(rewritten(saved[0], tmp_path / "batch", lambda head, a: None))))


def test_foreign_files(tmp_path):
    for data in (b"", b"hello", b"PK\x05\x06" + bytes(18), pickle.dumps({"format": "x"}), b"\x80\x04N."):
        (tmp_path / "batch").write_bytes(data)
        rejected(tmp_path / "batch")
    np.save(tmp_path / "array.npy", np.zeros(3))
    rejected(tmp_path / "array.npy")
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
        archive.writestr("head.npy", "no array")
    rejected(tmp_path / "other.zip")
    rejected(tmp_path)
    with pytest.raises(FileNotFoundError):
        Tables.load(tmp_path / "nothing")


def test_nothing_in_a_file_is_executed(tmp_path):
    class Evil:
        def __reduce__(self):
            return (tmp_path / "evil").touch, ()

    np.savez(tmp_path / "batch.npz", head=np.array([Evil()], object))
    (tmp_path / "evil").unlink(missing_ok=True)
    rejected(tmp_path / "batch.npz")
    assert not (tmp_path / "evil").exists()


# Replays of a batch


@pytest.mark.parametrize("v", EACH)
@pytest.mark.parametrize("autoreset", [True, False])
def test_any_game_under_way_has_its_replay(v, autoreset):
    t = Tables(v, n=3, seed=4, autoreset=autoreset)
    played = [[] for _ in range(3)]
    ended = [[] for _ in range(3)]
    for step in range(150):
        if t.over.all() and not autoreset:
            break
        actions, live = t.sample(), ~t.over | autoreset
        t.step(actions)
        for i in np.flatnonzero(live):
            played[i].append(int(actions[i]))
            if t.over[i] and autoreset:
                ended[i], played[i] = played[i], []
        if step % 11 == 0:
            for i in range(3):
                replay = t.replay(i)
                just = bool(t.over[i]) and autoreset
                assert replay.actions == tuple(ended[i] if just else played[i])
                reached = replay.tables()
                if not just:
                    assert reached.states[0].tobytes() == t.states[i].tobytes()
                    assert replay.seed == t.seeds[i]
                assert bool(reached.over[0]) == bool(t.over[i])


def test_the_log_holds_the_longest_game_and_no_more():
    """Games of 7 to 42 decisions, thousands of steps: the log stays small and every replay is whole."""
    t = Tables(CONNECT, n=4, seed=1)
    walk(t, 3000)
    assert t.batch.log.shape[1] < 200
    for i in range(4):
        t.replay(i).verify()
        assert len(t.replay(i).actions) == (t.states["asked"][i] or len(t.replay(i).actions))


def test_the_log_grows_with_a_long_game():
    t = Tables("bloody_inn-4p", n=2, seed=1, autoreset=False)
    width = t.batch.log.shape[1]
    while not t.over.all():
        t.step(t.sample())
    assert t.states["asked"].max() > width
    for i in range(2):
        replay = t.replay(i)
        assert len(replay.actions) == t.states["asked"][i]
        replay.verify()


def test_a_table_that_ended_long_ago_has_its_replay():
    t = Tables(KUHN, n=2, autoreset=False)
    for _ in range(400):
        t.step([PASS, PASS])
        if t.over[1]:
            t.reset([1])
    assert t.replay(0).actions == (PASS, PASS)
    for i in range(2):
        t.replay(i).verify()


def test_a_refused_step_leaves_the_log_alone():
    t = Tables(KUHN, n=1, seed=1)
    for _ in range(31):
        t.step([BET])
        t.step([PASS])
    t.step([BET])
    t.step([PASS])
    assert t.over[0]
    with pytest.raises(IllegalAction):
        t.step([5])
    assert t.replay(0).actions == (BET, PASS)


def test_a_redealt_table_has_no_replay_until_its_next_game():
    t = Tables(KUHN, n=2, seed=1).determinize(0, 5)
    with pytest.raises(ValueError, match="table 0: no replay"):
        t.replay(0)
    t.step([BET, PASS])
    t.step([PASS, BET])
    assert t.over.tolist() == [True, False]
    with pytest.raises(ValueError, match="table 0: no replay"):
        t.replay(0)
    t.step([BET, PASS])
    assert t.replay(0).actions == (BET,)
    t.replay(0).verify()


# Redeals


@pytest.mark.parametrize("v", EACH)
def test_a_redeal_is_a_copy(v):
    t = Tables(v, n=6, seed=3)
    walk(t, 2)
    before = arrays(t)
    twin = t.determinize(t.seat, 99)
    assert same(before, arrays(t))
    assert np.array_equal(twin.obs, t.obs)
    assert np.array_equal(twin.mask, t.mask)
    assert not (twin.seeds == t.seeds).any()
    assert np.array_equal(twin.seeds, twin.states["seed"])
    walk(twin, 5)
    assert same(before, arrays(t))


@pytest.mark.parametrize("key", [0, 1, 7, 2**64 - 1])
def test_no_key_deals_the_truth(key):
    """The seed of a batch as key is nothing special."""
    for seed in (0, 1, 7, key):
        t = Tables(TOY, n=20, seed=seed)
        for p in range(3):
            assert not np.isin(t.determinize(p, key).seeds, t.seeds).any()


@pytest.mark.parametrize("key", [-1, 2**64, 0.5, None, True])
def test_bad_keys(key):
    with pytest.raises(ValueError, match="key="):
        Tables(KUHN, n=2).determinize(0, key)


@pytest.mark.parametrize("seats", [2, -1, [0, 2]])
def test_bad_views(seats):
    with pytest.raises(ValueError, match="seat"):
        Tables(KUHN, n=2).determinize(seats, 1)


# Playing in the kernel


@pytest.mark.parametrize(
    ("arguments", "words"), [({"games": -1}, "games=-1"), ({"games": 1, "threads": 0}, "threads=0"), ({"games": 1, "seed": -1}, "seed=-1")]
)
def test_bad_series(arguments, words):
    with pytest.raises(ValueError, match=words):
        play(KUHN, **arguments)


def test_no_games_are_no_games():
    assert play(KUHN, 0).scores.shape == (0, 2)


@pytest.mark.parametrize("v", ["bloody_inn-4p-long", "bloody_inn-4p-carnies+events+notables+objects-long"])
def test_a_table_fits_in_four_kilobytes(v):
    n = 64
    t = Tables(v, n=n, seed=1)
    walk(t, 1200)
    size = sum(array.nbytes for array in t.batch if isinstance(array, np.ndarray)) - t.rules.nbytes
    assert size / n <= 4096


def test_variant_objects_and_ids_are_the_same_thing():
    a, b = Tables(variant("kuhn_poker"), n=2), Tables("kuhn_poker-2p", n=2)
    assert same(arrays(a), arrays(b))
