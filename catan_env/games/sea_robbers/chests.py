"""Chest tokens: sinking a ship brings one, to be redeemed in a later turn, perhaps with Captain Dever's help.

Nobody knows which token is under which ship, so a token is drawn at random when a player takes it. Tokens under
remaining ships look the same as tokens set aside at the start. Only a token's owner knows its reward. No rule is needed
to keep players from redeeming a token in the turn they receive it, because the battle has ended that turn.
"""

from catan_env.engine.dealing import deal_pile_again
from catan_env.engine.decision_stack import CHANCE, head_argument, pop, push
from catan_env.engine.declare import (
    ANY,
    HIDDEN,
    OWNER,
    PLAYERS,
    Action,
    Count,
    Decision,
    Draw,
    Event,
    Field,
    Invariant,
    Number,
    Question,
    apply,
    checks,
    legal,
    outcome,
    redeals,
    rule,
    set_up,
    weights,
    when,
)
from catan_env.engine.stacks import weigh_stack
from catan_env.games.base.building import let_build_free_roads
from catan_env.games.base.resources import bank_size, let_choose_cards, take
from catan_env.games.base.turns import BUILD, PLAY
from catan_env.games.sea_robbers.battles import SHIP_SUNK
from catan_env.games.vocabulary import (
    BRICK,
    CAN_BUILD_FREE,
    GRAIN,
    LUMBER,
    ORE,
    TURN_STARTED,
    WOOL,
    count_of,
)

REWARDS = ("road_or_ship", "card_of_choice", "development_card", "brick_lumber", "grain_wool", "ore_grain", "brick_ore")
NUM_REWARDS = 7
EDGE_PIECE, CHOICE, DEVELOPMENT, BRICK_LUMBER, GRAIN_WOOL, ORE_GRAIN, BRICK_ORE = range(NUM_REWARDS)

FIELDS = (
    Field(
        "chests",
        (PLAYERS, NUM_REWARDS),
        "i1",
        0,
        16,
        "chest tokens of each player",
        visible=OWNER,
        show=Count(),
        total=True,
        labels=REWARDS,
    ),
    Field("chests_hidden", (NUM_REWARDS,), "i1", 0, 16, "hidden chest tokens", visible=HIDDEN),
    Field(
        "chests_redeemed",
        (NUM_REWARDS,),
        "i1",
        0,
        16,
        "chest tokens that all players have redeemed",
        show=Count(),
        labels=REWARDS,
    ),
    Field("chest_redeemed", (), "i1", 0, 1, "whether a chest token was redeemed this turn", show=Count()),
    Field("dever_uses", (PLAYERS,), "i1", 0, 8, "remaining uses of Captain Dever by each player", show=Count()),
)
NUMBERS = (
    Number("chest_tokens", (4, 4, 4, 1, 1, 1, 1), "chest tokens of each reward: " + ", ".join(REWARDS), 0, 16),
    Number("dever_helps", 2, "uses of Captain Dever per player", 0, 8),
)

REDEEM = Action("redeem_chest", "redeem a chest for {}", REWARDS, "a token of this kind, and none redeemed this turn")
CALL_DEVER = Action("call_dever", "take a card of choice with Captain Dever's help", needs="a chest just redeemed")
SPARE_DEVER = Action("spare_dever", "keep Captain Dever's help for later", needs="a chest just redeemed")
ACTIONS = (REDEEM, CALL_DEVER, SPARE_DEVER)

ASK_DEVER = Decision("ask_dever", "use Captain Dever's help, or keep it")
CHEST_HAS_CARD = Question("chest_has_card", "whether a chest could give `player` a development card", ANY)
CARD_FROM_CHEST = Event("card_from_chest", "a chest gives `player` a development card")
CHEST = Draw("chest", "the chest brings {}", REWARDS, OWNER, argument=PLAYERS)
CHESTS_CONSERVED = Invariant("chests_conserved", "held, hidden and redeemed chest tokens add up to the full set")


@rule("sea_robbers.chests.1")
@set_up
def hide_chests(game, params):
    for reward in range(NUM_REWARDS):
        game.chests_hidden[reward] = params.chest_tokens[reward]


@rule("sea_robbers.battles.6", "sea_robbers.chests.6")
@when(SHIP_SUNK)
def take_chest(game, params, player, foe):
    """The first ship sunk also brings Captain Dever."""
    if game.sunk[player] == 1:
        game.dever_uses[player] = params.dever_helps
    if count_of(game.chests_hidden) > 0:
        push(game, CHEST, CHANCE, player)


