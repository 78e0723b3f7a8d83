"""Arrays in one file: NumPy's format with a digest. What a file claims to hold is compared with a limit before memory is taken."""

import io
import math
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from alehouse.envs.core.run.files import digest

DIGEST = "digest"
HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}


def packed(arrays: Mapping[str, npt.NDArray[Any]], compressed: bool = False) -> bytes:
    """Return arrays as the bytes of a file."""
    buffer = io.BytesIO()
    whole: dict[str, Any] = {**arrays, DIGEST: np.frombuffer(bytes.fromhex(digest(arrays, None)), np.uint8)}
    (np.savez_compressed if compressed else np.savez)(buffer, **whole)
    return buffer.getvalue()


def unpacked(data: bytes, most: int) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of a file, its digest among them, that take `most` bytes or less; one of DAMAGE says what is wrong with it."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = archive.infolist()
        if any(part.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for part in parts):
            raise ValueError("it is compressed in a way that NumPy does not use")
        if sum(part.file_size for part in parts) > most:
            raise ValueError(f"its arrays take more than {most:,} bytes")
        return {part.filename.removesuffix(".npy"): array_of(read_part(archive, part)) for part in parts}


def undamaged(arrays: Mapping[str, npt.NDArray[Any]]) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of a file without its digest; a ValueError if that does not fit."""
    found = {name: array for name, array in arrays.items() if name != DIGEST}
    if DIGEST not in arrays:
        raise ValueError("it has no digest, so nobody can tell whether it is damaged; an earlier version wrote it")
    if arrays[DIGEST].tobytes().hex() != digest(found, None):
        raise ValueError("it is damaged: its digest does not fit")
    return found


def read_part(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> bytes:
    """Return a part of an archive; no more is unpacked than the size it claims."""
    with archive.open(part) as file:
        return file.read(part.file_size)


def array_of(data: bytes) -> npt.NDArray[Any]:
    """Return the array of the bytes of an npy file; a ValueError unless it holds numbers and is as large as it says."""
    file = io.BytesIO(data)
    version = np.lib.format.read_magic(file)
    if version not in HEADERS:
        raise ValueError(f"an array in NumPy's format {version}")
    shape, in_columns, kind = HEADERS[version](file)
    if kind.kind not in "biuf":
        raise ValueError(f"an array of {kind}, which are not numbers")
    if math.prod(shape) * kind.itemsize != len(data) - file.tell():
        raise ValueError(f"an array of shape {shape} in {len(data) - file.tell()} bytes")
    return np.frombuffer(data, kind, offset=file.tell()).reshape(shape, order="F" if in_columns else "C").copy()
