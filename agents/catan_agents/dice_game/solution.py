"""The exact solution of the dice game, maximizing expected points by dynamic programming backward from the last turn.

Players do not affect each other's sheets, so the solution maximizes points for any number of players.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from catan_agents.dice_game.sheets import BASKETS, FACES, IMPOSSIBLE, Multisets, Sheets
from catan_env.engine.compiler.jit import cached_jit
from catan_env.engine.threads import pieces

NO_NEW = -1
ANY = 5
"""Marks a joker that can show any side."""
LUMBER_AND_BRICK = 0b11
BUILT_AT_A_TIME = 8
"""Number of states `a` per call to `solve_turn`. Interrupts take effect between calls."""


class SheetArrays(NamedTuple):
    """The arrays of `Sheets`, in a form that compiled functions accept. States are numbered `a * knight_states + b`."""

    baskets: np.ndarray
    first: np.ndarray
    targets: np.ndarray
    gains: np.ndarray
    knight_points: np.ndarray
    knight_states: int


class SolverRules(NamedTuple):
    """Constants used in every turn.

    Attributes:
        sheets: `SheetArrays`.
        payments: the three tables from `Multisets.payments`.
        side: (knights,) side given by each knight's joker, or ANY.
        full, plus, minus: see `Multisets`.
    """

    sheets: SheetArrays
    payments: tuple[np.ndarray, np.ndarray, np.ndarray]
    side: np.ndarray
    full: int
    plus: np.ndarray
    minus: np.ndarray


@cached_jit()
def bits_of(number):
    bit_count = 0
    while number:
        number &= number - 1
        bit_count += 1
    return bit_count


@cached_jit()
def basket_worth(after, a, k, used, basket, sheets):
    """Return a basket's points plus the best expected points from later turns.

    `used` contains all used jokers as bits, including those used to pay for the basket.
    """
    baskets, first, targets, gains, knight_points, knight_states = sheets
    knights = k + baskets[basket, 3]
    best_worth = -1e9
    state = (1 << knights) - 1 + used
    for entry in range(first[basket, a], first[basket, a + 1]):
        best_worth = max(best_worth, gains[entry] + after[targets[entry] * knight_states + state])
    for knight in range(k, knights):
        best_worth += knight_points[knight]
    return best_worth


@cached_jit()
def plan(rules, after, state, dice, idle, worth):
    """Return the value of the dice on the table, which is points from this turn plus expected points from later turns.

    `state` contains the state `a`, the number of knights, and the used jokers as bits. `idle` is the number of points
    scored if nothing more is built this turn. `worth`, shape (baskets, jokers as bits), caches values for this state;
    empty entries are NaN.
    """
    sheets, side = rules.sheets, rules.side
    baskets, first, knight_points = sheets.baskets, sheets.first, sheets.knight_points
    jokers, helpful, of_road = rules.payments
    a, k, used = state
    best_worth = idle + after[a * sheets.knight_states + (1 << k) - 1 + used]
    for basket in range(1, len(baskets)):
        jokers_needed = jokers[basket, dice]
        new_knights = baskets[basket, 3]
        if (
            jokers_needed == IMPOSSIBLE
            or k + new_knights > len(knight_points)
            or first[basket, a] == first[basket, a + 1]
        ):
            continue
        if jokers_needed == 0:
            best_worth = max(best_worth, kept_worth(after, a, k, used, basket, 0, sheets, worth))
            continue
        usable_jokers = 0  # knights with useful jokers; the joker of the first new knight can help with later pieces
        for knight in range(min(k + (new_knights > 0), len(knight_points))):
            joker_side = side[knight]
            is_lacking = (joker_side == ANY and (knight < k or of_road[basket, dice] > 0)) or (
                joker_side != ANY
                and helpful[basket, dice] >> joker_side & 1
                and (knight < k or new_knights > 1 or LUMBER_AND_BRICK >> joker_side & 1)
            )
            if is_lacking and not used >> knight & 1:
                usable_jokers |= 1 << knight
        if bits_of(usable_jokers) < jokers_needed:
            continue
        chosen_jokers = usable_jokers
        while chosen_jokers:
            if bits_of(chosen_jokers) == jokers_needed and not wanting_road(
                chosen_jokers, k, side, of_road[basket, dice]
            ):
                best_worth = max(best_worth, kept_worth(after, a, k, used, basket, chosen_jokers, sheets, worth))
            chosen_jokers = (chosen_jokers - 1) & usable_jokers
    return best_worth


@cached_jit()
def wanting_road(chosen, k, side, of_road):
    """Return whether the chosen jokers include a new any-side joker that has no die to replace.

    Such a joker can replace only missing lumber or brick for a road.
    """
    if k < len(side) and side[k] == ANY and chosen >> k & 1:
        for knight in range(k):
            if chosen >> knight & 1 and LUMBER_AND_BRICK >> side[knight] & 1:
                of_road -= 1
        return of_road < 1
    return False


@cached_jit()
def kept_worth(after, a, k, used, basket, chosen, sheets, worth):
    if np.isnan(worth[basket, chosen]):
        worth[basket, chosen] = basket_worth(after, a, k, used | chosen, basket, sheets)
    return worth[basket, chosen]


@cached_jit()
def roll_on(values, full, plus):
    """Fill in the values of sets of fewer than six dice by averaging over the rolls of the missing dice."""
    for dice in range(full - 1, -1, -1):
        value_sum = 0.0
        for face in range(FACES):
            value_sum += values[plus[dice, face]]
        values[dice] = value_sum / FACES


@cached_jit()
def choose(values, best, minus):
    """For every multiset, write the value of keeping the best of its dice."""
    for dice in range(len(values)):
        best[dice] = values[dice]
        for face in range(FACES):
            if minus[dice, face] >= 0:
                best[dice] = max(best[dice], best[minus[dice, face]])


@cached_jit()
def turn(rules, after, state, rolls, idle, stages, worth):
    """Fill in the values within a turn and return the value before the first roll.

    `stages[r]`, shape (multisets,), contains the values of keeping some dice and rolling the rest, with r rolls left
    after that.
    """
    worth[:] = np.nan
    for dice in range(rules.full, len(rules.plus)):
        stages[0, dice] = plan(rules, after, state, dice, idle, worth)
    roll_on(stages[0], rules.full, rules.plus)
    for r in range(1, rolls):
        choose(stages[r - 1], stages[r], rules.minus)
        roll_on(stages[r], rules.full, rules.plus)
    return stages[rolls - 1, 0]


@cached_jit(nogil=True)
def solve_turn(rules, after, before, reachable, rolls, idle, start, stop):
    """Compute the values with one more turn left, for all states that are reachable by then."""
    sheets = rules.sheets
    stages, worth = np.zeros((rolls, len(rules.plus))), np.zeros((len(sheets.baskets), 2 ** len(rules.side)))
    for a in range(start, stop):
        for k in range(reachable.shape[1]):
            if reachable[a, k]:
                for used in range(1 << k):
                    before[a * sheets.knight_states + (1 << k) - 1 + used] = turn(
                        rules, after, (a, k, used), rolls, idle, stages, worth
                    )


class Solution:
    """Expected points under optimal play.

    Attributes:
        sheets, multisets: the numbering of states and of sets of dice.
        values: (turns + 1, states) expected points for each number of turns left. States are numbered `a *
            num_knight_states + b`. Values of unreachable states are NaN.
    """

    def __init__(self, sheets: Sheets, turns: int = 15, rolls: int = 3, idle: int = -2):
        self.sheets, self.multisets = sheets, Multisets()
        self.turns, self.rolls, self.idle = turns, rolls, float(idle)
        arrays = SheetArrays(
            np.ascontiguousarray(BASKETS, np.int64),
            sheets.first,
            sheets.targets,
            sheets.gains,
            sheets.knight_points,
            sheets.num_knight_states,
        )
        multisets = self.multisets
        self.rules = SolverRules(
            arrays, multisets.payments(), sheets.joker_side, multisets.full, multisets.plus, multisets.minus
        )
        state_count = sheets.num_built * sheets.num_knight_states
        self.values = np.full((turns + 1, state_count), np.nan)
        self.values[0] = 0.0
        for turns_left in range(1, turns + 1):
            reachable = self._reachable(turns - turns_left)
            after, before = self.values[turns_left - 1], self.values[turns_left]
            for start, stop in pieces(0, sheets.first.shape[1] - 1, BUILT_AT_A_TIME):
                solve_turn(self.rules, after, before, reachable, rolls, self.idle, start, stop)

    def _reachable(self, played: int) -> np.ndarray:
        """Return which states the dice of `played` turns could pay for at best, shape (A, knights + 1), bool."""
        built, dice_per_piece = self.sheets.built, np.array([2, 4, 5])
        road_counts = np.array([bin(bits).count("1") - 1 for bits in built[:, 0].tolist()])
        dice_paid = np.stack([road_counts, built[:, 1], built[:, 2]], axis=1) @ dice_per_piece
        return dice_paid[:, None] + 3 * np.arange(self.sheets.knights + 1) <= 6 * played

    @property
    def expected(self) -> float:
        """Expected points in a whole game."""
        return float(self.values[self.turns, 0])
