"""Two tiny games with known best play: examples for a new game, and tests for search and learning."""
