"""Plausible values of guesses: how they are declared, faults in the declaration, and whole rule sets drawn from them."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from alehouse.envs.core.declare.guesses import plausible_rules
from alehouse.envs.core.declare.numbers import export, load
from alehouse.envs.games import GAMES, game, variants
from tests import toy

LARGEST = [max(variants(name), key=lambda v: (v.seats, len(v.modules))) for name in GAMES]
CARDS = """key,worth,kind,text,provenance
copper,1,coin,One,guess
silver,2,coin,Two,guess
gold,3,gem,Three,seed
pearl,4,gem,Four,guess
ruby,4,coin,Five,guess
"""


def tables(folder: Path, rule: str) -> Path:
    """Write tables of the toy with guesses and a rule for them."""
    export(toy.FOLDER, folder)
    (folder / "tokens.csv").write_text(CARDS, encoding="utf-8")
    sheet = folder / "rules.toml"
    sheet.write_text(sheet.read_text(encoding="utf-8").replace('worth = "+-1"', rule), encoding="utf-8")
    return folder


def drawn(folder: Path, column: str, count: int = 500, **overrides):
    """Return what a column has in many rule sets, by row; `overrides` are values of that column that are known."""
    spec = replace(toy.GAME, numbers=load(folder))
    known = {f"tokens.{row}.{column}": value for row, value in overrides.items()}
    found = plausible_rules(spec.variant(overrides=known), count, 1, known)
    assert not known.keys() & {*found.keys}
    return found.rules["worth"]


def test_every_guess_of_the_games_has_plausible_values_around_its_own():
    for name in GAMES:
        for entry in game(name).numbers.values():
            assert bool(entry.plausible) == entry.guess, entry
            if entry.guess and isinstance(entry.value, int):
                assert entry.allowed[0] <= entry.plausible[0] <= entry.value <= entry.plausible[1] <= entry.allowed[1], entry
            elif entry.guess:
                assert {entry.value} <= {*entry.plausible} <= {*entry.allowed}, entry


@pytest.mark.parametrize(
    ("rule", "spans"),
    [
        ('worth = "+-2"', {"copper": (0, 3), "silver": (0, 4), "gold": (), "pearl": (2, 6), "ruby": (2, 6)}),
        ('worth = "+-2, 0 stays"', {"copper": (1, 3), "silver": (1, 4), "pearl": (2, 6)}),
        ('worth = [0, 8]\n"ruby.worth" = "as given"', {"copper": (0, 8), "ruby": (4, 4)}),
        ('worth = "swapped"', {"copper": (1, 4), "ruby": (1, 4)}),
        ('worth = "swapped within kind"', {"copper": (1, 4), "pearl": (4, 4)}),
    ],
)
def test_a_rule_gives_a_column_its_plausible_values(rule, spans, tmp_path):
    numbers = load(tables(tmp_path / "mine", f'{rule}\nkind = "as given"'))
    assert {row: numbers[f"tokens.{row}.worth"].plausible for row in spans} == spans
    assert numbers["tokens.copper.kind"].plausible == ("coin",)


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ('worth = "+-1"', "[plausible], tokens: no rule for tokens.copper.kind, which is a guess; write"),
        ('kind = "+-1"\nworth = "+-1"', "[plausible.tokens], kind: +-1 is for numbers; write"),
        ('"kind worth" = "about"', "[plausible.tokens], kind worth: 'about' is no rule; write"),
        ('"kind worth" = "swapped, 0 stays"', "[plausible.tokens], kind worth: 'swapped, 0 stays' is no rule"),
        ('"kind worth" = "swapped within box"', "[plausible.tokens], kind worth: 'swapped within box': the table has no column 'box'"),
        ('"kind size" = "as given"', "[plausible.tokens]: kind size: the table has no column 'size'"),
        ('"tin.worth" = "as given"', "[plausible.tokens]: tin.worth: the table has no such row and column"),
        ('"gold.worth" = "as given"\nworth = "+-1"\nkind = "as given"', "[plausible.tokens], gold.worth: none of these numbers is a guess"),
        ('worth = "+-1"\n"kind worth" = "as given"', "[plausible.tokens]: worth has two rules, 'worth' and 'kind worth'"),
        ('kind = "as given"\nworth = [4, 2]', "[plausible.tokens], worth: it has [4, 2], which is neither a range"),
        ('kind = "as given"\nworth = [0, 12]', "[plausible.tokens], worth: tokens.copper.worth: plausible 0, 12; possible is only 0 to 9"),
        (
            'kind = "as given"\nworth = [2, 5]',
            "[plausible.tokens], worth: tokens.copper.worth: its value 1 is not among the plausible ones",
        ),
        ('kind = ["pearl"]\nworth = "+-1"', "[plausible.tokens], kind: tokens.copper.kind: plausible pearl; possible are only coin, gem"),
        (
            'kind = "as given"\nworth = "+-1, alike by kind"',
            "[plausible.tokens], worth: worth of rows with kind coin: their values or ranges differ",
        ),
        ('"kind worth" = "as given"\n[plausible.cards]\nworth = "+-1"', "[plausible], cards: there is no table cards.csv"),
    ],
)
def test_a_bad_rule_is_told_with_its_place(rule, words, tmp_path):
    folder = tables(tmp_path / "mine", rule)
    with pytest.raises(ValueError) as error:
        load(folder)
    assert str(error.value).startswith(f"{folder / 'rules.toml'}: {words}")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (", plausible = [2, 4]", "", "a guess, and only a guess, has plausible values"),
        ('from = "seed", note = "rounds of the short game"', 'from = "seed", plausible = [1, 2]', "a guess, and only a guess, has"),
        ("plausible = [2, 4]", "plausible = [4, 2]", "plausible has [4, 2], which is neither a range"),
        ("plausible = [2, 4]", "plausible = [2, 7]", "game.die: plausible 2, 7; possible is only 1 to 6"),
        ("plausible = [2, 4]", "plausible = [4, 5]", "game.die: its value 3 is not among the plausible ones"),
        ("plausible = [2, 4]", 'plausible = ["a"]', "game.die: plausible a; possible is only 1 to 6"),
    ],
)
def test_a_bad_range_of_a_single_number_is_told_with_its_place(old, new, words, tmp_path):
    export(toy.FOLDER, tmp_path / "mine")
    sheet = tmp_path / "mine" / "rules.toml"
    text = sheet.read_text(encoding="utf-8")
    assert text.count(old) == 1
    sheet.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ValueError, match=r"rules\.toml, \[game\], (die|rounds_short): ") as error:
        load(tmp_path / "mine")
    assert words in str(error.value)


def test_numbers_are_drawn_from_their_whole_range(tmp_path):
    worth = drawn(tables(tmp_path / "mine", '"worth" = "+-2, 0 stays"\nkind = "as given"'), "worth")
    assert [sorted({*column}) for column in worth.T.tolist()] == [[1, 2, 3], [1, 2, 3, 4], [3], [2, 3, 4, 5, 6], [2, 3, 4, 5, 6]]


def test_numbers_in_order_do_not_fall_and_keep_to_known_ones(tmp_path):
    folder = tables(tmp_path / "mine", 'worth = "+-2, in order"\nkind = "as given"')
    worth = drawn(folder, "worth")
    assert (np.diff(worth) >= 0).all()
    assert [sorted({*column}) for column in worth.T.tolist()] == [[0, 1, 2, 3], [0, 1, 2, 3], [3], [3, 4, 5, 6], [3, 4, 5, 6]]
    assert sorted({*drawn(folder, "worth", silver=2)[:, 0].tolist()}) == [0, 1, 2]
    with pytest.raises(
        ValueError, match=r"^tokens\.csv, tokens\.silver\.worth: plausible are 0 to 4, but by known .* is 9 or more and 3 or less"
    ):
        drawn(folder, "worth", copper=9)


def test_numbers_that_are_alike_stay_so(tmp_path):
    folder = tables(tmp_path / "mine", 'worth = "+-1, alike by text"\nkind = "as given"')
    (folder / "tokens.csv").write_text(CARDS.replace("Five", "Four"), encoding="utf-8")
    worth = drawn(folder, "worth")
    assert (worth[:, 3] == worth[:, 4]).all()
    assert (worth[:, 0] != worth[:, 1] - 1).any()


def test_swapped_numbers_stay_the_same_in_all(tmp_path):
    folder = tables(tmp_path / "mine", 'worth = "swapped"\nkind = "as given"')
    worth = drawn(folder, "worth")
    assert {tuple(sorted(row)) for row in worth.tolist()} == {(1, 2, 3, 4, 4)}
    assert (worth[:, 2] == 3).all()
    assert np.abs((worth[:, 0] == 4).mean() - 1 / 2) < 0.1  # two of the four values that move are 4
    some = drawn(folder, "worth", copper=9)
    assert (some[:, 0] == 9).all()
    assert {tuple(sorted(row)) for row in some.tolist()} == {(2, 3, 4, 4, 9)}


def test_rule_sets_do_not_depend_on_their_number_and_vary_with_the_seed():
    v = LARGEST[GAMES.index("tavern_battle")]
    many, few = plausible_rules(v, 40, 3), plausible_rules(v, 7, 3)
    assert few.keys == many.keys
    assert (few.values == many.values[:7]).all()
    assert few.rules.tobytes() == many.rules[:7].tobytes()
    assert (plausible_rules(v, 7, 4).values != few.values).any()


@pytest.mark.parametrize("v", LARGEST, ids=str)
def test_a_rule_set_is_the_variant_with_these_values(v):
    found = plausible_rules(v, 3, 5)
    for row, rules in zip(found.values.tolist(), found.rules, strict=True):
        entries = [v.numbers[key] for key in found.keys]
        values = {one.key: one.allowed[x] if isinstance(one.value, str) else x for one, x in zip(entries, row, strict=True)}
        assert v.spec.variant(v.seats, v.modules, v.length, values).rules_record().tobytes() == rules.tobytes()


@pytest.mark.parametrize("v", LARGEST, ids=str)
def test_no_plausible_rule_set_is_refused_and_variants_share_them(v):
    other = v.spec.variant(v.seats - 1, v.modules)
    one, two = plausible_rules(v, 1000, 6), plausible_rules(other, 1000, 6)
    both = [key for key in one.keys if key in two.keys]
    assert both
    assert (one.values[:, [one.keys.index(key) for key in both]] == two.values[:, [two.keys.index(key) for key in both]]).all()


def test_known_numbers_are_not_drawn():
    v = game("bloody_inn").variant(4, ("objects",), overrides={"switch.cake_room": "own"})
    assert {*plausible_rules(v, 2, 0).keys} == {"switch.quicklime", "switch.well_pays"}
    assert "solo.title_short" in plausible_rules(game("bloody_inn").variant(1), 2, 0).keys
    found = plausible_rules(v, 50, 0, known=("switch.well_pays",))
    assert found.keys == ("switch.quicklime",)
    assert {*found.rules["cake_own"].tolist()} == {1}
    assert {*found.rules["well_free"].tolist()} == {0}
    assert {*found.rules["quicklime_ignores"].tolist()} == {0, 1}


def test_a_game_without_guesses_has_one_rule_set():
    found = plausible_rules(game("kuhn_poker").variant(), 3, 0)
    assert found.keys == ()
    assert found.values.shape == (3, 0)
    assert len({rules.tobytes() for rules in found.rules}) == 1


def test_what_would_be_if_one_number_were_another_changes_no_other_number(tmp_path):
    numbers = load(tables(tmp_path / "mine", 'worth = "+-2, in order"\nkind = "as given"'))
    v = replace(toy.GAME, numbers=numbers).variant()
    other = v.spec.variant(overrides={"tokens.silver.worth": 9})
    before, after = plausible_rules(v, 200, 1), plausible_rules(other, 200, 1)
    assert {*before.keys} - {*after.keys} == {"tokens.silver.worth"}
    assert {*after.rules["worth"][:, 1].tolist()} == {9}
    others = [0, 2, 3, 4]
    assert (before.rules["worth"][:, others] == after.rules["worth"][:, others]).all()
