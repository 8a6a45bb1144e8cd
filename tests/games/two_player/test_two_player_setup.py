"""CATAN for Two: neutral settlements, initial placement, beginner and variable set-up."""

import copy

import numpy as np
import pytest

import catan_env
from catan_env.board import load_map
from catan_env.errors import BoardError, PlayerCountError
from catan_env.testing.positions import new_game

NEUTRAL = {2: ("S", 1, -2), 3: ("N", -1, 2)}
"""Seat of each neutral color and its settlement before the initial placement."""

FREE = [("N", 0, -2), ("N", 2, -2), ("S", -2, 2), ("S", 0, 2)]
"""On the coast, far from one another and from the neutral settlements."""


def initial_placement(board="beginner", first=0, **rules):
    return new_game("two_player", board=board, **rules).draw("start_player", first)


def place_settlement(game, *corner):
    game.do("build_settlement", game.corner(*corner))
    return game.do("build_road", game.legal("build_road")[0])


def draw_board(game):
    """The first outcome of every draw of the variable set-up."""
    while game.decision != "start_player":
        game.draw(game.decision, next(iter(game.chances())))
    return game


def buildings(game):
    return {i: int(seat) for i, seat in enumerate(game.state["building_owner"]) if seat >= 0}


def beginner_with(colors):
    """The beginner board with the printed pieces of these colors."""
    board = copy.deepcopy(load_map("base").layouts["beginner"].to_coordinates())
    board["start"] = [pieces for pieces in board["start"] if pieces["color"] in colors]
    return board


# -- neutral settlements -----------------------------------------------------------------------------------------


@pytest.mark.rule("two_player.neutral_players.1")
@pytest.mark.parametrize("board", ["beginner", None])
def test_each_neutral_color_has_one_settlement_before_the_initial_placement(board):
    game = new_game("two_player", board=board)
    assert buildings(game) == {game.corner(*corner): seat for seat, corner in NEUTRAL.items()}
    assert (game.state["edge_owner"] == -1).all() and (game.state["building"] < 2).all()
    topology = game.engine.topology
    cells = {(q, r) for i in buildings(game) for q, r in topology.hex_axial[topology.intersection_hexes[i]].tolist()}
    assert cells == {(1, -2), (0, -1), (1, -1), (-1, 2), (-1, 1), (0, 1)}


@pytest.mark.rule("two_player.neutral_players.2")
def test_the_initial_placement_keeps_its_distance_from_neutral_settlements():
    game = initial_placement()
    closed = set(range(54)) - set(game.legal("build_settlement"))
    above = [("S", 1, -2), ("N", 0, -1), ("N", 1, -1), ("N", 0, 0)]
    below = [("N", -1, 2), ("S", -1, 1), ("S", 0, 1), ("S", 0, 0)]
    assert closed == {game.corner(*corner) for corner in above + below}


@pytest.mark.rule("two_player.neutral_players.2")
def test_the_initial_placement_is_a_snake_of_two_and_brings_no_neutral_pieces():
    game = initial_placement(first=1)
    seats = []
    for corner in FREE:
        seats.append(game.seat)
        place_settlement(game, *corner)
    assert seats == [1, 0, 0, 1] and (game.seat, game.decision) == (1, "pre_roll")
    owners = list(buildings(game).values())
    assert [owners.count(seat) for seat in range(4)] == [2, 2, 1, 1]
    assert [int((game.state["edge_owner"] == seat).sum()) for seat in range(4)] == [2, 2, 0, 0]


@pytest.mark.rule("two_player.neutral_players.3")
def test_neutral_colors_get_no_cards_for_their_settlements():
    assert not initial_placement().state["hands"].any()


@pytest.mark.rule("two_player.neutral_players.1")
def test_it_is_for_two():
    with pytest.raises(PlayerCountError, match="allows 2"):
        catan_env.BatchEngine("two_player", num_players=3)


@pytest.mark.rule("two_player.trade_tokens.1", "two_player.setup.2")
def test_the_numbers_of_the_box():
    rules = new_game("two_player").engine.rules
    expected = {
        "victory_points": 10, "hand_limit": 7, "friendly_robber": 0, "rolls_per_turn": 2, "trade_tokens": 20,
        "tokens_at_start": 5, "tokens_at_desert": 2, "tokens_at_coast": 1, "tokens_for_knight": 2, "token_price": 1,
        "token_price_ahead": 2, "token_actions_per_turn": 1, "cards_of_forced_trade": 2,
    }  # fmt: skip
    assert {name: rules[name] for name in expected} == expected


# -- tokens in the initial placement
# --------------------------------------------------------------------------------------


@pytest.mark.rule("two_player.trade_tokens.1")
def test_five_tokens_each_at_the_start():
    game = new_game("two_player")
    assert game.state["tokens"].tolist() == [5, 5, 0, 0] and game.state["token_bank"] == 10


