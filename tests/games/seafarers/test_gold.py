"""Gold fields."""

import pytest
from sea_positions import sea

from catan_env.testing.positions import new_game


@pytest.mark.rule("seafarers.gold.1")
def test_gold_brings_one_card_of_choice_to_a_settlement_and_two_to_a_city():
    place = sea().settlement(0, "N", 4, 4).city(1, "S", 4, 4)
    game = place.on_turn(3, "pre_roll").game().roll(10)
    assert (game.seat, game.decision) == (0, "choose_card")
    game.do("take_card", "ore")
    assert game.seat == 1
    game.do("take_card", "ore").do("take_card", "wool")
    assert game.hand(0) == {"ore": 1} and game.hand(1) == {"ore": 1, "wool": 1}
    assert (game.seat, game.decision) == (3, "play")


@pytest.mark.rule("seafarers.gold.2")
def test_the_player_who_rolled_chooses_first_then_the_others_in_turn():
    place = sea().settlement(0, "N", 4, 4).settlement(1, "S", 4, 4).settlement(2, "NW", 4, 4)
    game = place.on_turn(1, "pre_roll").game().roll(10)
    asked = []
    while game.decision == "choose_card":
        asked.append(game.seat)
        game.do("take_card", "grain")
    assert asked == [1, 2, 0]


@pytest.mark.rule("seafarers.gold.2")
def test_a_bank_that_runs_out_ends_the_choice_for_those_who_come_later():
    place = sea().city(0, "N", 4, 4).settlement(1, "S", 4, 4).on_turn(0, "pre_roll")
    place.bank(2, lumber=0, brick=1, wool=0, grain=0, ore=0)
    game = place.game().roll(10)
    assert game.legal("take_card") == ["brick"]
    game.do("take_card", "brick")
    assert (game.seat, game.decision) == (0, "play") and game.hand(1) == {}


@pytest.mark.rule("seafarers.gold.4")
def test_the_robber_blocks_gold():
    place = sea().settlement(0, "N", 4, 4).robber(4, 4).on_turn(0, "pre_roll")
    assert place.game().roll(10).decision == "play"
    assert sea().settlement(0, "N", 4, 4).on_turn(0, "pre_roll").game().roll(4).decision == "play"


@pytest.mark.rule("seafarers.gold.1")
def test_other_fields_still_bring_their_cards_first():
    game = sea().settlement(0, "N", 4, 4).settlement(1, "N", -1, 5).on_turn(0, "pre_roll").game().roll(10)
    assert game.hand(1) == {"lumber": 1} and game.decision == "choose_card"


@pytest.mark.rule("seafarers.gold.3")
def test_a_second_initial_settlement_on_gold_brings_a_card_of_choice():
    """On a board of three regions with gold, all of them open to the initial placement."""
    game = new_game("seafarers_four_islands", 3, start_player="seat_0", board=gold_everywhere())
    game.draw("start_player", 0)
    places = [("N", 3, 1), ("S", 3, 1), ("N", 0, 2), ("S", 0, 2), ("N", 2, 3), ("S", 2, 3)]
    for place in places[:3]:
        game.do("build_settlement", game.corner(*place))
        assert game.decision == "place_initial_road"
        game.do("build_road", game.legal("build_road")[0])
    game.do("build_settlement", game.corner(*places[3]))
    assert (game.seat, game.decision) == (2, "choose_card")
    while game.decision == "choose_card":
        game.do("take_card", "ore")
    assert game.decision == "place_initial_road" and set(game.hand(2)) == {"ore"}


def gold_everywhere():
    """The board of Four Islands for three, all its land gold."""
    from catan_env.board import load_map

    source = dict(load_map("four_islands_3").source)
    layout = dict(source["layouts"]["published"])
    layout["hexes"] = [[q, r, t if t in ("sea", "frame") else "gold", n] for q, r, t, n in layout["hexes"]]
    land = sum(h[2] == "gold" for h in layout["hexes"])
    counts = {"sea": 15, "frame": 7, "gold": land}
    return {**source, "terrain_counts": counts, "layouts": {"published": layout}}
