"""AgileRL's PPO with tournament selection and mutation: `python -m catan_training.examples.agilerl_ppo`.

The learner plays one seat, and random agents play the others. AgileRL requires an older version of PettingZoo, so it
needs a separate virtual environment: `pip install 'catan-env[agilerl]'`, without `constraints.txt`.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import gymnasium
import torch

import catan_env  # noqa: F401
from catan_training.examples import needs

with needs("agilerl", __name__):
    from agilerl.algorithms import PPO
    from agilerl.algorithms.core.registry import HyperparameterConfig, RLParameter
    from agilerl.hpo.mutation import Mutations
    from agilerl.hpo.tournament import TournamentSelection
    from agilerl.rollouts import collect_rollouts

STEPS, WIDTH, POPULATION, ROUNDS = 64, 128, 2, 8
DISCOUNT, RATE = 0.999, 5e-4


def train(seconds: float = 60.0, games: int = 128, seed: int = 0, **options: Any) -> tuple[PPO, list[bool]]:
    """Train for `seconds` seconds of wall time; `options` are passed to the environment.

    Returns:
        The population's best agent and, for each finished game, whether it was won.
    """
    torch.manual_seed(seed)
    usual: dict[str, Any] = {"opponents": "random", "seat": "rotate", "rules": {"offers_per_turn": 0}, "shaping": 1.0}
    options = usual | options
    envs = gymnasium.make_vec(
        "catan/Base-v2", num_envs=games, autoreset_mode="SameStep", forced_moves="play", discount=DISCOUNT, **options
    )
    wins: list[bool] = []
    envs = Noting(envs, wins)
    network = {"encoder_config": {"hidden_size": [WIDTH]}, "head_config": {"hidden_size": [WIDTH]}}
    population = [
        PPO(
            envs.single_observation_space,
            envs.single_action_space,
            index=index,
            net_config=network,
            num_envs=games,
            hp_config=HyperparameterConfig(lr=RLParameter(min=1e-4, max=1e-3)),
            batch_size=8 * games,
            lr=RATE,
            learn_step=STEPS * games,
            gamma=DISCOUNT,
            ent_coef=0.01,
            update_epochs=4,
        )
        for index in range(POPULATION)
    ]
    tournament = TournamentSelection(tournament_size=2, elitism=True, population_size=POPULATION)
    mutations = Mutations(
        no_mutation=0.5, architecture=0.0, new_layer_prob=0.0, parameters=0.0, activation=0.0, rl_hp=0.5, rand_seed=seed
    )
    envs.reset(seed=seed)
    best, end = population[0], time.monotonic() + seconds
    while time.monotonic() < end:
        for agent in population:
            env_state, games_before = (None, None, None, None), len(wins)
            for _ in range(ROUNDS):
                names = "last_obs", "last_done", "last_scores", "last_info"
                _, *env_state = collect_rollouts(agent, envs, STEPS, **dict(zip(names, env_state, strict=True)))
                agent.learn()
                if time.monotonic() >= end:
                    break
            games_played = wins[games_before:]
            agent.metrics.add_fitness(sum(games_played) / max(len(games_played), 1))
        best, population, changed = tournament.select(population)
        population = mutations.mutation(population, indices=changed)
    envs.close()
    return best, wins


class Noting(gymnasium.vector.VectorWrapper):
    """A wrapper that records whether each finished game was won."""

    def __init__(self, envs: gymnasium.vector.VectorEnv, wins: list[bool]):
        super().__init__(envs)
        self.wins = wins

    def step(self, actions: Any) -> Any:
        """Step the environment and record the results of finished games."""
        result = self.env.step(actions)
        self.wins += (result[1][result[2]] > 0).tolist()  # the -1 for a loss outweighs the last shaping reward
        return result


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    _, wins = train(parser.parse_args().seconds)
    late = wins[len(wins) // 2 :]
    print(f"{len(wins)} games; won {sum(late) / max(len(late), 1):.1%} of the second half")
