"""Scores for the dice game and Plus: keep the dice with the highest expected value.

The dice of a turn pay for a basket: up to three roads, a settlement, a city or knights, or two of these. While turns
remain, each kind of piece has a fixed value, because it makes later pieces possible. At the end of the game, a piece is
worth only its points.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from catan_agents.dice_game.sheets import FACES, GOLD
from catan_agents.heuristic.decision_context import DecisionContext
from catan_agents.heuristic.dice_turn import ANY, MOST_OF_ANY, DicePrices, dice_prices
from catan_agents.heuristic.scoring import LIKELY, NEVER, NO_GAIN, array_score
from catan_env.board.terrain import RESOURCES
from catan_env.games.dice_game.gold_trade import TRADE_GOLD
from catan_env.games.dice_game.knight_jokers import NAME_SIDE, TURN_DIE, USE_JOKER
from catan_env.games.dice_game.paper import Sheet
from catan_env.games.dice_game.rolling import LET_STAND, ROLL_AGAIN, TAKE_UP
from catan_env.games.dice_game.sheet import BUILD_CITY, BUILD_KNIGHT, BUILD_ROAD, BUILD_SETTLEMENT

PIECES = ("road", "settlement", "city", "knight")
ROAD, SETTLEMENT, CITY, KNIGHT = range(4)
"""Columns of a basket."""
WORTH = {"settlements": 5.0, "cities": 10.5, "knights": 4.5}
"""Value of each kind of piece, in points, while more pieces can follow."""
JOKER = 3.0
"""Value of a joker, in points, while more pieces can follow."""
TIME = 3.0
"""Number of remaining turns at or above which later pieces are valued in full."""
LEADS, FURTHER = 0.25, 0.9
"""Fraction of the value of a site credited to the road that leads to it, and the discount per missing road."""
LONG = 0.5
"""Value, toward Longest Road, of a road that scores no points itself."""
MOST = 1e3
CHUNK = 256
"""Number of games per batch of rolls, small enough to fit in the CPU cache."""


class Outlook(NamedTuple):
    """The values of everything that the seats to act can build."""

    prices: DicePrices
    roads: np.ndarray
    """(n, roads) value of each road that can be built next, -inf for the others."""
    worth: np.ndarray
    """(n, baskets) value of each basket, -inf if it cannot be built."""
    joker: np.ndarray
    """(n,) value of a joker."""
    jokers: np.ndarray
    """(n,) set of usable jokers, encoded as in `DicePrices`."""

    def of(self, dice: np.ndarray, rows: np.ndarray | slice = slice(None)) -> np.ndarray:
        """Return basket values, shape (n, baskets, k), for dice given as multiset numbers of shape (k,) or (n, k)."""
        return self.prices.standing(dice, self.worth[rows], self.joker[rows], self.jokers[rows])


class Aim(NamedTuple):
    """The best basket for the dice on the table."""

    pieces: np.ndarray
    """(n, 4) numbers of roads, settlements, cities and knights."""
    lacking: np.ndarray
    """(n, 5) number of dice of each face to be replaced by jokers and gold."""
    jokers: np.ndarray
    """(n,) number of jokers needed."""


def sheet_of(t: DecisionContext) -> Sheet:
    """Return the score sheet of the scenario."""
    sheet = t.engine.scenario.board
    assert isinstance(sheet, Sheet)
    return sheet


def outlook(t: DecisionContext) -> Outlook:
    rules, sheet = t.engine.rules, sheet_of(t)
    prices = dice_prices(tuple(rules[f"{piece_name}_cost"] for piece_name in PIECES), rules["gold_rate"])
    settlements, cities, knights = (_worth(t, piece_name) for piece_name in WORTH)
    road_worth, site_reached = _roads_in_turn(
        t, _road_worth(t, np.hstack([settlements, cities])), prices.baskets[:, ROAD].max()
    )
    sites_due = np.hstack([_due(t, settlements), _due(t, cities)])[:, None] * site_reached

    road_count = prices.baskets[:, ROAD]
    basket_worth = np.cumsum(road_worth.max(axis=2), axis=1)[:, road_count]
    for kind, site_worth in zip((SETTLEMENT, CITY), np.split(sites_due, [len(sheet.settlements)], axis=2), strict=True):
        basket_worth += np.where(prices.baskets[:, kind] > 0, _or_never(site_worth.max(axis=2))[:, road_count], 0.0)
    nth_knight = np.cumsum(knights > 0, axis=1)
    army_worth = [
        _or_never((knights * (nth_knight == k)).sum(axis=1)) for k in range(1, prices.baskets[:, KNIGHT].max() + 1)
    ]
    basket_worth += np.cumsum([np.zeros(len(basket_worth)), *army_worth], axis=0).T[:, prices.baskets[:, KNIGHT]]
    if t.has("has_built"):
        basket_worth[:, 0] += np.where(t.public("has_built") > 0, 0.0, rules["points_without_building"])
    return Outlook(prices, road_worth[:, 1], basket_worth, JOKER * np.maximum(t.of(time), 0.01), _set_of_jokers(t))


def time(t: DecisionContext) -> np.ndarray:
    """Return the fraction, shape (n,), of the future value of a piece that can be realized in the remaining turns."""
    if "turns_each" not in t.engine.rules:
        return np.ones(len(t.games))
    rounds_begun = -(-t.public("turn") // t.engine.num_players)
    return np.clip((t.engine.rules["turns_each"] - rounds_begun) / TIME, 0.0, 1.0)


def _worth(t: DecisionContext, what: str) -> np.ndarray:
    """Return the value of each settlement, city or knight, shape (n, k); 0 if it is already built."""
    is_missing = t.public(f"{what}_built")[t.rows, t.seats] == 0
    printed_points = np.array([points for _, points in getattr(sheet_of(t), what)])
    return is_missing * (printed_points + (WORTH[what] - printed_points) * t.of(time)[:, None])


def _due(t: DecisionContext, worth: np.ndarray) -> np.ndarray:
    """Return `worth`, shape (n, k), with 0 for pieces that can only be built after others of the same kind."""
    if t.engine.rules["building_order"] != "ascending":
        return worth
    return worth * (np.cumsum(worth > 0, axis=1) == 1)


def _road_worth(t: DecisionContext, sites: np.ndarray) -> np.ndarray:
    """Return the value of each road, shape (n, roads): its points plus a share of the best site at or beyond its end.

    Args:
        sites: (n, settlements and cities) values of the sites.
    """
    sheet = sheet_of(t)
    site_numbers = {place: k for k, (place, _) in enumerate(sheet.settlements + sheet.cities)}
    worth_beyond = np.zeros((len(sites), len(sheet.roads)))
    for road in range(len(sheet.roads) - 1, -1, -1):
        end_place = sheet.roads[road][1]
        if end_place in site_numbers:
            worth_beyond[:, road] = sites[:, site_numbers[end_place]]
        for next_road, (start, _) in enumerate(sheet.roads):
            if start == end_place:
                worth_beyond[:, road] = np.maximum(worth_beyond[:, road], FURTHER * worth_beyond[:, next_road])
    return (sheet.road_points or LONG) + LEADS * t.of(time)[:, None] * worth_beyond


def _roads_in_turn(t: DecisionContext, worth: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the values of further roads and the sites they reach, assuming that the best road is built each time.

    Args:
        worth: (n, roads) values of the roads.
        most: maximum number of further roads.

    Returns:
        Two arrays. The first, (n, 1 + most, roads), holds the value of each road as the k-th further road: 0 for k = 0,
        -inf if it cannot be built. The second, (n, 1 + most, sites) bool, marks the settlements and cities that a road
        reaches after k further roads.
    """
    sheet, is_built = sheet_of(t), t.public("roads_built")[t.rows, t.seats] > 0
    road_before = [next((k for k, (_, end) in enumerate(sheet.roads) if end == start), 0) for start, _ in sheet.roads]
    touches = np.array([[place in ends for place, _ in sheet.settlements + sheet.cities] for ends in sheet.roads])
    road_worth, site_reached = [np.zeros_like(worth)], [is_built @ touches]
    for _ in range(most):
        road_worth.append(np.where(~is_built & is_built[:, road_before], worth, -np.inf))
        is_built[t.rows, road_worth[-1].argmax(axis=1)] = True
        site_reached.append(is_built @ touches)
    return np.stack(road_worth, axis=1), np.stack(site_reached, axis=1)


