"""Cities & Knights: improvements first, as many active knights as the barbarians ask for, cards once they help."""

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
"""Steps the barbarians have made when knights begin to be activated for them."""
BLOCKED = 0.4
"""How much of a site's worth is lost by standing on it oneself."""
NOT_NOW = -10.0
FIRST_OF_ALL = -20.0
"""Cards further away than it is: what is saved for before anything else."""


# -- what there is ---------------------------------------------------------------------------------------------


def levels(t: DecisionContext) -> np.ndarray:
    """(n, tracks) own levels."""
    return t.public("improvement")[t.rows, t.seats]


def wanted_commodities(t: DecisionContext) -> np.ndarray:
    """(n, 3) commodities of each kind that the next level costs; none where the track is done."""
    level = t.of(levels)
    return np.where(level < HIGHEST, level + 1, 0)


def my_knights(t: DecisionContext) -> np.ndarray:
    """(n, intersections) strength of own knights."""
    return t.public("knight") * (t.public("knight_owner") == t.seats[:, None])


def defence(t: DecisionContext) -> np.ndarray:
    """(n, players) strength of each player's active knights."""
    active = t.public("knight") * (t.public("knight_state") != INACTIVE)
    owners = t.public("knight_owner")[:, :, None] == np.arange(t.engine.num_players)
    return (active[:, :, None] * owners).sum(axis=1)


def cities_at_stake(t: DecisionContext) -> np.ndarray:
    """(n,) own cities that could be pillaged."""
    return ((t.of(my_buildings) == 2) & (t.public("metropolis") == 0)).sum(axis=1)


def lacking(t: DecisionContext) -> np.ndarray:
    """(n,) strength that the active knights of all lack for beating the barbarians off, who count players' cities."""
    cities = (t.public("building") == 2) & (t.public("building_owner") < t.engine.num_players)
    return cities.sum(axis=1) - t.of(defence).sum(axis=1)


def alarm(t: DecisionContext) -> np.ndarray:
    """(n,) how much a further active knight is worth: the nearer the barbarians and the more there is to lose."""
    steps = t.public("barbarian_steps")
    mine = t.of(defence)[t.rows, t.seats]
    others = np.where(np.arange(t.engine.num_players) == t.seats[:, None], 0, t.of(defence)).max(axis=1)
    danger = (t.of(lacking) > 0) & (t.of(cities_at_stake) > 0)
    prize = (t.of(lacking) <= 1) & (mine <= others)
    return (steps >= NEAR) * (1.0 * danger + 0.6 * prize) * (steps + 1) / 7 + 0.05


# -- building --------------------------------------------------------------------------------------------------


@goal(RECRUIT_KNIGHT, "recruit")
def save_for_a_knight(t: DecisionContext) -> tuple[np.ndarray, np.ndarray]:
    """Two as soon as there is a city to lose, more where the barbarians are stronger."""
    few = (t.of(my_knights) > 0).sum(axis=1) < np.where(t.of(lacking) > 1, 3, 2)
    return few & (t.of(cities_at_stake) > 0), np.full(len(t.games), 0.5)


@goal(ACTIVATE_KNIGHT, "activate")
def save_for_activating(t: DecisionContext) -> tuple[np.ndarray, np.ndarray]:
    """Once the barbarians come near."""
    sleeping = ((t.of(my_knights) > 0) & (t.public("knight_state") == INACTIVE)).any(axis=1)
    return sleeping & (t.of(alarm) > 0.3), np.full(len(t.games), -1.0)


@goal(IMPROVE, "city")
def save_for_a_city_again(t: DecisionContext) -> tuple[np.ndarray, float]:
    """Before all else for who has none left, or has one to raise again."""
    return t.of(cityless), FIRST_OF_ALL


def cityless(t: DecisionContext) -> np.ndarray:
    """(n,) bool: no city brings commodities or can be improved, and there is a settlement and a piece for one."""
    mine = t.of(my_buildings)
    laid = (t.public("city_laid") > 0) & (mine > 0)
    return ~(mine == 2).any(axis=1) & (mine == SETTLEMENT).any(axis=1) & (t.left("cities") | laid.any(axis=1))


