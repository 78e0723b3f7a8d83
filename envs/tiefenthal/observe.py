"""What a seat may know, as bytes: everything but the orders of piles, from its own place at the table."""

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
PENDING = ("steps", "reputation", "guest", "removals", "start_card", "entertainer")
KNOWN = 8  # cards shown of those on top of a draw pile

DRAFTED = STARTS - K1  # start cards but the standard one
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
at = FEATURES.start
F_SEATS, F_MODULES, F_FIRST, F_PHASE, F_QUESTION = (at(f) for f in ("seats", "modules", "start_player", "phase", "question"))
F_SITUATION, F_PENDING, F_TURN, F_ACTION, F_BOUGHT, F_ON = (at(f) for f in ("situation", "pending", "turn", "action", "bought", "dice_on"))
F_KIND, F_STOCK, F_UNSEEN = (at(f) for f in ("offer_kind", "stock", "unseen"))
F_COASTER, F_DICE, F_COUNTS, F_UPGRADED, F_DECK, F_LAID, F_DISCARD, F_GAINED, F_ENTERTAINERS, F_BOOK = (
    at(f"me_{f}") for f in ("coaster", "dice", "counts", "upgraded", "deck", "laid", "discard", "gained", "entertainers", "book")
)
F_GLASSES, F_SCHNAPPS, F_SONGS, F_FAME, F_POINTS = (at(f) for f in ("glasses", "schnapps", "songs", "fame", "points"))
F_STARTS, F_TILES, F_SIGNED = (at(f) for f in ("starts", "tiles", "signed"))


@jit
def observe(s, R, seat, out):
    """Write all segments."""
    out[:] = 0
    situation(s, R, seat, out)
    if P_JUGGLE <= s.phase <= P_SERVE:
        under_way(s, R, seat, out)
    for k in range(DISPLAY):
        show_offer(s, R, k, out)
    write(out, F_STOCK, s.stock)
    write(out, F_UNSEEN, s.unseen)
    passed = int(top(s).a) - int(top(s).seat) if s.phase == P_DRAFT else 0
    for k in range(R.seats):
        p = around(seat + k, R.seats)
        show_seat(s, R, p, k, out)
        write(out, F_COASTER + k * FACES, s.coaster[around(p + passed, R.seats)])
    if R.schnapps:
        out[F_GLASSES] = s.schnapps
    if R.start_cards:
        write_sets(out, F_STARTS, DRAFTED, (int(s.starts) >> K1,))
    if R.guest_book:
        out[F_TILES] = s.tiles
        write_sets(out, F_SIGNED, DISPLAY, (int(s.signed),))


@jit
def situation(s, R, seat, out):
    """Who plays what, where the game stands, what is asked."""
    for k in range(R.seats):
        out[F_SEATS + k] = 1
    out[F_MODULES] = R.schnapps
    out[F_MODULES + 1] = R.reputation
    out[F_MODULES + 2] = R.start_cards
    out[F_MODULES + 3] = R.guest_book
    out[F_FIRST + around(s.first - seat, R.seats)] = 1
    out[F_SITUATION] = s.evening
    out[F_SITUATION + 1] = s.cursor
    out[F_SITUATION + 2] = s.deck_n
    out[F_SITUATION + 3] = s.cheap_n
    out[F_SITUATION + 4] = s.counters
    if s.stack.n > 0:
        out[F_PHASE + int(s.phase)] = 1
        out[F_QUESTION + int(top(s).what)] = 1
    for k in range(s.stack.n):
        show_pending(s.stack.entry[k], out)


@jit
def show_pending(entry, out):
    """What an entry of the stack is about."""
    if entry.what == Q.STEPS:
        out[F_PENDING] += entry.a
    elif entry.what == Q.FAME:
        out[F_PENDING + 1] += entry.a
    elif entry.what == Q.WELCOME:
        out[F_PENDING + 2] = int(entry.a) + 1
    elif entry.what == Q.REMOVE or entry.what == Q.DISMISS:
        out[F_PENDING + 3] = entry.a
    elif entry.what == Q.ACCEPT:
        out[F_PENDING + 4] = entry.a
    elif entry.what == Q.SIDE:
        out[F_PENDING + 5] = int(entry.a) + 1


@jit
def under_way(s, R, seat, out):
    """The turn of a seat."""
    act = s.act
    out[F_TURN + around(act.seat - seat, R.seats)] = 1
    out[F_ACTION] = act.pips
    out[F_ACTION + 1] = act.face
    out[F_ACTION + 2] = act.last
    out[F_ACTION + 3] = act.income
    out[F_ACTION + 4] = act.discount
    out[F_ACTION + 5] = act.guest
    out[F_ACTION + 6] = act.nobles
    write_sets(out, F_BOUGHT, TAVERN, (int(act.bought),))
    write(out, F_ON, act.on)
    if R.reputation:
        out[F_SONGS] = act.songs


@jit
def show_offer(s, R, k, out):
    """A guest on offer, and what his card says."""
    kind = s.open[k]
    if kind != NOBODY:
        out[F_KIND + k] = int(kind) + 1
        out[F_KIND + DISPLAY + k] = R.beers[kind]
        out[F_KIND + 2 * DISPLAY + k] = R.die[kind]
        out[F_KIND + 3 * DISPLAY + k] = R.pay[kind]
        out[F_KIND + 4 * DISPLAY + k] = R.vp[kind]
        out[F_KIND + 5 * DISPLAY + k] = R.bonus[kind]
        out[F_KIND + 6 * DISPLAY + k] = R.amount[kind]


@jit
def show_seat(s, R, p, k, out):
    """One tavern; k counts seats to the left. Pieces: 1 if the upgrade works from the next round on, 2 if it works. Of the cards
    known to lie on the draw pile, those below the first few are counted with the deck."""
    me = s.seat[p]
    c = F_COUNTS + k * len(COUNTS)
    out[c] = min(BYTE, int(me.doubloons))
    out[c + 1] = min(BYTE, int(me.beer))
    out[c + 2] = me.counter
    out[c + 3] = me.monastery
    out[c + 4] = me.deck_n
    out[c + 5] = me.gained_n
    out[c + 6] = me.discard_n
    write(out, F_DICE + k * FACES, me.dice)
    for piece in range(len(PIECES)):
        out[F_UPGRADED + k * len(PIECES) + piece] = ((int(me.upgraded) >> piece) & 1) + ((int(me.working) >> piece) & 1)
    write(out, F_DECK + k * KINDS, me.deck)
    write(out, F_LAID + k * KINDS, me.laid)
    write(out, F_DISCARD + k * KINDS, me.discard)
    for n in range(min(KNOWN, int(me.gained_n))):
        out[F_GAINED + k * KNOWN + n] = int(me.gained[me.gained_n - 1 - n]) + 1
    for n in range(int(me.gained_n) - KNOWN):
        out[F_DECK + k * KINDS + int(me.gained[n])] += 1
    if R.schnapps:
        out[F_SCHNAPPS + k] = me.schnapps
        for who in range(ENTERTAINERS):
            if me.side[who] > 0:
                out[F_ENTERTAINERS + k * len(ENTERTAINER_NAMES) + 2 * who + int(me.side[who]) - 1] = 1
    if R.reputation:
        out[F_FAME + k] = me.fame
        out[F_POINTS + k] = R.points[me.fame]
    if R.guest_book:
        write(out, F_BOOK + k * COLUMNS, me.book)
