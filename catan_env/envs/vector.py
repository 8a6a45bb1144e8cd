"""The Gymnasium vector environment: many games in one `BatchEngine`, with one learner seat in each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from catan_env.engine.batch import BatchEngine
from catan_env.engine.random import check_seed
from catan_env.envs import viewer
from catan_env.envs.attributes import LearnerAttributes
from catan_env.envs.learner import LearnerGames, row
from catan_env.envs.options import SPECS, check_reset_options, documented
from catan_env.errors import GameOverError, OptionError


@documented("vector", LearnerGames, without=("num_games",))
class CatanVectorEnv(LearnerAttributes, VectorEnv):
    """Gymnasium vector environment. It returns the same values as a `SyncVectorEnv` of `CatanEnv`s.

    With seed s, game i is the same as in a `CatanEnv` with seed s + i, regardless of the number of games or threads.
    Opponents that draw from their own random streams may differ. See `CatanEnv` for actions, rewards and infos.

    Args:
        num_envs: number of games, N.
        scenario: registered name, path of a scenario file, or `Scenario`.
        render_mode: "human", "rgb_array", "ansi" or None.
        autoreset_mode: `gymnasium.vector.AutoresetMode` or its value, also in `metadata["autoreset_mode"]`. "NextStep":
            the step after the end of an episode ignores the action, starts the next episode and returns reward 0.
            "SameStep": the step that ends an episode also starts the next one; `infos["final_obs"]` and
            `infos["final_info"]` describe the end of the old one. "Disabled": the caller resets games with
            `reset(options={"reset_mask": (N,) bool})`.
        options: see below, or `print(catan_env.spec("vector"))`.

    Attributes:
        num_envs: number of games, N.
        observation_space, action_space: spaces of the batch; `single_observation_space` and `single_action_space` are
            those of one game.
        metadata: render modes, frames per second and autoreset mode.
        render_mode, autoreset_mode: the values passed in.
        games: the games as the learner sees them.
        opponents, seat, illegal, illegal_penalty, max_episode_steps: the current settings, which may be changed at any
            time. All other options are also available as attributes, but are fixed.

    Raises:
        CatanError: an option is unknown or invalid; the message lists valid values (see `catan_env.errors`).
    """

    def __init__(
        self,
        num_envs: int = 1,
        scenario: Any = "base",
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        **options: Any,
    ):
        SPECS["vector"].check(options)
        try:
            self.autoreset_mode = AutoresetMode(autoreset_mode)
        except ValueError:
            allowed = ", ".join(repr(mode.value) for mode in AutoresetMode)
            raise OptionError(f"autoreset_mode is {autoreset_mode!r}; allowed: {allowed}.") from None
        self.metadata = {
            "render_modes": list(viewer.RENDER_MODES),
            "render_fps": viewer.RENDER_FPS,
            "autoreset_mode": self.autoreset_mode,
        }
        self.render_mode = viewer.check_render_mode(render_mode)
        self.games = LearnerGames(scenario, num_envs, **options)
        self.num_envs = self.games.num_games
        self.single_observation_space, self.single_action_space = self.games.observation_space, self.games.action_space
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.engine!r})"

    @property
    def engine(self) -> BatchEngine:
        """The engine that runs all games."""
        return self.games.engine

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start episodes; return observations (N, ...) and infos.

        Args:
            seed: an integer s, which gives the games seeds s, s + 1, ...; or one seed per game, None to continue a
                game's stream.
            options: {"reset_mask": (N,) bool} resets only these games.

        Raises:
            OptionError: the seeds or the mask are invalid, or other options are given.
        """
        check_reset_options(options, "reset_mask")
        mask = self._reset_mask((options or {}).get("reset_mask"))
        seeds = self._seeds(seed)
        super().reset(seed=next((game_seed for game_seed in seeds or () if game_seed is not None), None))
        self.games.reset(seeds, mask)
        return self._observe(), self._infos(None, mask)

    def step(self, actions: np.ndarray) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Return observations (N, ...), rewards (N,) float64, terminations and truncations (N,) bool, and infos.

        Raises:
            ActionFormatError, IllegalActionError, GameOverError: see `LearnerGames.step`.
        """
        games, infos = self.games, {}
        ended = games.over.copy()
        if ended.any() and self.autoreset_mode == AutoresetMode.DISABLED:
            raise GameOverError(
                f"The episodes of games {np.flatnonzero(ended).tolist()} are over; reset them with "
                'options={"reset_mask": mask}, or choose another autoreset_mode.'
            )
        rewards, terminated, truncated, illegal = games.step(actions, ~ended, ended)
        if self.autoreset_mode == AutoresetMode.SAME_STEP and games.over.any():
            over = games.over.copy()
            infos = self._final(over, illegal)
            games.reset(games=over)
            illegal = illegal & ~over
        infos |= self._infos(illegal)
        return self._observe(), rewards, terminated, truncated, infos

    def action_masks(self) -> np.ndarray:
        """Return the learners' action masks as a fresh (N, actions) bool array."""
        return self.games.action_masks()

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """Return an attribute, repeated once per game."""
        return (getattr(self, name),) * self.num_envs

    def set_attr(self, name: str, value: Any) -> None:
        """Set an option for all games: `set_attr("opponents", "heuristic")`.

        Raises:
            OptionError: setting the attribute would have no effect; the message lists those that can be set.
        """
        self._change(name, value)

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Call a method once. Return one row per game for `action_masks`, otherwise the same result for every game."""
        result = getattr(self, name)(*args, **kwargs)
        return tuple(result) if name == "action_masks" else (result,) * self.num_envs

    def render(self) -> tuple[Any, ...] | None:
        """Return each game as text or as a (height, width, 3) uint8 array; in "human" mode, show it and return None."""
        if self.render_mode is None:
            gymnasium.logger.warn(
                "render() does nothing: the environment has no render_mode. Set it when you create the environment."
            )
            return None
        return tuple(viewer.render(self.engine, game, self.render_mode) for game in range(self.num_envs))

    # -- results --------------------------------------------------------------------------------------------

    def _observe(self) -> Any:
        if self.render_mode == "human":
            self.render()
        return self.games.observe()

    def _infos(self, illegal: np.ndarray | None, which: np.ndarray | None = None) -> dict[str, Any]:
        """Return infos in Gymnasium's batched form: `key` holds the values; `_key` (N,) marks games that have one.

        `which` (N,) marks the games that have infos; None stands for all games.
        """
        infos: dict[str, Any] = {}
        _spread(infos, self.games.infos(illegal), which)
        over = self.games.over if which is None else which & self.games.over
        if over.any():
            _spread(infos, self.games.final_infos(), over)
        return infos

    def _final(self, over: np.ndarray, illegal: np.ndarray) -> dict[str, Any]:
        """Return SAME_STEP infos for finished games: `final_obs`, (N,) objects, and `final_info`, a dict of arrays."""
        observations, final_observations = np.full(self.num_envs, None, object), self.games.observe(over)
        for position, game in enumerate(np.flatnonzero(over)):
            observations[game] = row(final_observations, position)
        return {
            "final_obs": observations,
            "_final_obs": over.copy(),
            "final_info": self._infos(illegal, over),
            "_final_info": over.copy(),
        }

    # -- arguments ------------------------------------------------------------------------------------------

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None] | None:
        if seed is None:
            return None
        if isinstance(seed, str) or not np.iterable(seed):
            return [(check_seed(seed) + i) % 2**64 for i in range(self.num_envs)]
        seeds = [game_seed if game_seed is None else check_seed(game_seed) for game_seed in seed]
        if len(seeds) != self.num_envs:
            raise OptionError(f"seed has {len(seeds)} entries; there are {self.num_envs} games.")
        return seeds

    def _reset_mask(self, mask: Any) -> np.ndarray:
        if mask is None:
            return np.ones(self.num_envs, np.bool_)
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            raise OptionError(f"reset_mask must be a boolean array of shape ({self.num_envs},); given: {mask!r}.")
        if not mask.any():
            raise OptionError("reset_mask selects no game; select at least one, or do not call reset.")
        return mask.copy()


def _spread(infos: dict[str, Any], arrays: dict[str, np.ndarray], which: np.ndarray | None) -> None:
    """Add each array, with its mask, to the infos; entries outside `which` are zero."""
    for key, values in arrays.items():
        if which is None:
            infos[key], infos[f"_{key}"] = values, np.ones(len(values), np.bool_)
        else:
            infos[key] = values * which.reshape(-1, *[1] * (values.ndim - 1)).astype(values.dtype)
            infos[f"_{key}"] = which.copy()
