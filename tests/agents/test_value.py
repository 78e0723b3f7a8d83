"""Values: what the kernel computes, what a file must hold, and that a layout may change."""

import json
import pickle

import numpy as np
import pytest

pytest.importorskip("safetensors")

from safetensors import numpy as st

from alehouse.agents import heuristic, ismcts, rollout, value
from alehouse.agents.ladder import exploit, search
from alehouse.agents.network_file import sealed, tensors_of
from alehouse.agents.search import CANDIDATES, LEARNED, PLAYERS, ROUNDS, tuned
from alehouse.agents.value import FIRST, LAYERS, Value, guides, places, read_value, value_kernels
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.games import GAMES, game
from tests.slow import slow

KUHN = game("kuhn_poker")
SHIPPED = sorted(path.stem for path in value.SHIPPED.glob("*.safetensors"))


def drawn(size, seed=0):
    """Tensors of random numbers for observations of some bytes; each byte has 0, 1 or 2 rows."""
    rng = np.random.default_rng(seed)
    most = rng.integers(0, 3, size)
    shapes = {"rows": (most.sum(), FIRST), **LAYERS}
    return {"most": most.astype(np.float16)} | {name: rng.normal(0, 0.3, shape).astype(np.float16) for name, shape in shapes.items()}


def written(path, tensors, **words):
    """Write a file of Kuhn poker."""
    path.write_bytes(st.save(tensors, sealed(value.header(KUHN) | words, tensors)))
    return path


def by_hand(tensors, obs):
    """The shares of the win, computed in plain NumPy from each seat's observation."""
    most = tensors["most"].astype(int)
    table = {
        (byte, x): row
        for (byte, x), row in zip([(b, x + 1) for b in range(most.size) for x in range(most[b])], tensors["rows"], strict=True)
    }
    numbers = []
    for seen in obs:
        rows = [table[byte, min(x, most[byte])] for byte, x in enumerate(seen.tolist()) if min(x, most[byte])]
        first = np.maximum(tensors["first_bias"].astype(float) + np.sum(rows, axis=0, dtype=float), 0)
        second = np.maximum(first @ tensors["second"].astype(float) + tensors["second_bias"], 0)
        numbers.append(second @ tensors["last"].astype(float))
    shares = np.exp(np.array(numbers) - max(numbers))
    return shares / shares.sum()


def shares(v, tables, i):
    """The kernel's shares at a table; absent seats are left alone."""
    k, out = value_kernels(tables.game), np.full(8, 7.0)
    k.shares(tables.states[i], tables.rules[tables.rule[i]], guides(tables.game, v)[0], k.prepare(), out)
    return out


@pytest.mark.lanes
def test_the_kernel_computes_the_network(tmp_path):
    tensors = drawn(KUHN.FEATURES.size)
    v, _ = read_value(written(tmp_path / "a.safetensors", tensors), KUHN)
    tables = Tables("kuhn_poker", n=4, seed=1)
    for _ in range(2):
        for i in range(4):
            found = shares(v, tables, i)
            wanted = by_hand(tensors, [tables.observe(i, p) for p in range(2)])
            assert found[:2] == pytest.approx(wanted, abs=1e-4)
            assert (found[2:] == 7).all()
            assert abs(wanted[0] - 0.5) > 1e-3
        tables.step(tables.sample())


def test_rows_are_found_by_their_names(tmp_path, monkeypatch):
    """A byte that the file does not know is not read; the others keep their rows, wherever they stand now."""
    tensors, names = drawn(KUHN.FEATURES.size), value.features_of(KUHN)
    v, _ = read_value(written(tmp_path / "a.safetensors", tensors), KUHN)
    monkeypatch.setattr(value, "features_of", lambda spec: ("news:0", *reversed(names)))
    moved, _ = read_value(tmp_path / "a.safetensors", KUHN)
    assert moved.most[0] == 0
    for byte in range(len(names)):
        at = len(names) - byte
        assert moved.most[at] == v.most[byte]
        for x in range(1, v.most[byte] + 1):
            assert (moved.rows[moved.before[at] + x] == v.rows[v.before[byte] + x]).all()
    monkeypatch.setattr(value, "features_of", lambda spec: names[1:])
    with pytest.raises(ValueError, match=r"no longer has: .*train another: alehouse train kuhn_poker --what value"):
        read_value(tmp_path / "a.safetensors", KUHN)


@pytest.mark.parametrize(
    ("changed", "match"),
    [
        ({"most": np.zeros(3, np.float16)}, "how many rows each byte has"),
        ({"rows": np.zeros((1, FIRST), np.float16)}, "not those of a network with the rows"),
        ({"last": np.full(LAYERS["last"], np.nan, np.float16)}, "not finite"),
    ],
)
def test_bad_tensors(tmp_path, changed, match):
    path = written(tmp_path / "bad.safetensors", drawn(KUHN.FEATURES.size) | changed)
    with pytest.raises(ValueError, match=rf"bad.safetensors: not a value for kuhn_poker: .*{match}"):
        read_value(path, KUHN)


