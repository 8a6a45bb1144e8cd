"""Search agents: `greedy` looks one decision ahead, `expectimax` looks several ahead, and `mcts` searches a tree.

All of them search sampled worlds that are consistent with the seat's view.
"""

from catan_agents.search.agent import ExpectimaxAgent, GreedyAgent
from catan_agents.search.mcts import MCTSAgent
from catan_agents.search.weights import chances_for, load_weights, save_weights, weights_for, weights_in

__all__ = [
    "ExpectimaxAgent",
    "GreedyAgent",
    "MCTSAgent",
    "chances_for",
    "load_weights",
    "save_weights",
    "weights_for",
    "weights_in",
]
