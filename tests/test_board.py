"""Geometry, maps and layouts, compared with the published boards as copied by hand into this file."""

import json
import time
import timeit
from itertools import groupby, pairwise

import numpy as np
import pytest

from catan_env.board import CORNERS, SIDES, HexGrid, Layout, load_map, map_names
from catan_env.board.terrain import DESERT, GENERIC_HARBOR, HARBOR_KINDS, RESOURCES, TERRAINS
from catan_env.errors import BoardError

pytestmark = pytest.mark.core

SIZES = {"base": (19, 54, 72, 30), "large": (30, 80, 109, 38)}
STEPS = dict(zip(SIDES, ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)), strict=True))

# Order of the number tokens: start hex, then direction and number of steps.
SPIRALS = {
    "base": """
        0 -2  SW2 SE2 E2 NE2 NW2 W1 SW2 SE1 E1 NE1 NW1 SW1
        2 -2  W2 SW2 SE2 E2 NE2 NW1 W2 SW1 SE1 E1 NE1 W1
        2 0   NW2 W2 SW2 SE2 E2 NE1 NW2 W1 SW1 SE1 E1 NW1
        0 2   NE2 NW2 W2 SW2 SE2 E1 NE2 NW1 W1 SW1 SE1 NE1
        -2 2  E2 NE2 NW2 W2 SW2 SE1 E2 NE1 NW1 W1 SW1 E1
        -2 0  SE2 E2 NE2 NW2 W2 SW1 SE2 E1 NE1 NW1 W1 SE1""",
    "large": """
        0 -3  SW3 SE3 E2 NE3 NW3 W1 SW3 SE2 E1 NE2 NW2 SW2 SE1 NE1
        2 -3  W2 SW3 SE3 E2 NE3 NW2 W2 SW2 SE2 E1 NE2 NW1 W1 SW1 SE1 NE1
        2 0   NW3 W2 SW3 SE3 E2 NE2 NW3 W1 SW2 SE2 E1 NE1 NW2 SW1 SE1
        -1 3  NE3 NW3 W2 SW3 SE3 E1 NE3 NW2 W1 SW2 SE2 NE2 NW1 SW1
        -3 3  E2 NE3 NW3 W2 SW3 SE2 E2 NE2 NW2 W1 SW2 SE1 E1 NE1 NW1 SW1
        -3 0  SE3 E2 NE3 NW3 W2 SW2 SE3 E1 NE2 NW2 W1 SW1 SE2 NE1 NW1""",
}

# Sides of the coast, clockwise from the first hex.
COAST = {
    "base": "NW NE NW NE NW NE E NE E NE E SE E SE E SE SW SE SW SE SW W SW W SW W NW W NW W",
    "large": "NW NE NW NE NW NE E NE E NE E NE E SE E SE E SE E SE SW SE SW SE SW W SW W SW W SW W NW W NW W NW W",
}

# The published layout of each map, the order of its frame pieces, and its harbors: coast index and kind, clockwise.
HARBORS = {
    "base": (
        "beginner",
        "ABCDEF",
        "0 3:1, 3 grain, 7 ore, 10 3:1, 13 wool, 17 3:1, 20 3:1, 23 brick, 27 lumber",
    ),
    "large": (
        "fixed",
        "CDEFAB",
        "0 3:1, 3 wool, 7 3:1, 12 3:1, 15 brick, 18 wool, 21 lumber, 24 3:1, 27 grain, 30 3:1, 33 ore",
    ),
}

# Start settlements, the marked one first: hexes next to the settlement > hexes at the far end of its road.
BEGINNER_START = """
    red     fields 9, forest 11, forest 8 > forest 11, forest 8, mountains 3
    red     mountains 10, pasture 2, hills 6 > pasture 2, hills 6, pasture 4
    blue    forest 8, mountains 3, hills 5 > mountains 3, hills 5, fields 6
    blue    fields 4, pasture 5, pasture 11 > forest 3, fields 4, pasture 5
    orange  mountains 3, fields 4, fields 6 > fields 4, fields 6, pasture 11
    orange  forest 9, pasture 4, hills 10 > pasture 2, forest 9, pasture 4
    white   forest 3, mountains 8, pasture 5 > hills 10, forest 3, mountains 8
    white   fields 12, hills 6, forest 11 > fields 12, fields 9, forest 11"""


