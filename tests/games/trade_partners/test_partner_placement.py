"""The set-up with trade partners."""

import numpy as np
import pytest

import catan_env
from catan_env.errors import PlayerCountError
from catan_env.testing.positions import new_game

CORNERS = [("N", 0, -1), ("S", 0, 1), ("N", -1, 0), ("S", 1, 0), ("N", 2, -1), ("S", -2, 1), ("N", -2, 1), ("N", 1, -2)]
TABLES = [("trade_partners", 2, "beginner"), ("trade_partners_3", 3, "fixed")]


def initial_placement(scenario="trade_partners", board="beginner", first=0, **rules):
    """The board is laid, and a seat begins."""
    return new_game(scenario, board=board, **rules).draw("start_player", first)


def place_settlement(game, *corner):
    """The seat to act places a settlement there, with the first road possible."""
    game.do("build_settlement", game.corner(*corner))
    return game.do("build_road", game.legal("build_road")[0])


def place_anywhere(game):
    """The seat to act places the first settlement and road possible."""
    game.do("build_settlement", game.legal("build_settlement")[0])
    return game.do("build_road", game.legal("build_road")[0])


@pytest.mark.rule("trade_partners.partners.1", "trade_partners.partner_placement.1")
@pytest.mark.parametrize("scenario, players, board", TABLES)
def test_players_place_first_and_then_for_their_partners_in_the_same_order(scenario, players, board):
    game = initial_placement(scenario, board, first=1)
    order = [(1 + k) % players for k in range(players)]
    asked = []
    while game.decision != "pre_roll":
        asked.append((game.seat, game.decision))
        place_anywhere(game)
    snake = [*order, *reversed(order)]
    assert asked == [(s, "place_initial_settlement") for s in snake] + [
        (s, "place_initial_partner_settlement") for s in snake
    ]
    assert game.seat == 1 and game.state["on_turn"] == 1


@pytest.mark.rule("trade_partners.partner_placement.1", "trade_partners.partner_placement.3")
@pytest.mark.parametrize("scenario, players, board", TABLES)
def test_partners_get_as_many_settlements_as_their_owners(scenario, players, board):
    game = initial_placement(scenario, board, initial_settlements=3)
    asked = []
    while game.decision != "pre_roll":
        asked.append(game.seat)
        place_anywhere(game)
    order = [*range(players)]
    assert asked == [*order, *reversed(order), *order] * 2
    assert np.bincount(game.state["building_owner"] + 1)[1:].tolist() == [3] * 2 * players
    assert game.state["hands"].sum(axis=1).all()


@pytest.mark.rule("trade_partners.partner_placement.2")
def test_what_is_placed_for_a_partner_is_the_partner_s_and_the_same_for_all():
    game = initial_placement()
    for corner in CORNERS:
        place_settlement(game, *corner)
    owners = [int(game.state["building_owner"][game.corner(*corner)]) for corner in CORNERS]
    assert owners == [0, 1, 1, 0, 2, 3, 3, 2]
    for color in range(4):
        assert (game.state["building_owner"] == color).sum() == (game.state["edge_owner"] == color).sum() == 2
        assert game.state["edge_pieces_left"][color, 0] == 13 and game.state["settlements_left"][color] == 3


@pytest.mark.rule("trade_partners.partner_placement.2")
def test_a_partner_s_settlement_may_be_placed_anywhere_two_paths_from_all_others():
    game = initial_placement()
    for corner in CORNERS[:4]:
        place_settlement(game, *corner)
    near = {game.corner(*corner) for corner in CORNERS[:4]}
    for place in list(near):
        near |= {int(k) for k in game.engine.topology.intersection_neighbors[place] if k >= 0}
    assert set(game.legal("build_settlement")) == set(range(54)) - near


