"""With Cities & Knights: trade partners are founded with a settlement and a city too.

What their cities bring, and which of them are mirrored, needs no rule here: `base.production`, `mirrored_building`.
"""

from catan_env.engine.decision_stack import decision_at_hand
from catan_env.engine.declare import rule, tells, when
from catan_env.games.base.building import BUILD_SETTLEMENT
from catan_env.games.cities_and_knights.initial_city import found_second_as_city, tell_of_founded_city
from catan_env.games.trade_partners.partner_placement import FOUND_PARTNER_ROAD, FOUND_PARTNER_SETTLEMENT
from catan_env.games.vocabulary import SETTLEMENT_BUILT


@rule("trade_partners.partner_cities.1", "trade_partners.partner_cities.2")
@when(SETTLEMENT_BUILT)
def found_city_of_partner(game, table, color, intersection):
    if decision_at_hand(game) == FOUND_PARTNER_ROAD:
        found_second_as_city(game, table, color, intersection)


@rule("trade_partners.partner_cities.1")
@tells(BUILD_SETTLEMENT, at=FOUND_PARTNER_SETTLEMENT)
def tell_of_partners_city(game, rules, seat):
    """The colors of partners are the last, in the order of their owners."""
    return tell_of_founded_city(game, rules, len(game["cities_left"]) - rules["num_players"] + seat)
