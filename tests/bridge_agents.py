"""Agents that tests seat at the tables of other engines."""

import pytest

from catan_agents import agent_names, make_agent, pretrained_names

FOR_TWO = {"base-2-value", "base-2-strong"}
"""Agents for two players only."""
BUNDLED = sorted({*agent_names(), *pretrained_names()} - {"human"})
"""All bundled agents but the person."""
SHORT = {"mcts": {"simulations": 10}}


def marked(names):
    """Names as parameters of a test. Tests of long searches are slow."""
    return [pytest.param(name, marks=pytest.mark.slow) if name in SHORT else name for name in names]


def agent_named(name):
    """An agent, with a short search."""
    return make_agent(name, **SHORT.get(name, {}))
