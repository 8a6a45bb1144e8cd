"""An engine's encoders, created on first use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Encoders:
    """One engine's encoders.

    Args:
        engine: the engine whose games the encoders observe.
        make: `make(engine, name, dtype)` creates an encoder; see `catan_env.encoders`.
    """

    def __init__(self, engine: Any, make: Callable[[Any, str, str], Any]):
        self.engine, self.make = engine, make
        self._made: dict[tuple[str, str], Any] = {}

    def get(self, name: str, dtype: str) -> Any:
        """Return the encoder with the given name and dtype.

        Raises:
            UnknownEncoderError, OptionError: the encoder or dtype is unknown.
        """
        key = name if type(name) is str else repr(name), dtype if type(dtype) is str else repr(dtype)
        if key not in self._made:
            self._made[key] = self.make(self.engine, name, dtype)
        return self._made[key]
