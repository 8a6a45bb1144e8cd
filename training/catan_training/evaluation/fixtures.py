"""Definition of a tournament: agents, tables, lineups, orders of seats, and stopping."""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from catan_env.engine.program import program_of
from catan_env.engine.registry import find_scenario
from catan_env.errors import OptionError
from catan_env.text_files import read_toml

LINEUPS = ("mixed", "duels")
ORDERS = ("all", "rotations")
MOST_GAMES = 20_000
"""Maximum number of games of one paired seed: they are played in one batch."""


@dataclass(frozen=True)
class Entrant:
    """An agent with its options and the label that result tables show."""

    label: str
    agent: str
    options: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, given: Any) -> Entrant:
        """Create an entrant from a name, or from a mapping with `agent`, an optional `label`, and agent options."""
        if isinstance(given, Mapping) and isinstance(given.get("agent"), str):
            options = {key: value for key, value in given.items() if key not in ("agent", "label")}
            options_text = ", ".join(f"{key}={value}" for key, value in options.items())
            name = given["agent"] + (f" ({options_text})" if options_text else "")
            return cls(str(given.get("label", name)), given["agent"], options)
        if not isinstance(given, str):
            raise OptionError(f"Invalid agent {given!r}: it must be a name, or a table with `agent` and its options.")
        return cls(given, given)

    def to_dict(self) -> dict[str, Any]:
        """Return a mapping that `read` accepts."""
        return {"agent": self.agent, "label": self.label, **self.options}


def seated(agents: Sequence[Any], seats: int) -> list[Any]:
    """Return one agent for each seat; the last of the given ones takes all remaining seats.

    Raises:
        OptionError: the list of agents is empty or longer than the seats.
    """
    if not 1 <= len(agents) <= seats:
        raise OptionError(
            f"{len(agents)} agents for {seats} seats; give 1 to {seats}, of which the last takes the remaining seats."
        )
    return [*agents, *[agents[-1]] * (seats - len(agents))]


@dataclass(frozen=True)
class SeatedScenario:
    """A scenario with a number of players, and its lineups.

    A paired seed fixes a board and its chance. All lineups play every paired seed in all their orders of seats.

    Attributes:
        lineups: groups of agents that play together, as ascending indices of entrants.
        seating: (G, players) int64, index of the entrant in every seat of the G games of a paired seed.
        lineup_of: (G,) int64, index into `lineups`.
    """

    scenario: str
    num_players: int
    lineups: tuple[tuple[int, ...], ...]
    seating: np.ndarray = field(repr=False, compare=False)
    lineup_of: np.ndarray = field(repr=False, compare=False)

    @property
    def name(self) -> str:
        """Display name."""
        return f"{self.scenario}, {self.num_players} players"

    @property
    def entrants(self) -> list[int]:
        """Indices of the entrants at this table, ascending."""
        return sorted({entrant for lineup in self.lineups for entrant in lineup})


