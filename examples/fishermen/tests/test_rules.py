"""The rules of Fishermen, tested on hand-made positions.

On the printed board, the lake is the center hex. Fishing ground 0 covers the north corners of hexes (0, -2) and (1, -2)
and the corner between them. In these tests its number is 4.
"""

import pytest
from catan_env.testing import new_game, position

import fishermen  # noqa: F401 (registers the scenario)

NUMBERS = [4, 5, 6, 8, 9, 10]
ALL_TOKENS = (11, 10, 8)
NOBODY = -1


def table(fish=(), spent=(0, 0, 0), stock=None, boot=NOBODY, **rules):
    """A position with numbered fishing grounds, the first seats' fish tokens, and all others in the stock."""
    fish = [*fish, *[(0, 0, 0)] * (4 - len(fish))]
    if stock is None:
        stock = [ALL_TOKENS[kind] - spent[kind] - sum(row[kind] for row in fish) for kind in range(3)]
    rules.setdefault("fish_set", [stock[kind] + spent[kind] + sum(row[kind] for row in fish) for kind in range(3)])
    start = position("fishermen", 3, rules).field("ground_number", NUMBERS).field("fish", fish)
    return start.field("fish_spent", spent).field("fish_stock", stock).field("boot", boot)


def tokens(game, seat):
    return game.state["fish"][seat].tolist()


def at_the_market(fish=(2, 2, 1), **rules):
    """Seat 0 is on turn and has fish, a settlement and a road; seat 1 has a card."""
    start = table([fish], **rules).settlement(0, "N", 0, -1).road(0, (0, -1, "NE")).robber(1, 0)
    return start.settlement(1, "S", 0, 2).hand(1, ore=1).on_turn(0)


# -- fishing -----------------------------------------------------------------------------------------------


def test_a_fishing_ground_brings_a_settlement_one_token_and_a_city_two():
    start = table().city(0, "N", 0, -2).settlement(1, "N", 1, -2).settlement(2, "N", 0, 0)
    game = start.on_turn(0, "pre_roll").game().roll(4)
    assert game.state["fish_due"][:3].tolist() == [2, 1, 0]
    assert (game.decision, game.argument) == ("draw_fish", 0)
    game.draw("draw_fish", "two-fish").draw("draw_fish", "three-fish")
    assert game.argument == 1
    game.draw("draw_fish", "one-fish")
    assert [tokens(game, seat) for seat in range(3)] == [[0, 1, 1], [1, 0, 0], [0, 0, 0]]
    assert game.decision == "play"


def test_the_player_on_turn_draws_first():
    start = table().settlement(0, "N", 0, -2).settlement(1, "N", 1, -2)
    game = start.on_turn(1, "pre_roll").game().roll(4)
    assert game.argument == 1


@pytest.mark.parametrize("number", range(2, 13))
def test_the_lake_brings_fish_at_its_numbers(number):
    game = table().settlement(2, "N", 0, 0).on_turn(0, "pre_roll").game().roll(number)
    assert (game.decision == "draw_fish") == (number in (2, 3, 11, 12))


def test_tokens_are_drawn_blind_from_those_that_are_left():
    start = table([(0, 0, 0), (1, 0, 3)]).settlement(0, "N", 0, 0)
    game = start.on_turn(0, "pre_roll").game().roll(2)
    left = {"one-fish": 10, "two-fish": 10, "three-fish": 5, "the old boot": 1}
    assert game.chances() == pytest.approx({name: count / 26 for name, count in left.items()})


def test_the_second_settlement_brings_its_first_token():
    game = new_game("fishermen", 3, board="beginner", start_player="seat_0")
    while game.decision == "ground_number":
        game.draw("ground_number", str(NUMBERS[int((game.state["ground_number"] > 0).sum())]))
    game.draw("start_player", 0)
    for corner, q, r in [("N", 0, -2), ("N", 0, -1), ("S", 0, 2), ("N", 1, -2), ("S", 0, 0)]:
        game.do("build_settlement", game.corner(corner, q, r))
        while game.decision == "draw_fish":
            assert (corner, q, r) in [("N", 1, -2), ("S", 0, 0)]
            game.draw("draw_fish", "one-fish")
        game.do("build_road", game.legal("build_road")[0])
    assert [tokens(game, seat)[0] for seat in range(3)] == [0, 1, 1]


def test_face_up_tokens_return_when_the_stock_is_short():
    start = table(stock=(1, 0, 0), spent=(2, 0, 0), boot=2).city(0, "N", 0, 0)
    game = start.on_turn(0, "pre_roll").game().roll(2)
    assert game.state["fish_spent"].tolist() == [0, 0, 0] and game.state["fish_due"][0] == 2


def test_nobody_gets_tokens_if_there_are_too_few():
    start = table(stock=(1, 0, 0), boot=2).city(0, "N", 0, 0).settlement(1, "SE", 0, 0)
    game = start.on_turn(0, "pre_roll").game().roll(2)
    assert game.decision == "play" and not game.state["fish_due"].any()


def test_with_seven_tokens_a_player_may_swap_one():
    start = table([(5, 1, 1)]).settlement(0, "N", 0, 0).on_turn(0, "pre_roll")
    game = start.game().roll(2)
    assert (game.decision, game.seat) == ("choose_swap", 0)
    game.do("swap_fish", "one-fish")
    assert game.state["fish_spent"].tolist() == [1, 0, 0]
    game.draw("draw_fish", "three-fish")
    assert tokens(game, 0) == [4, 1, 2] and game.decision == "play"
    kept = start.game().roll(2).do("keep_fish")
    assert tokens(kept, 0) == [5, 1, 1] and kept.decision == "play"


