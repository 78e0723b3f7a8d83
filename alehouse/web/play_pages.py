"""The pages for playing: the games, a new match, and a table as one seat sees it."""

import functools
from collections.abc import Callable
from itertools import groupby
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from alehouse.commands.variants import overrides_of
from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.games import REFERENCE, game, playable, variant
from alehouse.levels import Level, levels, strength
from alehouse.matches.match import HUMAN
from alehouse.matches.words import SURE
from alehouse.web import runs
from alehouse.web.guard import Keys, Refused
from alehouse.web.rooms import Room, Rooms, Shown, head_of, replay_of
from alehouse.web.run_pages import picture_of
from alehouse.web.site import PART, Fields, bar, moment, number_of, page, route, seen, text_of

LISTED = 30  # matches on the first page
TOLD = 60  # moves in the log of a table, the latest ones
USUAL = "level:3"  # the opponent that is chosen until the host chooses another


class Pages:
    """The pages for playing, and the tables that they show."""

    def __init__(self, rooms: Rooms, keys: Keys, address: str, usual: Variant | None) -> None:
        self.rooms, self.keys, self.address, self.usual = rooms, keys, address, usual

    def routes(self) -> list[Route]:
        """Return the ways to these pages."""
        seat = "/table/{name}/{seat:int}"
        return [
            route("/", self.start),
            route("/new/{game}", self.setup),
            route("/new/{game}", self.begin, "POST"),
            route(seat, self.table),
            *(route(f"{seat}/{act.__name__}", functools.partial(self.changed, act), "POST") for act in (answer, undo, hint, replace)),
        ]

    def start(self, request: Request, fields: Fields) -> Response:
        """Show the games, and the matches that can go on."""
        games = [
            {"name": spec.name, "title": spec.title, "seats": spec.seats, "modules": len(spec.modules)}
            for spec in map(game, (*playable(), *REFERENCE))
        ]
        return page(request, "start.html", games=games, matches=list(filter(None, map(self.listed, self.rooms.names()[:LISTED]))))

    def listed(self, name: str) -> dict[str, str] | None:
        """Return how a match is listed; None if its file is damaged, or nobody plays."""
        head = head_of(self.rooms.path(name)) or {}
        try:
            v, who = variant(head["variant"]), list(map(str, head["players"]))
            seat = who.index(HUMAN)
        except (ValueError, TypeError, KeyError):
            return None
        modules = f" with {', '.join(v.modules)}" if v.modules else ""
        when = moment(runs.changed(self.rooms.path(name)))
        over = "; over" if replay_of(self.rooms.path(name)).exists() else ""
        return {"title": v.spec.title, "about": f"{', '.join(who)}{modules}; {when}{over}", "address": address_of(name, seat)}

    def setup(self, request: Request, fields: Fields) -> Response:
        """Show what can be chosen for a match of a game."""
        spec = found(request)
        first = self.usual if self.usual is not None and self.usual.spec is spec else spec.variant()
        titles = {module.name: module.title for module in spec.modules}
        changes = " ".join(f"{key}={value}" for key, value in first.overrides)
        return page(request, "new.html", spec=spec, first=first, changes=changes, titles=titles, players=everybody(spec), usual=USUAL)

    def begin(self, request: Request, fields: Fields) -> Response:
        """Begin a match and go to its table."""
        spec = found(request)
        changes = overrides_of(text_of(fields, "changes").split())
        v = spec.variant(number_of(fields, "seats"), tuple(fields.get("module", ())), text_of(fields, "length") or None, changes or None)
        who = [text_of(fields, f"player{seat}") for seat in range(v.seats)]
        for name in who:
            check_player(spec, name)
        if HUMAN not in who:
            raise Refused(400, "Nobody plays: choose a person for at least one seat.")
        seed = number_of(fields, "seed") if text_of(fields, "seed") else None
        if seed is not None and seed >= 2**64:
            raise Refused(400, f"seed {seed}: 0 to 2**64 - 1.")
        room = self.rooms.new(v, who, seed)
        return RedirectResponse(address_of(room.name, who.index(HUMAN)), 303)

    def table(self, request: Request, fields: Fields) -> Response:
        """Show a table as a seat sees it."""
        name, seat = request.path_params["name"], request.path_params["seat"]
        room = self.rooms.get(name)
        stamp = f"{room.stamp}.{request.state.host}"
        if seen(request, stamp):
            return Response(status_code=204)
        shown = room.shown.get(seat)
        if room.match is not None and shown is None and not room.problem:
            raise Refused(404, f"Nobody sits at seat {seat} of this table.")
        here = address_of(name, seat)
        facts: dict[str, Any] = {"here": here, "stamp": stamp, "problem": room.problem, "shown": shown, "title": name, "best": ""}
        every = 400 if shown is None or room.busy else 700 if shown.view.asked and shown.view.asked.seat != seat else 1500
        if shown is not None and room.match is not None:
            facts |= self.facts(room, seat, shown)
        return page(request, "table.html", "seat.html", **facts, every=every)

    def facts(self, room: Room, seat: int, shown: Shown) -> dict[str, Any]:
        """Return what the page of a seat says."""
        assert room.match is not None
        view, v, who = shown.view, room.match.variant, room.match.players
        mine = view.asked is not None and view.asked.seat == seat
        known = room.rated.get(seat)
        rated = known[1] if known and known[0] == shown.version else None
        worth = [float(one) for one in room.match.tables.utility[0]]
        asked = mine and room.hinted.get(seat) == shown.version
        values = {}
        if asked and rated is not None:
            value, error, loss, doubt = (100 * part[0] for part in (rated.value, SURE * rated.error, rated.loss, SURE * rated.loss_error))
            values = {
                one.action: {"told": f"{value[one.action]:.0f} ± {error[one.action]:.0f}%", "good": loss[one.action] <= doubt[one.action]}
                for one in view.options
            }
        options = sorted(view.options, key=lambda option: [one.group for one in view.options].index(option.group))
        seated = [
            {"seat": p, "name": named(p, who[p], seat), "address": self.link(room.name, p) if who[p] == HUMAN else ""}
            for p in range(v.seats)
        ]
        return {
            "title": v.spec.title,
            "game": v.game,
            "file": str(replay_of(room.match.path).relative_to(self.rooms.folder.parent)),
            "view": view,
            "mine": mine,
            "names": [named(p, who[p], seat) for p in range(v.seats)],
            "bar": bar(room.bars[seat]) if seat in room.bars and view.asked else "",
            "order": sorted(range(v.seats), key=lambda p: -worth[p]) if view.asked is None else [],
            "won": [p for p in range(v.seats) if worth[p] == max(worth)],
            "picture": picture_of(shown.picture),
            "hint": "coming" if asked and not values else "",
            "values": values,
            "best": " ".join(str(action) for action, one in values.items() if one["good"]),
            "groups": [(group, list(some)) for group, some in groupby(options, key=lambda option: option.group)],
            "log": [told._asdict() | {"fresh": k >= shown.fresh} for k, told in enumerate(shown.log)][: -TOLD - 1 : -1],
            "seated": seated,
            "players": everybody(v.spec),
            "busy": room.busy,
        }

    def link(self, name: str, seat: int) -> str:
        """Return the address that lets another browser take a seat."""
        return f"{self.address}{address_of(name, seat)}?token={self.keys.seat(name, seat)}"

    def changed(self, act: Callable[[Room, int, Fields], None], request: Request, fields: Fields) -> Response:
        """Carry out what a person does at a table, and show the table."""
        seat, room = request.path_params["seat"], self.rooms.get(request.path_params["name"])
        if act is replace and not request.state.host:
            raise Refused(403, "Only the host may say who plays a seat.")
        act(room, seat, fields)
        if PART in request.headers:
            return self.table(request, fields)
        return RedirectResponse(address_of(room.name, seat), 303)


