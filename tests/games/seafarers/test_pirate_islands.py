"""The Pirate Islands: seat 3 starts N of (3, 4); its line of nine ships ends S of (0, 2)."""

import pytest
from sea_positions import paths, sea

from catan_env import BatchEngine
from catan_env.testing.positions import new_game

LINE = [(3, 4, "NW"), (2, 4, "NE"), (2, 3, "SE SW"), (1, 4, "NW")]
LINE += [(0, 4, "NE"), (1, 3, "W"), (0, 3, "NE"), (0, 2, "SE")]
SHIP = {"lumber": 1, "wool": 1}


def sailor(ships=9, warships=0, lairs=3, **rules):
    """Seat 3 has the first ships of its line."""
    place = sea("seafarers_pirate_islands", **rules).settlement(3, "N", 3, 4)
    for q, r, names in LINE:
        for side in names.split()[: max(ships, 0)]:
            place.ship(3, (q, r, side))
        ships -= len(names.split())
    return place.field("warships", [0, 0, 0, warships]).field("lairs", [3, 3, 3, lairs])


def storm(place, die="1"):
    """Seat 3 attacks its fortress."""
    return place.on_turn(3).game().do("attack_fortress").draw("fortress_die", die)


def at_fleet(place, strength, higher=6, steps=0):
    """The fleet comes to (3, 3), where seat 3 has its settlement, with this strength."""
    game = place.field("fleet_place", (10 - strength) % 14).on_turn(0, "pre_roll").game()
    return game.do("roll").draw("lower_die", str(strength)).draw("higher_die", str(higher))


@pytest.mark.rule("seafarers.pirate_fleet.1")
def test_the_dice_fall_one_by_one_as_often_as_two_dice():
    game = sailor().on_turn(0, "pre_roll").game().do("roll")
    assert game.chances() == pytest.approx({str(k): (13 - 2 * k) / 36 for k in range(1, 7)})
    game.draw("lower_die", "4")
    assert game.chances() == pytest.approx({"4": 1 / 5, "5": 2 / 5, "6": 2 / 5})
    game.draw("higher_die", "6")
    assert game.decision == "dice" and game.chances() == {"10": 1.0}


@pytest.mark.rule("seafarers.pirate_fleet.1")
def test_the_fleet_goes_on_by_the_lower_die_round_its_loop():
    game = sailor().field("fleet_place", 12).on_turn(0, "pre_roll").game().do("roll")
    game.draw("lower_die", "3").draw("higher_die", "5")
    assert game.state["fleet_place"] == 1


@pytest.mark.rule("seafarers.pirate_fleet.2")
def test_a_stronger_fleet_takes_a_card_and_one_for_each_city_before_the_roll_brings_any():
    game = at_fleet(sailor(3, warships=2).hand(3, ore=3), 3)
    assert game.decision == "card_lost"
    game.draw("card_lost", "ore")
    assert game.hand(3) == {"ore": 2} and game.decision == "dice"
    city = at_fleet(sailor(3, warships=2).city(3, "N", 4, 4).hand(3, ore=3), 3)
    city.draw("card_lost", "ore").draw("card_lost", "ore")
    assert city.hand(3) == {"ore": 1} and city.bank()["ore"] == 18 and city.decision == "dice"


@pytest.mark.rule("seafarers.pirate_fleet.3")
def test_a_weaker_fleet_brings_a_card_of_choice_and_an_equal_one_nothing():
    game = at_fleet(sailor(4, warships=4).hand(3, ore=1), 3)
    assert game.decision == "choose_card" and game.seat == 3
    assert game.do("take_card", "wool").hand(3) == {"wool": 1, "ore": 1}
    assert at_fleet(sailor(4, warships=3).hand(3, ore=1), 3).decision == "dice"


@pytest.mark.rule("seafarers.pirate_fleet.2")
def test_whoever_has_no_building_there_is_left_in_peace():
    game = sailor(3).hand(3, ore=1).field("fleet_place", 0).on_turn(0, "pre_roll").game().do("roll")
    assert game.draw("lower_die", "1").draw("higher_die", "2").decision == "dice"


