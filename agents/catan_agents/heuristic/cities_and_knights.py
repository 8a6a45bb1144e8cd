"""Scores for Cities & Knights: improve cities first, keep enough knights active, play progress cards once useful."""

from __future__ import annotations

from catan_agents.evaluation.base import pips_of
from catan_agents.heuristic.base import (
    MANY_CARDS,
    deficit,
    has_building_at_hex,
    my_building,
    pips_around,
    site_value,
    surplus,
    worth_of_card,
)
from catan_agents.heuristic.generated import IMPOSSIBLE, goal, shared
from catan_agents.heuristic.scoring import NEVER, NO_GAIN, always, score, score_bonus
from catan_env.engine.bitset import any_of, number_of, where_equal, where_other
from catan_env.engine.decision_stack import head
from catan_env.engine.declare import PLAYERS
from catan_env.games.base.bank_trade import TRADE_WITH_BANK, given_of
from catan_env.games.base.discarding import DISCARD_CARD
from catan_env.games.base.network import CITY, SETTLEMENT, buildings_of
from catan_env.games.base.resources import hand_size
from catan_env.games.cities_and_knights import improvements as improvement_rules
from catan_env.games.cities_and_knights.city_walls import BUILD_WALL
from catan_env.games.cities_and_knights.commodities import PAPER, is_commodity
from catan_env.games.cities_and_knights.defenders import CHOOSE_DECK
from catan_env.games.cities_and_knights.improvements import IMPROVE, LEVELS
from catan_env.games.cities_and_knights.knight_actions import PLACE_KNIGHT, TAKE_KNIGHT, USE_KNIGHT
from catan_env.games.cities_and_knights.knights import ACTIVATE_KNIGHT, INACTIVE, PROMOTE_KNIGHT, RECRUIT_KNIGHT
from catan_env.games.cities_and_knights.metropolises import CHOOSE_CITY
from catan_env.games.cities_and_knights.pillaging import LOSE_CITY
from catan_env.games.cities_and_knights.politics_cards import BETRAY, DRIVE_OUT
from catan_env.games.cities_and_knights.progress_cards import FORGO
from catan_env.games.vocabulary import (
    CORNERS,
    DEGREE,
    GRAIN,
    HAND_CARDS,
    NOBODY,
    NOTHING,
    RATE,
    to_the_left,
)

NEAR = 3
"""Number of barbarian steps at which the seat starts activating knights."""
DANGER = 0.3
"""Value of `alarm` above which another active knight is urgent."""
BLOCKED = 0.4
"""Fraction of a site's value lost when the seat's own knight occupies it."""
NOT_NOW = -10.0
FIRST_OF_ALL = -20.0
"""Extra distance, in cards, for a goal that takes priority over all others."""
WORTH_OF_LEVEL = (0.0, 10.0, 20.0, 90.0, 60.0, 0.0)
"""Additional value of the next level of a track, which can grant an ability or a metropolis, by the current level."""


# -- the current position --------------------------------------------------------------------------------------


def wanted_commodities(game, seat, track):
    """Return the commodity cost of the next level on a track; 0 for a finished track."""
    level = game.improvement[seat, track]
    return level + 1 if level < LEVELS else 0


def wanted_cards(game, seat, card):
    """Return how many cards of a kind the next level of a track costs; 0 for cards other than commodities."""
    return wanted_commodities(game, seat, card - PAPER) if is_commodity(card) else 0


def is_active(game, intersection):
    """Return whether an intersection has an active knight."""
    return game.knight_state[intersection] != INACTIVE


@shared(PLAYERS)
def defence(game, params, seat, memo, strength):
    """Fill in the total strength of each player's active knights."""
    for intersection in where_other(game.knight_owner, NOBODY):
        if is_active(game, intersection) and game.knight_owner[intersection] < params.num_players:
            strength[game.knight_owner[intersection]] += game.knight[intersection]


@shared()
def has_city_at_stake(game, params, seat, memo):
    """Return whether the barbarians could pillage one of the seat's cities."""
    return any_of(buildings_of(game, seat, CITY) & where_equal(game.metropolis, 0))


@shared()
def lacking(game, params, seat, memo):
    """Return the barbarians' strength (one per player city) minus that of all active knights."""
    strength = 0.0
    for intersection in where_equal(game.building, CITY):
        strength += game.building_owner[intersection] < params.num_players
    for player in range(params.num_players):
        strength -= defence(game, params, seat, memo, player)
    return strength


