"""How games are verified: the contract, signatures and playthroughs."""
