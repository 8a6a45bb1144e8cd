"""CATAN for Two: trade tokens, forced trade, robber to the desert, knights given up."""

import pytest

from catan_env.testing.positions import position

SETTLEMENT = {"lumber": 1, "brick": 1, "wool": 1, "grain": 1}


def table(decision="play", **rules):
    """It is seat 0's turn; each has 5 tokens, 10 are in the bank."""
    return position("two_player", rules=rules).on_turn(0, decision)


def tokens(game):
    return [*game.state["tokens"][:2].tolist(), int(game.state["token_bank"])]


# -- forced trade ------------------------------------------------------------------------------------------------


@pytest.mark.rule("two_player.trade_tokens.4")
def test_a_forced_trade_is_two_random_cards_for_two_of_ones_choice():
    game = table().hand(0, wool=3, grain=1).hand(1, ore=2, brick=2).game().do("force_trade")
    assert game.decision == "forced_card" and game.chances() == {"ore": 0.5, "brick": 0.5}
    game.draw("forced_card", "ore")
    assert game.chances() == pytest.approx({"ore": 1 / 3, "brick": 2 / 3})
    game.draw("forced_card", "brick")
    assert (game.seat, game.decision) == (0, "give_cards")
    assert game.legal("give_card") == ["brick", "wool", "grain", "ore"]
    game.do("give_card", "wool").do("give_card", "grain")
    assert game.decision == "play"
    assert game.hand(0) == {"wool": 2, "ore": 1, "brick": 1}
    assert game.hand(1) == {"ore": 1, "brick": 1, "wool": 1, "grain": 1}
    assert tokens(game) == [4, 5, 11]


@pytest.mark.rule("two_player.trade_tokens.5")
def test_of_a_single_card_one_is_taken_and_two_are_given():
    game = table().hand(0, wool=2).hand(1, ore=1).game().do("force_trade")
    assert game.chances() == {"ore": 1.0}
    game.draw("forced_card", "ore")
    assert game.decision == "give_cards"
    game.do("give_card", "wool").do("give_card", "wool")
    assert (game.hand(0), game.hand(1)) == ({"ore": 1}, {"wool": 2})


@pytest.mark.rule("two_player.trade_tokens.4")
def test_the_drawn_cards_may_be_handed_back():
    game = table().hand(1, ore=1, brick=4).game().do("force_trade")
    game.draw("forced_card", "ore").draw("forced_card", "brick")
    assert game.legal("give_card") == ["brick", "ore"]
    game.do("give_card", "brick").do("give_card", "ore")
    assert (game.hand(0), game.hand(1)) == ({}, {"ore": 1, "brick": 4}) and tokens(game) == [4, 5, 11]


@pytest.mark.rule("two_player.trade_tokens.5")
@pytest.mark.parametrize("own, others, possible", [(5, 0, False), (0, 1, False), (1, 1, True), (0, 2, True)])
def test_a_forced_trade_needs_a_card_to_take_and_two_to_give(own, others, possible):
    game = table().hand(0, wool=own).hand(1, ore=others).game()
    assert game.can("force_trade") == possible and (possible or game.refuses("force_trade"))


# -- the robber --------------------------------------------------------------------------------------------------


@pytest.mark.rule("two_player.trade_tokens.6")
def test_the_robber_is_sent_to_the_desert_without_a_theft():
    place = table().robber(1, 1).settlement(1, "NE", 0, 0).hand(1, ore=2)
    game = place.field("tokens", [5, 5, 0, 0]).field("token_bank", 10).game().do("banish_robber")
    assert game.state["robber"] == game.hex(0, 0)
    assert game.decision == "play" and game.hand(1) == {"ore": 2} and tokens(game) == [4, 5, 11]


@pytest.mark.rule("two_player.trade_tokens.6")
def test_a_robber_on_the_desert_stays():
    assert table().game().refuses("banish_robber")


@pytest.mark.rule("two_player.trade_tokens.6")
def test_without_a_desert_the_robber_stays():
    assert table().robber(1, 1).field("terrain", [0] * 19).game().refuses("banish_robber")


# -- price and time ----------------------------------------------------------------------------------------------


@pytest.mark.rule("two_player.trade_tokens.2")
@pytest.mark.parametrize("own, others, price", [(0, 0, 1), (0, 1, 1), (1, 1, 1), (1, 0, 2)])
def test_an_action_costs_two_tokens_with_more_points_than_the_opponent(own, others, price):
    place = table().robber(2, 0).hand(0, wool=2).hand(1, ore=2)
    for seat, villages in ((0, own), (1, others)):
        for k in range(villages):
            place.settlement(seat, "N", 1, 1 - 2 * seat + k)
    place.field("tokens", [2, 2, 0, 0]).field("token_bank", 16)
    assert tokens(place.game().do("banish_robber")) == [2 - price, 2, 16 + price]
    assert tokens(place.game().do("force_trade")) == [2 - price, 2, 16 + price]
    poor = place.field("tokens", [price - 1, 2, 0, 0]).field("token_bank", 19 - price).game()
    assert not poor.can("banish_robber") and not poor.can("force_trade")


