"""Tools for the authors of scenarios: checks of a whole scenario, and positions by hand for tests of rules."""

from catan_env.testing.playing import Chooser, play, play_on
from catan_env.testing.positions import Game, Position, new_game, position

__all__ = ["Chooser", "Game", "Position", "new_game", "play", "play_on", "position"]
