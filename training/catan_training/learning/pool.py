"""The opponent pool: fixed agents and earlier versions of the learner, sampled according to their ratings.

The pool also knows who plays which seat of the learner's games.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from catan_agents import Agent, make_agent
from catan_agents.learned import LearnedAgent
from catan_env.engine.batch import BatchEngine

LEARNER = -1
"""Owner of the learner's seats. Other seats hold the index of a pool member."""
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

    In the last `share` of the games, a member plays half of the seats, rounded down but at least one.

    Args:
        fixed: names of agents that are never removed.
        size: maximum number of copies of the learner.
        games, players: numbers of games and of seats in each.
        share: fraction of games with opponents.

    Attributes:
        owner: (games, players) int64, the member that plays each seat, as an index, or `LEARNER`.
    """

    def __init__(self, fixed: tuple[str, ...], size: int, games: int = 0, players: int = 0, share: float = 0.0):
        self.members = [Member(make_agent(name)) for name in fixed]
        self.size = size
        self.owner = np.full((games, players), LEARNER, np.int64)
        self._with_opponents = np.arange(games) >= games - int(share * games)

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

    def owners_of(self, seats: np.ndarray) -> np.ndarray:
        """Return the owner of a seat in each game, shape (games,); `LEARNER` for negative seats."""
        return np.where(seats >= 0, self.owner[np.arange(len(seats)), np.maximum(seats, 0)], LEARNER)

    def act(self, engine: BatchEngine, owners: np.ndarray, actions: np.ndarray) -> None:
        """Replace the actions in games whose seat to act is owned by a member."""
        for member in np.unique(owners[owners != LEARNER]).tolist():
            games = np.flatnonzero(owners == member)
            actions[games] = self.members[member].agent.act(engine, games)

    def change_seats(self, games: np.ndarray, won: np.ndarray, rng: np.random.Generator | None) -> None:
        """Update the ratings from finished games and assign the seats of the next ones.

        Args:
            games: (n,) the games.
            won: (n, players) bool, whether each seat won.
            rng: draws the opponents; without it, the learner gets all seats.
        """
        owner = self.owner[games]
        rated = (owner != LEARNER).any(1) & won.any(1)
        if rated.any():
            own = owner[rated] == LEARNER
            self.note(owner[rated].max(1), own.sum(1), owner.shape[1], (won[rated] & own).any(1))
        self.owner[games] = LEARNER
        games = games[self._with_opponents[games]]
        if rng is not None and len(games) and self.members:
            players = self.owner.shape[1]
            rank = rng.random((len(games), players)).argsort(axis=1)
            members = self.draw(rng, len(games))[:, None]
            self.owner[games] = np.where(rank < max(1, players // 2), members, LEARNER)

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
        for member, change in zip(self.members, rating_changes.tolist(), strict=True):
            member.rating += change

    def ratings(self) -> list[float]:
        """Return all members' ratings."""
        return [member.rating for member in self.members]

    def state(self) -> dict[str, Any]:
        """Return the owners, the ratings, and the weights of all copies of the learner."""
        members = [
            {"rating": member.rating, "updates": member.updates, "weights": member.agent.network.state_dict()}
            if isinstance(member.agent, LearnedAgent) and member.updates is not None
            else {"rating": member.rating, "updates": None}
            for member in self.members
        ]
        return {"owner": self.owner.copy(), "members": members}

    def load(self, state: dict[str, Any], player: LearnedAgent) -> None:
        """Restore the pool from the output of `state()`. The network of `player` must have the same architecture."""
        self.owner[:] = state["owner"]
        fixed = [member for member in self.members if member.updates is None]
        self.members = []
        for entry in state["members"]:
            if entry["updates"] is None:
                self.members.append(Member(fixed.pop(0).agent, entry["rating"]))
                continue
            network = copy.deepcopy(player.network).eval()
            network.load_state_dict(entry["weights"])
            agent = LearnedAgent(network, player.description, False, name=f"after {entry['updates']} updates")
            self.members.append(Member(agent, entry["rating"], entry["updates"]))
