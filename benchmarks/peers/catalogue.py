"""Names the simulators that are measured, with the packages of their environments."""

from pathlib import Path
from typing import NamedTuple

FOLDER = Path(".peers")  # `make peers` puts the environments there
WORKERS = Path(__file__).parent / "workers"


class Peer(NamedTuple):
    """A simulator: its name, the file that measures it, and what pip installs for it."""

    name: str
    worker: str
    packages: tuple[str, ...]


PEERS = (
    Peer("c_twin", "c_twin.py", ()),
    Peer("pettingzoo", "pettingzoo_classic.py", ("pettingzoo[classic]==1.27.0",)),
    Peer("open_spiel", "open_spiel_games.py", ("open_spiel==2.0.2",)),
    Peer("pgx", "pgx_games.py", ("pgx==2.6.0",)),
    Peer("envpool", "envpool_games.py", ("envpool==1.2.5",)),
    Peer("rlcard", "rlcard_games.py", ("rlcard==1.2.0",)),
    Peer("catanatron", "catanatron_games.py", ("catanatron==3.2.1",)),
)


def python_of(peer: Peer, folder: Path = FOLDER) -> Path | None:
    """Return the interpreter of a simulator's environment, or None if the environment is not complete."""
    home = folder / peer.name
    return home / "bin/python" if (home / ".ready").is_file() else None
