"""What a seat may know of a table, the same in words and as answers, and why an action is not legal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from alehouse.envs.tavern_battle.questions import QUESTIONS
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.core.show.view import Asked, Phrases, title
from alehouse.envs.core.words import amount
from alehouse.envs.tavern_battle.audit import listed
from alehouse.envs.tavern_battle.layout import (
    ACTIONS, AGITATION_NAMES, ARRIVALS, BOX, CHARACTER_NAMES, HAND, OBJECT_NAMES, P_BRAWL, P_CHOICE, PHASES, PILE, POSITIONS, SAFE, STRIKE,
    TREASURE_NAMES, VERB_NAMES, WEAPON_NAMES,
)  # fmt: skip
from alehouse.envs.tavern_battle.state import NOBODY
from alehouse.envs.tavern_battle.trade import stands


@dataclass(frozen=True)
class Character:
    """A hero or an arrival on the table."""

    key: str
    position: str
    strength: int
    cunning: int
    marks: tuple[str, ...]  # what lies on him or is said of him, in words
    signs: tuple[str, ...]  # protected, hidden, armed, door, insulted
    role: str  # in the action under way: acts, target or supports


@dataclass(frozen=True)
class Player:
    """What a player has, as far as the viewer may know it."""

    characters: tuple[Character, ...]
    treasures: tuple[str, ...] | None  # None: the viewer may not see them
    count: int  # number of treasures in hand
    safe: tuple[str, ...] | None
    safe_count: int
    known: tuple[str, ...]  # treasures that the viewer knows to be among those he may not see
    objects: Mapping[str, int] | None
    held: int  # objects in hand
    agitation: Mapping[str, int] | None
    cards: int  # agitation cards in hand
    offer: tuple[str, ...] | None


@dataclass(frozen=True)
class Sale:
    """The last sale of the trade, while a disapproval can take it back."""

    seller: int
    sold: str
    buyer: int
    paid: tuple[str, ...]


@dataclass(frozen=True)
class Action:
    """The action of the character activated last."""

    actor: str
    verb: str  # what dice are rolled for, "" where there is none
    tool: str  # the object or weapon
    target: str
    dice: int  # those of the character, the weapon and the supports
    faces: tuple[int, ...]  # the dice as thrown last
    parry: int | None  # the die against them; None where there are no duels, 0 before the first one


@dataclass(frozen=True)
class Brawl:
    """What the viewer may know of a table."""

    round: int  # of the brawl; 0 in the trade
    turn: int  # of the trade
    turns: int
    phase: str
    seller: int
    leader: int
    value: int  # of the tavern
    posted: Mapping[str, int]
    sale: Sale | None
    shown: str | None
    fallen: tuple[str, ...]
    pile: int  # treasures face down in the centre
    pile_among: tuple[str, ...]  # what the viewer holds possible there
    left: int  # objects in the deck
    discarded: Mapping[str, int]
    broken: Mapping[str, int]
    drawn: int  # cards of the arrivals deck
    arrivals: int  # cards of that deck, the Militia included
    militia_from: int  # cards before the first one that may be the Militia
    arrival: str | None  # who may be claimed
    action: Action | None
    players: tuple[Player, ...]


def view(s: Any, R: Any, seat: int | None) -> Brawl:
    """Return the facts that a seat may know; all of them without a seat."""
    turns, last = int(R.turns * R.seats), ARRIVALS + 1
    return Brawl(
        round=int(s.rounds), turn=min(int(s.turns) + 1, turns), turns=turns, phase=PHASES[s.phase], seller=int(s.seller),
        leader=int(s.leader), value=max(0, int(R.value) - int(s.broken_value)), posted=counted(s.agitation, AGITATION_NAMES),
        sale=sale(s), shown=None if s.shown == NOBODY else TREASURE_NAMES[s.shown], fallen=some(s.fallen, TREASURE_NAMES),
        pile=int(s.pile).bit_count(),
        pile_among=some(s.pile if seat is None else s.seat[seat].may[PILE], TREASURE_NAMES) if int(s.pile) else (), left=int(s.left),
        discarded=counted(s.discard, OBJECT_NAMES), broken=counted(s.broken, OBJECT_NAMES), drawn=int(s.drawn), arrivals=last,
        militia_from=last - 1 - int(R.militia_among), arrival=None if s.arrival == NOBODY else CHARACTER_NAMES[s.arrival],
        action=action(s, R), players=tuple(player(s, R, p, seat) for p in range(R.seats)),
    )  # fmt: skip


def counted(counts: Any, names: Sequence[str]) -> dict[str, int]:
    """Return cards with the number of each."""
    return {name: int(n) for n, name in zip(counts, names, strict=True) if n}


def some(word: Any, names: Sequence[str]) -> tuple[str, ...]:
    """Return the members of a set."""
    return tuple(names[k] for k in listed(word))


def sale(s: Any) -> Sale | None:
    """Return the last sale, if it still stands in the trade."""
    if s.phase >= P_BRAWL or not stands(s):
        return None
    last = s.sale
    return Sale(int(last.seller), TREASURE_NAMES[last.sold], int(last.buyer), some(last.paid, TREASURE_NAMES))


def action(s: Any, R: Any) -> Action | None:
    """Return the action of the character activated last, if there is one in this brawl."""
    act, under_way = s.act, bool(s.stack.n) and QUESTIONS.asked(s).name in ACTING
    if not s.rounds or not (under_way or s.faces.any()):
        return None
    tool = WEAPON_NAMES[act.weapon] if act.weapon != NOBODY else OBJECT_NAMES[act.object] if act.object != NOBODY else ""
    own = int(R.strength[act.actor] if act.verb == STRIKE else R.cunning[act.actor]) if act.verb != NOBODY else 0
    return Action(
        actor=CHARACTER_NAMES[act.actor], verb="" if act.verb == NOBODY else VERB_NAMES[act.verb], tool=tool,
        target="" if act.target == NOBODY else CHARACTER_NAMES[act.target],
        dice=own + int(act.points) + (int(R.bonus) if act.weapon != NOBODY else 0),
        faces=tuple(face for face, n in enumerate(s.faces, 1) for _ in range(int(n))), parry=int(s.parry) if R.tete_dure else None,
    )  # fmt: skip


def player(s: Any, R: Any, p: int, seat: int | None) -> Player:
    """Return what a player has on the table and, where it may be known, in hand."""
    me, own = s.seat[p], seat in (None, p)
    return Player(
        characters=tuple(character(s, R, c) for c in listed(me.group)), treasures=some(me.treasures, TREASURE_NAMES) if own else None,
        count=int(me.treasures).bit_count(), safe=some(me.safe, TREASURE_NAMES) if own else None, safe_count=int(me.safe).bit_count(),
        known=() if seat is None or own else remembered(s, R, p, seat), objects=counted(me.objects, OBJECT_NAMES) if own else None,
        held=int(me.held), agitation=counted(me.agitation, AGITATION_NAMES) if own else None, cards=int(me.cards),
        offer=some(me.offer, TREASURE_NAMES) if own or s.phase == P_CHOICE else None,
    )  # fmt: skip


def remembered(s: Any, R: Any, p: int, seat: int) -> tuple[str, ...]:
    """Return the treasures that one seat knows another to have."""
    may = [int(word) for word in s.seat[seat].may]
    elsewhere = may[PILE] | may[BOX]
    for q in range(int(R.seats)):
        if q != p:
            elsewhere |= may[HAND + q] | may[SAFE + q]
    return some((may[HAND + p] | may[SAFE + p]) & ~elsewhere, TREASURE_NAMES)


def character(s: Any, R: Any, c: int) -> Character:
    """Return a character, its position, and what lies on it."""
    lying = [name for name in POSITIONS if int(s[name]) >> c & 1]
    told = {
        "protected": [f"behind the {title(OBJECT_NAMES[s.cover[c]])}"] if s.cover[c] != NOBODY else [],
        "hidden": [f"in the {title(OBJECT_NAMES[s.den[c]])}"] if s.den[c] != NOBODY else [],
        "armed": [f"with the {title(WEAPON_NAMES[w])}" for w in range(len(WEAPON_NAMES)) if s.bearer[w] == c],
        "door": ["at the door"] if int(s.door) >> c & 1 else [],
        "insulted": ["insulted"] if not s.rounds and int(s.insulted) >> c & 1 else [],
    }
    acting = s.phase == P_BRAWL and bool(s.stack.n) and QUESTIONS.asked(s).name in ACTING
    helps = s.act.foe == NOBODY and int(s.act.supporters) >> c & 1
    role = "acts" if c == s.act.actor else "target" if c == s.act.target else "supports" if helps else ""
    marks = ([] if lying == ["upright"] else lying) + [words for found in told.values() for words in found]
    return Character(
        key=CHARACTER_NAMES[c], position=lying[0] if lying else "upright", strength=int(R.strength[c]), cunning=int(R.cunning[c]),
        marks=tuple(marks), signs=tuple(sign for sign, found in told.items() if found), role=role if acting else "",
    )  # fmt: skip


ACTING = ("action", "pick", "target", "support", "lend", "drop", "loot", "riposte", "secure")  # questions of an action under way

# Words


def several(cards: Mapping[str, int]) -> str:
    """Return cards by name, with the number of each where there are several."""
    return ", ".join(f"{n} {title(name)}" if n > 1 else title(name) for name, n in cards.items()) or "-"


def titles(names: Sequence[str]) -> str:
    """Return cards by name."""
    return ", ".join(map(title, names)) or "-"


def describe(s: Any, R: Any, seat: int | None) -> str:
    """Return the table in words; with a seat, only what that seat may know."""
    t = view(s, R, seat)
    lines = [f"{headline(t)}; the tavern is worth {t.value}"]
    if t.posted:
        lines.append(f"posted: {several(t.posted)}")
    if t.sale:
        lines.append(f"last sale: {sale_words(t.sale)}")
    if t.shown:
        lines.append(f"for sale: {title(t.shown)}")
    if t.fallen or t.pile:
        down = f"; face down {t.pile} of {titles(t.pile_among)}" if t.pile else ""
        lines.append(f"in the centre: {titles(t.fallen)}{down}")
    if s.phase >= P_BRAWL:
        lines.append(f"objects: {t.left} in the deck; discarded {several(t.discarded)}; broken {several(t.broken)}")
    if t.action and t.action.faces:
        lines.append(f"last roll: {dice_words(t.action)}")
    for p, me in enumerate(t.players):
        lines += player_words(p, me)
    if t.arrival:
        lines.append(f"who wants the {title(t.arrival)}?")
    lines.append(asked(s) if s.stack.n else "the game is over")
    return "\n".join(lines)


def headline(t: Brawl) -> str:
    """Return how far the game has come."""
    if t.round:
        return f"round {t.round} of the brawl, {t.phase}; {amount(t.drawn, 'arrival')}; player_{t.leader} leads"
    return f"trade turn {t.turn} of {t.turns}, {t.phase}; player_{t.seller} sells"


def sale_words(last: Sale) -> str:
    """Return the last sale in words."""
    return f"{title(last.sold)} of player_{last.seller}, for {titles(last.paid)} of player_{last.buyer}"


def dice_words(last: Action) -> str:
    """Return the dice rolled last, the highest first, and with Tête dure the defender's die."""
    return ", ".join(map(str, sorted(last.faces, reverse=True))) + (f" against {last.parry}" if last.parry else "")


