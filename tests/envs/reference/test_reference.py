"""Connect four and Kuhn poker are compared with what is known about them."""

import hashlib
import itertools
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numba
import numpy as np
import pytest

from alehouse.envs.core.run.tables import IllegalAction, Tables
from alehouse.envs.games import REFERENCE, game
from alehouse.envs.reference import connect_four, kuhn_poker

COLUMNS, ROWS = range(7), range(6)
LINES = [
    [(c + k * dc, r + k * dr) for k in range(4)]
    for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1))
    for c in COLUMNS
    for r in ROWS
    if 0 <= c + 3 * dc < 7 and 0 <= r + 3 * dr < 6
]
DRAWN = "fbdgfccfddafeaaabcfabedfdgabbcdcebeecegggg"  # 42 discs and no line


def board(cells):
    return sum(1 << (7 * c + r) for c, r in cells)


def drop(columns):
    """Play columns by their letters, player_0 first."""
    tables = Tables("connect_four", n=1, autoreset=False)
    for letter in columns:
        tables.step([tables.variants[0].action(f"drop:{letter}")])
    return tables


# Connect four


@pytest.mark.lanes
def test_every_line_wins_whichever_disc_comes_last():
    assert len(LINES) == 69
    rules = connect_four.GAME.variant().rules_record()[0]
    for line, seat in itertools.product(LINES, (0, 1)):
        for last in line:
            column, row = last
            if any(c == column and r > row for c, r in line):
                continue  # no disc is dropped below another
            below = [(column, r) for r in range(row) if (column, r) not in line]
            states = np.zeros(1, connect_four.GAME.STATE)
            connect_four.reset(states[0], rules, np.uint64(0))
            states["turn"] = seat
            states["board"][0, seat] = board(set(line) - {last})
            states["board"][0, 1 - seat] = board(below)
            connect_four.step(states[0], rules, column)
            assert states["winner"][0] == seat, (line, last)
            assert states["turn"][0] == -1


def test_boards_hold_four_exactly_when_a_line_is_full():
    luck = np.random.default_rng(0)
    verdicts = []
    for _ in range(3000):
        cells = {(c, r) for c in COLUMNS for r in ROWS if luck.random() < 0.4}
        expected = any(set(line) <= cells for line in LINES)
        assert bool(connect_four.four(np.int64(board(cells)))) == expected, cells
        verdicts.append(expected)
    assert 0.1 < np.mean(verdicts) < 0.9


@pytest.mark.parametrize(
    ("columns", "winner"), [("abababa", 0), ("gabababa", 1), ("aabbccd", 0), ("abbccdcdddgd", None), ("abbccdcddgd", 0)]
)
def test_games_won(columns, winner):
    tables = drop(columns[:-1])
    assert not tables.over[0]
    tables.step([tables.variants[0].action(f"drop:{columns[-1]}")])
    assert bool(tables.over[0]) == (winner is not None)
    if winner is not None:
        assert tables.scores[0].tolist() == [int(winner == p) for p in (0, 1)]
        assert tables.utility[0].tolist() == [1.0 if winner == p else -1.0 for p in (0, 1)]


def test_a_full_board_without_a_line_is_a_draw():
    height = dict.fromkeys("abcdefg", 0)
    cells = {0: set(), 1: set()}
    for k, letter in enumerate(DRAWN):
        cells[k % 2].add(("abcdefg".index(letter), height[letter]))
        height[letter] += 1
    assert set(height.values()) == {6}
    assert not any(set(line) <= cells[p] for line in LINES for p in (0, 1))
    assert not drop(DRAWN[:-1]).over[0]
    tables = drop(DRAWN)
    assert tables.over[0]
    assert tables.scores[0].tolist() == [0, 0]
    assert tables.utility[0].tolist() == [0.0, 0.0]


def test_a_full_column_is_refused():
    tables = drop("aaaaaa")
    assert tables.mask[0].tolist() == [0, 1, 1, 1, 1, 1, 1]
    before = tables.states.tobytes()
    with pytest.raises(IllegalAction, match="column a is full") as refusal:
        tables.step([0])
    assert (refusal.value.seat, refusal.value.action, refusal.value.name) == (0, 0, "drop:a")
    assert tables.states.tobytes() == before


def test_observations_put_oneself_first():
    tables = drop("dda")
    rows = connect_four.FEATURES.labels["mine"]
    mine, theirs = tables.obs[0, :42], tables.obs[0, 42:]
    assert [rows[k] for k in np.flatnonzero(mine)] == ["d2"]
    assert [rows[k] for k in np.flatnonzero(theirs)] == ["a1", "d1"]


