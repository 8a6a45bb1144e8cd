"""Cities & Knights with Seafarers.

On the board for four the northern shore of the main island is the pastures (0, 3), the forest (1, 3) and the mountains
(2, 3); across one row of sea lie the mountains (1, 1), the pasture (2, 1) and, further east, the gold (4, 1), a 4.
"""

import pytest
from knight_positions import KnightPosition
from sea_positions import SeaPosition, after_initial_placement, paths

import catan_env
from catan_env.board.terrain import GOLD, RESOURCES, SEA
from catan_env.games.base import development_cards, largest_army
from catan_env.testing.positions import new_game

SCENARIO = "cities_and_knights_new_shores"
ATTACK = (1, 2, "ship")
ACROSS = (1, 2, "E"), (2, 1, "SW")
"""From the north corner of the forest to the small island."""


def beat_off(states, all_params, seat, place):
    """Kernel: the barbarians have attacked once."""
    states[0].attacks = 1


class CoastPosition(KnightPosition, SeaPosition):
    """A position with knights and ships."""

    def attacked(self):
        """From here on the robber and the pirate are about."""
        self._steps.append((beat_off, 0, 0))
        return self


def coast(num_players=4, **rules):
    return CoastPosition(SCENARIO, num_players, rules)


def harbor(**rules):
    """Seat 0 has a settlement on the northern shore, and ships from there to the small island."""
    return coast(**rules).attacked().settlement(0, "N", 1, 3).ship(0, *ACROSS)


@pytest.mark.rule("cities_and_knights.seafarers.1")
def test_sixteen_points_win_and_there_are_no_development_cards():
    scenario = catan_env.find_scenario(SCENARIO)
    assert not {development_cards, largest_army} & set(scenario.modules)
    place = coast().settlement(0, "N", 1, 3).on_turn(0, "pre_roll")
    assert not place.field("defender", [14, 0, 0, 0]).game().over
    assert place.field("defender", [15, 0, 0, 0]).game().over


@pytest.mark.rule("cities_and_knights.city_placement.5")
def test_one_founds_a_settlement_and_a_city_with_ships_or_roads():
    state = after_initial_placement(SCENARIO).state
    assert (state["cities_left"][:3] == 3).all() and (state["ships"] > 0).any() and state["hands"][:3].any(axis=1).all()


# -- the barbarians ----------------------------------------------------------------------------------------


@pytest.mark.rule("cities_and_knights.sea_barbarians.1")
def test_before_the_first_attack_neither_robber_nor_pirate_moves():
    game = coast().city(0, "N", 1, 3).on_turn(0, "pre_roll").game().roll(3, 4)
    assert game.decision == "play" and game.state["pirate"] == -1 and game.state["robber"] == -1
    game = coast().attacked().city(0, "N", 1, 3).on_turn(0, "pre_roll").game().roll(3, 4)
    assert game.kinds() == {"move_robber", "move_pirate"}


@pytest.mark.rule("cities_and_knights.sea_barbarians.1")
def test_the_pirate_waits_for_the_first_attack_and_goes_to_its_start_then():
    board = catan_env.find_scenario("seafarers_four_islands").board.map_for[3]
    begun = new_game(SCENARIO, 3, board=board, start_player="seat_0").draw("start_player", 0)
    assert begun.state["pirate"] == -1
    place = coast(3).board(board).knight(0, "N", 3, 1, active=True).sailed().on_turn(0, "pre_roll")
    game = place.game().roll(*ATTACK)
    assert game.state["pirate"] == game.hex(1, 4)


@pytest.mark.rule("cities_and_knights.sea_barbarians.1")
def test_by_the_older_rule_the_pirate_lies_where_it_starts_from_the_beginning():
    board = catan_env.find_scenario("seafarers_four_islands").board.map_for[3]
    game = new_game(SCENARIO, 3, board=board, start_player="seat_0", robber_at_start="desert").draw("start_player", 0)
    assert game.state["pirate"] == game.hex(1, 4)


