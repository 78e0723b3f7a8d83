"""Phase F: the seat whose dice are placed serves its guests, is paid, and buys (3 F)."""

from alehouse.envs.tiefenthal import questions as Q
from alehouse.envs.core.run.question_stack import pop, push, top
from alehouse.envs.core.run.bits import bit, first, lowest, put, within, without
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.tiefenthal.effects import (
    gain_beer, gain_card, gain_doubloons, level, onto_pile, grant, unlay,
)  # fmt: skip
from alehouse.envs.tiefenthal.layout import (
    A_BUY, A_COLLECT, A_COUNTER, A_DONE, A_END, A_FREE, A_GIVE_UP, A_GUEST, A_NOBLES, A_REMOVE, A_SING, A_SPEND, A_UPGRADE, BARD, BARREL,
    CASHBOX, CHEAP, CHEAP_PILE, DECK, DISHWASHER, DISPLAY, GUEST_DECK, MERCHANT, MONK, NOBLE, P_BARREL, P_CASHBOX, P_DISHWASHER, P_MONK,
    P_SAFE, P_SERVE, P_STORE, P_SUPPLIER, P_WAITRESS, PATRONS, PIECES, REGULARS, SIDE, SUPPLIER, UNUSED, WAITRESS,
)  # fmt: skip
from alehouse.envs.tiefenthal import plan
from alehouse.envs.tiefenthal.modules import guest_book, reputation, schnapps
from alehouse.envs.tiefenthal.state import NOBODY, WORTH


@jit
def open_bar(s, R):
    """Let guests and nobles pay and merchants deliver; dice then leave the patrons, who all count as free (TT-R44)."""
    act = s.act
    me = s.seat[act.seat]
    s.phase = P_SERVE
    me.doubloons += act.income
    me.beer += me.laid[MERCHANT]
    act.on[:CASHBOX] = 0
    act.vacant = int(me.laid_kinds) & first(PATRONS)


@jit
def serve(s, R):
    """Ask the seat what to do next; when it ends its turn, collect what is left and go on to the next seat."""
    p = int(s.act.seat)
    if not s.act.ending:
        push(s, Q.SERVE, p)
    elif uncollected(s) != 0:
        collect(s, R, p, lowest(uncollected(s)))
    elif s.act.songs > 0:
        reputation.sing(s, p)
    else:
        close_bar(s, R, p)
        plan.next_turn(s, R)


@jit
def uncollected(s):
    """Return as a set the spaces that still have a die on them."""
    found = 0
    for place in range(CASHBOX, UNUSED):
        found |= int(s.act.on[place] > 0) << (place - CASHBOX)
    return found


@jit
def close_bar(s, R, p):
    """Keep as much as safe, store and counter can hold; the rest is lost (3 F10, M2-6)."""
    me = s.seat[p]
    me.doubloons = min(int(me.doubloons), level(R, me, P_SAFE))
    me.beer = min(int(me.beer), level(R, me, P_STORE))
    schnapps.put_back(s, R, p)
    s.act.vacant = 0


@jit
def legal_serve(s, R, p, words):
    """List everything the seat can do in its turn."""
    act, me = s.act, s.seat[p]
    put(words, A_END, 1)
    put(words, A_COLLECT, uncollected(s))
    put(words, A_COUNTER, int(me.counter > 0))
    reputation.legal_song(s, R, words)
    purse = min(int(me.doubloons), WORTH - 1)
    put(words, A_BUY, int(R.affordable[purse]) & int(s.stocked) & ~int(act.bought))
    pieces = upgradable(R, me)
    put(words, A_UPGRADE, pieces & payable(R, me, int(me.doubloons) + int(act.discount)))
    if R.many_purchases or not (act.guest or act.nobles):
        legal_guests(s, R, me, words)
    schnapps.legal_serve(s, R, p, words, pieces)