def random_island(seed):
    """Return a random connected island with bays and perhaps lakes."""
    rng = np.random.default_rng(seed)
    cells = [(0, 0)]
    while len(cells) < 1 + 3 * seed:
        q, r = cells[rng.integers(len(cells))]
        dq, dr = STEPS[SIDES[rng.integers(6)]]
        if (q + dq, r + dr) not in cells:
            cells.append((q + dq, r + dr))
    return HexGrid.of_hexes(cells)


TOPOLOGIES = [load_map(name).topology for name in SIZES] + [random_island(seed) for seed in range(12)]


@pytest.fixture
def base():
    return load_map("base")


@pytest.fixture
def board(base):
    """The beginner board as a user would write it, for tests to modify."""
    return base.layouts["beginner"].to_coordinates()


@pytest.mark.rule("base.board_layout.7")
@pytest.mark.parametrize("name", SIZES)
def test_counts_and_speed(name):
    topology = load_map(name).topology
    counts = (topology.num_hexes, topology.num_intersections, topology.num_paths, len(topology.coast_paths))
    assert counts == SIZES[name]
    seconds = timeit.repeat(lambda: HexGrid.of_hexes(topology.hex_axial), timer=time.process_time, number=1, repeat=3)
    assert min(seconds) < 0.05


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_adjacency_is_mutual(topology):
    t = topology
    for h, (q, r) in enumerate(t.hex_axial.tolist()):
        assert t.hex_at(q, r) == h
        for k in range(6):
            path, corner = t.hex_paths[h, k], t.hex_intersections[h, k]
            assert h in t.path_hexes[path] and h in t.intersection_hexes[corner]
            assert set(t.path_intersections[path]) == {corner, t.hex_intersections[h, (k + 1) % 6]}
            assert t.path_at(q, r, SIDES[k]) == path and t.intersection_at(CORNERS[k], q, r) == corner
            neighbor = t.hex_neighbors[h, k]
            assert set(t.path_hexes[path].tolist()) == {h, int(neighbor)}
            if neighbor >= 0:
                assert t.hex_neighbors[neighbor, (k + 3) % 6] == h
                dq, dr = STEPS[SIDES[k]]
                assert t.path_at(q + dq, r + dr, SIDES[(k + 3) % 6]) == path
    for i in range(t.num_intersections):
        end, q, r = t.intersection_corner[i].tolist()
        assert t.intersection_at("NS"[end], q, r) == i
        for neighbor, path in zip(t.intersection_neighbors[i], t.intersection_paths[i], strict=True):
            assert (neighbor < 0) == (path < 0)
            if path >= 0:
                assert set(t.path_intersections[path]) == {i, neighbor}
                assert i in t.intersection_neighbors[neighbor]
    for p, (q, r, side) in enumerate(t.path_side.tolist()):
        assert t.path_at(q, r, SIDES[side]) == p and t.path_hexes[p, 0] == t.hex_at(q, r)
    assert (t.intersection_paths >= 0).sum() == 2 * t.num_paths
    assert (t.path_hexes >= 0).sum() == (t.intersection_hexes >= 0).sum() == 6 * t.num_hexes


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_arrays_are_frozen_padded_behind_and_sorted(topology):
    arrays = {name: value for name, value in vars(topology).items() if isinstance(value, np.ndarray)}
    for name, array in arrays.items():
        assert array.dtype == (np.float32 if name.endswith("_xy") else np.int16)
        with pytest.raises(ValueError):
            array[0] = 0
    for name in ("intersection_hexes", "intersection_neighbors", "intersection_paths", "path_hexes"):
        for row in arrays[name].tolist():
            present = [entry for entry in row if entry >= 0]
            assert row == sorted(present) + [-1] * (len(row) - len(present))
    for xy in (topology.intersection_xy, topology.path_xy):
        keys = [(y, x) for x, y in np.round(xy, 3).tolist()]
        assert keys == sorted(keys) and len(set(keys)) == len(keys)


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_drawing_positions(topology):
    t = topology
    to_corners = np.linalg.norm(t.intersection_xy[t.hex_intersections] - t.hex_xy[:, None], axis=2)
    ends = t.intersection_xy[t.path_intersections]
    assert np.allclose(to_corners, 1, atol=1e-5)
    assert np.allclose(np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1), 1, atol=1e-5)
    assert np.allclose(t.path_xy, ends.mean(axis=1), atol=1e-5)
    north, north_east = t.hex_intersections[0, 0], t.hex_intersections[0, 1]
    assert t.intersection_xy[north, 1] < t.hex_xy[0, 1] and t.intersection_xy[north_east, 0] > t.hex_xy[0, 0]


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_coast_walk_is_complete_and_closed(topology):
    coast = topology.coast_paths.tolist()
    assert sorted(coast) == np.flatnonzero(topology.path_hexes[:, 1] < 0).tolist()
    ends = [set(topology.path_intersections[p].tolist()) for p in coast]
    breaks = sum(not (a & b) for a, b in pairwise(ends))
    hexes, paths, intersections = topology.num_hexes, topology.num_paths, topology.num_intersections
    lakes = 1 - (intersections - paths + hexes)  # Euler: one island with L lakes has I - P + H = 1 - L
    assert breaks == lakes


