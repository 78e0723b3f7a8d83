"""A game of two or three seats for tests of core, with luck, secrets, modules and questions.

A die fills a pot with coins, and each seat has a secret token. In a round every seat in turn takes one or two coins, or passes, or (with
the
module spice) takes spice once; then every seat that still holds its token chooses whether to play it for its worth.
"""

from pathlib import Path
from typing import Annotated, Any

import numpy as np

from alehouse.envs.core.declare.game import Game, Module, Variant
from alehouse.envs.core.declare.layout import Actions, Features, Segment
from alehouse.envs.core.declare.numbers import Numbers, load
from alehouse.envs.core.declare.record import Array, Header, RulesHeader, i1, i2, many, none_or, record, subset
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.core.run.question_stack import Stack, pop, push, top

FOLDER = Path(__file__).parent
NUMBERS = load(FOLDER)
TOKENS = NUMBERS.rows("tokens")
COUNT = len(TOKENS)
SEATS = 3
DEAL, DIE = 0, 1

ACTIONS = Actions(Segment("pass"), Segment("take", ("1", "2")), Segment("spice"), Segment("keep"), Segment("play", TOKENS))
PASS, TAKE, SPICE, KEEP, PLAY = (ACTIONS.start(name) for name in ("pass", "take", "spice", "keep", "play"))
FEATURES = Features(
    [
        ("token", TOKENS, 1), ("played", TOKENS, 1), ("holds", SEATS, 1), ("coins", SEATS, 200), ("pot", 1, 200), ("round", 1, 4),
        ("window", 1, 1), ("to_move", SEATS, 1), ("spiced", SEATS, 1), ("herbs", 1, 1),
    ]
)  # fmt: skip
AT = {name: FEATURES.start(name) for name in ("token", "played", "holds", "coins", "pot", "round", "window", "to_move", "spiced", "herbs")}
TOKEN, PLAYED, HOLDS, COINS, POT, ROUND, WINDOW, TO_MOVE, SPICED, HERBS = AT.values()


class Seat:
    """One seat."""

    coins: many
    token: Annotated[i1, none_or(TOKENS)]  # -1 once played
    spiced: many


class State(Header):
    """A table."""

    lap: many
    moved: many
    pot: many
    bank: many
    played: Annotated[i2, subset(TOKENS)]
    stack: Annotated[Stack, Stack]
    seat: Annotated[list[Seat], Seat, SEATS]
    can: Annotated[Array, "u8", ACTIONS.words]


class Rules(RulesHeader):
    """Its numbers."""

    rounds: i2
    die: i2
    bank: i2
    spice: i2
    herbs: i2
    right: i2
    spice_on: i2
    herbs_on: i2
    worth: Annotated[Array, "i2", COUNT]


@jit
def reset(s, R, seed):
    """Deal the tokens and roll the die."""
    s.seed = seed
    s.asked = 0
    s.turn = 0
    s.lap = 0
    s.moved = 0
    s.pot = 0
    s.bank = R.bank
    s.played = 0
    s.stack.n = 0
    for p in range(SEATS):
        s.seat[p].coins = 0
        s.seat[p].spiced = 0
        s.seat[p].token = -1
    deal(s, R, -1, seed)
    roll(s, R)
    legal(s, R, s.can)


@jit
def deal(s, R, keeper, seed):
    """Deal new tokens to all seats that hold one, except the keeper."""
    free = ((1 << COUNT) - 1) & ~int(s.played)
    if keeper >= 0 and s.seat[keeper].token >= 0:
        free &= ~(1 << int(s.seat[keeper].token))
    for p in range(R.seats):
        if p != keeper and (s.seat[p].token >= 0 or s.asked == 0):
            pick = below(seed, DEAL, 0, p, 0, bits.popcount(np.int64(free)))
            left = free
            for _ in range(pick):
                left &= left - 1
            s.seat[p].token = bits.lowest(np.int64(left))
            free &= ~(1 << int(s.seat[p].token))


@jit
def roll(s, R):
    """Move as many coins from the bank to the pot as the die shows."""
    coins = min(1 + below(s.seed, DIE, s.lap, 0, 0, R.die), int(s.bank))
    s.pot += coins
    s.bank -= coins


@jit
def legal(s, R, words):
    """List what the seat to move may do."""
    bits.clear(words)
    if s.turn < 0:
        return
    me = s.seat[s.turn]
    if s.stack.n > 0:
        bits.put(words, KEEP, 1)
        bits.put(words, PLAY + int(me.token), 1)
        return
    bits.put(words, PASS, 1)
    bits.put(words, TAKE, (1 << min(2, int(s.pot))) - 1)
    if R.spice_on and not me.spiced:
        bits.put(words, SPICE, 1)


@jit
def step(s, R, action):
    """Carry out an answer and go on to the next question."""
    me = s.seat[s.turn]
    s.asked += 1
    if s.stack.n > 0:
        pop(s)
        if action >= PLAY:
            play_token(s, R, me)
    else:
        act(s, R, me, action)
        s.moved += 1
        if s.moved == R.seats:
            window(s, R)
    onward(s, R)
    legal(s, R, s.can)


