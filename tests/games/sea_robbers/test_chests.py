"""Chest tokens and Captain Dever."""

import pytest
from sea_positions import sea

REWARDS = ("road_or_ship", "card_of_choice", "development_card", "brick_lumber", "grain_wool", "ore_grain", "brick_ore")


def holder(*rewards, dever=0, **rules):
    """Seat 0 holds chest tokens."""
    tokens = [[0] * 7 for _ in range(4)]
    hidden = [4, 4, 4, 1, 1, 1, 1]
    for reward in rewards:
        tokens[0][REWARDS.index(reward)] += 1
        hidden[REWARDS.index(reward)] -= 1
    place = sea("sea_robbers", **rules).field("chests", tokens).field("chests_hidden", hidden)
    return place.field("dever_uses", [dever, 0, 0, 0]).on_turn(0)


@pytest.mark.rule("sea_robbers.chests.2")
def test_one_token_a_turn_is_redeemed():
    game = holder("brick_lumber", "grain_wool").game()
    assert game.legal("redeem_chest") == ["brick_lumber", "grain_wool"]
    game.do("redeem_chest", "brick_lumber")
    assert game.hand(0) == {"lumber": 1, "brick": 1} and not game.can("redeem_chest")
    assert game.state["chests_redeemed"].tolist() == [0, 0, 0, 1, 0, 0, 0]


@pytest.mark.rule("sea_robbers.chests.4")
@pytest.mark.parametrize("pair", ["brick_lumber", "grain_wool", "ore_grain", "brick_ore"])
def test_a_printed_pair_brings_its_two_cards(pair):
    assert holder(pair).game().do("redeem_chest", pair).hand(0) == dict.fromkeys(pair.split("_"), 1)


@pytest.mark.rule("sea_robbers.chests.4")
def test_a_card_of_choice():
    game = holder("card_of_choice").game().do("redeem_chest", "card_of_choice")
    assert game.do("take_card", "ore").hand(0) == {"ore": 1}


@pytest.mark.rule("sea_robbers.chests.3")
def test_a_free_road_or_ship():
    place = holder("road_or_ship").settlement(0, "SE", 2, 2)
    game = place.game().do("redeem_chest", "road_or_ship")
    assert game.decision == "free_road" and game.kinds() == {"build_road", "build_ship", "forgo_free_roads"}
    game.do("build_ship", game.path(3, 2, "SW"))
    assert game.decision == "play" and game.hand(0) == {}
    assert not holder("road_or_ship").game().can("redeem_chest")  # nothing to set it next to


@pytest.mark.rule("sea_robbers.chests.5")
def test_a_development_card_that_is_not_played_in_this_turn():
    game = holder("development_card").game().do("redeem_chest", "development_card").draw("draw_card", "knight")
    assert game.cards(0) == {"knight": 1} and not game.can("play_knight")


@pytest.mark.rule("sea_robbers.chests.5")
def test_development_cards_are_played_without_limit_or_one_a_turn():
    game = holder().cards(0, year_of_plenty=1, monopoly=1).game().do("play_year_of_plenty")
    game.do("take_card", "ore").do("take_card", "ore")
    assert game.can("play_monopoly")
    game = holder(cards_in_a_turn="one").cards(0, year_of_plenty=1, monopoly=1).game().do("play_year_of_plenty")
    assert not game.do("take_card", "ore").do("take_card", "ore").can("play_monopoly")


@pytest.mark.rule("sea_robbers.chests.6")
def test_captain_dever_adds_a_card_of_choice_twice():
    game = holder("brick_ore", "ore_grain", dever=2).game().do("redeem_chest", "brick_ore")
    assert game.decision == "ask_dever"
    game.do("call_dever").do("take_card", "wool")
    assert game.hand(0) == {"brick": 1, "ore": 1, "wool": 1} and game.state["dever_uses"][0] == 1
    spared = holder("brick_ore", dever=1).game().do("redeem_chest", "brick_ore").do("spare_dever")
    assert spared.state["dever_uses"][0] == 1 and spared.decision == "play"
    assert holder("brick_ore").game().do("redeem_chest", "brick_ore").decision == "play"


@pytest.mark.rule("sea_robbers.chests.2", "sea_robbers.chests.6")
def test_captain_dever_joins_with_the_first_ship_sunk():
    place = sea("sea_robbers", first_jugs=3).settlement(0, "SE", 2, 2).ship(0, (3, 2, "SW"), (3, 3, "NE"))
    game = place.hand(0, lumber=1, wool=1).on_turn(0).game()
    game.do("build_ship", game.path(3, 3, "E")).draw("battle", "1").draw("chest", "road_or_ship")
    assert game.state["dever_uses"].tolist() == [2, 0, 0, 0] and game.state["chests"][0, 0] == 1
    assert game.kinds() == {"end_turn"}  # so that a token is never redeemed in the turn that brought it


@pytest.mark.rule("sea_robbers.chests.1")
def test_tokens_are_drawn_from_those_not_seen():
    place = sea("sea_robbers", first_jugs=3, chest_tokens=[0, 0, 3, 0, 0, 0, 1]).settlement(0, "SE", 2, 2)
    game = place.ship(0, (3, 2, "SW"), (3, 3, "NE")).hand(0, lumber=1, wool=1).on_turn(0).game()
    game.do("build_ship", game.path(3, 3, "E")).draw("battle", "1")
    assert game.chances() == pytest.approx({"development_card": 3 / 4, "brick_ore": 1 / 4})
