"""The PufferLib environment: one `BatchEngine` that writes directly to PufferLib's buffers."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box

from catan_env.engine.batch import BatchEngine
from catan_env.engine.random import game_seeds
from catan_env.envs import viewer
from catan_env.envs.attributes import LearnerAttributes
from catan_env.envs.learner import LearnerGames
from catan_env.envs.options import SPECS, documented
from catan_env.errors import MissingExtraError, OptionError

try:
    from pufferlib import PufferEnv
except ImportError as error:
    raise MissingExtraError(
        f"Environments of the kind 'puffer' need PufferLib, but {error.name!r} is not installed: pip install --no-deps "
        "pufferlib gym==0.26.2 gym_notices, since PufferLib asks for older versions of NumPy and Gymnasium than this "
        "package."
    ) from error


@documented("puffer", LearnerGames, without=("num_games",), observation="dict")
class CatanPufferEnv(LearnerAttributes, PufferEnv):
    """Native PufferLib environment with one agent in each of N games. It plays the same games as `CatanVectorEnv`.

    PufferLib has no action masks, so with `observation="dict"`, the default, the mask is appended to each observation
    as its last columns: `observations[:, :num_features]` and `observations[:, num_features:]`. With "array", the
    encoder writes directly into the buffer. All results are views of the shared buffers, which every step overwrites. A
    step that ends an episode also starts the next one: rewards, terminals and truncations describe the old episode,
    observations the new one. Infos hold one dict per finished episode: `episode_return`, `episode_length`, `won`,
    `winner` and `seat`. Unlike in `CatanVectorEnv`, all games' seeds are derived from one seed, so that workers with
    adjacent seeds share no games.

    Args:
        buf: PufferLib's buffers, passed by `pufferlib.vector.make`.
        seed: seed for the first reset that is called without one; None for a random seed.
        options: see below, or `print(catan_env.spec("puffer"))`.

    Attributes:
        num_agents: number of games, N.
        num_features: number of columns before the mask.
        single_observation_space, single_action_space: the spaces of one agent.
        render_mode: the value passed in.
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
        buf: Any = None,
        seed: int | None = None,
        **options: Any,
    ):
        SPECS["puffer"].check(options)
        self.render_mode = viewer.check_render_mode(render_mode)
        self.games = LearnerGames(scenario, num_envs, **{"observation": "dict", **options})
        self.num_agents = self.games.num_games
        self.single_action_space = self.games.action_space
        self.single_observation_space = self._row_space()
        self._first_seed = seed
        self._returns = np.zeros(self.num_agents)
        super().__init__(buf)

    def _row_space(self) -> Box:
        """Set `num_features` and return the space of one row."""
        is_dict = self.games.observation == "dict"
        space = self.games.observation_space["observation"] if is_dict else self.games.observation_space
        if not isinstance(space, Box) or (is_dict and len(space.shape) != 1):
            raise OptionError(
                f"PufferLib takes one array per agent; the encoder {self.encoder!r} gives {space}. Use an encoder with "
                'rows such as "flat"'
                + (', or observation="array", which has no mask.' if isinstance(space, Box) else ".")
            )
        self.num_features = int(np.prod(space.shape))
        if not is_dict:
            return space
        high = np.concatenate([space.high, np.ones(self.engine.actions.n, space.dtype)])
        return Box(np.zeros_like(high), high, dtype=space.dtype.type)

    @property
    def engine(self) -> BatchEngine:
        """The engine that runs all games."""
        return self.games.engine

    def reset(self, seed: int | None = None) -> tuple[np.ndarray, list[dict[str, Any]]]:
        """Start all episodes; return the observation buffer and an empty list of infos.

        Raises:
            OptionError: the seed is not an integer from 0 to 2**64 - 1.
        """
        seed = self._first_seed if seed is None else seed
        self._first_seed = None
        self.games.reset(None if seed is None else game_seeds(seed, self.num_agents).tolist())
        self._returns[:] = 0.0
        self.rewards[:] = 0.0
        self.terminals[:] = self.truncations[:] = False
        self._write()
        return self.observations, []

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Return the observation, reward, terminal and truncation buffers, and infos for finished episodes.

        Args:
            actions: (N,) integers.

        Raises:
            ActionFormatError, IllegalActionError, GameOverError: see `LearnerGames.step`.
        """
        games = self.games
        rewards, terminated, truncated, _ = games.step(actions)
        self.rewards[:], self.terminals[:], self.truncations[:] = rewards, terminated, truncated
        self._returns += rewards
        infos: list[dict[str, Any]] = []
        if games.over.any():
            over = games.over.copy()
            infos = self._finished(np.flatnonzero(over))
            games.reset(games=over)
            self._returns[over] = 0.0
        self._write()
        return self.observations, self.rewards, self.terminals, self.truncations, infos

    def _finished(self, finished: np.ndarray) -> list[dict[str, Any]]:
        winners, seats = self.engine.winner[finished].tolist(), self.games.seats[finished].tolist()
        returns, lengths = self._returns[finished].tolist(), self.games.steps[finished].tolist()
        return [
            {"episode_return": total, "episode_length": length, "won": winner == seat, "winner": winner, "seat": seat}
            for total, length, winner, seat in zip(returns, lengths, winners, seats, strict=True)
        ]

    def _write(self) -> None:
        """Write the observations into the buffer."""
        rows = self.observations
        if self.games.observation == "array":
            if rows.flags.carray:
                self.games.encode(rows)
            else:
                rows[:] = self.games.encode()
        else:
            rows[:, : self.num_features] = self.games.encode()
            rows[:, self.num_features :] = self.games.action_masks()

    def action_masks(self) -> np.ndarray:
        """Return the learners' action masks as a fresh (N, actions) bool array."""
        return self.games.action_masks()

    def render(self) -> Any:
        """Render the first game in the environment's render mode."""
        return None if self.render_mode is None else viewer.render(self.engine, 0, self.render_mode)

    def close(self) -> None:
        """Do nothing; the environment holds no resources."""
