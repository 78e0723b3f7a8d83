"""Games saved as small files: they load as they were saved, and every kind of damage is found."""

import json
import pickle
from dataclasses import replace

import pytest

from alehouse.envs.core.run.replay import FORMAT, Replay
from alehouse.envs.core.run.tables import IllegalAction, Tables
from alehouse.envs.games import variant

DROPS = (3, 3, 2, 4, 1, 5, 0)  # player_0 fills a1 to d1


def played(v="kuhn_poker", moves=10_000, seed=6):
    t = Tables(v, n=1, seed=seed, autoreset=False)
    while not t.over[0] and t.states["asked"][0] < moves:
        t.step(t.sample())
    return t


@pytest.mark.parametrize("v", ["connect_four", "kuhn_poker", "bloody_inn-2p-carnies+events+notables+objects?game.wage=2"])
@pytest.mark.parametrize("moves", [0, 1, 2, 10_000])
def test_a_file_holds_the_game(v, moves, tmp_path):
    t = played(v, moves)
    replay = t.replay(0)
    replay.save(tmp_path / "game.json")
    again = Replay.load(tmp_path / "game.json")
    assert again == replay
    assert again.seed == t.seeds[0]
    assert again.tables().states[0].tobytes() == t.states[0].tobytes()
    assert again.variant == str(variant(v))
    assert pickle.loads(pickle.dumps(again)) == again
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]


def test_the_file_says_what_it_is(tmp_path):
    replay = Replay.of("connect_four", 5, DROPS)
    replay.save(tmp_path / "game.json")
    held = json.loads((tmp_path / "game.json").read_text())
    assert held == {
        "variant": "connect_four-2p", "rules": variant("connect_four").rules_digest, "seed": 5, "actions": list(DROPS),
        "play": replay.play, "format": FORMAT,
    }  # fmt: skip


def test_a_game_can_be_followed_move_by_move():
    replay = Replay.of("connect_four", 5, DROPS)
    assert [int(replay.tables(k).states["asked"][0]) for k in range(8)] == list(range(8))
    assert replay.tables(0).text(0) == Tables("connect_four", n=1).text(0)
    assert not replay.tables(6).over[0]
    end = replay.tables()
    assert end.over[0]
    assert end.scores.tolist() == [[1, 0]]


def test_the_largest_seed(tmp_path):
    replay = Replay.of("kuhn_poker", 2**64 - 1, (0, 0))
    replay.save(tmp_path / "game.json")
    assert Replay.load(tmp_path / "game.json").tables().seeds.tolist() == [2**64 - 1]


def test_actions_that_can_not_be_played():
    with pytest.raises(IllegalAction, match="column d is full"):
        Replay.of("connect_four", 0, [3] * 7)
    with pytest.raises(ValueError, match="after the end of the game"):
        Replay.of("connect_four", 0, [*DROPS, 1])
    with pytest.raises(ValueError, match="seed"):
        Replay.of("connect_four", -1, [])


def test_verify():
    replay = Replay.of("connect_four", 5, DROPS)
    replay.verify()
    with pytest.raises(
        ValueError, match=r"replay of connect_four-2p: it plays differently now; its play has digest [0-9a-f]{16}, the file says 0"
    ):
        replace(replay, play="0" * 16).verify()
    with pytest.raises(ValueError, match=r"its rules have digest 1{16}, here they have"):
        replace(replay, rules="1" * 16).verify()
    with pytest.raises(ValueError, match="plays differently"):
        replace(replay, actions=DROPS[:-1]).verify()
    with pytest.raises(ValueError, match="plays differently"):
        replace(replay, seed=6).verify()


def changed(**fields):
    return lambda game: {**game, **fields}


def without(name):
    return lambda game: {key: value for key, value in game.items() if key != name}


DAMAGE = {
    "other format": (changed(format="alehouse-replay-9"), f"not a file of format {FORMAT}"),
    "no format": (without("format"), f"not a file of format {FORMAT}"),
    "no seed": (without("seed"), "it must hold variant, rules, seed"),
    "more": (changed(comment="hello"), "it must hold"),
    "seed as text": (changed(seed="5"), "each of its type"),
    "seed as truth": (changed(seed=True), "each of its type"),
    "broken seed": (changed(seed=5.5), "each of its type"),
    "negative seed": (changed(seed=-5), "seed"),
    "too large a seed": (changed(seed=2**64), "seed"),
    "another seed": (changed(seed=6), "plays differently"),
    "actions as text": (changed(actions="332"), "each of its type"),
    "action as text": (changed(actions=["3"]), "actions must be whole numbers"),
    "action as truth": (changed(actions=[True]), "actions must be whole numbers"),
    "no such action": (changed(actions=[7]), "no such action"),
    "huge action": (changed(actions=[10**30]), "actions"),
    "illegal action": (changed(actions=[3] * 7), "column d is full"),
    "more actions": (changed(actions=[*DROPS, 0]), "after the end"),
    "fewer actions": (changed(actions=[3]), "plays differently"),
    "no such game": (changed(variant="chess-2p"), "one of bloody_inn"),
    "no such variant": (changed(variant="connect_four-3p"), "seats"),
    "another variant": (changed(variant="kuhn_poker-2p"), "replay"),
    "other rules": (changed(rules="f" * 16), "its rules have digest"),
    "another play": (changed(play="f" * 16), "plays differently"),
    "an earlier format": (changed(format="alehouse-replay-1"), "format alehouse-replay-1, which Alehouse 0.1 reads"),
    "a list": (lambda game: [game], f"not a file of format {FORMAT}"),
    "a number": (lambda game: 7, f"not a file of format {FORMAT}"),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_damage_is_told(name, tmp_path):
    change, words = DAMAGE[name]
    path = tmp_path / "game.json"
    Replay.of("connect_four", 5, DROPS).save(path)
    path.write_text(json.dumps(change(json.loads(path.read_text()))))
    with pytest.raises(ValueError) as error:
        Replay.load(path)
    assert str(error.value).startswith(f"{path}: ")
    if name != "another variant":
        assert words in str(error.value)


@pytest.mark.parametrize(
    "data", [b"", b"{", b"\xff\xfe", b"null", b"[" * 100_000, b'{"seed": ' + b"9" * 10_000 + b"}", b"PK\x03\x04"], ids=range(7)
)
def test_other_files(data, tmp_path):
    path = tmp_path / "game.json"
    path.write_bytes(data)
    with pytest.raises(ValueError) as error:
        Replay.load(path)
    assert str(error.value).startswith(f"{path}: ")


def test_a_truncated_file(tmp_path):
    path = tmp_path / "game.json"
    Replay.of("connect_four", 5, DROPS).save(path)
    data = path.read_bytes()
    for size in range(len(data) - 2):
        path.write_bytes(data[:size])
        with pytest.raises(ValueError, match=str(path)):
            Replay.load(path)


def test_saving_leaves_the_old_file_whole_if_it_fails(tmp_path, monkeypatch):
    path = tmp_path / "game.json"
    Replay.of("connect_four", 5, DROPS).save(path)
    before = path.read_bytes()

    def full(*_):
        raise OSError("no space left")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(OSError, match="no space left"):
        Replay.of("connect_four", 5, ()).save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
