"""Trade with the bank."""

import pytest

from catan_env.board import load_map
from catan_env.testing.positions import position

GRAIN_HARBOR, GENERIC_HARBOR = ("N", 1, -2), ("N", 0, -2)
"""Corners at a 2:1 harbor for grain and at a 3:1 harbor of the beginner board."""


def market(decision="play", **rules):
    return position("base", 3, rules).on_turn(0, decision)


def gives(game):
    """Kinds that seat 0 may give."""
    return {pair.split()[0] for pair in game.legal("trade_with_bank")}


@pytest.mark.rule("base.bank_trade.1")
def test_four_of_a_kind_for_one_of_another():
    game = market().hand(0, wool=4, ore=3).game()
    assert game.legal("trade_with_bank") == [f"wool for 1 {kind}" for kind in ("lumber", "brick", "grain", "ore")]
    game.do("trade_with_bank", "wool for 1 ore")
    assert game.hand(0) == {"ore": 4}
    assert game.bank()["wool"] == 19 and game.bank()["ore"] == 15


@pytest.mark.rule("base.bank_trade.1")
def test_three_of_a_kind_are_not_enough_without_a_harbor():
    assert not market().hand(0, lumber=3, brick=3, wool=3, grain=3, ore=3).game().can("trade_with_bank")


@pytest.mark.rule("base.bank_trade.1")
def test_cards_of_several_kinds_are_not_added_up():
    assert not market().hand(0, lumber=2, brick=2).game().can("trade_with_bank")


@pytest.mark.rule("base.bank_trade.2")
def test_generic_harbor_takes_three_of_any_kind():
    game = market().settlement(0, *GENERIC_HARBOR).hand(0, wool=3, ore=3, brick=2).game()
    assert gives(game) == {"wool", "ore"}
    game.do("trade_with_bank", "ore for 1 brick")
    assert game.hand(0) == {"wool": 3, "brick": 3}


@pytest.mark.rule("base.bank_trade.2")
def test_special_harbor_takes_two_of_its_kind_and_no_less_of_others():
    game = market().settlement(0, *GRAIN_HARBOR).hand(0, grain=2, wool=3).game()
    assert gives(game) == {"grain"}
    assert game.do("trade_with_bank", "grain for 1 lumber").hand(0) == {"wool": 3, "lumber": 1}


@pytest.mark.rule("base.bank_trade.2")
@pytest.mark.parametrize("corner", [("N", 1, -2), ("NE", 1, -2)])
def test_both_intersections_of_a_harbor_give_it(corner):
    assert gives(market().settlement(0, *corner).hand(0, grain=2).game()) == {"grain"}


@pytest.mark.rule("base.bank_trade.2")
def test_intersections_beside_a_harbor_do_not_give_it():
    assert not market().settlement(0, "NW", 1, -2).hand(0, grain=2).game().can("trade_with_bank")


@pytest.mark.rule("base.bank_trade.2")
def test_a_city_keeps_the_harbor():
    assert gives(market().city(0, *GRAIN_HARBOR).hand(0, grain=2).game()) == {"grain"}


@pytest.mark.rule("base.bank_trade.2")
def test_roads_at_a_harbor_do_not_give_it():
    assert not market().road(0, (1, -2, "NE")).hand(0, grain=2).game().can("trade_with_bank")


@pytest.mark.rule("base.bank_trade.2")
def test_harbors_of_others_do_not_count():
    assert not market().settlement(1, *GRAIN_HARBOR).hand(0, grain=2).game().can("trade_with_bank")


@pytest.mark.rule("base.bank_trade.3")
def test_several_harbors_may_be_used_in_one_turn():
    game = market().settlement(0, *GRAIN_HARBOR).settlement(0, *GENERIC_HARBOR).hand(0, grain=2, ore=3).game()
    game.do("trade_with_bank", "grain for 1 wool").do("trade_with_bank", "ore for 1 wool")
    assert game.hand(0) == {"wool": 2}


@pytest.mark.rule("base.bank_trade.3")
def test_the_better_of_two_harbors_counts():
    for harbors in ([GRAIN_HARBOR, GENERIC_HARBOR], [GENERIC_HARBOR, GRAIN_HARBOR]):
        place = market().hand(0, grain=2, ore=3)
        for corner in harbors:
            place.settlement(0, *corner)
        assert gives(place.game()) == {"grain", "ore"}


@pytest.mark.rule("base.bank_trade.3")
def test_one_intersection_may_have_two_harbors():
    board = load_map("base").layouts["beginner"].to_coordinates()
    board["harbors"] = [[0, -2, "NW", "ore"], [0, -2, "NE", "3:1"]]
    game = market().board(board).settlement(0, "N", 0, -2).hand(0, ore=2, wool=3).game()
    assert gives(game) == {"ore", "wool"}


@pytest.mark.rule("base.bank_trade.4")
def test_a_different_kind_is_received():
    game = market().hand(0, wool=8).game()
    assert all(pair != "wool for 1 wool" for pair in game.legal("trade_with_bank"))
    assert len(game.legal("trade_with_bank")) == 4


@pytest.mark.rule("base.bank_trade.5")
def test_the_bank_must_have_the_card():
    game = market().hand(0, wool=4).bank(1, ore=0).game()
    assert game.refuses("trade_with_bank", "wool for 1 ore")
    assert game.can("trade_with_bank", "wool for 1 grain")


@pytest.mark.rule("base.bank_trade.1")
def test_trade_with_the_bank_is_not_limited_in_number():
    game = market().hand(0, wool=12).game()
    for _ in range(3):
        game.do("trade_with_bank", "wool for 1 ore")
    assert game.hand(0) == {"ore": 3}


COAST_ROAD = (1, -2, "NW")
"""Leads to the grain harbor at (1, -2) N."""


def newcomer(decision, **rules):
    """Seat 0 may build a settlement at the grain harbor."""
    place = market(decision, **rules).settlement(0, "NW", 0, -1).road(0, (0, -2, "SE E"), COAST_ROAD)
    return place.hand(0, lumber=1, brick=1, wool=1, grain=3)


@pytest.mark.rule("base.bank_trade.6")
def test_a_harbor_built_in_merged_phases_helps_at_once():
    game = newcomer("play").game()
    game.do("build_settlement", game.corner(*GRAIN_HARBOR)).do("trade_with_bank", "grain for 1 ore")


@pytest.mark.rule("base.bank_trade.6")
def test_a_harbor_built_in_the_strict_build_phase_helps_from_the_next_turn():
    game = newcomer("trade", phases="strict").game()
    assert not game.can("trade_with_bank")
    game.do("end_trade").do("build_settlement", game.corner(*GRAIN_HARBOR))
    assert not game.can("trade_with_bank")
    game.do("end_turn")
    for _ in range(2):
        game.roll(12).do("end_trade").do("end_turn")
    game.roll(12)
    assert gives(game) == {"grain"}


@pytest.mark.rule("base.bank_trade.1")
def test_nobody_trades_before_the_roll():
    assert not market("pre_roll").hand(0, wool=4).game().can("trade_with_bank")
