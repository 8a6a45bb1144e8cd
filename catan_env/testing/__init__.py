"""Tools for scenario authors: checks for a whole scenario, and hand-built positions for testing rules.

`check_scenario` checks every property that a scenario must have, and returns a `Report`. `position` and `new_game` set
up games for testing single rules; see `catan_env.testing.positions`.
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