def leaves_a_city(price: str) -> Callable[[DecisionContext], np.ndarray]:
    """Against paying this price with cards of which the city is to be."""

    def reason(t: DecisionContext) -> np.ndarray:
        return np.where(t.of(cityless) & (t.cost(price) > t.of(surplus)).any(axis=1), -1e3, 0.0)[:, None]

    return reason


for _action, _price in ((RECRUIT_KNIGHT, "recruit"), (PROMOTE_KNIGHT, "promote"), (ACTIVATE_KNIGHT, "activate")):
    score_bonus(_action)(leaves_a_city(_price))


@score(RECRUIT_KNIGHT)
def recruit_knight(t: DecisionContext) -> np.ndarray:
    """On a place that is no good site, at first; a few are enough."""
    number = (t.of(my_knights) > 0).sum(axis=1)
    worth = np.where(number < 2, 420.0, np.where(t.of(lacking) > 0, 320.0, 60.0))
    return worth[:, None] - BLOCKED * t.of(site_values)


@score(ACTIVATE_KNIGHT)
def activate_knight(t: DecisionContext) -> np.ndarray:
    """The stronger the better; with grain left over at any time."""
    spare = t.of(surplus)[:, 3] > 1
    worth = np.where(t.of(alarm) > 0.3, 600.0 + 300.0 * t.of(alarm), np.where(spare, 110.0, NOT_NOW))
    return worth[:, None] + t.public("knight")


@score(PROMOTE_KNIGHT)
def promote_knight(t: DecisionContext) -> np.ndarray:
    """Active ones first."""
    worth = np.where(t.of(lacking) > 0, 330.0, 120.0)
    return worth[:, None] + 5.0 * (t.public("knight_state") != INACTIVE) - t.public("knight")


@score(IMPROVE)
def improve(t: DecisionContext) -> np.ndarray:
    """Always; the levels that bring an ability or a metropolis above all."""
    return 920.0 + 10.0 * np.array([0.0, 1.0, 2.0, 9.0, 6.0, 0.0])[t.of(levels)]


@score(BUILD_WALL)
def build_wall(t: DecisionContext) -> np.ndarray:
    """For who holds many cards; for others only while as many stay for roads and settlements."""
    many = t.own("hands").sum(axis=1) > 7
    spare = (t.of(surplus) >= 2 * t.cost("wall")).all(axis=1)
    worth = np.where(many, 260.0, np.where(spare, 90.0, NEVER))
    return worth[:, None] + t.of(production).sum(axis=2)


@score(CHOOSE_CITY)
def choose_city(t: DecisionContext) -> np.ndarray:
    """The best for a metropolis; the worst, one without a wall, for the barbarians."""
    worth = t.of(production).sum(axis=2) + 2.0 * t.public("wall")
    return np.where(t.deciding("lose_city")[:, None], -worth, worth)


@score_bonus(TRADE_WITH_BANK)
def keep_commodities(t: DecisionContext) -> np.ndarray:
    """Commodities of a track that is not done are spent on it."""
    cards = t.own("hands").shape[1]
    give, _ = np.nonzero(~np.eye(cards, dtype=bool))
    kept = np.zeros((len(t.games), cards), bool)
    spare = t.own("hands")[:, COMMODITIES] - np.array(t.public("trade_rate")[t.rows, t.seats])[:, COMMODITIES]
    kept[:, COMMODITIES] = spare < t.of(wanted_commodities)
    return np.where(kept[:, give], -1e5, 0.0)


@score_bonus(DISCARD_CARD)
def discard_commodities_last(t: DecisionContext) -> np.ndarray:
    """As far as the next level takes them."""
    worth = np.zeros(t.own("hands").shape)
    near = t.own("hands")[:, COMMODITIES] <= t.of(wanted_commodities)
    worth[:, COMMODITIES] = np.where(near, -12.0 * t.own("hands")[:, COMMODITIES], 0.0)
    return worth


