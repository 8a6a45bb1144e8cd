"""Resource cards: hands, the bank, prices, and cards that players choose from the bank."""

from catan_env.board.terrain import RESOURCES
from catan_env.engine.decision_stack import head_argument, pop, push, set_argument
from catan_env.engine.declare import (
    CONTRADICTS,
    OWNER,
    PLAYERS,
    Action,
    Count,
    Decision,
    Field,
    Invariant,
    Number,
    answers,
    apply,
    checks,
    legal,
    rule,
    set_up,
)
from catan_env.engine.stacks import mark_kinds, move_card
from catan_env.games.vocabulary import (
    CARDS_ASIDE,
    CARDS_IN_PLAY,
    HAND_CARDS,
    HAND_CONTRADICTS,
    NOBODY,
    NUM_RESOURCES,
    RESOURCE_KINDS,
    count_of,
)

KINDS = RESOURCE_KINDS
MOST_OF_CHOICE = 30
"""Maximum number of cards that a player may choose from the bank at once."""

FIELDS = (
    Field(
        "hands",
        (PLAYERS, HAND_CARDS),
        "i1",
        0,
        30,
        "cards in hand",
        visible=OWNER,
        show=Count(),
        total=True,
    ),
    Field("bank", (HAND_CARDS,), "i1", 0, 30, "cards in the bank", show=Count()),
)
NUMBERS = (Number("bank_per_resource", 19, "resource cards of each kind", 1, 30),)

TAKE_CARD = Action("take_card", "take 1 {} from the bank", RESOURCES, "a card of this kind in the bank")
ACTIONS = (TAKE_CARD,)

CHOOSE_CARD = Decision("choose_card", "take any resource card from the bank", argument=MOST_OF_CHOICE)
HANDS_AGREE = Invariant("hands_agree", "every hand agrees with public knowledge, such as cards on offer")
CARDS_CONSERVED = Invariant("cards_conserved", "hands, bank and cards set aside add up to the full set")


@rule("base.resources.1", "base.resources.3", "base.resources.6")
@set_up
def fill_bank(game, params):
    for card in range(HAND_CARDS):
        game.bank[card] = CARDS_IN_PLAY(game, params, NOBODY, card)


@rule("base.resources.1")
@answers(CARDS_IN_PLAY)
def resource_cards(game, params, player, card):
    return params.bank_per_resource if card < NUM_RESOURCES else 0


@rule("base.resources.2")
def hand_size(game, player):
    """Return the number of cards in a player's hand."""
    return count_of(game.hands[player])


def resources_in(cards):
    """Return the number of resource cards in an array of card counts by kind."""
    card_count = 0
    for resource in range(NUM_RESOURCES):
        card_count += int(cards[resource])
    return card_count


@rule("base.development_cards.10")
def bank_size(game):
    """Return the number of resource cards in the bank."""
    return resources_in(game.bank)


@rule("base.resources.4")
def can_pay(game, player, cost):
    """Return whether a player holds the cards for a price."""
    is_short = False
    for card in range(HAND_CARDS):
        is_short |= game.hands[player, card] < cost[card]
    return not is_short


@rule("base.resources.4")
def pay(game, player, cost):
    """Move the cards of a price from a player to the bank."""
    for card in range(HAND_CARDS):
        game.hands[player, card] -= cost[card]
        game.bank[card] += cost[card]


@rule("base.development_cards.10")
def take(game, player, card, number):
    """Give a player up to `number` cards from the bank; return the number of cards given."""
    number = min(number, game.bank[card])
    move_card(game.bank, game.hands[player], card, number)
    return number


def hand_over(game, giver, receiver, card):
    """Move a card between hands."""
    move_card(game.hands[giver], game.hands[receiver], card)


def mark_hand(game, player, first, mask):
    """Mark an action for each kind of card in a player's hand. Action ids start at `first`."""
    mark_kinds(game.hands[player], first, mask)


@rule("base.development_cards.10")
def let_choose_cards(game, player, number):
    """Let a player choose resource cards from the bank, at most as many as it has."""
    number = min(number, bank_size(game))
    if number > 0:
        push(game, CHOOSE_CARD, player, number)


@rule("base.bank_trade.5", "base.development_cards.10")
@legal(CHOOSE_CARD)
def cards_to_choose(game, params, seat, mask):
    for resource in range(NUM_RESOURCES):
        mask[TAKE_CARD + resource] = game.bank[resource] > 0


@rule("base.development_cards.10")
@apply(TAKE_CARD)
def take_card(game, params, seat, resource):
    """Any remaining choices lapse when the bank runs out of cards."""
    take(game, seat, resource, 1)
    cards_due = head_argument(game) - 1
    if cards_due > 0 and bank_size(game) > 0:
        set_argument(game, cards_due)
    else:
        pop(game)


@rule("base.resources.1")
@checks(CARDS_CONSERVED)
def cards_conserved(game, params):
    for card in range(HAND_CARDS):
        card_count = int(game.bank[card]) + CARDS_ASIDE(game, params, NOBODY, card)
        for player in range(PLAYERS):
            card_count += game.hands[player, card]
        if card_count != CARDS_IN_PLAY(game, params, NOBODY, card):
            return False
    return True


@rule("base.resources.5")
@answers(CONTRADICTS)
def hand_contradicts(game, params, player, where):
    return HAND_CONTRADICTS(game, params, player)


@rule("base.resources.5")
@checks(HANDS_AGREE)
def hands_agree(game, params):
    for player in range(params.num_players):
        if HAND_CONTRADICTS(game, params, player) > 0:
            return False
    return True
