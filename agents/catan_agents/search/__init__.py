"""Agents that look ahead, over worlds that the seat cannot tell apart: `greedy` one decision, `expectimax` several,
`mcts` as far as simulations go."""

from catan_agents.search.agent import ExpectimaxAgent, GreedyAgent
from catan_agents.search.mcts import MCTSAgent
from catan_agents.search.weights import chances_for, load_weights, save_weights, weights_for

__all__ = ["ExpectimaxAgent", "GreedyAgent", "MCTSAgent", "chances_for", "load_weights", "save_weights", "weights_for"]
