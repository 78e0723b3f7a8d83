"""Stands before every page: checks who asks, from where, and how much is sent; adds the headers that keep pages to themselves."""

import hashlib
import hmac
import re
import secrets
import sys
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, quote

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST = 16 << 10  # bytes that a browser may send at once
COOKIE = "alehouse"
METHODS = ("GET", "HEAD", "POST")
SEAT = re.compile(r"/table/([^/]+)/(\d)(?:/|$)")  # the pages of one seat at one table
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self';"
    " base-uri 'none'; frame-ancestors 'none'"
)
REPORT_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",  # with "no-referrer" a browser would hide the origin of forms from us as well
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
ENTERED = (
    '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url={}"><link rel="icon" href="/static/mug.svg">'
    "<title>Alehouse</title>"
)


class Refused(Exception):
    """A request that gets no page: the status, and one line that says why."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status, self.why = status, why


class Keys:
    """The secret tokens of one run of the server: one for the host, and one for each seat at each table."""

    def __init__(self) -> None:
        self.secret, self.host = secrets.token_bytes(32), secrets.token_urlsafe(24)

    def seat(self, table: str, seat: int) -> str:
        """Return the token that opens one seat at one table."""
        return hmac.new(self.secret, f"{table}/{seat}".encode(), hashlib.sha256).hexdigest()[:32]


class Guard:
    """Lets a request through to the pages if it may pass; answers every other one in one line."""

    def __init__(self, pages: ASGIApp, keys: Keys, port: int) -> None:
        self.pages, self.keys = pages, keys
        self.hosts = (f"127.0.0.1:{port}", f"localhost:{port}")
        self.cookie = f"{COOKIE}_{port}"  # cookies do not tell ports apart, so the name does

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            return
        begun = False

        async def guarded(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun, headers = True, MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            entry = self.checked(scope)
            body = await received(scope, receive)
            await (entry or self.pages)(scope, body, guarded)
        except Refused as error:
            await PlainTextResponse(f"{error.why}\n", error.status)(scope, receive, guarded)
        except Exception as error:
            print(f"alehouse: {quote(scope['path'])}: {in_a_line(error)}", file=sys.stderr)
            if not begun:
                await PlainTextResponse("This went wrong in the server; its terminal says more.\n", 500)(scope, receive, guarded)

    def checked(self, scope: Scope) -> Response | None:
        """Raise Refused unless the request may pass; return the page that lets a browser in if the request brings a token."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if host not in self.hosts:
            raise Refused(403, f"This server answers to {self.hosts[0]} only.")
        if scope["method"] not in METHODS:
            raise Refused(405, f"Only {', '.join(METHODS)} are answered here.")
        if scope["method"] == "POST" and headers.get("origin") != f"http://{host}":
            raise Refused(403, "Only the pages of this server may send anything.")
        path, scope["state"] = scope["path"], {"host": False}
        if path.startswith("/static/"):
            return None
        found = SEAT.match(path)
        token = parse_qs(scope["query_string"].decode("ascii", "replace")).get("token", [""])[0]
        if token:
            return self.entered(scope, token)
        shown = cookies(headers)
        if same(shown.get(self.cookie, ""), self.keys.host):
            scope["state"]["host"] = True
            return None
        if found and same(shown.get(f"{self.cookie}_seat", ""), self.keys.seat(found[1], int(found[2]))):
            return None
        raise Refused(403, "Open the address that `alehouse serve` printed, or the link to your seat: it lets your browser in.")

    def entered(self, scope: Scope, token: str) -> Response:
        """Return a page that gives the browser the cookie of its token, and goes on to the same address without the token.

        It is a page and not a redirect because a browser that comes from another site sends a strict cookie only to what our page asks for.
        """
        path: str = scope["path"]
        found = SEAT.match(path)
        answer = HTMLResponse(ENTERED.format(quote(path)))
        kept: dict[str, Any] = {"httponly": True, "samesite": "strict"}
        if path == "/" and same(token, self.keys.host):
            answer.set_cookie(self.cookie, token, **kept)
        elif found and path == found[0] and same(token, self.keys.seat(found[1], int(found[2]))):
            answer.set_cookie(f"{self.cookie}_seat", token, path=quote(path), **kept)
        else:
            raise Refused(403, "This link is not valid, or not any more: each start of the server makes new ones.")
        return answer


def in_a_line(error: Exception) -> str:
    """Return what went wrong as one line, without anything that a terminal would obey."""
    kind = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
    return kind + "".join(letter if letter.isprintable() else "?" for letter in " ".join(str(error).split()))


def same(given: str, wanted: str) -> bool:
    """Return whether two tokens are the same, in a time that does not depend on where they differ."""
    return hmac.compare_digest(given.encode(), wanted.encode())


def cookies(headers: Headers) -> dict[str, str]:
    """Return the cookies of a request; none if they cannot be read."""
    try:
        return {name: one.value for name, one in SimpleCookie(headers.get("cookie", "")).items()}
    except CookieError:
        return {}


async def received(scope: Scope, receive: Receive) -> Receive:
    """Read what a browser sends, up to the limit, and return it as what the pages receive."""
    parts, size, more = list[bytes](), 0, scope["method"] == "POST"
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            break
        parts.append(message.get("body", b""))
        size, more = size + len(parts[-1]), message.get("more_body", False)
        if size > LARGEST:
            raise Refused(413, f"That is more than the {LARGEST:,} bytes that may be sent at once.")

    async def again() -> Message:
        return {"type": "http.request", "body": b"".join(parts), "more_body": False} if scope["method"] == "POST" else await receive()

    return again
