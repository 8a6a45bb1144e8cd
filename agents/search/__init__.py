"""Agents that look ahead: `greedy` one decision, `expectimax` several, over worlds that the seat cannot tell apart."""

from agents.search.agent import ExpectimaxAgent, GreedyAgent
from agents.search.weights import load_weights, save_weights, weights_for

__all__ = ["ExpectimaxAgent", "GreedyAgent", "load_weights", "save_weights", "weights_for"]
