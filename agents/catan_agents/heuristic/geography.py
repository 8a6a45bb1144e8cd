"""Maps of countries: chips at crossings, certificates and canal tokens are worth a road."""

import numpy as np

from catan_agents.heuristic.base import RATES, deficit, rates, surplus
from catan_agents.heuristic.decision_context import DecisionContext, at
from catan_agents.heuristic.scoring import NEVER, score, score_bonus
from catan_env.games.base.building import BUILD_ROAD
from catan_env.games.geography.canal_trade import PLAY_CANAL_TOKEN
from catan_env.games.vocabulary import NUM_RESOURCES

CHIP, NEAR_CHIP = 600.0, 60.0
"""Of a road that takes a chip: a point for two cards; and of one that leads next to such a crossing."""
ANY_KIND, ONE_KIND = 4.0, 2.0
"""Of certificates that trade 3:1 and 2:1, in pips."""
TOKEN, HALF_WAY = 80.0, 8.0
"""Of a road that joins two canal sites over one junction; and of the first of these two roads."""


@score_bonus(BUILD_ROAD)
def build_road_for_chips(t: DecisionContext) -> np.ndarray:
    """To a crossing whose chip is still there, or next to one."""
    left = t.public("crossing_chip")
    chips = np.zeros((len(t.games), t.topology.num_intersections))
    chips[:, t.topology.marks["vp"].places] = left
    ends = t.topology.path_intersections
    near = at(chips, t.topology.intersection_neighbors).max(axis=2)[:, ends].max(axis=2)
    return CHIP * chips[:, ends].sum(axis=2) + NEAR_CHIP * near


@score_bonus(BUILD_ROAD)
def build_road_for_certificate(t: DecisionContext) -> np.ndarray:
    """Where it makes trade with the bank cheaper."""
    mark = t.topology.marks.get("certificate")
    if mark is None:
        return np.zeros((len(t.games), 1))
    worth = np.zeros((len(t.games), t.topology.num_paths))
    rates = t.public("trade_rate")[t.rows, t.seats]
    kinds, rate = mark.numbers["resource"], mark.numbers["rate"]
    any_kind = ANY_KIND * (rates[:, :, None] > rate).mean(axis=1)
    one_kind = ONE_KIND * (rates[:, np.maximum(kinds, 0)] > rate)
    worth[:, mark.places] = np.where(kinds < 0, any_kind, one_kind)
    return worth


@score_bonus(BUILD_ROAD)
def build_road_for_token(t: DecisionContext) -> np.ndarray:
    """From canal site to canal site over a junction between them."""
    t.public("canal_tokens")
    canal = np.zeros(t.topology.num_intersections, bool)
    canal[t.topology.marks["canal_site"].places] = True
    ends = t.topology.path_intersections
    along = canal[ends].any(axis=1) & ~canal[ends].all(axis=1)
    middle = np.where(canal[ends[:, 0]], ends[:, 1], ends[:, 0])
    mine = (t.public("edge_owner") == t.seats[:, None]) & along
    half = np.any(at(mine, t.topology.intersection_paths), axis=2)[:, middle]
    return np.where(along, np.where(half, TOKEN, HALF_WAY), 0.0)


def rates_on_canal(t: DecisionContext) -> np.ndarray:
    """(n, kinds) what the tokens played in this turn allow."""
    return np.where(t.public("canal_trade") > 0, t.engine.rules["canal_rate"], t.engine.rules["bank_rate"])


RATES.append(rates_on_canal)


@score(PLAY_CANAL_TOKEN)
def play_canal_token(t: DecisionContext) -> np.ndarray:
    """If what the plan lacks can be had so, and not without it."""
    spare = t.of(surplus)
    lacks = np.any(t.of(deficit), axis=1) & ~np.any(spare >= t.of(rates), axis=1)
    spare = spare[:, :NUM_RESOURCES]
    return np.where(lacks[:, None] & (spare >= t.engine.rules["canal_rate"]), 490.0 + spare, NEVER)
