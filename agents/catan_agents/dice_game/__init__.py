"""An exact solution of the dice game for one player, and an agent that plays by it.

`Solution` computes the expected points of optimal play from every state of the sheet, which takes some minutes on one
core. `BestDiceAgent` needs a solution, so `make_agent` has no name for it.
"""

from catan_agents.dice_game.agent import BestDiceAgent
from catan_agents.dice_game.sheets import Multisets, Sheets
from catan_agents.dice_game.solution import Solution

__all__ = ["BestDiceAgent", "Multisets", "Sheets", "Solution"]
