"""Searching agents: which moves they find, what they may know, and that a decision follows from its seed alone."""

import copy
import pickle

import numba
import numpy as np
import pytest

from alehouse.agents import UNIFORM, Context, ask, greedy, heuristic, ismcts, rollout
from alehouse.agents.ismcts import favourite, ismcts_kernels
from alehouse.agents.kernel_agent import Decisions, deciding
from alehouse.agents.ladder import exploit, search
from alehouse.agents.network import net
from alehouse.agents.network_file import header, names_of, sealed, shapes
from alehouse.agents.rollout import rollout_kernels
from alehouse.agents.search import CANDIDATES, ITERATIONS, LEARNED, PLAYERS, ROUNDS
from alehouse.agents.value import FIRST, LAYERS, Value, guides, places
from alehouse.envs.core.run.context import true_records
from alehouse.envs.core.run.luck import draw_each
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.games import game
from alehouse.envs.reference.kuhn_poker import PASS, F
from tests.nets import WIDTH, drawn_net
from tests.slow import slow

KUHN = -1 / 18
FOUR, INN = game("connect_four"), game("bloody_inn")
EVENTS = "bloody_inn-4p-carnies+events+notables-long"
SEARCHERS = (rollout, ismcts)


def learned(make):
    """A searcher that judges by a value of random weights, which reads every byte."""

    def made(spec, iterations):
        rng = np.random.default_rng(2)
        most = rng.integers(0, 3, spec.FEATURES.size).astype(np.uint8)
        layers = [rng.normal(0, 0.3, shape).astype(np.float32) for shape in ((most.sum(dtype=int), FIRST), *LAYERS.values())]
        agent = make(spec, iterations, leaf="estimate", rounds=1, reward="win")
        agent.weights = guides(spec, Value(places(most), most, *layers))
        agent.options[LEARNED] = 1
        return agent

    made.__name__ = f"learned_{make.__name__}"
    return made


def advised(spec, iterations, prior=0.1):
    """Roll-outs of the answers that a network of random weights rates highest, where its ratings count as much as `prior` says.

    The network and the heuristic play on in turn."""
    agent, k = rollout(spec, iterations, leaf="estimate", prior=prior, candidates=4), rollout_kernels(spec, WIDTH)
    agent.decide, agent.prepare, agent.weights = k.decide, k.prepare, guides(spec, None, drawn_net(spec).weights)
    agent.options[PLAYERS] = 1
    return agent


BY_VALUE = [*map(learned, SEARCHERS), advised]


def seated(v, agent, others, seat, n, seed=0):
    """Games with an agent in one seat, decision by decision."""
    tables = Tables(v, n=n, seed=seed, autoreset=False)
    while not tables.over.all():
        live = np.flatnonzero(~tables.over)
        actions, mine = np.zeros(live.size, np.int64), tables.seat[live] == seat
        for agent_, rows in ((agent, mine), (others, ~mine)):
            if rows.any():
                actions[rows] = ask(agent_, tables, live[rows])
        tables.step(actions, live)
    return tables


def dropped(columns, n=16):
    """Connect four after some discs, at tables that differ in their seeds alone."""
    tables = Tables("connect_four", n=n, seed=6, autoreset=False)
    for column in columns:
        tables.step(np.full(n, "abcdefg".index(column)))
    return tables


# What they find


@pytest.mark.parametrize("make", SEARCHERS)
@pytest.mark.parametrize(
    ("before", "wanted"),
    [
        ("dadada", "d"),  # three upright: the fourth wins
        ("cbdbec", "f"),  # c d e with room on the right
        ("adbdgd", "d"),  # three upright of the other: stop them
    ],
)
def test_connect_four_is_won_at_once_or_saved(make, before, wanted):
    tables = dropped(before)
    found = ask(make(FOUR, iterations=400), tables)
    assert {"abcdefg"[a] for a in found} <= set(wanted)


@pytest.mark.parametrize("make", SEARCHERS)
def test_connect_four_is_won_by_a_double_threat(make):
    """Discs on c1 and d1 with b1, e1, f1 and a1 free: either of b and e makes three with both ends open."""
    tables = dropped("cgdg")
    found = ask(make(FOUR, iterations=1500), tables)
    assert {"abcdefg"[a] for a in found} <= set("be")
    tables.step(found)
    while not tables.over.all():
        live = np.flatnonzero(~tables.over)
        agent = make(FOUR, iterations=400) if tables.seat[live[0]] == 0 else UNIFORM
        tables.step(ask(agent, tables, live), live)
    assert (tables.scores[:, 0] == 1).all()


@pytest.mark.parametrize("make", SEARCHERS)
def test_connect_four_against_uniform_is_won(make):
    assert seated("connect_four", make(FOUR, iterations=100), UNIFORM, 1, 40).scores[:, 1].mean() > 0.9


