"""A small builder of pictures: text that fits, icons, seats by colour and shape, and things that can be clicked."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from alehouse.envs.core.show.icons import ICONS, PIPS, SEAT_SHAPES
from alehouse.envs.core.show.theme import STYLE, colour
from alehouse.envs.core.show.view import Option, View

WIDTH, EDGE, GAP = 900, 12, 8
INSIDE = WIDTH - 2 * EDGE
SMALLEST = 11.0  # size of text, in pixels of a picture of full width
FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif"
TIMES = "\u00d7"
WIDTHS = {**dict.fromkeys("iIjl|'.,:;!", 0.34), **dict.fromkeys("ftr()[]/- ", 0.41), **dict.fromkeys("mwMW@%", 0.98)}


def escape(text: str) -> str:
    """Return a text as it may stand in XML."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def width_of(text: str, size: float, bold: bool = False) -> float:
    """Return about how wide a text is in a wide font."""
    return size * (1.12 if bold else 1.0) * sum(WIDTHS.get(letter, 0.74 if letter.isupper() else 0.63) for letter in text)


def wrapped(text: str, size: float, width: float) -> list[str]:
    """Return a text as lines that are no wider than given, where its words allow it."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and width_of(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


class Picture:
    """A picture under way. Coordinates are pixels of a picture of full width; `y` is where the next row may begin."""

    def __init__(self, view: View, title: str, situation: str) -> None:
        """Draw the heading: the game, how far it has come, and who is asked what."""
        self.view, self.parts, self.icons, self.drawn = view, list[str](), dict[str, str](), set[int]()
        self.concerned = defaultdict[str, list[Option]](list)
        for option in view.options:
            if option.thing:
                self.concerned[option.thing].append(option)
        self.text(EDGE, 26, title, 18, bold=True)
        self.text(WIDTH - EDGE, 26, situation, 13, "soft", anchor="end", fit=860 - width_of(title, 18, True))
        self.box(EDGE, 38, INSIDE, 30, "sunk", None)
        if view.asked is None:
            self.text(EDGE + 12, 58, "The game is over", 14, bold=True)
            for seat, points in enumerate(view.scores):
                self.badge(seat, 190 + 112 * seat, 53, 20)
                self.text(206 + 112 * seat, 58, f"{points} points", 14, bold=True, fit=84)
        else:
            self.badge(view.asked.seat, EDGE + 18, 53, 20)
            question = f"player_{view.asked.seat} is asked to {view.asked.prompt}"
            self.text(EDGE + 36, 58, question, 14, bold=True, fit=INSIDE - 46)
        self.y = 80.0

    def box(self, x: float, y: float, w: float, h: float, fill: str | None = "card", line: str | None = "line",
            r: float = 6, thick: float = 1, more: str = "") -> None:  # fmt: skip
        """Draw a rectangle with round corners."""
        paint = f'fill="{colour(fill)}"' + (f' stroke="{colour(line)}" stroke-width="{thick:g}"' if line else "")
        self.parts.append(f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="{r:g}" {paint}{more}/>')

    def line(self, points: Sequence[tuple[float, float]], paint: str = "line", thick: float = 1, dashes: str = "") -> None:
        """Draw a line through points."""
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        dash = f' stroke-dasharray="{dashes}"' if dashes else ""
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{colour(paint)}" stroke-width="{thick:g}"{dash}/>')

    def text(self, x: float, y: float, words: object, size: float = 12, paint: str = "ink", *, bold: bool = False,
             anchor: str = "start", fit: float = 0) -> None:  # fmt: skip
        """Write a line of text on the base line y; one too wide for `fit` is set smaller, then narrower."""
        told, more = str(words), ""
        if fit and (wide := width_of(told, size, bold)) > fit:
            size = max(SMALLEST, size * fit / wide)
            if width_of(told, size, bold) > fit * 1.02:
                more = f' textLength="{fit:.0f}" lengthAdjust="spacingAndGlyphs"'
        more += ' font-weight="bold"' if bold else ""
        more += f' text-anchor="{anchor}"' if anchor != "start" else ""
        self.parts.append(f'<text x="{x:g}" y="{y:g}" font-size="{size:.3g}" fill="{colour(paint)}"{more}>{escape(told)}</text>')

    def paragraph(self, x: float, y: float, width: float, words: str, size: float = 12, paint: str = "ink") -> float:
        """Write a text in lines, the first on the base line y; return the base line after the last."""
        for k, told in enumerate(wrapped(words, size, width)):
            self.text(x, y + k * size * 1.3, told, size, paint, fit=width)
        return y + len(wrapped(words, size, width)) * size * 1.3

    def icon(self, name: str, x: float, y: float, size: float = 16, paint: str = "ink", line: str = "") -> None:
        """Draw an icon around a point."""
        self.icons[name] = ICONS[name]
        place = f'x="{x - size / 2:g}" y="{y - size / 2:g}" width="{size:g}" height="{size:g}"'
        edge = f' stroke="{colour(line)}" stroke-width="2"' if line else ""
        self.parts.append(f'<use href="#alehouse-{name}" {place} fill="{colour(paint)}"{edge}/>')

    def badge(self, seat: int, x: float, y: float, size: float = 18, words: object = None) -> None:
        """Draw the sign of a seat, its colour, shape and number, around a point."""
        self.icon(SEAT_SHAPES[seat % 6], x, y, size, f"c{seat % 6}", line="card")
        low = 0.1 * size if seat % 6 == 2 else 0.0  # a triangle is wide below
        high = max(SMALLEST, size * 0.55)
        self.text(x, y + low + 0.36 * high, seat if words is None else words, high, "on", bold=True, anchor="middle")

    def die(self, x: float, y: float, face: object, size: float = 22, paint: str = "card", ink: str = "ink") -> None:
        """Draw a die with its top left corner at a point: pips for a whole number, else a text."""
        self.box(x, y, size, size, paint, "ink", size / 5)
        if not isinstance(face, int) or not 1 <= face <= 6:
            self.text(x + size / 2, y + size * 0.72, face, size * 0.6, ink, bold=True, anchor="middle")
            return
        for column, row in PIPS[face]:
            at = f'cx="{x + size * column:.1f}" cy="{y + size * row:.1f}"'
            self.parts.append(f'<circle {at} r="{size / 10:.1f}" fill="{colour(ink)}"/>')

    def tally(self, x: float, y: float, icon: str, count: object, paint: str = "ink", size: float = 13) -> float:
        """Draw an icon with a number on the base line y; return where the next one may begin."""
        self.icon(icon, x + size * 0.6, y - size * 0.36, size * 1.15, paint)
        self.text(x + size * 1.35, y, count, size, bold=True)
        return x + size * 1.35 + width_of(str(count), size, True) + 10

    @contextmanager
    def thing(self, name: str, x: float, y: float, w: float, h: float, r: float = 6, hint: str = "") -> Iterator[bool]:
        """Group what is drawn in this context as a thing on the table, framed and marked if answers concern it.

        Whoever points at the thing is told the answers in words, and the hint.
        """
        found = self.concerned.get(name, [])
        self.drawn.update(option.action for option in found)
        self.parts.append(f'<g data-thing="{escape(name)}"' + marks(found, hint))
        if found:
            self.box(x, y, w, h, None, None, r, more=' pointer-events="all"')  # gaps can be clicked, and things inside stay on top
        yield bool(found)
        if found:
            self.box(x, y, w, h, None, "can", r, 2.5)
            corner = min(13.0, h / 3)
            self.parts.append(
                f'<path d="M{x:g} {y + corner:g}V{y + r:g}Q{x:g} {y:g} {x + r:g} {y:g}H{x + corner:g}z" fill="{colour("can")}"/>'
            )
        self.parts.append("</g>")

    def panel(self, x: float, y: float, w: float, h: float, title: str, seat: int | None = None) -> None:
        """Draw a frame with a heading; that of a seat bears its sign, and a bar in its colour."""
        self.box(x, y, w, h, "card", "line", 8)
        left = x + 10
        if seat is not None:
            asked = self.view.asked is not None and self.view.asked.seat == seat
            self.box(x, y, w, h, None, f"c{seat % 6}", 8, 3 if asked else 1.5)
            self.badge(seat, x + 18, y + 17, 22)
            left = x + 34
        self.text(left, y + 21, title, 13, bold=True, fit=x + w - left - 8)

    def players(self, columns: int, part: "Part") -> None:
        """Draw what lies in front of each player, in rows that are as high as their highest part."""
        w = (INSIDE - GAP * (columns - 1)) / columns
        for first in range(0, self.view.seats, columns):
            row = range(first, min(first + columns, self.view.seats))
            high = max(part(None, self.view, seat, 0, 0, w, 0) for seat in row)
            for k, seat in enumerate(row):
                x = EDGE + k * (w + GAP)
                with self.thing(f"seat:{seat}", x, self.y, w, high, 8):
                    part(self, self.view, seat, x, self.y, w, high)
            self.y += high + GAP
        self.y += 4

    def buttons(self) -> None:
        """Draw a button for each answer whose thing is not in the picture."""
        x, height = float(EDGE), 28
        for option in self.view.options:
            if option.action not in self.drawn:
                wide = min(width_of(option.words, 13) + 24, INSIDE)
                if x > EDGE and x + wide > WIDTH - EDGE:
                    x, self.y = float(EDGE), self.y + height + 8
                self.parts.append("<g" + marks([option]))
                self.box(x, self.y, wide, height, "card", "can", 14, 2)
                self.text(x + wide / 2, self.y + 19, option.words, 13, anchor="middle", fit=wide - 16)
                self.parts.append("</g>")
                x += wide + 8
        self.y += height + EDGE if x > EDGE else 0.0

    def svg(self) -> str:
        """Return the finished picture."""
        self.buttons()
        size = f'width="{WIDTH}" height="{self.y:.0f}" viewBox="0 0 {WIDTH} {self.y:.0f}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" class="alehouse" {size} font-family="{FONT}"><style>{STYLE}</style>'
        symbols = (f'<symbol id="alehouse-{name}" viewBox="0 0 24 24" overflow="visible"><path fill-rule="evenodd" d="{outline}"/></symbol>'
                   for name, outline in sorted(self.icons.items()))  # fmt: skip
        ground = f'<rect width="100%" height="100%" fill="{colour("paper")}"/>'
        return "\n".join([head, "<defs>", *symbols, "</defs>", ground, *self.parts, "</svg>", ""])


# Draws what lies in front of a seat into a box (x, y, w, h), and returns how high it is; without a picture it only returns that.
Part = Callable[[Picture | None, View, int, float, float, float, float], float]


def marks(options: Sequence[Option], hint: str = "") -> str:
    """Return the end of the opening tag of a group that answers concern, with the answers in words."""
    numbers = " ".join(str(option.action) for option in options)
    told = "\n".join([*(option.words for option in options), *([hint] if hint else [])])
    button = f' data-action="{numbers}" role="button" tabindex="0" cursor="pointer"' if options else ""
    return f"{button}><title>{escape(told)}</title>" if told else f"{button}>"


def places(count: int, x: float, y: float, width: float, w: float, h: float, gap: float = 6) -> list[tuple[float, float]]:
    """Return the corners of equal boxes that fill rows of a given width."""
    row = max(1, int((width + gap) // (w + gap)))
    return [(x + k % row * (w + gap), y + k // row * (h + gap)) for k in range(count)]


def below(corners: Iterable[tuple[float, float]], h: float, otherwise: float) -> float:
    """Return the lower end of such boxes."""
    return max((y + h for _, y in corners), default=otherwise)
