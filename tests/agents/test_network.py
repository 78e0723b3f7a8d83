"""Networks that play: torch and the kernels agree, files are checked before they are believed."""

import json

import numpy as np
import pytest

torch = pytest.importorskip("torch")
safetensors = pytest.importorskip("safetensors.numpy")

from alehouse import players  # noqa: E402
from alehouse.agents import ask, heuristic  # noqa: E402
from alehouse.agents.network import (  # noqa: E402
    adviser,
    aspects_of,
    dot,
    net,
    net_kernels,
    nonzero,
    of_record,
    packed,
    read_net,
    shapes,
    signed,
    soften,
    student,
    tensors_of,
)
from alehouse.envs.core.run.tables import Tables  # noqa: E402
from alehouse.envs.games import game  # noqa: E402
from alehouse.training.network import LARGEST, Net, file_of, measured, write_net  # noqa: E402
from tests import toy  # noqa: E402

WIDTH = 12


def drawn(spec, seed=3):
    """A network whose every weight matters, with scales unlike one another."""
    scale = np.linspace(0.1, 1, spec.FEATURES.size, dtype=np.float32)
    made = Net(spec, WIDTH, scale, 2.0, seed)
    with torch.no_grad():
        for weight in made.parameters():
            weight.normal_(generator=torch.Generator().manual_seed(seed + weight.numel()))
    return made


def played(spec, steps=7, n=40):
    """Tables some steps after they began."""
    tables = Tables(spec.variant(modules=[m.name for m in spec.modules]), n=n, seed=5)
    for _ in range(steps):
        tables.step(tables.sample())
    return tables


def wanted(made, tables):
    """Logits by torch, illegal actions out of the question."""
    logits, _ = made(torch.from_numpy(tables.obs))
    return logits.detach().masked_fill(torch.from_numpy(tables.mask) == 0, -np.inf)


@pytest.mark.lanes
def test_kernels_take_what_torch_likes_best():
    made, tables = drawn(toy.GAME), played(toy.GAME)
    assert ask(of_record(toy.GAME, made.record()), tables).tolist() == wanted(made, tables).argmax(dim=1).tolist()


def test_kernels_and_torch_agree_on_what_answers_are_about():
    spec = game("tavern_battle")
    made, tables, study = drawn(spec), played(spec, steps=60), student(spec)
    with torch.no_grad():
        for weight in made.parameters():
            weight.mul_(0.1)
    rows, legal = np.zeros((tables.n, len(spec.ACTIONS), len(aspects_of(spec))), np.float32), tables.mask == 1
    for i in range(tables.n):
        one = np.zeros_like(rows[i])
        study(tables.states[i], tables.rules[0], made.record()[0].heuristic, np.zeros(len(one), np.float32), one)
        rows[i, legal[i]] = one[: legal[i].sum()]
    with torch.no_grad():
        without, _ = made(torch.from_numpy(tables.obs))
        logits, _ = made(torch.from_numpy(tables.obs), 0.0, torch.from_numpy(rows))
    best = logits.masked_fill(~torch.from_numpy(legal), -np.inf).argmax(dim=1).tolist()
    assert ask(of_record(spec, made.record()), tables).tolist() == best
    assert without.masked_fill(~torch.from_numpy(legal), -np.inf).argmax(dim=1).tolist() != best


def test_ratings_of_the_heuristic_count_as_far_as_a_network_reaches():
    spec, seen = game("bloody_inn"), 0
    tables, agent = Tables(spec.variant(), n=100, seed=6), heuristic(spec)
    advise = adviser(spec)
    for _ in range(20):
        tables.step(tables.sample())
    for i, action in enumerate(ask(agent, tables)):
        s, legal = tables.states[i], np.flatnonzero(tables.mask[i])
        near, far = np.zeros((2, len(spec.ACTIONS)), np.float32)
        advise(s, tables.rules[0], agent.weights[0], np.uint64(0), 1.5, near)
        advise(s, tables.rules[0], agent.weights[0], np.uint64(0), 1000.0, far)
        assert far[list(legal).index(action)] == far.max() == 0
        assert (near == np.maximum(far, -1.5)).all()
        seen += (far < -1.5).sum()
    assert seen > 10


def test_kernels_sample_by_the_chances_of_torch():
    made, tables = drawn(toy.GAME), played(toy.GAME, n=1)
    with torch.no_grad():
        made.policy.mul_(0.1)
    while tables.mask.sum() < 3:
        tables.step(tables.sample())
    chances = torch.softmax(wanted(made, tables), dim=1)[0].numpy()
    agent, s, R = of_record(toy.GAME, made.record(), sample=True), tables.states[0], tables.rules[0]
    k = net_kernels(toy.GAME, WIDTH)
    desk = k.prepare(agent.how)
    keys = np.random.default_rng(0).integers(2**64, size=4000, dtype=np.uint64)
    found = np.bincount([k.decide(s, R, agent.weights[0], int(s.turn), key, agent.how, desk) for key in keys], minlength=chances.size)
    assert found[chances == 0].sum() == 0
    assert found / 4000 == pytest.approx(chances, abs=4 * 0.5 / np.sqrt(4000))