def test_the_grid_shows_every_disc():
    lines = drop("ddag").text(0).splitlines()
    assert lines[4:7] == [". . . o . . .", "x . . x . . o", "a b c d e f g"]
    assert lines[7] == "player_0 to drop"


def grow(stack, rules, depth):
    """How many sequences of that many moves there are, ended games not continued."""
    if depth == 0:
        return 1
    found = 0
    here = stack.size - depth
    for column in range(7):
        if stack[here - 1].turn >= 0 and (stack[here - 1].can[0] >> np.uint64(column)) & np.uint64(1):
            stack[here] = stack[here - 1]
            connect_four_step(stack[here], rules, column)
            found += grow(stack, rules, depth - 1)
    return found


connect_four_step = connect_four.step
if not numba.config.DISABLE_JIT:
    grow = numba.njit(grow)
KNOWN = [7, 49, 343, 2401, 16807, 117649, 823536, 5673234]


@pytest.mark.parametrize(("depth", "leaves"), list(enumerate(KNOWN[: 4 if numba.config.DISABLE_JIT else 8], 1)))
def test_move_sequences_number_as_published(depth, leaves):
    stack = np.zeros(depth + 1, connect_four.GAME.STATE)
    rules = connect_four.GAME.variant().rules_record()
    connect_four.reset(stack[0], rules[0], np.uint64(0))
    assert grow(stack, rules[0], depth) == leaves


# Kuhn poker


DEALS = list(itertools.permutations(range(3), 2))
ENDINGS = {  # net chips of player_0: fixed after a fold, otherwise what the higher card takes
    ("pass", "pass"): ("showdown", 1),
    ("pass", "bet", "pass"): ("fold", -1),
    ("pass", "bet", "bet"): ("showdown", 2),
    ("bet", "pass"): ("fold", 1),
    ("bet", "bet"): ("showdown", 2),
}


def dealt(*deal):
    """A table where player_0 holds the first card and player_1 the second: its seed is looked for."""
    many = Tables("kuhn_poker", n=200)
    found = np.flatnonzero((many.states["card"] == deal).all(axis=1))[0]
    tables = Tables("kuhn_poker", n=1, autoreset=False)
    tables.reset(seeds=[int(many.seeds[found])])
    assert tables.states["card"][0].tolist() == list(deal)
    return tables


def value(deal, ending):
    kind, chips = ENDINGS[ending]
    return chips if kind == "fold" or deal[0] > deal[1] else -chips


@pytest.mark.lanes
@pytest.mark.parametrize("deal", DEALS)
@pytest.mark.parametrize("ending", ENDINGS)
def test_every_payoff(deal, ending):
    tables = dealt(*deal)
    for k, name in enumerate(ending):
        assert not tables.over[0]
        assert tables.seat[0] == k % 2
        assert tables.mask[0].tolist() == [1, 1]
        tables.step([tables.variants[0].action(name)])
    assert tables.over[0]
    net = value(deal, ending)
    assert tables.scores[0].tolist() == [net, -net]
    assert tables.utility[0].tolist() == [np.sign(net), -np.sign(net)]
    assert tables.game.score_again(tables.states[0], tables.rules[0]) == [net, -net]
    assert tables.game.audit(tables.states[0], tables.rules[0]) == []


def bets(seat, card, history):
    """How often an equilibrium player bets (the one in which player_0 never opens with a jack)."""
    jack, queen, king = range(3)
    table = {
        (0, ()): {jack: 0, queen: 0, king: 0},
        (0, ("pass", "bet")): {jack: 0, queen: Fraction(1, 3), king: 1},
        (1, ("pass",)): {jack: Fraction(1, 3), queen: 0, king: 1},
        (1, ("bet",)): {jack: 0, queen: Fraction(1, 3), king: 1},
    }
    return Fraction(table[seat, history][card])


def worth(tables, history=()):
    """What player_0 may expect when both play the equilibrium."""
    if tables.over[0]:
        return Fraction(int(tables.scores[0, 0]))
    seat = int(tables.seat[0])
    bet = bets(seat, int(tables.states["card"][0, seat]), history)
    total = Fraction(0)
    for name, chance in (("pass", 1 - bet), ("bet", bet)):
        if chance:
            after = tables.clone()
            after.step([after.variants[0].action(name)])
            total += chance * worth(after, (*history, name))
    return total


def test_perfect_play_is_worth_minus_one_eighteenth():
    assert sum(worth(dealt(*deal)) for deal in DEALS) / 6 == Fraction(-1, 18)


