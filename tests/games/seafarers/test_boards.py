"""The published boards: how many hexes of each terrain, number tokens and harbors each of them has.

The counts are those of the rulebook's tables of components, of which the frame is no part.
"""

from collections import Counter

import numpy as np
import pytest

from catan_env import BatchEngine, find_scenario
from catan_env.board.terrain import HARBOR_KINDS, TERRAINS
from catan_env.testing.positions import new_game

NUMBERS = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
# Hexes: forest, hills, pasture, fields, mountains, desert, sea, gold, fog. Number tokens: 2 .. 12.
# Harbors 3:1, beside one of each resource.
BOARDS = {
    ("seafarers_new_shores", 3): ((3, 4, 5, 4, 4, 0, 13, 2, 0), (1, 2, 3, 3, 2, 3, 2, 3, 2, 1), 3),
    ("seafarers_new_shores", 4): ((5, 5, 5, 5, 5, 1, 14, 2, 0), (2, 3, 3, 3, 3, 3, 3, 3, 3, 1), 4),
    ("seafarers_four_islands", 3): ((4, 4, 4, 4, 4, 0, 15, 0, 0), (1, 2, 2, 3, 2, 2, 3, 2, 2, 1), 4),
    ("seafarers_four_islands", 4): ((5, 4, 5, 5, 4, 0, 12, 0, 0), (1, 2, 3, 3, 2, 2, 3, 3, 3, 1), 4),
    ("seafarers_fog_islands", 3): ((4, 2, 4, 2, 2, 0, 16, 0, 12), (0, 1, 1, 2, 2, 2, 2, 1, 2, 1), 3),
    ("seafarers_fog_islands", 4): ((4, 3, 4, 3, 3, 0, 13, 0, 12), (1, 2, 2, 2, 2, 2, 2, 2, 1, 1), 4),
    ("seafarers_through_the_desert", 3): ((5, 3, 4, 4, 4, 3, 10, 2, 0), (1, 2, 3, 3, 3, 3, 3, 2, 1, 1), 3),
    ("seafarers_through_the_desert", 4): ((5, 5, 5, 5, 5, 3, 12, 2, 0), (1, 3, 3, 3, 3, 3, 3, 3, 3, 2), 4),
    ("seafarers_forgotten_tribe", 4): ((5, 5, 5, 5, 5, 3, 19, 2, 0), (1, 2, 2, 2, 2, 2, 2, 2, 2, 1), 1),
    ("seafarers_cloth", 4): ((4, 3, 4, 5, 4, 2, 18, 2, 0), (2, 2, 2, 2, 2, 2, 2, 2, 2, 2), 4),
    ("seafarers_pirate_islands", 4): ((5, 5, 5, 5, 5, 3, 19, 2, 0), (1, 2, 3, 3, 3, 3, 3, 3, 2, 1), 3),
    ("seafarers_wonders", 4): ((5, 5, 5, 5, 5, 3, 19, 2, 0), (2, 3, 3, 3, 3, 3, 3, 3, 3, 1), 4),
}
FOG_NUMBERS = {3: (0, 2, 1, 1, 1, 1, 1, 1, 1, 1), 4: (0, 1, 1, 1, 1, 1, 1, 1, 2, 1)}
"""Under the fog there are the same hexes for three and four, but other numbers."""
VILLAGES = (3, 4, 5, 6, 8, 9, 10, 11)
PIRATES = {("seafarers_four_islands", 3): (1, 4), ("seafarers_forgotten_tribe", 4): (3, 1)}
"""Where the pirate starts on the board; on others it starts off it."""
WITHOUT_PIRATE = ("seafarers_pirate_islands", "seafarers_wonders")


def layout_of(scenario, players):
    """The board of a scenario and its published layout."""
    board = find_scenario(scenario).board.laid(None, players)
    return board.map, board.layout


@pytest.mark.rule("seafarers.boards.1", "seafarers.boards.2")
@pytest.mark.parametrize(("scenario", "players"), BOARDS)
def test_a_published_board_has_the_hexes_numbers_and_harbors_of_its_table(scenario, players):
    hexes, numbers, general_harbors = BOARDS[scenario, players]
    _, layout = layout_of(scenario, players)
    terrain_counts = Counter(TERRAINS[terrain] for terrain in layout.terrain)
    assert tuple(terrain_counts[name] for name in TERRAINS[:9]) == hexes
    number_counts = Counter(layout.number[layout.number > 0].tolist())
    assert tuple(number_counts[number] for number in NUMBERS) == numbers
    harbor_counts = Counter(HARBOR_KINDS[kind] for _, kind in layout.harbors)
    assert tuple(harbor_counts[kind] for kind in HARBOR_KINDS) == (1, 1, 1, 1, 1, general_harbors)


@pytest.mark.rule("seafarers.boards.1")
@pytest.mark.parametrize(("scenario", "players"), BOARDS)
def test_a_published_board_fills_its_frame(scenario, players):
    hexes, *_ = BOARDS[scenario, players]
    board_map, layout = layout_of(scenario, players)
    assert sum(hexes) in (35, 42, 49)
    assert sum(hexes) + (layout.terrain == TERRAINS.index("frame")).sum() == board_map.topology.num_hexes
    assert tuple(board_map.terrain_counts[:9].tolist()) + (0,) * (9 - len(board_map.terrain_counts)) == hexes


@pytest.mark.rule("seafarers.boards.1")
def test_no_two_red_numbers_are_neighbors_on_a_published_board():
    for scenario, players in BOARDS:
        board_map, layout = layout_of(scenario, players)
        red = np.isin(layout.number, (6, 8))
        around = board_map.topology.hex_neighbors[red]
        assert not (red[around] & (around >= 0)).any(), scenario


