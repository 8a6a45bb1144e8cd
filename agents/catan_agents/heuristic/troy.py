"""Scores for Troy: use spare cards to support the seat's city and to pay for ships."""

from __future__ import annotations

import numpy as np

from catan_agents.heuristic.base import move_robber, my_buildings, my_production, plan, production
from catan_agents.heuristic.decision_context import DecisionContext, at
from catan_agents.heuristic.scoring import NEVER, NO_GAIN, always, goal, score, site_bonus
from catan_env.board.terrain import SEA
from catan_env.games.troy.donations import DONATE, END_DONATION
from catan_env.games.troy.fleet import BUILD_SHIP, CHOOSE_TRADE_GOODS
from catan_env.games.troy.pool_trade import SWAP_WITH_POOL, TAKE_FROM_POOL
from catan_env.games.troy.seafaring_people import MOVE_PEOPLE

DANGER = 3
"""Lead, in battles, at which a city is out of danger."""
THEFT = 4.0
"""Value of a stolen card, in pips lost by opponents."""
WAR_PIP = 0.8
"""Bonus per pip of a resource that supports the seat's city."""
FIRST_COAST = 4.0
"""Bonus, in pips, for the first building on the coast."""
SHIP_PIP = 1.0
"""Bonus per pip of a resource that ships cost but the seat does not produce."""

always(NO_GAIN, END_DONATION)
always(130.0, TAKE_FROM_POOL)


def spare(t: DecisionContext) -> np.ndarray:
    """Return the cards that neither the plan nor the next ship needs, shape (n, 5)."""
    return np.maximum(t.own("hands") - t.of(plan) - t.cost("ship"), 0)


def for_own_city(t: DecisionContext) -> np.ndarray:
    """Return 1 for cards that support the seat's city, -1 for the other city and 0 for neither, shape (n, 5)."""
    supports = np.array(t.engine.rules["card_supports"])
    own_side = t.own("side")[:, None] + 1
    return np.where(supports == 0, 0, np.where(supports == own_side, 1, -1))


def in_danger(t: DecisionContext) -> np.ndarray:
    """Return whether the other city can still win the war, as an (n,) bool array."""
    wins, side = t.public("battles_won"), t.own("side")
    other_wins = wins[t.rows, 1 - side]
    return other_wins + DANGER > wins[t.rows, side]


def helps_ally(t: DecisionContext) -> np.ndarray:
    """Return whether winning one more battle would end the war with a possible ally tied or ahead, shape (n,), bool."""
    wins = t.public("battles_won")[t.rows, t.own("side")]
    others_points = t.points.copy()
    others_points[t.rows, t.seats] = -1
    all_behind = others_points.max(axis=1) < t.points[t.rows, t.seats]
    return (wins + 1 >= t.engine.rules["battles_to_end"]) & ~all_behind


def open_sea(t: DecisionContext) -> np.ndarray:
    """Return which sea hexes have no ship, as an (n, hexes) bool array."""
    return (t.public("terrain") == SEA) & (t.public("ship_owner") < 0)


def has_ship_place(t: DecisionContext) -> np.ndarray:
    """Return whether the seat to act has a ship left and a place for it, as an (n,) bool array."""
    beside_building = at(t.of(my_buildings) > 0, t.topology.hex_intersections).any(axis=2)
    beside_ship = at(t.public("ship_owner") == t.seats[:, None], t.topology.hex_neighbors).any(axis=2)
    return (t.of(open_sea) & (beside_building | beside_ship)).any(axis=1) & t.left("ships")


@site_bonus("ship_owner")
def coast(t: DecisionContext) -> np.ndarray:
    """Return the bonus for access to the sea, which ships require."""
    is_at_sea = at(t.of(open_sea), t.topology.intersection_hexes).any(axis=2)
    return FIRST_COAST * (is_at_sea & ~t.of(has_ship_place)[:, None])


