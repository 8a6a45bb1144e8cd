"""Science cards: alchemy, crane, engineering, invention, irrigation, medicine, mining, road building and smithing.

Printing is a victory card (`progress_cards`).
"""

from catan_env.board.terrain import FIELDS as FIELDS_TERRAIN
from catan_env.board.terrain import MOUNTAINS
from catan_env.engine.bitset import any_of, where_equal
from catan_env.engine.decision_stack import head_argument, pop, push, replace, set_argument
from catan_env.engine.declare import Action, Decision, Number, apply, legal, rule
from catan_env.games.base.building import BUILD_CITY, let_build_free_roads, mark_cities
from catan_env.games.base.network import SETTLEMENT, buildings_of, place_city
from catan_env.games.base.resources import can_pay, pay, take
from catan_env.games.base.turns import PRE_ROLL
from catan_env.games.cities_and_knights.city_walls import BUILD_WALL, can_build_wall, mark_wall_sites, place_wall
from catan_env.games.cities_and_knights.event_dice import PIPS, roll_event_die
from catan_env.games.cities_and_knights.improvements import SCIENCE, TRACKS, go_up, mark_improvements
from catan_env.games.cities_and_knights.knights import PROMOTE_KNIGHT, can_promote, mark_promotions, promote
from catan_env.games.cities_and_knights.pillaging import count_laid_cities, keep_to_laid_cities
from catan_env.games.cities_and_knights.progress_cards import FORGO
from catan_env.games.cities_and_knights.progress_decks import (
    ALCHEMY,
    CRANE,
    ENGINEERING,
    INVENTION,
    IRRIGATION,
    MEDICINE,
    MINING,
    ROAD_BUILDING,
    SMITHING,
    holds,
    holds_any,
    play_card,
)
from catan_env.games.vocabulary import (
    ACTION_PHASE,
    CAN_BUILD_FREE,
    CORNERS,
    GRAIN,
    HAND_CARDS,
    HEXES,
    NOTHING,
    ORE,
)

RED, YELLOW = 0, 1

NUMBERS = (
    Number("crane_saves", 1, "commodities that a crane saves", 0, 5),
    Number("cards_per_hex", 2, "cards per hex from irrigation and mining", 1, 19),
    Number("medicine_cost", (0, 0, 0, 1, 2), "price of a city with medicine", 0, 30, over=HAND_CARDS),
    Number("promotions_of_smithing", 2, "maximum number of knights that smithing promotes", 1, 6),
)

PLAY_ALCHEMY = Action("play_alchemy", "play alchemy", needs="this card, before the roll")
SET_DIE = Action("set_die", "set the die to {}", PIPS, "alchemy in progress")
PLAY_CRANE = Action("play_crane", "play crane on {}", TRACKS, "this card, and an improvement that it makes affordable")
PLAY_ENGINEERING = Action(
    "play_engineering", "play engineering", needs="this card, a wall piece and a city without a wall"
)
PLAY_INVENTION = Action("play_invention", "play invention", needs="this card, and two numbers to swap")
SWAP_NUMBER = Action(
    "swap_number", "swap the number of {}", HEXES, "a number other than 2, 6, 8, 12 and the number chosen first"
)
PLAY_IRRIGATION = Action(
    "play_irrigation", "play irrigation", needs="this card, a building at fields, and grain in the bank"
)
PLAY_MEDICINE = Action("play_medicine", "play medicine", needs="this card, the price, a settlement and a city piece")
PLAY_MINING = Action("play_mining", "play mining", needs="this card, a building at mountains, and ore in the bank")
PLAY_ROADS = Action("play_roads", "play road building", needs="this card, a road piece and a place for it")
PLAY_SMITHING = Action("play_smithing", "play smithing", needs="this card, and a knight to promote")
ACTIONS = (
    PLAY_ALCHEMY,
    SET_DIE,
    PLAY_CRANE,
    PLAY_ENGINEERING,
    PLAY_INVENTION,
    SWAP_NUMBER,
    PLAY_IRRIGATION,
    PLAY_MEDICINE,
    PLAY_MINING,
    PLAY_ROADS,
    PLAY_SMITHING,
)

SET_DICE = Decision("set_dice", "set the red die (0) and the yellow die (1)", argument=1)
FREE_WALL = Decision("free_wall", "build a free city wall")
SWAP_FIRST = Decision("swap_first", "choose the first number to swap")
SWAP_SECOND = Decision("swap_second", "choose the second number to swap", argument=HEXES)
CHEAP_CITY = Decision("cheap_city", "build a city at the price of medicine")
FREE_PROMOTION = Decision("free_promotion", "promote a knight for free", argument=6)


