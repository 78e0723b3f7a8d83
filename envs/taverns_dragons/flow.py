"""The course of the game: the set-up, the rounds, what happens between them, and the end (TD 2, 3, 5)."""

from alehouse.envs.taverns_dragons import questions as Q
from alehouse.envs.core.run.question_stack import push
from alehouse.envs.core.run.bits import bit, first, lowest, member, without
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.core.run.seats import around
from alehouse.envs.core.run.turns import enter, finish
from alehouse.envs.taverns_dragons import heroes, hunt, kitchen, turn
from alehouse.envs.taverns_dragons.effects import draw_card, hurt, lose_energy, lose_gold, roll
from alehouse.envs.taverns_dragons.layout import (
    BOW, CLEAR, DICE, DRAGON, DRAGONS, DRAGON_DECK, ENCOUNTERS, EVENTS, EVENT_MINUS, EVENT_PLUS, FIRST, FIRST_GAME, FORGED, FRESH, HEROES,
    ICONS_A_ROUND, LINES, LOSE_ENERGY, LOSE_GOLD, MEAD, MINIONS, PLACES, PLACE_DECK, PLANT, P_BOARDS, P_DRAGON, P_EVENT, P_ICONS,
    P_MISSIONS, P_OVER, P_TURNS, RECIPES, SHOWN, SIDES, SLOTS, SWORD, TOKENS, TOKEN_DEAL, TROPHIES, WOUND,
)  # fmt: skip
from alehouse.envs.taverns_dragons.modules import asymmetric, events, goblin, missions
from alehouse.envs.taverns_dragons.state import NOTHING


# 2. Set-up


@jit
def set_up(s, R, seed):
    """Lay out a new table; tavern boards and missions are chosen later."""
    s.seed = seed
    s.phase = P_BOARDS
    s.dragon = NOTHING
    s.encounter = NOTHING
    s.goblin = NOTHING
    s.event = NOTHING
    s.open = R.spaces
    s.dragons = first(DRAGONS)
    s.pool = first(TROPHIES)
    s.forge = first(FORGED)
    s.events = first(EVENTS) if R.events else 0
    s.meetings = first(ENCOUNTERS) if R.encounters else 0
    s.recipes = first(RECIPES)
    s.heroes = first(HEROES)
    s.packs = R.hero_copies - 1
    turn.clear_deed(s)
    lay_places(s, R)
    strew(s, R)
    for _ in range(SHOWN):
        heroes.show_hero(s)
    s.display[:] = NOTHING
    for _ in range(R.initial_recipes):
        kitchen.move_down(s)
    for p in range(R.seats):
        me = s.seat[p]
        me.gold = R.start_gold
        me.energy = R.start_energy
        me.runes = R.start_runes
    s.first = below(seed, FIRST, 0, 0, 0, R.seats)
    asymmetric.deal(s, R)
    goblin.begin(s, R)


@jit
def lay_places(s, R):
    """Lay a random place card on each of the four slots."""
    left = first(PLACES)
    if R.first_game_places:
        left = 0
        for tile in FIRST_GAME:
            left |= bit(tile)
    for slot in range(SLOTS):
        s.place[slot] = draw_card(s, PLACE_DECK, 0, left)
        left = without(left, s.place[slot])


@jit
def strew(s, R):
    """Lay new ingredient tokens on random spaces; with encounters the encounter token replaces one plant (TD 3.5, 4.4)."""
    left = 0  # the set of spaces that are still free
    for k in range(R.token_count):
        left |= bit(k)
    n = int(R.token_count)
    s.tokens[:, :] = 0
    for kind in range(TOKENS):
        for k in range(R.tokens[kind]):
            space = member(left, below(s.seed, TOKEN_DEAL, s.rounds, int(s.phase == P_BOARDS), n, n))
            left = without(left, space)
            n -= 1
            zone = int(R.token_space[space])
            if R.encounters and kind == PLANT and k == 0:
                s.encounter = zone
            else:
                s.tokens[zone, kind] += 1


# The phases. Each function does the next thing that is due, and enters the next phase when nothing is left.


@jit
def proceed(s, R):
    """Continue the current phase; the stack is empty."""
    if s.phase == P_TURNS:
        turns(s, R)
    elif s.phase == P_BOARDS:
        choose_boards(s, R)
    elif s.phase == P_MISSIONS:
        keep_missions(s, R)
    elif s.phase == P_ICONS:
        icons(s, R)
    elif s.phase == P_DRAGON:
        dragon_appears(s, R)
    elif s.phase == P_EVENT:
        resolve_event(s, R)


@jit
def choose_boards(s, R):
    """Let each seat choose its tavern board; then missions are dealt."""
    asymmetric.ask(s, R)
    if s.stack.n == 0:
        missions.deal(s, R)
        enter(s, P_MISSIONS)


@jit
def keep_missions(s, R):
    """Let each seat keep a mission; then begin the first round."""
    missions.ask(s, R)
    if s.stack.n == 0:
        start_round(s, R)


# 3.1 The start of a round


