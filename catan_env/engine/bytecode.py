"""The fields that a rule function reads, found in its byte code.

They are the attributes that the function names. Composition refuses every other way to reach a field; see
`why_reads_are_hidden`.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Collection, Iterator
from types import CodeType
from typing import Any

ENTRY = "[]"
"""Stands for the subscript of a parameter in `attributes_of`, as in `mask[BET]`."""


def attributes_of(function: Callable) -> Iterator[tuple[str, str]]:
    """Yield (parameter, attribute) for every attribute of a parameter that a function reads or writes.

    Subscripts of a parameter by a constant or a variable yield (parameter, ENTRY).
    """
    code = function.__code__
    parameters = code.co_varnames[: code.co_argcount]
    pushed: list = []  # consecutively pushed variables and constants, the last at the end
    for instruction in dis.get_instructions(code):
        opname = instruction.opname
        if opname in ("COPY", "EXTENDED_ARG", "CACHE"):
            continue
        if pushed and pushed[-1] in parameters and (opname.endswith("_ATTR") or opname == "LOAD_METHOD"):
            yield pushed[-1], instruction.argval
        if len(pushed) > 1 and pushed[-2] in parameters and (opname.endswith("_SUBSCR") or instruction.argrepr == "[]"):
            yield pushed[-2], ENTRY
        if "LOAD_FAST" in opname:
            pushed += instruction.argval if isinstance(instruction.argval, tuple) else (instruction.argval,)
        elif opname.startswith(("LOAD_CONST", "LOAD_SMALL_INT", "LOAD_GLOBAL")):
            pushed.append(None)
        else:
            pushed.clear()


def fields_named(function: Callable) -> set[str]:
    """Return all attribute names in a function. They include all fields that it reads or writes."""
    return {
        instruction.argval
        for instruction in dis.get_instructions(function.__code__)
        if instruction.opname.endswith(("_ATTR", "_METHOD"))
    }


def strings_in(value: Any) -> Iterator[str]:
    """Yield every string in a constant or global."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple | list | frozenset | set):
        for part in value:
            yield from strings_in(part)


def why_reads_are_hidden(function: Callable, fields: Collection[str]) -> str:
    """Return how a function could read a field without naming it as an attribute, or "" if it cannot."""
    code = function.__code__
    if any(isinstance(value, CodeType) for value in code.co_consts):
        return "holds a function, lambda or comprehension: define it as a function of the module, or write a loop"
    constants = code.co_consts[1:] if code.co_consts[:1] == (function.__doc__,) else code.co_consts
    global_values = [function.__globals__.get(name) for name in code.co_names]
    closure_values = [cell.cell_contents for cell in function.__closure__ or ()]
    for text in strings_in([*constants, *global_values, *closure_values, *(function.__defaults__ or ())]):
        if text in fields:
            return f"uses the string {text!r}, which is a field's name: write game.{text}"
    for name, value in zip(code.co_names, global_values, strict=True):
        if hasattr(value, "py_func"):
            return f"calls {name!r}, which is compiled already: leave its decorator away, rules are compiled together"
    return ""
