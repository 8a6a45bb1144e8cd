"""Copying and pickling of agents: what an agent keeps of the engines that it has played in stays behind."""

from __future__ import annotations

from typing import Any


class Portable:
    """Makes `copy.deepcopy` and `pickle` give an agent that goes on as this one does.

    A subclass names in `of_engines` the attributes that `_forget_engines` sets: memory, compiled functions and
    references that belong to the engines it has played in. They are made again where the copy plays.
    """

    of_engines: tuple[str, ...] = ()

    def _forget_engines(self) -> None:
        """Sets these attributes as they are before the first game."""

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in self.of_engines}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._forget_engines()