@jit
def start_round(s, R):
    """Place the goblin, roll everybody's dice, find the first player, and pay gold for low sums of dice."""
    goblin.come_or_go(s, R)
    lowest_sum = DICE * SIDES * R.seats
    first_player = 0
    for k in range(R.seats):
        p = around(s.first + k, R.seats)
        me = s.seat[p]
        total = 0
        for _ in range(DICE):
            face = roll(s, p)
            me.dice[face] += 1
            total += face + 1
        if total < R.low_sum:
            me.gold += R.low_gold
        if total < lowest_sum:
            lowest_sum = total
            first_player = p
    s.first = first_player
    enter(s, P_TURNS)


# 3.2 The turns of a round


@jit
def turns(s, R):
    """Begin the next turn, clockwise; the round ends when all dice are placed."""
    if s.cursor == DICE * R.seats:
        end_round(s, R)
    else:
        push(s, Q.TURN, (int(s.first) + int(s.cursor)) % int(R.seats))


# 3.5 The end of a round


@jit
def end_round(s, R):
    """Take back the dice, clear the places and move the recipes down; after that come the icons, or the end of the game."""
    for p in range(R.seats):
        me = s.seat[p]
        me.bank = 0
        me.source = 0
        me.rolled = 0
        me.hunted = 0
        me.searched = 0
        me.forged = 0
        me.die[:] = 0
    s.bank = 0
    s.paid[:] = 0
    if s.rounds + 1 == R.rounds:
        finish(s, P_OVER)
        return
    kitchen.move_down(s)
    s.icon = 0
    enter(s, P_ICONS)


@jit
def icons(s, R):
    """Resolve the next icon that the round marker passes; after the last one begin the next round."""
    if s.icon == ICONS_A_ROUND:
        s.rounds += 1
        start_round(s, R)
        return
    icon = R.icons[s.rounds, s.icon]
    s.icon += 1
    if icon == MEAD:
        for p in range(R.seats):
            s.seat[p].ready = int(s.seat[p].ready) | int(s.seat[p].tired)
            s.seat[p].tired = 0
    elif icon == FRESH:
        strew(s, R)
    elif icon == DRAGON and s.dragons != 0:
        reveal_dragon(s, R)
        enter(s, P_DRAGON)
    elif R.events and (icon == EVENT_PLUS or icon == EVENT_MINUS):
        events.reveal(s, R)
        enter(s, P_EVENT)


@jit
def resolve_event(s, R):
    """Let the next seat in turn order resolve the event; after the last seat continue with the icons."""
    if s.cursor == R.seats:
        enter(s, P_ICONS)
        return
    p = around(s.first + s.cursor, R.seats)
    s.cursor += 1
    events.resolve(s, R, p, int(R.icons[s.rounds, s.icon - 1]))


# The appearance of a dragon


@jit
def reveal_dragon(s, R):
    """Remove the dragon in play and bring a random new one."""
    hunt.remove_dragon(s)
    s.dragon = draw_card(s, DRAGON_DECK, 0, s.dragons)
    s.dragons = without(s.dragons, s.dragon)
    s.boxes[:, :] = R.boxes[s.dragon]
    s.lines = first(LINES) & ~hunt.open_lines(s, SWORD) & ~hunt.open_lines(s, BOW)


@jit
def dragon_appears(s, R):
    """Carry out what the dragon does when it appears. It wounds minions seat by seat, beginning with the old first player (TD-A21)."""
    effect, n = R.appear[s.dragon], int(R.appear_amount[s.dragon])
    low, high = int(R.from_zone[s.dragon]), int(R.to_zone[s.dragon])
    if effect == WOUND and s.cursor < MINIONS * R.seats:
        p, m = around(int(s.first) + int(s.cursor) // MINIONS, R.seats), int(s.cursor) % MINIONS
        s.cursor += 1
        if low <= s.seat[p].zone[m] <= high:
            hurt(s, p, m, n)
        return
    for p in range(R.seats):
        if effect == LOSE_ENERGY:
            lose_energy(s.seat[p], n)
        elif effect == LOSE_GOLD:
            lose_gold(s.seat[p], n)
    if effect == CLEAR and low <= high:
        s.tokens[low : high + 1, :] = 0
    enter(s, P_ICONS)


# 5. The final scores


@jit
def score(s, R, out):
    """Count the points of every seat: the prestige track, heroes, trophies, missions and what is left in the pantry."""
    for p in range(R.seats):
        out[p] = points(s, R, p)


@jit
def points(s, R, p):
    """Return the points of one seat."""
    me = s.seat[p]
    total = int(me.score) + missions.prestige(s, R, p) + missions.left_over(me) * int(R.pantry_point)
    rest = int(me.ready) | int(me.tired)
    while rest != 0:
        total += int(R.hero_prestige[lowest(rest)])
        rest &= rest - 1
    rest = int(me.spoils)
    while rest != 0:
        total += int(R.trophy[lowest(rest)])
        rest &= rest - 1
    return total


@jit
def standing(s, R, out):
    """Write a number that ranks the seats: points, then the most prestigious recipe cooked."""
    for p in range(R.seats):
        out[p] = 1000 * points(s, R, p) + int(s.seat[p].best)
