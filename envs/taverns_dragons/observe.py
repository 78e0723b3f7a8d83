"""The observation as bytes: what a seat sees of a table with itself first, its own missions and trophies, and all cards still unseen."""

from alehouse.envs.taverns_dragons.questions import QUESTIONS
from alehouse.envs.taverns_dragons import questions as Q
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.core.run.byte_blocks import write, write_raised, write_sets
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.declare.layout import Features
from alehouse.envs.core.run.seats import around, left
from alehouse.envs.taverns_dragons.layout import (
    BANK, DRAGON_NAMES, DRAGONS, ENCOUNTER_NAMES, ENCOUNTERS, EVENT_NAMES, EVENTS, FINDS, FORGED, HERO_NAMES, HEROES, INGREDIENTS,
    ITEM_NAMES, ITEMS, KINDS, LINES, MINION_NAMES, MINIONS, MISSION_NAMES, NUMBERS, P_BOARDS, P_MISSIONS, PHASES, RECIPE_NAMES, RECIPES,
    RELATIVE, SHOWN, SIDES, SLOT_NAMES, SLOTS, SPACES_SHOWN, SYMBOLS, TOKENS, TROPHIES, VALUES, ZONE_NAMES,
)  # fmt: skip
from alehouse.envs.taverns_dragons.modules import missions

BYTE = 255
DEED = ("placed", "active", "collected", "hunted", "met", "bought", "cooked", "extra", "picked", "origin")
WORK = ("walker", "steps", "hurt", "wounds", "searching")
HUNT = ("stage", "shield", "charm", "swords", "bows")
COUNTS = ("score", "gold", "energy", "runes", "best", "bank", "source", "trophies")
TIRED, SPENT = 2, 4  # a hero in a tavern counts 1 if ready and 2 if exhausted, plus 4 once its bonus is used
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
        ("deed", DEED, BYTE),
        ("moved", MINION_NAMES, 1),
        ("visited", SLOT_NAMES, 1),
        ("visited_by", tuple(f"{minion}_{slot}" for minion in MINION_NAMES for slot in SLOT_NAMES), 1),
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
        ("hero_decks", 1, BYTE),
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
F = FEATURES.places


@jit
def observe(s, R, seat, out):
    """Write what a seat may know of a table."""
    out[:] = 0
    situation(s, R, seat, out)
    show_turn(s, out)
    show_board(s, out)
    show_cards(s, R, out)
    for k in range(R.seats):
        show_seat(s.seat[around(seat + k, R.seats)], k, out)
    write_sets(out, F.my_trophies.at, TROPHIES, (int(s.seat[seat].spoils),))
    show_modules(s, R, seat, out)


@jit
def situation(s, R, seat, out):
    """Write what is played, how far the game has come, and which question is open."""
    for k in range(R.seats):
        out[F.seats.at + k] = 1
    out[F.modules.missions] = R.missions
    out[F.modules.events] = R.events
    out[F.modules.asymmetric] = R.asymmetric
    out[F.modules.encounters] = R.encounters
    out[F.modules.goblin] = R.goblin
    out[F.first_player.at + left(s.first, seat, R.seats)] = 1
    if s.stack.n > 0:
        out[F.phase.at + int(s.phase)] = 1
        out[F.question.at + int(top(s).what)] = 1
        out[F.about.a] = top(s).a
        out[F.about.b] = top(s).b
    for k in range(s.stack.n):
        show_work(s.stack.entry[k], out)
    out[F.situation.rounds] = s.rounds
    out[F.situation.turns] = s.cursor
    out[F.situation.icons] = s.icon


@jit
def show_work(entry, out):
    """Write what an entry of the stack says about the current work; for the stage of a hunt the entry nearest to the top counts."""
    if entry.what == Q.WALK:
        out[F.work.walker] = int(entry.a) + 1
        out[F.work.steps] = entry.b
    elif entry.what == Q.WOUNDS:
        out[F.work.hurt] = int(entry.a) + 1
        out[F.work.wounds] = entry.b
    elif entry.what == Q.SEARCH:
        out[F.work.searching] = 1
    elif entry.what == Q.HUNT:
        out[F.hunt.stage] = 1
    elif entry.what == Q.DAMAGE:
        out[F.hunt.stage] = 2
    elif entry.what == Q.CLAWS:
        out[F.hunt.stage] = 3
    elif entry.what == Q.FLAMES:
        out[F.hunt.stage] = 4
    elif entry.what == Q.REWARDS:
        out[F.hunt.stage] = 5


@jit
def show_turn(s, out):
    """Write what has been done this turn, and how the hunt stands."""
    deed, h = s.deed, s.hunt
    out[F.deed.placed] = deed.placed
    out[F.deed.active] = int(deed.active) + 1
    out[F.deed.collected] = deed.collected
    out[F.deed.hunted] = deed.hunted
    out[F.deed.met] = deed.met
    out[F.deed.bought] = deed.bought
    out[F.deed.cooked] = deed.cooked
    out[F.deed.extra] = deed.extra
    out[F.deed.picked] = deed.picked
    out[F.deed.origin] = deed.origin
    write_sets(out, F.moved.at, MINIONS, (int(deed.moved),))
    for m in range(MINIONS):
        write_sets(out, F.visited_by.at + m * SLOTS, SLOTS, (int(deed.visited[m]),))
    if deed.active >= 0:
        write_sets(out, F.visited.at, SLOTS, (int(deed.visited[deed.active]),))
    write_sets(out, F.dungeon_found.at, FINDS, (int(s.finds),))
    out[F.hunt.shield] = h.shield
    out[F.hunt.charm] = h.charm
    out[F.hunt.swords] = h.swords
    out[F.hunt.bows] = h.bows
    write(out, F.hunting_dice.at, h.dice)


