"""Numbers in map files that become indexes, tested at their bounds, just beyond them, and at integer extremes."""

import copy
import json
import os
from functools import cache

import numpy as np
import pytest

import catan_env
from catan_env import BatchEngine
from catan_env.board import load_map, map_names
from catan_env.board.topology import frozen_array
from catan_env.engine import registry
from catan_env.engine.declare import BoardArray, Field, Size, set_up
from catan_env.engine.program import program_of
from catan_env.errors import BoardError, CompositionError
from catan_env.games.scenario_file import scenario_from
from catan_training import cli
from tests.coin_toy import module
from tests.graph_boards import GRAPH, GRID, NUMBERS
from tests.strategies import PLAIN_PYTHON, play_on

TYPE_EXTREMES = (-(2**63), -(2**31), -(2**15) - 1, -(2**15), -129, -128, 128, 255, 256, 2**15 - 1, 2**15, 2**31, 10**30)


def params_of(scenario, board=None, players=None, **rules):
    """Return the parameters that rules read from a board, without compiling."""
    scenario = catan_env.find_scenario(scenario) if isinstance(scenario, str) else scenario
    players = players or scenario.players[-1]
    laid = scenario.laid(board, players)
    program = program_of(laid)
    return program.params(laid.values(program.composition.numbers, players, rules), laid.board)


# -- places in map files, as declarations name them --------------------------------------------------------


def entries_of(table, declared):
    """Return (container, key) of every number in a map file that goes into a declared board array."""
    match declared.key.split("."):
        case ["marks", mark, key] if key in table.get("marks", {}).get(mark, {}):
            entries = table["marks"][mark][key]
            return [(entries, k) for k in range(len(entries))]
        case ["numbers", "tokens"] if "tokens" in table.get("numbers", {}):
            return [(table["numbers"]["tokens"], k) for k in range(len(table["numbers"]["tokens"]))]
        case ["frame", "sides"] if table.get("frame"):
            return [(table["frame"]["sides"], k) for k in range(6)]
        case ["frame", "pieces"] if table.get("frame") and declared.name == "piece_offsets":
            return [(harbor, 0) for piece in table["frame"]["pieces"] for harbor in piece]
        case ["frame", "small"] if declared.entry == 0:
            return [(harbor, 0) for harbor in table.get("frame", {}).get("small", [])]
        case ["harbor_sites", "coast"] if table.get("harbor_sites"):
            return [(table["harbor_sites"]["coast"], k) for k in range(len(table["harbor_sites"]["coast"]))]
        case ["terrain_counts"] if "terrain_counts" in table:
            return [(table["terrain_counts"], terrain) for terrain in table["terrain_counts"]]
    return []


@cache
def played_on(board_map):
    """Return (scenario, players) of every registered scenario that uses a map."""
    return [
        (name, players)
        for name, scenario in catan_env.scenarios().items()
        for players in scenario.players
        if hasattr(scenario.board, "map") and scenario.board.map_for.get(players, scenario.board.map).name == board_map
    ]


@cache
def numbers_in(board_map):
    """Return (scenario, players, declaration, low, high) of every array that a map file gives as numbers."""
    cases = {}
    for scenario, players in played_on(board_map):
        composition = program_of(catan_env.find_scenario(scenario)).composition
        for declared in composition.board_arrays:
            if entries_of(load_map(board_map).source, declared):
                cases.setdefault(declared, (scenario, players, declared, *composition.bounds(declared)))
    return list(cases.values())


def spoiled(board_map, declared, place, value):
    """Return the contents of a map file with another number at one place of an array."""
    table = copy.deepcopy(dict(load_map(board_map).source))
    container, key = entries_of(table, declared)[place]
    container[key] = value
    return table


every_map = pytest.mark.parametrize("board_map", map_names())


def test_numbers_of_all_registered_maps_are_fed():
    fed = {(board_map, case[2].name) for board_map in map_names() for case in numbers_in(board_map)}
    assert {("fog_islands_4", "region_island"), ("base", "piece_offsets"), ("new_world", "number_tokens")} <= fed
    assert {("pirate_islands", "lane_step"), ("wonders", "wonder_site_wall"), ("large", "small_harbors")} <= fed
    with_numbers = {name for name in map_names() if any(m.numbers for m in load_map(name).topology.marks.values())}
    on_grids = {name for name in with_numbers if "format" not in load_map(name).source}
    assert on_grids <= {board_map for board_map, _ in fed}


