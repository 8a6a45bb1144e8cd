"""Graph maps, marks, and maps with sea: loading, rejected boards, and games on them."""

import copy
import json

import numpy as np
import pytest

import catan_env
from catan_env import BatchEngine
from catan_env.board import load_map, map_names, place_names
from catan_env.board.terrain import BARE, RESOURCES, TERRAINS
from catan_env.encoders import layout_of
from catan_env.encoders.places import places_of
from catan_env.encoders.planes import grid
from catan_env.engine import registry
from catan_env.envs import CatanVectorEnv, SB3VecEnv, aec_env, parallel_env
from catan_env.envs.single import CatanEnv
from catan_env.errors import BoardError, OptionError
from catan_env.games.scenario_file import scenario_from
from tests.coin_toy import TOY, module
from tests.graph_boards import GRAPH, GRID, NUMBERS, corsica_with_a_town_abroad

BASE_MODULES = catan_env.find_scenario("base").modules


@pytest.fixture
def scenario():
    """Yield a scenario with the base rules on a graph, registered for one test."""
    table, _ = corsica_with_a_town_abroad()
    config = {"name": "graph_toy", "version": 0, "title": "Graph", "summary": "Base rules on a graph."}
    yield scenario_from(
        {**config, "facts": {"players": [3, 4]}, "board": {"map": table}, "numbers": NUMBERS}, BASE_MODULES
    )
    del registry._scenarios["graph_toy"]


# -- loading maps -----------------------------------------------------------------------------------------


@pytest.mark.core
@pytest.mark.parametrize("source", ["corsica", "new_york", GRAPH], ids=["corsica", "new_york", "of the page"])
def test_adjacency_of_graphs_is_mutual(source):
    board_map = load_map(source)
    t, table = board_map.topology, board_map.source
    assert t.hex_keys == tuple((entry["id"],) for entry in table["hexes"])
    for i, entry in enumerate(table["junctions"]):
        assert sorted(t.hex_keys[h][0] for h in t.intersection_hexes[i] if h >= 0) == sorted(entry["hexes"])
        for neighbor, path in zip(t.intersection_neighbors[i], t.intersection_paths[i], strict=True):
            assert (neighbor < 0) == (path < 0)
            assert path < 0 or set(t.path_intersections[path]) == {i, neighbor}
    for p, road in enumerate(table["roads"]):
        ends = [t.intersection_at(road["a"]), t.intersection_at(road["b"])]
        assert sorted(ends) == t.path_intersections[p].tolist() and t.path_at(road["id"]) == p
        assert all(p in t.intersection_paths[end] for end in ends)
        assert all(p in t.hex_paths[h] for h in t.path_hexes[p] if h >= 0)
    for h in range(t.num_hexes):
        corners = [i for i in t.hex_intersections[h] if i >= 0]
        assert sorted(corners) == [i for i in range(t.num_intersections) if h in t.intersection_hexes[i]]
        assert all(h in t.hex_neighbors[other] for other in t.hex_neighbors[h] if other >= 0)
    assert (t.intersection_paths >= 0).sum() == 2 * t.num_paths


@pytest.mark.rule("geography.crossing_chips.1")
def test_reconstructions_have_the_stated_size():
    corsica, new_york = load_map("corsica"), load_map("new_york")
    assert corsica.status == new_york.status == "reconstruction"
    assert [corsica.sizes[k] for k in ("hexes", "intersections", "paths", "site", "vp", "certificate")] == [
        28, 80, 107, 23, 11, 9,
    ]  # fmt: skip
    sizes = ("hexes", "intersections", "paths", "site", "canal_site", "vp", "certificate")
    assert [new_york.sizes[k] for k in sizes] == [32, 93, 124, 28, 9, 9, 9]
    assert new_york.layout(None).robber == -1 and corsica.layout(None).robber == corsica.topology.hex_at("h04")
    canal = new_york.topology.marks["canal_site"]
    assert canal.names[0] == "Buffalo" and canal.names[-1] == "Albany"
    assert set(canal.places) < set(new_york.topology.marks["site"].places)


@pytest.mark.core
def test_a_graph_has_the_widths_it_needs():
    t = load_map(GRAPH).topology
    assert (t.sizes["degree"], t.sizes["corners"]) == (4, 5)
    assert (t.intersection_paths[t.intersection_at("pass")] >= 0).sum() == 4
    assert t.intersection_at("port") in t.hex_intersections[t.hex_at("ridge")], "off-map production"
    first, last = t.path_lines[t.path_at("r11")][0], t.path_lines[t.path_at("r11")][-1]
    assert (first, last) == ((3.56, 2.9), (4.6, 3.4)) and len(t.path_lines[t.path_at("r11")]) == 3


