"""The balance lab on a Ray cluster: the same games as in this process, by drawn rule sets too. `make ray` installs Ray and runs this."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.benchmarks.arena.test_arena_ray import why_not

CLUSTER = """
import json
import numpy, ray
from ray.cluster_utils import Cluster
from alehouse import players
from alehouse.benchmarks.balance.on_ray import on_ray
from alehouse.benchmarks.balance.rule_sets import RuleSets
from alehouse.benchmarks.balance.study import Job, on_this_machine
from alehouse.envs.games import game

home = {"node_ip_address": "127.0.0.1", "num_cpus": 1}
cluster = Cluster(initialize_head=True, head_node_args={**home, "include_dashboard": False})
cluster.add_node(**home)
cluster.wait_for_nodes()
ray.init(address=cluster.address, _node_ip_address="127.0.0.1", log_to_driver=False)
spec = game("connect_four")
chunks = [(first, first + 20) for first in range(0, 120, 20)]
same = []
inn = game("bloody_inn")
for job in (
    Job((spec.variant(),), players.player("greedy", spec), 3),
    Job((spec.variant(),), players.player("rollout:iterations=4", spec), 3),
    Job((inn.variant(), inn.variant(modules=("carnies",))), players.player("uniform", inn), 3, RuleSets((), 4)),
):
    local, there = list(on_this_machine(1)(job, chunks)), list(on_ray(job, chunks))
    assert len(there) == len(chunks)
    assert sum(part.tally.sum() for part in local) > 0
    same.append(all(numpy.array_equal(a, b) for one, two in zip(local, there) for a, b in zip(one, two)))
print(json.dumps({"same": same, "nodes": len(ray.nodes()), "cpus": ray.cluster_resources()["CPU"]}))
ray.shutdown()
cluster.shutdown()
"""


@pytest.mark.skipif(bool(why_not()), reason=why_not())
def test_two_nodes_play_the_same_games(tmp_path: Path) -> None:
    script = tmp_path / "cluster.py"
    script.write_text(CLUSTER)
    command = ["unshare", "-n", "sh", "-c", 'ip link set lo up && exec "$0" "$1"', sys.executable, str(script)]
    environment = os.environ | {"RAY_USAGE_STATS_ENABLED": "0"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    assert json.loads(done.stdout.splitlines()[-1]) == {"same": [True, True, True], "nodes": 2, "cpus": 2}
