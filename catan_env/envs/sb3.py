"""The Stable-Baselines3 vector environment: one `BatchEngine`, with action masks for MaskablePPO."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np

from catan_env.engine.batch import BatchEngine
from catan_env.envs import viewer
from catan_env.envs.attributes import LearnerAttributes
from catan_env.envs.learner import LearnerGames, row
from catan_env.envs.options import SPECS, check_reset_options, documented
from catan_env.errors import MissingExtraError, OptionError

try:
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as error:
    raise MissingExtraError(
        f"Environments of the kind 'sb3' need Stable-Baselines3, but {error.name!r} is not installed: "
        "pip install 'catan-env[train]'."
    ) from error


@documented("sb3", LearnerGames, without=("num_games",))
class SB3VecEnv(LearnerAttributes, VecEnv):
    """Vector environment for Stable-Baselines3. It returns the same values as a `DummyVecEnv` of `CatanEnv`s.

    `step` returns observations (N, ...), rewards (N,) float32, dones (N,) bool and one dict per game. The dict is empty
    until an episode ends; at that point it holds `terminal_observation`, `TimeLimit.truncated`, `is_success` (the
    learner won), `winner`, `victory_points` (players,), `seat` and, unless `monitor=False`, `episode` as reported by
    `Monitor` ("r" return, "l" length, "t" seconds). By then, the next episode has already started.

    Args:
        options: see below, or `print(catan_env.spec("sb3"))`.

    Attributes:
        render_mode, monitor: the values passed in.
        games: the games as the learner sees them.
        opponents, seat, illegal, illegal_penalty, max_episode_steps: the current settings, which may be changed at any
            time. All other options are also available as attributes, but are fixed.

    Raises:
        CatanError: an option is unknown or invalid; the message lists valid values (see `catan_env.errors`).
    """

    changeable = (*LearnerAttributes.changeable, "monitor")

    def __init__(
        self,
        num_envs: int = 1,
        scenario: Any = "base",
        render_mode: str | None = None,
        monitor: bool = True,
        **options: Any,
    ):
        SPECS["sb3"].check(options)
        self.render_mode = viewer.check_render_mode(render_mode)
        self.games = LearnerGames(scenario, num_envs, **options)
        self.monitor = bool(monitor)
        self._returns, self._start = np.zeros(self.games.num_games), time.time()
        self._actions = np.zeros(self.games.num_games, np.int64)
        super().__init__(self.games.num_games, self.games.observation_space, self.games.action_space)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.engine!r})"

    @property
    def engine(self) -> BatchEngine:
        """The engine that runs all games."""
        return self.games.engine

    def reset(self) -> Any:
        """Start all games and return observations. After `seed(s)`, game i gets seed s + i.

        Raises:
            OptionError: `set_options` was called with options, but `reset` has none.
        """
        for options in self._options:
            check_reset_options(options)
        self.games.reset(None if self._seeds[0] is None else self._seeds)
        self._returns[:] = 0.0
        self._reset_seeds()
        self._reset_options()
        self.reset_infos = self._reset_infos(range(self.num_envs))
        return self.games.observe()

    def step_async(self, actions: np.ndarray) -> None:
        """Store the actions, (N,), for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Carry out the stored actions; the return values are described in the class docstring.

        Raises:
            ActionFormatError, IllegalActionError: see `LearnerGames.step`.
        """
        games = self.games
        rewards, _, truncated, _ = games.step(self._actions)
        self._returns += rewards
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        dones = games.over.copy()
        if dones.any():
            self._report(dones, truncated, infos)
            games.reset(games=dones)
            self._returns[dones] = 0.0
            ended_games = np.flatnonzero(dones).tolist()
            for game, info in zip(ended_games, self._reset_infos(ended_games), strict=True):
                self.reset_infos[game] = info
        return games.observe(), rewards.astype(np.float32), dones, infos

    def _report(self, dones: np.ndarray, truncated: np.ndarray, infos: list[dict[str, Any]]) -> None:
        observations, final_infos = self.games.observe(dones), self.games.final_infos()
        seconds = round(time.time() - self._start, 6)
        for position, game in enumerate(np.flatnonzero(dones).tolist()):
            seat, winner = int(self.games.seats[game]), int(final_infos["winner"][game])
            infos[game].update(
                {
                    "terminal_observation": row(observations, position),
                    "TimeLimit.truncated": bool(truncated[game]),
                    "is_success": winner == seat,
                    "winner": winner,
                    "victory_points": final_infos["victory_points"][game],
                    "seat": seat,
                }
            )
            if self.monitor:
                episode = {"r": round(float(self._returns[game]), 6), "l": int(self.games.steps[game]), "t": seconds}
                infos[game]["episode"] = episode

    def _reset_infos(self, games: Sequence[int]) -> list[dict[str, Any]]:
        return [{"seat": int(self.games.seats[game])} for game in games]

    def action_masks(self) -> np.ndarray:
        """Return the learners' action masks as a fresh (N, actions) bool array."""
        return self.games.action_masks()

    # -- what SB3 requires of a VecEnv ------------------------------------------------------------------------

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """Call a method once. Return one row per game for `action_masks`, otherwise the same result for every game."""
        game_indices = list(self._get_indices(indices))
        result = getattr(self, method_name)(*method_args, **method_kwargs)
        return [result[i] for i in game_indices] if method_name == "action_masks" else [result] * len(game_indices)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return an attribute, repeated once per game."""
        value = getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an option for all games: `set_attr("opponents", "heuristic")`.

        Raises:
            OptionError: setting the attribute would have no effect (the message lists those that can be set), or
                `indices` selects only some of the games (all games share their attributes).
        """
        if len(set(self._get_indices(indices))) < self.num_envs:
            raise OptionError(f"All games share {attr_name!r}; it cannot be set for some of them. Leave `indices` out.")
        self._change(attr_name, value)

    def env_is_wrapped(self, wrapper_class: type[gymnasium.Wrapper], indices: Any = None) -> list[bool]:
        """Return True for `Monitor` if infos include episode statistics, False for all other wrappers."""
        return [self.monitor and issubclass(Monitor, wrapper_class) for _ in self._get_indices(indices)]

    def get_images(self) -> list[np.ndarray | None]:
        """Return an image of every game, (height, width, 3) uint8; None unless `render_mode` is "rgb_array"."""
        if self.render_mode != "rgb_array":
            warnings.warn(f"Render mode {self.render_mode!r} has no images; use 'rgb_array'.", stacklevel=2)
            return [None] * self.num_envs
        return [viewer.render(self.engine, game, "rgb_array") for game in range(self.num_envs)]

    def render(self, mode: str | None = None) -> np.ndarray | None:
        """Return a tiled image of all games; in "ansi" and "human" mode, print text instead. See `VecEnv`."""
        if self.render_mode in ("ansi", "human") and mode in (None, self.render_mode):
            for game in range(self.num_envs):
                viewer.render(self.engine, game, "human")
            return None
        return super().render(mode)

    def close(self) -> None:
        """Do nothing; the environment holds no resources."""
