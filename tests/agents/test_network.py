"""Networks that play: torch and the kernels agree, files are checked, and networks of earlier layouts play as before."""

import json

import numpy as np
import pytest

torch = pytest.importorskip("torch")
safetensors = pytest.importorskip("safetensors.numpy")

from alehouse import players  # noqa: E402
from alehouse.agents import ask, heuristic  # noqa: E402
from alehouse.agents.network import SLACK, adviser, for_play, net, net_kernels, nonzero, of_record, soften, student  # noqa: E402
from alehouse.agents.network_file import (  # noqa: E402
    aspects_of,
    grouped,
    header,
    names_of,
    packed,
    read_net,
    sealed,
    shapes,
    tensors_of,
    ungrouped,
)
from alehouse.envs.core.run.tables import Tables  # noqa: E402
from alehouse.envs.games import game  # noqa: E402
from alehouse.training.network import LARGEST, Net, file_of, measured, write_net  # noqa: E402
from tests import toy  # noqa: E402

WIDTH = 12


def drawn(spec, seed=3):
    """Return a network with random weights, and with a different scale for each input."""
    scale = np.linspace(0.1, 1, spec.FEATURES.size, dtype=np.float32)
    made = Net(spec, WIDTH, scale, 2.0, seed)
    with torch.no_grad():
        for weight in made.parameters():
            weight.normal_(generator=torch.Generator().manual_seed(seed + weight.numel()))
    return made


def played(spec, steps=7, n=40):
    """Return tables some random steps after their games began."""
    tables = Tables(spec.variant(modules=[m.name for m in spec.modules]), n=n, seed=5)
    for _ in range(steps):
        tables.step(tables.sample())
    return tables


def wanted(made, tables):
    """Return logits by torch; those of illegal actions are minus infinity."""
    logits, _ = made(torch.from_numpy(tables.obs))
    return logits.detach().masked_fill(torch.from_numpy(tables.mask) == 0, -np.inf)


@pytest.mark.slow
@pytest.mark.lanes
def test_kernels_take_what_torch_likes_best():
    made, tables = drawn(toy.GAME), played(toy.GAME)
    assert ask(of_record(toy.GAME, made.record()), tables).tolist() == wanted(made, tables).argmax(dim=1).tolist()


@pytest.mark.slow
def test_kernels_and_torch_agree_on_aspects():
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


@pytest.mark.slow
def test_ratings_of_the_heuristic_count_at_least_minus_reach():
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


@pytest.mark.slow
def test_kernels_sample_by_the_chances_of_torch():
    made, tables = drawn(toy.GAME), played(toy.GAME, n=1)
    with torch.no_grad():
        made.policy.mul_(0.1)
    while tables.mask.sum() < 3:
        tables.step(tables.sample())
    chances = torch.softmax(wanted(made, tables), dim=1)[0].numpy()
    agent, s, R = of_record(toy.GAME, made.record(), sample=True), tables.states[0], tables.rules[0]
    k = net_kernels(toy.GAME, WIDTH)
    desk = k.prepare(agent.options)
    keys = np.random.default_rng(0).integers(2**64, size=4000, dtype=np.uint64)
    found = np.bincount([k.decide(s, R, agent.weights[0], int(s.turn), key, agent.options, desk) for key in keys], minlength=chances.size)
    assert found[chances == 0].sum() == 0
    assert found / 4000 == pytest.approx(chances, abs=4 * 0.5 / np.sqrt(4000))


