"""Scores for the base game and for everything that builds on it."""

from __future__ import annotations

import numpy as np

from catan_agents.heuristic.decision_context import DecisionContext, at
from catan_agents.heuristic.scoring import LIKELY, NEVER, NO_GAIN, always, goals, score, site_bonuses
from catan_env.errors import OptionError
from catan_env.games.base.bank_trade import TRADE_WITH_BANK
from catan_env.games.base.building import BUILD_CITY, BUILD_ROAD, BUILD_SETTLEMENT, FORGO_ROADS
from catan_env.games.base.development_cards import (
    BUY_CARD,
    PLAY_KNIGHT,
    PLAY_MONOPOLY,
    PLAY_ROAD_BUILDING,
    PLAY_YEAR_OF_PLENTY,
)
from catan_env.games.base.discarding import DISCARD_CARD
from catan_env.games.base.player_trade import (
    ACCEPT,
    ASK_CARD,
    CANCEL_OFFER,
    CONFIRM,
    COUNTER,
    DECLINE,
    MAKE_OFFER,
    OFFER_CARD,
    SUBMIT_OFFER,
    WITHDRAW,
)
from catan_env.games.base.resources import TAKE_CARD
from catan_env.games.base.robber import MOVE_ROBBER
from catan_env.games.base.special_building import PASS
from catan_env.games.base.theft import STEAL
from catan_env.games.base.turns import END_TRADE, END_TURN, ROLL

PIPS = np.array([0, 0, 1, 2, 3, 4, 5, 0, 5, 4, 3, 2, 1], np.float64)
"""Pips for each number token: the number of ways to roll it, out of 36. Index 0 (no token) and index 7 have none."""
WORTH = np.array([1.0, 1.0, 0.8, 1.1, 1.1])
"""Value of one card of lumber, brick, wool, grain and ore."""
NUM_RESOURCES = len(WORTH)
NEW_RESOURCE = 1.5
"""Multiplier applied to the pips of a resource that the player doesn't produce yet."""
HARBOR = 1.0

SETTLEMENT = 1
MOST_SEATS = 8

LAST_PIECES = 2
"""Once this few roads and ships are left, the seat declines free ones unless they lead to a site."""

FREE_ROADS = ["free_road"]
"""Decisions in which roads are free. Other modules append to this list."""


# -- the board -------------------------------------------------------------------------------------------------


def production(t: DecisionContext) -> np.ndarray:
    """Return the pips around each intersection, per resource, shape (n, intersections, 5)."""
    return at(_hex_pips(t), t.topology.intersection_hexes).sum(axis=2)


def _hex_pips(t: DecisionContext) -> np.ndarray:
    return PIPS[t.public("number")][:, :, None] * (t.public("terrain")[:, :, None] == np.arange(5))


def my_buildings(t: DecisionContext) -> np.ndarray:
    """Return the cards produced by the seat's building at each intersection, shape (n, intersections): 0, 1 or 2."""
    return t.public("building") * (t.public("building_owner") == t.seats[:, None])


def my_production(t: DecisionContext) -> np.ndarray:
    """Return the pips around the seat's buildings, per resource, shape (n, 5), counting cities twice."""
    return (t.of(production) * t.of(my_buildings)[:, :, None]).sum(axis=1)


def site_values(t: DecisionContext) -> np.ndarray:
    """Return the value, in pips, of a settlement at each intersection for the seat to act, shape (n, intersections)."""
    pips = t.of(production)
    resource_worth = WORTH * np.where(t.of(my_production) == 0, NEW_RESOURCE, 1.0)
    card_values = (pips * resource_worth[:, None, :]).sum(axis=2)
    harbor_values = np.zeros_like(card_values)
    coast_ends = t.topology.path_intersections[t.topology.coast_paths]
    game_indices, coast_indices = np.nonzero(t.public("harbor") >= 0)
    harbor_values[game_indices[:, None], coast_ends[coast_indices]] = HARBOR
    return sum(site_bonuses(t), card_values + harbor_values)


