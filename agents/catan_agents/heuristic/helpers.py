"""Scores for Helpers: use a helper as soon as it is useful, and exchange it for the most valuable one."""

from __future__ import annotations

from catan_agents.heuristic.base import (
    MANY_CARDS,
    ROAD_IS_FREE,
    WORTH,
    deficit,
    has_site,
    is_blocked,
    is_open_site,
    lacks_something,
    plan,
    spoils_plan,
    surplus,
    worth_of_card,
)
from catan_agents.heuristic.generated import Table, shared
from catan_agents.heuristic.scoring import always, score
from catan_env.engine.decision_stack import head
from catan_env.engine.declare import PUBLIC_POINTS
from catan_env.games.base.bank_trade import given_of, received_of
from catan_env.games.base.development_cards import DECK_CARDS, KNIGHT
from catan_env.games.base.resources import hand_size
from catan_env.games.helpers import explorer as explorer_rules
from catan_env.games.helpers import mendicant as mendicant_rules
from catan_env.games.helpers.captain import HIRE_CAPTAIN
from catan_env.games.helpers.explorer import MOVE_ROAD, REBUILD_ROAD
from catan_env.games.helpers.helper_cards import HELPERS, TAKE_HELPER
from catan_env.games.helpers.helper_use import TURN_HELPER
from catan_env.games.helpers.mayor import DO_WITHOUT_MAYOR
from catan_env.games.helpers.mendicant import BEG_ROAD, BEGGED_ROAD
from catan_env.games.helpers.merchant import DEMAND, DEMAND_OF, RETURN_CARD
from catan_env.games.helpers.noblewoman import NOBLEWOMAN, TAKE_FROM_HAND, VISIT
from catan_env.games.helpers.priest import PRIEST, SEND_KNIGHT
from catan_env.games.helpers.robber_bride import LURE_ROBBER
from catan_env.games.helpers.scholar import CONSULT_SCHOLAR, CONSULT_WITH, KEEP_CARD
from catan_env.games.vocabulary import HAND_CARDS, RATE, count_of, to_the_left

BEFORE_TRADES, BEFORE_BUILDING = 520.0, 1100.0
NOT_NOW = -10.0
worth_of_helper = Table(
    "worth_of_helper",
    HELPERS,
    {
        "merchant": 6.0,
        "mendicant": 2.0,
        "mayor": 5.5,
        "explorer": 1.0,
        "general": 4.0,
        "scholar": 5.0,
        "robber_bride": 3.0,
        "captain": 4.5,
        "priest": 1.5,
        "noblewoman": 1.2,
    },
)
WITH_A_KNIGHT, BEHIND = 5.0, 5.8
"""Value of the priest to a player with a knight, and of the noblewoman to a player who is behind."""
worth_of_card_kept = Table(
    "worth_of_card_kept",
    DECK_CARDS,
    {"knight": 2.0, "road_building": 3.0, "year_of_plenty": 4.0, "monopoly": 3.5, "victory_point": 5.0},
)
PLAYED, IN_HAND = range(2)
"""The knight that goes to the priest."""


@ROAD_IS_FREE.contribution(of=explorer_rules)
def is_rebuilt_road(game, params, seat, memo, where):
    return head(game) == REBUILD_ROAD


@ROAD_IS_FREE.contribution(of=mendicant_rules)
def is_begged_road(game, params, seat, memo, where):
    return head(game) == BEGGED_ROAD


# -- which helper to have ----------------------------------------------------------------------------------------


def helper_value(game, params, seat, helper):
    """Return the value of a helper to the seat."""
    if helper == PRIEST and game.knights_played[seat] + game.development_cards[seat, KNIGHT] > 0:
        return WITH_A_KNIGHT
    if helper == NOBLEWOMAN:
        for player in range(params.num_players):
            if PUBLIC_POINTS(game, params, player) > PUBLIC_POINTS(game, params, seat):
                return BEHIND
    return worth_of_helper(helper)


@score(TAKE_HELPER)
def take_helper(game, params, seat, memo, helper):
    return helper_value(game, params, seat, helper)


@score(TURN_HELPER)
def turn_helper(game, params, seat, memo, argument):
    """Score turning the helper over by the helper's value, so that it is exchanged if a better one is on display."""
    worth = 0.0
    for helper in range(HELPERS):
        if game.helpers_held[seat, helper]:
            worth += helper_value(game, params, seat, helper)
    return worth


# -- exchanging cards --------------------------------------------------------------------------------------------


@shared()
def spare_cards(game, params, seat, memo):
    """Return the number of cards in hand that the plan does not need."""
    cards = 0.0
    for card in range(HAND_CARDS):
        cards += surplus(game, params, seat, memo, card)
    return cards


