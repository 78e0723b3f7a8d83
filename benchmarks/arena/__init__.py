"""The arena: agents against agents, and how sure one may be of the outcome.

What is played, in reading order:

    lineup.py    who sits where: blocks of one seed with all seat rotations
    asking.py    asking any agent, within a time limit; whoever fails forfeits that game and no other
    games.py     a span of blocks played, in lock-step or as whole games inside numba
    workers.py   the same spans on several processes, on_ray.py on a Ray cluster
    store.py     what is done, in a folder named by a digest of the question, so that a stopped run goes on
    figures.py   shares, utilities and scores with block-bootstrap intervals, and what pairing saved
    stopping.py  when to stop: after so many blocks, at a width, or by a sequential test
    ratings.py   Plackett-Luce ratings; league.py keeps running ratings from run to run
    payoff.py    the payoff table all of that is a view of
    run.py       all of it put together
"""

from alehouse.benchmarks.arena.games import Games, Job
from alehouse.benchmarks.arena.lineup import seatings
from alehouse.benchmarks.arena.run import Arena, Report

__all__ = ["Arena", "Games", "Job", "Report", "seatings"]
