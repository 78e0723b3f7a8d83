"""A table of Taverns & Dragons that tests set up, play and read by names, with chosen luck."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from alehouse.envs.core.run.luck import below
from alehouse.envs.taverns_dragons import layout as L
from alehouse.envs.taverns_dragons.state import NOTHING
from tests.envs.scene import Table, bits, copies, members

EVERYTHING = ("missions", "events", "asymmetric", "encounters", "goblin")
WALK_TO = {zone: L.ZONE_NAMES[k - 1] for k, zone in enumerate(L.ZONE_NAMES)}  # the zone before each


class Scene(Table):
    """One table at the first turn of a round.

    It begins blank: everybody has dice 1, 2, 3, 4, 4 and nothing else, all minions are in the city, no ingredient token and no dragon is
    on the board, and campfire, portal, caravan and market lie on A to D.
    """

    def __init__(
        self,
        seats: int = 2,
        modules: Iterable[str] = (),
        first: int = 0,
        overrides: Mapping[str, Any] | None = None,
        blank: bool = True,
    ) -> None:
        super().__init__("taverns_dragons", first, overrides, seats=seats, modules=tuple(modules))
        if blank:
            while self.question in ("board", "mission"):
                self.act(self.options()[0])
            self._blank()

    # Reading

    @property
    def round(self) -> int:
        """Return the number of the current round; the first is 1."""
        return int(self.s.rounds) + 1

    def gold_of(self, seat: int) -> int:
        return int(self.s.seat[seat].gold)

    def energy_of(self, seat: int) -> int:
        return int(self.s.seat[seat].energy)

    def runes_of(self, seat: int) -> int:
        return int(self.s.seat[seat].runes)

    def score_of(self, seat: int) -> int:
        """Return the prestige of a seat on the track."""
        return int(self.s.seat[seat].score)

    def dice_of(self, seat: int) -> list[int]:
        """Return the values of the available dice."""
        return [k + 1 for k, n in enumerate(self.s.seat[seat].dice) for _ in range(int(n))]

    def pantry_of(self, seat: int) -> list[str]:
        return copies(self.s.seat[seat].pantry, L.INGREDIENTS)

    def zone_of(self, seat: int, minion: str) -> str:
        return L.ZONE_NAMES[self.s.seat[seat].zone[L.MINION_NAMES.index(minion)]]

    def bag_of(self, seat: int, minion: str) -> list[str]:
        return copies(self.s.seat[seat].bag[L.MINION_NAMES.index(minion)], L.INGREDIENTS)

    def wounds_of(self, seat: int, minion: str) -> int:
        return int(self.s.seat[seat].wounds[L.MINION_NAMES.index(minion)])

    def die_of(self, seat: int, minion: str) -> int:
        return int(self.s.seat[seat].die[L.MINION_NAMES.index(minion)])

    def ready_of(self, seat: int) -> list[str]:
        return members(self.s.seat[seat].ready, L.HERO_NAMES)

    def tired_of(self, seat: int) -> list[str]:
        return members(self.s.seat[seat].tired, L.HERO_NAMES)

    def bonuses_of(self, seat: int) -> list[str]:
        """Return the heroes whose bonus was used."""
        return members(self.s.seat[seat].bonus, L.HERO_NAMES)

    def cooked_by(self, seat: int) -> list[str]:
        return members(self.s.seat[seat].cooked, L.RECIPE_NAMES)

    def board_of(self, seat: int) -> str | None:
        """Return the tavern board of a seat, None before it has one."""
        tavern = int(self.s.seat[seat].tavern)
        return None if tavern == NOTHING else L.TAVERN_NAMES[tavern]

    def items_of(self, seat: int) -> list[str]:
        return copies(self.s.seat[seat].items, L.ITEM_NAMES)

    @property
    def market_heroes(self) -> list[str]:
        return members(self.s.market, L.HERO_NAMES)

    @property
    def shown(self) -> list[str]:
        """Return the recipes on display, the top space first."""
        return [L.RECIPE_NAMES[k] for k in self.s.display if k != NOTHING]

    @property
    def thrown(self) -> list[str]:
        """Return the recipes discarded."""
        return members(self.s.thrown, L.RECIPE_NAMES)

    @property
    def dragon_name(self) -> str | None:
        return None if self.s.dragon == NOTHING else L.DRAGON_NAMES[self.s.dragon]

    @property
    def free_boxes(self) -> list[tuple[int, int]]:
        """Return the free boxes of the dragon, swords and bows of each line."""
        return [(int(swords), int(bows)) for swords, bows in self.s.boxes]

    @property
    def hunting(self) -> list[str]:
        """Return the symbols of the hunting dice rolled."""
        return copies(self.s.hunt.dice, L.SYMBOLS)

    def tokens_in(self, zone: str) -> list[str]:
        return copies(self.s.tokens[L.ZONE_NAMES.index(zone)], L.INGREDIENTS)

    # Playing

    def end(self) -> "Scene":
        """End the turn if it has not ended by itself."""
        return self.act("end") if self.legal("end") else self

    def skip(self) -> "Scene":
        """Play the highest die of the seat to move on the source, the bank or a minion, do nothing else, and end the turn."""
        if self.legal("end"):
            return self.act("end")
        value = self.dice_of(self.turn)[-1]
        choices = [f"source:{value}", f"bank_blank:{value}", f"bank:{value}", *(f"move:{m}_{value}" for m in L.MINION_NAMES)]
        self.act(next((a for a in choices if self.legal(a)), f"discard:{value}"))
        while self.question == "fork":
            self.act(self.options()[0])
        return self.end()

    def stand(self, minion: str, zone: str) -> "Scene":
        """Play a 1 that brings a minion of the seat to move into a zone, along the ring."""
        me = self.s.seat[self.turn]
        steps = 1 + int(self.R.extra_steps[L.MINION_NAMES.index(minion)])
        start = zone
        for _ in range(steps):
            start = WALK_TO[start]
        me.zone[L.MINION_NAMES.index(minion)] = L.ZONE_NAMES.index(start)
        me.dice[0] = max(1, int(me.dice[0]))
        self.refresh().act(f"move:{minion}_1")
        while self.question == "fork":
            self.act(min(self.options(), key=lambda name: L.ZONE_NAMES.index(name.removeprefix("go:"))))
        return self

    def hunt(self, *symbols: str) -> "Scene":
        """Hunt with as much energy as there are symbols, and roll these symbols."""
        return self.hunting_luck(*symbols).act(f"hunt:{len(symbols)}")

    def attack(self, *lines: int) -> "Scene":
        """Attack with the hunting dice as they are, and mark these lines where there is a choice."""
        self.answer("hunt", "attack")
        for line in lines:
            self.answer("line", f"line:{line}")
        return self

    def finish_round(self) -> "Scene":
        """Give everybody dice of 4 and `skip` all turns until the next round."""
        now, turns = int(self.s.rounds), range(int(self.s.cursor), L.DICE * self.seats)
        for seat in range(self.seats):
            self.dice(seat, *[4 for turn in turns if (self.s.first + turn) % self.seats == seat])
        while self.question == "turn" and self.s.rounds == now:
            self.skip()
        return self

    # Scripting luck

    def luck(self, stream: int, start: int, *wanted: tuple[int, Iterable[int]]) -> "Scene":
        """Set a seed that gives the seat to move the wanted draws in this round, from draw number `start` on.

        Each draw is wanted as its number of sides and the sides that will do.
        """
        now, seat = int(self.s.rounds), self.turn
        draws = [(start + k, sides, set(values)) for k, (sides, values) in enumerate(wanted)]
        for seed in range(200_000):
            if all(int(below(seed, stream, now, seat, index, sides)) in values for index, sides, values in draws):
                self.s.seed = seed
                return self
        raise AssertionError(f"no seed draws {wanted}")

    def hunting_luck(self, *symbols: str) -> "Scene":
        """Choose the symbols of the next hunting dice of the seat to move."""
        faces = [[k for k, symbol in enumerate(self.R.face) if L.SYMBOLS[symbol] == wanted] for wanted in symbols]
        return self.luck(L.HUNT_ROLL, int(self.s.seat[self.turn].hunted), *((L.FACES, found) for found in faces))

    def dice_luck(self, *values: int) -> "Scene":
        """Choose the values of the next action dice that the seat to move re-rolls."""
        return self.luck(L.DICE_ROLL, int(self.s.seat[self.turn].rolled), *((L.SIDES, [value - 1]) for value in values))

    def dungeon_luck(self, *finds: str) -> "Scene":
        """Choose the dungeon tokens that the seat to move turns over."""
        left, wanted = L.NUMBERS.rows("dungeon"), []
        for find in finds:
            wanted.append((len(left), [left.index(find)]))
            left.remove(find)
        return self.luck(L.SEARCH, int(self.s.seat[self.turn].searched), *wanted)

    # Editing

    def gold(self, *amounts: int) -> "Scene":
        """Set the gold of each seat in order."""
        return self._each("gold", amounts)

    def energy(self, *amounts: int) -> "Scene":
        return self._each("energy", amounts)

    def runes(self, *amounts: int) -> "Scene":
        return self._each("runes", amounts)

    def score(self, *amounts: int) -> "Scene":
        return self._each("score", amounts)

    def dice(self, seat: int, *values: int) -> "Scene":
        """Set the available dice of a seat."""
        self.s.seat[seat].dice[:] = [values.count(k + 1) for k in range(L.SIDES)]
        return self.refresh()

    def last_turn(self, value: int = 4) -> "Scene":
        """Make this the last turn of the round, with one die left; the first player sits to the left."""
        self.s.cursor = L.DICE * self.seats - 1
        self.s.first = (self.turn + 1) % self.seats
        for seat in range(self.seats):
            self.dice(seat, *([value] if seat == self.turn else []))
        return self

    def pantry(self, seat: int, *kinds: str) -> "Scene":
        self.s.seat[seat].pantry[:] = [kinds.count(kind) for kind in L.INGREDIENTS]
        return self.refresh()

    def minion(self, seat: int, minion: str, zone: str = "", bag: Sequence[str] | None = None, wounds: int = -1, die: int = -1) -> "Scene":
        """Set where a minion stands, what it carries, its wounds and its die; what is not given stays as it is."""
        me, k = self.s.seat[seat], L.MINION_NAMES.index(minion)
        if zone:
            me.zone[k] = L.ZONE_NAMES.index(zone)
        if bag is not None:
            me.bag[k][:] = [Counter(bag)[kind] for kind in L.INGREDIENTS]
            me.load[k] = len(bag)
        if wounds >= 0:
            me.wounds[k] = wounds
        if die >= 0:
            me.die[k] = die
        return self.refresh()

    def heroes(self, seat: int, *ready: str, tired: Sequence[str] = ()) -> "Scene":
        """Set the heroes of a tavern."""
        self.s.seat[seat].ready, self.s.seat[seat].tired = bits(ready, L.HERO_NAMES), bits(tired, L.HERO_NAMES)
        return self.refresh()

    def market(self, *heroes: str) -> "Scene":
        """Set the heroes on display."""
        self.s.market = bits(heroes, L.HERO_NAMES)
        return self.refresh()

    def recipes(self, *cards: str) -> "Scene":
        """Set the recipes on display, the top space first."""
        self.s.display[:] = NOTHING
        for space, card in enumerate(cards):
            self.s.display[space] = L.RECIPE_NAMES.index(card)
        return self.refresh()

    def cooked(self, seat: int, *cards: str, best: int = 0) -> "Scene":
        """Set the recipes a tavern has cooked, and the most that one of them brought."""
        self.s.seat[seat].cooked, self.s.seat[seat].best = bits(cards, L.RECIPE_NAMES), best
        return self.refresh()

    def places(self, **tiles: str) -> "Scene":
        """Set which place lies on a slot: `places(A="dungeon")`."""
        for slot, place in tiles.items():
            self.s.place[L.SLOT_NAMES.index(slot)] = L.PLACE_NAMES.index(place)
        return self.refresh()

    def paid(self, **taken: int) -> "Scene":
        """Set how many activation spaces are taken at a slot."""
        for slot, n in taken.items():
            self.s.paid[L.SLOT_NAMES.index(slot)] = n
        return self.refresh()

    def tokens(self, **kinds: Sequence[str]) -> "Scene":
        """Set the ingredient tokens of a zone: `tokens(road=["egg"])`."""
        for zone, found in kinds.items():
            self.s.tokens[L.ZONE_NAMES.index(zone)][:] = [found.count(kind) for kind in L.INGREDIENTS[: L.TOKENS]]
        return self.refresh()

    def dragon(self, name: str | None, boxes: Sequence[tuple[int, int]] | None = None) -> "Scene":
        """Set the dragon in play, fresh or with these boxes free."""
        s = self.s
        s.lines = 0
        s.boxes[:] = 0
        s.dragon = NOTHING if name is None else L.DRAGON_NAMES.index(name)
        if name is not None:
            s.dragons &= ~(1 << s.dragon)
            s.boxes[:] = self.R.boxes[s.dragon] if boxes is None else boxes
            s.lines = sum(1 << k for k in range(L.LINES) if not s.boxes[k].any())
        return self.refresh()

    def asleep(self, *dragons: str) -> "Scene":
        """Set which dragon boards are still face down."""
        self.s.dragons = bits(dragons, L.DRAGON_NAMES)
        return self.refresh()

    def in_round(self, n: int) -> "Scene":
        self.s.rounds = n - 1
        return self.refresh()

    def bank_taken(self, *spaces: str) -> "Scene":
        """Put dice of others on these spaces of the bank."""
        self.s.bank = bits(spaces, L.NUMBERS.rows("bank"))
        return self.refresh()

    def banked(self, *seats: int) -> "Scene":
        """Note that these seats have a die on the bank."""
        for seat in seats:
            self.s.seat[seat].bank = 1
        return self.refresh()

    def sourced(self, *seats: int) -> "Scene":
        """Note that these seats have a die on the source."""
        for seat in seats:
            self.s.seat[seat].source = 1
        return self.refresh()

    def _each(self, field: str, amounts: Iterable[int]) -> "Scene":
        for seat, n in enumerate(amounts):
            self.s.seat[seat][field] = n
        return self.refresh()

    def _blank(self) -> None:
        s = self.s
        s.tokens[:] = 0
        s.dragon, s.encounter = NOTHING, NOTHING
        s.place[:] = [L.PLACE_NAMES.index(name) for name in ("campfire", "portal", "caravan", "market")]
        for seat in range(self.seats):
            me = s.seat[seat]
            me.gold = me.energy = me.runes = 0
            me.dice[:] = (1, 1, 1, 2)
        self.refresh()

    def refresh(self) -> "Scene":
        """Bring what the record derives from the cards on the table up to date."""
        s = self.s
        owned = sum(int(me.ready) | int(me.tired) for me in s.seat[: self.seats])
        s.market &= ~owned
        for hero in range(L.HEROES):
            if int(s.market).bit_count() < L.SHOWN and not (owned | int(s.market)) >> hero & 1:
                s.market |= 1 << hero
        s.heroes = (1 << L.HEROES) - 1 & ~owned & ~int(s.market)
        cooked = sum(int(me.cooked) for me in s.seat[: self.seats])
        shown = sum(1 << int(k) for k in s.display if k != NOTHING)
        s.thrown &= ~cooked & ~shown
        s.recipes = (1 << L.RECIPES) - 1 & ~cooked & ~shown & ~int(s.thrown)
        return self.show()
