"""The initial placement: snake order, or the printed start pieces."""

import pytest

from catan_env.errors import BoardError, RuleValueError
from catan_env.testing.positions import new_game

SPOTS = [("N", 0, -2), ("N", 2, -2), ("N", -2, 0), ("N", 0, 0), ("N", 2, 0), ("S", -2, 2), ("S", 0, 2), ("S", 0, 0)]
"""Far from one another on the base board; the first touches one hex, the last three."""

PRINTED = {  # color: settlements, the marked one first, and their roads
    "red": [("N", -2, 1, -1, 0, "SW"), ("N", 0, -1, 1, -2, "SW")],
    "blue": [("N", -2, 2, -1, 1, "SW"), ("N", 0, 2, 0, 1, "E")],
    "orange": [("N", -1, 2, 0, 1, "SW"), ("S", 2, -2, 2, -2, "SW")],
    "white": [("N", 1, 1, 1, 0, "E"), ("N", -1, 0, -1, -1, "SE")],
}
START_CARDS = {
    "red": {"grain": 1, "lumber": 2},
    "blue": {"lumber": 1, "ore": 1, "brick": 1},
    "orange": {"ore": 1, "grain": 2},
    "white": {"lumber": 1, "ore": 1, "wool": 1},
}


def initial_placement(num_players=4, first=0, **rules):
    return new_game("base", num_players, board="beginner", **rules).draw("start_player", first)


def place_settlement(game, corner, q, r):
    """Places a settlement here, with the first road that is possible."""
    game.do("build_settlement", game.corner(corner, q, r))
    return game.do("build_road", game.legal("build_road")[0])


@pytest.mark.rule("base.initial_placement.8")
def test_any_seat_may_begin():
    assert new_game("base", 3, board="beginner").chances() == pytest.approx({0: 1 / 3, 1: 1 / 3, 2: 1 / 3})


@pytest.mark.rule("base.initial_placement.8")
def test_seat_0_begins_if_the_rules_say_so():
    assert new_game("base", 3, board="beginner", start_player="seat_0").chances() == {0: 1.0}


@pytest.mark.rule("base.initial_placement.4", "base.initial_placement.8")
@pytest.mark.parametrize("num_players, first", [(3, 0), (4, 2), (2, 1)])
def test_players_place_in_snake_order_and_the_first_one_begins(num_players, first):
    game = initial_placement(num_players, first)
    seats = []
    for spot in SPOTS[: 2 * num_players]:
        seats.append(game.seat)
        game.do("build_settlement", game.corner(*spot))
        assert game.seat == seats[-1] and game.decision == "place_initial_road"
        game.do("build_road", game.legal("build_road")[0])
    order = [(first + k) % num_players for k in range(num_players)]
    assert seats == order + order[::-1]
    assert (game.seat, game.decision, game.state["on_turn"]) == (first, "pre_roll", first)


@pytest.mark.rule("base.initial_placement.9")
def test_six_players_place_in_snake_order():
    game = new_game("base_5_6", 6, board="fixed").draw("start_player", 4)
    seats = []
    for _ in range(12):
        seats.append(game.seat)
        game.do("build_settlement", game.legal("build_settlement")[0])
        game.do("build_road", game.legal("build_road")[0])
    assert seats == [4, 5, 0, 1, 2, 3, 3, 2, 1, 0, 5, 4]


@pytest.mark.rule("base.initial_placement.4")
@pytest.mark.parametrize("num_players", [5, 6])
def test_five_and_six_players_place_third_settlements_too(num_players):
    game = new_game("base_5_6", num_players, board="fixed", initial_settlements=3).draw("start_player", 1)
    seats = []
    for k in range(3 * num_players):
        seats.append(game.seat)
        sites = game.legal("build_settlement")
        game.do("build_settlement", sites[0 if k < 2 * num_players else -1])
        game.do("build_road", game.legal("build_road")[0])
    order = [(1 + k) % num_players for k in range(num_players)]
    assert seats == order + order[::-1] + order and (game.seat, game.decision) == (1, "pre_roll")
    assert all(game.hand(seat) for seat in order)


@pytest.mark.rule("base.initial_placement.5")
def test_every_intersection_is_open_to_the_first_settlement():
    assert len(initial_placement().legal("build_settlement")) == 54


@pytest.mark.rule("base.initial_placement.5")
def test_initial_placement_keeps_the_distance_rule():
    game = place_settlement(initial_placement(), "N", 0, 0)
    forbidden = [game.corner(*c) for c in (("N", 0, 0), ("NE", 0, 0), ("NW", 0, 0), ("NE", -1, 0), ("NE", 0, -1))]
    closed = set(range(54)) - set(game.legal("build_settlement"))
    assert closed == {game.corner("N", 0, 0), *(int(i) for i in neighbors(game, "N", 0, 0))}
    assert game.corner("NE", 0, 0) in closed and game.corner("NW", 0, 0) in closed
    assert all(game.refuses("build_settlement", place) for place in forbidden[:3])


def neighbors(game, corner, q, r):
    row = game.engine.topology.intersection_neighbors[game.corner(corner, q, r)]
    return [i for i in row if i >= 0]


