"""The part of a scene that sets up a table by names: it edits the record, then computes again everything that follows from it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Self

from alehouse.envs.tavern_battle import layout as L
from alehouse.envs.tavern_battle.questions import QUESTIONS
from alehouse.envs.tavern_battle.state import NOBODY
from tests.envs.scene import Table

U, T, D, KO, FLED = L.POSITIONS
PLACING = {U: "upright", T: "tilted", D: "down", KO: "ko", FLED: "fled"}
SETS = ("hidden", "covered", "steady", "door", "door_now", "fallen_once", "insulted", "fresh", "fallen", "pile")


def character(name: str) -> int:
    """Return a character's number."""
    return L.CHARACTER_NAMES.index(name)


def treasure(name: str) -> int:
    """Return a treasure's number."""
    return L.TREASURE_NAMES.index(name)


def bits(numbers: Iterable[int]) -> int:
    """A set of numbers."""
    return sum(1 << k for k in set(numbers))


class Editing(Table):
    """A table whose record is set up by names; after every method the record is consistent."""

    FIRST = "seller"
    _gone: set[str]  # arrivals that have been seen and are not in play

    def group(self, seat: int) -> list[str]:
        """Return a seat's characters in play, and its KO heroes."""
        return [name for c, name in enumerate(L.CHARACTER_NAMES) if self.s.owner[c] == seat]

    def heroes(self, seat: int, *found: str) -> Self:
        """Give a seat these heroes, upright, in the place of those it has."""
        for name in self.group(seat):
            if name in L.HERO_NAMES:
                self._place(character(name), None)
                self.s.owner[character(name)] = NOBODY
        for name in found:
            self.s.owner[character(name)] = seat
            self._place(character(name), U)
        return self._tidy()

    def join(self, seat: int, *found: str) -> Self:
        """Add arrivals to a seat's group, upright."""
        for name in found:
            self.s.owner[character(name)] = seat
            self._place(character(name), U)
        return self._tidy()

    def put(self, place: str, *found: str) -> Self:
        """Put characters into a position."""
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

    def treasures(self, seat: int, *found: str) -> Self:
        """Give a seat these treasures, and only these."""
        for other in range(self.seats):
            self.s.seat[other].treasures = int(self.s.seat[other].treasures) & ~bits(map(treasure, found))
        self.s.seat[seat].treasures = bits(map(treasure, found))
        return self._tidy()

    def safe(self, seat: int, *found: str) -> Self:
        """Let a seat have these treasures safe."""
        self.s.seat[seat].safe = bits(map(treasure, found))
        return self._tidy()

    def drop(self, *found: str) -> Self:
        """Lay these treasures face up into the centre."""
        self.s.fallen = bits(map(treasure, found))
        return self._tidy()

    def lay_down(self, *found: str) -> Self:
        """Lay these treasures face down into the centre."""
        self.s.pile = bits(map(treasure, found))
        return self._tidy()

    def hand(self, seat: int, *found: str) -> Self:
        """Give a seat these objects, and only these."""
        return self._counts(self.s.seat[seat].objects, found)

    def agitation(self, seat: int, *found: str) -> Self:
        """Give a seat these agitation cards, and only these."""
        return self._counts(self.s.seat[seat].agitation, found, L.AGITATION_NAMES)

    def posted(self, *found: str) -> Self:
        """Let these agitation cards be posted, without their effects."""
        self.s.posted = len(found)
        return self._counts(self.s.agitation, found, L.AGITATION_NAMES)

    def discarded(self, *found: str) -> Self:
        return self._counts(self.s.discard, found)

    def wrecked(self, *found: str) -> Self:
        """Let these objects be broken."""
        return self._counts(self.s.broken, found)

    def cover(self, name: str, kind: str | None) -> Self:
        """Put a character behind a protection, or behind none."""
        self.s.cover[character(name)] = NOBODY if kind is None else L.OBJECT_NAMES.index(kind)
        return self._tidy()

    def hide(self, name: str, kind: str, steady: bool = False) -> Self:
        """Hide a character in an object; he has passed a test this round if `steady`."""
        self.s.den[character(name)] = L.OBJECT_NAMES.index(kind)
        mine = 1 << character(name)
        self.s.steady = int(self.s.steady) & ~mine | mine * steady
        return self._tidy()

    def drawn(self, name: str, weapon: str, fresh: bool = False) -> Self:
        """Let a character have drawn a weapon: in this round if `fresh`, else in an earlier one."""
        number = L.WEAPON_NAMES.index(weapon)
        self.s.bearer[number] = character(name)
        self.s.fresh = int(self.s.fresh) & ~(1 << number) | fresh << number
        if weapon in L.TREASURE_NAMES:
            seat = self.s.seat[self.s.owner[character(name)]]
            seat.treasures = int(seat.treasures) | 1 << treasure(weapon)
        return self._tidy()

    def door(self, name: str, now: bool = False) -> Self:
        """Put a character at the door: in this round if `now`, else in the round before."""
        mine = 1 << character(name)
        self.s.door = int(self.s.door) | mine
        self.s.door_now = int(self.s.door_now) & ~mine | mine * now
        return self._tidy()

    def fallen_once(self, *found: str) -> Self:
        """Let these heroes, and no others, have been down before."""
        self.s.fallen_once = bits(map(character, found))
        return self._tidy()

    def lead(self, seat: int) -> Self:
        """Go on with an activation of this seat."""
        self.s.leader = seat
        self._ask("activate", seat)
        return self._tidy()

    def in_round(self, n: int) -> Self:
        self.s["rounds"] = n
        return self._tidy()

    def last_round(self) -> Self:
        """Let the Militia be the next arrival, whatever the luck: all arrivals not in play have been seen."""
        for name in L.ARRIVAL_NAMES:
            if self.s.owner[character(name)] == NOBODY:
                self._gone.add(name)
        return self._tidy()

    def _ask(self, question: str, seat: int) -> None:
        self.s.stack.n = 1
        entry = self.s.stack.entry[0]
        entry.what, entry.seat, entry.a, entry.b = QUESTIONS.names.index(question), seat, 0, 0
        self.s.turn = seat

    def _counts(self, counts: Any, found: Iterable[str], known: Sequence[str] = L.OBJECT_NAMES) -> Self:
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
        s.posted = s.broken_value = s.rolls = 0
        s.sale.sold = NOBODY
        for seat in range(self.seats):
            me = s.seat[seat]
            me.treasures = me.safe = me.offer = me.cloaks = 0
            me.objects[:] = me.agitation[:] = 0
            for name in chosen[2 * seat : 2 * seat + 2]:
                s.owner[character(name)] = seat
                self._place(character(name), U)
        self._tidy()

    def _tidy(self) -> Self:
        """Renew everything in the record that follows from the cards on the table, and hide all other cards."""
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
        return self.show()

    def _tidy_seat(self, seat: int) -> None:
        me = self.s.seat[seat]
        me.group = bits(c for c in range(L.CHARACTERS) if self.s.owner[c] == seat)
        me.types = bits(k for k in range(L.OBJECTS) if me.objects[k])
        me.held, me.cards = me.objects.sum(), me.agitation.sum()

    def _tidy_objects(self) -> None:
        """Put into the deck all objects that lie nowhere else."""
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
        """Let each seat know its own treasures and those in sight."""
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
