"""Trade tokens: players spend them to force trades or to send the robber to the desert.

Settlements and discarded knights earn tokens. The rules are for two players, so the opponent is the next seat. In a
forced trade, the player draws cards from the opponent's hand one by one and then gives cards one by one, possibly the
same ones.

A player can give up a knight at any time during the turn, even between rolls, since this spends no tokens.
"""

from catan_env.board.terrain import DESERT
from catan_env.engine.decision_stack import CHANCE, head_argument, pending, pop, push, replace, set_argument
from catan_env.engine.declare import (
    OWNER,
    PLAYERS,
    PUBLIC_POINTS,
    Action,
    Count,
    Decision,
    Draw,
    Field,
    Invariant,
    Number,
    apply,
    checks,
    legal,
    outcome,
    rule,
    set_up,
    weights,
    when,
)
from catan_env.engine.stacks import weigh_stack
from catan_env.games.base.resources import hand_over, hand_size, mark_hand
from catan_env.games.base.turns import PRE_ROLL
from catan_env.games.vocabulary import (
    CARD_STOLEN,
    DEGREE,
    HAND_CARDS,
    HEXES,
    KNIGHT_DISCARDED,
    NOBODY,
    NOTHING,
    OWN_TURN,
    ROBBER_MOVED,
    SETTLEMENT_BUILT,
    TURN_STARTED,
    acts,
    to_the_left,
)

FIELDS = (
    Field("tokens", (PLAYERS,), "i1", 0, 120, "trade tokens of each player", show=Count()),
    Field("token_bank", (), "i1", 0, 120, "trade tokens in the bank", show=Count()),
    Field("token_actions_left", (), "i1", 0, 100, "remaining token actions of the player on turn", show=Count()),
    Field("knight_given_up", (), "i1", 0, 1, "whether a knight was given up this turn", show=Count()),
)
NUMBERS = (
    Number("trade_tokens", 20, "total number of trade tokens", 0, 120),
    Number("tokens_at_start", 5, "trade tokens of each player at the start", 0, 60),
    Number("tokens_at_desert", 2, "trade tokens for a settlement next to a desert", 0, 120),
    Number(
        "tokens_at_coast", 1, "trade tokens for a settlement on the coast, in addition to those for the desert", 0, 120
    ),
    Number("tokens_for_knight", 2, "trade tokens for a knight given up", 0, 120),
    Number("token_price", 1, "trade tokens for an action", 0, 120),
    Number(
        "token_price_ahead",
        2,
        "trade tokens for an action of a player with more visible points than the opponent",
        0,
        120,
    ),
    Number("token_actions_per_turn", 1, "token actions of each turn", 0, 100),
    Number("cards_of_forced_trade", 2, "cards that each side gives in a forced trade", 1, 30),
)

WHEN = "the price in tokens and no token action this turn, before the first roll or after the last; "
FORCE_TRADE = Action(
    "force_trade",
    "force the opponent to trade",
    needs=WHEN + "a card in the opponent's hand, and enough cards to give, including those drawn",
)
GIVE_CARD = Action("give_card", "give 1 {} to the opponent", HAND_CARDS, "a card of this kind in hand")
BANISH_ROBBER = Action("banish_robber", "send the robber to the desert", needs=WHEN + "a robber outside the desert")
GIVE_UP_KNIGHT = Action(
    "give_up_knight",
    "give up a played knight for trade tokens",
    needs="a played knight, none given up this turn, and a token in the bank",
)
ACTIONS = (FORCE_TRADE, GIVE_CARD, BANISH_ROBBER, GIVE_UP_KNIGHT)

GIVE_CARDS = Decision("give_cards", "choose cards to give in a forced trade", argument=30)
FORCED_CARD = Draw("forced_card", "the opponent's card is {}", HAND_CARDS, OWNER, argument=30)
FORCED_TRADE_POSSIBLE = Invariant(
    "forced_trade_possible", "forced trades take and give only cards that the hands contain"
)
TOKENS_CONSERVED = Invariant("tokens_conserved", "tokens of the players and the bank add up to the full set")


@rule("two_player.trade_tokens.1")
@set_up
def deal_tokens(game, params):
    game.token_bank = params.trade_tokens
    for player in range(params.num_players):
        gain_tokens(game, player, params.tokens_at_start)


@rule("two_player.trade_tokens.12")
def gain_tokens(game, player, number):
    """Give a player up to `number` tokens from the bank."""
    number = min(number, game.token_bank)
    game.tokens[player] += number
    game.token_bank -= number


def spend_tokens(game, player, number):
    """Move tokens from a player to the bank."""
    game.tokens[player] -= number
    game.token_bank += number


@rule("two_player.trade_tokens.3")
@when(TURN_STARTED)
def renew_token_actions(game, params, player, where):
    game.token_actions_left = params.token_actions_per_turn
    game.knight_given_up = False


# -- gains -------------------------------------------------------------------------------------------------


def tokens_of_place(game, params, intersection):
    """Return the number of tokens that a settlement earns for an adjacent desert and for being on the coast."""
    token_count = 0
    for k in range(DEGREE):
        hex = params.intersection_hexes[intersection, k]
        if hex != NOTHING and game.terrain[hex] == DESERT:
            token_count = params.tokens_at_desert
    if params.intersection_coast[intersection, 0] != NOTHING:
        token_count += params.tokens_at_coast
    return token_count


@rule("two_player.trade_tokens.10", "two_player.trade_tokens.11")
@when(SETTLEMENT_BUILT)
def settlement_brings_tokens(game, params, player, intersection):
    """Players' settlements earn tokens, even during the initial placement."""
    if acts(params, player):
        gain_tokens(game, player, tokens_of_place(game, params, intersection))


