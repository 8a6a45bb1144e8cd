"""The seven and the robber."""

import pytest

from catan_env.testing.positions import position


def seven(num_players=3, seat=0, **rules):
    """At the roll of `seat`."""
    return position("base", num_players, rules).on_turn(seat, "pre_roll")


def discard(game, **cards):
    for name, number in cards.items():
        for _ in range(number):
            game.do("discard_card", name)
    return game


# -- discarding ----------------------------------------------------------------------------------------------


@pytest.mark.rule("base.discarding.1")
@pytest.mark.parametrize("held, discarded", [(7, 0), (8, 4), (9, 4), (15, 7)])
def test_who_holds_more_than_seven_cards_discards_half_rounded_down(held, discarded):
    game = seven().hand(0, lumber=held).game().roll(7)
    discard(game, lumber=discarded)
    assert game.decision == "place_robber"
    assert game.hand(0) == {"lumber": held - discarded}


@pytest.mark.rule("base.discarding.1")
def test_the_kinds_discarded_are_free():
    game = seven().hand(0, lumber=7, ore=1).game().roll(7)
    assert game.legal("discard_card") == ["lumber", "ore"]
    game.do("discard_card", "ore")
    assert game.legal("discard_card") == ["lumber"]
    assert game.refuses("discard_card", "ore") and game.refuses("discard_card", "wool")
    assert game.kinds() == {"discard_card"}


@pytest.mark.rule("base.discarding.1")
def test_everybody_discards_before_the_robber_moves_the_player_on_turn_first():
    game = seven(4, seat=2).hand(0, ore=8).hand(1, ore=9).hand(2, wool=10).hand(3, grain=8).game().roll(7)
    asked = []
    while game.decision == "discard":
        asked.append(game.seat)
        game.do("discard_card", game.legal("discard_card")[0])
    assert asked == [2] * 5 + [3] * 4 + [0] * 4 + [1] * 4
    assert (game.seat, game.decision) == (2, "place_robber")


@pytest.mark.rule("base.discarding.2")
def test_cards_are_laid_aside_until_everybody_has_chosen():
    game = seven().hand(0, lumber=8).hand(1, brick=8).game()
    bank = game.bank()
    game.roll(7)
    discard(game, lumber=4)
    assert game.bank() == bank
    discard(game, brick=4)
    assert game.bank()["lumber"] == bank["lumber"] + 4 and game.bank()["brick"] == bank["brick"] + 4


@pytest.mark.rule("base.discarding.2")
def test_nobody_sees_what_others_lay_aside():
    seen = []
    for kind in ("lumber", "ore"):
        game = seven().hand(0, lumber=4, ore=4).hand(1, brick=8).game().roll(7)
        discard(game, **{kind: 4})
        seen.append((game.engine.observe("flat", seat=1).copy(), game.engine.action_mask.copy()))
    assert (seen[0][0] == seen[1][0]).all() and (seen[0][1] == seen[1][1]).all()


@pytest.mark.rule("base.discarding.3")
def test_development_cards_never_count_as_cards_in_hand():
    game = seven().hand(0, lumber=7).cards(0, knight=3, victory_point=2).game().roll(7)
    assert game.decision == "place_robber"


@pytest.mark.rule("base.discarding.4")
def test_the_limit_is_a_number_of_the_rules():
    game = seven(hand_limit=9).hand(0, lumber=9).hand(1, lumber=10).game().roll(7)
    assert (game.seat, game.decision) == (1, "discard")


@pytest.mark.parametrize("held, discarded", [(1, 0), (2, 1), (3, 1)])
def test_half_of_one_card_is_none(held, discarded):
    game = seven(hand_limit=0).hand(0, ore=held).game().roll(7)
    assert discard(game, ore=discarded).decision == "place_robber"


@pytest.mark.rule("base.discarding.3")
def test_a_knight_causes_no_discard():
    game = position("base", 3).hand(1, wool=12).cards(0, knight=1).on_turn(0).game().do("play_knight")
    assert (game.seat, game.decision) == (0, "place_robber")


# -- moving --------------------------------------------------------------------------------------------------


@pytest.mark.rule("base.robber.1")
def test_robber_must_leave_his_hex_and_may_go_anywhere_else():
    game = seven().robber(1, 0).game().roll(7)
    assert game.refuses("move_robber", game.hex(1, 0))
    assert game.legal("move_robber") == [hex for hex in range(19) if hex != game.hex(1, 0)]
    assert game.kinds() == {"move_robber"}