@pytest.mark.parametrize("name", SIZES)
def test_coast_order(name):
    topology = load_map(name).topology
    assert [SIDES[side] for side in topology.path_side[topology.coast_paths, 2]] == COAST[name].split()
    assert topology.path_hexes[topology.coast_paths[[0, -1]], 0].tolist() == [0, 0]


@pytest.mark.rule("base.board_layout.4")
@pytest.mark.parametrize("name", SIZES)
def test_spirals(name):
    topology = load_map(name).topology
    lines = []
    for spiral in load_map(name).spirals.tolist():
        steps = [SIDES[topology.hex_neighbors[a].tolist().index(b)] for a, b in pairwise(spiral)]
        runs = [f"{side}{len(list(run))}" for side, run in groupby(steps)]
        lines.append([*map(str, topology.hex_axial[spiral[0]]), *runs])
    assert lines == [line.split() for line in SPIRALS[name].strip().splitlines()]


def test_islands_and_lakes():
    two = HexGrid.of_hexes([(0, 0), (3, 0)])
    assert len(two.coast_paths) == 12 and two.path_hexes[two.coast_paths, 0].tolist() == [0] * 6 + [1] * 6
    ring = HexGrid.of_hexes(list(STEPS.values()))
    lake = [ring.path_at(0, 0, side) for side in SIDES]
    assert sorted(ring.coast_paths[18:].tolist()) == sorted(lake)
    with pytest.raises(BoardError, match="reaches only 1 of 2"):
        two.spiral(0)
    with pytest.raises(BoardError, match="must start on the coast"):
        load_map("base").topology.spiral(9)


def test_impossible_hex_lists():
    for hexes, message in (([], "non-empty"), ([(0.5, 0.0)], "integer"), ([(0, 0), (0, 0)], "listed twice")):
        with pytest.raises(BoardError, match=message):
            HexGrid.of_hexes(hexes)


def test_lookups_off_the_map(base):
    topology = base.topology
    assert topology.intersection_at("S", 0, -3) == topology.intersection_at("NW", 0, -2)
    for call, message in (
        (lambda: topology.hex_at(5, 5), r"hex \(5, 5\) is not on the map.*q -2\.\.2 and r -2\.\.2"),
        (lambda: topology.intersection_at("N", 9, 9), r"corner N of cell \(9, 9\)"),
        (lambda: topology.intersection_at("E", 0, 0), "unknown corner: 'E'; allowed: N, NE"),
        (lambda: topology.path_at(9, 9, "W"), r"side W of cell \(9, 9\)"),
        (lambda: topology.path_at(0, 0, "N"), "unknown side: 'N'; allowed: NE, E"),
    ):
        with pytest.raises(BoardError, match=message):
            call()


@pytest.mark.rule("base.board_layout.11")
@pytest.mark.parametrize("name", SIZES)
def test_map_and_published_layout_agree(name):
    board_map = load_map(name)
    layout_name, order, harbors = HARBORS[name]
    layout = board_map.layouts[layout_name]
    assert name in map_names() and load_map(name) is board_map
    assert np.bincount(layout.terrain, minlength=6).tolist() == board_map.terrain_counts.tolist()
    assert sorted(layout.number[layout.number > 0]) == sorted(board_map.number_tokens)
    assert layout.terrain[layout.robber] == DESERT

    entries = [entry.split() for entry in harbors.split(", ")]
    expected = [(board_map.coast_paths[int(index)], HARBOR_KINDS.index(kind)) for index, kind in entries]
    assert list(layout.harbors) == expected
    assert board_map.harbors_of_pieces(["ABCDEF".index(piece) for piece in order]) == expected
    assert sorted(board_map.harbor_kinds.tolist()) == sorted(kind for _, kind in expected)
    assert len(set(board_map.harbor_sites.tolist())) == len(board_map.harbor_kinds)


