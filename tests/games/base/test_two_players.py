"""One against one, the field's benchmark: options of the base game (see scenarios/base.toml)."""

import pytest

from catan_env.testing.positions import new_game, position


@pytest.mark.rule("base.victory.4")
def test_two_players_play_to_fifteen_points():
    place = position("base", 2)
    for corner in (("N", 0, -2), ("N", 2, -2), ("N", -2, 0)):
        place.city(0, *corner)
    place.settlement(0, "S", -2, 2).cards(0, victory_point=5).knights(0, 3).hand(0, ore=3, grain=2).on_turn(0)
    game = place.game()
    assert game.points(0) == 14 and not game.over
    assert game.do("build_city", game.corner("S", -2, 2)).winner == 0


@pytest.mark.rule("base.discarding.4")
@pytest.mark.parametrize("held, decision", [(9, "place_robber"), (10, "discard")])
def test_two_players_may_hold_nine_cards(held, decision):
    assert position("base", 2).hand(0, ore=held).on_turn(0, "pre_roll").game().roll(7).decision == decision


@pytest.mark.rule("base.robber.4")
def test_two_players_have_a_friendly_robber():
    game = position("base", 2).city(1, "N", 0, 0).on_turn(0, "pre_roll").game().roll(7)
    assert not game.can("move_robber", game.hex(0, -1))


@pytest.mark.rule("base.victory.4")
@pytest.mark.parametrize("num_players", [3, 4])
def test_three_and_four_players_keep_the_rules_of_the_box(num_players):
    rules = new_game("base", num_players).engine.rules
    assert (rules["victory_points"], rules["hand_limit"], rules["friendly_robber"]) == (10, 7, 0)


@pytest.mark.rule("base.victory.4")
def test_the_benchmark_numbers_may_be_changed():
    rules = new_game("base", 2, victory_points=10, hand_limit=7, friendly_robber=0).engine.rules
    assert (rules["victory_points"], rules["hand_limit"], rules["friendly_robber"]) == (10, 7, 0)
