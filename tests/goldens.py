"""The recorded play of all games: `make goldens` writes it, test_goldens.py compares."""

import csv
import io
from pathlib import Path

from alehouse.envs.core.declare.game import Variant
from alehouse.envs.core.run.files import write_atomically
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.verify.playthrough import playthrough, samples
from alehouse.envs.core.verify.signature import signature
from alehouse.envs.games import GAMES, REFERENCE, game, variants

FOLDER = Path(__file__).parent
SIGNATURES = FOLDER / "signatures.csv"
PLAYTHROUGHS = FOLDER / "playthroughs"
DRAWINGS = FOLDER / "drawings"
PLAYED = (*GAMES, *REFERENCE)


def read_signatures() -> dict[str, str]:
    """Return the recorded signature of every variant."""
    with open(SIGNATURES, newline="", encoding="utf-8") as source:
        return {row["variant"]: row["signature"] for row in csv.DictReader(source)}


def drawn() -> list[Variant]:
    """Return the variants of each game that are drawn: the one with fewest modules and seats, and the one with most."""
    ordered = [sorted(samples(game(name)), key=lambda v: (len(v.modules), v.seats)) for name in PLAYED]
    return [v for found in ordered for v in dict.fromkeys((found[0], found[-1]))]


def drawing(v: Variant) -> str:
    """Return the picture that the seat to move sees after three quarters of a game by lively players."""
    t = Tables(v, n=1, seed=4, autoreset=False)  # in this game of Tavern Battle there is a brawl
    while not t.over[0]:
        t.step(t.sample(lively=True))
    replay = t.replay(0)
    late = replay.tables(len(replay.actions) * 3 // 4)
    return late.svg(0, int(late.seat[0]))


def main() -> None:
    """Write signatures, playthroughs and pictures."""
    signatures = {str(v): signature(v) for name in PLAYED for v in variants(name)}
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([("variant", "signature"), *sorted(signatures.items())])
    write_atomically(SIGNATURES, text.getvalue().encode())
    texts = {PLAYTHROUGHS / f"{v}.txt": playthrough(v) for name in PLAYED for v in samples(game(name))}
    pictures = {DRAWINGS / f"{v}.svg": drawing(v) for v in drawn()}
    for folder, files in ((PLAYTHROUGHS, texts), (DRAWINGS, pictures)):
        folder.mkdir(exist_ok=True)
        for path in set(folder.iterdir()) - set(files):
            path.unlink()
        for path, told in files.items():
            write_atomically(path, told.encode())
    print(f"{len(signatures)} signatures, {len(texts)} playthroughs, {len(pictures)} pictures")


if __name__ == "__main__":
    main()
