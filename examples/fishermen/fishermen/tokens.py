"""Fish tokens with 1, 2 or 3 fish, drawn blind, with the old boot among them.

`fish_due` counts the tokens that players have yet to draw. They draw one at a time, starting with the player on turn. A
player with `fish_limit` tokens may swap one for the next token, but not hold more. Paid and swapped tokens are laid
face up and return to the stock when it cannot meet all claims; if it still cannot, nobody gets a token. The boot does
not count as a token.

Sources: The Fishermen of Catan, in Traders & Barbarians. Claims that exceed the stock are handled by the bank's rule.
"""

from catan_env.engine.dealing import deal_pile_again
from catan_env.engine.decision_stack import CHANCE, head_argument, pop, push, replace, times_in_stack
from catan_env.engine.declare import (
    HIDDEN,
    OWNER,
    PLAYERS,
    Action,
    Count,
    Decision,
    Draw,
    Feature,
    Field,
    Invariant,
    Number,
    SeatFlag,
    apply,
    checks,
    legal,
    outcome,
    redeals,
    set_up,
    shows,
    weights,
)
from catan_env.games.vocabulary import NOBODY, count_of, to_the_left

TOKENS = ("one-fish", "two-fish", "three-fish")
KINDS_OF_TOKENS = len(TOKENS)
OLD_BOOT = KINDS_OF_TOKENS
MOST_DUE = 250
"""Most tokens that one player can be due. Fields shown as counts in observations go up to 255."""

FIELDS = (
    Field(
        "fish", (PLAYERS, 3), "i1", 0, 40, "fish tokens in hand", visible=OWNER, show=Count(), total=True, labels=TOKENS
    ),
    Field("fish_stock", (3,), "i1", 0, 40, "fish tokens in the stock, without the boot", visible=HIDDEN),
    Field("fish_spent", (3,), "i1", 0, 40, "fish tokens that lie face up", show=Count(), labels=TOKENS),
    Field("fish_due", (PLAYERS,), "i2", 0, MOST_DUE, "tokens that each player has yet to draw", show=Count()),
    Field("boot", (), "i1", NOBODY, 7, "holder of the old boot, -1 while it is in the stock", NOBODY, show=SeatFlag()),
)
NUMBERS = (
    Number("fish_set", (11, 10, 8), "tokens with 1, 2 and 3 fish", 0, 40),
    Number("fish_limit", 7, "tokens that a player can hold", 1, 30),
)
SWAP_FISH = Action("swap_fish", "swap a {} token for the next one", TOKENS, "a token of this kind")
KEEP_FISH = Action("keep_fish", "swap no token")
ACTIONS = (SWAP_FISH, KEEP_FISH)
CHOOSE_SWAP = Decision("choose_swap", "swap a fish token for the next one, or keep all")
DRAW_FISH = Draw("draw_fish", "the next token is {}", (*TOKENS, "the old boot"), visible=OWNER, argument=PLAYERS)
FISH_LEFT = Feature("fish_left", None, 121, "tokens in the stock, with the boot")
FISH_CONSERVED = Invariant("fish_conserved", "stock, hands and face-up tokens make up all fish tokens")
FISH_LIMITED = Invariant("fish_limited", "nobody holds more tokens than allowed")


@set_up
def shuffle_tokens(game, params):
    for kind in range(KINDS_OF_TOKENS):
        game.fish_stock[kind] = params.fish_set[kind]


def stock_size(game):
    """Return the number of tokens in the stock, including the boot."""
    return count_of(game.fish_stock) + (game.boot == NOBODY)


def fish_of(game, player):
    """Return the number of fish on a player's tokens."""
    fish = 0
    for kind in range(KINDS_OF_TOKENS):
        fish += (kind + 1) * int(game.fish[player, kind])
    return fish


def lay_open(game, player, kind):
    """Move a token from a hand to the face-up tokens."""
    game.fish[player, kind] -= 1
    game.fish_spent[kind] += 1


# -- claims and draws --------------------------------------------------------------------------------------


def meet_claims(game, params):
    """Let players draw the tokens due to them."""
    claims = 0
    for player in range(PLAYERS):
        claims += int(game.fish_due[player])
    if claims > stock_size(game):
        for kind in range(KINDS_OF_TOKENS):
            game.fish_stock[kind] += game.fish_spent[kind]
            game.fish_spent[kind] = 0
    if claims > stock_size(game):
        for player in range(PLAYERS):
            game.fish_due[player] = 0
    if times_in_stack(game, DRAW_FISH) + times_in_stack(game, CHOOSE_SWAP) == 0:
        continue_drawing(game, params)


def continue_drawing(game, params):
    """Push the next draw, or the decision to swap a token, if any token is due."""
    for k in range(params.num_players):
        player = to_the_left(params, max(game.on_turn, 0), k)
        if game.fish_due[player] > 0:
            if count_of(game.fish[player]) < params.fish_limit:
                push(game, DRAW_FISH, CHANCE, player)
            else:
                push(game, CHOOSE_SWAP, player)
            return


@weights(DRAW_FISH)
def tokens_in_stock(game, params, weights):
    for kind in range(KINDS_OF_TOKENS):
        weights[kind] = game.fish_stock[kind]
    weights[OLD_BOOT] = game.boot == NOBODY


@outcome(DRAW_FISH)
def draw_fish(game, params, kind):
    player = head_argument(game)
    pop(game)
    game.fish_due[player] -= 1
    if kind == OLD_BOOT:
        game.boot = player
    else:
        game.fish_stock[kind] -= 1
        game.fish[player, kind] += 1
    continue_drawing(game, params)


@legal(CHOOSE_SWAP)
def tokens_to_swap(game, params, seat, mask):
    mask[KEEP_FISH] = True
    for kind in range(KINDS_OF_TOKENS):
        mask[SWAP_FISH + kind] = game.fish[seat, kind] > 0


@apply(SWAP_FISH)
def swap_fish(game, params, seat, kind):
    lay_open(game, seat, kind)
    replace(game, DRAW_FISH, CHANCE, seat)


@apply(KEEP_FISH)
def keep_fish(game, params, seat, argument):
    pop(game)
    game.fish_due[seat] -= 1
    continue_drawing(game, params)


# -- hidden information ------------------------------------------------------------------------------------


@shows(FISH_LEFT)
def show_fish_left(game, params, seat, index):
    return stock_size(game)


@redeals("fish", "fish_stock")
def redeal_fish(game, params, seat, pool):
    deal_pile_again(game, pool, seat, game.fish, game.fish_stock)


@checks(FISH_CONSERVED)
def fish_conserved(game, params):
    for kind in range(KINDS_OF_TOKENS):
        tokens = int(game.fish_stock[kind]) + int(game.fish_spent[kind])
        for player in range(PLAYERS):
            tokens += int(game.fish[player, kind])
        if tokens != params.fish_set[kind]:
            return False
    return True


@checks(FISH_LIMITED)
def fish_limited(game, params):
    for player in range(PLAYERS):
        if count_of(game.fish[player]) > params.fish_limit:
            return False
    return True
