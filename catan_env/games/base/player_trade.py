"""Player trade: any cards for any cards, always with the player on turn.

`GOODS` contains all cards, followed by goods that other modules define and whose owners those modules track.

An offer is a sequence of simple actions: start it, add given and wanted cards one by one, then submit it. The other
players answer in seat order: they accept, decline, or counter with an offer made the same way. The player on turn then
confirms a trade with a willing player or withdraws the offer.

`offers_per_turn` keeps turns finite if every offer counts toward the limit. Otherwise, players who always agree could
trade forever.
"""

from catan_env.engine.decision_stack import RUNNING, pop, push, replace, times_in_stack
from catan_env.engine.declare import (
    PLAYERS,
    Action,
    Count,
    Decision,
    Field,
    Invariant,
    Number,
    OneHot,
    answers,
    apply,
    checks,
    legal,
    rule,
    when,
)
from catan_env.games.base.resources import hand_size
from catan_env.games.vocabulary import (
    GOOD_GIVEN,
    GOOD_RECEIVED,
    GOODS,
    GOODS_HELD,
    HAND_CARDS,
    HAND_CONTRADICTS,
    NOBODY,
    OPPONENTS,
    PLAYER_TRADING,
    TRADED,
    TURN_STARTED,
    to_the_left,
)

NO_ANSWER, ACCEPTED, DECLINED, COUNTERED = 0, 1, 2, 3
EVERY_OFFER, WITHOUT_TRADE = 0, 1

FIELDS = (
    Field("offers_left", (), "i1", 0, 100, "offers that the player on turn can still make", show=Count()),
    Field(
        "gives",
        (PLAYERS, GOODS),
        "i1",
        0,
        30,
        "cards in each player's offer or counter-offer",
        show=Count(),
    ),
    Field(
        "wants",
        (PLAYERS, GOODS),
        "i1",
        0,
        30,
        "cards that each player asks for",
        show=Count(),
    ),
    Field(
        "answer",
        (PLAYERS,),
        "i1",
        NO_ANSWER,
        COUNTERED,
        "each player's answer to the offer",
        show=OneHot(("accepted", "declined", "countered"), ACCEPTED),
    ),
)
NUMBERS = (
    Number("offers_per_turn", 3, "trade offers allowed per turn", 0, 100),
    Number(
        "offers_counted",
        "every",
        "offers that count toward `offers_per_turn`: all, or only those without a trade",
        choices=("every", "without_trade"),
    ),
)

MAKE_OFFER = Action(
    "make_offer", "make a trade offer", needs="an offer left this turn, cards in hand, and an opponent with cards"
)
OFFER_CARD = Action(
    "offer_card", "offer 1 {}", GOODS, "one more card of this kind in hand, and a kind that the offer does not ask for"
)
ASK_CARD = Action(
    "ask_card", "ask for 1 {}", GOODS, "an opponent who can hold that many, and a kind that the offer does not give"
)
SUBMIT_OFFER = Action("submit_offer", "submit the offer", needs="at least one card on each side")
CANCEL_OFFER = Action("cancel_offer", "drop the offer being made", needs="an offer in progress")
ACCEPT = Action("accept", "accept the offer", needs="the cards that the offer asks for")
DECLINE = Action("decline", "decline the offer", needs="an offer to answer")
COUNTER = Action("counter", "make a counter-offer", needs="cards in hand")
CONFIRM = Action(
    "confirm", "trade with {}", OPPONENTS, "the player's consent, and the cards that a counter-offer asks for"
)
WITHDRAW = Action("withdraw", "withdraw the offer", needs="an answered offer")
ACTIONS = (MAKE_OFFER, OFFER_CARD, ASK_CARD, SUBMIT_OFFER, CANCEL_OFFER, ACCEPT, DECLINE, COUNTER, CONFIRM, WITHDRAW)

