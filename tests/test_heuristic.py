"""The heuristic agent's actions in hand-made positions with an obvious best action."""

import numpy as np
from knight_positions import march, table
from sea_positions import sea

from catan_agents.heuristic import HeuristicAgent
from catan_env.testing.positions import position


def chosen(game):
    """Return the kind and the argument of the action that the agent takes."""
    return game.engine.actions.pair(int(HeuristicAgent().act(game.engine, np.array([0]))[0]))


# -- free roads ------------------------------------------------------------------------------------------------


def one_place_that_leads_nowhere(**rules):
    """Return a game in which seat 0's only place for a road ends at a settlement of seat 1."""
    place = position("base", 3, rules).road(0, (0, -2, "NW")).road(1, (0, -2, "W")).settlement(1, "NE", 0, -2)
    return place.cards(0, road_building=1).on_turn(0).game().do("play_road_building")


def test_the_last_roads_are_kept_for_a_place_that_leads_somewhere():
    assert chosen(one_place_that_leads_nowhere(roads_per_player=3)) == ("forgo_free_roads", 0)
    assert chosen(one_place_that_leads_nowhere())[0] == "build_road"


# -- robber, pirate, warship -----------------------------------------------------------------------------------


def coast(**rules):
    """Seat 1 has a city at the forest (1, 3), seat 2 a settlement at the mountains (2, 3) and ships at (2, 2)."""
    place = sea(**rules).city(1, "SW", 1, 3).settlement(2, "NE", 2, 3).ship(2, (2, 2, "E NE"))
    return place.hand(1, ore=2).hand(2, wool=2).on_turn(0, "pre_roll")


def test_while_the_robber_lies_best_the_pirate_is_moved_to_ships_of_others():
    game = coast().robber(1, 3).game()
    assert chosen(game.roll(7)) == ("move_pirate", game.hex(2, 2))


def test_the_robber_is_moved_off_own_hexes_before_the_pirate_sails():
    game = coast().settlement(0, "S", 0, 4).robber(0, 4).game()
    assert chosen(game.roll(7))[0] == "move_robber"


def test_the_pirate_does_not_go_where_it_troubles_nobody():
    game = sea().city(1, "SW", 1, 3).hand(1, ore=2).robber(0, 4).on_turn(0, "pre_roll").game()
    assert chosen(game.roll(7))[0] == "move_robber"


def test_the_pirate_is_drawn_away_from_own_ships():
    """Moving the robber has priority while it is in the desert."""
    place = sea().settlement(0, "NE", 2, 3).city(1, "SW", 1, 3).settlement(2, "N", 1, 3).ship(2, (1, 2, "E"))
    place = place.hand(1, ore=2).hand(2, ore=2).robber(0, 5).on_turn(0, "pre_roll")
    assert chosen(place.game().roll(7))[0] == "move_robber"
    game = place.ship(0, (2, 2, "E NE")).pirate(2, 2).robber(1, 3).game()
    assert chosen(game.roll(7)) == ("move_pirate", game.hex(1, 2))


def test_a_warship_sails_where_it_takes_tribute_while_the_robber_lies_best():
    place = sea("sea_robbers").settlement(1, "SE", 2, 2).city(1, "N", 2, 2).ship(1, (3, 2, "SW"))
    game = place.hand(1, ore=1).robber(2, 2).on_turn(0, "pre_roll").game()
    assert chosen(game.roll(7))[0] == "move_warship"


# -- Cities & Knights ------------------------------------------------------------------------------------------


def pillaged(**cards):
    """Seat 0 has lost its only city and holds these cards; seats 1 and 2 have cities."""
    place = march().city(2, "N", -2, 2).sailed(1, attacks=1)
    return place.hand(0, **cards).on_turn(0).game()


def test_a_city_lost_to_the_barbarians_is_raised_before_knights_are_paid():
    assert chosen(pillaged(grain=1, ore=2, wool=2)) == ("end_turn", 0)
    assert chosen(pillaged(grain=2, ore=3, wool=2))[0] == "build_city"
    assert chosen(pillaged(grain=2, ore=4, wool=1))[0] == "build_city"
    assert chosen(pillaged(grain=1, ore=2, lumber=4)) == ("trade_with_bank", 2)


