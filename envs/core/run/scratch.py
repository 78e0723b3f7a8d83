"""Arrays that cost a kernel nothing to make: without memory of their own, or without counts of who uses them."""

import math
from typing import Any

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

if config.DISABLE_JIT:

    def bare(a: Any) -> Any:
        """Return the argument itself."""
        return a

    def scratch(shape: Any, dtype: Any) -> Any:
        """Return an array of zeros."""
        return np.zeros(shape, dtype)

else:

    @intrinsic  # type: ignore[untyped-decorator]
    def bare(typing: Any, a: Any) -> Any:
        """Return the same array or tuple without reference counts, which makes views of its rows cheaper (no atomic operations).

        The caller must use the argument itself later on, or in the same loop: otherwise its memory is freed too early.
        """

        def strip(context: Any, builder: Any, kind: Any, value: Any) -> Any:
            if isinstance(kind, types.Array):
                array = context.make_array(kind)(context, builder, value)
                for name in ("meminfo", "parent"):
                    setattr(array, name, getattr(array, name).type(None))
                return array._getvalue()
            for k, part in enumerate(kind if isinstance(kind, types.BaseTuple) else ()):
                value = builder.insert_value(value, strip(context, builder, part, builder.extract_value(value, k)), k)
            return value

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return strip(context, builder, a, args[0])

        return a(a), emit

    @intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
    def scratch(typing: Any, shape: Any, dtype: Any) -> Any:
        """Return an array of zeros of a constant shape that is gone when the calling function returns, so it must never be returned."""
        sizes = shape.types if isinstance(shape, types.BaseTuple) else (shape,)
        if not all(isinstance(size, types.IntegerLiteral) for size in sizes):
            return None
        form = types.Array(dtype.dtype, len(sizes), "C")
        lengths = [size.literal_value for size in sizes]

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word, element = ir.IntType(64), context.get_data_type(form.dtype)
            size = context.get_abi_sizeof(element)
            place = cgutils.alloca_once(builder, element, size=ir.Constant(word, math.prod(lengths)))
            cgutils.memset(builder, place, ir.Constant(word, size * math.prod(lengths)), 0)
            steps = [size * math.prod(lengths[k + 1 :]) for k in range(len(lengths))]
            array = context.make_array(form)(context, builder)
            constants = [tuple(ir.Constant(word, n) for n in numbers) for numbers in (lengths, steps)]
            populate_array(array, place, *constants, ir.Constant(word, size), None)
            return array._getvalue()

        return form(shape, dtype), emit
