"""Town sites: where towns may be built, and where a road ends unless its owner has a town there.

Roads that meet at an empty site form a single route. Whether players may build past the site is a separate question.
"""

from catan_env.engine.declare import Number, Size, answers, rule
from catan_env.games.vocabulary import MAY_CONTINUE, MAY_SETTLE, NOTHING, SIDE_BY_SIDE

CROSSINGS = Size("vp")
"""Crossings worth a victory point: junctions of kind `vp` on the map."""
BADGES, SITES = 0, 1
APPLIES, OFF = 0, 1

NUMBERS = (
    Number(
        "crossings",
        "chips",
        "role of crossings: a chip for the first road, or ordinary sites",
        choices=("chips", "sites"),
    ),
    Number(
        "distance_rule",
        "applies",
        "sites for buildings: at least two paths from other buildings, or any free site",
        choices=("applies", "off"),
    ),
)


@rule("geography.town_sites.2", "geography.town_sites.3")
def is_site(params, intersection):
    """Return whether a town may be built on an intersection."""
    if params.intersection_site[intersection] != NOTHING:
        return True
    return params.crossings == SITES and params.intersection_vp[intersection] != NOTHING


@rule("geography.town_sites.1", "geography.town_sites.2")
@answers(MAY_SETTLE)
def settle_on_sites(game, params, player, intersection):
    return is_site(params, intersection)


@rule("geography.town_sites.6", "geography.town_sites.7")
@answers(MAY_CONTINUE)
def continue_from_own_town(game, params, player, intersection):
    """An edge piece cannot continue past an empty site. This is asked only about intersections without buildings."""
    return not is_site(params, intersection)


@rule("geography.town_sites.4")
@answers(SIDE_BY_SIDE)
def neighbors_do_not_matter(game, params, player, intersection):
    return params.distance_rule == OFF
