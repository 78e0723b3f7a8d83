"""The Bloody Inn: what cards, corpses and annexes are worth to a seat, and what each action brings it, in francs."""

from alehouse.agents.heuristic.bloody_inn.outlook import call_chance, graves_worth
from alehouse.envs.bloody_inn.annexes import family_annexes, occupied_rooms
from alehouse.envs.bloody_inn.layout import (
    BEARDED, BRIBE, BUILD, BURY, CARAVAN, DISCOUNT, DWARF, KEY, KILL, KINDS, LASTING, NEUTRAL_ROOMS, ONCE, ONCE_AND_EXIT, OWN_ROOMS,
    PER_CHECK, PER_FAMILY, SERVICE, TWINS, VERBS, WAGE,
)  # fmt: skip
from alehouse.envs.bloody_inn.state import WHITE
from alehouse.envs.core.run.bits import within
from alehouse.envs.core.run.jit import jit

# The worth of things


@jit
def kept(s, R, p, amount):
    """Return how much of a gain a seat can keep under the cash limit."""
    return min(amount, int(R.cash_limit) - int(s.seat[p].cash))


@jit
def cards_due(s, outlook, verb, rank):
    """Return how many cards an action costs after discounts."""
    return max(0, int(rank) - int(s.seat[outlook.p].power[DISCOUNT + verb]))


@jit
def cost(outlook, verb, n):
    """Return the francs lost by playing n cards for an action; cards that come back are not lost."""
    return max(0, n - outlook.returning[verb]) * outlook.card


@jit
def card_worth(s, R, W, outlook, kind):
    """Rate a card in hand: it can pay, it may come back after an action, and it may be built."""
    worth = outlook.card - W.wage
    for verb in range(VERBS):
        if within(R.helps[verb], kind):
            worth += outlook.kin[verb]
    if within(R.buildable, kind):
        worth += W.plan * outlook.time * max(0.0, annex_worth(s, R, W, outlook, kind) - int(R.low[kind]) * outlook.card)
    return worth


@jit
def annex_worth(s, R, W, outlook, kind):
    """Rate an annex, in francs, if it is built now."""
    annex = int(R.annex[kind])
    op, amount = int(R.op[annex]), float(R.amount[annex])
    worth = graves_worth(W, outlook, outlook.graves + int(R.low[kind])) - outlook.graves_worth
    rounds = max(0.0, outlook.rounds - W.late)
    if op < LASTING:
        return worth + W.powers[op] * amount * rounds
    if op == ONCE:
        return worth + kept(s, R, outlook.p, amount)
    if op == ONCE_AND_EXIT:
        return worth + kept(s, R, outlook.p, amount) + exit_worth(s, R, W, annex)
    if op == PER_FAMILY:
        return worth + kept(s, R, outlook.p, amount * (1 + family_annexes(s, R, outlook.p, R.colour[annex])))
    if op == PER_CHECK:
        return worth + amount * (int(s.seat[outlook.p].checks) + W.saving * outlook.actions)
    if op == NEUTRAL_ROOMS:
        return worth + kept(s, R, outlook.p, amount * occupied_rooms(s, WHITE))
    if op == OWN_ROOMS:
        return worth + kept(s, R, outlook.p, amount * occupied_rooms(s, outlook.p))
    a_round = W.service if op == SERVICE else W.room if op in (KEY, CARAVAN) else 0.0
    return worth + a_round * rounds


@jit
def exit_worth(s, R, W, annex):
    """Rate the francs that an annex pays at the end for cards of its colour in the exit stack."""
    n = 0
    for kind in range(KINDS):
        if R.family[kind] == R.colour[annex]:
            n += int(s.unseen[kind]) + int(s.exit[kind])
    return int(R.per_card[annex]) * W.exit_share * n


