"""Modules 2 to 5, each with its manifest; every function first checks that its module is in play."""