@pytest.mark.rule("cities_and_knights.sea_barbarians.2")
def test_where_there_is_no_desert_the_robber_enters_at_the_twelve():
    board = catan_env.find_scenario(SCENARIO).board.map_for[3]
    game = coast(3).board(board).sailed().on_turn(0, "pre_roll").game().roll(*ATTACK)
    assert game.state["robber"] == game.hex(1, 1) and game.state["number"][game.hex(1, 1)] == 12
    game = coast(4).sailed().on_turn(0, "pre_roll").game().roll(*ATTACK)
    assert game.state["robber"] == game.hex(0, 5)


@pytest.mark.rule("cities_and_knights.barbarians.6")
def test_the_barbarians_attack_all_islands_together():
    alone = coast().city(0, "N", 1, 3).road(0, (1, 3, "NE")).knight(0, "NE", 1, 3, active=True)
    game = alone.sailed().on_turn(0, "pre_roll").game().roll(*ATTACK)
    assert game.state["defender"][0] == 1
    both = coast().city(0, "N", 1, 3).road(0, (1, 3, "NE")).knight(0, "NE", 1, 3, active=True).city(1, "N", 1, 1)
    game = both.sailed().on_turn(0, "pre_roll").game().roll(*ATTACK)
    assert game.state["defender"][0] == 0 and (game.decision, game.seat) == ("lose_city", 1)


# -- gold --------------------------------------------------------------------------------------------------


@pytest.mark.rule("cities_and_knights.sea_progress.1")
def test_gold_brings_resources_only_and_counts_for_the_aqueduct():
    place = coast().city(0, "N", 4, 1).levels(0, science=3).on_turn(0, "pre_roll")
    game = place.game().roll(1, 3)
    assert game.state["terrain"][game.hex(4, 1)] == GOLD
    assert game.decision == "choose_card" and set(game.legal("take_card")) <= set(RESOURCES)
    game.do("take_card", "ore").do("take_card", "ore")
    assert game.decision == "play" and game.hand(0) == {"ore": 2}
    assert place.game().roll(2, 4).decision == "choose_card"


@pytest.mark.rule("cities_and_knights.merchant_piece.2")
def test_the_merchant_does_not_go_to_gold_nor_to_the_sea():
    game = coast().settlement(0, "N", 1, 3).settlement(0, "SE", 4, 1).progress(0, "merchant").on_turn(0).game()
    terrain = game.state["terrain"]
    hexes = game.legal("play_merchant")
    assert game.hex(1, 3) in hexes and not {SEA, GOLD} & {int(terrain[hex]) for hex in hexes}


# -- knights -----------------------------------------------------------------------------------------------


@pytest.mark.rule("cities_and_knights.knights.10")
def test_knights_are_recruited_at_ships():
    game = harbor().hand(0, wool=1, ore=1).on_turn(0).game()
    assert game.corner("S", 2, 1) in game.legal("recruit_knight")


@pytest.mark.rule("cities_and_knights.knight_actions.8")
def test_knights_move_over_roads_and_ships_joined_at_own_buildings_to_places_at_sea():
    place = harbor().road(0, (1, 3, "NE")).knight(0, "NE", 1, 3, active=True).on_turn(0)
    game = place.game()
    game.do("take_knight", game.corner("NE", 1, 3))
    assert set(game.legal("place_knight")) == {game.corner("S", 2, 1), game.corner("SW", 2, 1)}
    game.do("place_knight", game.corner("S", 2, 1))
    assert game.knight_on("S", 2, 1) == (0, 1, 0)


@pytest.mark.rule("cities_and_knights.knight_actions.8")
def test_knights_change_between_road_and_ship_where_no_building_stands():
    """Roads and ships meet at the north-east corner of the forest; the knight comes over the road."""
    place = coast().attacked().settlement(0, "SE", 1, 3).road(0, (1, 3, "E")).settlement(0, "N", 1, 3)
    place = place.ship(0, (1, 3, "NE"), (2, 2, "SE")).road(0, (2, 3, "SW")).knight(0, "S", 2, 3, active=True).on_turn(0)
    game = place.game()
    at_sea = game.corner("SE", 2, 2)
    game.do("take_knight", game.corner("S", 2, 3))
    assert set(game.legal("place_knight")) == {game.corner("NE", 1, 3), at_sea}
    assert game.do("place_knight", at_sea).knight_on("SE", 2, 2) == (0, 1, 0)