@pytest.mark.rule("base.robber.1")
def test_robber_may_return_to_the_desert():
    game = seven().robber(1, 0).game().roll(7)
    game.do("move_robber", game.hex(0, 0))
    assert game.state["robber"] == game.hex(0, 0) and game.decision == "play"


@pytest.mark.rule("base.robber.1")
def test_player_on_turn_moves_the_robber_after_a_seven():
    game = seven(seat=1).game().roll(7)
    assert (game.seat, game.decision) == (1, "place_robber")


# -- stealing ------------------------------------------------------------------------------------------------


@pytest.mark.rule("base.robber.2")
def test_stolen_card_is_drawn_at_random_from_the_victims_hand():
    game = seven().settlement(1, "N", 1, 0).hand(1, ore=3, wool=1).game().roll(7)
    game.do("move_robber", game.hex(1, 0))
    assert game.chances() == {"wool": 0.25, "ore": 0.75}
    game.theft("wool")
    assert (game.hand(0), game.hand(1)) == ({"wool": 1}, {"ore": 3})
    assert (game.seat, game.decision) == (0, "play")


@pytest.mark.rule("base.theft.1")
def test_thief_chooses_among_several_neighbors():
    game = seven(4).settlement(1, "N", 1, 0).settlement(3, "S", 1, 0).settlement(0, "SE", 1, 0).hand(1, ore=1)
    game = game.hand(2, ore=1).hand(3, wool=1).game().roll(7)
    game.do("move_robber", game.hex(1, 0))
    assert game.decision == "choose_victim" and game.kinds() == {"steal"}
    assert [game.can("steal", game.opponent(seat)) for seat in (1, 2, 3)] == [True, False, True]
    game.do("steal", game.opponent(3)).theft("wool")
    assert (game.hand(0), game.hand(3)) == ({"wool": 1}, {})


@pytest.mark.rule("base.robber.3")
def test_no_theft_where_nobody_lives():
    game = seven().hand(1, ore=3).settlement(1, "N", 0, -2).game().roll(7)
    game.do("move_robber", game.hex(1, 0))
    assert game.decision == "play"


@pytest.mark.rule("base.robber.3")
def test_no_theft_from_oneself():
    game = seven().settlement(0, "N", 1, 0).hand(0, ore=3).game().roll(7)
    game.do("move_robber", game.hex(1, 0))
    assert game.decision == "play" and game.hand(0) == {"ore": 3}


@pytest.mark.rule("base.theft.1")
@pytest.mark.parametrize("thief, victim", [(0, 1), (0, 3), (1, 0), (2, 1), (3, 0)])
def test_the_only_neighbor_is_stolen_from_without_a_choice(thief, victim):
    game = seven(4, thief).settlement(victim, "N", 1, 0).hand(victim, ore=1).game().roll(7)
    game.do("move_robber", game.hex(1, 0)).theft("ore")
    assert (game.hand(thief), game.hand(victim), game.seat) == ({"ore": 1}, {}, thief)


@pytest.mark.rule("base.theft.1")
def test_one_player_with_two_buildings_is_one_victim():
    game = seven().settlement(1, "N", 1, 0).city(1, "S", 1, 0).hand(1, ore=1).game().roll(7)
    game.do("move_robber", game.hex(1, 0))
    assert game.decision == "theft"


@pytest.mark.rule("base.robber.2")
def test_a_city_is_a_building_too():
    game = seven().city(2, "N", 1, 0).hand(2, ore=1).game().roll(7)
    assert game.do("move_robber", game.hex(1, 0)).decision == "theft"


@pytest.mark.rule("base.robber.2")
def test_a_road_is_no_building():
    game = seven().settlement(1, "N", 0, -2).road(1, (1, 0, "NE")).hand(1, ore=1).game().roll(7)
    assert game.do("move_robber", game.hex(1, 0)).decision == "play"


@pytest.mark.rule("base.discarding.3", "base.theft.2")
def test_nothing_is_taken_from_an_empty_hand():
    game = seven().settlement(1, "N", 1, 0).cards(1, knight=2).game().roll(7)
    game.do("move_robber", game.hex(1, 0))
    assert game.decision == "play" and game.hand(0) == {} and game.cards(0) == {}


