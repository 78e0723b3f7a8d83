"""What players who read are told: it names every answer, explains the question, and does not depend on what is hidden from the seat."""

import pytest

from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.show.telling import explained, rules_of, telling
from alehouse.envs.games import GAMES, game
from tests.envs.core.show.test_view import positions, richest
from tests.slow import slow


def told(t: Tables, seat: int) -> dict[str, object]:
    """What a seat is told of the only table."""
    return telling(t.variants[0], t.states[0], t.rules[0], seat)


@pytest.mark.parametrize("name", ["kuhn_poker", slow("tavern_battle"), slow("bloody_inn"), slow("taverns_dragons"), slow("tiefenthal")])
def test_swapping_what_is_hidden_changes_no_word(name: str) -> None:
    changed = hidden = 0
    for t in positions(richest(game(name)), 31 if name in GAMES else 1):
        for seat in range(t.variants[0].seats):
            dealt = t.determinize(seat, int(t.states[0].asked))
            hidden += t.text(0) != t.text(0, seat)
            changed += dealt.text(0) != t.text(0)
            assert told(dealt, seat) == told(t, seat)
            forbidden = [a for a in range(0, t.variants[0].n_actions, 7) if seat == t.seat[0] and not t.mask[0, a]]
            assert [dealt.why_illegal(0, a) for a in forbidden] == [t.why_illegal(0, a) for a in forbidden]
    assert bool(changed) == bool(hidden)


def test_only_the_seat_that_is_asked_is_told_the_question() -> None:
    t = Tables("kuhn_poker", n=1)
    mine, other = told(t, 0), told(t, 1)
    assert mine["asked"] == "player_0, choose an action."
    assert [one["name"] for one in mine["options"]] == ["pass", "bet"]  # type: ignore[attr-defined]
    assert (other["asked"], other["options"]) == (None, [])


@pytest.mark.parametrize("name", GAMES)
def test_every_question_is_explained(name: str) -> None:
    spec = game(name)
    assert spec.questions is not None
    assert len(rules_of(spec)) > 1000
    for row in spec.questions.rows:
        text = explained(spec, row.name)
        assert text.startswith(f"Asked: {row.prompt}. Rule {row.rule}")
        assert text.endswith(rules_of(spec))
        assert "The answers: \n" not in text


def test_a_game_without_a_page_of_rules_is_explained_by_its_module() -> None:
    assert explained(game("kuhn_poker"), "").startswith("Kuhn poker: two seats, three cards, one bet.")