@pytest.mark.rule("cities_and_knights.knight_actions.8")
def test_a_knight_driven_out_changes_between_road_and_ship_too():
    place = coast().attacked().ship(0, (1, 3, "NE"), (2, 2, "SE")).road(0, (1, 3, "E")).knight(0, "SE", 1, 3)
    place = place.road(1, (1, 3, "SE")).progress(1, "intrigue").on_turn(1)
    game = place.game().do("play_intrigue")
    game.do("take_knight", game.corner("SE", 1, 3))
    assert game.seat == 0 and game.corner("SE", 2, 2) in game.legal("place_knight")


@pytest.mark.rule("cities_and_knights.knights.11")
def test_an_opponents_knight_ends_a_line_of_ships():
    place = harbor().hand(0, lumber=1, wool=1).on_turn(0)
    game = place.game()
    onward = game.legal("build_ship")
    blocked = harbor().hand(0, lumber=1, wool=1).knight(1, "SW", 2, 1).on_turn(0).game()
    beyond = paths(blocked, (1, 1, "SE")) | paths(blocked, (1, 1, "E"))
    assert set(onward) - set(blocked.legal("build_ship")) == beyond & set(onward) != set()


@pytest.mark.rule("cities_and_knights.sea_knights.1")
def test_a_knight_at_the_pirates_hex_chases_it_and_steals():
    place = harbor().knight(0, "S", 2, 1, active=True).settlement(1, "NE", 2, 3).ship(1, (2, 2, "E")).hand(1, ore=1)
    game = place.pirate(1, 2).on_turn(0).game()
    game.do("take_knight", game.corner("S", 2, 1))
    assert {"move_pirate", "send_pirate_off", "place_knight"} == game.kinds()
    game.do("move_pirate", game.hex(2, 2)).theft("ore")
    assert game.state["pirate"] == game.hex(2, 2) and game.hand(0) == {"ore": 1}
    assert game.knight_on("S", 2, 1) == (0, 1, 0) and game.decision == "play"


@pytest.mark.rule("cities_and_knights.sea_knights.1")
def test_a_knight_that_can_go_nowhere_sends_the_pirate_off_the_board():
    place = coast().attacked().settlement(0, "N", 1, 3).settlement(0, "SW", 2, 1).ship(0, *ACROSS)
    game = place.knight(0, "S", 2, 1, active=True).pirate(1, 2).on_turn(0).game()
    game.do("take_knight", game.corner("S", 2, 1)).do("send_pirate_off")
    assert game.state["pirate"] == -1 and game.knight_on("S", 2, 1) == (0, 1, 0)
    assert not game.can("take_knight")


@pytest.mark.rule("cities_and_knights.sea_knights.1")
def test_a_knight_elsewhere_or_not_ready_chases_no_pirate():
    far = harbor().knight(0, "S", 2, 1, active=True).pirate(0, 2).on_turn(0).game()
    assert far.do("take_knight", far.corner("S", 2, 1)).kinds() == {"place_knight"}
    assert not harbor().knight(0, "S", 2, 1).pirate(1, 2).on_turn(0).game().can("take_knight")


# -- ships and knights -------------------------------------------------------------------------------------


@pytest.mark.rule("cities_and_knights.sea_lines.1")
def test_an_own_knight_closes_a_line_of_ships():
    free = harbor().on_turn(0).game()
    assert set(free.legal("take_ship")) == paths(free, (2, 1, "SW"))
    assert not harbor().knight(0, "SW", 2, 1).on_turn(0).game().can("take_ship")
    other = harbor().knight(1, "SW", 2, 1).on_turn(0).game()
    assert other.legal("take_ship") == free.legal("take_ship")


