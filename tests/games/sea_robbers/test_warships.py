"""Personal warships: (2, 3), (3, 3) and (3, 4) are open sea."""

import pytest
from sea_positions import sea

SHIP = {"lumber": 1, "wool": 1}


def fleet(**rules):
    """Seat 1 has a ship at the hex (2, 3); seat 0 is on turn."""
    return sea("sea_robbers", **rules).settlement(1, "SE", 2, 2).ship(1, (3, 2, "SW"))


def warship(place, seat, q, r):
    """Sets a player's warship on a hex."""
    ships = [-1] * 49
    ships[place._topology.hex_at(q, r)] = seat
    return place.field("warship", ships)


@pytest.mark.rule("sea_robbers.warships.1")
def test_a_seven_or_a_knight_moves_the_robber_or_the_own_warship():
    game = fleet().on_turn(0, "pre_roll").game().roll(7)
    assert game.kinds() == {"move_robber", "move_warship"}
    game.do("move_warship", game.hex(3, 4))
    assert game.state["warship"][game.hex(3, 4)] == 0 and game.decision == "play"
    game = warship(fleet(), 0, 3, 4).cards(0, knight=1).on_turn(0).game().do("play_knight")
    game.do("move_warship", game.hex(2, 5))
    assert game.state["warship"][game.hex(2, 5)] == 0 and game.state["warship"][game.hex(3, 4)] == -1


@pytest.mark.rule("sea_robbers.warships.2")
def test_it_steals_from_an_opponent_with_a_ship_at_its_hex():
    game = fleet().hand(1, ore=1).on_turn(0, "pre_roll").game().roll(7)
    game.do("move_warship", game.hex(2, 3)).theft("ore")
    assert game.hand(0) == {"ore": 1} and game.decision == "play"


@pytest.mark.rule("sea_robbers.warships.1")
def test_it_goes_neither_to_sea_robbers_nor_to_other_warships_nor_to_land():
    game = warship(fleet(), 1, 3, 4).on_turn(0, "pre_roll").game().roll(7)
    legal = set(game.legal("move_warship"))
    assert not {game.hex(3, 4), game.hex(4, 3), game.hex(2, 2)} & legal and game.hex(3, 3) in legal
    assert len(legal) == 21 - 8 - 1


@pytest.mark.rule("sea_robbers.warships.3")
def test_an_opponent_pays_a_card_of_choice_for_a_ship_built_there():
    place = warship(sea("sea_robbers").settlement(0, "SE", 2, 2), 1, 2, 3).hand(0, **SHIP, ore=1, grain=1).on_turn(0)
    game = place.game()
    game.do("build_ship", game.path(3, 2, "SW"))
    assert game.decision == "owe_tribute" and set(game.legal("pay_tribute")) == {"grain", "ore"}
    game.do("pay_tribute", "ore")
    assert game.hand(1) == {"ore": 1} and game.hand(0) == {"grain": 1} and game.decision == "play"


@pytest.mark.rule("sea_robbers.warships.3")
def test_without_a_card_for_tribute_the_ship_is_not_built_and_the_owner_pays_none():
    place = warship(sea("sea_robbers").settlement(0, "SE", 2, 2), 1, 2, 3).hand(0, **SHIP).on_turn(0)
    game = place.game()
    assert not game.can("build_ship", game.path(3, 2, "SW"))
    own = warship(sea("sea_robbers").settlement(0, "SE", 2, 2), 0, 2, 3).hand(0, **SHIP).on_turn(0).game()
    assert own.do("build_ship", own.path(3, 2, "SW")).decision == "play"


@pytest.mark.rule("sea_robbers.warships.4")
def test_a_ship_moved_off_or_onto_its_hex_pays_too():
    place = warship(sea("sea_robbers").settlement(0, "SE", 2, 2).ship(0, (3, 2, "SW")), 1, 2, 3)
    assert not place.on_turn(0).game().can("take_ship")
    game = place.hand(0, brick=1).on_turn(0).game()
    game.do("take_ship", game.path(3, 2, "SW"))
    game.do("build_ship", game.legal("build_ship")[0])
    assert game.decision == "owe_tribute"
    assert game.do("pay_tribute", "brick").hand(1) == {"brick": 1}