@pytest.mark.rule("base.board_layout.5")
def test_every_order_of_pieces_makes_a_board(base):
    assert HARBOR_KINDS[GENERIC_HARBOR] == "3:1" and len(RESOURCES) == GENERIC_HARBOR == DESERT
    rng, large = np.random.default_rng(0), load_map("large")
    assert np.array_equal(base.piece_offsets, large.piece_offsets)
    assert np.array_equal(base.piece_kinds, large.piece_kinds)
    for board_map, layout_name in ((base, "beginner"), (large, "fixed")):
        layout = board_map.layouts[layout_name]
        for _ in range(20):
            harbors = board_map.harbors_of_pieces(rng.permutation(6))
            Layout(layout.topology, layout.terrain, layout.number, harbors, layout.robber)
    with pytest.raises(BoardError, match="each of 0[.][.]5 once"):
        base.harbors_of_pieces([0, 1, 2, 3, 4, 4])


@pytest.mark.rule("base.initial_placement.1")
def test_beginner_start(base):
    layout, topology = base.layouts["beginner"], base.topology

    def around(intersection):
        hexes = [h for h in topology.intersection_hexes[intersection] if h >= 0]
        return sorted(f"{TERRAINS[layout.terrain[h]]} {layout.number[h]}" for h in hexes)

    pieces = [(s.color, *both) for s in layout.start for both in zip(s.settlements, s.roads, strict=True)]
    for line, (color, settlement, road) in zip(BEGINNER_START.strip().splitlines(), pieces, strict=True):
        expected_color, hexes = line.split(maxsplit=1)
        (far_end,) = set(topology.path_intersections[road].tolist()) - {settlement}
        expected = [sorted(place.split(", ")) for place in hexes.split(" > ")]
        assert (color, [around(settlement), around(far_end)]) == (expected_color, expected)
    assert [seat.color for seat in layout.start_for(4)] == ["red", "blue", "orange", "white"]
    assert [seat.color for seat in layout.start_for(3)] == ["blue", "orange", "white"]
    for num_players in (0, 5):
        with pytest.raises(BoardError, match="start pieces for 4 players"):
            layout.start_for(num_players)


@pytest.mark.parametrize("name", SIZES)
def test_round_trip(name):
    board_map = load_map(name)
    layout = board_map.layout(HARBORS[name][0])
    written = json.loads(json.dumps(layout.to_coordinates()))
    again = board_map.layout(written)
    assert again.to_coordinates() == written == layout.to_coordinates()
    assert (again.harbors, again.robber, again.start) == (layout.harbors, layout.robber, layout.start)
    assert np.array_equal(again.terrain, layout.terrain) and np.array_equal(again.number, layout.number)
    assert again.terrain.dtype == again.number.dtype == np.int8 and not again.terrain.flags.writeable
    assert board_map.layout(again) is again


def test_custom_boards_are_free_in_their_counts(base):
    cells = base.topology.hex_axial.tolist()
    hexes = [(q, r, "hills", 6) for q, r in cells[:-1]] + [(*cells[-1], "desert", None)]
    layout = base.layout({"hexes": hexes, "harbors": []})
    assert layout.robber == 18 and layout.harbors == () and layout.start == ()
    assert (layout.number[:18] == 6).all() and layout.number[18] == 0


def spoil(key, place, value):
    return lambda board: board[key].__setitem__(place, value)


def put(**items):
    return lambda board: board.update(items)


def without_robber(h, entry):
    return lambda board: [spoil("hexes", h, entry)(board), board.pop("robber")]