@jit
def show_board(s, out):
    """Write ingredients, places, the dragon and the bank."""
    write(out, F.tokens.at, s.tokens)
    write_raised(out, F.place.at, s.place)
    write(out, F.paid.at, s.paid)
    if s.dragon >= 0:
        out[F.dragon.at + int(s.dragon)] = 1
        write(out, F.boxes.at, s.boxes)
        write_sets(out, F.lines.at, LINES, (int(s.lines),))
    write_sets(out, F.unseen_dragons.at, DRAGONS, (int(s.dragons),))
    write_sets(out, F.bank.at, BANK, (int(s.bank),))


@jit
def show_cards(s, R, out):
    """Write which recipes and heroes are on display, discarded, and still face down."""
    for space in range(SHOWN):
        recipe = int(s.display[space])
        if recipe >= 0:
            out[F.display.at + space] = recipe + 1
            out[F.display_points.at + space] = R.points[recipe]
            write(out, F.display_needs.at + space * KINDS, R.needs[recipe])
    write_sets(out, F.unseen_recipes.at, RECIPES, (int(s.recipes),))
    write_sets(out, F.discarded_recipes.at, RECIPES, (int(s.thrown),))
    write_sets(out, F.market.at, HEROES, (int(s.market),))
    write_sets(out, F.unseen_heroes.at, HEROES, (int(s.heroes),))
    out[F.hero_decks.at] = s.packs


@jit
def show_seat(me, k, out):
    """Write the tavern of a seat, which is the k-th to the left of the observer."""
    at = k * len(COUNTS)
    out[F.me_counts.score + at] = min(BYTE, int(me.score))
    out[F.me_counts.gold + at] = min(BYTE, int(me.gold))
    out[F.me_counts.energy + at] = me.energy
    out[F.me_counts.runes + at] = me.runes
    out[F.me_counts.best + at] = me.best
    out[F.me_counts.bank + at] = me.bank
    out[F.me_counts.source + at] = me.source
    out[F.me_counts.trophies + at] = me.trophies
    write(out, F.me_dice.at + k * SIDES, me.dice)
    write(out, F.me_pantry.at + k * KINDS, me.pantry)
    write(out, F.me_zones.at + k * MINIONS, me.zone)
    write(out, F.me_dice_on.at + k * MINIONS, me.die)
    write(out, F.me_wounds.at + k * MINIONS, me.wounds)
    write(out, F.me_bags.at + k * MINIONS * KINDS, me.bag)
    if me.forge != 0:
        write_sets(out, F.me_forge.at + k * FORGED, FORGED, (int(me.forge),))
    tired, bonus = int(me.tired), int(me.bonus)  # a set given twice to `write_sets` adds 2 for each of its members
    write_sets(out, F.me_heroes.at + k * HEROES, HEROES, (int(me.ready), tired, tired, bonus, bonus, bonus, bonus))
    write_sets(out, F.me_cooked.at + k * RECIPES, RECIPES, (int(me.cooked),))


@jit
def show_modules(s, R, seat, out):
    """Write missions, events, tracks, encounters and the goblin, if they are in play."""
    if R.missions and s.phase != P_BOARDS:
        show_missions(s, seat, out)
    if R.events:
        if s.event >= 0:
            out[F.event.at + int(s.event)] = 1
        write_sets(out, F.event_deck.at, EVENTS, (int(s.events),))
    if R.asymmetric:
        for k in range(R.seats):
            them = s.seat[around(seat + k, R.seats)]
            out[F.tavern.at + k] = int(them.tavern) + 1
            out[F.marker.at + k] = them.marker
    if R.encounters:
        out[F.encounter_zone.at + int(s.encounter)] = 1
        write_sets(out, F.encounter_deck.at, ENCOUNTERS, (int(s.meetings),))
    if R.goblin:
        if s.goblin >= 0:
            out[F.goblin_zone.at + int(s.goblin)] = 1
        out[F.goblin.stack] = s.goblin_items
        out[F.goblin.unseen] = s.unsold
        write(out, F.unseen_items.at, s.hoard)
        for k in range(R.seats):
            them = s.seat[around(seat + k, R.seats)]
            write(out, F.me_items.at + k * ITEMS, them.items)
            write(out, F.me_used_items.at + k * ITEMS, them.used)


@jit
def show_missions(s, seat, out):
    """Write the common mission, and the missions that the seat kept and discarded; before it chooses, both of its two count as kept."""
    chosen = s.phase != P_MISSIONS or seat < s.cursor
    out[F.common_mission.at + int(s.mission[0])] = 1
    out[F.my_mission.at + int(s.mission[missions.slot(seat)])] = 1
    out[(F.other_mission.at if chosen else F.my_mission.at) + int(s.mission[missions.second(seat)])] = 1
