"""Other simulators are measured in turn with our games; the ratios, their intervals and the picture say who is faster."""

import json
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from alehouse.benchmarks import guard
from alehouse.benchmarks.peers import contest, environments
from alehouse.benchmarks.peers.catalogue import PEERS, WORKERS
from alehouse.benchmarks.peers.contest import BARE, OURS, SEEN, Entry, Missing, Worker, middle, speeds, verdict
from alehouse.benchmarks.peers.picture import picture
from alehouse.cli import app

PROGRAM = """
import sys
sys.path.insert(0, {workers!r})
from protocol import SEEN, Case, serve

def run(seconds, seed):
    print("noise of the simulator")
    return 10 * seed, seed, seconds

def broken(seconds, seed):
    raise RuntimeError("out of discs")

serve("1.5", [Case("connect_four", "by hand", SEEN, run), Case("chess", "by hand", SEEN, broken)])
"""


class Simulator:
    """A stand-in for a worker, which is as fast as the rates say, one for each measurement of any of its cases."""

    def __init__(self, name: str, *cases: tuple[str, str], rates: Sequence[float] = ()) -> None:
        self.name, self.version, self.rates = name, "1", iter(rates)
        self.cases = [{"game": game, "how": f"{name}'s loop", "writes": writes} for game, writes in cases]

    def measure(self, case: int, seconds: float, seed: int) -> dict[str, float]:
        return {"decisions": next(self.rates), "games": 1, "seconds": 1.0}

    def close(self) -> None:
        pass


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[Worker]:
    script = tmp_path / "by_hand.py"
    script.write_text(PROGRAM.format(workers=str(WORKERS)))
    found = Worker("by_hand", sys.executable, script)
    yield found
    found.close()


def test_a_worker_answers_line_by_line_whatever_its_simulator_prints(worker: Worker) -> None:
    assert worker.version == "1.5"
    assert worker.measure(0, 0.5, 7) == {"decisions": 70, "games": 7, "seconds": 0.5}
    with pytest.raises(Missing, match="RuntimeError: out of discs"):
        worker.measure(1, 0.5, 7)
    assert worker.measure(0, 0.5, 8)["decisions"] == 80


def test_a_worker_that_ends_early_is_missing(tmp_path: Path) -> None:
    (tmp_path / "fails.py").write_text("import no_such_simulator")
    with pytest.raises(Missing, match="ended early"):
        Worker("fails", sys.executable, tmp_path / "fails.py")


def test_what_is_not_installed_is_skipped_with_a_line(tmp_path: Path) -> None:
    lines = list(contest.peers(tmp_path))
    assert len(lines) == len(PEERS)
    assert all("make peers" in str(line) for line in lines)


def test_a_median_has_the_interval_of_the_binomial_distribution() -> None:
    assert middle([3, 1, 2]) == (1, 2, 3)
    assert middle(range(7)) == (0, 3, 6)  # all seven lie on one side with a chance of 2/128
    assert middle(range(15)) == (3, 7, 11)  # the fourth to the twelfth, as tables of the sign test say


def test_ratios_are_taken_round_by_round_and_only_of_connect_four() -> None:
    ours: Any = Simulator(OURS, ("connect_four", SEEN), rates=[1, 400, 800, 1800])
    other: Any = Simulator("other", ("connect_four", SEEN), ("connect_four", BARE), rates=[1, 1, 7, 100, 100, 7, 7, 200])
    chess: Any = Simulator("chess", ("chess", SEEN), rates=[1, 5, 6, 7])
    entries = [Entry(worker, k) for worker in (ours, other, chess) for k in range(len(worker.cases))]
    measured = list(contest.contest(entries, 1, 3, 0))  # every second round goes backwards
    assert sum(counts is None for _, counts in measured) == 4  # the first round
    first, same, bare, another = speeds(measured)
    assert (first.simulator, first.decisions_per_s, first.lowest, first.highest, first.ratio) == (OURS, 800, 400, 1800, None)
    assert (same.ratio_low, same.ratio, same.ratio_high) == (4, 8, 9)  # 400 / 100, 800 / 100, 1800 / 200
    assert bare.ratio is None  # ours was not measured so
    assert another.ratio is None


