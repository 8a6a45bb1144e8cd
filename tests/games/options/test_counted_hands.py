"""What a note-taker knows of hands."""

import pytest

from catan_env.board.terrain import RESOURCES
from catan_env.testing.positions import position


def table(num_players=3):
    """Seat 0 on turn, before the roll; hands given here are known to everybody."""
    return position("base+card_counting", num_players).on_turn(0, "pre_roll")


def known(game, seat):
    """Bounds of the kinds that a seat may hold: `{kind: (least, most)}`."""
    bounds = zip(RESOURCES, game.state["least"][seat].tolist(), game.state["most"][seat].tolist(), strict=True)
    return {name: (least, most) for name, least, most in bounds if most}


@pytest.mark.rule("options.card_counting.1")
def test_income_and_payments_are_known():
    game = table().settlement(1, "S", 2, 0).hand(1, wool=1, grain=1).game().roll(8).do("end_turn").roll(12)
    assert known(game, 1) == {"wool": (1, 1), "grain": (1, 1), "ore": (1, 1)}
    assert known(game.buy("knight"), 1) == {}


@pytest.mark.rule("options.card_counting.1")
def test_a_stolen_card_is_one_of_those_the_victim_held():
    game = table().settlement(1, "S", 2, 0).hand(1, wool=2, ore=1).game().roll(7)
    game.do("move_robber", game.hex(2, 0)).theft("wool")
    assert known(game, 0) == {"wool": (0, 1), "ore": (0, 1)}
    assert known(game, 1) == {"wool": (1, 2), "ore": (0, 1)}


@pytest.mark.rule("options.card_counting.1")
def test_a_card_stolen_from_a_hand_of_one_kind_is_known():
    game = table().settlement(1, "S", 2, 0).hand(1, wool=2).game().roll(7)
    game.do("move_robber", game.hex(2, 0)).theft("wool")
    assert (known(game, 0), known(game, 1)) == ({"wool": (1, 1)}, {"wool": (1, 1)})


@pytest.mark.rule("options.card_counting.1")
def test_a_payment_shows_which_card_was_stolen():
    game = table().settlement(0, "N", 0, 0).road(0, (0, 0, "NE")).settlement(1, "S", 2, 0)
    game = game.hand(0, lumber=1).hand(1, wool=1, brick=1).game().roll(7)
    game.do("move_robber", game.hex(2, 0)).theft("brick").do("build_road", game.path(0, 0, "E"))
    assert (known(game, 0), known(game, 1)) == ({}, {"wool": (1, 1)})


@pytest.mark.rule("options.card_counting.1")
def test_monopoly_shows_all_cards_of_the_kind():
    game = table().settlement(1, "S", 2, 0).hand(1, wool=1, ore=1).cards(0, monopoly=1).game().roll(7)
    game.do("move_robber", game.hex(2, 0)).theft("ore").do("play_monopoly", "ore")
    assert (known(game, 0), known(game, 1)) == ({"ore": (1, 1)}, {"wool": (1, 1)})


@pytest.mark.rule("options.card_counting.1")
def test_discards_are_known_once_they_reach_the_bank():
    game = table().hand(0, wool=4, ore=4).hand(1, brick=8).game().roll(7)
    for _ in range(4):
        game.do("discard_card", "ore")
    assert known(game, 0) == {"wool": (4, 4), "ore": (4, 4)}
    for _ in range(4):
        game.do("discard_card", "brick")
    assert (known(game, 0), known(game, 1)) == ({"wool": (4, 4)}, {"brick": (4, 4)})


def test_the_base_game_counts_no_cards():
    assert "least" not in position("base", 3).on_turn(0).build().state.dtype.names
