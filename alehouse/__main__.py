"""The `alehouse` script: it starts the command line, or says how to install it."""

import sys

from alehouse.commands import streams


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
    streams.run_to_end(app, "alehouse")


if __name__ == "__main__":
    main()
