"""Building: prices, places, pieces."""

import pytest

from catan_env.testing.positions import position

PRICES = {
    "build_road": {"lumber": 1, "brick": 1},
    "build_settlement": {"lumber": 1, "brick": 1, "wool": 1, "grain": 1},
    "build_city": {"ore": 3, "grain": 2},
}
PLENTY = {"lumber": 6, "brick": 6, "wool": 6, "grain": 6, "ore": 6}


def village(**rules):
    """Seat 0 has a settlement in the middle and two roads from it."""
    return position("base", 3, rules).settlement(0, "N", 0, 0).road(0, (0, 0, "NE E")).on_turn(0)


# -- prices --------------------------------------------------------------------------------------------------


@pytest.mark.rule("base.resources.4")
@pytest.mark.parametrize("kind", PRICES)
def test_building_costs_its_price_which_goes_to_the_bank(kind):
    game = village().hand(0, **PRICES[kind]).game()
    game.do(kind, game.legal(kind)[0])
    assert game.hand(0) == {}
    assert set(game.bank().values()) == {19}


@pytest.mark.rule("base.resources.4")
@pytest.mark.parametrize("kind", PRICES)
def test_nothing_is_built_if_a_card_of_the_price_is_missing(kind):
    for missing in PRICES[kind]:
        cards = {**PLENTY, missing: PRICES[kind][missing] - 1}
        assert not village().hand(0, **cards).game().can(kind)


@pytest.mark.rule("base.resources.4")
def test_several_things_may_be_built_in_one_turn():
    game = village().hand(0, lumber=3, brick=3, wool=1, grain=3, ore=3).game()
    game.do("build_road", game.path(0, 0, "SE")).do("build_road", game.path(0, 0, "SW"))
    game.do("build_settlement", game.corner("S", 0, 0)).do("build_city", game.corner("S", 0, 0))
    assert game.hand(0) == {} and game.points(0) == 3


# -- roads ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("base.network.4")
def test_a_road_adjoins_an_own_road_or_building():
    game = village().hand(0, lumber=1, brick=1).game()
    ends = game.paths_at("N", 0, 0) | game.paths_at("NE", 0, 0) | game.paths_at("SE", 0, 0)
    assert set(game.legal("build_road")) == ends - {game.path(0, 0, "NE"), game.path(0, 0, "E")}


@pytest.mark.rule("base.network.4")
def test_a_road_may_adjoin_a_building_without_roads():
    game = position("base", 3).city(0, "N", 0, 0).hand(0, **PLENTY).on_turn(0).game()
    assert set(game.legal("build_road")) == game.paths_at("N", 0, 0)


@pytest.mark.rule("base.network.4")
def test_a_path_holds_one_road():
    game = village().road(1, (0, 0, "SE")).hand(0, **PLENTY).game()
    assert game.refuses("build_road", game.path(0, 0, "SE"))


@pytest.mark.rule("base.network.4")
def test_roads_of_others_do_not_count():
    game = village().settlement(1, "S", 0, 0).road(1, (0, 0, "SW")).hand(0, **PLENTY).game()
    assert not game.can("build_road", game.path(0, 0, "W"))


@pytest.mark.rule("base.network.5")
def test_no_road_goes_on_through_an_opponents_building():
    game = village().settlement(1, "SE", 0, 0).hand(0, **PLENTY).game()
    beyond = game.paths_at("SE", 0, 0) - {game.path(0, 0, "E")}
    assert len(beyond) == 2 and all(game.refuses("build_road", path) for path in beyond)


@pytest.mark.rule("base.network.5")
def test_a_road_may_reach_an_opponents_building_from_the_other_side():
    game = village().settlement(1, "SE", 0, 0).road(0, (0, 0, "SW")).settlement(0, "SW", 0, 0).hand(0, **PLENTY).game()
    assert game.can("build_road", game.path(0, 0, "SE"))


@pytest.mark.rule("base.network.5")
def test_roads_continue_through_own_buildings():
    game = village().settlement(0, "SE", 0, 0).hand(0, **PLENTY).game()
    assert game.paths_at("SE", 0, 0) - {game.path(0, 0, "E")} <= set(game.legal("build_road"))


@pytest.mark.rule("base.network.5")
def test_roads_may_pass_intersections_where_roads_of_others_meet():
    game = village().road(1, (1, 0, "SW")).hand(0, **PLENTY).game()
    assert game.can("build_road", game.path(0, 0, "SE"))  # at (0, 0) SE ends a road of seat 1 too


# -- settlements ---------------------------------------------------------------------------------------------


