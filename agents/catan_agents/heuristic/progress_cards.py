"""Scores for Cities & Knights progress cards: play them as soon as they help."""

from __future__ import annotations

from catan_agents.heuristic.base import (
    ROAD_IS_FREE,
    count_own_edge_pieces,
    deficit,
    lacks_something,
    surplus,
)
from catan_agents.heuristic.cities_and_knights import (
    DANGER,
    NOT_NOW,
    alarm,
    defence,
    left_neighbor,
    my_hex_cards,
    pips_on,
    swap_gain,
    wanted_cards,
    wanted_commodities,
    worth_of_resource,
)
from catan_agents.heuristic.generated import Table, shared
from catan_agents.heuristic.scoring import always, score
from catan_env.engine.bitset import number_of, where_equal, where_other
from catan_env.engine.decision_stack import head, head_argument
from catan_env.engine.declare import PUBLIC_POINTS
from catan_env.games.base.resources import hand_size
from catan_env.games.cities_and_knights import politics_cards as politics_card_rules
from catan_env.games.cities_and_knights.commodities import PAPER, is_commodity
from catan_env.games.cities_and_knights.espionage import PLAY_ESPIONAGE, TAKE_PROGRESS
from catan_env.games.cities_and_knights.knights import INACTIVE
from catan_env.games.cities_and_knights.politics_cards import (
    PLAY_DIPLOMACY,
    PLAY_ENCOURAGEMENT,
    PLAY_INTRIGUE,
    PLAY_SABOTAGE,
    PLAY_TAXATION,
    PLAY_TREASON,
    PLAY_WEDDING,
    RELOCATE_ROAD,
)
from catan_env.games.cities_and_knights.progress_cards import DISCARD_PROGRESS
from catan_env.games.cities_and_knights.progress_decks import PROGRESS
from catan_env.games.cities_and_knights.science_cards import (
    PLAY_ALCHEMY,
    PLAY_CRANE,
    PLAY_ENGINEERING,
    PLAY_INVENTION,
    PLAY_IRRIGATION,
    PLAY_MEDICINE,
    PLAY_MINING,
    PLAY_ROADS,
    PLAY_SMITHING,
    SET_DICE,
    SET_DIE,
    SWAP_FIRST,
    SWAP_NUMBER,
)
from catan_env.games.cities_and_knights.sea_progress import PLAY_DIPLOMACY_AT_SEA
from catan_env.games.cities_and_knights.trade_cards import (
    GIVE_CARD,
    GIVE_OPENLY,
    OFFER_AT_HARBOR,
    PICK_CARD,
    PLAY_COMMERCIAL_HARBOR,
    PLAY_FLEET,
    PLAY_GUILD_DUES,
    PLAY_MERCHANT,
    PLAY_RESOURCE_MONOPOLY,
    PLAY_TRADE_MONOPOLY,
)
from catan_env.games.vocabulary import HEXES, NOBODY, NUM_RESOURCES, RATE, count_of

worth_of_progress = Table(
    "worth_of_progress",
    PROGRESS,
    {
        "alchemy": 5.0,
        "crane": 5.0,
        "engineering": 3.0,
        "invention": 2.0,
        "irrigation": 4.0,
        "medicine": 6.0,
        "mining": 4.5,
        "road_building": 4.0,
        "smithing": 4.0,
        "commercial_harbor": 4.0,
        "guild_dues": 5.0,
        "merchant": 7.0,
        "merchant_fleet": 3.0,
        "resource_monopoly": 5.0,
        "trade_monopoly": 5.5,
        "diplomacy": 1.5,
        "encouragement": 3.5,
        "espionage": 3.0,
        "intrigue": 1.0,
        "sabotage": 3.0,
        "taxation": 4.5,
        "treason": 4.0,
        "wedding": 6.0,
    },
)
"""The value of each card in hand. Victory point cards are never kept in hand."""
DICE_SUMS = 13
FACES = 6
MOVABLE_UP_TO = 3
"""Pips up to which a number is worth swapping away."""


@ROAD_IS_FREE.contribution(of=politics_card_rules)
def is_relocated_road(game, params, seat, memo, where):
    return head(game) == RELOCATE_ROAD


@score(DISCARD_PROGRESS)
def discard_progress(game, params, seat, memo, card):
    return -worth_of_progress(card)


