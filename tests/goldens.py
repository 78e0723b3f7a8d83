"""The recorded play of all games: `make goldens` writes it, test_goldens.py compares."""

import csv
import io
from pathlib import Path

from alehouse.envs.core.run.files import write_atomically
from alehouse.envs.core.verify.playthrough import playthrough, samples
from alehouse.envs.core.verify.signature import signature
from alehouse.envs.games import GAMES, REFERENCE, game, variants

FOLDER = Path(__file__).parent
SIGNATURES = FOLDER / "signatures.csv"
PLAYTHROUGHS = FOLDER / "playthroughs"
PLAYED = (*GAMES, *REFERENCE)


def read_signatures() -> dict[str, str]:
    """Return the recorded signature of every variant."""
    with open(SIGNATURES, newline="", encoding="utf-8") as source:
        return {row["variant"]: row["signature"] for row in csv.DictReader(source)}


def main() -> None:
    """Write signatures and playthroughs."""
    signatures = {str(v): signature(v) for name in PLAYED for v in variants(name)}
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([("variant", "signature"), *sorted(signatures.items())])
    write_atomically(SIGNATURES, text.getvalue().encode())
    PLAYTHROUGHS.mkdir(exist_ok=True)
    texts = {PLAYTHROUGHS / f"{v}.txt": playthrough(v) for name in PLAYED for v in samples(game(name))}
    for path in set(PLAYTHROUGHS.iterdir()) - set(texts):
        path.unlink()
    for path, told in texts.items():
        write_atomically(path, told.encode())
    print(f"{len(signatures)} signatures, {len(texts)} playthroughs")


if __name__ == "__main__":
    main()
