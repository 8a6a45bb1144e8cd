"""Finds the fields that a rule function reads by inspecting its bytecode.

Rule functions access fields by naming them as attributes. Composition rejects any other kind of access; see
`why_reads_are_hidden`.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Collection, Iterator
from functools import wraps
from types import CodeType
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import numpy as np

Found = TypeVar("Found")

ENTRY = "[]"
"""The attribute that `attributes_of` gives when a parameter is subscripted, as in `mask[BET]`."""


def once_per_function(inspect: Callable[[Callable], Found]) -> Callable[[Callable], Found]:
    """Cache the result of an inspection for each function. Scenarios share most of their rules."""
    found: WeakKeyDictionary[Callable, Found] = WeakKeyDictionary()

    @wraps(inspect)
    def inspect_once(function: Callable) -> Found:
        if function not in found:
            found[function] = inspect(function)
        return found[function]

    return inspect_once


@once_per_function
def attributes_of(function: Callable) -> tuple[tuple[str, str], ...]:
    """Return a (parameter, attribute) pair for every parameter attribute that a function reads or writes.

    Subscripting a parameter with a constant or variable gives (parameter, ENTRY).
    """
    attributes: list[tuple[str, str]] = []
    code = function.__code__
    parameters = code.co_varnames[: code.co_argcount]
    pushed: list = []  # consecutively pushed variables and constants, most recent last
    for instruction in dis.get_instructions(code):
        opname = instruction.opname
        if opname in ("COPY", "EXTENDED_ARG", "CACHE"):
            continue
        if pushed and pushed[-1] in parameters and (opname.endswith("_ATTR") or opname == "LOAD_METHOD"):
            attributes.append((pushed[-1], instruction.argval))
        if len(pushed) > 1 and pushed[-2] in parameters and (opname.endswith("_SUBSCR") or instruction.argrepr == "[]"):
            attributes.append((pushed[-2], ENTRY))
        if "LOAD_FAST" in opname:
            pushed += instruction.argval if isinstance(instruction.argval, tuple) else (instruction.argval,)
        elif opname.startswith(("LOAD_CONST", "LOAD_SMALL_INT", "LOAD_GLOBAL")):
            pushed.append(None)
        else:
            pushed.clear()
    return tuple(attributes)


def uses(function: Callable, parameters: Collection[str]) -> bool:
    """Return whether a function reads any of these parameters, or holds functions that could."""
    code = function.__code__
    loaded = [instruction.argval for instruction in dis.get_instructions(code) if "LOAD_" in instruction.opname]
    names = {name for value in loaded for name in (value if isinstance(value, tuple) else (value,))}
    return not names.isdisjoint(parameters) or any(isinstance(value, CodeType) for value in code.co_consts)


def fields_named(function: Callable) -> set[str]:
    """Return all attribute names in a function, which include all fields that it reads or writes."""
    return {
        instruction.argval
        for instruction in dis.get_instructions(function.__code__)
        if instruction.opname.endswith(("_ATTR", "_METHOD"))
    }


def constants_of(function: Callable) -> tuple:
    """Return a function's constants, excluding its docstring."""
    constants = function.__code__.co_consts
    return constants[1:] if constants[:1] == (function.__doc__,) else constants


def strings_in(value: Any) -> Iterator[str]:
    """Yield every string contained in a constant or global."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple | list | frozenset | set):
        for part in value:
            yield from strings_in(part)


ALLOCATIONS = {
    "BUILD_LIST": "a list",
    "BUILD_MAP": "a dict",
    "BUILD_SET": "a set",
    "BUILD_STRING": "a text",
    "FORMAT_VALUE": "a text",
    "FORMAT_SIMPLE": "a text",
}
"""Instructions that allocate memory, and what they build."""
ARRAY_MAKERS = {"zeros", "ones", "empty", "full", "arange", "array", "concatenate", "flatnonzero"}
"""NumPy functions that allocate memory."""
USE_A_DRAW = (
    "draws random numbers: declare a `Draw` and push it with the seat CHANCE, so that search and replays know its "
    "outcome"
)


@once_per_function
def why_it_is_no_rule(function: Callable) -> str:
    """Return why a function cannot be a rule, or "" if it can.

    Rules must not allocate memory, since they are compiled without a runtime for it, and must not draw random numbers,
    since every random event is a `Draw`.
    """
    previous = None
    for instruction in dis.get_instructions(function.__code__):
        if instruction.opname in ALLOCATIONS:
            built, line = ALLOCATIONS[instruction.opname], line_of(instruction, function)
            return f"builds {built} in line {line}: rules may not allocate memory. Use numbers, loops and fields"
        if instruction.opname.endswith(("_ATTR", "_METHOD")) and previous is np:
            if instruction.argval == "random":
                return USE_A_DRAW
            if instruction.argval in ARRAY_MAKERS:
                return f"makes an array by np.{instruction.argval}: rules may not allocate memory. Declare a field"
        if instruction.opname == "LOAD_GLOBAL":
            previous = function.__globals__.get(instruction.argval)
            if type(getattr(previous, "__self__", None)).__module__ in ("random", "numpy.random.mtrand"):
                return USE_A_DRAW
        elif instruction.opname not in ("PUSH_NULL", "CACHE", "PRECALL", "EXTENDED_ARG"):
            previous = None
    return ""


def line_without_value(function: Callable) -> int | None:
    """Return the line where a function can end without returning a value, or None."""
    previous = None
    for instruction in dis.get_instructions(function.__code__):
        constant = instruction if instruction.opname == "RETURN_CONST" else None
        if instruction.opname == "RETURN_VALUE" and previous is not None and previous.opname == "LOAD_CONST":
            constant = previous
        if constant is not None and constant.argval is None:
            return line_of(instruction, function)
        previous = instruction
    return None


def line_of(instruction: dis.Instruction, function: Callable) -> int:
    """Return the line number of an instruction in its source file."""
    positions = instruction.positions
    return (positions.lineno if positions else None) or function.__code__.co_firstlineno


def why_reads_are_hidden(function: Callable, fields: Collection[str]) -> str:
    """Describe how a function could read a field without naming it as an attribute; return "" if it cannot."""
    code = function.__code__
    if any(isinstance(value, CodeType) for value in code.co_consts):
        return "holds a function, lambda or comprehension: define it as a function of the module, or write a loop"
    global_values = [function.__globals__.get(name) for name in code.co_names]
    closure_values = [cell.cell_contents for cell in function.__closure__ or ()]
    for text in strings_in([*constants_of(function), *global_values, *closure_values, *(function.__defaults__ or ())]):
        if text in fields:
            return f"uses the string {text!r}, which is a field's name: write game.{text}"
    for name, value in zip(code.co_names, global_values, strict=True):
        if hasattr(value, "py_func"):
            return f"calls {name!r}, which is compiled already: leave its decorator away, rules are compiled together"
    return ""
