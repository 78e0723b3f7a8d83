"""What happens to money, cards and annexes, whoever causes it."""

from alehouse.envs.bloody_inn import questions as Q
from alehouse.envs.bloody_inn.layout import (
    ANNEXES, BARN, BEARDED, CARAVAN, CARAVANS, DECK, DISCOUNT, DWARF, HOMES, KEY, KINDS, LASTING, NEUTRAL_ROOMS, ONCE, ONCE_AND_EXIT,
    OWN_ROOMS, PEASANT, PER_FAMILY, PLACES, SAFE, SERVICE, TWINS, WHITES,
)  # fmt: skip
from alehouse.envs.bloody_inn.state import CLOSED, GRAVES, NOBODY, TWIN, WHITE
from alehouse.envs.core.run.question_stack import push
from alehouse.envs.core.run.bits import bit, lowest, without
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below

# Money


@jit
def gain(s, R, p, amount):
    """Francs for a seat: above the limit they are lost, or go to another seat's safe (BI 3.1, 4.3)."""
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


# Cards


@jit
def to_hand(s, p, kind):
    """A card comes to hand."""
    me = s.seat[p]
    me.hand[kind] += 1
    me.cards += 1
    me.kinds |= bit(kind)


@jit
def from_hand(s, p, kind):
    """A card leaves the hand."""
    me = s.seat[p]
    me.hand[kind] -= 1
    me.cards -= 1
    if me.hand[kind] == 0:
        me.kinds = without(me.kinds, kind)


@jit
def discard(s, kind, n):
    """Peasants go to the bistro, travelers to the exit stack."""
    if kind == PEASANT:
        s.bistro += n
    else:
        s.exit[kind] += n


@jit
def to_corpses(s, p, kind):
    """A corpse lies unburied in front of a seat."""
    me = s.seat[p]
    me.corpse[kind] += 1
    me.corpses += 1
    me.dead |= bit(kind)


@jit
def from_corpses(s, p, kind):
    """An unburied corpse is gone."""
    me = s.seat[p]
    me.corpse[kind] -= 1
    me.corpses -= 1
    if me.corpse[kind] == 0:
        me.dead = without(me.dead, kind)


@jit
def vacate(s, place):
    """A guest leaves his place by an action; a cake put on him is lost."""
    kind = s.guest[place]
    s.guest[place] = NOBODY
    s.full = without(s.full, place)
    if s.cake == place:
        s.cake = -1
    return kind


@jit
def visible(s, p):
    """Unburied corpses of a seat that no snow pile hides."""
    return int(s.seat[p].corpses) - int(s.snow_seat == p)


@jit
def visible_kinds(s, p):
    """The same, as a set of kinds."""
    me = s.seat[p]
    if s.snow_seat == p and me.corpse[s.snow] == 1:
        return without(me.dead, s.snow)
    return me.dead


# The entrance stack


@jit
def turn_up(s):
    """The next card of the entrance stack becomes visible: any of those nobody has seen, as likely."""
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
    """The exit stack becomes the entrance stack of season 2; what was removed stays out of the game (BI 3.7)."""
    s.season = 1
    s.hidden = 0
    for kind in range(KINDS):
        s.box[kind] += s.unseen[kind]
        s.unseen[kind] = s.exit[kind]
        s.hidden += s.exit[kind]
        s.exit[kind] = 0
    s.entrance = s.hidden
    turn_up(s)


# Places


@jit
def places_of(s, p):
    """The rooms and caravans of a seat, as a set."""
    found = 0
    for place in range(PLACES):
        found |= int(s.owner[place] == p) << place
    return found


@jit
def vacant(s):
    """Open rooms and caravans without a guest, as a set."""
    found = 0
    for place in range(PLACES):
        found |= int(s.owner[place] != CLOSED) << place
    return found & ~int(s.full)


@jit
def empty_caravan(s, p):
    """The first caravan of a seat that has no guest, or -1."""
    for place in range(CARAVANS, PLACES):
        if s.owner[place] == p and s.guest[place] == NOBODY:
            return place
    return -1


