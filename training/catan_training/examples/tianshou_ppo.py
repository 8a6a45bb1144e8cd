"""Tianshou's PPO: `python -m catan_training.examples.tianshou_ppo`.

The learner plays one seat, and random agents play the others. Install Tianshou with `pip install
'catan-env[tianshou]'`.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium.spaces import flatdim
from torch import nn

import catan_env  # noqa: F401
from catan_training.examples import needs

with needs("tianshou", __name__):
    from tianshou.algorithm import PPO
    from tianshou.algorithm.modelfree.reinforce import ProbabilisticActorPolicy
    from tianshou.algorithm.optim import AdamOptimizerFactory
    from tianshou.data import Batch, Collector, VectorReplayBuffer
    from tianshou.env import BaseVectorEnv
    from tianshou.utils.torch_utils import policy_within_training_step

STEPS, EPOCHS, BATCHES, WIDTH = 64, 4, 8, 128
DISCOUNT, RATE = 0.999, 5e-4


def train(seconds: float = 60.0, games: int = 128, seed: int = 0, **options: Any) -> tuple[PPO, list[bool]]:
    """Train for `seconds` seconds of wall time; `options` are passed to the environment.

    Returns:
        The algorithm and, for each finished game, whether it was won.
    """
    torch.manual_seed(seed)
    usual: dict[str, Any] = {"opponents": "random", "seat": "rotate", "rules": {"offers_per_turn": 0}, "shaping": 1.0}
    options = usual | options
    envs = TianshouVectorEnv(
        gymnasium.make_vec(
            "catan/Base-v2",
            num_envs=games,
            autoreset_mode="Disabled",
            forced_moves="play",
            discount=DISCOUNT,
            observation="dict",
            **options,
        )
    )
    space, actions = envs.games.single_observation_space, envs.games.single_action_space
    input_size = flatdim(space) - flatdim(actions)  # the observation space includes the action mask
    policy = ProbabilisticActorPolicy(
        actor=Actor(input_size, flatdim(actions)),
        dist_fn=lambda logits: torch.distributions.Categorical(logits=logits),
        action_space=actions,
        observation_space=space,
        action_scaling=False,
        action_bound_method=None,
    )
    algorithm = PPO(
        policy=policy,
        critic=Critic(input_size),
        optim=AdamOptimizerFactory(lr=RATE, eps=1e-5),
        max_grad_norm=0.5,
        gamma=DISCOUNT,
        gae_lambda=0.95,
        max_batchsize=STEPS * games,
    )
    buffer = VectorReplayBuffer(STEPS * games, games)
    collector = Collector(algorithm, envs, buffer)
    collector.reset(gym_reset_kwargs={"seed": seed})
    wins: list[bool] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with policy_within_training_step(policy):
            collector.collect(n_step=STEPS * games)
            wins += (buffer.rew[buffer.terminated] > 0).tolist()  # the -1 for a loss outweighs the last shaping reward
            algorithm.update(buffer, batch_size=STEPS * games // BATCHES, repeat=EPOCHS)
        collector.reset_buffer(keep_statistics=True)
    return algorithm, wins


class TianshouVectorEnv(BaseVectorEnv):
    """A Tianshou vector environment that wraps a Gymnasium vector environment."""

    def __init__(self, games: gymnasium.vector.VectorEnv):
        self.games, self.env_num = games, games.num_envs
        self.is_async, self.is_closed = False, False
        self.waiting_id: list[int] = []

    def get_env_attr(self, key: str, id: Any = None) -> list[Any]:
        """Return an attribute of each game, such as its action space."""
        return [getattr(self.games, f"single_{key}")] * self.env_num

    def reset(self, env_id: Any = None, seed: int | None = None) -> tuple[Batch, np.ndarray]:
        """Reset the given games, by default all of them, and return their observations and infos."""
        is_reset = np.isin(np.arange(self.env_num), self._wrap_id(env_id))
        observations, _ = self.games.reset(seed=seed, options={"reset_mask": is_reset})
        return Batch(observations)[is_reset], infos(np.flatnonzero(is_reset))

    def step(self, action: np.ndarray, id: Any = None) -> tuple[Batch, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return the observations, rewards, terminations, truncations and infos of all games."""
        observations, rewards, terminated, truncated, _ = self.games.step(action)
        return Batch(observations), rewards, terminated, truncated, infos(np.arange(self.env_num))

    def close(self) -> None:
        """Mark the environment as closed."""
        self.is_closed = True


def infos(games: np.ndarray) -> np.ndarray:
    """Return the info of each game, including the game's index."""
    return np.array([{"env_id": game} for game in games.tolist()])


class Actor(nn.Module):
    """A network that outputs action logits, masking those of illegal actions."""

    def __init__(self, size: int, actions: int):
        super().__init__()
        self.layers = layers(size, actions)

    def forward(self, seen: Batch, state: Any = None, info: Any = None) -> tuple[torch.Tensor, Any]:
        """Return logits, shape (n, actions), and `state`, unchanged because the network has no memory."""
        legal = torch.as_tensor(seen.action_mask, dtype=torch.bool)
        return self.layers(torch.as_tensor(seen.observation)).masked_fill(~legal, -1e9), state


class Critic(nn.Module):
    """A network that estimates the values of observations."""

    def __init__(self, size: int):
        super().__init__()
        self.layers = layers(size, 1)

    def forward(self, seen: Batch) -> torch.Tensor:
        """Return values, shape (n, 1)."""
        return self.layers(torch.as_tensor(seen.observation))


def layers(size: int, out: int) -> nn.Sequential:
    """Return a network with two hidden layers."""
    return nn.Sequential(nn.Linear(size, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, out))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    _, wins = train(parser.parse_args().seconds)
    late = wins[len(wins) // 2 :]
    print(f"{len(wins)} games; won {sum(late) / max(len(late), 1):.1%} of the second half")
