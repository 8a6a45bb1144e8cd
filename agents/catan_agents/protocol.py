"""What an agent is: something that chooses actions for a batch of games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

if TYPE_CHECKING:
    from catan_env.engine.batch import BatchEngine


@runtime_checkable
class Agent(Protocol):
    """Plays any number of seats in any number of games; keeps no state of a game between calls.

    The honesty rule: an agent reads `engine.action_mask`, `engine.seat_to_act`, `engine.observe(...)` for the seat
    to act, and what `catan_agents.player_view.PlayerView` lets that seat see of the record, and nothing else. It never
    steps, saves, clones or edits the engine it is given, and never looks at a game's random stream or replay log.

    An agent may also have `probabilities(engine, games)`, (n, actions) of what it would choose: `catan watch` then
    notes them in the replay log.
    """

    name: str

    def reset(self, seed: int) -> None:
        """Starts the agent's own random streams anew."""

    def act(self, engine: BatchEngine, games: np.ndarray) -> np.ndarray:
        """Chooses a legal action in each of the given games.

        Args:
            engine: the batch the games belong to, at rest between two steps.
            games: (n,) int64, ascending indices of the games in which this agent's seat is to act.

        Returns:
            (n,) int64 action ids.
        """
