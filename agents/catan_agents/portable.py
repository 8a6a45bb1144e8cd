"""Copy and pickle agents without the memory tied to particular engines."""

from __future__ import annotations

from typing import Any


class Portable:
    """Base class for agents that support `copy.deepcopy` and `pickle`.

    A copy continues the original's random streams. Subclasses list in `of_engines` the attributes that
    `_forget_engines` resets: memory, compiled functions and references tied to particular engines. The copy recreates
    them when it plays.
    """

    of_engines: tuple[str, ...] = ()

    def _forget_engines(self) -> None:
        """Reset the attributes listed in `of_engines` to their state before the first game."""

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in self.of_engines}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._forget_engines()