def chance(before: Any, s: Any, R: Any) -> list[str]:
    """Return what chance has decided since a moment before, in words: a roll of dice."""
    last = action(s, R) if s.rolls != before.rolls else None
    return [f"{title(last.actor)} rolls {dice_words(last) or 'no dice'}"] if last else []


def player_words(p: int, me: Player) -> list[str]:
    """Return what a player has, in words."""
    group = (title(one.key) + (f" ({', '.join(one.marks)})" if one.marks else "") for one in me.characters)
    lines = [f"player_{p}: {', '.join(group)}"]
    if me.treasures is not None:
        lines.append(f"  treasures: {titles(me.treasures)}" + (f"; safe: {titles(me.safe)}" if me.safe else ""))
    else:
        safe = f", {me.safe_count} safe" if me.safe_count else ""
        lines.append(f"  {amount(me.count, 'treasure')}{safe}; among them {titles(me.known)}")
    cards = []
    if me.held:
        cards.append(amount(me.held, "object") if me.objects is None else f"objects: {several(me.objects)}")
    if me.cards:
        cards.append(amount(me.cards, "agitation card") if me.agitation is None else f"agitation: {several(me.agitation)}")
    if me.offer:
        cards.append(f"offers {titles(me.offer)}")
    return [*lines, f"  {'; '.join(cards)}"] if cards else lines


