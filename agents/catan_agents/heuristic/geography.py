"""Scores for country maps, where chips, certificates and canal tokens are worth building a road for."""

from catan_agents.heuristic.base import IS_SITE, lacks_something, surplus
from catan_agents.heuristic.generated import shared
from catan_agents.heuristic.scoring import NEVER, score, score_bonus
from catan_env.games.base.building import BUILD_ROAD
from catan_env.games.geography import canal_tokens as canal_token_rules
from catan_env.games.geography import certificates as certificate_rules
from catan_env.games.geography import crossing_chips as chip_rules
from catan_env.games.geography import town_sites as town_site_rules
from catan_env.games.geography.canal_trade import PLAY_CANAL_TOKEN
from catan_env.games.geography.town_sites import is_site
from catan_env.games.vocabulary import DEGREE, HAND_CARDS, NOTHING, RATE

CHIP, NEAR_CHIP = 600.0, 60.0
"""Bonuses for a road that collects a chip (two cards buy a point) and for one that ends one step away from a chip."""
ANY_KIND, ONE_KIND = 4.0, 2.0
"""Bonuses, in pips, for certificates that trade 3:1 and 2:1."""
TOKEN, HALF_WAY = 80.0, 8.0
"""Bonuses for a road that joins two canal sites through a junction, and for the first of the two roads."""


@IS_SITE.contribution(of=town_site_rules)
def is_site_of_map(game, params, seat, memo, intersection):
    return is_site(params, intersection)


def chips_at(game, params, intersection):
    """Return the number of chips on an intersection, 0 or 1."""
    crossing = params.intersection_vp[intersection]
    return game.crossing_chip[crossing] if crossing != NOTHING else 0


@score_bonus(BUILD_ROAD, of=chip_rules)
def build_road_for_chips(game, params, seat, memo, path):
    """Prefer roads to crossings that have a chip, then roads next to such crossings."""
    chips = 0
    chips_near = 0
    for end in range(2):
        intersection = params.path_intersections[path, end]
        chips += chips_at(game, params, intersection)
        for k in range(DEGREE):
            neighbor = params.intersection_neighbors[intersection, k]
            if neighbor != NOTHING:
                chips_near = max(chips_near, chips_at(game, params, neighbor))
    return CHIP * chips + NEAR_CHIP * chips_near


@score_bonus(BUILD_ROAD, of=certificate_rules)
def build_road_for_certificate(game, params, seat, memo, path):
    """Prefer roads that earn a certificate with a better rate."""
    certificate = params.path_certificate[path]
    if certificate == NOTHING:
        return 0.0
    rate, resource = params.certificate_rate[certificate], params.certificate_resource[certificate]
    if resource != NOTHING:
        return ONE_KIND if game.trade_rate[seat, resource] > rate else 0.0
    better_rates = 0
    for card in range(HAND_CARDS):
        better_rates += game.trade_rate[seat, card] > rate
    return ANY_KIND * (better_rates / HAND_CARDS)


def is_canal_site(params, intersection):
    """Return whether an intersection is a site of the canal."""
    return params.intersection_canal_site[intersection] != NOTHING


def junction_of(params, path):
    """Return the other end of a path with a canal site at exactly one end, or NOTHING."""
    first_end, second_end = params.path_intersections[path, 0], params.path_intersections[path, 1]
    if is_canal_site(params, first_end) == is_canal_site(params, second_end):
        return NOTHING
    return int(second_end) if is_canal_site(params, first_end) else int(first_end)


@score_bonus(BUILD_ROAD, of=canal_token_rules)
def build_road_for_token(game, params, seat, memo, path):
    """Prefer roads that join two canal sites through a junction."""
    junction = junction_of(params, path)
    if junction == NOTHING:
        return 0.0
    for k in range(DEGREE):
        other_path = params.intersection_paths[junction, k]
        if other_path != NOTHING and game.edge_owner[other_path] == seat:
            if junction_of(params, other_path) != NOTHING:
                return TOKEN
    return HALF_WAY


@shared()
def is_stuck(game, params, seat, memo):
    """Return whether the plan needs cards that no trade with the bank provides."""
    for card in range(HAND_CARDS):
        if surplus(game, params, seat, memo, card) >= RATE(game, params, seat, card):
            return False
    return lacks_something(game, params, seat, memo)


@score(PLAY_CANAL_TOKEN)
def play_canal_token(game, params, seat, memo, resource):
    """Play a token if it enables a trade for missing cards that is otherwise impossible."""
    cards_spare = surplus(game, params, seat, memo, resource)
    is_useful = cards_spare >= params.canal_rate and is_stuck(game, params, seat, memo)
    return 490.0 + cards_spare if is_useful else NEVER
