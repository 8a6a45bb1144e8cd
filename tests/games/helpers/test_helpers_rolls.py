"""Mayor, general, robber's bride."""

import pytest

from tests.games.helpers.helper_positions import display, held, helper_of, helpers, holder, next_turn_of, side, turns

# -- mayor ---------------------------------------------------------------------------------------------------


def mayor(seat=0, turned=(), players=4, rules=None, robber=None, **hands):
    """Seat 0 about to roll, with a settlement at an 11 and a 12 hex; a seat has the mayor."""
    place = helpers(players, **(rules or {})).settlement(0, "S", -1, -1)
    if robber:
        place.robber(*robber)
    for name, cards in hands.items():
        place.hand(int(name[-1]), **cards)
    return held(place, turned, mayor=seat).on_turn(0, "pre_roll")


@pytest.mark.rule("helpers.mayor.1")
def test_the_mayor_gives_a_resource_of_choice_after_a_roll_without_income():
    game = mayor().game().roll(4)
    assert game.decision == "call_mayor" and game.seat == 0
    assert game.kinds() == {"take_card", "do_without_mayor"}
    assert game.legal("take_card") == ["lumber", "brick", "wool", "grain", "ore"]
    game.do("take_card", "ore")
    assert game.hand(0) == {"ore": 1} and game.decision == "part_with_helper"
    assert turns(game).decision == "play"


@pytest.mark.rule("helpers.mayor.1")
def test_with_income_the_mayor_gives_nothing():
    game = mayor().game().roll(11)
    assert game.decision == "play" and game.hand(0) == {"lumber": 1}


@pytest.mark.rule("helpers.mayor.3")
def test_the_mayor_serves_at_the_rolls_of_others_too():
    game = mayor(seat=2).game().roll(4)
    assert game.decision == "call_mayor" and game.seat == 2
    game.do("take_card", "wool").do("take_helper", "captain")
    assert game.seat == 0 and game.decision == "play" and helper_of(game, 2) == "captain"
    assert mayor(seat=2, rules={"mayor_at_all_rolls": 0}).game().roll(4).decision == "play"
    assert mayor(seat=0, rules={"mayor_at_all_rolls": 0}).game().roll(4).decision == "call_mayor"


@pytest.mark.rule("helpers.mayor.1")
def test_the_mayor_looks_at_his_player_s_income_only():
    game = mayor(seat=2).game().roll(11)
    assert game.hand(0) == {"lumber": 1} and game.decision == "call_mayor" and game.seat == 2


@pytest.mark.rule("helpers.mayor.4")
def test_one_may_do_without_the_mayor():
    game = mayor().game().roll(4).do("do_without_mayor")
    assert game.decision == "play" and helper_of(game, 0) == "mayor" and side(game, 0) == "A"
    assert game.hand(0) == {}


@pytest.mark.rule("helpers.mayor.2")
def test_the_mayor_does_not_serve_at_a_seven():
    assert mayor().game().roll(7).decision == "place_robber"


@pytest.mark.rule("helpers.mayor.5")
def test_income_lost_to_the_robber_or_an_empty_bank_is_none():
    assert mayor(robber=(-1, 0)).game().roll(11).decision == "call_mayor"
    assert mayor().bank(1, lumber=0).game().roll(11).decision == "call_mayor"


@pytest.mark.rule("helpers.mayor.6")
def test_the_mayor_gives_what_the_bank_has():
    game = mayor().bank(1, lumber=0, brick=0, wool=0).game().roll(4)
    assert game.legal("take_card") == ["grain", "ore"]
    empty = mayor().bank(1, lumber=0, brick=0, wool=0, grain=0, ore=0).game().roll(4)
    assert empty.decision == "play"


@pytest.mark.rule("helpers.helper_cards.9")
def test_a_mayor_turned_over_at_a_roll_of_others_serves_again_in_the_next_turn():
    game = turns(mayor(seat=1).game().roll(4).do("take_card", "wool"))
    assert side(game, 1) == "B"
    game.do("end_turn").roll(4)
    assert game.decision == "call_mayor" and game.seat == 1
    game.do("take_card", "wool")
    assert game.kinds() == {"take_helper"}


@pytest.mark.rule("helpers.helper_cards.9")
def test_a_helper_received_in_a_turn_of_others_rests_until_that_turn_is_over():
    place = mayor(seat=2).field("rolls_made", 0)
    game = place.game().roll(4).do("take_card", "ore").do("take_helper", "general")
    assert game.state["helper_resting"].sum() == 1
    game.do("end_turn").roll(7)
    assert game.decision == "choose_card" and game.seat == 2


# -- general -------------------------------------------------------------------------------------------------


def general(seat=0, **hands):
    place = helpers()
    for name, cards in hands.items():
        place.hand(int(name[-1]), **cards)
    return held(place, general=seat).on_turn(0, "pre_roll")