@score(TAKE_PROGRESS)
def take_progress(game, params, seat, memo, card):
    return 10.0 + worth_of_progress(card)


# -- science ---------------------------------------------------------------------------------------------------


@shared(DICE_SUMS)
def income_by_sum(game, params, seat, memo, cards):
    """Fill in the number of cards that the seat gets for each dice total."""
    for hex in range(HEXES):
        if hex != game.robber:
            cards[game.number[hex]] += my_hex_cards(game, params, seat, hex)


@score(PLAY_ALCHEMY)
def play_alchemy(game, params, seat, memo, argument):
    """Play alchemy to set a roll that produces at least two cards."""
    for dice_sum in range(DICE_SUMS):
        if income_by_sum(game, params, seat, memo, dice_sum) >= 2:
            return 60.0
    return NOT_NOW


@score(SET_DIE)
def set_die(game, params, seat, memo, pips):
    """Set the dice to the most productive total, breaking ties in favor of a low red die, which opens more gates."""
    if head(game) == SET_DICE and head_argument(game) == 1:
        return income_by_sum(game, params, seat, memo, max(game.red_die, 1) + pips + 1)
    most_cards = 0.0
    for face in range(1, FACES + 1):
        most_cards = max(most_cards, income_by_sum(game, params, seat, memo, pips + 1 + face))
    return most_cards - 0.01 * (pips + 1)


@score(PLAY_CRANE)
def play_crane(game, params, seat, memo, track):
    """Prefer high levels and levels that the seat could not afford without the crane."""
    wanted = wanted_commodities(game, seat, track)
    return 400.0 if game.hands[seat, PAPER + track] >= wanted else 930.0 + 5.0 * wanted


def is_movable(number):
    """Return whether invention may swap a number."""
    return number not in (0, 2, 6, 8, 12)


@score(PLAY_INVENTION)
def play_invention(game, params, seat, memo, argument):
    """Play invention if any of the seat's productive hexes has an unlikely number."""
    for hex in range(HEXES):
        if is_movable(game.number[hex]) and pips_on(game, hex) <= MOVABLE_UP_TO:
            if swap_gain(game, params, seat, hex) >= 1.0:
                return 200.0
    return NOT_NOW


@score(SWAP_NUMBER)
def swap_number(game, params, seat, memo, hex):
    """First choose a productive hex with an unlikely number, then a hex with a likely number that helps opponents."""
    pips, gain = pips_on(game, hex), swap_gain(game, params, seat, hex)
    return gain * (5.0 - pips) if head(game) == SWAP_FIRST else pips * (4.0 - gain)


always(740.0, PLAY_IRRIGATION, PLAY_MINING)
always(1100.0, PLAY_MEDICINE)
always(700.0, PLAY_ROADS)
always(480.0, PLAY_SMITHING)
always(300.0, PLAY_ENGINEERING)


# -- trade -----------------------------------------------------------------------------------------------------


@score(PLAY_MERCHANT)
def play_merchant(game, params, seat, memo, hex):
    """Play the merchant on the most productive hex to gain its point. Wait if the seat already has the point."""
    worth = NOT_NOW if game.merchant_owner == seat else 860.0
    return worth + my_hex_cards(game, params, seat, hex) * pips_on(game, hex)


@score(PLAY_FLEET)
def play_merchant_fleet(game, params, seat, memo, card):
    """Choose a kind with spare cards if the plan still needs any cards."""
    cards_spare = surplus(game, params, seat, memo, card) - wanted_cards(game, seat, card)
    is_useful = cards_spare >= params.fleet_rate and RATE(game, params, seat, card) > params.fleet_rate
    return 540.0 + cards_spare if is_useful and lacks_something(game, params, seat, memo) else NOT_NOW


@shared()
def spare_resources(game, params, seat, memo):
    """Return the number of resource cards that the plan does not need."""
    cards = 0.0
    for resource in range(NUM_RESOURCES):
        cards += surplus(game, params, seat, memo, resource)
    return cards


@score(PLAY_COMMERCIAL_HARBOR)
def play_commercial_harbor(game, params, seat, memo, argument):
    """Play the commercial harbor if at least two resource cards are spare."""
    return 640.0 if spare_resources(game, params, seat, memo) > 1 else NOT_NOW


