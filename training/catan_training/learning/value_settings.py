"""Settings of value learning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from catan_env.engine.arguments import check_count, check_number
from catan_env.engine.registry import scenarios, split_scenario
from catan_env.errors import OptionError
from catan_training.learning.config import ConfigError


@dataclass(frozen=True)
class ValueTraining:
    """Settings for value learning.

    Attributes:
        scenario, players, rules: the games to play. Trade offers are off unless `rules` sets them.
        also: additional scenarios for the same network, as NAME or NAME:PLAYERS; by default, the maximum number of
            players is used.
        hidden: sizes of the two hidden layers.
        games: number of games per round and scenario.
        replay_rounds: number of recent rounds to train on.
        state_sample_rate: fraction of states after actions to keep.
        epsilon: fraction of actions taken at random.
        temperature: softmax temperature over action values, in victory points; 0 always takes the best action.
        opponent_fraction: fraction of seats played by `opponents`.
        opponents: names of agents, drawn evenly for each of these seats. `greedy` samples one world and never trades.
        td_lambda: the lambda in TD(lambda).
        sibling_rate: fraction of the network's decisions of which several actions are compared. After each of them, the
            network plays on for all seats. With 0, it learns only from played games.
        sibling_turns: first and last turn after the decision whose starts are evaluated in these games.
        sibling_weight: weight of the differences between siblings in the loss.
        rate, rate_end: learning rates in the first and last rounds.
        batch: samples per gradient step, where a sample is a state as seen by one seat.
        check: number of rounds between evaluations against `greedy` and `heuristic`; 0 disables evaluation.
        check_games: number of games per evaluation.
        correction: with 0, the network estimates probabilities of winning. Otherwise, it learns what `greedy`'s
            weighted sum of terms misses of them, and this fraction of it is added to the sum.
        start: bundled agents, or files or folders of networks, to start from instead of `greedy` games. They may have
            narrower layers and other inputs: new inputs get zero weights, and inputs that the games lack are dropped.
            Of a file with several networks, the one for the run's games is used, or else one for the closest number of
            players; of a network that also knows other games, the inputs for the run's games. If several are given,
            their weights are averaged, so they must all have been trained from the same network.
        seed: seed for games and the network.

    Raises:
        OptionError: a number is out of bounds, or `opponents` is empty.
    """

    scenario: str = "base"
    players: int | None = None
    rules: Mapping[str, Any] = field(default_factory=dict)
    also: tuple[str, ...] = ()
    hidden: tuple[int, int] = (64, 32)
    games: int = 10_000
    replay_rounds: int = 4
    state_sample_rate: float = 0.15
    epsilon: float = 0.01
    temperature: float = 0.02
    opponent_fraction: float = 0.3
    opponents: tuple[str, ...] = ("greedy",)
    td_lambda: float = 0.9
    sibling_rate: float = 0.0
    sibling_turns: tuple[int, int] = (5, 8)
    sibling_weight: float = 60.0
    rate: float = 1e-3
    rate_end: float = 1e-4
    batch: int = 4096
    check: int = 5
    check_games: int = 1000
    correction: float = 0.0
    start: tuple[str, ...] = ()
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("games", "replay_rounds", "batch", "check_games"):
            check_count(name, getattr(self, name))
        for name in ("check", "seed"):
            check_count(name, getattr(self, name), 0)
        check_number("state_sample_rate", self.state_sample_rate, 1, above=0)
        for name in ("epsilon", "opponent_fraction", "td_lambda", "sibling_rate", "correction"):
            check_number(name, getattr(self, name), 1)
        for name in ("temperature", "sibling_weight", "rate", "rate_end"):
            check_number(name, getattr(self, name))
        for turn in self.sibling_turns:
            check_count("sibling_turns", turn)
        if self.sibling_turns[0] > self.sibling_turns[1]:
            raise OptionError(f"sibling_turns is {self.sibling_turns}; its first turn must not be after its last.")
        if not self.opponents:
            raise OptionError(
                "opponents is empty; name at least one agent. Set opponent_fraction to 0 to train without opponents."
            )

    def each(self) -> list[ValueTraining]:
        """Return separate settings for each scenario.

        Raises:
            ConfigError: an entry of `also` has an invalid number of players.
        """
        trainings = [replace(self, also=())]
        for scenario, players in map(scenario_and_players, self.also):
            trainings.append(replace(self, scenario=scenario, players=players, also=()))
        return trainings


def scenario_and_players(entry: str) -> tuple[str, int | None]:
    """Split an `also` entry into a scenario and a number of players (None if not given).

    Raises:
        ConfigError: the part after the colon is not a number.
    """
    name, _, suffix = entry.rpartition(":")
    if name in scenarios() and not suffix.isdecimal():
        raise ConfigError(f"also has {entry!r}; after the colon it needs a number of players, as in base:3.")
    scenario, players = split_scenario(entry)
    return scenario, int(players) if players else None
