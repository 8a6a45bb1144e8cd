"""Certificates: a road on a red space lets its owner trade with the bank at the certificate's rate.

A certificate works like a harbor, but requires a road instead of a settlement.
"""

from catan_env.engine.declare import BoardArray, Feature, Size, rule, shows, when
from catan_env.games.base.bank_trade import improve_rate, use_harbor
from catan_env.games.vocabulary import (
    EDGE_PIECE_BUILT,
    EDGE_PIECE_REMOVED,
    HAND_CARDS,
    INTERSECTIONS,
    NOTHING,
    NUM_RESOURCES,
    PATHS,
)

CERTIFICATES = Size("certificate")
"""Red spaces for roads."""
BOARD_ARRAYS = (
    BoardArray("certificate_rate", "marks.certificate.rate", "cards given for one", 2, 3),
    BoardArray("certificate_resource", "marks.certificate.resource", "kind traded, -1 any", NOTHING, NUM_RESOURCES - 1),
)

CERTIFICATE = Feature("certificate", CERTIFICATES, 5, "trade of a red road: 0 for any kind 3:1, else 1 + its resource")


@rule("geography.certificates.4")
@shows(CERTIFICATE)
def certificate_at(game, params, seat, place):
    return params.certificate_resource[place] + 1


@rule("geography.certificates.1")
@when(EDGE_PIECE_BUILT)
def use_certificate(game, params, player, path):
    certificate_index = params.path_certificate[path]
    if certificate_index != NOTHING:
        rate = params.certificate_rate[certificate_index]
        kind = params.certificate_resource[certificate_index]
        if kind == NOTHING:
            for card in range(HAND_CARDS):
                improve_rate(game, player, card, rate)
        else:
            improve_rate(game, player, kind, rate)


@rule("geography.certificates.3")
@when(EDGE_PIECE_REMOVED)
def lose_certificate(game, params, player, path):
    """Removing a road forfeits its certificate, but other certificates and harbors remain."""
    if params.path_certificate[path] != NOTHING:
        for card in range(HAND_CARDS):
            game.trade_rate[player, card] = params.bank_rate
        for intersection in range(INTERSECTIONS):
            if game.building_owner[intersection] == player:
                use_harbor(game, params, player, intersection)
        for other_path in range(PATHS):
            if game.edge_owner[other_path] == player:
                use_certificate(game, params, player, other_path)
