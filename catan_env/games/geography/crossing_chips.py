"""Chips at crossings: the first player whose road reaches a crossing gets a victory point."""

from catan_env.engine.declare import (
    PLAYERS,
    PUBLIC_POINTS,
    Count,
    Field,
    Invariant,
    Number,
    answers,
    checks,
    rule,
    set_up,
    when,
)
from catan_env.games.geography.town_sites import BADGES, CROSSINGS
from catan_env.games.vocabulary import EDGE_PIECE_BUILT, NOTHING

IN_PLAY_ONLY = 1

FIELDS = (
    Field("crossing_chip", (CROSSINGS,), "i1", 0, 1, "whether each crossing has a chip", show=Count()),
    Field("crossing_chips", (PLAYERS,), "i1", 0, 100, "chips from crossings", show=Count()),
)
NUMBERS = (
    Number(
        "chips_by_roads",
        "all",
        "roads that collect chips: all, or only those after initial placement",
        choices=("all", "in_play_only"),
    ),
    Number("points_of_chip", 1, "victory points of a chip from a crossing", 0, 100),
)
CHIPS_CONSERVED = Invariant("crossing_chips_conserved", "chips on crossings and chips of players add up to all chips")


@rule("geography.crossing_chips.1", "geography.crossing_chips.5")
@set_up
def lay_chips(game, params):
    if params.crossings == BADGES:
        for crossing in range(CROSSINGS):
            game.crossing_chip[crossing] = 1


@rule("geography.crossing_chips.2", "geography.crossing_chips.4")
@when(EDGE_PIECE_BUILT)
def take_chips(game, params, player, path):
    """A road between two crossings takes both chips."""
    if game.turn > 0 or params.chips_by_roads != IN_PLAY_ONLY:
        for end in range(2):
            crossing = params.intersection_vp[params.path_intersections[path, end]]
            if crossing != NOTHING and game.crossing_chip[crossing]:
                game.crossing_chip[crossing] = 0
                game.crossing_chips[player] += 1


@rule("geography.crossing_chips.3")
@answers(PUBLIC_POINTS)
def points_of_crossings(game, params, player, where):
    return game.crossing_chips[player] * params.points_of_chip


@rule("geography.crossing_chips.1")
@checks(CHIPS_CONSERVED)
def chips_conserved(game, params):
    chip_count = 0
    for crossing in range(CROSSINGS):
        chip_count += int(game.crossing_chip[crossing])
    for player in range(PLAYERS):
        chip_count += game.crossing_chips[player]
    return chip_count == (CROSSINGS if params.crossings == BADGES else 0)
