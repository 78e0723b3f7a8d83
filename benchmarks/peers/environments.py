"""Makes the environments of other simulators: `python -m alehouse.benchmarks.peers.environments [NAME ...]`, or `make peers`."""

import subprocess
import sys
import venv
from pathlib import Path

from alehouse.benchmarks.peers.catalogue import FOLDER, PEERS, Peer, python_of

PATIENCE = 900  # seconds after which an installation is given up


def made(peer: Peer, folder: Path) -> str:
    """Make the environment of a simulator and return "" or, if that fails, why."""
    home = folder / peer.name
    venv.create(home, with_pip=bool(peer.packages), clear=True)
    if peer.packages:
        command = [str(home / "bin/python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *peer.packages]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            return f"not installed within {PATIENCE} s"
        if done.returncode:
            return next((line for line in reversed(done.stderr.splitlines()) if "ERROR" in line.upper()), "pip failed")
    (home / ".ready").write_text("\n".join(peer.packages))
    return ""


def main(names: list[str]) -> int:
    """Make the named environments, or all; those that are complete are kept. A simulator that cannot be installed is no failure."""
    if unknown := set(names) - {peer.name for peer in PEERS}:
        print(f"unknown simulator {min(unknown)!r}: one of {', '.join(peer.name for peer in PEERS)}", file=sys.stderr)
        return 2
    for peer in PEERS:
        if names and peer.name not in names:
            continue
        fault = "" if python_of(peer) else made(peer, FOLDER)
        print(f"{peer.name}: {'it cannot be measured: ' + fault if fault else 'ready'}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
