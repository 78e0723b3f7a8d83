"""What a seat may know, as bytes: everything in the open, its own missions and trophies, and what is still face down."""

from alehouse.envs.taverns_dragons.questions import QUESTIONS
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.core.run.byte_blocks import write, write_raised, write_sets
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.declare.layout import Features
from alehouse.envs.taverns_dragons.layout import (
    BANK, DRAGON_NAMES, DRAGONS, ENCOUNTER_NAMES, ENCOUNTERS, EVENT_NAMES, EVENTS, FINDS, FORGED, HERO_NAMES, HEROES, INGREDIENTS,
    ITEM_NAMES, ITEMS, KINDS, LINES, MINION_NAMES, MINIONS, MISSION_NAMES, NUMBERS, P_MISSIONS, PHASES, RECIPE_NAMES, RECIPES, RELATIVE,
    SHOWN, SIDES, SLOT_NAMES, SLOTS, SPACES_SHOWN, SYMBOLS, TOKENS, TROPHIES, VALUES, ZONE_NAMES,
)  # fmt: skip
from alehouse.envs.taverns_dragons.modules import missions

BYTE = 255
DEEDS = ("placed", "active", "collected", "hunted", "met", "bought", "cooked", "extra", "picked", "origin")
WORK = ("walker", "steps", "hurt", "wounds", "searching")
HUNT = ("stage", "shield", "charm", "swords", "bows")
COUNTS = ("score", "gold", "energy", "runes", "best", "bank", "source", "trophies")
TIRED, SPENT = 2, 4  # a hero in a tavern is ready (1) or exhausted; beside, the bonus may be used
BAGS = tuple(f"{minion}_{kind}" for minion in MINION_NAMES for kind in INGREDIENTS)

FEATURES = Features(
    [
        ("seats", RELATIVE, 1),
        ("modules", ("missions", "events", "asymmetric", "encounters", "goblin"), 1),
        ("first_player", RELATIVE, 1),
        ("phase", PHASES[:-1], 1),
        ("question", QUESTIONS.names, 1),
        ("about", ("a", "b"), BYTE),
        ("situation", ("rounds", "turns", "icons"), BYTE),
        ("deed", DEEDS, BYTE),
        ("moved", MINION_NAMES, 1),
        ("visited", SLOT_NAMES, 1),
        ("work", WORK, BYTE),
        ("dungeon_found", NUMBERS.rows("dungeon"), 1),
        ("hunt", HUNT, BYTE),
        ("hunting_dice", SYMBOLS, BYTE),
        ("tokens", tuple(f"{zone}_{kind}" for zone in ZONE_NAMES for kind in INGREDIENTS[:TOKENS]), BYTE),
        ("place", SLOT_NAMES, BYTE),
        ("paid", SLOT_NAMES, BYTE),
        ("dragon", DRAGON_NAMES, 1),
        ("boxes", tuple(f"{line + 1}_{symbol}" for line in range(LINES) for symbol in SYMBOLS[:2]), BYTE),
        ("lines", tuple(str(line + 1) for line in range(LINES)), 1),
        ("unseen_dragons", DRAGON_NAMES, 1),
        ("bank", (*VALUES, "blank"), 1),
        ("display", SPACES_SHOWN, RECIPES),
        ("display_points", SPACES_SHOWN, BYTE),
        ("display_needs", tuple(f"{space}_{kind}" for space in SPACES_SHOWN for kind in INGREDIENTS), BYTE),
        ("unseen_recipes", RECIPE_NAMES, 1),
        ("discarded_recipes", RECIPE_NAMES, 1),
        ("market", HERO_NAMES, 1),
        ("unseen_heroes", HERO_NAMES, 1),
        ("my_trophies", NUMBERS.rows("trophies"), 1),
        *((f"{who}_counts", COUNTS, BYTE) for who in RELATIVE),
        *((f"{who}_dice", VALUES, BYTE) for who in RELATIVE),
        *((f"{who}_pantry", INGREDIENTS, BYTE) for who in RELATIVE),
        *((f"{who}_zones", MINION_NAMES, len(ZONE_NAMES)) for who in RELATIVE),
        *((f"{who}_dice_on", MINION_NAMES, SIDES) for who in RELATIVE),
        *((f"{who}_wounds", MINION_NAMES, BYTE) for who in RELATIVE),
        *((f"{who}_bags", BAGS, BYTE) for who in RELATIVE),
        *((f"{who}_forge", NUMBERS.rows("forge"), 1) for who in RELATIVE),
        *((f"{who}_heroes", HERO_NAMES, TIRED + SPENT) for who in RELATIVE),
        *((f"{who}_cooked", RECIPE_NAMES, 1) for who in RELATIVE),
        ("common_mission", MISSION_NAMES, 1),
        ("my_mission", MISSION_NAMES, 1),
        ("other_mission", MISSION_NAMES, 1),
        ("event", EVENT_NAMES, 1),
        ("event_deck", EVENT_NAMES, 1),
        ("tavern", RELATIVE, BYTE),
        ("marker", RELATIVE, BYTE),
        ("encounter_zone", ZONE_NAMES, 1),
        ("encounter_deck", ENCOUNTER_NAMES, 1),
        ("goblin_zone", ZONE_NAMES, 1),
        ("goblin", ("stack", "unseen"), BYTE),
        ("unseen_items", ITEM_NAMES, BYTE),
        *((f"{who}_items", ITEM_NAMES, BYTE) for who in RELATIVE),
        *((f"{who}_used_items", ITEM_NAMES, BYTE) for who in RELATIVE),
    ]
)
at = FEATURES.start
F_SEATS, F_MODULES, F_FIRST, F_PHASE, F_QUESTION, F_ABOUT = (
    at(f) for f in ("seats", "modules", "first_player", "phase", "question", "about")
)
F_SITUATION, F_DEED, F_MOVED, F_VISITED, F_WORK = (at(f) for f in ("situation", "deed", "moved", "visited", "work"))
F_FOUND, F_HUNT, F_HUNTING, F_TOKENS = (at(f) for f in ("dungeon_found", "hunt", "hunting_dice", "tokens"))
F_PLACE, F_PAID, F_DRAGON, F_BOXES, F_LINES, F_DRAGONS = (at(f) for f in ("place", "paid", "dragon", "boxes", "lines", "unseen_dragons"))
F_BANK, F_DISPLAY, F_POINTS, F_NEEDS = (at(f) for f in ("bank", "display", "display_points", "display_needs"))
F_RECIPES, F_THROWN, F_MARKET, F_HEROES = (at(f) for f in ("unseen_recipes", "discarded_recipes", "market", "unseen_heroes"))
F_COUNTS, F_DICE, F_PANTRY, F_ZONES, F_DIE = (at(f"me_{f}") for f in ("counts", "dice", "pantry", "zones", "dice_on"))
F_WOUNDS, F_BAGS, F_FORGE, F_TAVERN_HEROES = (at(f"me_{f}") for f in ("wounds", "bags", "forge", "heroes"))
F_COOKED, F_ITEMS, F_SPENT = (at(f"me_{f}") for f in ("cooked", "items", "used_items"))
F_TROPHIES, F_COMMON, F_MINE, F_OTHER = (at(f) for f in ("my_trophies", "common_mission", "my_mission", "other_mission"))
F_EVENT, F_EVENTS, F_TAVERN, F_MARKER = (at(f) for f in ("event", "event_deck", "tavern", "marker"))
F_ENCOUNTER, F_MEETINGS, F_GOBLIN, F_STACK, F_HOARD = (
    at(f) for f in ("encounter_zone", "encounter_deck", "goblin_zone", "goblin", "unseen_items")
)


