"""Tables for the solution: states of the dice game's sheet between turns, and results of a turn's dice.

A state has two parts: `a` numbers the combinations of roads, settlements and cities, and `b` numbers the combinations
of knights and used jokers. Six dice can pay for one of ten baskets, ranging from nothing to three roads. Jokers and
gold can replace missing dice.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np

from catan_env.engine.registry import find_scenario
from catan_env.engine.scenario import Scenario
from catan_env.errors import OptionError

SCENARIO = "dice_game"
FACES, GOLD, DICE = 6, 5, 6
GOLD_RATE = 2
PRINTED = {
    "road_cost": (1, 1, 0, 0, 0, 0),
    "settlement_cost": (1, 1, 1, 1, 0, 0),
    "city_cost": (0, 0, 0, 2, 3, 0),
    "knight_cost": (0, 0, 1, 1, 1, 0),
    "gold_rate": GOLD_RATE,
    "building_order": "ascending",
    "dice_by_turn": (DICE,) * 4,
}
"""The rule values that these tables are based on."""
IMPOSSIBLE = 99

State = tuple[int, int, int]
"""Roads as bits, number of settlements, and number of cities; for a basket, the number of each kind of piece."""

COSTS = np.array([PRINTED[f"{what}_cost"] for what in ("road", "settlement", "city", "knight")])


def affordable(costs: np.ndarray) -> np.ndarray:
    """Return the baskets that six dice can pay for, shape (baskets, 4). The first basket is empty.

    The columns are the numbers of roads (up to 3), settlements (up to 1), cities (up to 1) and knights (up to 2).

    Args:
        costs: (4, FACES) cost of each kind of piece, in dice.
    """
    baskets = np.array(list(product(range(4), range(2), range(2), range(3))))
    return baskets[(baskets @ costs).sum(axis=1) <= DICE]


def jokers_needed(costs: np.ndarray, counts: np.ndarray, gold_rate: int) -> np.ndarray:
    """Return the minimum number of jokers needed to buy each basket with each multiset, shape (baskets, multisets).

    Gold dice may be traded as well. Entries are `IMPOSSIBLE` if no number of jokers is enough.

    Args:
        costs: (baskets, FACES) cost of each basket, in dice.
        counts: (multisets, FACES) dice in each multiset.
        gold_rate: number of gold dice to trade for one die of another side.
    """
    dice_lacking = np.maximum(costs[:, None] - counts, 0)
    dice_spare = np.maximum(counts - costs[:, None], 0)
    lacking_count, idle_count, gold_count = (
        dice_lacking.sum(axis=2),
        dice_spare[..., :GOLD].sum(axis=2),
        dice_spare[..., GOLD],
    )
    joker_counts = np.full(lacking_count.shape, IMPOSSIBLE)
    for jokers_used in range(DICE, -1, -1):
        gold_left = gold_count - np.maximum(jokers_used - idle_count, 0)  # jokers turn spare dice first, then gold dice
        is_enough = (
            (jokers_used <= lacking_count)
            & (gold_left >= 0)
            & (lacking_count - jokers_used <= gold_left // gold_rate)
            & (dice_lacking[..., GOLD] == 0)
        )
        joker_counts[is_enough] = jokers_used
    return joker_counts


BASKETS = affordable(COSTS)
"""(baskets, 4) numbers of roads, settlements, cities and knights. The first basket is empty."""


class Multisets:
    """All multisets of up to six dice, numbered first by size and then lexicographically.

    Attributes:
        counts: (n, FACES) number of dice showing each side.
        plus, minus: (n, FACES) number of the multiset with one more or one fewer die showing a side, or -1 if there is
            none.
        full: number of the first multiset of six dice.
    """

    def __init__(self) -> None:
        dice_counts = sorted(
            (c for c in product(range(DICE + 1), repeat=FACES) if sum(c) <= DICE), key=lambda c: (sum(c), c)
        )
        self.number = {counts: k for k, counts in enumerate(dice_counts)}
        self.counts = np.array(dice_counts, np.int64)
        self.plus, self.minus = self._beside(1), self._beside(-1)
        self.full = int((self.counts.sum(axis=1) < DICE).sum())

    def _beside(self, step: int) -> np.ndarray:
        neighbor_counts = self.counts[:, None, :] + step * np.eye(FACES, dtype=np.int64)
        return np.array(
            [
                [self.number.get(tuple(counts), -1) for counts in neighbor_row]
                for neighbor_row in neighbor_counts.tolist()
            ],
            np.int64,
        )

    def payments(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return three tables, shape (baskets, multisets), that describe how each multiset can pay for each basket.

        Returns:
            The minimum number of jokers (`IMPOSSIBLE` if no number is enough), the sides for which jokers help, as
            bits, and the number of missing lumber and brick dice.
        """
        costs = BASKETS @ COSTS
        joker_counts = jokers_needed(costs, self.counts, GOLD_RATE)
        dice_lacking = np.maximum(costs[:, None] - self.counts, 0)
        helpful_sides = ((dice_lacking[..., :GOLD] > 0) << np.arange(GOLD)).sum(axis=2)
        road_dice_lacking = dice_lacking[..., 0] + dice_lacking[..., 1]
        return joker_counts, helpful_sides, road_dice_lacking


