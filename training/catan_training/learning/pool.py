"""The opponent pool: fixed agents and earlier versions of the learner, sampled according to their ratings."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from catan_agents import Agent, make_agent
from catan_agents.learned import LearnedAgent

STEP = 0.05
"""Step size for each game's rating update."""


@dataclass
class Member:
    """An agent in the opponent pool.

    Attributes:
        agent: the agent.
        rating: log-odds that a seat of this agent beats a seat of the learner.
        updates: number of updates made before this copy of the learner was taken; None for fixed agents.
    """

    agent: Agent
    rating: float = 0.0
    updates: int | None = None


class Pool:
    """The learner's opponents.

    Args:
        fixed: names of agents that are never removed.
        size: maximum number of copies of the learner.
    """

    def __init__(self, fixed: tuple[str, ...], size: int):
        self.members = [Member(make_agent(name)) for name in fixed]
        self.size = size

    def add(self, player: LearnedAgent, updates: int) -> None:
        """Add a copy of the learner. If the pool is full, it replaces the oldest copy."""
        if not self.size:
            return
        network = copy.deepcopy(player.network).eval()
        earlier_self = LearnedAgent(network, player.description, False, name=f"after {updates} updates")
        earlier_selves = [member for member in self.members if member.updates is not None]
        if len(earlier_selves) >= self.size:
            oldest = min(earlier_selves, key=lambda member: member.updates or 0)
            self.members[self.members.index(oldest)] = Member(earlier_self, 0.0, updates)  # same index: games continue
        else:
            self.members.append(Member(earlier_self, 0.0, updates))

    def reset(self, seed: int) -> None:
        """Reset all members' random streams."""
        for index, member in enumerate(self.members):
            member.agent.reset(seed + index)

    def draw(self, rng: np.random.Generator, count: int) -> np.ndarray:
        """Sample `count` member indices in proportion to each member's estimated chance of beating the learner."""
        odds = np.exp(self.ratings())
        chances = odds / (1.0 + odds)
        return rng.choice(len(self.members), count, p=chances / chances.sum())

    def note(self, members: np.ndarray, learner_seats: np.ndarray, players: int, learner_won: np.ndarray) -> None:
        """Update the ratings from decided games, using a Bradley-Terry (1952) model of individual seats.

        Args:
            members: (n,) index of the opponent in each game.
            learner_seats: (n,) number of seats the learner played.
            players: number of seats in a game.
            learner_won: (n,) bool, whether one of the learner's seats won.
        """
        rival_strengths = (players - learner_seats) * np.exp(self.ratings())[members]
        rating_changes = np.zeros(len(self.members))
        np.add.at(rating_changes, members, STEP * (~learner_won - rival_strengths / (rival_strengths + learner_seats)))
        self.rate((rating_changes + self.ratings()).tolist())

    def ratings(self) -> list[float]:
        """Return all members' ratings."""
        return [member.rating for member in self.members]

    def rate(self, ratings: list[float]) -> None:
        """Set all members' ratings."""
        for member, rating in zip(self.members, ratings, strict=True):
            member.rating = rating

    def state(self) -> list[dict[str, Any]]:
        """Return the ratings, and the weights of all copies of the learner."""
        return [
            {"rating": member.rating, "updates": member.updates, "weights": member.agent.network.state_dict()}
            if isinstance(member.agent, LearnedAgent) and member.updates is not None
            else {"rating": member.rating, "updates": None}
            for member in self.members
        ]

    def load(self, state: list[dict[str, Any]], player: LearnedAgent) -> None:
        """Restore the pool from the output of `state()`. The network of `player` must have the same architecture."""
        fixed = [member for member in self.members if member.updates is None]
        self.members = []
        for entry in state:
            if entry["updates"] is None:
                self.members.append(Member(fixed.pop(0).agent, entry["rating"]))
                continue
            network = copy.deepcopy(player.network).eval()
            network.load_state_dict(entry["weights"])
            agent = LearnedAgent(network, player.description, False, name=f"after {entry['updates']} updates")
            self.members.append(Member(agent, entry["rating"], entry["updates"]))
