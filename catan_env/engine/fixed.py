"""Descriptors for options: fixed options, which would have no effect if set later, and changeable options."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from catan_env.errors import OptionError

Value = TypeVar("Value")


class Fixed(Generic[Value]):
    """An attribute that is set only once, when its object is created. It reads as fast as any other attribute."""

    if TYPE_CHECKING:

        def __get__(self, holder: Any, owner: type | None = None) -> Value: ...

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __set__(self, holder: Any, value: Value) -> None:
        if self.name in holder.__dict__:
            kind = type(holder).__name__
            raise OptionError(
                f"{self.name!r} of a {kind} is fixed when it is made; setting it later would change nothing. Make a "
                f"new {kind} with {self.name}=."
            )
        holder.__dict__[self.name] = value


class Changeable(Generic[Value]):
    """An attribute that can be changed at any time.

    Args:
        check: `check(name, value)` raises OptionError if the value is not allowed.
    """

    if TYPE_CHECKING:

        def __get__(self, holder: Any, owner: type | None = None) -> Value: ...

    def __init__(self, check: Callable[[str, Any], None]):
        self.check = check

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __set__(self, holder: Any, value: Value) -> None:
        self.check(self.name, value)
        holder.__dict__[self.name] = value
