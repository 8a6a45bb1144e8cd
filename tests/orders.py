"""Draws whose order does not matter, followed by searching agents in one order and in all."""

import numpy as np

from catan_agents.search import ExpectimaxAgent


def values_by_orders(engine, depth):
    """What each action of the first game is found worth, following one order, and following all of them."""
    found = []
    for unordered in (True, False):
        agent = ExpectimaxAgent(depth, worlds=2, seed=1, trade=False)
        space = agent._workspace(engine).space
        assert space.unordered.any()
        space.unordered[:] &= unordered
        found.append(agent.evaluate_actions(engine, np.array([0]))[1][0])
    return found
