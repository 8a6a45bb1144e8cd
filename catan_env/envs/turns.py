"""The kernel that finds out which opponents are to act."""

from __future__ import annotations

import numpy as np

from catan_env.engine.arrays import Batch


def find_turns(
    batch: Batch,
    seats: np.ndarray,
    agent_of: np.ndarray,
    rewards: np.ndarray,
    moves: np.ndarray,
    games: np.ndarray,
    counts: np.ndarray,
) -> int:
    """Kernel: add the rewards of the last step, clear all moves and list the games of each agent that is to act.

    Args:
        batch: the `Batch`.
        seats: (N,) the learner's seat in each game.
        agent_of: (N, players + 2) the agent of each seat; -1 for learners and in the last two columns, for nobody.
        rewards: (N,) the learners' rewards so far.
        moves: (N,) one action per game; all become -1.
        games: (agents, N) the games in which each agent is to act.
        counts: (agents,) how many games each agent has.

    Returns:
        the number of games in which an agent is to act.
    """
    waiting_count = 0
    for agent in range(counts.shape[0]):
        counts[agent] = 0
    for i in range(moves.shape[0]):
        rewards[i] += batch.rewards[i, seats[i]]
        moves[i] = -1
        agent = agent_of[i, batch.seats[i]]
        if agent >= 0:
            games[agent, counts[agent]] = i
            counts[agent] += 1
            waiting_count += 1
    return waiting_count
