"""The checks find the fault of every broken game, and none in sound games."""

import dataclasses
import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from alehouse.commands import check
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.declare.questions import Question, Questions
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.verify import check_facts, check_play
from alehouse.envs.core.verify.case import Case
from alehouse.envs.core.verify.check import check_game, check_variant, run, undefined_names, unreached
from alehouse.envs.games import GAMES, REFERENCE, game, variant
from tests import knockout, toy
from tests.broken import CASES, CHECKS, FINE, posing


@pytest.fixture(scope="session")
def found(root: Path) -> dict[str, list[str]]:
    """Return what the checks say of each broken game."""
    plain = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-m", "tests.broken"], capture_output=True, text=True, env=plain, cwd=root)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, (_, _, check, _) in CASES.items() if check])
def test_finds(name: str, found: dict[str, list[str]]) -> None:
    text, _, check, word = CASES[name]
    told = [failure for failure in found[name] if word in failure]
    assert told, found[name]
    assert told[0].startswith(f"{text}, seed 0, {check}: ")


def test_every_check_is_seen_to_fail() -> None:
    assert {check for _, _, check, _ in CASES.values() if check} == set(CHECKS)


@pytest.mark.slow
def test_finds_nothing_in_the_toy(found: dict[str, list[str]]) -> None:
    assert found["whole"] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", FINE)
def test_what_is_shown_may_decide_who_is_asked(name: str, found: dict[str, list[str]]) -> None:
    assert found[name] == []


@pytest.mark.parametrize("spec", [toy.GAME, knockout.GAME, game("connect_four"), game("kuhn_poker")], ids=lambda spec: spec.name)
def test_whole_games_pass(spec: Game, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    with posing(spec):
        told = list(check_game(spec, 20))
    assert [v for v, _, _ in told] == list(spec.variants())
    assert [failure for _, _, failures in told for failure in failures] == []


@pytest.mark.slow
def test_a_failure_says_where(found: dict[str, list[str]]) -> None:
    place = re.fullmatch(r"toy-3p, seed 0, masks: game (\d), decision (\d+): no legal action", found["no legal action"][0])
    assert place is not None
    with posing(toy.GAME):
        t = Tables("toy-3p", n=8, seed=0)
        for _ in range(int(place[2])):
            t.step(t.sample())
    assert t.states["pot"][int(place[1])] == 0


def test_a_fault_that_stops_play_is_told_alone() -> None:
    broken = dataclasses.replace(game("connect_four"), bound=lambda v: 5, audit=lambda s, R: ["never right"])
    told = check_variant(broken.variant(), 4)
    assert len(told) == 3
    assert all("ends: game" in failure for failure in told)


def test_finds_what_the_jit_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_facts, "PAIRS", 20)
    v = variant("kuhn_poker")
    monkeypatch.setattr("alehouse.envs.core.verify.check.trace", lambda v, games, seed: {"decisions 0 to 15": "something else"})
    told = [failure for _, _, failures in check_game("kuhn_poker", 2, variants=[v]) for failure in failures]
    assert told == ["kuhn_poker-2p, seed 0, without the JIT: decisions 0 to 15 differ"]


# Questions


def asking(*more: Question) -> Game:
    """Return knockout with questions that no kernel ever asks."""
    questions = Questions(knockout.FOLDER, *knockout.GAME.questions.rows, *more, ranges=knockout.GAME.questions.ranges)
    return dataclasses.replace(knockout.GAME, questions=questions)


def question(name: str, rule: str = "3", module: str = "") -> Question:
    return Question(name, "answer", knockout.legal_accuse, knockout.apply_accuse, rule, module)


