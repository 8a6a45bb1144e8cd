"""An engine's encoders: made by name when they are first asked for, then kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Encoders:
    """The encoders of one engine.

    Args:
        engine: whose games they observe.
        make: `make(engine, name, dtype)` returns an encoder; `catan_env.encoders` has it.
    """

    def __init__(self, engine: Any, make: Callable[[Any, str, str], Any]):
        self.engine, self.make = engine, make
        self._made: dict[tuple[str, str], Any] = {}

    def get(self, name: str, dtype: str) -> Any:
        """Return the encoder of this name and dtype.

        Raises:
            UnknownEncoderError, OptionError: no such encoder or dtype.
        """
        key = name if type(name) is str else repr(name), dtype if type(dtype) is str else repr(dtype)
        if key not in self._made:
            self._made[key] = self.make(self.engine, name, dtype)
        return self._made[key]
