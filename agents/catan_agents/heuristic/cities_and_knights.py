"""Scores for Cities & Knights: improve cities first, keep enough knights active, play progress cards once useful."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from catan_agents.heuristic.base import (
    NUM_RESOURCES,
    PIPS,
    RATES,
    SETTLEMENT,
    deficit,
    my_buildings,
    production,
    site_values,
    surplus,
    worth_of_cards,
)
from catan_agents.heuristic.decision_context import DecisionContext, at
from catan_agents.heuristic.scoring import NEVER, NO_GAIN, always, goal, score, score_bonus
from catan_env.games.base.bank_trade import TRADE_WITH_BANK
from catan_env.games.base.discarding import DISCARD_CARD
from catan_env.games.cities_and_knights.city_walls import BUILD_WALL
from catan_env.games.cities_and_knights.defenders import CHOOSE_DECK
from catan_env.games.cities_and_knights.improvements import IMPROVE
from catan_env.games.cities_and_knights.knight_actions import PLACE_KNIGHT, TAKE_KNIGHT
from catan_env.games.cities_and_knights.knights import ACTIVATE_KNIGHT, INACTIVE, PROMOTE_KNIGHT, RECRUIT_KNIGHT
from catan_env.games.cities_and_knights.metropolises import CHOOSE_CITY
from catan_env.games.cities_and_knights.progress_cards import FORGO

NUM_COMMODITIES = 3
COMMODITIES = slice(NUM_RESOURCES, NUM_RESOURCES + NUM_COMMODITIES)
HIGHEST = 5
NEAR = 3
"""Number of barbarian steps at which the seat starts activating knights."""
BLOCKED = 0.4
"""Fraction of a site's value lost when the seat's own knight occupies it."""
NOT_NOW = -10.0
FIRST_OF_ALL = -20.0
"""Extra distance, in cards, for a goal that takes priority over all others."""


# -- the current position --------------------------------------------------------------------------------------


def levels(t: DecisionContext) -> np.ndarray:
    """Return the seat's improvement levels, shape (n, tracks)."""
    return t.public("improvement")[t.rows, t.seats]


def wanted_commodities(t: DecisionContext) -> np.ndarray:
    """Return the commodity cost of the next level on each track, shape (n, 3); 0 for finished tracks."""
    level = t.of(levels)
    return np.where(level < HIGHEST, level + 1, 0)


def my_knights(t: DecisionContext) -> np.ndarray:
    """Return the strength of the seat's knight at each intersection, shape (n, intersections)."""
    return t.public("knight") * (t.public("knight_owner") == t.seats[:, None])


def defence(t: DecisionContext) -> np.ndarray:
    """Return the total strength of each player's active knights, shape (n, players)."""
    active_strength = t.public("knight") * (t.public("knight_state") != INACTIVE)
    is_owner = t.public("knight_owner")[:, :, None] == np.arange(t.engine.num_players)
    return (active_strength[:, :, None] * is_owner).sum(axis=1)


def cities_at_stake(t: DecisionContext) -> np.ndarray:
    """Return the number of the seat's cities that the barbarians could pillage, shape (n,)."""
    return ((t.of(my_buildings) == 2) & (t.public("metropolis") == 0)).sum(axis=1)


def lacking(t: DecisionContext) -> np.ndarray:
    """Return the barbarians' strength (one per player city) minus that of all active knights, shape (n,)."""
    cities = (t.public("building") == 2) & (t.public("building_owner") < t.engine.num_players)
    return cities.sum(axis=1) - t.of(defence).sum(axis=1)


