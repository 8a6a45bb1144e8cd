"""Resource cards and the bank."""

import pytest

from catan_env.testing.positions import new_game, position


@pytest.mark.rule("base.resources.1", "base.resources.6")
@pytest.mark.parametrize("scenario, cards", [("base", 19), ("base_5_6", 24)])
def test_the_bank_holds_so_many_cards_of_each_kind(scenario, cards):
    assert set(new_game(scenario).bank().values()) == {cards}


@pytest.mark.rule("base.development_cards.10")
def test_cards_of_choice_are_taken_one_by_one_of_any_kind():
    game = position("base", 3).cards(0, year_of_plenty=1).on_turn(0).game().do("play_year_of_plenty")
    assert game.legal("take_card") == ["lumber", "brick", "wool", "grain", "ore"]
    assert game.do("take_card", "ore").kinds() == {"take_card"}
    assert game.do("take_card", "ore").decision == "play"
    assert game.hand(0) == {"ore": 2}


@pytest.mark.rule("base.bank_trade.5", "base.development_cards.10")
def test_a_kind_that_the_bank_lacks_cannot_be_chosen():
    game = position("base", 3).cards(0, year_of_plenty=1).bank(1, ore=1, wool=0).on_turn(0).game()
    game.do("play_year_of_plenty")
    assert game.legal("take_card") == ["lumber", "brick", "grain", "ore"]
    assert game.refuses("take_card", "wool")
    assert game.do("take_card", "ore").refuses("take_card", "ore")


@pytest.mark.rule("base.resources.2")
def test_the_number_of_cards_in_a_hand_is_public_and_their_kinds_are_not():
    views = []
    for cards in ({"wool": 3}, {"ore": 2, "brick": 1}, {"wool": 4}):
        engine = position("base", 3).hand(1, **cards).on_turn(0).build()
        row = engine.observe("flat", seat=0)[0]
        assert row[engine.feature_names("flat").index("hands/left_1/total")] > 0
        bank = [i for i, name in enumerate(engine.feature_names("flat")) if name.startswith("bank/")]
        row[bank] = 0  # everybody may count the bank
        views.append(row)
    assert (views[0] == views[1]).all() and (views[0] != views[2]).any()


@pytest.mark.rule("base.resources.3")
def test_the_bank_lies_open():
    for seat in range(3):
        engine = position("base", 3).hand(1, ore=3).on_turn(0).build()
        seen = dict(zip(engine.feature_names("flat"), engine.observe("flat", seat=seat, dtype="uint8")[0], strict=True))
        assert (seen["bank/ore"], seen["bank/wool"]) == (16, 19)


def test_a_bank_of_the_largest_size_is_counted_right():
    game = position("base", 3, {"bank_per_resource": 30}).cards(0, year_of_plenty=1).on_turn(0).game()
    assert game.can("play_year_of_plenty")
