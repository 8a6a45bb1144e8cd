"""Discarding: on a 7, every player with too many cards discards half of them."""

from catan_env.engine.decision_stack import RUNNING, pop, push, waits_for
from catan_env.engine.declare import (
    OWNER,
    PLAYERS,
    Action,
    Count,
    Decision,
    Feature,
    Field,
    Invariant,
    Number,
    answers,
    apply,
    checks,
    legal,
    redeals,
    rule,
    shows,
    when,
)
from catan_env.games.base.resources import hand_size, mark_hand
from catan_env.games.base.unseen_hands import deal_known_hands
from catan_env.games.vocabulary import (
    CARDS_ASIDE,
    DICE_ROLLED,
    HAND_CARDS,
    HAND_LIMIT,
    SEVEN,
    SEVEN_ROLLED,
    to_the_left,
)

FIELDS = (
    Field("to_discard", (PLAYERS,), "i1", 0, 120, "cards that each player must still discard", show=Count()),
    Field(
        "discards",
        (PLAYERS, HAND_CARDS),
        "i1",
        0,
        30,
        "discarded cards, set aside until all players have discarded",
        visible=OWNER,
        show=Count(),
        total=True,
    ),
)
NUMBERS = (Number("hand_limit", 7, "largest hand without a discard on a 7", 0, 120),)

DISCARD_CARD = Action("discard_card", "discard 1 {}", HAND_CARDS, "a card of this kind in hand", OWNER)
ACTIONS = (DISCARD_CARD,)

DISCARD = Decision("discard", "discard half of the hand")
DISCARDS_DUE = Invariant("discards_due", "exactly the players with pending discards owe cards")
SHOWN_LIMIT = Feature("hand_limit", PLAYERS, 255, "hand limit of each player on a 7")


@rule("base.discarding.1", "base.discarding.4")
@answers(HAND_LIMIT)
def limit_of_all(game, params, player, where):
    return params.hand_limit


@rule("base.discarding.1")
@shows(SHOWN_LIMIT)
def show_hand_limit(game, params, seat, player):
    return min(HAND_LIMIT(game, params, player), 255)


@rule("base.discarding.1", "base.discarding.3")
@when(DICE_ROLLED)
def seven(game, params, player, number):
    """Before a 7 has any other effect, every player with too many cards discards half of them, rounded down."""
    if number == SEVEN:
        SEVEN_ROLLED(game, params, player, 0)
        for k in range(params.num_players - 1, -1, -1):
            let_discard(game, params, to_the_left(params, player, k))


def let_discard(game, params, player):
    """Make a player whose hand exceeds the limit discard half of it."""
    hand_count = hand_size(game, player)
    if hand_count > HAND_LIMIT(game, params, player) and hand_count > 1:
        game.to_discard[player] = hand_count // 2
        push(game, DISCARD, player)


@rule("base.discarding.1")
@legal(DISCARD)
def cards_to_discard(game, params, seat, mask):
    mark_hand(game, seat, DISCARD_CARD, mask)


@rule("base.discarding.1", "base.discarding.2")
@apply(DISCARD_CARD)
def discard_card(game, params, seat, card):
    """Discards are secret, so they reach the bank only after all players have chosen."""
    game.hands[seat, card] -= 1
    game.discards[seat, card] += 1
    game.to_discard[seat] -= 1
    if game.to_discard[seat] == 0:
        pop(game)
        if nobody_discards(game):
            return_discards(game)


@rule("base.discarding.2")
def nobody_discards(game):
    """Return whether all players have finished discarding."""
    for player in range(PLAYERS):
        if game.to_discard[player] > 0:
            return False
    return True


@rule("base.discarding.2")
def return_discards(game):
    """Move all discarded cards to the bank."""
    for player in range(PLAYERS):
        for card in range(HAND_CARDS):
            game.bank[card] += game.discards[player, card]
            game.discards[player, card] = 0


@rule("base.discarding.2")
@answers(CARDS_ASIDE)
def cards_laid_aside(game, params, player, card):
    card_count = 0
    for owner in range(PLAYERS):
        card_count += int(game.discards[owner, card])
    return card_count


@rule("base.discarding.1")
@checks(DISCARDS_DUE)
def discards_due(game, params):
    if game.ended != RUNNING:
        return True
    for player in range(PLAYERS):
        if waits_for(game, DISCARD, player) != (game.to_discard[player] > 0):
            return False
        if game.to_discard[player] > hand_size(game, player):
            return False
    return True


@rule("base.discarding.5")
@redeals("hands", "discards")
def redeal_hands(game, params, seat, pool):
    """Redeal hands and discards, preserving their known sizes. A player who is still discarding may hold any cards."""
    deal_known_hands(game, params, seat, pool)
