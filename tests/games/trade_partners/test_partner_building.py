"""Mirrored building: what is owed to a partner, and how it is paid.

Seat 0 has its first settlement at N of (-2, 0), its partner, color 2, at N of (2, 0), far away on the beginner board.
"""

import pytest

from catan_env.testing.positions import position

ROAD = {"lumber": 1, "brick": 1}
VILLAGE = {**ROAD, "wool": 1, "grain": 1}
TOWN = {"grain": 2, "ore": 3}
HOME, ABROAD = ("N", -2, 0), ("N", 2, 0)


def table(decision="play", **rules):
    return position("trade_partners", rules=rules).settlement(0, *HOME).settlement(2, *ABROAD).on_turn(0, decision)


def next_own_turn(game):
    """Seat 1 rolls and does nothing; seat 0 rolls what brings neither of its colors a card."""
    game.roll(2).do("end_turn")
    return game.roll(2)


def count(game, field, color):
    return int((game.state[field] == color).sum())


# -- paying ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("trade_partners.mirrored_building.1", "trade_partners.mirrored_building.2")
def test_a_road_is_mirrored_at_the_end_of_the_turn_free_and_where_the_owner_likes():
    game = table().hand(0, **ROAD).hand(2, lumber=1, brick=1).game()
    game.do("build_road", game.path(-2, 0, "NW")).do("end_turn")
    assert (game.seat, game.decision) == (0, "build_for_partner") and game.kinds() == {"build_road"}
    assert set(game.legal("build_road")) == game.paths_at(*ABROAD)
    path = game.legal("build_road")[1]
    game.do("build_road", path)
    assert game.state["edge_owner"][path] == 2 and game.state["edge_pieces_left"][2, 0] == 14
    assert game.hand(2) == ROAD and game.hand(0) == {}
    assert (game.seat, game.decision) == (1, "pre_roll")


@pytest.mark.rule("trade_partners.mirrored_building.1")
def test_a_turn_in_which_nothing_is_owed_ends_at_once():
    game = table().game().do("end_turn")
    assert (game.seat, game.decision) == (1, "pre_roll")


@pytest.mark.rule("trade_partners.mirrored_building.8")
def test_a_city_is_mirrored_and_leaves_no_settlement_owed():
    game = table().hand(0, **TOWN).game()
    game.do("build_city", game.corner(*HOME)).do("end_turn")
    assert game.kinds() == {"build_city"} and game.legal("build_city") == [game.corner(*ABROAD)]
    game.do("build_city", game.corner(*ABROAD))
    assert game.state["building"][game.corner(*ABROAD)] == 2 and game.state["cities_left"].tolist() == [3, 4, 3, 4]
    assert (game.seat, game.decision) == (1, "pre_roll")


@pytest.mark.rule("trade_partners.mirrored_building.4", "trade_partners.mirrored_building.7")
def test_roads_come_first_then_cities_then_settlements_that_a_city_leaves_owed():
    """The owner has two roads, a city and a settlement; the partner a road less, and one settlement."""
    game = (
        table().city(0, "SW", -2, 0).road(0, (-2, 0, "NW W")).road(2, (2, 0, "NE")).hand(0, lumber=1).game()
    ).do("end_turn")  # fmt: skip
    assert game.kinds() == {"build_road"}
    game.do("build_road", game.path(2, 0, "E"))
    assert game.kinds() == {"build_city"}
    game.do("build_city", game.corner(*ABROAD))
    assert game.kinds() == {"build_settlement"} and game.legal("build_settlement") == [game.corner("SE", 2, 0)]
    game.do("build_settlement", game.corner("SE", 2, 0))
    assert (game.seat, game.decision) == (1, "pre_roll")
    assert game.state["settlements_left"].tolist() == [4, 5, 4, 5]


@pytest.mark.rule("trade_partners.mirrored_building.3")
def test_several_roads_are_owed_one_by_one():
    game = table().hand(0, lumber=2, brick=2).game()
    for side in ("NW", "W"):
        game.do("build_road", game.path(-2, 0, side))
    game.do("end_turn")
    for left in (14, 13):
        assert game.decision == "build_for_partner"
        game.do("build_road", game.legal("build_road")[0])
        assert game.state["edge_pieces_left"][2, 0] == left
    assert game.seat == 1


