"""Sums of rows of a table: the first step of every network, and what its answer waits for."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

from alehouse.envs.core.run.jit import jit

LANES = 16  # numbers that a processor takes side by side
ZERO, ONE = np.float32(0), np.float32(1)

if config.DISABLE_JIT:

    def add_four(out: Any, rows: Any, at: Any, by: Any) -> None:
        """Add four rows of a table, each times a number. A table of 16-bit words holds float16."""
        a, b, c, d = (
            np.float32(x) * (rows[k].view(np.float16) if rows.dtype == np.uint16 else rows[k]) for k, x in zip(at, by, strict=True)
        )
        out += (a + b) + (c + d)

else:

    @intrinsic  # type: ignore[untyped-decorator]
    def add_four(typing: Any, out: Any, rows: Any, at: Any, by: Any) -> Any:
        """Add four rows of a table, each times a number. A table of 16-bit words holds float16. No bounds are checked."""

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            sums, table = (context.make_array(kind)(context, builder, arg) for kind, arg in zip((out, rows), args, strict=False))
            stored = ir.HalfType() if isinstance(rows.dtype, types.Integer) else ir.FloatType()
            width = builder.extract_value(table.shape, 1)
            start = builder.bitcast(table.data, stored.as_pointer())
            begins = [builder.gep(start, [builder.mul(builder.extract_value(args[2], k), width)]) for k in range(4)]
            numbers = [builder.extract_value(args[3], k) for k in range(4)]

            def add(j: Any, lanes: int) -> None:
                """Add the numbers of the rows from the j-th on, as many as there are lanes."""
                single = ir.VectorType(ir.FloatType(), lanes)
                parts = []
                for begin, number in zip(begins, numbers, strict=True):
                    place = builder.bitcast(builder.gep(begin, [j]), ir.VectorType(stored, lanes).as_pointer())
                    row = builder.load(place, align=2)
                    row = builder.fpext(row, single) if isinstance(stored, ir.HalfType) else row
                    first = builder.insert_element(ir.Constant(single, ir.Undefined), number, ir.Constant(ir.IntType(32), 0))
                    each = builder.shuffle_vector(first, first, ir.Constant(ir.VectorType(ir.IntType(32), lanes), [0] * lanes))
                    parts.append(builder.fmul(each, row))
                place = builder.bitcast(builder.gep(sums.data, [j]), single.as_pointer())
                more = builder.fadd(builder.fadd(parts[0], parts[1]), builder.fadd(parts[2], parts[3]))
                builder.store(builder.fadd(builder.load(place, align=4), more), place, align=4)

            zero, word = ir.Constant(width.type, 0), ir.Constant(width.type, LANES)
            whole = builder.and_(width, ir.Constant(width.type, -LANES))
            with cgutils.for_range_slice(builder, zero, whole, word, inc=True) as (j, _):
                add(j, LANES)
            with cgutils.for_range_slice(builder, whole, width, ir.Constant(width.type, 1), inc=True) as (j, _):
                add(j, 1)
            return context.get_dummy_value()

        return types.none(out, rows, at, by), emit


@jit
def add_listed(rows, numbers, indices, n, out):
    """Add the first n of the listed rows, each times its number.

    Four are added at a time, so that sums are loaded and stored a quarter as often.
    """
    for k in range(0, n & ~3, 4):
        f, g, h, i = indices[k], indices[k + 1], indices[k + 2], indices[k + 3]
        add_four(out, rows, (f, g, h, i), (np.float32(numbers[f]), np.float32(numbers[g]), np.float32(numbers[h]), np.float32(numbers[i])))
    for k in range(n & ~3, n):
        f = indices[k]
        add_four(out, rows, (f, f, f, f), (np.float32(numbers[f]), ZERO, ZERO, ZERO))


@jit
def add_picked(rows, listed, n, out):
    """Add the first n of the listed rows."""
    for k in range(0, n & ~3, 4):
        add_four(out, rows, (listed[k], listed[k + 1], listed[k + 2], listed[k + 3]), (ONE, ONE, ONE, ONE))
    for k in range(n & ~3, n):
        f = listed[k]
        add_four(out, rows, (f, f, f, f), (ONE, ZERO, ZERO, ZERO))
