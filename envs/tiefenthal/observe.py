"""The observation: everything except the order of piles, as bytes, with the observing seat first."""

from alehouse.envs.tiefenthal.questions import QUESTIONS
from alehouse.envs.tiefenthal import questions as Q
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.core.run.byte_blocks import write, write_sets
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.declare.layout import Features
from alehouse.envs.core.run.seats import around
from alehouse.envs.tiefenthal.layout import (
    BONUSES, CARDS, COLUMN_NAMES, COLUMNS, DISPLAY, ENTERTAINER_NAMES, ENTERTAINERS, FACE_NAMES, FACES, K1, KINDS, P_DRAFT, P_JUGGLE,
    P_SERVE, PHASES, PIECES, PLACES, RELATIVE, START_NAMES, STARTS, TAVERN, TAVERN_NAMES,
)  # fmt: skip
from alehouse.envs.tiefenthal.state import NOBODY

BYTE = 255
OFFERED = ("open1", "open2", "open3", "open4", "cheap")
COUNTS = ("doubloons", "beer", "counter", "monastery", "deck", "gained", "discard")
PENDING = ("steps", "reputation", "guest", "removals", "start_card", "entertainer", "discount_card", "upgrade_price")
KNOWN = 8  # the observation shows at most this many of the known cards on top of a draw pile

DRAFTED = STARTS - K1  # number of start cards besides the standard start
UPGRADES = len(PIECES)
FEATURES = Features(
    [
        ("seats", RELATIVE, 1),
        ("modules", ("schnapps", "reputation", "start_cards", "guest_book"), 1),
        ("start_player", RELATIVE, 1),
        ("phase", PHASES[:-1], 1),
        ("question", QUESTIONS.names, 1),
        ("situation", ("round", "cursor", "deck", "cheap", "counters"), BYTE),
        ("pending", PENDING, BYTE),
        ("turn", RELATIVE, 1),
        ("action", ("pips", "face", "last", "income", "discount", "guest", "nobles"), BYTE),
        ("bought", TAVERN_NAMES, 1),
        ("dice_on", PLACES, BYTE),
        ("offer_kind", OFFERED, KINDS),
        ("offer_price", OFFERED, BYTE),
        ("offer_die", OFFERED, BYTE),
        ("offer_pay", OFFERED, BYTE),
        ("offer_vp", OFFERED, BYTE),
        ("offer_bonus", OFFERED, len(BONUSES)),
        ("offer_amount", OFFERED, BYTE),
        ("stock", ("noble", *TAVERN_NAMES), BYTE),
        ("unseen", CARDS, BYTE),
        *((f"{who}_coaster", FACE_NAMES, BYTE) for who in RELATIVE),
        *((f"{who}_dice", FACE_NAMES, BYTE) for who in RELATIVE),
        *((f"{who}_counts", COUNTS, BYTE) for who in RELATIVE),
        *((f"{who}_upgraded", PIECES, 2) for who in RELATIVE),
        *((f"{who}_deck", CARDS, BYTE) for who in RELATIVE),
        *((f"{who}_laid", CARDS, BYTE) for who in RELATIVE),
        *((f"{who}_discard", CARDS, BYTE) for who in RELATIVE),
        *((f"{who}_gained", KNOWN, KINDS) for who in RELATIVE),
        ("glasses", 1, BYTE),
        ("schnapps", RELATIVE, BYTE),
        *((f"{who}_entertainers", ENTERTAINER_NAMES, 1) for who in RELATIVE),
        ("songs", 1, BYTE),
        ("fame", RELATIVE, BYTE),
        ("points", RELATIVE, BYTE),
        ("starts", START_NAMES[K1:], 1),
        ("tiles", 1, BYTE),
        ("signed", OFFERED, 1),
        *((f"{who}_book", COLUMN_NAMES, 4) for who in RELATIVE),
    ]
)
F = FEATURES.places


@jit
def observe(s, R, seat, out):
    """Write what a seat may know of a table."""
    out[:] = 0
    situation(s, R, seat, out)
    if P_JUGGLE <= s.phase <= P_SERVE:
        under_way(s, R, seat, out)
    for k in range(DISPLAY):
        show_offer(s, R, k, out)
    write(out, F.stock.at, s.stock)
    write(out, F.unseen.at, s.unseen)
    passed = int(top(s).a) - int(top(s).seat) if s.phase == P_DRAFT else 0
    for k in range(R.seats):
        p = around(seat + k, R.seats)
        show_seat(s, R, p, k, out)
        write(out, F.me_coaster.at + k * FACES, s.coaster[around(p + passed, R.seats)])
    if R.schnapps:
        out[F.glasses.at] = s.schnapps
    if R.start_cards:
        write_sets(out, F.starts.at, DRAFTED, (int(s.starts) >> K1,))
    if R.guest_book:
        out[F.tiles.at] = s.tiles
        write_sets(out, F.signed.at, DISPLAY, (int(s.signed),))


