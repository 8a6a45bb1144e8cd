"""Donations, battles and the two ends."""

import numpy as np
import pytest
from troy_positions import EAST, WEST, battle, give, pool, troy

from catan_env.testing.positions import new_game
from tests.orders import values_by_orders

FULL = {"ore": 4, "grain": 3, "brick": 2}


# -- donations ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("troy.donations.1")
@pytest.mark.parametrize("cards", [("brick",), ("ore", "lumber"), ("wool", "grain", "brick")])
def test_one_to_three_cards_of_any_kind_bring_one_commerce_point(cards):
    game = give(troy().hand(0, lumber=2, brick=2, wool=2, grain=2, ore=2).game(), *cards)
    assert pool(game) == dict.fromkeys(cards, 1) and sum(game.hand(0).values()) == 10 - len(cards)
    assert game.state["commerce"].tolist() == [1, 0, 0, 0] and game.decision == "play"


@pytest.mark.rule("troy.donations.1")
def test_a_donation_ends_with_the_third_card_or_the_last_in_hand():
    game = troy().hand(0, ore=4).game()
    for _ in range(3):
        game.do("donate", "ore")
    assert game.decision == "play" and game.hand(0) == {"ore": 1}
    assert troy().hand(0, ore=1).game().do("donate", "ore").decision == "play"


@pytest.mark.rule("troy.donations.2")
def test_one_donation_a_turn_unless_the_rules_say_more():
    game = give(troy().hand(0, ore=5).game(), "ore")
    assert not game.can("donate")
    game = give(troy(donations_per_turn=2).hand(0, ore=5).game(), "ore")
    assert game.can("donate") and not give(game, "ore").can("donate")
    game = give(troy().hand(0, ore=1).hand(1, ore=1).game(), "ore").do("end_turn").roll(12)
    assert (game.seat, game.can("donate")) == (1, True)


@pytest.mark.rule("troy.donations.3")
def test_donations_are_made_after_the_roll():
    assert not troy("pre_roll").hand(0, ore=3).game().can("donate")
    game = troy("trade", phases="strict").hand(0, ore=3).game()
    assert game.can("donate") and game.do("end_trade").can("donate")


@pytest.mark.rule("troy.donations.4")
def test_everybody_sees_how_many_cards_are_in_the_pool_and_nobody_which():
    game = give(troy(pool={"brick": 2}).hand(0, ore=3, wool=1).game(), "ore", "wool")
    rows = [game.observed(seat) for seat in range(4)]
    assert [row["pool_size"] for row in rows] == [4] * 4
    assert not any(name.startswith("pool/") for name in rows[0])
    assert game.engine.program.composition.actions["donate"].visible == "owner"


# -- battles -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("troy.war.1")
@pytest.mark.parametrize("cards, fights", [(["wool"], True), (["wool"] * 3, True), ([], False)])
def test_ten_cards_or_more_lead_to_a_battle_right_after_the_donation(cards, fights):
    game = give(troy(pool=FULL if cards else {"ore": 8}).hand(0, wool=4).game(), *(cards or ["wool"]))
    assert game.decision == ("uncover" if fights else "play")
    assert game.state["commerce"][0] == 1


@pytest.mark.rule("troy.war.2")
def test_seven_cards_of_the_pool_are_uncovered_at_random_and_go_back_to_the_bank():
    game = give(troy(pool=FULL).hand(0, wool=4).game(), "wool")
    assert game.chances() == pytest.approx({"ore": 0.4, "grain": 0.3, "brick": 0.2, "wool": 0.1})
    game.draw("uncover", "grain")
    assert game.chances() == pytest.approx({"ore": 4 / 9, "grain": 2 / 9, "brick": 2 / 9, "wool": 1 / 9})
    battle(game, ore=4, brick=2)
    assert game.decision == "play" and game.bank() == {
        "lumber": 19, "brick": 19, "wool": 15, "grain": 17, "ore": 19
    }  # fmt: skip
    row = game.observed(3)
    assert [row[f"uncovered/{kind}"] for kind in ("lumber", "brick", "wool", "grain", "ore")] == [0, 2, 0, 1, 4]