@pytest.mark.slow
@pytest.mark.parametrize(("make", "short"), [(rollout, 0.0), (ismcts, 0.06)])
def test_kuhn_poker_against_equilibrium_is_worth_nearly_its_value(make, short):
    """Whoever makes no dominated choice gets the value of the game. A tree for one observer models the other's choices without
    his card, which costs a little."""
    spec, n = game("kuhn_poker"), 3000
    agent = make(spec, iterations=150, reward="score")
    for seat, value in ((0, KUHN), (1, -KUHN)):
        points = seated("kuhn_poker", agent, heuristic(spec), seat, n).scores[:, seat]
        assert value - short - 4 * points.std() / np.sqrt(n) < points.mean() < value + 4 * points.std() / np.sqrt(n)


@pytest.mark.slow
@pytest.mark.parametrize("make", SEARCHERS)
def test_the_bloody_inn_is_searched_better_than_rated(make):
    """Mean rank utility against three heuristics, which is 0 for a fourth."""
    utility = seated("bloody_inn-4p", make(INN, iterations=150), heuristic(INN), 2, 60).utility[:, 2]
    assert utility.mean() > 2 * utility.std() / np.sqrt(60)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["connect_four", "tiefenthal"])
def test_roll_outs_begin_with_the_ratings_of_a_network(name):
    spec = game(name)
    tables = Tables(name, n=40, seed=2)
    for _ in range(5):
        tables.step(tables.sample())
    net, quick = (ask(agent, tables) for agent in (drawn_net(spec), heuristic(spec)))
    assert (ask(advised(spec, 2, prior=10.0**4), tables) == net).all()
    assert not (ask(advised(spec, 2, prior=0.0), tables) == net).all()
    assert not (quick == net).all()


@pytest.mark.slow
def test_heuristic_and_network_play_on_in_turn():
    """Two candidates tried once are played on by the heuristic; tried twice, the second time by the network."""
    tables, agent, k = dropped("cdd"), advised(FOUR, 2), rollout_kernels(FOUR, WIDTH)
    states, rules, rule = true_records(ctx := Context.of(tables))
    agent.options[CANDIDATES], agent.options[ROUNDS] = 2, 1000

    def shares(players, trials):
        agent.options[PLAYERS], agent.options[ITERATIONS] = players, 2 * trials
        desk, found = k.prepare(agent.options), []
        for i in range(tables.n):
            k.decide(states[i], rules[rule[i]], agent.weights[0], int(ctx.seats[i]), ctx.keys[i], agent.options, desk)
            found.append(desk.tally.shares.copy())
        return np.array(found)

    assert (shares(1, 1) == shares(0, 1)).all()
    assert (shares(1, 2) - shares(1, 1) == shares(2, 2) - shares(2, 1)).all()
    assert (shares(2, 2) != shares(0, 2)).any()


def test_it_stops_early_when_the_answer_is_clear():
    clear, agent = dropped("dadada", 1), rollout(FOUR, iterations=4000)
    ask(agent, clear)
    few = agent.steps
    ask(agent, dropped("", 1))
    assert 0 < few < (agent.steps - few) / 4


def test_a_tree_search_leaves_out_only_what_could_not_change_its_answer():
    n = 12
    tables, agent, k = dropped("cdd", n), ismcts(FOUR, iterations=400), ismcts_kernels(FOUR)
    found, ctx = ask(agent, tables), Context.of(tables)
    states, rules, rule = true_records(ctx)
    desk = k.prepare(agent.options)
    for i in range(n):
        k.begin(states[i], rules[rule[i]], agent.weights[0], ctx.keys[i], agent.options, desk)
        k.grow(states[i], rules[rule[i]], agent.weights[0], int(ctx.seats[i]), ctx.keys[i], agent.options, 400, desk)
        assert found[i] == favourite(desk)
    assert 0 < agent.steps < desk.steps[0]


# The yardstick: with leaf="estimate" a search plays as in version 0.1, which took these answers

