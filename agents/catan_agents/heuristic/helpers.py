"""Scores for Helpers: use a helper as soon as it is useful, and exchange it for the most valuable one."""

from __future__ import annotations

import numpy as np

from catan_agents.heuristic.base import (
    FREE_ROADS,
    NUM_RESOURCES,
    RATES,
    WORTH,
    deficit,
    my_buildings,
    my_sites,
    open_sites,
    plan,
    rates,
    surplus,
    worth_of_cards,
)
from catan_agents.heuristic.decision_context import DecisionContext
from catan_agents.heuristic.scoring import score
from catan_env.games.base.development_cards import (
    DECK_CARDS,
    KNIGHT,
    MONOPOLY,
    ROAD_BUILDING,
    VICTORY_POINT,
    YEAR_OF_PLENTY,
)
from catan_env.games.helpers.captain import HIRE_CAPTAIN
from catan_env.games.helpers.explorer import MOVE_ROAD
from catan_env.games.helpers.helper_cards import TAKE_HELPER
from catan_env.games.helpers.helper_use import TURN_HELPER
from catan_env.games.helpers.mayor import DO_WITHOUT_MAYOR
from catan_env.games.helpers.mendicant import BEG_ROAD
from catan_env.games.helpers.merchant import DEMAND, DEMAND_OF, RETURN_CARD
from catan_env.games.helpers.noblewoman import TAKE_FROM_HAND, VISIT
from catan_env.games.helpers.priest import SEND_KNIGHT
from catan_env.games.helpers.robber_bride import LURE_ROBBER
from catan_env.games.helpers.scholar import CONSULT_SCHOLAR, CONSULT_WITH, KEEP_CARD

BEFORE_TRADES, BEFORE_BUILDING = 520.0, 1100.0
NOT_NOW = -10.0
GIVE = np.repeat(np.arange(5), 4)
SPARE = np.array([kind for give in range(5) for kind in range(5) if kind != give])
"""The card given away, and the card received or saved, for each pair of kinds."""
WORTH_OF_HELPER = {
    "merchant": 6.0,
    "mendicant": 2.0,
    "mayor": 5.5,
    "explorer": 1.0,
    "general": 4.0,
    "scholar": 5.0,
    "robber_bride": 3.0,
    "captain": 4.5,
    "priest": 1.5,
    "noblewoman": 1.2,
}
WITH_A_KNIGHT, BEHIND = 5.0, 5.8
"""Value of the priest to a player with a knight, and of the noblewoman to a player who is behind."""
WORTH_OF_CARD = {KNIGHT: 2.0, ROAD_BUILDING: 3.0, YEAR_OF_PLENTY: 4.0, MONOPOLY: 3.5, VICTORY_POINT: 5.0}

FREE_ROADS.extend(("rebuild_road", "begged_road"))


@RATES.append
def captains_rate(t: DecisionContext) -> np.ndarray:
    """Return the captain's rate for the kinds that he trades this turn, shape (n, kinds)."""
    return np.where(t.public("captains_trade") > 0, t.engine.rules["captains_rate"], 99)


# -- which helper to have ----------------------------------------------------------------------------------------


def helper_values(t: DecisionContext) -> np.ndarray:
    """Return the value of each helper to the seat to act, shape (n, helpers)."""
    names = t.engine.actions.argument_names(TAKE_HELPER.name)
    worth_by_helper = np.tile([WORTH_OF_HELPER[name] for name in names], (len(t.games), 1))
    knight_count = t.public("knights_played")[t.rows, t.seats] + t.own("development_cards")[:, KNIGHT]
    worth_by_helper[knight_count > 0, names.index("priest")] = WITH_A_KNIGHT
    is_behind = t.points.max(axis=1) > t.points[t.rows, t.seats]
    worth_by_helper[is_behind, names.index("noblewoman")] = BEHIND
    return worth_by_helper


@score(TAKE_HELPER)
def take_helper(t: DecisionContext) -> np.ndarray:
    return t.of(helper_values)


@score(TURN_HELPER)
def turn_helper(t: DecisionContext) -> np.ndarray:
    """Score turning the helper over by the helper's value, so that it is exchanged if a better one is on display."""
    return (t.public("helpers_held")[t.rows, t.seats] * t.of(helper_values)).sum(axis=1, keepdims=True)


# -- exchanging cards --------------------------------------------------------------------------------------------


def _lacks_something(t: DecisionContext) -> np.ndarray:
    return np.any(t.of(deficit), axis=1)


def _totals_to_the_left(t: DecisionContext, action) -> np.ndarray:
    """Return the opponents' hand sizes in the order that action arguments use, shape (n, opponents)."""
    opponent_count = len(t.engine.actions.ids(action.name))
    opponents = (t.seats[:, None] + 1 + np.arange(opponent_count)) % t.engine.num_players
    return t.totals("hands")[t.rows[:, None], opponents]


@score(DEMAND_OF)
def demand_of(t: DecisionContext) -> np.ndarray:
    """Demand from the opponent with the most cards, as long as there are spare cards to give in return."""
    has_spare = t.of(surplus).sum(axis=1) > t.public("trades_with_merchant").sum(axis=1)
    worth = BEFORE_TRADES + _totals_to_the_left(t, DEMAND_OF)
    return np.where((_lacks_something(t) & has_spare)[:, None], worth, NOT_NOW)


