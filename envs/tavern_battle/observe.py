"""What a seat may know, as bytes: everything in the open, its own cards, and what it remembers of the treasures."""

from alehouse.envs.tavern_battle.questions import QUESTIONS
from alehouse.envs.tavern_battle import questions as Q
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.core.run.bits import lowest, popcount
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
at = FEATURES.start
F_SEATS, F_MODULES, F_PHASE, F_QUESTION, F_SELLER, F_LEADER = (at(f) for f in ("seats", "modules", "phase", "question", "seller", "leader"))
F_SITUATION, F_POSTED, F_CARD, F_OPPONENT, F_INSULTED, F_ONCE = (
    at(f) for f in ("situation", "posted", "card", "opponent", "insulted", "fallen_once")
)
F_SHOWN, F_OFFERED, F_FALLEN, F_PILE, F_SAFE = (at(f) for f in ("shown", "offered", "fallen", "pile", "safe"))
F_TREASURES, F_COUNTS, F_AGITATION = (at(f) for f in ("me_treasures", "me_counts", "my_agitation"))
F_OWNER, F_POSITION, F_COVER, F_DEN, F_STEADY, F_DOOR = (at(f) for f in ("owner", "position", "cover", "den", "steady", "door"))
F_ACTOR, F_TARGET, F_SUPPORTERS, F_VERB, F_ACT, F_OBJECT = (at(f) for f in ("actor", "target", "supporters", "verb", "act", "object"))
F_CALLED, F_BEARER, F_FRESH = (at(f) for f in ("called", "bearer", "fresh"))
F_OBJECTS, F_HIDDEN, F_SHUFFLED, F_DISCARD, F_USED, F_BROKEN = (
    at(f) for f in ("my_objects", "hidden_objects", "shuffled", "discard", "used", "broken")
)
F_ARRIVALS, F_ARRIVAL, F_HEARD = (at(f) for f in ("arrivals", "arrival", "heard"))


@jit
def observe(s, R, seat, out):
    """Write all segments."""
    out[:] = 0
    situation(s, R, seat, out)
    for k in range(R.seats):
        p = around(seat + k, R.seats)
        show_seat(s, s.seat[p], p, k, out)
    show_treasures(s, R, seat, out)
    if s.phase < P_BRAWL:
        show_trade(s, R, seat, out)
    show_characters(s, R, seat, out)
    if s.phase >= P_BRAWL:
        show_brawl(s, R, seat, out)


@jit
def situation(s, R, seat, out):
    """Who plays what, where the game stands, what is asked."""
    for k in range(R.seats):
        out[F_SEATS + k] = 1
    out[F_MODULES] = R.casse_tout
    out[F_MODULES + 1] = R.tous_sur_un
    out[F_MODULES + 2] = R.tete_dure
    if s.stack.n > 0:
        what = int(top(s).what)
        out[F_PHASE + int(s.phase)] = 1
        out[F_QUESTION + what] = 1
        if what == Q.VICTIM:
            out[F_CARD + int(top(s).a)] = 1
        elif what == Q.BAIT or what == Q.LOOT:
            out[F_OPPONENT + left(int(top(s).a), seat, R.seats)] = 1
    out[F_SELLER + left(s.seller, seat, R.seats)] = 1
    out[F_LEADER + left(s.leader, seat, R.seats)] = 1
    out[F_SITUATION] = s.turns
    out[F_SITUATION + 1] = s.posted
    out[F_SITUATION + 2] = s.rounds
    out[F_SITUATION + 3] = tavern(s, R)
    out[F_SITUATION + 4] = s.left
    out[F_SITUATION + 5] = s.drawn
    out[F_SITUATION + 6] = popcount(s.pile)


@jit
def show_seat(s, me, p, k, out):
    """How many cards a seat has; k counts seats to the left."""
    c = F_COUNTS + k * len(COUNTS)
    out[c] = popcount(me.treasures)
    out[c + 1] = popcount(me.safe)
    out[c + 2] = me.cards
    out[c + 3] = me.held
    out[c + 4] = me.cloaks
    out[c + 5] = popcount(living(s, p))


