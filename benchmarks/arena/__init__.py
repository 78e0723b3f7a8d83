"""The arena: agents play each other, and their results are measured, with intervals.

In reading order:

    lineup.py         decides who sits where: a block is one seed, with the agents in all seat rotations
    timed_agents.py   calls any agent within a time limit; an agent that fails forfeits that game and no other
    play.py           plays a span of blocks, side by side or as whole games inside numba
    workers.py        plays the spans on several processes; on_ray.py plays them on a Ray cluster
    store.py          keeps finished spans in the folder of a job, so that a stopped run can go on
    figures.py        computes shares, utilities and scores with intervals, and how much pairing narrowed them
    stopping.py       decides when to stop: after a number of blocks, at a width, or by a sequential test
    ratings.py        computes Plackett-Luce ratings; league.py updates long-term ratings with each run
    payoff.py         writes the payoff table, from which all figures follow
    run.py            puts all of this together
"""

from alehouse.benchmarks.arena.lineup import seatings
from alehouse.benchmarks.arena.play import Games, Job
from alehouse.benchmarks.arena.run import Arena, Report

__all__ = ["Arena", "Games", "Job", "Report", "seatings"]
