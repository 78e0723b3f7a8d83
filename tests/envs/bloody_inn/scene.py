"""A table of The Bloody Inn that tests set up, play and read by names."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from alehouse.envs.bloody_inn import layout as L
from alehouse.envs.bloody_inn.modules.events import whole_deck
from alehouse.envs.bloody_inn.state import CLOSED, NOBODY, TWIN, WHITE
from tests.envs.scene import Table, bits, copies, members

EVERYTHING = ("carnies", "events", "notables", "objects")
PLACES = (*(f"home{k}" for k in range(4)), *(f"white{k + 1}" for k in range(4)), *(f"caravan{k + 1}" for k in range(4)))
CARD_OF = {row["annex"]: row["key"] for row in reversed(L.NUMBERS.tables["cards"]) if row["annex"]}


def kind(card: str) -> int:
    """Return the number of a card."""
    return L.CARDS.index(card)


def names(counts: Any) -> list[str]:
    """Return a list of cards from the number of each kind."""
    return copies(counts, L.CARDS)


class Scene(Table):
    """One table. It begins blank: no guests, empty hands, 5F and a check for each seat, and the first player is to act.

    `phase` says where it begins: "welcome" before the first lodging, "evening" in the first window for objects, "night" at the first
    action.
    """

    def __init__(
        self,
        seats: int = 2,
        modules: Iterable[str] = (),
        length: str = "short",
        first: int = 0,
        phase: str = "night",
        overrides: Mapping[str, Any] | None = None,
        blank: bool = True,
    ) -> None:
        super().__init__("bloody_inn", first, overrides, seats=seats, modules=tuple(modules), length=length)
        self._user: int | None = None  # who has just attached an object
        while self.phase != phase:
            self.act(self.options()[0] if self.question != "evening" else "done")
        if blank:
            self._blank()

    # Reading

    @property
    def phase(self) -> str:
        return L.PHASES[self.s.phase]

    def cash_of(self, seat: int) -> int:
        return int(self.s.seat[seat].cash)

    def checks_of(self, seat: int) -> int:
        return int(self.s.seat[seat].checks)

    def tokens_of(self, seat: int) -> int:
        return int(self.s.seat[seat].tokens)

    def hand_of(self, seat: int) -> list[str]:
        return names(self.s.seat[seat].hand)

    def corpses_of(self, seat: int) -> list[str]:
        return names(self.s.seat[seat].corpse)

    def annexes_of(self, seat: int) -> list[str]:
        """Return the annexes of a seat by name, with its barn and without caravans that are still rooms."""
        return sorted(name for _, name in self._built(seat))

    def under(self, seat: int, annex: str) -> list[str]:
        """Return what lies under all annexes of a name; the second coffin of the twins is "coffin"."""
        found: list[str] = []
        for built, name in self._built(seat):
            if name == annex:
                found += ["coffin" if c == TWIN else L.CARDS[c] for c in built.corpse if c != NOBODY]
                found += ["dwarf"] * int(built.across)
        return sorted(found)

    def free_under(self, seat: int, annex: str) -> int:
        return sum(int(built.free) for built, name in self._built(seat) if name == annex)

    def guest(self, place: str) -> str | None:
        found = self.s.guest[PLACES.index(place)]
        return None if found == NOBODY else L.CARDS[found]

    def owner(self, place: str) -> str | int:
        found = int(self.s.owner[PLACES.index(place)])
        return {WHITE: "white", CLOSED: "closed"}.get(found, found)

    @property
    def open_rooms(self) -> list[str]:
        return [place for place, owner in zip(PLACES[:8], self.s.owner, strict=False) if owner != CLOSED]

    @property
    def bistro_n(self) -> int:
        return int(self.s.bistro)

    @property
    def exit_cards(self) -> list[str]:
        return names(self.s.exit)

    @property
    def box_cards(self) -> list[str]:
        """Cards out of the game, except unused peasants."""
        return [card for card in names(self.s.box) if card != "peasant"]

    @property
    def event_name(self) -> str | None:
        return None if self.s.event == NOBODY else L.EVENT_NAMES[self.s.event]

    def objects_of(self, seat: int) -> list[str]:
        return members(self.s.seat[seat].objects, L.OBJECT_NAMES)

    def _built(self, seat: int) -> list[tuple[Any, str]]:
        rows = [self.s.built[k] for k in range(int(self.s.annexes))]
        return [(b, "barn" if b.card == NOBODY else L.ANNEX_NAMES[self.R.annex[b.card]]) for b in rows if b.owner == seat]

    # Playing

    def pay(self, *cards: str) -> "Scene":
        """Play these cards, then stop; what is forced is not asked."""
        wanted = sorted(cards, key=kind)
        while self.question == "pay":
            left = wanted[int(self.s.act.paid) :]
            self.act(f"card:{left[0]}" if left else "done")
        return self

    def use(self, *items: str) -> "Scene":
        """Attach objects to the action that comes next; if only one target is left, the game takes it."""
        for item in items:
            self._user = self.turn
            self.act(f"object:{item}")
        return self

    def _target(self, action: str) -> "Scene":
        user, self._user = self._user, None
        return self.act(action) if user is None else self.answer("action", action, by=user)

    def bribe(self, place: str, *cards: str) -> "Scene":
        return self._target(f"bribe:{place}").pay(*cards)

    def kill(self, place: str, *cards: str) -> "Scene":
        return self._target(f"kill:{place}").pay(*cards)

    def build(self, card: str, *cards: str) -> "Scene":
        return self._target(f"build:{card}").pay(*cards)

    def bury(self, card: str, grave: str, *cards: str) -> "Scene":
        """Bury a corpse under `me:barn`, `left1:kiosk` ..."""
        return self._target(f"bury:{card}").answer("under", f"under_{grave}").pay(*cards)

    def passing(self) -> "Scene":
        """Pass and decline for every seat until something else is asked, or another round has begun."""
        now = int(self.s["rounds"])
        while self.question in ("action", "well") and self.s["rounds"] == now:
            self.act("pass" if self.question == "action" else "done")
        return self

    def skip(self, *questions: str) -> "Scene":
        """Decline these questions as long as one of them is asked."""
        while self.question in questions:
            self.act("done")
        return self

    # Editing

    def guests(self, **at: str | None) -> "Scene":
        """Lodge guests, as in `guests(home0="monk", white1="major")`; other places stay as they are."""
        for place, card in at.items():
            assert self.owner(place) != "closed", f"{place} is closed"
            self.s.guest[PLACES.index(place)] = NOBODY if card is None else kind(card)
        return self._tidy()

    def hand(self, seat: int, *cards: str) -> "Scene":
        return self._counts(self.s.seat[seat].hand, cards)

    def corpses(self, seat: int, *cards: str) -> "Scene":
        return self._counts(self.s.seat[seat].corpse, cards)

    def exit(self, *cards: str) -> "Scene":
        return self._counts(self.s.exit, cards)

    def cash(self, *amounts: int) -> "Scene":
        """Set the francs of the seats in order."""
        for seat, n in enumerate(amounts):
            self.s.seat[seat].cash = n
        return self._tidy()

    def checks(self, *amounts: int) -> "Scene":
        for seat, n in enumerate(amounts):
            self.s.seat[seat].checks = n
        return self._tidy()

    def bistro(self, n: int) -> "Scene":
        self.s.bistro = n
        return self._tidy()

    def tokens(self, seat: int, n: int) -> "Scene":
        self.s.seat[seat].tokens = n
        return self._tidy()

    def annex(self, seat: int, name: str, *corpses: str, by: int | None = None) -> "Scene":
        """Add an annex with corpses under it, buried by its owner or by the seat `by`."""
        card = CARD_OF[name]
        if name == "trailer":
            used = {int(b.card) for b in self.s.built[: self.s.annexes]} | {int(c) for c in self.s.caravan}
            card = next(c for c in ("clown", "juggler", "con_artist", "fire_eater") if kind(c) not in used)
        built = self.s.built[self.s.annexes]
        self.s.annexes += 1
        built.owner, built.card, built.across, built.free = seat, kind(card), 0, self.R.low[kind(card)]
        built.corpse[:] = NOBODY
        return self._lay(built, corpses, seat if by is None else by)

    def barn(self, seat: int, *corpses: str, by: int | None = None) -> "Scene":
        """Bury corpses under a barn."""
        built = next(b for b, name in self._built(seat) if name == "barn")
        return self._lay(built, corpses, seat if by is None else by)

    def full_barns(self, *seats: int) -> "Scene":
        """Bury a peasant under the barn of each of these seats, by its owner."""
        for seat in seats:
            self.barn(seat, "peasant")
        return self

    def _lay(self, built: Any, corpses: Iterable[str], by: int) -> "Scene":
        for corpse in corpses:
            self.s.seat[by].interred += 2 if corpse == "twins" else 1
            if corpse == "dwarf":
                built.across += 1
                continue
            for coffin in (kind(corpse), TWIN)[: 2 if corpse == "twins" else 1]:
                built.corpse[list(built.corpse).index(NOBODY)] = coffin
                built.free -= 1
        return self._tidy()

    def caravan(self, seat: int, card: str, guest: str | None = None) -> "Scene":
        """Add a caravan behind those that were built."""
        place = L.CARAVANS + next(k for k, c in enumerate(self.s.caravan) if c == NOBODY)
        self.s.owner[place], self.s.caravan[place - L.CARAVANS] = seat, kind(card)
        self.s.guest[place] = NOBODY if guest is None else kind(guest)
        self.s.seat[seat].tokens -= 1
        return self._tidy()

    def key(self, seat: int, place: str) -> "Scene":
        """Make a white room a seat's own."""
        assert self.owner(place) == "white"
        self.s.owner[PLACES.index(place)] = seat
        self.s.seat[seat].tokens -= 1
        return self._tidy()

    def service(self, seat: int, place: str) -> "Scene":
        self.s.service[PLACES.index(place)] = seat
        self.s.seat[seat].tokens -= 1
        return self._tidy()

    def objects(self, seat: int, *items: str) -> "Scene":
        """Give a seat these objects in place of those it holds."""
        self.s.seat[seat].objects = bits(items, L.OBJECT_NAMES)
        self.s.seat[seat].held = len(items)
        return self._tidy()

    def event(self, name: str) -> "Scene":
        """Reveal an event in this round."""
        number = L.EVENT_NAMES.index(name)
        self.s.event = number
        self.s.event_deck = int(self.s.event_deck) & ~(1 << number)
        return self._tidy()

    def stack(self, n: int, top: str | None = None, season: int = 1) -> "Scene":
        """Set the size of the entrance stack, its visible card and the season (1 or 2)."""
        self.s.entrance, self.s.season = n, season - 1
        self.s.top = NOBODY
        return self._tidy(top)

    def top(self, card: str) -> "Scene":
        """Set the visible card of the entrance stack."""
        self.s.top = NOBODY
        return self._tidy(card)

    def last_round(self) -> "Scene":
        """Empty the entrance stack for the second time."""
        self.s.last = 1
        return self.stack(0, season=2)

    def _counts(self, counts: Any, cards: Iterable[str]) -> "Scene":
        counts[:] = 0
        for card, n in Counter(cards).items():
            counts[kind(card)] = n
        return self._tidy()

    def _blank(self) -> None:
        s = self.s
        s.guest[:] = NOBODY
        s.event, s.event_deck, s.event_on = NOBODY, whole_deck(self.R), 0
        for seat in range(self.seats):
            s.seat[seat].hand[:] = 0
            s.seat[seat].cash, s.seat[seat].checks = 5, 1
            s.seat[seat].objects = s.seat[seat].held = 0
        s.exit[:] = 0
        s.bistro = 0
        self._tidy()

    def _tidy(self, top: str | None = None) -> "Scene":
        """Bring what the record derives from the cards on the table up to date, and hide all other cards."""
        s = self.s
        for seat in range(self.seats):
            self._tidy_seat(seat)
        s.full = sum(1 << k for k, guest in enumerate(s.guest) if guest != NOBODY)
        if s.entrance > 0 and s.top != NOBODY and self._unseen()[s.top] < 0:
            s.top = NOBODY  # the card is wanted elsewhere
        if s.entrance > 0 and s.top == NOBODY:
            s.top = kind(top or [card for card in names(self._unseen()) if card != "peasant"][-1])
        unseen = self._unseen()
        assert not (unseen < 0).any(), f"more copies than there are: {names(np.maximum(-unseen, 0))}"
        s.box[L.PEASANT] += unseen[L.PEASANT]
        unseen[L.PEASANT] = 0
        s.unseen[:] = unseen
        s.hidden = int(unseen.sum())
        return self.show()

    def _unseen(self) -> Any:
        """Return how many copies of each kind lie nowhere on the table."""
        s = self.s
        left = self.R.copies.astype(int) - s.exit - s.box
        left[L.PEASANT] += int(s.box[L.PEASANT]) - int(s.bistro)
        s.box[L.PEASANT] = 0
        for seat in range(self.seats):
            left -= s.seat[seat].hand.astype(int) + s.seat[seat].corpse
        singles = [*s.guest, *s.caravan, s.top]
        for built in s.built[: s.annexes]:
            singles += [built.card, *built.corpse]
            left[kind("dwarf")] -= int(built.across)
        for card in singles:
            if card >= 0:
                left[card] -= 1
        return left

    def _tidy_seat(self, seat: int) -> None:
        me = self.s.seat[seat]
        me.cards, me.corpses = me.hand.sum(), me.corpse.sum()
        me.kinds = sum(1 << k for k in range(L.KINDS) if me.hand[k])
        me.dead = sum(1 << k for k in range(L.KINDS) if me.corpse[k])
        me.annex[:] = 0
        me.graves[:] = 0
        me.power[:] = 0
        me.buried = 0
        for built, name in self._built(seat):
            number = L.ANNEX_NAMES.index(name)
            op = self.R.op[number]
            if op < L.LASTING and not (self.R.annex_once and me.power[op]):
                me.power[op] += self.R.amount[number]
            me.annex[number] += 1
            me.graves[number] += built.free
            me.buried += sum(int(c) != NOBODY for c in built.corpse) + int(built.across)
        me.open = sum(1 << k for k in range(L.ANNEXES) if me.graves[k])
