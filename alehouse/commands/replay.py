"""`alehouse replay`: verify a saved game and show it action by action."""

from pathlib import Path
from typing import Annotated

import typer

from alehouse.commands import show
from alehouse.commands.moves import moves, sentence
from alehouse.commands.variants import changes, in_words
from alehouse.envs.core.run.replay import Replay

File = Annotated[Path, typer.Argument(metavar="FILE", help="The replay file to verify and show.")]
Verify = Annotated[bool, typer.Option("--verify", help="Only verify that the game goes as the file says; show nothing.")]
Pictures = Annotated[bool, typer.Option("--text", help="Show the table before every action.")]
To = Annotated[int | None, typer.Option("--to", min=0, metavar="N", help="Stop after this many actions.")]


def replay(file: File, verify: Verify = False, pictures: Pictures = False, to: To = None, json: show.Json = False) -> int:
    """Verify a replay file and show its game: each action by name with what followed by itself, then the table."""
    saved = Replay.load(file)
    if to is not None and to > len(saved.actions):
        raise ValueError(f"--to {to}: {file} has {len(saved.actions)} actions")
    head = {"variant": saved.variant, "seed": saved.seed, "length": len(saved.actions), "verified": True}
    if verify:
        if json:
            show.write_json(head)
        else:
            print(f"{file}: verified, {head['length']} actions of {saved.variant}, seed {saved.seed}")
        return 0
    tables = saved.tables(0)
    told = moves(tables, saved.actions[:to], texts=pictures)
    if json:
        listed = [move.as_json() for move in told]
        points = tables.scores[0].tolist()
        show.write_json({**head, "moves": listed, "over": bool(tables.over[0]), "scores": points, "text": tables.text(0)})
        return 0
    print(f"{saved.variant}, seed {saved.seed}")
    if changed := changes(tables.variants[0]):
        print(f"rules: {in_words(changed)}")
    for move in told:
        if pictures:
            print(f"\n{move.text}\n")
        print(sentence(move, f"player_{move.seat}"))
        for line in move.then:
            print(f"   {line}")
    print(f"\n{tables.text(0)}")
    if tables.over[0]:
        print(f"points: {', '.join(str(points) for points in tables.scores[0])}")
    return 0