@rule("cities_and_knights.trade_cards.1", "cities_and_knights.science_cards.10")
@legal(ACTION_PHASE)
def science_to_play(game, params, seat, mask):
    if not holds_any(game, seat, SCIENCE):
        return
    if holds(game, params, seat, CRANE):
        mark_improvements(game, params, seat, params.crane_saves, PLAY_CRANE, mask)
    mask[PLAY_ENGINEERING] = holds(game, params, seat, ENGINEERING) and can_build_wall(game, seat)
    mask[PLAY_INVENTION] = holds(game, params, seat, INVENTION) and can_swap(game)
    mask[PLAY_IRRIGATION] = (
        holds(game, params, seat, IRRIGATION) and harvest_of(game, params, seat, FIELDS_TERRAIN, GRAIN) > 0
    )
    mask[PLAY_MEDICINE] = holds(game, params, seat, MEDICINE) and can_use_medicine(game, params, seat)
    mask[PLAY_MINING] = holds(game, params, seat, MINING) and harvest_of(game, params, seat, MOUNTAINS, ORE) > 0
    mask[PLAY_ROADS] = holds(game, params, seat, ROAD_BUILDING) and CAN_BUILD_FREE(game, params, seat)
    mask[PLAY_SMITHING] = holds(game, params, seat, SMITHING) and can_promote(game, seat)


# -- alchemy -----------------------------------------------------------------------------------------------


@rule("cities_and_knights.science_cards.1")
@legal(PRE_ROLL)
def alchemy_to_play(game, params, seat, mask):
    mask[PLAY_ALCHEMY] = holds(game, params, seat, ALCHEMY)


@rule("cities_and_knights.science_cards.2")
@apply(PLAY_ALCHEMY)
def play_alchemy(game, params, seat, argument):
    play_card(game, seat, ALCHEMY)
    push(game, SET_DICE, seat, RED)


@rule("cities_and_knights.science_cards.2")
@legal(SET_DICE)
def faces_to_set(game, params, seat, mask):
    for face in range(6):
        mask[SET_DIE + face] = True


@rule("cities_and_knights.science_cards.2")
@apply(SET_DIE)
def set_die(game, params, seat, face):
    """The event die is still rolled."""
    if head_argument(game) == RED:
        game.red_die = face + 1
        set_argument(game, YELLOW)
    else:
        game.yellow_die = face + 1
        pop(game)
        roll_event_die(game)


# -- crane -------------------------------------------------------------------------------------------------


@rule("cities_and_knights.science_cards.3")
@apply(PLAY_CRANE)
def play_crane(game, params, seat, track):
    play_card(game, seat, CRANE)
    go_up(game, params, seat, track, params.crane_saves)


# -- engineering -------------------------------------------------------------------------------------------


@rule("cities_and_knights.science_cards.4")
@apply(PLAY_ENGINEERING)
def play_engineering(game, params, seat, argument):
    play_card(game, seat, ENGINEERING)
    push(game, FREE_WALL, seat)


@rule("cities_and_knights.science_cards.4")
@legal(FREE_WALL)
def sites_of_free_wall(game, params, seat, mask):
    mark_wall_sites(game, seat, mask)


@rule("cities_and_knights.science_cards.4")
@apply(BUILD_WALL, at=(FREE_WALL,))
def build_free_wall(game, params, seat, intersection):
    pop(game)
    place_wall(game, seat, intersection)


# -- invention ---------------------------------------------------------------------------------------------


def is_swappable(game, hex):
    """Return whether the number on a hex may be swapped."""
    number = game.number[hex]
    return number != 0 and number != 2 and number != 6 and number != 8 and number != 12


def can_swap(game):
    """Return whether there are two different numbers that may be swapped."""
    first_number = 0
    for hex in range(HEXES):
        if is_swappable(game, hex):
            if first_number != 0 and game.number[hex] != first_number:
                return True
            first_number = game.number[hex]
    return False


@rule("cities_and_knights.science_cards.5")
@apply(PLAY_INVENTION)
def play_invention(game, params, seat, argument):
    play_card(game, seat, INVENTION)
    push(game, SWAP_FIRST, seat)


@rule("cities_and_knights.science_cards.5")
@legal(SWAP_FIRST)
def first_numbers(game, params, seat, mask):
    for hex in range(HEXES):
        mask[SWAP_NUMBER + hex] = is_swappable(game, hex)


@rule("cities_and_knights.science_cards.5")
@legal(SWAP_SECOND)
def second_numbers(game, params, seat, mask):
    for hex in range(HEXES):
        mask[SWAP_NUMBER + hex] = is_swappable(game, hex) and game.number[hex] != game.number[head_argument(game)]


