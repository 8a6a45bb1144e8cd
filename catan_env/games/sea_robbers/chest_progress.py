"""With Cities & Knights: a chest brings a progress card from a deck of the player's choice, for a later turn.

Victory cards are still revealed immediately.
"""

from catan_env.engine.dealing import collect
from catan_env.engine.decision_stack import current_decision, pop, push
from catan_env.engine.declare import (
    OWNER,
    PLAYERS,
    Count,
    Decision,
    Field,
    Invariant,
    answers,
    apply,
    checks,
    legal,
    redeals,
    rule,
    when,
)
from catan_env.engine.stacks import clear_row
from catan_env.games.cities_and_knights.defenders import CHOOSE_DECK, decks_are_empty, decks_to_choose
from catan_env.games.cities_and_knights.improvements import TRACKS
from catan_env.games.cities_and_knights.progress_cards import PROGRESS_DRAWN, let_draw
from catan_env.games.cities_and_knights.progress_decks import (
    PROGRESS,
    PROGRESS_BARRED,
    deck_of,
    draw_from,
    end_of,
    first_index,
    is_victory_card,
)
from catan_env.games.sea_robbers.chests import CARD_FROM_CHEST, CHEST_HAS_CARD
from catan_env.games.vocabulary import TURN_ENDED, count_of

FIELDS = (
    Field(
        "new_progress",
        (PLAYERS, PROGRESS),
        "i1",
        0,
        1,
        "progress card in hand that a chest gave this turn",
        visible=OWNER,
        show=Count(),
    ),
    Field(
        "new_progress_backs",
        (PLAYERS, TRACKS),
        "i1",
        0,
        1,
        "deck of a card in hand that a chest gave this turn",
        show=Count(),
    ),
)

DRAW_FROM_CHEST = Decision("draw_from_chest", "draw the progress card of a chest from any deck")
CHEST_PROGRESS_HELD = Invariant("chest_progress_held", "cards that chests gave this turn are in hand")


@rule("sea_robbers.chest_progress.1")
@answers(CHEST_HAS_CARD)
def decks_have_cards(game, params, player, where):
    return not decks_are_empty(game)


@rule("sea_robbers.chest_progress.1")
@when(CARD_FROM_CHEST)
def draw_progress_for_chest(game, params, player, where):
    push(game, DRAW_FROM_CHEST, player)


@rule("sea_robbers.chest_progress.1")
@legal(DRAW_FROM_CHEST)
def decks_for_chest(game, params, seat, mask):
    decks_to_choose(game, params, seat, mask)


@rule("sea_robbers.chest_progress.1")
@apply(CHOOSE_DECK, at=(DRAW_FROM_CHEST,))
def choose_deck_for_chest(game, params, seat, track):
    """The decision stays on the stack until the card is drawn."""
    let_draw(game, seat, track)


@rule("sea_robbers.chest_progress.2")
@when(PROGRESS_DRAWN)
def bar_card_of_chest(game, params, player, card):
    if current_decision(game) == DRAW_FROM_CHEST:
        pop(game)
        if not is_victory_card(card):
            game.new_progress[player, card] = 1
            game.new_progress_backs[player, deck_of(card)] = 1


@rule("sea_robbers.chest_progress.2")
@answers(PROGRESS_BARRED)
def card_of_chest_waits(game, params, player, card):
    return int(game.new_progress[player, card])


@rule("sea_robbers.chest_progress.2")
@when(TURN_ENDED)
def card_of_chest_may_be_played(game, params, player, where):
    for card in range(PROGRESS):
        game.new_progress[player, card] = 0
    for track in range(TRACKS):
        game.new_progress_backs[player, track] = 0


@rule("sea_robbers.chest_progress.3")
@redeals("new_progress")
def redeal_card_of_chest(game, params, seat, pool):
    """After hands are redealt, any card of the right deck in a player's hand may be the one from the chest."""
    for player in range(PLAYERS):
        if player != seat and count_of(game.new_progress_backs[player]) > 0:
            for card in range(PROGRESS):
                game.new_progress[player, card] = 0
            for track in range(TRACKS):
                if game.new_progress_backs[player, track] > 0:
                    clear_row(pool)
                    collect(pool, game.progress[player])
                    game.new_progress[player, draw_from(game, pool, first_index(track), end_of(track))] = 1


@rule("sea_robbers.chest_progress.2")
@checks(CHEST_PROGRESS_HELD)
def chest_progress_held(game, params):
    for player in range(PLAYERS):
        for track in range(TRACKS):
            card_count = 0
            for card in range(first_index(track), end_of(track)):
                card_count += int(game.new_progress[player, card])
                if game.new_progress[player, card] > game.progress[player, card]:
                    return False
            if card_count != game.new_progress_backs[player, track]:
                return False
    return True
