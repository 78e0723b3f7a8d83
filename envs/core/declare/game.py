"""The contract of a game, its modules, and the variants one can play."""

import functools
import hashlib
import importlib
import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from alehouse.envs.core.declare.layout import Actions, Features
from alehouse.envs.core.declare.numbers import Numbers, Value, corrected
from alehouse.envs.core.declare.offers import NO_OFFERS, NO_SUPPLIES, Offers, Supplies
from alehouse.envs.core.declare.questions import Questions
from alehouse.envs.core.declare.record import numbers_of
from alehouse.envs.core.run.jit import jit


@dataclass(frozen=True)
class Module:
    """One module of a rulebook: what it needs and what it adds."""

    name: str
    title: str
    requires: str | None = None
    actions: tuple[str, ...] = ()  # segments, or single action names, that exist only with it
    features: tuple[str, ...] = ()  # observation segments that are zero without it
    numbers: tuple[str, ...] = ()  # prefixes of the keys that matter only with it


@jit
def zero(s):
    """Return 0."""
    return 0


@jit
def mover(s):
    """Return the seat that is asked."""
    return int(s.turn)


@dataclass(frozen=True, eq=False)
class Game:
    """A game as its folder declares it: data, layout, kernels, and plain functions that explain and check.

    All that other parts want to know of a game they ask of this record; no file outside the game's folder names the game.
    """

    name: str
    module: str  # where GAME stands, for unpickling
    title: str
    folder: Path  # holds its numbers; the home of its kernels
    seats: tuple[int, ...]
    STATE: np.dtype[Any]
    RULES: np.dtype[Any]
    ACTIONS: Actions
    FEATURES: Features
    numbers: Numbers
    fill: Callable[[Any, Numbers, "Variant"], None]  # writes a RULES record
    # kernels
    reset: Callable[..., None]  # (s, R, seed): a record of zeros becomes a new game
    legal: Callable[..., None]  # (s, R, words): what `step` keeps in s.can
    step: Callable[..., None]  # (s, R, action), on to the next decision
    observe: Callable[..., None]  # (s, R, seat, out)
    scores: Callable[..., None]  # (s, R, out): points
    standing: Callable[..., None]  # (s, R, out): higher is better, ties broken; alone at the table: the utility
    determinize: Callable[..., None]  # (s, R, seat, key)
    # plain Python
    describe: Callable[[Any, Any, int | None], str]  # (s, R, seat): a picture, of what a seat may know
    audit: Callable[[Any, Any], list[str]]  # (s, R): what is not conserved
    score_again: Callable[[Any, Any], list[int]]  # (s, R): points, counted independently of `scores`
    why: Callable[[Any, Any, int], str]  # (s, R, action): the rule that forbids it
    bound: Callable[["Variant"], int]  # decisions at most
    modules: tuple[Module, ...] = ()
    lengths: tuple[str, ...] = ("",)
    default_seats: int = 4
    most_choices: int = 0  # legal actions at once, at most; the size of the action space unless given
    questions: Questions | None = None
    lively: Callable[..., int] | None = None  # kernel (s): a random player who meets what uniform play hardly does
    clock: Callable[[Any], int] = zero  # kernel (s): rounds played
    horizon: int = 1  # rounds a roll-out plays before it is judged, the one under way included; to the end without a clock
    first: Callable[[Any], int] = mover  # kernel (s), at the start of a game: the seat of the first player
    deals: Callable[[Any], int] = zero  # kernel (s): how many deals have begun, where hidden cards are shown and dealt again
    streams: tuple[str, ...] = ()  # of luck; a stream's number is its place
    supplies: Supplies = NO_SUPPLIES
    offers: Offers = NO_OFFERS
    rule_ids: str = ""  # pattern of the ids in rules.md that tests name

    def __post_init__(self) -> None:
        known = self.questions.names if self.questions else ()
        for family in self.offers.families:
            if family.question not in known:
                raise ValueError(f"{self.name}: items {family.title!r}: no question {family.question!r}")

    @property
    def choices(self) -> int:
        """Legal actions at once, at most."""
        return self.most_choices or len(self.ACTIONS)

    def __reduce__(self) -> Any:
        return game_of, (self.module,)

    def variant(
        self,
        seats: int | None = None,
        modules: Sequence[str] = (),
        length: str | None = None,
        overrides: Mapping[str, Value] | None = None,
        rules: str | Path | None = None,
    ) -> "Variant":
        """A checked variant; a ValueError says what is possible."""
        seats = self.default_seats if seats is None else seats
        length = self.lengths[0] if length is None else length
        where = f"variant '{self.name}-{seats}p'"
        if isinstance(seats, bool) or not isinstance(seats, (int, np.integer)) or seats not in self.seats:
            raise ValueError(f"{where}: {self.name} seats {self.seats[0]} to {self.seats[-1]}")
        if length not in self.lengths:
            known = ", ".join(self.lengths) if any(self.lengths) else "no lengths to choose from"
            raise ValueError(f"{where}: length {length!r}; {self.name} has {known}")
        if isinstance(modules, str):
            raise ValueError(f"{where}: modules is a list of names, not the text {modules!r}")
        known_modules = {m.name: m for m in self.modules}
        for name in modules:
            if name not in known_modules:
                has = ", ".join(known_modules) or "none"
                raise ValueError(f"{where}: module {name!r}; {self.name} has {has}")
            needed = known_modules[name].requires
            if needed is not None and needed not in modules:
                raise ValueError(f"{where}: module {name!r} needs {needed!r}")
        changed = corrected(self.numbers, Path(rules)) if rules is not None else {}
        changed |= {key: self.numbers.find(key).check(value) for key, value in (overrides or {}).items()}
        kept = {key: value for key, value in sorted(changed.items()) if value != self.numbers[key].value}
        in_order = tuple(m.name for m in self.modules if m.name in modules)
        v = Variant(self.name, int(seats), in_order, length, tuple(kept.items()), self)
        v.rules_record()
        return v

    def parse(self, text: str) -> "Variant":
        """The variant of a canonical id."""
        match = re.fullmatch(r"(?P<game>[a-z_]+)(?:-(?P<seats>\d+)p(?:-(?P<rest>[a-z_+-]+))?)?(?:\?(?P<query>.*))?", text)
        if match is None or match["game"] != self.name:
            raise ValueError(f"variant {text!r}: not an id of {self.name}; one is {self.variant()}")
        rest = (match["rest"] or "").split("-") if match["rest"] else []
        lengths = [word for word in rest if word in self.lengths]
        modules = [word for word in rest if word not in self.lengths]
        if len(lengths) > 1 or len(modules) > 1:
            raise ValueError(f"variant {text!r}: <game>-<P>p[-<modules joined by +>][-<length>][?key=value&...]")
        pairs = {key: value for key, _, value in (item.partition("=") for item in (match["query"] or "").split("&") if item)}
        return self.variant(
            seats=int(match["seats"]) if match["seats"] else None,
            modules=modules[0].split("+") if modules else (),
            length=lengths[0] if lengths else None,
            overrides=pairs,
        )

    def variants(self) -> Iterator["Variant"]:
        """Every variant, overrides aside."""
        for seats, length in itertools.product(self.seats, self.lengths):
            for size in range(len(self.modules) + 1):
                for chosen in itertools.combinations(self.modules, size):
                    names = {m.name for m in chosen}
                    if all(m.requires is None or m.requires in names for m in chosen):
                        yield self.variant(seats, tuple(m.name for m in chosen), length)


