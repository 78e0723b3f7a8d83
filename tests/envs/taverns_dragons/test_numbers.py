"""The tables of the game are compared with its rules page (section 1)."""

from collections.abc import Iterable

from alehouse.envs.taverns_dragons.layout import NUMBERS

from tests.envs.taverns_dragons import page
from tests.envs.scene import rows, rule, worked

WORKED = worked("taverns_dragons")
TAGS = {"seed", "seed*", "src", "mem", "guess", "rule"}


def table(name: str, columns: Iterable[str]) -> dict[str, tuple[str | int, ...]]:
    """Return some columns of a table, by row."""
    return {row["key"]: tuple(row[column] for column in columns) for row in rows("taverns_dragons", name)}


def test_counts_of_components() -> None:
    found = {name: len(NUMBERS.rows(name)) for name in NUMBERS.tables}
    counts = {"recipes": 20, "heroes": 20, "places": 8, "zones": 9, "dragons": 4, "trophies": 6, "missions": 12, "events": 10,
              "encounters": 10, "items": 6, "dungeon": 5, "forge": 5, "tracks": 20, "bank": 5}  # fmt: skip
    assert {name: found[name] for name in counts} == counts
    assert sum(WORKED.column("items", "copies")) == 24


def test_zones() -> None:
    rows = table("zones", ("spaces", "printed", "next", "shortcut", "runes", *page.SLOTS))
    following = [*page.ZONES[1:], page.ZONES[0]]
    shortcuts = {"wood": "marsh", "maple": "caves"}
    for zone, (name, after) in enumerate(zip(page.ZONES, following, strict=True)):
        beside = tuple(int(zone in zones) for zones in page.SLOTS.values())
        shortcut = shortcuts.get(name, "none")
        assert rows[name] == (page.SPACES[zone], page.PRINTED.get(zone, "none"), after, shortcut, int(name == "maple"), *beside)


def test_bank() -> None:
    assert table("bank", ["gold"]) == {space: (gold,) for space, gold in page.BANK.items()}


def test_minions() -> None:
    assert table("minions", ("slots", "steps")) == page.MINIONS


def test_ingredients() -> None:
    assert table("ingredients", ["tokens"]) == {name: (n,) for name, n in page.TOKENS.items()}
    assert table("ingredients", ["market"]) == {"plant": (1,), "mushroom": (1,), "spice": (2,), "egg": (2,), "meat": (0,)}


def test_places() -> None:
    assert table("places", ["energy"]) == {name: (cost,) for name, cost in page.PLACES.items()}


@rule("TD-A1")
def test_hunting_die() -> None:
    assert tuple(row["symbol"] for row in rows("taverns_dragons", "faces")) == page.FACES


def test_dungeon_and_forge_tokens() -> None:
    assert sorted(table("dungeon", ("gold", "prestige", "wounds")).values()) == [(0, 0, 1), (0, 1, 0), (0, 2, 0), (1, 0, 0), (2, 0, 0)]
    tokens = sorted(table("forge", ("sword", "bow", "dice", "turn", "shield")).values())
    assert tokens == [(0, 0, 0, 0, 1), (0, 0, 0, 1, 0), (0, 0, 1, 0, 0), (0, 1, 0, 0, 0), (1, 0, 0, 0, 0)]


def test_dragons() -> None:
    columns = [f"{part}{k}" for k in range(1, 5) for part in ("sword", "bow", "reward", "amount")]
    found = table("dragons", ["place", *columns])
    assert found == {name: (place, *(cell for line in lines for cell in line)) for name, (place, lines) in page.DRAGONS.items()}
    assert all(sum(swords + bows for swords, bows, _, _ in lines) == 9 for _, lines in page.DRAGONS.values())


def test_trophies() -> None:
    assert tuple(sorted(WORKED.column("trophies", "prestige"))) == page.TROPHIES


def test_recipes() -> None:
    found = table("recipes", (*page.INGREDIENTS, "points"))
    assert found == {name: (*needs, points) for name, (needs, points) in page.RECIPES.items()}


def test_heroes() -> None:
    assert table("heroes", ("price", "prestige", "bonus")) == page.HEROES


def test_missions() -> None:
    assert table("missions", ("amount", "prestige")) == page.MISSIONS


@rule("TD-A1")
def test_rounds() -> None:
    assert tuple(table("rounds", ("first", "second")).values()) == page.ROUNDS


def test_every_entry_names_its_source() -> None:
    assert [entry.key for entry in NUMBERS.values() if entry.provenance.split(":")[0] not in TAGS] == []


def test_every_card_says_what_it_does() -> None:
    told = ("dragons", "encounters", "events", "forge", "heroes", "items", "missions", "places", "tracks")
    assert [row["key"] for name in told for row in NUMBERS.tables[name] if not row["effect"]] == []
