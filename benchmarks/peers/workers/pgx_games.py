"""Measures Pgx on the processor: batches that play on inside one compiled loop, at the batch size that is fastest."""

import time
from importlib.metadata import version
from typing import Any

import jax
import jax.numpy as jnp
import pgx
from protocol import SEEN, Case, serve

GAMES = ("connect_four", "leduc_holdem", "backgammon")
BATCHES = (64, 512, 4096)
STEPS = 32  # decisions of each table in one call of compiled code


class Loop:
    """A game with its compiled loops, one for each batch size that is tried."""

    def __init__(self, name: str) -> None:
        self.env = pgx.make(name)
        self.made: dict[int, tuple[Any, Any]] = {}
        self.best = 0

    def make(self, n: int) -> None:
        """Compile the loop of a batch size; every state keeps its observation and mask, so both are written at each decision."""
        env = self.env
        init, step = jax.vmap(env.init), jax.vmap(env.step)

        def decide(state: Any, key: Any) -> Any:
            first, second = jax.random.split(key)
            chance = jax.random.uniform(first, state.legal_action_mask.shape)
            moved = step(state, jnp.where(state.legal_action_mask, chance, -1.0).argmax(axis=1), jax.random.split(second, n))
            ended = moved.terminated | moved.truncated
            fresh = init(jax.random.split(key, n))
            pick = jax.vmap(lambda end, a, b: jax.tree_util.tree_map(lambda x, y: jnp.where(end, x, y), a, b))
            return pick(ended, fresh, moved), ended.sum()

        @jax.jit
        def loop(state: Any, key: Any) -> Any:
            state, ended = jax.lax.scan(decide, state, jax.random.split(key, STEPS))
            return state, ended.sum()

        state, _ = loop(init(jax.random.split(jax.random.PRNGKey(n), n)), jax.random.PRNGKey(0))
        jax.block_until_ready(state)
        self.made[n] = loop, state

    def play(self, n: int, seconds: float, seed: int) -> tuple[int, int, float]:
        """Play on in a batch of n tables."""
        loop, state = self.made[n]
        key, decisions, games = jax.random.PRNGKey(seed), 0, 0
        start = now = time.perf_counter()
        while now - start < seconds:
            key, own = jax.random.split(key)
            state, ended = loop(state, own)
            decisions, games = decisions + n * STEPS, games + int(ended)
            now = time.perf_counter()
        self.made[n] = loop, state
        return decisions, games, now - start

    def run(self, seconds: float, seed: int) -> tuple[int, int, float]:
        """Play in the best batch size. The first call, which does not count, compiles all of them and finds it."""
        if not self.best:
            speeds = {}
            for n in BATCHES:
                self.make(n)
                decisions, _, spent = self.play(n, seconds, seed)
                speeds[n] = decisions / spent
            self.best = max(speeds, key=lambda n: speeds[n])
        return self.play(self.best, seconds, seed)


if __name__ == "__main__":
    serve(version("pgx"), [Case(name, "Pgx, best batch", SEEN, Loop(name).run) for name in GAMES])