@pytest.mark.core
@every_map
def test_numbers_out_of_bounds_are_refused_where_they_are_read(board_map):
    """The error names the key and the value, regardless of the integer type of the array."""
    for scenario, players, declared, low, high in numbers_in(board_map):
        for place in {0, len(entries_of(load_map(board_map).source, declared)) - 1}:
            for value in (low - 1, high + 1, *TYPE_EXTREMES):
                if not low <= value <= high:
                    table = spoiled(board_map, declared, place, value)
                    with pytest.raises(BoardError) as caught:
                        params_of(scenario, table, players)
                    assert str(value) in str(caught.value), (declared.name, value, caught.value)
                    assert declared.key.split(".")[-1] in str(caught.value), (declared.name, value, caught.value)


@every_map
def test_games_are_played_within_all_arrays_at_the_bounds(board_map):
    """Plain Python checks every index. Files whose other numbers conflict with a bound may be rejected."""
    for scenario, players, declared, low, high in numbers_in(board_map):
        for value in {low, high}:
            table = spoiled(board_map, declared, 0, value)
            try:
                params_of(scenario, table, players)
            except BoardError:
                continue
            if PLAIN_PYTHON:
                engine = BatchEngine(scenario, 2, players, seed=3, board=table)
                play_on(engine, 25, seed=2)
                assert not [name for _, name in engine.broken_invariants() if name.startswith("bounds")], declared


@pytest.mark.core
def test_an_island_beyond_the_last_is_refused():
    table = copy.deepcopy(dict(load_map("fog_islands_4").source))
    table["marks"]["region"]["island"][4] = 127
    with pytest.raises(BoardError, match=r"map 'fog_islands_4'.*marks.region.island\[4\] is 127; allowed are -1 to 15"):
        BatchEngine("seafarers_fog_islands", board=table)


# -- frame, sites, tokens ----------------------------------------------------------------------------------


def base_table(change):
    table = copy.deepcopy(dict(load_map("base").source))
    change(table)
    return table


@pytest.mark.core
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda t: t["frame"]["pieces"][0][0].__setitem__(0, 5), r"frame.pieces\[0\]: offset 5 is not in 0..4"),
        (lambda t: t["frame"]["pieces"][5][0].__setitem__(0, 127), r"frame.pieces\[5\]: offset 127 is not in 0..4"),
        (lambda t: t["frame"]["pieces"][5][0].__setitem__(0, 30000), "offset 30000 is not in 0..4"),
        (lambda t: t["frame"]["pieces"][5][0].__setitem__(0, -1), "offset -1 is not in 0..4"),
        (lambda t: t["frame"]["pieces"][1].extend([[1, "3:1"], [3, "3:1"]]), "has 3 harbors; allowed are 2"),
        (lambda t: t["frame"]["sides"].__setitem__(5, 30), "frame.sides: coast index 30 is not in 0..29"),
        (lambda t: t["frame"]["sides"].__setitem__(5, 1), "coast indices in ascending order"),
        (lambda t: t["frame"]["sides"].__setitem__(5, 29), "offset 3 is not in 0..0"),
        (lambda t: t["harbor_sites"]["coast"].__setitem__(1, 0), "harbor_sites.coast: coast index 0 is given twice"),
        (lambda t: t["numbers"]["tokens"].__setitem__(0, 7), "numbers.tokens has 7; allowed are 2, 3"),
        (lambda t: t["numbers"]["tokens"].__setitem__(0, 13), "numbers.tokens has 13; allowed are 2, 3"),
        (lambda t: t["numbers"].update(shuffled=True), "numbers.spiral and numbers.shuffled are both true"),
        (lambda t: t["numbers"].update(spirals=True), "unknown key 'spirals' in numbers; allowed: tokens, spiral"),
        (lambda t: t["frame"].update(side=[]), "unknown key 'side' in frame; allowed: sides, pieces, small"),
        (lambda t: t["terrain_counts"].update(forest=300), "terrain_counts.forest is 300; allowed are 0 to 127"),
    ],
)
def test_parts_of_a_map_that_do_not_fit_are_refused(change, words):
    with pytest.raises(BoardError, match=words):
        load_map(base_table(change))


def test_the_farthest_harbor_of_every_piece_fits_on_every_side():
    table = base_table(lambda t: t["frame"]["pieces"].__setitem__(5, [[4, "lumber"]]))
    engine = BatchEngine("base", 8, board=table, seed=1)
    assert not engine.broken_invariants()
    assert ((engine.state["harbor"] >= 0).sum(axis=1) == 9).all()


