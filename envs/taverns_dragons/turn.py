"""A turn: one die for a main action, then actions of the minion where it stands; free actions are possible at any time (TD 3.2, 3.3)."""

from alehouse.envs.core.run.question_stack import pop
from alehouse.envs.core.run.bits import bit, first, put, within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.taverns_dragons import heroes, hunt, kitchen, places
from alehouse.envs.taverns_dragons.effects import (
    at_home, available, gain_energy, has_room, laden, pick_up, roll, roll_hunting, store, take_from, values, wounded,
)  # fmt: skip
from alehouse.envs.taverns_dragons.layout import (
    A_ABILITY, A_ATTACK, A_BANK, A_BEHIND, A_BLANK, A_BONUS, A_BUY, A_CHARM, A_COLLECT, A_COOK, A_DISCARD, A_ENCOUNTER, A_END, A_HEAL,
    A_HIRE, A_HUNT, A_ITEM, A_MOVE, A_REROLL, A_REROLL_HUNTING, A_SOURCE, A_STORE, A_TRACK, A_VISIT, BLANK, CITY, MINIONS, SHOWN, SIDES,
)  # fmt: skip
from alehouse.envs.taverns_dragons.modules import asymmetric, encounters, goblin
from alehouse.envs.taverns_dragons.state import NOTHING


@jit
def legal_turn(s, R, p, words):
    """List the dice to place or the end of the turn, the actions of the active minion, and free actions."""
    if s.deed.placed:
        put(words, A_END, 1)
    else:
        legal_main(s, R, s.seat[p], words)
    if s.deed.active >= 0:
        legal_secondary(s, R, p, words)
    legal_free(s, R, p, words)


@jit
def apply_turn(s, R, p, a):
    """Carry out the action; the question stays on the stack until the turn ends."""
    if a == A_END:
        end_turn(s, R, p)
    elif a < A_COLLECT:
        apply_main(s, R, p, a)
    elif a < A_HIRE:
        apply_secondary(s, R, p, a)
    else:
        apply_free(s, R, p, a)


@jit
def end_turn(s, R, p):
    """Let minions in the City store what they carry (TD-A31); in the last round those moved this turn store it anywhere (TD 3.4)."""
    pop(s)
    me = s.seat[p]
    last = s.rounds + 1 == R.rounds
    for m in range(MINIONS):
        if me.load[m] > 0 and ((me.zone[m] == CITY and not R.manual_city) or (last and within(s.deed.moved, m))):
            store(me, m)
    clear_deed(s)
    s.cursor += 1


@jit
def clear_deed(s):
    """Clear the record of what was done in the turn."""
    deed = s.deed
    deed.placed = 0
    deed.active = NOTHING
    deed.moved = 0
    deed.origin = 0
    deed.collected = 0
    deed.hunted = 0
    deed.met = 0
    deed.bought = 0
    deed.visited[:] = 0
    deed.cooked = 0
    deed.extra = 0


# Main actions: a die, and where it is placed


@jit
def legal_main(s, R, me, words):
    """List each value of an available die with each place it may go to; if there is none, list dice to discard (TD-A17)."""
    dice = values(me)
    moves = 0
    for m in range(MINIONS):
        if me.die[m] == 0:
            moves |= dice << (SIDES * m)
    source = 0 if me.source else dice
    bank = 0 if me.bank else dice & ~int(s.bank)
    blank = 0 if me.bank or within(s.bank, BLANK) else dice
    spaces = kitchen.cookable(s, R, me)
    meals = 0
    for space in range(SHOWN):
        if within(spaces, space):
            meals |= dice << (SIDES * space)
    put(words, A_MOVE, moves)
    put(words, A_SOURCE, source)
    put(words, A_BANK, bank)
    put(words, A_BLANK, blank)
    put(words, A_COOK, meals)
    if moves | source | bank | blank | meals == 0:
        put(words, A_DISCARD, dice)


