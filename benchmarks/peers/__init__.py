"""Speed beside other simulators: each plays in an environment of its own, measured in turn with our games by the same rules.

A decision is one seat's choice, taken uniformly among its legal answers; chance is no decision. Each simulator runs on one core. Ratios
are of connect four only, because every simulator that has it plays the same game.
"""