def answer(room: Room, seat: int, fields: Fields) -> None:
    """Answer the question that is open."""
    room.answered(seat, number_of(fields, "action"), number_of(fields, "version"))


def undo(room: Room, seat: int, fields: Fields) -> None:
    """Take the last answer back."""
    room.undone(seat, number_of(fields, "version"))


def hint(room: Room, seat: int, fields: Fields) -> None:
    """Ask how good each answer is."""
    room.hint(seat)


def replace(room: Room, seat: int, fields: Fields) -> None:
    """Give another seat to a person or to an agent."""
    other, player = number_of(fields, "seat"), text_of(fields, "player")
    if other == seat or room.match is None:
        raise Refused(400, "Your own seat stays yours, or this page would end.")
    check_player(room.match.variant.spec, player)
    room.replaced(other, player, number_of(fields, "version"))


def found(request: Request) -> Game:
    """Return the game that an address names."""
    try:
        return game(request.path_params["game"])
    except ValueError:
        raise Refused(404, "There is no such game.") from None


def everybody(spec: Game) -> dict[str, str]:
    """Return who can play a seat of a game, and how that is said."""
    return {HUMAN: "a person"} | {
        f"level:{one.number}": f"level {one.number}, {one.name}{rated(one, spec.default_seats)}" for one in levels(spec)
    }


def rated(one: Level, seats: int) -> str:
    """Return how strong a level is with this many players, where that was measured."""
    return f": {strength(one, seats)} with {seats} players" if seats in one.ratings else ""


def check_player(spec: Game, name: str) -> None:
    """Raise Refused unless a player can be chosen for a game: other agents might run programs."""
    if name not in everybody(spec):
        raise Refused(400, f"player {name[:40]!r}: one of {', '.join(everybody(spec))}.")


def named(seat: int, player: str, own: int) -> str:
    """Return how a player is called on the page of a seat."""
    return "You" if seat == own else f"Player {seat}" if player == HUMAN else f"Player {seat} ({player.replace(':', ' ')})"


def address_of(name: str, seat: int) -> str:
    """Return the address of a seat at a table."""
    return f"/table/{quote(name)}/{seat}"