@pytest.mark.rule("cities_and_knights.sea_lines.2")
def test_no_ship_leaves_an_own_knight_without_a_way():
    """A single ship, cut off from all others, with a knight at one end."""
    place = coast().attacked().settlement(0, "N", 1, 3).ship(0, (2, 1, "SW")).on_turn(0)
    loose = place.game()
    assert set(loose.legal("take_ship")) == paths(loose, (2, 1, "SW"))
    assert not place.knight(0, "S", 2, 1).game().can("take_ship")
    joined = place.ship(0, (1, 2, "E")).game()
    assert set(joined.legal("take_ship")) == paths(joined, (2, 1, "SW"))


# -- progress cards ----------------------------------------------------------------------------------------


@pytest.mark.rule("cities_and_knights.science_cards.11")
def test_road_building_builds_ships_too():
    game = harbor().progress(0, "road_building").on_turn(0).game()
    game.do("play_roads").do("build_ship", game.path(1, 3, "NE")).do("build_road", game.path(1, 3, "NW"))
    assert game.decision == "play"


@pytest.mark.rule("cities_and_knights.politics_cards.11")
def test_taxation_moves_the_robber_only():
    game = harbor().progress(0, "taxation").on_turn(0).game().do("play_taxation")
    assert game.kinds() == {"move_robber"}


@pytest.mark.rule("cities_and_knights.sea_progress.2")
def test_diplomacy_removes_an_open_ship_and_an_own_one_is_built_elsewhere_as_a_ship():
    place = harbor().road(0, (1, 3, "NE")).progress(0, "diplomacy").on_turn(0)
    game = place.game()
    assert set(game.legal("play_diplomacy_at_sea")) == paths(game, (2, 1, "SW"))
    assert set(game.legal("play_diplomacy")) == paths(game, (1, 3, "NE"))
    game.do("play_diplomacy_at_sea", game.path(2, 1, "SW"))
    assert game.kinds() == {"build_ship", "forgo"} and not game.can("build_ship", game.path(2, 1, "SW"))
    game.do("build_ship", game.path(1, 3, "NW"))
    assert game.decision == "play" and game.state["edge_pieces_left"][0, 1] == 13
    assert game.state["ships"][game.path(1, 3, "NW")] == 2
    stays = place.game()
    stays.do("play_diplomacy_at_sea", stays.path(2, 1, "SW")).do("forgo")
    assert stays.state["edge_pieces_left"][0, 1] == 14 and stays.state["ships"][stays.path(2, 1, "SW")] == 0


@pytest.mark.rule("cities_and_knights.politics_cards.12")
@pytest.mark.parametrize("rebuilt", [True, False])
def test_longest_road_is_settled_when_the_ship_removed_lies_elsewhere(rebuilt):
    """Both have two ships in line; the last of seat 0's is moved to the other end."""
    place = coast(longest_road_minimum=2).attacked().settlement(0, "N", 1, 3).ship(0, *ACROSS)
    place = place.settlement(1, "N", 1, 1).road(1, (1, 1, "NE E")).progress(0, "diplomacy").on_turn(0)
    game = place.game().do("play_diplomacy_at_sea", place.game().path(2, 1, "SW"))
    assert game.state["longest_road"] == 0
    if rebuilt:
        game.do("build_ship", game.path(1, 3, "NE"))
    else:
        game.do("forgo")
    assert game.state["longest_road"] == (0 if rebuilt else 1)


@pytest.mark.rule("cities_and_knights.sea_progress.2")
def test_diplomacy_removes_an_opponents_ship_but_none_that_ends_at_his_knight():
    place = harbor().progress(1, "diplomacy").on_turn(1)
    game = place.game()
    game.do("play_diplomacy_at_sea", game.path(2, 1, "SW"))
    assert game.decision == "play" and game.state["edge_pieces_left"][0, 1] == 14
    assert not place.knight(0, "SW", 2, 1).game().can("play_diplomacy_at_sea")
