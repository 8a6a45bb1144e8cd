"""What value networks see of CATAN for Two. Colors 2 and 3 are neutral."""

from evaluating import features_of_position

from catan_env.testing.positions import position


def table():
    """It is seat 0's turn; each has 5 tokens, 10 are in the bank."""
    return position("two_player").on_turn(0, "play")


def test_networks_see_tokens_and_what_an_action_costs():
    place = table().settlement(0, "N", -2, 0).field("tokens", [3, 6, 0, 0]).field("token_bank", 11)
    seen = features_of_position(place)
    assert [seen["tokens@0"], seen["tokens@1"], seen["token_bank"], seen["token_actions_left"]] == [3, 6, 11, 1]
    assert (seen["token_price@0"], seen["token_price@1"]) == (2, 1)
    assert features_of_position(place, 1)["tokens@0"] == 6


def test_networks_see_that_a_knight_was_given_up():
    game = table().knights(0, 1)
    assert not features_of_position(game)["knight_given_up"]
    assert features_of_position(game.field("knight_given_up", 1))["knight_given_up"]


def test_networks_see_the_longest_road_of_neutral_colors():
    place = table().road(2, (-2, 0, "NW NE E")).road(3, (2, 0, "NE"))
    seen = features_of_position(place)
    assert (seen["neutral_road_length"], seen["neutral_longest_road"]) == (3, 0)
    seen = features_of_position(table().road(2, (-2, 0, "NW NE E SE SW")))
    assert (seen["neutral_road_length"], seen["neutral_longest_road"]) == (5, 1)


def test_networks_see_whether_a_second_roll_comes():
    for decision, rolls, again in (("pre_roll", 0, 0), ("pre_roll", 1, 1), ("play", 2, 0)):
        place = position("two_player").on_turn(0, decision).field("rolls_made", rolls)
        assert features_of_position(place)["rolls_again"] == again
