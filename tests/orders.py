"""Search through draws whose order is irrelevant: in one order, and in all orders."""

import numpy as np

from catan_agents.search import ExpectimaxAgent


def values_by_orders(engine, depth):
    """Return the action values of the first game when searching one order of the draws, and when searching all."""
    found = []
    for unordered in (True, False):
        agent = ExpectimaxAgent(depth, worlds=2, seed=1, trade=False)
        space = agent._workspace(engine).space
        assert space.unordered.any()
        space.unordered[:] &= unordered
        found.append(agent.evaluate_actions(engine, np.array([0]))[1][0])
    return found
