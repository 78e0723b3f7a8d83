"""How a game is declared: its records, numbers, actions, questions and variants."""
