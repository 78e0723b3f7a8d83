"""What a seat may know of a table, the same in words and as answers, and why an action is not legal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from alehouse.envs.taverns_dragons.modules import missions
from alehouse.envs.taverns_dragons.questions import QUESTIONS
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.core.words import amount
from alehouse.envs.core.show.view import Asked, Phrases, title
from alehouse.envs.taverns_dragons.layout import (
    ACTIONS, DRAGON_NAMES, EVENT_NAMES, HERO_NAMES, ICONS, INGREDIENTS, ITEM_NAMES, LINES, MINION_NAMES, MISSION_NAMES, NUMBERS, P_BOARDS,
    P_MISSIONS, P_TURNS, PHASES, PLACE_NAMES, RECIPE_NAMES, REWARDS, SLOT_NAMES, SPECIALS, SYMBOLS, TAVERN_NAMES, TOKENS, ZONE_NAMES,
)  # fmt: skip
from alehouse.envs.taverns_dragons.state import NOTHING


@dataclass(frozen=True)
class Zone:
    """A zone of the ring: what lies there, and where it leads."""

    number: int
    key: str
    tokens: Mapping[str, int]
    printed: tuple[str, ...]  # ingredients of which there are always enough
    encounter: bool
    goblin: int | None  # items on the goblin's board, if he is there
    minions: tuple[tuple[int, str], ...]  # the seat and the kind of each
    beside: tuple[str, ...]  # slots
    shortcut: int | None
    runes: int


@dataclass(frozen=True)
class Slot:
    """A slot of the board: its place, and whether the dragon sits there."""

    letter: str
    place: str
    free: int
    spaces: int
    dragon: bool


@dataclass(frozen=True)
class Dragon:
    """The dragon in play."""

    key: str
    special: str  # what a flame does
    lines: tuple[tuple[Mapping[str, int], Mapping[str, int], str], ...]  # boxes printed, boxes left and the reward of each line


@dataclass(frozen=True)
class Recipe:
    """A recipe on display."""

    key: str
    needs: Mapping[str, int]
    points: int


@dataclass(frozen=True)
class Minion:
    """A minion and what it carries."""

    key: str
    zone: str
    bag: Mapping[str, int]
    slots: int
    wounds: int
    die: int  # 0 if it has not moved this round


@dataclass(frozen=True)
class Tavern:
    """A tavern, as far as the viewer may know it."""

    score: int
    gold: int
    energy: int
    runes: int
    dice: Mapping[int, int]  # number of available dice of each value
    pantry: Mapping[str, int]
    cooked: tuple[str, ...]
    minions: tuple[Minion, ...]
    ready: tuple[str, ...]
    tired: tuple[str, ...]
    bonus: tuple[str, ...]  # heroes whose bonus was used
    forge: tuple[str, ...]
    trophies: int
    spoils: tuple[str, ...] | None  # those trophies; None: the viewer may not see them
    missions: tuple[str, ...] | None  # the mission kept, and the other one of the two
    undecided: bool  # which of them is kept
    track: str | None  # the board of the tavern, with its track; None without the module and before the player has chosen one
    marker: int
    items: Mapping[str, int] | None  # None without the module


@dataclass(frozen=True)
class Kingdom:
    """What the viewer may know of a table."""

    round: int
    rounds: int
    phase: str
    first: int | None  # None until dice decide it
    icons: tuple[tuple[str, ...], ...]  # what happens after each round
    zones: tuple[Zone, ...]
    slots: tuple[Slot, ...]
    dragon: Dragon | None
    display: tuple[Recipe | None, ...]
    market: Mapping[str, int]  # heroes on display, with their prices
    bank: Mapping[str, bool]  # its spaces, and whether a die lies there
    mission: str | None  # the common one, once missions are dealt
    event: str | None
    hunt: Mapping[str, int]  # hunting dice by symbol
    active: int | None  # the minion activated last in this turn
    origin: int  # the zone from which it set out
    taverns: tuple[Tavern, ...]


def view(s: Any, R: Any, seat: int | None) -> Kingdom:
    """Return the facts that a seat may know; all of them without a seat."""
    return Kingdom(
        round=int(s["rounds"]) + 1, rounds=int(R.rounds), phase=PHASES[s.phase], first=int(s.first) if s.phase >= P_TURNS else None,
        icons=tuple(tuple(ICONS[k] for k in pair if k) for pair in R.icons[: int(R.rounds) - 1]),
        zones=tuple(zone(s, R, k) for k in range(len(ZONE_NAMES))), slots=tuple(slot(s, R, k) for k in range(len(SLOT_NAMES))),
        dragon=dragon(s, R) if s.dragon >= 0 else None, display=tuple(None if r < 0 else recipe(R, r) for r in s.display),
        market={hero: int(R.price[k]) for k, hero in enumerate(HERO_NAMES) if int(s.market) >> k & 1},
        bank={space: bool(int(s.bank) >> k & 1) for k, space in enumerate(NUMBERS.rows("bank"))},
        mission=MISSION_NAMES[s.mission[0]] if dealt(s, R) else None, event=EVENT_NAMES[s.event] if s.event >= 0 else None,
        hunt=counted(s.hunt.dice, SYMBOLS), active=int(s.deed.active) if s.deed.active >= 0 else None, origin=int(s.deed.origin),
        taverns=tuple(tavern(s, R, p, seat in (None, p)) for p in range(R.seats)),
    )  # fmt: skip


def dealt(s: Any, R: Any) -> bool:
    """Return whether missions are in play and have been dealt."""
    return bool(R.missions and s.phase != P_BOARDS)


def counted(counts: Any, names: Sequence[Any]) -> dict[Any, int]:
    """Return things with the number of each."""
    return {name: int(n) for n, name in zip(counts, names, strict=True) if n}


def some(members: Any, names: Sequence[str]) -> tuple[str, ...]:
    """Return the members of a set."""
    return tuple(name for k, name in enumerate(names) if int(members) >> k & 1)


def zone(s: Any, R: Any, k: int) -> Zone:
    """Return what is to be seen of a zone."""
    minions = ((p, m) for p in range(R.seats) for j, m in enumerate(MINION_NAMES) if s.seat[p].zone[j] == k)
    return Zone(
        number=k, key=ZONE_NAMES[k], tokens=counted(s.tokens[k], INGREDIENTS[:TOKENS]), printed=some(R.printed[k], INGREDIENTS),
        encounter=bool(s.encounter == k), goblin=int(s.goblin_items) if s.goblin == k else None, minions=tuple(minions),
        beside=some(R.beside[k], SLOT_NAMES), shortcut=int(R.shortcut[k]) if R.shortcut[k] >= 0 else None, runes=int(R.zone_runes[k]),
    )  # fmt: skip


def slot(s: Any, R: Any, k: int) -> Slot:
    """Return the place on a slot, and whether the dragon sits on it."""
    there = bool(s.dragon >= 0 and R.lair[s.dragon] == k)
    return Slot(SLOT_NAMES[k], PLACE_NAMES[s.place[k]], int(s.open) - int(s.paid[k]), int(s.open), there)


def dragon(s: Any, R: Any) -> Dragon:
    """Return the dragon in play with the boxes of its lines."""
    k = s.dragon
    lines = (
        (counted(R.boxes[k][n], SYMBOLS[:2]), counted(s.boxes[n], SYMBOLS[:2]), f"{R.reward_amount[k][n]} {REWARDS[R.reward[k][n]]}")
        for n in range(LINES)
    )
    return Dragon(DRAGON_NAMES[k], title(SPECIALS[R.special[k]]), tuple(lines))


def recipe(R: Any, k: int) -> Recipe:
    """Return a recipe with its ingredients and points."""
    return Recipe(RECIPE_NAMES[k], counted(R.needs[k], INGREDIENTS), int(R.points[k]))


def tavern(s: Any, R: Any, p: int, secrets: bool) -> Tavern:
    """Return what is to be seen of a tavern; `secrets` says whether its missions and trophies are."""
    me = s.seat[p]
    own = tuple(MISSION_NAMES[s.mission[k]] for k in (missions.slot(p), missions.second(p)))
    return Tavern(
        score=int(me.score), gold=int(me.gold), energy=int(me.energy), runes=int(me.runes),
        dice=counted(me.dice, range(1, len(me.dice) + 1)), pantry=counted(me.pantry, INGREDIENTS), cooked=some(me.cooked, RECIPE_NAMES),
        minions=tuple(minion(me, R, m) for m in range(len(MINION_NAMES))),
        ready=some(me.ready, HERO_NAMES), tired=some(me.tired, HERO_NAMES), bonus=some(me.bonus, HERO_NAMES),
        forge=some(me.forge, NUMBERS.rows("forge")), trophies=int(me.trophies),
        spoils=some(me.spoils, NUMBERS.rows("trophies")) if secrets else None, missions=own if dealt(s, R) and secrets else None,
        undecided=bool(s.phase == P_MISSIONS and p >= s.cursor),
        track=TAVERN_NAMES[me.tavern] if R.asymmetric and me.tavern != NOTHING else None,
        marker=int(me.marker), items=counted(me.items, ITEM_NAMES) if R.goblin else None,
    )  # fmt: skip


def minion(me: Any, R: Any, m: int) -> Minion:
    """Return where a minion stands, and what it carries."""
    bag = counted(me.bag[m], INGREDIENTS)
    return Minion(MINION_NAMES[m], ZONE_NAMES[me.zone[m]], bag, int(R.slots[m]), int(me.wounds[m]), int(me.die[m]))


# Words


def several(counts: Mapping[Any, int]) -> str:
    """Return the names of things, each with its number."""
    return ", ".join(f"{n} {title(name)}" for name, n in counts.items()) or "-"


def titles(names: Sequence[str]) -> str:
    """Return the names of things."""
    return ", ".join(map(title, names)) or "-"


def describe(s: Any, R: Any, seat: int | None) -> str:
    """Describe the table; for a seat, as far as that seat may know it."""
    t = view(s, R, seat)
    first = "" if t.first is None else f"; player_{t.first} is first"
    lines = [f"round {t.round}, {t.phase}{first}"]
    lines += [zone_words(at) for at in t.zones]
    lines += [slot_words(at, t.dragon) for at in t.slots]
    recipes = ("-" if r is None else f"{title(r.key)} ({several(r.needs)}: {r.points})" for r in t.display)
    lines.append(f"recipes: {', '.join(recipes)}")
    lines.append(f"heroes: {', '.join(f'{title(hero)} ({price})' for hero, price in t.market.items()) or '-'}")
    lines.append(f"bank: taken {titles([space for space, taken in t.bank.items() if taken])}")
    if t.mission:
        lines.append(f"common mission: {title(t.mission)}")
    if t.event:
        lines.append(f"event: {title(t.event)}")
    for p, me in enumerate(t.taverns):
        lines += tavern_words(p, me)
    if t.hunt:
        lines.append(f"hunt: {several(t.hunt)}")
    lines.append(asked(s) if s.stack.n else "the game is over")
    return "\n".join(lines)


def zone_words(at: Zone) -> str:
    """Describe a zone: its ingredients, and who is there."""
    here = [several(at.tokens)] if at.tokens else []
    here += [f"any {titles(at.printed)}"] if at.printed else []
    here += ["encounter"] if at.encounter else []
    here += [f"goblin with {amount(at.goblin, 'item')}"] if at.goblin is not None else []
    here += [f"{m} of player_{p}" for p, m in at.minions]
    return f"  {at.number} {at.key}: {', '.join(here) or '-'}"


def slot_words(at: Slot, dragon: Dragon | None) -> str:
    """Describe the place on a slot, and the dragon that sits on it."""
    line = f"  {at.letter} {title(at.place)}: {at.free} free"
    if at.dragon and dragon:
        left = [f"{k} {several(boxes)}" for k, (_, boxes, _) in enumerate(dragon.lines, 1) if boxes]
        line += f"; {dragon.key}, boxes left: {'; '.join(left)}"
    return line


def tavern_words(p: int, me: Tavern) -> list[str]:
    """Describe a tavern."""
    money = f"{me.score} prestige, {me.gold} gold, {me.energy} energy, {amount(me.runes, 'rune')}"
    lines = [f"player_{p}: {money}; dice {', '.join(f'{n} of {value}' for value, n in me.dice.items()) or '-'}"]
    lines.append(f"  pantry: {several(me.pantry)}; cooked: {titles(me.cooked)}")
    for m in me.minions:
        wounds, die = f", {amount(m.wounds, 'wound')}" if m.wounds else "", f", die {m.die}" if m.die else ""
        lines.append(f"  {m.key} in {m.zone}: {several(m.bag)}{wounds}{die}")
    if me.ready or me.tired:
        lines.append(f"  heroes: {titles(me.ready)}; exhausted: {titles(me.tired)}; bonus used: {titles(me.bonus)}")
    if me.forge:
        lines.append(f"  forge: {titles(me.forge)}")
    if me.trophies:
        lines.append(f"  trophies: {me.trophies if me.spoils is None else titles(me.spoils)}")
    if me.missions:
        kept, other = map(title, me.missions)
        lines.append(f"  mission: {kept} or {other}" if me.undecided else f"  mission: {kept} (not {other})")
    if me.track:
        lines.append(f"  {title(me.track)}, square {me.marker}")
    if me.items is not None:
        lines.append(f"  items: {several(me.items)}")
    return lines


def asked(s: Any) -> str:
    """Return who must answer which question."""
    question = QUESTIONS.asked(s)
    shown = f" (a {SYMBOLS[top(s).a]})" if question.name == "bear" else ""
    return f"player_{top(s).seat} is asked to {question.prompt}{shown}"


def why(s: Any, R: Any, action: int) -> str:
    """Return why an action is not legal now: what is missing, or which question is open instead, and the rule."""
    question = QUESTIONS.asked(s)
    segment, label = ACTIONS.segment(action)
    reason = missing(s, R, s.seat[top(s).seat], segment, label) if question.name in ("turn", "hunt") else ""
    return f"{reason}{asked(s)} (TD {question.rule})"


def missing(s: Any, R: Any, me: Any, segment: str, label: str) -> str:
    """Return what is missing for an action of a turn."""
    if segment == "hire":
        hero = HERO_NAMES.index(label)
        shown = "" if int(s.market) >> hero & 1 else "not on display; "
        return f"{title(label)}: {shown}costs {R.price[hero]} of {me.gold} gold (TD 3.2); "
    if segment in ("ability", "bonus"):
        hero = HERO_NAMES.index(label)
        if not (int(me.ready) | int(me.tired)) >> hero & 1:
            return f"{title(label)} is not in this tavern (TD 3.2); "
        return f"{title(label)}: exhausted, used already or without effect now (TD 3.2, TD-A35); "
    known = {
        "cook": "cooking takes a recipe on that space, an available die of that value and all ingredients in the pantry (TD 3.2 M1); ",
        "bank": "the space must be free and the die available, and only one die of a seat lies on the bank (TD 3.2 M2); ",
        "bank_blank": "the space must be free and the die available, and only one die of a seat lies on the bank (TD 3.2 M2); ",
        "source": "the die must be available, and only one die of a seat lies on the source each round (TD 3.2 M3); ",
        "move": "the die must be available, and each minion moves once a round (TD 3.2 M4); ",
        "discard": "a die is discarded only if none can be placed (TD-A17); ",
        "collect": "the active minion collects once, an ingredient of its zone, into a free slot (TD 3.3); ",
        "visit": "the place must lie beside the active minion, be free, unvisited by it this turn, without dragon and paid for (TD 3.3); ",
        "hunt": "the active minion hunts once, beside the dragon, for energy that the seat has (TD 3.3); ",
        "encounter": "an encounter takes energy and a minion in the zone of the token, once a turn (TD 4.4); ",
        "end": "a die must be placed first (TD 3.2); ",
    }
    return known.get(segment, "")


# Answers


def names(t: Kingdom, asked: Asked, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the names that sentences about answers are filled with."""
    key, me = fields["key"], t.taverns[asked.seat]
    one, _, other = key.partition("_with_" if "_with_" in key else "_to_" if "_to_" in key else "_")
    zones = {at.key: at.number for at in t.zones}
    active = None if t.active is None else me.minions[t.active]
    found = {"one": one, "other": other, "zone": zones[active.zone] if active else 0, "origin": t.origin, "goblin": "", "number": ""}
    found["goblin"] = next((at.number for at in t.zones if at.goblin is not None), 0)
    found["dungeon"] = next((at.letter for at in t.slots if at.place == "dungeon"), "")
    found["number"], found["price"] = zones.get(key, 0), t.market.get(key, 0)
    found["place"] = next((title(at.place) for at in t.slots if at.letter == key), "")
    found["effect"] = EFFECTS.get(key, "").rstrip(".")
    shown = t.display[int(one) - 1] if one.isdigit() and int(one) <= len(t.display) else None
    return found | {"recipe": title(shown.key) if shown else "recipe", "value": BANK.get(key, key)}