@pytest.mark.rule("seafarers.pirate_fleet.4")
def test_who_rolls_a_seven_takes_a_card_from_anybody():
    game = sailor().hand(1, ore=1).hand(3, wool=1).field("fleet_place", 0).on_turn(0, "pre_roll").game().do("roll")
    game.draw("lower_die", "1").draw("higher_die", "6").draw("dice", "7")
    assert game.kinds() == {"steal", "leave_card"} and len(game.legal("steal")) == 2
    assert game.do("steal", game.opponent(3)).theft("wool").hand(0) == {"wool": 1}


@pytest.mark.rule("seafarers.pirate_fleet.4")
def test_after_a_seven_the_card_may_be_left():
    game = sailor().hand(1, ore=1).field("fleet_place", 0).on_turn(0, "pre_roll").game().do("roll")
    game.draw("lower_die", "1").draw("higher_die", "6").draw("dice", "7")
    assert game.legal("steal") == [game.opponent(1)]
    assert game.do("leave_card").hand(1) == {"ore": 1} and game.decision == "play"


@pytest.mark.rule("seafarers.pirate_fleet.5")
def test_a_knight_arms_a_ship():
    place = sailor(2, warships=1).cards(3, knight=1).on_turn(3)
    game = place.game().do("play_knight")
    assert game.state["warships"][3] == 2 and game.decision == "play"
    assert not sailor(2, warships=2).cards(3, knight=1).on_turn(3).game().can("play_knight")


@pytest.mark.rule("seafarers.pirate_fleet.5")
def test_three_play_without_victory_cards_and_for_four_they_are_knights():
    assert new_game("seafarers_pirate_islands", 3).state["deck"].tolist() == [14, 2, 2, 2, 0]
    assert new_game("seafarers_pirate_islands", 4).state["deck"].tolist() == [19, 2, 2, 2, 0]


@pytest.mark.rule("seafarers.fortresses.2")
def test_everybody_starts_at_his_place_and_places_two_settlements_on_the_main_island():
    game = new_game("seafarers_pirate_islands", start_player="seat_0").draw("start_player", 0)
    owners = [game.state["building_owner"][game.corner(*spot)] for spot in
              (("N", 2, 7), ("S", 5, 1), ("S", 3, 4), ("N", 3, 4))]  # fmt: skip
    assert owners == [0, 1, 2, 3] and (game.state["edge_pieces_left"][:4, 1] == 14).all()
    seats = []
    for _ in range(8):
        seats.append(game.seat)
        game.do("build_settlement", game.legal("build_settlement")[0])
        game.do("build_road", game.legal("build_road")[0])
    assert seats == [0, 1, 2, 3, 3, 2, 1, 0] and sum(game.hand(0).values()) > 0


@pytest.mark.rule("seafarers.fortresses.2")
def test_a_starting_settlement_at_the_coast_gets_a_road_or_a_ship():
    """NE of (6, 2) lies at the coast, N of (5, 3) between three hexes of land."""
    game = new_game("seafarers_pirate_islands", start_player="seat_0").draw("start_player", 0)
    game.do("build_settlement", game.corner("NE", 6, 2))
    assert game.kinds() == {"build_road", "build_ship"}
    game.do("build_ship", game.legal("build_ship")[0])
    assert game.state["edge_pieces_left"][0].tolist() == [15, 13]
    game.do("build_settlement", game.corner("N", 5, 3))
    assert game.kinds() == {"build_road"}


@pytest.mark.rule("seafarers.fortresses.2")
def test_the_last_starting_settlement_brings_the_first_cards():
    game = new_game("seafarers_pirate_islands", start_player="seat_0").draw("start_player", 0)
    seats_with_cards = []
    while game.state["turn"] == 0:
        kind = max(game.kinds())
        game.do(kind, game.legal(kind)[0])
        seats_with_cards.append([seat for seat in range(4) if game.hand(seat)])
    assert seats_with_cards[7] == [] and seats_with_cards[8] == [3] and seats_with_cards[-1] == [0, 1, 2, 3]


