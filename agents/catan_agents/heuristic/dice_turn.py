"""Exact expected values of the rolls in a turn of the dice game, for many games at once.

Given the value of each basket and of a joker, this module computes the value of keeping or picking up each die.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from catan_agents.dice_game.sheets import DICE, FACES, GOLD, Multisets, affordable, jokers_needed

CODE = (DICE + 1) ** np.arange(FACES)
"""Weights that encode face counts as a single number."""
MOST_OF_ANY = 2
"""Number of any-face jokers beyond which further ones make no difference."""
ANY = 2**GOLD
"""The joker set that contains one any-face joker. Each of the lower bits represents a joker of one fixed face."""


class DicePrices:
    """The baskets that dice can pay for.

    Args:
        costs: prices of a road, settlement, city and knight, FACES numbers each.
        gold_rate: number of gold dice that pay for one die of another face.

    Attributes:
        baskets: (b, 4) numbers of roads, settlements, cities and knights that six dice can pay for; the first is empty.
        costs: (b, FACES) price of each basket.
        jokers: (joker sets, b, multisets) float32 smallest number of jokers needed, infinite if the set does not
            suffice.
        by_size: for 0 to DICE dice, the numbers of the multisets of that size.
        less: (multisets, FACES) number of the multiset with one die fewer of each face; unchanged if it has none.
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
        """Convert face counts, shape (n, FACES), to multiset numbers, shape (n,)."""
        return self._number[dice @ CODE]

    def standing(self, dice: np.ndarray, worth: np.ndarray, joker: np.ndarray, jokers: np.ndarray) -> np.ndarray:
        """Return the value of each basket if no die is rerolled, or -inf if the dice cannot pay for it.

        Args:
            dice: multiset numbers, (k,) for all games or (n, k).
            worth: (n, b) value of each basket.
            joker: (n,) value of one joker, positive.
            jokers: (n,) usable joker sets, see `ANY`.

        Returns:
            (n, b, k) float32.
        """
        dice = np.broadcast_to(dice, (len(worth), np.shape(dice)[-1]))
        jokers_paid = self.jokers[jokers[:, None, None], np.arange(len(self.baskets))[:, None], dice[:, None]]
        return worth[:, :, None].astype(np.float32) - joker[:, None, None].astype(np.float32) * jokers_paid

    def rolling(self, stand: np.ndarray, dice: int, rolls: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the expected values for a turn in which `dice` dice are rolled.

        Args:
            stand: (multisets of `dice` dice, n) values if no die is rerolled.
            dice: number of dice in the turn.
            rolls: number of rolls left, at least 1.

        Returns:
            Two (multisets, n) arrays, for multisets of up to `dice` dice. The first holds the value of rolling all
            other dice, or of stopping if there are none. The second holds the best value when any of the dice may be
            picked up first.
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
    """Return the tables for the given prices, which are computed only once."""
    return DicePrices(costs, gold_rate)
