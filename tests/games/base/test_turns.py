"""The course of a turn."""

import pytest

from catan_env.testing.positions import position

PLENTY = {"lumber": 5, "brick": 5, "wool": 5, "grain": 5, "ore": 5}


def turn(decision="pre_roll", num_players=3, seat=0, **rules):
    """A seat that could do anything at its turn, facing others with cards."""
    place = position("base", num_players, rules).settlement(seat, "N", 0, 0).road(seat, (0, 0, "NE E"))
    place.hand(seat, **PLENTY).hand((seat + 1) % num_players, ore=3)
    return place.cards(seat, knight=1, monopoly=1).on_turn(seat, decision)


@pytest.mark.rule("base.turns.1")
def test_before_the_roll_only_cards_are_played_and_the_dice_rolled():
    assert turn().game().kinds() == {"roll", "play_knight", "play_monopoly"}


@pytest.mark.rule("base.turns.2")
def test_the_dice_fall_like_two_dice():
    game = turn().game().do("roll")
    assert game.decision == "dice"
    assert game.chances() == pytest.approx({str(n): (6 - abs(n - 7)) / 36 for n in range(2, 13)})


@pytest.mark.rule("base.turns.1")
def test_the_dice_are_rolled_once_a_turn():
    game = turn().game().roll(8)
    assert game.refuses("roll")


@pytest.mark.rule("base.turns.1")
def test_a_turn_does_not_end_before_the_roll():
    assert turn().game().refuses("end_turn")


BUILDING = {"build_road", "build_settlement", "build_city", "buy_development_card"}
TRADING = {"make_offer", "trade_with_bank"}
HAND_CARDS = {"play_knight", "play_monopoly"}


@pytest.mark.rule("base.turns.4")
def test_merged_phases_let_trade_and_build_in_any_order():
    game = turn(phases="merged").game().roll(8)
    assert game.kinds() == BUILDING | TRADING | HAND_CARDS | {"end_turn"}
    game.do("build_road", game.legal("build_road")[0]).do("trade_with_bank", "ore for 1 wool")
    assert game.kinds() >= {"build_road", "trade_with_bank", "end_turn"}


@pytest.mark.rule("base.turns.3", "base.turns.4")
def test_strict_phases_are_roll_then_trade_then_build():
    game = turn(phases="strict").game().roll(8)
    assert game.kinds() == TRADING | HAND_CARDS | {"end_trade"}
    game.do("end_trade")
    assert game.kinds() == BUILDING | HAND_CARDS | {"end_turn"}


@pytest.mark.rule("base.turns.3")
def test_strict_phases_do_not_go_back_to_trading():
    game = turn(phases="strict").game().roll(8).do("end_trade")
    game.do("build_road", game.legal("build_road")[0])
    assert game.refuses("trade_with_bank", "ore for 1 wool") and game.refuses("make_offer")


@pytest.mark.rule("base.turns.3")
def test_strict_trade_goes_on_after_a_seven():
    game = turn(phases="strict").game().roll(7)
    for _ in range(12):
        game.do("discard_card", game.legal("discard_card")[0])
    game.do("move_robber", game.hex(2, -2))
    assert game.decision == "trade"


@pytest.mark.rule("base.turns.4")
def test_phases_are_merged_unless_asked_for():
    assert turn().game().engine.rules["phases"] == "merged"


@pytest.mark.rule("base.turns.5")
@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_turns_go_to_the_left(num_players):
    game = position("base", num_players).on_turn(1).game()
    seats = []
    for _ in range(num_players + 1):
        game.do("end_turn")
        seats.append(game.seat)
        assert game.decision == "pre_roll"
        game.roll(8)
    assert seats == [(2 + k) % num_players for k in range(num_players + 1)]


@pytest.mark.rule("base.turns.5")
def test_a_turn_may_pass_without_doing_anything():
    game = turn().game().roll(8).do("end_turn")
    assert (game.seat, game.decision) == (1, "pre_roll")


@pytest.mark.rule("base.turns.6")
def test_the_game_is_truncated_after_the_last_turn_allowed():
    game = position("base", 3, {"turn_limit": 20}).on_turn(0, turn=19).game()
    game.do("end_turn").roll(8)
    assert not game.over
    game.do("end_turn")
    assert game.over and game.engine.truncated[0] and not game.engine.terminated[0]
    assert (game.winner, game.seat) == (-1, -2)
    assert (game.engine.rewards == 0).all()


@pytest.mark.rule("base.turns.6")
def test_a_win_at_the_last_turn_is_a_win():
    game = position("base", 3, {"turn_limit": 20, "victory_points": 2}).settlement(0, "N", 0, 0)
    game = game.hand(0, ore=3, grain=2).on_turn(0, turn=20).game()
    game.do("build_city", game.corner("N", 0, 0))
    assert game.winner == 0 and not game.engine.truncated[0]
