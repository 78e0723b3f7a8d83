"""Modules 2 to 5, each with its manifest; every function starts with its own guard."""