@pytest.mark.rule("sea_robbers.warships.5")
def test_a_battle_ready_ship_tries_once_to_chase_a_warship_and_a_six_pushes_it():
    place = warship(sea("sea_robbers").settlement(0, "SE", 2, 2).ship(0, (3, 2, "SW")), 1, 3, 3).on_turn(0)
    game = place.game()
    game.do("chase", game.opponent(1))
    assert game.chances() == pytest.approx(dict.fromkeys("123456", 1 / 6))
    game.draw("chase_die", "5")
    assert game.decision == "play" and not game.can("chase")
    game = place.game().do("chase", 0).draw("chase_die", "6")
    assert game.decision == "place_chased" and game.hex(4, 3) not in game.legal("push_warship")
    game.do("push_warship", game.hex(3, 4))
    assert game.state["warship"][game.hex(3, 4)] == 1 and game.state["warship"][game.hex(3, 3)] == -1


@pytest.mark.rule("sea_robbers.warships.6")
def test_a_chased_warship_may_be_left_and_the_ship_may_still_move():
    place = warship(sea("sea_robbers").settlement(0, "SE", 2, 2).ship(0, (3, 2, "SW")), 1, 3, 3)
    game = place.hand(0, ore=2).on_turn(0).game().do("chase", 0).draw("chase_die", "6").do("leave_warship")
    assert game.state["warship"][game.hex(3, 3)] == 1 and game.path(3, 2, "SW") in game.legal("take_ship")


@pytest.mark.rule("sea_robbers.warships.5")
def test_a_ship_that_has_moved_is_not_battle_ready():
    place = warship(sea("sea_robbers").settlement(0, "SE", 2, 2).ship(0, (3, 2, "SW")), 1, 2, 3)
    game = place.hand(0, ore=2).on_turn(0).game()
    game.do("take_ship", game.path(3, 2, "SW")).do("build_ship", game.path(2, 2, "SE"))
    game.do("pay_tribute", "ore")
    assert not game.can("chase")


@pytest.mark.rule("sea_robbers.warships.6")
def test_a_warship_chased_from_where_all_around_is_taken_goes_back_to_its_owner():
    """Beside (1, 7) there are land, (1, 6) and (0, 7), which hold warships, and the edge."""
    place = sea("sea_robbers").settlement(0, "NE", 0, 7).ship(0, (1, 6, "SW"))
    ships = [-1] * 49
    for (q, r), seat in {(0, 7): 1, (1, 6): 2}.items():
        ships[place._topology.hex_at(q, r)] = seat
    game = place.field("warship", ships).on_turn(0).game()
    game.do("chase", game.opponent(1)).draw("chase_die", "6")
    assert game.state["warship"].tolist().count(1) == 0 and game.decision == "play"


@pytest.mark.rule("sea_robbers.warships.5")
def test_of_several_ships_one_that_reaches_no_other_warship_tries():
    place = warship(sea("sea_robbers").settlement(0, "SE", 2, 2).ship(0, (3, 2, "SW"), (2, 3, "E")), 1, 3, 3)
    ships = [-1] * 49
    for (q, r), seat in {(3, 3): 1, (2, 4): 2}.items():
        ships[place._topology.hex_at(q, r)] = seat
    game = place.field("warship", ships).on_turn(0).game()
    game.do("chase", game.opponent(1)).draw("chase_die", "1")
    assert game.state["spent"][game.path(3, 2, "SW")] and not game.state["spent"][game.path(2, 3, "E")]
    assert game.can("chase", game.opponent(1)) and game.can("chase", game.opponent(2))


@pytest.mark.rule("sea_robbers.warships.4")
def test_a_free_ship_goes_where_its_tribute_can_be_paid():
    place = warship(sea("sea_robbers").settlement(0, "SE", 2, 2), 1, 2, 3).cards(0, road_building=1).on_turn(0)
    game = place.game().do("play_road_building")
    assert game.path(3, 2, "SW") not in game.legal("build_ship") and game.can("build_ship")
    assert game.can("forgo_free_roads")
    game = place.hand(0, ore=1).game().do("play_road_building")
    game.do("build_ship", game.path(3, 2, "SW")).do("pay_tribute", "ore")
    assert game.hand(1) == {"ore": 1}