@score(DEMAND)
def demand(t: DecisionContext) -> np.ndarray:
    """Demand a card that the plan needs and of which opponents may hold many."""
    cards_elsewhere = t.engine.rules["bank_per_resource"] - t.public("bank") - t.own("hands")
    worth = 100.0 + np.where(t.of(deficit) > 0, 20.0, 0.0) + np.maximum(cards_elsewhere, 0)
    return worth[:, :NUM_RESOURCES]


@score(RETURN_CARD)
def return_card(t: DecisionContext) -> np.ndarray:
    return 10.0 * t.of(surplus) - t.of(worth_of_cards)


@score(HIRE_CAPTAIN)
def hire_captain(t: DecisionContext) -> np.ndarray:
    """Choose a kind with spare cards, unless a harbor trades it at the same or a better rate."""
    is_useful = (t.of(surplus) >= 2) & (t.of(rates) > t.engine.rules["captains_rate"]) & _lacks_something(t)[:, None]
    return np.where(is_useful, BEFORE_TRADES + t.of(surplus), NOT_NOW)


@score(VISIT)
def visit(t: DecisionContext) -> np.ndarray:
    return BEFORE_TRADES + _totals_to_the_left(t, VISIT)


@score(TAKE_FROM_HAND)
def take_from_hand(t: DecisionContext) -> np.ndarray:
    return 10.0 * t.of(deficit) + t.of(worth_of_cards)


@score(DO_WITHOUT_MAYOR)
def do_without_mayor(t: DecisionContext) -> np.ndarray:
    return np.full((len(t.games), 1), NOT_NOW)


@score(LURE_ROBBER)
def lure_robber(t: DecisionContext) -> np.ndarray:
    """Lure the robber before the roll if it blocks the seat; otherwise, do it after the roll to gain a card."""
    corners = t.topology.hex_intersections[t.public("robber").astype(np.int64)]
    is_blocked = (np.take_along_axis(t.of(my_buildings), corners, axis=1) > 0).any(axis=1)
    return np.where(is_blocked, 700.0, 45.0)[:, None]


# -- building and buying -----------------------------------------------------------------------------------------


@score(BEG_ROAD)
def beg_road(t: DecisionContext) -> np.ndarray:
    """If the plan is a road, substitute a spare card for a missing one."""
    saves_for_road = (t.of(plan) == t.cost("road")).all(axis=1) & ~t.of(my_sites).any(axis=1)
    is_useful = saves_for_road[:, None] & (t.of(surplus) > 0)[:, GIVE] & (t.of(deficit) > 0)[:, SPARE]
    return np.where(is_useful, 205.0, NOT_NOW)


@score(MOVE_ROAD)
def move_road(t: DecisionContext) -> np.ndarray:
    """Move a road that does not lead to an open site, unless the seat holds Longest Road."""
    is_dead_end = ~t.of(open_sites)[:, t.topology.path_intersections].any(axis=2)
    holds_longest_road = t.public("longest_road") == t.seats
    return np.where(is_dead_end & ~holds_longest_road[:, None], 12.0, NOT_NOW)


@score(SEND_KNIGHT)
def send_knight(t: DecisionContext) -> np.ndarray:
    """Use the priest rather than pay the full price, unless this puts Largest Army at risk."""
    worth_of_played = np.where(t.public("largest_army") == t.seats, NOT_NOW, BEFORE_BUILDING)
    return np.stack([worth_of_played, np.full(len(t.games), BEFORE_BUILDING + 1.0)], axis=1)


def _spoils(t: DecisionContext, price: np.ndarray) -> np.ndarray:
    """Return whether paying a price, shape (..., 5), would use up cards that the plan needs, shape (n, ...)."""
    cards_lacking = np.maximum(t.of(plan)[:, None] - (t.own("hands")[:, None] - price), 0)
    return (cards_lacking > t.of(deficit)[:, None]).any(axis=2)


@score(CONSULT_SCHOLAR)
def consult_scholar(t: DecisionContext) -> np.ndarray:
    """Buy through the scholar if the plan does not need the cards or the hand exceeds seven cards."""
    has_many_cards = t.own("hands").sum(axis=1, keepdims=True) > 7
    return np.where(~_spoils(t, t.cost("development_card")[None]) | has_many_cards, 170.0, NOT_NOW)


@score(CONSULT_WITH)
def consult_with(t: DecisionContext) -> np.ndarray:
    """Buy through the scholar if the plan does not need the cards, paying with spare cards in place of scarce ones."""
    price = t.cost("development_card") + np.eye(5, dtype=int)[GIVE] - np.eye(5, dtype=int)[SPARE]
    return np.where(~_spoils(t, price), 165.0 + WORTH[SPARE] - WORTH[GIVE], NOT_NOW)


@score(KEEP_CARD)
def keep_card(t: DecisionContext) -> np.ndarray:
    return np.tile([WORTH_OF_CARD[card] for card in range(len(DECK_CARDS))], (len(t.games), 1))