def open_sites(t: DecisionContext) -> np.ndarray:
    """Return which sites have no building on or adjacent to them, as an (n, intersections) bool array.

    If the map marks its sites, no other intersection is a site.
    """
    has_building = t.public("building") > 0
    return ~has_building & ~at(has_building, t.topology.intersection_neighbors).any(axis=2) & _sites_of_map(t)


def _sites_of_map(t: DecisionContext) -> np.ndarray:
    """Return an (intersections,) bool mask of the sites on this map; all intersections are sites if none are marked."""
    marks = t.topology.marks
    is_site = np.full(t.topology.num_intersections, "site" not in marks)
    if "site" in marks:
        is_site[marks["site"].places] = True
        if t.engine.rules.get("crossings") == "sites":
            is_site[marks["vp"].places] = True
    return is_site


def my_sites(t: DecisionContext) -> np.ndarray:
    """Return an (n, intersections) bool mask of where the seat to act could settle now, given the cards."""
    return (t.public("settlement_sites") >> t.seats[:, None].astype(np.uint8) & 1) > 0


def my_roads(t: DecisionContext) -> np.ndarray:
    """Return which paths are occupied by the seat's edge pieces, as an (n, paths) bool array."""
    return t.public("edge_owner") == t.seats[:, None]


# -- plans -----------------------------------------------------------------------------------------------------


def plan(t: DecisionContext) -> np.ndarray:
    """Return the price that the seat to act is saving for, shape (n, kinds).

    This is the price, among the purchases available to the seat, for which it is missing the fewest cards. A handicap
    is added for roads and development cards.
    """
    hand = t.own("hands")
    has_site = t.of(my_sites).any(axis=1) & t.left("settlements")
    has_road_site = (t.public("edge_piece_sites")[:, 0] >> t.seats[:, None].astype(np.uint8) & 1).any(axis=1) & t.left(
        "edge_pieces"
    )
    options = [
        ("city", (t.of(my_buildings) == SETTLEMENT).any(axis=1) & t.left("cities"), 0.0),
        ("settlement", has_site, 0.0),
        ("road", ~has_site & has_road_site, 1.5),
    ]
    if "development_card_cost" in t.engine.rules:
        options.append(("development_card", np.ones_like(has_site), 2.0))
    options += goals(t)
    cards_missing = np.stack(
        [
            np.where(is_possible, np.maximum(t.cost(price_name) - hand, 0).sum(axis=1) + cards_further, 99.0)
            for price_name, is_possible, cards_further in options
        ],
        axis=1,
    )
    return np.array([t.cost(price_name) for price_name, _, _ in options])[cards_missing.argmin(axis=1)]


def worth_of_cards(t: DecisionContext) -> np.ndarray:
    """Return the value of one card of each kind, shape (kinds,). Commodities and other non-resources have value 1."""
    kind_count = t.own("hands").shape[1]
    return np.append(WORTH, np.ones(kind_count - NUM_RESOURCES))


def deficit(t: DecisionContext) -> np.ndarray:
    """Return the cards that the plan still needs, shape (n, kinds)."""
    return np.maximum(t.of(plan) - t.own("hands"), 0)


def surplus(t: DecisionContext) -> np.ndarray:
    """Return the cards in hand that the plan does not need, shape (n, kinds)."""
    return np.maximum(t.own("hands") - t.of(plan), 0)


RATES: list = []
"""Functions that return bank rates other than harbor rates, shape (n, kinds). Other modules append to this list."""


def rates(t: DecisionContext) -> np.ndarray:
    """Return the number of cards of each kind that the bank charges for one other card, shape (n, kinds)."""
    best_rates = t.public("trade_rate")[t.rows, t.seats]
    for system_rates in RATES:
        try:
            best_rates = np.minimum(best_rates, system_rates(t))
        except OptionError:  # the scenario has no such trade
            continue
    return best_rates


# -- scores -----------------------------------------------------------------------------------------------------