@pytest.mark.parametrize(
    ("words", "match"), [({"format": "alehouse-net-2"}, "not a file of format alehouse-value-1"), ({"game": "chess"}, "it is for 'chess'")]
)
def test_bad_headers(tmp_path, words, match):
    path = written(tmp_path / "bad.safetensors", drawn(KUHN.FEATURES.size), **words)
    with pytest.raises(ValueError, match=match):
        read_value(path, KUHN)


def test_damage_is_seen(tmp_path):
    path = written(tmp_path / "bad.safetensors", drawn(KUHN.FEATURES.size))
    data = bytearray(path.read_bytes())
    data[-3] ^= 1
    path.write_bytes(data)
    with pytest.raises(ValueError, match="it is damaged"):
        read_value(path, KUHN)


def test_the_largest_row_stands_for_what_lies_above():
    most = np.array([2, 0, 1], np.uint8)
    assert places(most).tolist() == [-1, 1, 1]
    listed = np.zeros(3, np.int64)
    v = Value(places(most), most, *(np.zeros(shape, np.float32) for shape in ((3, FIRST), *LAYERS.values())))
    for obs, rows in (([1, 9, 0], [0]), ([2, 0, 1], [1, 2]), ([200, 0, 7], [1, 2]), ([0, 3, 0], [])):
        n = value.list_rows(v, np.array(obs, np.uint8), listed)
        assert listed[:n].tolist() == rows


# The values that come with the package


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_value_explains_more_than_the_estimate(name):
    """Its header tells how it was made, and that it explains held-out results better than the heuristic does, in most rounds."""
    path = value.SHIPPED / f"{name}.safetensors"
    _, words = read_value(path, game(name))
    assert path.stat().st_size < 1_000_000
    assert words["command"].startswith(f"alehouse train {name} --what value")
    table = value.quality(words)
    whole = [row for row in table if row["round"] is None]
    assert len(whole) == 2
    for row in whole:
        assert row["value"]["log_loss"] < row["estimate"]["log_loss"]
        assert row["value"]["explained"] > row["estimate"]["explained"]
    rounds = [row for row in table if row["round"] is not None]
    assert sum(row["value"]["log_loss"] < row["estimate"]["log_loss"] for row in rounds) >= 2 / 3 * len(rounds) > 2
    [played] = json.loads(words["played"])
    assert played["won"] > 1 / game(name).default_seats
    if name != "tavern_battle":  # its dice decide so much that 30 roll-outs do not win clearly more than the heuristic
        assert played["won"] - played["half"] > 2 / game(name).default_seats
    assert played["games"] >= 400


def test_every_game_has_a_value():
    assert tuple(SHIPPED) == GAMES


@pytest.mark.parametrize("name", GAMES)
def test_search_stands_for_a_searcher_with_the_options_of_the_data(name):
    data = tuned()[name]
    agent, plain = search(game(name), 30), {"rollout": rollout, "ismcts": ismcts}[data["best"]](game(name), 30)
    assert (agent.options == plain.options).all()
    assert agent.options[ROUNDS] == data[data["best"]]["rounds"]
    assert agent.options[LEARNED] == plain.options[LEARNED] == 1
    assert (agent.name, search(game(name), ms=20).name) == ("search:30", "search:20ms")
    twin = pickle.loads(pickle.dumps(agent))
    assert twin.name == agent.name
    assert twin.weights.tobytes() == agent.weights.tobytes()
    assert rollout(game(name), 30, leaf="estimate").options[LEARNED] == 0


def test_many_roll_outs_try_more_answers():
    spec = game("tiefenthal")
    few, many, most = (rollout(spec, n).options[CANDIDATES] for n in (10, 400, 10**7))
    assert (few, many, most) == (4, 50, spec.choices)
    assert rollout(spec, 10, candidates=0).options[CANDIDATES] == 0


def test_a_network_plays_on_only_in_many_roll_outs_or_where_it_is_asked_to():
    spec, by_heuristic, both, by_net = game("bloody_inn"), *range(3)
    assert [rollout(spec, n).options[PLAYERS] for n in (199, 200)] == [by_heuristic, both]
    assert [rollout(spec, ms=ms).options[PLAYERS] for ms in (0.5, 20)] == [by_heuristic, both]
    assert rollout(spec, 30, players="net").options[PLAYERS] == by_net
    for given in ({"players": "heuristic"}, {"policy": "heuristic"}, {"leaf": "estimate"}):
        assert rollout(spec, 1000, **given).options[PLAYERS] == by_heuristic
    assert exploit(spec, 30).options[PLAYERS] == by_net


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_value_is_one_file_of_its_format(name):
    words, tensors = tensors_of((value.SHIPPED / f"{name}.safetensors").read_bytes())
    assert words["format"] == value.FORMAT
    assert tensors["most"].shape == (game(name).FEATURES.size,)


@pytest.mark.parametrize("name", [*map(slow, SHIPPED)])
def test_a_quick_search_plays_as_well_as_its_value_says(name):
    from alehouse.training.measure import measure

    [said] = json.loads(read_value(value.SHIPPED / f"{name}.safetensors", game(name))[1]["played"])
    if said["rules"] != game(name).variant().rules_digest:
        pytest.skip(f"measured by other rules than those of today: alehouse train {name} --what value")
    found = measure(said["variant"], rollout(game(name), 30), heuristic(game(name)), 50, seed=7)
    assert abs(found.won - said["won"]) <= 1.6 * (found.half + said["half"])
