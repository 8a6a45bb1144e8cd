"""The Gymnasium environment: the learner plays one seat, opponents play the others."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from catan_env.engine.arguments import check_action
from catan_env.engine.batch import BatchEngine
from catan_env.engine.plain_first import AUTO
from catan_env.engine.random import check_seed
from catan_env.envs import viewer
from catan_env.envs.attributes import LearnerAttributes
from catan_env.envs.learner import LearnerGames, row
from catan_env.envs.options import SPECS, check_reset_options, documented


@documented("gymnasium", LearnerGames, without=("num_games",), record=True, compiled=AUTO)
class CatanEnv(LearnerAttributes, gymnasium.Env):
    """Gymnasium environment of one seat. A step is one action of the learner and everything until its next decision.

    Actions: `Discrete`; `env.engine.actions.describe(action)` describes them. `action_masks()` (for sb3-contrib) and
    `info["action_mask"]` hold the legal ones. Illegal actions are substituted by default, because the checkers of
    Gymnasium and Stable-Baselines3 act without a mask; see `illegal`.
    Observations: the encoder's output, or with `observation="dict"` {"observation", "action_mask"}.
    Rewards: float; by default +1 for a victory and -1 for a defeat, at the end.
    Info: `action_mask` (actions,) int8, zero at the end; `seat` int; `illegal_action` bool; at the end of an episode
    also `winner` int, -1 for none, and `victory_points` (players,) int64.
    All returned arrays are fresh.

    Args:
        options: see below, or `print(catan_env.spec("gymnasium"))`.

    Attributes:
        observation_space, action_space: spaces of Gymnasium.
        render_mode: as given.
        games: the learner's view of the game.
        opponents, seat, illegal, illegal_penalty, max_episode_steps: as given; they may be changed at any time. All
            other options are attributes too, and fixed.

    Raises:
        CatanError: an option is unknown or invalid; the message lists valid values (see `catan_env.errors`).
    """

    metadata = {"render_modes": list(viewer.RENDER_MODES), "render_fps": viewer.RENDER_FPS}

    def __init__(self, scenario: Any = "base", render_mode: str | None = None, **options: Any):
        SPECS["gymnasium"].check(options)
        self.render_mode = viewer.check_render_mode(render_mode)
        self.games = LearnerGames(scenario, 1, **{"record": True, "compiled": AUTO, **options})
        self.observation_space = self.games.observation_space
        self.action_space = self.games.action_space

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.engine!r})"

    @property
    def engine(self) -> BatchEngine:
        """The engine of the game."""
        return self.games.engine

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start an episode; return observation and info.

        There are no `options` of a reset.

        Without a seed, the streams of game and opponents continue. An environment without any seed starts at random.

        Raises:
            OptionError: an invalid seed, or `options` that are not empty.
        """
        check_reset_options(options)
        seeds = None if seed is None else [check_seed(seed)]
        super().reset(seed=seed)
        self.games.reset(seeds)
        return self._seen(None)

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Return observation, reward, terminated, truncated and info.

        Raises:
            ActionFormatError, IllegalActionError, GameOverError: see `LearnerGames.step`.
        """
        rewards, terminated, truncated, illegal = self.games.step(
            np.array([check_action(action, self.engine.actions.n)])
        )
        observation, info = self._seen(illegal)
        return observation, float(rewards[0]), bool(terminated[0]), bool(truncated[0]), info

    def action_masks(self) -> np.ndarray:
        """Return the fresh (actions,) bool mask of the learner."""
        return self.games.action_masks()[0]

    def state(self) -> np.ndarray:
        """Return the whole state of the game, a fresh (size,) float32 array; see `LearnerAttributes.state`."""
        return super().state()[0]

    def set_wrapper_attr(self, name: str, value: Any, *, force: bool = True) -> bool:
        """Set an option: `set_wrapper_attr("opponents", "heuristic")`, also through wrappers.

        Raises:
            OptionError: setting the attribute would change nothing; the message lists those that can be set.
        """
        self._change(name, value)
        return True

    def _seen(self, illegal: np.ndarray | None) -> tuple[Any, dict[str, Any]]:
        infos = self.games.infos(illegal)
        info = {
            "action_mask": infos["action_mask"][0],
            "seat": int(infos["seat"][0]),
            "illegal_action": bool(infos["illegal_action"][0]),
        }
        if self.games.over[0]:
            final_infos = self.games.final_infos()
            info["winner"] = int(final_infos["winner"][0])
            info["victory_points"] = final_infos["victory_points"][0]
        if self.render_mode == "human":
            self.render()
        return row(self.games.observe(), 0), info

    def render(self) -> Any:
        """Return the table as text or as a (height, width, 3) uint8 array; show it and return None in mode "human"."""
        if self.render_mode is None:
            gymnasium.logger.warn(
                "render() does nothing: the environment has no render_mode. Set it when you create the environment."
            )
            return None
        return viewer.render(self.engine, 0, self.render_mode)
