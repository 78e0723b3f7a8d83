"""The networks that come with the package: small, measured in every variant, and as strong as their headers say."""

import json
import re

import pytest

pytest.importorskip("torch")

from alehouse.agents import heuristic
from alehouse.agents.network import net
from alehouse.agents.network_file import SHIPPED, read_net
from alehouse.envs.games import game
from alehouse.training.measure import measure
from alehouse.training.network import LARGEST

NETS = sorted(path.stem for path in SHIPPED.glob("*.safetensors"))


@pytest.mark.parametrize("name", NETS)
def test_its_file_says_what_it_is_for_and_how_it_was_made(name):
    path = SHIPPED / f"{name}.safetensors"
    _, words = read_net(path, game(name))
    assert path.stat().st_size < LARGEST
    assert words["command"].startswith(f"alehouse train {name} ")
    assert words["measured"].startswith(f"alehouse train {name} --ship ")
    results = json.loads(words["results"])
    for v in game(name).variants():
        if v.seats > 1:
            said = results[str(v)]
            assert re.fullmatch("[0-9a-f]{16}", said["rules"])
            assert said["games"] == said["seeds"] * v.seats >= 200
            assert said["won"] > 1 / v.seats
            assert 0 < said["half"] < 0.08
    assert results[f"{name}-4p"]["games"] >= 4000


@pytest.mark.slow
@pytest.mark.parametrize("name", NETS)
def test_it_plays_as_well_as_it_says(name):
    spec = game(name)
    said = json.loads(read_net(SHIPPED / f"{name}.safetensors", spec)[1]["results"])[f"{name}-4p"]
    if said["rules"] != spec.variant().rules_digest:
        pytest.skip(f"measured by other rules than those of today: alehouse train {name} --ship --start agents/nets/{name}.safetensors")
    found = measure(f"{name}-4p", net(spec), heuristic(spec), 150, seed=7)
    assert abs(found.won - said["won"]) <= 1.6 * found.half