def alarm(t: DecisionContext) -> np.ndarray:
    """Return how urgently the seat needs another active knight, shape (n,).

    The urgency increases as the barbarians advance if a city is in danger or the seat could become defender.
    """
    steps = t.public("barbarian_steps")
    own_defence = t.of(defence)[t.rows, t.seats]
    best_other_defence = np.where(np.arange(t.engine.num_players) == t.seats[:, None], 0, t.of(defence)).max(axis=1)
    city_in_danger = (t.of(lacking) > 0) & (t.of(cities_at_stake) > 0)
    prize_in_reach = (t.of(lacking) <= 1) & (own_defence <= best_other_defence)
    return (steps >= NEAR) * (1.0 * city_in_danger + 0.6 * prize_in_reach) * (steps + 1) / 7 + 0.05


# -- building --------------------------------------------------------------------------------------------------


@goal(RECRUIT_KNIGHT, "recruit")
def save_for_a_knight(t: DecisionContext) -> tuple[np.ndarray, np.ndarray]:
    """While a city could be lost, save for up to two knights, or three if the defense is more than one point short."""
    has_few_knights = (t.of(my_knights) > 0).sum(axis=1) < np.where(t.of(lacking) > 1, 3, 2)
    return has_few_knights & (t.of(cities_at_stake) > 0), np.full(len(t.games), 0.5)


@goal(ACTIVATE_KNIGHT, "activate")
def save_for_activating(t: DecisionContext) -> tuple[np.ndarray, np.ndarray]:
    """Save for activating a knight once the barbarians are near."""
    has_inactive_knight = ((t.of(my_knights) > 0) & (t.public("knight_state") == INACTIVE)).any(axis=1)
    return has_inactive_knight & (t.of(alarm) > 0.3), np.full(len(t.games), -1.0)


@goal(IMPROVE, "city")
def save_for_a_city_again(t: DecisionContext) -> tuple[np.ndarray, float]:
    """Save for a city before anything else if the seat has none."""
    return t.of(cityless), FIRST_OF_ALL


def cityless(t: DecisionContext) -> np.ndarray:
    """Return whether the seat has no working city but could build or restore one, as an (n,) bool array."""
    own_buildings = t.of(my_buildings)
    city_laid = (t.public("city_laid") > 0) & (own_buildings > 0)
    return (
        ~(own_buildings == 2).any(axis=1)
        & (own_buildings == SETTLEMENT).any(axis=1)
        & (t.left("cities") | city_laid.any(axis=1))
    )


def leaves_a_city(price: str) -> Callable[[DecisionContext], np.ndarray]:
    """Return a score that penalizes spending cards on this price when a seat without a city needs them to build one."""

    def reason(t: DecisionContext) -> np.ndarray:
        return np.where(t.of(cityless) & (t.cost(price) > t.of(surplus)).any(axis=1), -1e3, 0.0)[:, None]

    return reason


for _action, _price in ((RECRUIT_KNIGHT, "recruit"), (PROMOTE_KNIGHT, "promote"), (ACTIVATE_KNIGHT, "activate")):
    score_bonus(_action)(leaves_a_city(_price))


@score(RECRUIT_KNIGHT)
def recruit_knight(t: DecisionContext) -> np.ndarray:
    """Recruit a few knights, but not on good sites."""
    knight_count = (t.of(my_knights) > 0).sum(axis=1)
    worth = np.where(knight_count < 2, 420.0, np.where(t.of(lacking) > 0, 320.0, 60.0))
    return worth[:, None] - BLOCKED * t.of(site_values)


@score(ACTIVATE_KNIGHT)
def activate_knight(t: DecisionContext) -> np.ndarray:
    """Activate knights, strongest first, if the barbarians are near or the seat has grain to spare."""
    has_spare_grain = t.of(surplus)[:, 3] > 1
    worth = np.where(t.of(alarm) > 0.3, 600.0 + 300.0 * t.of(alarm), np.where(has_spare_grain, 110.0, NOT_NOW))
    return worth[:, None] + t.public("knight")


@score(PROMOTE_KNIGHT)
def promote_knight(t: DecisionContext) -> np.ndarray:
    """Promote active knights first."""
    worth = np.where(t.of(lacking) > 0, 330.0, 120.0)
    return worth[:, None] + 5.0 * (t.public("knight_state") != INACTIVE) - t.public("knight")


