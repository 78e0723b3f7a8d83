"""Seats around a table are compared with plain arithmetic."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alehouse.envs.core.run.seats import around, left, turned

tables = st.integers(1, 8).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n - 1), st.integers(0, n - 1), st.integers(0, 2**n - 1)))


@pytest.mark.lanes
@given(tables, st.integers(-3, 3))
def test_a_seat_counted_on_or_back(table, laps):
    n, p, _, _ = table
    assert around(p + laps * n, n) == p


@pytest.mark.lanes
@given(tables)
def test_seats_to_the_left(table):
    n, p, seat, _ = table
    assert left(p, seat, n) == (p - seat) % n
    assert around(seat + left(p, seat, n), n) == p


@pytest.mark.lanes
@given(tables)
def test_a_set_of_seats_as_one_counts(table):
    n, _, seat, members = table
    expected = {(p - seat) % n for p in range(n) if members >> p & 1}
    assert {k for k in range(64) if turned(members, seat, n) >> k & 1} == expected
