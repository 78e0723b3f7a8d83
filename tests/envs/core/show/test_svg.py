"""The builder of pictures: text fits its box, every answer can be clicked, colours follow a scheme."""

import re
from xml.etree import ElementTree

import pytest

from alehouse.envs.core.show.icons import ICONS, PIPS, SEAT_SHAPES
from alehouse.envs.core.show.svg import SMALLEST, Picture, below, places, width_of, wrapped
from alehouse.envs.core.show.theme import DARK, LIGHT, NAMES, STYLE, THEMES, fixed
from alehouse.envs.core.show.view import Asked, Option, View

ASKED = Asked(1, "pick", "choose a card or pass", "1.2", {})
OPTIONS = (
    Option(3, "card:a", "Play <a> & b", "card", "card:a"),
    Option(4, "twice:a", "Play it twice", "twice", "card:a"),
    Option(7, "pass", "Pass", "pass", ""),
    Option(9, "card:z", "Play z", "card", "card:z"),
)
SVG = "{http://www.w3.org/2000/svg}"


def picture(options: tuple[Option, ...] = OPTIONS, asked: Asked | None = ASKED) -> Picture:
    return Picture(View("nowhere", "game-2p", 2, None, asked, options, () if asked else (7, 12), None), "A game", "Round 1")


def groups(p: Picture) -> dict[str, str]:
    """Return the sentences of each group that can be clicked, by its actions."""
    found = ElementTree.fromstring(p.svg()).iter(f"{SVG}g")
    return {group.get("data-action", ""): group.findtext(f"{SVG}title") or "" for group in found if group.get("data-action")}


def test_a_thing_carries_its_answers_and_the_others_are_buttons() -> None:
    p = picture()
    with p.thing("card:a", 10, 90, 40, 50) as open_to:
        assert open_to
    assert groups(p) == {"3 4": "Play <a> & b\nPlay it twice", "7": "Pass", "9": "Play z"}


def test_a_thing_inside_another_stays_on_top_of_what_can_be_clicked() -> None:
    p = picture()
    with p.thing("card:a", 10, 90, 200, 50), p.thing("card:z", 20, 100, 20, 20):
        pass
    outer, inner = (p.svg().index(f'data-thing="card:{name}"') for name in "az")
    assert [outer < found.start() < inner for found in re.finditer('pointer-events="all"', p.svg())] == [True, False]


def test_a_thing_without_answers_is_no_button() -> None:
    p = picture(())
    with p.thing("card:a", 10, 90, 40, 50) as open_to:
        assert not open_to
    with p.thing("card:b", 10, 90, 40, 50, hint="a rule"):
        pass
    assert groups(p) == {}
    assert 'data-thing="card:a">' in p.svg()
    assert 'data-thing="card:b"><title>a rule</title>' in p.svg()


def test_a_thing_without_a_name_takes_no_answers() -> None:
    p = picture()
    with p.thing("", 10, 90, 40, 50) as open_to:
        assert not open_to
    assert "7" in groups(p)


def test_the_heading_says_what_is_asked_or_that_the_game_is_over() -> None:
    assert "player_1 is asked to choose a card or pass" in picture().svg()
    over = picture((), None).svg()
    assert all(words in over for words in ("The game is over", "7 points", "12 points"))


def test_text_is_escaped() -> None:
    p = picture()
    p.text(0, 0, 'a < b & "c" > d')
    assert 'a < b & "c" > d' in "".join(ElementTree.fromstring(p.svg()).itertext())


@pytest.mark.parametrize(
    ("words", "fit"), [("short", 200.0), ("a sentence of some length", 120.0), ("a very long sentence for a box", 40.0)]
)
def test_text_fits(words: str, fit: float) -> None:
    p = picture()
    p.text(0, 0, words, 14, fit=fit)
    (told,) = re.findall(f"<text [^>]*>{words}</text>", p.svg())
    size = float(re.findall('font-size="([^"]+)"', told)[0])
    assert SMALLEST <= size <= 14
    assert width_of(words, size) <= 1.03 * fit or f'textLength="{fit:.0f}"' in told


def test_lines_are_wrapped_between_words() -> None:
    lines = wrapped("one two three four five six seven", 12, 80)
    assert " ".join(lines) == "one two three four five six seven"
    assert len(lines) > 2
    assert all(width_of(line, 12) <= 80 for line in lines)


def test_places_fill_rows() -> None:
    assert places(3, 10, 20, 100, 48, 30, 4) == [(10, 20), (62, 20), (10, 54)]
    assert below(places(3, 10, 20, 100, 48, 30, 4), 30, 0) == 84
    assert below([], 30, 7) == 7


def test_seats_differ_by_shape_and_dice_show_their_face() -> None:
    assert len({ICONS[shape] for shape in SEAT_SHAPES}) == 6
    assert [len(PIPS[face]) for face in range(1, 7)] == [1, 2, 3, 4, 5, 6]


def luminance(colour: str) -> float:
    """Return how light a colour is, as the guidelines for contrast reckon it."""
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", THEMES)
def test_text_can_be_read_in_each_scheme(theme: str) -> None:
    colours = {name: luminance(value) for name, value in THEMES[theme].items()}
    for above, ground in [("ink", "paper"), ("ink", "sunk"), ("soft", "card"), ("soft", "sunk"), *(("on", f"c{k}") for k in range(8))]:
        light, dark = sorted((colours[above], colours[ground]), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, (above, ground)


def test_a_picture_follows_the_scheme_or_is_fixed_to_one() -> None:
    svg = picture().svg()
    assert f"<style>{STYLE}</style>" in svg
    assert len(NAMES) == len(LIGHT) == len(DARK)
    for theme in THEMES:
        told = fixed(svg, theme)
        assert "var(" not in told
        assert "<style>" not in told
        assert THEMES[theme]["paper"] in told
