"""Moving a ship: the four conditions, and what moves with it."""

import pytest
from sea_positions import paths, sea


def line():
    """Seat 0 has three ships in a line out from the shore."""
    return sea().settlement(0, "N", 1, 3).ship(0, (1, 2, "E"), (2, 1, "SE"), (2, 2, "NE")).on_turn(0)


@pytest.mark.rule("seafarers.moving_ships.1", "seafarers.moving_ships.2")
def test_a_ship_at_an_open_end_may_be_set_elsewhere_under_the_rules_of_building():
    game = line().game()
    assert set(game.legal("take_ship")) == paths(game, (2, 2, "NE"))
    game.do("take_ship", game.path(2, 2, "NE"))
    assert game.decision == "move_ship" and game.kinds() == {"build_ship"}
    expected = paths(game, (1, 3, "NW NE"), (2, 1, "SW E"))
    assert set(game.legal("build_ship")) == expected
    game.do("build_ship", game.path(2, 1, "SW"))
    assert game.state["edge_owner"][game.path(2, 2, "NE")] == -1 and game.state["ships"][game.path(2, 2, "NE")] == 0
    assert game.state["edge_owner"][game.path(2, 1, "SW")] == 0 and game.state["edge_pieces_left"][0].tolist() == [
        15,
        12,
    ]
    assert game.decision == "play" and game.hand(0) == {}


@pytest.mark.rule("seafarers.moving_ships.1")
def test_one_ship_a_turn():
    game = line().game()
    game.do("take_ship", game.path(2, 2, "NE")).do("build_ship", game.path(2, 1, "SW"))
    assert not game.can("take_ship")
    game.do("end_turn").roll(2)
    assert not game.can("take_ship")
    game.do("end_turn").roll(2).do("end_turn").roll(2).do("end_turn").roll(2)
    assert game.seat == 0 and game.path(2, 1, "SW") in game.legal("take_ship")


@pytest.mark.rule("seafarers.moving_ships.1")
def test_ships_move_after_the_roll_only():
    game = sea().settlement(0, "N", 1, 3).ship(0, (1, 2, "E"), (2, 1, "SE")).on_turn(0, "pre_roll").game()
    assert not game.can("take_ship") and game.roll(2).can("take_ship")


@pytest.mark.rule("seafarers.ships.8")
def test_a_ship_built_in_this_turn_stays():
    game = line().hand(0, lumber=1, wool=1).game()
    game.do("build_ship", game.path(2, 1, "SW"))
    assert set(game.legal("take_ship")) == paths(game, (2, 2, "NE"))
    for _ in range(4):
        game.do("end_turn").roll(2)
    assert set(game.legal("take_ship")) == paths(game, (2, 2, "NE"), (2, 1, "SW"))


@pytest.mark.rule("seafarers.moving_ships.3")
def test_a_ship_between_two_own_buildings_stays_even_if_an_opponent_interrupts_the_line():
    place = sea().settlement(0, "N", 1, 3).settlement(0, "SW", 1, 1).ship(0, (1, 2, "E"), (2, 1, "SW"), (1, 1, "SE SW"))
    assert not place.on_turn(0).game().can("take_ship")
    assert not place.settlement(1, "SW", 2, 1).on_turn(0).game().can("take_ship")


@pytest.mark.rule("seafarers.moving_ships.2")
def test_an_opponents_piece_and_an_own_road_leave_an_end_open():
    place = sea().settlement(0, "N", 1, 3).ship(0, (1, 2, "E"), (2, 1, "SW")).settlement(1, "SW", 2, 1)
    game = place.road(0, (2, 1, "W")).ship(1, (1, 1, "SE")).on_turn(0).game()
    assert set(game.legal("take_ship")) == paths(game, (2, 1, "SW"))