@jit
def observe(s, R, seat, out):
    """Write all segments."""
    out[:] = 0
    situation(s, R, seat, out)
    show_deed(s, out)
    show_board(s, R, out)
    show_recipes(s, R, out)
    for k in range(R.seats):
        show_seat(s.seat[(seat + k) % R.seats], k, out)
    write_sets(out, F_TROPHIES, TROPHIES, (int(s.seat[seat].spoils),))
    show_modules(s, R, seat, out)


@jit
def situation(s, R, seat, out):
    """Who plays what, where the game stands, what is asked."""
    for k in range(R.seats):
        out[F_SEATS + k] = 1
    out[F_MODULES] = R.missions
    out[F_MODULES + 1] = R.events
    out[F_MODULES + 2] = R.asymmetric
    out[F_MODULES + 3] = R.encounters
    out[F_MODULES + 4] = R.goblin
    out[F_FIRST + (int(s.first) - int(seat)) % int(R.seats)] = 1
    if s.stack.n > 0:
        out[F_PHASE + int(s.phase)] = 1
        out[F_QUESTION + int(top(s).what)] = 1
        out[F_ABOUT] = top(s).a
        out[F_ABOUT + 1] = top(s).b
    out[F_SITUATION] = s.rounds
    out[F_SITUATION + 1] = s.cursor
    out[F_SITUATION + 2] = s.icon


@jit
def show_deed(s, out):
    """The turn under way: what has been done, what is being done, the hunt."""
    deed, h = s.deed, s.hunt
    out[F_DEED] = deed.placed
    out[F_DEED + 1] = int(deed.active) + 1
    out[F_DEED + 2] = deed.collected
    out[F_DEED + 3] = deed.hunted
    out[F_DEED + 4] = deed.met
    out[F_DEED + 5] = deed.bought
    out[F_DEED + 6] = deed.cooked
    out[F_DEED + 7] = deed.extra
    out[F_DEED + 8] = deed.picked
    out[F_DEED + 9] = deed.origin
    write_sets(out, F_MOVED, MINIONS, (int(deed.moved),))
    write_sets(out, F_VISITED, SLOTS, (int(deed.visited),))
    if s.steps > 0:
        out[F_WORK] = int(s.walker) + 1
        out[F_WORK + 1] = s.steps
    if s.wounds > 0:
        out[F_WORK + 2] = int(s.hurt) + 1
        out[F_WORK + 3] = s.wounds
    out[F_WORK + 4] = s.searching
    write_sets(out, F_FOUND, FINDS, (int(s.finds),))
    out[F_HUNT] = h.stage
    out[F_HUNT + 1] = h.shield
    out[F_HUNT + 2] = h.charm
    out[F_HUNT + 3] = h.swords
    out[F_HUNT + 4] = h.bows
    write(out, F_HUNTING, h.dice)


