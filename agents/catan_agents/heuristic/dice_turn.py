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
        needed_counts = jokers_needed(self.costs, counts, gold_rate)
        is_lacking = self.costs[:, None, :GOLD] > counts[:, :GOLD]
        joker_sets = np.arange(ANY * (MOST_OF_ANY + 1))[:, None, None]
        helpful_counts = joker_sets // ANY + sum(is_lacking[..., side] & joker_sets >> side for side in range(GOLD))
        self.jokers = np.where(needed_counts <= helpful_counts, needed_counts, np.inf).astype(np.float32)
        sizes = counts.sum(axis=1)
        self.by_size = [np.flatnonzero(sizes == dice_count) for dice_count in range(DICE + 1)]
        self._plus, own_numbers = self.multisets.plus, np.arange(len(counts))[:, None]
        self.less = np.where(self.multisets.minus < 0, own_numbers, self.multisets.minus)
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
        jokers_paid = self.jokers[jokers[:, None, None], np.arange(len(self.baskets))[:, None], dice[:, None]]
        return worth[:, :, None].astype(np.float32) - joker[:, None, None].astype(np.float32) * jokers_paid

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
        *smaller_sizes, full_size = self.by_size[: dice + 1]
        values = np.full((len(self._plus), stand.shape[1]), -np.inf, np.float32)
        best_values, end_values = values, stand
        for _ in range(rolls):
            values[full_size] = end_values
            for multisets in reversed(smaller_sizes):
                values[multisets] = values[self._plus[multisets]].mean(axis=1)
            values[full_size] = stand
            best_values = values.copy()
            for multisets in (*smaller_sizes[1:], full_size):
                best_values[multisets] = np.maximum(
                    best_values[multisets], best_values[self.less[multisets]].max(axis=1)
                )
            end_values = best_values[full_size]
        return values, best_values


@cache
def dice_prices(costs: tuple[tuple[int, ...], ...], gold_rate: int) -> DicePrices:
    """The tables of these prices, made once."""
    return DicePrices(costs, gold_rate)
