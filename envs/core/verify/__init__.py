"""How games are verified: checks of the contract, signatures and playthroughs."""