@pytest.mark.rule("two_player.trade_tokens.11")
def test_initial_settlements_at_desert_and_coast_bring_tokens():
    game = initial_placement()
    place_settlement(game, "N", 0, -2)  # seat 0: coast
    place_settlement(game, "NE", 0, 0)  # seat 1: desert
    assert game.state["tokens"].tolist() == [6, 7, 0, 0]
    place_settlement(game, "N", 1, 1)  # seat 1: neither
    assert game.state["tokens"].tolist() == [6, 7, 0, 0] and game.state["token_bank"] == 7


@pytest.mark.rule("two_player.trade_tokens.11")
def test_an_initial_settlement_at_desert_and_coast_brings_three_tokens():
    board = beginner_with(())
    for cell in board["hexes"]:
        if cell[:2] in ([0, -2], [0, 0]):
            cell[2:] = ("desert", None) if cell[:2] == [0, -2] else ("mountains", 10)
    board["robber"] = [0, -2]
    game = place_settlement(initial_placement(board), "N", 0, -2)
    assert game.state["tokens"][0] == 8


@pytest.mark.rule("two_player.trade_tokens.12")
def test_initial_settlements_take_what_tokens_are_left():
    game = place_settlement(initial_placement(trade_tokens=11), "NE", 0, 0)
    assert game.state["tokens"].tolist() == [6, 5, 0, 0] and game.state["token_bank"] == 0


# -- the set-ups -------------------------------------------------------------------------------------------------


@pytest.mark.rule("two_player.setup.1")
def test_variable_set_up():
    game = draw_board(new_game("two_player"))
    assert len(buildings(game)) == 2
    game.draw("start_player", 1)
    for corner in FREE:
        place_settlement(game, *corner)
    assert (game.seat, game.decision) == (1, "pre_roll")


@pytest.mark.rule("two_player.setup.1")
def test_beginner_set_up_has_the_printed_pieces_of_blue_and_white():
    """The marked settlement brings the cards; neither stands next to the desert or on the coast."""
    game = initial_placement(initial_placement="printed", first=1)
    expected = {("N", -2, 2): 0, ("N", 0, 2): 0, ("N", 1, 1): 1, ("N", -1, 0): 1} | {c: s for s, c in NEUTRAL.items()}
    assert buildings(game) == {game.corner(*corner): seat for corner, seat in expected.items()}
    roads = {(-1, 1, "SW"): 0, (0, 1, "E"): 0, (1, 0, "E"): 1, (-1, -1, "SE"): 1}
    assert {p: s for p, s in enumerate(game.state["edge_owner"].tolist()) if s >= 0} == {
        game.path(*place): seat for place, seat in roads.items()
    }
    assert game.hand(0) == {"lumber": 1, "brick": 1, "ore": 1} and game.hand(1) == {"lumber": 1, "wool": 1, "ore": 1}
    assert game.state["tokens"].tolist() == [5, 5, 0, 0]
    assert (game.seat, game.decision) == (1, "pre_roll")


@pytest.mark.rule("two_player.setup.1")
@pytest.mark.parametrize("color", ["red", "orange"])
def test_printed_pieces_too_near_to_a_neutral_settlement_are_refused(color):
    with pytest.raises(BoardError, match=f"start settlements of {color} are less than two paths from a neutral"):
        initial_placement(beginner_with(("white", color)), initial_placement="printed")


@pytest.mark.rule("two_player.setup.1")
def test_printed_pieces_need_a_board_that_has_them():
    with pytest.raises(BoardError, match="needs a board with start pieces"):
        initial_placement(None, initial_placement="printed")
    with pytest.raises(BoardError, match="start pieces for 1 players; 2 play"):
        initial_placement(beginner_with(("white",)), initial_placement="printed")


# -- observations ------------------------------------------------------------------------------------------------


def test_observations_show_the_neutral_colors_after_the_seats():
    game = place_settlement(initial_placement(), *FREE[0])
    encoder = game.engine.encoder("flat", "uint8")
    for seat in range(2):
        row = dict(zip(encoder.feature_names, encoder.encode(seat)[0].tolist(), strict=True))
        for k, corner in zip("ab", NEUTRAL.values(), strict=True):
            flags = [row[f"building_owner/neutral_{k}/intersection_{i}"] for i in range(54)]
            assert flags == [int(i == game.corner(*corner)) for i in range(54)]
            assert (row[f"settlements_left/neutral_{k}"], row[f"edge_pieces_left/neutral_{k}/road"]) == (4, 15)
            assert row[f"road_length/neutral_{k}"] == row[f"longest_road/neutral_{k}"] == 0
            assert not any(row[f"edge_owner/neutral_{k}/path_{p}"] for p in range(72))
        assert not any(name.startswith(("hands/neutral", "tokens/neutral", "to_act/neutral")) for name in row)
    planes = game.engine.encoder("planes", "uint8")
    names = [name for kind, name in planes.channel_names if kind == "paths" and name.startswith("edge_owner/")]
    assert names == ["edge_owner/me", "edge_owner/left_1", "edge_owner/neutral_a", "edge_owner/neutral_b"]
    assert np.array_equal(*(planes.encode(seat)[:, planes.channel_names.index(("intersections", place))]
                            for seat, place in ((0, "building_owner/me"), (1, "building_owner/left_1"))))  # fmt: skip
