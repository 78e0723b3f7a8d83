"""The observation as bytes: everything that lies open, the seat's own cards, and what it remembers of the treasures."""

from alehouse.envs.tavern_battle.questions import QUESTIONS
from alehouse.envs.tavern_battle import questions as Q
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.core.run.bits import bit, lowest, popcount
from alehouse.envs.core.run.byte_blocks import write, write_raised, write_sets
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.declare.layout import Features
from alehouse.envs.core.run.seats import around, left, turned
from alehouse.envs.tavern_battle.combat import dice
from alehouse.envs.tavern_battle.effects import living
from alehouse.envs.tavern_battle.flow import tavern
from alehouse.envs.tavern_battle.layout import (
    AGITATION_NAMES, ARRIVAL_NAMES, ARRIVALS, BOX, CHARACTER_NAMES, CHARACTERS, HAND, HERO_NAMES, HEROES, OBJECT_NAMES, OBJECTS, P_BRAWL,
    P_CHOICE, PHASES, PILE, POSITIONS, RELATIVE, SAFE, SEATS, TREASURE_NAMES, TREASURES, VERB_NAMES, WEAPON_NAMES, WEAPONS,
)  # fmt: skip
from alehouse.envs.tavern_battle.state import NOBODY
from alehouse.envs.tavern_battle.trade import stands

BYTE = 255
SITUATION = ("trade_turns", "posted", "rounds", "tavern", "deck", "arrivals_drawn", "pile")
COUNTS = ("treasures", "safe", "agitation", "objects", "cloaks", "alive")

FEATURES = Features(
    [
        ("seats", RELATIVE, 1),
        ("modules", ("casse_tout", "tous_sur_un", "tete_dure"), 1),
        ("phase", PHASES[:-1], 1),
        ("question", QUESTIONS.names, 1),
        ("seller", RELATIVE, 1),
        ("leader", RELATIVE, 1),
        ("situation", SITUATION, BYTE),
        ("posted", AGITATION_NAMES, BYTE),
        ("card", AGITATION_NAMES, 1),
        ("opponent", RELATIVE, 1),
        ("insulted", HERO_NAMES, 1),
        ("fallen_once", HERO_NAMES, 1),
        ("shown", TREASURE_NAMES, 1),
        ("offered", TREASURE_NAMES, SEATS),
        ("last_sale", TREASURE_NAMES, 2),
        ("traders", RELATIVE, 2),
        ("fallen", TREASURE_NAMES, 1),
        ("pile", TREASURE_NAMES, 2),
        ("safe", TREASURE_NAMES, 2),
        *((f"{who}_treasures", TREASURE_NAMES, 2) for who in RELATIVE),
        *((f"{who}_counts", COUNTS, BYTE) for who in RELATIVE),
        ("my_agitation", AGITATION_NAMES, BYTE),
        ("owner", CHARACTER_NAMES, SEATS),
        ("position", CHARACTER_NAMES, len(POSITIONS)),
        ("cover", CHARACTER_NAMES, OBJECTS),
        ("den", CHARACTER_NAMES, OBJECTS),
        ("steady", CHARACTER_NAMES, 1),
        ("door", CHARACTER_NAMES, 2),
        ("actor", CHARACTER_NAMES, 1),
        ("target", CHARACTER_NAMES, 1),
        ("supporters", CHARACTER_NAMES, 1),
        ("verb", VERB_NAMES, 1),
        ("act", ("dice", "supports"), BYTE),
        ("object", OBJECT_NAMES, 1),
        ("called", RELATIVE, 1),
        ("bearer", WEAPON_NAMES, CHARACTERS),
        ("fresh", WEAPON_NAMES, 1),
        ("my_objects", OBJECT_NAMES, BYTE),
        ("hidden_objects", OBJECT_NAMES, BYTE),
        ("shuffled", OBJECT_NAMES, BYTE),
        ("discard", OBJECT_NAMES, BYTE),
        ("used", OBJECT_NAMES, BYTE),
        ("broken", OBJECT_NAMES, BYTE),
        ("arrivals", ARRIVAL_NAMES, 1),
        ("arrival", ARRIVAL_NAMES, 1),
        ("heard", RELATIVE, 1),
    ]
)
F = FEATURES.places


