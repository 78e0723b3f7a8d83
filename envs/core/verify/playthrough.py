"""Playthroughs: whole games as text, with every action, the seat that took it, what followed by itself, and pictures of the table."""

import numpy as np

from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.run.luck import game_seed
from alehouse.envs.core.run.random_games import play
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.verify.case import all_variants
from alehouse.envs.core.verify.narration import narrated

GAMES = 20  # the longest of this many games is shown
PICTURES = 12  # about how many pictures a long game has
APART = 10  # two pictures are at least this many decisions apart


def samples(game: Game) -> list[Variant]:
    """Return variants that show every combination of modules, every number of seats and every length of a game.

    The numbers of seats (highest first) are dealt out to the combinations in turn, and the length changes after each pass through them. A
    game with many combinations gets one variant for each; a game with few gets as many as its seats and lengths need.
    """
    combinations = list(dict.fromkeys(v.modules for v in all_variants(game)))
    seats, lengths = game.seats[::-1], game.lengths
    count = max(len(combinations), len(seats), len(seats) * (len(lengths) - 1) + 1)
    shapes = [(seats[k % len(seats)], combinations[k % len(combinations)], lengths[k // len(seats) % len(lengths)]) for k in range(count)]
    return [game.variant(*shape) for shape in shapes]


def playthrough(v: Variant, seed: int = 0) -> str:
    """Return as text the longest of the first few games of a seed, played by random agents."""
    decisions = play(v, GAMES, seed, lively=True).decisions
    k = int(np.argmax(decisions))
    every = max(APART, int(decisions[k]) // PICTURES)
    t = Tables(v, n=1, autoreset=False)
    t.reset(seeds=[game_seed(np.uint64(seed), k)])
    lines = [
        f"{v.spec.title}: {v}",
        f"rules {v.rules_digest}, game {k} of seed {seed}, by {'lively' if v.spec.lively else 'uniform'} agents",
    ]
    while not t.over[0]:
        asked, seat, actions = int(t.states[0].asked), int(t.seat[0]), t.sample(lively=True)
        if asked % every == 0:
            lines += ["", t.text(0), ""]
        lines.append(f"{asked + 1:4} player_{seat} {v.action_names[actions[0]]}")
        lines += [f"     {line}" for line in narrated(t, 0, int(actions[0]))]
        t.step(actions)
    lines += ["", t.text(0), ""]
    lines += [f"player_{p}: score {t.scores[0, p]}, utility {t.utility[0, p]:g}" for p in range(v.seats)]
    return "\n".join(lines) + "\n"
