"""sb3-contrib's MaskablePPO: `python -m catan_training.examples.maskable_ppo`.

The learner plays one seat, and random agents play the others.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from catan_env.envs.sb3 import SB3VecEnv


class Until(BaseCallback):
    """A callback that records results and stops training at the end of the first rollout after a time limit.

    Attributes:
        wins: whether each finished game was won.
    """

    def __init__(self, seconds: float):
        super().__init__()
        self.end = time.monotonic() + seconds
        self.wins: list[bool] = []

    def _on_step(self) -> bool:
        self.wins += [info["is_success"] for info in self.locals["infos"] if "is_success" in info]
        rollout = self.locals["n_rollout_steps"] * self.training_env.num_envs
        return time.monotonic() < self.end or self.num_timesteps % rollout > 0


def train(seconds: float = 60.0, games: int = 128, seed: int = 0, **options: Any) -> tuple[MaskablePPO, list[bool]]:
    """Train for `seconds` seconds of wall time; `options` are passed to `SB3VecEnv`.

    Returns:
        The model and, for each finished game, whether it was won.
    """
    usual: dict[str, Any] = {"opponents": "random", "seat": "rotate", "rules": {"offers_per_turn": 0}, "shaping": 1.0}
    options = usual | options
    environment = SB3VecEnv(games, "base", forced_moves="play", discount=0.999, **options)
    model = MaskablePPO(
        "MlpPolicy",
        environment,
        n_steps=64,
        batch_size=16 * games,
        n_epochs=4,
        gamma=0.999,
        learning_rate=5e-4,
        ent_coef=0.01,
        seed=seed,
        device="cpu",
        policy_kwargs={"net_arch": [128, 128]},
    )
    callback = Until(seconds)
    model.learn(2**62, callback=callback)
    return model, callback.wins


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    model, wins = train(parser.parse_args().seconds)
    late = wins[len(wins) // 2 :]
    won = sum(late) / max(len(late), 1)
    print(f"{model.num_timesteps:,} choices, {len(wins)} games; won {won:.1%} of the second half")
