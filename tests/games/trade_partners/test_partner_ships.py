"""Trade partners with ships, on the published board for four of Heading for New Shores.

Seat 0 has its settlement on the mountains (2, 3), its partner, color 2, on the forest (1, 3), both at the north shore.
"""

import numpy as np
import pytest
from sea_positions import cover, sea

from catan_env.board.terrain import FOG, SEA
from catan_env.engine.arrays import as_records
from catan_env.engine.program import program_of
from catan_env.testing.positions import new_game

SHIP = {"lumber": 1, "wool": 1}
HOME, ABROAD = ("N", 2, 3), ("N", 1, 3)


def table(decision="play", seat=0):
    place = sea("trade_partners_new_shores", 2).settlement(0, *HOME).settlement(2, *ABROAD)
    return place.on_turn(seat, decision)


def initial_placement(**rules):
    """Seat 0 places its settlements with a road and a ship, seat 1 with two roads."""
    game = new_game("trade_partners_new_shores", board="published", **rules).draw("start_player", 0)
    for corner, kind in ((HOME, "ship"), (("S", 1, 5), "road"), (("S", -1, 5), "road"), (("NW", 0, 5), "road")):
        game.do("build_settlement", game.corner(*corner))
        game.do(f"build_{kind}", game.legal(f"build_{kind}")[0])
    return game


def inland(game, intersection):
    """Whether only land lies around an intersection."""
    hexes = game.engine.topology.intersection_hexes[intersection]
    return bool((hexes >= 0).all() and np.isin(game.state["terrain"][hexes], (SEA, FOG), invert=True).all())


@pytest.mark.rule("trade_partners.partner_placement.4")
def test_a_partner_is_placed_with_as_many_ships_and_roads_as_its_owner():
    game = initial_placement()
    game.do("build_settlement", game.corner(*ABROAD))
    assert game.kinds() == {"build_road", "build_ship"}
    game.do("build_road", game.legal("build_road")[0])
    for _ in range(2):
        game.do("build_settlement", game.legal("build_settlement")[0])
        assert game.kinds() == {"build_road"}
        game.do("build_road", game.legal("build_road")[0])
    assert game.seat == 0 and not game.can("build_settlement", game.corner("SE", 0, 4))  # no ship could lie there
    game.do("build_settlement", game.legal("build_settlement")[0])
    assert game.kinds() == {"build_ship"}
    game.do("build_ship", game.legal("build_ship")[0])
    assert game.state["edge_pieces_left"].tolist() == [[14, 14], [13, 15], [14, 14], [13, 15]]


@pytest.mark.rule("trade_partners.partner_placement.5")
def test_where_no_coast_is_left_a_road_stands_in_for_the_ship_which_stays_owed():
    """Seat 0 has placed a ship and now places for its partner when all sea lies under the fog."""
    game = initial_placement(frame_is_sea=0)
    states, program = as_records(game.engine.state), program_of(game.engine.scenario)
    all_params = as_records(program.params(game.engine.rules, game.engine.scenario.board))
    for hex in np.flatnonzero(game.state["terrain"] == SEA):
        program.kernel(cover)(states, all_params, 0, int(hex))
    game.engine.refresh()
    for _ in range(4):
        game.do("build_settlement", next(k for k in game.legal("build_settlement") if inland(game, k)))
        assert game.kinds() == {"build_road"}
        ends = game.engine.topology.path_intersections
        game.do("build_road", next(k for k in game.legal("build_road") if all(inland(game, end) for end in ends[k])))
    assert game.state["edge_pieces_left"].tolist() == [[14, 14], [13, 15], [13, 15], [13, 15]]
    assert game.decision == "pre_roll"


@pytest.mark.rule("trade_partners.partner_ships.1")
def test_ships_are_mirrored_after_roads_free_and_at_the_partner_s_own_places():
    game = table().hand(0, lumber=2, brick=1, wool=1).game()
    game.do("build_ship", game.path(2, 2, "E")).do("build_road", game.path(2, 3, "NE")).do("end_turn")
    assert game.decision == "build_for_partner" and game.kinds() == {"build_road"}
    game.do("build_road", game.legal("build_road")[0])
    assert game.kinds() == {"build_ship"} and set(game.legal("build_ship")) <= game.paths_at(*ABROAD)
    path = game.legal("build_ship")[0]
    game.do("build_ship", path)
    assert game.state["edge_owner"][path] == 2 and game.state["ships"][path] > 0
    assert (game.seat, game.decision) == (1, "pre_roll")


