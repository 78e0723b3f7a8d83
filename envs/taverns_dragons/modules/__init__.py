"""The five modules of Taverns & Dragons, one file each."""
