"""The functions that scores are made of: shared values, hooks, goals and tables.

Each is declared once, called by name in scores, and generated for a scenario when one of its scores first needs it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from catan_env.engine.bytecode import attributes_of
from catan_env.engine.compose import Composition
from catan_env.engine.declare import ANY, EVERY, LEAST, SUM, Action, Composed, Decision, Draw, Kind, Size
from catan_env.engine.field_names import field_names
from catan_env.errors import CompositionError

PARAMETERS = ("game", "params", "seat", "memo")
CALL = ", ".join(PARAMETERS)
IMPOSSIBLE = 99.0
"""What a goal returns if the seat could not place the purchase."""

_rows: WeakKeyDictionary[Composition, dict[Any, tuple[int, int]]] = WeakKeyDictionary()
"""The row in a `Memo` and the length of each shared value of a composition."""
_missing: WeakKeyDictionary[Composition, dict[Any, str]] = WeakKeyDictionary()
"""What each function lacks in a composition, see `what_is_missing`."""


class Memo(NamedTuple):
    """The shared values of one decision.

    Attributes:
        known: (values,) bool, whether each value has been computed.
        values: (values, longest) float64, one row per value.
    """

    known: np.ndarray
    values: np.ndarray


def new_memo(composition: Composition) -> Memo:
    """Return a memo for the shared values that a composition's scores use."""
    lengths = [length for _, length in _rows.get(composition, {}).values()] or [1]
    return Memo(np.zeros(len(lengths), np.bool_), np.empty((len(lengths), max(lengths))))


def check_parameters(function: Callable, role: str, further: int) -> None:
    """Raise CompositionError unless a function takes `PARAMETERS` and this number of further ones."""
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    if names[: len(PARAMETERS)] != PARAMETERS or len(names) != len(PARAMETERS) + further:
        more = f" and {further} more" if further else ""
        raise CompositionError(f"{function.__name__} {role}: its parameters must be ({CALL}){more}.")


class Generated(Composed):
    """A function that is generated for a scenario when one of its scores first needs it."""

    def parts(self, composition: Composition) -> list[Any]:
        """Return the functions and generated functions that it calls in this scenario."""
        raise NotImplementedError

    def define(self, composition: Composition) -> None:
        """Add the function to a composition that defines everything that its parts need."""
        raise NotImplementedError


def provide(composition: Composition, part: Any, open_parts: tuple[Generated, ...] = ()) -> None:
    """Define every generated function that a function calls, directly or through others.

    Raises:
        CompositionError: a generated function depends on itself.
    """
    visited: set[Any] = set()
    pending: list[Any] = [part]
    while pending:
        reached = pending.pop()
        if reached in visited:
            continue
        visited.add(reached)
        if isinstance(reached, Generated):
            if reached in open_parts:
                raise CompositionError(f"{reached.name!r} depends on itself. Break the cycle.")
            if not composition.defines(reached.name):
                for further_part in reached.parts(composition):
                    provide(composition, further_part, (*open_parts, reached))
                reached.define(composition)
        elif isinstance(reached, FunctionType):
            pending += _globals_of(reached)


def _globals_of(function: FunctionType) -> list[Any]:
    """Return the functions and declarations that a function uses by name."""
    values = [function.__globals__.get(name) for name in function.__code__.co_names]
    return [value for value in values if isinstance(value, (FunctionType, Composed, Decision, Draw, Kind, Action))]


def what_is_missing(composition: Composition, part: Any) -> str:
    """Return a field or declaration that a function uses and a scenario lacks, or "" if there is none.

    A scenario without a robber, for example, omits the scores that read its position.
    """
    missing = _missing.setdefault(composition, {})
    if part not in missing:
        missing[part] = ""  # functions may call themselves
        missing[part] = _first_missing(composition, part)
    return missing[part]


def _first_missing(composition: Composition, part: Any) -> str:
    if isinstance(part, FunctionType):
        fields = field_names(composition.record_dtype)
        for parameter, name in attributes_of(part):
            if parameter == "game" and name != "[]" and name not in fields:
                return f"game.{name}"
        return next(filter(None, (what_is_missing(composition, value) for value in _globals_of(part))), "")
    if isinstance(part, SharedValue):
        return next(filter(None, (what_is_missing(composition, value) for value in (part.function, *part.arrays))), "")
    known: Any = True
    if isinstance(part, (Decision, Draw)):
        known = part.name in composition.decisions or part.name in composition.draws
    elif isinstance(part, Action):
        known = part.name in composition.actions
    elif isinstance(part, Kind):
        known = part.name in composition.kinds
    return "" if known else f"{type(part).__name__.lower()} {part.name!r}"