@jit
def upgradable(R, me):
    """Return the pieces that still show their basic side; if the upgrade gives a card, that card must be available (TT-R4)."""
    found = first(len(PIECES)) & ~int(me.upgraded)
    if R.hire_takes_card and me.laid[WAITRESS] == 0:
        found = without(found, P_WAITRESS)
    if R.hire_takes_card and me.laid[DISHWASHER] == 0:
        found = without(found, P_DISHWASHER)
    return found


@jit
def legal_guests(s, R, me, words):
    """List the guests and nobles that the seat can pay with its beer; it cannot buy a second guest (3 F4, TT-R1)."""
    beer = int(me.beer)
    guests = 0
    if not s.act.guest:
        for k in range(DISPLAY):
            guests |= int(s.open[k] != NOBODY and R.beers[s.open[k]] <= beer) << k
    put(words, A_GUEST, guests)
    nobles = 0
    if s.stock[0] > 0:
        for k in range(3):
            nobles |= int(R.noble_beers[k] <= beer) << k
    put(words, A_NOBLES, nobles)


@jit
def apply_serve(s, R, p, a):
    """Carry out the action that the seat chose."""
    pop(s)
    act, me = s.act, s.seat[p]
    if a == A_END:
        act.ending = 1
    elif a == A_SING:
        reputation.sing(s, p)
    elif a == A_COUNTER:
        me.counter -= 1
        push(s, Q.STEPS, p, 1)
    elif a < A_BUY:
        collect(s, R, p, a - A_COLLECT)
    elif a < A_UPGRADE:
        me.doubloons -= R.price[a - A_BUY]
        act.bought |= bit(a - A_BUY)
        gain_card(s, p, BARD + a - A_BUY)
    elif a < A_FREE:
        price = max(0, int(R.cost[a - A_UPGRADE]) - int(act.discount))
        act.discount = 0
        upgrade(s, R, p, a - A_UPGRADE)
        charge(s, R, p, int(R.staff[a - A_UPGRADE]), price)
    elif a < A_GUEST:
        schnapps.pay(s, R, p, schnapps.UPGRADE)
        upgrade(s, R, p, a - A_FREE)
    elif a < A_NOBLES:
        buy_guest(s, R, p, a - A_GUEST)
    elif a < A_COUNTER:
        buy_nobles(s, R, p, a - A_NOBLES)
    elif a < A_REMOVE:
        schnapps.spend(s, R, p, a - A_SPEND)
    else:
        schnapps.expel(s, R, p, a - A_REMOVE)


@jit
def collect(s, R, p, space):
    """Take one die off a space, and give the seat what the space gives now (3 F1, 3 F9)."""
    me = s.seat[p]
    place = CASHBOX + space
    s.act.on[place] -= 1
    if place == CASHBOX:
        gain_doubloons(s, R, p, level(R, me, P_CASHBOX))
    elif place == BARREL:
        gain_beer(s, R, p, level(R, me, P_BARREL))
    elif place == MONK:
        grant_steps(s, p, level(R, me, P_MONK))
    else:
        gain_beer(s, R, p, level(R, me, P_SUPPLIER) + int(me.laid[SUPPLIER]))


@jit
def grant_steps(s, p, steps):
    """Let the seat take steps at the monastery."""
    if steps > 0:
        push(s, Q.STEPS, p, steps)


@jit
def upgrade(s, R, p, piece):
    """Flip a piece to its upgraded side and gain a noble for it. Most pieces work from the next round on (3 F3, 3 F9)."""
    me = s.seat[p]
    me.upgraded |= bit(piece)
    if within(R.at_once, piece):
        me.working |= bit(piece)
    if R.hire_takes_card and (piece == P_WAITRESS or piece == P_DISHWASHER):
        kind = WAITRESS if piece == P_WAITRESS else DISHWASHER
        unlay(me, kind)
        s.box[kind] += 1
    gain_card(s, p, NOBLE)


# Discounts