@site_bonus("ship_owner")
def cards_of_ships(t: DecisionContext) -> np.ndarray:
    """Return the bonus for resources that ships cost but the seat does not produce."""
    is_lacking = (t.of(my_production) == 0) & (t.cost("ship") > 0)
    return SHIP_PIP * (t.of(production) * is_lacking[:, None]).sum(axis=2)


@site_bonus("side")
def cards_of_war(t: DecisionContext) -> np.ndarray:
    """Return the bonus for resources that can be donated to the seat's city."""
    return WAR_PIP * (t.of(production) * (t.of(for_own_city) == 1)[:, None]).sum(axis=2)


def has_commerce(t: DecisionContext) -> np.ndarray:
    """Return whether the seat has enough commerce points for a ship, as an (n,) bool array."""
    return t.public("commerce")[t.rows, t.seats] >= t.engine.rules["ship_commerce"]


@goal(BUILD_SHIP, "ship")
def save_for_a_ship(t: DecisionContext) -> tuple[np.ndarray, float]:
    """Save for a ship if there is a place for it and the seat has enough commerce points."""
    return t.of(has_ship_place) & t.of(has_commerce), 0.0


@score(DONATE)
def donate(t: DecisionContext) -> np.ndarray:
    """Donate spare cards that support the seat's city.

    While its city is in danger, the seat also donates cards that its plan needs. It stops if the next battle could hand
    victory to an ally. To gain a ship's commerce points, it donates one card that supports neither city or, when not in
    danger, one that supports the other city.
    """
    support, cards_left = t.of(for_own_city), t.of(spare)
    has_points = t.of(has_commerce)
    cards_kept = t.own("hands") - np.where((has_points & t.left("ships"))[:, None], t.cost("ship"), 0)
    cards_left = np.where((support == 1) & t.of(in_danger)[:, None], np.maximum(cards_kept, 0), cards_left)
    is_first = ~t.deciding("donate_more")[:, None]
    wants_points = is_first & (t.of(has_ship_place) | t.left("ships") & ~has_points)[:, None]
    single_worth = np.where(support == 0, 160.0, np.where(t.of(in_danger)[:, None], NEVER, 60.0))
    is_for_war = (support == 1) & ~t.of(helps_ally)[:, None]
    return np.where(
        cards_left == 0,
        NEVER,
        np.where(is_for_war, 260.0 + cards_left, np.where(wants_points, single_worth + cards_left, NEVER)),
    )


@score(BUILD_SHIP)
def build_ship(t: DecisionContext) -> np.ndarray:
    """Place ships next to plenty of open sea to leave room for more."""
    return 650.0 + at(t.of(open_sea), t.topology.hex_neighbors).sum(axis=2)


@score(CHOOSE_TRADE_GOODS)
def choose_trade_goods(t: DecisionContext) -> np.ndarray:
    """Choose the resource that the seat produces most."""
    return 10.0 + t.of(my_production)


@score(SWAP_WITH_POOL)
def swap_with_pool(t: DecisionContext) -> np.ndarray:
    """Swap a spare card that supports the seat's city for an unknown card from the pool."""
    return np.where((t.of(spare) > 0) & (t.of(for_own_city) == 1), 120.0, NEVER)


@score(MOVE_PEOPLE)
def move_people(t: DecisionContext) -> np.ndarray:
    """Harm opponents as with the robber, but prefer hexes where a card can be stolen."""
    has_cards = np.zeros((len(t.games), t.engine.num_players + 1), bool)  # index -1 is nobody
    has_cards[:, :-1] = t.totals("hands") > 0
    has_cards[t.rows, t.seats] = False
    ship_owners, rows = t.public("ship_owner"), t.rows[:, None]
    has_rich_building = at(has_cards[rows, t.public("building_owner")], t.topology.hex_intersections).any(axis=2)
    return t.of(move_robber) + THEFT * np.where(ship_owners >= 0, has_cards[rows, ship_owners], has_rich_building)
