"""Moves in words: the question, the answer, and what changed on the table."""

import alehouse
from alehouse.commands.moves import moves, news, question, sentence


def test_moves_of_a_game_without_questions() -> None:
    tables = alehouse.Tables("connect_four", n=1, autoreset=False)
    found = list(moves(tables, [0, 1, 0], texts=True))
    assert [(one.move, one.seat, one.action, one.name) for one in found] == [(1, 0, 0, "drop:a"), (2, 1, 1, "drop:b"), (3, 0, 0, "drop:a")]
    assert [one.text.count("x") for one in found] == [0, 1, 1]  # the table before the move
    assert sentence(found[1], "player_1") == "2. player_1: Drop a disc into column b (drop:b)"
    assert "text" not in next(moves(tables, [3], texts=False)).as_json()


def test_a_question_of_tiefenthal_and_its_only_answer() -> None:
    tables = alehouse.Tables("tiefenthal-2p", n=1, autoreset=False)
    assert question(tables) == "take a white die"
    [move] = moves(tables, [int(tables.mask[0].argmax())], texts=False)
    face = move.name.removeprefix("die:")
    assert sentence(move, "Ann") == f"1. Ann is asked to take a white die: Take a {face} (die:{face})"
    assert sentence(move._replace(only=True), "Ann").endswith(f"(die:{face}; nothing else is legal)")


def test_the_only_legal_answer_is_known() -> None:
    tables = alehouse.Tables("connect_four", n=1, autoreset=False)
    full = [c for pair in ((0, 1), (2, 3), (4, 5)) for c in (*pair, *pair, *pair[::-1], *pair[::-1], *pair, *pair)]
    played = list(moves(tables, [*full, 6, 6], texts=False))
    assert [one.only for one in played] == [False] * 36 + [True, True]


def test_what_changed_comes_with_the_line_it_belongs_to() -> None:
    before = "round 1\nplayer_0: 5F\n  hand: monk\n  barn: -\nplayer_1: 5F\n  hand: abbot\nplayer_0 is asked to pay"
    after = "round 1\nplayer_0: 5F\n  hand: -\n  barn: monk\nplayer_1: 4F\n  hand: abbot\nplayer_1 is asked to pay"
    told = ["player_0: 5F", "  hand: -", "  barn: monk", "player_1: 4F"]
    assert list(news(before, after, "player_1 is asked to pay")) == told
    assert list(news(before, after, "")) == [*told, "player_1 is asked to pay"]
    assert list(news(after, after, "")) == []