@jit
def apply_main(s, R, p, a):
    """Place a die on a recipe, the bank, the source or a minion, or discard it."""
    me = s.seat[p]
    if a < A_BANK:
        kitchen.cook(s, R, p, (a - A_COOK) // SIDES, place_die(s, R, me, a - A_COOK))
    elif a < A_SOURCE:
        value = place_die(s, R, me, a - A_BANK)
        space = value - 1 if a < A_BLANK else BLANK
        me.bank = 1
        s.bank = int(s.bank) | bit(space)
        me.gold += R.bank[space]
    elif a < A_MOVE:
        me.source = 1
        gain_energy(R, me, place_die(s, R, me, a - A_SOURCE))
    elif a < A_DISCARD:
        places.activate(s, R, p, (a - A_MOVE) // SIDES, place_die(s, R, me, a - A_MOVE))
    else:
        me.dice[a - A_DISCARD] -= 1
        s.deed.placed = 1


@jit
def place_die(s, R, me, label):
    """Take the available die that an action names for use in a main action; return its value."""
    face = label % SIDES
    me.dice[face] -= 1
    s.deed.placed = 1
    asymmetric.placed(R, me, face + 1)
    return face + 1


# Secondary actions of the active minion


@jit
def legal_secondary(s, R, p, words):
    """List what the active minion can collect, visit and hunt, and the encounter if it can have one (TD 3.3)."""
    me, deed = s.seat[p], s.deed
    m = int(deed.active)
    if not deed.collected and has_room(R, me, m):
        put(words, A_COLLECT, available(s, R, int(me.zone[m])))
        if R.collect_from_start and deed.origin != me.zone[m]:
            put(words, A_BEHIND, available(s, R, int(deed.origin)))
    put(words, A_VISIT, places.visitable(s, R, p, places.beside(s, R, me, m), False))
    put(words, A_HUNT, first(hunt.huntable(s, R, p)))
    put(words, A_ENCOUNTER, int(encounters.possible(s, R, p)))


@jit
def apply_secondary(s, R, p, a):
    """Collect an ingredient, visit a place, hunt or have an encounter."""
    me, deed = s.seat[p], s.deed
    m = int(deed.active)
    if a < A_VISIT:
        behind = a >= A_BEHIND
        kind = a - (A_BEHIND if behind else A_COLLECT)
        deed.collected = 1
        take_from(s, int(deed.origin) if behind else int(me.zone[m]), kind)
        pick_up(me, m, kind)
    elif a < A_HUNT:
        places.visit(s, R, p, a - A_VISIT, False)
    elif a < A_ENCOUNTER:
        hunt.start(s, R, p, a - A_HUNT + 1)
    else:
        encounters.meet(s, R, p)


# Free actions, in a turn and in a hunt


@jit
def legal_free(s, R, p, words):
    """List heroes to hire, abilities, bonuses, re-rolls, storing and healing in the City, squares of the track, and items (TD 3.2)."""
    me = s.seat[p]
    put(words, A_HIRE, heroes.for_hire(s, R, me))
    if me.ready != 0:
        put(words, A_ABILITY, heroes.abilities(s, R, p))
    put(words, A_BONUS, heroes.bonuses(s, R, me))
    if me.runes > 0:
        put(words, A_REROLL, values(me))
    home = at_home(me)
    if home != 0:
        put(words, A_STORE, home & laden(me))
        put(words, A_HEAL, home & wounded(me))
    put(words, A_TRACK, asymmetric.squares(s, R, p))
    put(words, A_BUY, int(goblin.for_sale(s, R, me)))
    put(words, A_ITEM, goblin.items(s, R, me))


@jit
def apply_free(s, R, p, a):
    """Carry out a free action of the seat."""
    me = s.seat[p]
    if a < A_ABILITY:
        heroes.hire(s, R, p, a - A_HIRE)
    elif a < A_BONUS:
        heroes.use(s, R, p, a - A_ABILITY)
    elif a < A_REROLL:
        heroes.take_bonus(s, R, p, a - A_BONUS)
    elif a < A_STORE:
        me.runes -= 1
        me.dice[a - A_REROLL] -= 1
        me.dice[roll(s, p)] += 1
    elif a < A_HEAL:
        store(me, a - A_STORE)
    elif a < A_TRACK:
        me.wounds[a - A_HEAL] = 0
    elif a < A_BUY:
        asymmetric.use(s, R, p, a - A_TRACK)
    elif a < A_ITEM:
        goblin.buy(s, R, p)
    else:
        goblin.use(s, R, p, a - A_ITEM)


# A hunt, between the roll and the attack (TD 3.3 hunt (2))


@jit
def legal_hunt(s, R, p, words):
    """List the attack, re-rolling a die with a rune, the forge token that turns a die, and free actions."""
    put(words, A_ATTACK, 1)
    if s.seat[p].runes > 0:
        put(words, A_REROLL_HUNTING, hunt.symbols(s.hunt))
    put(words, A_CHARM, int(s.hunt.charm > 0))
    legal_free(s, R, p, words)


@jit
def apply_hunt(s, R, p, a):
    """Attack, change a hunting die or take a free action; the question stays on the stack until the attack."""
    h = s.hunt
    if a == A_ATTACK:
        hunt.attack(s, p)
    elif a == A_CHARM:
        hunt.use_charm(s, p)
    elif A_ATTACK < a < A_CHARM:
        s.seat[p].runes -= 1
        h.dice[a - A_REROLL_HUNTING] -= 1
        h.dice[roll_hunting(s, R, p)] += 1
    else:
        apply_free(s, R, p, a)
