"""The `alehouse` script: it starts the command line, or says how to install it."""

import sys

from alehouse.commands import interrupt, streams


def main() -> None:
    """Run the command line; if typer and rich are missing, say how to install them."""
    streams.prepare()
    try:
        from alehouse.cli import app
    except ModuleNotFoundError as error:
        if error.name not in ("typer", "rich"):
            raise
        print("alehouse: the command line needs typer and rich: pip install 'alehouse[cli]'", file=sys.stderr)
        sys.exit(2)
    try:
        app(prog_name="alehouse")
    except SystemExit as end:
        interrupt.settle()
        sys.exit(streams.finished(end.code if isinstance(end.code, int) else 0))


if __name__ == "__main__":
    main()
