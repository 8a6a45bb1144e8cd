"""Card counting: what a note-taker at the table knows of each hand, as the least and the most of every card.

Optional: play "base+card_counting". Every gain and payment is public; only stolen cards are not. Sums that
everybody knows narrow the bounds again: the size of each hand, and how many cards of each kind are out of the
supply. Cards laid aside for a 7 count as held until they reach the bank. The bounds always hold the true hand;
what only a comparison of several past thefts would tell, or an offer nobody took, is not used.
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
    Field("least", (PLAYERS, HAND_CARDS), "i1", 0, 30, "cards each player surely holds", show=Count()),
    Field("most", (PLAYERS, HAND_CARDS), "i1", 0, 30, "cards each player may hold", show=Count()),
    Field("counted", (PLAYERS, HAND_CARDS), "i1", 0, 60, "hands as last accounted for", visible=HIDDEN),
)
BOUNDS_HOLD = Invariant("bounds_hold", "every hand lies within what a note-taker knows of it")


def held(game, player, card):
    """Cards of a player, those laid aside included."""
    return int(game.hands[player, card]) + int(game.discards[player, card])


@rule("options.card_counting.1")
@when(CARD_STOLEN)
def lose_sight_of_card(game, params, thief, victim):
    """The stolen card is one of the kinds that the victim may hold."""
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
    """Everybody else has given up all cards of the kind, the player has received what they had."""
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
    """Gains and payments are seen by all; who pays cards is known to have held them."""
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
    """Narrows all bounds by the known sizes of hands and numbers of cards of a kind, until nothing changes."""
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
    """Narrows one pair of bounds; returns whether that changed it."""
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


# -- dealing anew ------------------------------------------------------------------------------------------


@rule("options.card_counting.2")
@answers(HAND_CONTRADICTS)
def out_of_bounds(game, params, player, where):
    """Cards by which a hand, with those laid aside, misses the bounds."""
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
    """Between two actions all hands are accounted for."""
    for player in range(PLAYERS):
        for card in range(HAND_CARDS):
            game.counted[player, card] = held(game, player, card)