@pytest.mark.rule("helpers.general.1", "helpers.general.3")
@pytest.mark.parametrize("seat", [0, 2])
def test_with_the_general_a_large_hand_discards_nothing(seat):
    game = general(seat, **{f"seat_{seat}": {"ore": 8}, "seat_1": {"wool": 8}}).game().roll(7)
    assert game.decision == "part_with_helper" and game.seat == seat
    turns(game)
    assert game.decision == "discard" and game.seat == 1 and game.state["to_discard"].tolist() == [0, 4, 0, 0]
    assert game.hand(seat) == {"ore": 8}


@pytest.mark.rule("helpers.general.2", "helpers.general.4")
@pytest.mark.parametrize("seat", [0, 2])
def test_with_the_general_a_small_hand_takes_a_resource_before_the_others_discard(seat):
    game = general(seat, **{f"seat_{seat}": {"ore": 7}, "seat_1": {"wool": 8}}).game().roll(7)
    assert game.decision == "choose_card" and game.seat == seat and game.kinds() == {"take_card"}
    game.do("take_card", "brick")
    assert game.hand(seat) == {"ore": 7, "brick": 1} and game.decision == "part_with_helper"
    assert turns(game).decision == "discard" and game.seat == 1


@pytest.mark.rule("helpers.general.3")
def test_the_general_serves_at_sevens_only():
    assert general(seat_0={"ore": 8}).game().roll(6).decision == "play"


@pytest.mark.rule("helpers.helper_use.7")
def test_a_general_who_has_served_protects_no_more_in_this_turn():
    place = general(0, seat_0={"ore": 8}).field("rolls_made", 0)
    resting = held(place, resting=("general",), general=0).game().roll(7)
    assert resting.decision == "discard" and resting.seat == 0


@pytest.mark.rule("helpers.general.5")
def test_with_an_empty_bank_the_general_is_used_all_the_same():
    place = general(0).bank(1, lumber=0, brick=0, wool=0, grain=0, ore=0)
    game = place.game().roll(7)
    assert game.decision == "part_with_helper" and game.seat == 0


@pytest.mark.rule("helpers.general.1")
def test_the_limit_that_everybody_sees_says_who_is_protected():
    game = general(2).game()
    feature = dict(zip(game.engine.feature_names(), game.engine.observe(seat=0, dtype="uint8")[0], strict=True))
    assert (feature["hand_limit/me"], feature["hand_limit/left_2"]) == (7, 127)


@pytest.mark.rule("helpers.helper_use.11")
def test_a_general_on_the_b_side_is_exchanged_after_the_next_seven():
    game = held(helpers(), ("general",), general=1).on_turn(0, "pre_roll").game().roll(7)
    game.do("take_card", "ore")
    assert game.seat == 1 and game.kinds() == {"take_helper"}
    game.do("take_helper", "priest")
    assert "general" in display(game) and game.decision == "place_robber" and game.seat == 0


# -- robber's bride ------------------------------------------------------------------------------------------


@pytest.mark.rule("helpers.robber_bride.1")
@pytest.mark.parametrize("decision", ["pre_roll", "play"])
def test_the_robber_s_bride_sends_him_to_the_desert_and_leaves_a_resource(decision):
    place = helpers().robber(1, 0).settlement(1, "N", 0, 0).hand(1, ore=3)
    game = held(place, robber_bride=0).on_turn(0, decision).game()
    assert game.legal("lure_robber") == [game.hex(0, 0)]
    game.do("lure_robber", game.hex(0, 0))
    assert game.state["robber"] == game.hex(0, 0) and game.hand(0) == {"lumber": 1}
    assert game.hand(1) == {"ore": 3} and game.decision == "part_with_helper"
    assert turns(game).decision == decision


@pytest.mark.rule("helpers.robber_bride.2")
def test_she_does_not_serve_while_he_is_in_the_desert():
    assert not holder("robber_bride").robber(0, 0).game().can("lure_robber")
    place = held(helpers(6), robber_bride=0).robber(0, 1).on_turn(0)
    assert not place.game().can("lure_robber")


@pytest.mark.rule("helpers.robber_bride.3")
def test_of_two_deserts_either_will_do():
    game = held(helpers(6), robber_bride=0).robber(0, 0).on_turn(0).game()
    assert sorted(game.legal("lure_robber")) == sorted([game.hex(-2, -1), game.hex(0, 1)])


@pytest.mark.rule("helpers.robber_bride.5")
def test_without_a_card_in_the_bank_he_goes_all_the_same():
    place = held(helpers(), robber_bride=0).robber(1, 0).bank(1, lumber=0).on_turn(0)
    game = place.game().do("lure_robber", place.game().hex(0, 0))
    assert game.state["robber"] == game.hex(0, 0) and game.hand(0) == {}


@pytest.mark.rule("helpers.robber_bride.4")
def test_on_a_board_without_desert_she_does_not_serve():
    place = held(helpers(), robber_bride=0).robber(1, 0).on_turn(0)
    game = place.game()
    game.state["terrain"][game.hex(0, 0)] = 0
    game.engine.refresh()
    assert not game.can("lure_robber")


@pytest.mark.rule("helpers.robber_bride.1")
def test_she_serves_in_the_own_turn_only():
    game = held(helpers(), robber_bride=1).robber(1, 0).on_turn(0).game()
    assert not game.can("lure_robber")
    assert next_turn_of(game, 1).can("lure_robber")