def red(**pieces):
    return lambda board: board["start"][0].update(pieces)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (put(harbours=[]), "unknown key 'harbours' in board; allowed: hexes, harbors, robber, start"),
        (lambda board: board.pop("harbors"), "lacks the key 'harbors'"),
        (lambda board: board.pop("hexes"), "lacks the key 'hexes'"),
        (lambda board: board["hexes"].pop(), r"hexes are missing: \(0, 2\)"),
        (lambda board: board["hexes"].append([0, 0, "desert", None]), r"hex \(0, 0\) is listed twice"),
        (spoil("hexes", 0, [9, 9, "hills", 5]), r"hex \(9, 9\) is not on the map"),
        (spoil("hexes", 0, [0, -2, "hills"]), r"a hex must have the form \(q, r, terrain, number or None\)"),
        (spoil("hexes", 0, ["0", -2, "hills", 5]), "integers q and r"),
        (
            spoil("hexes", 0, [0, -2, "swamp", 5]),
            r"terrain of hex \(0, -2\): 'swamp'; allowed: forest, hills",
        ),
        (spoil("hexes", 0, [0, -2, "hills", 7]), r"number 7 of hex \(0, -2\) is not one of 2\.\.6, 8\.\.12"),
        (spoil("hexes", 0, [0, -2, "hills", 300]), "number 300"),
        (spoil("hexes", 0, [0, -2, "hills", 5.5]), "number 5.5"),
        (spoil("hexes", 0, [0, -2, "hills", "5"]), "number 5 of"),
        (spoil("hexes", 9, [0, 0, "desert", 5]), r"the desert \(0, 0\) has number 5"),
        (put(hexes=19), "hexes must be a list"),
        (spoil("harbors", 0, [0, -2, "N", "3:1"]), "unknown side: 'N'; allowed: NE, E"),
        (spoil("harbors", 0, [0, -2, "NW", "4:1"]), r"harbor at \(0, -2\) NW: '4:1'; allowed: .*ore, 3:1"),
        (spoil("harbors", 0, [0, -2, "SE", "3:1"]), "is not on the coast"),
        (spoil("harbors", 0, [8, -2, "SE", "3:1"]), "is not a path of the map: it borders no hex"),
        (spoil("harbors", 0, [0, -2]), r"a harbor must have the form \(q, r, side, kind\)"),
        (spoil("harbors", 0, [1, -2, "NE", "3:1"]), r"two harbors at \[1, -2, 'NE'\]"),
        (put(robber=[3, 3]), r"hex \(3, 3\) is not on the map"),
        (put(robber=4), r"a robber must have the form \(q, r\)"),
        (without_robber(0, [0, -2, "desert", 0]), "robber is missing.* 2 deserts"),
        (without_robber(9, [0, 0, "hills", 5]), "robber is missing.* no desert"),
        (spoil("start", 0, {"color": "red"}), "keys color, settlements and roads"),
        (red(settlements=[["N", 0, -1]]), "red needs one start road"),
        (red(settlements=[["N", -2, 2], ["N", 0, -1]]), "red's road at .* does not touch its settlement"),
        (red(settlements=[["N", 9, 9], ["N", 0, -1]]), "corner N of cell"),
        (red(roads=[[9, 9, "W"], [1, -2, "SW"]]), "side W of cell"),
        (lambda board: board["start"].append(board["start"][0]), "two start settlements lie at"),
    ],
)
def test_board_errors(base, board, change, message):
    change(board)
    with pytest.raises(BoardError, match=message):
        base.layout(board)


def test_robber_starts_in_the_only_desert_or_where_set(base, board):
    del board["robber"]
    assert base.layout(board).robber == base.topology.hex_at(0, 0)
    assert base.layout({**board, "robber": (1, 1)}).robber == base.topology.hex_at(1, 1)


def test_wrong_kinds_of_board(base):
    other = load_map("large").layouts["fixed"]
    for board, message in (("fixed", "no layout.*known: beginner"), (other, "another map"), (5, "not int")):
        with pytest.raises(BoardError, match=message):
            base.layout(board)


def test_map_files(tmp_path):
    for name, message in (("huge", "unknown map 'huge'; known: base"), (tmp_path / "no.toml", "no map or layout file")):
        with pytest.raises(BoardError, match=message):
            load_map(name)

    file = tmp_path / "tiny.toml"
    hills = "rows = [[0, 0, 2]]\nterrain_counts = { hills = 2 }\n"
    file.write_text(hills)
    tiny = load_map(str(file))
    assert (tiny.name, tiny.topology.num_hexes, tiny.layouts) == ("tiny", 2, {})
    assert tiny.spirals.shape == (0, 2) and tiny.piece_kinds.shape == tiny.small_harbors.shape == (0, 2)
    assert tiny.harbors_of_pieces([]) == []

    for text, message in (
        ("rows = 3", "map 'tiny': "),
        ("rows = [[0, 0, 2]]", "'terrain_counts' is missing"),
        (hills.replace("2 }", "1 }"), "add up to 1"),
        (hills.replace("hills", "bog"), "unknown terrain: 'bog'"),
        (hills + "numbers.tokens = [5]", "1 number tokens for 2 hexes"),
        (hills + "frame.sides = [0]", "1 sides but 0 pieces"),
        (hills + "frame.small = [[99, '3:1']]", "coast index 99"),
        (hills + "frame.small = [[0, 'x']]", "unknown harbor kind"),
        (hills + "harbor_sites.coast = [0]", "1 places but 0 kinds"),
        ("rows = [", "tiny.toml, at its end: this is not TOML"),
    ):
        file.write_text(text)
        with pytest.raises(BoardError, match=message):
            load_map(file)