def asked(s: Any) -> str:
    """Return who must answer which question."""
    return f"player_{top(s).seat} is asked to {QUESTIONS.asked(s).prompt}"


NEEDS = {  # for each segment of actions, the reason why the activated character cannot take one of them
    "pick_up": "no treasure lies in the centre (TB 3.4)",
    "protect": "his player does not hold this protection (TB 3.4)",
    "hide": "his player does not hold this hide-out, or cunning and supports are below 1, or he is hidden already (TB 3.4)",
    "stay_hidden": "he is not hidden, or cunning and supports are below 1 (TB 3.6)",
    "draw": "his player does not own this weapon, or it is drawn already (TB 3.4)",
    "strike": "his player does not hold this contact weapon, or he has no strength, or nobody is in reach (TB 3.5)",
    "strike_drawn": "he has not drawn it in an earlier round, or he has no strength, or nobody is in reach (TB 3.5)",
    "throw": "his player does not hold this ranged weapon, or he has no cunning, or nobody is in reach (TB 3.5)",
    "window": "cunning and supports are too low for the window (TB 3.4)",
    "door": "he stands at the door already (TB 3.4)",
}


def why(s: Any, R: Any, action: int) -> str:
    """Return why an action is not legal now: what it lacks, or which question is open instead."""
    question = QUESTIONS.asked(s)
    segment, label = ACTIONS.segment(action)
    reason = ""
    if question.name in ("action", "riposte") and segment in NEEDS:
        who = top(s).a if question.name == "riposte" else s.act.actor
        reason = f"{title(CHARACTER_NAMES[who])}: {NEEDS[segment]}; "
    elif segment in ("treasure", "character") and question.name != "action":
        reason = f"{title(label)} cannot be chosen now; "
    return f"{reason}{asked(s)} (TB {question.rule})"


