"""What a rule function reads, found in its byte code."""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterator


def attributes_of(function: Callable) -> Iterator[tuple[str, str]]:
    """(parameter, attribute) wherever a function reads or writes an attribute of one of its parameters."""
    code = function.__code__
    parameters = code.co_varnames[: code.co_argcount]
    top = ""
    for instruction in dis.get_instructions(code):
        if instruction.opname.endswith("_ATTR") or instruction.opname == "LOAD_METHOD":
            if top in parameters:
                yield top, instruction.argval
        if "LOAD_FAST" in instruction.opname:
            top = instruction.argval[-1] if isinstance(instruction.argval, tuple) else instruction.argval
        elif instruction.opname not in ("COPY", "EXTENDED_ARG", "CACHE"):
            top = ""


def fields_named(function: Callable) -> set[str]:
    """Every name that a function takes as an attribute, of whatever: all fields that it reads or writes, and more."""
    return {i.argval for i in dis.get_instructions(function.__code__) if i.opname.endswith(("_ATTR", "_METHOD"))}