@jit
def show_treasures(s, R, seat, out):
    """For each seat what it may have (1) and what it surely has (2); the same for the pile, and for all that is safe."""
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
        write_sets(out, F_TREASURES + k * TREASURES, TREASURES, (theirs, theirs & ~twice))
    write_sets(out, F_FALLEN, TREASURES, (int(s.fallen),))
    write_sets(out, F_PILE, TREASURES, (int(may[PILE]), int(may[PILE]) & ~twice))
    write_sets(out, F_SAFE, TREASURES, (safe, safe & ~elsewhere))


@jit
def show_trade(s, R, seat, out):
    """Agitation cards, the treasure for sale, offers: one's own, and the others' once all are made."""
    write(out, F_AGITATION, s.seat[seat].agitation)
    write(out, F_POSTED, s.agitation)
    write_sets(out, F_INSULTED, HEROES, (int(s.insulted),))
    if s.shown != NOBODY:
        out[F_SHOWN + int(s.shown)] = 1
        for k in range(R.seats):
            offer = int(s.seat[around(seat + k, R.seats)].offer)
            if k == 0 or s.phase == P_CHOICE:
                while offer != 0:
                    out[F_OFFERED + lowest(offer)] = k + 1
                    offer &= offer - 1


@jit
def show_characters(s, R, seat, out):
    """Whose each character is, and how it lies."""
    a = int(s.seat[seat].group)
    b = group(s, R, seat, 1)
    c = group(s, R, seat, 2)
    d = group(s, R, seat, 3)
    e = group(s, R, seat, 4)
    f = group(s, R, seat, 5)
    write_sets(out, F_OWNER, CHARACTERS, (a | b | c | d | e | f, b | c | d | e | f, c | d | e | f, d | e | f, e | f, f))
    fled, ko, down, tilted = int(s.fled), int(s.ko), int(s.down), int(s.tilted)
    over = ko | fled
    lying = down | over
    write_sets(out, F_POSITION, CHARACTERS, (int(s.upright) | tilted | lying, tilted | lying, lying, over, fled))


@jit
def group(s, R, seat, k):
    """The group of the k-th seat to the left."""
    return int(s.seat[around(seat + k, R.seats)].group) if k < R.seats else 0


@jit
def show_brawl(s, R, seat, out):
    """What there is in a brawl only."""
    write_raised(out, F_COVER, s.cover)
    write_raised(out, F_DEN, s.den)
    write_raised(out, F_BEARER, s.bearer)
    write_sets(out, F_FRESH, WEAPONS, (int(s.fresh),))
    door = int(s.door)
    write_sets(out, F_ONCE, HEROES, (int(s.fallen_once),))
    write_sets(out, F_STEADY, CHARACTERS, (int(s.steady),))
    write_sets(out, F_DOOR, CHARACTERS, (door, door & ~int(s.door_now)))
    write(out, F_OBJECTS, s.seat[seat].objects)
    write(out, F_HIDDEN, s.hidden_objects)
    write(out, F_SHUFFLED, s.shuffled)
    write(out, F_DISCARD, s.discard)
    write(out, F_USED, s.used)
    write(out, F_BROKEN, s.broken)
    write_sets(out, F_ARRIVALS, ARRIVALS, (int(s.arrivals),))
    if s.arrival != NOBODY:
        out[F_ARRIVAL + int(s.arrival) - HEROES] = 1
        write_sets(out, F_HEARD, SEATS, (turned(s.heard, seat, R.seats),))
    elif s.phase == P_BRAWL and top(s).what != Q.ACTIVATE:
        show_act(s, R, seat, out)


@jit
def show_act(s, R, seat, out):
    """The action under way."""
    act = s.act
    out[F_ACTOR + int(act.actor)] = 1
    if act.verb == NOBODY:
        return
    out[F_VERB + int(act.verb)] = 1
    out[F_ACT] = dice(s, R)
    out[F_ACT + 1] = act.supports
    write_sets(out, F_SUPPORTERS, CHARACTERS, (int(act.supporters),))
    write_sets(out, F_CALLED, SEATS, (turned(act.called, seat, R.seats),))
    if act.target != NOBODY:
        out[F_TARGET + int(act.target)] = 1
    if act.object != NOBODY:
        out[F_OBJECT + int(act.object)] = 1