def test_deals_are_equally_likely():
    n = 12000
    cards = Tables("kuhn_poker", n=n, seed=3).states["card"]
    counts = [int((cards == deal).all(axis=1).sum()) for deal in DEALS]
    assert sum(counts) == n
    assert max(abs(count - n / 6) for count in counts) < 5 * np.sqrt(n * 5 / 36)


@pytest.mark.parametrize("history", [(), ("pass",), ("bet",), ("pass", "bet"), *ENDINGS])
def test_the_other_card_changes_nothing_one_sees(history):
    for seat, own in itertools.product((0, 1), range(3)):
        seen = []
        for other in {0, 1, 2} - {own}:
            tables = dealt(*((own, other) if seat == 0 else (other, own)))
            for name in history:
                tables.step([tables.variants[0].action(name)])
            picture = tables.text(0, seat)
            seen.append((tables.observe(0, seat).tobytes(), tables.mask.tobytes(), tables.seat.tobytes(), picture))
            assert kuhn_poker.CARDS[own] in picture
        assert seen[0] == seen[1]


def test_one_sees_ones_own_card_and_the_chips():
    tables = dealt(2, 0)
    tables.step([tables.variants[0].action("bet")])
    at = {row.name: slice(row.start, row.start + row.length) for row in tables.variants[0].features}
    expected = {0: ([0, 0, 1], [1], [2, 1]), 1: ([1, 0, 0], [0], [1, 2])}
    for seat, (card, first, paid) in expected.items():
        seen = tables.observe(0, seat)
        assert [seen[at[name]].tolist() for name in ("card", "first", "paid")] == [card, first, paid]


@pytest.mark.parametrize("seat", [0, 1])
def test_redeals_fit_what_one_knows_and_differ(seat):
    n = 4000
    tables = Tables("kuhn_poker", n=n, seed=1)
    redealt = tables.determinize(seat, key=7)
    own, other = tables.states["card"][:, seat], tables.states["card"][:, 1 - seat]
    again = redealt.states["card"][:, 1 - seat]
    assert (redealt.states["card"][:, seat] == own).all()
    assert ((again != own) & (again >= 0) & (again < 3)).all()
    assert abs((again == other).sum() - n / 2) < 5 * np.sqrt(n / 4)
    assert not (redealt.seeds == tables.seeds).any()
    assert (tables.determinize(seat, key=8).states["card"] != redealt.states["card"]).any()
    assert all((redealt.observe(i, seat) == tables.observe(i, seat)).all() for i in range(50))


# Both


def digests():
    """What some games of both come to, step by step."""
    found = []
    for name in REFERENCE:
        tables = Tables(name, n=12, seed=5)
        text = hashlib.sha256()
        for step in range(60):
            tables.step(tables.sample())
            redealt = tables.determinize(step % 2, step)
            for t in (tables, redealt):
                for array in (t.states, t.obs, t.mask, t.seat, t.over, t.scores, t.utility):
                    text.update(array.tobytes())
        found.append(text.hexdigest())
    return found


def test_games_do_not_depend_on_the_jit():
    flipped = {**os.environ, "NUMBA_DISABLE_JIT": "0" if numba.config.DISABLE_JIT else "1"}
    command = [sys.executable, "-c", "from tests.envs.reference.test_reference import digests; print(*digests())"]
    root = Path(__file__).parents[3]
    other = subprocess.run(command, env=flipped, cwd=root, capture_output=True, text=True, check=True)
    assert other.stdout.split() == digests()


@pytest.mark.parametrize("name", REFERENCE)
def test_scores_and_audits_agree_at_every_step(name):
    tables = Tables(name, n=200, seed=2, autoreset=False)
    spec = game(name)
    steps = 0
    while not tables.over.all():
        tables.step(tables.sample())
        steps += 1
        for state in tables.states:
            assert spec.audit(state, tables.rules[0]) == []
    for i, state in enumerate(tables.states):
        assert spec.score_again(state, tables.rules[0]) == tables.scores[i].tolist()
    assert steps <= tables.variants[0].bound


def test_audits_find_what_is_wrong():
    states = np.zeros(1, connect_four.GAME.STATE)
    states["board"][0] = 1, 1
    assert connect_four.audit(states[0], None) == ["two discs in one cell"]
    tables = dealt(0, 1)
    tables.states["card"][0, 1] = 0
    tables.states["paid"][0, 0] = 5
    assert kuhn_poker.audit(tables.states[0], None) == ["not two different cards", "player_0 paid 5"]