@pytest.mark.rule("two_player.trade_tokens.2")
def test_only_visible_points_make_an_action_dear():
    place = table().robber(2, 0).cards(0, victory_point=3)
    assert tokens(place.game().do("banish_robber")) == [4, 5, 11]
    place = table().robber(2, 0).knights(0, 3).cards(1, victory_point=5)
    assert tokens(place.game().do("banish_robber")) == [3, 5, 12]


@pytest.mark.rule("two_player.trade_tokens.3")
def test_one_token_action_a_turn():
    place = table("pre_roll").robber(2, 0).hand(0, wool=2).hand(1, ore=2)
    game = place.game().do("banish_robber")
    assert game.decision == "pre_roll" and game.refuses("force_trade")
    game.roll(3).roll(4)
    assert game.refuses("force_trade")
    game.do("end_turn").roll(3).roll(4)
    assert game.seat == 1 and game.can("force_trade")
    game = place.game().do("force_trade").draw("forced_card", "ore").draw("forced_card", "ore")
    game.do("give_card", "ore").do("give_card", "ore")
    assert game.decision == "pre_roll" and game.refuses("banish_robber")


@pytest.mark.rule("two_player.trade_tokens.3")
def test_token_actions_belong_to_the_first_roll_and_the_trade_and_build_phases():
    place = table("pre_roll", phases="strict").robber(2, 0)
    game = place.game()
    assert game.can("banish_robber")
    game.roll(3)
    assert not game.can("banish_robber")
    game.roll(4)
    assert game.decision == "trade" and game.can("banish_robber")
    assert game.do("end_trade").decision == "build" and game.can("banish_robber")


# -- knights -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("two_player.trade_tokens.7")
def test_a_played_knight_brings_two_tokens_once_a_turn():
    game = table("pre_roll").knights(0, 2).knights(1, 1).game().do("give_up_knight")
    assert tokens(game) == [7, 5, 8] and game.state["knights_played"].tolist() == [1, 1, 0, 0]
    assert game.refuses("give_up_knight")
    game.roll(3).roll(4).do("end_turn")
    assert game.seat == 1 and game.can("give_up_knight")
    game.roll(3).roll(4).do("end_turn")
    assert game.seat == 0 and game.do("give_up_knight").state["knights_played"][0] == 0


@pytest.mark.rule("two_player.trade_tokens.7")
def test_only_knights_face_up_are_given_up():
    assert not table().cards(0, knight=2).knights(1, 2).game().can("give_up_knight")


@pytest.mark.rule("two_player.trade_tokens.7")
def test_a_knight_may_be_given_up_between_the_rolls_and_beside_a_token_action():
    game = table("pre_roll").knights(0, 1).robber(2, 0).game().do("banish_robber").roll(4)
    assert tokens(game.do("give_up_knight")) == [6, 5, 9] and game.decision == "pre_roll"


@pytest.mark.rule("two_player.trade_tokens.8")
@pytest.mark.parametrize(
    "own, others, holder",
    [
        (3, 0, -1),  # set aside: nobody has three
        (3, 2, -1),
        (4, 3, -1),  # set aside on a tie
        (5, 3, 0),  # kept: still strictly ahead
        (4, 2, 0),
        (3, 3, 1),  # passed on
        (4, 4, 1),
    ],
)
def test_largest_army_is_awarded_again_when_a_knight_is_given_up(own, others, holder):
    game = table().knights(0, own).knights(1, others).game()
    assert game.state["largest_army"] == 0
    game.do("give_up_knight")
    assert game.state["largest_army"] == holder
    assert [game.points(seat) for seat in range(2)] == [2 * (holder == seat) for seat in range(2)]


@pytest.mark.rule("two_player.trade_tokens.8")
def test_largest_army_set_aside_goes_to_the_next_with_three():
    game = table().knights(0, 3).knights(1, 2).cards(1, knight=1).robber(2, 0).game().do("give_up_knight")
    game.do("end_turn").do("play_knight")
    assert game.state["largest_army"] == 1


@pytest.mark.rule("two_player.trade_tokens.8")
def test_largest_army_set_aside_on_a_tie_goes_to_who_is_ahead_next():
    game = table().knights(0, 4).knights(1, 3).cards(1, knight=1).robber(2, 0).game().do("give_up_knight")
    assert game.state["largest_army"] == -1
    game.do("end_turn").do("play_knight")
    assert game.state["largest_army"] == 1


