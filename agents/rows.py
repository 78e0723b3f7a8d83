"""Sums of rows of a table, and scalar products with them: what every network computes. A table of 16-bit words holds float16."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

from alehouse.envs.core.run.jit import jit

LANES = 16  # numbers that a processor takes side by side
ONE = np.float32(1)

if config.DISABLE_JIT:

    def floats(row: Any) -> Any:
        """Return the numbers of a row as float32."""
        return (row.view(np.float16) if row.dtype == np.uint16 else row).astype(np.float32)

    def add_some(out: Any, rows: Any, at: Any, by: Any) -> None:
        """Add one row of a table or four, each times a number."""
        parts = [np.float32(x) * floats(rows[k]) for k, x in zip(at, by, strict=True)]
        out += (parts[0] + parts[1]) + (parts[2] + parts[3]) if len(parts) > 1 else parts[0]

    def dot(a: Any, row: Any) -> Any:
        """Return the scalar product with a row, added up as LANES separate sums in a fixed order: the same bits on every machine."""
        products = np.zeros(-(-a.size // LANES) * LANES, np.float32)
        products[: a.size] = a * floats(row)
        sums = np.zeros(LANES, np.float32)
        for part in products.reshape(-1, LANES):
            sums += part
        while sums.size > 1:
            sums = sums[: sums.size // 2] + sums[sums.size // 2 :]
        return sums[0]

else:

    def number_in(kind: Any) -> Any:
        """Return the form in which a table keeps its numbers."""
        return ir.HalfType() if isinstance(kind.dtype, types.Integer) else ir.FloatType()

    def loaded(builder: Any, start: Any, j: Any, lanes: int) -> Any:
        """Return the numbers from the j-th on as a vector of float32, as many as there are lanes."""
        place = builder.bitcast(builder.gep(start, [j]), ir.VectorType(start.type.pointee, lanes).as_pointer())
        row = builder.load(place, align=2)
        return builder.fpext(row, ir.VectorType(ir.FloatType(), lanes)) if isinstance(start.type.pointee, ir.HalfType) else row

    def by_lanes(builder: Any, width: Any, each: Any) -> None:
        """Call `each(j, lanes)` for steps of LANES numbers, and one by one for those left over."""
        whole = builder.and_(width, ir.Constant(width.type, -LANES))
        for begin, end, lanes in ((ir.Constant(width.type, 0), whole, LANES), (whole, width, 1)):
            with cgutils.for_range_slice(builder, begin, end, ir.Constant(width.type, lanes), inc=True) as (j, _):
                each(j, lanes)

    @intrinsic  # type: ignore[untyped-decorator]
    def add_some(typing: Any, out: Any, rows: Any, at: Any, by: Any) -> Any:
        """Add one row of a table or four, each times a number. No bounds are checked."""

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            sums, table = (context.make_array(kind)(context, builder, arg) for kind, arg in zip((out, rows), args, strict=False))
            width = (
                ir.Constant(ir.IntType(64), rows.shape[1]) if isinstance(rows, types.NestedArray) else builder.extract_value(table.shape, 1)
            )
            start = builder.bitcast(table.data, number_in(rows).as_pointer())
            begins = [builder.gep(start, [builder.mul(builder.extract_value(args[2], k), width)]) for k in range(len(at))]
            numbers = [builder.extract_value(args[3], k) for k in range(len(at))]

            def add(j: Any, lanes: int) -> None:
                """Add the numbers of the rows from the j-th on, as many as there are lanes."""
                single = ir.VectorType(ir.FloatType(), lanes)
                parts = []
                for begin, number in zip(begins, numbers, strict=True):
                    first = builder.insert_element(ir.Constant(single, ir.Undefined), number, ir.Constant(ir.IntType(32), 0))
                    each = builder.shuffle_vector(first, first, ir.Constant(ir.VectorType(ir.IntType(32), lanes), [0] * lanes))
                    parts.append(builder.fmul(each, loaded(builder, begin, j, lanes)))
                place = builder.bitcast(builder.gep(sums.data, [j]), single.as_pointer())
                more = parts[0]
                if len(parts) > 1:
                    more = builder.fadd(builder.fadd(parts[0], parts[1]), builder.fadd(parts[2], parts[3]))
                builder.store(builder.fadd(builder.load(place, align=4), more), place, align=4)

            by_lanes(builder, width, add)
            return context.get_dummy_value()

        return types.none(out, rows, at, by), emit

    @intrinsic  # type: ignore[untyped-decorator]
    def dot(typing: Any, a: Any, row: Any) -> Any:
        """Return the scalar product with a row, added up as LANES separate sums in a fixed order: the same bits on every machine."""

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            one, other = (context.make_array(kind)(context, builder, arg) for kind, arg in zip((a, row), args, strict=True))
            kind, word = ir.VectorType(ir.FloatType(), LANES), ir.IntType(32)
            sums = cgutils.alloca_once_value(builder, ir.Constant(kind, [0.0] * LANES))
            starts = [one.data, builder.bitcast(other.data, number_in(row).as_pointer())]

            def add(j: Any, lanes: int) -> None:
                """Add the products of the numbers from the j-th on to the sums, as many as there are lanes."""
                product, total = builder.fmul(*(loaded(builder, start, j, lanes) for start in starts)), builder.load(sums)
                if lanes == LANES:
                    total = builder.fadd(total, product)
                else:
                    lane = builder.and_(builder.trunc(j, word), ir.Constant(word, LANES - 1))
                    more = builder.fadd(builder.extract_element(total, lane), builder.extract_element(product, ir.Constant(word, 0)))
                    total = builder.insert_element(total, more, lane)
                builder.store(total, sums)

            by_lanes(builder, builder.extract_value(one.shape, 0), add)
            total = builder.load(sums)
            for half in (8, 4, 2, 1):
                low, high = (
                    builder.shuffle_vector(total, total, ir.Constant(ir.VectorType(word, half), [*range(k, k + half)])) for k in (0, half)
                )
                total = builder.fadd(low, high)
            return builder.extract_element(total, ir.Constant(word, 0))

        return types.float32(a, row), emit


@jit
def add_listed(rows, numbers, indices, n, out):
    """Add the first n of the listed rows, each times its number.

    Four are added at a time, so that sums are loaded and stored a quarter as often.
    """
    for k in range(0, n & ~3, 4):
        f, g, h, i = indices[k], indices[k + 1], indices[k + 2], indices[k + 3]
        add_some(out, rows, (f, g, h, i), (np.float32(numbers[f]), np.float32(numbers[g]), np.float32(numbers[h]), np.float32(numbers[i])))
    for k in range(n & ~3, n):
        f = indices[k]
        add_some(out, rows, (f,), (np.float32(numbers[f]),))


@jit
def add_all(rows, numbers, out):
    """Add all rows, each times its number; there are a multiple of four. Where half of them count, this is faster than a list of them."""
    for k in range(0, numbers.size, 4):
        add_some(out, rows, (k, k + 1, k + 2, k + 3), (numbers[k], numbers[k + 1], numbers[k + 2], numbers[k + 3]))


@jit
def add_picked(rows, listed, n, out):
    """Add the first n of the listed rows."""
    for k in range(0, n & ~3, 4):
        add_some(out, rows, (listed[k], listed[k + 1], listed[k + 2], listed[k + 3]), (ONE, ONE, ONE, ONE))
    for k in range(n & ~3, n):
        add_some(out, rows, (listed[k],), (ONE,))
