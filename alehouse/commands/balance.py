"""`alehouse balance`: measure what modules, seats and numbers do to a game, by a designed experiment."""

import shlex
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from alehouse import players
from alehouse.agents import Agent
from alehouse.commands import config, show
from alehouse.commands.causes import print_causes
from alehouse.commands.fair_price import print_fair_price
from alehouse.commands.seat_numbers import print_seat_numbers
from alehouse.commands.studies import (
    PLACES,
    RUNS,
    check_minutes,
    chunk_player,
    have_libraries,
    known_numbers,
    play_all,
    studies_of,
    team_of,
    thread_count,
)  # fmt: skip
from alehouse.commands.variants import by_rules
from alehouse.envs.core.declare.corrections import correction
from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.games import game

if TYPE_CHECKING:
    from alehouse.benchmarks.balance.design import Change
    from alehouse.benchmarks.balance.side_experiments import SideExperiments
    from alehouse.benchmarks.balance.study import Finding, Study

MOST = 64  # the most values that a range may have

Minutes = Annotated[float, typer.Option(help="Minutes to play; the number of games depends on the machine.")]
Blocks = Annotated[int | None, typer.Option(min=2, help="Play this many blocks instead; a block is one seed in every cell.")]
Modules = Annotated[str, typer.Option(metavar="all|none|A,B", help="Modules to study; others stay out of play.")]
Seats = Annotated[str, typer.Option(metavar="all|2,4", help="Numbers of players (default: all from two on).")]
Lengths = Annotated[str, typer.Option("--length", metavar="all|A,B", help="Lengths of the game to study, if the game has several.")]
Agents = Annotated[str, typer.Option("--agents", metavar="A,B", help="Agents, each of which plays all seats: heuristic,rollout:50.")]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="A changed number to compare with the printed rules: KEY=3 or KEY=2..5."),
]
Rules = Annotated[Path | None, typer.Option("--rules", metavar="DIR", help="Study the game by the tables in this folder.")]
Against = Annotated[bool, typer.Option("--against-printed", help="Compare the rules of --rules with the printed ones.")]
On = Annotated[str, typer.Option("--on", metavar="|".join(PLACES), help="Where to play; with ray give --blocks too.")]
Threads = Annotated[int | None, typer.Option(min=1, help="Number of threads (default: one per core).")]
FairPrice = Annotated[
    str | None,
    typer.Option("--fair-price", metavar="ITEM", help="Find the price at which this item is worth as much as the others."),
]
Number = Annotated[
    str | None, typer.Option("--number", metavar="KEY", help="With --fair-price: the number to change (default: the item's price).")
]
Check = Annotated[bool, typer.Option("--check", help="Check the lab: the numbers of seats must say nothing about who wins.")]
Explain = Annotated[
    str | None,
    typer.Option("--explain", metavar="EFFECT", help="Find the numbers that make an effect vanish: 'place 4 of 4' or '+events, score'."),
]
Unknown = Annotated[
    bool, typer.Option("--unknown", help="Draw unknown numbers from what is plausible; so it is by default, if there are any.")
]
AsGuessed = Annotated[bool, typer.Option("--as-guessed", help="Play by the guessed numbers alone.")]
Out = Annotated[Path | None, typer.Option(metavar="DIR", help=f"The folder of the run; by default one in {RUNS}.")]


