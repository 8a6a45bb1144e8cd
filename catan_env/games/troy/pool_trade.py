"""Pool trade: each turn, the second ship can swap one card with the pool and the sixth can take one from it.

The card from the pool is random, and only its new owner sees it. In a swap, the offered card goes into the pool only
after the other card is drawn, so it cannot come straight back.
"""

from catan_env.engine.dealing import collect, deal_again
from catan_env.engine.decision_stack import CHANCE, head_argument, pop, push
from catan_env.engine.declare import (
    OWNER,
    PLAYERS,
    Action,
    Count,
    Draw,
    Field,
    answers,
    apply,
    legal,
    outcome,
    redeals,
    rule,
    weights,
    when,
)
from catan_env.engine.random import below
from catan_env.engine.stacks import clear_row, move_card, weigh_stack
from catan_env.games.base.resources import mark_hand
from catan_env.games.base.unseen_hands import (
    EXCHANGES_PER_CARD,
    MOST_EXCHANGES,
    TRIES,
    change,
    contradictions,
    heap_and_kind,
)
from catan_env.games.troy.donations import pool_size
from catan_env.games.troy.fleet import ships_of
from catan_env.games.vocabulary import CARDS_ASIDE, HAND_CARDS, NOTHING, OWN_TURN, TURN_STARTED, count_of

SHIP_OF_SWAP, SHIP_OF_TAKING = 2, 6

FIELDS = (
    Field("card_swapped", (), "i1", 0, 1, "whether a card was swapped with the pool this turn", show=Count()),
    Field("offered", (PLAYERS, HAND_CARDS), "i1", 0, 1, "card set aside for a swap with the pool", visible=OWNER),
    Field("card_taken", (), "i1", 0, 1, "whether a card was taken from the pool this turn", show=Count()),
)

NEEDS = "a card in the pool, and no such trade this turn"
SWAP_WITH_POOL = Action(
    "swap_with_pool",
    "swap 1 {} for a card of the pool",
    HAND_CARDS,
    f"two ships, a card of this kind in hand, {NEEDS}",
    OWNER,
)
TAKE_FROM_POOL = Action("take_from_pool", "take a card from the pool", needs=f"six ships, {NEEDS}")
ACTIONS = (SWAP_WITH_POOL, TAKE_FROM_POOL)

SWAPPED_CARD = Draw("swapped_card", "the pool gives {} for the card offered", HAND_CARDS, OWNER, argument=PLAYERS)
TAKEN_CARD = Draw("taken_card", "the card taken from the pool is {}", HAND_CARDS, OWNER, argument=PLAYERS)


@rule("troy.pool_trade.3")
@when(TURN_STARTED)
def ships_may_trade_again(game, params, player, where):
    game.card_swapped = False
    game.card_taken = False


@rule("troy.pool_trade.1", "troy.pool_trade.3")
@legal(OWN_TURN)
def trades_with_pool(game, params, seat, mask):
    if pool_size(game) > 0:
        if ships_of(game, params, seat) >= SHIP_OF_SWAP and not game.card_swapped:
            mark_hand(game, seat, SWAP_WITH_POOL, mask)
        mask[TAKE_FROM_POOL] = ships_of(game, params, seat) >= SHIP_OF_TAKING and not game.card_taken


@rule("troy.pool_trade.1")
@apply(SWAP_WITH_POOL)
def swap_with_pool(game, params, seat, card):
    game.card_swapped = True
    move_card(game.hands[seat], game.offered[seat], card)
    push(game, SWAPPED_CARD, CHANCE, seat)


@rule("troy.pool_trade.2")
@apply(TAKE_FROM_POOL)
def take_from_pool(game, params, seat, argument):
    game.card_taken = True
    push(game, TAKEN_CARD, CHANCE, seat)


@rule("troy.pool_trade.1")
@weights(SWAPPED_CARD)
def cards_to_swap_for(game, params, weights):
    weigh_stack(game.pool, weights)


@rule("troy.pool_trade.2")
@weights(TAKEN_CARD)
def cards_to_take(game, params, weights):
    weigh_stack(game.pool, weights)


@rule("troy.pool_trade.1")
@outcome(SWAPPED_CARD)
def swap(game, params, card):
    seat = head_argument(game)
    pop(game)
    draw_from_pool(game, seat, card)
    for kind in range(HAND_CARDS):
        game.pool[kind] += game.offered[seat, kind]
        game.offered[seat, kind] = 0