def uses(composition: Composition, of: Any, function: Callable) -> bool:
    """Return whether a scenario uses a rule module `of`, or all of a tuple, and has all that a function reads.

    Functions that name their modules must find everything there; otherwise composition raises an error.
    """
    modules = of if isinstance(of, tuple) else (of,)
    if modules:
        return composition.has_modules(modules)
    return not what_is_missing(composition, function)


# -- shared values ---------------------------------------------------------------------------------------------


class SharedValue(Generated):
    """A value that is computed at most once per decision; see `shared`."""

    def __init__(self, function: Callable, over: Size | int | None, arrays: tuple[SharedValue, ...]):
        super().__init__(f"{function.__module__}_{function.__name__}".replace(".", "_"))
        self.function, self.over, self.arrays = function, over, arrays

    def parts(self, composition: Composition) -> list[Any]:
        return [self.function, *self.arrays]

    def define(self, composition: Composition) -> None:
        rows = _rows.setdefault(composition, {})
        row, length = len(rows), 1 if self.over is None else composition.length(self.over)
        rows[self] = row, length
        functions: dict[str, Any] = {"compute": self.function}
        if self.over is None:
            parameters, entry = CALL, "0"
            lines = [f"memo.values[{row}, 0] = compute({CALL})"]
        else:
            parameters, entry = f"{CALL}, where", "where"
            functions |= {f"array_{k}": array for k, array in enumerate(self.arrays)}
            arrays = [f"memo.values[{rows[array][0]}]" for array in self.arrays]
            lines = [f"memo.values[{row}, :{length}] = 0.0"]
            lines += [f"array_{k}({CALL}, 0)" for k in range(len(self.arrays))]
            lines += [f"compute({', '.join([CALL, f'memo.values[{row}]', *arrays])})"]
        lines += [f"memo.known[{row}] = True"]
        lines = [f"if not memo.known[{row}]:", *(f"    {line}" for line in lines)]
        composition.add_function(self.name, parameters, [*lines, f"return memo.values[{row}, {entry}]"], functions)


def shared(over: Size | int | None = None, *arrays: SharedValue) -> Callable[[Callable], SharedValue]:
    """Make a function a value that the scores of a decision share, and that is computed at most once.

    `f(game, params, seat, memo)` returns a number, and scores call it as `f(game, params, seat, memo)`. With `over`,
    `f(game, params, seat, memo, values)` fills in one number per entry of an axis, and scores call it as
    `f(game, params, seat, memo, entry)`. `values` starts with zeros. `arrays` lists other such values, which the
    function takes as whole arrays after `values`.

    Raises:
        CompositionError: the function has other parameters.
    """

    def register(function: Callable) -> SharedValue:
        check_parameters(function, "computes a shared value", (over is not None) + len(arrays))
        return SharedValue(function, over, arrays)

    return register


# -- what several systems contribute to -------------------------------------------------------------------------


class Hook(Generated):
    """Combines the contributions of several systems to one number, starting with `start`.

    Scores call `hook(game, params, seat, memo, where, start)`.

    Args:
        name: name of the generated function.
        fold: how contributions are combined: `SUM`, `LEAST`, `ANY` or `EVERY`.
    """

    JOINED = {SUM: "{} + {}", LEAST: "min({}, {})", ANY: "{} or {}", EVERY: "{} and {}"}

    def __init__(self, name: str, fold: str):
        super().__init__(name)
        self._fold = fold
        self._contributions: list[tuple[Any, Callable]] = []

    def contribution(self, of: Any = ()) -> Callable[[Callable], Callable]:
        """Register `f(game, params, seat, memo, where)` for scenarios that use this rule module, or all of these.

        Without `of`, it applies to every scenario that defines all it uses.

        Raises:
            CompositionError: the function has other parameters.
        """

        def register(function: Callable) -> Callable:
            check_parameters(function, f"contributes to {self.name!r}", 1)
            self._contributions.append((of, function))
            return function

        return register

    def parts(self, composition: Composition) -> list[Any]:
        return [function for of, function in self._contributions if uses(composition, of, function)]

    def define(self, composition: Composition) -> None:
        functions = {f"part_{k}": function for k, function in enumerate(self.parts(composition))}
        expression = "start"
        for name in functions:
            expression = self.JOINED[self._fold].format(expression, f"{name}({CALL}, where)")
        composition.add_function(self.name, f"{CALL}, where, start", [f"return {expression}"], functions)


