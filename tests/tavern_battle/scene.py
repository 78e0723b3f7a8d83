"""A table of Tavern Battle set up by names: edit the record, play by action names, read by names."""

import functools
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import alehouse
import pytest
from alehouse.envs.tavern_battle import layout as L
from alehouse.envs.tavern_battle.state import NOBODY

rule = pytest.mark.rule

ALL = ("casse_tout", "tous_sur_un", "tete_dure")
HARD = ("tous_sur_un", "tete_dure")
U, T, D, KO, FLED = L.POSITIONS
PLACING = {U: "upright", T: "tilted", D: "down", KO: "ko", FLED: "fled"}
SETS = ("hidden", "covered", "steady", "door", "door_now", "fallen_once", "insulted", "fresh", "fallen", "pile")
SEEDS = 5_000  # tried for a wanted piece of luck


def character(name: str) -> int:
    """A character's number."""
    return L.CHARACTER_NAMES.index(name)


def treasure(name: str) -> int:
    """A treasure's number."""
    return L.TREASURE_NAMES.index(name)


def members(names: Sequence[str], found: int) -> list[str]:
    """A set as a list of names."""
    return [name for k, name in enumerate(names) if int(found) >> k & 1]


def bits(numbers: Iterable[int]) -> int:
    """A set of numbers."""
    return sum(1 << k for k in set(numbers))


def names(counts: Any, known: Sequence[str] = L.OBJECT_NAMES) -> list[str]:
    """Copies by kind as a list of cards."""
    return [card for card, n in zip(known, counts, strict=True) for _ in range(int(n))]


@functools.cache
def first_seller(variant: Any, seat: int) -> int:
    """A seed whose first seller is the one wanted."""
    t = alehouse.Tables(variant, n=1, autoreset=False)
    return next(seed for seed in range(1000) if seat == (t.reset(seeds=[seed]), int(t.states[0].seller))[1])


