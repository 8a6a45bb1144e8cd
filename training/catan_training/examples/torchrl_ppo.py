"""PPO built from TorchRL components: `python -m catan_training.examples.torchrl_ppo`.

The learner plays one seat, and random agents play the others. Install TorchRL with `pip install 'catan-env[torchrl]'`.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import gymnasium
import torch
from gymnasium.spaces import flatdim
from torch import nn

import catan_env  # noqa: F401
from catan_training.examples import needs

with needs("torchrl", __name__):
    from tensordict.nn import TensorDictModule
    from torchrl.collectors import Collector
    from torchrl.envs import GymWrapper
    from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
    from torchrl.objectives import ClipPPOLoss
    from torchrl.objectives.value import GAE

STEPS, EPOCHS, BATCHES, WIDTH = 64, 4, 8, 128
DISCOUNT, RATE = 0.999, 5e-4


def train(seconds: float = 60.0, games: int = 128, seed: int = 0, **options: Any) -> tuple[nn.Module, list[bool]]:
    """Train for `seconds` seconds of wall time; `options` are passed to the environment.

    Returns:
        The policy and, for each finished game, whether it was won.
    """
    torch.manual_seed(seed)
    usual: dict[str, Any] = {"opponents": "random", "seat": "rotate", "rules": {"offers_per_turn": 0}, "shaping": 1.0}
    options = usual | options
    games_played = gymnasium.make_vec(
        "catan/Base-v2",
        num_envs=games,
        autoreset_mode="Disabled",
        forced_moves="play",
        discount=DISCOUNT,
        observation="dict",
        **options,
    )
    env = GymWrapper(games_played, categorical_action_encoding=True)  # resets finished games
    env.set_seed(seed)
    actions = flatdim(games_played.single_action_space)
    input_size = flatdim(games_played.single_observation_space) - actions  # the space includes the action mask
    policy = ProbabilisticActor(
        TensorDictModule(Masked(input_size, actions), ["observation", "action_mask"], ["logits", "mask"]),
        in_keys=["logits", "mask"],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    critic = ValueOperator(layers(input_size, 1), in_keys=["observation"])
    advantage = GAE(gamma=DISCOUNT, lmbda=0.95, value_network=critic, average_gae=True)
    objective = ClipPPOLoss(policy, critic, entropy_coeff=0.01, critic_coeff=0.5, loss_critic_type="l2")
    optimizer = torch.optim.Adam(objective.parameters(), lr=RATE, eps=1e-5)
    collector = Collector(env, policy, frames_per_batch=STEPS * games, auto_register_policy_transforms=True)
    wins: list[bool] = []
    end = time.monotonic() + seconds
    for batch in collector:
        reward, terminated = batch["next", "reward"], batch["next", "terminated"]
        wins += (reward[terminated] > 0).tolist()  # the -1 for a loss outweighs the last shaping reward
        with torch.no_grad():
            advantage(batch)
        transitions = batch.flatten()
        for minibatch in (
            transitions[indices] for _ in range(EPOCHS) for indices in torch.randperm(len(transitions)).chunk(BATCHES)
        ):
            losses = objective(minibatch)
            optimizer.zero_grad()
            (losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]).backward()
            nn.utils.clip_grad_norm_(objective.parameters(), 0.5)
            optimizer.step()
        if time.monotonic() >= end:
            break
    collector.shutdown()
    return policy, wins


class Masked(nn.Module):
    """A network that outputs action logits and passes the action mask through as bool."""

    def __init__(self, size: int, actions: int):
        super().__init__()
        self.layers = layers(size, actions)

    def forward(self, rows: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the logits and the mask, each of shape (..., actions)."""
        return self.layers(rows), mask.bool()


def layers(size: int, out: int) -> nn.Sequential:
    """Return a network with two hidden layers."""
    return nn.Sequential(nn.Linear(size, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, out))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    _, wins = train(parser.parse_args().seconds)
    late = wins[len(wins) // 2 :]
    print(f"{len(wins)} games; won {sum(late) / max(len(late), 1):.1%} of the second half")