def row(*rates: float) -> contest.Speed:
    """Return the row of a simulator that reaches these rates where ours reaches 100."""
    counts = [{"decisions": rate, "games": 1, "seconds": 1.0} for rate in rates]
    peer: Any = Simulator("peer", ("connect_four", SEEN))
    return contest.speed(Entry(peer, 0), counts, [100.0] * len(rates))


def test_the_verdict_says_who_is_faster() -> None:
    assert verdict(row(2, 1, 4)) == "Alehouse is 50 times as fast as peer's loop (25 to 100)"
    assert verdict(row(250, 200, 400)) == "peer's loop is faster: 2.5 times as fast as Alehouse (2.0 to 4.0)"
    assert verdict(row(90, 100, 125)) == "peer's loop and Alehouse are equally fast (0.80 to 1.11 times)"


def test_the_picture_shows_ratios_first_and_where_a_peer_is_faster() -> None:
    drawn = picture([row(2, 1, 4), row(250, 200, 400)])
    said = ["".join(one.itertext()) for one in ET.fromstring(drawn).iter("{http://www.w3.org/2000/svg}text")]
    below = said.index("Decisions per second on one core; squares are Alehouse")
    assert said.index("50 (25 to 100)") < said.index("2.5 times slower (2.0 to 4.0)") < below
    assert "prefers-color-scheme:dark" in drawn
    assert picture([]) == ""


def test_the_command_line_writes_a_table_and_a_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours: Any = Simulator(OURS, ("connect_four", SEEN), rates=[1, 400, 800])
    other: Any = Simulator("other", ("connect_four", SEEN), rates=[1, 100, 100])
    monkeypatch.setattr(contest, "ours", lambda: ours)
    monkeypatch.setattr(contest, "peers", lambda: iter([other, "ludo: skipped: nobody has it"]))
    found = CliRunner().invoke(app, ["bench", "--peers", "--rounds", "2", "--out", str(tmp_path / "speeds")])
    assert found.exit_code == 0, found.output
    assert "Connect four, observation and mask: Alehouse is 6.0 times as fast as other's loop (4.0 to 8.0)." in found.stdout
    assert "ludo: skipped: nobody has it" in found.stdout
    kept = json.loads((tmp_path / "speeds" / "peers.json").read_text())
    assert [row["ratio"] for row in kept["rows"]] == [None, 6.0]
    ET.parse(tmp_path / "speeds" / "peers.svg")


def test_each_peer_has_a_worker_and_unknown_names_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert all((WORKERS / peer.worker).is_file() for peer in PEERS)
    assert environments.main(["ludo"]) == 2
    assert "unknown simulator 'ludo'" in capsys.readouterr().err


@pytest.mark.parametrize(("factor", "status"), [(1.0, 0), (0.97, 0), (0.9, 1)])
def test_the_guard_fails_beyond_five_percent(
    factor: float, status: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def worker(name: str, *rest: Any, **more: Any) -> Any:
        speed = factor if name == "working tree" else 1.0
        return Simulator("alehouse", ("toy", ""), rates=[1000 * speed * noise for noise in (9, 1.01, 1, 0.99, 1, 1.02, 0.98, 1)])

    monkeypatch.setattr(guard, "Worker", worker)
    monkeypatch.setattr(guard, "checked_out", lambda base, folder: None)
    assert guard.main(["main"], 1, 7, ["toy"]) == status
    assert ("too slow" in capsys.readouterr().out) == bool(status)


def test_the_guard_refuses_an_unknown_revision(capsys: pytest.CaptureFixture[str]) -> None:
    assert guard.main(["no-such-revision"]) == 2
    assert "BASE=no-such-revision" in capsys.readouterr().err
