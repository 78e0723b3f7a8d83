# /// script
# dependencies = ["alehouse", "jax"]
# ///
"""JAX: a policy inside `jit` and `lax.scan`, with the tables outside, stepped by `io_callback`."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import io_callback

import alehouse

N, STEPS = 256, 200
tables = alehouse.Tables("bloody_inn-2p", n=N, seed=1)
actions, features = tables.mask.shape[1], tables.obs.shape[1]
SHAPES = (
    jax.ShapeDtypeStruct((N, features), jnp.uint8),
    jax.ShapeDtypeStruct((N, actions), jnp.int8),
    jax.ShapeDtypeStruct((N,), jnp.bool_),
    jax.ShapeDtypeStruct((N, 2), jnp.float32),
)


def seen():
    """Copy the arrays, because the next step overwrites them while JAX may still read."""
    return tables.obs.copy(), tables.mask.copy(), tables.over.copy(), tables.utility.copy()


def step(chosen):
    """Play the actions at all tables and return what follows."""
    tables.step(np.asarray(chosen))
    return seen()


def decide(carry, key):
    """Choose legal actions by the policy, and play them."""
    weights, (obs, mask, _, _) = carry
    logits = jnp.where(mask == 1, obs / 255 @ weights, -jnp.inf)  # an illegal action has no chance
    chosen = jax.random.categorical(key, logits)
    after = io_callback(step, SHAPES, chosen, ordered=True)
    return (weights, after), (after[2], after[3])


weights = 0.1 * jax.random.normal(jax.random.key(0), (features, actions))
keys = jax.random.split(jax.random.key(1), STEPS)
_, (over, utility) = jax.jit(lambda carry: jax.lax.scan(decide, carry, keys))((weights, seen()))
print(f"{int(over.sum())} games ended in {N * STEPS:,} decisions; mean utility by seat {utility[over].mean(axis=0)}")
