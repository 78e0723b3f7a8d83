"""Settings of a run as a TOML file: `--config FILE` reads them, and every run writes its own into its folder."""

import inspect
import json
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from alehouse.commands import show
from alehouse.envs.core.declare.sheets import located
from alehouse.envs.core.run.files import read_text, write_atomically

FILE = "config.toml"  # the name of the file that every run writes into its folder
ELSEWHERE = ("config", "json", "out")  # options that do not change what a run computes


def keys(command: Callable[..., Any]) -> dict[str, str]:
    """Return the key of each parameter of a command: its option without dashes, or `game`."""
    found = {}
    for name, hint in get_type_hints(command, include_extras=True).items():
        for info in getattr(hint, "__metadata__", ()):
            words = (info.default, *(info.param_decls or ()))
            option = next((word for word in words if isinstance(word, str) and word.startswith("--")), name).lstrip("-")
            found[name] = "game" if info.metavar == "GAME" else option
    return found


def read(context: typer.Context, file: Path | None) -> Path | None:
    """Make the settings in a file the defaults of a command; an error in the file is explained in one line."""
    if file is None:
        return None
    try:
        names = {key: name for name, key in keys(inspect.unwrap(context.command.callback)).items() if key not in ELSEWHERE}  # type: ignore[arg-type]
        with located(str(file)):
            given = tomllib.loads(read_text(file))
        for key in given:
            if key not in names:
                raise ValueError(f"{file}: unknown key {key!r}; {context.info_name} knows {', '.join(names)}")
        joined = [param.name for param in context.command.params if not getattr(param, "multiple", False)]
        typed = {names[key]: as_typed(f"{file}: {key}", value) for key, value in given.items()}
        context.default_map = {name: ",".join(x) if name in joined and isinstance(x, list) else x for name, x in typed.items()}
    except (OSError, ValueError) as error:
        raise typer.Exit(show.bad_input(error)) from None
    return file


Config = Annotated[
    Path | None,
    typer.Option(
        "--config", metavar="FILE", is_eager=True, callback=read, help=f"Read settings from a TOML file, such as the {FILE} of another run."
    ),
]


def as_typed(place: str, value: Any) -> Any:
    """Return a value of a file as it would be typed: as a text, true for an option without a value, several of these as a list."""
    if isinstance(value, (dict, list)) and any(
        isinstance(one, (dict, list)) for one in (value.values() if isinstance(value, dict) else value)
    ):
        raise ValueError(f"{place}: a list or a table in another one")
    if isinstance(value, dict):
        return [f"{key}={as_typed(place, one)}" for key, one in value.items()]
    if isinstance(value, list):
        return [as_typed(place, one) for one in value]
    if isinstance(value, bool):
        return value
    if not isinstance(value, (str, int, float)):
        raise ValueError(f"{place}: {value} is neither a text, a number, true or false, a list nor a table of such")
    return str(value)


def write(file: Path, command: Callable[..., Any], given: Mapping[str, Any]) -> None:
    """Write the arguments of a command to a file that `--config` reads. Options that were not given are left out."""
    named = [(key, given[name]) for name, key in keys(command).items() if key not in ELSEWHERE]
    lines = [f"{key} = {text_of(value)}" for key, value in named if value is not None and value is not False and value not in ("", [])]
    write_atomically(file, ("\n".join([f"# alehouse {command.__name__} --config FILE", *lines]) + "\n").encode())


def text_of(value: Any) -> str:
    """Return a value as TOML has it."""
    return json.dumps(value if isinstance(value, (bool, int, float, list)) else str(value), ensure_ascii=False)
