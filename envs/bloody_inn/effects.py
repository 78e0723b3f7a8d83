"""Changes of money, cards and the entrance stack that several phases use."""

from alehouse.envs.bloody_inn.layout import DECK, KINDS, PEASANT, SAFE
from alehouse.envs.bloody_inn.state import NOBODY
from alehouse.envs.core.run.bits import bit, without
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below

# Money of the seats


@jit
def gain(s, R, p, amount):
    """Give francs to a seat; money above the limit is lost, or goes to another seat's safe (BI 3.1, 4.3)."""
    me = s.seat[p]
    cash = int(me.cash) + amount
    if R.unlimited:
        while cash > R.cash_limit and cash >= 40:
            cash -= 40
            me.checks += 4
    elif cash > R.cash_limit:
        excess = cash - R.cash_limit
        cash = int(R.cash_limit)
        for k in range(1, R.seats):
            other = s.seat[(p + k) % R.seats]
            if other.power[SAFE] > 0:
                other.cash = min(int(R.cash_limit), int(other.cash) + excess)
                break
    me.cash = cash


# Cards in hands, in the bistro and on the exit stack


@jit
def to_hand(s, p, kind):
    """Add a card to a hand."""
    me = s.seat[p]
    me.hand[kind] += 1
    me.cards += 1
    me.kinds |= bit(kind)


@jit
def from_hand(s, p, kind):
    """Take a card from a hand."""
    me = s.seat[p]
    me.hand[kind] -= 1
    me.cards -= 1
    if me.hand[kind] == 0:
        me.kinds = without(me.kinds, kind)


@jit
def discard(s, kind, n):
    """Put n cards of a kind away: peasants into the bistro, travelers on the exit stack."""
    if kind == PEASANT:
        s.bistro += n
    else:
        s.exit[kind] += n


@jit
def to_corpses(s, p, kind):
    """Lay an unburied corpse in front of a seat."""
    me = s.seat[p]
    me.corpse[kind] += 1
    me.corpses += 1
    me.dead |= bit(kind)


@jit
def from_corpses(s, p, kind):
    """Take away an unburied corpse of a seat."""
    me = s.seat[p]
    me.corpse[kind] -= 1
    me.corpses -= 1
    if me.corpse[kind] == 0:
        me.dead = without(me.dead, kind)


@jit
def take_guest(s, place):
    """Remove a guest from his place because of an action, and return his kind; a cake served to him is lost."""
    kind = s.guest[place]
    s.guest[place] = NOBODY
    s.full = without(s.full, place)
    if s.cake == place:
        s.cake = -1
    return kind


@jit
def visible(s, p):
    """Return how many unburied corpses of a seat are not under a snow pile."""
    return int(s.seat[p].corpses) - int(s.snow_seat == p)


@jit
def visible_kinds(s, p):
    """Return as a set the kinds of a seat's unburied corpses that are not under a snow pile."""
    me = s.seat[p]
    if s.snow_seat == p and me.corpse[s.snow] == 1:
        return without(me.dead, s.snow)
    return me.dead


# The entrance stack of travelers


@jit
def turn_up(s):
    """Turn up the next card of the entrance stack; every card that nobody has seen is equally likely."""
    s.top = NOBODY
    if s.entrance > 0:
        k = below(s.seed, DECK, s.season, 0, s.hidden, s.hidden)
        kind = 0
        while k >= s.unseen[kind]:
            k -= s.unseen[kind]
            kind += 1
        s.top = kind
        s.unseen[kind] -= 1
        s.hidden -= 1


@jit
def reshuffle(s):
    """Turn the exit stack into the entrance stack of season 2; removed cards stay out of the game (BI 3.7)."""
    s.season = 1
    s.hidden = 0
    for kind in range(KINDS):
        s.box[kind] += s.unseen[kind]
        s.unseen[kind] = s.exit[kind]
        s.hidden += s.exit[kind]
        s.exit[kind] = 0
    s.entrance = s.hidden
    turn_up(s)
