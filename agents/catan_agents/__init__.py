"""Players behind one protocol: choose actions for many games at once. `make_agent` finds them by name."""

from catan_agents.protocol import Agent
from catan_agents.registry import agent_names, best_agent, make_agent, pretrained_names

__all__ = ["Agent", "agent_names", "best_agent", "make_agent", "pretrained_names"]