@pytest.mark.core
def test_marks_become_axes_tables_and_names():
    config = {"name": "marked", "version": 0, "title": "", "summary": "", "facts": {"players": [2]}, "numbers": NUMBERS}
    try:
        graph = scenario_from({**config, "board": {"map": GRAPH}}, BASE_MODULES)
        grid = scenario_from({**config, "board": {"map": GRID}}, BASE_MODULES)
    finally:
        del registry._scenarios["marked"]
    t, tables = graph.board.topology, graph.board.laid(None, 2).tables({}, 2)
    assert (graph.sizes["toll"], graph.sizes["certificate"], graph.sizes["vp"]) == (2, 1, 1)
    assert tables["toll_paths"].tolist() == [t.path_at("r3"), t.path_at("r4")]
    assert tables["toll_price"].tolist() == [1, 2] and tables["path_toll"][t.path_at("r4")] == 1
    assert tables["path_toll"].tolist().count(-1) == t.num_paths - 2
    assert tables["certificate_resource"].tolist() == [RESOURCES.index("wool")]
    assert tables["certificate_rate"].tolist() == [2] and graph.names["certificate"] == ("Quay (path r11)",)
    village = grid.board.topology.marks["village"]
    assert grid.names["village"][0] == "Upper Village (intersection N of (3, 1))"
    assert grid.board.laid(None, 2).tables({}, 2)["village_cloth"].tolist() == [5, 3]
    assert grid.board.laid(None, 2).tables({}, 2)["intersection_village"][village.places].tolist() == [0, 1]
    assert grid.sizes["start_area"] == 6 and grid.names["terrains"] == TERRAINS[:7]


@pytest.mark.core
def test_axes_of_marks_belong_to_their_places():
    from catan_env.encoders.layout import Column, Layout

    topology = load_map(GRID).topology
    villages = (Column(f"cloth/village_{k}", 1, "village", k, "cloth") for k in range(2))
    layout = Layout("toy", (*villages, Column("turn", 1, None, 0, "turn")))
    places = places_of(layout, topology)
    (line,) = places.kinds["intersections"].columns
    assert line[topology.marks["village"].places].tolist() == [0, 1] and (line < 3).sum() == 2
    assert places.kinds["paths"].names == () and places.global_columns.tolist() == [2]


@pytest.mark.core
def test_sea_is_no_land():
    board_map = load_map(GRID)
    t = board_map.topology
    sea = {t.hex_at(q, r) for q, r in ((2, 0), (1, 1), (1, 2))}
    for path, land in zip(t.coast_paths, t.coast_hexes, strict=True):
        assert land not in sea and land in t.path_hexes[path]
        assert len({h for h in t.path_hexes[path].tolist() if h >= 0} - sea) == 1
    inner = t.path_at(2, 1, "W")
    assert inner in t.coast_paths and (t.path_hexes[inner] >= 0).all(), "a shore inside the map"
    few = load_map(GRID | {"coast": [[0, 0, "NW"], [2, 1, "W"], [2, 0, "NW"]]}).topology
    assert few.sizes["coast"] == 3 and few.coast_hexes.tolist() == [t.hex_at(0, 0), t.hex_at(2, 1), t.hex_at(2, 0)]
    assert load_map(GRID | {"coast": "everywhere"}).topology.sizes["coast"] == t.num_paths
    layout = board_map.layout(None)
    assert {int(h) for h in np.flatnonzero(layout.terrain == TERRAINS.index("sea"))} == sea
    with pytest.raises(BoardError, match="the sea .* has number 5; it must have number 0"):
        wet = copy.deepcopy(GRID)
        wet["layouts"]["usual"]["hexes"][2] = [2, 0, "sea", 5]
        load_map(wet)


def test_what_base_encodes_has_no_column_for_other_terrains():
    names = layout_of(BatchEngine("base").program, 4).names
    assert {name.split("/")[1] for name in names if name.startswith("terrain/")} == set(TERRAINS[:6])


# -- readable names ---------------------------------------------------------------------------------------


