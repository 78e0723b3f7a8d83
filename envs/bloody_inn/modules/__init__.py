"""The modules of The Carnies, each with its manifest; every function first checks that its module is in play."""
