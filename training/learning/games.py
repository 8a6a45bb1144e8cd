"""The games a learner trains in: those of `SB3VecEnv`, where it is asked only when it has a choice."""

from __future__ import annotations

from catan_env.envs.sb3 import SB3VecEnv
from training.learning.config import TrainConfig


def make_games(settings: TrainConfig) -> SB3VecEnv:
    """The games of a training run; the learner's seat changes from episode to episode.

    Raises:
        CatanError: scenario, opponents, rules or another setting that do not exist or fit.
    """
    opponents = settings.opponents[0] if len(settings.opponents) == 1 else list(settings.opponents)
    return SB3VecEnv(
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
        forced_moves="play",
    )