@pytest.mark.core
@pytest.mark.parametrize("name", [*map_names(), "grid"])
def test_names_of_places_are_short_and_unique(name):
    board_map = load_map(GRID if name == "grid" else name)
    t, rng = board_map.topology, np.random.default_rng(3)
    for k in range(12):
        terrain = rng.integers(0, len(board_map.terrains) if k % 2 else 2, t.num_hexes)
        number = np.where(np.isin(terrain, BARE), 0, rng.choice([2, 3, 4, 5, 6, 8, 9, 10, 11, 12], t.num_hexes))
        names = place_names(t, terrain, number)
        for kind in ("hexes", "intersections", "paths"):
            assert len(names[kind]) == t.count(kind) == len(set(names[kind]))
            assert max(map(len, names[kind])) <= 70
    assert place_names(t, [-1] * t.num_hexes, [0] * t.num_hexes)["hexes"] == t.names("hexes")


@pytest.mark.core
def test_places_are_called_by_what_lies_around():
    engine = BatchEngine("base", board="beginner")
    t, names = engine.topology, engine.place_names(0)
    corner = t.intersection_at("N", 0, 0)
    assert names["intersections"][corner] == "6 hills, 4 pasture, desert"
    city = engine.actions.id("build_city", corner)
    assert engine.describe(0, city) == "build a city on 6 hills, 4 pasture, desert"
    assert engine.actions.parse(engine.actions.describe(city)) == city
    assert names["paths"][t.path_at(0, 0, "E")] == "path desert / 3 forest"
    assert names["intersections"][t.intersection_at("N", 0, -2)] == "10 mountains N"
    assert names["hexes"][t.hex_at(0, 0)] == "desert"
    bastia = load_map("corsica")
    said = place_names(bastia.topology, bastia.layout(None).terrain, bastia.layout(None).number)
    assert said["intersections"][bastia.topology.intersection_at("bastia")] == "Bastia"


# -- games ------------------------------------------------------------------------------------------------


@pytest.mark.core
def test_a_town_abroad_gets_what_its_hexes_bring(scenario):
    _, away = corsica_with_a_town_abroad()
    engine = BatchEngine(scenario, 1, 3, chance="explicit")
    t, far = engine.topology, engine.topology.hex_at(away)
    bastia = t.intersection_at("bastia")
    assert far in t.intersection_hexes[bastia] and bastia in t.hex_intersections[far]
    for _ in range(200):
        decision = engine.decision(0)
        if decision == "dice":
            break
        if (
            decision == "place_initial_settlement"
            and engine.action_mask[0, engine.actions.id("build_settlement", bastia)]
        ):
            engine.step(np.array([engine.actions.id("build_settlement", bastia)]))
        elif engine.seat_to_act[0] < 0:
            engine.step(np.flatnonzero(engine.chance_mask[0])[:1])
        else:
            engine.step(np.flatnonzero(engine.action_mask[0])[:1])
    owner = int(engine.state["building_owner"][0, bastia])
    resource = int(engine.state["terrain"][0, far])
    before = int(engine.state["hands"][0, owner, resource])
    engine.step(np.array([engine.outcomes.id("dice", "12")]))
    assert engine.state["hands"][0, owner, resource] > before


