"""Value-network features for trade partners: their production and public hands, and the pieces that they are owed."""

from catan_agents.evaluation.base_features import count_production
from catan_agents.evaluation.features import ValueFeature, feature
from catan_env.engine.stacks import copy_row
from catan_env.games.base import building as building_rules
from catan_env.games.base import network as network_rules
from catan_env.games.base import production as production_rules
from catan_env.games.base.network import ROAD
from catan_env.games.trade_partners import mirrored_building as mirrored_building_rules
from catan_env.games.trade_partners import partner_trade as partner_trade_rules
from catan_env.games.trade_partners import partners as partners_rules
from catan_env.games.trade_partners.mirrored_building import cities_owed, edge_pieces_owed, settlements_owed
from catan_env.games.trade_partners.partners import partner_of
from catan_env.games.vocabulary import HAND_CARDS


@feature(
    ValueFeature(
        "partner_production", "expected cards per roll of the player's trade partner, by kind", along=HAND_CARDS
    ),
    ValueFeature("partner_blocked", "expected cards per roll of the partner that the robber blocks"),
    ValueFeature("partner_settlements", "settlements of the partner"),
    ValueFeature("partner_cities", "cities of the partner"),
    of=(production_rules, network_rules, partners_rules),
    each=True,
    memo=True,
)
def partner_production_of_player(game, params, player, seen):
    count_production(game, params, partner_of(player), seen)


@feature(
    ValueFeature("partner_hand", "cards in the hand of the player's trade partner, by kind", along=HAND_CARDS),
    of=partners_rules,
    each=True,
)
def partner_hand_of_player(game, params, player, seen):
    copy_row(seen, game.hands[partner_of(player)])


@feature(
    ValueFeature("partner_roads_owed", "roads that the player owes the trade partner"),
    ValueFeature("partner_cities_owed", "cities that the player owes the trade partner"),
    ValueFeature("partner_settlements_owed", "settlements that the player owes the trade partner"),
    of=mirrored_building_rules,
    each=True,
)
def debts_of_player(game, params, player, seen):
    seen[0] = edge_pieces_owed(game, player, ROAD)
    seen[1] = cities_owed(game, params, player)
    seen[2] = settlements_owed(game, player)


def share_with_partner(game, params, seat, cost):
    """Return the share of a price that a hand covers after buying missing cards from the partner, from 0 to 1."""
    partner = partner_of(seat)
    price, cards_lacking, cards_for_sale, surplus = 0, 0, 0, 0
    for card in range(HAND_CARDS):
        lacking = cost[card] - int(game.hands[seat, card])
        price += cost[card]
        if lacking > 0:
            cards_lacking += lacking
            cards_for_sale += min(lacking, int(game.hands[partner, card]))
        else:
            surplus -= lacking
    if cards_lacking == 0:
        return 1.0
    return 1.0 - (cards_lacking - min(cards_for_sale, surplus // params.partner_price)) / price


@feature(
    ValueFeature("settlement_with_partner", "share of a settlement's price that hand and trade partner cover"),
    ValueFeature("city_with_partner", "share of a city's price that hand and trade partner cover"),
    ValueFeature("road_with_partner", "share of a road's price that hand and trade partner cover"),
    of=(building_rules, network_rules, partner_trade_rules),
)
def own_purchases_with_partner(game, params, seat, seen):
    seen[0] = share_with_partner(game, params, seat, params.settlement_cost)
    seen[1] = share_with_partner(game, params, seat, params.city_cost)
    seen[2] = share_with_partner(game, params, seat, params.road_cost)
