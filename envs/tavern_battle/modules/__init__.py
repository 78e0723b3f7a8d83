"""The three modules of Tavern Battle, each with its manifest; without the module its functions do nothing."""