DRAFT_OFFER = Decision("draft_offer", "compose a trade offer")
DRAFT_COUNTER = Decision("draft_counter", "compose a counter-offer")
ANSWER_OFFER = Decision("answer_offer", "answer a trade offer")
CHOOSE_PARTNER = Decision("choose_partner", "trade with a willing player, or withdraw the offer")
ONE_OFFER = Invariant("one_offer", "at most one offer is open, from the player on turn, and the others answer in order")


@rule("base.player_trade.9")
@when(TURN_STARTED)
def renew_offers(game, params, player, where):
    game.offers_left = params.offers_per_turn


# -- goods -------------------------------------------------------------------------------------------------


def held(game, params, player, good):
    """Return how many goods of a kind a player has."""
    if good < HAND_CARDS:
        return int(game.hands[player, good])
    return GOODS_HELD(game, params, player, good)


def goods_of(game, params, player):
    """Return how many goods a player has."""
    goods_count = hand_size(game, player)
    for good in range(HAND_CARDS, GOODS):
        goods_count += GOODS_HELD(game, params, player, good)
    return goods_count


def can_give(game, params, player, wanted):
    """Return whether a player has all of the wanted goods."""
    for good in range(GOODS):
        if held(game, params, player, good) < wanted[good]:
            return False
    return True


def give(game, params, giver, receiver, good, number):
    """Move goods of a kind from one player to another."""
    if good < HAND_CARDS:
        game.hands[giver, good] -= number
        game.hands[receiver, good] += number
    else:
        for _ in range(number):
            GOOD_GIVEN(game, params, giver, good)
            GOOD_RECEIVED(game, params, receiver, good)


def can_hold_more(game, params, seat, partner, number):
    """Return whether the partner has more than `number` cards; without a partner, whether any other player does."""
    if partner != NOBODY:
        return hand_size(game, partner) > number
    somebody_holds_more = False
    for player in range(params.num_players):
        somebody_holds_more |= (player != seat) & (hand_size(game, player) > number)
    return somebody_holds_more


def most_held(game, params, seat, partner, good):
    """Return how many goods of a kind the partner has; without a partner, the most that any other player has."""
    if partner != NOBODY:
        return GOODS_HELD(game, params, partner, good)
    most_goods = 0
    for k in range(1, params.num_players):
        most_goods = max(most_goods, GOODS_HELD(game, params, to_the_left(params, seat, k), good))
    return most_goods


def others_have_goods(game, params, seat):
    """Return whether any other player has something to give."""
    goods_count = 0
    for player in range(params.num_players):
        goods_count += (player != seat) * goods_of(game, params, player)
    return goods_count > 0


# -- making offers -----------------------------------------------------------------------------------------


@rule("base.player_trade.1", "base.player_trade.5", "base.player_trade.9")
@legal(PLAYER_TRADING)
def may_make_offer(game, params, seat, mask):
    if game.offers_left > 0:
        mask[MAKE_OFFER] = (goods_of(game, params, seat) > 0) & others_have_goods(game, params, seat)


@rule("base.player_trade.1")
@apply(MAKE_OFFER)
def make_offer(game, params, seat, argument):
    game.offers_left -= 1
    clear_offers(game)
    push(game, DRAFT_OFFER, seat)


def clear_offers(game):
    """Clear all offers and answers."""
    for player in range(PLAYERS):
        game.answer[player] = NO_ANSWER
        clear_offer(game, player)


def clear_offer(game, player):
    """Clear one player's offer."""
    for good in range(GOODS):
        game.gives[player, good] = 0
        game.wants[player, good] = 0


@rule("base.player_trade.1")
@legal(DRAFT_OFFER)
def parts_of_offer(game, params, seat, mask):
    mark_draft(game, params, seat, NOBODY, mask)


@rule("base.player_trade.7")
@legal(DRAFT_COUNTER)
def parts_of_counter(game, params, seat, mask):
    mark_draft(game, params, seat, game.on_turn, mask)


