"""Merchant, captain, noblewoman."""

from collections import Counter

import numpy as np
import pytest

from catan_env.testing.positions import position
from tests.games.helpers.helper_positions import held, helper_of, helpers, holder, next_turn_of, turns

# -- merchant ------------------------------------------------------------------------------------------------


def merchant(hand=None, players=4, rules=None, **hands):
    """Seat 0 has the merchant and these cards, the others theirs: `seat_1={...}`."""
    place = helpers(players, **(rules or {})).hand(0, **(hand if hand is not None else {"lumber": 1}))
    for seat, cards in hands.items():
        place.hand(int(seat[-1]), **cards)
    return held(place, merchant=0).on_turn(0).game()


def names(game, *seats):
    for seat in seats:
        game.do("demand_of", game.opponent(seat))
    return game


@pytest.mark.rule("helpers.merchant.1")
def test_the_merchant_demands_a_card_of_one_opponent_and_gives_one_of_choice():
    game = names(merchant(seat_1={"ore": 2}), 1).do("demand", "ore")
    assert game.hand(0) == {"lumber": 1, "ore": 1} and game.hand(1) == {"ore": 1}
    assert game.decision == "give_in_return" and game.seat == 0 and game.argument == 1
    assert game.legal("return_card") == ["lumber", "ore"] and game.kinds() == {"return_card"}
    game.do("return_card", "lumber")
    assert game.hand(0) == {"ore": 1} and game.hand(1) == {"lumber": 1, "ore": 1}
    assert game.decision == "part_with_helper"


@pytest.mark.rule("helpers.merchant.1", "helpers.merchant.2")
def test_the_merchant_demands_a_card_of_two_opponents_and_gives_each_one():
    game = names(merchant({"lumber": 1, "wool": 1}, seat_1={"ore": 1}, seat_2={"brick": 1}, seat_3={"ore": 2}), 3, 1)
    assert not game.can("demand_of")
    game.do("demand", "ore")
    assert game.hand(0)["ore"] == 2 and game.argument == 1
    game.do("return_card", "lumber")
    assert game.argument == 3
    game.do("return_card", "wool")
    assert game.hand(1) == {"lumber": 1} and game.hand(3) == {"ore": 1, "wool": 1} and game.hand(2) == {"brick": 1}
    assert game.hand(0) == {"ore": 2} and not game.state["trades_with_merchant"].any()


@pytest.mark.rule("helpers.merchant.4")
def test_the_card_in_return_may_be_the_one_just_received():
    game = names(merchant({}, seat_1={"ore": 1}), 1).do("demand", "ore")
    assert game.legal("return_card") == ["ore"]
    game.do("return_card", "ore")
    assert game.hand(1) == {"ore": 1}


@pytest.mark.rule("helpers.merchant.5")
def test_an_opponent_without_the_kind_gives_and_gets_nothing_and_the_merchant_is_used():
    game = names(merchant(seat_1={"ore": 1}, seat_2={"wool": 1}), 1, 2).do("demand", "ore")
    game.do("return_card", "lumber")
    assert game.hand(2) == {"wool": 1} and game.decision == "part_with_helper"
    game = names(merchant(seat_1={"wool": 1}), 1).do("demand", "ore")
    assert game.decision == "part_with_helper" and game.hand(1) == {"wool": 1} and game.hand(0) == {"lumber": 1}
    assert not turns(game).can("demand_of")


@pytest.mark.rule("helpers.merchant.6")
def test_nobody_without_cards_is_named_nor_anybody_twice():
    game = merchant(seat_1={"wool": 1}, seat_3={"ore": 1})
    assert game.legal("demand_of") == [0, 2]
    names(game, 1)
    assert game.legal("demand_of") == [2]
    assert game.legal("demand") == ["lumber", "brick", "wool", "grain", "ore"]


