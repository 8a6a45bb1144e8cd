"""The priest: give up a knight to build a settlement or city at a lower price.

A knight bought this turn may be given up, since it is not played.
"""

from catan_env.engine.decision_stack import current_decision, head_seat, pop, push
from catan_env.engine.declare import Action, Decision, Kind, Number, answers, apply, legal, rule
from catan_env.games.base.building import BUILD_CITY, BUILD_SETTLEMENT, mark_cities
from catan_env.games.base.development_cards import KNIGHT
from catan_env.games.base.network import (
    SETTLEMENT,
    can_build_settlement_somewhere,
    mark_sites,
    place_city,
    place_settlement,
)
from catan_env.games.base.resources import can_pay, pay
from catan_env.games.base.turns import BUILD, PLAY
from catan_env.games.helpers.helper_cards import HELPERS
from catan_env.games.helpers.helper_use import is_ready, use
from catan_env.games.vocabulary import HAND_CARDS, HAND_CONTRADICTS, INTERSECTIONS, KNIGHT_DISCARDED

PRIEST = Kind("priest", HELPERS)
KINDS = (PRIEST,)
PLAYED, IN_HAND = 0, 1

NUMBERS = (
    Number("priest_settlement_cost", (1, 1, 0, 0, 0), "price of a settlement with the priest", 0, 30, over=HAND_CARDS),
    Number("priest_city_cost", (0, 0, 0, 1, 2), "price of a city with the priest", 0, 30, over=HAND_CARDS),
    Number("priest_takes_knights_in_hand", 1, "whether the priest accepts an unplayed knight", 0, 1),
)

SEND_KNIGHT = Action(
    "send_knight",
    "send a knight {} to the priest",
    ("played", "in hand"),
    "the priest ready, a knight of this kind, and the priest's price for a settlement or city that can be built",
)
ACTIONS = (SEND_KNIGHT,)

BUILD_WITH_PRIEST = Decision("build_with_priest", "build a settlement or a city at the priest's price")


@rule("helpers.priest.4")
def settlement_is_possible(game, params, seat):
    """Return whether a seat can pay for and place a settlement at the priest's price."""
    return can_pay(game, seat, params.priest_settlement_cost) and can_build_settlement_somewhere(game, seat)


@rule("helpers.priest.4")
def city_is_possible(game, params, seat):
    """Return whether a seat can pay for and place a city at the priest's price."""
    if game.cities_left[seat] == 0 or not can_pay(game, seat, params.priest_city_cost):
        return False
    for intersection in range(INTERSECTIONS):
        if game.building[intersection] == SETTLEMENT and game.building_owner[intersection] == seat:
            return True
    return False


@rule("helpers.priest.1")
@legal(PLAY, BUILD)
def may_send_knight(game, params, seat, mask):
    if is_ready(game, seat, PRIEST):
        if settlement_is_possible(game, params, seat) or city_is_possible(game, params, seat):
            mask[SEND_KNIGHT + PLAYED] = game.knights_played[seat] > 0
            mask[SEND_KNIGHT + IN_HAND] = (
                params.priest_takes_knights_in_hand and game.development_cards[seat, KNIGHT] > 0
            )


@rule("helpers.priest.1", "helpers.priest.3")
@apply(SEND_KNIGHT)
def send_knight(game, params, seat, where):
    use(game, seat)
    push(game, BUILD_WITH_PRIEST, seat)
    if where == PLAYED:
        game.knights_played[seat] -= 1
        KNIGHT_DISCARDED(game, params, seat, 0)
    else:
        game.development_cards[seat, KNIGHT] -= 1
        game.cards_used[KNIGHT] += 1
        game.new_development_cards[seat, KNIGHT] = max(game.new_development_cards[seat, KNIGHT] - 1, 0)


@rule("helpers.priest.4")
@answers(HAND_CONTRADICTS)
def priest_is_paid(game, params, player, where):
    """A player who is about to build with the priest can afford at least one building."""
    if current_decision(game) != BUILD_WITH_PRIEST or head_seat(game) != player:
        return 0
    return 0 if settlement_is_possible(game, params, player) or city_is_possible(game, params, player) else 1


@rule("helpers.priest.1")
@legal(BUILD_WITH_PRIEST)
def what_priest_builds(game, params, seat, mask):
    if can_pay(game, seat, params.priest_settlement_cost):
        mark_sites(game, seat, BUILD_SETTLEMENT, mask)
    if can_pay(game, seat, params.priest_city_cost):
        mark_cities(game, seat, mask)


@rule("helpers.priest.1")
@apply(BUILD_SETTLEMENT, at=(BUILD_WITH_PRIEST,))
def build_settlement_with_priest(game, params, seat, intersection):
    pop(game)
    pay(game, seat, params.priest_settlement_cost)
    place_settlement(game, params, seat, intersection)


@rule("helpers.priest.2")
@apply(BUILD_CITY, at=(BUILD_WITH_PRIEST,))
def build_city_with_priest(game, params, seat, intersection):
    pop(game)
    pay(game, seat, params.priest_city_cost)
    place_city(game, params, seat, intersection)