@RATES.append
def rates_of_cards(t: DecisionContext) -> np.ndarray:
    """What the merchant, a merchant fleet and the merchant guild make cheaper."""
    rules = t.engine.rules
    cards = t.own("hands").shape[1]
    best = np.full((len(t.games), cards), 99)
    if not t.has("merchant"):
        return best
    hex = t.public("merchant").astype(np.int64)
    terrain = t.public("terrain")[t.rows, np.maximum(hex, 0)]
    mine = (t.public("merchant_owner") == t.seats) & (hex >= 0) & (terrain < NUM_RESOURCES)
    best[t.rows[mine], terrain[mine]] = rules["merchant_rate"]
    best = np.where(t.public("fleet") > 0, np.minimum(best, rules["fleet_rate"]), best)
    guild = t.of(levels)[:, 1] >= 3
    best[:, COMMODITIES] = np.where(guild[:, None], rules["merchant_guild_rate"], best[:, COMMODITIES])
    return best


# -- knights that act ------------------------------------------------------------------------------------------


@score(TAKE_KNIGHT)
def take_knight(t: DecisionContext) -> np.ndarray:
    """In the own turn, to chase the robber from an own building; else the strongest of others, or the weakest own."""
    strength = t.public("knight").astype(np.float64)
    robber = t.public("robber").astype(np.int64)
    around = t.topology.hex_intersections[np.maximum(robber, 0)]
    suffers = (np.take_along_axis(t.of(my_buildings), np.maximum(around, 0), axis=1) * (around >= 0)).any(axis=1)
    suffers &= robber >= 0
    beside = (t.topology.intersection_hexes[None] == robber[:, None, None]).any(axis=2) & suffers[:, None]
    chosen = t.deciding("betray") | t.deciding("drive_out")
    mine = t.public("knight_owner") == t.seats[:, None]
    calm = (t.of(alarm) < 0.3)[:, None]
    return np.where(chosen[:, None], np.where(mine, -strength, strength), np.where(beside & calm, 600.0, NOT_NOW))


@score(PLACE_KNIGHT)
def place_knight(t: DecisionContext) -> np.ndarray:
    """Off good sites; whoever was taken up for the robber chases him."""
    worth = 100.0 - t.of(site_values)
    return np.where(t.deciding("use_knight")[:, None], worth - 1000.0, worth)


# -- drawing and leaving cards ---------------------------------------------------------------------------------


@score(CHOOSE_DECK)
def choose_deck(t: DecisionContext) -> np.ndarray:
    """Of the track where one stands lowest: its gate opens seldom."""
    return -1.0 * t.of(levels)


always(NO_GAIN, FORGO)


def worth_of_resources(t: DecisionContext) -> np.ndarray:
    """(n, kinds) what a further card of each kind is worth."""
    worth = 10.0 * t.of(deficit) + t.of(worth_of_cards)
    worth[:, COMMODITIES] += np.where(t.of(wanted_commodities) > 0, 6.0, 0.0)
    return worth


def income_by_sum(t: DecisionContext) -> np.ndarray:
    """(n, 13) cards that each sum of the dice would bring."""
    cards = at(t.of(my_buildings), t.topology.hex_intersections).sum(axis=2)
    cards = cards * (np.arange(cards.shape[1]) != t.public("robber")[:, None])
    return (cards[:, :, None] * (t.public("number")[:, :, None] == np.arange(13))).sum(axis=1)


def my_hex_cards(t: DecisionContext) -> np.ndarray:
    """(n, hexes) cards that a hex brings whenever it is rolled."""
    return at(t.of(my_buildings), t.topology.hex_intersections).sum(axis=2).astype(np.float64)


def others_hex_cards(t: DecisionContext) -> np.ndarray:
    """(n, hexes) the same of all opponents together."""
    theirs = t.public("building") * (t.public("building_owner") != t.seats[:, None])
    return at(theirs, t.topology.hex_intersections).sum(axis=2).astype(np.float64)


def swap_gains(t: DecisionContext) -> np.ndarray:
    """(n, hexes) what another number would change on a hex, for each pip that it has less."""
    return t.of(my_hex_cards) - 0.4 * t.of(others_hex_cards)


def pips_of_hexes(t: DecisionContext) -> np.ndarray:
    """(n, hexes) ways in 36 to roll each hex."""
    return PIPS[t.public("number")]


def opponents_to_the_left(t: DecisionContext, action) -> np.ndarray:
    """(n, opponents) seats, in the order of an action over opponents."""
    opponents = len(t.engine.actions.ids(action.name))
    return (t.seats[:, None] + 1 + np.arange(opponents)) % t.engine.num_players