def test_a_question_that_is_never_asked_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("alehouse.envs.core.verify.check.LONGER_GAMES", 3)
    spec = asking(question("never"), question("hardly", module="thieves"))
    plain, thieves = (spec.variant(2, modules) for modules in ((), ("thieves",)))
    asked = {plain: Counter({0: 100}), thieves: Counter({0: 30, 1: 20})}
    never, hardly = unreached(spec, asked, 7)
    assert re.fullmatch(r"knockout, seed 7: question 'never' is never asked in [\d,]+ decisions; variants that could ask it: 2", never)
    assert re.fullmatch(r"knockout, seed 7: question 'hardly' is never asked in [\d,]+ decisions; variants that could ask it: 1", hardly)
    assert asked[plain].total() > 100  # longer play


def test_a_question_that_longer_play_reaches_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("alehouse.envs.core.verify.check.LONGER_GAMES", 30)
    assert unreached(knockout.GAME, {knockout.GAME.variant(2, ("thieves",)): Counter({0: 5})}, 0) == []


def test_a_question_that_only_another_switch_asks_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """In Tavern Battle only agitation cards with invented effects ask for a victim."""
    monkeypatch.setattr("alehouse.envs.core.verify.check.LONGER_GAMES", 4)
    spec = game("tavern_battle")
    v = spec.variant(3)
    asked = {v: Counter({k: 1 for k, row in enumerate(spec.questions.rows) if row.module == "" and row.name != "victim"})}
    assert unreached(spec, asked, 0) == []
    assert [str(w) for w in asked if asked[w][spec.questions.names.index("victim")]] == [f"{v}?switch.agitation_effects=invented"]


def test_a_question_of_a_module_is_expected_only_with_it() -> None:
    assert unreached(knockout.GAME, {knockout.GAME.variant(2): Counter({0: 5})}, 0) == []


def test_questions_are_missed_only_where_every_variant_was_played(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = asking(question("never"))
    monkeypatch.setattr(
        "alehouse.envs.core.verify.check.check_variant", lambda v, games, seed, asked: asked.update({v: Counter({0: 1, 1: 1})}) or []
    )
    monkeypatch.setattr("alehouse.envs.core.verify.check.jit_failures", lambda *_: [])
    monkeypatch.setattr("alehouse.envs.core.verify.check.LONGER_GAMES", 1)
    every = [failure for _, _, failures in check_game(spec, 1, 0, list(spec.variants())) for failure in failures]
    assert [failure.split(" is ")[0] for failure in every] == ["knockout, seed 0: question 'never'"]
    assert [failures for _, _, failures in check_game(spec, 1, 0, list(spec.variants())[:2])] == [[], []]


@pytest.mark.parametrize(
    ("row", "words"),
    [(question("odd", rule=""), "question 'odd' has no rule"), (question("odd", module="sugar"), "question 'odd': no module 'sugar'")],
)
def test_a_question_cites_a_rule_and_belongs_to_a_module_of_the_game(row: Question, words: str) -> None:
    spec = asking(row)
    with posing(spec):
        found = run(check_play.declarations, Case(spec.variant(), 1, 0))
    assert found == [f"knockout-3p, seed 0, declarations: {words}"]


# Kernels that cannot be compiled


@jit
def misspelt(s, R, action):
    knockout.GAME.step(s, R, actoin)  # noqa: F821
    bits.popcunt(s.turn)


def test_names_that_nobody_defined_are_told_before_anything_is_played(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = dataclasses.replace(knockout.GAME, step=misspelt)
    monkeypatch.setattr(check, "game", lambda name: spec)
    line = misspelt.py_func.__code__.co_firstlineno + 2
    assert check.check("knockout") == 1
    name, module, last = capsys.readouterr().out.splitlines()
    assert name == f"knockout: kernel misspelt ({__file__}, line {line}): the name 'actoin' is not defined"
    assert module == f"knockout: kernel misspelt ({__file__}, line {line + 1}): the module {bits.__name__} has no 'popcunt'"
    assert last == "0 of 6 variants checked, 0 failed"


def test_the_games_define_every_name() -> None:
    assert [text for name in GAMES + REFERENCE for text in undefined_names(game(name))] == []
