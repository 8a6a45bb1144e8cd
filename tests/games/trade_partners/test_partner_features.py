"""What value networks see of trade partners.

Colors 2 and 3 are the partners of seats 0 and 1. On the beginner board, N of (2, 0) touches the mountains with the 8,
the hills with the 10 and the sea.
"""

import pytest
from evaluating import features_of_position

from catan_env.testing.positions import position

ORE, BRICK = 5 / 36, 3 / 36


def table():
    return position("trade_partners").on_turn(0, "play")


def test_networks_see_production_and_hands_of_all_partners():
    place = table().city(2, "N", 2, 0).settlement(3, "S", 0, -2).hand(2, ore=1, wool=3)
    own, other = features_of_position(place, 0), features_of_position(place, 1)
    assert own["partner_production/ore@0"] == pytest.approx(2 * ORE)
    assert own["partner_production/brick@0"] == pytest.approx(2 * BRICK)
    assert (own["partner_cities@0"], own["partner_settlements@0"]) == (1, 0)
    assert (own["partner_cities@1"], own["partner_settlements@1"]) == (0, 1)
    assert (own["partner_hand/ore@0"], own["partner_hand/wool@0"], own["partner_hand/wool@1"]) == (1, 3, 0)
    assert other["partner_hand/wool@1"] == 3 and other["partner_production/ore@1"] == own["partner_production/ore@0"]


def test_networks_see_what_the_robber_takes_from_partners():
    seen = features_of_position(table().city(2, "N", 2, 0).robber(2, 0))
    assert seen["partner_blocked@0"] == pytest.approx(2 * ORE) and seen["partner_production/ore@0"] == 0


def test_networks_see_the_pieces_that_partners_are_owed():
    place = table().settlement(0, "N", -2, 0).city(0, "S", 0, -2).settlement(2, "N", 2, 0).road(0, (-2, 0, "NW"))
    owner, opponent = features_of_position(place, 0), features_of_position(place, 1)
    owed = [owner[f"partner_{pieces}_owed@0"] for pieces in ("roads", "cities", "settlements")]
    assert owed == [1, 1, 0] == [opponent[f"partner_{pieces}_owed@1"] for pieces in ("roads", "cities", "settlements")]


@pytest.mark.parametrize(("hand", "share"), [({"wool": 2, "grain": 1}, 0.5), ({"wool": 3, "grain": 1}, 0.75)])
def test_two_cards_to_spare_buy_one_that_the_partner_has(hand, share):
    seen = features_of_position(table().hand(0, **hand).hand(2, brick=2, ore=1))
    assert seen["settlement_with_partner"] == share


def test_a_free_road_is_always_paid_for():
    place = position("trade_partners", rules={"road_cost": [0, 0, 0, 0, 0]}).on_turn(0, "play")
    assert features_of_position(place)["road_with_partner"] == 1


def test_the_partner_sells_only_what_it_has():
    seen = features_of_position(table().hand(0, wool=6).hand(2, ore=2))
    assert (seen["city_with_partner"], seen["road_with_partner"]) == (pytest.approx(2 / 5), 0)
