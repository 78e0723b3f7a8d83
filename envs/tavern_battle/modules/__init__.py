"""The three modules of Tavern Battle, each with its manifest."""
