"""Ships: where they go, what they cost, what they join."""

import pytest
from sea_positions import paths, sea

from catan_env import BatchEngine, find_scenario, scenarios
from catan_env.board import load_map
from catan_env.games.seafarers import ships
from catan_env.testing.positions import new_game

SHIP = {"lumber": 1, "wool": 1}
SCENARIOS_WITH_SHIPS = [name for name in scenarios() if ships in find_scenario(name).modules]


def shore():
    """Seat 0 has a settlement on the northern shore, between two sea hexes."""
    return sea().settlement(0, "N", 1, 3).on_turn(0)


@pytest.mark.rule("seafarers.ships.1")
def test_a_ship_costs_lumber_and_wool():
    game = shore().hand(0, lumber=1, wool=1, brick=1).game()
    game.do("build_ship", game.path(1, 2, "E"))
    assert game.hand(0) == {"brick": 1} and game.bank()["wool"] == 19
    assert game.state["ships"][game.path(1, 2, "E")] == 2 and game.state["edge_owner"][game.path(1, 2, "E")] == 0
    assert not shore().hand(0, lumber=1, brick=1).game().can("build_ship")


@pytest.mark.rule("seafarers.ships.2")
def test_everybody_has_fifteen_ships_as_well_as_roads():
    game = shore().hand(0, **SHIP).game()
    assert (game.state["edge_pieces_left"] == 15).all()
    game.do("build_ship", game.path(1, 2, "E"))
    assert game.state["edge_pieces_left"][0].tolist() == [15, 14] and game.points(0) == 1
    without = sea(ships_per_player=2).settlement(0, "N", 1, 3).ship(0, (1, 2, "E"), (1, 3, "NE"))
    assert not without.on_turn(0).hand(0, **SHIP).game().can("build_ship")


@pytest.mark.rule("seafarers.ships.3", "seafarers.waters.1")
def test_ships_lie_on_sides_of_sea_hexes_and_roads_on_sides_of_land():
    game = shore().hand(0, lumber=1, wool=1, brick=1).game()
    assert set(game.legal("build_ship")) == paths(game, (1, 2, "E"), (1, 3, "NW NE"))
    assert set(game.legal("build_road")) == paths(game, (1, 3, "NW NE"))
    inland = sea().settlement(0, "S", 1, 3).on_turn(0).hand(0, lumber=1, wool=1, brick=1).game()
    assert not inland.can("build_ship") and len(inland.legal("build_road")) == 3


@pytest.mark.rule("seafarers.ships.3", "seafarers.waters.5")
def test_ships_lie_along_the_frame_beside_land_as_beside_sea():
    place = sea().settlement(0, "NE", 2, 1).on_turn(0).hand(0, lumber=1, wool=1, brick=1)
    game = place.game()
    assert set(game.legal("build_ship")) == paths(game, (3, 1, "NW W"), (2, 1, "NE"))
    assert set(game.legal("build_road")) == paths(game, (2, 1, "NE E"))
    other = sea(frame_is_sea=0).settlement(0, "NE", 2, 1).on_turn(0).hand(0, **SHIP).game()
    assert set(other.legal("build_ship")) == paths(game, (3, 1, "NW W"))


@pytest.mark.rule("seafarers.ships.3", "seafarers.waters.5")
def test_ships_lie_along_the_frame_of_a_board_for_three_and_not_beyond():
    """East of the mountains (4, 2) lie two hexes of the frame."""
    place = sea(num_players=3).board(load_map("new_shores_3")).settlement(0, "NE", 4, 2).on_turn(0).hand(0, **SHIP)
    game = place.game()
    assert set(game.legal("build_ship")) == paths(game, (4, 2, "NE E"))


@pytest.mark.rule("seafarers.waters.5")
@pytest.mark.parametrize("scenario", SCENARIOS_WITH_SHIPS)
def test_the_frame_is_sea_in_every_scenario_with_ships(scenario):
    assert all(BatchEngine(scenario, 1, players).rules["frame_is_sea"] for players in find_scenario(scenario).players)


@pytest.mark.rule("seafarers.waters.1")
def test_nothing_is_built_where_the_board_for_three_ends():
    game = new_game("seafarers_new_shores", 3, start_player="seat_0").draw("start_player", 0)
    beyond = [game.corner("NE", 5, 1), game.corner("SE", 5, 3), game.corner("SE", 4, 5)]
    assert not set(beyond) & set(game.legal("build_settlement"))
    assert (game.state["terrain"] == 9).sum() == 7


@pytest.mark.rule("seafarers.ships.3")
def test_a_path_holds_one_piece():
    game = shore().road(0, (1, 3, "NW")).hand(0, lumber=1, wool=1, brick=1).game()
    assert set(game.legal("build_ship")) == paths(game, (1, 2, "E"), (1, 3, "NE"))
    assert game.path(1, 3, "NW") not in game.legal("build_road")
    game.do("build_ship", game.path(1, 3, "NE"))
    assert game.path(1, 3, "NE") not in game.legal("build_road")


