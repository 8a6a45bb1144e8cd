"""Donations: players put cards face down into a common pool and earn a commerce point for each donation.

Players can see how many cards are in the pool, but not their kinds or who donated them.
"""

from catan_env.engine.decision_stack import head_argument, pop, push, set_argument
from catan_env.engine.declare import (
    HIDDEN,
    OWNER,
    PLAYERS,
    Action,
    Count,
    Decision,
    Event,
    Feature,
    Field,
    Number,
    answers,
    apply,
    legal,
    rule,
    shows,
    when,
)
from catan_env.engine.stacks import move_card
from catan_env.games.base.resources import hand_size, mark_hand
from catan_env.games.vocabulary import CARDS_ASIDE, HAND_CARDS, OWN_TURN, TURN_STARTED, count_of

MOST_CARDS = 10

FIELDS = (
    Field("pool", (HAND_CARDS,), "i1", 0, 30, "donated cards, face down", visible=HIDDEN),
    Field("commerce", (PLAYERS,), "i1", 0, 120, "commerce points of each player", show=Count()),
    Field("donations_left", (), "i1", 0, 100, "remaining donations of the player on turn", show=Count()),
)
NUMBERS = (
    Number("cards_of_donation", 3, "maximum number of cards per donation", 1, MOST_CARDS),
    Number("donations_per_turn", 1, "donations of each turn", 0, 100),
    Number("commerce_of_donation", 1, "commerce points per donation, for any number of cards", 0, 10),
)
MOST_COMMERCE = 120

DONATE = Action(
    "donate", "donate 1 {}", HAND_CARDS, "a card of this kind in hand, and a donation left this turn", OWNER
)
END_DONATION = Action("end_donation", "end the donation", needs="a donation in progress")
ACTIONS = (DONATE, END_DONATION)

DONATE_MORE = Decision("donate_more", "add a card to the donation, or end it", argument=MOST_CARDS)
DONATED = Event("donated", "`player` has made a donation")
POOL_SIZE = Feature("pool_size", None, 150, "cards in the common pool")


@rule("troy.donations.2")
@when(TURN_STARTED)
def renew_donations(game, params, player, where):
    game.donations_left = params.donations_per_turn


def pool_size(game):
    """Return the number of cards in the pool."""
    return count_of(game.pool)


@rule("troy.donations.4")
@shows(POOL_SIZE)
def show_pool_size(game, params, seat, index):
    return pool_size(game)


@rule("troy.donations.4")
@answers(CARDS_ASIDE)
def cards_in_pool(game, params, player, card):
    return int(game.pool[card])


@rule("troy.donations.1", "troy.donations.3")
@legal(OWN_TURN)
def may_donate(game, params, seat, mask):
    if game.donations_left > 0:
        mark_hand(game, seat, DONATE, mask)


@rule("troy.donations.1")
@legal(DONATE_MORE)
def may_donate_more(game, params, seat, mask):
    mark_hand(game, seat, DONATE, mask)
    mask[END_DONATION] = True


def give(game, params, seat, card):
    """Put a card into the pool. The donation ends when the pool is full or the hand is empty."""
    move_card(game.hands[seat], game.pool, card)
    if head_argument(game) == params.cards_of_donation or hand_size(game, seat) == 0:
        end_donation(game, params, seat, 0)


@rule("troy.donations.1")
@apply(DONATE)
def begin_donation(game, params, seat, card):
    game.donations_left -= 1
    push(game, DONATE_MORE, seat, 1)
    give(game, params, seat, card)


@rule("troy.donations.1")
@apply(DONATE, at=(DONATE_MORE,))
def continue_donating(game, params, seat, card):
    set_argument(game, head_argument(game) + 1)
    give(game, params, seat, card)


@rule("troy.donations.1")
@apply(END_DONATION)
def end_donation(game, params, seat, argument):
    pop(game)
    game.commerce[seat] = min(game.commerce[seat] + params.commerce_of_donation, MOST_COMMERCE)
    DONATED(game, params, seat, 0)