@pytest.mark.core
def test_no_number_wraps_when_it_is_stored():
    assert frozen_array(np.array([127, -128]), np.int8).tolist() == [127, -128]
    for values in (np.array([128]), [[300]], np.array([-129])):
        with pytest.raises(OverflowError, match="is not in -128..127"):
            frozen_array(values, np.int8)
    table = copy.deepcopy(GRAPH)
    table["hexes"] += [{"id": f"h{k}", "terrain": "forest", "number": None, "center": [k, 900]} for k in range(200)]
    with pytest.raises(BoardError, match="is not in -128..127"):
        load_map(table)


@pytest.mark.usefixtures("plain_python")
def test_drawn_sea_gets_no_number():
    table = base_table(lambda t: t["terrain_counts"].update(forest=1, sea=3))
    table["numbers"]["tokens"] = table["numbers"]["tokens"][:15]
    scenario = scenario_of({"map": table})
    engine = BatchEngine(scenario, 8, seed=2)
    assert not engine.broken_invariants()
    assert (engine.state["number"][engine.state["terrain"] == 6] == 0).all()
    assert ((engine.state["number"] > 0).sum(axis=1) == 15).all()


# -- marks and sizes ---------------------------------------------------------------------------------------


def scenario_of(board, *modules, **config):
    """Return a scenario with the base rules and further modules on a board."""
    config = {"name": "bounds_toy", "version": 0, "title": "", "summary": "", "numbers": NUMBERS, **config}
    try:
        base_modules = catan_env.find_scenario("base").modules
        return scenario_from({"facts": {"players": [2, 3]}, **config, "board": board}, (*base_modules, *modules))
    finally:
        registry._scenarios.pop("bounds_toy", None)


VILLAGES = Size("village")
STOCK = Field("stock", (VILLAGES,), "i1", 0, 9, "cloth of each village")


@set_up
def lay_stock(game, params):
    for village in range(VILLAGES):
        game.stock[village] = params.village_cloth[village]


def test_rules_read_numbers_of_marks_only_where_a_module_bounds_them():
    with pytest.raises(CompositionError, match=r"lay_stock uses params.village_cloth.* BoardArray\('village_cloth'"):
        params_of(scenario_of({"map": GRID}, module("cloth_toy", FIELDS=(STOCK,), lay_stock=lay_stock)))
    arrays = (BoardArray("village_cloth", "marks.village.cloth", "cloth of each village", field=STOCK),)
    bounded = module("cloth_toy", FIELDS=(STOCK,), BOARD_ARRAYS=arrays, lay_stock=lay_stock)
    assert params_of(scenario_of({"map": GRID}, bounded))["village_cloth"].tolist() == [[5, 3]]
    table = copy.deepcopy(GRID)
    table["marks"]["village"]["cloth"] = [5, 10]
    with pytest.raises(BoardError, match=r"marks.village.cloth\[1\] is 10; allowed are 0 to 9 \(cloth of each village"):
        params_of(scenario_of({"map": table}, bounded))


@pytest.mark.parametrize(
    ("mark", "words"),
    [
        ({"hex": {"hexes": [[0, 0]], "neighbors": [0]}}, "'hex' defines params.hex_neighbors"),
        ({"path": {"hexes": [[0, 0]]}}, "'path' defines params.path_hexes"),
        ({"road": {"hexes": [[0, 0]], "cost": [0]}}, "params.road_cost already exists"),
        ({"num": {"hexes": [[0, 0]], "players": [1]}}, "params.num_players already exists"),
        ({"action": {"hexes": [[0, 0]], "kind": [1]}}, "params.action_kind already exists"),
    ],
)
def test_marks_take_no_name_that_rules_know(mark, words):
    with pytest.raises(BoardError, match=words):
        params_of(scenario_of({"map": base_table(lambda t: t.update(marks=mark))}))


def test_places_that_rules_look_up_by_seat_are_as_many_as_the_seats():
    table = copy.deepcopy(dict(load_map("pirate_islands").source))
    table["marks"]["fortress"]["intersections"].pop()
    home = catan_env.find_scenario("seafarers_pirate_islands")
    board = {"map": table}
    config = {"facts": {"players": [3, 4]}, "name": "bounds_toy", "version": 0, "title": "", "summary": ""}
    try:
        scenario = scenario_from({**config, "numbers": dict(home.numbers), "board": board}, home.modules)
    finally:
        registry._scenarios.pop("bounds_toy", None)
    with pytest.raises(BoardError, match="marks.fortress has 3 entries; allowed: at least 4"):
        params_of(scenario)


