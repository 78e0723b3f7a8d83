"""Plays the chunks of a study on a Ray cluster; the games are the same as on one machine."""

from collections.abc import Iterator, Sequence
from typing import Any

from alehouse.benchmarks.balance.play import Played
from alehouse.benchmarks.balance.store import Chunk
from alehouse.benchmarks.balance.study import Job, play_chunk


class Player:
    """A Ray actor that plays the chunks of one job."""

    def __init__(self, job: Job) -> None:
        self.job = job

    def play(self, chunk: Chunk) -> Played:
        """Play the games of a chunk."""
        return play_chunk(self.job, chunk)


def on_ray(job: Job, chunks: Sequence[Chunk]) -> Iterator[Played]:
    """Play the chunks on the cluster at RAY_ADDRESS, or on one started here, with one actor for each core."""
    try:
        import ray
        from ray.util import ActorPool
    except ModuleNotFoundError:
        raise ValueError("--on ray needs Ray: pip install 'alehouse[ray]'") from None
    if not chunks:
        return
    if not ray.is_initialized():
        ray.init(include_dashboard=False, log_to_driver=False)
    actor: Any = ray.remote(num_cpus=1)(Player)
    actors = [actor.remote(job) for _ in range(min(len(chunks), int(ray.cluster_resources()["CPU"])))]
    try:
        yield from ActorPool(actors).map(lambda player, chunk: player.play.remote(chunk), chunks)
    finally:
        for player in actors:
            ray.kill(player)
