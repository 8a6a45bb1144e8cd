"""Pillaging: after a failed defense, the players who contributed least each lose a city.

If there is no settlement piece left to replace it, the city is laid on its side. It then counts as a settlement and
must be rebuilt before any other city.
"""

from catan_env.engine.bitset import mark, number_of, where_equal
from catan_env.engine.decision_stack import pop, push
from catan_env.engine.declare import (
    PUBLIC_POINTS,
    Count,
    Decision,
    Field,
    Invariant,
    answers,
    apply,
    checks,
    legal,
    rule,
    when,
)
from catan_env.games.base.building import BUILD_CITY
from catan_env.games.base.network import SETTLEMENT
from catan_env.games.base.resources import can_pay
from catan_env.games.cities_and_knights.barbarians import ATTACK_WON
from catan_env.games.cities_and_knights.knights import defence_of
from catan_env.games.cities_and_knights.metropolises import CHOOSE_CITY, has_plain_city, mark_plain_cities
from catan_env.games.vocabulary import (
    BUILDING,
    BUILDING_REMOVED,
    CITIES_LAID,
    CITY_BUILT,
    CITY_LOST,
    INTERSECTIONS,
    to_the_left,
)

FIELDS = (
    Field(
        "city_laid", (INTERSECTIONS,), "u1", 0, 1, "whether the settlement there is a city on its side", show=Count()
    ),
)

LOSE_CITY = Decision("lose_city", "lose a city to the barbarians")
LAID_CITIES_STAND = Invariant(
    "laid_cities_stand", "cities on their sides count as settlements, and no settlement piece remains"
)


@rule("cities_and_knights.pillaging.1", "cities_and_knights.pillaging.2")
@when(ATTACK_WON)
def pillage(game, params, player, where):
    lowest_strength = 1000
    for seat in range(params.num_players):
        if has_plain_city(game, seat):
            lowest_strength = min(lowest_strength, defence_of(game, seat))
    for k in range(params.num_players - 1, -1, -1):
        seat = to_the_left(params, player, k)
        if has_plain_city(game, seat) and defence_of(game, seat) == lowest_strength:
            push(game, LOSE_CITY, seat)


@rule("cities_and_knights.pillaging.1")
@legal(LOSE_CITY)
def cities_to_lose(game, params, seat, mask):
    mark_plain_cities(game, seat, mask)


@rule("cities_and_knights.pillaging.1", "cities_and_knights.pillaging.3")
@apply(CHOOSE_CITY, at=(LOSE_CITY,))
def lose_city(game, params, seat, intersection):
    pop(game)
    game.building[intersection] = SETTLEMENT
    if game.settlements_left[seat] > 0:
        game.settlements_left[seat] -= 1
        game.cities_left[seat] += 1
    else:
        game.city_laid[intersection] = True
    CITY_LOST(game, params, seat, intersection)


# -- cities on their sides ---------------------------------------------------------------------------------


@rule("cities_and_knights.pillaging.3")
@answers(CITIES_LAID)
def count_laid_cities(game, params, player, where):
    """Cities are laid down only for lack of a settlement piece, so a player who has one left has no such city."""
    if game.settlements_left[player] > 0:
        return 0
    return number_of(laid_cities_of(game, player))


def laid_cities_of(game, player):
    """Return the intersections where a player has a city lying on its side."""
    return where_equal(game.building_owner, player) & where_equal(game.city_laid, True)


@rule("cities_and_knights.pillaging.3")
@answers(PUBLIC_POINTS)
def points_of_laid_cities(game, params, player, where):
    """A city on its side scores like a settlement, one point less."""
    return -count_laid_cities(game, params, player, where)


def keep_to_laid_cities(game, params, seat, is_paid, mask):
    """Let a player with cities on their sides build only those cities, if already paid for or affordable."""
    if count_laid_cities(game, params, seat, 0) > 0:
        for intersection in range(INTERSECTIONS):
            mask[BUILD_CITY + intersection] = False
        if is_paid or can_pay(game, seat, params.city_cost):
            mark(laid_cities_of(game, seat), BUILD_CITY, mask)


@rule("cities_and_knights.pillaging.3")
@legal(BUILDING)
def laid_cities_first(game, params, seat, mask):
    keep_to_laid_cities(game, params, seat, False, mask)


@rule("cities_and_knights.pillaging.3")
@when(CITY_BUILT, BUILDING_REMOVED)
def count_laid_city_as_city(game, params, player, intersection):
    """A city on its side is still a city piece: no settlement piece returns when it is set upright or removed."""
    if game.city_laid[intersection]:
        game.city_laid[intersection] = False
        game.settlements_left[player] -= 1
        game.cities_left[player] += 1


@rule("cities_and_knights.pillaging.3")
@checks(LAID_CITIES_STAND)
def laid_cities_stand(game, params):
    for intersection in range(INTERSECTIONS):
        if game.city_laid[intersection]:
            owner = game.building_owner[intersection]
            if game.building[intersection] != SETTLEMENT or game.settlements_left[owner] > 0:
                return False
    return True