@pytest.mark.rule("base.theft.2")
def test_an_empty_hand_may_be_chosen():
    game = seven().settlement(1, "N", 1, 0).settlement(2, "S", 1, 0).hand(2, ore=1).game().roll(7)
    game.do("move_robber", game.hex(1, 0))
    assert game.can("steal", game.opponent(1))
    game.do("steal", game.opponent(1))
    assert game.decision == "play" and game.hand(0) == {}


@pytest.mark.rule("base.robber.2")
def test_theft_is_not_refused_where_there_is_a_victim():
    game = seven().settlement(1, "N", 1, 0).settlement(2, "S", 1, 0).hand(1, ore=1).hand(2, ore=1).game().roll(7)
    game.do("move_robber", game.hex(1, 0))
    assert game.kinds() == {"steal"}


@pytest.mark.rule("base.robber.2")
def test_the_victim_may_have_just_discarded():
    game = seven().settlement(1, "N", 1, 0).hand(1, ore=8).game().roll(7)
    discard(game, ore=4).do("move_robber", game.hex(1, 0))
    assert game.theft("ore").hand(1) == {"ore": 3}


# -- the friendly robber, an option --------------------------------------------------------------------------


def friendly(points=2):
    return seven(friendly_robber=points)


@pytest.mark.rule("base.robber.4")
def test_robber_is_not_friendly_unless_asked_for():
    game = seven().settlement(1, "N", 1, 0).game().roll(7)
    assert game.can("move_robber", game.hex(1, 0))


@pytest.mark.rule("base.robber.4")
def test_friendly_robber_spares_players_with_few_points():
    game = friendly().settlement(1, "N", 1, 0).city(2, "S", 1, 1).settlement(2, "N", 0, -2).game().roll(7)
    assert game.refuses("move_robber", game.hex(1, 0))  # 1 point
    assert game.can("move_robber", game.hex(1, 1))  # 3 points


@pytest.mark.rule("base.robber.4")
def test_friendly_robber_spares_players_with_exactly_so_many_points():
    game = friendly().city(1, "N", 1, 0).game().roll(7)
    assert not game.can("move_robber", game.hex(1, 0))


@pytest.mark.rule("base.robber.4")
def test_friendly_robber_counts_what_everybody_sees():
    game = friendly().settlement(1, "N", 1, 0).cards(1, victory_point=4).game().roll(7)
    assert not game.can("move_robber", game.hex(1, 0))
    game = friendly().settlement(1, "N", 1, 0).knights(1, 3).game().roll(7)
    assert game.can("move_robber", game.hex(1, 0))


@pytest.mark.rule("base.robber.4")
def test_friendly_robber_does_not_spare_the_mover_himself():
    game = friendly().settlement(0, "N", 1, 0).game().roll(7)
    assert game.can("move_robber", game.hex(1, 0))


@pytest.mark.rule("base.robber.4")
def test_one_weak_neighbor_is_enough_for_the_friendly_robber():
    game = friendly().settlement(1, "N", 1, 0).city(2, "S", 1, 0).settlement(2, "N", 0, -2).game().roll(7)
    assert not game.can("move_robber", game.hex(1, 0))


@pytest.mark.rule("base.robber.4")
def test_friendly_robber_holds_for_knights_too():
    game = position("base", 3, {"friendly_robber": 2}).settlement(1, "N", 1, 0).cards(0, knight=1).on_turn(0).game()
    assert not game.do("play_knight").can("move_robber", game.hex(1, 0))


@pytest.mark.rule("base.robber.4")
def test_friendly_robber_goes_anywhere_if_every_hex_is_spared():
    place = friendly(points=20)
    for k, corner in enumerate([("N", 0, -1), ("S", -1, -1), ("S", 2, -2), ("N", 1, 1), ("N", -2, 2), ("S", 0, 1)]):
        place.settlement(1 + k % 2, *corner)
    game = place.robber(2, 0).game().roll(7)
    assert game.legal("move_robber") == [game.hex(0, 0)]  # the only hex without a neighbor
    game = place.robber(0, 0).game().roll(7)
    assert game.legal("move_robber") == [hex for hex in range(19) if hex != game.hex(0, 0)]
