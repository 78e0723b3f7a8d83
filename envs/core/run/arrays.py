"""Arrays whose memory begins where other libraries can share it, and arrays in memory of the caller's own."""

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

ALIGNED = 64  # JAX shares the memory of an array only if it begins at a multiple of this many bytes

Array = npt.NDArray[Any]
Buffers = Mapping[str, Any] | Callable[[str, tuple[int, ...], np.dtype[Any]], Any]


def aligned(shape: int | tuple[int, ...], dtype: Any) -> Array:
    """Return an array of zeros that begins at a multiple of 64 bytes."""
    kind = np.dtype(dtype)
    room = np.zeros(int(np.prod(shape)) * kind.itemsize + ALIGNED, np.uint8)
    return np.ndarray(shape, kind, room, -room.ctypes.data % ALIGNED)


def copied(part: Any) -> Any:
    """Return a copy of an array that begins at a multiple of 64 bytes; return anything else as it is."""
    if not isinstance(part, np.ndarray):
        return part
    twin = aligned(part.shape, part.dtype)
    twin[...] = part
    return twin


def adopted(buffers: Buffers | None, own: Mapping[str, Array]) -> dict[str, Array]:
    """Return arrays over the caller's buffers, with the contents of the arrays of the same names in `own`."""
    if buffers is None:
        return {}
    if callable(buffers):
        given = {name: buffers(name, array.shape, array.dtype) for name, array in own.items()}
    elif isinstance(buffers, Mapping):
        given = dict(buffers)
    else:
        raise ValueError(f"buffers: a dictionary from names to arrays, or a function (name, shape, dtype), not {type(buffers).__name__}")
    for name in given:
        if name not in own:
            raise ValueError(f"buffers: {name!r} is none of {', '.join(own)}")
    found = {name: shared(name, buffer, own[name]) for name, buffer in given.items() if buffer is not None}
    for (one, a), (other, b) in combinations(found.items(), 2):
        if np.may_share_memory(a, b):
            raise ValueError(f"buffers: {one} and {other} share memory")
    for name, array in found.items():
        array[...] = own[name]
    return found


def shared(name: str, buffer: Any, wanted: Array) -> Array:
    """Return an array over the memory of a buffer; a ValueError says why a batch cannot write into it."""
    array = view_of(buffer)
    if array is None:
        raise ValueError(f"buffers: {name} is no array in the memory of this processor: {type(buffer).__name__}")
    if (array.shape, array.dtype) != (wanted.shape, wanted.dtype):
        raise ValueError(f"buffers: {name} has shape {array.shape} of {array.dtype}, {wanted.shape} of {wanted.dtype} is wanted")
    if not (array.flags.c_contiguous and array.flags.aligned and array.flags.writeable):
        raise ValueError(f"buffers: {name} must be contiguous, aligned and writable")
    return array


def view_of(buffer: Any) -> Array | None:
    """Return an array that shares the memory of an array of NumPy or of another library, or None."""
    if isinstance(buffer, np.ndarray):
        return np.asarray(buffer)
    try:
        return np.from_dlpack(buffer)
    except (AttributeError, TypeError, ValueError, RuntimeError, BufferError):
        return None
