"""Composition: turns rule modules into one compiled program.

`bind` copies a rule function and replaces its globals. Declarations become numbers, events and questions become
functions composed from the scenario's modules, and helper functions are copied recursively. The result is ordinary
Numba code, or ordinary Python (`Composition.plain`, and always under `NUMBA_DISABLE_JIT=1`). Only the outermost kernels
are cached on disk. Their names contain a digest of all their parts, so no stale kernel is used after a change to a
rule, the module order or the record layout.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterable
from copy import copy
from typing import Any

import numpy as np

from catan_env.engine.binding import did_you_mean, digest, generate
from catan_env.engine.bytecode import (
    ENTRY,
    attributes_of,
    constants_of,
    fields_named,
    why_it_is_no_rule,
    why_reads_are_hidden,
)
from catan_env.engine.compiler.bits import WORD_BITS
from catan_env.engine.compiler.jit import (
    DISABLE_JIT,
    PLAIN_FUNCTIONS,
    compiler_settings,
    constant,
    in_plain_python,
    jit,
    jit_kernel,
)
from catan_env.engine.compiler.marks import MARK_BITS
from catan_env.engine.declarations import Declarations
from catan_env.engine.declare import (
    ANY,
    EVERY,
    LEAST,
    SUM,
    Action,
    Composed,
    Decision,
    Draw,
    Event,
    Kind,
    Question,
    Size,
    Symbol,
)
from catan_env.engine.field_names import field_names
from catan_env.errors import CompositionError

RULES = "catan_env.engine."
"""Prefix of the modules whose kernels loop over rules. Loops in all other kernels, such as encoders, are vectorized."""


class Composition(Declarations):
    """One scenario's rule modules, composed into fields, action and outcome tables, and functions.

    Args:
        name: name used within compiled names.
        display_name: name shown in messages.
        modules: rule modules, in the order in which setup functions and reactions run.
        sizes: axis lengths by name.
        compiled: whether functions are compiled or stay plain Python.

    Raises:
        CompositionError: two modules declare the same name, or a rule uses a name that no module declares.
    """

    def __init__(
        self,
        name: str,
        modules: Iterable,
        sizes: dict[str, int],
        display_name: str = "",
        compiled: bool = not DISABLE_JIT,
    ):
        super().__init__(name, modules, sizes, display_name)
        self.compiled = compiled
        self.additions: list[tuple[str, str, list[str], dict[str, Any]]] = []
        """Arguments of all calls to `add_function`."""
        self.replaced: dict[str, str] = {}
        """Maps the name of each replaced function to the name of its replacement; see `instead`."""
        self._replaced_in: Composition | None = None
        self._plain: Composition | None = None
        self._functions: dict[str, Callable] = {}
        self._bound: dict[Callable, Callable] = {}
        self._digests: dict[Callable, str] = {}
        self._open: list[Callable | str] = []
        self.params_reads: dict[str, str] = {}
        """Maps each name read as `params.<name>` to one function that reads it."""
        self._kernels: dict[Callable, Callable] = {}
        self.named_numbers: dict[str, int] = {}
        """Sizes and codes by the names that compiled rules use for them."""
        self._compose_all()

    def _compose_all(self) -> None:
        self._compose_apply()
        self._dispatch(
            "mark_legal",
            "game, params, seat, decision, mask",
            "decision",
            {
                self.code(name): [(function, "(game, params, seat, mask)") for function in self.roles("legal", name)]
                for name in self.decisions
            },
        )
        self._dispatch(
            "draw_weights",
            "game, params, draw, weights",
            "draw",
            {
                self.code(name): [(function, "(game, params, weights)") for function in self.roles("weights", name)]
                for name in self.draws
            },
        )
        even_codes = [self.code(name) for name in self.draws if not self.roles("weights", name)]
        self._define(
            "is_even", "draw", [f"return {' or '.join(f'draw == {code}' for code in even_codes) or 'False'}"], {}
        )
        self._dispatch(
            "apply_outcome",
            "game, params, draw, outcome",
            "draw",
            {
                self.code(name): [(function, "(game, params, outcome)") for function in self.roles("outcome", name)]
                for name in self.draws
            },
        )
        action_count = sum(self.extent(action.over) for action in self.actions.values())
        self._define("mask_words", "", [f"return {-(-action_count // MARK_BITS)}"], {})
        self._define("mask_blocks", "", [f"return {-(-action_count // WORD_BITS)}"], {})
        self._sequence("set_up", "game, params", self.roles("set_up"))
        self._total(
            "check_invariants",
            "game, params",
            [
                (function, f"(0 if {{}}(game, params) else {1 << k})")
                for k, name in enumerate(self.invariants)
                for function in self.roles("checks", name)
            ],
        )

    def _compose_apply(self) -> None:
        """Generate the code that dispatches on the kind of action and, where rules specify one, on the decision."""
        namespace: dict = {}
        lines: list[str] = []
        for kind, name in enumerate(self.actions):
            appliers = dict(self._appliers[name])
            general_applier = appliers.pop("", None)
            lines.append(f"{'elif' if lines else 'if'} kind == {kind}:")
            calls = {
                decision_name: f"{self._name_in(namespace, applier)}(game, params, seat, int(argument))"
                for decision_name, applier in appliers.items()
            }
            keyword = "if"
            for decision, call in calls.items():
                lines += [f"    {keyword} decision == {self.code(decision)}:", f"        {call}"]
                keyword = "elif"
            if general_applier:
                call = f"{self._name_in(namespace, general_applier)}(game, params, seat, int(argument))"
                lines += ["    else:", f"        {call}"] if calls else [f"    {call}"]
        self._define("apply_action", "game, params, seat, decision, kind, argument", lines, namespace)

    def _dispatch(self, name: str, arguments: str, key: str, cases: dict[int, list]) -> None:
        namespace: dict[str, Any] = {}
        lines: list[str] = []
        for value, calls in cases.items():
            lines.append(f"{'if' if not lines else 'elif'} {key} == {value}:")
            for function, call in calls:
                lines.append(f"    {self._name_in(namespace, function)}{call}")
            if not calls:
                lines.append("    pass")
        self._define(name, arguments, lines, namespace)

    def _sequence(self, name: str, arguments: str, functions: Iterable[Callable]) -> Callable:
        namespace: dict = {}
        call = ", ".join(
            argument if argument in ("game", "params") else f"int({argument})" for argument in arguments.split(", ")
        )
        lines = [f"{self._name_in(namespace, function)}({call})" for function in functions]
        return self._define(name, arguments, lines, namespace)

    def _total(self, name: str, arguments: str, parts: list[tuple[Callable, str]]) -> Callable:
        namespace: dict = {}
        terms = [text.format(self._name_in(namespace, function)) for function, text in parts]
        return self._define(name, arguments, [f"return {' + '.join(terms) or '0'}"], namespace)

    def _name_in(self, namespace: dict, function: Callable) -> str:
        name = f"{function.__name__}_{len(namespace)}"
        namespace[name] = self.bind(function)
        return name

    def _define(self, name: str, arguments: str, lines: list[str], namespace: dict) -> Callable:
        digest_parts = [
            name,
            arguments,
            *lines,
            *map(self._text_of, namespace.values()),
        ]
        function = self._jit(generate(name, arguments, lines, namespace))
        self._digests[function] = digest(digest_parts)
        self._functions[name] = function
        return function

    def add_function(self, name: str, arguments: str, lines: list[str], functions: dict[str, Any]) -> None:
        """Define a generated function that kernels refer to as `Composed(name)`.

        `functions` may contain rule functions, Numba intrinsics, and names of other generated functions.
        """
        self.additions.append((name, arguments, lines, functions))
        self._define(name, arguments, lines, {key: self._meaning(function) for key, function in functions.items()})

    def defines(self, name: str) -> bool:
        """Return whether a generated function with this name exists."""
        return name in self._functions

    def function(self, name: str) -> Callable:
        """Return the generated function with this name, bound to this scenario."""
        return self._functions[name]

    def _is_rule(self, value: object) -> bool:
        """Return whether a rule's global is a function that must be bound: neither already bound nor an intrinsic."""
        is_function = isinstance(value, types.FunctionType)
        return is_function and value not in self._digests and value not in PLAIN_FUNCTIONS

    def _text_of(self, value: Any) -> str:
        """Return a text that tells the global variables of functions apart in digests.

        Intrinsics from the same factory share a name, so the text of an intrinsic comes from its Python version.
        """
        if not callable(value):
            return repr(value)
        return self._digests.get(value) or f"{value!r} {getattr(in_plain_python(value), '__qualname__', '')}"

    def _meaning(self, value: Any) -> Any:
        """Return the value that a global variable used by a rule has in this scenario's functions."""
        if isinstance(value, Symbol):
            return self.resolve(value)
        if not self.compiled:
            value = in_plain_python(value)
        return self.bind(value) if self._is_rule(value) else value

    def _name_of(self, symbol: Any) -> str:
        """Return the name by which compiled rules refer to a size or code, so that scenarios share their code."""
        if not isinstance(symbol, (Size, Action, Decision, Draw)):
            return ""
        name, number = f"{type(symbol).__name__}.{symbol.name}", self.resolve(symbol)
        if self.named_numbers.setdefault(name, number) != number:
            kind = type(symbol).__name__
            raise CompositionError(f"Rules of {self.display_name} use two {kind} named {symbol.name!r}: rename one.")
        return name

    def _jit(self, function: Callable, inline: bool = False) -> Callable:
        return jit(function, inline) if self.compiled else function

    @property
    def plain(self) -> Composition:
        """The same rules in plain Python, composed on first use."""
        if not self.compiled:
            return self
        if self._plain is None and self._replaced_in is not None:
            self._plain = self._replaced_in.plain.instead(**self.replaced)
        elif self._plain is None:
            self._plain = Composition(self.name, self.modules, self.sizes, self.display_name, compiled=False)
        if self._replaced_in is None:
            for addition in self.additions[len(self._plain.additions) :]:
                self._plain.add_function(*addition)
        return self._plain

    def instead(self, **others: str) -> Composition:
        """Return the same rules with some generated functions replaced.

        The keys are function names; the values are the names of the replacements.
        """
        twin = copy(self)
        other_functions = {name: self._functions[other_name] for name, other_name in others.items()}
        vars(twin).update(_functions=self._functions | other_functions, _bound={}, _kernels={}, _plain=None)
        vars(twin).update(replaced=others, _replaced_in=self)
        return twin

    def resolve(self, symbol: Symbol):
        """Return the number or function that replaces a declaration in this scenario's functions."""
        match symbol:
            case Size():
                return self.length(symbol)
            case Action() if symbol.name in self.actions:
                return self._first[symbol.name]
            case Kind() if symbol.name in self.kinds:
                return self.names_along(symbol.axis).index(symbol.name)
            case Decision() | Draw() if symbol.name in self._codes:
                return self._codes[symbol.name]
            case Event():
                return self._announcer(symbol)
            case Question():
                return self._asker(symbol)
            case Composed() if symbol.name in self._functions:
                return self._functions[symbol.name]
        raise CompositionError(
            f"{type(symbol).__name__} {symbol.name!r} is used by a rule of {self.display_name}, but no module "
            "provides it. Add the module that does."
        )

    def _announcer(self, event: Event) -> Callable:
        key = f"announce_{event.name}"
        if key not in self._functions:
            self._refuse_circle(key)
            self._open.append(key)
            self._sequence(key, "game, params, player, where", self.roles("when", event.name))
            self._open.pop()
        return self._functions[key]

    def _refuse_circle(self, target: Callable | str) -> None:
        """Raise CompositionError if the target depends on itself through an event or a question."""
        circle = self._open[self._open.index(target) :] if target in self._open else []
        if any(isinstance(item, str) for item in circle):
            names = [item if isinstance(item, str) else item.__name__ for item in [*circle, target]]
            raise CompositionError(
                f"Reactions announce each other in a cycle: {' -> '.join(names)}. "
                "Push a decision instead of announcing."
            )

    def _asker(self, question: Question) -> Callable:
        key = f"ask_{question.name}"
        if key not in self._functions:
            self._refuse_circle(key)
            self._open.append(key)
            namespace: dict = {}
            answer_calls = [
                f"{self._name_in(namespace, function)}(game, params, int(player), int(where))"
                for function in self.roles("answers", question.name)
            ]
            expression = {
                SUM: " + ".join([str(question.start), *answer_calls]),
                ANY: " or ".join(answer_calls) or "False",
                EVERY: " and ".join(answer_calls) or "True",
            }.get(question.fold)
            if expression is None:
                expression = str(question.start)
                for answer_call in answer_calls:
                    expression = f"{'min' if question.fold == LEAST else 'max'}({expression}, {answer_call})"
            self._define(key, "game, params, player, where=0", [f"return {expression}"], namespace)
            self._open.pop()
        return self._functions[key]

    def bind(self, function: Callable) -> Callable:
        """Return a compiled copy of a rule function in which declarations are resolved for this scenario."""
        if function not in self._bound:
            copied, namespace = self._copy(function)
            bound_function = self._bound[function] = self._jit(copied, getattr(function, "inline", False))
            self._digests[bound_function] = f"recursion {function.__name__}"
            self._open.append(function)
            self._digests[bound_function] = self._fill(function, namespace)
            self._open.pop()
        else:
            self._refuse_circle(function)
        return self._bound[function]

    def kernel(self, template: Callable) -> Any:
        """Return the kernel of a template. If compiled, it releases the interpreter lock and is cached on disk."""
        if template not in self._kernels:
            self._kernels[template] = self._compiled(template)
        return self._kernels[template]

    def _compiled(self, template: Callable) -> Callable:
        copied, namespace = self._copy(template)
        settings = compiler_settings() + repr(self.record_dtype.descr)
        # Numba distinguishes named tuples by class, not by field order.
        tuple_types = [
            tuple_type
            for tuple_type in inspect.get_annotations(template, eval_str=True).values()
            if hasattr(tuple_type, "_fields")
        ]
        digest_parts = [
            self._fill(template, namespace),
            settings,
            *(repr((tuple_type.__name__, tuple_type._fields)) for tuple_type in tuple_types),
        ]
        copied.__name__ = copied.__qualname__ = f"{template.__name__}_{self.name}_{digest(digest_parts)}"
        if not self.compiled:
            return copied
        vectors = not template.__module__.startswith(RULES)
        label = f"{self.display_name} ({template.__name__})"
        return jit_kernel(copied, label, self.named_numbers, vectors, getattr(template, "parallel", False))

    def reads(self, function: Callable) -> set[str]:
        """Return the fields that a rule function may read or write.

        This includes the fields used by everything that the function calls, announces or asks.

        Raises:
            CompositionError: the function calls a generated function, whose reads are unknown.
        """
        fields_read: set[str] = set()
        visited: set[Callable] = set()
        pending: list[Any] = [function]
        while pending:
            reached = pending.pop()
            if reached in visited:
                continue
            visited.add(reached)
            fields_read |= fields_named(reached) & set(self.fields)
            for global_value in (reached.__globals__.get(name) for name in reached.__code__.co_names):
                if isinstance(global_value, Composed):
                    raise CompositionError(
                        f"Cannot tell which fields {global_value.name!r} reads, which {reached.__name__} uses."
                    )
                if isinstance(global_value, (Event, Question)):
                    pending += self.roles("when" if isinstance(global_value, Event) else "answers", global_value.name)
                elif self._is_rule(global_value):
                    pending.append(global_value)
        return fields_read

    def _copy(self, function: Callable) -> tuple[types.FunctionType, dict]:
        namespace: dict = {"__name__": function.__module__, "__builtins__": __builtins__}
        copied = types.FunctionType(
            function.__code__, namespace, function.__name__, function.__defaults__, function.__closure__
        )
        copied.__doc__ = function.__doc__
        return copied, namespace

    def _fill(self, function: Callable, namespace: dict) -> str:
        """Set the globals of a copied function and return a digest of all its parts."""
        self._check_names(function)
        code = function.__code__
        further = (function.__defaults__, getattr(function, "inline", False))
        digest_parts = [code.co_code.hex(), repr((code.co_names, constants_of(function), further))]
        digest_parts += [repr(cell.cell_contents) for cell in function.__closure__ or ()]
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            if isinstance(cell.cell_contents, (Symbol, types.FunctionType)):
                function_name = f"{function.__module__}.{function.__name__}"
                raise CompositionError(
                    f"{function_name} uses {name!r} from an enclosing function: define it at the level of the module."
                )
        for name in code.co_names:
            if name not in function.__globals__:
                continue
            value = self._meaning(function.__globals__[name])
            if isinstance(value, types.ModuleType) and value is not np:
                function_name = f"{function.__module__}.{function.__name__}"
                raise CompositionError(f"{function_name} uses module {name!r}: import the names it needs instead.")
            digest_parts.append(f"{name}={self._text_of(value)}")
            number_name = self._name_of(function.__globals__[name])
            namespace[name] = constant(value, number_name) if self.compiled else value
        return digest(digest_parts)

    def _check_names(self, function: Callable) -> None:
        """Raise CompositionError for undeclared fields and for reads that are not visible in the bytecode.

        Record the names that the function reads from `params`.
        """
        function_name = f"{function.__module__.rsplit('.', 1)[-1]}.{function.__name__}"
        if reason := why_reads_are_hidden(function, self.fields):
            raise CompositionError(f"{function_name} {reason}.")
        if reason := why_it_is_no_rule(function):
            raise CompositionError(f"{function_name} {reason}.")
        for parameter, name in attributes_of(function):
            if name == ENTRY and parameter in ("game", "params"):
                raise CompositionError(f"{function_name} indexes {parameter!r}: write {parameter}.NAME instead.")
            if parameter == "params":
                self.params_reads.setdefault(name, function_name)
            elif parameter == "game" and name not in field_names(self.record_dtype):
                raise CompositionError(
                    f"{function_name} uses game.{name}, but no module of {self.display_name} declares such a field."
                    f"{did_you_mean(name, self.fields)}"
                )
