"""Progress cards: players draw them when a city gate is rolled and may keep a limited number.

The modules `science_cards`, `trade_cards`, `politics_cards` and `espionage` implement their effects.
"""

from catan_env.engine.decision_stack import CHANCE, head_argument, pop, push
from catan_env.engine.declare import (
    OWNER,
    PLAYERS,
    Action,
    Decision,
    Draw,
    Event,
    Number,
    apply,
    legal,
    outcome,
    rule,
    weights,
    when,
)
from catan_env.games.cities_and_knights.event_dice import GATE_ROLLED
from catan_env.games.cities_and_knights.improvements import TRACKS
from catan_env.games.cities_and_knights.progress_decks import (
    PRINTING,
    PROGRESS,
    deck_height,
    end_of,
    first_index,
    gain_progress,
    is_victory_card,
    not_drawn_yet,
    play_card,
    progress_held,
    take_from_under,
)
from catan_env.games.vocabulary import PAIRED_PHASE_ENDED, STILL_TO_ACT, TURN_ENDED, to_the_left

NUMBERS = (Number("progress_limit", 4, "progress cards that a player can keep", 0, 54),)

DISCARD_PROGRESS = Action(
    "discard_progress",
    "put {} under its deck",
    PROGRESS,
    "this card, and more progress cards than the seat may keep",
    OWNER,
)
FORGO = Action("forgo", "leave it at that", needs="an optional effect")
ACTIONS = (DISCARD_PROGRESS, FORGO)

LEAVE_PROGRESS = Decision("leave_progress", "return a surplus progress card to its deck")
PROGRESS_DRAWN = Event("progress_drawn", "`player` has drawn a progress card of kind `where`")
DRAW_PROGRESS = Draw("draw_progress", "the progress card is {}", PROGRESS, OWNER, argument=(PLAYERS, TRACKS))


# -- drawing -----------------------------------------------------------------------------------------------


@rule("cities_and_knights.progress_cards.1", "cities_and_knights.progress_cards.4")
@when(GATE_ROLLED)
def draw_at_gate(game, params, player, track):
    """Players who have a level on the track draw in turn order if the red die exceeds that level by at most one."""
    drawer_count = 0
    for seat in range(params.num_players):
        drawer_count += draws_at_gate(game, seat, track)
    if drawer_count > 0:
        cards_left = deck_height(game, track)
        for k in range(params.num_players - 1, -1, -1):
            seat = to_the_left(params, player, k)
            if draws_at_gate(game, seat, track):
                drawer_count -= 1
                if drawer_count < cards_left:
                    let_draw(game, seat, track)


def draws_at_gate(game, seat, track):
    """Return whether a player may draw, given the red die."""
    level = game.improvement[seat, track]
    return (level > 0) & (game.red_die <= level + 1)


def let_draw(game, player, track):
    """Let a player draw the top card from a nonempty deck."""
    push(game, DRAW_PROGRESS, CHANCE, player * TRACKS + track)


@rule("cities_and_knights.progress_decks.2")
@weights(DRAW_PROGRESS)
def cards_on_top(game, params, weights):
    """The top card is random as long as undrawn cards remain; then cards come in the order they were returned."""
    track = head_argument(game) % TRACKS
    if not_drawn_yet(game, track) > 0:
        for card in range(first_index(track), end_of(track)):
            weights[card] = game.progress_stack[card]
    else:
        weights[game.progress_under[track, 0]] = 1


@rule(
    "cities_and_knights.progress_cards.2", "cities_and_knights.progress_cards.3", "cities_and_knights.paired_players.3"
)
@outcome(DRAW_PROGRESS)
def draw_progress(game, params, card):
    player = head_argument(game) // TRACKS
    track = head_argument(game) % TRACKS
    pop(game)
    if not_drawn_yet(game, track) > 0:
        game.progress_stack[card] -= 1
    else:
        take_from_under(game, track)
    if is_victory_card(card):
        game.open_cards[player, int(card != PRINTING)] += 1
    else:
        gain_progress(game, player, card)
    PROGRESS_DRAWN(game, params, player, card)
    acts_in_turn = player == game.on_turn or STILL_TO_ACT(game, params, player)
    if progress_held(game, player) > params.progress_limit and not acts_in_turn:
        push(game, LEAVE_PROGRESS, player)


# -- the limit ---------------------------------------------------------------------------------------------


@rule("cities_and_knights.progress_cards.3", "cities_and_knights.paired_players.2")
@when(TURN_ENDED, PAIRED_PHASE_ENDED)
def leave_cards_too_many(game, params, player, where):
    for _ in range(progress_held(game, player) - params.progress_limit):
        push(game, LEAVE_PROGRESS, player)


@rule("cities_and_knights.progress_cards.3")
@legal(LEAVE_PROGRESS)
def progress_to_leave(game, params, seat, mask):
    for card in range(PROGRESS):
        mask[DISCARD_PROGRESS + card] = game.progress[seat, card] > 0


@rule("cities_and_knights.progress_cards.3")
@apply(DISCARD_PROGRESS)
def discard_progress(game, params, seat, card):
    pop(game)
    play_card(game, seat, card)


@rule("cities_and_knights.science_cards.9")
@apply(FORGO)
def forgo(game, params, seat, argument):
    pop(game)
