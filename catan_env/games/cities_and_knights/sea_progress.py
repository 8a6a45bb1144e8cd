"""With Seafarers: diplomacy can also remove ships, and gold counts as production for the aqueduct."""

from catan_env.engine.decision_stack import current_decision, head_argument, pop, push
from catan_env.engine.declare import Action, Decision, answers, apply, legal, rule
from catan_env.games.base.longest_road import award_longest_road
from catan_env.games.base.network import mark_edge_pieces, take_edge_piece
from catan_env.games.cities_and_knights.politics_cards import can_build_elsewhere, is_open
from catan_env.games.cities_and_knights.progress_cards import FORGO
from catan_env.games.cities_and_knights.progress_decks import DIPLOMACY, holds, play_card
from catan_env.games.seafarers.gold import gold_of
from catan_env.games.seafarers.ships import BUILD_SHIP, SHIP, launch
from catan_env.games.vocabulary import ACTION_PHASE, FURTHER_INCOME, NOTHING, PATHS, PIECES_IN_HAND

PLAY_DIPLOMACY_AT_SEA = Action(
    "play_diplomacy_at_sea",
    "remove the ship on {} by diplomacy",
    PATHS,
    "a diplomacy card, and a ship with an open end",
)
ACTIONS = (PLAY_DIPLOMACY_AT_SEA,)

RELOCATE_SHIP = Decision("relocate_ship", "build the removed ship elsewhere, or not", argument=PATHS)


@rule("cities_and_knights.sea_progress.2")
@legal(ACTION_PHASE)
def ships_to_remove(game, params, seat, mask):
    if holds(game, params, seat, DIPLOMACY):
        for path in range(PATHS):
            mask[PLAY_DIPLOMACY_AT_SEA + path] = is_open(game, params, SHIP, path)


@rule("cities_and_knights.sea_progress.2")
@apply(PLAY_DIPLOMACY_AT_SEA)
def play_diplomacy_at_sea(game, params, seat, path):
    play_card(game, seat, DIPLOMACY)
    owner = game.edge_owner[path]
    push(game, RELOCATE_SHIP, seat, path)
    take_edge_piece(game, params, owner, SHIP, path)
    if owner != seat or not can_build_elsewhere(game, seat, SHIP, path):
        pop(game)
    award_longest_road(game, params, NOTHING)


@rule("cities_and_knights.politics_cards.12")
@answers(PIECES_IN_HAND)
def ship_is_under_way(game, params, player, where):
    """Longest Road is not updated until the player rebuilds the ship that diplomacy removed."""
    return current_decision(game) == RELOCATE_SHIP


@rule("cities_and_knights.sea_progress.2")
@legal(RELOCATE_SHIP)
def places_for_ship(game, params, seat, mask):
    mark_edge_pieces(game, seat, SHIP, BUILD_SHIP, mask)
    mask[BUILD_SHIP + head_argument(game)] = False
    mask[FORGO] = True


@rule("cities_and_knights.sea_progress.2")
@apply(BUILD_SHIP, at=(RELOCATE_SHIP,))
def relocate_ship(game, params, seat, path):
    pop(game)
    launch(game, params, seat, path)
    award_longest_road(game, params, NOTHING)


@rule("cities_and_knights.sea_progress.2")
@apply(FORGO, at=(RELOCATE_SHIP,))
def set_no_ship(game, params, seat, argument):
    pop(game)
    award_longest_road(game, params, NOTHING)


@rule("cities_and_knights.sea_progress.1")
@answers(FURTHER_INCOME)
def gold_of_roll(game, params, player, number):
    return gold_of(game, params, player, number)
