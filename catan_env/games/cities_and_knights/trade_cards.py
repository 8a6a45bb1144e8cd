"""Trade cards: commercial harbor, guild dues, merchant, merchant fleet, resource monopoly and trade monopoly."""

from catan_env.board.terrain import RESOURCES
from catan_env.engine.decision_stack import current_decision, head_argument, head_seat, pop, push
from catan_env.engine.declare import (
    OWNER,
    PLAYERS,
    PUBLIC_POINTS,
    Action,
    Count,
    Decision,
    Field,
    Number,
    OneHot,
    answers,
    apply,
    legal,
    redeals,
    rule,
    when,
)
from catan_env.engine.stacks import clear_row, copy_row, mark_kinds, move_card
from catan_env.games.base.hand_views import contradicts_view, redeal_hands_around_view
from catan_env.games.base.resources import hand_over, hand_size, resources_in
from catan_env.games.cities_and_knights.commodities import NUM_COMMODITIES, PAPER, commodities_of
from catan_env.games.cities_and_knights.improvements import TRADE
from catan_env.games.cities_and_knights.merchant_piece import mark_merchant
from catan_env.games.cities_and_knights.progress_decks import (
    COMMERCIAL_HARBOR,
    GUILD_DUES,
    MERCHANT,
    MERCHANT_FLEET,
    RESOURCE_MONOPOLY,
    TRADE_MONOPOLY,
    holds,
    holds_any,
    play_card,
)
from catan_env.games.vocabulary import (
    ACTION_PHASE,
    CARD_STOLEN,
    HAND_CARDS,
    HAND_CONTRADICTS,
    HEXES,
    MAY_STEAL_FROM,
    NOBODY,
    NUM_RESOURCES,
    OPPONENTS,
    PAIRED_PHASE_ENDED,
    RATE,
    TRADED,
    TURN_ENDED,
    to_the_left,
)

COMMODITIES = ("paper", "cloth", "coin")
CLOSED, OPEN, REFUSED, EXCHANGED = 0, 1, 2, 3
"""States of an exchange between the player on turn and an opponent under commercial harbor."""

FIELDS = (
    Field(
        "harbor_offers",
        (PLAYERS,),
        "i1",
        CLOSED,
        EXCHANGED,
        "commercial harbor with each player this turn: 0 no exchange, 1 open, 2 found no commodity, 3 made",
        show=OneHot(("open", "refused", "exchanged"), OPEN),
    ),
    Field("fleet", (HAND_CARDS,), "u1", 0, 1, "whether a merchant fleet trades each kind this turn", show=Count()),
    Field(
        "hand_shown",
        (PLAYERS, HAND_CARDS),
        "i1",
        0,
        30,
        "hand that guild dues show to each player",
        visible=OWNER,
        show=Count(),
    ),
)
NUMBERS = (
    Number("fleet_rate", 2, "cards of the kind of a merchant fleet for one card", 1, 30),
    Number("dues", 2, "cards that guild dues take", 1, 6),
    Number("resource_monopoly_share", 2, "cards that resource monopoly takes from each opponent", 1, 19),
    Number("trade_monopoly_share", 1, "cards that trade monopoly takes from each opponent", 1, 12),
)