@pytest.mark.rule("trade_partners.partner_placement.2")
def test_a_partner_s_road_adjoins_the_settlement_just_placed():
    game = initial_placement()
    for corner in CORNERS[:5]:
        place_settlement(game, *corner)
    game.do("build_settlement", game.corner(*CORNERS[5]))
    assert game.decision == "place_initial_partner_road" and set(game.legal("build_road")) == game.paths_at(*CORNERS[5])


@pytest.mark.rule("trade_partners.partner_placement.3")
def test_the_second_settlement_of_a_partner_brings_its_first_cards():
    game = initial_placement()
    for corner in CORNERS[:6]:
        place_settlement(game, *corner)
    assert game.hand(2) == game.hand(3) == {}
    bank = game.bank()
    place_settlement(game, *CORNERS[6])  # seat 1, for color 3
    around = game.engine.topology.intersection_hexes[game.corner(*CORNERS[6])]
    terrain = [int(game.state["terrain"][hex]) for hex in around if hex >= 0]
    assert game.state["hands"][3].tolist() == [terrain.count(kind) for kind in range(5)]
    assert sum(game.hand(3).values()) == sum(bank.values()) - sum(game.bank().values()) > 0
    assert game.hand(2) == {}


@pytest.mark.rule("trade_partners.partner_placement.1")
def test_partners_place_after_printed_pieces_too():
    game = initial_placement(initial_placement="printed")
    assert (game.seat, game.decision) == (0, "place_initial_partner_settlement")
    for seat in (0, 1, 1, 0):
        assert game.seat == seat
        place_anywhere(game)
    assert game.decision == "pre_roll"


@pytest.mark.rule("trade_partners.boards.1")
def test_boards_decks_and_banks_of_the_boxes():
    two, three = catan_env.BatchEngine("trade_partners"), catan_env.BatchEngine("trade_partners_3")
    assert (two.topology.num_hexes, three.topology.num_hexes) == (19, 30)
    assert (two.rules["bank_per_resource"], three.rules["bank_per_resource"]) == (19, 24)
    assert (sum(two.rules["development_deck"]), sum(three.rules["development_deck"])) == (25, 34)
    assert two.rules["victory_points"] == three.rules["victory_points"] == 15
    assert {(two.state["harbor"][0] >= 0).sum(), (three.state["harbor"][0] >= 0).sum()} <= {0, 9, 11}


@pytest.mark.rule("trade_partners.boards.1")
@pytest.mark.parametrize("scenario, players", [("trade_partners", 3), ("trade_partners_3", 2)])
def test_each_is_for_so_many(scenario, players):
    with pytest.raises(PlayerCountError):
        catan_env.BatchEngine(scenario, num_players=players)


@pytest.mark.rule("trade_partners.partners.4")
def test_everybody_sees_every_partner_s_hand_and_nobody_another_player_s():
    game = initial_placement()
    for corner in CORNERS:
        place_settlement(game, *corner)
    encoder = game.engine.encoder("flat", "uint8")
    for seat in range(2):
        row = dict(zip(encoder.feature_names, encoder.encode(seat)[0].tolist(), strict=True))
        for who, partner in (("me", 2 + seat), ("left_1", 3 - seat)):
            shown = [row[f"partner_hands/{who}/{kind}"] for kind in ("lumber", "brick", "wool", "grain", "ore")]
            assert shown == game.state["hands"][partner].tolist() and any(shown)
        assert "hands/left_1/ore" not in row and "hands/left_1/total" in row


@pytest.mark.rule("trade_partners.mirrored_building.3")
def test_observations_show_debts_and_rates_of_partners():
    engine = catan_env.BatchEngine("trade_partners", seed=3)
    names = engine.feature_names("flat")
    for seat in ("me", "left_1"):
        for what in ("roads", "cities", "settlements"):
            assert f"partner_{what}_owed/{seat}" in names
        assert f"partner_rates/{seat}/wool" in names
    assert np.isin(
        ["edge_owner/neutral_a/path_0", "building_owner/neutral_b/intersection_0", "waiting/pay_for_card"], names
    ).all()