@rule("base.player_trade.2", "base.player_trade.3", "base.player_trade.4", "base.player_trade.9")
def mark_draft(game, params, seat, partner, mask):
    """Mark the goods that can be added to an offer: any that the player has or that the partner could have.

    Without a partner, mark the goods that any other player could have.
    """
    given_count = 0
    wanted_count = 0
    wanted_card_count = 0
    for good in range(GOODS):
        given_count += game.gives[seat, good]
        wanted_count += game.wants[seat, good]
        if good < HAND_CARDS:
            wanted_card_count += game.wants[seat, good]
    may_ask_more = can_hold_more(game, params, seat, partner, wanted_card_count)
    for good in range(GOODS):
        gives = game.gives[seat, good]
        wants = game.wants[seat, good]
        mask[OFFER_CARD + good] = (wants == 0) & (gives < held(game, params, seat, good))
        if good < HAND_CARDS:
            mask[ASK_CARD + good] = (gives == 0) & may_ask_more
        else:
            mask[ASK_CARD + good] = gives == 0 and wants < most_held(game, params, seat, partner, good)
    mask[SUBMIT_OFFER] = (given_count > 0) & (wanted_count > 0)
    mask[CANCEL_OFFER] = True


@rule("base.player_trade.1")
@apply(OFFER_CARD)
def offer_card(game, params, seat, good):
    game.gives[seat, good] += 1


@rule("base.player_trade.1")
@apply(ASK_CARD)
def ask_card(game, params, seat, good):
    game.wants[seat, good] += 1


@rule("base.player_trade.8")
@apply(CANCEL_OFFER)
def cancel_offer(game, params, seat, argument):
    clear_offers(game)
    pop(game)


@rule("base.player_trade.1")
@apply(SUBMIT_OFFER)
def submit_offer(game, params, seat, argument):
    """Every other player who has something to give answers, in seat order."""
    replace(game, CHOOSE_PARTNER, seat)
    for k in range(params.num_players - 1, 0, -1):
        player = to_the_left(params, seat, k)
        if goods_of(game, params, player) > 0:
            push(game, ANSWER_OFFER, player)


# -- answering ---------------------------------------------------------------------------------------------


@rule("base.player_trade.6")
@legal(ANSWER_OFFER)
def answers_to_offer(game, params, seat, mask):
    mask[ACCEPT] = can_give(game, params, seat, game.wants[game.on_turn])
    mask[DECLINE] = True
    mask[COUNTER] = True


@rule("base.player_trade.6")
@apply(ACCEPT)
def accept(game, params, seat, argument):
    answer_with(game, params, seat, ACCEPTED)


@rule("base.player_trade.6")
@apply(DECLINE)
def decline(game, params, seat, argument):
    answer_with(game, params, seat, DECLINED)


@rule("base.player_trade.7")
@apply(COUNTER)
def counter(game, params, seat, argument):
    replace(game, DRAFT_COUNTER, seat)


@rule("base.player_trade.7")
@apply(SUBMIT_OFFER, at=(DRAFT_COUNTER,))
def submit_counter(game, params, seat, argument):
    answer_with(game, params, seat, COUNTERED)


@rule("base.player_trade.7")
@apply(CANCEL_OFFER, at=(DRAFT_COUNTER,))
def cancel_counter(game, params, seat, argument):
    """Dropping a counter-offer amounts to declining the offer."""
    clear_offer(game, seat)
    answer_with(game, params, seat, DECLINED)


@rule("base.player_trade.6")
def answer_with(game, params, seat, answer):
    """Record an answer. If it is the last and nobody is willing, the offer ends."""
    game.answer[seat] = answer
    pop(game)
    is_last_answer = True
    for k in range(1, to_steps_back(game, params, seat)):
        is_last_answer = is_last_answer and goods_of(game, params, to_the_left(params, seat, k)) == 0
    if is_last_answer and nobody_willing(game):
        clear_offers(game)
        pop(game)


def to_steps_back(game, params, seat):
    """Return how many places to the left of a seat the player on turn sits."""
    return (game.on_turn - seat + params.num_players) % params.num_players


