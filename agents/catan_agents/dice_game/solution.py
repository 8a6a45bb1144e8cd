"""The dice game alone, solved exactly: the most points that can be expected, by dynamic programming from the last turn.

Nothing that others do matters to a sheet, so this is the best play for points with any number of players.
"""

from __future__ import annotations

import numba
import numpy as np

from catan_agents.dice_game.sheets import BASKETS, FACES, IMPOSSIBLE, Multisets, Sheets

NO_NEW = -1
ANY = 5
"""The bit of a joker for any side among those of jokers by side."""
LUMBER_AND_BRICK = 0b11


@numba.njit(cache=True)
def bits_of(number):
    count = 0
    while number:
        number &= number - 1
        count += 1
    return count


@numba.njit(cache=True)
def basket_worth(after, a, k, used, basket, sheets):
    """Best points and value of what follows, with a basket bought and these jokers of the knights used."""
    baskets, first, targets, gains, knight_points, knight_states = sheets
    knights = k + baskets[basket, 3]
    best = -1e9
    state = (1 << knights) - 1 + used
    for entry in range(first[basket, a], first[basket, a + 1]):
        best = max(best, gains[entry] + after[targets[entry] * knight_states + state])
    for knight in range(k, knights):
        best += knight_points[knight]
    return best


@numba.njit(cache=True)
def plan(after, a, k, used, dice, idle, sheets, payments, side, worth):  # noqa: PLR0913 (arrays of a compiled solver)
    """The best that what lies there can still bring: points of this turn and what is expected afterwards.

    `idle` is what a turn costs in which nothing more is bought; `worth` (baskets, jokers as bits) keeps what was
    computed for this state, NaN where nothing was.
    """
    baskets, first, knight_points = sheets[0], sheets[1], sheets[4]
    jokers, helpful, of_road = payments
    best = idle + after[a * sheets[5] + (1 << k) - 1 + used]
    for basket in range(1, len(baskets)):
        needed = jokers[basket, dice]
        new = baskets[basket, 3]
        if needed == IMPOSSIBLE or k + new > len(knight_points) or first[basket, a] == first[basket, a + 1]:
            continue
        if needed == 0:
            best = max(best, kept_worth(after, a, k, used, basket, 0, sheets, worth))
            continue
        usable = 0  # knights whose jokers help; the first new one may, for what is built after it
        for knight in range(min(k + (new > 0), len(knight_points))):
            gives = side[knight]
            lacks = (gives == ANY and (knight < k or of_road[basket, dice] > 0)) or (
                gives != ANY
                and helpful[basket, dice] >> gives & 1
                and (knight < k or new > 1 or LUMBER_AND_BRICK >> gives & 1)
            )
            if lacks and not used >> knight & 1:
                usable |= 1 << knight
        if bits_of(usable) < needed:
            continue
        chosen = usable
        while chosen:
            if bits_of(chosen) == needed and not wanting_road(chosen, k, side, of_road[basket, dice]):
                best = max(best, kept_worth(after, a, k, used, basket, chosen, sheets, worth))
            chosen = (chosen - 1) & usable
    return best


@numba.njit(cache=True)
def wanting_road(chosen, k, side, of_road):
    """Whether a new joker of any side is chosen, which helps to a road only, and the road lacks nothing more."""
    if k < len(side) and side[k] == ANY and chosen >> k & 1:
        for knight in range(k):
            if chosen >> knight & 1 and LUMBER_AND_BRICK >> side[knight] & 1:
                of_road -= 1
        return of_road < 1
    return False


@numba.njit(cache=True)
def kept_worth(after, a, k, used, basket, chosen, sheets, worth):
    if np.isnan(worth[basket, chosen]):
        worth[basket, chosen] = basket_worth(after, a, k, used | chosen, basket, sheets)
    return worth[basket, chosen]


