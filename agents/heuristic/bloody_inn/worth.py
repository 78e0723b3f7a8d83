"""The Bloody Inn: what cards, corpses and annexes are worth to a seat, and what each action brings it, in francs."""

from alehouse.agents.heuristic.bloody_inn.view import investigated
from alehouse.envs.bloody_inn.annexes import family_annexes, occupied_rooms
from alehouse.envs.bloody_inn.layout import (
    BEARDED, BRIBE, BUILD, BURY, CARAVAN, DISCOUNT, DWARF, KEY, KILL, KINDS, LASTING, NEUTRAL_ROOMS, ONCE, ONCE_AND_EXIT, OWN_ROOMS,
    PER_CHECK, PER_FAMILY, SERVICE, TWINS, VERBS, WAGE,
)  # fmt: skip
from alehouse.envs.bloody_inn.state import WHITE
from alehouse.envs.core.run.bits import within
from alehouse.envs.core.run.jit import jit

# What things are worth


@jit
def fits(s, R, p, amount):
    """What of a gain finds room on the track."""
    return min(amount, int(R.cash_limit) - int(s.seat[p].cash))


@jit
def graves_worth(W, m, n):
    """So many places for corpses: those one can fill count."""
    return W.grave * n * m.need / (n + m.need)


@jit
def price(m, verb, n):
    """Cards that are lost for good when n are played for an action, in francs."""
    return max(0, n - m.stay[verb]) * m.card


@jit
def keep(s, R, W, m, kind):
    """A card in hand: it pays, it helps, it may be built."""
    worth = m.card - W.wage
    for verb in range(VERBS):
        if within(R.helps[verb], kind):
            worth += W.kin[verb] * m.reach / (1.0 + W.crowd_kin * m.stay[verb])
    if within(R.buildable, kind):
        worth += W.plan * m.reach * max(0.0, annex_worth(s, R, W, m, kind) - int(R.low[kind]) * m.card)
    return worth


@jit
def annex_worth(s, R, W, m, kind):
    """An annex, built now."""
    annex = int(R.annex[kind])
    op, amount = int(R.op[annex]), float(R.amount[annex])
    low = int(R.low[kind])
    worth = graves_worth(W, m, m.graves + low) - graves_worth(W, m, m.graves)
    rounds = max(0.0, m.rounds - W.late)
    if op < LASTING:
        return worth + W.powers[op] * amount * rounds
    if op == ONCE:
        return worth + fits(s, R, m.p, amount)
    if op == ONCE_AND_EXIT:
        return worth + fits(s, R, m.p, amount) + exit_worth(s, R, W, annex)
    if op == PER_FAMILY:
        return worth + fits(s, R, m.p, amount * (1 + family_annexes(s, R, m.p, R.colour[annex])))
    if op == PER_CHECK:
        return worth + amount * (int(s.seat[m.p].checks) + W.saving * m.later)
    if op == NEUTRAL_ROOMS:
        return worth + fits(s, R, m.p, amount * occupied_rooms(s, WHITE))
    if op == OWN_ROOMS:
        return worth + fits(s, R, m.p, amount * occupied_rooms(s, m.p))
    a_round = W.service if op == SERVICE else W.room if op in (KEY, CARAVAN) else 0.0
    return worth + a_round * rounds


@jit
def exit_worth(s, R, W, annex):
    """What the exit stack may pay in the end for the cards of a colour still about."""
    n = 0
    for kind in range(KINDS):
        if R.family[kind] == R.colour[annex]:
            n += int(s.unseen[kind]) + int(s.exit[kind])
    return int(R.per_card[annex]) * W.exit_share * n


@jit
def corpse_worth(s, R, W, m, kind, before, cards):
    """An unburied corpse, when so many others are buried first and the hand holds so many cards then."""
    need = max(0, int(R.low[kind]) - int(s.seat[m.p].power[DISCOUNT + BURY]))
    net = burial(s, R, W, m, kind, m.graves - before) - price(m, BURY, need)
    fee = 10.0 * int(R.fee)
    if m.soon > before and cards >= need:
        return W.ready * net
    if m.later <= before:
        return -fee
    return (1.0 - m.call) * W.waiting * net - m.call * W.fear * fee


@jit
def burial(s, R, W, m, kind, graves):
    """What a burial brings, with so many places of one's own."""
    special = R.special[kind]
    money = float(R.money[kind])
    places = 0 if special == DWARF else 2 if special == TWINS else 1
    if special != BEARDED and graves >= places:
        return fits(s, R, m.p, money) - graves_worth(W, m, graves) + graves_worth(W, m, graves - places)
    if m.guested and special != TWINS:
        return fits(s, R, m.p, 0.5 * money) - 0.5 * W.feed * money
    return W.homeless * money


@jit
def leaving(s, R, W, m, place, exposed):
    """What it means that a guest leaves: rents, and the police."""
    owner = int(s.owner[place])
    worth = -W.rent if owner == m.p else W.deny if owner >= 0 else 0.0
    if within(R.police, s.guest[place]):
        relief = investigated(W, m.police) - investigated(W, m.police - 1)
        worth += relief * (W.exposed * exposed - W.spare * m.others)
    return worth


@jit
def spill(s, R, W, m, cash):
    """What the track will not hold of the money to come, and what wages will lack."""
    short = m.cards - int(s.seat[m.p].power[WAGE]) - cash
    return W.launder * max(0.0, cash + W.income - int(R.cash_limit)) * min(1.0, m.later) + W.broke * max(0, short) * m.reach


# What actions bring


@jit
def bribing(s, R, W, m, place, free):
    """A guest comes to hand."""
    kind = int(s.guest[place])
    cost = 0.0 if free else price(m, BRIBE, max(0, int(R.up[kind]) - int(s.seat[m.p].power[DISCOUNT + BRIBE])))
    return keep(s, R, W, m, kind) - cost + leaving(s, R, W, m, place, m.corpses)


@jit
def killing(s, R, W, m, place, free):
    """A guest becomes a corpse of one's own."""
    kind = int(s.guest[place])
    need = max(0, int(R.up[kind]) - int(s.seat[m.p].power[DISCOUNT + KILL]))
    lost = 0 if free else max(0, need - m.stay[KILL])
    corpse = corpse_worth(s, R, W, m, kind, m.corpses, m.cards - lost)
    return corpse - lost * m.card + leaving(s, R, W, m, place, m.corpses + 1)


@jit
def building(s, R, W, m, kind, free):
    """A card becomes an annex."""
    need = max(0, int(R.low[kind]) - int(s.seat[m.p].power[DISCOUNT + BUILD]))
    lost = 0.0 if free else price(m, BUILD, need - (1 if within(R.helps[BUILD], kind) else 0))
    return annex_worth(s, R, W, m, kind) - keep(s, R, W, m, kind) - lost


@jit
def burying(s, R, W, m, kind, free):
    """A corpse is hidden, and pays; it was worth something before."""
    need = max(0, int(R.low[kind]) - int(s.seat[m.p].power[DISCOUNT + BURY]))
    gain = burial(s, R, W, m, kind, m.graves) - (0.0 if free else price(m, BURY, need))
    return gain - corpse_worth(s, R, W, m, kind, m.corpses - 1, m.cards)
