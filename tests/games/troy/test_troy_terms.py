"""What a position of Troy is worth beside its points: terms of ships, commerce points, the pool and the war."""

import pytest
from evaluating import terms_of_game
from troy_positions import EAST, SHIP, WEST, troy

from catan_env.testing.positions import PositionBuilder

INLAND, BESIDE = ("SE", 0, 0), ("SE", 1, 0)
"""Neither touches the sea."""
NEAR = [(2, 1), (3, 1), (4, 1), (3, 0), (4, 0), (2, 2), (3, 2)]


def terms(place, seat=0):
    """The terms of a position or a game, by name."""
    return terms_of_game((place.game() if isinstance(place, PositionBuilder) else place).engine, seat)


def test_ships_count_and_lead_to_the_next_one_with_points():
    def ahead(number):
        return terms(troy(ships={0: NEAR[:number]}))["ship_points_ahead"]

    assert terms(troy(ships={0: NEAR[:2], 1: NEAR[2:5]}))["ships"] == 2
    assert [ahead(number) for number in range(8)] == pytest.approx([0, 2 / 3, 4 / 3, 0, 1, 0, 1, 0])


def test_the_second_building_brings_a_place_for_ships_at_the_sea():
    def place(*corners, **options):
        there = troy(**options)
        for corner in corners:
            there.settlement(0, *corner)
        return terms(there)["ship_place"]

    assert place(INLAND, BESIDE) == 0 and place(WEST, BESIDE) == 1
    assert place(WEST) == 0
    assert place(WEST, BESIDE, ships={1: [(2, 1), (1, 2)]}) == 0
    assert place(WEST, EAST, ships={0: NEAR}) == 0


def test_commerce_points_count_as_far_as_the_next_two_ships_cost_them():
    def commerce(points, ships=0):
        return terms(troy(commerce=(points, 9, 9, 9), ships={0: NEAR[:ships]}))["commerce"]

    assert [commerce(points) for points in (0, 3, 4, 6)] == [0, 3, 4, 4]
    assert commerce(6, ships=6) == 2 and commerce(6, ships=7) == 0


def test_a_donation_under_way_is_as_good_as_its_commerce_point():
    game = troy(commerce=(1, 0, 0, 0)).hand(0, brick=2, ore=1).game()
    assert terms(game)["commerce"] == 1
    game.do("donate", "brick")
    assert game.decision == "donate_more" and terms(game)["commerce"] == 2 and terms(game, 1)["commerce"] == 0
    assert terms(game.do("end_donation"))["commerce"] == 2


def test_a_hand_comes_near_to_a_ship_only_with_commerce_points_and_a_ship_left():
    def near(commerce, ships=0, **hand):
        return terms(troy(commerce=(commerce, 0, 0, 0), ships={0: NEAR[:ships]}).hand(0, **hand))["near_ship"]

    assert near(2, **SHIP) == 1 and near(2, lumber=1) == 0.25 and near(2, ore=2) == 0
    assert near(1, **SHIP) == 0 and near(2, ships=7, **SHIP) == 0


def test_cards_of_the_own_city_and_those_of_ships_are_to_be_expected():
    def expected(sides, piece="settlement", robber=(2, 3)):
        place = troy(sides=sides).robber(*robber)
        found = terms(getattr(place, piece)(0, *INLAND))  # at wool 4, lumber 12 and grain 3
        return [36 * found["war_cards"], 36 * found["ships_to_expect"]]

    assert expected((0, 1, 0, 1)) == pytest.approx([3, 1]) and expected((1, 0, 0, 1)) == pytest.approx([3, 1])
    assert expected((0, 1, 0, 1), "city") == pytest.approx([6, 2])
    assert expected((0, 1, 0, 1), robber=(0, 0)) == pytest.approx([0, 0])
    assert expected((1, 0, 0, 1), robber=(0, 0)) == pytest.approx([3, 0])


def test_a_card_donated_for_the_own_city_tips_the_balance_of_the_pool():
    def balance(card, seat=0):
        game = troy(seat=seat, pool={"brick": 2}).hand(seat, **{card: 2}).hand(3, ore=2, grain=2).game()
        before = terms(game, seat)["pool_balance"]
        return before, terms(game.do("donate", card), seat)["pool_balance"]

    assert balance("ore") == pytest.approx((0, 10 / 7)) and balance("grain") == pytest.approx((0, -10 / 7))
    assert balance("brick") == pytest.approx((0, 0)) and balance("grain", 1) == pytest.approx((0, 10 / 7))
    assert terms(troy())["pool_balance"] == 0


def test_what_the_pool_holds_and_whose_ally_is_who_makes_no_difference():
    mine = terms(troy(pool={"ore": 3}).hand(1, grain=3))
    assert mine == terms(troy(pool={"grain": 3}).hand(1, ore=3)) and mine["donated"] == 3
    assert mine == terms(troy(pool={"ore": 3}, sides=(0, 0, 1, 1)).hand(1, grain=3))


def test_cards_donated_stay_counted_when_a_battle_was_won():
    assert terms(troy(pool={"ore": 4}))["donated"] == 4
    assert terms(troy(pool={"ore": 4}, wins=(2, 1)))["donated"] == 25
