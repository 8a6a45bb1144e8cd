"""The agent protocol: choose actions for a batch of games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

if TYPE_CHECKING:
    from catan_env.engine.batch import BatchEngine


@runtime_checkable
class Agent(Protocol):
    """A player for any number of seats and games, which keeps no per-game state between calls.

    The honesty rule: an agent may read only information available to its seat. That means `engine.action_mask`,
    `engine.seat_to_act`, `engine.observe(...)` for the seat to act, worlds from `engine.determinise`, and
    `catan_agents.player_view.PlayerView`. An agent must never step, save or edit the engine, nor read the random stream
    or replay log of a game.

    An agent may also define `probabilities(engine, games)`, which returns its policy, (n, actions); `catan watch` then
    records the policy in the replay log. An agent that plays some games only may define `check_engine(engine)`, which
    raises an error that says why it cannot play an engine's games.
    """

    name: str

    def reset(self, seed: int) -> None:
        """Seed the agent's random streams."""

    def act(self, engine: BatchEngine, games: np.ndarray) -> np.ndarray:
        """Return a legal action for each of the given games.

        Args:
            engine: the batch that contains the games, between two steps.
            games: (n,) int64, ascending indices of the games in which it is this agent's turn.

        Returns:
            (n,) int64 action ids.
        """