EFFECTS = {row["key"]: row["effect"] for table in ("heroes", "missions", "items") for row in NUMBERS.tables[table]}
EFFECTS |= {
    board: "; ".join(row["effect"] for row in NUMBERS.tables["tracks"] if row["key"].startswith(f"{board}_")) for board in TAVERN_NAMES
}
BANK = {str(k): space for k, space in enumerate(NUMBERS.rows("bank"), 1)}
OWN = "own:{seat}:{key}"
PHRASES = Phrases(
    {
        "end": ("End the turn", ""),
        "done": ("{otherwise}", ""),
        "dice/done": ("Roll the chosen dice", ""),
        "cube/done": ("Use no more cubes", ""),
        "cook": ("Cook the {recipe} with a {other}", "recipe:{one}"),
        "bank": ("Place a {key} on the bank", "bank:{value}"),
        "bank_blank": ("Place a {key} on the blank space of the bank", "bank:blank"),
        "source": ("Place a {key} on the source", "source"),
        "move": ("Move the {one} minion with a {other}", "minion:{seat}:{one}"),
        "discard": ("Discard a {key}", "die:{seat}:{key}"),
        "collect": ("Collect a {it}", "zone:{zone}"),
        "collect_behind": ("Collect a {it} where the minion set out", "zone:{origin}"),
        "visit": ("Visit the {place}", "slot:{key}"),
        "hunt": ("Hunt with {key} energy", "dragon"),
        "encounter": ("Have the encounter", "zone:{zone}"),
        "hire": ("Hire the {it} for {price} gold: {effect}", "hero:{key}"),
        "ability": ("Use the {it}: {effect}", OWN),
        "bonus": ("Take the bonus of the {it}", OWN),
        "reroll": ("Spend a rune to roll a {key} again", "die:{seat}:{key}"),
        "store": ("Store what the {key} minion carries", "minion:{seat}:{key}"),
        "heal": ("Heal the {key} minion", "minion:{seat}:{key}"),
        "track": ("Take the bonus of square {key}", "track:{seat}"),
        "buy": ("Buy the top item of the goblin", "zone:{goblin}"),
        "item": ("Use the {it}: {effect}", "item:{seat}:{key}"),
        "attack": ("Attack", "hunt"),
        "reroll_hunting": ("Spend a rune to roll a {it} again", "die:{key}"),
        "charm": ("Turn a hunting die", "hunt"),
        "turn": ("Turn a {one} into a {other}", "die:{one}"),
        "strike": ("Add a {it}", "hunt"),
        "line": ("Mark a box on line {key}", "line:{key}"),
        "search": ("Turn over another token", "slot:{dungeon}"),
        "go": ("Go to zone {number}, {it}", "zone:{number}"),
        "minion": ("The {key} minion", "minion:{seat}:{key}"),
        "kind": ("{it}", ""),
        "cube": ("A cube stands for {it}", ""),
        "hero": ("The {it}", OWN),
        "rob": ("Rob player {seat}", "seat:{seat}"),
        "die": ("Choose a {key}", "die:{seat}:{key}"),
        "recipe": ("Discard the {recipe}", "recipe:{key}"),
        "accept": ("{first}", ""),
        "decline": ("{otherwise}", ""),
        "steps": ("Walk {key} zones", ""),
        "bear/done": ("Let the die count", ""),
        "board": ("Choose the {it}: {effect}", ""),
        "bear/reroll_hunting": ("Spend a rune to roll the {it} again", ""),
        "keep": ("Keep the mission {it}: {effect}", "mission:{key}"),
    },
    names,
    sealed=("mission",),
)
