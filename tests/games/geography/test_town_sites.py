"""Sites, roads that end at them, crossings as sites, targets and the robber's start."""

import pytest
from geography_positions import HEXES, ROADS, Land, a_map, country, layout

from catan_env import BatchEngine
from catan_env.board import load_map
from catan_env.engine import registry
from catan_env.engine.registry import find_scenario
from catan_env.games.scenario_file import scenario_from
from catan_env.testing.positions import new_game

__all__ = ["country"]
SITES = ["alba", "brig", "cove", "dell", "kay", "lund", "moor", "port"]
TOWN = {"lumber": 1, "brick": 1, "wool": 1, "grain": 1}


def lands(country, game):
    """Ids of the roads that may be built."""
    return Land(country).names(game.legal("build_road"))


@pytest.mark.rule("geography.town_sites.1", "geography.town_sites.2")
def test_towns_are_placed_on_sites_only(country):
    game = new_game(country, 3).draw("start_player", 0)
    assert Land(country).towns(game.legal("build_settlement")) == SITES


@pytest.mark.rule("geography.town_sites.3")
def test_crossings_are_sites_if_the_rules_say_so(country):
    game = new_game(country, 3, crossings="sites").draw("start_player", 0)
    assert Land(country).towns(game.legal("build_settlement")) == sorted([*SITES, "v", "w"])


@pytest.mark.rule("geography.town_sites.2")
def test_towns_are_built_on_sites_only(country):
    place = layout(country, roads=[(0, "p-brig p-v v-kay")]).hand(0, **TOWN).on_turn(0)
    assert Land(country).towns(place.game().legal("build_settlement")) == ["brig", "kay"]


@pytest.mark.rule("geography.town_sites.3")
def test_a_town_on_a_crossing_grows_to_a_city(country):
    land = Land(country)
    place = layout(country, roads=[(0, "p-v")], crossings="sites").hand(0, **TOWN).hand(0, grain=2, ore=3).on_turn(0)
    game = place.game().do("build_settlement", land.at("v")).do("build_city", land.at("v"))
    assert game.state["building"][land.at("v")] == 2 and game.engine.visible_points[0, 0] == 2


@pytest.mark.rule("geography.town_sites.6")
def test_no_road_goes_on_beyond_an_empty_site(country):
    place = layout(country, roads=[(0, "alba-p p-brig")]).hand(0, lumber=1, brick=1).on_turn(0)
    assert lands(country, place.game()) == ["p-v"]


@pytest.mark.rule("geography.town_sites.6")
def test_beyond_a_site_with_an_own_town_it_does(country):
    place = layout(country, [(0, "brig")], [(0, "alba-p p-brig")]).hand(0, lumber=1, brick=1).on_turn(0)
    assert lands(country, place.game()) == ["brig-q", "p-v"]


@pytest.mark.rule("geography.town_sites.6")
def test_nor_beyond_a_site_with_the_town_of_another(country):
    place = layout(country, [(1, "brig")], [(1, "brig-q"), (0, "alba-p p-brig")]).hand(0, lumber=1, brick=1).on_turn(0)
    assert lands(country, place.game()) == ["p-v"]


@pytest.mark.rule("geography.town_sites.6")
def test_a_town_opens_the_roads_behind_it_at_once(country):
    land = Land(country)
    place = layout(country, roads=[(0, "alba-p p-brig")]).hand(0, **TOWN).hand(0, lumber=1, brick=1).on_turn(0)
    game = place.game().do("build_settlement", land.at("brig"))
    assert "brig-q" in lands(country, game)


@pytest.mark.rule("geography.town_sites.8")
def test_a_site_may_be_reached_from_both_sides(country):
    roads = [(0, "p-brig q-cove")]
    place = layout(country, [(0, "cove")], roads).hand(0, lumber=1, brick=1).on_turn(0)
    game = place.game().do("build_road", Land(country).path("brig-q"))
    assert game.state["road_length"][0] == 3, "roads that meet at an empty site are one road"