@jit
def play_token(s, R, me):
    """Exchange a token for coins."""
    gain = min(int(R.worth[me.token]), int(s.bank))
    me.coins += gain
    s.bank -= gain
    s.played |= 1 << int(me.token)
    me.token = -1


@jit
def act(s, R, me, action):
    """Take coins or spice."""
    if action == SPICE:
        gain = min(int(R.spice) + int(R.herbs) * int(R.herbs_on), int(s.bank))
        me.spiced = 1
        me.coins += gain
        s.bank -= gain
    elif action >= TAKE:
        me.coins += action - TAKE + 1
        s.pot -= action - TAKE + 1


@jit
def window(s, R):
    """Ask every seat that holds a token, whatever the token is."""
    for p in range(R.seats - 1, -1, -1):
        if s.seat[p].token >= 0:
            push(s, 1, p)


@jit
def onward(s, R):
    """Choose who is asked next."""
    if s.stack.n > 0:
        s.turn = top(s).seat
        return
    if s.moved == R.seats:
        s.moved = 0
        s.lap += 1
        if s.lap < R.rounds:
            roll(s, R)
    if s.lap == R.rounds:
        s.turn = -1
    else:
        s.turn = R.seats - 1 - s.moved if R.right else s.moved


@jit
def observe(s, R, seat, out):
    """Write the seat's own token and everything that lies open."""
    out[:] = 0
    me = s.seat[seat]
    if me.token >= 0:
        out[TOKEN + int(me.token)] = 1
    for k in range(COUNT):
        out[PLAYED + k] = (int(s.played) >> k) & 1
    for p in range(R.seats):
        k = (p - seat + R.seats) % R.seats
        out[HOLDS + k] = s.seat[p].token >= 0
        out[COINS + k] = s.seat[p].coins
        out[SPICED + k] = s.seat[p].spiced
        out[TO_MOVE + k] = s.turn == p
    out[POT] = s.pot
    out[ROUND] = s.lap
    out[WINDOW] = s.stack.n > 0
    out[HERBS] = R.herbs_on


@jit
def scores(s, R, out):
    """Write the coins of each seat."""
    for p in range(R.seats):
        out[p] = s.seat[p].coins


standing = scores


@jit
def determinize(s, R, seat, key):
    """Deal the others any tokens that were not played."""
    s.seed = key
    deal(s, R, seat, key)
    legal(s, R, s.can)


def describe(s: Any, R: Any, seat: int | None) -> str:
    """Return coins and tokens in words; a token that the seat may not know is a question mark."""
    lines = [f"round {s.lap}, pot {s.pot}, bank {s.bank}"]
    for p in range(R.seats):
        token = s.seat[p].token
        shown = "none" if token < 0 else TOKENS[token] if seat in (None, p) else "?"
        lines.append(f"player_{p}: {s.seat[p].coins} coins, token {shown}")
    return "\n".join(lines)


def audit(s: Any, R: Any) -> list[str]:
    """Return what is wrong: coins are conserved, and no token is there twice."""
    coins = int(s.pot) + int(s.bank) + sum(int(s.seat[p].coins) for p in range(SEATS))
    held = [int(s.seat[p].token) for p in range(SEATS) if s.seat[p].token >= 0]
    faults = [] if coins == R.bank else [f"{coins} coins of {R.bank}"]
    return faults + ([] if len(set(held)) == len(held) and not any(int(s.played) >> k & 1 for k in held) else ["a token is there twice"])


def score_again(s: Any, R: Any) -> list[int]:
    """Return each seat's coins."""
    return [int(s.seat[p]["coins"]) for p in range(R.seats)]


def why(s: Any, R: Any, action: int) -> str:
    """Return the same reason for every action."""
    return "not now"


def fill(R: Any, numbers: Numbers, v: Variant) -> None:
    """Write the numbers into the record."""
    R.seats = v.seats
    R.rounds = numbers.number(f"game.rounds_{v.length}")
    R.die = numbers.number("game.die")
    R.bank = numbers.number("game.bank")
    R.right = numbers.number("switch.order")
    R.spice_on = "spice" in v.modules
    R.herbs_on = "herbs" in v.modules
    R.spice = numbers.number("spice.amount") * R.spice_on
    R.herbs = numbers.number("herbs.amount") * R.herbs_on
    R.worth[:] = numbers.column("tokens", "worth")


def bound(v: Variant) -> int:
    """Return the most decisions: every seat acts and answers once a round."""
    return 2 * v.seats * v.numbers.number(f"game.rounds_{v.length}")


GAME = Game(
    name="toy", module=__name__, title="A toy", folder=FOLDER, seats=(2, 3), default_seats=3, lengths=("short", "long"),
    modules=(
        Module("spice", "Spice", actions=("spice",), features=("spiced",), numbers=("spice.",)),
        Module("herbs", "Herbs", requires="spice", features=("herbs",), numbers=("herbs.",)),
    ),
    STATE=record(State), RULES=record(Rules), ACTIONS=ACTIONS, FEATURES=FEATURES, numbers=NUMBERS, fill=fill,
    reset=reset, legal=legal, step=step, observe=observe, scores=scores, standing=standing, determinize=determinize,
    describe=describe, audit=audit, score_again=score_again, why=why, bound=bound, streams=("deal", "die"),
)  # fmt: skip
