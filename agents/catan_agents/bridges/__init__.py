"""Bridges to other engines of the game. `mirror` has what all of them share; each of the others needs its own extra."""