@pytest.mark.rule("geography.town_sites.7")
def test_roads_continue_over_junctions_and_crossings(country):
    place = layout(country, roads=[(0, "p-v")]).hand(0, lumber=1, brick=1).on_turn(0)
    assert lands(country, place.game()) == ["alba-p", "p-brig", "v-kay", "v-lund", "v-w"]


@pytest.mark.rule("geography.town_sites.7")
def test_no_road_goes_on_beyond_a_crossing_that_is_a_site(country):
    place = layout(country, roads=[(0, "p-v")], crossings="sites").hand(0, lumber=1, brick=1).on_turn(0)
    assert lands(country, place.game()) == ["alba-p", "p-brig"]


@pytest.mark.rule("geography.town_sites.6")
def test_free_roads_end_at_empty_sites_too(country):
    place = layout(country, roads=[(0, "p-brig")]).cards(0, road_building=1).on_turn(0)
    assert lands(country, place.game().do("play_road_building")) == ["alba-p", "p-v"]


@pytest.mark.rule("geography.town_sites.4")
def test_towns_keep_their_distance(country):
    game = layout(country, [(1, "cove")], [(0, "w-dell")]).hand(0, **TOWN).on_turn(0).game()
    assert not game.can("build_settlement")


@pytest.mark.rule("geography.town_sites.4")
def test_towns_may_be_neighbors_if_the_rules_say_so(country):
    place = layout(country, roads=[(0, "w-dell q-cove")], distance_rule="off").hand(0, **TOWN).hand(0, **TOWN)
    game = place.on_turn(0).game().do("build_settlement", Land(country).at("cove"))
    assert Land(country).towns(game.legal("build_settlement")) == ["dell"]


@pytest.mark.rule("geography.town_sites.4")
def test_with_it_off_the_initial_placement_still_needs_a_free_site(country):
    game = new_game(country, 3, distance_rule="off").draw("start_player", 0)
    game.do("build_settlement", Land(country).at("cove")).do("build_road", Land(country).path("q-cove"))
    assert Land(country).towns(game.legal("build_settlement")) == [name for name in SITES if name != "cove"]


@pytest.mark.rule("geography.town_sites.9")
def test_a_town_off_the_map_brings_what_its_hexes_bring(country):
    place = layout(country, [(0, "port")], cities=[(1, "moor")]).on_turn(0, "pre_roll")
    game = place.game().roll(8)
    assert game.state["hands"][:2, 4].tolist() == [1, 2]


@pytest.mark.rule("geography.town_sites.10")
def test_and_its_owner_may_be_robbed_there(country):
    place = layout(country, [(1, "port")]).hand(1, wool=1).on_turn(0, "place_robber")
    game = place.game().do("move_robber", list(HEXES).index("rock"))
    assert game.decision == "theft"


@pytest.mark.rule("geography.town_sites.1", "geography.town_sites.9")
def test_the_second_town_brings_the_cards_of_its_list(country):
    land, game = Land(country), new_game(country, 3, start_player="seat_0").draw("start_player", 0)
    for town, road in (("alba", "alba-p"), ("cove", "q-cove"), ("lund", "r-lund"), ("port", "x-port")):
        game.do("build_settlement", land.at(town)).do("build_road", land.path(road))
    assert game.state["hands"][2].tolist() == [0, 0, 0, 0, 1]


@pytest.mark.rule("geography.map.3")
@pytest.mark.parametrize("scenario", ["corsica", "new_york"])
def test_the_robber_starts_where_the_map_says(scenario):
    engine = BatchEngine(scenario, 2)
    start = load_map(scenario).source["robber_start"]["hex"]
    assert (engine.state["robber"] == (-1 if start is None else engine.topology.hex_at(start))).all()


