"""Card counting: lower and upper bounds on every hand, as deduced by someone taking notes at the table.

Used by the scenario "base+card_counting". Every gain and payment is public except for stolen cards. The bounds are
narrowed by public totals: the size of each hand, and the number of cards of each kind outside the bank. Cards set aside
to be discarded on a 7 count as held until they reach the bank.

The bounds always include the true hand. They ignore what could be inferred by combining several past thefts, or from
offers that nobody accepted.
"""

from catan_env.engine.declare import (
    ACTION_RESOLVED,
    HIDDEN,
    PLAYERS,
    Count,
    Field,
    Invariant,
    answers,
    checks,
    redeals,
    rule,
    when,
)
from catan_env.games.vocabulary import CARD_STOLEN, HAND_CARDS, HAND_CONTRADICTS, MONOPOLY_PLAYED

FIELDS = (
    Field("least", (PLAYERS, HAND_CARDS), "i1", 0, 30, "cards that each player certainly holds", show=Count()),
    Field(
        "most", (PLAYERS, HAND_CARDS), "i1", 0, 30, "maximum number of cards that each player can hold", show=Count()
    ),
    Field("counted", (PLAYERS, HAND_CARDS), "i1", 0, 60, "hands at the last count", visible=HIDDEN),
)
BOUNDS_HOLD = Invariant("bounds_hold", "every hand agrees with the counted cards")


def held(game, player, card):
    """Return how many cards of a kind a player has, including those set aside."""
    return int(game.hands[player, card]) + int(game.discards[player, card])


@rule("options.card_counting.1")
@when(CARD_STOLEN)
def lose_sight_of_card(game, params, thief, victim):
    """The stolen card may be of any kind that the victim may hold."""
    for card in range(HAND_CARDS):
        if game.most[victim, card] > 0:
            game.most[thief, card] += 1
            game.least[victim, card] = max(game.least[victim, card] - 1, 0)
        game.counted[victim, card] = held(game, victim, card)
        game.counted[thief, card] = held(game, thief, card)
    narrow(game, params)


@rule("options.card_counting.1")
@when(MONOPOLY_PLAYED)
def see_hands_emptied(game, params, player, card):
    """The other players have lost all their cards of this kind to the player."""
    taken_count = held(game, player, card) - game.counted[player, card]
    for seat in range(params.num_players):
        if seat == player:
            game.least[seat, card] += taken_count
            game.most[seat, card] += taken_count
        else:
            game.least[seat, card] = 0
            game.most[seat, card] = 0
        game.counted[seat, card] = held(game, seat, card)
    narrow(game, params)


@rule("options.card_counting.1")
@when(ACTION_RESOLVED)
def note_changes(game, params, player, where):
    """Gains and payments are public. A player who pays with cards must have held them."""
    changed = False
    for owner in range(params.num_players):
        for card in range(HAND_CARDS):
            change = held(game, owner, card) - game.counted[owner, card]
            if change != 0:
                changed = True
                game.counted[owner, card] += change
                game.least[owner, card] = max(game.least[owner, card] + change, 0 if change < 0 else change)
                game.most[owner, card] += change
    if changed:
        narrow(game, params)


@rule("options.card_counting.1")
def narrow(game, params):
    """Narrow all bounds using the known hand sizes and card counts until nothing changes."""
    changed = True
    while changed:
        changed = False
        for owner in range(params.num_players):
            hand_count = 0
            least_total = 0
            most_total = 0
            for card in range(HAND_CARDS):
                hand_count += held(game, owner, card)
                least_total += int(game.least[owner, card])
                most_total += int(game.most[owner, card])
            for card in range(HAND_CARDS):
                others_least = least_total - game.least[owner, card]
                others_most = most_total - game.most[owner, card]
                if bound(game, owner, card, hand_count - others_most, hand_count - others_least):
                    changed = True
                least_total = others_least + game.least[owner, card]
                most_total = others_most + game.most[owner, card]
        for card in range(HAND_CARDS):
            cards_out = 0
            least_total = 0
            most_total = 0
            for owner in range(params.num_players):
                cards_out += held(game, owner, card)
                least_total += int(game.least[owner, card])
                most_total += int(game.most[owner, card])
            for owner in range(params.num_players):
                others_least = least_total - game.least[owner, card]
                others_most = most_total - game.most[owner, card]
                if bound(game, owner, card, cards_out - others_most, cards_out - others_least):
                    changed = True
                least_total = others_least + game.least[owner, card]
                most_total = others_most + game.most[owner, card]


def bound(game, owner, card, low, high):
    """Narrow one pair of bounds; return whether it changed."""
    changed = False
    if game.least[owner, card] < low:
        game.least[owner, card] = low
        changed = True
    if game.most[owner, card] > high:
        game.most[owner, card] = high
        changed = True
    return changed


@rule("options.card_counting.2")
@checks(BOUNDS_HOLD)
def bounds_hold(game, params):
    for owner in range(params.num_players):
        for card in range(HAND_CARDS):
            card_count = held(game, owner, card)
            if not game.least[owner, card] <= card_count <= game.most[owner, card]:
                return False
    return True


# -- hidden hands ------------------------------------------------------------------------------------------


@rule("options.card_counting.2")
@answers(HAND_CONTRADICTS)
def out_of_bounds(game, params, player, where):
    """Return the number of cards by which a hand, including cards set aside, violates the bounds."""
    missed_card_count = 0
    for card in range(HAND_CARDS):
        held_count = held(game, player, card)
        missed_card_count += max(game.least[player, card] - held_count, 0) + max(
            held_count - game.most[player, card], 0
        )
    return missed_card_count


@rule("options.card_counting.2")
@redeals("counted")
def recount(game, params, seat, pool):
    """Between actions, `counted` equals the hands."""
    for player in range(PLAYERS):
        for card in range(HAND_CARDS):
            game.counted[player, card] = held(game, player, card)
