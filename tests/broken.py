"""Games broken on purpose, at least one for every check of the contract; test_check.py runs this file without the JIT."""

import dataclasses
import importlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from alehouse.envs import games
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.declare.layout import Features
from alehouse.envs.core.run.question_stack import push
from alehouse.envs.core.verify import check_facts, check_hidden
from alehouse.envs.core.verify.case import Case
from alehouse.envs.core.verify.check import FIRST, OTHERS, WHOLE, check_variant, run
from tests import knockout, toy

real_game, GAME = games.game, toy.GAME
STEPS = [0]
Broken = dict[str, Any]


@contextmanager
def posing(game: Game) -> Iterator[None]:
    """Let a game be found by its name, in place of the one that its module declares."""
    home: Any = importlib.import_module(game.module)
    before = games.game, home.GAME
    games.game = lambda name: game if name == game.name else real_game(name)
    home.GAME = game
    try:
        yield
    finally:
        games.game, home.GAME = before


def after_legal(change: Callable[..., None]) -> Broken:
    """Return kernels that change the legal actions, in the record too."""

    def legal(s: Any, R: Any, words: Any) -> None:
        toy.legal(s, R, words)
        if s.turn >= 0:
            change(s, R, words)

    def step(s: Any, R: Any, action: int) -> None:
        toy.step(s, R, action)
        legal(s, R, s.can)

    def reset(s: Any, R: Any, seed: Any) -> None:
        toy.reset(s, R, seed)
        legal(s, R, s.can)

    def determinize(s: Any, R: Any, seat: int, key: Any) -> None:
        toy.determinize(s, R, seat, key)
        legal(s, R, s.can)

    return {"legal": legal, "step": step, "reset": reset, "determinize": determinize}


def after_step(change: Callable[..., None]) -> Broken:
    """Return a step that does something more."""

    def step(s: Any, R: Any, action: int) -> None:
        toy.step(s, R, action)
        change(s, R)

    return {"step": step}


def after_redeal(change: Callable[..., None]) -> Broken:
    """Return a redeal that does something more."""

    def determinize(s: Any, R: Any, seat: int, key: Any) -> None:
        toy.determinize(s, R, seat, key)
        change(s, R, seat, key)
        toy.legal(s, R, s.can)

    return {"determinize": determinize}


def after_look(change: Callable[..., None]) -> Broken:
    """Return an observation with something more in it."""

    def observe(s: Any, R: Any, seat: int, out: Any) -> None:
        toy.observe(s, R, seat, out)
        change(s, R, seat, out)

    return {"observe": observe}


def set_bit(words: Any, action: int) -> None:
    words[0] |= np.uint64(1 << action)


def nothing_when_the_pot_is_empty(s: Any, R: Any, words: Any) -> None:
    if s.pot == 0:
        words[0] = 0


def second_coin_by_the_neighbours_token(s: Any, R: Any, words: Any) -> None:
    if s.seat[(s.turn + 1) % R.seats].token % 2:
        words[0] &= ~np.uint64(1 << toy.TAKE + 1)


def never_over(s: Any, R: Any) -> None:
    if s.turn < 0:
        s.turn = s.lap = 0
        toy.legal(s, R, s.can)


def extra_coin(s: Any, R: Any) -> None:
    s.seat[0].coins += 1


def coin_at_every_tenth_step_of_the_program(s: Any, R: Any) -> None:
    STEPS[0] += 1
    if STEPS[0] % 10 == 0 and s.bank > 0:
        s.seat[0].coins += 1
        s.bank -= 1


def like_the_last(s: Any, R: Any, seed: Any) -> None:
    toy.reset(s, R, seed)
    STEPS[0] += 1
    s.seat[0].spiced = STEPS[0] % 101


def window_for_the_rich(s: Any, R: Any) -> None:
    for p in range(R.seats - 1, -1, -1):
        if s.seat[p].token >= 2:
            push(s, 1, p)


def leaky_step(s: Any, R: Any, action: int) -> None:
    """Step as the toy does, but do not ask seats that hold a poor token."""
    window, toy.window = toy.window, window_for_the_rich
    toy.step(s, R, action)
    toy.window = window


