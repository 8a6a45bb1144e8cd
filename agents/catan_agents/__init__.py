"""Agents that choose actions for batches of games. Use `make_agent` to create an agent by name."""

from catan_agents.protocol import Agent
from catan_agents.registry import agent_names, make_agent, pretrained_names

__all__ = ["Agent", "agent_names", "make_agent", "pretrained_names"]