def _or_never(worth: np.ndarray) -> np.ndarray:
    return np.where(worth > 0, worth, -np.inf)


def _set_of_jokers(t: DecisionContext) -> np.ndarray:
    """Return the set of usable jokers, shape (n,), as in `DicePrices`."""
    is_usable, jokers = t.of(usable_jokers), sheet_of(t).jokers
    joker_sets = ANY * np.minimum(is_usable[:, [face == "any" for face, _ in jokers]].sum(axis=1), MOST_OF_ANY)
    for k, side in enumerate(RESOURCES):
        joker_sets += is_usable[:, [face == side for face, _ in jokers]].any(axis=1) << k
    return joker_sets


def usable_jokers(t: DecisionContext) -> np.ndarray:
    """Return which jokers are unused and already earned by knights, as an (n, jokers) bool array."""
    is_built = t.public("knights_built")[t.rows, t.seats] > 0
    is_ready = [is_built[:, list(knights_needed)].all(axis=1) for _, knights_needed in sheet_of(t).jokers]
    return np.stack(is_ready, axis=1) & (t.public("jokers_used")[t.rows, t.seats] == 0)


# -- rolling ---------------------------------------------------------------------------------------------------


def rolling(t: DecisionContext) -> np.ndarray:
    """Return the expected values of picking up a die of each face and of stopping, shape (n, FACES + 1)."""
    own_outlook, dice = t.of(outlook), t.public("dice_lying").astype(int)
    side_values = np.full((len(t.games), FACES + 1), NEVER)
    dice_counts = dice.sum(axis=1) + t.public("dice_taken_up")
    rolls_left = t.engine.rules["rolls_per_turn"] - t.public("rolls_made").astype(int)
    is_choosing = t.deciding("choose_dice")
    for dice_count, rolls in set(zip(dice_counts[is_choosing].tolist(), rolls_left[is_choosing].tolist(), strict=True)):
        game_rows = np.flatnonzero(is_choosing & (dice_counts == dice_count) & (rolls_left == rolls))
        for chunk_rows in np.split(game_rows, range(CHUNK, len(game_rows), CHUNK)):
            standing_values = own_outlook.of(own_outlook.prices.by_size[dice_count], chunk_rows).max(axis=1).T
            roll_values, best_values = own_outlook.prices.rolling(standing_values, dice_count, rolls)
            dice_numbers, column = own_outlook.prices.number(dice[chunk_rows]), np.arange(len(chunk_rows))
            side_values[chunk_rows, :FACES] = best_values[own_outlook.prices.less[dice_numbers].T, column].T
            side_values[chunk_rows, FACES] = roll_values[dice_numbers, column]
    return side_values