def test_boards_with_more_hexes_than_a_field_can_number_are_refused():
    rows = [[0, r, 13] for r in range(10)]
    numbers = {"tokens": [5] * 130, "spiral": True}
    table = {"rows": rows, "terrain_counts": {"forest": 127, "hills": 3}, "numbers": numbers}
    with pytest.raises(CompositionError, match="'robber' numbers hexes up to 127, but .* has 130 of them"):
        params_of(scenario_of({"map": table}))


def test_gifts_that_are_harbors_lie_where_the_layout_has_harbors():
    table = copy.deepcopy(dict(load_map("forgotten_tribe").source))
    table["marks"]["gift"]["kind"][0] = 2
    with pytest.raises(BoardError, match="'forgotten_tribe'.*gifts of kind 2 must be on the harbors of the layout"):
        params_of("seafarers_forgotten_tribe", table)


# -- missing optional tables -------------------------------------------------------------------------------


def ten_hexes(**parts):
    """Return a map of ten hexes with a randomly drawn layout."""
    return {
        "name": "ten",
        "rows": [[0, 0, 3], [-1, 1, 4], [-1, 2, 3]],
        "terrain_counts": {"forest": 2, "hills": 2, "pasture": 2, "fields": 2, "mountains": 1, "desert": 1},
        "numbers": {"tokens": [5, 2, 6, 3, 8, 10, 9, 12, 11], "spiral": True},
        **parts,
    }


SITES = {"coast": [0, 4, 8], "kinds": ["3:1", "3:1", "ore"]}
FRAME = {
    "sides": [0, 3, 6, 10, 13, 16],
    "pieces": [[[0, "3:1"]], [[1, "ore"]], [[2, "3:1"]], [[0, "wool"]], [[1, "3:1"]], [[2, "brick"]]],
}


def harbors_on(board, **rules):
    engine = BatchEngine(scenario_of({"map": board}), 4, 2, seed=1, rules=rules)
    assert not engine.broken_invariants()
    return (engine.state["harbor"] >= 0).sum(axis=1).tolist()


@pytest.mark.rule("base.board_layout.14")
@pytest.mark.usefixtures("plain_python")
def test_the_way_to_draw_harbors_that_a_map_has_is_used():
    assert harbors_on(ten_hexes(harbor_sites=SITES)) == [3] * 4
    assert harbors_on(ten_hexes(frame=FRAME)) == [6] * 4
    assert harbors_on(ten_hexes(frame={"small": [[0, "3:1"], [7, "ore"]]})) == [2] * 4
    both = ten_hexes(frame=FRAME, harbor_sites=SITES)
    assert harbors_on(both) == [6] * 4 and harbors_on(both, harbors="shuffled") == [3] * 4
    assert harbors_on(ten_hexes()) == [0] * 4


def test_a_way_to_draw_harbors_that_a_map_has_not_is_refused():
    for board in (ten_hexes(frame=FRAME), ten_hexes()):
        with pytest.raises(BoardError, match=r"harbors='shuffled' needs a map with \[harbor_sites\].*'ten' has none"):
            params_of(scenario_of({"map": board}), harbors="shuffled")


@pytest.mark.parametrize("left_out", ["numbers", "layouts", "layout", "coast", "fixed", "marks", "status", "terrains"])
@pytest.mark.parametrize("board_map", [name for name in map_names() if "rows" in load_map(name).source])
def test_maps_without_an_optional_table_are_played_or_refused(board_map, left_out):
    """A layout is drawn only if the map has the numbers and islands that the rules need."""
    table = {key: value for key, value in load_map(board_map).source.items() if key != left_out}
    if left_out == "layouts":
        table.pop("layout", None)
    for scenario in catan_env.scenarios().values():
        home_map = getattr(scenario.board, "map", None)
        if home_map is not None and home_map.name == board_map:
            try:
                params = params_of(scenario, table)
            except BoardError as error:
                assert len(str(error)) > 20
            else:
                drawn = not params["layout_given"][0]
                assert not drawn or (params["number_tokens"][0, 0] > 0)