@jit
def show_board(s, R, out):
    """Ingredients, places, dragon, bank."""
    write(out, F_TOKENS, s.tokens)
    write_raised(out, F_PLACE, s.place)
    write(out, F_PAID, s.paid)
    if s.dragon >= 0:
        out[F_DRAGON + int(s.dragon)] = 1
        write(out, F_BOXES, s.boxes)
        write_sets(out, F_LINES, LINES, (int(s.lines),))
    write_sets(out, F_DRAGONS, DRAGONS, (int(s.dragons),))
    write_sets(out, F_BANK, BANK, (int(s.bank),))


@jit
def show_recipes(s, R, out):
    """Recipes and heroes on display, discarded, face down."""
    for space in range(SHOWN):
        recipe = int(s.display[space])
        if recipe >= 0:
            out[F_DISPLAY + space] = recipe + 1
            out[F_POINTS + space] = R.points[recipe]
            write(out, F_NEEDS + space * KINDS, R.needs[recipe])
    write_sets(out, F_RECIPES, RECIPES, (int(s.recipes),))
    write_sets(out, F_THROWN, RECIPES, (int(s.thrown),))
    write_sets(out, F_MARKET, HEROES, (int(s.market),))
    write_sets(out, F_HEROES, HEROES, (int(s.heroes),))


@jit
def show_seat(me, k, out):
    """One tavern; k counts seats to the left."""
    c = F_COUNTS + k * len(COUNTS)
    out[c] = min(BYTE, int(me.score))
    out[c + 1] = min(BYTE, int(me.gold))
    out[c + 2] = me.energy
    out[c + 3] = me.runes
    out[c + 4] = me.best
    out[c + 5] = me.bank
    out[c + 6] = me.source
    out[c + 7] = me.trophies
    write(out, F_DICE + k * SIDES, me.dice)
    write(out, F_PANTRY + k * KINDS, me.pantry)
    write(out, F_ZONES + k * MINIONS, me.zone)
    write(out, F_DIE + k * MINIONS, me.die)
    write(out, F_WOUNDS + k * MINIONS, me.wounds)
    write(out, F_BAGS + k * MINIONS * KINDS, me.bag)
    if me.forge != 0:
        write_sets(out, F_FORGE + k * FORGED, FORGED, (int(me.forge),))
    tired, bonus = int(me.tired), int(me.bonus)  # each as often as its mark weighs
    write_sets(out, F_TAVERN_HEROES + k * HEROES, HEROES, (int(me.ready), tired, tired, bonus, bonus, bonus, bonus))
    write_sets(out, F_COOKED + k * RECIPES, RECIPES, (int(me.cooked),))


@jit
def show_modules(s, R, seat, out):
    """Missions, events, tracks, encounters, the goblin."""
    if R.missions:
        show_missions(s, seat, out)
    if R.events:
        if s.event >= 0:
            out[F_EVENT + int(s.event)] = 1
        write_sets(out, F_EVENTS, EVENTS, (int(s.events),))
    if R.asymmetric:
        for k in range(R.seats):
            them = s.seat[(seat + k) % R.seats]
            out[F_TAVERN + k] = int(them.tavern) + 1
            out[F_MARKER + k] = them.marker
    if R.encounters:
        out[F_ENCOUNTER + int(s.encounter)] = 1
        write_sets(out, F_MEETINGS, ENCOUNTERS, (int(s.meetings),))
    if R.goblin:
        if s.goblin >= 0:
            out[F_GOBLIN + int(s.goblin)] = 1
        out[F_STACK] = s.goblin_items
        out[F_STACK + 1] = s.unsold
        write(out, F_HOARD, s.hoard)
        for k in range(R.seats):
            them = s.seat[(seat + k) % R.seats]
            write(out, F_ITEMS + k * ITEMS, them.items)
            write(out, F_SPENT + k * ITEMS, them.used)


@jit
def show_missions(s, seat, out):
    """The common one, and one's own two; before the choice both may be mine."""
    k = missions.slot(seat)
    chosen = s.phase != P_MISSIONS or seat < s.cursor
    out[F_COMMON + int(s.mission[0])] = 1
    out[F_MINE + int(s.mission[k])] = 1
    out[(F_OTHER if chosen else F_MINE) + int(s.mission[k + 1])] = 1
