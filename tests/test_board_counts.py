"""Hexes, number tokens, harbors and marks of the printed boards. Reconstructed boards must match the game's components.

The boards of Seafarers are tested in `games/seafarers/test_boards.py`.
"""

from collections import Counter

import pytest

from catan_env.board import load_map
from catan_env.board.terrain import HARBOR_KINDS, TERRAINS

NUMBERS = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)

# Hexes: forest, hills, pasture, fields, mountains, desert, sea, gold. Number tokens: 2 .. 12.
# Harbors: lumber, brick, wool, grain, ore, 3:1.
BOARDS = {
    ("base", "beginner"): ((4, 3, 4, 4, 3, 1, 0, 0), (1, 2, 2, 2, 2, 2, 2, 2, 2, 1), (1, 1, 1, 1, 1, 4)),
    ("large", "fixed"): ((6, 5, 6, 6, 5, 2, 0, 0), (2, 3, 3, 3, 3, 3, 3, 3, 3, 2), (1, 1, 2, 1, 1, 5)),
    ("troy", "reconstruction"): ((5, 4, 5, 5, 5, 2, 25, 0), (1, 2, 3, 3, 3, 3, 3, 3, 2, 1), (0,) * 6),
    ("sea_robbers", "reconstructed"): ((5, 5, 5, 5, 5, 1, 21, 2), (2, 3, 3, 3, 3, 3, 3, 3, 3, 1), (1, 1, 1, 1, 1, 4)),
    ("corsica", "printed"): ((6, 5, 6, 5, 5, 1, 0, 0), (2, 3, 3, 3, 3, 3, 3, 3, 3, 1), (0,) * 6),
    ("new_york", "printed"): ((7, 6, 7, 7, 5, 0, 0, 0), (2, 3, 4, 4, 3, 3, 4, 4, 3, 2), (0,) * 6),
}
CHIPS = {"corsica": 11, "new_york": 9}


@pytest.mark.parametrize(("name", "layout_name"), BOARDS)
def test_a_printed_board_has_the_hexes_numbers_and_harbors_of_its_table(name, layout_name):
    hexes, numbers, harbors = BOARDS[name, layout_name]
    layout = load_map(name).layouts[layout_name]
    terrain_counts = Counter(TERRAINS[terrain] for terrain in layout.terrain)
    assert tuple(terrain_counts[terrain] for terrain in TERRAINS[:8]) == hexes
    number_counts = Counter(layout.number[layout.number > 0].tolist())
    assert tuple(number_counts[number] for number in NUMBERS) == numbers
    harbor_counts = Counter(HARBOR_KINDS[kind] for _, kind in layout.harbors)
    assert tuple(harbor_counts[kind] for kind in HARBOR_KINDS) == harbors


@pytest.mark.parametrize(("name", "layout_name"), [("base", "beginner"), ("large", "fixed")])
def test_a_drawn_board_has_the_components_of_the_printed_one(name, layout_name):
    hexes, numbers, harbors = BOARDS[name, layout_name]
    board_map = load_map(name)
    assert tuple(board_map.terrain_counts.tolist()) == hexes[: len(board_map.terrain_counts)]
    assert tuple(board_map.number_tokens.tolist().count(number) for number in NUMBERS) == numbers
    assert tuple(board_map.harbor_kinds.tolist().count(kind) for kind in range(len(HARBOR_KINDS))) == harbors


@pytest.mark.parametrize("name", CHIPS)
def test_the_maps_of_countries_have_nine_certificates_and_a_chip_on_every_marked_crossing(name):
    marks = load_map(name).topology.marks
    assert len(marks["certificate"].places) == 9 and len(marks["vp"].places) == CHIPS[name]
