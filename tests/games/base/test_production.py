"""What a roll brings."""

import pytest

from catan_env.board import load_map
from catan_env.testing.positions import position

LUMBER_8, ORE_8 = ("S", -2, 1), ("S", 2, 0)
"""Corners of the two hexes with the number 8 on the beginner board: a forest and a mountain."""


def at_roll(num_players=3):
    return position("base", num_players).on_turn(0, "pre_roll")


@pytest.mark.rule("base.production.1")
def test_settlement_brings_one_card_and_city_two():
    game = at_roll().settlement(0, *ORE_8).city(1, *LUMBER_8).game().roll(8)
    assert (game.hand(0), game.hand(1), game.hand(2)) == ({"ore": 1}, {"lumber": 2}, {})
    assert game.bank()["ore"] == 18 and game.bank()["lumber"] == 17


@pytest.mark.rule("base.production.1")
def test_each_building_at_a_hex_brings_its_own():
    game = at_roll().settlement(0, "S", 2, 0).city(0, "N", 2, 0).settlement(1, "NE", 2, 0).game().roll(8)
    assert (game.hand(0), game.hand(1)) == ({"ore": 3}, {"ore": 1})


@pytest.mark.rule("base.production.1")
def test_each_hex_with_the_number_brings_its_own():
    board = load_map("base").layouts["beginner"].to_coordinates()
    board["hexes"] = [[q, r, terrain, 8 if terrain == "pasture" else n] for q, r, terrain, n in board["hexes"]]
    game = at_roll().board(board).settlement(0, "S", 2, 0).settlement(1, "NW", 2, -1).game().roll(8)
    assert game.hand(0) == {"ore": 1, "wool": 1}  # mountains 8, and pasture 8 beside them
    assert game.hand(1) == {"wool": 1}  # pasture 8, hills and forest with other numbers


@pytest.mark.rule("base.production.1")
def test_everybody_gets_cards_on_every_roll():
    game = position("base", 3).settlement(2, *ORE_8).on_turn(1, "pre_roll").game().roll(8)
    assert game.hand(2) == {"ore": 1}


@pytest.mark.rule("base.production.1")
def test_other_numbers_bring_nothing():
    game = at_roll().settlement(0, *ORE_8).game().roll(6)
    assert game.hand(0) == {}


@pytest.mark.rule("base.production.2")
def test_robber_blocks_his_hex_only():
    game = at_roll().settlement(0, *ORE_8).settlement(0, *LUMBER_8).robber(2, 0).game().roll(8)
    assert game.hand(0) == {"lumber": 1}


@pytest.mark.rule("base.production.2")
def test_desert_brings_nothing():
    for total in (2, 3, 4, 5, 6, 8, 9, 10, 11, 12):
        game = at_roll().settlement(0, "N", 0, 0).robber(2, 0).game().roll(total)
        assert game.hand(0) == {4: {"wool": 1}, 6: {"brick": 1}}.get(total, {})


@pytest.mark.rule("base.production.2")
def test_a_seven_brings_nothing():
    assert at_roll().settlement(0, *ORE_8).game().roll(7).hand(0) == {}


@pytest.mark.rule("base.production.3")
def test_if_the_bank_is_short_nobody_gets_the_resource():
    game = at_roll().settlement(0, *ORE_8).settlement(1, "N", 2, 0).bank(2, ore=1).game().roll(8)
    assert (game.hand(0), game.hand(1), game.bank()["ore"]) == ({}, {}, 1)


@pytest.mark.rule("base.production.3")
def test_shortage_counts_for_each_resource_apart():
    game = (
        at_roll()
        .settlement(0, *ORE_8).settlement(1, "N", 2, 0).settlement(1, *LUMBER_8)
        .bank(2, ore=1).game().roll(8)
    )  # fmt: skip
    assert (game.hand(0), game.hand(1)) == ({}, {"lumber": 1})


@pytest.mark.rule("base.production.3")
def test_exactly_enough_is_enough():
    game = at_roll().settlement(0, *ORE_8).city(1, "N", 2, 0).bank(2, ore=3).game().roll(8)
    assert (game.hand(0), game.hand(1)) == ({"ore": 1}, {"ore": 2})
    assert "ore" not in game.bank()


@pytest.mark.rule("base.production.3", "base.production.4")
def test_a_single_claimant_gets_what_is_left():
    game = at_roll().city(0, *ORE_8).bank(2, ore=1).game().roll(8)
    assert game.hand(0) == {"ore": 1}


@pytest.mark.rule("base.production.4")
def test_a_single_claimant_with_several_buildings_gets_what_is_left():
    game = at_roll().city(0, *ORE_8).settlement(0, "N", 2, 0).bank(2, ore=2).game().roll(8)
    assert game.hand(0) == {"ore": 2}


@pytest.mark.rule("base.production.4")
def test_an_empty_bank_brings_nothing():
    assert at_roll().settlement(0, *ORE_8).bank(2, ore=0).game().roll(8).hand(0) == {}


@pytest.mark.rule("base.production.3")
def test_claims_on_blocked_hexes_do_not_count_for_a_shortage():
    board = load_map("base").layouts["beginner"].to_coordinates()
    board["hexes"] = [[q, r, terrain, 8 if terrain == "mountains" else n] for q, r, terrain, n in board["hexes"]]
    game = at_roll().board(board).city(0, *ORE_8).city(1, "S", -1, 1).robber(2, 0).bank(2, ore=1).game().roll(8)
    assert (game.hand(0), game.hand(1)) == ({}, {"ore": 1})
