"""One game all of whose seats are agents: what the AEC and the parallel environment share."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import logger
from gymnasium.spaces import Box, Dict, Discrete, Space

from catan_env.encoders import make_encoder
from catan_env.engine.arguments import check_action, check_count, check_option
from catan_env.engine.batch import BatchEngine
from catan_env.engine.decision_stack import NO_SEAT_TO_ACT
from catan_env.engine.random import check_seed
from catan_env.engine.scenario import Scenario
from catan_env.envs import viewer
from catan_env.envs.draws import fresh_seed, substitutes
from catan_env.envs.serialization import PicklableEngine
from catan_env.envs.state import WholeState
from catan_env.errors import CatanError

ILLEGAL = ("raise", "substitute")
OBSERVATIONS = ("dict", "array")
MAX_TRIES = 100
"""How often a game is started anew that ends before a learner may act, before that counts as a defect."""


class SeatedGame(PicklableEngine):
    """A game, its agents `seat_0`, `seat_1`, ... and what each sees.

    Observations are {"observation": what the encoder gives, "action_mask": (actions,) int8}, the mask all zero but
    for the seat to act; infos hold a mask of their own. Everything handed out is fresh. `state()` is the whole game,
    for critics that see what no player sees.

    Args:
        scenario: a registered name, the path of a scenario file, or a `Scenario`.
        num_players: seats; the scenario's largest number by default.
        encoder, dtype: of observations; see `catan_env.encoders`.
        observation: "dict" for {"observation", "action_mask"}; "array" for what the encoder gives, the mask in infos
            only.
        render_mode: "human", "rgb_array", "ansi" or None.
        rules: numbers of the rules to override, by name.
        board: a layout to play on; None to draw one each game.
        reward: "win_loss" (+1 winner, -1 all others) or "zero_sum" (the losers share the -1).
        shaping, discount: weight and discount of the shaping of `catan_env.engine.shaping`.
        forced_moves: "ask" asks at every decision; "play" only where there is more than one legal action.
        max_cycles: truncates after so many cycles; None for the rules' own limit only.
        illegal: "raise" refuses an illegal action; "substitute" takes a legal one in its place, drawn evenly and
            reproducibly. An id outside the action space is an error always.

    Attributes:
        engine: the `BatchEngine` of this one game; it keeps a replay log.
        max_cycles: may be set at any time.

    Raises:
        CatanError: bad arguments, with what is allowed (see `catan_env.errors`).
    """

    bound = ("_encoder", "_mask", "_to_act", "_whole")
    parallelizable = False

    def __init__(  # noqa: PLR0913 (options, given by name)
        self,
        scenario: str | Path | Scenario = "base",
        num_players: int | None = None,
        encoder: str = "flat",
        dtype: str = "float32",
        render_mode: str | None = None,
        rules: Mapping[str, Any] | None = None,
        board: Any = None,
        reward: str = "win_loss",
        shaping: float = 0.0,
        discount: float = 1.0,
        max_cycles: int | None = None,
        illegal: str = "raise",
        forced_moves: str = "ask",
        observation: str = "dict",
    ):
        super().__init__()
        check_option("observation", observation, OBSERVATIONS)
        check_option("illegal", illegal, ILLEGAL)
        if max_cycles is not None:
            check_count("max_cycles", max_cycles)
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
        self._move = np.zeros(1, np.int64)
        self._seat = NO_SEAT_TO_ACT
        self._acted = 0

    def _set_spaces(self, n: int) -> None:
        """Sets the spaces of all agents, for so many actions."""
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
        self._whole: WholeState | None = None  # made when it is first asked for

    @property
    def whole_state(self) -> WholeState:
        """What `state()` holds: `names` of its numbers and their `space`."""
        if self._whole is None:
            self._whole = WholeState(self.engine)
        return self._whole

    @property
    def state_space(self) -> Space:
        """The space of `state()`."""
        return self.whole_state.space

    def state(self) -> np.ndarray:
        """The whole game, (size,) float32 from 0 to 1, fresh: hidden cards included, the dice to come not.

        It is for learning only, such as a centralised critic: players do not see it. See `WholeState`.
        """
        return self.whole_state.read()

    def observation_space(self, agent: str) -> Space:
        """The space of an agent's observations: the same object at every call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space:
        """The space of an agent's actions: the same object at every call."""
        return self.action_spaces[agent]

    def _start(self, seed: int | None) -> None:
        """Begins a game; without a seed its random stream goes on (and starts at random)."""
        self.engine.reset(None if seed is None else [check_seed(seed)])
        for _ in range(MAX_TRIES):
            if self._to_act[0] != NO_SEAT_TO_ACT:
                break
            self.engine.reset()
        else:
            raise CatanError(f"The game ended {MAX_TRIES} times before anybody had a choice.")
        self.agents = self.possible_agents[:]
        self._seat = self._to_act.item(0)
        self._acted = 0

    def _act(self, action: Any) -> bool:
        """Carries out the action of the seat to act; returns whether the game has ended.

        Raises:
            ActionFormatError: it is no action id.
            IllegalActionError: it is not legal, and the policy is "raise"; nothing has changed.
        """
        action = check_action(action, self._mask.size, f"The action of {self.possible_agents[self._seat]}")
        self._move[0] = action
        if self.illegal == "substitute" and not self._mask[action]:
            self._move = substitutes(self.engine, np.zeros(1, np.int64), self._move)
        self.engine.step(self._move)
        self._acted += 1
        self._seat = self._to_act.item(0)
        return self._seat == NO_SEAT_TO_ACT

    def _shaping_of_others(self) -> np.ndarray:
        """(players,) float64: the shaping due to all but the seat to act, whom the engine has rewarded, if they are
        asked something now as well."""
        seats = np.arange(self.engine.num_players)
        return np.where(seats == self._seat, 0.0, self.engine.shape(np.zeros_like(seats), seats))

    def _seen_by(self, seat: int) -> Any:
        """A seat's observation, fresh."""
        encoded = self._encoder.encode(seat)
        observation = {key: array[0] for key, array in encoded.items()} if type(encoded) is dict else encoded[0]
        return (
            {"observation": observation, "action_mask": self._mask_of(seat)}
            if self.observation == "dict"
            else observation
        )

    def _mask_of(self, seat: int) -> np.ndarray:
        """What a seat may do: (actions,) int8, fresh."""
        return self._mask.copy() if seat == self._seat else np.zeros_like(self._mask)

    def render(self) -> Any:
        """The whole table as text or (height, width, 3) uint8; None in mode "human", which shows it."""
        if self.render_mode is None:
            logger.warn("render() does nothing: the environment was made without a render_mode.")
            return None
        return viewer.render(self.engine, 0, self.render_mode)

    def close(self) -> None:
        """Nothing is left to close."""