@jit
def situation(s, R, seat, out):
    """Write what is played, how far the game has come, and which question is open."""
    for k in range(R.seats):
        out[F.seats.at + k] = 1
    out[F.modules.schnapps] = R.schnapps
    out[F.modules.reputation] = R.reputation
    out[F.modules.start_cards] = R.start_cards
    out[F.modules.guest_book] = R.guest_book
    out[F.start_player.at + around(s.first - seat, R.seats)] = 1
    out[F.situation.round] = s.evening
    out[F.situation.cursor] = s.cursor
    out[F.situation.deck] = s.deck_n
    out[F.situation.cheap] = s.cheap_n
    out[F.situation.counters] = s.counters
    if s.stack.n > 0:
        out[F.phase.at + int(s.phase)] = 1
        out[F.question.at + int(top(s).what)] = 1
    for k in range(s.stack.n):
        show_pending(s.stack.entry[k], out)


@jit
def show_pending(entry, out):
    """Write what an entry of the stack concerns."""
    if entry.what == Q.STEPS:
        out[F.pending.steps] += entry.a
    elif entry.what == Q.FAME:
        out[F.pending.reputation] += entry.a
    elif entry.what == Q.WELCOME:
        out[F.pending.guest] = int(entry.a) + 1
    elif entry.what == Q.REMOVE or entry.what == Q.DISMISS:
        out[F.pending.removals] = entry.a
    elif entry.what == Q.ACCEPT:
        out[F.pending.start_card] = entry.a
    elif entry.what == Q.SIDE:
        out[F.pending.entertainer] = int(entry.a) + 1
    elif entry.what == Q.DISCOUNT:
        out[F.pending.discount_card] = int(entry.a) + 1
        out[F.pending.upgrade_price] = entry.b


@jit
def under_way(s, R, seat, out):
    """Write how far the current turn has come."""
    act = s.act
    out[F.turn.at + around(act.seat - seat, R.seats)] = 1
    out[F.action.pips] = act.pips
    out[F.action.face] = act.face
    out[F.action.last] = act.last
    out[F.action.income] = act.income
    out[F.action.discount] = act.discount
    out[F.action.guest] = act.guest
    out[F.action.nobles] = act.nobles
    write_sets(out, F.bought.at, TAVERN, (int(act.bought),))
    write(out, F.dice_on.at, act.on)
    if R.reputation:
        out[F.songs.at] = act.songs


@jit
def show_offer(s, R, k, out):
    """Write a guest on display, with the values of his card."""
    kind = s.open[k]
    if kind != NOBODY:
        out[F.offer_kind.at + k] = int(kind) + 1
        out[F.offer_price.at + k] = R.beers[kind]
        out[F.offer_die.at + k] = R.die[kind]
        out[F.offer_pay.at + k] = R.pay[kind]
        out[F.offer_vp.at + k] = R.vp[kind]
        out[F.offer_bonus.at + k] = R.bonus[kind]
        out[F.offer_amount.at + k] = R.amount[kind]


@jit
def show_seat(s, R, p, k, out):
    """Write the tavern of seat p, the k-th to the left of the observer.

    An upgraded piece is 2 if it works and 1 if it works from the next round on. Of the cards known to lie on the draw pile the top ones are
    shown; known cards below them are counted with the deck.
    """
    me = s.seat[p]
    at = k * len(COUNTS)
    out[F.me_counts.doubloons + at] = min(BYTE, int(me.doubloons))
    out[F.me_counts.beer + at] = min(BYTE, int(me.beer))
    out[F.me_counts.counter + at] = me.counter
    out[F.me_counts.monastery + at] = me.monastery
    out[F.me_counts.deck + at] = min(BYTE, int(me.deck_n))
    out[F.me_counts.gained + at] = min(BYTE, int(me.gained_n))
    out[F.me_counts.discard + at] = min(BYTE, int(me.discard_n))
    write(out, F.me_dice.at + k * FACES, me.dice)
    write_sets(out, F.me_upgraded.at + k * UPGRADES, UPGRADES, (int(me.upgraded), int(me.working)))
    write(out, F.me_deck.at + k * KINDS, me.deck)
    write(out, F.me_laid.at + k * KINDS, me.laid)
    write(out, F.me_discard.at + k * KINDS, me.discard)
    for n in range(min(KNOWN, int(me.gained_n))):
        out[F.me_gained.at + k * KNOWN + n] = int(me.gained[me.gained_n - 1 - n]) + 1
    for n in range(int(me.gained_n) - KNOWN):
        out[F.me_deck.at + k * KINDS + int(me.gained[n])] += 1
    if R.schnapps:
        out[F.schnapps.at + k] = me.schnapps
        for who in range(ENTERTAINERS):
            side = int(me.side[who]) - 1
            if side >= 0:
                out[F.me_entertainers.at + k * len(ENTERTAINER_NAMES) + 2 * who + side] = 1
    if R.reputation:
        out[F.fame.at + k] = me.fame
        out[F.points.at + k] = R.points[me.fame]
    if R.guest_book:
        write(out, F.me_book.at + k * COLUMNS, me.book)
