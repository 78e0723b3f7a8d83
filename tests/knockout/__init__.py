"""A game of 2 to 4 seats with several deals and with elimination, for tests of the checks of hidden cards.

A deal: every seat with coins gets one card from a deck with two of each kind, hidden from the others. In turn, beginning with the winner of
the deal before, each seat passes or accuses the next seat of holding a kind. If it is right, the accused shows its card and is out of the
deal; if not, all know that it does not hold that kind. With the module `thieves` a seat that was accused wrongly may then show a thief to
steal a coin from the accuser. At the end all show their cards: the highest takes a coin from every other seat. A seat without coins is out
of the game. Luck: the cards. Hidden: the cards of the others, until they are shown.
"""

from pathlib import Path
from typing import Annotated, Any

from alehouse.envs.core.declare.game import Game, Module, Variant
from alehouse.envs.core.declare.layout import Actions, Features, Segment
from alehouse.envs.core.declare.numbers import Numbers
from alehouse.envs.core.declare.questions import Question, Questions
from alehouse.envs.core.declare.record import Array, Header, RulesHeader, few, flag, i1, none_or, one_of, record, subset
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.core.run.question_stack import Stack, pop, push, top
from alehouse.envs.core.run.seats import around
from alehouse.envs.core.run.turns import turns

FOLDER = Path(__file__).parent
KINDS = ("fool", "thief", "guard", "knight", "king")
N, THIEF, COPIES = len(KINDS), KINDS.index("thief"), 2
SEATS, COINS, DEALS = 4, 2, 4
DECK = 0  # the stream of the deck

ACTIONS = Actions(Segment("pass"), Segment("accuse", KINDS), Segment("let"), Segment("steal"))
PASS, ACCUSE, LET, STEAL = (ACTIONS.start(name) for name in ("pass", "accuse", "let", "steal"))
FEATURES = Features(
    [
        ("card", KINDS, 1), ("coins", SEATS, SEATS * COINS), ("out", SEATS, 1), ("begins", SEATS, 1), ("to_move", SEATS, 1),
        ("accuser", SEATS, 1), ("shown", SEATS * N, 1), ("cleared", SEATS * N, 1), ("deal", 1, DEALS), ("acted", 1, SEATS),
        ("thieves", 1, 1),
    ]
)  # fmt: skip
F = FEATURES.places


class Seat:
    """One seat."""

    coins: few
    card: Annotated[i1, none_or(KINDS)]  # -1 if it has none
    out: flag  # 1 if it is out of this deal
    shown: flag  # 1 if all have seen its card
    cleared: Annotated[i1, subset(KINDS)]  # the set of kinds it is known not to hold


class State(Header):
    """A table."""

    deal: few
    begins: Annotated[i1, one_of(SEATS)]
    acted: few  # seats, counted from the one that begins, that had their turn
    stack: Annotated[Stack, Stack]
    seat: Annotated[list[Seat], Seat, SEATS]
    can: Annotated[Array, "u8", ACTIONS.words]


class Rules(RulesHeader):
    """Its numbers."""

    thieves: i1


@jit
def set_up(s, R, seed):
    s.seed = seed
    for p in range(R.seats):
        s.seat[p].coins = COINS
    deal(s, R)


@jit
def deal(s, R):
    """Deal a card to every seat that has coins."""
    s.deal += 1
    s.acted = 0
    for p in range(R.seats):
        me = s.seat[p]
        me.out = me.coins == 0
        me.shown = 0
        me.cleared = 0
        me.card = -1
    for p in range(R.seats):
        if s.seat[p].out == 0:
            s.seat[p].card = drawn(s, R, s.seed, s.deal, p, 0)


@jit
def left_of(s, R, kind):
    """Return how many cards of a kind no seat holds."""
    left = COPIES
    for p in range(R.seats):
        left -= int(s.seat[p].card == kind)
    return left


@jit
def drawn(s, R, seed, number, p, again):
    """Draw one of the cards that no seat holds."""
    total = 0
    for kind in range(N):
        total += left_of(s, R, kind)
    k = below(seed, DECK, number, p, again, total)
    for kind in range(N):
        k -= left_of(s, R, kind)
        if k < 0:
            return kind
    return -1


@jit
def proceed(s, R):
    """Ask the next seat, or end the deal."""
    standing = 0
    for p in range(R.seats):
        standing += int(s.seat[p].out == 0)
    if s.acted == R.seats or standing == 1:
        close(s, R)
        return
    p = around(s.begins + s.acted, R.seats)
    s.acted += 1
    if s.seat[p].out == 0:
        push(s, 0, p)


@jit
def close(s, R):
    """Show all cards, pay the highest, and deal again."""
    best = -1
    for k in range(R.seats):
        p = around(s.begins + k, R.seats)
        if s.seat[p].out == 0 and (best < 0 or s.seat[p].card > s.seat[best].card):
            best = p
    rich = 0
    for p in range(R.seats):
        if p != best and s.seat[p].coins > 0:
            s.seat[p].coins -= 1
            s.seat[best].coins += 1
        rich += int(s.seat[p].coins > 0)
    s.begins = best
    if s.deal == DEALS or rich == 1:
        s.turn = -1
    else:
        deal(s, R)


@jit
def accused(s, R, p):
    """Return the next seat of the deal."""
    q = around(p + 1, R.seats)
    while s.seat[q].out != 0:
        q = around(q + 1, R.seats)
    return q


