"""Islands: start areas, and points for a player's first settlement on each island that is not a home island.

The map assigns hexes to regions and islands. A player's home islands are those with their starting settlements. Players
keep the points even if they lose the building, and it makes no difference whether other players are on the island.
"""

from catan_env.engine.declare import (
    PLAYERS,
    PUBLIC_POINTS,
    BoardArray,
    Count,
    Feature,
    Field,
    Number,
    answers,
    rule,
    set_up,
    shows,
    when,
)
from catan_env.games.vocabulary import (
    DEGREE,
    HEXES,
    INTERSECTIONS,
    MAY_PLACE_INITIALLY,
    NOTHING,
    REGIONS,
    SETTLEMENT_BUILT,
)

MOST_ISLANDS = 16
NO_ISLAND = -1

ISLAND = Field("island", (HEXES,), "i1", NO_ISLAND, MOST_ISLANDS - 1, "island of each hex, -1 for none", NO_ISLAND)
REGION_START = BoardArray(
    "region_start", "marks.region.start", "whether settlements can be placed in each region at the start", 0, 1
)
FIELDS = (
    ISLAND,
    Field(
        "on_island",
        (PLAYERS, MOST_ISLANDS),
        "i1",
        0,
        1,
        "whether each player has settled each island",
        show=Count(),
        labels=tuple(f"island_{k}" for k in range(MOST_ISLANDS)),
    ),
    Field(
        "islands_settled",
        (PLAYERS,),
        "i1",
        0,
        MOST_ISLANDS,
        "islands except home islands that each player has settled",
        show=Count(),
    ),
)
BOARD_ARRAYS = (
    BoardArray("region_island", "marks.region.island", "island of each region, -1 for none", field=ISLAND),
    REGION_START,
)
NUMBERS = (Number("island_points", 2, "victory points for the first settlement on an island that is not home", 0, 100),)
NEW_ISLAND = Feature(
    "new_island", INTERSECTIONS, 1, "whether a settlement there would earn the viewer points for an island"
)


@rule("seafarers.islands.1", "seafarers.islands.4")
@set_up
def mark_islands(game, params):
    for k in range(REGIONS):
        game.island[params.region_hexes[k]] = params.region_island[k]


@rule("seafarers.islands.3")
@answers(MAY_PLACE_INITIALLY)
def in_a_start_area(game, params, player, intersection):
    for k in range(DEGREE):
        hex = params.intersection_hexes[intersection, k]
        if hex != NOTHING and params.hex_region[hex] != NOTHING and params.region_start[params.hex_region[hex]]:
            return True
    return False


@rule("seafarers.islands.1")
def new_island_at(game, params, player, intersection):
    """Return an island at an intersection where a player has not settled yet; -1 if there is none."""
    for k in range(DEGREE):
        hex = params.intersection_hexes[intersection, k]
        if hex != NOTHING and game.island[hex] != NO_ISLAND and not game.on_island[player, game.island[hex]]:
            return int(game.island[hex])
    return NO_ISLAND


@rule("seafarers.islands.1")
@shows(NEW_ISLAND)
def show_new_island(game, params, seat, intersection):
    return params.island_points > 0 and new_island_at(game, params, seat, intersection) != NO_ISLAND


@rule("seafarers.islands.1", "seafarers.islands.2")
@when(SETTLEMENT_BUILT)
def settle_islands(game, params, player, intersection):
    island = new_island_at(game, params, player, intersection)
    while island != NO_ISLAND:
        game.on_island[player, island] = True
        game.islands_settled[player] += game.turn > 0
        island = new_island_at(game, params, player, intersection)


@rule("seafarers.islands.1", "seafarers.islands.6")
@answers(PUBLIC_POINTS)
def points_of_islands(game, params, player, where):
    return params.island_points * game.islands_settled[player]
