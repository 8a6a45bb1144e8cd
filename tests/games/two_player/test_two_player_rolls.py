"""CATAN for Two: two rolls a turn with different sums."""

import pytest

from catan_env.testing.positions import position

WAYS = {str(total): 6 - abs(7 - total) for total in range(2, 13)}


def before_rolling(**rules):
    return position("two_player", rules=rules).on_turn(0, "pre_roll")


@pytest.mark.rule("two_player.second_roll.1")
def test_a_turn_has_two_rolls_and_each_produces():
    game = before_rolling().settlement(1, "SW", 0, -1).game()  # hills 6, fields 12, forest 11
    game.roll(6)
    assert (game.seat, game.decision, game.hand(1)) == (0, "pre_roll", {"brick": 1})
    assert not game.kinds() & {"end_turn", "build_road", "make_offer", "trade_with_bank"}
    game.roll(11)
    assert (game.seat, game.decision) == (0, "play") and game.hand(1) == {"brick": 1, "lumber": 1}


@pytest.mark.rule("two_player.second_roll.2")
@pytest.mark.parametrize("first", [2, 6, 7, 12])
def test_the_second_sum_differs_from_the_first(first):
    """Rolling again until it does leaves the odds of the other sums in proportion."""
    game = before_rolling().game().do("roll")
    assert game.chances() == pytest.approx({total: ways / 36 for total, ways in WAYS.items()})
    game.draw("dice", str(first))
    if first == 7:
        game.do("move_robber", game.hex(2, 0))
    game.do("roll")
    rest = 36 - WAYS[str(first)]
    expected = {total: ways / rest for total, ways in WAYS.items() if total != str(first)}
    assert game.chances() == pytest.approx(expected)


@pytest.mark.rule("two_player.second_roll.2")
def test_the_next_turn_starts_with_all_sums_again():
    game = before_rolling().game().roll(6).roll(8).do("end_turn").do("roll")
    assert (game.state["on_turn"], len(game.chances())) == (1, 11)
    game.draw("dice", "8")
    assert "8" not in game.do("roll").chances()


@pytest.mark.rule("two_player.second_roll.1")
def test_a_seven_is_resolved_in_full_before_the_second_roll():
    place = before_rolling().settlement(1, "N", 1, 1).hand(1, wool=8).hand(0, ore=9)
    game = place.game().roll(7)
    for seat, cards in ((0, 4), (1, 4)):
        for _ in range(cards):
            assert (game.seat, game.decision) == (seat, "discard")
            game.do("discard_card", "ore" if seat == 0 else "wool")
    assert (game.seat, game.decision) == (0, "place_robber")
    game.do("move_robber", game.hex(1, 1)).theft("wool")
    assert (game.seat, game.decision) == (0, "pre_roll") and game.state["rolls_made"] == 1
    game.roll(8)
    assert game.decision == "play" and game.hand(1) == {"wool": 3, "ore": 1}


@pytest.mark.rule("two_player.second_roll.3")
def test_a_development_card_may_be_played_between_the_rolls_but_no_token_spent():
    place = before_rolling().cards(0, knight=1, year_of_plenty=1).hand(0, wool=2).hand(1, ore=2)
    game = place.robber(2, 0).game()
    assert game.can("force_trade") and game.can("banish_robber")
    game.roll(4)
    assert game.kinds() == {"roll", "play_knight", "play_year_of_plenty"}
    assert game.refuses("force_trade") and game.refuses("banish_robber")
    game.do("play_knight").do("move_robber", game.hex(1, 1))
    assert game.decision == "pre_roll" and not game.can("play_year_of_plenty")
    game.roll(5)
    assert game.can("force_trade") and game.can("banish_robber")


@pytest.mark.rule("two_player.second_roll.1")
def test_strict_phases_begin_after_the_second_roll():
    game = before_rolling(phases="strict").game().roll(4)
    assert game.decision == "pre_roll"
    assert game.roll(5).decision == "trade"