@pytest.mark.rule("seafarers.ships.4")
def test_ships_continue_from_ships_and_buildings_and_not_from_roads():
    place = sea().settlement(0, "NW", 1, 3).road(0, (1, 3, "NW")).on_turn(0).hand(0, lumber=1, wool=1, brick=1)
    game = place.game()
    beyond = paths(game, (1, 2, "E"), (1, 3, "NE"))
    assert not beyond & set(game.legal("build_ship")) and game.path(1, 3, "NE") in game.legal("build_road")
    game = shore().ship(0, (1, 2, "E")).hand(0, lumber=1, wool=1, brick=1).game()
    onward = paths(game, (2, 1, "SW SE"))
    assert onward <= set(game.legal("build_ship")) and not onward & set(game.legal("build_road"))


@pytest.mark.rule("seafarers.ships.4")
def test_an_own_settlement_carries_roads_on_from_ships():
    game = shore().ship(0, (1, 2, "E"), (2, 1, "SW")).hand(0, lumber=3, wool=2, brick=3, grain=1).game()
    assert not game.can("build_road", game.path(2, 1, "W"))
    game.do("build_settlement", game.corner("SW", 2, 1))
    assert paths(game, (1, 1, "E SE")) <= set(game.legal("build_road"))
    assert game.can("build_ship", game.path(1, 1, "SE")) and not game.can("build_ship", game.path(1, 1, "E"))


@pytest.mark.rule("seafarers.ships.5")
def test_an_opponents_building_ends_a_line_of_ships():
    ships = (1, 2, "E"), (2, 1, "SW")
    game = shore().ship(0, *ships).settlement(1, "SW", 2, 1).hand(0, **SHIP).game()
    assert set(game.legal("build_ship")) == paths(game, (1, 3, "NW NE"), (2, 1, "SE"))
    assert game.path(1, 1, "SE") in shore().ship(0, *ships).hand(0, **SHIP).game().legal("build_ship")


@pytest.mark.rule("seafarers.waters.2")
def test_settlements_are_built_where_ships_arrive_on_land():
    place = shore().ship(0, (1, 2, "E"), (2, 1, "SW SE"), (2, 2, "NE"))
    game = place.hand(0, lumber=1, brick=1, wool=1, grain=1).game()
    assert set(game.legal("build_settlement")) == {game.corner("SW", 2, 1), game.corner("SE", 2, 1)}
    assert game.refuses("build_settlement", game.corner("NE", 2, 2))


@pytest.mark.rule("seafarers.ships.6")
def test_a_settlement_placed_on_the_coast_may_get_a_ship_instead_of_a_road():
    game = new_game("seafarers_new_shores", board="published", start_player="seat_0").draw("start_player", 0)
    game.do("build_settlement", game.corner("N", 1, 3))
    assert set(game.legal("build_ship")) == paths(game, (1, 2, "E"), (1, 3, "NW NE"))
    assert set(game.legal("build_road")) == paths(game, (1, 3, "NW NE"))
    game.do("build_ship", game.path(1, 2, "E"))
    assert (game.seat, game.decision) == (1, "place_initial_settlement") and game.state["edge_pieces_left"][
        0
    ].tolist() == [15, 14]


def test_who_has_no_ship_left_places_a_road():
    """Players place three settlements, with as few ships as the rules allow."""
    engine = BatchEngine("seafarers_cloth", 16, 4, seed=0, rules={"ships_per_player": 2})
    engine.random_rollout(26)
    assert (engine.state["turn"] > 0).any() and engine.state["edge_pieces_left"][..., 1].min() == 0


@pytest.mark.rule("seafarers.ships.7")
def test_road_building_builds_roads_ships_or_one_of_each():
    game = shore().cards(0, road_building=1).game()
    game.do("play_road_building").do("build_ship", game.path(1, 2, "E"))
    assert game.decision == "free_road" and game.kinds() == {"build_ship", "build_road", "forgo_free_roads"}
    game.do("build_road", game.path(1, 3, "NW"))
    assert game.decision == "play" and game.state["edge_pieces_left"][0].tolist() == [14, 14] and game.hand(0) == {}


@pytest.mark.rule("seafarers.ships.7")
def test_road_building_may_be_played_for_ships_alone():
    place = sea(roads_per_player=2).settlement(0, "N", 1, 3).road(0, (1, 3, "NW NE")).on_turn(0)
    game = place.cards(0, road_building=1).game()
    game.do("play_road_building")
    assert game.kinds() == {"build_ship", "forgo_free_roads"}
    game.do("build_ship", game.path(1, 2, "E"))
    assert game.decision == "free_road" and set(game.legal("build_ship")) == paths(game, (2, 1, "SW SE"))


def route():
    """Three roads and three ships that meet where nothing stands."""
    place = sea().settlement(0, "S", 1, 3).road(0, (1, 3, "SE E NE")).settlement(0, "SW", 2, 1)
    return place.ship(0, (1, 2, "E"), (2, 1, "SW"), (1, 1, "SE")).on_turn(0)


@pytest.mark.rule("seafarers.longest_trade_route.1")
def test_roads_and_ships_are_no_one_route_without_a_building_between():
    game = route().game()
    assert game.state["road_length"][0] == 3 and game.state["longest_road"] == -1


@pytest.mark.rule("seafarers.longest_trade_route.1")
def test_a_settlement_between_road_and_ship_makes_one_route_of_them():
    game = route().hand(0, lumber=1, brick=1, wool=1, grain=1).game()
    game.do("build_settlement", game.corner("N", 1, 3))
    assert game.state["road_length"][0] == 6 and game.state["longest_road"] == 0 and game.points(0) == 5
