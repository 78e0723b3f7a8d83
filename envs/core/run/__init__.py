"""How games are run: luck, sets, the stack of questions, and batches of tables."""