@rule("cities_and_knights.science_cards.5")
@apply(SWAP_NUMBER, at=(SWAP_FIRST,))
def choose_first_number(game, params, seat, hex):
    replace(game, SWAP_SECOND, seat, hex)


@rule("cities_and_knights.science_cards.5")
@apply(SWAP_NUMBER, at=(SWAP_SECOND,))
def swap_numbers(game, params, seat, hex):
    """The robber stays on its hex."""
    other_hex = head_argument(game)
    pop(game)
    number = game.number[hex]
    game.number[hex] = game.number[other_hex]
    game.number[other_hex] = number


# -- irrigation and mining ---------------------------------------------------------------------------------


def has_building_at(game, params, seat, hex):
    """Return whether a player has a building next to a hex."""
    for corner in range(CORNERS):
        intersection = params.hex_intersections[hex, corner]
        if intersection != NOTHING and game.building_owner[intersection] == seat:
            return True
    return False


@rule("cities_and_knights.science_cards.6")
def harvest_of(game, params, seat, terrain, card):
    """Return how many cards irrigation or mining yields.

    Each hex of the terrain next to one of the player's buildings yields `cards_per_hex` cards, limited by the bank's
    supply.
    """
    hex_count = 0
    for hex in where_equal(game.terrain, terrain):
        hex_count += has_building_at(game, params, seat, hex)
    return min(hex_count * params.cards_per_hex, int(game.bank[card]))


@rule("cities_and_knights.science_cards.6")
@apply(PLAY_IRRIGATION)
def play_irrigation(game, params, seat, argument):
    play_card(game, seat, IRRIGATION)
    take(game, seat, GRAIN, harvest_of(game, params, seat, FIELDS_TERRAIN, GRAIN))


@rule("cities_and_knights.science_cards.6")
@apply(PLAY_MINING)
def play_mining(game, params, seat, argument):
    play_card(game, seat, MINING)
    take(game, seat, ORE, harvest_of(game, params, seat, MOUNTAINS, ORE))


# -- medicine ----------------------------------------------------------------------------------------------


def can_use_medicine(game, params, seat):
    """Return whether a player can pay for the cheaper city and has somewhere to build one, or a city to rebuild."""
    if not can_pay(game, seat, params.medicine_cost):
        return False
    if count_laid_cities(game, params, seat, 0) > 0:
        return True
    return game.cities_left[seat] > 0 and any_of(buildings_of(game, seat, SETTLEMENT))


@rule("cities_and_knights.science_cards.7")
@apply(PLAY_MEDICINE)
def play_medicine(game, params, seat, argument):
    """The player pays immediately, so the choice that follows depends only on public information."""
    play_card(game, seat, MEDICINE)
    pay(game, seat, params.medicine_cost)
    push(game, CHEAP_CITY, seat)


@rule("cities_and_knights.science_cards.7")
@legal(CHEAP_CITY)
def places_of_cheap_city(game, params, seat, mask):
    mark_cities(game, seat, mask)
    keep_to_laid_cities(game, params, seat, True, mask)


@rule("cities_and_knights.science_cards.7")
@apply(BUILD_CITY, at=(CHEAP_CITY,))
def build_cheap_city(game, params, seat, intersection):
    pop(game)
    place_city(game, params, seat, intersection)


# -- road building -----------------------------------------------------------------------------------------


@rule("cities_and_knights.science_cards.8", "cities_and_knights.science_cards.11")
@apply(PLAY_ROADS)
def play_roads(game, params, seat, argument):
    play_card(game, seat, ROAD_BUILDING)
    let_build_free_roads(game, seat, 2)


# -- smithing ----------------------------------------------------------------------------------------------


@rule("cities_and_knights.science_cards.9")
@apply(PLAY_SMITHING)
def play_smithing(game, params, seat, argument):
    play_card(game, seat, SMITHING)
    push(game, FREE_PROMOTION, seat, params.promotions_of_smithing)


@rule("cities_and_knights.science_cards.9")
@legal(FREE_PROMOTION)
def free_promotions(game, params, seat, mask):
    """The first promotion is mandatory; any others are optional."""
    mark_promotions(game, seat, mask)
    mask[FORGO] = head_argument(game) < params.promotions_of_smithing


@rule("cities_and_knights.science_cards.9")
@apply(PROMOTE_KNIGHT, at=(FREE_PROMOTION,))
def promote_free(game, params, seat, intersection):
    promote(game, seat, intersection)
    promotions_left = head_argument(game) - 1
    if promotions_left > 0 and can_promote(game, seat):
        set_argument(game, promotions_left)
    else:
        pop(game)
