"""The Gymnasium environment, in which the learner plays one seat and opponents play the others."""

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
    """Gymnasium environment for one seat. A step covers one learner action and everything up to its next decision.

    Actions: `Discrete`; `env.engine.actions.describe(action)` describes them. `action_masks()` (for sb3-contrib) and
    `info["action_mask"]` give the legal ones. By default, illegal actions are substituted, because the environment
    checkers of Gymnasium and Stable-Baselines3 ignore masks; see `illegal`.
    Observations: the encoder's output or, with `observation="dict"`, {"observation", "action_mask"}.
    Rewards: float; by default +1 for a win or -1 for a loss, at the end of the game.
    Info: `action_mask` (actions,) int8, all zeros once the game is over; `seat` int; `illegal_action` bool; at the end
    of an episode also `winner` int, -1 for none, and `victory_points` (players,) int64.
    All returned arrays are fresh.

    Args:
        options: see below, or `print(catan_env.spec("gymnasium"))`.

    Attributes:
        observation_space, action_space: the Gymnasium spaces.
        render_mode: the value passed in.
        games: the game as the learner sees it.
        opponents, seat, illegal, illegal_penalty, max_episode_steps: the current settings, which may be changed at any
            time. All other options are also available as attributes, but are fixed.

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
        """The engine that runs the game."""
        return self.games.engine

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start an episode; return the observation and info.

        `reset` has no `options`.

        Without a seed, the random streams of the game and the opponents continue. An environment that has never been
        seeded starts from a random seed.

        Raises:
            OptionError: the seed is invalid, or `options` is not empty.
        """
        check_reset_options(options)
        seeds = None if seed is None else [check_seed(seed)]
        super().reset(seed=seed)
        self.games.reset(seeds)
        return self._seen(None)

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Return the observation, reward, terminated, truncated and info.

        Raises:
            ActionFormatError, IllegalActionError, GameOverError: see `LearnerGames.step`.
        """
        rewards, terminated, truncated, illegal = self.games.step(
            np.array([check_action(action, self.engine.actions.n)])
        )
        observation, info = self._seen(illegal)
        return observation, float(rewards[0]), bool(terminated[0]), bool(truncated[0]), info

    def action_masks(self) -> np.ndarray:
        """Return the learner's action mask as a fresh (actions,) bool array."""
        return self.games.action_masks()[0]

    def state(self) -> np.ndarray:
        """Return the complete game state as a fresh (size,) float32 array; see `LearnerAttributes.state`."""
        return super().state()[0]

    def set_wrapper_attr(self, name: str, value: Any, *, force: bool = True) -> bool:
        """Set an option: `set_wrapper_attr("opponents", "heuristic")`; this also works through wrappers.

        Raises:
            OptionError: setting the attribute would have no effect; the message lists those that can be set.
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
        """Return the table as text or as a (height, width, 3) uint8 array; in "human" mode, show it and return None."""
        if self.render_mode is None:
            gymnasium.logger.warn(
                "render() does nothing: the environment has no render_mode. Set it when you create the environment."
            )
            return None
        return viewer.render(self.engine, 0, self.render_mode)
