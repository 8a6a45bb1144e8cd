"""The combined declarations of a scenario's rule modules: fields, numbers, kinds, id tables, roles."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np

from catan_env.engine import decision_stack
from catan_env.engine.binding import did_you_mean, module_name, packed_dtype, rule_functions
from catan_env.engine.bitset import num_words
from catan_env.engine.bytecode import line_without_value
from catan_env.engine.declare import (
    NUM_PLAYERS,
    Action,
    Axis,
    Bitset,
    BoardArray,
    BoardCheck,
    ByName,
    Decision,
    Draw,
    Event,
    Feature,
    Field,
    Invariant,
    Kind,
    Menu,
    Number,
    Pairs,
    Size,
)
from catan_env.errors import CompositionError

OWN_NUMBERS = (NUM_PLAYERS,)
PARAMETERS = {
    "set_up": "game, params",
    "legal": "game, params, seat, mask",
    "apply": "game, params, seat, argument",
    "when": "game, params, player, where",
    "weights": "game, params, weights",
    "outcome": "game, params, outcome",
    "answers": "game, params, player, where",
    "shows": "game, params, seat, index",
    "checks": "game, params",
    "redeals": "game, params, seat, pool",
    "describes": "game, rules, seat",
}
"""The parameters that functions with each decorator take; messages show these names."""


class Declarations:
    """All declarations from a list of rule modules.

    Attributes:
        kinds, fields, numbers, actions, decisions, draws, events, features, invariants: declarations, keyed by name.
        board_arrays: declared bounds of board arrays, without duplicates.
        board_checks: conditions on several board arrays, keyed by name.
        axes: names of the kinds on each axis that has kinds.
        describers: functions that describe an action differently at a decision, keyed by action and decision name.
        num_actions, num_outcomes: number of action ids and of outcome ids.
        record_dtype: dtype of the game record.

    Raises:
        CompositionError: two modules declare the same name, or a declaration is inconsistent.
    """

    def __init__(self, name: str, modules: Iterable, sizes: dict[str, int], display_name: str = ""):
        self.name, self.display_name = name, display_name or name
        self.modules = tuple(modules)
        self._module_ids = frozenset(map(id, self.modules))
        self.sizes = dict(sizes)
        self.kinds: dict[str, Kind] = self._declared("KINDS", Kind)
        self.axes: dict[str, tuple[str, ...]] = {}
        for kind in self.kinds.values():
            self.axes[kind.axis.name] = (*self.axes.get(kind.axis.name, ()), kind.name)
        self.fields: dict[str, Field] = {
            name: self._labelled(field)
            for name, field in self._declared("FIELDS", Field, decision_stack.FIELDS).items()
        }
        for field in self.fields.values():
            dtype = np.dtype(field.dtype)
            if not np.iinfo(dtype).min <= field.low <= field.default <= field.high <= np.iinfo(dtype).max:
                raise CompositionError(
                    f"Field {field.name!r} has values {field.low} .. {field.high} and default {field.default}: they "
                    f"must satisfy low <= default <= high and fit into {dtype}."
                )
            if field.along is not None and self.length(field.along) - 1 > field.high:
                raise CompositionError(
                    f"Field {field.name!r} numbers {field.along.name} up to {field.high}, but the board of "
                    f"{self.display_name} has {self.length(field.along)} of them. Use a smaller board."
                )
        self.board_arrays: tuple[BoardArray, ...] = tuple(
            dict.fromkeys(array for module in self.modules for array in getattr(module, "BOARD_ARRAYS", ()))
        )
        self.board_checks: dict[str, BoardCheck] = self._declared("BOARD_CHECKS", BoardCheck)
        self.numbers: dict[str, Number] = {
            name: self._filled(number) for name, number in self._declared("NUMBERS", Number, OWN_NUMBERS).items()
        }
        for number in self.numbers.values():
            allowed, default = range(number.low, number.high + 1), np.ravel(number.default)
            if not all(value in (number.choices or allowed) for value in default.tolist()):
                bounds = ", ".join(number.choices) or f"{number.low} to {number.high}"
                raise CompositionError(
                    f"Number {number.name!r} has default {number.default!r}; allowed are {bounds}. Change one of them."
                )
        self.actions: dict[str, Action] = self._declared("ACTIONS", Action)
        self._by_role: dict[tuple[str, str], list[Callable]] = {}
        self._appliers: dict[str, dict[str, Callable]] = {}
        self.describers: dict[tuple[str, str], Callable] = {}
        self.decisions: dict[str, Decision] = {}
        self.draws: dict[str, Draw] = {}
        self.events: dict[str, Event] = {}
        self.features: dict[str, Feature] = {}
        self.invariants: dict[str, Invariant] = {}
        self._collect_roles()
        self._spread_menus()
        self._codes = {name: code for code, name in enumerate([*self.decisions, *self.draws])}
        self._first: dict[str, int] = {}
        self.num_actions = self._number_ids(self.actions.values())
        self.num_outcomes = self._number_ids(self.draws.values())
        self.record_dtype = self._packed(self.fields.values())

    def has_modules(self, modules: Iterable) -> bool:
        """Return whether all of the given rule modules belong to the scenario."""
        return self._module_ids.issuperset(map(id, modules))

    def _packed(self, fields: Iterable[Field]) -> np.dtype:
        """Return the dtype of a record with these fields."""
        return packed_dtype("game", self.name, [(field.name, field.dtype, self.shape(field)) for field in fields])

    def layout_of_record(self, derived: bool) -> list[tuple]:
        """Return the names, dtypes and shapes of the record's fields, with or without derived fields."""
        kept_fields = [field for field in self.fields.values() if derived or not field.derived]
        return self._packed(kept_fields).descr[1:]  # without the mark, whose name depends on all sizes

    def _declared(self, attribute: str, kind: type[Any], extra: Iterable = ()) -> dict:
        declared: dict[str, Any] = {item.name: item for item in extra}
        for module in self.modules:
            items: Iterable[Any] = getattr(module, attribute, ())
            for item in items:
                if not isinstance(item, kind):
                    raise CompositionError(
                        f"{module_name(module)}.{attribute} contains {item!r}; allowed are {kind.__name__} objects."
                    )
                if item.name in declared:
                    raise CompositionError(f"{kind.__name__} {item.name!r} is declared twice ({module_name(module)}).")
                declared[item.name] = item
        return declared

    def _labelled(self, field: Field) -> Field:
        """Return a field labeled with the names of the kinds along its last axis, if there are any."""
        names = self.names_along(field.shape[-1]) if field.shape else ()
        return replace(field, labels=names) if names else field

    def _filled(self, number: Number) -> Number:
        """Return a number in which missing kinds along `over` are 0 and the axis `along` limits `high`."""
        if number.along is not None:
            number = replace(number, high=min(number.high, self.length(number.along) - 1))
        axis = number.over
        if axis is None:
            return number
        number = replace(number, labels=self.names_along(axis))
        if isinstance(number.default, ByName):
            try:
                return replace(number, default=number.by_kind(number.default))
            except KeyError as error:
                raise CompositionError(
                    f"Number {number.name!r} names {error}, but axis {axis.name} of {self.display_name} has no "
                    f"such kind.{did_you_mean(error.args[0], number.labels)} It has: {', '.join(number.labels)}."
                ) from None
        missing_count = self.length(axis) - len(number.default)
        if missing_count < 0:
            kind_names = ", ".join(self.names_along(axis)) or "nothing"
            raise CompositionError(
                f"Number {number.name!r} has {-missing_count} values too many for axis {axis.name}: the "
                f"KINDS of the modules of {self.display_name} are {kind_names}."
            )
        return replace(number, default=(*number.default, *[0] * missing_count))

    def _spread_menus(self) -> None:
        """Add the `@legal` functions of each menu to the decisions that offer it, in module order."""
        position_of = {
            function: k
            for k, function in enumerate(function for module in self.modules for function in rule_functions(module))
        }
        for name, decision in self.decisions.items():
            functions = self._by_role.get(("legal", name), [])
            for menu in decision.menus:
                functions = functions + self._by_role.get(("legal", menu.name), [])
            self._by_role["legal", name] = sorted(dict.fromkeys(functions), key=position_of.__getitem__)

    def _collect_roles(self) -> None:
        declared_by_role: dict[str, dict[str, Any]] = {
            "legal": self.decisions,
            "weights": self.draws,
            "outcome": self.draws,
            "when": self.events,
            "shows": self.features,
            "checks": self.invariants,
        }
        for module in self.modules:
            for function in rule_functions(module):
                for role in function.roles:
                    _check_parameters(module, function, role.kind)
                    for symbol in role.symbols or (None,):
                        name = symbol.name if symbol else ""
                        self._by_role.setdefault((role.kind, name), []).append(function)
                        if role.kind == "apply":
                            self._add_applier(name, function, role.at)
                        if role.kind == "describes":
                            self.describers[name, role.at[0].name] = function
                        if role.kind in declared_by_role and not isinstance(symbol, Menu):
                            known_symbol = declared_by_role[role.kind].setdefault(name, symbol)
                            if known_symbol is not symbol and known_symbol != symbol:
                                raise CompositionError(f"Two declarations have the name {name!r}. Rename one.")
        for kind, names in (("apply", self.actions), ("outcome", self.draws)):
            for name in names:
                if (kind, name) not in self._by_role:
                    raise CompositionError(f"{name!r} has no @{kind} function. Write one.")

    def _add_applier(self, action: str, function: Callable, decisions: tuple[Decision, ...]) -> None:
        if action not in self.actions:
            raise CompositionError(f"{function.__name__} applies {action!r}, which no module lists in ACTIONS. Add it.")
        appliers = self._appliers.setdefault(action, {})
        for decision_name in [decision.name for decision in decisions] or [""]:
            if decision_name in appliers:
                function_names = f"{appliers[decision_name].__name__} and {function.__name__}"
                raise CompositionError(
                    f"Both {function_names} apply {action!r} at {decision_name or 'any decision'!r}. Remove one."
                )
            appliers[decision_name] = function

    def roles(self, kind: str, name: str = "") -> list[Callable]:
        """Return the functions with this role, in module order."""
        return self._by_role.get((kind, name), [])

    def appliers(self, action: str) -> dict[str, Callable]:
        """Return the functions that carry out an action, keyed by decision; the key "" covers all other decisions."""
        return dict(self._appliers[action])

    def functions_with_roles(self) -> list[Callable]:
        """Return all module functions that have a role, without duplicates."""
        return list(dict.fromkeys(function for functions in self._by_role.values() for function in functions))

    def extent(self, over) -> int:
        """Return the number of arguments that `over` defines."""
        if over is None:
            return 1
        return self.length(over) if isinstance(over, Size) else len(over)

    def names_along(self, over) -> tuple[str, ...]:
        """Return the declared names of the arguments that `over` defines, or an empty tuple if they have no names."""
        match over:
            case Axis():
                return (*self.names_along(over.beyond), *self.axes.get(over.name, ()))
            case Pairs():
                return tuple(over.text.format(*pair) for pair in permutations(self.names_along(over.of), 2))
            case tuple():
                return over
        return ()

    def length(self, size: Size | int) -> int:
        """Return the length of an axis.

        Raises:
            CompositionError: the scenario's board does not define this axis.
        """
        match size:
            case Pairs():
                return self.length(size.of) * (self.length(size.of) - 1)
            case Axis():
                return len(self.names_along(size))
            case Bitset():
                return num_words(self.length(size.of))
        if isinstance(size, int):
            return size
        if size.name not in self.sizes:
            raise CompositionError(
                f"Axis {size.name!r} has no length in {self.display_name}; known axes: {', '.join(sorted(self.sizes))}."
            )
        return self.sizes[size.name]

    def bounds(self, item: Field | BoardArray) -> tuple[int, int]:
        """Return the lowest and highest allowed values of a field or board array in this scenario."""
        if isinstance(item, BoardArray) and item.field is not None:
            return self.bounds(item.field)
        return item.low, item.high if item.along is None else min(item.high, self.length(item.along) - 1)

    def shape(self, item: Field) -> tuple[int, ...]:
        """Return the shape of a field in this scenario."""
        return tuple(self.length(size) for size in item.shape)

    def first(self, name: str) -> int:
        """Return the first id of an action kind, or of the outcomes of a draw."""
        return self._first[name]

    def code(self, name: str) -> int:
        """Return the code that represents a decision or draw on the decision stack."""
        return self._codes[name]

    def _number_ids(self, items: Iterable) -> int:
        next_id = 0
        for item in items:
            self._first[item.name] = next_id
            next_id += self.extent(item.over)
        return next_id


RETURNING = ("answers", "shows", "checks")
"""Decorators for functions that return a value."""


def _check_parameters(module, function: Callable, kind: str) -> None:
    """Raise CompositionError if the parameters or return value of a function do not match its decorator."""
    code = function.__code__
    if code.co_argcount != PARAMETERS[kind].count(",") + 1:
        raise CompositionError(
            f"{module_name(module)}.{function.__name__} takes ({', '.join(code.co_varnames[: code.co_argcount])}), but "
            f"@{kind} passes ({PARAMETERS[kind]})."
        )
    if kind in RETURNING and (line := line_without_value(function)):
        raise CompositionError(
            f"{module_name(module)}.{function.__name__} ends in line {line} without a value, but a function of @{kind} "
            "returns one on every path. Add the missing return."
        )