@shared()
def alarm(game, params, seat, memo):
    """Return how urgently the seat needs another active knight.

    The urgency increases as the barbarians advance if a city is in danger or the seat could become defender.
    """
    if game.barbarian_steps < NEAR:
        return 0.05
    best_other_defence = 0.0
    for player in range(params.num_players):
        if player != seat:
            best_other_defence = max(best_other_defence, defence(game, params, seat, memo, player))
    urgency = 0.0
    if lacking(game, params, seat, memo) > 0 and has_city_at_stake(game, params, seat, memo):
        urgency += 1.0
    if lacking(game, params, seat, memo) <= 1 and defence(game, params, seat, memo, seat) <= best_other_defence:
        urgency += 0.6
    return urgency * (game.barbarian_steps + 1) / 7 + 0.05


# -- building --------------------------------------------------------------------------------------------------


@goal(RECRUIT_KNIGHT, "recruit")
def save_for_a_knight(game, params, seat, memo):
    """While a city could be lost, save for up to two knights, or three if the defense is more than one point short."""
    knights_wanted = 3 if lacking(game, params, seat, memo) > 1 else 2
    has_few_knights = number_of(where_equal(game.knight_owner, seat)) < knights_wanted
    return 0.5 if has_few_knights and has_city_at_stake(game, params, seat, memo) else IMPOSSIBLE


@goal(ACTIVATE_KNIGHT, "activate")
def save_for_activating(game, params, seat, memo):
    """Save for activating a knight once the barbarians are near."""
    has_inactive = any_of(where_equal(game.knight_owner, seat) & where_equal(game.knight_state, INACTIVE))
    return -1.0 if has_inactive and alarm(game, params, seat, memo) > DANGER else IMPOSSIBLE


@goal(IMPROVE, "city")
def save_for_a_city_again(game, params, seat, memo):
    """Save for a city before anything else if the seat has none."""
    return FIRST_OF_ALL if cityless(game, params, seat, memo) else IMPOSSIBLE


@shared()
def cityless(game, params, seat, memo):
    """Return whether the seat has no working city but could build or restore one."""
    if any_of(buildings_of(game, seat, CITY)) or not any_of(buildings_of(game, seat, SETTLEMENT)):
        return False
    return game.cities_left[seat] > 0 or any_of(where_equal(game.building_owner, seat) & where_other(game.city_laid, 0))


def leaves_a_city(game, params, seat, memo, price):
    """Return a penalty for spending cards on a price that a seat without a city needs to build one, or 0."""
    if cityless(game, params, seat, memo):
        for card in range(HAND_CARDS):
            if price[card] > surplus(game, params, seat, memo, card):
                return -1e3
    return 0.0


@score_bonus(RECRUIT_KNIGHT)
def recruiting_leaves_a_city(game, params, seat, memo, intersection):
    return leaves_a_city(game, params, seat, memo, params.recruit_cost)


@score_bonus(PROMOTE_KNIGHT)
def promoting_leaves_a_city(game, params, seat, memo, intersection):
    return leaves_a_city(game, params, seat, memo, params.promote_cost)


@score_bonus(ACTIVATE_KNIGHT)
def activating_leaves_a_city(game, params, seat, memo, intersection):
    return leaves_a_city(game, params, seat, memo, params.activate_cost)


@score(RECRUIT_KNIGHT)
def recruit_knight(game, params, seat, memo, intersection):
    """Recruit a few knights, but not on good sites."""
    worth = 320.0 if lacking(game, params, seat, memo) > 0 else 60.0
    if number_of(where_equal(game.knight_owner, seat)) < 2:
        worth = 420.0
    return worth - BLOCKED * site_value(game, params, seat, memo, intersection)


@score(ACTIVATE_KNIGHT)
def activate_knight(game, params, seat, memo, intersection):
    """Activate knights, strongest first, if the barbarians are near or the seat has grain to spare."""
    worth = 110.0 if surplus(game, params, seat, memo, GRAIN) > 1 else NOT_NOW
    if alarm(game, params, seat, memo) > DANGER:
        worth = 600.0 + 300.0 * alarm(game, params, seat, memo)
    return worth + game.knight[intersection]


@score(PROMOTE_KNIGHT)
def promote_knight(game, params, seat, memo, intersection):
    """Promote active knights first."""
    worth = 330.0 if lacking(game, params, seat, memo) > 0 else 120.0
    return worth + (5.0 if is_active(game, intersection) else 0.0) - game.knight[intersection]


@score(IMPROVE)
def improve(game, params, seat, memo, track):
    """Always improve cities, preferring levels that grant an ability or a metropolis."""
    return 920.0 + WORTH_OF_LEVEL[game.improvement[seat, track]]