@jit
def payable(R, me, purse):
    """Return the pieces whose upgrade costs no more than these doubloons, if need be by giving up cards."""
    found = int(R.upgradable[min(purse, WORTH - 1)])
    rest = int(R.discounted) & ~found
    while rest != 0:
        piece = lowest(rest)
        rest &= rest - 1
        found |= int(least_price(R, me, piece) <= purse) << piece
    return found


@jit
def least_price(R, me, piece):
    """Return what an upgrade costs if all cards that take something off its price are given up."""
    return max(0, int(R.cost[piece]) - spare_cards(R, me, piece) * discount(R, int(R.staff[piece])))


@jit
def spare_cards(R, me, piece):
    """Return how many cards a seat can give up for a discount on a piece; a card that the hire itself takes is none of them."""
    kind = int(R.staff[piece])
    taken = int(R.hire_takes_card and (piece == P_WAITRESS or piece == P_DISHWASHER))
    return 0 if kind == NOBODY else max(0, int(me.laid[kind]) - taken)


@jit
def discount(R, kind):
    """Return what giving up a card takes off a price: the price of the card."""
    return 0 if kind == NOBODY else int(R.price[kind - BARD])


@jit
def charge(s, R, p, kind, price):
    """Take the price of an upgrade, unless a card of a kind may be given up first."""
    me = s.seat[p]
    if price > 0 and discount(R, kind) > 0 and me.laid[kind] > 0:
        push(s, Q.DISCOUNT, p, kind, price)
    else:
        me.doubloons -= price


@jit
def legal_discount(s, R, p, words):
    """List giving up one card of the kind, and paying what the upgrade still costs."""
    put(words, A_GIVE_UP, 1)
    put(words, A_DONE, int(s.seat[p].doubloons >= top(s).b))


@jit
def apply_discount(s, R, p, a):
    """Put the card into the box, which takes its price off the upgrade's; or pay (TT-R4)."""
    me, kind, price = s.seat[p], int(top(s).a), int(top(s).b)
    pop(s)
    if a == A_DONE:
        me.doubloons -= price
        return
    unlay(me, kind)
    s.box[kind] += 1
    charge(s, R, p, kind, max(0, price - discount(R, kind)))


# Buying with beer


@jit
def buy_nobles(s, R, p, k):
    """Buy one, two or three nobles at once, as long as the pile lasts (1.6)."""
    s.seat[p].beer -= R.noble_beers[k]
    s.act.nobles = 1
    for _ in range(k + 1):
        gain_card(s, p, NOBLE)


@jit
def buy_guest(s, R, p, place):
    """Buy a guest: refill the display, then give his bonus, his card and his signature (3 F5, M5-1)."""
    kind = int(s.open[place])
    s.seat[p].beer -= R.beers[kind]
    s.act.guest = 1
    signed = guest_book.carry(s, place)
    turn_up(s, R, place)
    push(s, Q.WELCOME, p, kind, int(signed))
    grant(s, R, p, int(R.bonus[kind]), int(R.amount[kind]))


@jit
def welcome(s, R):
    """Put a new guest's card on top of the draw pile, and his signature into the book."""
    entry = top(s)
    p, kind, signed = int(entry.seat), int(entry.a), entry.b
    pop(s)
    onto_pile(s, p, kind)
    if signed:
        guest_book.cover(s, R, p, int(R.column[kind]))


@jit
def turn_up(s, R, place):
    """Turn up the next guest of a pile; all guests in the pile are equally likely."""
    s.open[place] = NOBODY
    pile = CHEAP if place == SIDE else DECK
    n = int(s.cheap_n if pile == CHEAP else s.deck_n)
    if n == 0:
        return
    k = below(s.seed, CHEAP_PILE if pile == CHEAP else GUEST_DECK, 0, 0, n, n)
    kind = REGULARS - 1
    while k >= 0:
        kind += 1
        if within(R.cheap, kind) == (pile == CHEAP):
            k -= int(s.unseen[kind])
    s.unseen[kind] -= 1
    s.open[place] = kind
    if pile == CHEAP:
        s.cheap_n -= 1
    else:
        s.deck_n -= 1
    guest_book.offer(s, R, place)
