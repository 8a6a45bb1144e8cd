"""Redealing of the hands that a seat cannot see, used by `redeal_hands` in `discarding.py`.

Every seat knows the size of each hand and of each pile of discards. It also sees the bank and the open hands of neutral
colors, so it knows how many cards of each kind the other players hold in total. Modules report any other public
knowledge about a hand through `HAND_CONTRADICTS`.
"""

from catan_env.engine.dealing import collect, deal_again
from catan_env.engine.random import below
from catan_env.engine.stacks import clear_row
from catan_env.games.vocabulary import HAND_CARDS, HAND_CONTRADICTS

TRIES = 4
"""Number of random deals to try before resorting to swaps."""
EXCHANGES_PER_CARD = 20
MOST_EXCHANGES = 20_000


def contradictions(game, params, seat):
    """Return the number of contradictions in the hands of all other seats."""
    contradiction_count = 0
    for player in range(params.num_players):
        if player != seat:
            contradiction_count += HAND_CONTRADICTS(game, params, player)
    return contradiction_count


def deal_hands(game, params, seat, pool):
    """Collect all unseen cards, then redeal hands and discards, preserving their sizes."""
    clear_row(pool)
    for player in range(params.num_players):
        if player != seat:
            collect(pool, game.hands[player])
            collect(pool, game.discards[player])
    for player in range(params.num_players):
        if player != seat:
            deal_again(game, pool, game.hands[player])
            deal_again(game, pool, game.discards[player])


def deal_known_hands(game, params, seat, pool):
    """Deal hands consistent with public knowledge; all such deals are equally likely."""
    for _ in range(TRIES):
        deal_hands(game, params, seat, pool)
        if contradictions(game, params, seat) == 0:
            return
    exchange_cards(game, params, seat)


def heap_and_kind(game, params, seat, number):
    """Return the heap and kind of the unseen card with this index, as `heap * kinds + kind`; -1 if there is none.

    Heap `2 * player` is a player's hand, and heap `2 * player + 1` holds that player's discards.
    """
    for player in range(params.num_players):
        if player != seat:
            for kind in range(HAND_CARDS):
                if number < game.hands[player, kind]:
                    return 2 * player * HAND_CARDS + kind
                number -= game.hands[player, kind]
            for kind in range(HAND_CARDS):
                if number < game.discards[player, kind]:
                    return (2 * player + 1) * HAND_CARDS + kind
                number -= game.discards[player, kind]
    return -1


def change(game, heap, kind, number):
    """Add cards of a kind to a heap."""
    if heap % 2 == 0:
        game.hands[heap // 2, kind] += number
    else:
        game.discards[heap // 2, kind] += number


def exchange(game, heap, kind, other, other_kind):
    """Swap a card in one heap for a card in another."""
    change(game, heap, kind, -1)
    change(game, heap, other_kind, 1)
    change(game, other, other_kind, -1)
    change(game, other, kind, 1)


def exchange_cards(game, params, seat):
    """Swap unseen cards, two or three at a time, undoing any swap that adds contradictions.

    Swapping continues until no contradiction is left, and then until the result no longer depends on the first deal. In
    the limit, all deals consistent with public knowledge are equally likely.
    """
    card_count = 0
    for player in range(params.num_players):
        if player != seat:
            for kind in range(HAND_CARDS):
                card_count += int(game.hands[player, kind]) + int(game.discards[player, kind])
    contradiction_count = contradictions(game, params, seat)
    exchanges_wanted = EXCHANGES_PER_CARD * card_count
    for _ in range(MOST_EXCHANGES):
        if contradiction_count == 0:
            exchanges_wanted -= 1
        if exchanges_wanted < 0 or card_count < 2:
            break
        first_card = below(game, card_count)
        second_card = below(game, card_count)
        third_card = below(game, card_count)
        first_at = heap_and_kind(game, params, seat, first_card)
        second_at = heap_and_kind(game, params, seat, second_card)
        third_at = heap_and_kind(game, params, seat, third_card)
        takes_three = third_card != first_card and third_card != second_card and below(game, 3) == 0
        if first_card == second_card or (first_at % HAND_CARDS == second_at % HAND_CARDS and not takes_three):
            continue
        exchange(game, first_at // HAND_CARDS, first_at % HAND_CARDS, second_at // HAND_CARDS, second_at % HAND_CARDS)
        if takes_three:
            exchange(
                game, second_at // HAND_CARDS, first_at % HAND_CARDS, third_at // HAND_CARDS, third_at % HAND_CARDS
            )
        new_contradiction_count = contradictions(game, params, seat)
        if new_contradiction_count > contradiction_count:
            if takes_three:
                exchange(
                    game, second_at // HAND_CARDS, third_at % HAND_CARDS, third_at // HAND_CARDS, first_at % HAND_CARDS
                )
            exchange(
                game, first_at // HAND_CARDS, second_at % HAND_CARDS, second_at // HAND_CARDS, first_at % HAND_CARDS
            )
        else:
            contradiction_count = new_contradiction_count