@pytest.mark.rule("trade_partners.mirrored_building.14")
def test_a_road_is_not_owed_for_a_ship_and_debts_of_ships_are_seen():
    game = table().hand(0, **SHIP).game()
    game.do("build_ship", game.path(2, 2, "E"))
    names = game.engine.feature_names("flat")
    row = dict(zip(names, game.engine.observe("flat", seat=1, dtype="uint8")[0], strict=True))
    assert (row["partner_ships_owed/left_1"], row["partner_roads_owed/left_1"]) == (1, 0)
    assert game.do("end_turn").kinds() == {"build_ship"}


@pytest.mark.rule("trade_partners.mirrored_building.15")
def test_moving_a_ship_owes_nothing_and_ships_of_partners_never_move():
    game = table().ship(0, (2, 2, "E")).ship(2, (1, 2, "E")).game()
    assert game.legal("take_ship") == [game.path(2, 2, "E")]
    game.do("take_ship", game.path(2, 2, "E")).do("build_ship", game.legal("build_ship")[0]).do("end_turn")
    assert (game.seat, game.decision) == (1, "pre_roll")


@pytest.mark.rule("trade_partners.partner_gold.1")
def test_gold_of_a_partner_is_chosen_by_its_owner_after_the_players():
    place = sea("trade_partners_new_shores", 2).city(2, "N", 4, 4).settlement(1, "S", 4, 4)
    game = place.on_turn(0, "pre_roll").game().roll(10)
    assert (game.seat, game.decision) == (1, "choose_card")
    game.do("take_card", "ore")
    assert (game.seat, game.decision) == (0, "choose_for_partner")
    game.do("take_card", "ore").do("take_card", "wool")
    assert game.hand(2) == {"ore": 1, "wool": 1} and game.hand(0) == {} and game.hand(1) == {"ore": 1}
    assert (game.seat, game.decision) == (0, "play")


@pytest.mark.rule("trade_partners.partner_gold.1")
def test_gold_of_a_partner_lapses_when_the_bank_runs_out():
    place = sea("trade_partners_new_shores", 2).settlement(2, "N", 4, 4).settlement(1, "S", 4, 4)
    place.bank(1, lumber=0, brick=1, wool=0, grain=0, ore=0)
    game = place.on_turn(0, "pre_roll").game().roll(10).do("take_card", "brick")
    assert (game.seat, game.decision) == (0, "play") and game.hand(2) == {}


@pytest.mark.rule("trade_partners.partner_gold.2")
@pytest.mark.parametrize("terrain, cards", [(2, {"wool": 1}), (7, {})])
def test_what_a_partner_finds_under_the_fog_is_the_partner_s(terrain, cards):
    """The ship of color 2 reaches the place of the pasture (2, 1)."""
    faces = [int(k == terrain) for k in range(10)]
    place = table().ship(0, (2, 2, "E")).fog(2, 1).field("hexes_face_down", faces)
    game = place.field("numbers_face_down", [0] * 9 + [1, 0]).game().do("end_turn")
    game.do("build_ship", game.path(1, 2, "E")).draw("found_terrain", terrain).draw("found_number", "11")
    assert game.hand(2) == cards and game.hand(0) == {}
    if terrain == 7:
        assert (game.seat, game.decision) == (0, "choose_for_partner")
        assert game.do("take_card", "ore").hand(2) == {"ore": 1}
    assert (game.seat, game.decision) == (1, "pre_roll")


@pytest.mark.rule("trade_partners.partner_gold.2")
def test_the_owner_chooses_which_place_a_partner_s_ship_explores_first():
    place = table().ship(0, (2, 2, "E")).fog(2, 1).fog(1, 2).field("hexes_face_down", [0, 0, 1, 0, 0, 0, 1, 0, 0, 0])
    game = place.field("numbers_face_down", [0] * 9 + [1, 0]).game().do("end_turn")
    game.do("build_ship", game.path(1, 2, "E"))
    assert (game.seat, game.decision) == (0, "choose_fog")
    game.do("explore", game.hex(2, 1)).draw("found_terrain", 2).draw("found_number", "11").draw("found_terrain", 6)
    assert game.hand(2) == {"wool": 1} and (game.seat, game.decision) == (1, "pre_roll")


@pytest.mark.rule("trade_partners.partner_ships.3")
def test_islands_bring_points_for_settlements_of_the_owner_only():
    place = table().ship(2, (1, 2, "E"), (2, 1, "SW")).ship(0, (2, 2, "E")).settlement(2, "SW", 2, 1)
    assert place.game().visible_points(0) == 1


@pytest.mark.rule("trade_partners.partner_ships.2")
def test_nothing_is_stolen_at_ships_of_partners():
    game = table("pre_roll", seat=1).ship(2, (1, 2, "E")).hand(2, ore=1).hand(0, wool=1).game().roll(7)
    game.do("move_pirate", game.hex(1, 2))
    assert game.decision == "play" and game.hand(1) == {}