class Scene:
    """One table, in the trade (`phase="window"`, seat 0 to sell) or in the first round of the brawl, seat 0 to lead.

    It begins blank: heroes as told (the first ones, two a seat), nobody holds a treasure, an agitation card or an object.
    """

    def __init__(
        self,
        seats: int = 2,
        modules: Iterable[str] = (),
        *,
        heroes: Sequence[str] = (),
        phase: str = "brawl",
        overrides: Mapping[str, Any] | None = None,
        blank: bool = True,
        seed: int | None = None,
    ) -> None:
        self.v = alehouse.variant("tavern_battle", seats=seats, modules=tuple(modules), overrides=overrides or {})
        self.t = alehouse.Tables(self.v, n=1, autoreset=False)
        self.t.reset(seeds=[first_seller(self.v, 0) if seed is None else seed])
        self.s = self.t.states[0]
        self.R = self.t.rules[self.t.rule[0]]
        self.seats = seats
        if phase == "brawl":
            self._to_the_brawl()
        if blank:
            self._blank(heroes)

    def clone(self) -> "Scene":
        """The same table once more."""
        twin = object.__new__(Scene)
        vars(twin).update(vars(self))
        twin.t = self.t.clone()
        twin.s = twin.t.states[0]
        return twin

    def _to_the_brawl(self) -> None:
        """Everybody posts what he has, seat 0 the last one."""
        while self.phase != "brawl":
            last = int(self.s.posted) == self.seats - 1
            posts = self.options("post") if last == (self.turn == 0) else []
            self.act(posts[0] if posts else "pass" if self.question == "post" else self.options()[0])

    # Reading

    @property
    def phase(self) -> str:
        return L.PHASES[self.s.phase]

    @property
    def question(self) -> str:
        """What is asked now; "over" at the end."""
        return list(L.QUESTIONS)[self.s.asks.entry[self.s.asks.n - 1].what] if self.s.turn >= 0 else "over"

    @property
    def turn(self) -> int:
        return int(self.s.turn)

    @property
    def round(self) -> int:
        return int(self.s["rounds"])

    @property
    def leader(self) -> int:
        return int(self.s.leader)

    def options(self, segment: str = "") -> list[str]:
        """The legal actions, of one segment if told."""
        legal = [name for name, can in zip(self.v.action_names, self.t.mask[0], strict=True) if can]
        return [name for name in legal if not segment or name.split(":")[0] == segment]

    def labels(self, segment: str) -> list[str]:
        """The legal actions of a segment, without its name."""
        return [name.partition(":")[2] for name in self.options(segment)]

    def legal(self, action: str) -> bool:
        return bool(self.t.mask[0, self.v.action(action)])

    def position(self, name: str) -> str:
        """How a character lies; "" for one not in play."""
        return next((place for place, word in PLACING.items() if int(self.s[word]) >> character(name) & 1), "")

    def positions(self, *who: str) -> list[str]:
        return [self.position(name) for name in who]

    def group(self, seat: int) -> list[str]:
        """Characters in play, KO heroes among them."""
        return [name for c, name in enumerate(L.CHARACTER_NAMES) if self.s.owner[c] == seat]

    def treasures_of(self, seat: int) -> list[str]:
        """Treasures in hand and drawn."""
        return members(L.TREASURE_NAMES, self.s.seat[seat].treasures)

    def safe_of(self, seat: int) -> list[str]:
        return members(L.TREASURE_NAMES, self.s.seat[seat].safe)

    @property
    def fallen(self) -> list[str]:
        """Treasures face up in the centre."""
        return members(L.TREASURE_NAMES, self.s.fallen)

    @property
    def pile(self) -> list[str]:
        """Treasures face down in the centre."""
        return members(L.TREASURE_NAMES, self.s.pile)

    def hand_of(self, seat: int) -> list[str]:
        """Objects in hand."""
        return names(self.s.seat[seat].objects)

    def cards_of(self, seat: int) -> list[str]:
        """Agitation cards in hand."""
        return names(self.s.seat[seat].agitation, L.AGITATION_NAMES)

    def cover_of(self, name: str) -> str | None:
        return self._object(self.s.cover[character(name)])

    def den_of(self, name: str) -> str | None:
        return self._object(self.s.den[character(name)])

    def drawn_by(self, name: str) -> list[str]:
        return [weapon for weapon, bearer in zip(L.WEAPON_NAMES, self.s.bearer, strict=True) if bearer == character(name)]

    @property
    def target(self) -> str:
        """Whom the last action was aimed at."""
        return L.CHARACTER_NAMES[self.s.act.target]

    def at_door(self, name: str) -> bool:
        return bool(int(self.s.door) >> character(name) & 1)

    @staticmethod
    def _object(kind: int) -> str | None:
        return None if kind == NOBODY else L.OBJECT_NAMES[kind]

    @property
    def used(self) -> list[str]:
        """Weapons lying on characters until the round ends."""
        return names(self.s.used)

    @property
    def discard(self) -> list[str]:
        return names(self.s.discard)

    @property
    def broken(self) -> list[str]:
        return names(self.s.broken)

    @property
    def tavern(self) -> int:
        """What the tavern is worth."""
        return int(self.R.value) - int(self.s.broken_value)

    @property
    def scores(self) -> list[int]:
        return [int(x) for x in self.t.scores[0]]

    @property
    def utility(self) -> list[float]:
        return [float(x) for x in self.t.utility[0]]

    # Playing

    def act(self, action: str) -> "Scene":
        """Take an action by its name; IllegalAction if the rules forbid it."""
        self.t.step([self.v.action(action)])
        return self

    def answer(self, question: str, action: str) -> "Scene":
        """Answer a question if it is asked; where there is only one answer the game gives it itself."""
        return self.act(action) if self.question == question else self

    def activate(self, name: str) -> "Scene":
        """Choose the character to activate, up to his action."""
        return self.answer("activate", f"character:{name}")

    def passing(self, n: int = 1) -> "Scene":
        """So many activations in which nothing is done."""
        for _ in range(n):
            if self.question == "activate":
                self.act(self.options()[0])
            if self.question == "action":
                self.act("pass")
        return self

    def do(self, name: str, action: str, target: str = "", supports: Sequence[str] = (), roll: bool = True) -> "Scene":
        """A whole action: who, what, on whom, with which supports of his own; then the dice unless told otherwise."""
        self.activate(name).act(action)
        if target:
            self.answer("target", f"character:{target}")
        for helper in supports:
            self.answer("support", f"character:{helper}")
        return self.answer("support", "roll") if roll else self

    def until(self, *questions: str, seat: int | None = None) -> "Scene":
        """Decline, or take what comes first, until one of these is asked or the game is over."""
        while self.question not in (*questions, "over") or (self.question != "over" and seat not in (None, self.turn)):
            options = self.options()
            self.act("pass" if "pass" in options else "roll" if "roll" in options else options[0])
        return self

    def next_round(self) -> "Scene":
        """Everybody passes until the next round of the brawl, or the end."""
        now = self.round
        while self.question != "over" and self.round == now:
            options = self.options()
            self.act("pass" if "pass" in options else "roll" if "roll" in options else options[0])
        return self

    # Luck

    def lucky(self, play: Callable[["Scene"], Any], wanted: Callable[["Scene"], bool]) -> "Scene":
        """Play with a seed that brings what is wanted."""
        twin = self.clone()
        for seed in range(SEEDS):
            for name in ("states", "seat", "mask", "over"):
                getattr(twin.t, name)[:] = getattr(self.t, name)
            twin.s.seed = seed
            play(twin)
            if wanted(twin):
                self.s.seed = seed
                play(self)
                return self
        raise AssertionError(f"no seed below {SEEDS} brings it")

    def dice(self, play: Callable[["Scene"], Any], *faces: int) -> "Scene":
        """Play with a seed that brings these dice, in any order."""
        return self.lucky(play, lambda sc: sc.rolled == sorted(faces))

    @property
    def rolled(self) -> list[int]:
        """The last dice of an action."""
        return [face + 1 for face, n in enumerate(self.s.faces) for _ in range(int(n))]

    # Editing

    def heroes(self, seat: int, *found: str) -> "Scene":
        """The heroes of a seat, upright, instead of those it has."""
        for name in self.group(seat):
            if name in L.HERO_NAMES:
                self._place(character(name), None)
                self.s.owner[character(name)] = NOBODY
        for name in found:
            self.s.owner[character(name)] = seat
            self._place(character(name), U)
        return self._tidy()

    def join(self, seat: int, *found: str) -> "Scene":
        """Arrivals in a seat's group, upright."""
        for name in found:
            self.s.owner[character(name)] = seat
            self._place(character(name), U)
        return self._tidy()

    def put(self, place: str, *found: str) -> "Scene":
        """Characters come to lie so."""
        for name in found:
            self._place(character(name), place)
            if place == KO and name in L.ARRIVAL_NAMES:
                self._gone.add(name)
        return self._tidy()

    def _place(self, c: int, place: str | None) -> None:
        for word in PLACING.values():
            self.s[word] = int(self.s[word]) & ~(1 << c)
        if place is not None:
            self.s[PLACING[place]] = int(self.s[PLACING[place]]) | 1 << c

    def treasures(self, seat: int, *found: str) -> "Scene":
        """The treasures a seat holds."""
        for other in range(self.seats):
            self.s.seat[other].treasures = int(self.s.seat[other].treasures) & ~bits(map(treasure, found))
        self.s.seat[seat].treasures = bits(map(treasure, found))
        return self._tidy()

    def safe(self, seat: int, *found: str) -> "Scene":
        """The treasures a seat has put safe."""
        self.s.seat[seat].safe = bits(map(treasure, found))
        return self._tidy()

    def drop(self, *found: str) -> "Scene":
        """The treasures face up in the centre."""
        self.s.fallen = bits(map(treasure, found))
        return self._tidy()

    def lay_down(self, *found: str) -> "Scene":
        """The treasures face down in the centre."""
        self.s.pile = bits(map(treasure, found))
        return self._tidy()

    def hand(self, seat: int, *found: str) -> "Scene":
        """The objects a seat holds."""
        return self._counts(self.s.seat[seat].objects, found)

    def agitation(self, seat: int, *found: str) -> "Scene":
        """The agitation cards a seat holds."""
        return self._counts(self.s.seat[seat].agitation, found, L.AGITATION_NAMES)

    def posted(self, *found: str) -> "Scene":
        """The agitation cards posted, without their effects."""
        self.s.posted = len(found)
        return self._counts(self.s.agitation, found, L.AGITATION_NAMES)

    def discarded(self, *found: str) -> "Scene":
        return self._counts(self.s.discard, found)

    def wrecked(self, *found: str) -> "Scene":
        """The broken objects."""
        return self._counts(self.s.broken, found)

    def cover(self, name: str, kind: str | None) -> "Scene":
        """The protection a character stands behind."""
        self.s.cover[character(name)] = NOBODY if kind is None else L.OBJECT_NAMES.index(kind)
        return self._tidy()

    def hide(self, name: str, kind: str, steady: bool = False) -> "Scene":
        """A character hides in an object, for this round (steady) or since an earlier one."""
        self.s.den[character(name)] = L.OBJECT_NAMES.index(kind)
        mine = 1 << character(name)
        self.s.steady = int(self.s.steady) & ~mine | mine * steady
        return self._tidy()

    def drawn(self, name: str, weapon: str, fresh: bool = False) -> "Scene":
        """A character has drawn a weapon, in an earlier round unless told."""
        number = L.WEAPON_NAMES.index(weapon)
        self.s.bearer[number] = character(name)
        self.s.fresh = int(self.s.fresh) & ~(1 << number) | fresh << number
        if weapon in L.TREASURE_NAMES:
            seat = self.s.seat[self.s.owner[character(name)]]
            seat.treasures = int(seat.treasures) | 1 << treasure(weapon)
        return self._tidy()

    def door(self, name: str, now: bool = False) -> "Scene":
        """A character is at the door, since the round before unless told."""
        mine = 1 << character(name)
        self.s.door = int(self.s.door) | mine
        self.s.door_now = int(self.s.door_now) & ~mine | mine * now
        return self._tidy()

    def fallen_once(self, *found: str) -> "Scene":
        """Heroes who have been down before."""
        self.s.fallen_once = bits(map(character, found))
        return self._tidy()

    def lead(self, seat: int) -> "Scene":
        """The brawl goes on with an activation of this seat."""
        self.s.leader = seat
        self._ask("activate", seat)
        return self._tidy()

    def in_round(self, n: int) -> "Scene":
        self.s["rounds"] = n
        return self._tidy()

    def last_round(self) -> "Scene":
        """The Militia comes with the next arrival, whatever the luck: all but those in play have been seen."""
        for name in L.ARRIVAL_NAMES:
            if self.s.owner[character(name)] == NOBODY:
                self._gone.add(name)
        return self._tidy()

    def _ask(self, question: str, seat: int) -> None:
        self.s.asks.n = 1
        entry = self.s.asks.entry[0]
        entry.what, entry.seat, entry.a, entry.b = list(L.QUESTIONS).index(question), seat, 0, 0
        self.s.turn = seat

    def _counts(self, counts: Any, found: Iterable[str], known: Sequence[str] = L.OBJECT_NAMES) -> "Scene":
        counts[:] = 0
        for card, n in Counter(found).items():
            counts[known.index(card)] = n
        return self._tidy()

    def _blank(self, heroes: Sequence[str]) -> None:
        s = self.s
        chosen = [*heroes, *(name for name in L.HERO_NAMES if name not in heroes)]
        self._gone: set[str] = set()
        for word in (*PLACING.values(), *SETS):
            s[word] = 0
        for counts in (s.discard, s.used, s.broken, s.agitation, s.faces):
            counts[:] = 0
        for places in (s.owner, s.cover, s.den, s.bearer):
            places[:] = NOBODY
        s.posted = s.broken_value = 0
        for seat in range(self.seats):
            me = s.seat[seat]
            me.treasures = me.safe = me.offer = me.cloaks = 0
            me.objects[:] = me.agitation[:] = 0
            for name in chosen[2 * seat : 2 * seat + 2]:
                s.owner[character(name)] = seat
                self._place(character(name), U)
        self._tidy()

    def _tidy(self) -> "Scene":
        """Bring what the record derives from the cards on the table up to date, and hide all other cards."""
        s = self.s
        s.covered = bits(c for c in range(L.CHARACTERS) if s.cover[c] != NOBODY)
        s.hidden = bits(c for c in range(L.CHARACTERS) if s.den[c] != NOBODY)
        out = {L.ARRIVAL_NAMES.index(name) for name in self._gone}
        seen = out | {a for a in range(L.ARRIVALS) if s.owner[L.HEROES + a] != NOBODY}
        s.arrivals = bits(set(range(L.ARRIVALS)) - seen)
        s.drawn = len(seen)
        s.broken_value = sum(int(n) * int(price) for n, price in zip(s.broken, self.R.price, strict=True))
        for seat in range(self.seats):
            self._tidy_seat(seat)
        self._tidy_objects()
        self._tidy_memory()
        return self._show()

    def _tidy_seat(self, seat: int) -> None:
        me = self.s.seat[seat]
        me.group = bits(c for c in range(L.CHARACTERS) if self.s.owner[c] == seat)
        me.types = bits(k for k in range(L.OBJECTS) if me.objects[k])
        me.held, me.cards = me.objects.sum(), me.agitation.sum()

    def _tidy_objects(self) -> None:
        """The deck is what lies nowhere else."""
        s = self.s
        hands = sum(s.seat[seat].objects.astype(int) for seat in range(self.seats))
        left = self.R.copies.astype(int) - hands - s.discard - s.used - s.broken
        for kind in [*s.cover, *s.den]:
            left[kind] -= int(kind != NOBODY)
        left[L.TROPHY_CARD] -= int(s.bearer[L.TROPHY] != NOBODY)
        assert (left >= 0).all(), "more copies than there are"
        if s.phase in (L.P_WINDOW, L.P_REVEAL, L.P_OFFERS, L.P_CHOICE):
            return
        s.deck[:] = left
        s.hidden_objects[:] = s.shuffled[:] = left + hands
        s.left = left.sum()

    def _tidy_memory(self) -> None:
        """Each seat knows its own treasures and those in sight."""
        s, seats = self.s, range(self.seats)
        drawn = {n for n, w in ((L.SWORD_CARD, L.SWORD), (L.LANCE_CARD, L.LANCE)) if s.bearer[w] != NOBODY}
        hands = [int(s.seat[p].treasures) for p in seats]
        open_to_all = int(s.fallen) | bits(drawn)
        for p in seats:
            me = s.seat[p]
            unknown = (1 << L.TREASURES) - 1 & ~(open_to_all | hands[p] | int(me.safe))
            me.may[:] = 0
            for q in seats:
                shown = hands[q] & bits(drawn)
                me.may[L.HAND + q] = hands[p] if q == p else shown | (unknown if hands[q] & ~shown else 0)
                me.may[L.SAFE + q] = me.safe if q == p else (unknown if s.seat[q].safe else 0)
            me.may[L.PILE] = unknown if s.pile else 0
            placed = open_to_all | int(s.pile) | sum(hands) | sum(int(s.seat[q].safe) for q in seats)
            me.may[L.BOX] = unknown if placed != (1 << L.TREASURES) - 1 else 0

    def _show(self) -> "Scene":
        """The legal actions and observations of the table as it stands."""
        k, t = self.t._k, self.t
        k.relegal(t.states, t.rules, t.rule, 0, self.s.can)
        k.show(t.states, t.rules, t.rule, t.seat, t.mask, t.obs)
        return self
