"""Plays the spans of a job on a Ray cluster; the games are the same as on one machine."""

from collections.abc import Iterable
from typing import Any

from alehouse.benchmarks.arena.play import Games, Job, Span, play
from alehouse.benchmarks.arena.workers import Played


class Player:
    """A Ray actor that plays spans and keeps its agents from one span to the next."""

    def __init__(self, job: Job) -> None:
        self.job, self.seated = job, job.seated()

    def play(self, span: Span) -> Games:
        """Play the games of a span."""
        return play(self.job, self.seated, span)


def on_ray(job: Job, spans: Iterable[Span]) -> Played:
    """Play the spans on the cluster at RAY_ADDRESS, or on one started here, with one actor for each core."""
    try:
        import ray
    except ModuleNotFoundError:
        raise ValueError("--on ray needs Ray: pip install 'alehouse[ray]'") from None
    if not ray.is_initialized():
        ray.init(include_dashboard=False, log_to_driver=False)
    todo = iter(spans)
    actor: Any = ray.remote(num_cpus=1)(Player)
    idle = [actor.remote(job) for _ in range(int(ray.cluster_resources()["CPU"]))]
    busy: dict[Any, tuple[Any, Span]] = {}
    try:
        while True:
            while idle and (span := next(todo, None)) is not None:
                player = idle.pop()
                busy[player.play.remote(span)] = player, span
            if not busy:
                return
            [done], _ = ray.wait(list(busy))
            player, span = busy.pop(done)
            found = ray.get(done)
            idle.append(player)
            yield span, found
    except ray.exceptions.ActorDiedError:
        raise ValueError("an agent ended its process on the Ray cluster: play with --on processes to learn which") from None
    finally:
        for player in [*idle, *(player for player, _ in busy.values())]:
            ray.kill(player)