def showing_step(s: Any, R: Any, action: int) -> None:
    """Step as the toy does, but after the first round show all tokens and let the highest begin."""
    toy.step(s, R, action)
    if s.turn >= 0 and s.lap > 0 and s.stack.n == 0 and s.moved == 0:
        s.turn = max(range(R.seats), key=lambda p: s.seat[p].token)
        toy.legal(s, R, s.can)


def showing_look(s: Any, R: Any, seat: int, out: Any) -> None:
    for p in range(R.seats if s.lap > 0 else 0):
        if s.seat[p].token >= 0:
            out[toy.PLAYED + s.seat[p].token] = 1


def kept_once_shown(s: Any, R: Any, seat: int, key: Any) -> None:
    if s.lap == 0:
        toy.determinize(s, R, seat, key)
    s.seed = key


def unwritten(s: Any, R: Any, seat: int, out: Any) -> None:
    kept = out[toy.HERBS]
    toy.observe(s, R, seat, out)
    out[toy.HERBS] = kept


def touching(s: Any, R: Any, seat: int, out: Any) -> None:
    toy.observe(s, R, seat, out)
    s.seat[0].spiced += 1


def only_the_seed(s: Any, R: Any, seat: int, key: Any) -> None:
    s.seed = key


def mostly_the_truth(s: Any, R: Any, seat: int, key: Any) -> None:
    if int(key) % 8:
        s.seed = key
    else:
        toy.determinize(s, R, seat, key)


def one_token_kept(s: Any, R: Any, seat: int, key: Any) -> None:
    other = 1 if seat == 0 else 0
    token = s.seat[other].token
    toy.determinize(s, R, seat, key)
    for p in range(R.seats):
        if s.seat[p].token == token:
            s.seat[p].token = s.seat[other].token
    s.seat[other].token = token
    toy.legal(s, R, s.can)


def one_deal_for_all(s: Any, R: Any, seat: int, key: Any) -> None:
    toy.determinize(s, R, seat, 0)
    s.seed = key


def old_seed(s: Any, R: Any, seat: int, key: Any) -> None:
    seed = s.seed
    toy.determinize(s, R, seat, key)
    s.seed = seed


def own_token_too(s: Any, R: Any, seat: int, key: Any) -> None:
    toy.deal(s, R, -1, key)


