"""Measures Catanatron: whole games of Catan by its random players, who get the list of legal actions but no observation."""

import random
from importlib.metadata import version

from catanatron import Color, Game, RandomPlayer
from catanatron.game import TURNS_LIMIT
from protocol import BARE, Case, games_one_by_one, serve


def case(players: int) -> Case:
    """Return the case of games with a number of players."""
    colors = list(Color)[:players]

    def play(luck: random.Random) -> int:
        game = Game([RandomPlayer(color) for color in colors], seed=luck.getrandbits(31))
        decisions = 0
        while game.winning_color() is None and game.state.num_turns < TURNS_LIMIT:
            game.play_tick()
            decisions += 1
        return decisions

    return Case(f"catan_{players}p", "Catanatron", BARE, games_one_by_one(play))


if __name__ == "__main__":
    serve(version("catanatron"), [case(2), case(4)])