@pytest.mark.lanes
def test_kernels_on_numbers_known_beforehand():
    obs = np.zeros(21, np.uint8)
    obs[[0, 7, 8, 15, 16, 20]] = 1, 255, 128, 3, 1, 9
    places = np.zeros(21, np.int64)
    assert places[: nonzero(obs, places)].tolist() == [0, 7, 8, 15, 16, 20]
    assert dot(np.arange(8, dtype=np.float32), np.full(8, 2, np.float32)) == 56
    logits, chances = np.log(np.array([1, 2, 5], np.float32)) + 7, np.zeros(3, np.float32)
    soften(logits, 3, chances)
    assert chances == pytest.approx([0.125, 0.25, 0.625], abs=1e-6)
    assert np.exp(logits) == pytest.approx([0.125, 0.25, 0.625], abs=1e-6)


def test_a_file_holds_the_network_in_half_precision(tmp_path):
    made, path = drawn(toy.GAME), tmp_path / "toy.safetensors"
    size = write_net(path, toy.GAME, made.record(), "alehouse train toy", {"won": 0.5})
    found, words = read_net(path, toy.GAME)
    assert size == path.stat().st_size
    for name in shapes(toy.GAME, WIDTH):
        assert (found[name] == made.record()[name].astype(np.float16)).all()
    assert words["command"] == "alehouse train toy"
    assert json.loads(words["results"]) == {"won": 0.5}


@pytest.mark.parametrize("name", ["bloody_inn", "tavern_battle", "taverns_dragons", "tiefenthal"])
def test_a_network_of_the_usual_width_is_small_enough_to_come_along(name):
    spec = game(name)
    tensors = {part: np.zeros(shape) for part, shape in shapes(spec, 80).items()}
    assert len(file_of(spec, tensors, "alehouse train " + name, {})) < LARGEST


def test_scales_follow_what_is_seen():
    obs = np.zeros((4, toy.GAME.FEATURES.size), np.uint8)
    obs[:2, toy.COINS], obs[:, toy.POT], obs[0, toy.TOKEN] = 20, 8, 1
    scale, active = measured(toy.GAME, obs)
    assert scale[[toy.COINS, toy.COINS + 1, toy.POT, toy.TOKEN]] == pytest.approx([1 / 20, 1 / 20, 1 / 8, 1])
    assert scale[toy.ROUND] == pytest.approx(1 / 4)  # never seen: as declared
    assert active == pytest.approx((2 + 4 + 1) / 4)


def broken(path, case):
    """A file with one thing wrong."""
    tensors = {name: np.zeros(shape, np.float16) for name, shape in shapes(toy.GAME, WIDTH).items()}
    words = dict(signed(toy.GAME))
    if case in ("game", "features", "actions", "format"):
        words[case] = "another"
    elif case == "no header":
        words = {}
    elif case == "shape":
        tensors["policy"] = tensors["policy"][1:]
    elif case == "missing":
        del tensors["value"]
    elif case == "float32":
        tensors["first"] = tensors["first"].astype(np.float32)
    elif case == "nan":
        tensors["second"][0, 0] = np.nan
    data = safetensors.save(tensors, words)
    whole = {"short": data[:-3], "magic": b"PK" + data[2:], "empty": b"", "text": b"nonsense nonsense", "long": b"\xff" * 40}
    path.write_bytes(whole.get(case, data))


CASES = {
    "game": "for another game",
    "features": "for another features",
    "actions": "for another actions",
    "format": "for another format",
    "shape": "its tensors are not those",
    "nan": "not a number",
    **dict.fromkeys(("no header", "missing", "float32", "short", "magic", "empty", "text", "long"), "net.safetensors: "),
}


@pytest.mark.parametrize("case", CASES)
def test_files_that_are_refused(case, tmp_path):
    broken(tmp_path / "net.safetensors", case)
    with pytest.raises(ValueError, match=CASES[case]) as caught:
        read_net(tmp_path / "net.safetensors", toy.GAME)
    assert "net.safetensors" in str(caught.value)


def test_our_reader_and_the_library_agree(tmp_path):
    data = file_of(toy.GAME, {name: drawn(toy.GAME).record()[name][0] for name in shapes(toy.GAME, WIDTH)}, "", {})
    theirs, (_, ours) = safetensors.load(data), tensors_of(data)
    assert theirs.keys() == ours.keys()
    assert all((theirs[name] == ours[name]).all() for name in ours)


def test_names(tmp_path):
    spec, path = game("kuhn_poker"), tmp_path / "mine:1.safetensors"
    write_net(path, spec, packed(spec, {name: np.zeros(shape) for name, shape in shapes(spec, 8).items()}))
    agent = players.player(f"net:path={path}", spec)
    assert agent.name == f"net:{path.name}"
    assert ask(agent, Tables("kuhn_poker", n=3)).tolist() == [0, 0, 0]  # all the same: the first
    assert players.trusted(f"net:path={path}")
    one = players.fingerprint(f"net:path={path}")
    path.write_bytes(path.read_bytes() + b" ")
    assert players.fingerprint(f"net:path={path}") != one
    with pytest.raises(ValueError, match="no file"):
        net(spec, tmp_path / "none")


@pytest.mark.parametrize(
    ("text", "match"), [("net", "none comes with the package"), ("net:seed=1", "net:path=FILE"), ("net:path=x", "no file x")]
)
def test_bad_names(text, match):
    with pytest.raises(ValueError, match=match) as caught:
        players.player(text, game("kuhn_poker"))
    assert str(caught.value).startswith(f"agent {text!r}: ")
