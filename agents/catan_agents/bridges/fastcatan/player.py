"""fastcatan's alpha-beta player."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from catan_agents.bridges.fastcatan import states
from catan_agents.bridges.fastcatan.translation import TRADES
from catan_env.errors import OptionError

DEPTHS = range(1, 5)


class AlphaBeta:
    """The alpha-beta player in fastcatan's own games. It sees all hands and the cards in the stack.

    It searches from the perspective of the seat to act and does not consider offers.

    Args:
        depth: search depth in plies, 1 to 4.
        prune: whether the search skips unlikely actions, using fastcatan's own pruning.

    Raises:
        OptionError: an option is out of range.
    """

    name = "alpha-beta"
    sees = "all hands, and the numbers of development cards in the stack by kind"

    def __init__(self, depth: int = 2, prune: bool = False):
        if depth not in DEPTHS:
            raise OptionError(f"depth is {depth!r}; allowed are {DEPTHS[0]} to {DEPTHS[-1]}.")
        self.depth, self.prune = depth, bool(prune)

    @classmethod
    def made(cls, options: Mapping[str, Any]) -> AlphaBeta:
        """Return a player with the given options.

        Raises:
            OptionError: the player does not accept one of the options.
        """
        if unknown := sorted(set(options) - {"depth", "prune"}):
            raise OptionError(f"The player of fastcatan has no option {unknown[0]!r}; it takes: depth, prune.")
        return cls(**options)

    def choose(self, env: Any, game: np.void) -> int:
        """Return the action that the player chooses."""
        return int(env.ab_decide(states.actor(game), self.depth, self.prune, TRADES))
