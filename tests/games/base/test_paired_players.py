"""Paired players, in place of the special building phase."""

import pytest

from catan_env.testing.positions import position

PLENTY = {"lumber": 4, "brick": 4, "wool": 4, "grain": 4, "ore": 4}


def large(num_players=6, seat=0, decision="play", **rules):
    return position("base_5_6", num_players, {"extra_phase": "paired_players", **rules}).on_turn(seat, decision)


def partner(**rules):
    """Seat 0 is on turn; its partner 3 could do anything."""
    place = large(**rules).settlement(3, "N", 0, 0).road(3, (0, 0, "NE E"))
    return place.hand(3, **PLENTY).hand(1, ore=1).cards(3, knight=1, monopoly=1)


@pytest.mark.rule("base.paired_players.1")
@pytest.mark.parametrize("num_players, seat", [(6, 0), (6, 4), (5, 0), (5, 3)])
def test_the_third_player_to_the_left_gets_an_action_phase(num_players, seat):
    game = large(num_players, seat).game().do("end_turn")
    assert (game.seat, game.decision) == ((seat + 3) % num_players, "paired_phase")
    game.do("end_turn")
    assert (game.seat, game.decision) == ((seat + 1) % num_players, "pre_roll")


@pytest.mark.rule("base.paired_players.2")
def test_the_partner_builds_buys_trades_with_the_bank_and_plays_a_card_but_trades_with_nobody():
    game = partner().game().do("end_turn")
    assert game.kinds() == {
        "build_road", "build_settlement", "build_city", "buy_development_card", "trade_with_bank", "play_knight",
        "play_monopoly", "end_turn",
    }  # fmt: skip


@pytest.mark.rule("base.paired_players.1")
def test_the_partner_does_not_roll():
    assert partner().game().do("end_turn").refuses("roll")


@pytest.mark.rule("base.paired_players.2")
def test_the_partner_plays_one_card():
    game = partner().game().do("end_turn").do("play_monopoly", "ore")
    assert game.hand(3)["ore"] == 5 and game.refuses("play_knight")


@pytest.mark.rule("base.paired_players.2")
def test_the_partner_may_play_a_knight_after_the_player_on_turn_has_played_a_card():
    game = partner().cards(0, knight=1).game().do("play_knight")
    game.do("move_robber", game.hex(0, 2)).do("end_turn").do("play_knight")
    assert (game.seat, game.decision) == (3, "place_robber")
    assert game.do("move_robber", game.hex(2, 0)).decision == "paired_phase"


@pytest.mark.rule("base.paired_players.3")
def test_only_the_player_on_turn_plays_a_card_before_the_roll():
    game = large(decision="pre_roll").cards(0, knight=1).cards(3, knight=1).game()
    assert game.seat == 0 and game.can("play_knight")
    game.roll(12).do("end_turn")
    assert (game.seat, game.decision) == (3, "paired_phase")  # after the roll


@pytest.mark.rule("base.paired_players.2")
def test_a_card_bought_by_the_partner_waits_for_the_next_own_phase():
    game = large().hand(3, ore=1, wool=1, grain=1).game().do("end_turn").buy("knight")
    assert game.refuses("play_knight")
    game.do("end_turn")
    while game.seat != 3:
        if game.decision == "pre_roll":
            game.roll(12)
        game.do("end_turn")
    assert game.can("play_knight")


@pytest.mark.rule("base.paired_players.2")
def test_the_partner_does_any_number_of_things():
    game = partner().game().do("end_turn")
    game.do("build_road", game.path(0, 0, "SE")).do("trade_with_bank", "ore for 1 wool")
    game.do("build_settlement", game.corner("SE", 0, 0)).do("end_turn")
    assert game.points(3) == 2


@pytest.mark.rule("base.paired_players.4")
def test_the_partner_wins_in_the_own_phase():
    game = partner(victory_points=2).game().do("end_turn")
    assert game.do("build_city", game.corner("N", 0, 0)).winner == 3


@pytest.mark.rule("base.paired_players.1")
def test_there_is_no_special_building_phase():
    game = large().hand(1, **PLENTY).hand(2, **PLENTY).game().do("end_turn").do("end_turn")
    assert (game.seat, game.decision) == (1, "pre_roll")
