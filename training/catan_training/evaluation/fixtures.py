"""Tournament definitions: agents, tables, lineups, seat orders and the stopping rule."""

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
"""Maximum number of games per paired seed, all of which are played in one batch."""


@dataclass(frozen=True)
class Entrant:
    """An agent with its options and the label shown in result tables."""

    label: str
    agent: str
    options: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, given: Any) -> Entrant:
        """Create an entrant from an agent name, or from a mapping with `agent`, optional `label` and agent options."""
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
    """Return one agent per seat. The last of the given agents takes all remaining seats.

    Raises:
        OptionError: there are no agents, or more agents than seats.
    """
    if not 1 <= len(agents) <= seats:
        raise OptionError(
            f"{len(agents)} agents for {seats} seats; give 1 to {seats}, of which the last takes the remaining seats."
        )
    return [*agents, *[agents[-1]] * (seats - len(agents))]


@dataclass(frozen=True)
class SeatedScenario:
    """A scenario with a fixed number of players, and the lineups that play it.

    A paired seed fixes the board and all chance. Every lineup plays every paired seed in each of its seat orders.

    Attributes:
        lineups: groups of agents that play together, as ascending entrant indices.
        seating: (G, players) int64, the entrant index in each seat of a paired seed's G games.
        lineup_of: (G,) int64, index into `lineups`.
    """

    scenario: str
    num_players: int
    lineups: tuple[tuple[int, ...], ...]
    seating: np.ndarray = field(repr=False, compare=False)
    lineup_of: np.ndarray = field(repr=False, compare=False)

    @property
    def name(self) -> str:
        """The table's display name."""
        return f"{self.scenario}, {self.num_players} players"

    @property
    def entrants(self) -> list[int]:
        """Indices of the entrants at this table, in ascending order."""
        return sorted({entrant for lineup in self.lineups for entrant in lineup})


@dataclass(frozen=True)
class Fixtures:
    """All settings that determine a tournament's games. Equal fixtures produce equal games on any machine."""

    agents: tuple[Entrant, ...]
    scenarios: tuple[str, ...] = ("base",)
    players: tuple[int, ...] = ()
    """Player counts, each used for the scenarios that support it; if empty, the maximum for each scenario."""
    rules: Mapping[str, Any] = field(default_factory=dict)
    lineups: str | tuple[tuple[str, ...], ...] = "mixed"
    """"mixed": all combinations of different agents or, if there are fewer agents than seats, all that include every
    agent. "duels": each agent against every other agent, which takes all other seats. Or a list of lineups, given as
    labels."""
    orders: str = "all"
    """"all" seat orders, or "rotations", in which every agent sits in every seat equally often."""
    games: int = 1000
    """Maximum number of games per table, rounded up to whole jobs."""
    precision: float = 0.0
    """A table stops once every win rate is known to within plus or minus this margin; if 0, it stops after `games`."""
    batch: int = 96
    """Approximate number of games per job. Jobs always consist of complete paired seeds."""
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
        """Return a JSON-serializable mapping that `read` accepts."""
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
        """One table per combination of scenario and number of players."""
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
    """Return a lineup's distinct seat orders, shape (orders, players), int64; for "rotations", only cyclic orders."""
    if kind == "rotations":
        rotations = {tuple(lineup[k:]) + tuple(lineup[:k]) for k in range(len(lineup))}
        return np.array(sorted(rotations), np.int64)
    return np.array(sorted(_permutations(tuple(sorted(lineup)))), np.int64)


def _permutations(lineup: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the distinct permutations of a lineup, which may contain an entrant more than once."""
    if len(lineup) < 2:
        return [lineup]
    rest_after = {first: lineup[: lineup.index(first)] + lineup[lineup.index(first) + 1 :] for first in lineup}
    return [(first, *reordered) for first, remaining in rest_after.items() for reordered in _permutations(remaining)]


def read_file(path: str | Path) -> dict[str, Any]:
    """Read settings for `Fixtures.read` from a TOML file.

    Raises:
        OptionError: the file cannot be read or is not valid TOML.
    """
    return read_toml(path, "settings file", OptionError)


def _listed(name: str, value: Any) -> Sequence[Any]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise OptionError(f"{name} is {value!r}; it must be a list.")
    return value