@pytest.mark.rule("trade_partners.mirrored_building.10")
def test_free_roads_are_mirrored():
    game = table().cards(0, road_building=1).game().do("play_road_building")
    for side in ("NW", "W"):
        game.do("build_road", game.path(-2, 0, side))
    game.do("end_turn")
    for _ in range(2):
        game.do("build_road", game.legal("build_road")[0])
    assert game.seat == 1 and count(game, "edge_owner", 2) == 2


@pytest.mark.rule("trade_partners.mirrored_building.1")
def test_the_strict_order_of_phases_ends_with_the_partner_too():
    game = table("trade", phases="strict").hand(0, **ROAD).game().do("end_trade")
    game.do("build_road", game.path(-2, 0, "NW")).do("end_turn")
    assert game.decision == "build_for_partner"


# -- what does not fit -------------------------------------------------------------------------------------------


@pytest.mark.rule("trade_partners.mirrored_building.5", "trade_partners.mirrored_building.6")
def test_a_settlement_that_does_not_fit_is_owed_until_a_road_makes_room_and_then_built_at_once():
    """The example of the article."""
    game = (
        table().road(0, (-2, 0, "NW")).road(2, (2, 0, "NE"))
        .hand(0, lumber=3, brick=3, wool=1, grain=1).game()
    )  # fmt: skip
    game.do("build_road", game.path(-2, 0, "W")).do("build_settlement", game.corner("SW", -2, 0)).do("end_turn")
    game.do("build_road", game.path(2, 0, "NW"))  # the other way: no settlement fits
    assert (game.seat, game.decision) == (1, "pre_roll") and count(game, "building_owner", 2) == 1
    next_own_turn(game)
    game.do("build_road", game.path(-2, 0, "SW")).do("end_turn")
    assert game.kinds() == {"build_road"}
    game.do("build_road", game.path(2, 0, "E"))
    assert game.kinds() == {"build_settlement"} and game.legal("build_settlement") == [game.corner("SE", 2, 0)]
    game.do("build_settlement", game.corner("SE", 2, 0))
    assert game.seat == 1 and count(game, "building_owner", 2) == 2


@pytest.mark.rule("trade_partners.mirrored_building.3", "trade_partners.mirrored_building.6")
def test_a_road_without_a_place_is_owed_and_does_not_hold_up_the_turn():
    """Color 2 has one settlement, and roads of others lie on all its paths."""
    game = table().road(1, (2, 0, "NW NE")).road(1, (2, -1, "E")).road(0, (-2, 0, "NW")).game()
    game.do("end_turn")
    assert (game.seat, game.decision) == (1, "pre_roll")
    row = game.observed(1)
    assert row["partner_roads_owed/left_1"] == 1 and row["partner_roads_owed/me"] == 3


@pytest.mark.rule("trade_partners.mirrored_building.7")
def test_a_city_without_a_settlement_is_owed():
    game = position("trade_partners").city(0, *HOME).city(2, *ABROAD).city(0, "S", -2, 1).on_turn(0).game()
    game.do("end_turn")
    assert (game.seat, game.decision) == (1, "pre_roll")


@pytest.mark.rule("trade_partners.mirrored_building.9")
def test_what_a_partner_has_more_of_is_used_up_by_the_owner_s_next_pieces():
    game = table().road(2, (2, 0, "NE E")).hand(0, lumber=3, brick=3).game()
    for side in ("NW", "W"):
        game.do("build_road", game.path(-2, 0, side))
    game.do("end_turn")
    assert game.seat == 1 and count(game, "edge_owner", 2) == 2
    next_own_turn(game)
    game.do("build_road", game.path(-2, 0, "SW")).do("end_turn")
    assert game.decision == "build_for_partner"


@pytest.mark.rule("trade_partners.mirrored_building.12")
def test_nothing_is_owed_to_a_partner_that_has_no_piece_left():
    game = table(roads_per_player=2).road(2, (2, 0, "NE E")).road(0, (-2, 0, "NW")).hand(0, **ROAD).game()
    game.do("build_road", game.path(-2, 0, "W")).do("end_turn")
    assert (game.seat, game.decision) == (1, "pre_roll")


@pytest.mark.rule("trade_partners.mirrored_building.2")
def test_a_partner_builds_with_fifteen_roads_five_settlements_and_four_cities_of_its_own():
    state = table().game().state
    assert state["edge_pieces_left"][2:, 0].tolist() == [15, 15] and state["cities_left"][2:].tolist() == [4, 4]
    assert state["settlements_left"][2:].tolist() == [4, 5]


