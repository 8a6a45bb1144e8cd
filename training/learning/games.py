"""The games a learner trains in: those of `SB3VecEnv`, where it is asked only when it has a choice."""

from __future__ import annotations

from typing import Any

import numpy as np

from catan_env.envs.learner import LearnerGames
from catan_env.envs.sb3 import SB3VecEnv
from training.learning.config import TrainConfig


class ChoiceGames(LearnerGames):
    """Learner games that take the learner's only legal action for it, if there is just one.

    More than half of all decisions in the base game are of this kind: to roll the dice, to end a turn without cards.
    Their rewards go to the choice before them.
    """

    def step(
        self, actions: np.ndarray, games: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """See `LearnerGames.step`; goes on to the learner's next choice."""
        play = np.ones(self.num_games, np.bool_) if games is None else games
        results = super().step(actions, games)
        while True:
            mask = self.engine.action_mask
            forced = play & ~self.over & (np.count_nonzero(mask, axis=1) == 1)
            if not forced.any():
                return results
            for total, more in zip(results, super().step(mask.argmax(axis=1), forced)):
                total += more


class ChoiceVecEnv(SB3VecEnv):
    """`SB3VecEnv` over `ChoiceGames`."""

    def __init__(self, num_envs: int = 1, scenario: Any = "base", **options: Any):
        super().__init__(num_envs, scenario, **options)
        self.games = ChoiceGames(scenario, num_envs, **options)


def make_games(settings: TrainConfig) -> SB3VecEnv:
    """The games of a training run; the learner's seat changes from episode to episode.

    Raises:
        CatanError: scenario, opponents, rules or another setting that do not exist or fit.
    """
    opponents = settings.opponents[0] if len(settings.opponents) == 1 else list(settings.opponents)
    return ChoiceVecEnv(
        settings.num_games,
        settings.scenario,
        num_players=settings.num_players,
        opponents=opponents,
        seat="rotate",
        encoder=settings.encoder,
        dtype=settings.dtype,
        rules=settings.rules,
        reward=settings.reward,
        shaping=settings.shaping,
        discount=settings.discount,
        threads=settings.env_threads,
    )
