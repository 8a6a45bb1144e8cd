"""What a scenario is, to the engine: rule modules, axis lengths, numbers, and tables laid out from a board."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from catan_env.engine.declare import NUM_PLAYERS, Number
from catan_env.errors import BoardError, PlayerCountError, RuleValueError, UnknownRuleError


def _no_tables(board: Any, values: Mapping[str, Any]) -> dict[str, np.ndarray]:
    if board is not None:
        raise BoardError(f"this scenario is played without a board, and was given board={board!r}")
    return {}


def _no_names(topology: Any) -> Callable[[Any], Mapping[str, tuple[str, ...]]]:
    return lambda record: {}


def _as_it_is(scenario: Scenario, board: Any) -> Scenario:
    return scenario


@dataclass(frozen=True)
class Scenario:
    """An ordered list of rule modules, a map and a table of numbers.

    `tables(board, values)` gives the constant arrays that rules read as `table.<name>`, and raises BoardError
    where they do not fit together; `board` is what the user passed to the engine, None for the scenario's own,
    `values` are the numbers of the rules. Names, shapes and dtypes must not depend on either. `save_board` turns
    what the user passed into something JSON can hold. `on_board(scenario, board)` is the scenario with the geometry and
    names of that board, whose sizes are the same. `place_names(topology)(record)` says what people call the places of
    the board that is laid in a game, by axis.
    """

    name: str
    version: int
    title: str
    summary: str
    modules: tuple
    sizes: Mapping[str, int]
    players: tuple[int, ...]
    numbers: Mapping[str, Any] = field(default_factory=dict)
    numbers_for: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    tables: Callable[[Any, Mapping[str, Any]], Mapping[str, np.ndarray]] = _no_tables
    save_board: Callable[[Any], Any] = lambda board: board
    topology: Any = None
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What people call the places along an axis, such as "hex (0, -2)"."""
    history: tuple[str, ...] = ()
    on_board: Callable[[Scenario, Any], Scenario] = _as_it_is
    place_names: Callable[[Any], Callable[[Any], Mapping[str, tuple[str, ...]]]] = _no_names
    status: str = "published"
    """Where the board comes from, for people: "published", "printed", "reconstruction" or "own"."""
    boards_for: Mapping[int, Any] = field(default_factory=dict)
    """The board where the user names none, by number of players; those not listed play on the scenario's own."""
    neutral_traits: tuple[str, ...] = ()
    """What the colors that nobody plays do all the same, of `declare.TRAITS`."""
    extras: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Optional rule modules that not every scenario can have, by name: the `numbers`, and `numbers_for` a number of
    players, that the scenario has with each."""

    def with_module(self, name: str, module: Any) -> Scenario:
        """The same scenario with one more rule module at the end, and the numbers it has with it; its name becomes
        "<scenario>+<name>"."""
        more = self.extras.get(name, {})
        numbers_for = dict(self.numbers_for)
        for count, values in more.get("numbers_for", {}).items():
            numbers_for[int(count)] = {**numbers_for.get(int(count), {}), **values}
        return replace(
            self,
            name=f"{self.name}+{name}",
            modules=(*self.modules, module),
            numbers={**self.numbers, **more.get("numbers", {})},
            numbers_for=numbers_for,
        )

    def check_players(self, num_players: int | None) -> int:
        """The number of players to use; the scenario's largest by default.

        Raises:
            PlayerCountError: the scenario is not played by so many.
        """
        if num_players is None:
            return self.players[-1]
        whole = isinstance(num_players, (int, np.integer)) and not isinstance(num_players, bool)
        if not whole or num_players not in self.players:
            raise PlayerCountError(
                f"Scenario {self.name!r} is not played by {num_players!r}; allowed numbers of players: "
                f"{', '.join(map(str, self.players))}."
            )
        return int(num_players)

    def values(self, declared: Mapping[str, Number], num_players: int, overrides: Mapping[str, Any]) -> dict[str, Any]:
        """Every number of the rules: declared default, scenario, player count, then the user's overrides.

        Raises:
            UnknownRuleError: an override names no number of this scenario.
            RuleValueError: an override is out of bounds, or not one of the choices.
        """
        values = {name: number.default for name, number in declared.items()}
        for source in (self.numbers, self.numbers_for.get(num_players, {}), overrides):
            for name, value in source.items():
                if name not in declared or name == NUM_PLAYERS.name:
                    raise UnknownRuleError(_unknown(name, self.name, declared))
                values[name] = _checked(declared[name], value)
        values[NUM_PLAYERS.name] = num_players
        return values


def _unknown(name: str, scenario: str, declared: Mapping[str, Number]) -> str:
    allowed = sorted(set(declared) - {NUM_PLAYERS.name})
    close = difflib.get_close_matches(str(name), allowed, n=1)
    hint = f" Did you mean {close[0]!r}?" if close else ""
    if name == NUM_PLAYERS.name:
        hint = " Pass num_players= to the engine instead."
    return f"Scenario {scenario!r} has no rule number {name!r}.{hint} It has: {', '.join(allowed)}."


def _checked(number: Number, value: Any) -> Any:
    if number.choices:
        if value not in number.choices:
            raise RuleValueError(f"Rule {number.name!r} is {value!r}; allowed: {', '.join(number.choices)}.")
        return value
    shape = np.shape(number.default)
    try:
        array = np.asarray(value)
    except ValueError:
        array = np.asarray(None)
    if array.dtype.kind not in "iu" or array.shape != shape:
        kind = f"integers of shape {shape}" if shape else "an integer"
        raise RuleValueError(f"Rule {number.name!r} is {value!r}; it must be {kind} ({number.meaning}).")
    if array.size and (array.min() < number.low or array.max() > number.high):
        raise RuleValueError(
            f"Rule {number.name!r} is {value!r}; allowed are {number.low} to {number.high} ({number.meaning})."
        )
    return _as_tuples(array.tolist())


def _as_tuples(value: Any) -> Any:
    return tuple(map(_as_tuples, value)) if isinstance(value, list) else value