@pytest.mark.rule("base.initial_placement.6")
def test_the_road_adjoins_the_settlement_just_placed():
    game = initial_placement(3)
    for spot in SPOTS[:3]:
        game.do("build_settlement", game.corner(*spot))
        assert set(game.legal("build_road")) == game.paths_at(*spot)
        game.do("build_road", game.legal("build_road")[0])
    game.do("build_settlement", game.corner("N", 0, 0))  # the same seat again: its first settlement has free paths too
    assert set(game.legal("build_road")) == game.paths_at("N", 0, 0)


@pytest.mark.rule("base.initial_placement.6")
def test_roads_of_others_close_no_path_of_a_settlement_just_placed():
    game = initial_placement(2)
    game.do("build_settlement", game.corner("N", 0, 0)).do("build_road", game.path(0, 0, "NE"))
    game.do("build_settlement", game.corner("SE", 0, 0))  # one path on from the end of that road
    assert set(game.legal("build_road")) == game.paths_at("SE", 0, 0)


@pytest.mark.rule("base.initial_placement.7", "base.initial_placement.9", "base.board_layout.12")
def test_only_the_second_settlement_brings_cards_one_for_each_hex():
    game = initial_placement(2)
    place_settlement(game, "N", 1, 1)
    assert game.hand(0) == {}
    place_settlement(game, "N", 0, -1)
    place_settlement(game, "N", -1, 2)  # mountains 3, fields 4, fields 6
    assert game.hand(1) == {"ore": 1, "grain": 2}
    place_settlement(game, "N", -2, 1)  # fields 9, forest 11, forest 8
    assert game.hand(0) == {"grain": 1, "lumber": 2}


@pytest.mark.rule("base.initial_placement.7")
def test_second_settlement_at_desert_and_sea_brings_fewer_cards():
    game = initial_placement(2)
    place_settlement(game, "N", 1, 1)
    place_settlement(game, "N", -1, 2)
    place_settlement(game, "N", 0, 0)  # hills 6, pasture 4, desert
    assert game.hand(1) == {"brick": 1, "wool": 1}
    place_settlement(game, "N", 0, -2)  # mountains 10 and the sea
    assert game.hand(0) == {"ore": 1}


@pytest.mark.rule("base.initial_placement.7")
def test_first_cards_come_from_the_bank_and_pieces_from_the_stock():
    game = initial_placement(2)
    for spot in (("N", 1, 1), ("N", 0, -1), ("N", -1, 2), ("N", -2, 1)):
        place_settlement(game, *spot)
    assert game.bank() == {"lumber": 17, "brick": 19, "wool": 19, "grain": 16, "ore": 18}
    assert list(game.state["settlements_left"][:2]) == [3, 3] and list(game.state["edge_pieces_left"][:2, 0]) == [
        13,
        13,
    ]


@pytest.mark.rule("base.initial_placement.1", "base.initial_placement.2", "base.initial_placement.3")
@pytest.mark.parametrize("num_players", [4, 3])
def test_beginner_set_up_has_the_printed_pieces_and_cards(num_players):
    game = initial_placement(num_players, first=1, initial_placement="printed")
    colors = list(PRINTED)[4 - num_players :]  # with three players red stays out
    for seat, color in enumerate(colors):
        for corner, q, r, hex_q, hex_r, side in PRINTED[color]:
            assert game.state["building_owner"][game.corner(corner, q, r)] == seat
            assert game.state["edge_owner"][game.path(hex_q, hex_r, side)] == seat
        assert game.hand(seat) == START_CARDS[color]
    assert (game.state["building"] > 0).sum() == (game.state["edge_owner"] >= 0).sum() == 2 * num_players
    assert (game.seat, game.decision) == (1, "pre_roll")


@pytest.mark.rule("base.network.1")
def test_beginner_set_up_leaves_the_other_pieces():
    game = initial_placement(4, initial_placement="printed")
    assert [list(game.state[name].reshape(-1)) for name in ("edge_pieces_left", "settlements_left", "cities_left")] == [
        [13] * 4, [3] * 4, [4] * 4,
    ]  # fmt: skip
    assert [game.points(seat) for seat in range(4)] == [2] * 4


def test_beginner_set_up_needs_a_board_with_printed_pieces():
    for scenario, num_players, board in (("base", 4, None), ("base_5_6", 6, "fixed")):
        with pytest.raises(BoardError):
            new_game(scenario, num_players, board=board, initial_placement="printed")


@pytest.mark.parametrize("pieces", ["settlements_per_player", "roads_per_player"])
def test_the_initial_placement_takes_two_pieces_of_each_kind(pieces):
    with pytest.raises(RuleValueError):
        new_game("base", **{pieces: 1})


@pytest.mark.rule("base.bank_trade.2")
def test_harbor_of_an_initial_settlement_counts():
    game = initial_placement(2)
    place_settlement(game, "N", 0, -2)  # at the 3:1 harbor
    assert list(game.state["trade_rate"][0]) == [3] * 5


@pytest.mark.rule("base.initial_placement.4")
def test_nobody_is_on_turn_in_the_initial_placement():
    game = initial_placement(3)
    assert game.state["on_turn"] == -1
    assert game.kinds() == {"build_settlement"}