@array_score(TAKE_UP)
def take_up(t: DecisionContext) -> np.ndarray:
    return t.of(rolling)[:, :FACES]


@array_score(ROLL_AGAIN, LET_STAND)
def take_up_no_more(t: DecisionContext) -> np.ndarray:
    return t.of(rolling)[:, FACES:]


# -- spending --------------------------------------------------------------------------------------------------


def aim(t: DecisionContext) -> Aim:
    own_outlook, dice = t.of(outlook), t.public("dice_lying").astype(int)
    dice_numbers = own_outlook.prices.number(dice)
    best_baskets = own_outlook.of(dice_numbers[:, None])[:, :, 0].argmax(axis=1)
    lacking = np.maximum(own_outlook.prices.costs[best_baskets] - dice, 0)[:, :GOLD]
    return Aim(
        own_outlook.prices.baskets[best_baskets],
        lacking,
        own_outlook.prices.jokers[own_outlook.jokers, best_baskets, dice_numbers],
    )


def _in_basket(t: DecisionContext, kind: int) -> np.ndarray:
    """Return a high score if the best basket contains this kind of piece, shape (n, 1)."""
    return LIKELY + np.where(t.of(aim).pieces[:, kind] > 0, MOST, NO_GAIN)[:, None]


@array_score(BUILD_ROAD)
def build_road(t: DecisionContext) -> np.ndarray:
    return _in_basket(t, ROAD) + np.maximum(t.of(outlook).roads, NO_GAIN)


