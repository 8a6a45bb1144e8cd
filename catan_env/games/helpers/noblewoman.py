"""The noblewoman: look at the hand of an opponent with more points and take a card of your choice.

No other player gets to see the hand.
"""

from catan_env.engine.decision_stack import head_argument, pop, push
from catan_env.engine.declare import (
    OWNER,
    PLAYERS,
    PUBLIC_POINTS,
    Action,
    Count,
    Decision,
    Field,
    Kind,
    answers,
    apply,
    legal,
    redeals,
    rule,
)
from catan_env.engine.stacks import clear_row, copy_row, mark_kinds
from catan_env.games.base.hand_views import contradicts_view, redeal_hands_around_view
from catan_env.games.base.resources import hand_over, hand_size
from catan_env.games.helpers.helper_cards import HELPERS
from catan_env.games.helpers.helper_use import is_ready, use
from catan_env.games.vocabulary import (
    CARD_STOLEN,
    HAND_CARDS,
    HAND_CONTRADICTS,
    OPPONENTS,
    OWN_TURN,
    to_the_left,
)

NOBLEWOMAN = Kind("noblewoman", HELPERS)
KINDS = (NOBLEWOMAN,)

FIELDS = (
    Field(
        "hand_seen",
        (PLAYERS, HAND_CARDS),
        "i1",
        0,
        30,
        "hand that the noblewoman shows to each player",
        visible=OWNER,
        show=Count(),
    ),
)

VISIT = Action(
    "visit", "send the noblewoman to {}", OPPONENTS, "the noblewoman ready, and an opponent with cards and more points"
)
TAKE_FROM_HAND = Action(
    "take_from_hand", "take 1 {} from the hand looked into", HAND_CARDS, "a card of this kind in that hand", OWNER
)
ACTIONS = (VISIT, TAKE_FROM_HAND)

LOOK_INTO_HAND = Decision("look_into_hand", "take a card from the visible hand", argument=PLAYERS)


@rule("helpers.noblewoman.2", "helpers.noblewoman.3")
def may_be_visited(game, params, seat, player):
    """Return whether a player has cards and more visible points than a given seat."""
    return hand_size(game, player) > 0 and PUBLIC_POINTS(game, params, player) > PUBLIC_POINTS(game, params, seat)


@rule("helpers.noblewoman.1", "helpers.noblewoman.4")
@legal(OWN_TURN)
def may_visit(game, params, seat, mask):
    if is_ready(game, seat, NOBLEWOMAN):
        for k in range(1, params.num_players):
            mask[VISIT + k - 1] = may_be_visited(game, params, seat, to_the_left(params, seat, k))


@rule("helpers.noblewoman.1")
@apply(VISIT)
def visit(game, params, seat, opponent):
    host = to_the_left(params, seat, opponent + 1)
    use(game, seat)
    push(game, LOOK_INTO_HAND, seat, host)
    copy_row(game.hand_seen[seat], game.hands[host])


@rule("helpers.noblewoman.1")
@legal(LOOK_INTO_HAND)
def cards_to_take(game, params, seat, mask):
    mark_kinds(game.hand_seen[seat], TAKE_FROM_HAND, mask)


@rule("helpers.noblewoman.1")
@apply(TAKE_FROM_HAND)
def take_from_hand(game, params, seat, card):
    host = head_argument(game)
    pop(game)
    clear_row(game.hand_seen[seat])
    hand_over(game, host, seat, card)
    CARD_STOLEN(game, params, seat, host)


@rule("helpers.noblewoman.5")
@answers(HAND_CONTRADICTS)
def hand_looked_into(game, params, player, where):
    """A hand being visited matches the visitor's view of it."""
    return contradicts_view(game, LOOK_INTO_HAND, game.hand_seen, player)


@rule("helpers.noblewoman.5")
@redeals("hands", "discards", "hand_seen")
def redeal_hands_around_noblewoman(game, params, seat, pool):
    redeal_hands_around_view(game, params, seat, pool, LOOK_INTO_HAND, game.hand_seen)
