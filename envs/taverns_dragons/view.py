"""The table in words, as players would describe it, and why an action is not legal."""

from typing import Any

from alehouse.envs.taverns_dragons.questions import QUESTIONS
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.taverns_dragons.layout import (
    ACTIONS, DRAGON_NAMES, EVENT_NAMES, HERO_NAMES, INGREDIENTS, ITEM_NAMES, LINES, MINION_NAMES, MISSION_NAMES, NUMBERS, P_MISSIONS,
    PHASES, PLACE_NAMES, RECIPE_NAMES, SLOT_NAMES, SYMBOLS, TAVERN_NAMES, TOKENS, ZONE_NAMES,
)  # fmt: skip


def title(word: str) -> str:
    """Return a key of the tables as readable words."""
    return word.replace("_", " ")


def several(counts: Any, names: Any) -> str:
    """Return the names of things, each with how many there are; `counts` holds the numbers."""
    return ", ".join(f"{n} {title(name)}" for n, name in zip(counts, names, strict=True) if n) or "-"


def some(members: int, names: Any) -> str:
    """Return the names of the members of a set."""
    return ", ".join(title(name) for k, name in enumerate(names) if int(members) >> k & 1) or "-"


def describe(s: Any, R: Any, seat: int | None) -> str:
    """Return the table in words; if a seat is given, only what that seat may know."""
    lines = [f"round {int(s['rounds']) + 1}, {PHASES[s.phase]}; player_{s.first} is first"]
    lines += [zone(s, R, k) for k in range(len(ZONE_NAMES))]
    lines += [slot(s, R, k) for k in range(len(SLOT_NAMES))]
    lines.append(f"recipes: {', '.join('-' if r < 0 else recipe(R, r) for r in s.display)}")
    lines.append(f"heroes: {', '.join(f'{title(h)} ({R.price[k]})' for k, h in enumerate(HERO_NAMES) if int(s.market) >> k & 1) or '-'}")
    lines.append(f"bank: taken {some(s.bank, NUMBERS.rows('bank'))}")
    if R.missions:
        lines.append(f"common mission: {title(MISSION_NAMES[s.mission[0]])}")
    if s.event >= 0:
        lines.append(f"event: {title(EVENT_NAMES[s.event])}")
    for p in range(R.seats):
        lines += tavern(s, R, p, p == seat or seat is None)
    if s.hunt.dice.any():
        lines.append(f"hunt: {several(s.hunt.dice, SYMBOLS)}")
    lines.append(asked(s) if s.stack.n else "the game is over")
    return "\n".join(lines)


def zone(s: Any, R: Any, k: int) -> str:
    """Return a zone in words: its ingredients, and who is there."""
    here = [several(s.tokens[k], INGREDIENTS[:TOKENS])] if s.tokens[k].any() else []
    here += [f"any {some(R.printed[k], INGREDIENTS)}"] if R.printed[k] else []
    here += ["encounter"] if s.encounter == k else []
    here += [f"goblin with {s.goblin_items} items"] if s.goblin == k else []
    here += [f"{m} of player_{p}" for p in range(R.seats) for j, m in enumerate(MINION_NAMES) if s.seat[p].zone[j] == k]
    return f"  {k} {ZONE_NAMES[k]}: {', '.join(here) or '-'}"


def slot(s: Any, R: Any, k: int) -> str:
    """Return in words the place on a slot, and the dragon that sits on it."""
    line = f"  {SLOT_NAMES[k]} {title(PLACE_NAMES[s.place[k]])}: {int(s.open) - int(s.paid[k])} free"
    if s.dragon >= 0 and R.lair[s.dragon] == k:
        left = [f"{k + 1} {several(s.boxes[k], SYMBOLS[:2])}" for k in range(LINES) if s.boxes[k].any()]
        line += f"; {DRAGON_NAMES[s.dragon]}, boxes left: {'; '.join(left)}"
    return line


def recipe(R: Any, k: int) -> str:
    """Return a recipe in words: its ingredients and points."""
    return f"{title(RECIPE_NAMES[k])} ({several(R.needs[k], INGREDIENTS)}: {R.points[k]})"


def tavern(s: Any, R: Any, p: int, secrets: bool) -> list[str]:
    """Return a tavern in words; `secrets` says whether to name its mission and its trophies."""
    me = s.seat[p]
    money = f"{me.score} prestige, {me.gold} gold, {me.energy} energy, {me.runes} runes"
    lines = [f"player_{p}: {money}; dice {several(me.dice, [f'of {v + 1}' for v in range(len(me.dice))])}"]
    lines.append(f"  pantry: {several(me.pantry, INGREDIENTS)}; cooked: {some(me.cooked, RECIPE_NAMES)}")
    lines += [minion(me, m) for m in range(len(MINION_NAMES))]
    if me.ready or me.tired:
        lines.append(
            f"  heroes: {some(me.ready, HERO_NAMES)}; exhausted: {some(me.tired, HERO_NAMES)}; bonus used: {some(me.bonus, HERO_NAMES)}"
        )
    if me.forge:
        lines.append(f"  forge: {some(me.forge, NUMBERS.rows('forge'))}")
    if me.trophies:
        lines.append(f"  trophies: {some(me.spoils, NUMBERS.rows('trophies')) if secrets else me.trophies}")
    if R.missions and secrets:
        lines.append(f"  mission: {mission(s, p)}")
    if R.asymmetric:
        lines.append(f"  {title(TAVERN_NAMES[me.tavern])}, square {me.marker}")
    if R.goblin:
        lines.append(f"  items: {several(me.items, ITEM_NAMES)}")
    return lines


def mission(s: Any, p: int) -> str:
    """Return in words the mission that a seat kept, or the two it chooses from."""
    kept, other = (title(MISSION_NAMES[k]) for k in s.mission[2 * p + 1 : 2 * p + 3])
    return f"{kept} or {other}" if s.phase == P_MISSIONS and p >= s.cursor else f"{kept} (not {other})"


def minion(me: Any, m: int) -> str:
    """Return a minion in words: where it stands, and what it carries."""
    die = f", die {me.die[m]}" if me.die[m] else ""
    wounds = f", {me.wounds[m]} wounds" if me.wounds[m] else ""
    return f"  {MINION_NAMES[m]} in {ZONE_NAMES[me.zone[m]]}: {several(me.bag[m], INGREDIENTS)}{wounds}{die}"


def asked(s: Any) -> str:
    """Return who must answer which question."""
    return f"player_{top(s).seat} is asked to {QUESTIONS.asked(s).prompt}"


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
        "visit": "the place must lie beside the active minion, be unvisited this turn, free, without dragon and paid for (TD 3.3); ",
        "hunt": "the active minion hunts once, beside the dragon, for energy that the seat has (TD 3.3); ",
        "encounter": "an encounter takes energy and a minion in the zone of the token, once a turn (TD 4.4); ",
        "end": "a die must be placed first (TD 3.2); ",
    }
    return known.get(segment, "")