@pytest.mark.rule("seafarers.fortresses.3")
def test_towards_the_west_ships_lie_in_one_line_to_the_own_fortress():
    game = sailor(2).hand(3, **SHIP).on_turn(3).game()
    assert set(game.legal("build_ship")) == paths(game, (2, 3, "SE"), (3, 4, "W"), (4, 3, "W"))
    assert "take_ship" not in game.engine.actions.kinds


@pytest.mark.rule("seafarers.fortresses.9")
def test_other_ships_lie_at_the_coast_of_the_main_island():
    """From NW of (4, 3) a ship goes along the forest (4, 3), not out to sea between (3, 3) and (4, 2)."""
    game = sailor(1).ship(3, (4, 3, "W")).hand(3, **SHIP).on_turn(3).game()
    assert set(game.legal("build_ship")) == paths(game, (2, 4, "NE"), (3, 4, "W"), (4, 3, "NW"))


@pytest.mark.rule("seafarers.fortresses.3")
def test_nobody_sails_onto_the_line_of_another():
    """Along the coast seat 2 comes to NW of (3, 4), where seat 3's line goes west."""
    place = sailor(1).settlement(2, "S", 3, 4).ship(2, (3, 4, "SW W")).hand(2, **SHIP).on_turn(2)
    game = place.game()
    assert not paths(game, (3, 4, "NW"), (2, 4, "NE")) & set(game.legal("build_ship"))


def test_lines_of_seats_that_nobody_plays_are_coast_like_any_other():
    place = sea("seafarers_pirate_islands", 3).settlement(2, "S", 3, 4).ship(2, (3, 4, "SW W"))
    game = place.hand(2, **SHIP).on_turn(2).game()
    assert game.can("build_ship", game.path(3, 4, "NW")) and not game.can("build_ship", game.path(2, 4, "NE"))


@pytest.mark.rule("seafarers.fortresses.4")
def test_one_settles_on_the_main_island_and_on_the_own_beachhead_only():
    place = sailor(8).hand(3, lumber=1, brick=1, wool=1, grain=1).on_turn(3)
    assert place.game().legal("build_settlement") == [place.game().corner("N", 0, 4)]


@pytest.mark.rule("seafarers.fortresses.5")
def test_a_full_line_may_attack_as_the_last_thing_of_a_turn():
    assert not sailor(8).on_turn(3).game().can("attack_fortress")
    game = sailor(9, warships=3).on_turn(3).game().do("attack_fortress")
    assert game.chances() == pytest.approx(dict.fromkeys("123456", 1 / 6))
    game.draw("fortress_die", "2")
    assert game.state["lairs"][3] == 2 and game.state["edge_pieces_left"][3, 1] == 6 and game.kinds() == {"end_turn"}


@pytest.mark.rule("seafarers.fortresses.6")
def test_with_as_many_warships_a_ship_is_lost_with_fewer_two():
    game = sailor(9, warships=3).on_turn(3).game().do("attack_fortress").draw("fortress_die", "3")
    assert game.state["lairs"][3] == 3 and game.state["edge_pieces_left"][3, 1] == 7
    assert game.state["edge_owner"][game.path(0, 2, "SE")] == -1
    game = sailor(9, warships=9).on_turn(3).game()
    assert game.do("attack_fortress").draw("fortress_die", "6").state["warships"][3] == 9
    game = sailor(9, warships=3).on_turn(3).game().do("attack_fortress").draw("fortress_die", "6")
    assert game.state["edge_pieces_left"][3, 1] == 8 and game.state["warships"][3] == 3


@pytest.mark.rule("seafarers.fortresses.7")
def test_the_third_win_makes_the_fortress_a_settlement_and_lets_ten_points_win():
    game = sailor(9, warships=3, lairs=1).on_turn(3).game().do("attack_fortress").draw("fortress_die", "1")
    fortress = game.corner("S", 0, 2)
    assert game.state["lairs"][3] == 0 and game.state["building_owner"][fortress] == 3 and not game.over
    place = sailor(9, warships=3, lairs=1, victory_points=2).settlement(3, "N", 4, 4)
    assert not place.on_turn(3).game().over and storm(place).winner == 3


