"""The `best` agent, which plays each game with the bundled agent that measured strongest in it."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from catan_agents.bundled import STRENGTH, plays_with_one_less
from catan_agents.portable import Portable
from catan_agents.protocol import Agent
from catan_agents.registry import has_value_network, make_agent, pretrained_names
from catan_agents.search.weights import WeightsError
from catan_env.engine.random import check_seed
from catan_env.errors import MissingExtraError, OptionError
from catan_env.text_files import read_json

if TYPE_CHECKING:
    from catan_env.engine.batch import BatchEngine

UNMEASURED = ("heuristic",)
"""The ranking used for games without measurements."""


@dataclass(frozen=True)
class Ranking:
    """The agents measured in one game, ordered by strength.

    Attributes:
        scenario, players: the game.
        rules: rule numbers that differ from the scenario's own.
        agents: agent names, strongest first.
    """

    scenario: str
    players: int
    rules: Mapping[str, Any]
    agents: tuple[str, ...]


@cache
def rankings() -> tuple[Ranking, ...]:
    """Return the recorded rankings. `python -m tools.strength` derives them from the ladder."""
    return tuple(
        Ranking(game["scenario"], game["players"], game["rules"], tuple(row["agent"] for row in game["agents"]))
        for game in read_json(STRENGTH, "rankings of agents", OptionError)["games"]
    )


def strongest(scenario: str, num_players: int, rules: Mapping[str, Any] | None = None) -> list[str]:
    """Return the names of the measured agents that can play a game, strongest first.

    If this number of players has no measurements, those for the closest number count. Trained agents are then left out,
    except value networks that can play with one player less. For scenarios without any measurements, only `heuristic`
    is returned.

    Args:
        scenario: name of a scenario; any optional rules after "+" are ignored.
        num_players: number of players.
        rules: rule numbers. Measurements made with the same numbers take precedence over those made with the scenario's
            own.
    """
    name, given = scenario.split("+")[0], rules or {}
    fitting = [
        ranking
        for ranking in rankings()
        if ranking.scenario == name and all(given.get(key) == value for key, value in ranking.rules.items())
    ]
    if not fitting:
        return list(UNMEASURED)
    closest = min(fitting, key=lambda game: (abs(game.players - num_players), -game.players, -len(game.rules)))
    if closest.players == num_players:
        return list(closest.agents)
    with_one_less, trained = plays_with_one_less(closest.players, num_players), pretrained_names()
    return [agent for agent in closest.agents if agent not in trained or (with_one_less and has_value_network(agent))]


class BestAgent(Portable):
    """An agent that plays each game exactly like the bundled agent that measured strongest in it.

    It chooses among agents fast enough to play thousands of games; `mcts` with a value network is stronger but slower.
    Agents with networks need the `train` extra; without it, the strongest agent that has no network is used.

    Args:
        seed: seed of all random streams.

    Raises:
        OptionError: the seed is invalid.
    """

    name = "best"
    of_engines = ("_last",)

    def __init__(self, seed: int = 0):
        self._seed = check_seed(seed)
        self._agents: dict[str, Agent] = {}
        self._forget_engines()

    def _forget_engines(self) -> None:
        self._last: tuple[Callable[[], BatchEngine | None], Agent] | None = None  # the most recent engine and its agent

    def reset(self, seed: int) -> None:
        self._seed = check_seed(seed)
        for agent in self._agents.values():
            agent.reset(seed)

    def act(self, engine: BatchEngine, games: np.ndarray) -> np.ndarray:
        return self.agent_for(engine).act(engine, games)

    def agent_for(self, engine: BatchEngine) -> Agent:
        """Return the agent that plays an engine's games."""
        if self._last is None or self._last[0]() is not engine:
            self._last = weakref.ref(engine), self._named(self.name_for(engine))
        return self._last[1]

    def name_for(self, engine: BatchEngine) -> str:
        """Return the name of the agent that plays an engine's games."""
        for name in strongest(engine.scenario.name, engine.num_players, engine.rules):
            try:
                agent = self._named(name)
                if hasattr(agent, "check_engine"):
                    agent.check_engine(engine)
            except (MissingExtraError, OptionError, WeightsError):  # optional rules and numbers may change the game
                continue
            return name
        return UNMEASURED[0]

    def _named(self, name: str) -> Agent:
        """Return the agent with this name; every call returns the same object."""
        if name not in self._agents:
            self._agents[name] = make_agent(name)
            self._agents[name].reset(self._seed)
        return self._agents[name]
