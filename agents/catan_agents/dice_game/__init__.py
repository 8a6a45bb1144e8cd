"""The dice game solved exactly for one player, and the agent that plays so.

`Solution` holds the points that the best play can expect from every state of the sheet; solving takes some minutes on
one core. `BestDiceAgent` plays it; it is made with a solution, and so has no name that `make_agent` takes.
"""

from catan_agents.dice_game.agent import BestDiceAgent
from catan_agents.dice_game.sheets import Multisets, Sheets
from catan_agents.dice_game.solution import Solution

__all__ = ["BestDiceAgent", "Multisets", "Sheets", "Solution"]
