"""What is played: variants by options, and by the tables in a folder."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

import alehouse
from alehouse.cli import app
from alehouse.commands.variants import by_rules, changes, named, usual, variant_of


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """Tables in which a player of The Bloody Inn starts with 7 francs and rent is 2."""
    text = (alehouse.game("bloody_inn").folder / "rules.toml").read_text()
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "rules.toml").write_text(
        text.replace("cash = { value = 5,", "cash = { value = 7,").replace("rent = { value = 1,", "rent = { value = 2,")
    )
    return folder


def test_variants_by_options(mine: Path) -> None:
    assert (
        str(variant_of("bloody_inn", 2, "carnies,objects", "long", ["start.cash=6"], None))
        == "bloody_inn-2p-carnies+objects-long?start.cash=6"
    )
    assert str(variant_of("bloody_inn", 2, "carnies+events", None, None, mine)) == "bloody_inn-2p-carnies+events?game.rent=2&start.cash=7"
    assert str(variant_of("bloody_inn", None, None, None, ["start.cash=6"], mine)) == "bloody_inn-4p?game.rent=2&start.cash=6"
    assert str(variant_of("bloody_inn-3p?start.cash=4", None, None, None, None, mine)) == "bloody_inn-3p?game.rent=2&start.cash=4"
    with pytest.raises(ValueError, match="no rules.toml"):
        variant_of("bloody_inn", None, None, None, None, mine / "nowhere")


def test_what_a_folder_changes_is_said_in_one_line(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    played = alehouse.variants("bloody_inn")[:3]
    assert by_rules(played, None) == played
    assert capsys.readouterr().err == ""
    assert [v.overrides for v in by_rules(played, mine)] == [(("game.rent", 2), ("start.cash", 7))] * 3
    assert capsys.readouterr().err == f"alehouse: rules of {mine}: game.rent is 2, not 1; start.cash is 7, not 5\n"
    assert [tuple(one) for one in changes(alehouse.variant("bloody_inn-2p?start.cash=7"))] == [("start.cash", 5, 7)]


def test_a_server_offers_the_variant_that_is_named(mine: Path) -> None:
    assert str(usual("bloody_inn", ["start.cash=6"], mine)) == "bloody_inn-4p?game.rent=2&start.cash=6"
    assert usual("", None, None) is None
    with pytest.raises(ValueError, match="name it"):
        usual("", ["start.cash=6"], None)


def test_many_changes_are_counted(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = mine / "rules.toml"
    sheet.write_text(
        "[solo]\n"
        + "".join(f"{name} = {{ value = 1 }}\n" for name in ("worrying", "hazardous", "evil", "demonic", "title_short", "title_long"))
    )
    by_rules([alehouse.variant("bloody_inn")], mine)
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert said.count(" is 1, not ") == 5
    assert f"and 1 more, see `alehouse cards bloody_inn --rules {mine}`" in said
    sheet.write_text("[solo]\n")
    by_rules([alehouse.variant("bloody_inn")], mine)
    assert "the same numbers as printed" in capsys.readouterr().err


TAKES_RULES: dict[str, tuple[tuple[str, ...], str]] = {  # a command, and what it calls with the variants it plays
    "check": (("check", "bloody_inn", "--variant", "bloody_inn-2p"), "alehouse.commands.check.check_game"),
    "tune": (("tune", "bloody_inn", "--variant", "bloody_inn-2p"), "alehouse.commands.tune.generations_of"),
    "train": (("train", "bloody_inn", "--seats", "2"), "alehouse.commands.train.made"),
    "ship": (("train", "bloody_inn", "--seats", "2", "--ship"), "alehouse.commands.train.shipped"),
    "sweep": (("sweep", "bloody_inn", "--seats", "2", "--modules", "none", "--over", "x"), "alehouse.benchmarks.balance.sweep.moves"),
    "arena": (("arena", "bloody_inn-2p", "--agents", "uniform"), "alehouse.commands.arena.prepared"),
    "watch": (("watch", "bloody_inn", "--seats", "2"), "alehouse.commands.watch.Tables"),
}


@pytest.mark.parametrize("name", TAKES_RULES)
def test_whatever_takes_a_variant_takes_rules(name: str, mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words, called = TAKES_RULES[name]

    def played(*args: object, **_: object) -> None:
        raise ValueError(f"played {args}")

    monkeypatch.setattr(called, played)
    monkeypatch.setattr("alehouse.commands.show.compiled", lambda _: None)
    result = CliRunner().invoke(app, [*words, "--rules", str(mine)])
    line, played_line = result.stderr.splitlines()[:2]
    assert line == f"alehouse: rules of {mine}: game.rent is 2, not 1; start.cash is 7, not 5"
    assert "('game.rent', 2), ('start.cash', 7)" in played_line or "bloody_inn-2p?game.rent=2&start.cash=7" in played_line
    result = CliRunner().invoke(app, [*words, "--rules", "nowhere"])
    assert result.exit_code == 2
    assert "rules 'nowhere': no rules.toml" in result.stderr


def test_a_variant_of_another_game_is_refused() -> None:
    with pytest.raises(ValueError, match="--variant kuhn_poker-2p: not a variant of connect_four"):
        named(alehouse.game("connect_four"), ["connect_four-2p", "kuhn_poker-2p"])