@array_score(BUILD_SETTLEMENT)
def build_settlement(t: DecisionContext) -> np.ndarray:
    return _in_basket(t, SETTLEMENT) + 50.0


@array_score(BUILD_CITY)
def build_city(t: DecisionContext) -> np.ndarray:
    return _in_basket(t, CITY) + 100.0


@array_score(BUILD_KNIGHT)
def build_knight(t: DecisionContext) -> np.ndarray:
    """Build knights in the order of the sheet. In Plus, knights that earn a joker on their own come first in it."""
    return _in_basket(t, KNIGHT) - np.arange(t.public("knights_built").shape[2])


@array_score(TRADE_GOLD)
def trade_gold(t: DecisionContext) -> np.ndarray:
    """Trade gold for faces covered by neither dice nor jokers, starting with faces that no joker provides."""
    lacking, jokers = t.of(aim).lacking, t.of(aim).jokers
    has_joker = t.of(outlook).jokers[:, None] >> np.arange(GOLD) & 1
    is_useful = (lacking > 0) & (lacking.sum(axis=1) > jokers)[:, None]
    return np.where(is_useful, 2 * MOST - 100.0 * has_joker, NEVER)


@array_score(USE_JOKER)
def use_joker(t: DecisionContext) -> np.ndarray:
    """Once the gold is spent, use jokers for faces that the basket still needs; jokers for any face come last."""
    lacking, jokers = t.of(aim).lacking, t.of(aim).jokers
    is_due = (jokers > 0) & (lacking.sum(axis=1) <= jokers)
    is_lacking = np.column_stack([lacking > 0, (lacking > 0).any(axis=1)]) & is_due[:, None]
    faces = [face for face, _ in sheet_of(t).jokers]
    joker_sides = np.array([RESOURCES.index(face) if face in RESOURCES else GOLD for face in faces])
    return np.where(is_lacking[:, joker_sides], MOST + 100.0 * (joker_sides < GOLD), NEVER)


def turned(t: DecisionContext) -> np.ndarray:
    """Return the value of turning a die, shape (n, FACES, FACES), indexed by new face and current face."""
    own_outlook, sides = t.of(outlook), np.eye(FACES, dtype=int)
    dice_after = t.public("dice_lying").astype(int)[:, None, None] - sides + sides[:, None]
    is_possible = (dice_after >= 0).all(axis=3) & ~sides.astype(bool)
    dice_numbers = own_outlook.prices.number(np.where(is_possible[..., None], dice_after, 0))
    best_values = own_outlook.of(dice_numbers.reshape(len(dice_after), -1)).max(axis=1)
    return np.where(is_possible, best_values.reshape(is_possible.shape), NEVER)


@array_score(NAME_SIDE)
def name_side(t: DecisionContext) -> np.ndarray:
    return t.of(turned).max(axis=2)


@array_score(TURN_DIE)
def turn_die(t: DecisionContext) -> np.ndarray:
    return t.of(turned)[t.rows, t.argument("choose_die")]
