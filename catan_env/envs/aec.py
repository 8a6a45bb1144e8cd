"""The PettingZoo AEC environment, in which every seat is an agent and agents act one at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
from pettingzoo import AECEnv

from catan_env.envs.game import SeatedGame
from catan_env.envs.learner import row
from catan_env.envs.options import SPECS, documented
from catan_env.errors import ActionFormatError, GameOverError, NotStartedError

FROM_RESET_ON = ("agent_selection", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos")


class CatanAEC(SeatedGame, AECEnv):
    """PettingZoo AEC environment; see `SeatedGame` for arguments and observations.

    The game decides which agent acts next, so agents do not act in a fixed order. Rewards accumulate per seat: `last()`
    returns everything earned since the agent's last action. A victory terminates all agents; the rules' turn limit and
    `max_cycles` truncate them. A cycle is as many actions as there are seats.
    """

    def __getattr__(self, name: str) -> Any:
        """Python calls this only for attributes that have not been set."""
        if name in FROM_RESET_ON:
            raise NotStartedError(f"{name!r} does not exist before the first game; call reset() first.")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game. Without a seed, the environment's random stream continues. `options` is ignored.

        Raises:
            OptionError: the seed is not an integer from 0 to 2**64 - 1.
        """
        self._start(seed)
        agents = self.agents
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos = {agent: {"action_mask": self._mask_of(seat)} for seat, agent in enumerate(agents)}
        self._rewarded = False
        self._skip_agent_selection = None
        self.agent_selection = self.possible_agents[self._seat]
        if self.render_mode == "human":
            self.render()

    def step(self, action: Any) -> None:
        """Carry out an action for `agent_selection`; pass None if the episode of that agent has ended.

        Raises:
            ActionFormatError: the action is not an action id.
            IllegalActionError: the action is illegal and the policy is "raise"; the game is unchanged.
            GameOverError: the episode has ended or has not started.
        """
        if not self.agents:
            raise GameOverError("The episode is over or has not begun; call reset() first.")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise ActionFormatError(f"The episode of {agent} is over; the only valid action is None.")
            self._was_dead_step(None)
            return
        ended = self._act(action)
        self._cumulative_rewards[agent] = 0.0
        if self._rewarded:
            self._clear_rewards()
            self._rewarded = False
        if ended or (self.max_cycles is not None and self._acted >= self.max_cycles * len(self.possible_agents)):
            self._end(ended)
        else:
            next_agent = self.possible_agents[self._seat]
            if next_agent != agent:
                self.infos[agent] = {"action_mask": np.zeros(self._mask.size, np.int8)}
            self.infos[next_agent] = {"action_mask": self._mask.copy()}
            self.agent_selection = next_agent
            if self.engine.rewards_every_step:
                self.rewards = dict(zip(self.agents, self.engine.rewards[0].tolist(), strict=True))
                self._rewarded = True
                self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _end(self, ended: bool) -> None:
        """Terminate or truncate all agents and assign rewards; `ended` says whether the rules ended the game."""
        won = bool(self.engine.terminated[0])
        rewards = self._rewards(ended)
        self._seat = -2
        for agent, reward in zip(self.agents, rewards, strict=True):
            self.rewards[agent] = reward
            self._cumulative_rewards[agent] += reward
            self.terminations[agent], self.truncations[agent] = won, not won
            self.infos[agent] = {"action_mask": np.zeros(self._mask.size, np.int8)}
        self._rewarded = True
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> Any:
        """Return a fresh observation for an agent.

        The result is {"observation", "action_mask"}, with an all-zero mask if it is another agent's turn, or just the
        observation with `observation="array"`.
        """
        seat = self._seat_of[agent]
        seats, games = self._viewers[seat]
        encoded = self._encoder.show(seats, games)
        observation = encoded[0] if type(encoded) is np.ndarray else row(encoded, 0)
        if self.observation == "array":
            return observation
        mask = self._mask.copy() if seat == self._seat else np.zeros(self._mask.size, np.int8)
        return {"observation": observation, "action_mask": mask}

    def _mask_of(self, seat: int) -> np.ndarray:
        """Return the action mask of a seat as a fresh (actions,) int8 array."""
        return self._mask.copy() if seat == self._seat else np.zeros(self._mask.size, np.int8)


@documented("aec", SeatedGame)
def aec_env(scenario: Any = "base", num_players: int | None = None, **options: Any) -> CatanAEC:
    """Return a `CatanAEC`. By default, illegal actions raise.

    Raises:
        CatanError: an option is unknown or invalid; the message lists valid values (see `catan_env.errors`).
    """
    SPECS["aec"].check(options)
    return CatanAEC(scenario, num_players, **options)