@score(IMPROVE)
def improve(t: DecisionContext) -> np.ndarray:
    """Always improve cities, preferring levels that grant an ability or a metropolis."""
    return 920.0 + 10.0 * np.array([0.0, 1.0, 2.0, 9.0, 6.0, 0.0])[t.of(levels)]


@score(BUILD_WALL)
def build_wall(t: DecisionContext) -> np.ndarray:
    """Build a wall if the hand has more than seven cards; otherwise, only if spare cards cover twice the price."""
    has_many_cards = t.own("hands").sum(axis=1) > 7
    can_spare = (t.of(surplus) >= 2 * t.cost("wall")).all(axis=1)
    worth = np.where(has_many_cards, 260.0, np.where(can_spare, 90.0, NEVER))
    return worth[:, None] + t.of(production).sum(axis=2)


@score(CHOOSE_CITY)
def choose_city(t: DecisionContext) -> np.ndarray:
    """Put a metropolis on the best city, and give up the worst to pillaging, preferably one without a wall."""
    worth = t.of(production).sum(axis=2) + 2.0 * t.public("wall")
    return np.where(t.deciding("lose_city")[:, None], -worth, worth)


@score_bonus(TRADE_WITH_BANK)
def keep_commodities(t: DecisionContext) -> np.ndarray:
    """Do not trade away commodities needed for the next level of a track."""
    card_kinds = t.own("hands").shape[1]
    given_kinds, _ = np.nonzero(~np.eye(card_kinds, dtype=bool))
    is_kept = np.zeros((len(t.games), card_kinds), bool)
    commodities_left = (
        t.own("hands")[:, COMMODITIES] - np.array(t.public("trade_rate")[t.rows, t.seats])[:, COMMODITIES]
    )
    is_kept[:, COMMODITIES] = commodities_left < t.of(wanted_commodities)
    return np.where(is_kept[:, given_kinds], -1e5, 0.0)


@score_bonus(DISCARD_CARD)
def discard_commodities_last(t: DecisionContext) -> np.ndarray:
    """Discard commodities last if they are needed for the next level."""
    card_worth = np.zeros(t.own("hands").shape)
    is_wanted = t.own("hands")[:, COMMODITIES] <= t.of(wanted_commodities)
    card_worth[:, COMMODITIES] = np.where(is_wanted, -12.0 * t.own("hands")[:, COMMODITIES], 0.0)
    return card_worth


@RATES.append
def rates_of_cards(t: DecisionContext) -> np.ndarray:
    """Return the trade rates that the merchant, a merchant fleet and the merchant guild grant, shape (n, kinds)."""
    rules = t.engine.rules
    card_kinds = t.own("hands").shape[1]
    best_rates = np.full((len(t.games), card_kinds), 99)
    if not t.has("merchant"):
        return best_rates
    merchant_hex = t.public("merchant").astype(np.int64)
    terrain = t.public("terrain")[t.rows, np.maximum(merchant_hex, 0)]
    is_own_merchant = (t.public("merchant_owner") == t.seats) & (merchant_hex >= 0) & (terrain < NUM_RESOURCES)
    best_rates[t.rows[is_own_merchant], terrain[is_own_merchant]] = rules["merchant_rate"]
    best_rates = np.where(t.public("fleet") > 0, np.minimum(best_rates, rules["fleet_rate"]), best_rates)
    has_merchant_guild = t.of(levels)[:, 1] >= 3
    best_rates[:, COMMODITIES] = np.where(
        has_merchant_guild[:, None], rules["merchant_guild_rate"], best_rates[:, COMMODITIES]
    )
    return best_rates


# -- knight actions --------------------------------------------------------------------------------------------


