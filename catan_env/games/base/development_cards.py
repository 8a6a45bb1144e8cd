"""Development cards: knights, three kinds of progress cards, and hidden victory points."""

from catan_env.board.terrain import RESOURCES
from catan_env.engine.dealing import deal_stack_again
from catan_env.engine.decision_stack import CHANCE, head_argument, pop, push
from catan_env.engine.declare import (
    HIDDEN,
    HIDDEN_POINTS,
    OWNER,
    PLAYERS,
    Action,
    Count,
    Draw,
    Feature,
    Field,
    Invariant,
    Number,
    answers,
    apply,
    checks,
    legal,
    outcome,
    redeals,
    rule,
    set_up,
    shows,
    weights,
    when,
)
from catan_env.engine.stacks import clear_row, move_card, weigh_stack
from catan_env.games.base.building import let_build_free_roads
from catan_env.games.base.resources import bank_size, can_pay, let_choose_cards, pay
from catan_env.games.vocabulary import (
    BUYING,
    CAN_BUILD_FREE,
    CARD_BOUGHT,
    HAND_CARDS,
    KNIGHT_PLAYED,
    MAY_PLAY_MORE,
    MAY_STEAL_FROM,
    MONOPOLY_PLAYED,
    NUM_RESOURCES,
    PAIRED_PHASE_STARTED,
    PLAYING_CARDS,
    TURN_STARTED,
    count_of,
)

DECK_CARDS = ("knight", "road_building", "year_of_plenty", "monopoly", "victory_point")
NUM_CARDS = 5
KNIGHT, ROAD_BUILDING, YEAR_OF_PLENTY, MONOPOLY, VICTORY_POINT = range(NUM_CARDS)

FIELDS = (
    Field(
        "development_cards",
        (PLAYERS, NUM_CARDS),
        "i1",
        0,
        40,
        "development cards in hand",
        visible=OWNER,
        show=Count(),
        total=True,
        labels=DECK_CARDS,
    ),
    Field(
        "new_development_cards",
        (PLAYERS, NUM_CARDS),
        "i1",
        0,
        40,
        "development cards bought this turn",
        visible=OWNER,
        show=Count(),
        total=True,
        labels=DECK_CARDS,
    ),
    Field("deck", (NUM_CARDS,), "i1", 0, 40, "development cards left in the stack", visible=HIDDEN),
    Field(
        "cards_used",
        (NUM_CARDS,),
        "i1",
        0,
        40,
        "development cards that all players have played",
        show=Count(),
        labels=DECK_CARDS,
    ),
    Field("knights_played", (PLAYERS,), "i1", 0, 40, "knights each player has played", show=Count()),
    Field("card_played", (), "i1", 0, 1, "whether a development card was played this turn", show=Count()),
)
NUMBERS = (
    Number("development_deck", (14, 2, 2, 2, 5), "cards of each kind in the stack: " + ", ".join(DECK_CARDS), 0, 40),
    Number(
        "development_card_cost",
        (0, 0, 1, 1, 1),
        "price of a card: lumber, brick, wool, grain, ore",
        0,
        30,
        over=HAND_CARDS,
    ),
    Number("roads_of_road_building", 2, "free roads of the road building card", 1, 15),
    Number("cards_of_year_of_plenty", 2, "resource cards of the year of plenty card", 1, 30),
)

BUY_CARD = Action("buy_development_card", "buy a development card", needs="the price and a card in the stack")
PLAYABLE = "this card, not bought this turn, and no other card played this turn"
PLAY_KNIGHT = Action("play_knight", "play a knight", needs=PLAYABLE)
PLAY_ROAD_BUILDING = Action(
    "play_road_building", "play road building", needs=PLAYABLE + "; a road piece and a place for it"
)
PLAY_YEAR_OF_PLENTY = Action("play_year_of_plenty", "play year of plenty", needs=PLAYABLE + "; a card in the bank")
PLAY_MONOPOLY = Action("play_monopoly", "play monopoly on {}", RESOURCES, PLAYABLE)
ACTIONS = (BUY_CARD, PLAY_KNIGHT, PLAY_ROAD_BUILDING, PLAY_YEAR_OF_PLENTY, PLAY_MONOPOLY)

DRAW_CARD = Draw("draw_card", "the development card is a {}", DECK_CARDS, OWNER, argument=PLAYERS)
DECK_SIZE = Feature("deck_size", None, 40, "development cards left in the stack")
DECK_CONSERVED = Invariant("deck_conserved", "stack, hands and played cards add up to the full deck")


@rule("base.development_cards.1", "base.development_cards.14")
@set_up
def fill_deck(game, params):
    for card in range(NUM_CARDS):
        game.deck[card] = params.development_deck[card]


@rule("base.development_cards.4")
def deck_size(game):
    """Return the number of development cards left in the stack."""
    return count_of(game.deck)


@rule("base.development_cards.4")
@shows(DECK_SIZE)
def show_deck_size(game, params, seat, index):
    return deck_size(game)