def test_numbers_that_chance_lays_need_rules_that_do_so():
    table = base_table(lambda t: t.update(numbers={"tokens": t["numbers"]["tokens"], "shuffled": True}))
    with pytest.raises(BoardError, match=r"numbers.shuffled.*this scenario does not support"):
        params_of("base", table)


# -- the command -------------------------------------------------------------------------------------------


def test_the_checker_takes_what_board_takes(tmp_path, capsys):
    layout = catan_env.find_scenario("base").board.laid("beginner", 4).save()
    file = tmp_path / "layout.json"
    file.write_text(json.dumps(layout))
    assert (
        BatchEngine("base", board=file).state["terrain"][0].tolist()
        == load_map("base").layouts["beginner"].terrain.tolist()
    )
    assert cli.main(["board", "check", str(file)]) == 0
    shown = capsys.readouterr().out
    assert "the layout is valid" in shown and "Scenarios on this board: base," in shown
    layout["hexes"][0][3] = 7
    file.write_text(json.dumps(layout))
    assert cli.main(["board", "check", str(file)]) == 1
    assert "on map 'base': number 7 of hex (0, -2)" in capsys.readouterr().out
    assert cli.main(["board", "check", str(file), "--scenario", "base_5_6"]) == 1
    assert "hexes are missing: (0, -3)" in capsys.readouterr().out


def test_the_checker_knows_what_rules_take(tmp_path, capsys):
    table = copy.deepcopy(GRAPH)
    file = tmp_path / "map.json"
    file.write_text(json.dumps(table))
    assert cli.main(["board", "check", str(file)]) == 0
    assert "none of the package has its sizes" in capsys.readouterr().out
    text = json.dumps(ten_hexes())
    file.write_text(text)
    assert cli.main(["board", "check", str(file)]) == 0
    assert "drawn without harbors: the map has neither [frame] nor [harbor_sites]" in capsys.readouterr().out
    table = copy.deepcopy(dict(load_map("wonders").source))
    table["marks"]["wonder_site"]["wall"][0] = 2
    file.write_text(json.dumps(table))
    assert cli.main(["board", "check", str(file)]) == 1
    assert "marks.wonder_site.wall[0] is 2; allowed are 0 to 1" in capsys.readouterr().out
    (tmp_path / "folder.json").mkdir()
    assert cli.main(["board", "check", str(tmp_path / "folder.json")]) == 2
    assert "is a folder" in capsys.readouterr().err


@pytest.mark.parametrize("ending", [".toml", ".json"])
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_pipes_and_devices_are_no_boards(tmp_path, ending):
    os.mkfifo(tmp_path / f"pipe{ending}")
    (tmp_path / f"zero{ending}").symlink_to("/dev/zero")
    for name in ("pipe", "zero"):
        with pytest.raises(BoardError, match="is a device or pipe; give an ordinary file"):
            params_of("base", str(tmp_path / f"{name}{ending}"))


# -- edited states -----------------------------------------------------------------------------------------


@pytest.mark.core
def test_values_out_of_the_bounds_of_their_field_are_reported():
    engine = BatchEngine("base", 3, 3, seed=4)
    assert engine.broken_invariants() == []
    for field in engine.program.composition.fields.values():
        low, high = engine.program.composition.bounds(field)
        limits = np.iinfo(field.dtype)
        for value in {max(low - 1, limits.min), min(high + 1, limits.max)}:
            if not low <= value <= high and engine.state[field.name].size:
                twin = engine.clone()
                twin.state[field.name][(1, *(0 for _ in field.shape))] = value
                assert twin.broken_invariants() == [(1, f"bounds of {field.name}")]


def test_a_robber_off_the_map_is_reported():
    engine = BatchEngine("base", 2, seed=4)
    engine.state["robber"][0] = 120
    engine.refresh()
    assert engine.broken_invariants() == [(0, "bounds of robber")]


def test_other_games_are_checked_all_the_same():
    engine = BatchEngine("base", 4, seed=4)
    engine.state["robber"][2] = 120
    engine.state["bank"][3, 0] = 0
    assert engine.broken_invariants() == [(2, "bounds of robber"), (3, "cards_conserved")]


def test_every_array_that_modules_bound_exists():
    """A declaration with a misspelled name would check nothing."""
    known, declared = set(), set()
    for scenario in catan_env.scenarios().values():
        composition = program_of(scenario).composition
        known |= {*params_of(scenario).dtype.names}
        declared |= {array.name for array in composition.board_arrays}
    assert declared <= known
