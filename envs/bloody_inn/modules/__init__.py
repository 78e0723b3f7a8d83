"""The modules of The Carnies, each with its manifest; every function starts with its own guard."""
