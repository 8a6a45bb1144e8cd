"""The pool of opponents: fixed agents and earlier selves, each with a rating, drawn the more often the stronger."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from catan_agents import Agent, make_agent
from catan_agents.learned import LearnedAgent

STEP = 0.05
"""How far one game moves a rating."""


@dataclass
class Member:
    """An agent of the pool; `rating` is how much stronger than the learner it seems, in natural logarithms of odds."""

    agent: Agent
    rating: float = 0.0
    updates: int | None = None
    """The age of an earlier self."""


class Pool:
    """Who the learner meets beside itself.

    Args:
        fixed: names of agents that stay in it.
        size: how many earlier selves it holds.
    """

    def __init__(self, fixed: tuple[str, ...], size: int):
        self.members = [Member(make_agent(name)) for name in fixed]
        self.size = size

    def add(self, player: LearnedAgent, updates: int) -> None:
        """The learner as it is now joins, and the oldest of its earlier selves leaves where there are too many."""
        if not self.size:
            return
        network = copy.deepcopy(player.network).eval()
        earlier_self = LearnedAgent(network, player.description, False, name=f"after {updates} updates")
        earlier_selves = [member for member in self.members if member.updates is not None]
        if len(earlier_selves) >= self.size:
            oldest = min(earlier_selves, key=lambda member: member.updates or 0)
            self.members[self.members.index(oldest)] = Member(earlier_self, 0.0, updates)  # in its place: games go on
        else:
            self.members.append(Member(earlier_self, 0.0, updates))

    def reset(self, seed: int) -> None:
        """Starts the random streams of all members anew."""
        for index, member in enumerate(self.members):
            member.agent.reset(seed + index)

    def draw(self, rng: np.random.Generator, count: int) -> np.ndarray:
        """(count,) indices of members: the likelier one is to beat the learner, the more often it is drawn."""
        odds = np.exp(self.ratings())
        chances = odds / (1.0 + odds)
        return rng.choice(len(self.members), count, p=chances / chances.sum())

    def note(self, members: np.ndarray, learner_seats: np.ndarray, players: int, learner_won: np.ndarray) -> None:
        """Moves the ratings by games that somebody has won: who was met, on how many seats the learner sat, and
        whether one of these won (Bradley and Terry, 1952, for seats)."""
        rival_strengths = (players - learner_seats) * np.exp(self.ratings())[members]
        rating_changes = np.zeros(len(self.members))
        np.add.at(rating_changes, members, STEP * (~learner_won - rival_strengths / (rival_strengths + learner_seats)))
        self.rate((rating_changes + self.ratings()).tolist())

    def ratings(self) -> list[float]:
        """Of all members."""
        return [member.rating for member in self.members]

    def rate(self, ratings: list[float]) -> None:
        """Puts these in place of the ratings of all members."""
        for member, rating in zip(self.members, ratings, strict=True):
            member.rating = rating

    def state(self) -> list[dict[str, Any]]:
        """Ratings, and the weights of earlier selves."""
        return [
            {"rating": member.rating, "updates": member.updates, "weights": member.agent.network.state_dict()}
            if isinstance(member.agent, LearnedAgent) and member.updates is not None
            else {"rating": member.rating, "updates": None}
            for member in self.members
        ]

    def load(self, state: list[dict[str, Any]], player: LearnedAgent) -> None:
        """Brings back what `state` gave; `player` has a network of the same kind."""
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