@pytest.mark.rule("trade_partners.partner_trade.3")
def test_nothing_is_traded_bought_or_played_while_building_for_the_partner():
    game = table().hand(0, lumber=5, brick=1, wool=1, grain=1, ore=1).cards(0, knight=1).hand(2, ore=1).game()
    game.do("build_road", game.path(-2, 0, "NW")).do("end_turn")
    assert game.kinds() == {"build_road"}


# -- on the board ------------------------------------------------------------------------------------------------


@pytest.mark.rule("trade_partners.partners.6")
def test_a_partner_s_buildings_keep_their_distance_and_end_ways_also_of_the_owner():
    game = (
        position("trade_partners").settlement(0, "N", 0, 0).road(0, (0, 0, "NE E SE")).settlement(2, "S", 0, 0)
        .hand(0, lumber=9, brick=9, wool=9, grain=9).on_turn(0).game()
    )  # fmt: skip
    beyond = game.paths_at("S", 0, 0) - {game.path(0, 0, "SE")}
    assert not beyond & set(game.legal("build_road"))
    assert game.refuses("build_settlement", game.corner("SE", 0, 0))


@pytest.mark.rule("trade_partners.partners.6")
def test_a_partner_s_settlement_cuts_the_owner_s_longest_road():
    five = position("trade_partners").settlement(0, "N", 0, 0).road(0, (0, 0, "NE E SE SW W")).on_turn(0)
    assert five.game().state["longest_road"] == 0
    game = five.settlement(2, "S", 0, 0).game()
    assert game.state["road_length"][0] == 3 and game.state["longest_road"] == -1


@pytest.mark.rule("trade_partners.partners.6")
def test_a_partner_s_roads_do_not_join_the_owner_s():
    game = (
        position("trade_partners").settlement(0, "N", 0, 0).road(0, (0, 0, "NE E"))
        .settlement(2, "S", 0, 0).road(2, (0, 0, "SE SW W")).on_turn(0).game()
    )  # fmt: skip
    assert game.state["road_length"].tolist() == [2, 0, 0, 0]


@pytest.mark.rule("trade_partners.partners.5")
def test_a_partner_has_no_longest_road_and_brings_no_points():
    game = (
        position("trade_partners").settlement(2, "N", 0, 0).city(2, "S", 0, 0)
        .road(2, (0, 0, "NE E SE SW W NW")).settlement(0, *HOME).on_turn(0).game()
    )  # fmt: skip
    assert game.state["longest_road"] == -1 and game.state["road_length"][2] == 0
    assert (game.points(0), game.visible_points(0)) == (1, 1)


# -- winning -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("trade_partners.mirrored_building.11")
def test_the_game_is_won_before_anything_is_built_for_the_partner():
    game = table(victory_points=2).road(0, (-2, 0, "NW W")).hand(0, **VILLAGE).game()
    game.do("build_settlement", game.corner("SW", -2, 0))
    assert game.over and game.winner == 0 and count(game, "building_owner", 2) == 1


@pytest.mark.rule("trade_partners.mirrored_building.11")
def test_a_partner_s_settlement_can_win_the_turn_by_cutting_the_longest_road_of_another():
    game = (
        position("trade_partners", rules={"victory_points": 4, "longest_road_minimum": 3})
        .settlement(1, "N", 0, 0).road(1, (0, 0, "NE E SE"))
        .settlement(0, *HOME).road(0, (-2, 0, "NW W SW")).settlement(0, "SW", -2, 0)
        .settlement(2, "SE", 1, 0).road(2, (1, 0, "SE SW E")).on_turn(0).game()
    )  # fmt: skip
    assert game.state["longest_road"] == 1 and game.points(0) == 2
    game.do("end_turn")
    game.do("build_settlement", game.corner("SE", 0, 0))
    assert game.over and game.winner == 0


@pytest.mark.rule("trade_partners.mirrored_building.13")
def test_fifteen_points_win_and_the_presets_of_the_base_game_are_fewer():
    assert table().game().engine.rules["victory_points"] == 15
    for points in (10, 12):
        assert table(victory_points=points).game().engine.rules["victory_points"] == points


@pytest.mark.rule("trade_partners.partners.5")
def test_two_cities_of_the_partner_do_not_win():
    game = table(victory_points=3).city(2, "S", 1, 1).city(2, "S", 0, 1).game()
    assert not game.over and game.points(0) == 1
