"""The arena on a Ray cluster: the same games as in this process. `make ray` installs Ray and runs this."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CLUSTER = """
import functools, json
import numpy, ray
from ray.cluster_utils import Cluster
from alehouse import players
from alehouse.benchmarks.arena.play import Games, Job
from alehouse.benchmarks.arena.on_ray import on_ray
from alehouse.benchmarks.arena.workers import in_this_process

home = {"node_ip_address": "127.0.0.1", "num_cpus": 1}
cluster = Cluster(initialize_head=True, head_node_args={**home, "include_dashboard": False})
cluster.add_node(**home)
cluster.wait_for_nodes()
ray.init(address=cluster.address, _node_ip_address="127.0.0.1", log_to_driver=False)
names, variant = ("uniform", "greedy"), "connect_four-2p"
job = Job(variant, names, functools.partial(players.line_up, names, variant), (None, None), seed=3)
spans = [(first, first + 20) for first in range(0, 120, 20)]
local, there = dict(in_this_process(job, spans, 1)), dict(on_ray(job, iter(spans)))
assert sorted(there) == spans
same = all(numpy.array_equal(getattr(local[s], name), getattr(there[s], name)) for s in spans for name in Games._fields[:8])
print(json.dumps({"same": same, "nodes": len(ray.nodes()), "cpus": ray.cluster_resources()["CPU"]}))
ray.shutdown()
cluster.shutdown()
"""


def why_not() -> str:
    """Why there can be no cluster here; empty if there can."""
    if importlib.util.find_spec("ray") is None:
        return "Ray is not installed; `make ray` installs it"
    if shutil.which("unshare") is None or shutil.which("ip") is None:
        return "unshare and ip are needed for a network of its own"
    if subprocess.run(["unshare", "-n", "ip", "link", "set", "lo", "up"], capture_output=True).returncode:
        return "this user cannot make a network of its own (unshare -n)"
    return ""


@pytest.mark.skipif(bool(why_not()), reason=why_not())
def test_two_nodes_play_the_same_games(tmp_path: Path) -> None:
    script = tmp_path / "cluster.py"
    script.write_text(CLUSTER)
    command = ["unshare", "-n", "sh", "-c", 'ip link set lo up && exec "$0" "$1"', sys.executable, str(script)]
    environment = os.environ | {"RAY_USAGE_STATS_ENABLED": "0"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    assert json.loads(done.stdout.splitlines()[-1]) == {"same": True, "nodes": 2, "cpus": 2}