def test_knights_are_recruited_with_cards_that_no_city_needs():
    assert chosen(pillaged(grain=1, ore=4, wool=1))[0] == "recruit_knight"


def test_monopolies_are_played_on_kinds_that_others_hold_or_not_at_all():
    place = table().city(0, "N", 0, -1).progress(0, "resource_monopoly", "trade_monopoly").on_turn(0)
    assert chosen(place.hand(1, wool=1, lumber=1).hand(0, ore=2).game()) == ("end_turn", 0)
    assert chosen(place.hand(1, ore=3).game()) == ("play_resource_monopoly", 4)
    assert chosen(place.hand(2, cloth=1).game()) == ("play_trade_monopoly", 1)


def test_a_wall_is_not_built_of_the_first_brick():
    place = table().city(0, "N", 0, -1).on_turn(0)
    assert chosen(place.hand(0, brick=2).game()) == ("end_turn", 0)
    assert chosen(place.hand(0, brick=2, wool=2, lumber=4).game())[0] == "build_wall"


def test_commodities_beyond_the_next_level_are_traded_at_the_rate_of_the_guild():
    def wants_trade(coins):
        place = march().city(0, "S", 2, 0).levels(0, trade=3)
        game = place.hand(0, coin=coins, grain=1, ore=3).on_turn(0).game()
        trade = game.engine.actions.id("trade_with_bank", "coin for 1 grain")
        return HeuristicAgent().scores(game.engine, np.array([0]))[0, trade] > 0

    assert wants_trade(3) and not wants_trade(2)


# -- wonders and fortresses ------------------------------------------------------------------------------------


def test_a_wonder_is_claimed_at_once_and_built_before_a_city():
    place = sea("seafarers_wonders").city(0, "N", 0, 3).city(0, "N", 2, 3).settlement(0, "N", 1, 6)
    game = place.hand(0, brick=1, wool=3, lumber=1, grain=2, ore=3).on_turn(0).game()
    assert chosen(game) == ("claim_wonder", 0)
    assert chosen(game.do("claim_wonder", "grand_theater")) == ("build_wonder", 0)


PIRATE_LINE = [(3, 4, "NW"), (2, 4, "NE"), (2, 3, "SE"), (2, 3, "SW"), (1, 4, "NW"), (0, 4, "NE"), (1, 3, "W")]
PIRATE_LINE += [(0, 3, "NE"), (0, 2, "SE")]


def one_ship_short(warships, **rules):
    """Seat 3 lacks the last ship of its line to the fortress."""
    place = sea("seafarers_pirate_islands", **rules).settlement(3, "N", 3, 4).ship(3, *PIRATE_LINE[:-1])
    place = place.settlement(3, "N", 0, 4)  # its beachhead
    return place.field("warships", [0, 0, 0, warships]).hand(3, lumber=1, wool=1).on_turn(3).game()


def test_a_line_that_would_have_to_attack_is_completed_with_enough_warships():
    strong, weak = one_ship_short(5), one_ship_short(1)
    assert chosen(strong) == ("build_ship", strong.path(0, 2, "SE"))
    assert chosen(weak) != ("build_ship", weak.path(0, 2, "SE")) and weak.can("build_ship", weak.path(0, 2, "SE"))
    assert chosen(one_ship_short(1, fortress_attack="optional"))[0] == "build_ship"
    assert chosen(strong.do("build_ship", strong.path(0, 2, "SE"))) == ("attack_fortress", 0)


def test_the_card_for_a_ship_lost_to_sea_robbers_is_taken():
    place = sea("sea_robbers").settlement(0, "SE", 2, 2).ship(0, (3, 2, "SW"), (3, 3, "NE"))
    game = place.hand(0, lumber=1, wool=1).on_turn(0).game()
    game.do("build_ship", game.path(3, 3, "E")).draw("battle", "2")
    assert chosen(game)[0] == "take_card"