@score(TAKE_KNIGHT)
def take_knight(t: DecisionContext) -> np.ndarray:
    """While the barbarians are far off, choose a knight to chase the robber away from the seat's buildings.

    When forced to choose, prefer an opponent's strongest knight or the seat's weakest.
    """
    strength = t.public("knight").astype(np.float64)
    robber_hex = t.public("robber").astype(np.int64)
    corners = t.topology.hex_intersections[np.maximum(robber_hex, 0)]
    is_blocked = (np.take_along_axis(t.of(my_buildings), np.maximum(corners, 0), axis=1) * (corners >= 0)).any(axis=1)
    is_blocked &= robber_hex >= 0
    beside_robber = (t.topology.intersection_hexes[None] == robber_hex[:, None, None]).any(axis=2) & is_blocked[:, None]
    must_choose = t.deciding("betray") | t.deciding("drive_out")
    is_own = t.public("knight_owner") == t.seats[:, None]
    is_calm = (t.of(alarm) < 0.3)[:, None]
    return np.where(
        must_choose[:, None],
        np.where(is_own, -strength, strength),
        np.where(beside_robber & is_calm, 600.0, NOT_NOW),
    )


@score(PLACE_KNIGHT)
def place_knight(t: DecisionContext) -> np.ndarray:
    """Place knights away from good sites. A knight chosen to chase the robber does so instead of moving."""
    worth = 100.0 - t.of(site_values)
    return np.where(t.deciding("use_knight")[:, None], worth - 1000.0, worth)


# -- drawing and declining cards -------------------------------------------------------------------------------


@score(CHOOSE_DECK)
def choose_deck(t: DecisionContext) -> np.ndarray:
    """Choose the track with the lowest level, because its gate opens least often."""
    return -1.0 * t.of(levels)


always(NO_GAIN, FORGO)


def worth_of_resources(t: DecisionContext) -> np.ndarray:
    """Return the value of one more card of each kind, shape (n, kinds)."""
    worth = 10.0 * t.of(deficit) + t.of(worth_of_cards)
    worth[:, COMMODITIES] += np.where(t.of(wanted_commodities) > 0, 6.0, 0.0)
    return worth


def income_by_sum(t: DecisionContext) -> np.ndarray:
    """Return the number of cards that the seat gets for each dice total, shape (n, 13)."""
    hex_cards = at(t.of(my_buildings), t.topology.hex_intersections).sum(axis=2)
    hex_cards = hex_cards * (np.arange(hex_cards.shape[1]) != t.public("robber")[:, None])
    return (hex_cards[:, :, None] * (t.public("number")[:, :, None] == np.arange(13))).sum(axis=1)


def my_hex_cards(t: DecisionContext) -> np.ndarray:
    """Return the number of cards that the seat gets from each hex when its number is rolled, shape (n, hexes)."""
    return at(t.of(my_buildings), t.topology.hex_intersections).sum(axis=2).astype(np.float64)


def others_hex_cards(t: DecisionContext) -> np.ndarray:
    """Return how many cards all opponents together get from each hex when its number is rolled, shape (n, hexes)."""
    others_buildings = t.public("building") * (t.public("building_owner") != t.seats[:, None])
    return at(others_buildings, t.topology.hex_intersections).sum(axis=2).astype(np.float64)


def swap_gains(t: DecisionContext) -> np.ndarray:
    """Return the net value of an extra pip on each hex, shape (n, hexes)."""
    return t.of(my_hex_cards) - 0.4 * t.of(others_hex_cards)


def pips_of_hexes(t: DecisionContext) -> np.ndarray:
    """Return the pips of each hex, shape (n, hexes)."""
    return PIPS[t.public("number")]


def opponents_to_the_left(t: DecisionContext, action) -> np.ndarray:
    """Return the opponents' seats in the order that action arguments use, shape (n, opponents)."""
    opponent_count = len(t.engine.actions.ids(action.name))
    return (t.seats[:, None] + 1 + np.arange(opponent_count)) % t.engine.num_players