@pytest.mark.rule("helpers.merchant.2")
def test_the_number_of_opponents_is_a_rule():
    game = names(merchant(rules={"opponents_of_merchant": 1}, seat_1={"wool": 1}, seat_3={"ore": 1}), 1)
    assert game.kinds() == {"demand"}


@pytest.mark.rule("helpers.merchant.3")
def test_the_merchant_serves_after_the_roll_only():
    assert not holder("merchant", decision="pre_roll").game().can("demand_of")
    assert not held(helpers().hand(0, ore=1).hand(1, ore=1), merchant=1).on_turn(0).game().can("demand_of")


# -- captain -------------------------------------------------------------------------------------------------


@pytest.mark.rule("helpers.captain.3")
def test_the_captain_trades_one_kind_at_two_to_one_for_the_rest_of_the_turn():
    game = turns(holder("captain", hand={"ore": 5, "wool": 3}).game().do("hire_captain", "ore"))
    assert game.kinds() >= {"trade_with_bank"}
    game.do("trade_with_bank", "ore for 1 brick").do("trade_with_bank", "ore for 1 grain")
    assert game.hand(0) == {"ore": 1, "wool": 3, "brick": 1, "grain": 1}
    assert not game.can("trade_with_bank")


@pytest.mark.rule("helpers.captain.4")
def test_the_captain_s_rate_ends_with_the_turn_and_is_nobody_else_s():
    place = helpers().hand(0, ore=4).hand(1, ore=3)
    game = turns(held(place, captain=0).on_turn(0).game().do("hire_captain", "ore"))
    assert game.can("trade_with_bank")
    game.do("end_turn").roll(12)
    assert game.seat == 1 and not game.can("trade_with_bank")
    game.do("end_turn").roll(12).do("end_turn").roll(12).do("end_turn").roll(12)
    assert game.seat == 0 and game.can("hire_captain") and not game.state["captains_trade"].any()


@pytest.mark.rule("helpers.captain.3")
def test_the_captain_s_rate_stays_when_he_is_exchanged():
    game = holder("captain", hand={"ore": 2}).game().do("hire_captain", "ore").do("take_helper", "mayor")
    assert game.can("trade_with_bank", "ore for 1 brick")


@pytest.mark.rule("helpers.captain.5")
def test_the_captain_is_hired_for_a_kind_that_can_be_traded():
    game = holder("captain", hand={"ore": 2, "wool": 1}).game()
    assert game.legal("hire_captain") == ["ore"]
    assert not holder("captain", hand={"ore": 2}, decision="pre_roll").game().can("hire_captain")


@pytest.mark.rule("helpers.captain.3")
def test_a_harbor_may_be_better_than_the_captain():
    game = turns(holder("captain", hand={"ore": 3}, rules={"captains_rate": 3}).game().do("hire_captain", "ore"))
    game.state["trade_rate"][0, 4] = 2
    game.engine.refresh()
    game.do("trade_with_bank", "ore for 1 wool")
    assert game.hand(0) == {"ore": 1, "wool": 1}


# -- noblewoman ----------------------------------------------------------------------------------------------


def noblewoman(**hands):
    """Seat 0 with a settlement and the noblewoman; seats 1 and 2 with a city, seat 3 with a settlement."""
    place = helpers().settlement(0, "N", 0, 0).city(1, "N", 2, -1).city(2, "S", 2, 0).settlement(3, "S", -2, 2)
    for seat, cards in hands.items():
        place.hand(int(seat[-1]), **cards)
    return held(place, noblewoman=0).on_turn(0)


@pytest.mark.rule("helpers.noblewoman.1")
def test_the_noblewoman_takes_a_card_of_choice_from_a_player_with_more_points():
    game = noblewoman(seat_1={"ore": 2, "wool": 1}, seat_2={"brick": 1}).game().do("visit", 0)
    assert game.decision == "look_into_hand" and game.legal("take_from_hand") == ["wool", "ore"]
    assert game.kinds() == {"take_from_hand"}
    game.do("take_from_hand", "wool")
    assert game.hand(0) == {"wool": 1} and game.hand(1) == {"ore": 2}
    assert game.decision == "part_with_helper" and not game.state["hand_seen"].any()


