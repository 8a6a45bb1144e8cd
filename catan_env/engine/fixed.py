"""Attributes that are set once. Later assignments would have no effect, so they raise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from catan_env.errors import OptionError

Value = TypeVar("Value")


class Fixed(Generic[Value]):
    """An attribute that its object sets once, when it is made. Reading costs no more than for any attribute."""

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
