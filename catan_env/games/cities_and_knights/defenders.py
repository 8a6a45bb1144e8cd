"""Defenders of Catan: the top contributor to a successful defense earns a token; tied players draw cards instead."""

from catan_env.engine.decision_stack import current_decision, pop, push
from catan_env.engine.declare import (
    ACTION_RESOLVED,
    PLAYERS,
    PUBLIC_POINTS,
    Action,
    Count,
    Decision,
    Field,
    answers,
    apply,
    legal,
    rule,
    when,
)
from catan_env.games.cities_and_knights.barbarians import ATTACK_BEATEN
from catan_env.games.cities_and_knights.improvements import TRACKS
from catan_env.games.cities_and_knights.knights import defence_of
from catan_env.games.cities_and_knights.progress_cards import let_draw
from catan_env.games.cities_and_knights.progress_decks import deck_height
from catan_env.games.vocabulary import to_the_left

FIELDS = (Field("defender", (PLAYERS,), "i1", 0, 100, "defender tokens of each player", show=Count()),)

CHOOSE_DECK = Action("choose_deck", "draw a card of the deck of {}", TRACKS, "a card in that deck")
ACTIONS = (CHOOSE_DECK,)

DRAW_REWARD = Decision("draw_reward", "draw a progress card from any deck for defending")


@rule("cities_and_knights.defenders.1", "cities_and_knights.defenders.2", "cities_and_knights.defenders.3")
@when(ATTACK_BEATEN)
def reward_defenders(game, params, player, where):
    highest_strength = 1
    defender_count = 0
    for seat in range(params.num_players):
        strength = defence_of(game, seat)
        if strength > highest_strength:
            highest_strength = strength
            defender_count = 0
        defender_count += strength == highest_strength
    for k in range(params.num_players - 1, -1, -1):
        seat = to_the_left(params, player, k)
        if defence_of(game, seat) == highest_strength:
            if defender_count == 1:
                game.defender[seat] += 1
            else:
                push(game, DRAW_REWARD, seat)


@rule("cities_and_knights.defenders.2")
@legal(DRAW_REWARD)
def decks_to_choose(game, params, seat, mask):
    for track in range(TRACKS):
        mask[CHOOSE_DECK + track] = deck_height(game, track) > 0


@rule("cities_and_knights.defenders.2")
@apply(CHOOSE_DECK)
def choose_deck(game, params, seat, track):
    pop(game)
    let_draw(game, seat, track)


@rule("cities_and_knights.defenders.4")
@when(ACTION_RESOLVED)
def no_reward_left(game, params, player, where):
    """Any remaining rewards lapse once all decks are empty."""
    while current_decision(game) == DRAW_REWARD and decks_are_empty(game):
        pop(game)


def decks_are_empty(game):
    """Return whether all decks are empty."""
    for track in range(TRACKS):
        if deck_height(game, track) > 0:
            return False
    return True


@rule("cities_and_knights.defenders.1")
@answers(PUBLIC_POINTS)
def points_of_defenders(game, params, player, where):
    return game.defender[player]