@jit
def observe(s, R, seat, out):
    """Write what a seat may know of a table."""
    out[:] = 0
    situation(s, R, seat, out)
    for k in range(R.seats):
        show_counts(s, around(seat + k, R.seats), k, out)
    show_treasures(s, R, seat, out)
    if s.phase < P_BRAWL:
        show_trade(s, R, seat, out)
    show_characters(s, R, seat, out)
    if s.phase >= P_BRAWL:
        show_brawl(s, R, seat, out)


@jit
def situation(s, R, seat, out):
    """Write what is played, how far the game has come, and which question is open."""
    for k in range(R.seats):
        out[F.seats.at + k] = 1
    out[F.modules.casse_tout] = R.casse_tout
    out[F.modules.tous_sur_un] = R.tous_sur_un
    out[F.modules.tete_dure] = R.tete_dure
    if s.stack.n > 0:
        ask = top(s)
        out[F.phase.at + int(s.phase)] = 1
        out[F.question.at + int(ask.what)] = 1
        if ask.what == Q.VICTIM:
            out[F.card.at + int(ask.a)] = 1
        elif ask.what == Q.BAIT or ask.what == Q.LOOT:
            out[F.opponent.at + left(int(ask.a), seat, R.seats)] = 1
    out[F.seller.at + left(s.seller, seat, R.seats)] = 1
    out[F.leader.at + left(s.leader, seat, R.seats)] = 1
    out[F.situation.trade_turns] = s.turns
    out[F.situation.posted] = s.posted
    out[F.situation.rounds] = s.rounds
    out[F.situation.tavern] = tavern(s, R)
    out[F.situation.deck] = s.left
    out[F.situation.arrivals_drawn] = s.drawn
    out[F.situation.pile] = popcount(s.pile)


@jit
def show_counts(s, p, k, out):
    """Write how many cards and characters seat p has; p is the k-th seat to the left of the observer."""
    me = s.seat[p]
    at = k * len(COUNTS)
    out[F.me_counts.treasures + at] = popcount(me.treasures)
    out[F.me_counts.safe + at] = popcount(me.safe)
    out[F.me_counts.agitation + at] = me.cards
    out[F.me_counts.objects + at] = me.held
    out[F.me_counts.cloaks + at] = me.cloaks
    out[F.me_counts.alive + at] = popcount(living(s, p))


@jit
def show_treasures(s, R, seat, out):
    """Write for each seat which treasures it may have (1) or certainly has (2); likewise for the pile, and for all treasures in safety."""
    may = s.seat[seat].may
    once = int(may[PILE] | may[BOX])
    twice = int(may[PILE] & may[BOX])
    safe = 0
    elsewhere = once
    for q in range(R.seats):
        hand, theirs = int(may[HAND + q]), int(may[HAND + q] | may[SAFE + q])
        safe |= int(may[SAFE + q])
        elsewhere |= hand
        twice |= once & theirs
        once |= theirs
    for k in range(R.seats):
        q = around(seat + k, R.seats)
        theirs = int(may[HAND + q] | may[SAFE + q])
        write_sets(out, F.me_treasures.at + k * TREASURES, TREASURES, (theirs, theirs & ~twice))
    write_sets(out, F.fallen.at, TREASURES, (int(s.fallen),))
    write_sets(out, F.pile.at, TREASURES, (int(may[PILE]), int(may[PILE]) & ~twice))
    write_sets(out, F.safe.at, TREASURES, (safe, safe & ~elsewhere))


