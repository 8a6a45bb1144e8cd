"""Scores for country maps, where chips, certificates and canal tokens are worth building a road for."""

import numpy as np

from catan_agents.heuristic.base import RATES, deficit, rates, surplus
from catan_agents.heuristic.decision_context import DecisionContext, at
from catan_agents.heuristic.scoring import NEVER, score, score_bonus
from catan_env.games.base.building import BUILD_ROAD
from catan_env.games.geography.canal_trade import PLAY_CANAL_TOKEN
from catan_env.games.vocabulary import NUM_RESOURCES

CHIP, NEAR_CHIP = 600.0, 60.0
"""Bonuses for a road that collects a chip (two cards buy a point) and for one that ends one step away from a chip."""
ANY_KIND, ONE_KIND = 4.0, 2.0
"""Bonuses, in pips, for certificates that trade 3:1 and 2:1."""
TOKEN, HALF_WAY = 80.0, 8.0
"""Bonuses for a road that joins two canal sites through a junction, and for the first of the two roads."""


@score_bonus(BUILD_ROAD)
def build_road_for_chips(t: DecisionContext) -> np.ndarray:
    """Prefer roads to crossings that have a chip, then roads next to such crossings."""
    chips_left = t.public("crossing_chip")
    has_chip = np.zeros((len(t.games), t.topology.num_intersections))
    has_chip[:, t.topology.marks["vp"].places] = chips_left
    path_ends = t.topology.path_intersections
    near_chip = at(has_chip, t.topology.intersection_neighbors).max(axis=2)[:, path_ends].max(axis=2)
    return CHIP * has_chip[:, path_ends].sum(axis=2) + NEAR_CHIP * near_chip


@score_bonus(BUILD_ROAD)
def build_road_for_certificate(t: DecisionContext) -> np.ndarray:
    """Prefer roads that earn a certificate with a better rate."""
    certificates = t.topology.marks.get("certificate")
    if certificates is None:
        return np.zeros((len(t.games), 1))
    path_worth = np.zeros((len(t.games), t.topology.num_paths))
    own_rates = t.public("trade_rate")[t.rows, t.seats]
    resources, certificate_rates = certificates.numbers["resource"], certificates.numbers["rate"]
    any_kind = ANY_KIND * (own_rates[:, :, None] > certificate_rates).mean(axis=1)
    one_kind = ONE_KIND * (own_rates[:, np.maximum(resources, 0)] > certificate_rates)
    path_worth[:, certificates.places] = np.where(resources < 0, any_kind, one_kind)
    return path_worth


@score_bonus(BUILD_ROAD)
def build_road_for_token(t: DecisionContext) -> np.ndarray:
    """Prefer roads that join two canal sites through a junction."""
    t.public("canal_tokens")
    is_canal_site = np.zeros(t.topology.num_intersections, bool)
    is_canal_site[t.topology.marks["canal_site"].places] = True
    path_ends = t.topology.path_intersections
    has_one_site = is_canal_site[path_ends].any(axis=1) & ~is_canal_site[path_ends].all(axis=1)
    other_ends = np.where(is_canal_site[path_ends[:, 0]], path_ends[:, 1], path_ends[:, 0])
    is_own = (t.public("edge_owner") == t.seats[:, None]) & has_one_site
    is_half_way = np.any(at(is_own, t.topology.intersection_paths), axis=2)[:, other_ends]
    return np.where(has_one_site, np.where(is_half_way, TOKEN, HALF_WAY), 0.0)


def rates_on_canal(t: DecisionContext) -> np.ndarray:
    """Return the trade rates that canal tokens provide this turn, shape (n, kinds)."""
    return np.where(t.public("canal_trade") > 0, t.engine.rules["canal_rate"], t.engine.rules["bank_rate"])


RATES.append(rates_on_canal)


@score(PLAY_CANAL_TOKEN)
def play_canal_token(t: DecisionContext) -> np.ndarray:
    """Play a token if it enables a trade for missing cards that is otherwise impossible."""
    cards_spare = t.of(surplus)
    lacks_cards = np.any(t.of(deficit), axis=1) & ~np.any(cards_spare >= t.of(rates), axis=1)
    cards_spare = cards_spare[:, :NUM_RESOURCES]
    return np.where(lacks_cards[:, None] & (cards_spare >= t.engine.rules["canal_rate"]), 490.0 + cards_spare, NEVER)
