"""The course of the game: set-up, rounds, what happens between them, and the end (TD 2, 3, 5)."""

from alehouse.envs.taverns_dragons import questions as Q
from alehouse.envs.core.run.question_stack import push
from alehouse.envs.core.run.bits import bit, first, lowest, member, within, without
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.core.run.turns import enter, finish
from alehouse.envs.taverns_dragons import heroes, hunt, kitchen
from alehouse.envs.taverns_dragons.effects import draw_card, hurt, lose_energy, lose_gold, roll, store, suffer, walk
from alehouse.envs.taverns_dragons.layout import (
    BOW, CITY, CLEAR, DICE, DRAGON, DRAGON_DECK, DRAGONS, ENCOUNTERS, EVENT_MINUS, EVENT_PLUS, EVENTS, FIRST, FIRST_GAME, FORGED, FRESH,
    HEROES, LINES, LOSE_ENERGY, LOSE_GOLD, MEAD, MINIONS, P_DRAGON, P_EVENT, P_ICONS, P_MISSIONS, P_OVER, P_TURNS, PLACE_DECK, PLACES,
    PLANT, RECIPES, SHOWN, SIDES, SLOTS, SWORD, TOKEN_DEAL, TOKENS, TROPHIES, WOUND,
)  # fmt: skip
from alehouse.envs.taverns_dragons.modules import asymmetric, events, goblin, missions
from alehouse.envs.taverns_dragons.state import NO_HUNT, NOTHING

ICONS_A_ROUND = 2

# 2. Set-up


@jit
def set_up(s, R, seed):
    """A new table, before missions are chosen."""
    s.seed = seed
    s.phase = P_MISSIONS
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
    clear_deed(s)
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
    missions.deal(s, R)
    asymmetric.deal(s, R)
    goblin.begin(s, R)


@jit
def lay_places(s, R):
    """Four places on the slots, at random."""
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
    """Fresh ingredient tokens on the spaces; with encounters their token takes the place of one plant (TD 3.5, 4.4)."""
    left = 0  # spaces still free, as a set
    for k in range(R.token_count):
        left |= bit(k)
    n = int(R.token_count)
    s.tokens[:, :] = 0
    for kind in range(TOKENS):
        for k in range(R.tokens[kind]):
            space = member(left, below(s.seed, TOKEN_DEAL, s.rounds, int(s.phase == P_MISSIONS), n, n))
            left = without(left, space)
            n -= 1
            zone = int(R.token_space[space])
            if R.encounters and kind == PLANT and k == 0:
                s.encounter = zone
            else:
                s.tokens[zone, kind] += 1


@jit
def clear_deed(s):
    """Nothing has been done this turn."""
    deed = s.deed
    deed.placed = 0
    deed.ended = 0
    deed.active = NOTHING
    deed.moved = 0
    deed.origin = 0
    deed.collected = 0
    deed.hunted = 0
    deed.met = 0
    deed.bought = 0
    deed.visited = 0
    deed.cooked = 0
    deed.extra = 0


# The phases: each asks what it has to ask, or hands over to the next. True: a question is open, or the game is over.


@jit
def proceed(s, R):
    """Go on from where the table stands: first with what is under way, then with the phase."""
    if s.wounds > 0:
        return suffer(s, R)
    if s.steps > 0:
        return walk(s, R)
    if s.hunt.stage != NO_HUNT:
        return hunt.go_on(s, R, player(s, R))
    if s.searching:
        push(s, Q.SEARCH, player(s, R))
        return True
    if s.phase == P_TURNS:
        return turns(s, R)
    if s.phase == P_MISSIONS:
        return missions.ask(s, R) or start_round(s, R)
    if s.phase == P_ICONS:
        return icons(s, R)
    if s.phase == P_DRAGON:
        return dragon_wakes(s, R)
    return each_event(s, R)


@jit
def player(s, R):
    """Whose turn it is."""
    return (int(s.first) + int(s.cursor)) % int(R.seats)


# 3.1 The start of a round


@jit
def start_round(s, R):
    """The goblin, five dice for everybody, the first player, gold for low sums."""
    goblin.come_or_go(s, R)
    best = DICE * SIDES * R.seats
    first_player = 0
    for k in range(R.seats):
        p = (int(s.first) + k) % R.seats
        me = s.seat[p]
        total = 0
        for _ in range(DICE):
            face = roll(s, p)
            me.dice[face] += 1
            total += face + 1
        if total < R.low_sum:
            me.gold += R.low_gold
        if total < best:
            best = total
            first_player = p
    s.first = first_player
    return enter(s, P_TURNS)


