"""Views of hands: for the duration of one decision, a player sees another player's cards.

`shown` (players, kinds) holds the cards that each player sees.
"""

from catan_env.engine.decision_stack import current_decision, head_argument, head_seat
from catan_env.engine.stacks import clear_row, copy_row, count_differences
from catan_env.games.base.unseen_hands import deal_known_hands
from catan_env.games.vocabulary import count_of


def contradicts_view(game, decision, shown, player):
    """Return the number of differences between a player's hand and the deciding player's view of it."""
    if current_decision(game) == decision and head_argument(game) == player:
        guest = head_seat(game)
        if count_of(shown[guest]) > 0:
            return count_differences(shown[guest], game.hands[player])
    return 0


def redeal_hands_around_view(game, params, seat, pool, decision, shown):
    """Redeal all hands except the one that the seat is viewing, if any.

    If another seat is viewing a hand, its view is replaced by a copy of the redealt hand.
    """
    guest = head_seat(game) if current_decision(game) == decision else seat
    if guest != seat:
        clear_row(shown[guest])
    deal_known_hands(game, params, seat, pool)
    if guest != seat:
        copy_row(shown[guest], game.hands[head_argument(game)])
