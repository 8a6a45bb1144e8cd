"""One game in which every seat is an agent: the shared base of the AEC and parallel environments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import logger
from gymnasium.spaces import Box, Dict, Discrete, Space

from catan_env.encoders import make_encoder
from catan_env.engine.arguments import check_action, check_limit, check_option
from catan_env.engine.batch import BatchEngine
from catan_env.engine.decision_stack import NO_SEAT_TO_ACT
from catan_env.engine.fixed import Changeable, Fixed
from catan_env.engine.plain_first import AUTO
from catan_env.engine.random import check_seed
from catan_env.engine.scenario import Scenario
from catan_env.envs import viewer
from catan_env.envs.attributes import EngineAttributes
from catan_env.envs.draws import fresh_seed, substitutes
from catan_env.envs.serialization import PicklableEngine
from catan_env.envs.state import WholeState
from catan_env.errors import CatanError, OptionError

ILLEGAL = ("raise", "substitute")
OBSERVATIONS = ("dict", "array")
MAX_TRIES = 100
"""How many times to restart a game that ends before a learner can act before reporting a bug."""


class SeatedGame(EngineAttributes, PicklableEngine):
    """A game with agents `seat_0`, `seat_1`, ... and an observation for each.

    Observations are {"observation": the encoder's output, "action_mask": (actions,) int8}. The mask is all zeros for
    agents whose turn it is not, and is copied to infos. All returned arrays are fresh. `state()` returns the complete
    game state for centralized critics, which see more than any player.

    Args:
        scenario: registered name, path of a scenario file, or `Scenario`.
        num_players: number of seats; default: the scenario's maximum.
        encoder, dtype: observation encoder and its dtype; see `catan_env.encoders`.
        observation: "dict" for {"observation", "action_mask"}; "array" for the encoder's output, with the mask in
            infos.
        render_mode: "human", "rgb_array", "ansi" or None.
        rules: overrides for rule numbers, keyed by name.
        board: board layout to play on; None draws a new one for each game.
        reward: "win_loss" (+1 for the winner, -1 for all others), "zero_sum" (the losers share the -1), or a function,
            as for `BatchEngine`.
        shaping, discount: weight and discount of potential-based shaping; see `catan_env.engine.shaping`.
        forced_moves: "ask" stops at every decision; "play" stops only at decisions with several legal actions.
        max_cycles: number of cycles after which the game is truncated; None relies on the turn limit in the rules.
        illegal: "raise" rejects illegal actions; "substitute" replaces them with legal ones, chosen uniformly and
            reproducibly. Ids outside the action space always raise.
        compiled: whether to wait for the compiler; see `BatchEngine`. By default, games start in plain Python while
            their rules are compiled.

    Attributes:
        engine: the `BatchEngine` that runs this game and records a replay log.
        max_cycles, illegal: may be changed at any time. All other options are also available as attributes, but are
            fixed.
        possible_agents: names of all agents, "seat_0", "seat_1", ...
        agents: names of the agents in the current game; unset before the first reset.
        render_mode, observation: the values passed in.
        metadata: name, render modes and frames per second, for PettingZoo.

    Raises:
        CatanError: an argument is invalid; the message lists valid values (see `catan_env.errors`).
    """

    bound = ("_encoder", "_mask", "_to_act", "_whole")
    parallelizable = False
    encoder, dtype, observation = Fixed[Any](), Fixed[str](), Fixed[str]()
    illegal = Changeable[str](partial(check_option, allowed=ILLEGAL))
    max_cycles = Changeable[int | None](check_limit)

    def __init__(  # noqa: PLR0913 (options, given by name)
        self,
        scenario: str | Path | Scenario = "base",
        num_players: int | None = None,
        encoder: str | Callable[[Any], Any] = "flat",
        dtype: str = "float32",
        render_mode: str | None = None,
        rules: Mapping[str, Any] | None = None,
        board: Any = None,
        reward: str | Callable[[BatchEngine], Any] = "win_loss",
        shaping: float = 0.0,
        discount: float = 1.0,
        max_cycles: int | None = None,
        illegal: str = "raise",
        forced_moves: str = "ask",
        observation: str = "dict",
        compiled: bool | str = AUTO,
    ):
        super().__init__()
        check_option("observation", observation, OBSERVATIONS)
        self.render_mode = viewer.check_render_mode(render_mode)
        self.engine = BatchEngine(
            scenario,
            1,
            num_players,
            fresh_seed(),
            rules=rules,
            board=board,
            reward=reward,
            shaping=shaping,
            discount=discount,
            record=True,
            forced_moves=forced_moves,
            compiled=compiled,
        )
        self.encoder, self.dtype, self.illegal, self.max_cycles = encoder, dtype, illegal, max_cycles
        self.observation = observation
        self._bind()
        self.metadata = {
            "name": f"catan_{self.engine.scenario.name}_v{self.engine.scenario.version}",
            "render_modes": list(viewer.RENDER_MODES),
            "is_parallelizable": self.parallelizable,
            "render_fps": viewer.RENDER_FPS,
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(self.engine.num_players)]
        self.agents: list[str] = []
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._set_spaces(self.engine.actions.n)
        self._every_seat = np.arange(self.engine.num_players)
        self._game_of_seat = np.zeros(self.engine.num_players, np.int64)  # there is only one game
        self._viewers = [(self._every_seat[k : k + 1], self._game_of_seat[:1]) for k in range(self.engine.num_players)]
        self._move = np.zeros(1, np.int64)
        self._seat = NO_SEAT_TO_ACT
        self._acted = 0

    @property
    def opponents(self) -> list[Any]:
        return []

    @opponents.setter
    def opponents(self, opponents: Any) -> None:
        self.set_opponents(opponents)

    def set_opponents(self, opponents: Any) -> None:
        """Raise OptionError: the caller plays every seat; to have an agent play one, step with the agent's actions."""
        raise OptionError(
            f"{type(self).__name__} has no opponents, since all seats are yours. Let an agent act for the seat to act: "
            "env.step(agent.act(env.unwrapped.engine, [0])[0]). Environments of the kinds 'gymnasium', 'vector' and "
            "'sb3' have opponents."
        )

    def _set_spaces(self, n: int) -> None:
        """Set the spaces of all agents for a given number of actions."""
        self.action_spaces: dict[str, Space] = {agent: Discrete(n) for agent in self.possible_agents}
        self.observation_spaces: dict[str, Space] = {
            agent: Dict({"observation": self._encoder.space, "action_mask": Box(0, 1, (n,), np.int8)})
            if self.observation == "dict"
            else self._encoder.space
            for agent in self.possible_agents
        }

    def _bind(self) -> None:
        self._encoder = make_encoder(self.engine, self.encoder, self.dtype)
        self._mask = self.engine.action_mask[0].view(np.int8)
        self._to_act = self.engine.seat_to_act
        self._whole: WholeState | None = None  # created on first use

    @property
    def whole_state(self) -> WholeState:
        """Description of `state()`: the `names` of the entries, and their `space`."""
        if self._whole is None:
            self._whole = WholeState(self.engine)
        return self._whole

    @property
    def state_space(self) -> Space:
        """The space of `state()`."""
        return self.whole_state.space

    def state(self) -> np.ndarray:
        """Return the complete game state as a fresh (size,) float32 array in [0, 1].

        The state includes hidden cards but not future dice. It is meant for training, for example for a centralized
        critic; no player sees it. See `WholeState`.
        """
        return self.whole_state.read()[0]

    def observation_space(self, agent: str) -> Space:
        """Return an agent's observation space; every call returns the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space:
        """Return an agent's action space; every call returns the same object."""
        return self.action_spaces[agent]

    def _start(self, seed: int | None) -> None:
        """Start a game. Without a seed, the random stream continues; the first game then starts from a random seed."""
        self.engine.reset(None if seed is None else [check_seed(seed)])
        for _ in range(MAX_TRIES):
            if self._to_act[0] != NO_SEAT_TO_ACT:
                break
            self.engine.reset()
        else:
            raise CatanError(
                f"The game ended {MAX_TRIES} times before any seat had a choice. This is a bug in a rule module."
            )
        self.agents = self.possible_agents[:]
        self._seat = self._to_act.item(0)
        self._acted = 0

    def _act(self, action: Any) -> bool:
        """Carry out an action for the seat to act; return whether the game has ended.

        Raises:
            ActionFormatError: the action is not an action id.
            IllegalActionError: the action is illegal and the policy is "raise"; the game is unchanged.
        """
        if type(action) is not int or not 0 <= action < self._mask.size:
            action = check_action(action, self._mask.size, f"The action of {self.possible_agents[self._seat]}")
        self._move[0] = action
        if self.illegal == "substitute" and not self._mask[action]:
            self._move = substitutes(self.engine, np.zeros(1, np.int64), self._move)
        self.engine.step(self._move)
        self._acted += 1
        self._seat = self._to_act.item(0)
        return self._seat == NO_SEAT_TO_ACT

    def _rewards(self, ended: bool) -> list[float]:
        """Return the rewards of all seats, with the shaping of seats that are not to act; `ended` is as for `_act`."""
        rewards = self.engine.rewards[0]
        if self.engine.shaping and not ended:
            return (rewards + self._shaping_of_others()).tolist()
        return rewards.tolist()

    def _shaping_of_others(self) -> np.ndarray:
        """Return the shaping rewards, (players,) float64, that seats other than the one to act would get now.

        The engine has already rewarded the seat to act.
        """
        seats = self._every_seat
        return np.where(seats == self._seat, 0.0, self.engine.shape(self._game_of_seat, seats))

    def render(self) -> Any:
        """Return the table as text or as a (height, width, 3) uint8 array; in "human" mode, show it and return None."""
        if self.render_mode is None:
            logger.warn(
                "render() does nothing: the environment has no render_mode. Set it when you create the environment."
            )
            return None
        return viewer.render(self.engine, 0, self.render_mode)

    def close(self) -> None:
        """Do nothing; the environment holds no resources."""
