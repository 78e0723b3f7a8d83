"""Rules as data: ranges, words, near misses, and tables a user corrects."""

import csv
import shutil
from pathlib import Path

import pytest

from alehouse.envs.core.declare.numbers import Entry, corrected, export, files, load
from alehouse.envs.games import GAMES, game
from tests import toy

NUMBERS = toy.NUMBERS


@pytest.fixture
def sheets(tmp_path: Path) -> Path:
    """The toy's tables in a folder of one's own."""
    export(toy.FOLDER, tmp_path / "mine")
    return tmp_path / "mine"


def rewrite(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_keys_values_and_provenance():
    assert NUMBERS["game.die"] == Entry("game.die", 3, (1, 6), "guess", "sides of the die that fills the pot")
    assert NUMBERS["tokens.silver.worth"] == Entry("tokens.silver.worth", 2, (0, 9), "guess")
    assert NUMBERS["tokens.silver.kind"] == Entry("tokens.silver.kind", "coin", ("coin", "gem"), "seed")
    assert NUMBERS.rows("tokens") == ["copper", "silver", "gold", "pearl", "ruby"]
    assert NUMBERS.column("tokens", "worth") == [1, 2, 3, 4, 5]
    assert NUMBERS.column("tokens", "kind") == [0, 0, 0, 1, 1]
    assert NUMBERS.number("switch.order") == 0
    assert NUMBERS.word("switch.order") == "left"
    assert len(NUMBERS) == 7 + 2 * 5


def test_guesses_are_listed():
    assert {entry.key for entry in NUMBERS.guesses()} == {"game.die", "tokens.silver.worth"}


@pytest.mark.parametrize("value", [1, 6, "4", 5.0, " 2 "])
def test_numbers_in_their_range_are_taken(value):
    assert NUMBERS["game.die"].check(value) == int(value)
    assert type(NUMBERS["game.die"].check(value)) is int


@pytest.mark.parametrize("value", [0, 7, -1, "seven", "", 2.5, float("nan"), float("inf"), None, [3], "1e1"])
def test_others_are_not(value):
    with pytest.raises(ValueError, match=r"^game\.die=.*: a whole number from 1 to 6$"):
        NUMBERS["game.die"].check(value)


def test_words():
    assert NUMBERS["switch.order"].check("right") == "right"
    for value in ("up", "", 1, None):
        with pytest.raises(ValueError, match=r"^switch\.order=.*: one of left, right$"):
            NUMBERS["switch.order"].check(value)


@pytest.mark.parametrize(
    ("key", "near"), [("game.dice", "game.die"), ("tokens.silver.wort", "tokens.silver.worth"), ("switch.ordre", "switch.order")]
)
def test_a_near_miss_is_told(key, near):
    with pytest.raises(ValueError, match=rf"override '{key}': no such number; near it: .*{near}"):
        NUMBERS.find(key)


def test_a_wide_miss_is_told_too():
    for key in ("qqqqqq", 3):
        with pytest.raises(ValueError, match=r"no such number$"):
            NUMBERS.find(key)


def test_altered_numbers_leave_the_old_ones_alone():
    other = NUMBERS.altered({"game.die": "5"})
    assert (other.number("game.die"), NUMBERS.number("game.die")) == (5, 3)
    assert other["game.die"].provenance == "override"


DAMAGED = {
    "out of range": ("tokens.csv", "gold,3", "gold,30", r"tokens\.csv, row 3 \(gold\), column worth: tokens\.gold\.worth=30: .* 0 to 9"),
    "not a number": ("tokens.csv", "gold,3", "gold,three", r"tokens\.csv, row 3 \(gold\), column worth: .*'three'"),
    "a short row": ("tokens.csv", "ruby,5,gem,five coins,seed", "ruby,5", r"tokens\.csv, row 5 \(ruby\), column "),
    "no column": ("tokens.csv", ",provenance", ",source", r"tokens\.csv, row 1 \(copper\), column worth: 'provenance' is missing"),
    "a row twice": ("tokens.csv", "gold,", "silver,", r"tokens\.csv, row 3 \(silver\), column worth: tokens\.silver\.worth: there already"),
    "no range": ("rules.toml", "range = [1, 6]", "most = 6", r"rules\.toml, game\.die: 'choices' is missing"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_fault_in_a_games_own_tables_is_told_with_file_and_row(name, sheets):
    path, old, new, match = DAMAGED[name]
    rewrite(sheets / path, old, new)
    with pytest.raises(ValueError, match=match):
        load(sheets)


@pytest.mark.parametrize("name", GAMES)
def test_an_export_comes_back_unchanged(name, tmp_path):
    spec = game(name)
    written = export(spec.folder, tmp_path / "mine")
    assert [path.name for path in written] == [path.name for path in files(spec.folder)]
    assert corrected(spec.numbers, tmp_path / "mine") == {}
    assert str(spec.variant(rules=tmp_path / "mine")) == str(spec.variant())


def test_corrections_are_overrides(sheets):
    rewrite(sheets / "rules.toml", "die = { value = 3", "die = { value = 6")
    rewrite(sheets / "tokens.csv", "gold,3,coin", "gold,9,gem")
    assert corrected(NUMBERS, sheets) == {"game.die": 6, "tokens.gold.worth": 9, "tokens.gold.kind": "gem"}
    v = toy.GAME.variant(rules=sheets)
    assert str(v) == "toy-3p?game.die=6&tokens.gold.kind=gem&tokens.gold.worth=9"
    assert v.rules_record()["worth"][0].tolist() == [1, 2, 9, 4, 5]


def test_overrides_go_before_corrections(sheets):
    rewrite(sheets / "rules.toml", "die = { value = 3", "die = { value = 6")
    assert str(toy.GAME.variant(rules=str(sheets), overrides={"game.die": 2})) == "toy-3p?game.die=2"


def test_some_of_the_files_will_do(sheets):
    rewrite(sheets / "tokens.csv", "ruby,5", "ruby,6")
    (sheets / "rules.toml").unlink()
    assert corrected(NUMBERS, sheets) == {"tokens.ruby.worth": 6}


def test_an_export_overwrites_nothing(sheets):
    before = {path: path.read_bytes() for path in sheets.iterdir()}
    with pytest.raises(FileExistsError, match="there already; choose an empty folder"):
        export(toy.FOLDER, sheets)
    assert {path: path.read_bytes() for path in sheets.iterdir()} == before
    (sheets / "rules.toml").unlink()
    with pytest.raises(FileExistsError, match=r"tokens\.csv: there already"):
        export(toy.FOLDER, sheets)
    assert [path.name for path in sheets.iterdir()] == ["tokens.csv"]


def test_a_folder_without_tables(tmp_path):
    for folder in (tmp_path, tmp_path / "nowhere", toy.FOLDER / "rules.toml"):
        with pytest.raises(ValueError, match=r"no rules\.toml and no \.csv there; `alehouse cards GAME --export DIR` writes them"):
            corrected(NUMBERS, folder)


DAMAGE = {
    "not toml": ("rules.toml", "[game]", "[game", "rules"),
    "no table": ("rules.toml", "[game]", "top = 1\n[game]", "rules"),
    "no value": ("rules.toml", "die = { value", "die = { worth", "value"),
    "bare number": ("rules.toml", "[spice]\n", "[spice]\nextra = 3\n", "rules"),
    "unknown number": ("rules.toml", "die =", "dice =", "game.dice"),
    "out of range": ("rules.toml", "die = { value = 3", "die = { value = 33", "game.die=33: a whole number from 1 to 6"),
    "not a number": ("rules.toml", "die = { value = 3", "die = { value = []", "game.die"),
    "unknown word": ("rules.toml", 'value = "left"', 'value = "up"', "one of left, right"),
    "empty cell": ("tokens.csv", "gold,3", "gold,", "tokens.gold.worth=: a whole number from 0 to 9"),
    "short row": ("tokens.csv", "ruby,5,gem,five coins,seed", "ruby", "tokens.ruby"),
    "unknown row": ("tokens.csv", "gold,3", "tin,3", "tokens.tin"),
    "no keys": ("tokens.csv", "key,", "name,", "key"),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_damaged_tables(name, sheets):
    path, old, new, word = DAMAGE[name]
    rewrite(sheets / path, old, new)
    with pytest.raises(ValueError, match=r"^rules '") as told:
        corrected(NUMBERS, sheets)
    assert str(sheets) in str(told.value)
    assert word in str(told.value)


def test_a_table_of_another_game(sheets):
    shutil.copyfile(sheets / "tokens.csv", sheets / "cards.csv")
    with pytest.raises(ValueError, match=r"no table 'cards'; tables: tokens"):
        corrected(NUMBERS, sheets)


def test_a_table_that_is_no_text(sheets):
    (sheets / "tokens.csv").write_bytes(b"\xff\xfe\x00\x01" * 10)
    with pytest.raises(ValueError, match="^rules '"):
        corrected(NUMBERS, sheets)


@pytest.mark.parametrize("name", GAMES)
def test_every_number_of_a_game_is_documented(name):
    for entry in game(name).numbers.values():
        assert entry.provenance.replace("*", "").split(":")[0].split()[0] in ("seed", "src", "mem", "guess", "rule"), entry.key
        assert len(entry.allowed) > 0


def test_provenance_of_one_cell_can_differ():
    with open(toy.FOLDER / "tokens.csv", newline="", encoding="utf-8") as source:
        row = next(row for row in csv.DictReader(source) if row["key"] == "silver")
    assert row["provenance"] == "seed worth=guess"
    assert NUMBERS["tokens.silver.worth"].provenance == "guess"
