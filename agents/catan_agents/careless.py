"""An agent that plays like another agent but sometimes takes a random action."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from catan_agents.player_view import PlayerView
from catan_agents.random import RandomAgent
from catan_agents.registry import make_agent
from catan_agents.streams import GameStreams
from catan_env.engine.arguments import check_number
from catan_env.engine.random import check_seed

if TYPE_CHECKING:
    from catan_env.engine.batch import BatchEngine


class CarelessAgent:
    """An agent that plays like another agent but sometimes takes a random action.

    Args:
        of: name of the other agent, as passed to `make_agent`.
        epsilon: probability of taking a uniformly random legal action instead, in [0, 1].
        initial_epsilon: the same probability before the first turn; None means `epsilon`.
        seed: seed of all random streams.
        options: options passed to the other agent.

    Raises:
        OptionError: a probability is outside [0, 1], or the other agent rejects an option.
    """

    name = "careless"

    def __init__(
        self,
        of: str = "heuristic",
        epsilon: float = 0.1,
        initial_epsilon: float | None = None,
        seed: int = 0,
        **options: Any,
    ):
        check_number("epsilon", epsilon, 1.0)
        if initial_epsilon is not None:
            check_number("initial_epsilon", initial_epsilon, 1.0)
        self.epsilon, self.initial_epsilon = epsilon, epsilon if initial_epsilon is None else initial_epsilon
        self._agent, self._random, self._streams = make_agent(of, **options), RandomAgent(), GameStreams()
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Seed all random streams independently of one another."""
        agent_seed, random_seed, stream_seed = map(int, np.random.SeedSequence(check_seed(seed)).generate_state(3))
        self._agent.reset(agent_seed)
        self._random.reset(random_seed)
        self._streams.reset(stream_seed)

    def act(self, engine: BatchEngine, games: np.ndarray) -> np.ndarray:
        actions = self._agent.act(engine, games)
        is_random = self._streams.uniform(games) < self._epsilons(engine, games)
        if is_random.any():
            actions[is_random] = self._random.act(engine, games[is_random])
        return actions

    def _epsilons(self, engine: BatchEngine, games: np.ndarray) -> np.ndarray | float:
        if self.initial_epsilon == self.epsilon:
            return self.epsilon
        view = PlayerView(engine, games)
        return (
            np.where(view.public("turn") == 0, self.initial_epsilon, self.epsilon) if view.has("turn") else self.epsilon
        )