@score(BUILD_WALL)
def build_wall(game, params, seat, memo, intersection):
    """Build a wall if the hand has more than seven cards; otherwise, only if spare cards cover twice the price."""
    worth = 90.0
    for card in range(HAND_CARDS):
        if surplus(game, params, seat, memo, card) < 2 * params.wall_cost[card]:
            worth = NEVER
    if hand_size(game, seat) > MANY_CARDS:
        worth = 260.0
    return worth + pips_around(game, params, intersection)


@score(CHOOSE_CITY)
def choose_city(game, params, seat, memo, intersection):
    """Put a metropolis on the best city, and give up the worst to pillaging, preferably one without a wall."""
    worth = pips_around(game, params, intersection) + 2.0 * game.wall[intersection]
    return -worth if head(game) == LOSE_CITY else worth


@score_bonus(TRADE_WITH_BANK, of=improvement_rules)
def keep_commodities(game, params, seat, memo, pair):
    """Do not trade away commodities needed for the next level of a track."""
    card = given_of(pair)
    cards_left = game.hands[seat, card] - RATE(game, params, seat, card)
    return -1e5 if is_commodity(card) and cards_left < wanted_cards(game, seat, card) else 0.0


@score_bonus(DISCARD_CARD, of=improvement_rules)
def discard_commodities_last(game, params, seat, memo, card):
    """Discard commodities last if they are needed for the next level."""
    is_wanted = is_commodity(card) and game.hands[seat, card] <= wanted_cards(game, seat, card)
    return -12.0 * game.hands[seat, card] if is_wanted else 0.0


# -- knight actions --------------------------------------------------------------------------------------------


def must_choose_knight(game):
    """Return whether the seat has to choose a knight to lose or to drive out."""
    return head(game) == BETRAY or head(game) == DRIVE_OUT


def is_beside(params, intersection, hex):
    """Return whether an intersection is a corner of a hex."""
    for k in range(DEGREE):
        if params.intersection_hexes[intersection, k] == hex:
            return True
    return False


@score(TAKE_KNIGHT)
def take_knight(game, params, seat, memo, intersection):
    """While the barbarians are far off, choose a knight to chase the robber away from the seat's buildings.

    When forced to choose, prefer an opponent's strongest knight or the seat's weakest.
    """
    if must_choose_knight(game):
        strength = 1.0 * game.knight[intersection]
        return -strength if game.knight_owner[intersection] == seat else strength
    is_blocked = game.robber != NOTHING and has_building_at_hex(game, params, seat, game.robber)
    if is_blocked and is_beside(params, intersection, game.robber) and alarm(game, params, seat, memo) < DANGER:
        return 600.0
    return NOT_NOW


@score(PLACE_KNIGHT)
def place_knight(game, params, seat, memo, intersection):
    """Place knights away from good sites. A knight chosen to chase the robber does so instead of moving."""
    worth = 100.0 - site_value(game, params, seat, memo, intersection)
    return worth - 1000.0 if head(game) == USE_KNIGHT else worth


# -- drawing and declining cards -------------------------------------------------------------------------------


@score(CHOOSE_DECK)
def choose_deck(game, params, seat, memo, track):
    """Choose the track with the lowest level, because its gate opens least often."""
    return -1.0 * game.improvement[seat, track]


always(NO_GAIN, FORGO)


def worth_of_resource(game, params, seat, memo, card):
    """Return the value of one more card of a kind."""
    worth = 10.0 * deficit(game, params, seat, memo, card) + worth_of_card(card)
    return worth + 6.0 if wanted_cards(game, seat, card) > 0 else worth


def my_hex_cards(game, params, seat, hex):
    """Return the number of cards that the seat gets from a hex when its number is rolled."""
    cards = 0
    for k in range(CORNERS):
        corner = params.hex_intersections[hex, k]
        if corner != NOTHING:
            cards += my_building(game, seat, corner)
    return cards


def others_hex_cards(game, params, seat, hex):
    """Return how many cards all opponents together get from a hex when its number is rolled."""
    cards = 0
    for k in range(CORNERS):
        corner = params.hex_intersections[hex, k]
        if corner != NOTHING:
            cards += game.building[corner] - my_building(game, seat, corner)
    return cards


def swap_gain(game, params, seat, hex):
    """Return the net value of an extra pip on a hex."""
    return 1.0 * my_hex_cards(game, params, seat, hex) - 0.4 * others_hex_cards(game, params, seat, hex)


def pips_on(game, hex):
    """Return the pips of a hex's number, 0 if it has none."""
    return pips_of(game.number[hex])


def left_neighbor(params, seat, opponent):
    """Return the seat of an opponent, given as in action arguments."""
    return to_the_left(params, seat, opponent + 1)
