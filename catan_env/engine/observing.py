"""The encoders of an engine, created at first use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Encoders:
    """The encoders of one engine.

    Args:
        engine: the engine whose games they observe.
        make: `make(engine, name, dtype)` creates an encoder; see `catan_env.encoders`.
    """

    def __init__(self, engine: Any, make: Callable[[Any, str, str], Any]):
        self.engine, self.make = engine, make
        self._made: dict[tuple[str, str], Any] = {}

    def get(self, name: str, dtype: str) -> Any:
        """Return the encoder of this name and dtype.

        Raises:
            UnknownEncoderError, OptionError: unknown encoder or dtype.
        """
        key = name if type(name) is str else repr(name), dtype if type(dtype) is str else repr(dtype)
        if key not in self._made:
            self._made[key] = self.make(self.engine, name, dtype)
        return self._made[key]
