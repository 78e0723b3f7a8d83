"""Games play and look as recorded: signatures of every variant, playthroughs of every combination of modules, and pictures."""

import dataclasses

import pytest

from alehouse.envs.core.declare.game import Game, Module, Variant
from alehouse.envs.core.verify.playthrough import playthrough, samples
from alehouse.envs.core.verify.signature import signature
from alehouse.envs.games import game, variant, variants
from tests import toy
from tests.goldens import DRAWINGS, PLAYED, PLAYTHROUGHS, drawing, drawn, read_signatures

LARGEST = 60_000  # bytes of a playthrough at most
RENEW = "run `make goldens` if that is intended"


@pytest.mark.parametrize("name", PLAYED)
def test_every_variant_keeps_its_signature(name: str) -> None:
    kept = read_signatures()
    moved = [str(v) for v in variants(name) if signature(v) != kept.get(str(v))]
    assert not moved, f"these variants play differently: {RENEW}"


@pytest.mark.lanes
@pytest.mark.parametrize("name", PLAYED)
def test_a_game_with_all_modules_keeps_its_signature(name: str) -> None:
    spec = game(name)
    v = spec.variant(seats=spec.seats[-1], modules=[m.name for m in spec.modules])
    assert signature(v) == read_signatures()[str(v)]


def test_every_variant_has_a_signature_of_its_own() -> None:
    kept = read_signatures()
    assert sorted(kept) == sorted(str(v) for name in PLAYED for v in variants(name))
    assert len(set(kept.values())) == len(kept)


def test_a_signature_is_of_the_seed_and_the_games() -> None:
    v = variant("connect_four")
    assert signature(v) == signature(v, 20, 0)
    assert len({signature(v), signature(v, 19), signature(v, 20, 1)}) == 3


@pytest.mark.parametrize("v", [v for name in PLAYED for v in samples(game(name))], ids=str)
def test_every_playthrough_goes_as_recorded(v: Variant) -> None:
    path = PLAYTHROUGHS / f"{v}.txt"
    assert path.is_file(), f"{path.name} is missing: make goldens"
    text = playthrough(v)
    assert text == path.read_text(encoding="utf-8"), f"it goes differently: {RENEW}"
    assert len(text.encode()) < LARGEST


def test_every_sample_is_told_and_nothing_else() -> None:
    told = {variant(path.stem) for path in PLAYTHROUGHS.iterdir()}
    assert told == {v for name in PLAYED for v in samples(game(name))}


@pytest.mark.parametrize("v", drawn(), ids=str)
def test_every_picture_is_drawn_as_recorded(v: Variant) -> None:
    path = DRAWINGS / f"{v}.svg"
    assert path.is_file(), f"{path.name} is missing: make goldens"
    assert drawing(v) == path.read_text(encoding="utf-8"), f"it is drawn differently: {RENEW}"


def shaped(seats: int, modules: int, lengths: int) -> Game:
    """Return the toy with another number of seats, modules and lengths."""
    free = tuple(Module(f"m{'abcdefgh'[k]}", "A module") for k in range(modules))
    named = ("short", "long", "longer")[:lengths]
    return dataclasses.replace(toy.GAME, seats=tuple(range(1, seats + 1)), modules=free, lengths=named, fill=lambda R, numbers, v: None)


@pytest.mark.parametrize(
    ("seats", "modules", "lengths"), [(1, 0, 1), (8, 0, 1), (8, 1, 1), (2, 3, 1), (5, 1, 3), (3, 2, 2), (4, 0, 3), (1, 1, 2)]
)
def test_samples_show_everything_of_a_game_of_any_shape(seats: int, modules: int, lengths: int) -> None:
    spec = shaped(seats, modules, lengths)
    every, chosen = list(spec.variants()), samples(spec)
    assert len(set(chosen)) == len(chosen) <= len(every)
    for what in ("seats", "modules", "length"):
        assert {getattr(v, what) for v in chosen} == {getattr(v, what) for v in every}