PLAY_COMMERCIAL_HARBOR = Action(
    "play_commercial_harbor",
    "play commercial harbor",
    needs="this card, a resource, and an opponent with cards and no open or completed exchange this turn",
)
OFFER_AT_HARBOR = Action(
    "offer_at_harbor",
    "offer a resource to {}",
    OPPONENTS,
    "an open exchange with that player, a resource in hand, and cards in that hand",
)
GIVE_OPENLY = Action(
    "give_openly", "give 1 {} at the harbor", HAND_CARDS, "a resource to offer, or a commodity to return"
)
GIVE_CARD = Action("give_card", "give 1 {}", HAND_CARDS, "a card of this kind in hand", OWNER)
PLAY_GUILD_DUES = Action(
    "play_guild_dues", "play guild dues on {}", OPPONENTS, "this card, and an opponent with cards and more points"
)
PICK_CARD = Action("pick_card", "take 1 {} from the hand shown", HAND_CARDS, "a card of this kind in that hand", OWNER)
PLAY_MERCHANT = Action(
    "play_merchant", "set the merchant on {}", HEXES, "this card, and a land hex at the seat's building"
)
PLAY_FLEET = Action(
    "play_merchant_fleet",
    "play merchant fleet on {}",
    HAND_CARDS,
    "this card, and a kind that no fleet trades this turn",
)
PLAY_RESOURCE_MONOPOLY = Action(
    "play_resource_monopoly", "play resource monopoly on {}", RESOURCES, "this card, and an opponent with cards"
)
PLAY_TRADE_MONOPOLY = Action(
    "play_trade_monopoly", "play trade monopoly on {}", COMMODITIES, "this card, and an opponent with cards"
)
ACTIONS = (
    PLAY_COMMERCIAL_HARBOR,
    OFFER_AT_HARBOR,
    GIVE_OPENLY,
    GIVE_CARD,
    PLAY_GUILD_DUES,
    PICK_CARD,
    PLAY_MERCHANT,
    PLAY_FLEET,
    PLAY_RESOURCE_MONOPOLY,
    PLAY_TRADE_MONOPOLY,
)

OFFER_RESOURCE = Decision("offer_resource", "choose the resource to offer at the harbor", argument=PLAYERS)
GIVE_COMMODITY = Decision("give_commodity", "give a commodity for the resource offered", argument=PLAYERS)
PICK_FROM_HAND = Decision("pick_from_hand", "take a card from the visible hand", argument=PLAYERS)


@rule("cities_and_knights.trade_cards.1", "cities_and_knights.science_cards.10")
@legal(ACTION_PHASE)
def trade_to_play(game, params, seat, mask):  # noqa: C901 (handles each kind of card in turn)
    if has_resource(game, seat):
        for k in range(1, params.num_players):
            opponent = to_the_left(params, seat, k)
            mask[OFFER_AT_HARBOR + k - 1] = game.harbor_offers[opponent] == OPEN and hand_size(game, opponent) > 0
    if not holds_any(game, seat, TRADE):
        return
    if holds(game, params, seat, COMMERCIAL_HARBOR) and has_resource(game, seat):
        mask[PLAY_COMMERCIAL_HARBOR] = opens_exchange(game, params, seat)
    if holds(game, params, seat, GUILD_DUES):
        for k in range(1, params.num_players):
            mask[PLAY_GUILD_DUES + k - 1] = owes_dues(game, params, seat, to_the_left(params, seat, k))
    if holds(game, params, seat, MERCHANT):
        mark_merchant(game, params, seat, PLAY_MERCHANT, mask)
    if holds(game, params, seat, MERCHANT_FLEET):
        for card in range(HAND_CARDS):
            mask[PLAY_FLEET + card] = not game.fleet[card]
    if holds(game, params, seat, RESOURCE_MONOPOLY) and others_have_cards(game, params, seat):
        for resource in range(NUM_RESOURCES):
            mask[PLAY_RESOURCE_MONOPOLY + resource] = True
    if holds(game, params, seat, TRADE_MONOPOLY) and others_have_cards(game, params, seat):
        for commodity in range(NUM_COMMODITIES):
            mask[PLAY_TRADE_MONOPOLY + commodity] = True


def others_have_cards(game, params, seat):
    """Return whether any opponent has cards."""
    for player in range(params.num_players):
        if MAY_STEAL_FROM(game, params, seat, player) and hand_size(game, player) > 0:
            return True
    return False


def has_resource(game, seat):
    """Return whether a player holds any resource."""
    return resources_in(game.hands[seat]) > 0