# Answers


def names(t: Brawl, asked: Asked, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the names that sentences about answers are filled with."""
    key, mine = fields["key"], t.players[asked.seat]
    drawn = f"treasure:{key}" if key in TREASURE_NAMES else f"object:{asked.seat}:{key}"
    actor, dice = (t.action.actor, t.action.dice) if t.action else ("", 0)
    offer = titles(mine.offer) if mine.offer else "nothing"
    return {"weapon": drawn, "actor": actor, "dice": dice, "arrival": title(t.arrival or ""), "offer": offer}


PHRASES = Phrases(
    {
        "pass": ("{otherwise}", ""),
        "action/pass": ("Do nothing", ""),
        "keep/pass": ("Keep none", ""),
        "post": ("Post {it}", "agitation:{seat}:{key}"),
        "confirm": ("Offer {offer}", ""),
        "treasure": ("The {it}", "treasure:{key}"),
        "bait/treasure": ("Give the {it} in exchange", "treasure:{key}"),
        "pass_left/treasure": ("Pass the {it} to the left", "treasure:{key}"),
        "reveal/treasure": ("Sell the {it}", "treasure:{key}"),
        "offer/treasure": ("Add the {it} to the offer", "treasure:{key}"),
        "pick/treasure": ("Pick up the {it}", "treasure:{key}"),
        "drop/treasure": ("Drop the {it}", "treasure:{key}"),
        "loot/treasure": ("Keep the {it}", "treasure:{key}"),
        "secure/treasure": ("Put the {it} safe", "treasure:{key}"),
        "face_down": ("Take one of the treasures that lie face down", "pile"),
        "seat": ("Player {seat}", "seat:{seat}"),
        "victim/seat": ("Against player {seat}", "seat:{seat}"),
        "support/seat": ("Ask player {seat} for a support", "seat:{seat}"),
        "buyer/seat": ("Sell to player {seat}", "seat:{seat}"),
        "character": ("The {it}", "character:{key}"),
        "activate/character": ("Activate the {it}", "character:{key}"),
        "insult/character": ("Insult the {it}", "character:{key}"),
        "target/character": ("Attack the {it}", "character:{key}"),
        "support/character": ("Let the {it} support", "character:{key}"),
        "lend/character": ("Lend the {it} as support", "character:{key}"),
        "penalty/character": ("Tilt the {it}", "character:{key}"),
        "pick_up": ("Pick up a treasure", "centre"),
        "protect": ("Take cover behind the {it}", "object:{seat}:{key}"),
        "hide": ("Hide in the {it}", "object:{seat}:{key}"),
        "stay_hidden": ("Stay hidden", "character:{actor}"),
        "draw": ("Draw the {it}", "{weapon}"),
        "strike": ("Strike with the {it}", "object:{seat}:{key}"),
        "strike_drawn": ("Strike with the {it}, which is drawn", "character:{actor}"),
        "throw": ("Throw the {it}", "object:{seat}:{key}"),
        "window": ("Jump out of the window", ""),
        "door": ("Go to the door", ""),
        "roll": ("Roll the dice", "dice"),
        "keep": ("Keep the {it}", "object:{seat}:{key}"),
        "claim": ("Claim the {arrival}", "arrival"),
    },
    names,
    sealed=("bait", "pass_left", "offer", "loot", "secure", "keep"),
)