@jit
def show_trade(s, R, seat, out):
    """Write agitation cards, the treasure for sale, and offers: the seat's own at once, the others' when all are made.

    Of the last sale, if it still stands, write the treasure sold (1), those paid for it (2), the seller (1) and the buyer (2).
    """
    write(out, F.my_agitation.at, s.seat[seat].agitation)
    write(out, F.posted.at, s.agitation)
    write_sets(out, F.insulted.at, HEROES, (int(s.insulted),))
    if s.shown != NOBODY:
        out[F.shown.at + int(s.shown)] = 1
        for k in range(R.seats):
            offer = int(s.seat[around(seat + k, R.seats)].offer)
            if k == 0 or s.phase == P_CHOICE:
                while offer != 0:
                    out[F.offered.at + lowest(offer)] = k + 1
                    offer &= offer - 1
    if stands(s):
        sold, paid = bit(s.sale.sold), int(s.sale.paid)
        write_sets(out, F.last_sale.at, TREASURES, (sold | paid, paid))
        out[F.traders.at + left(s.sale.seller, seat, R.seats)] = 1
        out[F.traders.at + left(s.sale.buyer, seat, R.seats)] = 2


@jit
def show_characters(s, R, seat, out):
    """Write each character's owner and position."""
    a = int(s.seat[seat].group)
    b = group(s, R, seat, 1)
    c = group(s, R, seat, 2)
    d = group(s, R, seat, 3)
    e = group(s, R, seat, 4)
    f = group(s, R, seat, 5)
    write_sets(out, F.owner.at, CHARACTERS, (a | b | c | d | e | f, b | c | d | e | f, c | d | e | f, d | e | f, e | f, f))
    fled, ko, down, tilted = int(s.fled), int(s.ko), int(s.down), int(s.tilted)
    over = ko | fled
    lying = down | over
    write_sets(out, F.position.at, CHARACTERS, (int(s.upright) | tilted | lying, tilted | lying, lying, over, fled))


@jit
def group(s, R, seat, k):
    """Return as a set the group of the k-th seat to the left; it is empty if there are fewer seats."""
    return int(s.seat[around(seat + k, R.seats)].group) if k < R.seats else 0


@jit
def show_brawl(s, R, seat, out):
    """Write what exists only in a brawl: cards lying on characters, objects, and the arrival to claim or the current action."""
    write_raised(out, F.cover.at, s.cover)
    write_raised(out, F.den.at, s.den)
    write_raised(out, F.bearer.at, s.bearer)
    write_sets(out, F.fresh.at, WEAPONS, (int(s.fresh),))
    door = int(s.door)
    write_sets(out, F.fallen_once.at, HEROES, (int(s.fallen_once),))
    write_sets(out, F.steady.at, CHARACTERS, (int(s.steady),))
    write_sets(out, F.door.at, CHARACTERS, (door, door & ~int(s.door_now)))
    write(out, F.my_objects.at, s.seat[seat].objects)
    write(out, F.hidden_objects.at, s.hidden_objects)
    write(out, F.shuffled.at, s.shuffled)
    write(out, F.discard.at, s.discard)
    write(out, F.used.at, s.used)
    write(out, F.broken.at, s.broken)
    write_sets(out, F.arrivals.at, ARRIVALS, (int(s.arrivals),))
    if s.arrival != NOBODY:
        out[F.arrival.at + int(s.arrival) - HEROES] = 1
        write_sets(out, F.heard.at, SEATS, (turned(s.heard, seat, R.seats),))
    elif s.phase == P_BRAWL and top(s).what != Q.ACTIVATE:
        show_act(s, R, seat, out)


@jit
def show_act(s, R, seat, out):
    """Write the action of the activated character."""
    act = s.act
    out[F.actor.at + int(act.actor)] = 1
    if act.verb == NOBODY:
        return
    out[F.verb.at + int(act.verb)] = 1
    out[F.act.dice] = dice(s, R)
    out[F.act.supports] = act.supports
    write_sets(out, F.supporters.at, CHARACTERS, (int(act.supporters),))
    write_sets(out, F.called.at, SEATS, (turned(act.called, seat, R.seats),))
    if act.target != NOBODY:
        out[F.target.at + int(act.target)] = 1
    if act.object != NOBODY:
        out[F.object.at + int(act.object)] = 1
