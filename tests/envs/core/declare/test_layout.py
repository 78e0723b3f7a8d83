"""Actions and features are found by name; faults in their declarations are named."""

import pytest

from alehouse.envs.core.declare.layout import Actions, Features, Segment

ACTIONS = Actions(
    Segment("pass"), Segment("pay", ("monk", "abbot", "to:all")), Segment("take", [str(k) for k in range(61)]), Segment("end")
)
FEATURES = Features([("gold", 1, 40), ("hand", ("monk", "abbot"), 4), ("bits", ("a", "b", "c"), 1), ("plain", 2, 9)])


def test_offsets_follow_from_the_order():
    assert len(ACTIONS) == 1 + 3 + 61 + 1
    assert [ACTIONS.start(name) for name in ("pass", "pay", "take", "end")] == [0, 1, 4, 65]
    assert ACTIONS.names[:5] == ("pass", "pay:monk", "pay:abbot", "pay:to:all", "take:0")
    assert ACTIONS.words == 2


def test_names_parse_back():
    assert [ACTIONS.index(name) for name in ACTIONS.names] == list(range(len(ACTIONS)))
    assert ACTIONS.segment(2) == ("pay", "abbot")
    assert ACTIONS.segment(3) == ("pay", "to:all")
    assert ACTIONS.segment(65) == ("end", "")


@pytest.mark.parametrize(("count", "words"), [(1, 1), (64, 1), (65, 2), (128, 2), (129, 3)])
def test_words_hold_every_action(count, words):
    assert Actions(Segment("a", [str(k) for k in range(count)])).words == words


def test_an_unknown_name_tells_what_is_near():
    with pytest.raises(ValueError, match=r"action 'pay:monks': no such action; near it: pay:monk"):
        ACTIONS.index("pay:monks")
    with pytest.raises(ValueError, match=r"action 'xyzzy': no such action$"):
        ACTIONS.index("xyzzy")


@pytest.mark.parametrize(
    ("segments", "words"),
    [
        ([Segment("pay", ("a",)), Segment("pay", ("b",))], "action segment 'pay': there are two of this name"),
        ([Segment("pay", ("a", "b", "a"))], "action segment 'pay': label 'a' is there more than once"),
        ([Segment("pay", ())], "action segment 'pay': it has no labels"),
        ([Segment("")], "action segment '': a name is not empty"),
        ([Segment("pay"), Segment("pay:a")], "action segment 'pay:a': a name is not empty and has no colon"),
    ],
)
def test_faults_in_actions_are_named(segments, words):
    with pytest.raises(ValueError, match=words):
        Actions(*segments)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([("gold", 1, 1), ("gold", 2, 1)], "feature 'gold': there are two of this name"),
        ([("hand", (), 1)], "feature 'hand': its length is 0"),
        ([("hand", -1, 1)], "feature 'hand': its length is -1"),
        ([("gold", 1, 0)], "feature 'gold': its largest value is 0; a byte holds 1 to 255"),
        ([("gold", 1, 256)], "feature 'gold': its largest value is 256"),
    ],
)
def test_faults_in_features_are_named(rows, words):
    with pytest.raises(ValueError, match=words):
        Features(rows)


def test_features_have_place_length_and_maximum():
    assert [tuple(row) for row in FEATURES.rows] == [("gold", 0, 1, 40), ("hand", 1, 2, 4), ("bits", 3, 3, 1), ("plain", 6, 2, 9)]
    assert FEATURES.size == 8
    assert FEATURES.start("bits") == 3


def test_an_observation_in_words():
    assert FEATURES.text([12, 0, 3, 1, 0, 1, 0, 0]) == "gold: 12\nhand: abbot 3\nbits: a, c"
    assert FEATURES.text([0, 0, 0, 0, 0, 0, 0, 5]) == "gold: 0\nplain: 1 5"