@jit
def corpse_worth(s, R, W, outlook, kind, before, cards):
    """Rate an unburied corpse that is buried after `before` others, when the hand will hold `cards` cards."""
    due = cards_due(s, outlook, BURY, R.low[kind])
    net = burial_gain(s, R, W, outlook, kind, outlook.graves - before) - cost(outlook, BURY, due)
    fee = 10.0 * int(R.fee)
    if outlook.now > before and cards >= due:
        return W.ready * net
    if outlook.actions <= before:
        return -fee
    return (1.0 - outlook.call) * W.waiting * net - outlook.call * W.fear * fee


@jit
def burial_gain(s, R, W, outlook, kind, graves):
    """Return what burying a corpse brings a seat with this many free graves, not counting the cards it costs."""
    special = R.special[kind]
    money = float(R.money[kind])
    filled = 0 if special == DWARF else 2 if special == TWINS else 1
    if special != BEARDED and graves >= filled:
        return kept(s, R, outlook.p, money) - graves_worth(W, outlook, graves) + graves_worth(W, outlook, graves - filled)
    if outlook.others_have_graves and special != TWINS:
        return kept(s, R, outlook.p, 0.5 * money) - 0.5 * W.feed * money
    return W.homeless * money


@jit
def departure_worth(s, R, W, outlook, place, corpses):
    """Rate the departure of a guest: his rent is lost; if he is police, the seat with his corpses is safer."""
    owner = int(s.owner[place])
    worth = -W.rent if owner == outlook.p else W.deny if owner >= 0 else 0.0
    if within(R.police, s.guest[place]):
        relief = call_chance(W, outlook.police) - call_chance(W, outlook.police - 1)
        worth += relief * (W.exposed * corpses - W.spare * outlook.others_corpses)
    return worth


@jit
def cash_risk(s, R, W, outlook, cash):
    """Return the francs that holding this much cash loses: income above the limit, and accomplices left unpaid."""
    short = outlook.cards - int(s.seat[outlook.p].power[WAGE]) - cash
    over = max(0.0, cash + W.income - int(R.cash_limit))
    return W.launder * over * min(1.0, outlook.actions) + W.broke * max(0, short) * outlook.time


# The worth of actions; with `free` an object brings the played cards back.


@jit
def rate_bribe(s, R, W, outlook, place, free):
    """Rate bribing a guest."""
    kind = int(s.guest[place])
    paid = 0.0 if free else cost(outlook, BRIBE, cards_due(s, outlook, BRIBE, R.up[kind]))
    return card_worth(s, R, W, outlook, kind) - paid + departure_worth(s, R, W, outlook, place, outlook.corpses)


@jit
def rate_kill(s, R, W, outlook, place, free):
    """Rate killing a guest."""
    kind = int(s.guest[place])
    lost = 0 if free else max(0, cards_due(s, outlook, KILL, R.up[kind]) - outlook.returning[KILL])
    corpse = corpse_worth(s, R, W, outlook, kind, outlook.corpses, outlook.cards - lost)
    return corpse - lost * outlook.card + departure_worth(s, R, W, outlook, place, outlook.corpses + 1)


@jit
def rate_build(s, R, W, outlook, kind, free):
    """Rate building a card of the hand."""
    due = cards_due(s, outlook, BUILD, R.low[kind])
    paid = 0.0 if free else cost(outlook, BUILD, due - (1 if within(R.helps[BUILD], kind) else 0))
    return annex_worth(s, R, W, outlook, kind) - card_worth(s, R, W, outlook, kind) - paid


@jit
def rate_burial(s, R, W, outlook, kind, free):
    """Rate burying a corpse now, compared with keeping it."""
    paid = 0.0 if free else cost(outlook, BURY, cards_due(s, outlook, BURY, R.low[kind]))
    gain = burial_gain(s, R, W, outlook, kind, outlook.graves) - paid
    return gain - corpse_worth(s, R, W, outlook, kind, outlook.corpses - 1, outlook.cards)