@rule("two_player.trade_tokens.7")
@legal(PRE_ROLL, OWN_TURN)
def may_give_up_knight(game, params, seat, mask):
    mask[GIVE_UP_KNIGHT] = game.knights_played[seat] > 0 and not game.knight_given_up and game.token_bank > 0


@rule("two_player.trade_tokens.7")
@apply(GIVE_UP_KNIGHT)
def give_up_knight(game, params, seat, argument):
    """The knight leaves the game, and Largest Army is reassigned."""
    game.knight_given_up = True
    game.knights_played[seat] -= 1
    gain_tokens(game, seat, params.tokens_for_knight)
    KNIGHT_DISCARDED(game, params, seat, 0)


# -- actions -----------------------------------------------------------------------------------------------


@rule("two_player.trade_tokens.2")
def price_of_action(game, params, seat):
    """Return the price of an action in tokens. The player with more visible points pays more."""
    if PUBLIC_POINTS(game, params, seat) > PUBLIC_POINTS(game, params, to_the_left(params, seat, 1)):
        return params.token_price_ahead
    return params.token_price


@rule("two_player.trade_tokens.5")
def can_force_trade(game, params, seat):
    """Return whether the opponent has a card and the player would then have enough cards to give."""
    opponent_card_count = hand_size(game, to_the_left(params, seat, 1))
    own_card_count = hand_size(game, seat) + min(opponent_card_count, params.cards_of_forced_trade)
    return opponent_card_count > 0 and own_card_count >= params.cards_of_forced_trade


def desert_for_robber(game):
    """Return the first desert; NOTHING if there is none or the robber is already on one."""
    if game.terrain[game.robber] != DESERT:
        for hex in range(HEXES):
            if game.terrain[hex] == DESERT:
                return hex
    return NOTHING


def mark_token_actions(game, params, seat, mask):
    """Mark the token actions that are possible and affordable."""
    if game.token_actions_left > 0 and game.tokens[seat] >= price_of_action(game, params, seat):
        mask[FORCE_TRADE] = can_force_trade(game, params, seat)
        mask[BANISH_ROBBER] = desert_for_robber(game) != NOTHING


@rule("two_player.trade_tokens.3")
@legal(PRE_ROLL)
def may_act_before_first_roll(game, params, seat, mask):
    if game.rolls_made == 0:
        mark_token_actions(game, params, seat, mask)


@rule("two_player.trade_tokens.3")
@legal(OWN_TURN)
def may_act_after_rolls(game, params, seat, mask):
    mark_token_actions(game, params, seat, mask)


def pay_action(game, params, seat):
    """Pay for a token action."""
    spend_tokens(game, seat, price_of_action(game, params, seat))
    game.token_actions_left -= 1


@rule("two_player.trade_tokens.6")
@apply(BANISH_ROBBER)
def banish_robber(game, params, seat, argument):
    """The robber moves to the desert without a theft."""
    pay_action(game, params, seat)
    game.robber = desert_for_robber(game)
    ROBBER_MOVED(game, params, seat, game.robber)


@rule("two_player.trade_tokens.4", "two_player.trade_tokens.5")
@apply(FORCE_TRADE)
def force_trade(game, params, seat, argument):
    pay_action(game, params, seat)
    card_count = min(hand_size(game, to_the_left(params, seat, 1)), params.cards_of_forced_trade)
    push(game, FORCED_CARD, CHANCE, card_count)


@rule("two_player.trade_tokens.4")
@weights(FORCED_CARD)
def cards_of_opponent(game, params, weights):
    weigh_stack(game.hands[to_the_left(params, game.on_turn, 1)], weights)


@rule("two_player.trade_tokens.4")
@outcome(FORCED_CARD)
def draw_forced_card(game, params, card):
    seat = game.on_turn
    opponent = to_the_left(params, seat, 1)
    hand_over(game, opponent, seat, card)
    cards_left = head_argument(game) - 1
    if cards_left == 0:
        replace(game, GIVE_CARDS, seat, params.cards_of_forced_trade)
    else:
        set_argument(game, cards_left)
    CARD_STOLEN(game, params, seat, opponent)


@rule("two_player.trade_tokens.4")
@legal(GIVE_CARDS)
def cards_to_give(game, params, seat, mask):
    mark_hand(game, seat, GIVE_CARD, mask)


@rule("two_player.trade_tokens.4")
@apply(GIVE_CARD)
def give_card(game, params, seat, card):
    hand_over(game, seat, to_the_left(params, seat, 1), card)
    cards_left = head_argument(game) - 1
    if cards_left == 0:
        pop(game)
    else:
        set_argument(game, cards_left)


@rule("two_player.trade_tokens.4")
@checks(FORCED_TRADE_POSSIBLE)
def forced_trade_possible(game, params):
    for position in pending(game, GIVE_CARDS):
        if game.decision_seats[position] != game.on_turn or not can_be_given(game, position, game.on_turn):
            return False
    for position in pending(game, FORCED_CARD):
        if not can_be_given(game, position, to_the_left(params, game.on_turn, 1)):
            return False
    return True


def can_be_given(game, position, giver):
    """Return whether a decision or draw is next, occurs during a turn, and is for no more cards than the giver has."""
    card_count = int(game.decision_arguments[position])
    is_next = position == game.depth - 1 and game.on_turn != NOBODY
    return is_next and 0 < card_count <= hand_size(game, giver)


@rule("two_player.trade_tokens.1")
@checks(TOKENS_CONSERVED)
def tokens_conserved(game, params):
    token_count = int(game.token_bank)
    for player in range(PLAYERS):
        token_count += game.tokens[player]
    return token_count == params.trade_tokens
