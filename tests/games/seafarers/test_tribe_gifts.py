"""The Forgotten Tribe: around (1, 1) lie a point (NE), a card (W) and a harbor (NW)."""

import pytest
from sea_positions import harbors, sea

from catan_env.board import load_map
from catan_env.board.terrain import HARBOR_KINDS
from catan_env.errors import BoardError
from catan_env.testing.positions import new_game

SHIP = {"lumber": 1, "wool": 1}
MAIN = (3, 3)
GIFT_HARBORS = ((1, 1, "NW"), (4, 1, "NW"), (6, 3, "NE"), (5, 5, "SE"), (-2, 7, "SW"), (1, 7, "SE"))


def explorer(*ships):
    """Seat 0 has ships and the price of another."""
    place = sea("seafarers_forgotten_tribe").ship(0, *ships).hand(0, **SHIP).on_turn(0)
    return place.field("harbor", harbors(place))


def take_harbor(place):
    game = place.game()
    return game.do("build_ship", game.path(1, 1, "NW"))


@pytest.mark.rule("seafarers.tribe_gifts.1", "seafarers.tribe_gifts.2")
def test_a_ship_on_its_path_takes_a_point():
    game = explorer((2, 1, "NW")).game()
    game.do("build_ship", game.path(1, 1, "NE"))
    assert game.visible_points(0) == 1 and game.state["gift"][0] == 0 and game.state["gift_points"][0] == 1


@pytest.mark.rule("seafarers.tribe_gifts.1")
def test_a_ship_moved_there_takes_it_too_and_a_gift_is_given_once():
    game = explorer((2, 1, "NW NE")).game()
    game.do("take_ship", game.path(2, 1, "NE")).do("build_ship", game.path(1, 1, "NE"))
    assert game.state["gift_points"][0] == 1
    game = explorer((2, 1, "NW")).field("gift", [0] * 18).game()
    assert game.do("build_ship", game.path(1, 1, "NE")).state["gift_points"][0] == 0


@pytest.mark.rule("seafarers.tribe_gifts.3")
def test_a_card_is_drawn_as_if_it_was_bought_in_this_turn():
    game = explorer((1, 1, "SW")).game()
    game.do("build_ship", game.path(1, 1, "W")).draw("draw_card", "knight")
    assert game.cards(0) == {"knight": 1} and not game.can("play_knight")


@pytest.mark.rule("seafarers.tribe_gifts.3")
def test_cards_among_the_gifts_are_not_sold():
    place = explorer((2, 1, "NW")).hand(0, wool=1, grain=1, ore=1)
    assert not place.deck(knight=4).game().can("buy_development_card")
    assert place.deck(knight=5).game().can("buy_development_card")


@pytest.mark.rule("seafarers.tribe_gifts.5")
def test_a_harbor_is_placed_beside_an_own_building_and_used_at_once():
    game = take_harbor(explorer((1, 1, "NE")).settlement(0, "N", *MAIN))
    assert game.decision == "site_gift" and (game.state["harbor"] >= 0).sum() == 5
    sites = {int(game.engine.topology.coast_paths[k]) for k in game.legal("place_harbor")}
    assert sites == {game.path(*MAIN, "NW"), game.path(*MAIN, "NE")}
    game.do("place_harbor", game.legal("place_harbor")[0])
    assert game.decision == "play" and game.state["trade_rate"][0].tolist() == [2, 4, 4, 4, 4]
    assert game.state["harbors_kept"][0].sum() == 0


