"""Value-network features for the dice game and Plus: the pieces on each sheet and the unused jokers."""

from catan_agents.evaluation.dice_game import share_of_joker
from catan_agents.evaluation.features import ValueFeature, feature
from catan_env.engine.stacks import copy_row
from catan_env.games.dice_game import knight_jokers as knight_jokers_rules
from catan_env.games.dice_game import sheet as sheet_rules
from catan_env.games.dice_game import sheet_route as sheet_route_rules
from catan_env.games.dice_game.knight_jokers import JOKERS
from catan_env.games.dice_game.sheet import CITIES, KNIGHTS, ROADS, SETTLEMENTS


@feature(ValueFeature("road_built", "whether each road is built", ROADS), of=sheet_rules, each=True)
def roads_of_player(game, params, player, seen):
    copy_row(seen, game.roads_built[player])


@feature(ValueFeature("settlement_built", "whether each settlement is built", SETTLEMENTS), of=sheet_rules, each=True)
def settlements_of_player(game, params, player, seen):
    copy_row(seen, game.settlements_built[player])


@feature(ValueFeature("city_built", "whether each city is built", CITIES), of=sheet_rules, each=True)
def cities_of_player(game, params, player, seen):
    copy_row(seen, game.cities_built[player])


@feature(ValueFeature("knight_built", "whether each knight is built", KNIGHTS), of=sheet_rules, each=True)
def knights_of_player(game, params, player, seen):
    copy_row(seen, game.knights_built[player])


@feature(
    ValueFeature("joker_share", "share of each joker's knights that is built, or 0 if the joker is used", JOKERS),
    of=knight_jokers_rules,
    each=True,
)
def jokers_of_player(game, params, player, seen):
    for joker in range(JOKERS):
        seen[joker] = share_of_joker(game, params, player, joker)


@feature(
    ValueFeature("route_length", "roads of the longest route on the sheet"),
    ValueFeature("longest_road", "whether the player holds Longest Road"),
    of=sheet_route_rules,
    each=True,
)
def routes_of_player(game, params, player, seen):
    seen[0] = game.road_length[player]
    seen[1] = game.longest_road == player
