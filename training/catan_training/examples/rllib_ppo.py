"""RLlib's multi-agent PPO with action masking, trained by self-play: `python -m catan_training.examples.rllib_ppo`.

RLlib requires a specific version of Gymnasium, so it needs a separate virtual environment: `pip install
'catan-env[rllib]'`, without `constraints.txt`.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium.spaces import Dict, Space

from catan_env.envs.aec import aec_env
from catan_training.examples import needs

with needs("rllib", __name__):
    import ray
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
    from ray.rllib.core.rl_module.rl_module import RLModule, RLModuleSpec
    from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
    from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

STEPS, WIDTH = 64, 128
DISCOUNT, RATE = 0.999, 5e-4


class CatanMultiAgentEnv(PettingZooEnv):
    """The AEC environment, with observations in the format that RLlib's action masking module expects.

    Args:
        options: options for `aec_env`.
    """

    observation_spaces: dict[str, Space]

    def __init__(self, options: dict[str, Any]):
        super().__init__(aec_env(**options))
        spaces: dict[str, Space] = {
            str(agent): Dict(renamed(space)) for agent, space in self.observation_spaces.items()
        }
        self.observation_spaces, self.observation_space = spaces, Dict(spaces)

    def reset(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Reset the game and return the observation of the first agent to act."""
        observations, infos = super().reset(**options)
        return {agent: renamed(observation) for agent, observation in observations.items()}, infos

    def step(self, action: dict[str, int]) -> tuple[dict[str, Any], ...]:
        """Step the game and return the observation of the next agent to act or, at the end, those of all agents."""
        observations, *outcomes = super().step(action)
        return {agent: renamed(observation) for agent, observation in observations.items()}, *outcomes


def renamed(seen: Any) -> dict[str, Any]:
    """Rename the keys of an observation or of its space as the action masking module requires."""
    return {"observations": seen["observation"], "action_mask": seen["action_mask"]}


def train(seconds: float = 60.0, games: int = 16, seed: int = 0, **options: Any) -> tuple[RLModule, list[bool]]:
    """Train one network that plays all seats for `seconds` seconds; `options` are passed to the environment.

    Returns:
        The module and, for each final evaluation game, whether it was won.
    """
    options = {"rules": {"offers_per_turn": 0}} | options
    module = RLModuleSpec(
        module_class=ActionMaskingTorchRLModule,
        model_config={"fcnet_hiddens": [WIDTH, WIDTH], "fcnet_activation": "relu"},
    )
    config = (
        PPOConfig()
        .environment(
            CatanMultiAgentEnv,
            disable_env_checking=True,  # the environment checker ignores action masks
            env_config={"scenario": "base", "forced_moves": "play", "shaping": 1.0, "discount": DISCOUNT} | options,
        )
        .multi_agent(policies={"learner"}, policy_mapping_fn=lambda agent, *_, **__: "learner")
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"learner": module}))
        .env_runners(num_env_runners=0, num_envs_per_env_runner=games, rollout_fragment_length=STEPS)
        .training(
            train_batch_size_per_learner=STEPS * games,
            minibatch_size=STEPS * games // 4,
            num_epochs=4,
            gamma=DISCOUNT,
            lambda_=0.95,
            lr=RATE,
            entropy_coeff=0.01,
            clip_param=0.2,
            use_kl_loss=False,
            grad_clip=0.5,
        )
        .debugging(seed=seed, log_level="ERROR")
    )
    ray.init(num_cpus=2, include_dashboard=False, ignore_reinit_error=True)
    algorithm = config.build_algo()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        algorithm.train()
    learned = algorithm.get_module("learner")
    algorithm.stop()
    ray.shutdown()
    return learned, against_random(learned, seed, **options)


def against_random(module: RLModule, seed: int, games: int = 64, **options: Any) -> list[bool]:
    """Play `games` games in one seat against random agents, and return whether each game was won."""
    envs = gymnasium.make_vec(
        "catan/Base-v2",
        num_envs=games,
        opponents="random",
        seat="rotate",
        forced_moves="play",
        observation="dict",
        **options,
    )
    observation, _ = envs.reset(seed=seed)
    running, won = np.ones(games, bool), np.zeros(games, bool)
    while running.any():
        with torch.no_grad():
            tensors = {name: torch.from_numpy(array) for name, array in renamed(observation).items()}
            logits = module.forward_inference({"obs": tensors})["action_dist_inputs"]
        observation, reward, terminated, truncated, _ = envs.step(logits.argmax(1).numpy())
        won |= running & terminated & (reward > 0)
        running &= ~(terminated | truncated)
    envs.close()
    return won.tolist()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    _, wins = train(parser.parse_args().seconds)
    print(f"won {np.mean(wins):.1%} of {len(wins)} games against three random players")