@score(BUILD_CITY)
def build_city(t: DecisionContext) -> np.ndarray:
    return 1000.0 + t.of(production).sum(axis=2)


@score(BUILD_SETTLEMENT)
def build_settlement(t: DecisionContext) -> np.ndarray:
    return 900.0 + t.of(site_values)


@score(BUILD_ROAD)
def build_road(t: DecisionContext) -> np.ndarray:
    """Score each road by the best site it leads to.

    A road that leads to no site and only adds length gets a low score. While the seat has a site to settle, it builds
    no roads unless they are free or it has plenty of lumber and brick.
    """
    open_site_values = np.where(t.of(open_sites), t.of(site_values), 0.0)
    value_beyond = 0.5 * at(open_site_values, t.topology.intersection_neighbors).max(axis=2)
    value_in_reach = np.maximum(open_site_values, value_beyond)
    end_values = value_in_reach[:, t.topology.path_intersections]
    is_reached = at(my_roads(t), t.topology.intersection_paths).any(axis=2) | (t.of(my_buildings) > 0)
    is_new_end = ~is_reached[:, t.topology.path_intersections]
    road_gain = np.where(is_new_end, end_values, 0.0).max(axis=2)
    is_free = ~t.affords("road") | np.any([t.deciding(name) for name in FREE_ROADS], axis=0)
    is_free |= t.public("on_turn") < 0
    has_site = t.of(my_sites).any(axis=1) & ~is_free
    has_plenty = (t.own("hands")[:, :2] >= 3).all(axis=1)
    is_worthwhile = ~has_site | has_plenty
    return np.where(is_worthwhile[:, None], np.where(road_gain > 0, 200.0, 10.0) + road_gain, -10.0)


@score(FORGO_ROADS)
def forgo_free_roads(t: DecisionContext) -> np.ndarray:
    """Decline free roads when few pieces are left, unless a road leads to a site."""
    pieces_left = t.public("edge_pieces_left")[t.rows, t.seats].sum(axis=1)
    return np.where(pieces_left <= LAST_PIECES, 100.0, NO_GAIN)[:, None]


@score(BUY_CARD)
def buy_development_card(t: DecisionContext) -> np.ndarray:
    """Buy if the plan does not need the cards or the hand has more than seven cards."""
    hand_after = t.own("hands") - t.cost("development_card")
    kinds_spoiled = (np.maximum(t.of(plan) - hand_after, 0) > t.of(deficit)).sum(axis=1)
    has_many_cards = t.own("hands").sum(axis=1) > 7
    return np.where((kinds_spoiled == 0) | has_many_cards, 150.0, -10.0)[:, None]


@score(TRADE_WITH_BANK)
def trade_with_bank(t: DecisionContext) -> np.ndarray:
    """Trade cards that the plan does not need for one that it still needs."""
    own_rates = t.of(rates)
    given_kinds, received_kinds = np.nonzero(~np.eye(own_rates.shape[1], dtype=bool))
    is_useful = (t.of(surplus) >= own_rates)[:, given_kinds] & (t.of(deficit) > 0)[:, received_kinds]
    return np.where(is_useful, 500.0 - own_rates[:, given_kinds], NEVER)


@score(DISCARD_CARD)
def discard_card(t: DecisionContext) -> np.ndarray:
    return 10.0 * t.of(surplus) + t.own("hands") - t.of(worth_of_cards)


@score(TAKE_CARD)
def take_card(t: DecisionContext) -> np.ndarray:
    return 10.0 * t.of(deficit)[:, :NUM_RESOURCES] + WORTH


@score(PLAY_MONOPOLY)
def play_monopoly(t: DecisionContext) -> np.ndarray:
    return 600.0 + 10.0 * t.of(deficit)[:, :NUM_RESOURCES] - t.public("bank")[:, :NUM_RESOURCES]


