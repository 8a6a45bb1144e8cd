"""Matches between agents over all seat orders, with the same seeds for each order."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from catan_agents import Agent, make_agent
from catan_env.engine.batch import BatchEngine
from catan_env.engine.random import game_seeds
from catan_env.engine.registry import find_scenario
from catan_env.errors import OptionError
from catan_training.evaluation.fixtures import seated
from catan_training.evaluation.intervals import wilson_interval


@dataclass(frozen=True)
class Evaluation:
    """A match's results. Means are per game. A shared win counts as a win; a truncated game has no winner."""

    agent: str
    opponents: tuple[str, ...]
    scenario: str
    version: int
    num_players: int
    seed: int
    rules: dict[str, Any] = field(default_factory=dict)
    games: int = 0
    wins: int = 0
    shared_wins: int = 0
    """Wins shared with other seats. They are included in `wins`."""
    win_rate: float = 0.0
    interval: tuple[float, float] = (0.0, 1.0)
    """Wilson's 95% interval for the win rate. It treats games as independent, although seat orders share seeds."""
    wins_by_seat: tuple[int, ...] = ()
    mean_points: float = 0.0
    mean_opponent_points: float = 0.0
    mean_length: float = 0.0
    """Mean number of actions taken by all seats."""
    truncated: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serializable mapping."""
        return asdict(self)


def lineup(agent: str | Agent, opponents: str | Agent | Sequence[str | Agent], num_players: int) -> list[Agent]:
    """Return the evaluated agent and one opponent for each other seat. Seats with equal names share an agent object.

    The last opponent takes all remaining seats.
    """
    if isinstance(opponents, str) or not isinstance(opponents, Sequence):
        opponents = [opponents]
    opponents = seated(opponents, num_players - 1) if num_players > 1 else []
    agents_by_name = {name: make_agent(name) for name in opponents if isinstance(name, str)}
    opponent_agents = [agents_by_name[entry] if isinstance(entry, str) else entry for entry in opponents]
    return [make_agent(agent) if isinstance(agent, str) else agent, *opponent_agents]


def seatings(agents: Sequence[Agent]) -> np.ndarray:
    """Return the distinct seat orders, shape (orders, players), as indices into `agents`.

    Opponents that are the same object are interchangeable and are all represented by their lowest index.
    """
    labels = [0, *(1 + next(k for k, opponent in enumerate(agents[1:]) if opponent is other) for other in agents[1:])]
    return np.array(sorted(set(itertools.permutations(labels))), np.int64)


def evaluate(  # noqa: PLR0913 (options, passed by name)
    agent: str | Agent,
    opponents: str | Agent | Sequence[str | Agent] = "random",
    scenario: str = "base",
    num_players: int | None = None,
    games: int = 1000,
    seed: int = 0,
    rules: Mapping[str, Any] | None = None,
    threads: int = 1,
    tell: Callable[[int, int], None] = lambda ended, games: None,
) -> Evaluation:
    """Play one agent against others in a single batch of games.

    Every seat order is played equally often and with the same seeds, so no agent benefits from a good seat. Agents also
    draw their random numbers from `seed`, so equal calls return equal results.

    Args:
        agent: an agent, or its name or checkpoint folder.
        opponents: one opponent for all other seats, or one per seat.
        scenario, num_players, rules: the game, as for `BatchEngine`.
        games: number of games, rounded up to a multiple of the number of seat orders.
        seed: seed for boards, dice and agents.
        threads: number of engine threads.
        tell: called after each step of the batch with the number of ended games and the number of all games.

    Raises:
        CatanError: an agent, scenario, number of players or rule is unknown or invalid.
    """
    if games < 1:
        raise OptionError(f"games is {games!r}; it must be at least 1.")
    num_players = find_scenario(scenario).check_players(num_players)
    agents = lineup(agent, opponents, num_players)
    orders = seatings(agents)
    games_per_order = -(-games // len(orders))
    seeds = np.tile(game_seeds(seed, games_per_order), len(orders))
    engine = BatchEngine(scenario, len(seeds), num_players, seeds, rules=rules, threads=threads)
    owner = np.repeat(orders, games_per_order, axis=0)
    for index, player in enumerate(agents):
        player.reset(seed + index)
    length = play(engine, agents, owner, tell)
    agent_seat = owner.argmin(axis=1)
    points = engine.victory_points
    own_points = points[np.arange(len(agent_seat)), agent_seat]
    won = engine.winners[np.arange(len(agent_seat)), agent_seat]
    return Evaluation(
        agent=agents[0].name,
        opponents=tuple(other.name for other in agents[1:]),
        scenario=engine.scenario.reference,
        version=engine.scenario.version,
        num_players=num_players,
        seed=seed,
        rules=dict(rules or {}),
        games=len(agent_seat),
        wins=int(won.sum()),
        shared_wins=int((won & (engine.winners.sum(axis=1) > 1)).sum()),
        win_rate=float(won.mean()),
        interval=wilson_interval(int(won.sum()), len(won)),
        wins_by_seat=tuple(np.bincount(agent_seat[won], minlength=num_players).tolist()),
        mean_points=float(own_points.mean()),
        mean_opponent_points=float((points.sum(axis=1) - own_points).mean() / max(num_players - 1, 1)),
        mean_length=float(length.mean()),
        truncated=int(engine.truncated.sum()),
    )


def play(
    engine: BatchEngine,
    agents: Sequence[Agent],
    owner: np.ndarray,
    tell: Callable[[int, int], None] = lambda ended, games: None,
) -> np.ndarray:
    """Play all of an engine's games to completion.

    Args:
        engine: a batch of N games that samples chance itself.
        agents: the players.
        owner: (N, players) index into `agents` for each seat.
        tell: as for `evaluate`.

    Returns:
        The number of actions in each game, shape (N,), int64.
    """
    game_indices = np.arange(engine.num_games)
    length = np.zeros(engine.num_games, np.int64)
    while True:
        seats = engine.seat_to_act
        running = seats >= 0
        running_count = int(np.count_nonzero(running))
        tell(engine.num_games - running_count, engine.num_games)
        if not running_count:
            return length
        agent_to_act = np.where(running, owner[game_indices, np.maximum(seats, 0)], -1)
        actions = np.full(engine.num_games, -1, np.int64)
        for k, agent in enumerate(agents):
            games = np.flatnonzero(agent_to_act == k)
            if len(games):
                actions[games] = agent.act(engine, games)
        engine.step(actions)
        length += running
