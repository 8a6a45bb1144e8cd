"""The PettingZoo parallel environment, in which every seat is an agent and submits an action on every step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from pettingzoo import ParallelEnv

from catan_env.engine.arguments import check_action
from catan_env.envs.game import SeatedGame
from catan_env.envs.learner import row
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
        is_won = ended and bool(self.engine.terminated[0])
        is_truncated = not is_won and (ended or (self.max_cycles is not None and self._acted >= self.max_cycles))
        rewards = self._rewards(ended)
        agents = self.agents
        if is_won or is_truncated:
            self._seat = -2
            self.agents = []
        observations, infos = self._seen()
        rewards_by_agent = dict(zip(agents, rewards, strict=True))
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
        agents = self.possible_agents
        encoded = self._encoder.show(self._every_seat, self._game_of_seat)
        infos = {agent: {"action_mask": mask} for agent, mask in zip(agents, self._masks(), strict=True)}
        observations = [row(encoded, seat) for seat in range(len(agents))]
        if self.observation == "dict":
            pairs = zip(observations, self._masks(), strict=True)
            observations = [{"observation": observation, "action_mask": mask} for observation, mask in pairs]
        return dict(zip(agents, observations, strict=True)), infos

    def _masks(self) -> np.ndarray:
        """Return the action masks of all seats as a fresh (players, actions) int8 array."""
        action_count = self._mask.size
        masks = np.zeros((len(self.possible_agents), action_count + self.noop), np.int8)
        masks[:, action_count:] = 1
        if self._seat >= 0:
            masks[self._seat, :action_count] = self._mask
            masks[self._seat, action_count:] = 0
        return masks


@documented("parallel", CatanParallel, SeatedGame, illegal="substitute")
def parallel_env(scenario: Any = "base", num_players: int | None = None, **options: Any) -> CatanParallel:
    """Return a `CatanParallel`. By default, illegal actions are substituted, because PettingZoo's tests ignore masks.

    Raises:
        CatanError: an option is unknown or invalid; the message lists valid values (see `catan_env.errors`).
    """
    SPECS["parallel"].check(options)
    return CatanParallel(scenario, num_players, **{"illegal": "substitute", **options})
