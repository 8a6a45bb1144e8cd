"""The PettingZoo parallel environment: every seat an agent, all of them asked at every step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from pettingzoo import ParallelEnv

from catan_env.engine.arguments import check_action
from catan_env.envs.game import SeatedGame
from catan_env.errors import ActionFormatError, GameOverError, IllegalActionError


class CatanParallel(SeatedGame, ParallelEnv):
    """The game for learners that want something from every agent at every step; see `SeatedGame`.

    Each step carries out one action: that of the seat to act, whose mask alone is not zero. The actions of all
    others are ignored, whatever they are; they may be left out. A cycle is a step. Shaping is on the clock of these
    steps, for every agent.

    Args:
        noop: whether there is one more action, the last id, which does nothing and is the one legal action of every
            agent that is not to act, for libraries that sample an action for each agent. It is not legal for the agent
            to act.
        options: those of `SeatedGame`.
    """

    parallelizable = True

    def __init__(self, scenario: Any = "base", num_players: int | None = None, *, noop: bool = False, **options: Any):
        super().__init__(scenario, num_players, **options)
        self.noop = bool(noop)
        self._set_spaces(self.engine.actions.n + self.noop)

    def _mask_of(self, seat: int) -> np.ndarray:
        mask = super()._mask_of(seat)
        return np.append(mask, np.int8(seat != self._seat)) if self.noop else mask

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Starts a game; returns observations and infos by agent. Without a seed its random stream goes on.

        Raises:
            OptionError: the seed is not a non-negative integer.
        """
        self._start(seed)
        self._shaping_of_others()
        return self._seen()

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Returns observations, rewards, terminations, truncations and infos by agent.

        Raises:
            ActionFormatError: the seat to act has no action here, or no action id.
            IllegalActionError: its action is not legal, and the policy is "raise"; nothing has changed.
            GameOverError: the episode is over, or has not begun.
        """
        if not self.agents:
            raise GameOverError("The episode is over or has not begun; call reset() first.")
        agent = self.possible_agents[self._seat]
        if agent not in actions:
            given_agents = ", ".join(map(str, actions)) or "nobody"
            raise ActionFormatError(f"{agent} is to act, but there are actions for {given_agents} only.")
        ended = self._act(self._without_noop(agent, actions[agent]))
        is_won = bool(self.engine.terminated[0])
        is_truncated = not is_won and (ended or (self.max_cycles is not None and self._acted >= self.max_cycles))
        rewards = self.engine.rewards[0].astype(np.float64)
        if not ended:
            rewards += self._shaping_of_others()
        agents = self.agents
        if is_won or is_truncated:
            self._seat = -2
            self.agents = []
        observations, infos = self._seen()
        rewards_by_agent = dict(zip(agents, rewards.tolist(), strict=True))
        return observations, rewards_by_agent, dict.fromkeys(agents, is_won), dict.fromkeys(agents, is_truncated), infos

    def _without_noop(self, agent: str, action: Any) -> Any:
        """The action of the agent to act; an illegal one of the game for the action that does nothing, if illegal
        actions are substituted."""
        if not self.noop:
            return action
        action_count = self.engine.actions.n
        action = check_action(action, action_count + 1, f"The action of {agent}")
        if action < action_count:
            return action
        if self.illegal == "raise":
            raise IllegalActionError(
                f"{agent} is to act: it cannot take action {action_count}, which does nothing. Take an action that its "
                "mask marks."
            )
        return int(self.engine.action_mask[0].argmin())

    def _seen(self) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Observations and infos of all agents, fresh."""
        if self.render_mode == "human":
            self.render()
        observations = {agent: self._seen_by(seat) for agent, seat in self._seat_of.items()}
        return observations, {agent: {"action_mask": self._mask_of(seat)} for agent, seat in self._seat_of.items()}


def parallel_env(scenario: Any = "base", num_players: int | None = None, **options: Any) -> CatanParallel:
    """A `CatanParallel`. Options are `noop` and the keywords of `SeatedGame`.

    An illegal action is substituted by default, since PettingZoo's own tests act without looking at masks.
    """
    return CatanParallel(scenario, num_players, **{"illegal": "substitute", **options})
