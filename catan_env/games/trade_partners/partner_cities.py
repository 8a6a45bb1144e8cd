"""With Cities & Knights: trade partners also start with a settlement and a city.

`base.production` handles what their cities produce, and `mirrored_building` which cities they are owed.
"""

from catan_env.engine.decision_stack import current_decision
from catan_env.engine.declare import describes, rule, when
from catan_env.games.base.building import BUILD_SETTLEMENT
from catan_env.games.cities_and_knights.initial_city import describe_initial_city, place_second_as_city
from catan_env.games.trade_partners.partner_placement import (
    PLACE_INITIAL_PARTNER_ROAD,
    PLACE_INITIAL_PARTNER_SETTLEMENT,
)
from catan_env.games.vocabulary import SETTLEMENT_BUILT


@rule("trade_partners.partner_cities.1", "trade_partners.partner_cities.2")
@when(SETTLEMENT_BUILT)
def place_initial_city_of_partner(game, params, color, intersection):
    if current_decision(game) == PLACE_INITIAL_PARTNER_ROAD:
        place_second_as_city(game, params, color, intersection)


@rule("trade_partners.partner_cities.1")
@describes(BUILD_SETTLEMENT, at=PLACE_INITIAL_PARTNER_SETTLEMENT)
def tell_of_partners_city(game, rules, seat):
    """The partners' colors come last, in the order of their owners."""
    return describe_initial_city(game, rules, len(game["cities_left"]) - rules["num_players"] + seat)
