"""Sets kept as bits.

A word set is an array of 64-bit words (used for legal actions); a small set is one non-negative int64 (used for kinds, places or objects).
"""

from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba import config, types
from numba.extending import intrinsic

from alehouse.envs.core.run.jit import jit

PDEP = "+bmi2" in (config.CPU_FEATURES or binding.get_host_cpu_features().flatten()).split(",")  # whether the processor can deposit bits

SPAN = 32  # how many numbers `filled` looks at

if config.DISABLE_JIT:

    def popcount(x: Any) -> int:
        """Return how many bits are set."""
        return int(x).bit_count()

    def lowest(x: Any) -> int:
        """Return the index of the lowest set bit."""
        return (int(x) & -int(x)).bit_length() - 1

    def highest(x: Any) -> int:
        """Return the index of the highest set bit."""
        return int(x).bit_length() - 1

    def length(words: Any) -> int:
        """Return how many words a word set has."""
        return int(words.size)

    def spread_all(word: Any, out: Any, at: int) -> None:
        """Write the 64 bits of a word as one 0/1 byte each to out[at:]."""
        for k in range(64):
            out[at + k] = int(word) >> k & 1

    def filled(numbers: Any, at: int) -> int:
        """Return as a small set which of the SPAN numbers from numbers[at] on are not 0."""
        return sum(1 << k for k in range(SPAN) if numbers[at + k] != 0)

else:

    def wide(context: Any, builder: Any, x: Any, args: Any) -> Any:
        """Return the argument as a 64-bit number."""
        return context.cast(builder, args[0], x, types.uint64)

    @intrinsic  # type: ignore[untyped-decorator]
    def popcount(typing: Any, x: Any) -> Any:
        """Return how many bits are set."""

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(wide(context, builder, x, args))

        return types.int64(x), emit

    @intrinsic  # type: ignore[untyped-decorator]
    def lowest(typing: Any, x: Any) -> Any:
        """Return the index of the lowest set bit of a number that is not 0."""

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(wide(context, builder, x, args), ir.Constant(ir.IntType(1), 1))

        return types.int64(x), emit

    @intrinsic  # type: ignore[untyped-decorator]
    def highest(typing: Any, x: Any) -> Any:
        """Return the index of the highest set bit of a number that is not 0."""

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            zeros = builder.ctlz(wide(context, builder, x, args), ir.Constant(ir.IntType(1), 1))
            return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

        return types.int64(x), emit

    @intrinsic  # type: ignore[untyped-decorator]
    def length(typing: Any, words: Any) -> Any:
        """Return how many words a word set has: a constant, if the set is a field of a record."""

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            if isinstance(words, types.NestedArray):
                return ir.Constant(ir.IntType(64), words.nitems)
            return context.make_array(words)(context, builder, args[0]).nitems

        return types.intp(words), emit

    @intrinsic  # type: ignore[untyped-decorator]
    def spread_all(typing: Any, word: Any, out: Any, at: Any) -> Any:
        """Write the 64 bits of a word as one 0/1 byte each to out[at:], in one vector; no bounds are checked."""

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            target = context.make_array(out)(context, builder, args[1])
            place = builder.gep(target.data, [context.cast(builder, args[2], at, types.intp)])
            lanes = builder.bitcast(args[0], ir.VectorType(ir.IntType(1), 64))
            row = builder.zext(lanes, ir.VectorType(ir.IntType(8), 64))
            builder.store(row, builder.bitcast(place, row.type.as_pointer()), align=1)
            return context.get_dummy_value()

        return types.none(word, out, at), emit

    @intrinsic  # type: ignore[untyped-decorator]
    def filled(typing: Any, numbers: Any, at: Any) -> Any:
        """Return as a small set which of the SPAN numbers from numbers[at] on are not 0, by one vector; no bounds are checked."""

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            source = context.make_array(numbers)(context, builder, args[0])
            place = builder.gep(source.data, [context.cast(builder, args[1], at, types.intp)])
            kind = ir.VectorType(place.type.pointee, SPAN)
            row = builder.load(builder.bitcast(place, kind.as_pointer()), align=1)
            compare = builder.fcmp_unordered if isinstance(numbers.dtype, types.Float) else builder.icmp_unsigned
            word = builder.bitcast(compare("!=", row, ir.Constant(kind, None)), ir.IntType(SPAN))
            return builder.zext(word, ir.IntType(64))

        return types.int64(numbers, at), emit


