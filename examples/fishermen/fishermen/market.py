"""The fish market: players pay for favors with fish tokens on their own turn, after the roll.

A player names the favor, then pays one token at a time until the tokens show enough fish. No change is given. The favor
is granted after the payment.

Sources: The Fishermen of Catan, in Traders & Barbarians.
"""

from catan_env.engine.decision_stack import head_argument, pop, push, set_argument
from catan_env.engine.declare import Action, Decision, Number, apply, legal
from catan_env.engine.small_sets import EMPTY, only
from catan_env.games.base.building import let_build_free_roads
from catan_env.games.base.development_cards import deck_size, let_draw_card
from catan_env.games.base.network import can_build_road_somewhere
from catan_env.games.base.resources import bank_size, hand_size, let_choose_cards
from catan_env.games.base.theft import let_steal
from catan_env.games.vocabulary import MAY_STEAL_FROM, NOTHING, OWN_TURN

from fishermen.tokens import KINDS_OF_TOKENS, TOKENS, fish_of, lay_open

HIGHEST_PRICE = 30

NUMBERS = (
    Number("fish_for_robber", 2, "fish that drive the robber off the board", 1, HIGHEST_PRICE),
    Number("fish_for_theft", 3, "fish that take a card from another player", 1, HIGHEST_PRICE),
    Number("fish_for_resource", 4, "fish that bring a resource card of choice", 1, HIGHEST_PRICE),
    Number("fish_for_road", 5, "fish that build a road", 1, HIGHEST_PRICE),
    Number("fish_for_development_card", 7, "fish that buy a development card", 1, HIGHEST_PRICE),
)
DRIVE_ROBBER_OFF = Action(
    "drive_robber_off", "pay fish to drive the robber off", needs="fish, and the robber on the board"
)
STEAL_FOR_FISH = Action(
    "steal_for_fish", "pay fish to take a card from a player", needs="fish, and a player with cards"
)
TAKE_FOR_FISH = Action("take_for_fish", "pay fish for a resource card", needs="fish, and a card in the bank")
BUILD_FOR_FISH = Action("build_for_fish", "pay fish for a road", needs="fish, a road piece and a place for it")
DRAW_FOR_FISH = Action("draw_for_fish", "pay fish for a development card", needs="fish, and a card in the stack")
PAY_TOKEN = Action("pay_token", "pay a {} token", TOKENS, "a token of this kind")
ACTIONS = (DRIVE_ROBBER_OFF, STEAL_FOR_FISH, TAKE_FOR_FISH, BUILD_FOR_FISH, DRAW_FOR_FISH, PAY_TOKEN)
PAY_FISH = Decision("pay_fish", "pay fish tokens", argument=HIGHEST_PRICE)


def players_with_cards(game, params, seat):
    """Return the set of players from whom a seat can take a card."""
    victims = EMPTY
    for player in range(params.num_players):
        if player != seat and hand_size(game, player) > 0 and MAY_STEAL_FROM(game, params, seat, player):
            victims |= only(player)
    return victims


@legal(OWN_TURN)
def favors_for_fish(game, params, seat, mask):
    fish = fish_of(game, seat)
    mask[DRIVE_ROBBER_OFF] = fish >= params.fish_for_robber and game.robber != NOTHING
    mask[STEAL_FOR_FISH] = fish >= params.fish_for_theft and players_with_cards(game, params, seat) != EMPTY
    mask[TAKE_FOR_FISH] = fish >= params.fish_for_resource and bank_size(game) > 0
    mask[BUILD_FOR_FISH] = fish >= params.fish_for_road and can_build_road_somewhere(game, seat)
    mask[DRAW_FOR_FISH] = fish >= params.fish_for_development_card and deck_size(game) > 0


@apply(DRIVE_ROBBER_OFF)
def drive_robber_off(game, params, seat, argument):
    """The next 7 or knight brings the robber back."""
    game.robber = NOTHING
    push(game, PAY_FISH, seat, params.fish_for_robber)


@apply(STEAL_FOR_FISH)
def steal_for_fish(game, params, seat, argument):
    let_steal(game, params, seat, players_with_cards(game, params, seat))
    push(game, PAY_FISH, seat, params.fish_for_theft)


@apply(TAKE_FOR_FISH)
def take_for_fish(game, params, seat, argument):
    let_choose_cards(game, seat, 1)
    push(game, PAY_FISH, seat, params.fish_for_resource)


@apply(BUILD_FOR_FISH)
def build_for_fish(game, params, seat, argument):
    let_build_free_roads(game, seat, 1)
    push(game, PAY_FISH, seat, params.fish_for_road)


@apply(DRAW_FOR_FISH)
def draw_for_fish(game, params, seat, argument):
    let_draw_card(game, seat)
    push(game, PAY_FISH, seat, params.fish_for_development_card)


@legal(PAY_FISH)
def tokens_to_pay(game, params, seat, mask):
    for kind in range(KINDS_OF_TOKENS):
        mask[PAY_TOKEN + kind] = game.fish[seat, kind] > 0


@apply(PAY_TOKEN)
def pay_token(game, params, seat, kind):
    lay_open(game, seat, kind)
    fish_owed = head_argument(game) - (kind + 1)
    if fish_owed > 0:
        set_argument(game, fish_owed)
    else:
        pop(game)
