"""The five modules of Taverns & Dragons, each in its own file."""
