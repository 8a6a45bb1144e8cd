"""Cloth: sea villages give cloth to players whose ships reach them; the game ends when villages run out.

A ship next to a village is all it takes to trade there, because every shipping line starts at a building of its owner.
The village gives one cloth immediately and another whenever its number is rolled.
"""

from catan_env.engine.decision_stack import RUNNING, finish, pop, push
from catan_env.engine.declare import (
    PLAYERS,
    PUBLIC_POINTS,
    BoardArray,
    Count,
    Decision,
    Field,
    Invariant,
    Number,
    Size,
    answers,
    apply,
    checks,
    legal,
    rule,
    set_up,
    when,
)
from catan_env.engine.small_sets import EMPTY, only
from catan_env.games.base.robber import MOVE_ROBBER
from catan_env.games.base.victory import all_points
from catan_env.games.seafarers.ships import NO_SHIP
from catan_env.games.vocabulary import (
    EDGE_PIECE_BUILT,
    ENDS_LINE,
    HEXES,
    INITIAL_PLACEMENT_BEGINS,
    NOTHING,
    OCCUPIED,
    PRODUCED,
    SIDES,
    TURN_ENDED,
    to_the_left,
)

ROBBERS_NUMBER = 12
VILLAGES = Size("village")
"""Intersections with villages: `params.village_intersections`, with `village_number` for each."""

FIELDS = (
    Field("village_cloth", (VILLAGES,), "i1", 0, 30, "cloth of each village", show=Count()),
    Field("trades", (PLAYERS, VILLAGES), "i1", 0, 1, "whether each player trades with each village", show=Count()),
    Field("cloth", (PLAYERS,), "i1", 0, 60, "cloth of each player", show=Count()),
    Field("cloth_left", (), "i1", 0, 60, "cloth in the general supply", show=Count()),
)
BOARD_ARRAYS = (BoardArray("village_number", "marks.village.number", "number of each village, 0 none", 0, 12, most=8),)
NUMBERS = (
    Number("cloth_of_village", 5, "cloth of each village at the start", 0, 6),
    Number("general_cloth", 10, "cloth in the general supply at the start", 0, 12),
    Number("cloth_for_a_point", 2, "cloth per victory point", 1, 60),
    Number("empty_villages", 5, "number of villages without cloth at which the game ends after the turn", 1, 60),
    Number(
        "choose_robber_start",
        0,
        "whether the first player chooses one of the 12s for the robber (1), or the board sets its first hex (0)",
        0,
        1,
    ),
)
START_ROBBER = Decision("start_robber", "choose the robber's first hex")
CLOTH_CONSERVED = Invariant(
    "cloth_conserved", "cloth of villages, players and the general supply add up to the full set"
)


@rule("seafarers.cloth.2")
@set_up
def lay_cloth(game, params):
    game.cloth_left = params.general_cloth
    for village in range(VILLAGES):
        game.village_cloth[village] = params.cloth_of_village


@rule("seafarers.cloth.7")
@answers(OCCUPIED)
def a_village_stands(game, params, player, intersection):
    return params.intersection_village[intersection] != NOTHING


@rule("seafarers.cloth.6")
@answers(ENDS_LINE)
def a_village_closes_the_line(game, params, player, intersection):
    """Ships trading with a village cannot move."""
    return params.intersection_village[intersection] != NOTHING


# -- trading -----------------------------------------------------------------------------------------------


@rule("seafarers.cloth.3")
@when(EDGE_PIECE_BUILT)
def open_trade(game, params, player, path):
    if game.ships[path] != NO_SHIP:
        for end in range(SIDES):
            village = params.intersection_village[params.path_intersections[path, end]]
            if village != NOTHING and not game.trades[player, village]:
                game.trades[player, village] = True
                if game.village_cloth[village] > 0:
                    game.village_cloth[village] -= 1
                    game.cloth[player] += 1


@rule("seafarers.cloth.3")
@when(PRODUCED)
def villages_bring_cloth(game, params, player, number):
    """Traders receive cloth in turn order, from the general supply if a village runs out. Empty villages give none."""
    for village in range(VILLAGES):
        if params.village_number[village] == number and game.village_cloth[village] > 0:
            for k in range(params.num_players):
                trader = to_the_left(params, player, k)
                if game.trades[trader, village]:
                    bring_cloth(game, trader, village)


@rule("seafarers.cloth.4")
def bring_cloth(game, trader, village):
    """Give a player one cloth from a village or, if the village is empty, from the general supply."""
    if game.village_cloth[village] > 0:
        game.village_cloth[village] -= 1
        game.cloth[trader] += 1
    elif game.cloth_left > 0:
        game.cloth_left -= 1
        game.cloth[trader] += 1


@rule("seafarers.cloth.5")
@answers(PUBLIC_POINTS)
def points_of_cloth(game, params, player, where):
    return game.cloth[player] // params.cloth_for_a_point


# -- the robber's start --------------------------------------------------------------------------------------


@rule("seafarers.cloth.8")
@when(INITIAL_PLACEMENT_BEGINS)
def let_choose_robbers_start(game, params, first, where):
    """The first player picks a 12 for the robber if the board gives it no start or if `choose_robber_start` is set."""
    if (params.choose_robber_start or game.robber == NOTHING) and has_twelve(game):
        push(game, START_ROBBER, first)


@rule("seafarers.cloth.8")
def has_twelve(game):
    """Return whether any hex has number 12."""
    for hex in range(HEXES):
        if game.number[hex] == ROBBERS_NUMBER:
            return True
    return False


@rule("seafarers.cloth.8")
@legal(START_ROBBER)
def hexes_with_a_twelve(game, params, seat, mask):
    for hex in range(HEXES):
        mask[MOVE_ROBBER + hex] = game.number[hex] == ROBBERS_NUMBER


@rule("seafarers.cloth.8")
@apply(MOVE_ROBBER, at=(START_ROBBER,))
def start_on_twelve(game, params, seat, hex):
    pop(game)
    game.robber = hex


# -- the end -----------------------------------------------------------------------------------------------


@rule("seafarers.cloth.9")
@when(TURN_ENDED)
def end_without_cloth(game, params, player, where):
    empty_count = 0
    for village in range(VILLAGES):
        empty_count += game.village_cloth[village] == 0
    if empty_count >= params.empty_villages and game.ended == RUNNING:
        finish(game, leaders(game, params))


@rule("seafarers.cloth.9")
def leaders(game, params):
    """Return the set of players with the most points, with cloth as the tiebreaker."""
    winners = EMPTY
    best_standing = -1
    for player in range(params.num_players):
        standing = all_points(game, params, player) * 100 + game.cloth[player]
        if standing > best_standing:
            best_standing = standing
            winners = EMPTY
        if standing == best_standing:
            winners |= only(player)
    return winners


@rule("seafarers.cloth.2")
@checks(CLOTH_CONSERVED)
def cloth_conserved(game, params):
    cloth_count = int(game.cloth_left)
    for village in range(VILLAGES):
        cloth_count += game.village_cloth[village]
    for player in range(PLAYERS):
        cloth_count += game.cloth[player]
    return cloth_count == params.general_cloth + VILLAGES * params.cloth_of_village
