"""Casse-tout: the tavern breaks (TB 4.1). Protections and hide-outs break in combat.py, where they are lost."""

from alehouse.envs.core.declare.game import Module
from alehouse.envs.core.run.jit import jit

MODULE = Module("casse_tout", "Casse-tout", numbers=("casse_tout.",))


@jit
def breaks(R, high):
    """Whether an attack breaks its object for so many high dice."""
    return R.casse_tout and high > 0
