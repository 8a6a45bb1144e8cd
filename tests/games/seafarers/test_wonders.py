"""The Wonders of Catan."""

import pytest
from sea_positions import sea

from catan_env.testing.positions import new_game

THEATER = {"brick": 1, "wool": 3, "lumber": 1}
MONUMENT = {"ore": 2, "grain": 3}
CASTLE = {"brick": 1, "ore": 3, "grain": 1}


def builder(levels=None, **cards):
    """Seat 0 is on turn; `levels`: what has been built of claimed wonders, by seat and wonder."""
    built, claimed = [[0] * 5 for _ in range(4)], [-1] * 4
    for (seat, wonder), level in (levels or {}).items():
        built[seat][wonder], claimed[seat] = level, wonder
    place = sea("seafarers_wonders").field("wonder_levels", built).field("claimed_wonder", claimed)
    return place.hand(0, **cards).on_turn(0)


@pytest.mark.rule("seafarers.wonders.1")
def test_the_theater_needs_two_cities():
    two = builder().city(0, "N", 0, 3).city(0, "N", 2, 3)
    assert two.game().legal("claim_wonder") == ["grand_theater"]
    assert not builder(**THEATER).city(0, "N", 0, 3).game().can("claim_wonder")


@pytest.mark.rule("seafarers.wonders.1", "seafarers.wonders.3")
def test_a_wonder_is_claimed_before_anything_is_paid_and_built_for_its_price():
    def claimed(**cards):
        place = builder(**cards).city(0, "N", 0, 3).city(0, "N", 2, 3)
        return place.game().do("claim_wonder", "grand_theater")

    assert not builder(**THEATER).city(0, "N", 0, 3).city(0, "N", 2, 3).game().can("build_wonder")
    game = claimed(**THEATER)
    assert game.hand(0) == THEATER and game.legal("build_wonder") == ["grand_theater"]
    game.do("build_wonder", "grand_theater")
    assert game.state["wonder_levels"][0].tolist() == [1, 0, 0, 0, 0] and game.hand(0) == {}
    assert claimed().state["claimed_wonder"].tolist() == [0, -1, -1, -1]
    assert not claimed(brick=1, wool=2, lumber=1).can("build_wonder")


@pytest.mark.rule("seafarers.wonders.1")
@pytest.mark.parametrize(
    ("wonder", "site", "price"),
    [
        ("great_bridge", ("NW", 0, 7), {"wool": 1, "grain": 1, "lumber": 3}),
        ("great_wall", ("S", 4, 3), {"brick": 3, "grain": 1, "lumber": 1}),
    ],
)
def test_the_bridge_and_the_wall_need_a_building_on_their_sites(wonder, site, price):
    game = builder(**price).settlement(0, *site).game()
    assert game.legal("claim_wonder") == [wonder]
    assert game.do("claim_wonder", wonder).legal("build_wonder") == [wonder]
    assert not builder(**price).settlement(1, *site).game().can("claim_wonder")


@pytest.mark.rule("seafarers.wonders.1")
def test_the_monument_needs_a_city_at_a_harbor_and_a_long_route():
    roads = [(2, 3, "NW NE"), (3, 3, "NW NE E")]
    game = builder(**MONUMENT).city(0, "NW", 2, 3).road(0, *roads).game()
    assert game.legal("claim_wonder") == ["grand_monument"]
    assert game.do("claim_wonder", "grand_monument").can("build_wonder")
    assert not builder().city(0, "NW", 2, 3).road(0, *roads[:1]).game().can("claim_wonder")
    assert not builder().settlement(0, "NW", 2, 3).road(0, *roads).game().can("claim_wonder")


@pytest.mark.rule("seafarers.wonders.1")
def test_the_castle_needs_a_city_and_six_points_hidden_ones_included():
    place = builder(**CASTLE).city(0, "N", 0, 3).settlement(0, "N", 2, 3)
    assert not place.cards(0, victory_point=2).game().can("claim_wonder")
    game = place.cards(0, victory_point=1).game()
    assert game.legal("claim_wonder") == ["grand_castle"]
    assert game.do("claim_wonder", "grand_castle").can("build_wonder")
    settlements = builder(**CASTLE).settlement(0, "N", 0, 3).settlement(0, "N", 2, 3)
    assert not settlements.cards(0, victory_point=5).game().can("claim_wonder")


