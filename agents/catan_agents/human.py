"""A person at the terminal: sees what its seat sees, and is asked which action to take."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from catan_env.engine.random import check_seed
from catan_env.errors import CatanError, OptionError
from catan_env.render.ansi import text_of

if TYPE_CHECKING:
    from catan_env.engine.batch import BatchEngine

FEW = 25
"""More actions than that are listed by kind first."""


class HumanAgent:
    """Asks a person. Forced moves are made without asking.

    Args:
        ask: shows a prompt and returns a line.
        tell: shows a text.
        seed: of nothing; every agent takes one.
    """

    name = "human"

    def __init__(self, ask: Callable[[str], str] = input, tell: Callable[[str], None] = print, seed: int = 0):
        for name, function in (("ask", ask), ("tell", tell)):
            if not callable(function):
                raise OptionError(f"{name} is {function!r}; it must be a function of one text.")
        check_seed(seed)
        self._ask, self._tell = ask, tell

    def reset(self, seed: int) -> None:
        """It draws no lots."""

    def act(self, engine: BatchEngine, games: np.ndarray) -> np.ndarray:
        """Raises CatanError where nobody answers any more."""
        return np.array([self._choose(engine, int(game)) for game in games], np.int64)

    def _choose(self, engine: BatchEngine, game: int) -> int:
        legal = np.flatnonzero(engine.action_mask[game])
        if len(legal) == 1:
            return int(legal[0])
        self._tell(text_of(engine, game, viewer=int(engine.seat_to_act[game])))
        if len(legal) > FEW:
            action_kinds = list(dict.fromkeys(engine.actions.kind_of[action] for action in legal))
            if len(action_kinds) > 1:
                kind = action_kinds[self._number([kind.replace("_", " ") for kind in action_kinds])]
                legal = np.array([action for action in legal if engine.actions.kind_of[action] == kind])
        return int(legal[self._number([engine.describe(game, int(action)) for action in legal])])

    def _number(self, choices: list[str]) -> int:
        """Which of some choices is taken, from 0."""
        if len(choices) == 1:
            return 0
        self._tell("\n".join(f"{number:4d}  {choice}" for number, choice in enumerate(choices, 1)))
        while True:
            try:
                answer = self._ask(f"1 to {len(choices)}: ").strip()
            except EOFError:
                raise CatanError("Nobody answers any more: the game needs a person at the terminal.") from None
            if answer.isascii() and answer.isdigit() and 1 <= int(answer) <= len(choices):
                return int(answer) - 1
            self._tell(f"{answer!r} is no number from 1 to {len(choices)}.")
