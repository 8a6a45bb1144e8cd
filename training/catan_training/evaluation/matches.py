"""Playing agents against each other over all orders of seats, each order from the same seeds."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from catan_agents import Agent, make_agent
from catan_env.engine.batch import BatchEngine
from catan_env.engine.random import game_seeds
from catan_env.engine.registry import find_scenario
from catan_env.errors import OptionError
from catan_training.evaluation.intervals import wilson_interval


@dataclass(frozen=True)
class Evaluation:
    """What came out of a number of games. Means are per game; a game cut off by a limit is won by nobody."""

    agent: str
    opponents: tuple[str, ...]
    scenario: str
    version: int
    num_players: int
    seed: int
    rules: dict[str, Any] = field(default_factory=dict)
    games: int = 0
    wins: int = 0
    win_rate: float = 0.0
    interval: tuple[float, float] = (0.0, 1.0)
    """Wilson's 95% interval of the win rate, taking games as independent (orders of seats share seeds)."""
    wins_by_seat: tuple[int, ...] = ()
    mean_points: float = 0.0
    mean_opponent_points: float = 0.0
    mean_length: float = 0.0
    """Actions of all seats."""
    truncated: int = 0

    def to_dict(self) -> dict[str, Any]:
        """The same as a dictionary that JSON can hold."""
        return asdict(self)


def lineup(agent: str | Agent, opponents: str | Agent | Sequence[str | Agent], num_players: int) -> list[Agent]:
    """The agent evaluated, then one opponent per other seat; names become agents, equal names the same one."""
    if isinstance(opponents, str) or not isinstance(opponents, Sequence):
        opponents = [opponents] * (num_players - 1)
    if len(opponents) != num_players - 1:
        raise OptionError(f"{len(opponents)} opponents were given; {num_players} players need {num_players - 1}.")
    made = {name: make_agent(name) for name in opponents if isinstance(name, str)}
    others = [made[entry] if isinstance(entry, str) else entry for entry in opponents]
    return [make_agent(agent) if isinstance(agent, str) else agent, *others]


def seatings(agents: Sequence[Agent]) -> np.ndarray:
    """All different orders of seats, (orders, players): index into `agents` of who sits where.

    Opponents that are the same object are not told apart; they share the lowest of their indices.
    """
    labels = [0, *(1 + next(k for k, a in enumerate(agents[1:]) if a is other) for other in agents[1:])]
    return np.array(sorted(set(itertools.permutations(labels))), np.int64)


def evaluate(
    agent: str | Agent,
    opponents: str | Agent | Sequence[str | Agent] = "random",
    scenario: str = "base",
    num_players: int | None = None,
    games: int = 1000,
    seed: int = 0,
    rules: Mapping[str, Any] | None = None,
    threads: int = 1,
) -> Evaluation:
    """Plays an agent against others in one batch of games.

    Every order of seats is played equally often, each with the same seeds, so that no agent gains from a good
    seat. Random numbers of agents come from `seed` too: the same call gives the same result.

    Args:
        agent: name, checkpoint folder or agent.
        opponents: one for all other seats, or one for each.
        scenario, num_players, rules: what is played, as for `BatchEngine`.
        games: how many, rounded up to a multiple of the number of orders.
        seed: of boards, dice and agents.
        threads: threads of the engine.

    Raises:
        CatanError: an agent, scenario, number of players or rule that does not exist or fit.
    """
    if games < 1:
        raise OptionError(f"games is {games!r}; at least one game must be played.")
    num_players = find_scenario(scenario).check_players(num_players)
    agents = lineup(agent, opponents, num_players)
    orders = seatings(agents)
    per_order = -(-games // len(orders))
    seeds = np.tile(game_seeds(seed, per_order), len(orders))
    engine = BatchEngine(scenario, len(seeds), num_players, seeds, rules=rules, threads=threads)
    owner = np.repeat(orders, per_order, axis=0)
    for number, player in enumerate(agents):
        player.reset(seed + number)
    length = play(engine, agents, owner)
    seat = owner.argmin(axis=1)
    points = engine.victory_points
    own = points[np.arange(len(seat)), seat]
    won = engine.winner == seat
    return Evaluation(
        agent=agents[0].name,
        opponents=tuple(other.name for other in agents[1:]),
        scenario=engine.scenario.reference,
        version=engine.scenario.version,
        num_players=num_players,
        seed=seed,
        rules=dict(rules or {}),
        games=len(seat),
        wins=int(won.sum()),
        win_rate=float(won.mean()),
        interval=wilson_interval(int(won.sum()), len(won)),
        wins_by_seat=tuple(np.bincount(seat[won], minlength=num_players).tolist()),
        mean_points=float(own.mean()),
        mean_opponent_points=float((points.sum(axis=1) - own).mean() / max(num_players - 1, 1)),
        mean_length=float(length.mean()),
        truncated=int(engine.truncated.sum()),
    )


def play(engine: BatchEngine, agents: Sequence[Agent], owner: np.ndarray) -> np.ndarray:
    """Plays all games of an engine to their end.

    Args:
        engine: a batch of N games, chance sampled.
        agents: who plays.
        owner: (N, players) index into `agents` of who plays each seat.

    Returns:
        (N,) int64 number of actions in each game.
    """
    rows = np.arange(engine.num_games)
    length = np.zeros(engine.num_games, np.int64)
    while True:
        seats = engine.seat_to_act
        running = seats >= 0
        if not running.any():
            return length
        turn = np.where(running, owner[rows, np.maximum(seats, 0)], -1)
        actions = np.full(engine.num_games, -1, np.int64)
        for k, agent in enumerate(agents):
            games = np.flatnonzero(turn == k)
            if len(games):
                actions[games] = agent.act(engine, games)
        engine.step(actions)
        length += running
