"""Taverns & Dragons: distribute the dice left over their uses, so that all of them together bring most.

A choice of dice is a number below CHOICES: the sum, over the values of its dice, of how many dice have a value times the step of that
value.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import config, types
from numba.extending import intrinsic

from alehouse.agents.heuristic.taverns_dragons.values import USES
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.scratch import scratch
from alehouse.envs.taverns_dragons.layout import DICE, SIDES

NEVER = -1000.0
CHOICES = 1 << DICE  # at least as many as there are choices of dice
SUMS = 2 * CHOICES  # the highest sum of each choice lies in the second half, so that a step back never leaves the array


def choices_with() -> npt.NDArray[np.int64]:
    """Return, at [step, n], the set of choices that contain a die of a value, if n dice have this value and its step is `step`."""
    found = np.zeros((CHOICES + 1, DICE + 1), np.int64)
    for step in range(1, CHOICES + 1):
        for n in range(DICE + 1):
            found[step, n] = sum(1 << dice for dice in range(CHOICES) if dice // step % (n + 1) > 0)
    return found


CHOICES_WITH = choices_with()

if config.DISABLE_JIT:

    def add_use(sums: Any, gain: Any, at: int, step: Any, having: Any) -> None:
        """Raise the highest sum of each choice by one more use, for which a die of value k brings gain[at + k]; having[k]: its choices."""
        before = sums.copy()
        for dice in range(CHOICES, SUMS):
            for k in range(SIDES):
                if gain[at + k] > 0.0 and int(having[k]) >> (dice - CHOICES) & 1:
                    sums[dice] = max(sums[dice], before[dice - step[k]] + gain[at + k])

else:

    @intrinsic  # type: ignore[untyped-decorator]
    def add_use(typing: Any, sums: Any, gain: Any, at: Any, step: Any, having: Any) -> Any:
        """Raise the highest sum of each choice by one more use, for which a die of value k brings gain[at + k]; having[k]: its choices.

        All choices are one vector.
        """
        row, word, set_ = ir.VectorType(ir.DoubleType(), CHOICES), ir.IntType(64), ir.IntType(CHOICES)

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data = [context.make_array(signature.args[k])(context, builder, args[k]).data for k in (0, 1, 3, 4)]

            def load(array: int, place: Any) -> Any:
                return builder.load(builder.gep(data[array], [place]))

            def lanes(place: Any) -> Any:
                return builder.bitcast(builder.gep(data[0], [place]), row.as_pointer())

            start = ir.Constant(word, CHOICES)
            best = builder.load(lanes(start), align=8)
            for k in (ir.Constant(word, k) for k in range(SIDES)):
                more, steps = load(1, builder.add(args[2], k)), load(2, k)
                one = builder.insert_element(ir.Constant(row, ir.Undefined), more, ir.Constant(ir.IntType(32), 0))
                every = builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(ir.IntType(32), CHOICES), None))
                new = builder.fadd(builder.load(lanes(builder.sub(start, steps)), align=8), every)
                helps = builder.fcmp_ordered(">", more, ir.Constant(more.type, 0.0))
                which = builder.select(helps, builder.trunc(load(3, k), set_), ir.Constant(set_, 0))
                which = builder.bitcast(which, ir.VectorType(ir.IntType(1), CHOICES))
                best = builder.select(builder.and_(which, builder.fcmp_ordered(">", new, best)), new, best)
            builder.store(best, lanes(start), align=8)
            return context.get_dummy_value()

        return types.none(sums, gain, types.int64, step, having), emit


@jit
def worthwhile(v, use):
    """Return whether a die of any value brings something in a use."""
    found = False
    for face in range(SIDES):
        found |= v.gain[use * SIDES + face] > 0.0
    return found


@jit
def match_dice(s, v):
    """Distribute the dice left over the uses for the highest sum; write the gain of each use beyond its die, and of each die elsewhere."""
    me, sums = s.seat[v.p], scratch(SUMS, np.float64)
    step, having = scratch(SIDES, np.int64), scratch(SIDES, np.int64)
    n, size = 0, 1
    for face in range(SIDES):
        alike = min(DICE - n, int(me.dice[face]))
        step[face], having[face] = size, CHOICES_WITH[size, alike]
        size *= 1 + alike
        n += alike
    for use in range(USES):
        if worthwhile(v, use):
            add_use(sums, v.gain, use * SIDES, step, having)
    every = CHOICES + size - 1
    for face in range(SIDES):
        v.elsewhere[face] = sums[every] - sums[every - step[face]] if having[face] != 0 else np.inf
    for use in range(USES):
        most = NEVER
        for face in range(SIDES):
            most = max(most, v.gain[use * SIDES + face] - v.elsewhere[face])
        v.surplus[use] = most