# -- the robber and the lake -------------------------------------------------------------------------------


def test_the_robber_starts_off_the_board_and_stays_off_the_lake():
    game = table().settlement(0, "N", 0, 0).on_turn(0, "pre_roll").game()
    assert game.state["robber"] == NOBODY
    game.roll(7)
    assert game.hex(0, 0) not in game.legal("move_robber")
    assert len(game.legal("move_robber")) == 18


# -- the market --------------------------------------------------------------------------------------------


def test_fish_are_paid_token_by_token_without_change():
    game = at_the_market().game().do("take_for_fish")
    assert (game.decision, game.argument) == ("pay_fish", 4)
    game.do("pay_token", "one-fish").do("pay_token", "two-fish").do("pay_token", "two-fish")
    assert tokens(game, 0) == [1, 0, 1] and game.state["fish_spent"].tolist() == [1, 2, 0]
    assert game.decision == "choose_card"
    assert game.do("take_card", "grain").hand(0) == {"grain": 1}


def test_two_fish_drive_the_robber_off():
    game = at_the_market().game().do("drive_robber_off").do("pay_token", "two-fish")
    assert game.state["robber"] == NOBODY and game.decision == "play"
    assert not game.can("drive_robber_off")


def test_three_fish_take_a_card_from_a_player_of_choice():
    game = at_the_market().game().do("steal_for_fish").do("pay_token", "three-fish")
    assert game.theft("ore").hand(0) == {"ore": 1}
    several = at_the_market().hand(2, wool=1).game().do("steal_for_fish").do("pay_token", "three-fish")
    assert several.decision == "choose_victim" and several.legal("steal") == [0, 1]


def test_five_fish_build_a_road():
    game = at_the_market().game().do("build_for_fish").do("pay_token", "three-fish").do("pay_token", "two-fish")
    path = game.path(0, -1, "E")
    assert game.decision == "free_road" and path in game.legal("build_road")
    assert game.do("build_road", path).state["edge_owner"][path] == 0


def test_seven_fish_draw_a_development_card():
    game = at_the_market().game().do("draw_for_fish")
    for token in ("three-fish", "two-fish", "two-fish"):
        game.do("pay_token", token)
    assert game.draw("draw_card", "knight").cards(0) == {"knight": 1}


@pytest.mark.parametrize(
    ("fish", "favors"),
    [
        ((1, 0, 0), set()),
        ((2, 0, 0), {"drive_robber_off"}),
        ((0, 0, 1), {"drive_robber_off", "steal_for_fish"}),
        ((0, 2, 0), {"drive_robber_off", "steal_for_fish", "take_for_fish"}),
        ((0, 1, 1), {"drive_robber_off", "steal_for_fish", "take_for_fish", "build_for_fish"}),
    ],
)
def test_favors_need_their_price(fish, favors):
    kinds = {kind for kind in at_the_market(fish).game().kinds() if kind.endswith("_fish") or "robber" in kind}
    assert kinds == favors


def test_favors_need_something_to_give():
    """The robber is off the board, nobody else has cards, the stack is empty, and no road can be built."""
    start = table([(2, 2, 1)]).settlement(1, "N", 0, -1).deck().on_turn(0)
    assert {kind for kind in start.game().kinds() if "fish" in kind or "robber" in kind} == {"take_for_fish"}


def test_nobody_sells_before_the_roll():
    start = table([(2, 2, 1)]).settlement(0, "N", 0, -1).on_turn(0, "pre_roll")
    assert start.game().kinds() == {"roll"}


# -- the old boot ------------------------------------------------------------------------------------------


def test_the_boot_is_drawn_openly_and_is_no_fish_token():
    game = table().settlement(0, "N", 0, 0).on_turn(0, "pre_roll").game().roll(2).draw("draw_fish", "the old boot")
    assert game.state["boot"] == 0 and tokens(game, 0) == [0, 0, 0]


def test_the_boot_goes_to_players_with_as_many_points():
    start = table(boot=0).settlement(0, "N", 0, 0).settlement(1, "S", 0, 2).city(2, "N", 0, -2)
    game = start.on_turn(0).game()
    assert game.legal("pass_boot") == [0, 1]
    assert game.do("pass_boot", 1).state["boot"] == 2
    ahead = table(boot=2).settlement(0, "N", 0, 0).city(2, "N", 0, -2).on_turn(2).game()
    assert not ahead.can("pass_boot")


def test_hidden_points_do_not_count_for_the_boot():
    start = table(boot=0).settlement(0, "N", 0, 0).settlement(1, "S", 0, 2).cards(0, victory_point=2)
    assert start.on_turn(0).game().legal("pass_boot") == [0]


def test_the_holder_of_the_boot_needs_one_point_more():
    def wins(boot, **rules):
        start = table(boot=boot, victory_points=3, **rules).city(0, "N", 0, 0).settlement(0, "N", 0, -2)
        return start.settlement(1, "S", 0, 2).on_turn(0).game().over

    assert wins(boot=NOBODY) and wins(boot=1) and wins(boot=0, boot_points=0)
    assert not wins(boot=0)
