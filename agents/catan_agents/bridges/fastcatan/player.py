"""The alpha-beta player of fastcatan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from catan_agents.bridges.fastcatan import states
from catan_agents.bridges.fastcatan.translation import TRADES
from catan_env.errors import OptionError

DEPTHS = range(1, 5)


class AlphaBeta:
    """The alpha-beta player of fastcatan at its table. It sees all hands and the cards in the stack.

    It is asked from the seat that decides, and its search knows no offers.

    Args:
        depth: plies of its search, 1 to 4.
        prune: whether its search leaves out unlikely actions, as fastcatan does it.

    Raises:
        OptionError: an option is out of bounds.
    """

    name = "alpha-beta"
    sees = "all hands, and the numbers of development cards in the stack by kind"

    def __init__(self, depth: int = 2, prune: bool = False):
        if depth not in DEPTHS:
            raise OptionError(f"depth is {depth!r}; allowed are {DEPTHS[0]} to {DEPTHS[-1]}.")
        self.depth, self.prune = depth, bool(prune)

    @classmethod
    def made(cls, options: Mapping[str, Any]) -> AlphaBeta:
        """Return a player with these options.

        Raises:
            OptionError: the player does not take an option.
        """
        if unknown := sorted(set(options) - {"depth", "prune"}):
            raise OptionError(f"The player of fastcatan has no option {unknown[0]!r}; it takes: depth, prune.")
        return cls(**options)

    def choose(self, env: Any, game: np.void) -> int:
        """Return the player's action."""
        return int(env.ab_decide(states.actor(game), self.depth, self.prune, TRADES))
