"""Favor tokens for gifts: once per turn, give one resource card to a player who is not ahead.

The player on turn may give, after the roll unless `gift_time` allows gifts during the whole turn. The giver names a
player and then a card, and the named player accepts or refuses. After a refusal, the giver may ask other players, each
once per turn.
"""

from catan_env.engine.decision_stack import current_decision, head_argument, pop, push, replace
from catan_env.engine.declare import (
    PLAYERS,
    PUBLIC_POINTS,
    Action,
    Count,
    Decision,
    Field,
    Number,
    answers,
    apply,
    legal,
    rule,
    when,
)
from catan_env.games.base.resources import hand_over, hand_size, mark_hand
from catan_env.games.base.turns import PRE_ROLL
from catan_env.games.frenemies.favor_tokens import grant_favors
from catan_env.games.vocabulary import HAND_CARDS, HAND_CONTRADICTS, OPPONENTS, OWN_TURN, TURN_STARTED, to_the_left

FIELDS = (
    Field("gift_made", (), "u1", 0, 1, "whether a gift was made this turn", show=Count()),
    Field("gift_refused", (PLAYERS,), "u1", 0, 1, "whether each player has refused a gift this turn", show=Count()),
)

WHOLE_TURN = 1
NUMBERS = (
    Number(
        "gift_time",
        "after_roll",
        "time for gifts: after the roll, or the whole turn",
        choices=("after_roll", "whole_turn"),
    ),
)

OFFER_GIFT = Action(
    "offer_gift",
    "offer a card as a gift to {}",
    OPPONENTS,
    "a card in hand, no gift made this turn, and an opponent without more public points who refused none this turn",
)
GIVE_CARD = Action("give_card", "the gift is 1 {}", HAND_CARDS, "a card of this kind in hand")
ACCEPT_GIFT = Action("accept_gift", "accept the gift", needs="an offered gift")
REFUSE_GIFT = Action("refuse_gift", "refuse the gift", needs="an offered gift")
ACTIONS = (OFFER_GIFT, GIVE_CARD, ACCEPT_GIFT, REFUSE_GIFT)

CHOOSE_GIFT = Decision("choose_gift", "choose the card to give", argument=PLAYERS)
ANSWER_GIFT = Decision("answer_gift", "accept or refuse a card", argument=HAND_CARDS)


@rule("frenemies.favor_gifts.4")
@when(TURN_STARTED)
def renew_gifts(game, params, player, where):
    game.gift_made = False
    for seat in range(PLAYERS):
        game.gift_refused[seat] = False


@rule("frenemies.favor_gifts.3")
def may_get_gift(game, params, giver, player):
    """Return whether a player is not ahead of the giver and has not refused a gift this turn."""
    if game.gift_refused[player]:
        return False
    return PUBLIC_POINTS(game, params, player) <= PUBLIC_POINTS(game, params, giver)


@rule("frenemies.favor_gifts.5")
@legal(PRE_ROLL)
def may_offer_gift_before_roll(game, params, seat, mask):
    if params.gift_time == WHOLE_TURN:
        may_offer_gift(game, params, seat, mask)


@rule("frenemies.favor_gifts.4")
@legal(OWN_TURN)
def may_offer_gift(game, params, seat, mask):
    if not game.gift_made and hand_size(game, seat) > 0:
        for k in range(1, params.num_players):
            mask[OFFER_GIFT + k - 1] = may_get_gift(game, params, seat, to_the_left(params, seat, k))


@rule("frenemies.favor_gifts.2")
@apply(OFFER_GIFT)
def offer_gift(game, params, seat, opponent):
    push(game, CHOOSE_GIFT, seat, to_the_left(params, seat, opponent + 1))


@rule("frenemies.favor_gifts.1", "frenemies.favor_gifts.2")
@legal(CHOOSE_GIFT)
def cards_to_give(game, params, seat, mask):
    mark_hand(game, seat, GIVE_CARD, mask)


@rule("frenemies.favor_gifts.2")
@apply(GIVE_CARD)
def give_card(game, params, seat, card):
    replace(game, ANSWER_GIFT, head_argument(game), card)


@rule("frenemies.favor_gifts.2")
@legal(ANSWER_GIFT)
def answers_to_gift(game, params, seat, mask):
    mask[ACCEPT_GIFT] = True
    mask[REFUSE_GIFT] = True


@rule("frenemies.favor_gifts.2")
@apply(ACCEPT_GIFT)
def accept_gift(game, params, seat, argument):
    giver = game.on_turn
    hand_over(game, giver, seat, head_argument(game))
    game.gift_made = True
    pop(game)
    grant_favors(game, giver, 1)


@rule("frenemies.favor_gifts.6")
@apply(REFUSE_GIFT)
def refuse_gift(game, params, seat, argument):
    game.gift_refused[seat] = True
    pop(game)


@rule("frenemies.favor_gifts.7")
@answers(HAND_CONTRADICTS)
def card_being_given(game, params, player, where):
    """The giver holds the card that is offered as a gift."""
    if player != game.on_turn or current_decision(game) != ANSWER_GIFT:
        return 0
    return 1 if game.hands[player, head_argument(game)] == 0 else 0