# Annexes


@jit
def purse(s, p, verb):
    """The sum of ranks a seat can still add to its action."""
    return min(63, int(s.seat[p].cards) + int(s.seat[p].power[DISCOUNT + verb]) - int(s.act.cost))


@jit
def raise_annex(s, R, p, annex, card, rank):
    """A new annex with its places and its lasting power; returns its number."""
    new = s.built[s.annexes]
    new.owner = p
    new.card = card
    new.free = rank
    new.across = 0
    for k in range(GRAVES):
        new.corpse[k] = NOBODY
    s.annexes += 1
    me = s.seat[p]
    me.annex[annex] += 1
    count_places(s, R, p, annex)
    return s.annexes - 1


@jit
def annex_of(R, built):
    """The kind of an annex."""
    return BARN if built.card == NOBODY else int(R.annex[built.card])


@jit
def count_places(s, R, p, annex):
    """Bring the seat's count of free places of one kind up to date."""
    free = 0
    for k in range(s.annexes):
        built = s.built[k]
        if built.owner == p and annex_of(R, built) == annex:
            free += int(built.free)
    me = s.seat[p]
    me.places[annex] = free
    if free > 0:
        me.open |= bit(annex)
    else:
        me.open = without(me.open, annex)


@jit
def build(s, R, p, card):
    """Put a card in front of a seat as an annex and apply what it does now (BI 3.4.2)."""
    annex = int(R.annex[card])
    op = R.op[annex]
    if op == CARAVAN:
        place = CARAVANS
        while s.owner[place] != CLOSED:
            place += 1
        s.owner[place] = p
        s.guest[place] = NOBODY
        s.caravan[place - CARAVANS] = card
        s.seat[p].tokens -= 1
        return
    raise_annex(s, R, p, annex, card, R.low[card])
    if op < LASTING:
        me = s.seat[p]
        if me.power[op] == 0 or not R.annex_once:
            me.power[op] += R.amount[annex]
    else:
        at_once(s, R, p, annex, op)


@jit
def at_once(s, R, p, annex, op):
    """Effects of building an annex."""
    amount = int(R.amount[annex])
    if op == ONCE or op == ONCE_AND_EXIT:
        gain(s, R, p, amount)
    elif op == PER_FAMILY:
        gain(s, R, p, amount * family_annexes(s, R, p, R.colour[annex]))
    elif op == NEUTRAL_ROOMS:
        gain(s, R, p, amount * occupied(s, WHITE))
    elif op == OWN_ROOMS:
        gain(s, R, p, amount * occupied(s, p))
    elif op == KEY and s.seat[p].tokens > 0 and white_rooms(s) > 0:
        push(s, Q.KEY, p)
    elif op == SERVICE and s.seat[p].tokens > 0 and unserved(s) > 0:
        push(s, Q.SERVICE, p)


@jit
def family_annexes(s, R, p, family):
    """Annexes of a seat built of cards of one family."""
    n = 0
    me = s.seat[p]
    for annex in range(ANNEXES):
        if annex != BARN and R.colour[annex] == family:
            n += int(me.annex[annex])
    return n


@jit
def family_count(s, R, family):
    """Cards of a family in the exit stack."""
    n = 0
    for kind in range(KINDS):
        if R.family[kind] == family:
            n += int(s.exit[kind])
    return n


@jit
def occupied(s, owner):
    """Rooms of an owner with a guest in them, caravans aside."""
    n = 0
    for place in range(HOMES, CARAVANS):
        n += int(s.owner[place] == owner and s.guest[place] != NOBODY)
    return n


@jit
def white_rooms(s):
    """Rooms with a white key, as a set."""
    found = 0
    for place in range(WHITES, CARAVANS):
        found |= int(s.owner[place] == WHITE) << place
    return found


