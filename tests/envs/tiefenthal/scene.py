"""A table of The Taverns of Tiefenthal that tests set up, play and read by names."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from alehouse.envs.tiefenthal import layout as L
from tests.envs.scene import Table, bits, copies, members, rows

LEVELS = ("schnapps", "reputation", "start_cards", "guest_book")
R21, R22, R31, R32, R41 = L.REGULAR_NAMES  # by die and pay
REGULARS = [row["key"] for row in rows("tiefenthal", "regulars") for _ in range(row["copies"])]

# What is answered where nothing else is said: nothing is bought, spent or placed.
DECLINE = {
    "dismiss": "done", "accept": "done", "side": "side:1", "redraw": "done", "turn": "done", "place": "place:unused", "serve": "end",
    "discount": "done", "remove": "done", "cheer": "take:schnapps", "sign": "done", "topdeck": "done",
}  # fmt: skip


def kind(card: str) -> int:
    """Return the number of a card."""
    return L.CARDS.index(card)


def names(counts: Any) -> list[str]:
    """Return a list of cards from the number of each kind."""
    return copies(counts, L.CARDS)


class Scene(Table):
    """One table, in round 1, played as far as a question: "start", "die", "place", "serve" ...

    It begins blank from "place" on: the tavern of the seat to move is empty, it has no dice, no doubloons, no beer; and
    a counter guest from "serve" on.
    """

    def __init__(
        self,
        at: str = "serve",
        seats: int = 2,
        level: int = 1,
        first: int = 0,
        overrides: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__("tiefenthal", first, overrides, seats=seats, modules=LEVELS[: level - 1])
        self.until("place" if at == "serve" else at)
        if self.question == "place":
            self.goods_are(0, 0).lay(self.turn).dice(1)
        if at == "serve":
            self.plan()

    # Reading

    @property
    def round(self) -> int:
        return int(self.s.evening)

    def of(self, seat: int | None = None) -> Any:
        """The record of a seat, by default of the seat to move."""
        return self.s.seat[self.turn if seat is None else seat]

    def get(self, field: str, seat: int = 0) -> int:
        """One number of a seat."""
        return int(self.s.seat[seat][field])

    def goods(self, seat: int = 0) -> tuple[int, int]:
        """Doubloons and beers."""
        return self.get("doubloons", seat), self.get("beer", seat)

    def laid_by(self, seat: int = 0) -> list[str]:
        """The cards laid out in a tavern."""
        return names(self.s.seat[seat].laid)

    def seated(self, seat: int = 0) -> list[str]:
        """Regulars, guests and nobles in a tavern."""
        return [card for card in self.laid_by(seat) if kind(card) <= L.NOBLE]

    def gained(self, seat: int = 0) -> list[str]:
        """The cards known to lie on top of a draw pile, the next one to be drawn first."""
        me = self.s.seat[seat]
        return [L.CARDS[k] for k in me.gained[: int(me.gained_n)]][::-1]

    def discarded(self, seat: int = 0) -> list[str]:
        return names(self.s.seat[seat].discard)

    def owned(self, seat: int = 0) -> list[str]:
        """All cards of a seat, wherever they are."""
        me = self.s.seat[seat]
        return sorted(names(me.deck) + names(me.laid) + names(me.discard) + self.gained(seat), key=kind)

    def dice_of(self, seat: int = 0) -> list[int]:
        """The dice a seat has to place."""
        return [face + 1 for face, n in enumerate(self.s.seat[seat].dice) for _ in range(int(n))]

    def upgrades(self, seat: int = 0) -> list[str]:
        """The pieces of a tavern that are flipped."""
        return members(self.s.seat[seat].upgraded, L.PIECES)

    def book_of(self, seat: int = 0) -> list[int]:
        """Cells covered in each column."""
        return [int(n) for n in self.s.seat[seat].book]

    @property
    def boxed(self) -> list[str]:
        """Cards out of the game."""
        return names(self.s.box)

    @property
    def display(self) -> list[str | None]:
        """The guests on offer, the cheap one last."""
        return [None if k < 0 else L.CARDS[k] for k in self.s.open]

    # Playing

    def decline(self) -> "Scene":
        """The answer that does least."""
        return self.act(DECLINE.get(self.question, self.options()[0]))

    def until(self, question: str, seat: int | None = None, round: int = 0) -> "Scene":
        """Decline everything until a question is asked: of a seat, from a round on, if told."""
        while not (self.question == question and seat in (None, self.turn) and self.round >= round):
            assert self.question != "over", f"{question} is not asked any more"
            self.decline()
        return self

    def next_round(self) -> "Scene":
        """Decline everything until the draft of the next round: all taverns are full."""
        return self.until("die", round=self.round + 1)

    def rest(self) -> "Scene":
        """Decline everything to the end of the game."""
        while self.question != "over":
            self.decline()
        return self

    def place(self, *places: str) -> "Scene":
        """Place the dice in ascending order."""
        for place in places:
            self.answer("place", f"place:{place}")
        return self

    def plan(self, *dice: tuple[str, int]) -> "Scene":
        """Place dice, told as place and face, and go on to serve; a counter guest keeps the turn from ending by itself."""
        todo = sorted(dice or [("unused", 1)], key=lambda pair: (pair[1], L.PLACES.index(pair[0])))
        self.of().counter = max(1, self.of().counter)
        return self.dice(*(face for _, face in todo)).place(*(place for place, _ in todo))

    def again(self, seat: int = 0) -> "Scene":
        """The seat serves in the next round, its dice unused."""
        return self.until("place", seat, self.round + 1).plan()

    def collect(self, place: str) -> "Scene":
        """Take all dice off a space."""
        while self.legal(f"collect:{place}"):
            self.act(f"collect:{place}")
        return self

    # Editing

    def set(self, seat: int, **fields: int) -> "Scene":
        """Numbers of a seat: fame, monastery, schnapps, counter ..."""
        for field, value in fields.items():
            self.s.seat[seat][field] = value
        return self.show()

    def set_act(self, **fields: int) -> "Scene":
        """Return the numbers of the current turn."""
        for field, value in fields.items():
            self.s.act[field] = value
        return self.show()

    def goods_are(self, doubloons: int, beer: int) -> "Scene":
        """Doubloons and beers of the seat to move."""
        return self.set(self.turn, doubloons=doubloons, beer=beer)

    def lay(self, seat: int, *cards: str) -> "Scene":
        """The cards laid out in a tavern; of the seat to move without dice on them."""
        me = self._counts(self.s.seat[seat], "laid", cards)
        if seat == self.turn:
            act = self.s.act
            planning = self.question == "place"
            spaces, patrons = ((1 << L.SPACES) - (1 << L.CASHBOX), L.NOBLE + 1) if planning else (0, L.PATRONS)
            act.vacant = int(me.laid_kinds) & (1 << patrons) - 1 | spaces
            act.songs, act.on[:] = me.laid[L.BARD], 0
        return self.show()

    def pile(self, seat: int, *cards: str, deck: Iterable[str] = ()) -> "Scene":
        """A draw pile: the cards known to lie on top, the first one to be drawn first, and the rest in unknown order."""
        me = self._counts(self.s.seat[seat], "deck", tuple(deck))
        me.gained[:] = 0
        me.gained_n = len(cards)
        me.gained[: len(cards)] = [kind(card) for card in reversed(cards)]
        return self.show()

    def discard(self, seat: int, *cards: str) -> "Scene":
        self._counts(self.s.seat[seat], "discard", cards)
        return self.show()

    def upgrade(self, seat: int, *pieces: str) -> "Scene":
        """Pieces flipped and in force."""
        me = self.s.seat[seat]
        me.upgraded = me.working = bits(pieces, L.PIECES)
        return self.show()

    def side(self, seat: int, **sides: int) -> "Scene":
        """The sides of entertainers that lie up: `side(0, e1=2)`."""
        self.s.seat[seat].side[:] = [sides.get(f"e{k + 1}", 0) for k in range(L.ENTERTAINERS)]
        return self.show()

    def book(self, seat: int, **covered: int) -> "Scene":
        """Cells covered in the columns of a guest book."""
        self.s.seat[seat].book[:] = [covered.get(column, 0) for column in L.COLUMN_NAMES]
        return self.show()

    def dice(self, *faces: int) -> "Scene":
        """The dice of the seat about to place them."""
        assert self.question == "place"
        me = self.of()
        me.dice[:] = [faces.count(face) for face in range(1, 7)]
        washed = "dishwasher" in members(me.working, L.PIECES)
        return self.set_act(face=min(faces), last=0, pips=int(me.laid[L.DISHWASHER]) + washed)

    def coaster(self, seat: int, faces: list[int]) -> "Scene":
        """The white dice on the coaster that began in front of a seat."""
        self.s.coaster[seat] = [faces.count(face) for face in range(1, 7)]
        return self.show()

    def offer(self, *guests: str, cheap: str = "guest3_d2") -> "Scene":
        """The guests on display; other places are empty."""
        self.s.open[:] = [*(kind(guest) for guest in guests), *[-1] * (L.SIDE - len(guests)), kind(cheap)]
        self.s.signed = 2**L.DISPLAY - 1 if self.R.guest_book else 0
        return self.show()

    def starts(self, *cards: str) -> "Scene":
        """The start cards on offer."""
        self.s.starts = bits(cards, L.START_NAMES)
        return self.show()

    def round_is(self, n: int) -> "Scene":
        self.s.evening = n
        return self.show()

    def _counts(self, me: Any, where: str, cards: Iterable[str]) -> Any:
        """Cards of a seat in one place, with what the record derives from them."""
        me[where][:] = 0
        for card, n in Counter(cards).items():
            me[where][kind(card)] = n
        me[f"{where}_kinds"] = sum(1 << k for k in range(L.KINDS) if me[where][k])
        if where != "laid":
            me[f"{where}_n"] = sum(me[where])
        return me
