"""The exact solution of the dice game, maximizing expected points by dynamic programming backward from the last turn.

Players do not affect each other's sheets, so the solution maximizes points for any number of players.

Compiled functions treat many states `a` with the same knights and used jokers at once. The last axis of their arrays,
the lanes, holds one state each.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from catan_agents.dice_game.sheets import BASKETS, FACES, IMPOSSIBLE, Multisets, Sheets
from catan_env.engine.bitset import bits_of
from catan_env.engine.compiler.jit import cached_jit
from catan_env.engine.threads import pieces

ANY = 5
"""Marks a joker that can show any side."""
LUMBER_AND_BRICK = 0b11
LANES = 64
"""Number of states `a` per call to `solve_turn`. Interrupts take effect between calls."""
NO_WAY = -1e9
"""Value of what cannot be built."""


class SolverRules(NamedTuple):
    """Constants used in every turn, in a form that compiled functions accept.

    Attributes:
        baskets: see `BASKETS`.
        first, targets, gains, knight_points, side: see `Sheets`, where `side` is `joker_side`.
        ways, way_of: see `ways_to_pay`.
        full, plus, minus: see `Multisets`; `minus` is 0, the empty multiset, where there is none.
    """

    baskets: np.ndarray
    first: np.ndarray
    targets: np.ndarray
    gains: np.ndarray
    knight_points: np.ndarray
    side: np.ndarray
    ways: np.ndarray
    way_of: np.ndarray
    full: int
    plus: np.ndarray
    minus: np.ndarray


def ways_to_pay(multisets: Multisets) -> tuple[np.ndarray, np.ndarray]:
    """Return all different ways to pay for a basket, and the way in which each multiset pays for each basket.

    Returns:
        (ways, 4): the basket, the number of jokers needed, and if there are any, the sides for which jokers help, as
            bits, and the number of missing lumber and brick dice. The first way buys nothing.
        (multisets, baskets): the number of the way, 0 if the multiset cannot pay.
    """
    joker_counts, helpful_sides, road_dice_lacking = (table.tolist() for table in multisets.payments())
    ways = {(0, 0, 0, 0): 0}
    way_of = np.zeros((len(multisets.counts), len(BASKETS)), np.int64)
    for dice, basket in np.ndindex(way_of.shape):
        jokers_needed = joker_counts[basket][dice]
        if jokers_needed != IMPOSSIBLE:
            help_needed = (helpful_sides[basket][dice], road_dice_lacking[basket][dice]) if jokers_needed else (0, 0)
            way_of[dice, basket] = ways.setdefault((basket, jokers_needed, *help_needed), len(ways))
    return np.array(list(ways), np.int64), way_of


@cached_jit()
def larger(one, other):
    """Return the larger number. Unlike with `max`, loops that call this function are vectorized."""
    return one if one > other else other


@cached_jit()
def fill_later(rules, after, start, later):
    """Fill in each basket's points for roads, settlements and cities plus the best expected points from later turns.

    Args:
        after: (knight states, A) expected points from later turns.
        start: first of the states `a` before the basket is built, one for each lane.
        later: (baskets, knight states, lanes) the result, by the knights and used jokers after the basket is built.
    """
    baskets, knight_states, lanes = later.shape
    for basket in range(baskets):
        for state in range(knight_states):
            for lane in range(lanes):
                a = min(start + lane, after.shape[1] - 1)
                best_value = NO_WAY
                for entry in range(rules.first[basket, a], rules.first[basket, a + 1]):
                    best_value = max(best_value, rules.gains[entry] + after[state, rules.targets[entry]])
                later[basket, state, lane] = best_value


@cached_jit()
def spend(rules, later, k, used, idle, way_values, stand):
    """Fill in the values of spending the dice that lie on the table, with `k` knights and used jokers as bits.

    Args:
        later: see `fill_later`.
        idle: points scored if nothing more is built this turn.
        way_values: (ways, lanes) scratch.
        stand: (multisets, lanes) the result, for the last `len(stand)` multisets.
    """
    knight_state = (1 << k) - 1 + used
    lanes = stand.shape[1]
    for lane in range(lanes):
        way_values[0, lane] = idle + later[0, knight_state, lane]
    for way in range(1, len(rules.ways)):
        fill_way(rules, later, k, used, rules.ways[way], way_values[way])
    start = len(rules.way_of) - len(stand)
    for dice in range(len(stand)):
        values = stand[dice]
        values[:] = way_values[0]
        ways = rules.way_of[start + dice]
        for basket in range(1, len(ways), 3):
            a, b, c = way_values[ways[basket]], way_values[ways[basket + 1]], way_values[ways[basket + 2]]
            for lane in range(len(values)):
                values[lane] = larger(values[lane], larger(a[lane], larger(b[lane], c[lane])))


@cached_jit()
def fill_way(rules, later, k, used, way, values):
    """Fill in the values of building a basket with the best jokers that pay for it, shape (lanes,)."""
    basket, jokers_needed, helpful_sides, of_road = way
    knights = k + rules.baskets[basket, 3]
    values[:] = NO_WAY
    if knights > len(rules.side):
        return
    points = 0
    for knight in range(k, knights):
        points += rules.knight_points[knight]
    usable_jokers = jokers_for(rules.side, k, used, knights - k, helpful_sides, of_road)
    chosen_jokers = usable_jokers
    while True:
        if bits_of(chosen_jokers) == jokers_needed and not wanting_road(chosen_jokers, k, rules.side, of_road):
            later_values = later[basket, (1 << knights) - 1 + (used | chosen_jokers)]
            for lane in range(len(values)):
                values[lane] = larger(values[lane], points + later_values[lane])
        if not chosen_jokers:
            break
        chosen_jokers = (chosen_jokers - 1) & usable_jokers


@cached_jit()
def jokers_for(side, k, used, new_knights, helpful_sides, of_road):
    """Return the unused jokers that help to pay, as bits. The joker of the first new knight can help with later pieces.

    Args:
        side: (knights,) side given by each knight's joker, or ANY.
    """
    usable_jokers = 0
    for knight in range(min(k + (new_knights > 0), len(side))):
        joker_side = side[knight]
        is_lacking = (joker_side == ANY and (knight < k or of_road > 0)) or (
            joker_side != ANY
            and helpful_sides >> joker_side & 1
            and (knight < k or new_knights > 1 or LUMBER_AND_BRICK >> joker_side & 1)
        )
        if is_lacking and not used >> knight & 1:
            usable_jokers |= 1 << knight
    return usable_jokers


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
def roll_on(values, full, plus):
    """Fill in the values of sets of fewer than six dice by averaging over the rolls of the missing dice.

    Args:
        values: (multisets, lanes).
    """
    for dice in range(full - 1, -1, -1):
        row, rolled = values[dice], plus[dice]
        a, b, c, d, e, f = (
            values[rolled[0]],
            values[rolled[1]],
            values[rolled[2]],
            values[rolled[3]],
            values[rolled[4]],
            values[rolled[5]],
        )
        for lane in range(len(row)):
            row[lane] = (a[lane] + b[lane] + c[lane] + d[lane] + e[lane] + f[lane]) / FACES


@cached_jit()
def choose(values, best, minus):
    """For every multiset, write the value of keeping the best of its dice. Both arrays are (multisets, lanes)."""
    best[0] = values[0]
    for dice in range(1, len(values)):
        row, own, kept = best[dice], values[dice], minus[dice]
        a, b, c, d, e, f = best[kept[0]], best[kept[1]], best[kept[2]], best[kept[3]], best[kept[4]], best[kept[5]]
        for lane in range(len(row)):
            row[lane] = larger(larger(larger(a[lane], b[lane]), larger(c[lane], d[lane])), larger(e[lane], f[lane]))
        for lane in range(len(row)):  # LLVM vectorizes no loop that reads seven rows and writes one of them
            row[lane] = larger(row[lane], own[lane])


@cached_jit()
def turn(rules, later, k, used, idle, way_values, stages):
    """Fill in the values within a turn.

    `stages[r]`, shape (multisets, lanes), contains the values of keeping some dice and rolling the rest, with r rolls
    left after that. The values before the first roll are `stages[-1, 0]`.
    """
    spend(rules, later, k, used, idle, way_values, stages[0, rules.full :])
    roll_on(stages[0], rules.full, rules.plus)
    for r in range(1, len(stages)):
        choose(stages[r - 1], stages[r], rules.minus)
        roll_on(stages[r], rules.full, rules.plus)


@cached_jit(nogil=True)
def solve_turn(rules, after, before, reachable, idle, start, scratch):
    """Compute the values with one more turn left, for all states that are reachable by then.

    Args:
        after, before: (knight states, A) expected points after and before this turn.
        reachable: (A, knights + 1) bool.
        start: first of the states `a`, one for each lane.
        scratch: see `Solution.scratch`.
    """
    later, way_values, stages = scratch
    stop = min(start + stages.shape[2], len(reachable))
    fill_later(rules, after, start, later)
    for k in range(reachable.shape[1]):
        if reachable[start:stop, k].any():
            for used in range(1 << k):
                turn(rules, later, k, used, idle, way_values, stages)
                for a in range(start, stop):
                    if reachable[a, k]:
                        before[(1 << k) - 1 + used, a] = stages[-1, 0, a - start]


class Solution:
    """Expected points under optimal play.

    Attributes:
        sheets, multisets: the numbering of states and of sets of dice.
        rules: what compiled functions need to know about the game.
        values: (turns + 1, knight states, A) expected points for each number of turns left. Values of unreachable
            states are NaN.
    """

    def __init__(self, sheets: Sheets, turns: int = 15, rolls: int = 3, idle: float = -2):
        self.sheets, self.multisets = sheets, Multisets()
        self.turns, self.rolls, self.idle = turns, rolls, float(idle)
        multisets = self.multisets
        self.rules = SolverRules(
            np.ascontiguousarray(BASKETS, np.int64),
            sheets.first,
            sheets.targets,
            sheets.gains,
            sheets.knight_points,
            sheets.joker_side,
            *ways_to_pay(multisets),
            multisets.full,
            multisets.plus,
            np.maximum(multisets.minus, 0),
        )
        self.values = np.full((turns + 1, sheets.num_knight_states, sheets.num_built), np.nan)
        self.values[0] = 0.0
        scratch = self.scratch(LANES)
        for turns_left in range(1, turns + 1):
            reachable = self._reachable(turns - turns_left)
            after, before = self.values[turns_left - 1], self.values[turns_left]
            for start, _ in pieces(0, sheets.num_built, LANES):
                solve_turn(self.rules, after, before, reachable, self.idle, start, scratch)

    def scratch(self, lanes: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return empty arrays that compiled functions fill: values of baskets, of ways to pay, and within a turn."""
        return (
            np.empty((len(BASKETS), self.sheets.num_knight_states, lanes)),
            np.empty((len(self.rules.ways), lanes)),
            np.empty((self.rolls, len(self.multisets.counts), lanes)),
        )

    def rolling(self, turns_left: int, a: int, k: int, used: int, idle: float) -> np.ndarray:
        """Return the values within a turn, shape (rolls, multisets), as computed by `turn`.

        Args:
            turns_left: number of turns after this one.
            a, k, used: state, knights, and used jokers as bits.
            idle: points scored if nothing more is built this turn.
        """
        later, way_values, stages = self.scratch(1)
        fill_later(self.rules, self.values[turns_left], a, later)
        turn(self.rules, later, k, used, idle, way_values, stages)
        return stages[..., 0]

    def spending(self, turns_left: int, a: int, k: int, used: int, idle: float) -> np.ndarray:
        """Return the values of spending the dice that lie on the table, shape (multisets,). See `rolling`."""
        later, way_values, stages = self.scratch(1)
        fill_later(self.rules, self.values[turns_left], a, later)
        spend(self.rules, later, k, used, idle, way_values, stages[0])
        return stages[0, :, 0]

    def _reachable(self, played: int) -> np.ndarray:
        """Return which states the dice of `played` turns could pay for at best, shape (A, knights + 1), bool."""
        built, dice_per_piece = self.sheets.built, np.array([2, 4, 5])
        road_counts = np.array([bin(bits).count("1") - 1 for bits in built[:, 0].tolist()])
        dice_paid = np.stack([road_counts, built[:, 1], built[:, 2]], axis=1) @ dice_per_piece
        return dice_paid[:, None] + 3 * np.arange(self.sheets.knights + 1) <= 6 * played

    @property
    def expected(self) -> float:
        """Expected points in a whole game."""
        return float(self.values[self.turns, 0, 0])