# 3.2 Turns


@jit
def turns(s, R):
    """One die each, clockwise, until all are placed."""
    if s.deed.ended:
        end_turn(s, R)
        s.cursor += 1
        if s.cursor == DICE * R.seats:
            return end_round(s, R)
    push(s, Q.TURN, player(s, R))
    return True


@jit
def end_turn(s, R):
    """Minions in the City store (TD-A31); in the last round those moved this turn do, wherever they are (TD 3.4)."""
    me = s.seat[player(s, R)]
    last = s.rounds + 1 == R.rounds
    for m in range(MINIONS):
        if me.load[m] > 0 and ((me.zone[m] == CITY and not R.manual_city) or (last and within(s.deed.moved, m))):
            store(me, m)
    clear_deed(s)


# 3.5 The end of a round


@jit
def end_round(s, R):
    """Dice back, places cleared, recipes down; then the icons, or the end of the game."""
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
        return finish(s, P_OVER)
    kitchen.move_down(s)
    s.icon = 0
    return enter(s, P_ICONS)


@jit
def icons(s, R):
    """What the round marker crosses, in order; then the next round."""
    while s.icon < ICONS_A_ROUND:
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
            return enter(s, P_DRAGON)
        elif R.events and (icon == EVENT_PLUS or icon == EVENT_MINUS):
            events.reveal(s, R)
            return enter(s, P_EVENT)
    s.rounds += 1
    return start_round(s, R)


@jit
def each_event(s, R):
    """Everybody resolves the event, in turn order."""
    if s.cursor == R.seats:
        return enter(s, P_ICONS)
    p = player(s, R)
    s.cursor += 1
    events.strike(s, R, p, int(R.icons[s.rounds, s.icon - 1]))
    return s.stack.n > 0


# The dragon


@jit
def reveal_dragon(s, R):
    """The one in play is gone; a random unused board comes."""
    hunt.remove(s)
    s.dragon = draw_card(s, DRAGON_DECK, 0, s.dragons)
    s.dragons = without(s.dragons, s.dragon)
    s.boxes[:, :] = R.boxes[s.dragon]
    s.lines = first(LINES) & ~hunt.open_lines(s, SWORD) & ~hunt.open_lines(s, BOW)


@jit
def dragon_wakes(s, R):
    """What it does on appearing, in turn order from the old first player (TD-A21)."""
    appear, n = R.appear[s.dragon], int(R.appear_amount[s.dragon])
    low, high = int(R.from_zone[s.dragon]), int(R.to_zone[s.dragon])
    if appear == WOUND and s.cursor < MINIONS * R.seats:
        p, m = (int(s.first) + int(s.cursor) // MINIONS) % R.seats, int(s.cursor) % MINIONS
        s.cursor += 1
        if low <= s.seat[p].zone[m] <= high:
            hurt(s, p, m, n)
        return False
    for p in range(R.seats):
        if appear == LOSE_ENERGY:
            lose_energy(s.seat[p], n)
        elif appear == LOSE_GOLD:
            lose_gold(s.seat[p], n)
    if appear == CLEAR and low <= high:
        s.tokens[low : high + 1, :] = 0
    return enter(s, P_ICONS)


# 5. Scores


@jit
def score(s, R, out):
    """The track, heroes, trophies, missions, what is left in the pantry."""
    for p in range(R.seats):
        out[p] = total(s, R, p)


@jit
def total(s, R, p):
    """The final score of a seat."""
    me = s.seat[p]
    found = int(me.score) + missions.prestige(s, R, p) + missions.left_over(me) * int(R.pantry_point)
    rest = int(me.ready) | int(me.tired)
    while rest != 0:
        found += int(R.hero_prestige[lowest(rest)])
        rest &= rest - 1
    rest = int(me.spoils)
    while rest != 0:
        found += int(R.trophy[lowest(rest)])
        rest &= rest - 1
    return found


@jit
def standing(s, R, out):
    """Points, then the most prestigious recipe cooked."""
    for p in range(R.seats):
        out[p] = 1000 * total(s, R, p) + int(s.seat[p].best)