@numba.njit(cache=True)
def roll_on(values, full, plus):
    """Fills in what is to be expected if dice up to six are rolled, given the values of six dice."""
    for dice in range(full - 1, -1, -1):
        total = 0.0
        for face in range(FACES):
            total += values[plus[dice, face]]
        values[dice] = total / FACES


@numba.njit(cache=True)
def choose(values, best, minus):
    """The best of what can be left lying, for all multisets."""
    for dice in range(len(values)):
        best[dice] = values[dice]
        for face in range(FACES):
            if minus[dice, face] >= 0:
                best[dice] = max(best[dice], best[minus[dice, face]])


@numba.njit(cache=True)
def turn(after, a, k, used, idle, rolls, sheets, payments, side, full, plus, minus, stages, worth):  # noqa: PLR0913 (arrays of a compiled solver)
    """Values within a turn: `stages[r]` (multisets) is what rolling the rest brings with r rolls left after that."""
    worth[:] = np.nan
    for dice in range(full, len(plus)):
        stages[0, dice] = plan(after, a, k, used, dice, idle, sheets, payments, side, worth)
    roll_on(stages[0], full, plus)
    for r in range(1, rolls):
        choose(stages[r - 1], stages[r], minus)
        roll_on(stages[r], full, plus)
    return stages[rolls - 1, 0]


@numba.njit(cache=True, nogil=True)
def solve_turn(after, before, reachable, idle, rolls, knights, sheets, payments, side, full, plus, minus):  # noqa: PLR0913 (arrays of a compiled solver)
    """Values with one turn more, of all states that can be reached by then."""
    stages, worth = np.zeros((rolls, len(plus))), np.zeros((len(sheets[0]), 2 ** len(side)))
    for a in range(sheets[1].shape[1] - 1):
        for k in range(knights + 1):
            if reachable[a, k]:
                for used in range(1 << k):
                    before[a * sheets[5] + (1 << k) - 1 + used] = turn(
                        after, a, k, used, idle, rolls, sheets, payments, side, full, plus, minus, stages, worth
                    )


class Solution:
    """Expected points of the best play.

    Attributes:
        sheets, multisets: what the numbers mean.
        values: (turns + 1, states) expected points of so many turns; states are `a * num_knight_states + b`. NaN where
            no game can be in that state with so many turns left.
    """

    def __init__(self, sheets: Sheets, turns: int = 15, rolls: int = 3, idle: int = -2):
        self.sheets, self.multisets = sheets, Multisets()
        self.turns, self.rolls, self.idle = turns, rolls, float(idle)
        self.payments = self.multisets.payments()
        self.arrays = (
            np.ascontiguousarray(BASKETS, np.int64),
            sheets.first,
            sheets.targets,
            sheets.gains,
            sheets.knight_points,
            sheets.num_knight_states,
        )
        states = sheets.num_built * sheets.num_knight_states
        self.values = np.full((turns + 1, states), np.nan)
        self.values[0] = 0.0
        for left in range(1, turns + 1):
            solve_turn(
                self.values[left - 1],
                self.values[left],
                self._reachable(turns - left),
                self.idle,
                rolls,
                sheets.knights,
                self.arrays,
                self.payments,
                sheets.joker_side,
                self.multisets.full,
                self.multisets.plus,
                self.multisets.minus,
            )

    def _reachable(self, played: int) -> np.ndarray:
        """(A, knights + 1) bool: what the dice of so many turns can pay for at best."""
        built, dice = self.sheets.built, np.array([2, 4, 5])
        roads = np.array([bin(bits).count("1") - 1 for bits in built[:, 0].tolist()])
        paid = np.stack([roads, built[:, 1], built[:, 2]], axis=1) @ dice
        return paid[:, None] + 3 * np.arange(self.sheets.knights + 1) <= 6 * played

    @property
    def expected(self) -> float:
        """Points to be expected of a whole game."""
        return float(self.values[self.turns, 0])
