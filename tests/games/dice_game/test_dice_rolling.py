"""Turns, rolls and which dice are rolled again."""

import numpy as np
import pytest
from sheets import FACES, dice_game, lying, roll, row

from catan_env import BatchEngine
from tests.orders import values_by_orders

FOUR_KINDS = "lumber lumber wool grain ore gold"


@pytest.mark.rule("dice_game.dice_turns.1")
def test_anybody_may_begin():
    engine = BatchEngine("dice_game", 1, 4, chance="explicit")
    assert engine.decision(0) == "start_player"
    assert engine.chance_probabilities[0].max() == pytest.approx(0.25)
    first = BatchEngine("dice_game", 1, 4, chance="explicit", rules={"start_player": "seat_0"})
    assert first.chance_probabilities[0].max() == 1.0


@pytest.mark.rule("dice_game.dice_turns.1")
def test_turns_go_to_the_left():
    game = dice_game(3)
    for seat in (0, 1, 2, 0):
        roll(game, FOUR_KINDS)
        assert game.seat == seat
        game.do("let_stand").do("end_turn")


@pytest.mark.rule("dice_game.rolling.1")
def test_a_turn_begins_with_six_dice_each_side_as_likely():
    game = dice_game()
    for die in range(6):
        assert game.chances() == pytest.approx(dict.fromkeys(FACES, 1 / 6))
        game.draw("die", "ore")
        assert lying(game) == {"ore": die + 1}
    assert game.decision == "choose_dice"


@pytest.mark.rule("dice_game.rolling.2", "dice_game.rolling.3")
def test_any_dice_are_rolled_again_twice():
    game = roll(dice_game(), FOUR_KINDS)
    game.do("take_up", "lumber").do("take_up", "gold").do("roll_again")
    roll(game, "brick ore")
    assert lying(game) == {"lumber": 1, "brick": 1, "wool": 1, "grain": 1, "ore": 2}
    # One that was left lying before may be taken up for the last roll.
    game.do("take_up", "wool").do("roll_again")
    roll(game, "gold")
    assert lying(game) == {"lumber": 1, "brick": 1, "grain": 1, "ore": 2, "gold": 1}
    assert game.decision == "spend"


@pytest.mark.rule("dice_game.rolling.3")
def test_the_result_may_stand_after_any_roll():
    game = roll(dice_game(), FOUR_KINDS)
    assert not game.can("roll_again")
    assert game.do("let_stand").decision == "spend"
    game = roll(dice_game(), FOUR_KINDS)
    game.do("take_up", "ore").do("roll_again")
    assert roll(game, "ore").do("let_stand").decision == "spend"


@pytest.mark.slow
def test_search_follows_dice_in_one_order_for_all():
    """What rolling two of three dice again for a road is worth is the same as through every order they may fall in."""
    game = roll(dice_game(dice_by_turn=(3, 3, 3, 3)), "wool wool wool").do("take_up", "wool").do("roll_again")
    roll(game, "lumber").do("take_up", "wool").do("take_up", "wool")
    action_values = values_by_orders(game.engine, depth=2)
    rolled = action_values[0][np.isfinite(action_values[0])].min()
    assert rolled != round(rolled), "no single result is worth this"
    np.testing.assert_allclose(*action_values, rtol=1e-12)


@pytest.mark.rule("dice_game.rolling.2")
def test_what_was_taken_up_must_be_rolled():
    game = roll(dice_game(), FOUR_KINDS)
    game.do("take_up", "ore")
    assert game.refuses("let_stand") and game.refuses("take_up", "ore") and game.can("roll_again")


@pytest.mark.rule("dice_game.rolling.2")
def test_all_six_may_be_rolled_again():
    game = roll(dice_game(), FOUR_KINDS)
    for face in FOUR_KINDS.split():
        game.do("take_up", face)
    assert game.kinds() == {"roll_again"}
    roll(game.do("roll_again"), "gold gold gold gold gold gold")
    assert lying(game) == {"gold": 6}


@pytest.mark.rule("dice_game.rolling.2")
def test_the_number_of_rolls_may_be_changed():
    assert roll(dice_game(rolls_per_turn=1), FOUR_KINDS).decision == "spend"


@pytest.mark.rule("dice_game.dice_turns.2")
def test_the_next_turn_begins_with_all_dice():
    game = roll(dice_game(), FOUR_KINDS).do("let_stand").do("end_turn")
    assert game.decision == "die" and lying(game) == {}
    assert game.state["rolls_made"] == 0 and row(game, 0) == [-2]


@pytest.mark.rule("dice_game.rolling.5")
def test_plus_opens_with_three_four_and_five_dice():
    """Counted over all players."""
    game = dice_game(2, "dice_game_plus")
    for dice in (3, 4, 5, 6, 6, 6):
        roll(game, " ".join(["gold"] * dice))
        assert game.decision == "choose_dice" and lying(game) == {"gold": dice}
        game.do("let_stand").do("end_turn")


@pytest.mark.rule("dice_game.dice_turns.3")
def test_a_game_without_end_is_truncated():
    game = dice_game(2, "dice_game_plus", turn_limit=2)
    for dice in (3, 4):
        roll(game, " ".join(["gold"] * dice)).do("let_stand").do("end_turn")
    assert game.engine.truncated[0] and not game.engine.terminated[0]


@pytest.mark.rule("dice_game.rolling.4")
def test_more_dice_than_the_turn_has_are_found():
    game = roll(dice_game(), FOUR_KINDS)
    game.engine.state["dice_lying"][0, 0] += 1
    assert (0, "dice_counted") in game.engine.broken_invariants()


@pytest.mark.rule("dice_game.dice_turns.3")
def test_rounds_are_shown():
    engine = BatchEngine("dice_game", 1, 3, rules={"start_player": "seat_0"})
    column = engine.feature_names("flat").index("round")
    engine.state["turn"] = 7
    assert engine.observe("flat", seat=0, dtype="uint8")[0, column] == 3
    assert np.isclose(engine.observe("flat", seat=0)[0, column], 3 / 255)
