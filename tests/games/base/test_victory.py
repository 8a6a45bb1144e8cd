"""Winning."""

import pytest

from catan_env.testing.positions import new_game, position


def rich(cities=4, seat=0, num_players=3, decision="play", scenario="base", **rules):
    """A seat with four cities (8 points), or fewer."""
    place = position(scenario, num_players, rules)
    for corner in (("N", 0, -2), ("N", 2, -2), ("N", -2, 0), ("S", -2, 2))[:cities]:
        place.city(seat, *corner)
    return place.on_turn(seat, decision)


def cut_road(cutter, owner, lucky, scenario="base"):
    """`cutter` is on turn and may cut seven roads of `owner` at (0, 0) SE into three and four, which hands Longest
    Road and so ten points to `lucky`, who has five roads."""
    place = rich(seat=lucky, scenario=scenario).road(owner, (0, -1, "E"), (0, 0, "NE E SE SW W"), (-1, 0, "NE"))
    place.road(lucky, (-2, 2, "SW SE E NE NW")).hand(owner, lumber=2, brick=2)
    place.settlement(cutter, "SE", 1, 0).road(cutter, (1, 0, "SW SE"))
    game = place.hand(cutter, lumber=1, brick=1, wool=1, grain=1).on_turn(cutter).game()
    assert game.points(lucky) == 8
    return game.do("build_settlement", game.corner("SE", 0, 0))


@pytest.mark.rule("base.victory.1")
def test_ten_points_on_the_own_turn_win():
    game = rich(cities=3).settlement(0, "N", 0, 0).settlement(0, "S", 0, 2).settlement(0, "N", 2, 0)
    game = game.hand(0, ore=3, grain=2).game()
    assert not game.over and game.points(0) == 9
    game.do("build_city", game.corner("N", 0, 0))
    assert game.over and game.engine.terminated[0] and not game.engine.truncated[0]
    assert (game.winner, game.seat) == (0, -2)
    assert game.engine.rewards[0].tolist() == [1, -1, -1]


@pytest.mark.rule("base.victory.1")
def test_the_points_that_win_are_a_number_of_the_rules():
    game = rich(cities=1, victory_points=4).settlement(0, "N", 0, 0).hand(0, ore=3, grain=2).game()
    assert not game.over and game.do("build_city", game.corner("N", 0, 0)).winner == 0


@pytest.mark.rule("base.development_cards.12")
def test_victory_cards_are_hidden_but_count():
    game = rich(cities=2).cards(0, victory_point=3).game()
    assert (game.visible_points(0), game.points(0)) == (4, 7)


@pytest.mark.rule("base.development_cards.12")
def test_a_victory_card_wins_in_the_turn_it_is_bought():
    game = rich().cards(0, victory_point=1).hand(0, ore=1, wool=1, grain=1).game()
    assert game.buy("victory_point").winner == 0


@pytest.mark.rule("base.development_cards.12")
def test_victory_cards_are_never_played():
    game = rich(cities=1).cards(0, victory_point=3).game()
    assert not any(kind.startswith("play") for kind in game.kinds())


@pytest.mark.rule("base.development_cards.12")
def test_nobody_sees_a_victory_card():
    seen = []
    for card in ("victory_point", "monopoly"):
        game = rich(cities=1).cards(0, **{card: 1}).on_turn(1).game()
        seen.append((game.engine.observe("flat", seat=1).copy(), game.engine.action_mask.copy()))
    assert (seen[0][0] == seen[1][0]).all() and (seen[0][1] == seen[1][1]).all()


@pytest.mark.rule("base.victory.2")
def test_largest_army_wins_before_the_robber_moves():
    game = rich().knights(0, 2).cards(0, knight=1).game().do("play_knight")
    assert game.winner == 0


@pytest.mark.rule("base.victory.2")
def test_winning_is_possible_before_the_roll():
    game = rich(decision="pre_roll").knights(0, 2).cards(0, knight=1).game().do("play_knight")
    assert game.winner == 0


@pytest.mark.rule("base.victory.2", "base.victory.3")
def test_points_got_in_the_turn_of_another_do_not_win_yet():
    game = cut_road(cutter=1, owner=0, lucky=2)
    assert game.points(2) == 10 and not game.over and game.seat == 1


@pytest.mark.rule("options.win_on_any_turn.1")
def test_with_the_option_points_got_in_the_turn_of_another_win():
    assert cut_road(cutter=1, owner=0, lucky=2, scenario="base+win_on_any_turn").winner == 2


@pytest.mark.rule("base.victory.2", "base.victory.3")
def test_enough_points_at_the_start_of_the_own_turn_win():
    game = cut_road(cutter=1, owner=0, lucky=2).do("end_turn")
    assert game.winner == 2


@pytest.mark.rule("base.victory.3")
def test_points_lost_before_the_own_turn_do_not_win():
    game = cut_road(cutter=0, owner=1, lucky=2).do("end_turn").roll(12)
    game.do("build_road", game.path(-1, 0, "NW")).do("build_road", game.path(-1, 0, "W"))  # six roads
    assert game.points(2) == 8
    assert not game.do("end_turn").over


@pytest.mark.rule("base.victory.1")
def test_points_of_everybody_count_alike():
    game = position("base", 4).settlement(3, "N", 0, -2).city(3, "N", 2, -2).road(3, (0, 0, "NE E SE SW W"))
    game = game.knights(3, 3).cards(3, victory_point=2).on_turn(0).game()
    assert game.points(3) == 1 + 2 + 2 + 2 + 2


@pytest.mark.rule("base.victory.3")
def test_nobody_wins_in_the_initial_placement():
    game = new_game("base", 2, board="beginner", victory_points=2).draw("start_player", 0)
    for _ in range(4):
        assert not game.over
        game.do("build_settlement", game.legal("build_settlement")[0])
        assert not game.over
        game.do("build_road", game.legal("build_road")[0])
    assert game.winner == 0  # when the first turn begins