@rule("troy.pool_trade.2")
@outcome(TAKEN_CARD)
def take_drawn_card(game, params, card):
    seat = head_argument(game)
    pop(game)
    draw_from_pool(game, seat, card)


def draw_from_pool(game, seat, card):
    """Move a card from the pool into a hand."""
    move_card(game.pool, game.hands[seat], card)


@rule("troy.pool_trade.1")
@answers(CARDS_ASIDE)
def cards_offered(game, params, player, card):
    card_count = 0
    for owner in range(PLAYERS):
        card_count += int(game.offered[owner, card])
    return card_count


# -- hidden cards ------------------------------------------------------------------------------------------


@rule("troy.allegiance.3")
@redeals("hands", "discards", "offered", "pool")
def redeal_hands_and_pool(game, params, seat, unseen):
    """Redeal other players' hands together with the pool.

    The pool is treated as one more heap of hidden cards. All heaps keep their sizes, and the hands stay consistent with
    public knowledge. If the pool is empty, the hands have already been dealt.
    """
    if pool_size(game) > 0:
        for _ in range(TRIES):
            deal_hands_and_pool(game, params, seat, unseen)
            if contradictions(game, params, seat) == 0:
                return
        exchange_cards_with_pool(game, params, seat)


def deal_hands_and_pool(game, params, seat, unseen):
    """Deal all hidden cards at random, ignoring public knowledge."""
    clear_row(unseen)
    collect(unseen, game.pool)
    for player in range(params.num_players):
        if player != seat:
            collect(unseen, game.hands[player])
            collect(unseen, game.discards[player])
            collect(unseen, game.offered[player])
    deal_again(game, unseen, game.pool)
    for player in range(params.num_players):
        if player != seat:
            deal_again(game, unseen, game.hands[player])
            deal_again(game, unseen, game.discards[player])
            deal_again(game, unseen, game.offered[player])


@rule("troy.allegiance.3")
def exchange_cards_with_pool(game, params, seat):
    """Exchange other players' cards for cards from the pool, without adding contradictions.

    The exchanges first remove all contradictions and then continue until the initial deal no longer matters, as in
    `unseen_hands.exchange_cards`, which exchanges cards between hands.
    """
    other_card_count = cards_of_others(game, params, seat)
    pool_count = pool_size(game)
    contradiction_count = contradictions(game, params, seat)
    exchanges_wanted = EXCHANGES_PER_CARD * (other_card_count + pool_count)
    for _ in range(MOST_EXCHANGES):
        if contradiction_count == 0:
            exchanges_wanted -= 1
        if exchanges_wanted < 0:
            break
        location = heap_and_kind(game, params, seat, below(game, other_card_count))
        drawn_kind = kind_in_pool(game, below(game, pool_count))
        if location == NOTHING:
            exchange_offered(game, params, seat, drawn_kind)
        else:
            exchange_with_pool(game, location // HAND_CARDS, location % HAND_CARDS, drawn_kind)
            new_contradiction_count = contradictions(game, params, seat)
            if new_contradiction_count > contradiction_count:
                exchange_with_pool(game, location // HAND_CARDS, drawn_kind, location % HAND_CARDS)
            else:
                contradiction_count = new_contradiction_count


def cards_of_others(game, params, seat):
    """Return how many cards the other players hold, have set aside to discard, or are offering in a swap.

    Offered cards are numbered last.
    """
    card_count = 0
    for player in range(params.num_players):
        if player != seat:
            card_count += (
                count_of(game.hands[player]) + count_of(game.discards[player]) + count_of(game.offered[player])
            )
    return card_count


def kind_in_pool(game, number):
    """Return the kind of the pool card with the given number."""
    kind = 0
    while number >= game.pool[kind]:
        number -= int(game.pool[kind])
        kind += 1
    return kind


def exchange_with_pool(game, heap, kind, drawn):
    """Exchange a card from one of the heaps of `unseen_hands` for one from the pool."""
    change(game, heap, kind, -1)
    change(game, heap, drawn, 1)
    game.pool[drawn] -= 1
    game.pool[kind] += 1


def exchange_offered(game, params, seat, drawn):
    """Exchange the card that another player offers in a swap for one from the pool."""
    for player in range(params.num_players):
        for kind in range(HAND_CARDS):
            if player != seat and game.offered[player, kind] > 0:
                game.offered[player, kind] -= 1
                game.offered[player, drawn] += 1
                game.pool[drawn] -= 1
                game.pool[kind] += 1
                return
