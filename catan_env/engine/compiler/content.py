"""Digests of the content of rules, which are equal in every process.

A rule's digest covers everything that its code is made of: bytecode, constants, default values, compiler options, the
rules that it calls, and the intrinsics that it uses with their closures. Together with the compiler's settings and the
argument types, which include the offset of each field, it determines the compiled code. It contains no name or number
that Numba counts in each process. A rule that uses anything else has no digest.
"""

from __future__ import annotations

import hashlib
import types as python_types
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import numpy as np
from numba.core import types
from numba.core.dispatcher import Dispatcher
from numba.core.types.containers import BaseTuple
from numba.core.types.misc import NoneType, Omitted

from catan_env.engine.bytecode import strings_in
from catan_env.engine.compiler.layouts import LayoutRecord, NamedNumber, text_without_lengths

OWN_MODULES = "catan_env.engine.compiler."
"""Intrinsics in these modules are covered by the compiler's settings, which include a digest of their source."""
LIBRARIES = ("builtins", "numpy", "numba", "math")
"""Packages whose functions and classes are identified by name. Their versions are among the compiler's settings."""
PLAIN = (type(None), bool, int, float, str, bytes, np.number, np.bool_)
"""Types of values whose `repr` tells everything."""
ARGUMENTS = (types.Integer, types.Float, types.Boolean, NoneType, types.Record, types.Array, BaseTuple, Omitted)
"""Types of arguments whose name tells everything, except for the field names of tuples."""
DIGESTS: dict[Dispatcher, str] = {}
"""The digests of rules. Rules never change once they are composed."""
NAMES: dict[Dispatcher, frozenset[str]] = {}
"""The names that rules use; see `names_in`."""


class NoDigestError(Exception):
    """A rule uses something whose content is unknown."""


def digest_of(parts: Iterable[str]) -> str:
    """Return a digest of several strings."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def digest_of_rule(rule: Dispatcher, callers: tuple[Dispatcher, ...] = ()) -> str:
    """Return the digest of a rule's content. `callers` are the rules whose digests are being computed.

    Raises:
        NoDigestError: the rule uses something whose content is unknown, or calls itself through other rules.
    """
    if rule not in DIGESTS:
        function: Any = rule.py_func
        used = _globals_of(function)
        options = sorted((name, str(option)) for name, option in rule.targetoptions.items())
        parts = [repr(options), _text_of_function(function), *used, _text_of(tuple(used.values()), (*callers, rule))]
        DIGESTS[rule] = digest_of(parts)
    return DIGESTS[rule]


def text_of_argument(rule: Dispatcher, argument_type: types.Type) -> str:
    """Return a text that determines the type of a rule's argument, as far as the rule's code depends on it.

    Raises:
        NoDigestError: the type's name may not tell everything that code depends on.
    """
    if isinstance(argument_type, LayoutRecord):
        return argument_type.text_without_layout(names_in(rule))
    if isinstance(argument_type, types.NestedArray):
        return text_without_lengths(argument_type)
    return text_of_type(argument_type)


def names_in(rule: Dispatcher) -> frozenset[str]:
    """Return all names that a rule and the rules that it calls use, among them all fields."""
    if rule not in NAMES:
        NAMES[rule] = frozenset()  # for a rule that calls itself
        function: Any = rule.py_func
        used_values = (*_globals_of(function).values(), *_closure_of(function))
        names = {*function.__code__.co_names, *strings_in(function.__code__.co_consts)}
        NAMES[rule] = frozenset(names.union(*map(names_in, _rules_in(used_values))))
    return NAMES[rule]


def _rules_in(value: Any) -> Iterator[Dispatcher]:
    """Yield the rules in a value that a rule uses."""
    if isinstance(value, Dispatcher):
        yield value
    elif isinstance(value, tuple | frozenset):
        for part in value:
            yield from _rules_in(part)


def _globals_of(function: python_types.FunctionType) -> dict[str, Any]:
    """Return the global variables that a function uses, by name."""
    return {name: function.__globals__[name] for name in function.__code__.co_names if name in function.__globals__}


def _closure_of(function: python_types.FunctionType) -> tuple:
    """Return the values of a function's closure."""
    return tuple(cell.cell_contents for cell in function.__closure__ or ())


def _text_of_function(function: python_types.FunctionType) -> str:
    """Return a text for a function's code, default values and closure."""
    return digest_of([_text_of(function.__code__), *map(_text_of, (function.__defaults__, _closure_of(function)))])


def _text_of(value: Any, callers: tuple[Dispatcher, ...] = ()) -> str:
    """Return a text that determines a value which a rule or an intrinsic uses."""
    if isinstance(value, NamedNumber):
        return f"number {value.name}"
    if isinstance(value, PLAIN):
        return f"{type(value).__name__} {value!r}"
    if type(value) is tuple:
        return f"({', '.join(_text_of(part, callers) for part in value)})"
    if isinstance(value, frozenset):
        return f"set {sorted(map(_text_of, value))}"
    if isinstance(value, python_types.CodeType):
        signature = (value.co_argcount, value.co_kwonlyargcount, value.co_flags, value.co_varnames, value.co_freevars)
        code = (value.co_code, value.co_exceptiontable, value.co_names, signature, value.co_consts)
        return f"code {_text_of(code)}"
    if isinstance(value, types.Type):
        return f"type {text_of_type(value)}"
    if isinstance(value, Dispatcher):
        return _text_of_called(value, callers)
    return _text_of_definition(value)


def _text_of_called(rule: Dispatcher, callers: tuple[Dispatcher, ...]) -> str:
    """Return a text for a rule that the last of the callers calls."""
    if rule not in callers:
        return f"rule {digest_of_rule(rule, callers)}"
    if rule is callers[-1]:
        return "itself"
    raise NoDigestError(f"{rule.py_func.__name__} calls itself through other rules")


def _text_of_definition(value: Any) -> str:
    """Return a text for an intrinsic, or for a function, class or module of a library."""
    if (definition := getattr(value, "_defn", None)) is not None:
        return f"intrinsic {_text_of_definition(definition)}"
    module = value.__name__ if isinstance(value, python_types.ModuleType) else getattr(value, "__module__", None)
    name = f"{module}.{getattr(value, '__qualname__', '')}"
    if name.startswith(OWN_MODULES) and isinstance(value, python_types.FunctionType):
        return f"{name} {_text_of_function(value)}"
    if name.split(".")[0] in LIBRARIES and not hasattr(value, "py_func"):
        return f"{type(value).__name__} {name}"
    raise NoDigestError(f"{value!r} has an unknown content")


@cache
def text_of_type(argument_type: types.Type) -> str:
    """Return a text that determines an argument type, including the offset of each field.

    Raises:
        NoDigestError: the type's name may not tell everything that code depends on.
    """
    if type(argument_type).__module__.startswith(OWN_MODULES):
        return argument_type.name
    is_known = isinstance(argument_type, ARGUMENTS) and isinstance(getattr(argument_type, "value", 0), PLAIN)
    if not is_known:
        raise NoDigestError(f"{argument_type} is no type of numbers, arrays, records or tuples")
    parts = [text_of_type(part) for part in argument_type] if isinstance(argument_type, BaseTuple) else []
    field_names = getattr(getattr(argument_type, "instance_class", None), "_fields", ())
    return f"{type(argument_type).__name__} {argument_type.name} {field_names} {parts}"
