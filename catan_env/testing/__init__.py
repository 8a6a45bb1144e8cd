"""Tools for the authors of scenarios: checks of a whole scenario, and positions by hand for tests of rules.

`check_scenario` checks everything that must hold of any scenario and returns a `Report`. `position` and `new_game` set
up games for tests of single rules; see `catan_env.testing.positions`.
"""

from catan_env.testing.checks import CHECKS, Finding, Report, check_scenario
from catan_env.testing.playing import Chooser, play, play_on
from catan_env.testing.positions import Game, PositionBuilder, new_game, position

__all__ = [
    "CHECKS",
    "Chooser",
    "Finding",
    "Game",
    "PositionBuilder",
    "Report",
    "check_scenario",
    "new_game",
    "play",
    "play_on",
    "position",
]