def test_a_graph_is_played_in_every_environment(scenario):
    rng = np.random.default_rng(1)
    rules = {"victory_points": 4, "offers_per_turn": 0, "turn_limit": 40}
    engine = BatchEngine(scenario, 2, 3, seed=1, rules=rules, record=True)
    for _ in range(150):
        masks = engine.action_mask
        engine.step(np.array([rng.choice(np.flatnonzero(row)) if row.any() else -1 for row in masks]))
        assert engine.broken_invariants() == []
    again = catan_env.replay(json.loads(json.dumps(engine.replay_log(0))))
    assert np.array_equal(again.state["hands"][0], engine.state["hands"][0])
    graph = engine.observe("graph")
    assert graph["intersections"].shape[:2] == (2, 80) and graph["paths"].shape[:2] == (2, 107)
    assert engine.observe("planes").shape[0] == 2, "Corsica is drawn on a grid of hexes"
    with pytest.raises(OptionError, match="needs a map of hexes"):
        grid(load_map(GRAPH).topology)

    aec = aec_env(scenario, num_players=3, rules=rules)
    aec.reset(seed=1)
    for _ in aec.agent_iter(60):
        observation, _, ended, cut, _ = aec.last()
        aec.step(None if ended or cut else int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    parallel = parallel_env(scenario, num_players=3, rules=rules)
    observations, _ = parallel.reset(seed=1)
    for _ in range(20):
        masks = {agent: seen["action_mask"] for agent, seen in observations.items()}
        moves = {agent: int(rng.choice(np.flatnonzero(mask))) if mask.any() else 0 for agent, mask in masks.items()}
        observations, *_ = parallel.step(moves)
    single = CatanEnv(scenario, num_players=3, rules=rules)
    single.reset(seed=1)
    for _ in range(20):
        *_, ended, cut, _ = single.step(int(rng.choice(np.flatnonzero(single.action_masks()))))
        if ended or cut:
            single.reset()
    for make in (CatanVectorEnv, SB3VecEnv):
        vector = make(2, scenario, num_players=3, rules=rules)
        vector.reset()
        for _ in range(10):
            vector.step(vector.action_masks().argmax(axis=1))


@pytest.mark.core
def test_another_map_of_the_same_sizes_is_a_board(scenario, tmp_path):
    table, _ = corsica_with_a_town_abroad()
    renamed = json.loads(json.dumps(table).replace('"bastia"', '"new_bastia"'))
    renamed["hexes"][0]["number"] = 11
    file = tmp_path / "other.json"
    file.write_text(json.dumps(renamed))
    own, other = (BatchEngine(scenario, 1, 3, board=board, record=True) for board in (None, str(file)))
    assert own.program is other.program and other.state["number"][0, 0] == 11
    place = other.topology.intersection_at("new_bastia")
    assert other.actions.describe(other.actions.id("build_city", place)) == "build a city on intersection new_bastia"
    assert own.actions.describe(own.actions.id("build_city", place)) == "build a city on intersection bastia"
    log = json.loads(json.dumps(other.replay_log(0)))
    file.unlink()
    assert catan_env.replay(log).topology.intersection_at("new_bastia") == place
    for source, wrong in (("corsica", "base"), ("new_york", scenario)):
        with pytest.raises(BoardError, match="but this scenario needs"):
            BatchEngine(wrong, board=load_map(source))


def test_files_hold_layouts_too(tmp_path):
    layout = load_map("base").layouts["beginner"].to_coordinates()
    (tmp_path / "mine.json").write_text(json.dumps(layout))
    ours, theirs = BatchEngine("base", board=tmp_path / "mine.json"), BatchEngine("base", board="beginner")
    assert np.array_equal(ours.state["terrain"], theirs.state["terrain"])
    with pytest.raises(BoardError, match="There is no map or layout file at nowhere.json"):
        BatchEngine("base", board="nowhere.json")
    with pytest.raises(BoardError, match="has no numbers to draw a board with"):
        scenario = catan_env.find_scenario("base")
        bare = {k: v for k, v in load_map("base").source.items() if k != "numbers"}
        scenario.board.laid(load_map(bare), 4)


@pytest.mark.parametrize("source", [GRID, GRAPH], ids=["grid", "graph"])
@pytest.mark.usefixtures("plain_python")
def test_boards_with_sea_and_graphs_are_drawn(source):
    config = {
        "name": "drawn",
        "version": 0,
        "title": "",
        "summary": "",
        "facts": {"players": [2]},
        "board": {"map": source},
    }
    try:
        scenario = scenario_from({**config, "numbers": NUMBERS}, BASE_MODULES)
    finally:
        del registry._scenarios["drawn"]
    engine = BatchEngine(scenario, 1)
    drawn = engine.render(0, places=True).svg
    assert all(f"({', '.join(map(str, key))})" in drawn for key in engine.topology.hex_keys)


@pytest.mark.core
def test_a_game_without_a_board():
    config = {"name": "boardless", "version": 0, "title": "", "summary": "", "facts": {"players": [2]}}
    try:
        scenario = scenario_from(config, (module(**TOY),))
    finally:
        del registry._scenarios["boardless"]
    assert scenario.sizes == {"players": 2, "neutrals": 0, "opponents": 1}
    engine = BatchEngine(scenario, 2)
    assert engine.topology is None and engine.place_names(0) == {} and engine.observe("flat").shape[0] == 2
    for encoder in ("graph", "planes"):
        with pytest.raises(OptionError, match="has no map; use the encoder 'flat'"):
            engine.observe(encoder)
    with pytest.raises(BoardError, match="without a board"):
        BatchEngine(scenario, board="beginner")
