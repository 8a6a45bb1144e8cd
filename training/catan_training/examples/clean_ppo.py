"""Single-loop PPO on the Gymnasium vector environment: `python -m catan_training.examples.clean_ppo`.

The learner plays one seat, and random agents play the others. To train a different learner, replace the loop.
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

STEPS, EPOCHS, BATCHES, WIDTH = 64, 4, 8, 128
DISCOUNT, LAMBDA, CLIP, ENTROPY, RATE = 0.999, 0.95, 0.2, 0.01, 5e-4


def train(seconds: float = 60.0, games: int = 128, seed: int = 0, **options: Any) -> tuple[nn.Module, list[bool]]:
    """Train for `seconds` seconds of wall time; `options` are passed to the environment.

    Returns:
        The network and, for each finished game, whether it was won.
    """
    torch.manual_seed(seed)
    usual: dict[str, Any] = {"opponents": "random", "seat": "rotate", "rules": {"offers_per_turn": 0}, "shaping": 1.0}
    options = usual | options
    envs = gymnasium.make_vec(
        "catan/Base-v2", num_envs=games, autoreset_mode="SameStep", forced_moves="play", discount=DISCOUNT, **options
    )
    input_size, actions = flatdim(envs.single_observation_space), flatdim(envs.single_action_space)
    layers = nn.Linear(input_size, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, actions + 1)
    network = nn.Sequential(*layers)
    optimizer = torch.optim.Adam(network.parameters(), lr=RATE, eps=1e-5)
    observations, masks = torch.zeros(STEPS, games, input_size), torch.zeros(STEPS, games, actions, dtype=torch.bool)
    chosen = torch.zeros(STEPS, games, dtype=torch.int64)
    log_probs, rewards, values, dones = torch.zeros(4, STEPS, games)
    wins: list[bool] = []
    observation, infos = envs.reset(seed=seed)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for t in range(STEPS):
            observations[t] = torch.from_numpy(observation)
            masks[t] = torch.from_numpy(infos["action_mask"].astype(bool))
            with torch.no_grad():
                policy, values[t] = look(network, observations[t], masks[t])
                chosen[t] = policy.sample()
                log_probs[t] = policy.log_prob(chosen[t])
            observation, reward, terminated, truncated, infos = envs.step(chosen[t].numpy())
            over = terminated | truncated
            rewards[t], dones[t] = torch.from_numpy(reward), torch.from_numpy(over)
            wins += (reward[terminated] > 0).tolist()  # the -1 for a loss outweighs the last shaping reward
        with torch.no_grad():
            next_values = network(torch.from_numpy(observation).float())[:, -1]
        advantages, advantage = torch.zeros(STEPS, games), torch.zeros(games)
        for t in reversed(range(STEPS)):
            continues = 1.0 - dones[t]
            advantage = rewards[t] + DISCOUNT * continues * (next_values + LAMBDA * advantage) - values[t]
            advantages[t], next_values = advantage, values[t]
        returns = (advantages + values).flatten()
        advantages = ((advantages - advantages.mean()) / (advantages.std() + 1e-8)).flatten()
        flat_arrays = [array.flatten(0, 1) for array in (observations, masks, chosen, log_probs)]
        for batch in (indices for _ in range(EPOCHS) for indices in torch.randperm(STEPS * games).chunk(BATCHES)):
            observation_rows, legal, actions_taken, old_log_probs = (array[batch] for array in flat_arrays)
            policy, value = look(network, observation_rows, legal)
            ratio = (policy.log_prob(actions_taken) - old_log_probs).exp()
            clipped = torch.min(advantages[batch] * ratio, advantages[batch] * ratio.clamp(1 - CLIP, 1 + CLIP))
            loss = -clipped.mean() - ENTROPY * policy.entropy().mean() + 0.5 * (value - returns[batch]).square().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()
    envs.close()
    return network, wins


def look(network: nn.Module, rows: torch.Tensor, masks: torch.Tensor) -> tuple[Any, torch.Tensor]:
    """Return the policy over legal actions and the value of each observation."""
    out = network(rows)
    logits = out[:, :-1].masked_fill(~masks, -1e9)
    return torch.distributions.Categorical(logits=logits, validate_args=False), out[:, -1]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    _, wins = train(parser.parse_args().seconds)
    late = np.array(wins[len(wins) // 2 :])
    print(f"{len(wins)} games; won {late.mean() if len(late) else 0:.1%} of the second half")