FIRST_VERSION = {
    ("connect_four-2p", "rollout"): """5 3 2 5 2 2 3 3 4 1 2 0 1 2 2 2 0 3 5 1 3 4 1 0 1 1 5 0 0 1 5 0""",
    ("connect_four-2p", "ismcts"): """2 5 5 6 3 4 2 3 4 1 1 0 4 3 2 2 5 3 4 2 4 4 1 1 5 1 1 2 0 1 2 5""",
    ("kuhn_poker-2p", "rollout"): """0 1 1 0 1 0 1 1 1 1 0 1 1 1 1 1 1 1 0 1 1 0 0 1""",
    ("kuhn_poker-2p", "ismcts"): """1 1 0 1 0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 0 1 1""",
    ("tiefenthal-4p", "rollout"): """23 21 21 23 22 21 20 20 23 23 23 22 21 22 25 23 25 20 95 95 58 22 57 60 95 58 98 100 101 95 103 100""",
    ("tiefenthal-4p", "ismcts"): """25 21 21 22 22 21 25 20 25 25 25 25 21 20 25 25 25 25 95 98 59 22 57 96 95 59 98 100 103 95 103 100""",
    ("bloody_inn-3p-objects", "rollout"): """423 424 417 412 2 3 2 5 42 18 0 0 183 2 167 5 42 0 414 30 59 41 17 25 0 3 161 0 0 167 3 50""",
    ("bloody_inn-3p-objects", "ismcts"): """423 424 417 412 3 6 3 2 41 19 0 0 189 3 167 5 37 0 426 59 19 42 17 19 0 7 161 0 0 167 2 138""",
}


@pytest.mark.parametrize(("v", "name"), [key if key[0][0] == "c" else slow(*key) for key in FIRST_VERSION])
def test_a_search_by_estimates_plays_as_in_the_first_version(v, name):
    often, n = ("k", 6) if v.startswith("kuhn") else ("", 4)
    tables, found = Tables(v, n=n, seed=11), list[int]()
    agent, quick = {"rollout": rollout, "ismcts": ismcts}[name](tables.game, 60, leaf="estimate"), heuristic(tables.game)
    for step in range(4 if often else 16):
        if often or step % 2 == 1:
            found += ask(agent, tables).tolist()
        for _ in range(4 if v.startswith("bloody") else 1):
            tables.step(ask(quick, tables))
    assert found == [int(text) for text in FIRST_VERSION[v, name].split()]


# Whatever the threads, the batch, the process


@pytest.mark.slow
@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="one core")
@pytest.mark.parametrize("make", [greedy, *SEARCHERS])
def test_threads_change_nothing(make):
    tables = dropped("cd", 13)
    assert (ask(make(FOUR), tables) == ask(make(FOUR, threads=2), tables)).all()


@pytest.mark.parametrize("make", SEARCHERS)
def test_the_place_in_the_batch_changes_nothing(make):
    tables, order = Tables("connect_four", n=20, seed=3), np.random.default_rng(0).permutation(20)
    agent = make(FOUR, iterations=60)
    found = ask(agent, tables)
    assert len(set(found.tolist())) > 1
    assert (ask(agent, tables, order) == found[order]).all()
    assert (ask(agent, tables, order[:1]) == found[order[:1]]).all()