@pytest.mark.rule("geography.map.3")
def test_off_the_hexes_it_blocks_nothing_until_it_is_moved(country):
    game = layout(country, [(0, "moor")]).on_turn(0, "pre_roll").game()
    assert game.state["robber"] == -1
    game.roll(8)
    assert game.state["hands"][0, 4] == 1
    game = layout(country, [(0, "moor")]).on_turn(0, "place_robber").game()
    assert len(game.legal("move_robber")) == len(HEXES), "it never goes back off the hexes"


@pytest.mark.rule("geography.crossing_chips.1", "geography.crossing_chips.6")
@pytest.mark.parametrize("name", ["corsica", "new_york"])
def test_targets_by_number_of_players(name):
    for players, points in {3: 13, 4: 12, 5: 10, 6: 10}.items():
        scenario = name if players <= 4 else f"{name}_5_6"
        rules = BatchEngine(scenario, 1, players).rules
        assert rules["victory_points"] == points == load_map(name).source["victory_points"][str(players)]
        assert rules["crossings"] == ("chips" if players <= 4 else "sites")
        chips = (BatchEngine(scenario, 1, players).state["crossing_chip"] == 1).sum()
        assert chips == load_map(name).source["vp_chips"][str(players)]


@pytest.mark.rule("geography.map.4")
@pytest.mark.parametrize("scenario", ["corsica", "new_york", "corsica_5_6", "new_york_5_6"])
def test_a_reconstruction_says_so(scenario):
    assert find_scenario(scenario).facts.status == "reconstruction"
    assert "not the printed board" in find_scenario(scenario).summary


@pytest.mark.rule("geography.map.1")
@pytest.mark.parametrize("name", ["corsica", "new_york"])
def test_the_board_is_laid_as_the_map_says(name):
    engine, source = BatchEngine(name, 3), load_map(name).source
    assert (engine.state["number"] == [entry["number"] or 0 for entry in source["hexes"]]).all()
    crossings = [entry["kind"] for entry in source["junctions"]].count("vp")
    assert engine.state["crossing_chip"].shape == (3, crossings) and (engine.state["crossing_chip"] == 1).all()


@pytest.mark.rule("geography.map.2")
def test_all_pieces_and_cards_are_those_of_the_base_game():
    for name in ("corsica", "new_york"):
        for large, players in (("", 4), ("_5_6", 6)):
            mine = BatchEngine(f"{name}{large}", 1, players).rules
            theirs = BatchEngine(f"base{large}", 1, players).rules
            own = {"victory_points", "crossings", "distance_rule", "chips_by_roads", "points_of_chip"}
            assert {k: v for k, v in mine.items() if k not in own} == {
                k: v for k, v in theirs.items() if k != "victory_points"
            }


@pytest.mark.rule("geography.town_sites.5")
def test_every_road_of_the_map_can_be_built_on(country):
    assert len(ROADS) == len(find_scenario(country).board.topology.path_keys)


def test_a_map_may_do_without_crossings_certificates_and_a_canal():
    table = a_map()
    for junction in table["junctions"]:
        junction["kind"] = "site" if junction["kind"] == "canal_site" else junction["kind"].replace("vp", "plain")
    for road in table["roads"]:
        road.pop("red", None), road.pop("certificate", None)
    table |= {"certificates": [], "vp_chips": {}}
    del table["canal"]
    numbers = find_scenario("erie_canal").numbers | {"victory_points": 10}
    config = {"name": "bare", "version": 0, "title": "Bare", "summary": "For a test.", "facts": {"players": [3]}}
    try:
        scenario_from({**config, "board": {"map": table}, "numbers": numbers}, find_scenario("erie_canal").modules)
        engine = BatchEngine("bare", 4, seed=3)
        engine.random_rollout(300)
        assert not engine.broken_invariants() and engine.state["crossing_chip"].shape == (4, 0)
        assert engine.observe().shape[0] == 4 and str(engine.render(0))
    finally:
        del registry._scenarios["bare"]