@score(DEMAND_OF)
def demand_of(game, params, seat, memo, opponent):
    """Demand from the opponent with the most cards, as long as there are spare cards to give in return."""
    has_spare = spare_cards(game, params, seat, memo) > count_of(game.trades_with_merchant)
    if not has_spare or not lacks_something(game, params, seat, memo):
        return NOT_NOW
    return BEFORE_TRADES + hand_size(game, to_the_left(params, seat, opponent + 1))


@score(DEMAND)
def demand(game, params, seat, memo, resource):
    """Demand a card that the plan needs and of which opponents may hold many."""
    cards_elsewhere = params.bank_per_resource - game.bank[resource] - game.hands[seat, resource]
    worth = 120.0 if deficit(game, params, seat, memo, resource) > 0 else 100.0
    return worth + max(cards_elsewhere, 0)


@score(RETURN_CARD)
def return_card(game, params, seat, memo, card):
    return 10.0 * surplus(game, params, seat, memo, card) - worth_of_card(card)


@score(HIRE_CAPTAIN)
def hire_captain(game, params, seat, memo, card):
    """Choose a kind with spare cards, unless a harbor trades it at the same or a better rate."""
    cards_spare = surplus(game, params, seat, memo, card)
    is_useful = cards_spare >= params.captains_rate and RATE(game, params, seat, card) > params.captains_rate
    return BEFORE_TRADES + cards_spare if is_useful and lacks_something(game, params, seat, memo) else NOT_NOW


@score(VISIT)
def visit(game, params, seat, memo, opponent):
    return BEFORE_TRADES + hand_size(game, to_the_left(params, seat, opponent + 1))


@score(TAKE_FROM_HAND)
def take_from_hand(game, params, seat, memo, card):
    return 10.0 * deficit(game, params, seat, memo, card) + worth_of_card(card)


always(NOT_NOW, DO_WITHOUT_MAYOR)


@score(LURE_ROBBER)
def lure_robber(game, params, seat, memo, hex):
    """Lure the robber before the roll if it blocks the seat; otherwise, do it after the roll to gain a card."""
    return 700.0 if is_blocked(game, params, seat) else 45.0


# -- building and buying -----------------------------------------------------------------------------------------


@shared()
def saves_for_road(game, params, seat, memo):
    """Return whether the seat saves for a road and cannot settle anywhere."""
    for card in range(HAND_CARDS):
        if plan(game, params, seat, memo, card) != params.road_cost[card]:
            return False
    return not has_site(game, seat)


@score(BEG_ROAD)
def beg_road(game, params, seat, memo, pair):
    """If the plan is a road, substitute a spare card for a missing one."""
    has_spare = surplus(game, params, seat, memo, given_of(pair)) > 0
    is_useful = has_spare and deficit(game, params, seat, memo, received_of(pair)) > 0
    return 205.0 if is_useful and saves_for_road(game, params, seat, memo) else NOT_NOW


@score(MOVE_ROAD)
def move_road(game, params, seat, memo, path):
    """Move a road that does not lead to an open site, unless the seat holds Longest Road."""
    for end in range(2):
        if is_open_site(game, params, seat, memo, params.path_intersections[path, end]):
            return NOT_NOW
    return NOT_NOW if game.longest_road == seat else 12.0


@score(SEND_KNIGHT)
def send_knight(game, params, seat, memo, source):
    """Use the priest rather than pay the full price, unless this puts Largest Army at risk."""
    if source == IN_HAND:
        return BEFORE_BUILDING + 1.0
    return NOT_NOW if game.largest_army == seat else BEFORE_BUILDING


@score(CONSULT_SCHOLAR)
def consult_scholar(game, params, seat, memo, argument):
    """Buy through the scholar if the plan does not need the cards or the hand exceeds seven cards."""
    if hand_size(game, seat) > MANY_CARDS:
        return 170.0
    return NOT_NOW if spoils_plan(game, params, seat, memo, params.development_card_cost) else 170.0


def spoils_plan_with(game, params, seat, memo, paid, saved):
    """Return whether a development card would use up cards that the plan needs, if one card replaces another."""
    for card in range(HAND_CARDS):
        price = params.development_card_cost[card] + (card == paid) - (card == saved)
        wanted = plan(game, params, seat, memo, card)
        if max(wanted - (game.hands[seat, card] - price), 0) > deficit(game, params, seat, memo, card):
            return True
    return False


@score(CONSULT_WITH)
def consult_with(game, params, seat, memo, pair):
    """Buy through the scholar if the plan does not need the cards, paying with spare cards in place of scarce ones."""
    paid, saved = given_of(pair), received_of(pair)
    if spoils_plan_with(game, params, seat, memo, paid, saved):
        return NOT_NOW
    return 165.0 + WORTH[saved] - WORTH[paid]


@score(KEEP_CARD)
def keep_card(game, params, seat, memo, card):
    return worth_of_card_kept(card)