def twice(s: Any, R: Any, seat: int, key: Any) -> None:
    if s.seat[seat].token >= 0 and s.seat[1 - seat // 2].token >= 0:
        s.seat[(seat + 1) % R.seats].token = s.seat[seat].token


def next_in_turn(s: Any, R: Any, seat: int, key: Any) -> None:
    if s.turn >= 0 and s.stack.n == 0:
        s.turn = (s.turn + 1) % R.seats


def token_of_the_neighbour(s: Any, R: Any, seat: int, out: Any) -> None:
    out[toy.HERBS] = s.seat[(seat + 1) % R.seats].token >= 2


def spice_for_all(s: Any, R: Any, seat: int, out: Any) -> None:
    out[toy.SPICED] = 1


def everything(s: Any, R: Any, seat: int | None) -> str:
    return toy.describe(s, R, None)


def no_words(s: Any, R: Any, seat: int | None) -> str:
    return "" if seat == 1 else toy.describe(s, R, seat)


def one_more(s: Any, R: Any) -> list[int]:
    return [x + 1 for x in toy.score_again(s, R)]


def upside_down(s: Any, R: Any, out: Any) -> None:
    for p in range(R.seats):
        out[p] = -s.seat[p].coins


def sides_by_spice(R: Any, numbers: Any, v: Any) -> None:
    toy.fill(R, numbers, v)
    R.die = numbers.number("spice.amount") + 1


def crash(*_: Any) -> list[str]:
    raise KeyError("a bug")


def without_ranges(kind: np.dtype[Any]) -> np.dtype[Any]:
    """Return a state's record as it is without what its class declares."""
    return np.dtype((np.record, [(name, kind[name]) for name in kind.names or ()]))


SMALL_FEATURES = Features([(f.name, f.length, 1 if f.name == "coins" else f.max) for f in GAME.FEATURES.rows])
BAD_MODULE = (dataclasses.replace(GAME.modules[0], actions=("sugar",)), *GAME.modules[1:])
PLAIN, SPICY = "toy-3p", "toy-3p-spice"
OPEN = knockout.made(secret=None)
WITHOUT_SECRET = {name: getattr(OPEN, name) for name in ("questions", "reset", "legal", "step", "determinize")}

CHECKS = {check.__name__: check for check in (*FIRST, *WHOLE, *OTHERS)}

# name: the variant, what is broken, the check that must find it, words of what it says
CASES: dict[str, tuple[str, Broken, str, str]] = {
    "whole": (SPICY, {}, "", ""),
    "no legal action": (PLAIN, after_legal(nothing_when_the_pot_is_empty), "masks", "no legal action"),
    "more choices than declared": (PLAIN, {"most_choices": 2}, "masks", "more than the 2 declared"),
    "stale mask": (PLAIN, after_step(lambda s, R: set_bit(s.can, toy.PASS) if s.stack.n else None), "masks", "legal actions are not those"),
    "action beyond the last": (PLAIN, after_legal(lambda s, R, words: set_bit(words, 60)), "masks", "beyond the last"),
    "bound too low": (PLAIN, {"bound": lambda v: 5}, "ends", "not over after 5"),
    "never over": (PLAIN, after_step(never_over), "ends", "not over"),
    "uncounted decisions": (PLAIN, after_step(lambda s, R: setattr(s, "asked", 1)), "ends", "decisions counted"),
    "manifest": (SPICY, {"modules": BAD_MODULE}, "declarations", "no action 'sugar'"),
    "a round is skipped": (PLAIN, {"clock": lambda s: 2 * int(s.lap)}, "rounds", "the clock moves from 0 to 2"),
    "a round before the first": (PLAIN, {"clock": lambda s: 1 + int(s.lap)}, "rounds", "decision 0: the clock moves from 0 to 1"),
    "another is first": (PLAIN, {"first": lambda s: int(s.turn)}, "rounds", "the first player changes from 0 to 1"),
    "no such seat is first": (PLAIN, {"first": lambda s: 3}, "rounds", "the first player is 3"),
    "nobody is first": (PLAIN, {"clock": lambda s: int(s.lap), "first": lambda s: -1}, "rounds", "nobody is first"),
    "unwritten observation": (PLAIN, {"observe": unwritten}, "observations", "unwritten"),
    "too large": (PLAIN, {"FEATURES": SMALL_FEATURES}, "observations", "more than 1"),
    "looking changes": (PLAIN, {"observe": touching}, "observations", "looking changes"),
    "no reason": (PLAIN, {"why": lambda s, R, action: ""}, "refusals", "no reason"),
    "coin made": (PLAIN, after_step(extra_coin), "conservation", "coins of 60"),
    "out of its range": (PLAIN, after_step(lambda s, R: setattr(s.seat[0], "spiced", -1)), "conservation", "spiced is -1, which is not in"),
    "no range": (PLAIN, {"STATE": without_ranges(GAME.STATE)}, "declarations", "State.lap: it has no range"),
    "audit crashes": (PLAIN, {"audit": crash}, "conservation", "KeyError"),
    "scored twice": (PLAIN, {"score_again": one_more}, "scoring", "counted again"),
    "upside down": (PLAIN, {"standing": upside_down}, "scoring", "utilities"),
    "state outside the record": (PLAIN, after_step(coin_at_every_tenth_step_of_the_program), "copies", "does not go on"),
    "place matters": (PLAIN, after_step(coin_at_every_tenth_step_of_the_program), "placing", "differ"),
    "series": (PLAIN, after_step(coin_at_every_tenth_step_of_the_program), "series", "in a series"),
    "old game shines through": (PLAIN, {"reset": like_the_last}, "series", "begins differently"),
    "replay": (PLAIN, after_step(coin_at_every_tenth_step_of_the_program), "replays", "replay"),
    "spice without spice": (PLAIN, after_legal(lambda s, R, words: set_bit(words, toy.SPICE)), "absent", "legal without spice"),
    "feature of spice": (PLAIN, after_look(spice_for_all), "absent", "sees something of spice"),
    "number of spice": (PLAIN, {"fill": sides_by_spice}, "numbers", "spice.amount"),
    "same luck": (PLAIN, {"determinize": old_seed}, "redeals", "keeps the luck"),
    "own token redealt": (PLAIN, after_redeal(own_token_too), "redeals", "what its owner sees"),
    "observation leaks": (PLAIN, after_look(token_of_the_neighbour), "redeals", "what its owner sees"),
    "mask leaks": (PLAIN, after_legal(second_coin_by_the_neighbours_token), "redeals", "what its owner may do"),
    "two of a token": (PLAIN, after_redeal(twice), "redeals", "twice"),
    "another turn": (PLAIN, after_redeal(next_in_turn), "redeals", "asks someone else"),
    "picture leaks": (PLAIN, {"describe": everything}, "redeals", "picture"),
    "view leaks": (PLAIN, {"view": lambda s, R, seat: s.seat["token"].tolist()}, "redeals", "the view its owner"),
    "no words": (PLAIN, {"describe": no_words}, "pictures", "no words"),
    "picture without answers": (PLAIN, {"draw": lambda view: '<svg xmlns="http://www.w3.org/2000/svg"/>'}, "pictures", "offers []"),
    "redeal loses a coin": (PLAIN, after_redeal(lambda s, R, seat, key: setattr(s, "bank", s.bank - 1)), "playable", "coins of 60"),
    "last one asked for a secret": ("toy-2p", {"step": leaky_step}, "asking", "decides who is asked"),
    "asked for a secret": (PLAIN, {"step": leaky_step}, "asking", "decides who is asked"),
    "last one asked in a deal": ("knockout-2p-thieves", WITHOUT_SECRET, "asking", "decides who is asked"),
    "asked in one of several deals": ("knockout-3p-thieves", WITHOUT_SECRET, "asking", "decides who is asked"),
    "no secret": ("knockout-3p-thieves", WITHOUT_SECRET, "single_answers", "question 'steal'"),
    "redeal does nothing": (PLAIN, {"determinize": only_the_seed}, "diversity", "no redeal changes"),
    "one deal for all": (PLAIN, {"determinize": one_deal_for_all}, "diversity", "the same as another redeal"),
    "truth too often": (PLAIN, {"determinize": mostly_the_truth}, "facts", "agree with the truth"),
    "one token kept": (PLAIN, {"determinize": one_token_kept}, "facts", "seat[0].token: of"),
}  # fmt: skip

SHOWING: Broken = {"step": showing_step, "determinize": kept_once_shown, **after_look(showing_look)}
FINE: dict[str, tuple[str, Broken, str, str]] = {
    "secrets that are shown": ("toy-2p", SHOWING, "asking", ""),
    "several deals": ("knockout-2p", {}, "asking", ""),
    "several deals, and questions that depend on a secret": ("knockout-2p-thieves", {}, "asking", ""),
    "elimination": ("knockout-3p-thieves", {}, "asking", ""),
    "a secret": ("knockout-3p-thieves", {}, "single_answers", ""),
}


def main() -> None:
    """Print what the named check finds in each case, and what all checks find in the toy that is whole."""
    check_hidden.SINGLES, check_facts.PAIRS, check_facts.DEALT, check_facts.LATE = 60, 160, 12, 20
    found = {}
    for name, (variant, changes, named, _) in (CASES | FINE).items():
        game = dataclasses.replace(knockout.GAME if variant.startswith("knockout") else GAME, **changes)
        with posing(game):
            v = game.parse(variant)
            found[name] = (
                run(CHECKS[named], Case(v, 40 if named in ("asking", "diversity", "series") else 8, 0)) if named else check_variant(v, 8)
            )
    print(json.dumps(found))


if __name__ == "__main__":
    main()
