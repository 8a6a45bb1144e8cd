"""Certificates: whoever has built on a red road space trades with the supply at the rate of its certificate.

A certificate works like a harbor; what counts is the road, not a settlement.
"""

from catan_env.engine.declare import Feature, Size, rule, shows, when
from catan_env.games.base.bank_trade import improve_rate, use_harbor
from catan_env.games.vocabulary import CARDS, INTERSECTIONS, NOTHING, PATHS, WAY_BUILT, WAY_REMOVED

CERTIFICATES = Size("certificate")
"""Red road spaces."""

CERTIFICATE = Feature("certificate", CERTIFICATES, 5, "what a red road trades: 0 any kind 3:1, else 1 + its resource")


@rule("geography.certificates.4")
@shows(CERTIFICATE)
def certificate_at(game, table, seat, place):
    return table.certificate_resource[place] + 1


@rule("geography.certificates.1")
@when(WAY_BUILT)
def use_certificate(game, table, player, path):
    place = table.path_certificate[path]
    if place != NOTHING:
        rate = table.certificate_rate[place]
        kind = table.certificate_resource[place]
        if kind == NOTHING:
            for card in range(CARDS):
                improve_rate(game, player, card, rate)
        else:
            improve_rate(game, player, kind, rate)


@rule("geography.certificates.3")
@when(WAY_REMOVED)
def lose_certificate(game, table, player, path):
    """A road that is gone takes its certificate with it; other certificates and harbors stay."""
    if table.path_certificate[path] != NOTHING:
        for card in range(CARDS):
            game.trade_rate[player, card] = table.supply_rate
        for intersection in range(INTERSECTIONS):
            if game.building_owner[intersection] == player:
                use_harbor(game, table, player, intersection)
        for other in range(PATHS):
            if game.way[other] == player:
                use_certificate(game, table, player, other)
