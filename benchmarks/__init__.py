"""Measuring: how fast the games are, and later how well agents play and what modules do."""
