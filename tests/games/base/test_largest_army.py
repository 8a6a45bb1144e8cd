"""Largest Army."""

import pytest

from catan_env.testing.positions import position


def army(mine, theirs=0, num_players=3, **rules):
    """Seat 0 may play a knight and has played `mine` before; seat 1, who played first, `theirs`."""
    place = position("base", num_players, rules).knights(1, theirs).knights(0, mine)
    return place.cards(0, knight=1).on_turn(0).game()


@pytest.mark.rule("base.largest_army.1")
def test_the_third_knight_brings_largest_army_and_two_points():
    game = army(mine=1).do("play_knight")
    assert game.points(0) == 0
    game = army(mine=2).do("play_knight")
    assert game.state["largest_army"] == 0
    assert (game.points(0), game.visible_points(0)) == (2, 2)


@pytest.mark.rule("base.largest_army.2")
def test_cards_not_played_do_not_count():
    game = position("base", 3).knights(0, 2).cards(0, knight=3).on_turn(0).game()
    assert game.state["largest_army"] == -1


@pytest.mark.rule("base.largest_army.3")
def test_the_holder_keeps_the_card_on_a_tie():
    game = army(mine=2, theirs=3).do("play_knight")
    assert game.state["largest_army"] == 1
    assert (game.points(0), game.points(1)) == (0, 2)


@pytest.mark.rule("base.largest_army.3")
def test_strictly_more_knights_take_the_card_over():
    game = army(mine=3, theirs=3).do("play_knight")
    assert game.state["largest_army"] == 0
    assert (game.points(0), game.points(1)) == (2, 0)


@pytest.mark.rule("base.largest_army.3")
def test_the_holder_may_play_on():
    game = army(mine=4, theirs=3).do("play_knight")
    assert game.state["largest_army"] == 0 and game.points(0) == 2


@pytest.mark.rule("base.largest_army.1")
def test_a_knight_before_the_roll_counts():
    game = position("base", 3).knights(0, 2).cards(0, knight=1).on_turn(0, "pre_roll").game().do("play_knight")
    assert game.state["largest_army"] == 0