@dataclass(frozen=True)
class Variant:
    """What is played: a game, its seats, modules, length and changed numbers."""

    game: str
    seats: int
    modules: tuple[str, ...]
    length: str
    overrides: tuple[tuple[str, Value], ...]
    spec: Game = field(repr=False)

    def __str__(self) -> str:
        text = f"{self.game}-{self.seats}p"
        if self.modules:
            text += "-" + "+".join(self.modules)
        if self.length != self.spec.lengths[0]:
            text += f"-{self.length}"
        if self.overrides:
            text += "?" + "&".join(f"{key}={value}" for key, value in self.overrides)
        return text

    def __reduce__(self) -> Any:
        return unpickled, (self.spec.module, str(self))

    @property
    def n_actions(self) -> int:
        """The size of the action space, the same for all variants of a game."""
        return len(self.spec.ACTIONS)

    @property
    def action_names(self) -> tuple[str, ...]:
        """The name of every action."""
        return self.spec.ACTIONS.names

    def action(self, name: str) -> int:
        """The action of a name."""
        return self.spec.ACTIONS.index(name)

    @property
    def features(self) -> tuple[Any, ...]:
        """(name, start, length, max) of each observation segment."""
        return self.spec.FEATURES.rows

    @property
    def numbers(self) -> Numbers:
        """Every number it is played by."""
        return self.spec.numbers.altered(dict(self.overrides))

    @property
    def rules_digest(self) -> str:
        """Return a digest of the rules it is played by."""
        return rules_digest(self)

    @property
    def bound(self) -> int:
        """Decisions a game has at most."""
        return self.spec.bound(self)

    def rules_record(self) -> np.ndarray[Any, Any]:
        """The RULES record of this variant, as an array of one."""
        return filled(self).copy()


@functools.lru_cache(maxsize=512)
def filled(v: Variant) -> np.ndarray[Any, Any]:
    """The RULES record of a variant, made once."""
    rules = np.zeros(1, v.spec.RULES)
    v.spec.fill(rules[0], v.numbers, v)
    return rules


@functools.lru_cache(maxsize=512)
def rules_digest(*variants: Variant) -> str:
    """Return a digest of the rules that variants are played by.

    It covers each number of their rules records by its name, and leaves out those at their neutral value. So it stays the same when a
    number with a neutral value comes in, when fields change their order or width, and when a key of rules.toml gets another name.
    """
    lines = [line for v in variants for line in (v.game, *sorted(numbers_of(filled(v))))]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def as_variant(v: "Variant | str") -> Variant:
    """A variant, or the one of a canonical id."""
    if isinstance(v, Variant):
        return v
    found: Variant = importlib.import_module("alehouse.envs.games").variant(v)
    return found


def game_of(module: str) -> Game:
    """The game a module declares."""
    game: Game = importlib.import_module(module).GAME
    return game


def unpickled(module: str, text: str) -> Variant:
    """The variant of an id, by the module of its game."""
    return game_of(module).parse(text)