@rule("sea_robbers.chests.1")
@weights(CHEST)
def chests_unseen(game, params, weights):
    weigh_stack(game.chests_hidden, weights)


@rule("sea_robbers.chests.1")
@outcome(CHEST)
def look_into_chest(game, params, reward):
    player = head_argument(game)
    pop(game)
    game.chests_hidden[reward] -= 1
    game.chests[player, reward] += 1


@rule("sea_robbers.chests.2")
@when(TURN_STARTED)
def a_chest_may_be_redeemed(game, params, player, where):
    game.chest_redeemed = False


# -- redeeming ---------------------------------------------------------------------------------------------


@rule("sea_robbers.chests.3")
def is_worth(game, params, seat, reward):
    """Return whether a reward would currently give a player anything."""
    if reward == EDGE_PIECE:
        return CAN_BUILD_FREE(game, params, seat)
    if reward == DEVELOPMENT:
        return CHEST_HAS_CARD(game, params, seat)
    return bank_size(game) > 0


@rule("sea_robbers.chests.2")
@legal(PLAY, BUILD)
def chests_to_redeem(game, params, seat, mask):
    if not game.chest_redeemed:
        for reward in range(NUM_REWARDS):
            if game.chests[seat, reward] > 0:
                mask[REDEEM + reward] = is_worth(game, params, seat, reward)


@rule("sea_robbers.chests.2")
@apply(REDEEM)
def redeem(game, params, seat, reward):
    """The player first decides whether to use Captain Dever's help, because a free ship can end the turn."""
    game.chests[seat, reward] -= 1
    game.chests_redeemed[reward] += 1
    game.chest_redeemed = True
    reward_with(game, params, seat, reward)
    if game.dever_uses[seat] > 0 and bank_size(game) > 0:
        push(game, ASK_DEVER, seat)


@rule("sea_robbers.chests.3", "sea_robbers.chests.4", "sea_robbers.chests.5")
def reward_with(game, params, seat, reward):
    """Give a player a token's reward."""
    if reward == EDGE_PIECE:
        let_build_free_roads(game, seat, 1)
    elif reward == CHOICE:
        let_choose_cards(game, seat, 1)
    elif reward == DEVELOPMENT:
        CARD_FROM_CHEST(game, params, seat, 0)
    else:
        take_pair(game, seat, reward)


@rule("sea_robbers.chests.4")
def take_pair(game, seat, reward):
    """Take a token's two cards, as far as the bank can supply them."""
    if reward == BRICK_LUMBER:
        take(game, seat, BRICK, 1)
        take(game, seat, LUMBER, 1)
    elif reward == GRAIN_WOOL:
        take(game, seat, GRAIN, 1)
        take(game, seat, WOOL, 1)
    elif reward == ORE_GRAIN:
        take(game, seat, ORE, 1)
        take(game, seat, GRAIN, 1)
    else:
        take(game, seat, BRICK, 1)
        take(game, seat, ORE, 1)


@rule("sea_robbers.chests.6")
@legal(ASK_DEVER)
def may_call_dever(game, params, seat, mask):
    mask[CALL_DEVER] = True
    mask[SPARE_DEVER] = True


@rule("sea_robbers.chests.6", "sea_robbers.chests.7")
@apply(CALL_DEVER)
def call_dever(game, params, seat, argument):
    pop(game)
    game.dever_uses[seat] -= 1
    let_choose_cards(game, seat, 1)


@rule("sea_robbers.chests.6")
@apply(SPARE_DEVER)
def spare_dever(game, params, seat, argument):
    pop(game)


@rule("sea_robbers.chests.1")
@redeals("chests", "chests_hidden")
def redeal_chests(game, params, seat, pool):
    """Other players' tokens and the tokens that nobody has seen form a single pile."""
    deal_pile_again(game, pool, seat, game.chests, game.chests_hidden)


@rule("sea_robbers.chests.1")
@checks(CHESTS_CONSERVED)
def chests_conserved(game, params):
    for reward in range(NUM_REWARDS):
        token_count = int(game.chests_hidden[reward]) + game.chests_redeemed[reward]
        for player in range(PLAYERS):
            token_count += game.chests[player, reward]
        if token_count != params.chest_tokens[reward]:
            return False
    return True