@jit
def unserved(s):
    """Rooms with a key and without a service token, as a set; caravans never get one."""
    found = 0
    for place in range(HOMES, CARAVANS):
        found |= int(s.owner[place] != CLOSED and s.service[place] < 0) << place
    return found


# Burial


@jit
def graves_for(s, R, p, owner, kind):
    """Annex kinds of a seat under which p may bury a corpse of a kind; bit ANNEXES: its empty caravan (BI 4.1.7)."""
    special = R.special[kind]
    if (special == BEARDED and owner == p) or (special == TWINS and owner != p and not R.twins_any):
        return 0
    them = s.seat[owner]
    found = them.open
    caravan = empty_caravan(s, owner) if R.carnies else -1
    if special == TWINS:
        found = 0
        for k in range(s.annexes):
            built = s.built[k]
            if built.owner == owner and built.free >= 2:
                found |= bit(annex_of(R, built))
    elif special == DWARF:
        for k in range(s.annexes):
            built = s.built[k]
            if built.owner == owner and not (R.dwarf_needs_rank and rank_of(R, built) == 0):
                found |= bit(annex_of(R, built))
    if caravan >= 0 and (special == DWARF or R.low[s.caravan[caravan - CARAVANS]] >= 1 + int(special == TWINS)):
        found |= bit(ANNEXES)
    return found


@jit
def rank_of(R, built):
    """Places under an annex in all."""
    return int(R.barn_rank) if built.card == NOBODY else int(R.low[built.card])


@jit
def buriable(s, R, p, kinds):
    """Those of a set of kinds that p could bury somewhere."""
    plain = False
    caravans = False
    for owner in range(R.seats):
        plain |= s.seat[owner].open != 0
        caravans |= bool(R.carnies) and empty_caravan(s, owner) >= 0
    found = 0
    rest = kinds
    while rest != 0:
        kind = lowest(rest)
        rest &= rest - 1
        if R.special[kind] == 0 and not caravans:
            found |= int(plain) << kind
        else:
            there = False
            for owner in range(R.seats):
                there |= graves_for(s, R, p, owner, kind) != 0
            found |= int(there) << kind
    return found


@jit
def fullest(s, R, owner, annex, places):
    """The fullest annex of a kind that still has so many places, by number."""
    best = -1
    for k in range(s.annexes):
        built = s.built[k]
        if built.owner == owner and annex_of(R, built) == annex and built.free >= places and (best < 0 or built.free < s.built[best].free):
            best = k
    return best


@jit
def settle_caravan(s, R, owner):
    """An empty caravan becomes an annex as any other; the key goes back (BI 4.1.4)."""
    place = empty_caravan(s, owner)
    card = s.caravan[place - CARAVANS]
    s.owner[place] = CLOSED
    s.caravan[place - CARAVANS] = NOBODY
    s.seat[owner].tokens += 1
    return raise_annex(s, R, owner, int(R.annex[card]), card, R.low[card])


@jit
def lay(s, R, p, k, kind):
    """A corpse goes under annex k; its money goes to the owner, or half each to him and p (BI 3.4.4)."""
    built = s.built[k]
    owner = int(built.owner)
    special = R.special[kind]
    from_corpses(s, p, kind)
    coffins = 1
    if special == DWARF:
        built.across += 1
    else:
        put_under(s, built, kind)
        if special == TWINS:
            coffins = 2
            put_under(s, built, TWIN)
        count_places(s, R, owner, annex_of(R, built))
    s.seat[owner].buried += coffins
    s.seat[p].interred += coffins
    money = int(R.money[kind])
    if owner == p:
        gain(s, R, p, money)
    else:
        gain(s, R, p, money // 2)
        gain(s, R, owner, money // 2)


@jit
def put_under(s, built, kind):
    """A coffin takes a place; where quicklime lets it lie beyond the last place, it is only out of the game."""
    built.free = max(0, int(built.free) - 1)
    for k in range(GRAVES):
        if built.corpse[k] == NOBODY:
            built.corpse[k] = kind
            return
    if kind != TWIN:
        s.box[kind] += 1
