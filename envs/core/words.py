"""Words for numbers of things, in pictures of tables and in reasons why an action is not legal."""

from typing import Any


def amount(n: Any, thing: str) -> str:
    """Return a number of things, such as "1 check" or "2 checks"."""
    return f"{n} {thing}" if n == 1 else f"{n} {thing}s"
