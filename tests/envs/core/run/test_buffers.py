"""Arrays of tables begin where other libraries can share them, and may lie in memory of the caller's own."""

import pickle
import subprocess
import sys
from multiprocessing.shared_memory import SharedMemory
from typing import Any

import numpy as np
import pytest

from alehouse.envs.core.run.learner_tables import LearnerTables, RandomAgent
from alehouse.envs.core.run.tables import BUFFERS, Tables

FOUR = "connect_four-2p"
N = 5


def arrays_of(tables: Tables) -> dict[str, Any]:
    """All arrays of a batch."""
    return {name: part for named in tables._parts for name, part in named._asdict().items() if isinstance(part, np.ndarray)}


@pytest.mark.parametrize("n", [1, 3, 64])
@pytest.mark.parametrize("make", [lambda n: Tables(FOUR, n), lambda n: LearnerTables(FOUR, n, [RandomAgent()], [[0]])])
def test_arrays_begin_at_multiples_of_64_bytes(n: int, make: Any) -> None:
    tables = make(n)
    tables.reset()
    for twin in (tables, tables.clone(), pickle.loads(pickle.dumps(tables))):
        found = arrays_of(twin)
        assert len(found) > 12
        own = {name: array for name, array in found.items() if name not in ("line_ups", "inside", "weights", "options")}
        assert {name: array.ctypes.data % 64 for name, array in own.items()} == dict.fromkeys(own, 0)
    while tables.batch.log.shape[1] == 64:  # until the log is made wider
        tables._longest = tables.states["asked"].max() + 64
        tables.states["asked"][0] = 64
        tables._widen_log()
    assert tables.batch.log.ctypes.data % 64 == 0


def same_play(one: Tables, other: Tables) -> None:
    """Play both on by the same actions, and see that they show the same."""
    for _ in range(30):
        for name in BUFFERS:
            assert (getattr(one, name) == getattr(other, name)).all(), name
        actions = one.sample()
        one.step(actions)
        other.step(actions)


def test_numpy_arrays_as_buffers() -> None:
    plain = Tables(FOUR, N, seed=2)
    mine = {name: np.full_like(getattr(plain, name), 1) for name in BUFFERS}
    tables = Tables(FOUR, N, seed=2, buffers=mine)
    assert all(getattr(tables, name) is mine[name] for name in BUFFERS)
    twin = tables.clone()
    same_play(plain, tables)
    assert mine["obs"].any()
    assert not np.shares_memory(twin.obs, mine["obs"])
    assert (twin.states["asked"] == 0).all()


def test_a_function_makes_buffers() -> None:
    asked = {}

    def make(name: str, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
        asked[name] = shape, dtype
        return np.empty(shape, dtype) if name == "mask" else None

    tables = Tables(FOUR, N, seed=2, buffers=make)
    assert asked == {name: (getattr(tables, name).shape, getattr(tables, name).dtype) for name in BUFFERS}
    same_play(Tables(FOUR, N, seed=2), tables)


def test_tensors_of_torch_as_buffers() -> None:
    torch = pytest.importorskip("torch")
    plain = Tables(FOUR, N, seed=2)
    tensors = {name: torch.zeros(getattr(plain, name).shape, dtype=getattr(torch, getattr(plain, name).dtype.name)) for name in BUFFERS}
    tables = Tables(FOUR, N, seed=2, buffers=tensors)
    same_play(plain, tables)
    for name, tensor in tensors.items():
        assert tensor.data_ptr() == getattr(tables, name).ctypes.data
        assert tensor.numpy().tolist() == getattr(tables, name).tolist()
    moved = LearnerTables(FOUR, N, [RandomAgent()], [[0]], buffers=tensors)
    moved.reset()
    assert tensors["mask"].any()


@pytest.mark.slow
def test_pinned_tensors_as_buffers() -> None:
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("memory is pinned only where there is a GPU")
    pinned = torch.zeros((N, 84), dtype=torch.uint8, pin_memory=True)
    tables = Tables(FOUR, N, buffers={"obs": pinned})
    assert tables.obs.ctypes.data == pinned.data_ptr()


def test_jax_reads_the_arrays_where_they_are() -> None:
    jax = pytest.importorskip("jax")
    tables = Tables(FOUR, N, seed=2)
    for name in ("obs", "mask", "utility", "scores"):
        array = getattr(tables, name)
        shared = jax.dlpack.from_dlpack(array)
        assert shared.unsafe_buffer_pointer() == array.ctypes.data
        assert (np.asarray(shared) == array).all()
    with pytest.raises(ValueError, match="obs"):
        Tables(FOUR, N, buffers={"obs": jax.numpy.zeros(tables.obs.shape, "uint8")})  # JAX's arrays cannot be written to


OTHER = """
import sys
from multiprocessing.shared_memory import SharedMemory
import numpy as np
blocks = [SharedMemory(name, track=False) if sys.version_info >= (3, 13) else SharedMemory(name) for name in sys.argv[1:3]]
mask, actions = np.ndarray(({n}, 7), np.int8, blocks[0].buf), np.ndarray({n}, np.int64, blocks[1].buf)
for line in sys.stdin:
    actions[:] = 6 - mask[:, ::-1].argmax(axis=1)
    print(flush=True)
"""


def test_a_second_process_decides_in_shared_memory() -> None:
    """The other process sees the masks without a copy, and writes its actions beside them: in each column from the right."""
    blocks = [SharedMemory(create=True, size=size) for size in (N * 7, N * 8)]
    try:
        tables = Tables(FOUR, N, seed=4, buffers={"mask": np.ndarray((N, 7), np.int8, blocks[0].buf)})
        alone, actions = Tables(FOUR, N, seed=4), np.ndarray(N, np.int64, blocks[1].buf)
        command = [sys.executable, "-c", OTHER.format(n=N), *(block.name for block in blocks)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as other:
            assert other.stdin
            assert other.stdout
            for _ in range(40):
                other.stdin.write("\n")
                other.stdout.readline()
                tables.step(actions)
                alone.step(6 - alone.mask[:, ::-1].argmax(axis=1))
                assert (tables.states == alone.states).all()
            other.stdin.close()
        assert (alone.states["asked"] != 40).any()  # some games have ended in between
        del tables, actions
    finally:
        for block in blocks:
            block.close()
            block.unlink()


@pytest.mark.parametrize(
    ("buffers", "words"),
    [
        ({"colour": np.zeros(1)}, "'colour' is none of seat, mask, obs"),
        ({"obs": np.zeros((N, 83), np.uint8)}, r"obs has shape \(5, 83\) of uint8, \(5, 84\) of uint8 is wanted"),
        ({"obs": np.zeros((N, 84))}, "float64"),
        ({"obs": np.zeros((84, N), np.uint8).T}, "contiguous"),
        ({"obs": np.broadcast_to(np.uint8(0), (N, 84))}, "contiguous, aligned and writable"),
        ({"obs": [0] * 84}, "obs is no array"),
        ([1], "a dictionary from names to arrays"),
    ],
)
def test_bad_buffers(buffers: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Tables(FOUR, N, buffers=buffers)


def test_buffers_that_overlap() -> None:
    room = np.zeros(N * 84, np.uint8)
    with pytest.raises(ValueError, match="mask and obs share memory"):
        Tables(FOUR, N, buffers={"mask": room[: N * 7].view(np.int8).reshape(N, 7), "obs": room.reshape(N, 84)})