@pytest.mark.rule("base.network.6")
def test_a_settlement_needs_an_own_road():
    game = village().road(1, (-1, 0, "SW W")).hand(0, **PLENTY).game()
    assert game.legal("build_settlement") == [game.corner("SE", 0, 0)]  # the end of the two roads
    assert game.refuses("build_settlement", game.corner("SW", -1, 0))  # at a road of seat 1


@pytest.mark.rule("base.network.7")
def test_a_settlement_keeps_its_distance_from_every_building():
    assert village().hand(0, **PLENTY).game().can("build_settlement")
    for corner in ("NE", "S"):  # next to (0, 0) SE
        game = village().settlement(1, corner, 0, 0).hand(0, **PLENTY).game()
        assert game.refuses("build_settlement", game.corner("SE", 0, 0))
    game = village().city(1, "SE", 0, 0).hand(0, **PLENTY).game()
    assert game.refuses("build_settlement", game.corner("SE", 0, 0))


@pytest.mark.rule("base.network.7")
def test_two_paths_are_distance_enough():
    game = village().settlement(1, "SW", 0, 0).hand(0, **PLENTY).game()
    assert game.can("build_settlement", game.corner("SE", 0, 0))


@pytest.mark.rule("base.network.6")
def test_a_settlement_may_stand_where_roads_of_others_pass():
    game = village().road(1, (1, 0, "SW"), (0, 0, "SE")).hand(0, **PLENTY).game()
    assert game.can("build_settlement", game.corner("SE", 0, 0))


@pytest.mark.rule("base.network.7")
def test_a_new_settlement_closes_its_surroundings():
    game = village().hand(0, **PLENTY).game()
    game.do("build_settlement", game.corner("SE", 0, 0)).do("build_road", game.path(0, 0, "SE"))
    assert not game.can("build_settlement")


# -- cities --------------------------------------------------------------------------------------------------


@pytest.mark.rule("base.building.2")
def test_a_city_replaces_an_own_settlement():
    game = village().settlement(1, "S", 0, 0).city(0, "N", 0, -2).hand(0, ore=6, grain=4).game()
    assert game.legal("build_city") == [game.corner("N", 0, 0)]
    assert game.refuses("build_city", game.corner("S", 0, 0)) and game.refuses("build_city", game.corner("N", 0, -2))
    game.do("build_city", game.corner("N", 0, 0))
    assert not game.can("build_city") and game.points(0) == 4


@pytest.mark.rule("base.network.3")
def test_a_city_gives_the_settlement_piece_back():
    game = village(settlements_per_player=2).settlement(0, "N", 0, -2).hand(0, **PLENTY).game()
    assert not game.can("build_settlement")
    game.do("build_city", game.corner("N", 0, 0))
    assert game.can("build_settlement", game.corner("SE", 0, 0))


# -- pieces --------------------------------------------------------------------------------------------------


@pytest.mark.rule("base.building.1")
def test_everybody_has_fifteen_roads_five_settlements_and_four_cities():
    state = position("base", 3).on_turn(0).game().state
    assert [int(state[name][0].sum()) for name in ("edge_pieces_left", "settlements_left", "cities_left")] == [15, 5, 4]


@pytest.mark.rule("base.network.2")
def test_without_a_road_piece_no_road_is_built():
    ring = ["NE E SE SW W NW", "NE E SE SW W NW", "NE E SE"]
    place = position("base", 3).hand(0, **PLENTY).on_turn(0)
    for (q, r), sides in zip([(0, -2), (2, 0), (-2, 2)], ring, strict=True):
        place.road(0, (q, r, sides))
    assert place.game().state["edge_pieces_left"][0, 0] == 0
    assert not place.game().can("build_road")


@pytest.mark.rule("base.network.2")
def test_without_a_settlement_piece_no_settlement_is_built():
    place = village().hand(0, **PLENTY)
    for corner in (("N", 0, -2), ("N", 2, -2), ("N", -2, 0)):
        place.settlement(0, *corner)
    assert place.game().can("build_settlement")
    assert not place.settlement(0, "S", -2, 2).game().can("build_settlement")


@pytest.mark.rule("base.network.2")
def test_without_a_city_piece_no_city_is_built():
    place = village().hand(0, **PLENTY)
    for corner in (("N", 0, -2), ("N", 2, -2), ("N", -2, 0)):
        place.city(0, *corner)
    assert place.game().can("build_city")
    assert not place.city(0, "S", -2, 2).game().can("build_city")


# -- points --------------------------------------------------------------------------------------------------


@pytest.mark.rule("base.building.3")
def test_a_settlement_is_one_point_and_a_city_two():
    game = village().city(0, "N", 0, -2).city(0, "S", 0, 2).settlement(1, "S", -2, 2).game()
    assert (game.points(0), game.points(1), game.points(2)) == (5, 1, 0)
    assert game.visible_points(0) == 5
