"""Matches: games that people play against agents or one another."""
