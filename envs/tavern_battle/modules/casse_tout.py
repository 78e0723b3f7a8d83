"""Casse-tout: attacks break objects more often (TB 4.1).

That protections and hide-outs break as well is in effects.py and combat.py, where characters lose them.
"""

from alehouse.envs.core.declare.game import Module
from alehouse.envs.core.run.jit import jit

MODULE = Module("casse_tout", "Casse-tout", numbers=("casse_tout.",))


@jit
def breaks(R, high):
    """Return whether an attack with this number of high dice breaks the object used."""
    return R.casse_tout and high > 0
