"""The merchant: take a card of a named kind from one or two opponents, giving each a card of your choice in return.

The player names the opponents one by one and then the kind. Opponents without cards cannot be named.
"""

from catan_env.board.terrain import RESOURCES
from catan_env.engine.decision_stack import head_argument, pop, push
from catan_env.engine.declare import PLAYERS, Action, Count, Decision, Field, Kind, Number, apply, legal, rule
from catan_env.games.base.resources import hand_over, hand_size, mark_hand
from catan_env.games.helpers.helper_cards import HELPERS
from catan_env.games.helpers.helper_use import is_ready, use
from catan_env.games.vocabulary import HAND_CARDS, NUM_RESOURCES, OPPONENTS, OWN_TURN, TRADED, count_of, to_the_left

MERCHANT = Kind("merchant", HELPERS)
KINDS = (MERCHANT,)

FIELDS = (
    Field(
        "trades_with_merchant",
        (PLAYERS,),
        "u1",
        0,
        1,
        "whether the merchant demands a card from each player, or owes one to that player",
        show=Count(),
    ),
)
NUMBERS = (
    Number("opponents_of_merchant", 2, "maximum number of opponents from whom the merchant demands a card", 1, 7),
)

DEMAND_OF = Action(
    "demand_of", "let the merchant demand a card of {}", OPPONENTS, "the merchant ready, and a card in that hand"
)
DEMAND = Action("demand", "demand 1 {}", RESOURCES, "an opponent chosen for the demand")
RETURN_CARD = Action("return_card", "give 1 {} in return", HAND_CARDS, "a card of this kind in hand")
ACTIONS = (DEMAND_OF, DEMAND, RETURN_CARD)

NAME_DEMAND = Decision("name_demand", "choose the card that the merchant demands, or another opponent")
GIVE_IN_RETURN = Decision("give_in_return", "give a card in return", argument=PLAYERS)


@rule("helpers.merchant.6")
def mark_opponents(game, params, seat, mask):
    """Mark the opponents who have cards and have not been named yet."""
    for k in range(1, params.num_players):
        player = to_the_left(params, seat, k)
        mask[DEMAND_OF + k - 1] = hand_size(game, player) > 0 and not game.trades_with_merchant[player]


@rule("helpers.merchant.1", "helpers.merchant.3")
@legal(OWN_TURN)
def may_send_merchant(game, params, seat, mask):
    if is_ready(game, seat, MERCHANT):
        mark_opponents(game, params, seat, mask)


@rule("helpers.merchant.1")
@apply(DEMAND_OF)
def demand_of_first(game, params, seat, opponent):
    use(game, seat)
    push(game, NAME_DEMAND, seat)
    game.trades_with_merchant[to_the_left(params, seat, opponent + 1)] = True


@rule("helpers.merchant.1", "helpers.merchant.2")
@legal(NAME_DEMAND)
def demands(game, params, seat, mask):
    for resource in range(NUM_RESOURCES):
        mask[DEMAND + resource] = True
    if count_of(game.trades_with_merchant) < params.opponents_of_merchant:
        mark_opponents(game, params, seat, mask)


@rule("helpers.merchant.1")
@apply(DEMAND_OF, at=(NAME_DEMAND,))
def demand_of_another(game, params, seat, opponent):
    game.trades_with_merchant[to_the_left(params, seat, opponent + 1)] = True


@rule("helpers.merchant.1", "helpers.merchant.5")
@apply(DEMAND)
def demand(game, params, seat, resource):
    """The nearest named opponent to the left is the first to get a card in return."""
    pop(game)
    for k in range(params.num_players - 1, 0, -1):
        player = to_the_left(params, seat, k)
        if game.trades_with_merchant[player]:
            if game.hands[player, resource] > 0:
                hand_over(game, player, seat, resource)
                push(game, GIVE_IN_RETURN, seat, player)
            else:
                game.trades_with_merchant[player] = False


@rule("helpers.merchant.1", "helpers.merchant.4")
@legal(GIVE_IN_RETURN)
def cards_to_return(game, params, seat, mask):
    mark_hand(game, seat, RETURN_CARD, mask)


@rule("helpers.merchant.1")
@apply(RETURN_CARD)
def return_card(game, params, seat, card):
    player = head_argument(game)
    pop(game)
    hand_over(game, seat, player, card)
    game.trades_with_merchant[player] = False
    TRADED(game, params, seat, player)