@rule("base.development_cards.6", "base.development_cards.15")
@when(TURN_STARTED, PAIRED_PHASE_STARTED)
def cards_become_playable(game, params, player, where):
    game.card_played = False
    clear_row(game.new_development_cards[player])


# -- buying ------------------------------------------------------------------------------------------------


@rule("base.development_cards.2", "base.development_cards.4")
@legal(BUYING)
def may_buy_card(game, params, seat, mask):
    mask[BUY_CARD] = deck_size(game) > 0 and can_pay(game, seat, params.development_card_cost)


@rule("base.development_cards.2")
@apply(BUY_CARD)
def buy_card(game, params, seat, argument):
    pay(game, seat, params.development_card_cost)
    CARD_BOUGHT(game, params, seat, 0)
    let_draw_card(game, seat)


@rule("base.development_cards.2")
def let_draw_card(game, player):
    """Draw a development card for a player."""
    push(game, DRAW_CARD, CHANCE, player)


@rule("base.development_cards.2")
@weights(DRAW_CARD)
def cards_in_stack(game, params, weights):
    weigh_stack(game.deck, weights)


@rule("base.development_cards.2", "base.development_cards.3")
@outcome(DRAW_CARD)
def draw_card(game, params, card):
    buyer = head_argument(game)
    pop(game)
    move_card(game.deck, game.development_cards[buyer], card)
    game.new_development_cards[buyer, card] += 1


# -- playing -----------------------------------------------------------------------------------------------


@rule("base.development_cards.6")
def can_play(game, params, seat, card):
    """Return whether a seat may play this kind of card now."""
    if game.card_played and not MAY_PLAY_MORE(game, params, seat):
        return False
    return game.development_cards[seat, card] > game.new_development_cards[seat, card]


@rule("base.development_cards.5", "base.network.10")
@legal(PLAYING_CARDS)
def may_play_cards(game, params, seat, mask):
    mask[PLAY_KNIGHT] = can_play(game, params, seat, KNIGHT)
    mask[PLAY_ROAD_BUILDING] = can_play(game, params, seat, ROAD_BUILDING) and CAN_BUILD_FREE(game, params, seat)
    mask[PLAY_YEAR_OF_PLENTY] = can_play(game, params, seat, YEAR_OF_PLENTY) and bank_size(game) > 0
    if can_play(game, params, seat, MONOPOLY):
        for resource in range(NUM_RESOURCES):
            mask[PLAY_MONOPOLY + resource] = True


@rule("base.development_cards.5", "base.development_cards.8")
def use_card(game, seat, card):
    """Play a card. Progress cards are then removed from the game."""
    game.development_cards[seat, card] -= 1
    game.cards_used[card] += 1
    game.card_played = True


@rule("base.development_cards.7")
@apply(PLAY_KNIGHT)
def play_knight(game, params, seat, argument):
    use_card(game, seat, KNIGHT)
    game.knights_played[seat] += 1
    KNIGHT_PLAYED(game, params, seat, 0)


@rule("base.development_cards.9")
@apply(PLAY_ROAD_BUILDING)
def play_road_building(game, params, seat, argument):
    use_card(game, seat, ROAD_BUILDING)
    let_build_free_roads(game, seat, params.roads_of_road_building)


@rule("base.development_cards.10")
@apply(PLAY_YEAR_OF_PLENTY)
def play_year_of_plenty(game, params, seat, argument):
    use_card(game, seat, YEAR_OF_PLENTY)
    let_choose_cards(game, seat, params.cards_of_year_of_plenty)


@rule("base.development_cards.11")
@apply(PLAY_MONOPOLY)
def play_monopoly(game, params, seat, resource):
    use_card(game, seat, MONOPOLY)
    for player in range(params.num_players):
        if MAY_STEAL_FROM(game, params, seat, player):
            move_card(game.hands[player], game.hands[seat], resource, game.hands[player, resource])
    MONOPOLY_PLAYED(game, params, seat, resource)


@rule("base.development_cards.12")
@answers(HIDDEN_POINTS)
def points_of_cards(game, params, player, where):
    """Victory point cards score immediately but stay hidden until they win the game."""
    return game.development_cards[player, VICTORY_POINT]


@rule("base.development_cards.1")
@checks(DECK_CONSERVED)
def deck_conserved(game, params):
    for card in range(NUM_CARDS):
        card_count = int(game.deck[card]) + game.cards_used[card]
        for player in range(PLAYERS):
            if game.new_development_cards[player, card] > game.development_cards[player, card]:
                return False
            card_count += game.development_cards[player, card]
        if card_count != params.development_deck[card]:
            return False
    for color in range(params.num_players, PLAYERS):
        if count_of(game.development_cards[color]) > 0 or game.knights_played[color] > 0:
            return False
    return True


@rule("base.development_cards.13")
@redeals("development_cards", "new_development_cards", "deck")
def redeal_cards(game, params, seat, pool):
    """Redeal the hands and the stack, preserving the number of cards that each player bought this turn."""
    deal_stack_again(game, pool, seat, game.development_cards, game.new_development_cards, game.deck)