@pytest.mark.rule("seafarers.tribe_gifts.6")
def test_a_harbor_is_kept_until_there_is_a_place_for_it():
    game = take_harbor(explorer((1, 1, "NE")).settlement(0, "N", 0, 5))
    assert game.decision == "play" and game.state["harbors_kept"][0].tolist() == [1, 0, 0, 0, 0, 0]
    place = explorer((1, 1, "NE")).settlement(0, "N", 2, 3).road(0, (2, 3, "NE"), (3, 3, "NW"))
    place.hand(0, lumber=1, brick=1, wool=1, grain=1).field("harbors_kept", [[1, 0, 0, 0, 0, 0]] + [[0] * 6] * 3)
    game = place.field("harbor", harbors(place, (1, 1, "NW"))).game()
    game.do("build_settlement", game.corner("N", *MAIN))
    assert game.decision == "site_gift"


@pytest.mark.rule("seafarers.tribe_gifts.7")
def test_who_keeps_several_harbors_chooses_which_is_placed_next():
    place = explorer((1, 1, "NE")).settlement(0, "N", 2, 3).road(0, (2, 3, "NE"), (3, 3, "NW"))
    place.hand(0, lumber=1, brick=1, wool=1, grain=1).field("harbors_kept", [[1, 0, 0, 0, 0, 1]] + [[0] * 6] * 3)
    game = place.field("harbor", harbors(place, (1, 1, "NW"), (4, 1, "NW"), (1, 7, "SE"), grain=(2, 3, "NW"))).game()
    game.do("build_settlement", game.corner("N", *MAIN))
    assert game.decision == "choose_kept" and game.legal("choose_harbor") == ["lumber", "3:1"]
    game.do("choose_harbor", "3:1")
    assert game.decision == "site_gift"
    game.do("place_harbor", game.legal("place_harbor")[0])
    assert game.decision == "play" and game.state["harbors_kept"][0].tolist() == [1, 0, 0, 0, 0, 0]
    assert game.state["trade_rate"][0].tolist() == [3, 3, 3, 3, 3]


@pytest.mark.rule("seafarers.tribe_gifts.5")
def test_harbors_keep_a_path_between_them():
    place = explorer((1, 1, "NE")).settlement(0, "N", *MAIN)
    game = take_harbor(place.field("harbor", harbors(place, (4, 1, "NW"), grain=(2, 3, "NE"))))
    paths = game.engine.topology.coast_paths
    assert [paths[k] for k in game.legal("place_harbor")] == [game.path(*MAIN, "NE")]


@pytest.mark.rule("seafarers.tribe_gifts.4")
def test_the_harbors_are_shuffled():
    game = new_game("seafarers_forgotten_tribe")
    assert game.decision == "harbor_kind" and game.chances() == pytest.approx(dict.fromkeys(HARBOR_KINDS, 1 / 6))
    for kind in ("3:1", "ore", "wool", "brick", "grain", "lumber"):
        game.draw("harbor_kind", kind)
    assert game.decision == "start_player"
    paths = game.engine.topology.coast_paths.tolist()
    laid = sorted((paths.index(game.path(*side)), side) for side in GIFT_HARBORS)
    assert [HARBOR_KINDS[game.state["harbor"][k]] for k, _ in laid] == [
        "3:1",
        "ore",
        "wool",
        "brick",
        "grain",
        "lumber",
    ]


@pytest.mark.rule("seafarers.tribe_gifts.4")
def test_a_board_without_harbors_where_the_gifts_are_harbors_is_refused():
    printed = load_map("forgotten_tribe").layouts["published"].to_coordinates()
    with pytest.raises(BoardError, match="gifts of kind 2 must be on the harbors of the layout"):
        new_game("seafarers_forgotten_tribe", board={**printed, "harbors": printed["harbors"][1:]})


@pytest.mark.rule("seafarers.numbered_land.1")
def test_nobody_settles_and_no_robber_goes_where_there_are_no_numbers():
    place = explorer((2, 1, "NW NE")).hand(0, lumber=1, brick=1, wool=1, grain=1)
    assert not place.game().can("build_settlement")
    game = explorer().on_turn(1, "pre_roll").game().roll(7)
    numbers = game.state["number"]
    assert all(numbers[hex] for hex in game.legal("move_robber")) and game.hex(0, 3) in game.legal("move_robber")
