"""Neutral colors: nobody plays them, but the players build for them.

The neutral colors occupy the last `NEUTRALS` of the `PLAYERS` seats. They never act and hold no cards, so production
and theft skip them. Their pieces follow the same rules as all other pieces: they can hold Longest Road and interrupt
it.

The builder chooses the color (unless only one has both a piece and a place for it) and then the place. The neutral
piece is built before any other decision.
"""

from catan_env.engine.decision_stack import head_argument, pop, push, replace
from catan_env.engine.declare import (
    NEUTRALS,
    PLAYERS,
    Action,
    BoardArray,
    Decision,
    Invariant,
    apply,
    checks,
    legal,
    rule,
    set_up,
    when,
)
from catan_env.engine.small_sets import EMPTY, contains, count_members, first_member, only
from catan_env.games.base.building import BUILD_ROAD, BUILD_SETTLEMENT
from catan_env.games.base.network import (
    ROAD,
    can_build_road_somewhere,
    can_build_settlement_somewhere,
    mark_edge_pieces,
    mark_sites,
    place_edge_piece,
    place_settlement,
)
from catan_env.games.base.resources import hand_size
from catan_env.games.vocabulary import EDGE_PIECE_BUILT, INTERSECTIONS, SETTLEMENT_BUILT

CHOOSE_NEUTRAL = Action("choose_neutral", "build for {}", NEUTRALS, "a piece of this color and a place for it")
ACTIONS = (CHOOSE_NEUTRAL,)
BOARD_ARRAYS = (
    BoardArray(
        "neutral_settlements",
        "board.neutral_settlements",
        "settlement of each neutral color at the start",
        along=INTERSECTIONS,
        least=NEUTRALS,
    ),
)

CHOOSE_ROAD_COLOR = Decision("choose_road_color", "choose the neutral color for a free road")
CHOOSE_SETTLEMENT_COLOR = Decision("choose_settlement_color", "choose the neutral color for a free settlement")
NEUTRAL_ROAD = Decision("neutral_road", "build a free road of a neutral color", argument=PLAYERS)
NEUTRAL_SETTLEMENT = Decision("neutral_settlement", "build a free settlement of a neutral color", argument=PLAYERS)
NEUTRALS_IDLE = Invariant("neutrals_idle", "neutral colors have no cards, cities or played knights")


@rule("two_player.neutral_players.1")
@set_up
def set_neutral_settlements(game, params):
    for k in range(NEUTRALS):
        place_settlement(game, params, PLAYERS - NEUTRALS + k, params.neutral_settlements[k])


# -- pieces that trigger neutral pieces --------------------------------------------------------------------


def neutrals_with_road(game):
    """Return the set of neutral colors that can build a road."""
    colors = EMPTY
    for color in range(PLAYERS - NEUTRALS, PLAYERS):
        if can_build_road_somewhere(game, color):
            colors |= only(color)
    return colors


def neutrals_with_settlement(game):
    """Return the set of neutral colors that can build a settlement."""
    colors = EMPTY
    for color in range(PLAYERS - NEUTRALS, PLAYERS):
        if can_build_settlement_somewhere(game, color):
            colors |= only(color)
    return colors


def let_build_neutral(game, player, colors, choose, build):
    """Make a player build for one of the given neutral colors.

    The decision is `choose`, or `build` if there is only one color.
    """
    if count_members(colors) > 1:
        push(game, choose, player)
    elif colors:
        push(game, build, player, first_member(colors))


@rule(
    "two_player.neutral_players.2",
    "two_player.neutral_players.7",
    "two_player.neutral_players.9",
    "two_player.neutral_players.10",
)
@when(EDGE_PIECE_BUILT)
def road_brings_neutral_road(game, params, player, path):
    """A road triggers a neutral road, except during the initial placement. Neutral roads trigger nothing."""
    if player == game.on_turn:
        let_build_neutral(game, player, neutrals_with_road(game), CHOOSE_ROAD_COLOR, NEUTRAL_ROAD)


@rule(
    "two_player.neutral_players.2",
    "two_player.neutral_players.8",
    "two_player.neutral_players.9",
    "two_player.neutral_players.11",
)
@when(SETTLEMENT_BUILT)
def settlement_brings_neutral_settlement(game, params, player, intersection):
    """A settlement triggers a neutral settlement or, if no neutral color can build one, a neutral road."""
    if player == game.on_turn:
        colors = neutrals_with_settlement(game)
        if colors:
            let_build_neutral(game, player, colors, CHOOSE_SETTLEMENT_COLOR, NEUTRAL_SETTLEMENT)
        else:
            let_build_neutral(game, player, neutrals_with_road(game), CHOOSE_ROAD_COLOR, NEUTRAL_ROAD)


# -- choosing a color --------------------------------------------------------------------------------------


def mark_colors(colors, mask):
    """Mark the neutral colors in a set."""
    for k in range(NEUTRALS):
        mask[CHOOSE_NEUTRAL + k] = contains(colors, PLAYERS - NEUTRALS + k)


@rule("two_player.neutral_players.7")
@legal(CHOOSE_ROAD_COLOR)
def colors_for_road(game, params, seat, mask):
    mark_colors(neutrals_with_road(game), mask)


@rule("two_player.neutral_players.8")
@legal(CHOOSE_SETTLEMENT_COLOR)
def colors_for_settlement(game, params, seat, mask):
    mark_colors(neutrals_with_settlement(game), mask)


@rule("two_player.neutral_players.7")
@apply(CHOOSE_NEUTRAL, at=(CHOOSE_ROAD_COLOR,))
def choose_road_color(game, params, seat, k):
    replace(game, NEUTRAL_ROAD, seat, PLAYERS - NEUTRALS + k)


@rule("two_player.neutral_players.8")
@apply(CHOOSE_NEUTRAL, at=(CHOOSE_SETTLEMENT_COLOR,))
def choose_settlement_color(game, params, seat, k):
    replace(game, NEUTRAL_SETTLEMENT, seat, PLAYERS - NEUTRALS + k)


# -- building ----------------------------------------------------------------------------------------------


@rule("two_player.neutral_players.6")
@legal(NEUTRAL_ROAD)
def places_for_neutral_road(game, params, seat, mask):
    mark_edge_pieces(game, head_argument(game), ROAD, BUILD_ROAD, mask)


@rule("two_player.neutral_players.6")
@legal(NEUTRAL_SETTLEMENT)
def places_for_neutral_settlement(game, params, seat, mask):
    mark_sites(game, head_argument(game), BUILD_SETTLEMENT, mask)


@rule("two_player.neutral_players.7")
@apply(BUILD_ROAD, at=(NEUTRAL_ROAD,))
def build_neutral_road(game, params, seat, path):
    color = head_argument(game)
    pop(game)
    place_edge_piece(game, params, color, ROAD, path)


@rule("two_player.neutral_players.8")
@apply(BUILD_SETTLEMENT, at=(NEUTRAL_SETTLEMENT,))
def build_neutral_settlement(game, params, seat, intersection):
    color = head_argument(game)
    pop(game)
    place_settlement(game, params, color, intersection)


@rule("two_player.neutral_players.3")
@checks(NEUTRALS_IDLE)
def neutrals_idle(game, params):
    for color in range(PLAYERS - NEUTRALS, PLAYERS):
        if hand_size(game, color) > 0 or game.knights_played[color] > 0:
            return False
        if game.cities_left[color] != params.cities_per_player:
            return False
    return True
