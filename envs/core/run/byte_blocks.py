"""Fast moves of whole blocks of bytes: write an array or sets into an observation, set a record to zero, or load one ahead of its use."""

from typing import Any

from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

LINE = 64  # bytes that a processor loads at a time

if config.DISABLE_JIT:

    def write(out: Any, at: int, source: Any) -> None:
        """Copy an array of bytes to out[at:]."""
        out[at : at + source.size] = source.ravel()

    def write_raised(out: Any, at: int, source: Any) -> None:
        """Copy an array of bytes to out[at:], adding 1 to each, so that -1 (nobody) becomes 0."""
        out[at : at + source.size] = source.ravel() + 1

    def write_sets(out: Any, at: int, length: int, sets: Any) -> None:
        """Write to out[at + k], for k below `length`, how many of these small sets contain k."""
        for k in range(length):
            out[at + k] = sum((int(members) >> k) & 1 for members in sets)

    def wipe(s: Any) -> None:
        """Set every byte of a record to zero."""
        for name in s.dtype.names:
            s[name] = 0

    def load_ahead(records: Any, k: Any) -> None:
        """Do nothing, because only compiled code can gain by this."""

else:

    def place_of(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        """Return the index in the array (first argument) at which the second argument lies."""
        target = context.make_array(signature.args[0])(context, builder, args[0])
        return builder.gep(target.data, [context.cast(builder, args[1], signature.args[1], types.intp)])

    @intrinsic  # type: ignore[untyped-decorator]
    def write(typing: Any, out: Any, at: Any, source: Any) -> Any:
        """Copy an array of bytes to out[at:]; no bounds are checked, so `at` comes from the layout."""
        if not (isinstance(source, types.Array) and source.dtype.bitwidth == out.dtype.bitwidth == 8):
            return None

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            origin = context.make_array(source)(context, builder, args[2])
            count = ir.Constant(ir.IntType(64), source.nitems) if isinstance(source, types.NestedArray) else origin.nitems
            cgutils.raw_memcpy(builder, place_of(context, builder, signature, args), origin.data, count, 1)
            return context.get_dummy_value()

        return types.none(out, at, source), emit

    @intrinsic  # type: ignore[untyped-decorator]
    def write_raised(typing: Any, out: Any, at: Any, source: Any) -> Any:
        """Copy an array of bytes of a record to out[at:], adding 1 to each, so that -1 (nobody) becomes 0; no bounds are checked."""
        if not (isinstance(source, types.NestedArray) and source.dtype.bitwidth == out.dtype.bitwidth == 8):
            return None

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            origin = context.make_array(source)(context, builder, args[2])
            place = place_of(context, builder, signature, args)
            whole = ir.VectorType(ir.IntType(8), source.nitems)
            found = builder.load(builder.bitcast(origin.data, whole.as_pointer()), align=1)
            builder.store(builder.add(found, ir.Constant(whole, [1] * source.nitems)), builder.bitcast(place, whole.as_pointer()), align=1)
            return context.get_dummy_value()

        return types.none(out, at, source), emit

    @intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
    def write_sets(typing: Any, out: Any, at: Any, length: Any, sets: Any) -> Any:
        """Write to out[at + k], for k below the constant `length`, how many of these small sets contain k; no bounds are checked."""
        if not (isinstance(length, types.IntegerLiteral) and isinstance(sets, types.BaseTuple) and out.dtype.bitwidth == 8):
            return None

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            start = place_of(context, builder, signature, args)
            kinds = list(sets)
            words = [context.cast(builder, builder.extract_value(args[3], k), kind, types.int64) for k, kind in enumerate(kinds)]
            done = 0
            while done < length.literal_value:
                size = min(32, 1 << (length.literal_value - done).bit_length() - 1)
                count = counted(builder, words, done, max(8, size))
                bits = builder.trunc(builder.bitcast(count, ir.IntType(8 * max(8, size))), ir.IntType(8 * size))
                place = builder.gep(start, [ir.Constant(ir.IntType(64), done)])
                builder.store(bits, builder.bitcast(place, bits.type.as_pointer()), align=1)
                done += size
            return context.get_dummy_value()

        return types.none(out, at, length, sets), emit

    def counted(builder: Any, words: list[Any], start: int, width: int) -> Any:
        """Return, for each bit, how many of the words have it set, as a vector of bytes."""
        total = None
        for word in words:
            shifted = builder.lshr(word, ir.Constant(word.type, start))
            lanes = builder.bitcast(builder.trunc(shifted, ir.IntType(width)), ir.VectorType(ir.IntType(1), width))
            found = builder.zext(lanes, ir.VectorType(ir.IntType(8), width))
            total = found if total is None else builder.add(total, found)
        return total

    @intrinsic  # type: ignore[untyped-decorator]
    def wipe(typing: Any, s: Any) -> Any:
        """Set every byte of a record to zero."""
        if not isinstance(s, types.Record):
            return None

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            cgutils.memset(builder, args[0], ir.Constant(ir.IntType(64), s.size), 0)
            return context.get_dummy_value()

        return types.none(s), emit

    @intrinsic  # type: ignore[untyped-decorator]
    def load_ahead(typing: Any, records: Any, k: Any) -> Any:
        """Make the processor load the k-th record of an array while it does something else; k may lie beyond the end."""
        if not isinstance(records.dtype, types.Record):
            return None

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            byte, word = ir.IntType(8), ir.IntType(32)
            start = builder.bitcast(place_of(context, builder, signature, args), byte.as_pointer())
            kind = ir.FunctionType(ir.VoidType(), [start.type, word, word, word])
            load = builder.module.declare_intrinsic("llvm.prefetch.p0", (), kind)
            for at in (*range(0, records.dtype.size, LINE), records.dtype.size - 1):
                place = builder.gep(start, [ir.Constant(ir.IntType(64), at)])
                builder.call(load, [place, *(ir.Constant(word, n) for n in (0, 3, 1))])  # for reading, into all caches, data
            return context.get_dummy_value()

        return types.none(records, k), emit