@pytest.mark.rule("seafarers.wonders.2")
def test_a_wonder_has_one_owner_and_a_player_one_wonder():
    taken = builder({(1, 0): 0}, **THEATER).city(0, "N", 0, 3).city(0, "N", 2, 3)
    assert not taken.game().can("claim_wonder") and not taken.game().can("build_wonder")
    other = builder({(0, 3): 0}, **THEATER).city(0, "N", 0, 3).city(0, "N", 2, 3)
    assert not other.game().can("claim_wonder") and not other.game().can("build_wonder")


@pytest.mark.rule("seafarers.wonders.1", "seafarers.wonders.2")
def test_a_claimed_wonder_is_kept_though_its_condition_is_lost():
    game = builder({(0, 2): 0}, **MONUMENT).game()
    assert game.legal("build_wonder") == ["grand_monument"] and not game.can("claim_wonder")


@pytest.mark.rule("seafarers.wonders.3")
def test_further_levels_need_the_price_alone_and_several_may_be_built_in_a_turn():
    game = builder({(0, 0): 1}, brick=2, wool=6, lumber=2).game()
    game.do("build_wonder", "grand_theater").do("build_wonder", "grand_theater")
    assert game.state["wonder_levels"][0, 0] == 3 and not game.over


@pytest.mark.rule("seafarers.wonders.4")
def test_the_fourth_level_wins_whatever_the_points():
    game = builder({(0, 0): 3}, **THEATER).game().do("build_wonder", "grand_theater")
    assert game.over and game.winner == 0


@pytest.mark.rule("seafarers.wonders.4")
def test_ten_points_win_only_with_a_wonder_higher_than_all_others():
    def rich(levels):
        """Nine points, of which two are hidden."""
        place = builder(levels, grain=2, ore=3, **THEATER).cards(0, victory_point=2)
        for q, r in ((-1, 3), (1, 3), (3, 3)):
            place.city(0, "N", q, r)
        return place.settlement(0, "N", 1, 6).game()

    game = rich({(0, 0): 1, (1, 2): 1})
    game.do("build_city", game.corner("N", 1, 6))
    assert game.points(0) == 10 and not game.over
    assert game.do("build_wonder", "grand_theater").winner == 0
    game = rich({(0, 0): 2, (1, 2): 1})
    assert game.do("build_city", game.corner("N", 1, 6)).winner == 0


@pytest.mark.rule("seafarers.wonders.5")
def test_nobody_founds_on_closed_sites_nor_on_small_islands():
    game = new_game("seafarers_wonders", start_player="seat_0").draw("start_player", 0)
    legal = set(game.legal("build_settlement"))
    closed = [("SE", 3, 4), ("S", 4, 3), ("N", 4, 4), ("S", 5, 2), ("N", 4, 3), ("NW", 0, 7), ("SE", -1, 6)]
    closed += [("SW", 0, 7), ("N", 0, 7), ("S", -1, 6), ("NE", -1, 6)]
    assert not {game.corner(*site) for site in closed} & legal and game.corner("N", 0, 3) in legal
    assert game.corner("N", 1, 1) not in legal and game.corner("N", 3, 7) not in legal


@pytest.mark.rule("seafarers.islands.6")
def test_a_small_island_brings_a_point():
    place = sea("seafarers_wonders").settlement(0, "N", 0, 3).ship(0, (0, 2, "E"), (1, 1, "SE"))
    game = place.hand(0, lumber=1, brick=1, wool=1, grain=1).on_turn(0).game()
    game.do("build_settlement", game.corner("SE", 1, 1))
    assert game.visible_points(0) == 3


@pytest.mark.rule("seafarers.islands.6")
def test_there_is_no_pirate():
    assert sea("seafarers_wonders").on_turn(0, "pre_roll").game().roll(7).kinds() == {"move_robber"}
