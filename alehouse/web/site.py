"""What all pages share: templates, the way from an address to a function, and refusals in one line."""

import datetime
import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import jinja2
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from alehouse.envs.core.show.icons import ICONS, SEAT_SHAPES
from alehouse.envs.core.show.theme import STYLE
from alehouse.web.guard import Refused, in_a_line

HERE = Path(__file__).parent
PART = "x-part"  # a script that asks for the part of a page that changes sends this header
BORN = secrets.token_hex(4)  # parts of pages made by another run of the server are not taken for these
FIELDS = 100  # fields that a form may have
WIDTH, LETTER = 320, 8.4  # of the bar of shares, and of a bold letter of its labels

Fields = dict[str, list[str]]
Act = Callable[[Request, Fields], Response]


def moment(seconds: float) -> str:
    """Return a time as a person reads it."""
    return f"{datetime.datetime.fromtimestamp(seconds):%d %b %Y, %H:%M:%S}"


def figure(number: float | None) -> str:
    """Return a number with a sensible number of digits; "" if it is unknown."""
    return "" if number is None else f"{number:,.3g}" if abs(number) < 1000 else f"{number:,.0f}"


def share(number: float | None) -> str:
    """Return a share in percent; "" if it is unknown."""
    return "" if number is None else f"{number:.1%}"


def badge(seat: int) -> Markup:
    """Return the sign of a seat as it stands in the pictures: its colour, shape and number."""
    low = 16.5 if seat % 6 == 2 else 15.5  # a triangle is wide below
    return Markup(
        '<svg class="badge" viewBox="0 0 24 24" role="img" aria-label="player {seat}"><path fill="var(--c{k})" d="{shape}"/>'
        '<text x="12" y="{low}" font-size="11" font-weight="bold" text-anchor="middle" fill="var(--on)">{seat}</text></svg>'
    ).format(seat=seat, k=seat % 6, low=low, shape=ICONS[SEAT_SHAPES[seat % 6]])


def bar(shares: Sequence[float]) -> Markup:
    """Return a bar that is divided among the seats by their shares of the win."""
    parts, x = list[Markup](), 0.0
    for seat, part in enumerate(shares):
        wide = WIDTH * part
        parts.append(Markup('<rect x="{:.1f}" width="{:.1f}" height="24" fill="var(--c{})"/>').format(x, wide, seat % 6))
        label = next((text for text in (f"{seat}: {part:.0%}", str(seat)) if LETTER * (len(text) + 1) < wide), "")
        if label:
            place = Markup('<text x="{:.1f}" y="17" font-size="13" font-weight="bold" text-anchor="middle" fill="var(--on)">')
            parts.append(place.format(x + wide / 2) + label + Markup("</text>"))
        x += wide
    told = ", ".join(f"player {seat} {part:.0%}" for seat, part in enumerate(shares))
    head = Markup('<svg class="bar" viewBox="0 0 {} 24" role="img"><title>Expected share of the win: {}</title>').format(WIDTH, told)
    return head + Markup("").join(parts) + Markup("</svg>")


def interval(one: dict[str, float]) -> Markup:
    """Return a share of the win with its interval, drawn on a line from 0 to 100 %."""
    if one["low"] is None:
        return Markup("")
    line, wide, middle = (
        Markup('<path d="M{:.1f} {}{}" stroke="var(--{})" stroke-width="{}"/>').format(*drawn)
        for drawn in (
            (0, 5, "H100", "line", 1),
            (100 * one["low"], 5, f"H{100 * one['high']:.1f}", "c0", 4),
            (100 * one["mean"], 0, "V10", "ink", 1.5),
        )
    )
    return Markup('<svg class="interval" viewBox="0 0 100 10" preserveAspectRatio="none">{}{}{}</svg>').format(line, wide, middle)


def environment() -> jinja2.Environment:
    """Return the templates."""
    found = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE / "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    found.filters.update(moment=moment, figure=figure, share=share)
    found.globals.update(badge=badge, interval=interval)
    return found


TEMPLATES = environment()


def page(request: Request, name: str, part: str = "", status: int = 200, /, **facts: Any) -> Response:
    """Return a page; where a script asks for the part that changes, only that."""
    wanted = part if part and PART in request.headers else name
    return HTMLResponse(TEMPLATES.get_template(wanted).render(host=request.state.host, **facts), status)


def seen(request: Request, stamp: str) -> bool:
    """Return whether a script that asks for news has seen everything."""
    return request.query_params.get("seen") == stamp


def text_of(fields: Fields, name: str) -> str:
    """Return a field of a form; "" if it is missing."""
    return fields.get(name, [""])[0]


def number_of(fields: Fields, name: str) -> int:
    """Return a field of a form that holds a whole number."""
    text = text_of(fields, name)
    if not text.isascii() or not text.isdigit() or len(text) > 20:
        raise Refused(400, f"{name} {text[:40]!r}: a whole number is needed.")
    return int(text)


def route(path: str, act: Act, method: str = "GET") -> Route:
    """Return the way from an address to a function, which runs in a thread of its own so that other pages need not wait."""

    async def endpoint(request: Request) -> Response:
        try:
            fields = parse_qs((await request.body()).decode(), keep_blank_values=True, max_num_fields=FIELDS)
        except ValueError:
            raise Refused(400, "That is no form of these pages.") from None
        return await run_in_threadpool(act, request, fields)

    return Route(path, endpoint, methods=[method])


def refusal(request: Request, error: Exception) -> Response:
    """Return the answer to a request that is refused: one line, on a page of its own for a person."""
    status, why = 400, in_a_line(error)
    if isinstance(error, Refused):
        status, why = error.status, error.why
    elif isinstance(error, HTTPException):
        status, why = error.status_code, "There is no such page." if error.status_code == 404 else f"{error.detail}."
    if "text/html" in request.headers.get("accept", "") and PART not in request.headers:
        return page(request, "refused.html", "", status, why=why)
    return PlainTextResponse(f"{why}\n", status)


def fault(request: Request, error: Exception) -> Response:
    """Return the answer where something went wrong in the server; the guard prints what."""
    return PlainTextResponse("This went wrong in the server; its terminal says more.\n", 500)


def theme(request: Request, fields: Fields) -> Response:
    """Return the colours of pictures as those of the pages too."""
    return Response(STYLE.replace(".alehouse", ":root"), media_type="text/css")