def test_search_follows_uncovered_cards_in_one_order_for_all():
    """What a donation that leads to battle is worth is the same as through every order of the cards."""
    game = troy(pool=FULL, cards_of_battle=3).hand(0, wool=2, brick=1).game()
    action_values = values_by_orders(game.engine, depth=3)
    actions = game.engine.actions
    donations = [action for action in range(len(actions)) if actions.describe(action).startswith("donate")]
    assert np.isfinite(action_values[0][donations]).any() and action_values[0].max() > 0
    np.testing.assert_allclose(*action_values, rtol=1e-12)


@pytest.mark.rule("troy.war.3")
@pytest.mark.parametrize(
    "cards, won",
    [
        ({"ore": 4, "grain": 3}, [1, 0]),
        ({"ore": 2, "grain": 3, "brick": 2}, [0, 1]),
        ({"ore": 3, "grain": 3, "brick": 1}, [0, 0]),
        ({"wool": 1, "brick": 2, "ore": 2, "grain": 2}, [1, 0]),
    ],
)
def test_ore_and_wool_fight_for_troy_grain_and_lumber_for_mycenae_brick_for_nobody(cards, won):
    game = battle(give(troy(pool=FULL).hand(0, wool=4).game(), "wool"), **cards)
    assert game.state["battles_won"].tolist() == won and game.decision == "play"


@pytest.mark.rule("troy.war.3")
def test_lumber_fights_for_mycenae():
    game = battle(give(troy(pool={"lumber": 9}).hand(0, lumber=1).game(), "lumber"), lumber=7)
    assert game.state["battles_won"].tolist() == [0, 1]


@pytest.mark.rule("troy.war.4")
def test_cards_not_uncovered_stay_in_the_pool_or_leave_it():
    game = battle(give(troy(pool=FULL).hand(0, wool=4).game(), "wool"), ore=4, grain=3)
    assert pool(game) == {"brick": 2, "wool": 1}
    game = battle(give(troy(pool=FULL, leftover="discard").hand(0, wool=4).game(), "wool"), ore=4, grain=3)
    assert pool(game) == {} and game.bank()["brick"] == 19


@pytest.mark.rule("troy.war.5")
def test_a_battle_is_a_point_for_each_supporter_and_the_fifth_is_two():
    game = troy(wins=(3, 0)).game()
    assert [game.points(seat) for seat in range(4)] == [3, 0, 3, 0]
    game = battle(give(troy(wins=(4, 2), pool=FULL).hand(0, wool=4).game(), "wool"), ore=4, grain=3)
    assert game.over and [game.points(seat) for seat in range(4)] == [6, 2, 6, 2]
    place = troy(wins=(4, 2), pool=FULL, battle_points=3, last_battle_points=5)
    game = battle(give(place.hand(0, wool=4).game(), "wool"), ore=4, grain=3)
    assert [game.points(seat) for seat in range(4)] == [17, 6, 17, 6]


# -- ends --------------------------------------------------------------------------------------------------------


def last_battle(place):
    """Seat 0 donates, and Troy wins its fifth battle."""
    return battle(give(place.hand(0, wool=4).game(), "wool"), ore=4, grain=3)


@pytest.mark.rule("troy.war.7")
def test_the_fifth_battle_ends_the_game_for_the_supporter_with_most_points():
    game = last_battle(troy(wins=(4, 0), pool=FULL).settlement(2, *WEST).city(1, *EAST))
    assert game.over and game.winner == 2