@pytest.mark.rule("seafarers.fortresses.8")
def test_the_fortress_is_one_of_the_settlement_pieces_from_the_start():
    game = new_game("seafarers_pirate_islands", start_player="seat_0").draw("start_player", 0)
    assert game.state["settlements_left"][:4].tolist() == [3, 3, 3, 3] and game.visible_points(0) == 1
    while game.state["turn"] == 0:
        kind = max(game.kinds())
        game.do(kind, game.legal(kind)[0])
    assert game.state["settlements_left"][:4].tolist() == [1, 1, 1, 1] and game.visible_points(0) == 3
    assert new_game("seafarers_pirate_islands", 3).state["settlements_left"].tolist() == [4, 4, 4, 5]


@pytest.mark.rule("seafarers.fortresses.8")
def test_the_third_win_counts_a_settlement_though_all_other_pieces_stand():
    place = sailor(9, warships=3, lairs=1)
    for corner, q, r in (("N", 4, 4), ("N", 4, 3), ("N", 5, 5)):
        place.settlement(3, corner, q, r)
    assert place.on_turn(3).game().state["settlements_left"][3] == 0
    game = storm(place)
    assert game.state["building_owner"][game.corner("S", 0, 2)] == 3 and game.visible_points(3) == 5


@pytest.mark.rule("seafarers.pirate_fleet.6")
def test_the_fleet_is_gone_once_all_fortresses_are_retaken():
    place = sailor(9, warships=3, lairs=1).hand(3, ore=2)
    assert storm(place).state["fleet_place"] >= 0
    left = storm(retaken(sailor(9, warships=3, lairs=1).hand(3, ore=2)))
    assert left.state["fleet_place"] == -1
    left.do("end_turn").do("roll").draw("lower_die", "4").draw("higher_die", "4").draw("dice", "8")
    assert left.state["fleet_place"] == -1 and left.decision == "play"


def retaken(place):
    """All other seats have retaken their fortresses."""
    for seat, spot in enumerate((("S", -2, 7), ("N", 1, 1), ("N", -2, 6))):
        place.settlement(seat, *spot)
    return place.field("lairs", [0, 0, 0, 1]).field("settlements_left", [4, 4, 4, 3])


@pytest.mark.rule("seafarers.fortresses.10")
def test_a_complete_line_attacks_at_the_end_of_the_turn():
    game = sailor(9).on_turn(3).game()
    assert not game.can("end_turn") and game.can("attack_fortress")
    assert (
        sailor(9, lairs=0)
        .settlement(3, "S", 0, 2)
        .field("settlements_left", [4, 4, 4, 3])
        .on_turn(3)
        .game()
        .can("end_turn")
    )
    optional = sailor(9, fortress_attack="optional").on_turn(3).game()
    assert optional.can("end_turn") and optional.can("attack_fortress")


@pytest.mark.rule("seafarers.fortresses.1")
def test_there_is_no_robber_no_longest_road_and_no_largest_army():
    game = sailor().on_turn(3).game()
    assert not {"longest_road", "largest_army"} & set(game.engine.state.dtype.names)
    assert "move_robber" not in game.engine.actions.kinds and game.state["robber"] == -1


@pytest.mark.parametrize(("pieces", "placed"), [(2, 0), (3, 1), (4, 2)])
def test_nobody_places_more_settlements_than_there_are_pieces_for(pieces, placed):
    engine = BatchEngine("seafarers_pirate_islands", 1, 3, seed=1, rules={"settlements_per_player": pieces})
    while engine.state["turn"][0] == 0:
        engine.step(engine.action_mask.argmax(axis=1))
    assert engine.state["settlements_left"][0, :3].tolist() == [0, 0, 0] and not engine.broken_invariants()
    assert ((engine.state["building_owner"][0] == 0).sum()) == 1 + placed
    assert (engine.state["hands"][0, 0].sum() > 0) == (placed > 0)