def owner_weights(t: DecisionContext) -> np.ndarray:
    """Return the value of harming each owner, shape (n, MOST_SEATS + 1); the last entry is for no owner.

    The more points an opponent has, the higher its weight. The seat's own weight is negative; neutral players have
    weight 0.
    """
    weights = np.zeros((len(t.games), MOST_SEATS + 1))  # index -1 means nobody; neutral players keep weight 0
    weights[:, : t.engine.num_players] = 1.0 + 0.2 * t.points
    weights[t.rows, t.seats] *= -5.0
    return weights


def robber_worth(t: DecisionContext) -> np.ndarray:
    """Return the owner-weighted pips that the robber would block on each hex, shape (n, hexes)."""
    weighted_cards = t.public("building") * t.of(owner_weights)[t.rows[:, None], t.public("building_owner")]
    return _hex_pips(t).sum(axis=2) * at(weighted_cards, t.topology.hex_intersections).sum(axis=2)


def robber_stays(t: DecisionContext) -> np.ndarray:
    """Return the value of the robber's current hex, shape (n, 1); 0 if the robber is off the board."""
    return worth_at(t.of(robber_worth), t.public("robber"))


def worth_at(worth: np.ndarray, hexes: np.ndarray) -> np.ndarray:
    """Look up the value of one hex per game, shape (n, 1), in `worth`, shape (n, hexes); 0 where the hex is -1."""
    off_board = np.zeros((len(worth), 1))
    return np.take_along_axis(np.append(worth, off_board, axis=1), hexes.astype(np.int64)[:, None], axis=1)


@score(MOVE_ROBBER)
def move_robber(t: DecisionContext) -> np.ndarray:
    """Do the most harm to the leaders, and spare the seat's own hexes."""
    return t.of(robber_worth)


@score(STEAL)
def steal(t: DecisionContext) -> np.ndarray:
    """Steal from the leading opponent among those with cards."""
    player_count = t.engine.num_players
    opponent_count = len(t.engine.actions.ids("steal"))
    opponents = (t.seats[:, None] + 1 + np.arange(opponent_count)) % player_count
    rows = t.rows[:, None]
    return np.where(t.totals("hands")[rows, opponents] > 0, 10.0, 0.0) + t.points[rows, opponents]


@score(PLAY_KNIGHT)
def play_knight(t: DecisionContext) -> np.ndarray:
    """Play a knight immediately if the robber blocks the seat; otherwise, wait until after the roll."""
    robber_hex = t.public("robber").astype(np.int64)
    corners = t.topology.hex_intersections[robber_hex]
    is_blocked = (np.take_along_axis(t.of(my_buildings), corners, axis=1) > 0).any(axis=1)
    return np.where(is_blocked & (robber_hex >= 0), 800.0, 40.0)[:, None]


@score(ACCEPT)
def accept(t: DecisionContext) -> np.ndarray:
    """Accept an offer that gives cards the plan still needs in exchange for cards it does not.

    Decline offers that ask for anything other than cards, and offers from players close to victory.
    """
    offerer = np.maximum(t.public("on_turn"), 0)
    card_kinds = t.own("hands").shape[1]
    gives, wants = t.public("gives")[t.rows, offerer, :card_kinds], t.public("wants")[t.rows, offerer]
    is_fair = (np.minimum(gives, t.of(deficit)).sum(axis=1) > 0) & (wants[:, :card_kinds] <= t.of(surplus)).all(axis=1)
    is_fair &= ~wants[:, card_kinds:].any(axis=1)
    near_victory = t.points[t.rows, offerer] >= t.engine.rules["victory_points"] - 2
    return np.where(is_fair & ~near_victory, 10.0, -10.0)[:, None]


always(50.0, ROLL)
always(NO_GAIN, END_TURN, END_TRADE, PASS, DECLINE, WITHDRAW)
always(700.0, PLAY_ROAD_BUILDING)
always(650.0, PLAY_YEAR_OF_PLENTY)
always(10.0, CONFIRM)
always(-100.0, MAKE_OFFER, COUNTER)
always(LIKELY, OFFER_CARD, ASK_CARD, SUBMIT_OFFER, CANCEL_OFFER)  # finish or cancel an offer in progress
