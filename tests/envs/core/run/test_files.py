"""Files: written whole or not at all, read within limits, and damage that is noticed."""

import errno
import io
import os
import zipfile

import numpy as np
import pytest

from alehouse.envs.core.run import array_file, files
from alehouse.envs.core.run.files import DAMAGE, append, parsed, read_within, write_atomically

ARRAYS = {"counts": np.arange(6).reshape(2, 3), "flags": np.array([True, False]), "empty": np.zeros(0), "one": np.float32(2.5).reshape(())}


def full(*_):
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("what", ["fsync", "replace"])
def test_a_full_disk_leaves_the_old_file(tmp_path, monkeypatch, what):
    path = tmp_path / "file"
    write_atomically(path, b"old")
    monkeypatch.setattr(files.os, what, full)
    with pytest.raises(OSError, match="No space left") as error:
        write_atomically(path, b"new")
    assert error.value.filename == str(path)
    assert error.value.errno == errno.ENOSPC
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["file"]


def test_a_file_is_on_the_disk_before_it_takes_its_name(tmp_path, monkeypatch):
    done = []
    fsync, replace = os.fsync, os.replace
    monkeypatch.setattr(files.os, "fsync", lambda handle: (done.append("fsync"), fsync(handle)))
    monkeypatch.setattr(files.os, "replace", lambda *names: (done.append("replace"), replace(*names)))
    write_atomically(tmp_path / "file", b"new")
    assert done == ["fsync", "replace", "fsync"]  # the file, its name, the folder


def test_a_full_disk_leaves_no_part_of_a_line(tmp_path, monkeypatch):
    append(tmp_path / "file", b"one\n")
    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        append(tmp_path / "file", b"two\n")
    assert (tmp_path / "file").read_bytes() == b"one\n"


def test_a_file_is_read_no_further_than_its_limit(tmp_path):
    (tmp_path / "file").write_bytes(bytes(100))
    assert len(read_within(tmp_path / "file", 100)) == 100
    with pytest.raises(ValueError, match="it is larger than 99 bytes"):
        read_within(tmp_path / "file", 99)


@pytest.mark.parametrize("text", ["NaN", "[Infinity]", '{"a": -Infinity}', "1e999"])
def test_numbers_that_are_not_finite_are_refused(text):
    with pytest.raises(ValueError, match="is not a finite number"):
        parsed(text)
    assert parsed("[1e99, 2]") == [1e99, 2]


@pytest.mark.parametrize("compressed", [False, True])
def test_arrays_come_back(compressed):
    found = array_file.undamaged(array_file.unpacked(array_file.packed(ARRAYS, compressed), 10**6))
    assert found.keys() == ARRAYS.keys()
    assert all(found[name].dtype == array.dtype and np.array_equal(found[name], array) for name, array in ARRAYS.items())


@pytest.mark.parametrize("compressed", [False, True])
def test_no_flipped_bit_changes_an_array(compressed):
    whole = array_file.packed(ARRAYS, compressed)
    for at in np.random.default_rng(1).integers(8 * len(whole), size=500):
        spoilt = bytearray(whole)
        spoilt[at // 8] ^= 1 << at % 8
        try:
            found = array_file.undamaged(array_file.unpacked(bytes(spoilt), 10**6))
        except DAMAGE:
            continue
        assert all(np.array_equal(found[name], array) for name, array in ARRAYS.items())


def archive(name, data, kind=zipfile.ZIP_STORED):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", kind) as target:
        target.writestr(name, data)
    return buffer.getvalue()


def npy(header, data=b""):
    text = header.encode()
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + data


ODD = {
    "not compressed as NumPy does": (archive("a.npy", bytes(9), zipfile.ZIP_LZMA), "compressed in a way"),
    "larger than the limit": (array_file.packed({"a": np.zeros(10**6)}, compressed=True), "its arrays take more than 1,000,000 bytes"),
    "a shape beyond the data": (archive("a.npy", npy("{'descr':'|u1','fortran_order':False,'shape':(999,)}")), "an array of shape (999,)"),
    "a shape below zero": (archive("a.npy", npy("{'descr':'|u1','fortran_order':False,'shape':(-1,-1)}", b"x")), ""),
    "objects": (archive("a.npy", npy("{'descr':'|O','fortran_order':False,'shape':()}")), "are not numbers"),
    "text": (archive("a.npy", npy("{'descr':'<U4','fortran_order':False,'shape':(1,)}", bytes(16))), "are not numbers"),
    "a header that is no Python": (archive("a.npy", npy("{'descr':")), ""),
    "a header with an odd token": (archive("a.npy", npy("{'descr': '|u1', 'shape': (1L), 'x\\")), ""),
    "a header nested deeply": (archive("a.npy", npy("(" * 5000)), ""),
    "another version of the format": (archive("a.npy", b"\x93NUMPY\x03\x00" + bytes(9)), "NumPy's format (3, 0)"),
    "no digest": (archive("a.npy", npy("{'descr':'|u1','fortran_order':False,'shape':(1,)}", b"x")), "it has no digest"),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_archives_are_refused(name):
    data, words = ODD[name]
    with pytest.raises(DAMAGE) as error:
        array_file.undamaged(array_file.unpacked(data, 10**6))
    assert words in str(error.value)


def test_a_part_that_unpacks_to_more_than_it_claims_takes_no_memory():
    whole = bytearray(archive("a.npy", bytes(1 << 26), zipfile.ZIP_DEFLATED))
    size = (1 << 26).to_bytes(4, "little")
    while (at := whole.find(size)) >= 0:
        whole[at : at + 4] = (100).to_bytes(4, "little")
    with pytest.raises(DAMAGE):
        array_file.unpacked(bytes(whole), 1000)


def test_a_disk_that_is_full_in_the_middle_of_a_line_leaves_nothing_of_it(tmp_path):
    resource, path = pytest.importorskip("resource"), tmp_path / "journal"
    path.write_bytes(b"one\n")
    was = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, was[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            files.append(path, b"a line of 21 letters\n")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, was)
    assert path.read_bytes() == b"one\n"
