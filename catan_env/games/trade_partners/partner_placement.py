"""The founding of the trade partners: when all players have founded, they found the same for their partners.

Where no coast is left, a road stands in for a ship.
"""

from catan_env.engine.decision_stack import enqueue, head_argument
from catan_env.engine.declare import Decision, Invariant, apply, checks, legal, outcome, rule
from catan_env.games.base.building import BUILD_ROAD, BUILD_SETTLEMENT
from catan_env.games.base.initial_placement import (
    START_PLAYER,
    are_paired,
    found_road,
    found_settlement,
    open_intersections,
    paths_of_founded_settlement,
)
from catan_env.games.base.network import ROAD
from catan_env.games.trade_partners.mirrored_building import ways_owed
from catan_env.games.trade_partners.partners import partner_of
from catan_env.games.vocabulary import DEGREE, INTERSECTIONS, MAY_LAY, NOTHING, WAYS, to_the_left

FOUND_PARTNER_SETTLEMENT = Decision("found_partner_settlement", "found a settlement of the trade partner")
FOUND_PARTNER_ROAD = Decision(
    "found_partner_road", "build the road of the trade partner's settlement just founded", argument=INTERSECTIONS
)
PARTNER_FOUNDINGS_PAIRED = Invariant("partner_foundings_paired", "who founds for a partner builds the road next")


@rule("trade_partners.partner_placement.1")
@outcome(START_PLAYER)
def found_for_partners_afterwards(game, table, first):
    """A second snake, in the order of the first."""
    for k in range(table.num_players):
        enqueue_partner_founding(game, to_the_left(table, first, k))
    for k in range(table.num_players - 1, -1, -1):
        enqueue_partner_founding(game, to_the_left(table, first, k))


@rule("trade_partners.partner_placement.1")
def enqueue_partner_founding(game, player):
    """Lets a player found one settlement of the partner with its road, after all others in the queue."""
    enqueue(game, FOUND_PARTNER_SETTLEMENT, player)
    enqueue(game, FOUND_PARTNER_ROAD, player)


@rule("trade_partners.partner_placement.2", "trade_partners.partner_placement.4", "trade_partners.partner_placement.5")
@legal(FOUND_PARTNER_SETTLEMENT)
def intersections_open_to_partner(game, table, seat, mask):
    """Those at which a way that the partner owes fits, as long as there are any: coasts may be full."""
    open_intersections(game, table, partner_of(seat), mask)
    fits = False
    for intersection in range(INTERSECTIONS):
        fits = fits or (mask[BUILD_SETTLEMENT + intersection] and owed_way_fits(game, table, seat, intersection))
    for intersection in range(INTERSECTIONS):
        if fits and mask[BUILD_SETTLEMENT + intersection]:
            mask[BUILD_SETTLEMENT + intersection] = owed_way_fits(game, table, seat, intersection)


@rule("trade_partners.partner_placement.4")
def owed_way_fits(game, table, seat, intersection):
    """Whether a way that a player's partner is to get could lie at an intersection without any."""
    for k in range(DEGREE):
        path = table.intersection_paths[intersection, k]
        for kind in range(WAYS):
            if path != NOTHING and ways_owed(game, seat, kind) > 0 and MAY_LAY(game, table, kind, path):
                return True
    return False


@rule("trade_partners.partner_placement.4", "trade_partners.partner_placement.5")
def may_found_way(game, table, seat, kind):
    """A way of a kind that is owed; where none of these fits, of any: the debt waits, as every debt does."""
    return ways_owed(game, seat, kind) > 0 or not owed_way_fits(game, table, seat, head_argument(game))


@rule("trade_partners.partner_placement.2", "trade_partners.partner_placement.4")
@legal(FOUND_PARTNER_ROAD)
def paths_of_partner_settlement(game, table, seat, mask):
    if may_found_way(game, table, seat, ROAD):
        paths_of_founded_settlement(game, table, partner_of(seat), mask)


@rule("trade_partners.partner_placement.2", "trade_partners.partner_placement.3")
@apply(BUILD_SETTLEMENT, at=(FOUND_PARTNER_SETTLEMENT,))
def found_partner_settlement(game, table, seat, intersection):
    """The second one brings its first cards, as a player's does."""
    found_settlement(game, table, partner_of(seat), intersection)


@rule("trade_partners.partner_placement.2")
@apply(BUILD_ROAD, at=(FOUND_PARTNER_ROAD,))
def found_partner_road(game, table, seat, path):
    found_road(game, table, partner_of(seat), path)


@rule("trade_partners.partner_placement.2")
@checks(PARTNER_FOUNDINGS_PAIRED)
def partner_foundings_paired(game, table):
    return are_paired(game, FOUND_PARTNER_SETTLEMENT, FOUND_PARTNER_ROAD)