@pytest.mark.rule("troy.war.7")
def test_it_can_end_in_another_s_turn_and_by_another_s_donation():
    place = troy(wins=(4, 0), pool=FULL, seat=1).settlement(0, *WEST).hand(1, ore=2)
    game = battle(give(place.game(), "ore"), ore=5, grain=2)
    assert game.over and game.winner == 0


@pytest.mark.rule("troy.war.9")
def test_between_equals_the_player_on_turn_wins():
    game = last_battle(troy(wins=(4, 0), pool=FULL, ships={2: [(2, 1)]}))
    assert game.over and game.winner == 0


@pytest.mark.rule("troy.war.9")
def test_with_equal_points_off_turn_more_ships_win_and_with_equal_ships_both():
    def end(**ships):
        ships = {int(seat[1:]): hexes for seat, hexes in ships.items()}
        place = troy(wins=(4, 0), pool=FULL, seat=1, ships=ships).hand(1, ore=2)
        return battle(give(place.game(), "ore"), ore=5, grain=2)

    assert end(_2=[(2, 1)]).engine.winners[0].tolist() == [False, False, True, False]
    shared = end()
    assert shared.engine.winners[0].tolist() == [True, False, True, False] and shared.winner == -1
    assert shared.engine.rewards[0, 0] == shared.engine.rewards[0, 2] > shared.engine.rewards[0, 1]


@pytest.mark.rule("troy.war.9")
@pytest.mark.parametrize("tie, winners", [("more_ships", [2]), ("shared", [0, 2])])
def test_other_tests_between_equals_can_come_first(tie, winners):
    game = last_battle(troy(wins=(4, 0), pool=FULL, ships={2: [(2, 1)]}, tie_break=tie))
    assert [seat for seat in range(4) if game.engine.winners[0, seat]] == winners


@pytest.mark.rule("troy.war.6")
def test_enough_points_win_on_the_own_turn_secret_ones_included():
    place = troy(wins=(3, 0), victory_points=4, pool=FULL).settlement(2, *WEST).hand(0, wool=4)
    game = place.game()
    assert not game.over
    battle(give(game, "wool"), ore=4, grain=3)
    assert game.over and game.winner == 0


@pytest.mark.rule("troy.war.8")
def test_points_of_the_player_on_turn_are_looked_at_before_the_end_of_the_war():
    """Both at once: seat 0 has enough points, though the other supporter has more."""
    game = last_battle(troy(wins=(4, 0), pool=FULL, victory_points=6).settlement(2, *WEST))
    assert game.over and game.winner == 0


@pytest.mark.rule("troy.war.6")
def test_who_passes_the_target_in_another_s_turn_wins_in_the_own_one():
    game = troy(wins=(3, 0), pool=FULL, victory_points=4, seat=3).hand(3, ore=2).game()
    battle(give(game, "ore"), ore=5, grain=2)
    assert not game.over and game.points(0) == 4
    game.do("end_turn")
    assert game.over and game.winner == 0


# -- the frame ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("troy.fleet.1")
def test_no_development_cards_and_the_numbers_of_the_rules():
    game = new_game("troy")
    kinds = set(game.engine.actions.kinds)
    assert not {"buy_development_card", "play_knight", "move_robber"} & kinds
    rules = game.engine.rules
    expected = {"victory_points": 15, "battles_to_end": 5, "pool_of_battle": 10, "cards_of_battle": 7, "bank_rate": 4,
                "ships_per_player": 7, "roads_per_player": 15, "settlements_per_player": 5, "cities_per_player": 4,
                "longest_road_points": 2, "longest_road_minimum": 5}  # fmt: skip
    assert {name: rules[name] for name in expected} == expected


@pytest.mark.rule("troy.frame.1")
def test_the_longest_road_counts_and_ships_are_no_ways():
    place = troy(ships={0: [(2, 1)]}).settlement(0, "N", 0, 0).road(0, (0, 0, "NE E SE SW W"))
    game = place.game()
    assert game.state["road_length"][0] == 5 and game.visible_points(0) == 3
