"""How surely each seat will be ahead of the others: what the estimates of all games end with."""

import numpy as np

from alehouse.envs.core.run.jit import jit


@jit
def write_leads(points, seats, doubt, out):
    """Write the utility that each seat may expect, from its expected points and how far these may be wrong."""
    out[:] = 0.0
    for p in range(seats):
        for q in range(p):
            lead = (points[p] - points[q]) / doubt
            lead /= np.sqrt(1.0 + lead * lead) * (int(seats) - 1)
            out[p] += lead
            out[q] -= lead
