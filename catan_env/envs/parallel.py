"""The PettingZoo parallel environment, in which every seat is an agent and submits an action on every step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from pettingzoo import ParallelEnv

from catan_env.engine.arguments import check_action
from catan_env.envs.game import SeatedGame
from catan_env.envs.options import SPECS, documented
from catan_env.errors import ActionFormatError, GameOverError, IllegalActionError


class CatanParallel(SeatedGame, ParallelEnv):
    """PettingZoo parallel environment; see `SeatedGame`.

    Each step carries out the action of the seat to act, whose mask is the only non-zero one. The actions of other
    agents are ignored and may be omitted. A cycle is one step. Shaping is computed on every step for every agent.

    Args:
        noop: add a no-op as the last action id, for libraries that sample an action for every agent. It is the only
            legal action for agents whose turn it is not, and illegal for the agent to act.
        options: options of `SeatedGame`.

    Attributes:
        noop: the value passed in.
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
        """Start a game; return observations and infos, keyed by agent. Without a seed, the random stream continues.

        Raises:
            OptionError: the seed is not an integer from 0 to 2**64 - 1.
        """
        self._start(seed)
        self._shaping_of_others()
        return self._seen()

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Return observations, rewards, terminations, truncations and infos, each keyed by agent.

        Raises:
            ActionFormatError: the seat to act has no action, or the action is not an action id.
            IllegalActionError: the action is illegal and the policy is "raise"; the game is unchanged.
            GameOverError: the episode has ended or has not started.
        """
        if not self.agents:
            raise GameOverError("The episode is over or has not begun; call reset() first.")
        agent = self.possible_agents[self._seat]
        if agent not in actions:
            given_agents = ", ".join(map(str, actions)) or "nobody"
            raise ActionFormatError(
                f"{agent} is to act, but actions has entries for {given_agents}. Add one for {agent}."
            )
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
        """Return the action of the agent to act.

        The agent to act cannot play the no-op, so it becomes an illegal action, handled as `illegal` says.
        """
        if not self.noop:
            return action
        action_count = self.engine.actions.n
        action = check_action(action, action_count + 1, f"The action of {agent}")
        if action < action_count:
            return action
        if self.illegal == "raise":
            raise IllegalActionError(
                f"{agent} is to act: action {action_count} (no action) is for the other agents. Choose an action "
                "that its mask allows."
            )
        return int(self.engine.action_mask[0].argmin())

    def _seen(self) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Return fresh observations and infos for all agents."""
        if self.render_mode == "human":
            self.render()
        observations = {agent: self._seen_by(seat) for agent, seat in self._seat_of.items()}
        return observations, {agent: {"action_mask": self._mask_of(seat)} for agent, seat in self._seat_of.items()}


@documented("parallel", CatanParallel, SeatedGame, illegal="substitute")
def parallel_env(scenario: Any = "base", num_players: int | None = None, **options: Any) -> CatanParallel:
    """Return a `CatanParallel`. By default, illegal actions are substituted, because PettingZoo's tests ignore masks.

    Raises:
        CatanError: an option is unknown or invalid; the message lists valid values (see `catan_env.errors`).
    """
    SPECS["parallel"].check(options)
    return CatanParallel(scenario, num_players, **{"illegal": "substitute", **options})
