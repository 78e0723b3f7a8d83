"""Taverns & Dragons: what a seat takes in of the table before it rates its actions."""

from typing import Annotated

from alehouse.envs.core.run.bits import bit, popcount, within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.declare.record import Array, i8, record
from alehouse.envs.taverns_dragons.layout import (
    A_COLLECT, A_COOK, CITY, DICE, KINDS, MEAD, MINIONS, P_OVER, P_TURNS, SHOWN, SIDES, SLOTS, ZONES,
)  # fmt: skip
from alehouse.envs.taverns_dragons.state import NOTHING

# What a die may be for: one of the minions, the bank, the source, a recipe, another recipe.
T_BANK, T_SOURCE, T_COOK, T_AGAIN, TASKS = MINIONS, MINIONS + 1, MINIONS + 2, MINIONS + 3, MINIONS + 4
PLACINGS = A_COLLECT - A_COOK
PERIOD = 2.0 * DICE  # own dice from one readying of heroes to the next

f8 = Annotated[float, "f8"]


class Mind:
    """What a seat takes in before it rates its actions. Prices are in points."""

    p: i8
    last: i8  # whether it is the last round
    slots: i8  # those the seat could pay a visit to in energy, as a set
    left: f8  # own dice to come, in all
    reach: f8  # how much they are worth, 0 to 1
    coin: f8
    spark: f8  # an energy
    rune: f8
    wound: f8
    uses: f8  # of a hero hired now
    wait: f8  # share of the time between two readyings of heroes that is left
    best: f8  # the best place for a die, or 0 once one is placed
    want: Annotated[Array, "f8", KINDS]  # one more ingredient of each kind in the pantry
    hold: Annotated[Array, "f8", KINDS]  # one of those that minions carry
    goods: Annotated[Array, "f8", MINIONS]  # what each minion carries, at home
    home: Annotated[Array, "f8", ZONES]  # steps from each zone to the City
    ground: Annotated[Array, "f8", ZONES]  # what each zone brings, whoever gets there
    pick: Annotated[Array, "f8", ZONES]  # the best ingredient there
    tasks: Annotated[Array, "f8", TASKS * SIDES]  # what a die of each value brings at each task
    profit: Annotated[Array, "f8", TASKS]  # what each task brings, less what its die could do elsewhere
    price: Annotated[Array, "f8", SIDES]  # what a die of each value could do elsewhere
    sums: Annotated[Array, "f8", 1 << DICE]  # the best of each set of dice
    placing: Annotated[Array, "f8", PLACINGS]  # each place for a die


MIND = record(Mind)


# What is left of the game


@jit
def dice_left(me):
    """Dice not placed yet this round."""
    n = 0
    for k in range(me.dice.size):
        n += int(me.dice[k])
    return n


@jit
def turns(s, R, p):
    """Own dice to come, in all."""
    if s.phase == P_OVER:
        return 0.0
    ahead = int(R.rounds) - 1 - int(s.rounds)
    if s.phase < P_TURNS:
        ahead += 1
    return float(DICE * ahead + dice_left(s.seat[p]))


@jit
def meads(s, R):
    """How often heroes will be readied."""
    n = 0
    for k in range(int(s.rounds), int(R.rounds) - 1):
        n += int(R.icons[k, 0] == MEAD) + int(R.icons[k, 1] == MEAD)
    return n


@jit
def next_mead(s, R, p):
    """Own dice till heroes are readied, or till the end."""
    dice = float(dice_left(s.seat[p]))
    for k in range(int(s.rounds), int(R.rounds) - 1):
        if R.icons[k, 0] == MEAD or R.icons[k, 1] == MEAD:
            break
        dice += DICE
    return dice


# What ingredients are worth


@jit
def price_goods(s, R, W, m, me):
    """What an ingredient more, and one carried, brings: for recipes it may still be, and for those displayed."""
    carried = 0  # four bits for each kind
    for kind in range(KINDS):
        n = 0
        for mi in range(MINIONS):
            n += int(me.bag[mi, kind])
        carried |= n << (4 * kind)
        m.want[kind] = int(R.pantry_point) + W.goods[kind] * m.reach / (1.0 + W.crowd * (n + int(me.pantry[kind])))
        m.hold[kind] = m.want[kind]
    for space in range(SHOWN):
        if s.display[space] >= 0:
            price_for(R, W, m, me, int(s.display[space]), carried, W.leaving if space == SHOWN - 1 else 1.0)
    for mi in range(MINIONS):
        m.goods[mi] = 0.0
        if me.load[mi] > 0:
            for kind in range(KINDS):
                m.goods[mi] += int(me.bag[mi, kind]) * m.hold[kind]


@jit
def price_for(R, W, m, me, recipe, carried, stays):
    """The same for one recipe on display."""
    lack = short = missing = away = 0
    for kind in range(KINDS):
        need = int(R.needs[recipe, kind]) - int(me.pantry[kind])
        if need > 0:
            short += need
            away |= bit(kind)
            need -= (carried >> (4 * kind)) & 15
            if need > 0:
                lack += need
                missing |= bit(kind)
    if short == 0:
        return
    gain = stays * max(0.0, int(R.points[recipe]) - W.meal) * min(1.0, m.left / (W.pace * (short + 1.0)))
    for _ in range(lack):
        gain *= W.near
    for kind in range(KINDS):
        if within(missing, kind):
            m.want[kind] = max(m.want[kind], int(R.pantry_point) + gain)
        if within(away, kind):
            m.hold[kind] = max(m.hold[kind], int(R.pantry_point) + gain / (0.5 + 0.5 * short))


# The way


@jit
def ways_home(R, home):
    """Steps from each zone to the City."""
    home[CITY] = 0.0
    zone = int(R.back[CITY])
    while zone != CITY:
        home[zone] = 1.0 + home[R.next[zone]]
        if R.shortcut[zone] >= 0:
            home[zone] = min(home[zone], 1.0 + home[R.shortcut[zone]])
        zone = int(R.back[zone])


@jit
def beside_lair(s, R, zone):
    """Whether the dragon is beside a zone."""
    return s.dragon != NOTHING and within(R.beside[zone], R.lair[s.dragon])


@jit
def open_slots(s, R, me):
    """Slots with a free space, no dragon and a price the seat can pay in energy, as a set."""
    found = 0
    for slot in range(SLOTS):
        found |= int(s.paid[slot] < s.open and me.energy >= R.place_energy[s.place[slot]]) << slot
    return found & ~bit(R.lair[s.dragon]) if s.dragon != NOTHING else found


# The look round


@jit
def look(s, R, W, p, m):
    """Fill in what a seat takes in before it thinks about its dice."""
    me = s.seat[p]
    m.p = p
    m.last = s.rounds + 1 >= R.rounds
    m.slots = open_slots(s, R, me)
    m.left = turns(s, R, p)
    m.reach = m.left / (m.left + W.horizon)
    fade = m.left / (m.left + W.saving)
    heroes = popcount(int(s.heroes) | int(s.market))
    m.coin = W.coin * fade * (W.idle + (1.0 - W.idle) * min(1.0, heroes / W.scarce))
    m.spark = W.spark * fade
    m.rune = W.rune * fade
    m.wound = W.wound * fade
    wait = next_mead(s, R, p)
    m.uses = meads(s, R) + min(1.0, wait / DICE)
    m.wait = min(1.0, wait / PERIOD)
    m.best = 0.0
    price_goods(s, R, W, m, me)
    ways_home(R, m.home)