@dataclass(frozen=True)
class Fixtures:
    """All settings that determine the games of a tournament. Equal fixtures give equal games on any machine."""

    agents: tuple[Entrant, ...]
    scenarios: tuple[str, ...] = ("base",)
    players: tuple[int, ...] = ()
    """Numbers of players, each for the scenarios that allow it; empty: the maximum of each scenario."""
    rules: Mapping[str, Any] = field(default_factory=dict)
    lineups: str | tuple[tuple[str, ...], ...] = "mixed"
    """"mixed": all combinations of different agents; with fewer agents than seats, all with every agent at least once.
    "duels": every agent against every other one in all other seats. Or a list of lineups, by labels."""
    orders: str = "all"
    """"all" orders of seats, or "rotations", in which every agent sits in every seat equally often."""
    games: int = 1000
    """Maximum number of games per table, rounded up to whole jobs."""
    precision: float = 0.0
    """A table stops when every win rate is known within plus or minus this; 0: after `games`."""
    batch: int = 96
    """Approximate number of games per job; a job plays whole paired seeds."""
    seed: int = 0

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> Fixtures:
        """Create fixtures from a mapping, such as a TOML file or the output of `to_dict`.

        Raises:
            CatanError: a setting, agent, scenario, rule or number is unknown or invalid.
        """
        setting_names = [item.name for item in fields(cls)]
        for name in given:
            if name not in setting_names:
                close = difflib.get_close_matches(str(name), setting_names, n=1)
                hint = f"Did you mean {close[0]!r}?" if close else f"Settings: {', '.join(setting_names)}."
                raise OptionError(f"Unknown tournament setting {name!r}. {hint}")
        values = dict(given)
        for name in ("agents", "scenarios", "players"):
            if name in values:
                values[name] = tuple(_listed(name, values[name]))
        values["agents"] = tuple(map(Entrant.read, values.get("agents", ())))
        if not isinstance(values.get("lineups", ""), str):
            values["lineups"] = tuple(
                tuple(_listed("lineups", lineup)) for lineup in _listed("lineups", values["lineups"])
            )
        fixtures = cls(**values)
        fixtures._check()
        return fixtures

    def to_dict(self) -> dict[str, Any]:
        """Return a mapping that `read` accepts and JSON can store."""
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        lineups = self.lineups if isinstance(self.lineups, str) else [list(lineup) for lineup in self.lineups]
        return values | {
            "agents": [entrant.to_dict() for entrant in self.agents],
            "scenarios": list(self.scenarios),
            "players": list(self.players),
            "rules": dict(self.rules),
            "lineups": lineups,
        }

    def _check(self) -> None:
        for name, low in (("games", 1), ("batch", 1), ("seed", 0), ("precision", 0)):
            value, types = getattr(self, name), (int, float) if name == "precision" else int
            if not isinstance(value, types) or isinstance(value, bool) or value < low:
                raise OptionError(f"{name} is {value!r}; it must be a number, at least {low}.")
        if self.orders not in ORDERS:
            raise OptionError(f"orders is {self.orders!r}; allowed: {', '.join(ORDERS)}.")
        labels = [entrant.label for entrant in self.agents]
        if len(labels) < 2 or len(set(labels)) < len(labels):
            raise OptionError(f"A tournament needs at least two agents with different labels, not {labels}.")
        if not isinstance(self.rules, Mapping):
            raise OptionError(f"rules is {self.rules!r}; it must be a table of rule numbers.")
        for table in self.tables:
            if len(table.seating) > MOST_GAMES:
                raise OptionError(
                    f"{table.name}: {len(table.lineups)} lineups with orders={self.orders!r} make "
                    f"{len(table.seating):,} "
                    f"games per paired seed; the maximum is {MOST_GAMES:,}. Name fewer agents or lineups, or set "
                    "orders to rotations."
                )
            scenario = find_scenario(table.scenario)
            scenario.values(program_of(scenario).composition.numbers, table.num_players, self.rules)

    @cached_property
    def tables(self) -> tuple[SeatedScenario, ...]:
        """One table for each scenario and number of players."""
        tables = []
        for scenario in self.scenarios:
            allowed = find_scenario(scenario).players
            player_counts = [n for n in self.players if n in allowed] if self.players else [allowed[-1]]
            if not player_counts:
                find_scenario(scenario).check_players(self.players[0])
            tables += [self._table(scenario, n) for n in player_counts]
        if not tables or len(set(tables)) < len(tables):
            raise OptionError(f"scenarios is {list(self.scenarios)}; name at least one, each only once.")
        return tuple(tables)

    def _table(self, scenario: str, num_players: int) -> SeatedScenario:
        lineups = self._lineups(num_players)
        seating = [orders(lineup, self.orders) for lineup in lineups]
        lineup_of = np.repeat(np.arange(len(lineups)), [len(lineup_orders) for lineup_orders in seating])
        return SeatedScenario(scenario, num_players, lineups, np.concatenate(seating), lineup_of)

    def _lineups(self, num_players: int) -> tuple[tuple[int, ...], ...]:
        numbers = range(len(self.agents))
        if self.lineups == "duels":
            return tuple((k, *[other] * (num_players - 1)) for k in numbers for other in numbers if k != other)
        if self.lineups == "mixed":
            if len(numbers) >= num_players:
                return tuple(itertools.combinations(numbers, num_players))
            chosen = itertools.combinations_with_replacement(numbers, num_players)
            return tuple(lineup for lineup in chosen if len(set(lineup)) == len(numbers))
        if isinstance(self.lineups, str):
            raise OptionError(f"lineups is {self.lineups!r}; allowed: {', '.join(LINEUPS)}, or lists of agents.")
        number_of = {entrant.label: k for k, entrant in enumerate(self.agents)}
        for name in itertools.chain(*self.lineups):
            if name not in number_of:
                raise OptionError(
                    f"A lineup names {name!r}, which is not an agent of this tournament: {', '.join(number_of)}."
                )
        fitting = [
            tuple(sorted(number_of[name] for name in lineup)) for lineup in self.lineups if len(lineup) == num_players
        ]
        if not fitting or len(set(fitting)) < len(fitting):
            raise OptionError(
                f"Tables of {num_players} players need at least one lineup of {num_players} agents, each only once."
            )
        return tuple(fitting)


def orders(lineup: Sequence[int], kind: str = "all") -> np.ndarray:
    """Return the distinct orders of seats of a lineup, (orders, players) int64. "rotations" returns the cyclic ones."""
    if kind == "rotations":
        rotations = {tuple(lineup[k:]) + tuple(lineup[:k]) for k in range(len(lineup))}
        return np.array(sorted(rotations), np.int64)
    return np.array(sorted(_permutations(tuple(sorted(lineup)))), np.int64)


def _permutations(lineup: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the distinct permutations of a lineup in which entrants may repeat."""
    if len(lineup) < 2:
        return [lineup]
    rest_after = {first: lineup[: lineup.index(first)] + lineup[lineup.index(first) + 1 :] for first in lineup}
    return [(first, *reordered) for first, remaining in rest_after.items() for reordered in _permutations(remaining)]


def read_file(path: str | Path) -> dict[str, Any]:
    """Read settings for `Fixtures.read` from a TOML file.

    Raises:
        OptionError: the file cannot be read, or is not TOML.
    """
    return read_toml(path, "settings file", OptionError)


def _listed(name: str, value: Any) -> Sequence[Any]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise OptionError(f"{name} is {value!r}; it must be a list.")
    return value