def nobody_willing(game):
    """Return whether no player has accepted or countered."""
    for player in range(PLAYERS):
        if game.answer[player] == ACCEPTED or game.answer[player] == COUNTERED:
            return False
    return True


# -- closing -----------------------------------------------------------------------------------------------


@rule("base.player_trade.5", "base.player_trade.7", "base.player_trade.8")
@legal(CHOOSE_PARTNER)
def willing_partners(game, params, seat, mask):
    for k in range(1, params.num_players):
        player = to_the_left(params, seat, k)
        is_willing = game.answer[player] == ACCEPTED
        if game.answer[player] == COUNTERED:
            is_willing = can_give(game, params, seat, game.wants[player])
        mask[CONFIRM + k - 1] = is_willing
    mask[WITHDRAW] = True


@rule("base.player_trade.1", "base.player_trade.7", "base.player_trade.10")
@apply(CONFIRM)
def confirm(game, params, seat, opponent):
    partner = to_the_left(params, seat, opponent + 1)
    offerer = seat
    accepter = partner
    if game.answer[partner] == COUNTERED:
        offerer = partner
        accepter = seat
    for good in range(GOODS):
        give(game, params, offerer, accepter, good, game.gives[offerer, good])
        give(game, params, accepter, offerer, good, game.wants[offerer, good])
    clear_offers(game)
    pop(game)
    if params.offers_counted == WITHOUT_TRADE:
        game.offers_left += 1
    TRADED(game, params, seat, partner)


@rule("base.player_trade.8")
@apply(WITHDRAW)
def withdraw(game, params, seat, argument):
    clear_offers(game)
    pop(game)


@rule("base.player_trade.1", "base.player_trade.6")
@checks(ONE_OFFER)
def one_offer(game, params):
    """Every player with a pending answer has something to give. The player on turn chooses after all answers."""
    if game.ended != RUNNING:
        return True
    expected_count = 0
    position = int(game.depth) - 1
    on_turn = int(game.on_turn)
    if position >= 0 and is_answering(game, position):
        seat = int(game.decision_seats[position])
        if on_turn == NOBODY or seat == on_turn:
            return False
        for k in range((seat - on_turn) % params.num_players, params.num_players):
            player = to_the_left(params, on_turn, k)
            if player == seat or goods_of(game, params, player) > 0:
                if position < 0 or game.decision_seats[position] != player or not is_answering(game, position):
                    return False
                expected_count += 1
                position -= 1
    if position >= 0 and is_offering(game, position):
        if game.decision_seats[position] != on_turn:
            return False
        if expected_count > 0 and game.decision_stack[position] == DRAFT_OFFER:
            return False
        expected_count += 1
    elif expected_count > 0:
        return False
    trade_count = times_in_stack(game, DRAFT_OFFER) + times_in_stack(game, CHOOSE_PARTNER)
    trade_count += times_in_stack(game, DRAFT_COUNTER) + times_in_stack(game, ANSWER_OFFER)
    return trade_count == expected_count


def is_answering(game, position):
    """Return whether a decision on the stack answers an offer. A counter-offer is always drafted at the head."""
    if game.decision_stack[position] == DRAFT_COUNTER:
        return position == game.depth - 1
    return game.decision_stack[position] == ANSWER_OFFER


def is_offering(game, position):
    """Return whether a decision on the stack belongs to the player making the offer."""
    return game.decision_stack[position] == DRAFT_OFFER or game.decision_stack[position] == CHOOSE_PARTNER


@rule("base.resources.5")
@answers(HAND_CONTRADICTS)
def cards_on_offer(game, params, player, where):
    """A player who is offering cards or has accepted an offer holds the required cards."""
    missing_card_count = 0
    for card in range(HAND_CARDS):
        missing_card_count += max(int(game.gives[player, card]) - int(game.hands[player, card]), 0)
        if game.answer[player] == ACCEPTED:
            missing_card_count += max(int(game.wants[game.on_turn, card]) - int(game.hands[player, card]), 0)
    return missing_card_count
