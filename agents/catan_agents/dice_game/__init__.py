"""An exact solution to the dice game, and the agent `dice-solver`, which follows it.

`Solution` computes the expected points under optimal play from every state of the sheet, in a few seconds on one core.
"""

from catan_agents.dice_game.agent import DiceSolver
from catan_agents.dice_game.sheets import Multisets, Sheets
from catan_agents.dice_game.solution import Solution

__all__ = ["DiceSolver", "Multisets", "Sheets", "Solution"]