class Table(Generated):
    """Numbers by the names along an axis. Scores call `table(entry)`.

    Args:
        name: name of the generated function.
        over: the axis, or a tuple of names.
        numbers: the number of each name; all others have 0.
    """

    def __init__(self, name: str, over: Any, numbers: Mapping[str, float]):
        super().__init__(name)
        self.over, self.numbers = over, dict(numbers)

    def parts(self, composition: Composition) -> list[Any]:
        return []

    def define(self, composition: Composition) -> None:
        lines = []
        for entry, name in enumerate(composition.names_along(self.over)):
            if name in self.numbers:
                lines += [f"if entry == {entry}:", f"    return {float(self.numbers[name])!r}"]
        composition.add_function(self.name, "entry", [*lines, "return 0.0"], {})


# -- what to save for -------------------------------------------------------------------------------------------


def cards_missing(game, price, seat):
    """Return the number of cards that a seat lacks to pay a price."""
    missing = 0
    for card in range(len(price)):
        missing += max(price[card] - game.hands[seat, card], 0)
    return missing


def copy_price(price, values):
    """Copy a price to an array of the same length."""
    for card in range(len(price)):
        values[card] = price[card]


class Goals(Generated):
    """Chooses the purchase to save for. `goals(game, params, seat, memo, values)` writes its price to `values`."""

    def __init__(self, name: str):
        super().__init__(name)
        self._goals: list[tuple[Action, str, Callable, str]] = []

    def add(self, action: Action, *what: str) -> Callable[[Callable], Callable]:
        """Register `f(game, params, seat, memo)`, or a function with one more argument for several; see `goal`."""

        def register(function: Callable) -> Callable:
            is_one = len(what) == 1
            check_parameters(function, "sets a goal", 0 if is_one else 1)
            for argument, name in enumerate(what):
                self._goals.append((action, name, function, CALL if is_one else f"{CALL}, {argument}"))
            return function

        return register

    def _known(self, composition: Composition) -> list[tuple[str, Callable, str]]:
        actions = list(composition.actions.values())
        return [
            (what, function, call)
            for action, what, function, call in self._goals
            if action in actions and not what_is_missing(composition, function)
        ]

    def parts(self, composition: Composition) -> list[Any]:
        return [function for _, function, _ in self._known(composition)]

    def define(self, composition: Composition) -> None:
        goals = self._known(composition)
        functions: dict[str, Any] = {f"goal_{k}": function for k, (_, function, _) in enumerate(goals)}
        lines, copies = [f"fewest = {IMPOSSIBLE}", "chosen = 0"], []
        for k, (what, _, call) in enumerate(goals):
            lines += [
                f"further = goal_{k}({call})",
                f"if further < {IMPOSSIBLE}:",
                f"    missing = cards_missing(game, params.{what}_cost, seat) + further",
                "    if missing < fewest:",
                "        fewest = missing",
                f"        chosen = {k}",
            ]
            copies += [f"if chosen == {k}:", f"    copy_price(params.{what}_cost, values)"]
        functions |= {"cards_missing": cards_missing, "copy_price": copy_price}
        composition.add_function(self.name, f"{CALL}, values", [*lines, *copies], functions)


GOALS = Goals("find_goal")
SITE_BONUS = Hook("site_bonus", SUM)


def goal(action: Action, *what: str) -> Callable[[Callable], Callable]:
    """Register a purchase to save for, at the price `params.<what>_cost`, in games that have this action.

    The registered function `f(game, params, seat, memo)` returns a handicap in cards, or `IMPOSSIBLE` if the seat could
    not place the purchase. The seat saves for the purchase for which it lacks the fewest cards. With several names, one
    per argument of the action, the function takes the argument after `memo`.

    Raises:
        CompositionError: the function has other parameters.
    """
    return GOALS.add(action, *what)


def site_bonus(of: Any = ()) -> Callable[[Callable], Callable]:
    """Register `f(game, params, seat, memo, intersection)`, a bonus in pips for settling on an intersection.

    It applies to games that use the rule module `of`, or every module of a tuple. Without `of`, it applies to every
    game that defines all it uses.

    Raises:
        CompositionError: the function has other parameters.
    """
    return SITE_BONUS.contribution(of)
