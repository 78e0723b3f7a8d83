"""Numbers of the rules as data: ranges, words, misspelt keys, faults in files, and tables that a user corrects."""

import csv
import shutil
from pathlib import Path

import pytest

from alehouse.envs.core.declare.corrections import Correction, correction
from alehouse.envs.core.declare.numbers import Entry, export, files, load
from alehouse.envs.games import GAMES, game
from tests import toy

NUMBERS = toy.NUMBERS


@pytest.fixture
def sheets(tmp_path: Path) -> Path:
    """Return a folder with a copy of the toy's tables."""
    export(toy.FOLDER, tmp_path / "mine")
    return tmp_path / "mine"


def rewrite(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_keys_values_and_provenance():
    assert NUMBERS["game.die"] == Entry("game.die", 3, (1, 6), "guess", "sides of the die that fills the pot", (2, 4))
    assert NUMBERS["tokens.silver.worth"] == Entry("tokens.silver.worth", 2, (0, 9), "guess", plausible=(1, 3))
    assert NUMBERS["tokens.silver.kind"] == Entry("tokens.silver.kind", "coin", ("coin", "gem"), "seed")
    assert NUMBERS.rows("tokens") == ["copper", "silver", "gold", "pearl", "ruby"]
    assert NUMBERS.column("tokens", "worth").tolist() == [1, 2, 3, 4, 5]
    assert NUMBERS.column("tokens", "kind").tolist() == [0, 0, 0, 1, 1]
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


def test_a_cell_may_have_a_range_of_its_own(sheets):
    rewrite(sheets / "rules.toml", "worth = [0, 9]", 'worth = [0, 9]\n"gold.worth" = [2, 4]')
    numbers = load(sheets)
    assert (numbers["tokens.gold.worth"].allowed, numbers["tokens.ruby.worth"].allowed) == ((2, 4), (0, 9))


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


@pytest.mark.parametrize("name", GAMES)
def test_an_export_comes_back_unchanged(name, tmp_path):
    spec = game(name)
    written = export(spec.folder, tmp_path / "mine")
    assert [path.name for path in written] == [path.name for path in files(spec.folder)]
    assert correction(spec.numbers, tmp_path / "mine") == Correction()
    assert str(spec.variant(rules=tmp_path / "mine")) == str(spec.variant())


def test_corrections_are_overrides(sheets):
    rewrite(sheets / "rules.toml", "die = { value = 3", "die = { value = 6")
    rewrite(sheets / "tokens.csv", "gold,3,coin", "gold,9,gem")
    assert correction(NUMBERS, sheets).changed == {"game.die": 6, "tokens.gold.worth": 9, "tokens.gold.kind": "gem"}
    v = toy.GAME.variant(rules=sheets)
    assert str(v) == "toy-3p?game.die=6&tokens.gold.kind=gem&tokens.gold.worth=9"
    assert v.rules_record()["worth"][0].tolist() == [1, 2, 9, 4, 5]


def test_overrides_go_before_corrections(sheets):
    rewrite(sheets / "rules.toml", "die = { value = 3", "die = { value = 6")
    assert str(toy.GAME.variant(rules=str(sheets), overrides={"game.die": 2})) == "toy-3p?game.die=2"


def test_some_of_the_files_will_do(sheets):
    rewrite(sheets / "tokens.csv", "ruby,5", "ruby,6")
    (sheets / "rules.toml").unlink()
    assert correction(NUMBERS, sheets).changed == {"tokens.ruby.worth": 6}


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
            correction(NUMBERS, folder)


# A fault: the file, what stands there, what it becomes, and what the error says of the place and of the fault.
DAMAGE = {
    "not toml": ("rules.toml", "[game]", "[game", ": Expected ']' at the end of a table declaration"),
    "no section": ("rules.toml", "[game]", "top = 1\n[game]", ": top = 1 stands outside of any section"),
    "no value": ("rules.toml", "die = { value", "die = { worth", ", [game], die: {'worth': 3"),
    "bare number": ("rules.toml", "[spice]\n", "[spice]\nextra = 3\n", ", [spice], extra: 3 has no value"),
    "out of range": ("rules.toml", "die = { value = 3", "die = { value = 33", ", [game], die: game.die=33: a whole number from 1 to 6"),
    "not a number": ("rules.toml", "die = { value = 3", "die = { value = []", ", [game], die: game.die=[]: a whole number from 1 to 6"),
    "unknown word": ("rules.toml", 'value = "left"', 'value = "up"', ", [switch], order: switch.order=up: one of left, right"),
    "empty cell": (
        "tokens.csv", "gold,3", "gold,", ", row 'gold', column 'worth': tokens.gold.worth=: a whole number from 0 to 9",
    ),
    "a word for a number": (
        "tokens.csv", "gold,3", "gold,x", ", row 'gold', column 'worth': tokens.gold.worth=x: a whole number from 0 to 9",
    ),
    "an unknown word": (
        "tokens.csv", "pearl,4,gem", "pearl,4,jem", ", row 'pearl', column 'kind': tokens.pearl.kind=jem: one of coin, gem",
    ),
    "short row": ("tokens.csv", "ruby,5,gem,five coins,seed", "ruby", ": row 'ruby' has 1 cells; the heading has 5 columns"),
    "long row": ("tokens.csv", "five coins,seed", "five, coins,seed", ": row 'ruby' has 6 cells; the heading has 5 columns"),
    "the same row": ("tokens.csv", "gold,3", "silver,3", ": row 'silver' is there more than once"),
    "no keys": ("tokens.csv", "key,", "name,", ": no column 'key'; the heading has name, worth, kind, text, provenance"),
    "the same column": ("tokens.csv", "kind,text", "kind,kind", ": column 'kind' is there more than once"),
    "open quotes": ("tokens.csv", "one coin", '"one coin', ": unexpected end of data"),
}  # fmt: skip
CORRECTIONS = {  # of a user
    "unknown number": (
        "rules.toml",
        "die =",
        "dice =",
        "rules.toml, [game], dice: override 'game.dice': no such number; near it: game.die",
    ),
    "unknown row": ("tokens.csv", "gold,3", "tin,3", ": row 'tin': no such row; rows: copper, silver, gold, pearl, ruby"),
    "unknown column": (
        "tokens.csv",
        "key,worth",
        "key,wort",
        ": column 'wort': no such column; the game's own table has key, worth, kind, text, provenance",
    ),
}
DECLARATIONS = {  # of a game
    "no range": ("rules.toml", "range = [1, 6], ", "", ", [game], die: it has value, from, note, plausible; wanted are value, range or"),
    "a range and words": (
        "rules.toml", "range = [1, 6], ", 'range = [1, 6], choices = ["a"], ', ", [game], die: it has value, range, choices, from",
    ),
    "no source": ("rules.toml", 'from = "guess", ', "", ", [game], die: it has value, range, note, plausible; wanted"),
    "a word too many": ("rules.toml", "die = { ", "die = { rnage = 3, ", ", [game], die: it has rnage, value"),
    "an empty range": ("rules.toml", "range = [1, 6]", "range = [6, 1]", ", [game], die: it has [6, 1], which is neither a range"),
    "half a range": ("rules.toml", "range = [1, 6]", "range = [6]", ", [game], die: it has [6], which is neither a range"),
    "no words": ("rules.toml", '["left", "right"]', "[]", ", [switch], order: it has [], which is neither a range"),
    "the same word": ("rules.toml", '"left", "right"', '"left", "left"', ", [switch], order: it has ['left', 'left'], which"),
    "a wrong column range": ("rules.toml", "worth = [0, 9]", "worth = [9, 0]", ", [columns], tokens: worth has [9, 0], which"),
    "a range of no cell": (
        "rules.toml", 'kind = ["coin"', '"opal.worth" = [0, 1]\nkind = ["coin"', ", [columns.tokens], opal.worth: tokens.csv has no",
    ),
    "a range of no table": ("rules.toml", "[columns.tokens]", "[columns.token]", ", [columns.token]: there is no table token.csv"),
    "a range of no column": ("rules.toml", "worth = [0, 9]", "wort = [0, 9]", "tokens.csv: no column 'wort'; the heading has key, worth"),
    "no provenance": ("tokens.csv", "text,provenance", "text,source", ": no column 'provenance'; the heading has key, worth"),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGE | CORRECTIONS)
def test_a_fault_in_corrected_tables_is_told_with_its_place(name, sheets):
    path, old, new, words = (DAMAGE | CORRECTIONS)[name]
    rewrite(sheets / path, old, new)
    with pytest.raises(ValueError) as error:
        correction(NUMBERS, sheets)
    assert str(error.value).startswith(f"{sheets / path}{words}" if words[0] in ",:" else f"{sheets}/{words}")


@pytest.mark.parametrize("name", DAMAGE | DECLARATIONS)
def test_a_fault_in_a_games_own_tables_is_told_with_its_place(name, sheets):
    path, old, new, words = (DAMAGE | DECLARATIONS)[name]
    rewrite(sheets / path, old, new)
    with pytest.raises(ValueError) as error:
        load(sheets)
    assert str(error.value).startswith(f"{sheets / path}{words}" if words[0] in ",:" else f"{sheets}/{words}")


def test_a_table_of_another_game(sheets):
    shutil.copyfile(sheets / "tokens.csv", sheets / "cards.csv")
    with pytest.raises(ValueError, match=r"no table 'cards'; tables: tokens"):
        correction(NUMBERS, sheets)


def test_a_table_that_is_no_text(sheets):
    (sheets / "tokens.csv").write_bytes(b"\xff\xfe\x00\x01" * 10)
    with pytest.raises(ValueError, match=r"tokens\.csv: it is not plain text; save it as CSV in UTF-8"):
        correction(NUMBERS, sheets)


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


def changed_by(sheets: Path, text: str | bytes) -> Correction:
    """Return what a table of tokens changes, if it is all that is in the folder."""
    (sheets / "rules.toml").unlink(missing_ok=True)
    (sheets / "tokens.csv").write_bytes(text.encode() if isinstance(text, str) else text)
    return correction(NUMBERS, sheets)


@pytest.mark.parametrize(
    "text",
    [
        "key,worth\ncopper,1\nsilver,7\ngold,3\npearl,4\nruby,5\n",
        "\ufeffKey;Worth;;\r\ncopper;1;;\r\nsilver;7;;\r\n;;;\r\ngold;3;;\r\npearl;4;;\r\nruby;5;;\r\n",
        "WORTH\tKEY \n5.0\tRuby\n 7,00\tsilver\n1\tcopper\n+3\tgold\n4.\tpearl\n",
        "key,worth,kind\ncopper,1,Coin\nsilver,7, coin\ngold,3,COIN\npearl,4,gem\nruby,5,gem\n",
    ],
)
def test_tables_are_read_as_spreadsheets_write_them(text, sheets):
    assert changed_by(sheets, text).changed == {"tokens.silver.worth": 7}


def test_latin_1_is_read(sheets):
    rows = "key;text;worth\ncopper;Münze;1\nsilver;two coins;2\ngold;three coins;3\npearl;four coins;4\nruby;five coins;5\n"
    found = changed_by(sheets, rows.encode("latin-1"))
    assert found.changed == {}
    assert found.notes[0] == f"{sheets / 'tokens.csv'}, column 'text': copper changed; this means nothing: the column is only text"


def test_what_is_missing_is_said(sheets):
    found = changed_by(sheets, "key,kind\ncopper,coin\nsilver,coin\ngold,coin\n")
    assert found.notes == [
        f"{sheets / 'tokens.csv'}: it has no row pearl, ruby; its numbers stay as they are",
        f"{sheets / 'tokens.csv'}: it has no column worth; its numbers stay as they are",
    ]


def test_ranges_of_a_user_mean_nothing(sheets):
    rewrite(sheets / "rules.toml", "range = [1, 6]", "range = [1, 9]")
    rewrite(sheets / "rules.toml", "worth = [0, 9]", "worth = [0, 99]")
    found = correction(NUMBERS, sheets)
    assert found.changed == {}
    assert found.notes == [
        f"{sheets / 'rules.toml'}, [game], die: range is changed; this means nothing: only the value and its source are read",
        f"{sheets / 'rules.toml'}, [columns], tokens is changed; this means nothing: only values and their sources are read",
    ]


def test_what_an_owner_corrects_or_confirms_is_known(sheets):
    assert correction(NUMBERS, sheets).known == set()
    rewrite(sheets / "tokens.csv", "seed worth=guess", "seed worth=box")
    rewrite(sheets / "tokens.csv", "gold,3", "gold,4")
    found = correction(NUMBERS, sheets)
    assert (found.known, found.changed, found.notes) == ({"tokens.silver.worth", "tokens.gold.worth"}, {"tokens.gold.worth": 4}, [])
    rewrite(sheets / "rules.toml", 'from = "guess"', 'from = "box"')
    assert correction(NUMBERS, sheets).known == {"game.die", *found.known}