@score(OFFER_AT_HARBOR)
def offer_at_harbor(game, params, seat, memo, opponent):
    has_spare = spare_resources(game, params, seat, memo) > 0
    return 630.0 + hand_size(game, left_neighbor(params, seat, opponent)) if has_spare else NOT_NOW


@score(GIVE_CARD, GIVE_OPENLY)
def give_card(game, params, seat, memo, card):
    """Give away the least valuable card."""
    return 10.0 * surplus(game, params, seat, memo, card) - 2.0 * worth_of_resource(game, params, seat, memo, card)


@score(PLAY_GUILD_DUES)
def play_guild_dues(game, params, seat, memo, opponent):
    return 680.0 + hand_size(game, left_neighbor(params, seat, opponent))


@score(PICK_CARD)
def pick_card(game, params, seat, memo, card):
    return worth_of_resource(game, params, seat, memo, card)


def elsewhere(game, params, seat, card):
    """Return an upper bound on the opponents' combined cards of a kind."""
    others_cards = -hand_size(game, seat)
    for player in range(params.num_players):
        others_cards += hand_size(game, player)
    cards_in_play = params.bank_per_commodity if is_commodity(card) else params.bank_per_resource
    return min(cards_in_play - game.bank[card] - game.hands[seat, card], others_cards)


@score(PLAY_RESOURCE_MONOPOLY)
def play_resource_monopoly(game, params, seat, memo, resource):
    """Choose a resource that the plan needs and that opponents may hold."""
    cards = elsewhere(game, params, seat, resource)
    return 600.0 + 10.0 * deficit(game, params, seat, memo, resource) + cards if cards >= 2 else NOT_NOW


@score(PLAY_TRADE_MONOPOLY)
def play_trade_monopoly(game, params, seat, memo, commodity):
    cards = elsewhere(game, params, seat, PAPER + commodity)
    return 610.0 + cards if cards >= 1 and wanted_commodities(game, seat, commodity) > 0 else NOT_NOW


# -- politics --------------------------------------------------------------------------------------------------


@score(PLAY_DIPLOMACY, PLAY_DIPLOMACY_AT_SEA)
def play_diplomacy(game, params, seat, memo, path):
    """Remove a piece belonging to the holder of Longest Road or to another opponent with a long route.

    Ships are part of the route.
    """
    owner = game.edge_owner[path]
    if owner in (NOBODY, seat) or game.road_length[owner] < 4:
        return NOT_NOW
    return 130.0 + (100.0 if owner == game.longest_road else 0.0) + game.road_length[owner]


@score(PLAY_ENCOURAGEMENT)
def play_encouragement(game, params, seat, memo, argument):
    """Play encouragement, before paying any grain, if the barbarians are near or three knights are inactive."""
    inactive_count = number_of(where_equal(game.knight_owner, seat) & where_equal(game.knight_state, INACTIVE))
    return 1150.0 if alarm(game, params, seat, memo) > DANGER or inactive_count >= 3 else NOT_NOW


@score(PLAY_ESPIONAGE)
def play_espionage(game, params, seat, memo, opponent):
    return 320.0 + count_of(game.progress_backs[left_neighbor(params, seat, opponent)])


@score(PLAY_TREASON)
def play_treason(game, params, seat, memo, opponent):
    """Choose the opponent with the strongest active knights."""
    return 360.0 + defence(game, params, seat, memo, left_neighbor(params, seat, opponent))


always(430.0, PLAY_TAXATION)


@score(PLAY_INTRIGUE)
def play_intrigue(game, params, seat, memo, argument):
    """Play intrigue right away against a knight on the seat's roads; otherwise, play it late in the turn."""
    for intersection in where_other(game.knight_owner, NOBODY):
        if game.knight_owner[intersection] != seat:
            if count_own_edge_pieces(game, params, seat, intersection) >= 2:
                return 210.0
    return 20.0


@score(PLAY_SABOTAGE)
def play_sabotage(game, params, seat, memo, argument):
    """Play sabotage if it would cost the opponents who are not behind the seat at least three cards in total."""
    cards_lost = 0
    for player in range(params.num_players):
        if player != seat and PUBLIC_POINTS(game, params, player) >= PUBLIC_POINTS(game, params, seat):
            cards_lost += hand_size(game, player) // 2
    return 220.0 + cards_lost if cards_lost >= 3 else NOT_NOW


always(690.0, PLAY_WEDDING)
