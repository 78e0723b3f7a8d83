"""The arena: agents against agents, and how sure one may be of the outcome.

In reading order:

    lineup.py         who sits where: blocks of one seed with all seat rotations
    timed_agents.py   asking any agent within a time limit; an agent that fails forfeits that game and no other
    play.py           a span of blocks played, side by side or as whole games inside numba
    workers.py        the spans on several processes; on_ray.py plays them on a Ray cluster
    store.py          the folder of a job, so that a stopped run goes on
    figures.py        shares, utilities and scores with block-bootstrap intervals, and what pairing saved
    stopping.py       when to stop: after a number of blocks, at a width, or by a sequential test
    ratings.py        Plackett-Luce ratings; league.py keeps running ratings from run to run
    payoff.py         the payoff table, of which all figures are views
    run.py            all of it put together
"""

from alehouse.benchmarks.arena.lineup import seatings
from alehouse.benchmarks.arena.play import Games, Job
from alehouse.benchmarks.arena.run import Arena, Report

__all__ = ["Arena", "Games", "Job", "Report", "seatings"]
