"""An exact single-player solution to the dice game, and an agent that follows it.

`Solution` computes the expected points under optimal play from every state of the sheet, in a few minutes on one core.
Because `BestDiceAgent` requires a solution, `make_agent` cannot create it by name.
"""

from catan_agents.dice_game.agent import BestDiceAgent
from catan_agents.dice_game.sheets import Multisets, Sheets
from catan_agents.dice_game.solution import Solution

__all__ = ["BestDiceAgent", "Multisets", "Sheets", "Solution"]
