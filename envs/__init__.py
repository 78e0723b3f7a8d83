"""The games, and the framework they are built on."""