@rule("cities_and_knights.trade_cards.3", "cities_and_knights.trade_cards.6")
@when(TURN_ENDED, PAIRED_PHASE_ENDED)
def trade_cards_lapse(game, params, player, where):
    """The effects of commercial harbor and merchant fleet last until the end of the turn."""
    for seat in range(PLAYERS):
        game.harbor_offers[seat] = 0
    for card in range(HAND_CARDS):
        game.fleet[card] = False


# -- commercial harbor -------------------------------------------------------------------------------------


def may_open(game, player):
    """Return whether a commercial harbor can open an exchange with an opponent (not if one is open or completed)."""
    return game.harbor_offers[player] == CLOSED or game.harbor_offers[player] == REFUSED


@rule("cities_and_knights.trade_cards.8")
def opens_exchange(game, params, seat):
    """Return whether a commercial harbor can open an exchange with any opponent who has cards."""
    for player in range(params.num_players):
        if player != seat and may_open(game, player) and hand_size(game, player) > 0:
            return True
    return False


@rule("cities_and_knights.trade_cards.2", "cities_and_knights.trade_cards.8")
@apply(PLAY_COMMERCIAL_HARBOR)
def play_commercial_harbor(game, params, seat, argument):
    play_card(game, seat, COMMERCIAL_HARBOR)
    for player in range(params.num_players):
        if player != seat and may_open(game, player):
            game.harbor_offers[player] = OPEN


@rule("cities_and_knights.trade_cards.2")
@apply(OFFER_AT_HARBOR)
def offer_at_harbor(game, params, seat, opponent):
    push(game, OFFER_RESOURCE, seat, to_the_left(params, seat, opponent + 1))


@rule("cities_and_knights.trade_cards.2")
@legal(OFFER_RESOURCE)
def resources_to_offer(game, params, seat, mask):
    for resource in range(NUM_RESOURCES):
        mask[GIVE_OPENLY + resource] = game.hands[seat, resource] > 0


@rule("cities_and_knights.trade_cards.2", "cities_and_knights.trade_cards.9", "cities_and_knights.trade_cards.10")
@apply(GIVE_OPENLY, at=(OFFER_RESOURCE,))
def offer_resource(game, params, seat, resource):
    """The player keeps the resource if the opponent has no commodity."""
    partner = head_argument(game)
    pop(game)
    if commodities_of(game, partner) > 0:
        game.harbor_offers[partner] = EXCHANGED
        hand_over(game, seat, partner, resource)
        push(game, GIVE_COMMODITY, partner, seat)
    else:
        game.harbor_offers[partner] = REFUSED


@rule("cities_and_knights.trade_cards.9")
@when(TRADED)
def offer_again(game, params, player, partner):
    """A trade reopens an exchange that the opponent refused, as the opponent may have received a commodity."""
    if partner != NOBODY and game.harbor_offers[partner] == REFUSED:
        game.harbor_offers[partner] = OPEN


@rule("cities_and_knights.trade_cards.2")
@legal(GIVE_COMMODITY)
def commodities_to_give(game, params, seat, mask):
    for card in range(PAPER, PAPER + NUM_COMMODITIES):
        mask[GIVE_OPENLY + card] = game.hands[seat, card] > 0


@rule("cities_and_knights.trade_cards.2", "cities_and_knights.trade_cards.10")
@apply(GIVE_OPENLY, at=(GIVE_COMMODITY,))
def give_commodity(game, params, seat, card):
    receiver = head_argument(game)
    pop(game)
    hand_over(game, seat, receiver, card)


@rule("cities_and_knights.trade_cards.2", "cities_and_knights.trade_cards.9")
@answers(HAND_CONTRADICTS)
def holds_for_harbor(game, params, player, where):
    """A player who has to offer a resource or give a commodity has one; a player who refused has no commodity."""
    if game.harbor_offers[player] == REFUSED:
        return commodities_of(game, player)
    decision = current_decision(game)
    if decision == OFFER_RESOURCE and head_seat(game) == player:
        return 0 if has_resource(game, player) else 1
    if decision == GIVE_COMMODITY and head_seat(game) == player:
        return 0 if commodities_of(game, player) > 0 else 1
    return 0


