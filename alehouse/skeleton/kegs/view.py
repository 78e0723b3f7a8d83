"""A table of Kegs as facts and in words, why an action is not legal, what stays true, and the score counted a second time."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from alehouse.envs.core.show.view import Phrases, title
from alehouse.skeleton.kegs.layout import ACTIONS, CARDS, KEGS
from alehouse.skeleton.kegs.questions import QUESTIONS
from alehouse.skeleton.kegs.state import NOTHING


@dataclass(frozen=True)
class Brewer:
    """What lies before one brewer, as far as the viewer may know it."""

    hand: tuple[int, ...]  # numbers of the bid cards, with one that is chosen in secret
    chosen: bool
    bid: int | None
    favourite: str | None
    kegs: Mapping[str, int]
    tips: int | None  # None without the module


@dataclass(frozen=True)
class Brewery:
    """What the viewer may know of a table."""

    round: int
    rounds: int
    keg: str
    worth: int
    spilled: int
    brewers: tuple[Brewer, ...]


def view(s: Any, R: Any, seat: int | None) -> Brewery:
    """Return the facts that a seat may know; all of them if no seat is given."""
    brewers = tuple(brewer(s.seat[p], R, seat in (None, p)) for p in range(R.seats))
    return Brewery(int(s.played) + 1, int(R.rounds), title(KEGS[s.keg]), int(R.value[s.keg]), int(s.spilled), brewers)


def brewer(me: Any, R: Any, open_to: bool) -> Brewer:
    """Return what lies before a brewer; `open_to` says whether the viewer may see the favourite and the bid."""
    chosen = me.bid != NOTHING
    hand = int(me.hand) if open_to or not chosen else int(me.hand) | 1 << int(me.bid)
    kegs = {title(name): int(n) for n, name in zip(me.kegs, KEGS, strict=True) if n}
    bid, favourite = int(me.bid) + 1 if open_to and chosen else None, title(KEGS[me.favourite]) if open_to else None
    return Brewer(cards(hand), chosen, bid, favourite, kegs, int(me.tips) if R.tips else None)


def cards(members: int) -> tuple[int, ...]:
    """Return the numbers of a set of bid cards."""
    return tuple(k + 1 for k in range(CARDS) if members >> k & 1)


def describe(s: Any, R: Any, seat: int | None) -> str:
    """Describe the table, as far as a seat may know it; all of it if no seat is given."""
    t = view(s, R, seat)
    lines = [f"round {t.round} of {t.rounds}: {t.keg}, worth {t.worth}; {t.spilled} spilled"]
    for p, me in enumerate(t.brewers):
        bid = f"bids {me.bid}" if me.bid else "has chosen" if me.chosen else "no bid"
        kegs = ", ".join(f"{n} {name}" for name, n in me.kegs.items()) or "no kegs"
        tips = f", {me.tips} tips" if me.tips is not None else ""
        lines.append(f"player_{p}: {bid}, holds {spoken(me.hand)}, has {kegs}{tips}; favourite {me.favourite or '?'}")
    lines.append(f"player_{s.turn} is asked to {QUESTIONS.asked(s).prompt}" if s.turn >= 0 else "the game is over")
    return "\n".join(lines)


def spoken(hand: tuple[int, ...]) -> str:
    """Name bid cards."""
    return " ".join(map(str, hand)) or "-"


PHRASES = Phrases({"bid": ("Bid the {key}", "card:{seat}:{key}")})


def why(s: Any, R: Any, action: int) -> str:
    """Say why an action is not legal."""
    held = spoken(cards(int(s.seat[s.turn].hand)))
    return f"{ACTIONS.names[action]}: player_{s.turn} holds {held} and is asked to {QUESTIONS.asked(s).prompt} (KG 2)"


def audit(s: Any, R: Any) -> list[str]:
    """Report kegs and cards that were lost or made."""
    faults = []
    won = int(s.seat["kegs"].sum()) + int(s.spilled)
    if won + int(s.deck.sum()) + int(s.turn >= 0) != int(R.copies.sum()):
        faults.append("kegs were lost or made")
    for p in range(R.seats):
        held = int(s.seat[p].hand).bit_count() + int(s.seat[p].bid != NOTHING)
        if held != R.rounds - s.played:
            faults.append(f"player_{p} has {held} cards in round {s.played + 1}")
    return faults


def score_again(s: Any, R: Any) -> list[int]:
    """Return the points again, counted keg by keg."""
    points = []
    for p in range(R.seats):
        me = s.seat[p]
        kegs = [kind for kind, n in enumerate(me.kegs) for _ in range(int(n))]
        bonus = sum(int(R.favourite) for kind in kegs if kind == me.favourite)
        points.append(sum(int(R.value[kind]) for kind in kegs) + bonus + int(me.tips) * int(R.tip))
    return points
