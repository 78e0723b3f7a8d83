"""Each shell line of the README and of docs/ runs, with small games and small budgets."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from alehouse.cli import app
from tests.alehouse.test_docs import PAGES, blocks, shell_lines

INN = "bloody_inn --modules none --seats 2 --length short --as-guessed"  # as in other slow tests, so that it is compiled once
SOME = "--samples 100 --set width=16 --set batch=256 --set tables=32 --threads 1"
RUNS = {  # what runs for each line, from top to bottom in one folder; "" is the line itself
    "--version": "",
    "-h": "",
    "--show-completion": "--show-completion bash",
    "COMMAND -h": "arena -h",
    "games": "",
    "doctor": "",
    "cards GAME": "cards connect_four",
    "cards bloody_inn": "",
    "cards tiefenthal | head": "cards tiefenthal",
    "cards GAME --guesses": "cards taverns_dragons --guesses",
    "cards tavern_battle --guesses": "",
    "cards GAME --ask": "cards connect_four --ask",
    "cards tiefenthal --ask": "cards connect_four --ask",
    "cards bloody_inn --export mine": "",
    "new-game NAME": "new-game fleas",
    "arena GAME --agents A,B,C": "arena connect_four --agents heuristic,uniform --blocks 2",
    "arena bloody_inn --agents heuristic,uniform": "arena connect_four --agents heuristic,uniform --blocks 2",
    "arena connect_four --agents heuristic,uniform --blocks 200": "arena connect_four --agents heuristic,uniform --blocks 2",
    "arena tiefenthal --agents ismcts:1000,heuristic --blocks 100": "arena connect_four --agents ismcts:2,heuristic --blocks 1",
    "arena bloody_inn --agents heuristic,uniform --rules mine": "arena bloody_inn --agents uniform --rules mine --blocks 1",
    "arena bloody_inn --seats 1": "arena bloody_inn --seats 1 --agents uniform --blocks 1",
    "arena bloody_inn --agents heuristic,uniform --blocks 50 --out runs/mine":
        "arena connect_four --agents heuristic,uniform --blocks 4 --out runs/mine",
    "arena runs/mine --replay 3,1 --out game.json": "",
    "arena RUN --replay BLOCK,ROTATION": "arena runs/mine --replay 0,0 --out other.json",
    "replay FILE": "replay game.json",
    "replay game.json": "",
    "replay FILE --html OUT": "replay game.json --html out.html",
    "replay game.json --html game.html": "",
    "replay game.json --fork 37": "replay game.json --fork 3",
    "replay game.json --rate 37 --agents heuristic,search:100": "replay game.json --rate 3 --agents heuristic,rollout:2",
    "review FILE": "review game.json --plays 4",
    "review game.json": "review game.json --plays 4",
    "review RUN": "review runs/mine --games 2 --plays 4",
    "review runs/mine --games 40": "review runs/mine --games 2 --plays 4",
    "puzzle bloody_inn --mine 20": "puzzle connect_four --mine 2 --plays 4",
    "puzzle bloody_inn --agents heuristic,rollout:1000": "puzzle bloody_inn --agents uniform --plays 4",
    "puzzle bloody_inn": "",
    "watch GAME": "watch connect_four",
    "watch bloody_inn": "watch connect_four",
    "watch bloody_inn --agents heuristic": "watch connect_four --agents heuristic",
    "watch bloody_inn --agents heuristic,uniform": "watch connect_four --agents heuristic,uniform",
    "play GAME": "play connect_four --out match.jsonl",
    "play tiefenthal": "play connect_four",
    "play tiefenthal --level 3 --teach": "play connect_four --level 1 --teach",
    "play GAME --levels": "play tiefenthal --levels",
    "play --continue FILE": "play --continue match.jsonl",
    "mcp": "",
    "check GAME --games 200": "check connect_four --games 2",
    "tune bloody_inn": "tune connect_four --generations 1 --population 4 --blocks 1",
    "train bloody_inn --minutes 10": f"train kuhn_poker {SOME}",
    "train tiefenthal --minutes 60": f"train kuhn_poker {SOME}",
    "balance GAME": f"balance {INN} --blocks 2",
    "balance bloody_inn": f"balance {INN} --blocks 2",
    "balance tavern_battle": f"balance {INN} --blocks 2",
} | {name: f"{name} -h" for name in ("arena", "balance", "check", "sweep", "train", "tune")}  # fmt: skip
NOT_RUN = {  # how lines begin that do not run here, and why
    "--install-completion": "it changes the settings of the shell",
    "serve": "it goes on until Ctrl-C, and opens a browser; test_serve.py and test_serve_browser.py run it",
    "play --screen": "it needs a terminal; test_screen.py runs it",
    "arena connect_four --agents my_agents.py": "test_arena_cli.py runs it",
    'arena connect_four --agents "process': "test_arena_cli.py runs it",
    "arena GAME --agents net:path": "it needs a trained network; test_train_cli.py makes and loads some",
    "arena bloody_inn --agents net:path": "it needs a trained network; test_train_cli.py makes and loads some",
    "arena tiefenthal --agents exploit": "it searches with a network for many games; test_search.py asks it a few questions",
    "balance GAME --fair-price": "it takes thousands of games; test_show.py plays them",
    "balance tavern_battle --minutes": "test_balance_cli.py gives it minutes",
    "balance tiefenthal": "the tests of the balance lab compare a changed number, and explain an effect, in smaller games",
    "balance taverns_dragons": "the tests of the balance lab explain an effect, and check the lab, in smaller games",
    "sweep ": "test_balance_cli.py sweeps a smaller game",
    "bench": "test_cli.py runs it with a small game, test_kept_decisions.py --decisions; --peers needs what `make peers` installs",
    "warmup": "it compiles every game; test_warmup.py compiles small ones",
    "soak": "test_soak.py runs each of its parts",
    "train tiefenthal --": "it needs the shipped files or a sink; test_train_cli.py and test_value.py train so on small games",
    "train --": "it needs the files of another run; test_train_cli.py makes them",
}
OTHERS = {  # lines that begin with another word than alehouse
    "pip install": "it needs a package registry; test_docs.py compares the extras, `make versions` installs them",
    "make": "it takes minutes, or writes files of the checkout; test_docs.py compares the targets",
    "uv": "it needs a package registry; `make examples` runs it",
    "docker": "it needs an image registry",
    "python -m alehouse": "test_cli.py runs the command line so",
    "python -m alehouse.run": "it takes minutes; test_run.py runs it with small budgets",
    "python -m alehouse.benchmarks": "it takes minutes",
    "python -m build": "test_packaging.py builds the wheel",
    "python -m tests.fuzz_states": "it takes minutes",
    "python examples/run.py": "it needs a package registry; test_examples.py runs what needs none",
}


def asked(page: str) -> list[str]:
    """Return the shell lines of a page, without options that may be given."""
    lines = [" ".join(words) for words in shell_lines(page)]
    while (shorter := [re.sub(r" \[[^][]*\]", "", line) for line in lines]) != lines:
        lines = shorter
    return lines


@pytest.mark.parametrize("page", PAGES)
def test_each_line_is_run_or_has_a_reason(page: str) -> None:
    for line in asked(page):
        first, _, rest = line.partition(" ")
        known = rest in RUNS or rest.startswith(tuple(NOT_RUN)) if first == "alehouse" else line.startswith(tuple(OTHERS))
        assert known, f"{line}: give it a row in {Path(__file__).name}"


def test_each_row_of_the_tables_stands_on_a_page() -> None:
    found = [line for page in PAGES for line in asked(page)]
    assert {f"alehouse {line}" for line in RUNS} <= set(found)
    for start in [f"alehouse {start}" for start in NOT_RUN] + list(OTHERS):
        assert any(line.startswith(start) for line in found), start


@pytest.mark.parametrize("line", RUNS)
def test_what_runs_has_the_command_and_the_options_of_its_line(line: str) -> None:
    """Whatever is smaller, command and options stay, but for how much is played."""
    if runs := RUNS[line]:
        assert runs.split()[0] == line.split()[0] or line.split()[0].isupper()
        assert set(re.findall(r"(?<!\S)--?[a-z]+", line)) - {"--minutes", "--blocks"} <= set(re.findall(r"(?<!\S)--?[a-z]+", runs))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that the pages write down."""
    made = tmp_path_factory.mktemp("lines")
    for page in ("docs/arena.md", "docs/training.md"):
        for block in blocks(page):
            for name in re.findall(r"^# (\w+\.py)", block):
                (made / name).write_text(block)
    return made


@pytest.mark.slow
@pytest.mark.parametrize("line", RUNS, ids=map(str, range(len(RUNS))))  # no game in the id: the lines stay in one process
def test_a_line_runs(line: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    result = CliRunner().invoke(app, shlex.split((RUNS[line] or line).partition(" | ")[0]), prog_name="alehouse", input="")
    assert result.exit_code == 0, f"{line}: {RUNS[line]}: {result.output} {result.exception}"
