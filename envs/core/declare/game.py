"""What a game must declare (the contract): its data, kernels and modules, and the variants that can be played."""

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

from alehouse.envs.core.declare.corrections import correction
from alehouse.envs.core.declare.layout import Actions, Features
from alehouse.envs.core.declare.numbers import Numbers, Value
from alehouse.envs.core.declare.offers import NO_OFFERS, NO_SUPPLIES, Offers, Supplies
from alehouse.envs.core.declare.questions import Questions
from alehouse.envs.core.declare.record import numbers_of
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.show.view import NO_PHRASES, Phrases, View


@dataclass(frozen=True)
class Module:
    """One module of a rulebook: the module it needs, and what it adds to the game."""

    name: str
    title: str
    requires: str | None = None
    actions: tuple[str, ...] = ()  # segments or single action names that exist only with this module
    features: tuple[str, ...] = ()  # observation segments that are zero without this module
    numbers: tuple[str, ...] = ()  # beginnings of the keys of the numbers that matter only with this module


@jit
def zero(s):
    """Return 0: a game without rounds or deals counts none."""
    return 0


@dataclass(frozen=True, eq=False)
class Game:
    """A game as its folder declares it: data, layout, kernels, and plain functions that explain and check.

    Everything that other parts need to know of a game is in this record; no file outside the game's folder names the game.
    """

    name: str
    module: str  # the Python module that defines GAME; a pickled game is found by it
    title: str
    folder: Path  # the game's folder, with its numbers and the source of its kernels
    seats: tuple[int, ...]
    STATE: np.dtype[Any]
    RULES: np.dtype[Any]
    ACTIONS: Actions
    FEATURES: Features
    numbers: Numbers
    # fills records of type RULES with a variant's numbers: each is one number for all records, or an array with one for each
    fill: Callable[[Any, Numbers, "Variant"], None]
    # The next ones are kernels: s is the state of one table, R the rules it is played by.
    reset: Callable[..., None]  # (s, R, seed): turn a record of zeros into a new game
    legal: Callable[..., None]  # (s, R, words): write the set of legal actions; `step` keeps it in s.can
    step: Callable[..., None]  # (s, R, action): carry out an action and go on to the next decision
    observe: Callable[..., None]  # (s, R, seat, out): write what a seat may know as bytes
    scores: Callable[..., None]  # (s, R, out): write the points of each seat
    # (s, R, out): write a number for each seat that ranks the seats, ties broken (higher is better); alone: the utility
    standing: Callable[..., None]
    determinize: Callable[..., None]  # (s, R, seat, key): redeal everything that a seat cannot know; another key gives another redeal
    # The next ones are plain Python functions.
    describe: Callable[[Any, Any, int | None], str]  # (s, R, seat): return the table as text, showing only what that seat may know
    audit: Callable[[Any, Any], list[str]]  # (s, R): return what was lost or made: cards, dice or money that do not add up
    score_again: Callable[[Any, Any], list[int]]  # (s, R): return the points of each seat, counted independently of `scores`
    why: Callable[[Any, Any, int], str]  # (s, R, action): return in words the rule that forbids an action
    bound: Callable[["Variant"], int]  # (variant): return the largest number of decisions a game can have
    modules: tuple[Module, ...] = ()
    solo: tuple[str, ...] = ()  # beginnings of the keys of the numbers that matter only with one player
    lengths: tuple[str, ...] = ("",)
    default_seats: int = 4
    most_choices: int = 0  # the most actions that can be legal at once; 0 means as many as there are actions
    questions: Questions | None = None
    view: Callable[[Any, Any, int | None], Any] | None = None  # (s, R, seat): return the facts that a seat may know, as a dataclass
    phrases: Phrases = NO_PHRASES  # answers as sentences, and the things on the table that they concern
    draw: Callable[[View], str] | None = None  # (view): return a picture as SVG; without it core draws the text of `describe`
    settle: Callable[..., bool] | None = None  # kernel (s, R, through): go on to the next question (see Turns), to tell forced answers
    chance: Callable[[Any, Any, Any], list[str]] | None = None  # plain Python (before, s, R): what chance has decided since, in words
    # kernel (s): a random player that reaches positions which uniformly random play rarely reaches
    lively: Callable[..., int] | None = None
    clock: Callable[[Any], int] = zero  # kernel (s): how many rounds have ended; 0 until the first round is over
    # how many rounds a roll-out plays, counting the current one, before it estimates the result; with no clock it plays to the end
    horizon: int = 1
    # kernel (s), called while the clock is 0: the seat of the first player, or -1 before turns begin (while cards are drafted, for example)
    first: Callable[[Any], int] = zero
    deals: Callable[[Any], int] = zero  # kernel (s): how many deals have begun, in games that show their hidden cards and deal again
    streams: tuple[str, ...] = ()  # the names of the streams of luck; a stream's number is its index here
    supplies: Supplies = NO_SUPPLIES
    offers: Offers = NO_OFFERS
    rule_ids: str = ""  # the pattern of rule ids in rules.md that tests refer to

    def __post_init__(self) -> None:
        known = self.questions.names if self.questions else ()
        for family in self.offers.families:
            if family.question not in known:
                raise ValueError(f"{self.name}: items {family.title!r}: no question {family.question!r}")

    @property
    def choices(self) -> int:
        """The most actions that can be legal at once."""
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
        """Return a variant after checking its parts; a ValueError says what is possible."""
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
        changed = correction(self.numbers, Path(rules)).changed if rules is not None else {}
        changed |= {key: self.numbers.find(key).check(value) for key, value in (overrides or {}).items()}
        kept = {key: value for key, value in sorted(changed.items()) if value != self.numbers[key].value}
        in_order = tuple(m.name for m in self.modules if m.name in modules)
        v = Variant(self.name, int(seats), in_order, length, tuple(kept.items()), self)
        v.rules_record()
        return v

    def parse(self, text: str) -> "Variant":
        """Return the variant that a canonical id names."""
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
        """Return every variant of the game, leaving out changed numbers (overrides)."""
        for seats, length in itertools.product(self.seats, self.lengths):
            for size in range(len(self.modules) + 1):
                for chosen in itertools.combinations(self.modules, size):
                    names = {m.name for m in chosen}
                    if all(m.requires is None or m.requires in names for m in chosen):
                        yield self.variant(seats, tuple(m.name for m in chosen), length)