class Sheets:
    """All states that the sheet of a scenario can have between turns.

    Attributes:
        built: (A, 3): roads as bits, settlements, cities.
        knights: number of knights on the sheet. State `b` is `2**k - 1 + used` for k knights and used jokers as bits.
        targets, gains, first: the results of building each basket in each state `a`: the new states `a` and the points.
            The results for a basket are the entries `first[basket, a] .. first[basket, a + 1]`.
        knight_points, joker_side: (knights,) the points of each knight and the side given by its joker, where FACES - 1
            means any side.
    """

    def __init__(self, scenario: Scenario):
        arrays = {name: array.tolist() for name, array in scenario.board.tables({}, scenario.colors).items()}
        self.road_ends, self.road_points = arrays["road_ends"], arrays["road_points"]
        self.sites = (arrays["settlement_place"], arrays["city_place"])
        self.site_points = (arrays["settlement_points"], arrays["city_points"])
        self.knight_points = np.array(arrays["knight_points"], np.int64)
        self.joker_side = np.array([GOLD if face < 0 else face for face in arrays["joker_face"]], np.int64)
        self.knights = len(self.knight_points)
        self.number: dict[State, int] = {}
        self._list_states()
        self.built = np.array(list(self.number), np.int64)
        self._list_targets()

    @property
    def num_built(self) -> int:
        return len(self.built)

    @property
    def num_knight_states(self) -> int:
        return 2 ** (self.knights + 1) - 1

    def steps(self, state: State) -> list[tuple[int, State, int]]:
        """Return (kind of piece, state, points) for each piece that can be built next.

        The kind is 0 for a road, 1 for a settlement and 2 for a city.
        """
        roads, settlements, cities = state
        places_reached = {place for k, ends in enumerate(self.road_ends) if roads >> k & 1 for place in ends}
        next_steps = []
        for k, ends in enumerate(self.road_ends):
            if not roads >> k & 1 and places_reached.intersection(ends):
                next_steps.append((0, (roads | 1 << k, settlements, cities), self.road_points[k]))
        if settlements < len(self.sites[0]) and self.sites[0][settlements] in places_reached:
            next_steps.append((1, (roads, settlements + 1, cities), self.site_points[0][settlements]))
        if cities < len(self.sites[1]) and self.sites[1][cities] in places_reached:
            next_steps.append((2, (roads, settlements, cities + 1), self.site_points[1][cities]))
        return next_steps

    def _list_states(self) -> None:
        states = [(1, 0, 0)]
        self.number[states[0]] = 0
        for state in states:
            for _, next_state, _ in self.steps(state):
                if next_state not in self.number:
                    self.number[next_state] = len(states)
                    states.append(next_state)

    def _list_targets(self) -> None:
        structures: list[State] = sorted(
            {(roads, settlements, cities) for roads, settlements, cities, _ in BASKETS.tolist()}
        )
        states_by_structure: dict[State, dict[State, dict[State, int]]] = {
            state: {(0, 0, 0): {state: 0}} for state in self.number
        }
        for own_states in states_by_structure.values():
            for structure in structures[1:]:
                next_states: dict[State, int] = {}
                for kind in range(3):
                    if structure[kind]:
                        roads, settlements, cities = (
                            piece_count - (k == kind) for k, piece_count in enumerate(structure)
                        )
                        for state_before, points in own_states[roads, settlements, cities].items():
                            for kind_built, next_state, points_more in self.steps(state_before):
                                if kind_built == kind:
                                    next_states[next_state] = points + points_more
                own_states[structure] = next_states
        self.first = np.zeros((len(BASKETS), len(self.number) + 1), np.int64)
        targets: list[int] = []
        gains: list[int] = []
        for basket, (roads, settlements, cities, _) in enumerate(BASKETS.tolist()):
            for a, state in enumerate(self.number):
                self.first[basket, a] = len(targets)
                for next_state, points in states_by_structure[state][roads, settlements, cities].items():
                    targets.append(self.number[next_state])
                    gains.append(points)
            self.first[basket, -1] = len(targets)
        self.targets, self.gains = np.array(targets, np.int64), np.array(gains, np.int64)


def check_game(scenario: Scenario, rules: Mapping[str, Any]) -> None:
    """Raise OptionError if a game differs from the one that these tables are based on."""
    printed = find_scenario(SCENARIO)
    if (scenario.modules, scenario.board) != (printed.modules, printed.board):
        raise OptionError(
            f"The solution is for the scenario {SCENARIO!r}; this game is {scenario.name!r}. Use another agent for it."
        )
    for name, value in PRINTED.items():
        if rules.get(name) != value:
            raise OptionError(
                f"Rule {name!r} is {rules.get(name)!r}; the solution is for {value!r}. Use another agent for this game."
            )
