"""The founding with a city: the second building of everybody is one, and brings a resource card from each hex.

Where printed start pieces are set, the marked one is the city. Modules with colors that nobody plays say what these
get.
"""

from catan_env.engine.decision_stack import decision_at_hand
from catan_env.engine.declare import rule, tells, when
from catan_env.games.base.building import BUILD_SETTLEMENT
from catan_env.games.base.initial_placement import FOUND_ROAD, FOUND_SETTLEMENT, PRINTED, collect_first_cards
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
def found_city(game, table, player, intersection):
    if game.turn == 0 and game.cities_left[player] == table.cities_per_player:
        if table.founding == PRINTED:
            if acts(table, player) and table.cities_per_player > 0:
                place_city(game, table, player, intersection)
        elif decision_at_hand(game) == FOUND_ROAD:
            found_second_as_city(game, table, player, intersection)


@rule("cities_and_knights.city_placement.1", "cities_and_knights.city_placement.3")
def found_second_as_city(game, table, color, intersection):
    """Makes a city of a settlement just founded, if it is the second of its color and there are cities, with its first
    cards."""
    if game.settlements_left[color] == table.settlements_per_player - 2:
        if table.cities_per_player > 0:
            place_city(game, table, color, intersection)
        collect_first_cards(game, table, color, intersection)


@rule("cities_and_knights.city_placement.1")
@tells(BUILD_SETTLEMENT, at=FOUND_SETTLEMENT)
def tell_of_founded_city(game, rules, color):
    """The second of a color is founded as a city at once."""
    second = game["settlements_left"][color] == rules["settlements_per_player"] - 1
    has_cities = 0 < rules["cities_per_player"] == game["cities_left"][color]
    return "found a city on {}" if second and has_cities else ""