@jit
def legal_accuse(s, R, p, words):
    bits.put(words, PASS, 1)
    bits.put(words, ACCUSE, ((1 << N) - 1) & ~int(s.seat[accused(s, R, p)].cleared))


@jit
def apply_accuse(s, R, p, a):
    pop(s)
    q = accused(s, R, p)
    if a == PASS:
        return
    kind = a - ACCUSE
    if s.seat[q].card == kind:
        s.seat[q].out = 1
        s.seat[q].shown = 1
    else:
        s.seat[q].cleared |= 1 << kind
        if R.thieves:
            push(s, 1, q, p)


@jit
def legal_steal(s, R, p, words):
    bits.put(words, LET, 1)
    if s.seat[p].card == THIEF:
        bits.put(words, STEAL, 1)


@jit
def apply_steal(s, R, p, a):
    accuser = s.seat[top(s).a]
    pop(s)
    if a == STEAL:
        s.seat[p].shown = 1
        if accuser.coins > 0:
            accuser.coins -= 1
            s.seat[p].coins += 1


@jit
def may_be_thief(s, p):
    """Return whether a seat may hold a thief for all the others know."""
    return s.seat[p].shown == 0 and int(s.seat[p].cleared) >> THIEF & 1 == 0


@jit
def redeal(s, R, seat, key):
    """Deal the hidden cards of the others again, until nobody has a card it is known not to hold."""
    again = 0
    while True:
        for p in range(R.seats):
            if p != seat and s.seat[p].shown == 0:
                s.seat[p].card = -1
        fine = True
        for p in range(R.seats):
            if p != seat and s.seat[p].shown == 0 and s.seat[p].out == 0:
                s.seat[p].card = drawn(s, R, key, s.deal, p, again)
                fine = fine and int(s.seat[p].cleared) >> int(s.seat[p].card) & 1 == 0
        if fine:
            return
        again += 1


@jit
def observe(s, R, seat, out):
    out[:] = 0
    if s.seat[seat].card >= 0:
        out[F.card.at + int(s.seat[seat].card)] = 1
    for p in range(R.seats):
        k = around(p - seat, R.seats)
        him = s.seat[p]
        out[F.coins.at + k] = him.coins
        out[F.out.at + k] = him.out
        out[F.begins.at + k] = s.begins == p
        out[F.to_move.at + k] = s.turn == p
        out[F.accuser.at + k] = s.stack.n > 0 and top(s).what == 1 and top(s).a == p
        for kind in range(N):
            out[F.shown.at + k * N + kind] = him.shown and him.card == kind
            out[F.cleared.at + k * N + kind] = int(him.cleared) >> kind & 1
    out[F.deal.at] = s.deal
    out[F.acted.at] = s.acted
    out[F.thieves.at] = R.thieves


@jit
def scores(s, R, out):
    for p in range(R.seats):
        out[p] = s.seat[p].coins


@jit
def deals(s):
    return s.deal


def describe(s: Any, R: Any, seat: int | None) -> str:
    lines = [f"deal {s.deal}, {s.acted} turns begun"]
    for p in range(R.seats):
        me = s.seat[p]
        card = "none" if me.card < 0 else KINDS[me.card] if seat in (None, p) or me.shown else "?"
        lines.append(f"player_{p}: {me.coins} coins, {card}, cleared {me.cleared}{', out' if me.out else ''}")
    return "\n".join(lines)


def audit(s: Any, R: Any) -> list[str]:
    coins, cards = sum(int(s.seat[p].coins) for p in range(SEATS)), [int(s.seat[p].card) for p in range(R.seats)]
    faults = [] if coins == COINS * R.seats else [f"{coins} coins of {COINS * R.seats}"]
    return faults + [f"{cards.count(kind)} of {KINDS[kind]}" for kind in range(N) if cards.count(kind) > COPIES]


def score_again(s: Any, R: Any) -> list[int]:
    return [int(s.seat[p]["coins"]) for p in range(R.seats)]


def why(s: Any, R: Any, action: int) -> str:
    return "not now"


def fill(R: Any, numbers: Numbers, v: Variant) -> None:
    R.seats = v.seats
    R.thieves = "thieves" in v.modules


def made(secret: Any) -> Game:
    """Return the game; `secret` is that of the question whether to steal."""
    questions = Questions(
        FOLDER,
        Question("accuse", "accuse the next seat or pass", legal_accuse, apply_accuse, "1"),
        Question(
            "steal", "show a thief and steal, or let it be", legal_steal, apply_steal, "2", "thieves", args=("accuser",), secret=secret
        ),
        ranges={"accuser": one_of(SEATS)},
    )
    kernels = turns(questions, set_up, proceed, redeal)
    return Game(
        name="knockout", module=__name__, title="Knockout", folder=FOLDER, seats=(2, 3, 4), default_seats=3, questions=questions,
        modules=(Module("thieves", "Thieves", actions=("let", "steal"), features=("accuser", "thieves")),),
        STATE=record(State), RULES=record(Rules), ACTIONS=ACTIONS, FEATURES=FEATURES, numbers=Numbers({}, {}), fill=fill,
        reset=kernels.reset, legal=kernels.legal, step=kernels.step, observe=observe, scores=scores, standing=scores,
        determinize=kernels.determinize, describe=describe, audit=audit, score_again=score_again, why=why, streams=("deck",),
        bound=lambda v: 2 * DEALS * v.seats, deals=deals,
    )  # fmt: skip


GAME = made(may_be_thief)
