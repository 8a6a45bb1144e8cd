"""The engine's view of a scenario: facts, rule modules, a board and numbers."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from catan_env.engine.board import Board, NoBoard
from catan_env.engine.declare import NEUTRAL_LETTERS, NUM_PLAYERS, Number
from catan_env.errors import PlayerCountError, RuleValueError, UnknownRuleError
from catan_env.numeric import is_integer

INFORMATION = ("perfect", "imperfect")
CHANCE = ("deterministic", "stochastic")
UTILITY = ("one_winner", "shared_win")
STATUS = ("official", "reconstruction", "own")
TURN_LIMIT = "turn_limit"
"""Name of the rule number that sets when long games are truncated."""
LEFT = ("the next player", *(f"the {k} player to the left" for k in ("2nd", "3rd", "4th", "5th", "6th", "7th")))


@dataclass(frozen=True)
class Facts:
    """Basic facts about a game.

    Attributes:
        players: supported numbers of players, ascending.
        information: "perfect" if every player sees everything, else "imperfect".
        chance: "stochastic" if there are chance events, else "deterministic".
        utility: "one_winner" if one player wins, "shared_win" if several may win together.
        longest_game: total number of turns, across all players, after which a game is truncated; None for no limit.
        status: "official" for official rules and board, "reconstruction" if the printed rules and board are not public,
            or "own".
    """

    players: tuple[int, ...]
    information: str = "imperfect"
    chance: str = "stochastic"
    utility: str = "one_winner"
    longest_game: int | None = None
    status: str = "own"


@dataclass(frozen=True)
class Neutrals:
    """Colors on the board that no player controls. Their seats come after the players' seats.

    Attributes:
        count: number of neutral colors.
        traits: the abilities of neutral colors, from `declare.TRAITS`.
    """

    count: int = 0
    traits: tuple[str, ...] = ()


@dataclass(frozen=True)
class OptionalRule:
    """An optional rule module with the rule numbers that it needs.

    `registered_by` is the module outside the package that registers the rule, or "" if there is none.
    """

    module: Any
    numbers: Mapping[str, Any] = field(default_factory=dict)
    numbers_for: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    registered_by: str = field(default="", compare=False)


@dataclass(frozen=True)
class Scenario:
    """An ordered list of rule modules, a board and numbers.

    Attributes:
        modules: rule modules, in the order in which setup, mask and reaction functions run.
        numbers: rule numbers that differ from the modules' defaults.
        numbers_for: further differences, keyed by number of players.
        optional: optional rules of this scenario, by name ("<scenario>+<name>").
        history: one line per version.
        file: absolute path of the scenario file, for scenarios outside the package.
        module: the module outside the package that registers the scenario, or else one of its optional rules, as a
            dotted name or file path.
    """

    name: str
    version: int
    title: str
    summary: str
    facts: Facts
    modules: tuple
    board: Board = field(default_factory=NoBoard)
    numbers: Mapping[str, Any] = field(default_factory=dict)
    numbers_for: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    neutrals: Neutrals = Neutrals()
    optional: Mapping[str, OptionalRule] = field(default_factory=dict)
    history: tuple[str, ...] = ()
    file: str = ""
    module: str = field(default="", compare=False)

    def __repr__(self) -> str:
        players = " or ".join(map(str, self.players))
        return (
            f"Scenario({self.reference!r}, version={self.version}, {players} players, {len(self.modules)} rule modules)"
        )

    def __copy__(self) -> Scenario:
        return self

    def __deepcopy__(self, memo: dict) -> Scenario:
        return self

    @property
    def reference(self) -> str:
        """A reference for `find_scenario`: the scenario's name, "module:name" if the scenario or an optional rule comes
        from another package, or the path of the scenario file, with any optional rules appended.
        """
        rules = self.name[self.name.index("+") :] if "+" in self.name else ""
        if self.file:
            return f"{self.file}{rules}"
        return f"{self.module}:{self.name}" if self.module else self.name

    @property
    def players(self) -> tuple[int, ...]:
        """Supported numbers of players, ascending."""
        return self.facts.players

    @property
    def colors(self) -> int:
        """Number of rows in per-player fields: the largest number of players plus neutral colors."""
        return max(self.players) + self.neutrals.count

    @cached_property
    def sizes(self) -> dict[str, int]:
        """Length of every axis that rules use."""
        color_sizes = {"players": self.colors, "neutrals": self.neutrals.count, "opponents": max(self.players) - 1}
        return color_sizes | dict(self.board.sizes)

    @cached_property
    def names(self) -> dict[str, tuple[str, ...]]:
        """Names of the entries along each axis, such as "hex (0, -2)"."""
        letters = NEUTRAL_LETTERS[: self.neutrals.count]
        color_names = {
            "opponents": LEFT[: max(self.players) - 1],
            "neutrals": tuple(f"neutral color {letter}" for letter in letters),
        }
        return color_names | dict(self.board.names)

    def laid(self, board: Any, num_players: int) -> Scenario:
        """Return a copy of the scenario with the board of one engine.

        Raises:
            BoardError: see `Board.laid`.
        """
        return replace(self, board=self.board.laid(board, num_players))

    def with_rule(self, name: str, rule: OptionalRule) -> Scenario:
        """Return the scenario "<scenario>+<name>" with an optional rule, whose module runs last."""
        numbers_for = dict(self.numbers_for)
        for player_count, values in rule.numbers_for.items():
            numbers_for[player_count] = {**numbers_for.get(player_count, {}), **values}
        return replace(
            self,
            name=f"{self.name}+{name}",
            modules=(*self.modules, rule.module),
            numbers={**self.numbers, **rule.numbers},
            numbers_for=numbers_for,
            module=self.module or rule.registered_by,
        )

    def check_players(self, num_players: int | None) -> int:
        """Return the number of players, which defaults to the scenario's maximum.

        Raises:
            PlayerCountError: the scenario does not support this number.
        """
        if num_players is None:
            return self.players[-1]
        if not is_integer(num_players) or num_players not in self.players:
            raise PlayerCountError(
                f"num_players is {num_players!r}; scenario {self.name!r} allows {', '.join(map(str, self.players))}."
            )
        return int(num_players)

    def values(self, declared: Mapping[str, Number], num_players: int, overrides: Mapping[str, Any]) -> dict[str, Any]:
        """Return all rule numbers.

        The declared defaults are overridden by the scenario's values, then by its values for this number of players,
        and finally by the user's `overrides`.

        Raises:
            UnknownRuleError: the scenario has no rule number with this name.
            RuleValueError: a value is out of bounds or is not one of the choices.
        """
        values = {name: number.default for name, number in declared.items()}
        longest_game = self.facts.longest_game
        limit_numbers = {TURN_LIMIT: longest_game} if longest_game is not None and TURN_LIMIT in declared else {}
        for source in (limit_numbers, self.numbers, self.numbers_for.get(num_players, {}), overrides):
            for name, value in source.items():
                if name not in declared or name == NUM_PLAYERS.name:
                    raise UnknownRuleError(_unknown(name, self.name, declared))
                values[name] = _checked(declared[name], value)
        values[NUM_PLAYERS.name] = num_players
        return values


def _unknown(name: str, scenario: str, declared: Mapping[str, Number]) -> str:
    allowed = sorted(set(declared) - {NUM_PLAYERS.name})
    closest_names = difflib.get_close_matches(str(name), allowed, n=1)
    hint = f" Did you mean {closest_names[0]!r}?" if closest_names else ""
    if name == NUM_PLAYERS.name:
        hint = " Pass num_players= to the engine instead."
    return f"Scenario {scenario!r} has no rule number {name!r}.{hint} It has: {', '.join(allowed)}."


def _checked(number: Number, value: Any) -> Any:
    if number.choices:
        if value not in number.choices:
            raise RuleValueError(f"Rule {number.name!r} is {value!r}; allowed: {', '.join(number.choices)}.")
        return value
    shape = np.shape(number.default)
    if isinstance(value, Mapping) and number.labels:
        try:
            value = number.by_kind(value)
        except KeyError as error:
            raise RuleValueError(
                f"Rule {number.name!r} names {error}; allowed: {', '.join(number.labels)} ({number.meaning})."
            ) from None
    try:
        array = np.asarray(value)
    except ValueError:
        array = np.asarray(None)
    if array.dtype.kind not in "iu" or array.shape != shape:
        example = np.asarray(number.default).tolist()
        expected = f"integers of shape {shape}, such as {example}" if shape else "an integer"
        raise RuleValueError(f"Rule {number.name!r} is {value!r}; it must be {expected} ({number.meaning}).")
    if array.size and (array.min() < number.low or array.max() > number.high):
        raise RuleValueError(
            f"Rule {number.name!r} is {value!r}; allowed are {number.low} to {number.high} ({number.meaning})."
        )
    if number.some and not array.any():
        raise RuleValueError(
            f"Rule {number.name!r} is {value!r}; at least one entry must be above 0 ({number.meaning})."
        )
    return _as_tuples(array.tolist())


def _as_tuples(value: Any) -> Any:
    return tuple(map(_as_tuples, value)) if isinstance(value, list) else value
