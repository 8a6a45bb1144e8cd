"""An agent that asks a person at the terminal and shows the seat's view."""

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
"""Maximum number of actions in one list. With more legal actions, the agent asks for the kind first."""


class HumanAgent:
    """An agent that asks a person. It takes forced actions without asking.

    Args:
        ask: function that shows a prompt and returns a line.
        tell: function that shows a text.
        seed: unused; every agent accepts one.
    """

    name = "human"

    def __init__(self, ask: Callable[[str], str] = input, tell: Callable[[str], None] = print, seed: int = 0):
        for name, function in (("ask", ask), ("tell", tell)):
            if not callable(function):
                raise OptionError(f"{name} is {function!r}; it must be a function that takes a string.")
        check_seed(seed)
        self._ask, self._tell = ask, tell

    def reset(self, seed: int) -> None:
        """Do nothing: the agent uses no random numbers."""

    def act(self, engine: BatchEngine, games: np.ndarray) -> np.ndarray:
        """Return the actions that the person chooses.

        Raises:
            CatanError: the input has ended.
        """
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
        """Ask for one of several choices, and return its index."""
        if len(choices) == 1:
            return 0
        self._tell("\n".join(f"{number:4d}  {choice}" for number, choice in enumerate(choices, 1)))
        while True:
            try:
                answer = self._ask(f"Your choice, 1 to {len(choices)}: ").strip()
            except EOFError:
                raise CatanError("The input has ended. Run the game in a terminal, or choose another agent.") from None
            if answer.isascii() and answer.isdigit() and 1 <= int(answer) <= len(choices):
                return int(answer) - 1
            self._tell(f"{answer!r} is not a number from 1 to {len(choices)}.")
