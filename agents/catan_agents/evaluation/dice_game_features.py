"""Value-network features for the dice game and Plus: the pieces on each sheet and the unused jokers."""

from catan_agents.evaluation.dice_game import share_of_joker
from catan_agents.evaluation.features import ValueFeature, feature, steps_to
from catan_env.games.dice_game import knight_jokers as knight_jokers_rules
from catan_env.games.dice_game import sheet as sheet_rules
from catan_env.games.dice_game import sheet_route as sheet_route_rules
from catan_env.games.dice_game.knight_jokers import JOKERS
from catan_env.games.dice_game.sheet import CITIES, KNIGHTS, ROADS, SETTLEMENTS


@feature(ValueFeature("road_built", "whether each road is built", ROADS), of=sheet_rules, each=True)
def roads_of_each(game, params, seat, seen):
    note_each(game.roads_built, params, seat, seen)


@feature(ValueFeature("settlement_built", "whether each settlement is built", SETTLEMENTS), of=sheet_rules, each=True)
def settlements_of_each(game, params, seat, seen):
    note_each(game.settlements_built, params, seat, seen)


@feature(ValueFeature("city_built", "whether each city is built", CITIES), of=sheet_rules, each=True)
def cities_of_each(game, params, seat, seen):
    note_each(game.cities_built, params, seat, seen)


@feature(ValueFeature("knight_built", "whether each knight is built", KNIGHTS), of=sheet_rules, each=True)
def knights_of_each(game, params, seat, seen):
    note_each(game.knights_built, params, seat, seen)


@feature(
    ValueFeature("joker_share", "share of each joker's knights that is built, or 0 if the joker is used", JOKERS),
    of=knight_jokers_rules,
    each=True,
)
def jokers_of_each(game, params, seat, seen):
    for player in range(params.num_players):
        first_column = JOKERS * steps_to(params, seat, player)
        for joker in range(JOKERS):
            seen[first_column + joker] = share_of_joker(game, params, player, joker)


@feature(
    ValueFeature("route_length", "roads of the longest route on the sheet"),
    ValueFeature("longest_road", "whether the player holds Longest Road"),
    of=sheet_route_rules,
    each=True,
)
def routes_of_each(game, params, seat, seen):
    for player in range(params.num_players):
        first_column = 2 * steps_to(params, seat, player)
        seen[first_column] = game.road_length[player]
        seen[first_column + 1] = game.longest_road == player


def note_each(built, params, seat, seen):
    """Write each player's row of `built`, beginning with the seat's."""
    length = built.shape[1]
    for player in range(params.num_players):
        first_column = length * steps_to(params, seat, player)
        for k in range(length):
            seen[first_column + k] = built[player, k]