@pytest.mark.rule("helpers.noblewoman.2", "helpers.noblewoman.3")
def test_the_noblewoman_visits_nobody_with_as_many_points_nor_without_cards():
    game = noblewoman(seat_1={"ore": 2}, seat_3={"brick": 1}).game()
    assert game.legal("visit") == [0]


@pytest.mark.rule("helpers.noblewoman.2")
def test_hidden_points_do_not_count_for_the_noblewoman():
    place = noblewoman(seat_3={"brick": 1}).cards(3, victory_point=2)
    assert not place.game().can("visit")
    assert noblewoman(seat_1={"ore": 1}).cards(0, victory_point=5).game().can("visit")


@pytest.mark.rule("helpers.noblewoman.4")
def test_the_noblewoman_visits_after_the_roll_only():
    assert not noblewoman(seat_1={"ore": 2}).on_turn(0, "pre_roll").game().can("visit")


@pytest.mark.rule("helpers.noblewoman.5")
def test_only_the_seat_that_looks_into_a_hand_sees_it():
    seen = []
    for kind, elsewhere in (("ore", "brick"), ("brick", "ore")):
        game = noblewoman(seat_1={"wool": 1, kind: 1}, seat_2={elsewhere: 1}).game().do("visit", 0)
        feature = dict(zip(game.engine.feature_names(), game.engine.observe(seat=0)[0], strict=True))
        assert all(
            (feature[f"hand_seen/me/{name}"] > 0) == (name in ("wool", kind)) for name in ("wool", "ore", "brick")
        )
        before = game.engine.observe(seat=3)[0]
        seen.append(np.concatenate([before, game.do("take_from_hand", kind).engine.observe(seat=3)[0]]))
    assert np.array_equal(*seen)


@pytest.mark.rule("helpers.noblewoman.5")
def test_imagined_worlds_keep_the_hand_that_is_seen():
    game = noblewoman(seat_1={"wool": 1, "ore": 1}, seat_2={"brick": 2}).game().do("visit", 0)
    worlds = game.engine.determinise(None, 0, 60, seed=1)
    assert (worlds["hands"][:, 1] == game.state["hands"][1]).all()
    worlds = game.engine.determinise(None, 3, 300, seed=1)
    assert (worlds["hand_seen"][:, 0] == worlds["hands"][:, 1]).all()
    found = Counter(map(tuple, worlds["hands"][:, 1].tolist()))
    assert len(found) == 4, "two of wool, ore and two bricks"
    worlds = game.engine.determinise(None, 1, 60, seed=1)
    assert (worlds["hand_seen"][:, 0] == game.state["hands"][1]).all()


@pytest.mark.rule("helpers.noblewoman.5")
def test_a_card_counter_loses_sight_of_the_card_taken():
    place = position("helpers+card_counting", 4).settlement(0, "N", 0, 0).city(1, "N", 2, -1)
    game = held(place.hand(1, wool=1, ore=1), noblewoman=0).on_turn(0).game().do("visit", 0)
    game.do("take_from_hand", "ore")
    assert game.state["most"][0].tolist() == [0, 0, 1, 0, 1] and game.state["least"][0].sum() == 0


@pytest.mark.rule("helpers.helper_use.3")
def test_a_noblewoman_on_her_b_side_does_the_same():
    game = turns(noblewoman(seat_1={"ore": 2}).game().do("visit", 0).do("take_from_hand", "ore"))
    next_turn_of(game, 0).roll(12).do("visit", 0).do("take_from_hand", "ore")
    assert game.kinds() == {"take_helper"} and game.hand(1) == {} and helper_of(game, 0) == "noblewoman"
