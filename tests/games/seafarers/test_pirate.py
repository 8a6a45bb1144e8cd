"""The pirate."""

import pytest
from sea_positions import paths, sea


def fleet(**rules):
    """Seat 0 rolls; seats 1 and 2 have ships at the sea hex (2, 2), seat 1 also at (1, 2)."""
    place = sea(**rules).settlement(1, "N", 1, 3).ship(1, (1, 2, "E")).settlement(2, "NE", 2, 3).ship(2, (2, 2, "E"))
    return place.hand(1, ore=1).hand(2, wool=1).on_turn(0, "pre_roll")


@pytest.mark.rule("seafarers.moving_pirate.1")
def test_a_seven_moves_the_robber_or_the_pirate_but_not_both():
    game = fleet().game().roll(7)
    assert game.kinds() == {"move_robber", "move_pirate"}
    moved = game.do("move_pirate", game.hex(0, 2))
    assert moved.decision == "play" and moved.state["pirate"] == moved.hex(0, 2)
    assert moved.state["robber"] == moved.hex(0, 5)
    game = fleet().game().roll(7)
    game.do("move_robber", game.hex(0, 3))
    assert game.decision == "play" and game.state["pirate"] == -1


@pytest.mark.rule("seafarers.moving_pirate.1")
def test_a_knight_may_move_the_pirate():
    game = sea().cards(0, knight=1).on_turn(0).game()
    game.do("play_knight").do("move_pirate", game.hex(2, 2))
    assert game.state["pirate"] == game.hex(2, 2) and game.state["knights_played"][0] == 1


@pytest.mark.rule("seafarers.moving_pirate.2", "seafarers.waters.3")
def test_the_pirate_goes_to_sea_hexes_and_the_robber_to_land():
    game = fleet().game().roll(7)
    sea_hexes = {h for h in range(42) if game.state["terrain"][h] == 6}
    assert set(game.legal("move_pirate")) == sea_hexes and len(sea_hexes) == 14
    assert set(game.legal("move_robber")) == set(range(42)) - sea_hexes - {game.hex(0, 5)}


@pytest.mark.rule("seafarers.moving_pirate.2")
def test_the_pirate_leaves_its_hex_or_the_board_and_in_older_rules_its_hex_only():
    game = fleet().pirate(2, 2).game().roll(7)
    assert game.hex(2, 2) not in game.legal("move_pirate") and game.can("send_pirate_off")
    game.do("send_pirate_off")
    assert game.state["pirate"] == -1 and game.decision == "play"
    assert not fleet(pirate_may_leave=0).pirate(2, 2).game().roll(7).can("send_pirate_off")
    assert not fleet().game().roll(7).can("send_pirate_off")


@pytest.mark.rule("seafarers.ships.9")
def test_the_pirate_steals_from_one_player_with_a_ship_at_its_hex():
    game = fleet().game().roll(7)
    game.do("move_pirate", game.hex(2, 2))
    assert game.decision == "choose_victim" and len(game.legal("steal")) == 2
    game.do("steal", game.opponent(2)).theft("wool")
    assert game.hand(0) == {"wool": 1} and game.hand(2) == {} and game.hand(1) == {"ore": 1}


@pytest.mark.rule("seafarers.ships.9")
def test_a_single_ship_owner_is_robbed_without_a_choice_and_nobody_at_empty_sea():
    game = fleet().game().roll(7)
    game.do("move_pirate", game.hex(1, 2)).theft("ore")
    assert game.hand(0) == {"ore": 1} and game.decision == "play"
    game = fleet().game().roll(7)
    assert game.do("move_pirate", game.hex(5, 1)).decision == "play"


@pytest.mark.rule("seafarers.ships.10")
def test_settlements_and_roads_at_the_pirates_hex_are_safe():
    place = sea().settlement(1, "N", 1, 3).road(1, (1, 3, "NW")).hand(1, ore=1).on_turn(0, "pre_roll")
    game = place.game().roll(7)
    assert game.do("move_pirate", game.hex(1, 2)).decision == "play" and game.hand(1) == {"ore": 1}


@pytest.mark.rule("seafarers.pirate.2")
def test_no_ship_is_built_at_the_pirates_hex_and_roads_are():
    place = sea().settlement(0, "N", 1, 3).on_turn(0).hand(0, lumber=1, wool=1, brick=1)
    game = place.pirate(1, 2).game()
    assert set(game.legal("build_ship")) == paths(game, (1, 3, "NE"))
    assert set(game.legal("build_road")) == paths(game, (1, 3, "NE NW"))


@pytest.mark.rule("seafarers.pirate.2")
def test_where_the_pirate_has_left_ships_are_built_again():
    place = sea().settlement(0, "N", 1, 3).cards(0, knight=1).hand(0, lumber=1, wool=1).on_turn(0)
    game = place.pirate(1, 2).game()
    game.do("play_knight").do("move_pirate", game.hex(2, 2))
    assert set(game.legal("build_ship")) == paths(game, (1, 3, "NW"))


@pytest.mark.rule("seafarers.ships.10")
def test_the_pirate_blocks_no_harbor_and_no_production():
    place = sea().settlement(0, "NW", 0, 3).hand(0, grain=2).pirate(0, 2).on_turn(0, "pre_roll")
    game = place.game().roll(5)
    assert game.hand(0) == {"grain": 2, "wool": 1} and game.can("trade_with_bank")


@pytest.mark.rule("seafarers.pirate.3")
def test_the_pirate_starts_where_the_board_says():
    from catan_env.testing.positions import new_game

    game = new_game("seafarers_four_islands", 3)
    assert game.state["pirate"] == game.hex(1, 4) and new_game("seafarers_four_islands").state["pirate"] == -1
