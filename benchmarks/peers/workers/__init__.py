"""The programs that measure each simulator, one for each; they run in environments of their own, so they import nothing of Alehouse.

Only `alehouse_games` does: it measures this package, by the same protocol.
"""