# -- guild dues --------------------------------------------------------------------------------------------


def owes_dues(game, params, seat, player):
    """Return whether a player has cards and more points than the seat that plays guild dues."""
    if hand_size(game, player) == 0 or not MAY_STEAL_FROM(game, params, seat, player):
        return False
    return PUBLIC_POINTS(game, params, player) > PUBLIC_POINTS(game, params, seat)


@rule("cities_and_knights.trade_cards.4")
@apply(PLAY_GUILD_DUES)
def play_guild_dues(game, params, seat, opponent):
    host = to_the_left(params, seat, opponent + 1)
    play_card(game, seat, GUILD_DUES)
    for _ in range(min(params.dues, hand_size(game, host))):
        push(game, PICK_FROM_HAND, seat, host)
    copy_row(game.hand_shown[seat], game.hands[host])


@rule("cities_and_knights.trade_cards.4")
@legal(PICK_FROM_HAND)
def cards_to_pick(game, params, seat, mask):
    mark_kinds(game.hand_shown[seat], PICK_CARD, mask)


@rule("cities_and_knights.trade_cards.4")
@apply(PICK_CARD)
def pick_card(game, params, seat, card):
    host = head_argument(game)
    pop(game)
    hand_over(game, host, seat, card)
    clear_row(game.hand_shown[seat])
    if current_decision(game) == PICK_FROM_HAND:
        copy_row(game.hand_shown[seat], game.hands[host])
    CARD_STOLEN(game, params, seat, host)


@rule("cities_and_knights.trade_cards.4")
@answers(HAND_CONTRADICTS)
def hand_that_is_shown(game, params, player, where):
    """A hand revealed by guild dues must match the cards that were seen."""
    return contradicts_view(game, PICK_FROM_HAND, game.hand_shown, player)


@rule("cities_and_knights.trade_cards.4")
@redeals("hands", "discards", "hand_shown")
def redeal_hands_around_dues(game, params, seat, pool):
    redeal_hands_around_view(game, params, seat, pool, PICK_FROM_HAND, game.hand_shown)


# -- merchant, merchant fleet ------------------------------------------------------------------------------


@rule("cities_and_knights.trade_cards.5")
@apply(PLAY_MERCHANT)
def play_merchant(game, params, seat, hex):
    play_card(game, seat, MERCHANT)
    game.merchant = hex
    game.merchant_owner = seat


@rule("cities_and_knights.trade_cards.6")
@apply(PLAY_FLEET)
def play_merchant_fleet(game, params, seat, card):
    play_card(game, seat, MERCHANT_FLEET)
    game.fleet[card] = True


@rule("cities_and_knights.trade_cards.6")
@answers(RATE)
def rate_of_fleet(game, params, player, card):
    return params.fleet_rate if game.fleet[card] and game.on_turn == player else 127


# -- monopolies --------------------------------------------------------------------------------------------


@rule("cities_and_knights.trade_cards.7")
def take_from_all(game, params, seat, card, share):
    """Take up to `share` cards of one kind from each opponent."""
    for player in range(params.num_players):
        if MAY_STEAL_FROM(game, params, seat, player):
            move_card(game.hands[player], game.hands[seat], card, min(share, int(game.hands[player, card])))


@rule("cities_and_knights.trade_cards.7")
@apply(PLAY_RESOURCE_MONOPOLY)
def play_resource_monopoly(game, params, seat, resource):
    play_card(game, seat, RESOURCE_MONOPOLY)
    take_from_all(game, params, seat, resource, params.resource_monopoly_share)


@rule("cities_and_knights.trade_cards.7")
@apply(PLAY_TRADE_MONOPOLY)
def play_trade_monopoly(game, params, seat, commodity):
    play_card(game, seat, TRADE_MONOPOLY)
    take_from_all(game, params, seat, PAPER + commodity, params.trade_monopoly_share)
