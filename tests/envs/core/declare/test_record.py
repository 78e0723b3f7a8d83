"""Annotated classes become packed records; faults in them are named."""

from typing import Annotated

import numpy as np
import pytest

from alehouse.envs.core.declare.record import Array, Header, RulesHeader, i1, i2, i4, i8, record, u8
from alehouse.envs.core.run.jit import jit


class Purse:
    gold: i2
    gems: Annotated[Array, "i1", 3]


class House(Header):
    inns: i4
    wide: i8
    chart: Annotated[Array, "i2", (2, 5)]
    purse: Annotated[list[Purse], Purse, 4]
    chest: Annotated[Purse, Purse]
    can: Annotated[Array, "u8", 2]


class Ranking(RulesHeader):
    top: i1
    code: u8


def test_fields_stand_in_order_base_first_and_packed():
    found = record(House)
    assert found.names == ("seed", "asked", "turn", "inns", "wide", "chart", "purse", "chest", "can")
    purse = 2 + 3
    assert found.itemsize == 8 + 4 + 1 + 4 + 8 + 2 * 2 * 5 + 4 * purse + purse + 2 * 8
    assert found["purse"].shape == (4,)
    assert found["chart"].shape == (2, 5)
    assert record(Ranking).names == ("seats", "top", "code")


def test_a_record_reads_as_the_class_does():
    houses = np.zeros(3, record(House))
    houses[1].purse[2].gold = 300
    houses[1].chest.gems[1] = -5
    houses[1].chart[1, 4] = 7
    assert houses["purse"]["gold"].tolist() == [[0] * 4, [0, 0, 300, 0], [0] * 4]
    assert houses["chest"]["gems"][1].tolist() == [0, -5, 0]
    assert houses["chart"][1, 1, 4] == 7


@jit
def move(houses):
    houses[2] = houses[0]
    s = houses[0]
    s.purse[3].gold += 1000
    s.chest.gems[0] = s.purse[3].gold // 500
    return s.purse[3].gold


@pytest.mark.lanes
def test_kernels_write_records_and_assignment_copies():
    houses = np.zeros(3, record(House))
    houses[0].purse[3].gold = 7
    assert move(houses) == 1007
    assert houses["purse"]["gold"][:, 3].tolist() == [1007, 0, 7]
    assert houses["chest"]["gems"][0].tolist() == [2, 0, 0]


def test_bytes_are_the_identity_of_a_table():
    one, other = np.zeros(1, record(House)), np.zeros(1, record(House))
    assert one[0].tobytes() == other[0].tobytes()
    other[0].purse[3].gems[2] = 1
    assert one[0].tobytes() != other[0].tobytes()


class Empty:
    pass


def declared(base=object, **hints):
    """Return a class of fields."""
    return type("Wrong", (base,), {"__annotations__": hints})


@pytest.mark.parametrize(
    ("declaration", "words"),
    [
        (declared(gold=int), r"Wrong\.gold: annotate it with i1, i2"),
        (declared(gold=Annotated[Array, "i3", 4]), r"Wrong\.gold: 'i3' is neither a class nor one of i1, "),
        (declared(gold=Annotated[Array, "O", 4]), r"Wrong\.gold: 'O' is neither a class nor one of i1, "),
        (declared(gold=Annotated[Array, "i1", 0]), r"Wrong\.gold: its shape is 0; sizes are whole numbers from 1"),
        (declared(gold=Annotated[Array, "i1", (3, -1)]), r"Wrong\.gold: its shape is \(3, -1\); sizes"),
        (declared(gold=Annotated[Array, "i1", 2.5]), r"Wrong\.gold: its shape is 2\.5; sizes"),
        (declared(item=i2), r"Wrong\.item: NumPy records have a method of that name"),
        (declared(Header, turn=i2), r"Wrong\.turn: Header has a field of that name"),
        (declared(purse=Annotated[list, Empty, 3]), "Empty: it has no fields"),
    ],
)
def test_a_fault_in_a_declaration_is_named(declaration, words):
    with pytest.raises(TypeError, match=words):
        record(declaration)