def balance(
    name: show.GameName,
    minutes: Minutes = 1.0,
    blocks: Blocks = None,
    modules: Modules = "all",
    seats: Seats = "all",
    lengths: Lengths = "all",
    agents: Agents = "heuristic",
    changes: Set = None,
    rules: Rules = None,
    against: Against = False,
    seed: show.Seed = 0,
    on: On = "threads",
    threads: Threads = None,
    item: FairPrice = None,
    number: Number = None,
    check: Check = False,
    explain: Explain = None,
    unknown: Unknown = False,
    as_guessed: AsGuessed = False,
    out: Out = None,
    settings: config.Config = None,
    json: show.Json = False,
) -> int:
    """Play a designed experiment and write a report on effects, seats, items and luck. The same command continues a stopped run."""
    given = locals()
    have_libraries()
    from alehouse.benchmarks.balance.design import factorial

    check_minutes(minutes)
    check_together(unknown, as_guessed, {"--fair-price": item, "--explain": explain, "--check": check or None}, number)
    spec, most = game(name), thread_count(threads)
    where = chunk_player(on, blocks, most)
    rule_sets = changed(spec, changes or [], rules, against)
    design = factorial(spec, modules_of(spec, modules), seats_of(spec, seats), lengths_of(spec, lengths), rule_sets)
    team = team_of(agents, spec, most if on == "threads" else 1)
    if check and len(team) > 1:
        raise ValueError(f"--agents {agents} with --check: give one of --agents")
    if item is not None:
        return print_fair_price(design.fullest, team, item, number, blocks, seed, most, json)
    if explain is not None:
        return print_causes(design, team, explain, minutes, blocks, seed, most, json)
    confirmed = correction(spec.numbers, rules).known if rules is not None else ()
    known = None if as_guessed or check else known_numbers(design, unknown, confirmed)
    studies = studies_of(design, players.names(agents), team, seed, where, out, name, known, blocks)
    config.write(studies[0].store.folder / config.FILE, balance, given)
    start = time.perf_counter()
    cut = play_all(studies, blocks, minutes)
    done = [study for study in studies if study.sets >= 2]
    if not done:
        print(f"alehouse: nothing is done yet; the same command goes on in {studies[0].store.folder}", file=sys.stderr)
        return show.status(cut)
    if check:
        return show.status(cut, print_seat_numbers(done[0], most, json) > 0)
    side = None if cut else side_experiments_of(design.fullest, team, seed, max(study.games for study in done), most)
    print_report(done, seed, start, cut, side, json)
    return show.status(cut)


def print_report(done: "Sequence[Study]", seed: int, start: float, cut: bool, side: "SideExperiments | None", json: bool) -> None:
    """Write the report of some studies, and print what it says first."""
    from alehouse.benchmarks.balance import report

    design, findings = done[0].design, [study.finding() for study in done]
    head = report.Head(design.spec, seed, time.perf_counter() - start, cut, command_typed(), side)
    page = report.write(done[0].store.folder, head, design, findings)
    sentences = report.sentences(head, design, findings)
    if json:
        show.write_json({**report.summary(head, findings), "sentences": sentences, "report": str(page)})
    else:
        write(sentences, findings, page)


def side_experiments_of(v: Variant, team: Sequence[Agent], seed: int, games: int, threads: int) -> "SideExperiments":
    """Play the side experiments by the first instant agent, or by the game's heuristic if there is none, and by a weaker agent."""
    from alehouse.agents.heuristic import heuristic_of
    from alehouse.agents.whole_games import as_instant
    from alehouse.benchmarks.balance.play import instant_agents
    from alehouse.benchmarks.balance.side_experiments import side_experiments

    instant = [agent for agent in team if as_instant(agent, v.spec) is not None]
    best = instant or team_of("heuristic" if heuristic_of(v.spec) else "greedy", v.spec, 1)
    if not instant:
        why = "only uniform, greedy and heuristic play games with exchanged items or redrawn luck"
        print(f"Items and luck are studied with {best[0].name}: {why}.", file=sys.stderr)
    other = team_of("uniform" if best[0].name == "greedy" else "greedy", v.spec, 1)
    one, two = instant_agents([best[0], other[0]], v.spec)
    return side_experiments(v, one, two, seed, games, threads)


def command_typed() -> str:
    """Return the command of this run, in a form that can be typed again."""
    main_job = Path(sys.argv[0]).name == "run.py"
    return shlex.join([*(("python", "-m", "alehouse.run") if main_job else ("alehouse",)), *sys.argv[1:]])


def check_together(unknown: bool, as_guessed: bool, others: "dict[str, object]", number: str | None) -> None:
    """Raise a ValueError for options that exclude each other, or that need another one."""
    if number is not None and others["--fair-price"] is None:
        raise ValueError(f"--number {number}: needs --fair-price ITEM")
    if unknown and as_guessed:
        raise ValueError("give --unknown or --as-guessed, not both")
    for option, value in others.items():
        if unknown and value is not None:
            raise ValueError(f"--unknown with {option}: {option} plays by the given numbers; give one of them")


