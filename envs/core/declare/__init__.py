"""How a game is declared: records, numbers, actions, questions, and what a variant is."""
