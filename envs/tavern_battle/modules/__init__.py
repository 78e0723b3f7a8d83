"""The three variants of Tavern Battle, each with its manifest; every function starts with its own guard."""
