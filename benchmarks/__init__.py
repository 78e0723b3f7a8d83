"""Measurements: how fast the games are, how well agents play, and what modules do to a game."""