@jit
def bit(k):
    """Return the small set {k}."""
    return 1 << int(k)


@jit
def first(n):
    """Return the small set {0, ..., n - 1}."""
    return (1 << int(n)) - 1


@jit
def within(members, k):
    """Return whether k is in a small set."""
    return (int(members) >> int(k)) & 1 != 0


@jit
def without(members, k):
    """Return a small set without k."""
    return int(members) & ~(1 << int(k))


if PDEP and not config.DISABLE_JIT:

    @intrinsic  # type: ignore[untyped-decorator]
    def member(typing: Any, members: Any, k: Any) -> Any:
        """Return the k-th member of a small set, counted from 0 in ascending order."""

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word = ir.IntType(64)
            deposit = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), ir.FunctionType(word, [word, word]))
            found, at = (context.cast(builder, arg, kind, types.uint64) for arg, kind in zip(args, (members, k), strict=True))
            kept = builder.call(deposit, [builder.shl(ir.Constant(word, 1), at), found])
            return builder.cttz(kept, ir.Constant(ir.IntType(1), 1))

        return types.int64(members, k), emit

else:

    @jit
    def member(members, k):
        """Return the k-th member of a small set, counted from 0 in ascending order."""
        rest = np.uint64(members)
        for _ in range(k):
            rest &= rest - np.uint64(1)
        return lowest(rest)


@jit
def clear(words):
    """Empty a word set."""
    for w in range(length(words)):
        words[w] = 0


@jit
def put(words, start, bits):
    """Add the members of a small set to a word set, moved up by `start`."""
    w = start >> 6
    shift = start & 63
    words[w] |= np.uint64(bits) << np.uint64(shift)
    if shift > 0 and w + 1 < length(words):
        words[w + 1] |= np.uint64(bits) >> np.uint64(64 - shift)


@jit
def has(words, k):
    """Return whether k is in a word set."""
    return (words[k >> 6] >> np.uint64(k & 63)) & np.uint64(1) != 0


@jit
def count(words):
    """Return how many members a word set has."""
    n = 0
    for w in range(length(words)):
        n += popcount(words[w])
    return n


@jit
def nth(words, k):
    """Return the k-th member of a word set, counted from 0 in ascending order."""
    at, below, total = 0, 0, 0  # the word that holds it, how many members lie below that word, and how many were counted
    for w in range(length(words)):
        if total <= k:
            at = w
            below = total
        total += popcount(words[w])
    return (at << 6) + member(words[at], k - below)


@jit
def rank(words, k):
    """Return how many members of a word set are below k."""
    n = popcount(words[k >> 6] & ((np.uint64(1) << np.uint64(k & 63)) - np.uint64(1)))
    for w in range(k >> 6):
        n += popcount(words[w])
    return n


@jit
def unpack(words, out):
    """Write a word set as 0/1 bytes, one for each possible member. The last 64 bytes may overlap those before."""
    if out.size < 64:
        spread(words[0], out)
        return
    whole, rest = out.size >> 6, np.uint64(out.size & 63)
    for w in range(whole):
        spread_all(words[w], out, w << 6)
    if rest != 0:
        last = words[whole - 1] >> rest | words[whole] << (np.uint64(64) - rest)
        spread_all(last, out, out.size - 64)


@jit
def spread(word, out):
    """Write the lowest bits of a word as one 0/1 byte each."""
    for k in range(out.size):
        out[k] = (np.uint64(word) >> np.uint64(k)) & np.uint64(1)