@pytest.mark.rule("seafarers.boards.1")
def test_harbors_lie_on_the_coast_and_share_no_intersection():
    for scenario, players in BOARDS:
        board_map, layout = layout_of(scenario, players)
        water = np.isin(layout.terrain, (TERRAINS.index("sea"), TERRAINS.index("frame")))
        ends = [int(end) for path, _ in layout.harbors for end in board_map.topology.path_intersections[path]]
        assert len(set(ends)) == 2 * len(layout.harbors), scenario
        for path, _ in layout.harbors:
            sides = [hex for hex in board_map.topology.path_hexes[path] if hex >= 0]
            assert sum(not water[hex] for hex in sides) == 1, scenario


@pytest.mark.rule("seafarers.boards.4")
def test_the_robber_of_a_published_board_stands_on_a_desert_or_else_on_a_twelve():
    for scenario, players in BOARDS:
        _, layout = layout_of(scenario, players)
        if scenario == "seafarers_pirate_islands":
            assert layout.robber == -1
        elif scenario != "seafarers_cloth" and (layout.terrain == TERRAINS.index("desert")).any():
            assert TERRAINS[layout.terrain[layout.robber]] == "desert", scenario
        else:
            assert layout.number[layout.robber] == 12, scenario


@pytest.mark.rule("seafarers.fog.1")
@pytest.mark.parametrize("players", [3, 4])
def test_twelve_hexes_and_ten_numbers_lie_under_the_fog(players):
    rules = BatchEngine("seafarers_fog_islands", 1, players).rules
    assert tuple(rules["fog_hexes"]) == (1, 2, 1, 2, 2, 0, 2, 2, 0, 0)
    assert tuple(rules["fog_numbers"]) == (*FOG_NUMBERS[players][:5], 0, *FOG_NUMBERS[players][5:])


@pytest.mark.rule("seafarers.cloth.2")
def test_the_villages_of_cloth_for_catan_bear_eight_numbers():
    board_map, _ = layout_of("seafarers_cloth", 4)
    assert tuple(sorted(board_map.topology.marks["village"].numbers["number"])) == VILLAGES


@pytest.mark.rule("seafarers.pirate.3")
@pytest.mark.parametrize(("scenario", "players"), [key for key in BOARDS if key[0] not in WITHOUT_PIRATE])
def test_the_pirate_starts_where_the_board_has_it(scenario, players):
    engine = BatchEngine(scenario, 1, players)
    cell = PIRATES.get((scenario, players))
    assert engine.state["pirate"][0] == (-1 if cell is None else engine.topology.hex_at(*cell))


# -- harbors that are drawn --------------------------------------------------------------------------------


@pytest.mark.rule("seafarers.boards.3", "base.board_layout.13")
def test_the_harbors_of_new_shores_are_drawn_for_four_players():
    _, layout = layout_of("seafarers_new_shores", 4)
    engine = BatchEngine("seafarers_new_shores", 20, 4, seed=2)
    at = np.isin(engine.topology.coast_paths, [path for path, _ in layout.harbors])
    for game in engine.state:
        assert sorted(game["harbor"][at].tolist()) == sorted(kind for _, kind in layout.harbors)
        assert (game["harbor"][~at] == -1).all()
    assert len({game["harbor"].tobytes() for game in engine.state}) > 10


@pytest.mark.rule("seafarers.boards.3", "base.board_layout.13")
def test_harbors_are_drawn_from_the_stack_without_putting_back():
    game = new_game("seafarers_new_shores")
    assert game.chances() == pytest.approx({kind: (4 if kind == "3:1" else 1) / 9 for kind in HARBOR_KINDS})
    for kind in ("ore", "3:1", "lumber", "3:1"):
        game.draw("harbor_kind", kind)
    assert game.chances() == pytest.approx({"brick": 1 / 5, "wool": 1 / 5, "grain": 1 / 5, "3:1": 2 / 5})
    while game.decision == "harbor_kind":
        game.draw("harbor_kind", next(iter(game.chances())))
    assert game.decision == "start_player" and (game.state["harbor"] >= 0).sum() == 9


@pytest.mark.rule("seafarers.boards.3")
@pytest.mark.parametrize("scenario", ["seafarers_new_shores", "cities_and_knights_new_shores"])
def test_the_harbors_of_new_shores_lie_as_printed_for_three_players(scenario):
    _, layout = layout_of(scenario, 3)
    game = new_game(scenario, 3)
    assert game.decision == "start_player"
    laid = {game.engine.topology.coast_paths[k]: kind for k, kind in enumerate(game.state["harbor"]) if kind >= 0}
    assert laid == dict(layout.harbors)


@pytest.mark.rule("seafarers.boards.3")
@pytest.mark.parametrize("scenario", ["cities_and_knights_new_shores", "trade_partners_new_shores"])
def test_the_harbors_of_new_shores_are_drawn_with_other_systems_too(scenario):
    assert new_game(scenario).decision == "harbor_kind"


@pytest.mark.rule("base.board_layout.13")
def test_harbors_of_a_board_that_one_names_lie_as_it_says_and_others_are_drawn_where_one_asks_for_it():
    _, layout = layout_of("seafarers_new_shores", 4)
    printed = [kind for _, kind in sorted(layout.harbors)]
    for options in ({"board": "published"}, {"board": layout.to_coordinates()}, {"shuffle_harbors": 0}):
        game = new_game("seafarers_new_shores", **options)
        assert game.decision == "start_player"
        coast = game.engine.topology.coast_paths.tolist()
        assert [game.state["harbor"][coast.index(path)] for path, _ in sorted(layout.harbors)] == printed
    assert new_game("seafarers_wonders", shuffle_harbors=1).decision == "harbor_kind"
    assert new_game("base", shuffle_harbors=1, board="beginner").decision == "start_player"
