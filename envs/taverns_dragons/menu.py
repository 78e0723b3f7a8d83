"""A turn: one die for a main action, what the minion then does, and free actions before, between and after (TD 3.2)."""

from alehouse.envs.core.run.question_stack import pop
from alehouse.envs.core.run.bits import bit, first, put, within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.taverns_dragons import heroes, hunt, kitchen, places
from alehouse.envs.taverns_dragons.effects import (
    at_home, available, gain_energy, has_room, laden, pick_up, roll, set_out, store, take_from, values, wounded,
)  # fmt: skip
from alehouse.envs.taverns_dragons.layout import (
    A_ABILITY, A_ATTACK, A_BANK, A_BEHIND, A_BLANK, A_BONUS, A_BUY, A_CHARM, A_COLLECT, A_COOK, A_DISCARD, A_ENCOUNTER, A_END, A_HEAL,
    A_HIRE, A_HUNT, A_ITEM, A_MOVE, A_REROLL, A_SOURCE, A_STORE, A_TRACK, A_VISIT, BLANK, MINIONS, SHOWN, SIDES,
)  # fmt: skip
from alehouse.envs.taverns_dragons.modules import asymmetric, encounters, goblin


@jit
def legal_turn(s, R, p, words):
    """A die to place, or the end of the turn; what the active minion can do; free actions."""
    if s.deed.placed:
        put(words, A_END, 1)
    else:
        legal_main(s, R, s.seat[p], words)
    if s.deed.active >= 0:
        legal_secondary(s, R, p, words)
    legal_free(s, R, p, words)


@jit
def apply_turn(s, R, p, a):
    """Do one of these; the turn goes on until it is ended."""
    pop(s)
    if a == A_END:
        s.deed.ended = 1
    elif a < A_COLLECT:
        apply_main(s, R, p, a)
    elif a < A_HIRE:
        apply_secondary(s, R, p, a)
    else:
        apply_free(s, R, p, a)


# Main actions: a die and where it goes


@jit
def legal_main(s, R, me, words):
    """Every value of an available die with every place it may go to; if there is none, a die to discard (TD-A17)."""
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
    """Place a die."""
    me = s.seat[p]
    if a < A_BANK:
        value = place(s, R, me, a - A_COOK)
        kitchen.cook(s, R, p, (a - A_COOK) // SIDES, value)
    elif a < A_SOURCE:
        value = place(s, R, me, (a - A_BANK) % SIDES)
        space = value - 1 if a < A_BLANK else BLANK
        me.bank = 1
        s.bank = int(s.bank) | bit(space)
        me.gold += R.bank[space]
    elif a < A_MOVE:
        me.source = 1
        gain_energy(R, me, place(s, R, me, a - A_SOURCE))
    elif a < A_DISCARD:
        move(s, R, p, (a - A_MOVE) // SIDES, place(s, R, me, a - A_MOVE))
    else:
        me.dice[a - A_DISCARD] -= 1
        s.deed.placed = 1


@jit
def place(s, R, me, label):
    """Take an available die for a main action; returns its value."""
    face = label % SIDES
    me.dice[face] -= 1
    s.deed.placed = 1
    asymmetric.placed(R, me, face + 1)
    return face + 1


@jit
def move(s, R, p, m, value):
    """A minion sets out."""
    s.seat[p].die[m] = value
    places.set_active(s, p, m)
    s.deed.collected = 0
    s.deed.hunted = 0
    set_out(s, p, m, value + int(R.extra_steps[m]))


# Secondary actions of the active minion


@jit
def legal_secondary(s, R, p, words):
    """Collect, visit, hunt, encounter (TD 3.3)."""
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
    """Do it."""
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


# Free actions, in the menu of a turn and in a hunt


@jit
def legal_free(s, R, p, words):
    """Hire, abilities, bonuses, runes, the City, the track, items (TD 3.2)."""
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
    """Do it."""
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


# In a hunt


@jit
def legal_hunt(s, R, p, words):
    """Change hunting dice, act freely, or attack."""
    hunt.legal_window(s, R, p, words)
    legal_free(s, R, p, words)


@jit
def apply_hunt(s, R, p, a):
    """The window stays open until the attack."""
    pop(s)
    if a >= A_ATTACK and a <= A_CHARM:
        hunt.apply_window(s, R, p, a)
    else:
        apply_free(s, R, p, a)