@pytest.mark.lanes
def test_kernels_compute_known_numbers():
    obs = np.zeros(21, np.uint8)
    obs[[0, 7, 8, 15, 16, 20]] = 1, 255, 128, 3, 1, 9
    places = np.zeros(21 + SLACK, np.int64)
    assert places[: nonzero(obs, places)].tolist() == [0, 7, 8, 15, 16, 20]
    for size in (32, 64, 75):
        for numbers in (np.arange(size) % 3, np.arange(size) // 9 - 2, np.zeros(size), np.ones(size)):
            places = np.zeros(size + SLACK, np.int64)
            for kind in (np.uint8, np.float32):
                some = numbers.astype(kind)
                assert places[: nonzero(some, places)].tolist() == np.flatnonzero(some).tolist()
    logits, chances = np.log(np.array([1, 2, 5], np.float32)) + 7, np.zeros(3, np.float32)
    soften(logits, 3, chances)
    assert chances == pytest.approx([0.125, 0.25, 0.625], abs=1e-6)
    assert np.exp(logits) == pytest.approx([0.125, 0.25, 0.625], abs=1e-6)


def test_a_file_holds_the_network_in_half_precision(tmp_path):
    made, path = drawn(toy.GAME), tmp_path / "toy.safetensors"
    size = write_net(path, toy.GAME, made.record(), "alehouse train toy", {"won": 0.5})
    found, words = read_net(path, toy.GAME)
    assert size == path.stat().st_size
    for name in shapes(names_of(toy.GAME), WIDTH):
        assert (found[name] == made.record()[name].astype(np.float16)).all()
    played = for_play(toy.GAME, found)
    assert (played["first"].view(np.float16) == found["first"]).all()
    assert (played["second_bias"] == found["second_bias"]).all()
    assert words["command"] == "alehouse train toy"
    assert json.loads(words["results"]) == {"won": 0.5}


@pytest.mark.parametrize("name", ["bloody_inn", "tavern_battle", "taverns_dragons", "tiefenthal"])
def test_a_network_of_the_usual_width_is_small_enough_for_the_package(name):
    spec = game(name)
    tensors = {part: np.zeros(shape) for part, shape in shapes(names_of(spec), 80).items()}
    assert len(file_of(spec, tensors, "alehouse train " + name, {})) < LARGEST


def test_scales_follow_what_is_seen():
    obs = np.zeros((4, toy.GAME.FEATURES.size), np.uint8)
    obs[:2, toy.COINS], obs[:, toy.POT], obs[0, toy.TOKEN] = 20, 8, 1
    scale, active = measured(toy.GAME, obs)
    assert scale[[toy.COINS, toy.COINS + 1, toy.POT, toy.TOKEN]] == pytest.approx([1 / 20, 1 / 20, 1 / 8, 1])
    assert scale[toy.ROUND] == pytest.approx(1 / 4)  # never seen: as declared
    assert active == pytest.approx((2 + 4 + 1) / 4)


def file_with(path, words=(), tensors=(), **options):
    """Write a file of the toy with some words of its header and some tensors changed; None leaves one out."""
    made = {name: np.zeros(shape, np.float16) for name, shape in shapes(names_of(toy.GAME), WIDTH).items()} | dict(tensors)
    said = header(toy.GAME) | dict(words)
    kept = {name: tensor for name, tensor in made.items() if tensor is not None}
    path.write_bytes(safetensors.save(kept, sealed({key: text for key, text in said.items() if text is not None}, kept)))
    return path


LONG = [["pot", 1 << 16], ["more", 1]]
REFUSED = {
    "another game": ({"game": "go" * 99}, {}, r"it is for 'gogo[^ ]{30,40}$"),
    "an earlier format": ({"format": "alehouse-net-1"}, {}, "format alehouse-net-1, which Alehouse 0.1 reads"),
    "another format": ({"format": "alehouse-net-99"}, {}, "not a file of format alehouse-net-3"),
    "no format": ({"format": None}, {}, "not a file of format alehouse-net-3"),
    "no names": ({"features": None, "actions": None}, {}, "its header lacks actions, features"),
    "names that are no JSON": ({"features": "token"}, {}, "net.safetensors: not a network for toy: "),
    "names that are no lists": ({"features": '[["token", "abcde"]]'}, {}, "names segments in a way that cannot be read"),
    "names of no segment": ({"features": "[[3, 5]]"}, {}, "names segments in a way that cannot be read"),
    "a segment alone": ({"actions": '["pass"]'}, {}, "net.safetensors: not a network for toy: "),
    "an endless segment": ({"features": json.dumps([["pot", 10**18]])}, {}, "names segments in a way that cannot be read"),
    "too many names": ({"features": json.dumps(LONG)}, {}, "its header names more than 65,536 rows"),
    "a name twice": ({"actions": '[["pass", [""]], ["pass", [""]]]'}, {}, "its header names a row twice"),
    "names nested too deeply": ({"actions": "[" * 10**5}, {}, "net.safetensors: not a network for toy: "),
    "fewer names": ({"actions": '[["pass", [""]]]'}, {}, "its tensors are not those of a network 12 wide"),
    "weights that are none": ({"heuristic": "[]"}, {}, "net.safetensors: not a network for toy: "),
    "an endless weight": ({"heuristic": '{"temper": Infinity}'}, {}, "Infinity is not a finite number"),
    "a huge weight": ({"heuristic": json.dumps({"temper": 10**400})}, {}, "net.safetensors: not a network for toy: "),
    "an unknown weight": ({"heuristic": '{"courage": 1}'}, {}, "weights of the heuristic that toy no longer has: 'courage'"),
    "a short tensor": ({}, {"policy": np.zeros((9, WIDTH), np.float16)}, "its tensors are not those of a network 12 wide"),
    "a tensor more": ({}, {"question": np.zeros(32, np.float16)}, "its tensors are not those of a network 12 wide"),
    "a tensor less": ({}, {"value": None}, "its tensors are not those of a network 12 wide"),
    "no width": ({}, {"first_bias": None}, "it is 0 wide; a width is a multiple of 4 up to 1024"),
    "an odd width": ({}, {"first_bias": np.zeros(10, np.float16)}, "it is 10 wide"),
    "too wide": ({}, {"first_bias": np.zeros(2048, np.float16)}, "it is 2048 wide"),
    "float32": ({}, {"first": np.zeros((1, 1), np.float32)}, r"its tensor 'first' is not \[1, 1\] numbers in float16"),
    "nan": ({}, {"value": np.full(WIDTH, np.nan, np.float16)}, "numbers that are not finite"),
    "infinity": ({}, {"trust": np.full(1, np.inf, np.float16)}, "numbers that are not finite"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_headers_and_tensors_that_are_refused(case, tmp_path):
    words, tensors, said = REFUSED[case]
    with pytest.raises(ValueError, match=said) as caught:
        read_net(file_with(tmp_path / "net.safetensors", words, tensors), toy.GAME)
    assert str(caught.value).startswith(f"{tmp_path / 'net.safetensors'}: not a network for toy: ")
    assert len(str(caught.value)) < len(str(tmp_path)) + 300


def head(text):
    """Return a safetensors file with this header and no numbers."""
    return len(text).to_bytes(8, "little") + text.encode()


FILES = {
    "empty": b"",
    "text": b"nonsense nonsense",
    "an archive": b"PK\x03\x04" + bytes(100),
    "too long a header": b"\xff" * 40,
    "no JSON": head("{"),
    "a list": head("[]"),
    "a tensor that is a list": head('{"first": []}'),
    "offsets beyond the end": head('{"first": {"dtype": "F16", "shape": [2], "data_offsets": [0, 4]}}'),
    "offsets below the start": head('{"first": {"dtype": "F16", "shape": [0], "data_offsets": [-2, -2]}}'),
    "a shape that overflows": head(json.dumps({"first": {"dtype": "F16", "shape": [2**32, 2**32], "data_offsets": [0, 0]}})),
    "a shape of fractions": head('{"first": {"dtype": "F16", "shape": [0.5], "data_offsets": [0, 1]}}'),
    "offsets of text": head('{"first": {"dtype": "F16", "shape": [1], "data_offsets": ["0", "2"]}}'),
}


@pytest.mark.parametrize("name", [*FILES, "short"])
def test_files_of_another_kind_are_refused(name, tmp_path):
    path = file_with(tmp_path / "net.safetensors")
    path.write_bytes(FILES.get(name, path.read_bytes()[:-3]))
    with pytest.raises(ValueError, match=r"net\.safetensors: not a network for toy: "):
        read_net(path, toy.GAME)


def test_no_flipped_bit_of_a_file_is_accepted(tmp_path):
    path = file_with(tmp_path / "net.safetensors")
    whole = path.read_bytes()
    for at in np.random.default_rng(1).integers(8 * len(whole), size=300):
        spoilt = bytearray(whole)
        spoilt[at // 8] ^= 1 << at % 8
        path.write_bytes(spoilt)
        with pytest.raises(ValueError, match=r"net\.safetensors: not a network for toy: "):
            read_net(path, toy.GAME)


def test_a_file_without_a_digest_is_refused(tmp_path):
    path = tmp_path / "net.safetensors"
    tensors = {name: np.zeros(shape, np.float16) for name, shape in shapes(names_of(toy.GAME), WIDTH).items()}
    path.write_bytes(safetensors.save(tensors, header(toy.GAME)))
    with pytest.raises(ValueError, match="it has no digest, so nobody can tell whether it is damaged; an earlier version wrote it"):
        read_net(path, toy.GAME)


def test_a_huge_file_is_not_even_read(tmp_path):
    with open(tmp_path / "net.safetensors", "wb") as file:
        file.truncate(1 << 33)
    with pytest.raises(ValueError, match="it is larger than 67,108,864 bytes"):
        read_net(tmp_path / "net.safetensors", toy.GAME)


# Other layouts


@pytest.mark.parametrize(
    "names", [("pass", "take:1", "take:2", "spice"), ("pot:0", "coins:0", "coins:1", "coins:2"), ("a", "b:x", "a:y"), ()]
)
def test_names_come_back_in_their_order(names):
    assert ungrouped(grouped(names)) == names
    assert json.loads(grouped(("coins:0", "coins:1", "pot"))) == [["coins", 2], ["pot", [""]]]


def earlier(path, gone=(), extra=()):
    """Write a file of an earlier toy: without some features and actions, with others that the toy no longer has, in another order.

    Return its tensors and names too.
    """
    made, names, tensors = drawn(toy.GAME).record(), {}, {}
    for kind, name in (("features", "first"), ("actions", "policy"), ("actions", "answer_actions")):
        ours, order = names_of(toy.GAME)[kind], np.random.default_rng(1)
        kept = [n for n in ours if not n.startswith(gone)] + [n for n in extra if n.startswith("moon") == (kind == "features")]
        names[kind] = tuple(order.permutation(kept).tolist())
        rows = {n: made[name][0][k] for k, n in enumerate(ours)} | dict.fromkeys(extra, np.full(made[name].shape[2], 3.0))
        tensors[name] = np.array([rows[n] for n in names[kind]], np.float16)
    bias = dict(zip(names_of(toy.GAME)["actions"], made["policy_bias"][0], strict=True)) | dict.fromkeys(extra, 5.0)
    tensors["policy_bias"] = np.array([bias[n] for n in names["actions"]], np.float16)
    rest = {name: made[name][0].astype(np.float16) for name in shapes(names_of(toy.GAME), WIDTH) if name not in tensors}
    file_with(path, {kind: grouped(found) for kind, found in names.items()}, tensors | rest)
    return tensors | rest, names


def likes_best(tensors, names, tables):
    """Return the best actions of a network of another layout, computed in NumPy by names alone."""
    ours, found = names_of(toy.GAME), []
    W = {name: tensor.astype(np.float32) for name, tensor in tensors.items()}
    for obs, mask in zip(tables.obs, tables.mask, strict=True):
        seen = dict(zip(ours["features"], obs, strict=True))
        first = np.maximum(0, np.array([seen.get(n, 0) for n in names["features"]], np.float32) @ W["first"] + W["first_bias"])
        second = np.maximum(0, first @ W["second"] + W["second_bias"])
        answer = np.maximum(0, second @ W["answer_context"] + W["answer_bias"] + W["answer_actions"])
        deep = np.maximum(0, answer @ W["answer_second"] + W["answer_second_bias"])
        logits = W["policy"] @ second + W["policy_bias"] + deep @ W["answer"]
        by_name = dict(zip(names["actions"], logits, strict=True))
        found.append(max(np.flatnonzero(mask), key=lambda a: by_name[ours["actions"][a]]))
    return found


def test_a_network_of_an_earlier_layout_plays_as_before_where_what_is_new_is_zero(tmp_path):
    tensors, names = earlier(tmp_path / "net.safetensors", gone=("spice", "herbs"))  # features spiced and herbs, action spice
    found, _ = read_net(tmp_path / "net.safetensors", toy.GAME)
    ours = names_of(toy.GAME)
    new = [k for k, name in enumerate(ours["features"]) if name not in names["features"]]
    assert [ours["features"][k] for k in new] == ["spiced:0", "spiced:1", "spiced:2", "herbs:0"]
    assert not found["first"][0, new].any()
    assert found["policy"][0, toy.SPICE].any() == found["policy_bias"][0, toy.SPICE] == 0
    agent, seen = net(toy.GAME, tmp_path / "net.safetensors"), set()
    tables = Tables(toy.GAME.variant(), n=60, seed=5)
    for _ in range(8):
        assert not tables.obs[:, new].any()
        actions = ask(agent, tables)
        assert actions.tolist() == likes_best(tensors, names, tables)
        seen |= set(actions.tolist())
        tables.step(tables.sample())
    assert len(seen) > 4


def test_what_the_game_no_longer_has_is_left_out_on_request(tmp_path):
    path = tmp_path / "net.safetensors"
    tensors, names = earlier(path, extra=("moon:full", "moon:new", "moonlight", "moon:old", "howl:loudly"))
    with pytest.raises(
        ValueError, match=r"features that toy no longer has: ('moon[a-z:]+', ){2}'moon[a-z:]+' and 1 more; .*net:carry=FILE"
    ):
        read_net(path, toy.GAME)
    tables = played(toy.GAME)
    agent = net(toy.GAME, path, carry=True)
    assert ask(agent, tables).tolist() == likes_best(tensors, names, tables)
    earlier(path, extra=("howl:loudly",))
    with pytest.raises(ValueError, match=r"actions that toy no longer has: 'howl:loudly'; to carry"):
        read_net(path, toy.GAME)


def test_aspects_and_weights_that_are_new_or_gone(tmp_path):
    spec = game("tavern_battle")
    names, width, path = names_of(spec), 8, tmp_path / "net.safetensors"

    def written(aspects, heuristic):
        """A file with a number of its own in each row of the layer for aspects."""
        theirs = names | {"aspects": aspects}
        tensors = {name: np.zeros(shape, np.float16) for name, shape in shapes(theirs, width).items()}
        if aspects:
            tensors["answer_aspects"][:] = np.arange(len(aspects))[:, None] + 1
        words = header(spec) | {"aspects": grouped(aspects), "heuristic": json.dumps(heuristic)}
        path.write_bytes(safetensors.save(tensors, sealed(words, tensors)))

    weights = json.loads(header(spec)["heuristic"])
    written(names["aspects"][:0:-1], {"count": 3.5})  # all but the first, in another order; a heuristic with one weight
    found, _ = read_net(path, spec)
    assert found["answer_aspects"][0, :, 0].tolist() == [0, *range(len(names["aspects"]) - 1, 0, -1)]
    assert (found["heuristic"]["count"][0], found["heuristic"]["prize"][0]) == (3.5, weights["prize"])
    written((), weights)
    assert not any(read_net(path, spec)[0][name].any() for name in ("answer_aspects", "answer_context", "answer", "answer_bias"))
    written((*names["aspects"], "colour"), weights | {"courage": 2.0})
    with pytest.raises(ValueError, match="aspects that tavern_battle no longer has: 'colour'"):
        read_net(path, spec)
    assert read_net(path, spec, carry=True)[0]["answer_aspects"][0, :, 0].tolist() == list(range(1, len(names["aspects"]) + 1))


def test_our_reader_and_the_library_agree(tmp_path):
    data = file_of(toy.GAME, {name: drawn(toy.GAME).record()[name][0] for name in shapes(names_of(toy.GAME), WIDTH)}, "", {})
    theirs, (_, ours) = safetensors.load(data), tensors_of(data)
    assert theirs.keys() == ours.keys()
    assert all((theirs[name] == ours[name]).all() for name in ours)


def test_names_of_networks_as_agents(tmp_path):
    spec, path = game("kuhn_poker"), tmp_path / "mine:1.safetensors"
    write_net(path, spec, packed(spec, {"first_bias": np.zeros(8)}))
    agent = players.player(f"net:path={path}", spec)
    assert agent.name == f"net:{path.name}"
    assert ask(agent, Tables("kuhn_poker", n=3)).tolist() == [0, 0, 0]  # all the same: the first
    assert players.trusted(f"net:path={path}")
    one = players.fingerprint(f"net:path={path}")
    path.write_bytes(path.read_bytes() + b" ")
    assert players.fingerprint(f"net:path={path}") != one
    with pytest.raises(ValueError, match="no file"):
        net(spec, tmp_path / "none")
    assert players.player(f"net:carry={path}", spec).weights.tobytes() == agent.weights.tobytes()


@pytest.mark.parametrize(
    ("text", "match"), [("net", "none comes with the package"), ("net:seed=1", "net:path=FILE"), ("net:path=x", "no file x")]
)
def test_bad_names(text, match):
    with pytest.raises(ValueError, match=match) as caught:
        players.player(text, game("kuhn_poker"))
    assert str(caught.value).startswith(f"agent {text!r}: ")
