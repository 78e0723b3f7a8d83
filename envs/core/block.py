"""Whole blocks of bytes in one move: an array of a record into an observation, and a record to nothing."""

from typing import Any

from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

if config.DISABLE_JIT:

    def write(out: Any, at: int, source: Any) -> None:
        """Copy an array of bytes to out[at:]."""
        out[at : at + source.size] = source

    def wipe(s: Any) -> None:
        """Set every byte of a record to zero."""
        for name in s.dtype.names:
            s[name] = 0

else:

    @intrinsic  # type: ignore[untyped-decorator]
    def write(typing: Any, out: Any, at: Any, source: Any) -> Any:
        """Copy an array of bytes to out[at:]; no bounds are checked, so `at` comes from the layout."""
        if not (isinstance(source, types.Array) and source.dtype.bitwidth == out.dtype.bitwidth == 8):
            return None

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            target = context.make_array(out)(context, builder, args[0])
            origin = context.make_array(source)(context, builder, args[2])
            start = context.cast(builder, args[1], at, types.intp)
            place = builder.gep(target.data, [start])
            count = ir.Constant(ir.IntType(64), source.shape[0]) if isinstance(source, types.NestedArray) else origin.nitems
            cgutils.raw_memcpy(builder, place, origin.data, count, 1)
            return context.get_dummy_value()

        return types.none(out, at, source), emit

    @intrinsic  # type: ignore[untyped-decorator]
    def wipe(typing: Any, s: Any) -> Any:
        """Set every byte of a record to zero."""
        if not isinstance(s, types.Record):
            return None

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            cgutils.memset(builder, args[0], ir.Constant(ir.IntType(64), s.size), 0)
            return context.get_dummy_value()

        return types.none(s), emit
