"""Bridges to other engines of the game. `mirror` holds the shared part; each other module needs an extra."""