@pytest.mark.rule("two_player.trade_tokens.9")
def test_largest_army_stays_on_a_tie_of_knights_played_and_when_the_other_gives_one_up():
    place = table().knights(1, 3).knights(0, 2).cards(0, knight=1).robber(2, 0)
    assert place.game().do("play_knight").state["largest_army"] == 1
    game = table().knights(1, 3).knights(0, 3).game().do("give_up_knight")
    assert game.state["largest_army"] == 1


@pytest.mark.rule("two_player.trade_tokens.7")
def test_a_knight_given_up_leaves_the_game():
    game = table().knights(0, 1).game().do("give_up_knight")
    assert game.state["cards_used"][0] == 1 and game.state["deck"][0] == 13 and game.cards(0) == {}


# -- tokens of settlements ---------------------------------------------------------------------------------------


@pytest.mark.rule("two_player.trade_tokens.10")
@pytest.mark.parametrize(
    "corner, road, gain",
    [
        (("NE", 0, 0), (0, 0, "E"), 2),  # desert
        (("N", -2, 0), (-2, 0, "NW"), 1),  # coast
        (("N", 1, 1), (1, 1, "NE"), 0),
    ],
)
def test_settlements_at_desert_and_coast_bring_tokens(corner, road, gain):
    place = table().road(0, road).hand(0, **SETTLEMENT)
    game = place.game()
    game.do("build_settlement", game.corner(*corner))
    assert tokens(game) == [5 + gain, 5, 10 - gain]


@pytest.mark.rule("two_player.trade_tokens.10")
def test_a_settlement_at_desert_and_coast_brings_three_tokens():
    place = table().field("terrain", [5] * 19).road(0, (-2, 0, "NW")).hand(0, **SETTLEMENT)
    game = place.game()
    assert tokens(game.do("build_settlement", game.corner("N", -2, 0))) == [8, 5, 7]


@pytest.mark.rule("two_player.trade_tokens.10")
def test_cities_and_neutral_settlements_bring_no_tokens():
    place = table().road(0, (-2, 0, "NW W")).road(3, (-1, 2, "NW SW")).settlement(0, "N", -2, 0)
    place.hand(0, ore=3, grain=3, lumber=1, brick=1, wool=1)
    game = place.game()
    before = tokens(game)
    assert tokens(game.do("build_city", game.corner("N", -2, 0))) == before
    game.do("build_settlement", game.corner("SW", -2, 0))
    before = tokens(game)
    while game.decision != "neutral_settlement":
        game.do("choose_neutral", 1)
    game.do("build_settlement", game.legal("build_settlement")[0])
    assert tokens(game) == before and game.state["tokens"][2:].tolist() == [0, 0]


@pytest.mark.rule("two_player.trade_tokens.12")
def test_an_empty_bank_gives_what_is_left():
    few = table().field("tokens", [14, 5, 0, 0]).field("token_bank", 1).knights(0, 1)
    assert tokens(few.game().do("give_up_knight")) == [15, 5, 0]
    game = few.road(0, (0, 0, "E")).hand(0, **SETTLEMENT).game()
    assert tokens(game.do("build_settlement", game.corner("NE", 0, 0))) == [15, 5, 0]
    none = table().field("tokens", [15, 5, 0, 0]).field("token_bank", 0).knights(0, 1).game()
    assert none.refuses("give_up_knight")


# -- seen and conserved ------------------------------------------------------------------------------------------


@pytest.mark.rule("two_player.trade_tokens.1")
def test_everybody_sees_the_tokens_of_the_players():
    game = table().field("tokens", [3, 9, 0, 0]).field("token_bank", 8).game()
    encoder = game.engine.encoder("flat", "uint8")
    for seat, counts in ((0, [3, 9]), (1, [9, 3])):
        row = dict(zip(encoder.feature_names, encoder.encode(seat)[0].tolist(), strict=True))
        assert [row["tokens/me"], row["tokens/left_1"]] == counts and row["token_bank"] == 8


@pytest.mark.rule("two_player.trade_tokens.1")
@pytest.mark.parametrize(
    "field, where, invariant",
    [
        ("tokens", (0,), "tokens_conserved"),
        ("token_bank", (), "tokens_conserved"),
        ("tokens", (2,), "tokens_conserved"),
        ("knights_played", (3,), "neutrals_idle"),
        ("hands", (2, 1), "neutrals_idle"),
    ],
)
def test_broken_invariants_are_found(field, where, invariant):
    engine = table().build()
    engine.state[field][(0, *where)] += 1
    assert (0, invariant) in engine.broken_invariants()
