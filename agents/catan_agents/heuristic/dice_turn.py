"""What the rolls of a turn can bring in the dice game, exactly and for many games at a time.

Whoever says what each basket of pieces is worth, and a joker, learns what every die to keep or to take up is worth.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from catan_agents.dice_game.sheets import DICE, FACES, GOLD, Multisets, affordable, jokers_needed

CODE = (DICE + 1) ** np.arange(FACES)
"""Counts of dice as one number."""
MOST_OF_ANY = 2
"""Jokers for any side that make a difference."""
ANY = 2**GOLD
"""The set of jokers of one for any side; those below are bits by the side they give."""


class DicePrices:
    """What dice pay for.

    Args:
        costs: what a road, settlement, city and knight cost, FACES numbers each.
        gold_rate: dice showing gold that are given for one of another side.

    Attributes:
        baskets: (b, 4) roads, settlements, cities and knights that six dice can pay for; the first is empty.
        costs: (b, FACES) what they cost.
        jokers: (sets of jokers, b, multisets) float32 jokers that it takes at least, infinite where none suffice.
        by_size: the numbers of the multisets of 0 to DICE dice.
        less: (multisets, FACES) the number with one die less of each side, its own where there is none.
    """

    def __init__(self, costs: tuple[tuple[int, ...], ...], gold_rate: int):
        self.multisets = Multisets()
        self.baskets = affordable(np.array(costs))
        self.costs = self.baskets @ np.array(costs)
        counts = self.multisets.counts
        needed = jokers_needed(self.costs, counts, gold_rate)
        lacks = self.costs[:, None, :GOLD] > counts[:, :GOLD]
        sets = np.arange(ANY * (MOST_OF_ANY + 1))[:, None, None]
        helpful = sets // ANY + sum(lacks[..., side] & sets >> side for side in range(GOLD))
        self.jokers = np.where(needed <= helpful, needed, np.inf).astype(np.float32)
        sizes = counts.sum(axis=1)
        self.by_size = [np.flatnonzero(sizes == k) for k in range(DICE + 1)]
        self._plus, here = self.multisets.plus, np.arange(len(counts))[:, None]
        self.less = np.where(self.multisets.minus < 0, here, self.multisets.minus)
        self._number = np.zeros(CODE.sum() * DICE + 1, np.int64)
        self._number[counts @ CODE] = np.arange(len(counts))

    def number(self, dice: np.ndarray) -> np.ndarray:
        """(n,) the numbers of what dice show, (n, FACES)."""
        return self._number[dice @ CODE]

    def standing(self, dice: np.ndarray, worth: np.ndarray, joker: np.ndarray, jokers: np.ndarray) -> np.ndarray:
        """What each basket brings if the dice stay as they are, -inf where it cannot be paid.

        Args:
            dice: their numbers, (multisets,) for all, or (n, 1).
            worth: (n, b) of baskets.
            joker: (n,) of one joker, more than 0.
            jokers: (n,) the sets that can be used, see `ANY`.

        Returns:
            (n, b, multisets) float32.
        """
        dice = np.broadcast_to(dice, (len(worth), np.shape(dice)[-1]))
        paid = self.jokers[jokers[:, None, None], np.arange(len(self.baskets))[:, None], dice[:, None]]
        return worth[:, :, None].astype(np.float32) - joker[:, None, None].astype(np.float32) * paid

    def rolling(self, stand: np.ndarray, dice: int, rolls: int) -> tuple[np.ndarray, np.ndarray]:
        """What is to be expected of a turn with so many dice.

        Args:
            stand: (multisets of so many dice, n) what they bring if they stay as they are.
            dice: how many the turn has.
            rolls: how many are left, 1 at least.

        Returns:
            For all multisets up to so many dice, (multisets, n): what it brings if the others are rolled, or nothing
            is where there are none; and the best of what is had if any of them are taken up first.
        """
        *fewer, full = self.by_size[: dice + 1]
        value = np.full((len(self._plus), stand.shape[1]), -np.inf, np.float32)
        best, end = value, stand
        for _ in range(rolls):
            value[full] = end
            for some in reversed(fewer):
                value[some] = value[self._plus[some]].mean(axis=1)
            value[full] = stand
            best = value.copy()
            for some in (*fewer[1:], full):
                best[some] = np.maximum(best[some], best[self.less[some]].max(axis=1))
            end = best[full]
        return value, best


@cache
def dice_prices(costs: tuple[tuple[int, ...], ...], gold_rate: int) -> DicePrices:
    """The tables of these prices, made once."""
    return DicePrices(costs, gold_rate)
