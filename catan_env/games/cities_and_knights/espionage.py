"""Espionage, a politics card: look at an opponent's progress cards and take one of them.

Only the player who plays the card gets to see them.
"""

from catan_env.engine.decision_stack import current_decision, head_argument, head_seat, pop, push
from catan_env.engine.declare import OWNER, PLAYERS, Action, Count, Decision, Field, apply, legal, redeals, rule
from catan_env.engine.stacks import clear_row, copy_row, mark_kinds
from catan_env.games.cities_and_knights.progress_cards import FORGO
from catan_env.games.cities_and_knights.progress_decks import (
    ESPIONAGE,
    MOST_OF_A_KIND,
    PROGRESS,
    deal_progress,
    gain_progress,
    holds,
    lose_progress,
    play_card,
    progress_held,
)
from catan_env.games.vocabulary import ACTION_PHASE, OPPONENTS, to_the_left

FIELDS = (
    Field(
        "progress_shown",
        (PLAYERS, PROGRESS),
        "i1",
        0,
        MOST_OF_A_KIND,
        "progress cards that espionage shows to each player",
        visible=OWNER,
        show=Count(),
    ),
)
PLAY_ESPIONAGE = Action(
    "play_espionage", "play espionage on {}", OPPONENTS, "this card, and an opponent with progress cards"
)
TAKE_PROGRESS = Action("take_progress", "take {}", PROGRESS, "a card of this kind among those seen", OWNER)
ACTIONS = (PLAY_ESPIONAGE, TAKE_PROGRESS)

SPY = Decision("spy", "take one of the progress cards shown, or none", argument=PLAYERS)


@rule("cities_and_knights.espionage.1")
@legal(ACTION_PHASE)
def espionage_to_play(game, params, seat, mask):
    if holds(game, params, seat, ESPIONAGE):
        for k in range(1, params.num_players):
            mask[PLAY_ESPIONAGE + k - 1] = progress_held(game, to_the_left(params, seat, k)) > 0


@rule("cities_and_knights.espionage.1")
@apply(PLAY_ESPIONAGE)
def play_espionage(game, params, seat, opponent):
    host = to_the_left(params, seat, opponent + 1)
    play_card(game, seat, ESPIONAGE)
    push(game, SPY, seat, host)
    copy_row(game.progress_shown[seat], game.progress[host])


@rule("cities_and_knights.espionage.1")
@legal(SPY)
def progress_to_take(game, params, seat, mask):
    mark_kinds(game.progress_shown[seat], TAKE_PROGRESS, mask)
    mask[FORGO] = True


@rule("cities_and_knights.espionage.1")
@apply(TAKE_PROGRESS)
def take_progress(game, params, seat, card):
    host = head_argument(game)
    pop(game)
    clear_row(game.progress_shown[seat])
    lose_progress(game, host, card)
    gain_progress(game, seat, card)


@rule("cities_and_knights.espionage.1")
@apply(FORGO, at=(SPY,))
def take_nothing(game, params, seat, argument):
    pop(game)
    clear_row(game.progress_shown[seat])


@rule("cities_and_knights.espionage.2")
@redeals("progress", "progress_stack", "progress_under", "progress_shown")
def redeal_progress(game, params, seat, pool):
    """The spy knows the opponent's hand; as far as everyone else knows, it may be any hand."""
    is_spying = current_decision(game) == SPY
    host = head_argument(game) if is_spying else seat
    if is_spying and head_seat(game) == seat:
        deal_progress(game, seat, host, pool)
    else:
        deal_progress(game, seat, seat, pool)
        if is_spying:
            copy_row(game.progress_shown[head_seat(game)], game.progress[host])
