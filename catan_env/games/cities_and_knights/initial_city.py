"""Initial city: each player's second building is a city, which yields a resource card from each adjacent hex.

On a board with printed pieces, the marked building is the city. Modules that add colors without players define the
initial buildings of those colors.
"""

from catan_env.engine.decision_stack import current_decision
from catan_env.engine.declare import describes, rule, when
from catan_env.games.base.building import BUILD_SETTLEMENT
from catan_env.games.base.initial_placement import (
    PLACE_INITIAL_ROAD,
    PLACE_INITIAL_SETTLEMENT,
    PRINTED,
    collect_first_cards,
)
from catan_env.games.base.network import place_city
from catan_env.games.vocabulary import SETTLEMENT_BUILT, acts


@rule(
    "cities_and_knights.city_placement.1",
    "cities_and_knights.city_placement.2",
    "cities_and_knights.city_placement.3",
    "cities_and_knights.city_placement.4",
    "cities_and_knights.city_placement.5",
)
@when(SETTLEMENT_BUILT)
def place_initial_city(game, params, player, intersection):
    if game.turn == 0 and game.cities_left[player] == params.cities_per_player:
        if params.initial_placement == PRINTED:
            if acts(params, player) and params.cities_per_player > 0:
                place_city(game, params, player, intersection)
        elif current_decision(game) == PLACE_INITIAL_ROAD:
            place_second_as_city(game, params, player, intersection)


@rule("cities_and_knights.city_placement.1", "cities_and_knights.city_placement.3")
def place_second_as_city(game, params, color, intersection):
    """Turn a color's second settlement into a city, if it has city pieces, and collect its starting resources."""
    if game.settlements_left[color] == params.settlements_per_player - 2:
        if params.cities_per_player > 0:
            place_city(game, params, color, intersection)
        collect_first_cards(game, params, color, intersection)


@rule("cities_and_knights.city_placement.1")
@describes(BUILD_SETTLEMENT, at=PLACE_INITIAL_SETTLEMENT)
def describe_initial_city(game, rules, color):
    """Describe a color's second building as a city."""
    is_second = game["settlements_left"][color] == rules["settlements_per_player"] - 1
    has_cities = 0 < rules["cities_per_player"] == game["cities_left"][color]
    return "place a city on {}" if is_second and has_cities else ""