def split_list(text: str) -> list[str]:
    """Return the words in a list, which commas separate."""
    return [word.strip() for word in text.split(",") if word.strip()]


def modules_of(spec: Game, text: str) -> list[str]:
    """Return the modules to study."""
    known = [m.name for m in spec.modules]
    if text in ("all", "none"):
        return known if text == "all" else []
    for name in split_list(text):
        if name not in known:
            raise ValueError(f"--modules {text}: module {name!r}; {spec.name} has {', '.join(known) or 'none'}")
    return split_list(text)


def seats_of(spec: Game, text: str) -> list[int]:
    """Return the numbers of players to study, by default all from two on."""
    known = [n for n in spec.seats if n > 1]
    if text == "all":
        return known
    if split_list(text) == ["1"] and 1 in spec.seats:
        raise ValueError(
            f"--seats 1: one player has no seats to compare; alehouse arena {spec.name} --seats 1 shows how often agents get a title"
        )
    if not split_list(text) or any(word not in map(str, known) for word in split_list(text)):
        raise ValueError(f"--seats {text}: numbers from {', '.join(map(str, known))}, joined by commas")
    return sorted({int(word) for word in split_list(text)})


def lengths_of(spec: Game, text: str) -> list[str]:
    """Return the lengths of the game to study."""
    if text == "all":
        return list(spec.lengths)
    for word in split_list(text):
        if word not in spec.lengths:
            raise ValueError(f"--length {text}: {spec.name} has {', '.join(filter(None, spec.lengths)) or 'no lengths to choose from'}")
    return [length for length in spec.lengths if length in split_list(text)]


def changed(spec: Game, pairs: list[str], rules: Path | None, against: bool) -> "list[Change]":
    """Return the rules to study: those of a folder, the printed rules and changed ones, or one set of rules for each value of a range."""
    if against and rules is None:
        raise ValueError("--against-printed: give --rules DIR")
    if rules is None and not pairs:
        return []
    if rules is not None and pairs:
        raise ValueError("give --set or --rules, not both")
    if rules is not None:
        [v] = by_rules([spec.variant()], rules)
        title, overrides = f"rules of {rules.name or rules}", dict(v.overrides)
        return compared_with(spec, title, overrides) if against else [(title, overrides)]
    single: dict[str, Any] = {}
    spans: dict[str, list[Any]] = {}
    for pair in pairs:
        key, _, value = pair.partition("=")
        entry = spec.numbers.find(key)
        if ".." in value:
            low, high = (int(entry.check(end)) for end in value.split("..", 1))
            spans[key] = list(range(low, high + 1))
        else:
            single[key] = entry.check(value)
    if not spans:
        return compared_with(spec, ", ".join(f"{key}={value}" for key, value in single.items()), single)
    [(key, values), *more] = spans.items()
    if more or not 2 <= len(values) <= MOST:
        raise ValueError(f"--set {key}: one range, of 2 to {MOST} values")
    return [(f"{key}={value}", {**single, key: value}) for value in values]


def compared_with(spec: Game, title: str, overrides: dict[str, Any]) -> "list[Change]":
    """Return the printed rules and the changed ones, to be compared."""
    if not spec.variant(overrides=overrides).overrides:
        raise ValueError(f"{title}: the same numbers as printed")
    return [("", {}), (title, overrides)]


def write(sentences: Iterable[str], findings: "list[Finding]", page: Path) -> None:
    """Print the findings in words, the main effects as a table, and the path of the report."""
    for sentence in sentences:
        show.write_text(sentence)
    rows = [
        (one.agent, row.effect, row.measure, row.estimate, row.low, row.high, *([row.verdict.word] if row.verdict else []))
        for one in findings for row in one.effects if row.sure and row.kind == "main effect"
    ]  # fmt: skip
    if rows:
        columns = ("agents", "found beyond chance", "measure", "estimate", "low", "high", "verdict")
        show.write_table(columns[: len(rows[0])], rows)
    print(f"The report: {page}")