@dataclass(frozen=True)
class Variant:
    """What exactly is played: a game, its seats, modules, length and changed numbers."""

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
        """The number of actions, the same for all variants of a game."""
        return len(self.spec.ACTIONS)

    @property
    def action_names(self) -> tuple[str, ...]:
        """The name of every action, in order of their numbers."""
        return self.spec.ACTIONS.names

    def action(self, name: str) -> int:
        """Return the number of the action with this name."""
        return self.spec.ACTIONS.index(name)

    @property
    def features(self) -> tuple[Any, ...]:
        """Each observation segment as (name, start, length, max)."""
        return self.spec.FEATURES.rows

    @property
    def numbers(self) -> Numbers:
        """The numbers of the rules with this variant's overrides."""
        return self.spec.numbers.altered(dict(self.overrides))

    @property
    def rules_digest(self) -> str:
        """Return a digest of the rules that this variant is played by."""
        return rules_digest(self)

    @property
    def bound(self) -> int:
        """The largest number of decisions that a game can have."""
        return self.spec.bound(self)

    def lacks(self, key: str) -> bool:
        """Return whether a number matters only with modules that this variant does not have, or only with one player."""
        if self.seats > 1 and key.startswith(self.spec.solo):
            return True
        on, off = (
            tuple(start for m in self.spec.modules if (m.name in self.modules) == there for start in m.numbers) for there in (True, False)
        )
        return key.startswith(off) and not key.startswith(on)

    def rules_record(self) -> np.ndarray[Any, Any]:
        """Return the rules of this variant, as an array of one RULES record."""
        return filled(self).copy()


@functools.lru_cache(maxsize=512)
def filled(v: Variant) -> np.ndarray[Any, Any]:
    """Return the RULES record of a variant; each variant's is made only once."""
    return filled_with(v, v.numbers, 1)


def filled_with(v: Variant, numbers: Numbers, count: int) -> np.ndarray[Any, Any]:
    """Return this many RULES records of a variant, filled with numbers."""
    rules = np.zeros(count, v.spec.RULES)
    v.spec.fill(rules.view(np.recarray), numbers, v)
    return rules


@functools.lru_cache(maxsize=512)
def rules_digest(*variants: Variant) -> str:
    """Return a digest of the rules that variants are played by.

    It covers each number of their rules records by its name, and leaves out numbers at their neutral value. So it stays the same when a
    number with a neutral value is added, when fields change their order or width, and when a key of rules.toml is renamed.
    """
    lines = [line for v in variants for line in (v.game, *sorted(numbers_of(filled(v))))]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def as_variant(v: "Variant | str") -> Variant:
    """Return the argument if it is a variant, or else the variant that it names by its id."""
    if isinstance(v, Variant):
        return v
    found: Variant = importlib.import_module("alehouse.envs.games").variant(v)
    return found


def game_of(module: str) -> Game:
    """Return the game that a Python module declares."""
    game: Game = importlib.import_module(module).GAME
    return game


def unpickled(module: str, text: str) -> Variant:
    """Return the variant with this id, when it is unpickled; `module` is the Python module of its game."""
    return game_of(module).parse(text)
