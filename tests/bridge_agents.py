"""Agents for tests that play in other engines."""

import pytest

from catan_agents import agent_names, make_agent
from catan_agents.registry import pretrained_for

FOR_TWO = set(pretrained_for("base", 2))
"""Agents for two players only."""
BUNDLED = sorted({*agent_names(), *pretrained_for("base", 4), *FOR_TWO} - {"human"})
"""All bundled agents that play the base game, but the person."""
SHORT = {"mcts": {"simulations": 10}}


def marked(names):
    """Return test parameters for agent names; agents that search are marked slow."""
    return [pytest.param(name, marks=pytest.mark.slow) if name in SHORT else name for name in names]


def agent_named(name):
    """Return an agent; if it searches, the search is short."""
    return make_agent(name, **SHORT.get(name, {}))