@pytest.mark.rule("seafarers.pirate.1")
def test_the_pirate_holds_ships_and_keeps_others_away():
    game = line().pirate(2, 2).game()
    assert not game.can("take_ship")
    free = line().pirate(1, 2).game()
    free.do("take_ship", free.path(2, 2, "NE"))
    assert set(free.legal("build_ship")) == paths(free, (1, 3, "NE"), (2, 1, "E"))


@pytest.mark.rule("seafarers.moving_ships.4")
def test_a_ship_does_not_lean_on_itself_nor_go_back():
    place = sea().settlement(0, "N", 1, 3).ship(0, (1, 2, "E")).on_turn(0)
    game = place.game().do("take_ship", place.game().path(1, 2, "E"))
    assert set(game.legal("build_ship")) == paths(game, (1, 3, "NW NE"))


@pytest.mark.rule("seafarers.moving_ships.4")
def test_a_ship_with_no_other_place_is_not_taken_up():
    place = sea().settlement(0, "NE", 2, 1).ship(0, (3, 1, "NW")).road(0, (2, 1, "E NE")).on_turn(0)
    assert not place.game().can("take_ship")


@pytest.mark.rule("seafarers.moving_ships.5")
def test_a_move_that_keeps_the_length_keeps_the_longest_route_though_an_opponent_has_as_many():
    place = sea().settlement(0, "N", 1, 3).ship(0, (1, 2, "E"), (2, 1, "SE"), (2, 2, "NE"), (3, 2, "NW NE"))
    place.settlement(1, "S", 1, 3).road(1, (1, 3, "SE"), (1, 4, "NE E SE SW")).on_turn(0)
    game = place.game()
    lengths = game.state["road_length"][:2].tolist()
    assert lengths == [5, 5] and game.state["longest_road"] == 0
    game.do("take_ship", game.path(3, 2, "NE")).do("build_ship", game.path(3, 1, "E"))
    assert game.state["road_length"][:2].tolist() == [5, 5] and game.state["longest_road"] == 0


@pytest.mark.rule("seafarers.moving_ships.5")
def test_a_move_may_lose_the_longest_route():
    place = sea().settlement(0, "N", 1, 3).ship(0, (1, 2, "E"), (2, 1, "SE"), (2, 2, "NE"), (3, 2, "NW NE"))
    game = place.on_turn(0).game()
    assert game.state["longest_road"] == 0
    game.do("take_ship", game.path(3, 2, "NE")).do("build_ship", game.path(2, 1, "SW"))
    assert game.state["road_length"][0] == 4 and game.state["longest_road"] == -1


@pytest.mark.rule("seafarers.moving_ships.5")
def test_a_move_keeps_the_length_where_another_trail_is_as_long_or_the_new_place_makes_up_for_it():
    place = sea().settlement(0, "N", 1, 3).ship(0, (1, 2, "E"), (2, 1, "SE SW")).settlement(0, "SW", 1, 1).on_turn(0)
    game = place.game().do("take_ship", place.game().path(2, 1, "SW"))
    game.do("build_ship", game.path(1, 1, "SW"))
    assert game.state["road_length"][0] == 2 and not game.engine.broken_invariants()
    game = line().game().do("take_ship", line().game().path(2, 2, "NE"))
    game.do("build_ship", game.path(1, 3, "NW"))
    assert game.state["road_length"][0] == 3 and not game.engine.broken_invariants()


@pytest.mark.rule("seafarers.moving_ships.2")
def test_which_ships_have_an_open_end_changes_as_ships_come_beside_them():
    game = line().hand(0, lumber=1, wool=1).game()

    def open_ships():
        return {path for path in range(149) if int(game.state["open_ships"][path // 32]) >> path % 32 & 1}

    assert open_ships() == paths(game, (2, 2, "NE"))
    game.do("build_ship", game.path(2, 1, "E"))
    assert open_ships() == paths(game, (2, 2, "NE"), (2, 1, "E"))
    game.do("take_ship", game.path(2, 2, "NE")).do("build_ship", game.path(1, 3, "NW"))
    assert open_ships() == paths(game, (2, 1, "E"), (1, 3, "NW"))