@pytest.mark.parametrize(
    "agent", [greedy(FOUR), rollout(FOUR, 50), ismcts(FOUR, 50), rollout(FOUR, ms=1), ismcts(FOUR, ms=1)], ids=lambda a: a.name
)
def test_agents_can_be_copied(agent):
    tables = Tables("connect_four", n=8, seed=3)
    for twin in (copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
        assert twin.name == agent.name
        if "ms" not in agent.name:
            assert (ask(twin, tables) == ask(agent, tables)).all()


@pytest.mark.parametrize("make", SEARCHERS)
def test_milliseconds_are_kept(make):
    tables, agent = Tables("connect_four", n=3), make(FOUR, ms=5)
    ask(agent, tables)
    before = agent.steps
    assert (tables.mask[np.arange(3), ask(agent, tables)] == 1).all()
    assert agent.steps > before


@pytest.mark.lanes
@pytest.mark.parametrize("make", [greedy, *SEARCHERS])
@pytest.mark.parametrize("name", ["connect_four", "kuhn_poker"])
def test_search_plays_whole_games(make, name):
    agent = make(game(name), iterations=8) if make in SEARCHERS else make(game(name))
    assert seated(name, agent, UNIFORM, 0, 3).over.all()
    assert agent.steps > 0


# What they may know


def decided(agent, tables, keys):
    """An agent's actions where each decision has a key that is given."""
    ctx = Context.of(tables)
    states, rules, rule = true_records(ctx)
    actions, steps = np.zeros(len(states), np.int64), np.zeros(len(states), np.int64)
    seats, taken = np.maximum(ctx.seats, 0), np.zeros(1, np.int64)
    deciding(agent.decide, agent.prepare)(
        Decisions(states, rules, rule, agent.weights, seats, keys, agent.options, actions, steps, 1, taken), 1
    )
    return actions


@pytest.mark.slow
@pytest.mark.parametrize("v", [EVENTS, "tiefenthal-4p-schnapps+reputation+start_cards+guest_book"])
@pytest.mark.parametrize("make", [greedy, drawn_net, *SEARCHERS, *BY_VALUE])
def test_the_luck_to_come_decides_nothing(v, make):
    """Where only the order of the stacks is hidden, redealt tables are searched to the same answer."""
    tables = Tables(v, n=24, seed=8)
    spec = tables.game
    agent = make(spec, iterations=24) if make in (*SEARCHERS, *BY_VALUE) else make(spec)
    for step in range(300):
        if step % 60 == 50:
            keys = draw_each(np.full(24, step, np.uint64), 9, np.arange(24))
            found = decided(agent, tables, keys)
            for key in (1, 2):
                assert (decided(agent, tables.determinize(tables.seat, key), keys) == found).all()
        tables.step(ask(heuristic(spec), tables))


@pytest.mark.parametrize(
    "name", [slow("bloody_inn-3p-objects"), slow("tavern_battle-3p"), slow("taverns_dragons-3p-missions+encounters"), "kuhn_poker"]
)
@pytest.mark.parametrize("make", [greedy, drawn_net, *SEARCHERS, *map(slow, BY_VALUE)])
def test_others_cards_decide_nothing(name, make):
    """Where cards in hands are hidden, true and redealt tables lead to the same answers as often: the distributions over keys agree."""
    spec, n = game(name.split("-")[0]), 400
    agent = make(spec, iterations=6) if make in (*SEARCHERS, *BY_VALUE) else make(spec)
    tables = Tables(name, n=n, autoreset=False)
    tables.reset(seeds=np.full(n, 5))  # one game, many keys
    keys = draw_each(np.full(2 * n, 3, np.uint64), 9, np.arange(2 * n))
    for _ in range(60 if name != "kuhn_poker" else 2):
        if tables.mask[0].sum() > 1:
            twin = tables.determinize(tables.seat, 7)
            true, dealt = decided(agent, tables, keys[:n]), decided(agent, twin, keys[n:])
            counts = np.stack([np.bincount(found, minlength=len(spec.ACTIONS)) for found in (true, dealt)]).astype(float)
            both = counts.sum(axis=0)
            assert (abs(counts[0] - counts[1]) <= 5 * np.sqrt(both) + 1).all()
        tables.step(np.repeat(ask(heuristic(spec), tables, [0]), n))
        if tables.over.all():
            return


# Bad input


@pytest.mark.parametrize(
    ("make", "options", "match"),
    [
        (rollout, {"iterations": 0}, "iterations=0"),
        (rollout, {"iterations": 2.5}, "iterations=2.5"),
        (ismcts, {"iterations": -1}, "iterations=-1"),
        (ismcts, {"ms": 0}, "ms=0"),
        (ismcts, {"ms": float("nan")}, "ms=nan"),
        (ismcts, {"ms": 5, "iterations": 5}, "without iterations"),
        (ismcts, {"rounds": 0}, "rounds=0"),
        (rollout, {"reward": "gold"}, "'gold'"),
        (rollout, {"ms": -1}, "ms=-1"),
        (rollout, {"leaf": "value"}, "no value comes with the package for connect_four"),
        (ismcts, {"leaf": "nowhere"}, "leaf=nowhere: there is no such file"),
        (rollout, {"policy": "nowhere"}, "policy=nowhere: there is no such file"),
        (rollout, {"players": "net"}, "players=net: one of heuristic, both, net; all but heuristic need a network as policy"),
        (rollout, {"players": "me"}, "players=me"),
        (search, {}, "no value comes with the package for connect_four"),
        (greedy, {"threads": 0}, "threads=0"),
    ],
)
def test_bad_options(make, options, match):
    with pytest.raises(ValueError, match=match):
        make(FOUR, **options)


def test_an_agent_plays_its_game_only():
    with pytest.raises(ValueError, match="it plays connect_four, not kuhn_poker"):
        ask(ismcts(FOUR), Tables("kuhn_poker"))


@pytest.mark.slow
def test_the_exploiter_knows_who_plays(tmp_path):
    """A seat that folds to every bet is bet against with the jack and the queen; the king wins the same either way."""
    kuhn, file = game("kuhn_poker"), tmp_path / "folds.safetensors"
    tensors = {name: np.zeros(shape, np.float16) for name, shape in shapes(names_of(kuhn), 8).items()}
    tensors["policy_bias"][PASS] = 1
    file.write_bytes(pytest.importorskip("safetensors.numpy").save(tensors, sealed(header(kuhn), tensors)))
    tables = Tables("kuhn_poker", 60, seed=3)
    assert (ask(net(kuhn, file), tables) == PASS).all()
    weak = tables.obs[:, F.card.at + 2] == 0
    assert weak.sum() > 20
    assert (ask(exploit(kuhn, 200, policy=str(file)), tables)[weak] != PASS).all()
