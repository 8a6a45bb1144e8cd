"""CATAN for Two: what players build for the neutral colors, and what these may do.

Color 2 has its first settlement at S of (1, -2), color 3 at N of (-1, 2), on the beginner board.
"""

import numpy as np
import pytest

from catan_env.testing.positions import check, new_game, position

ROAD = {"lumber": 1, "brick": 1}
VILLAGE = {**ROAD, "wool": 1, "grain": 1}


def table(**rules):
    """Seat 0 has a settlement at the western end of the island; it is its turn."""
    return position("two_player", rules=rules).settlement(0, "N", -2, 0).on_turn(0)


def built_road(place):
    """Seat 0 has just built a road."""
    game = place.hand(0, **ROAD).game()
    return game.do("build_road", game.path(-2, 0, "NW"))


def ready_to_settle(place):
    """Seat 0 may build a settlement two roads from its first one."""
    return place.road(0, (-2, 0, "NW W")).hand(0, **VILLAGE)


def built_settlement(place):
    game = ready_to_settle(place).game()
    return game.do("build_settlement", game.corner("SW", -2, 0))


def road_count(game):
    return [int((game.state["edge_owner"] == seat).sum()) for seat in range(4)]


def village_count(game):
    return [int((game.state["building_owner"] == seat).sum()) for seat in range(4)]


# -- roads -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("two_player.neutral_players.7")
@pytest.mark.parametrize("color, corner", [(2, ("S", 1, -2)), (3, ("N", -1, 2))])
def test_an_own_road_brings_a_road_of_the_neutral_color_one_chooses(color, corner):
    game = built_road(table())
    assert (game.seat, game.decision) == (0, "choose_road_color")
    assert game.legal("choose_neutral") == [0, 1] and game.kinds() == {"choose_neutral"}
    game.do("choose_neutral", color - 2)
    assert (game.seat, game.decision) == (0, "neutral_road") and game.kinds() == {"build_road"}
    assert set(game.legal("build_road")) == game.paths_at(*corner)
    path = game.legal("build_road")[1]
    game.do("build_road", path)
    assert game.state["edge_owner"][path] == color and game.state["edge_pieces_left"][color, 0] == 14
    assert (game.seat, game.decision) == (0, "play")


@pytest.mark.rule("two_player.neutral_players.7")
def test_the_neutral_road_is_free_and_brings_no_further_one():
    game = built_road(table())
    game.do("choose_neutral", 0).do("build_road", game.legal("build_road")[0])
    assert set(game.bank().values()) == {19} and game.decision == "play"
    assert road_count(game) == [1, 0, 1, 0] and game.decision == "play"


@pytest.mark.rule("two_player.neutral_players.6")
def test_neutral_roads_continue_from_their_own_color_only():
    place = table().road(2, (0, -1, "NE")).road(1, (1, -2, "SE"))
    game = built_road(place).do("choose_neutral", 0)
    starts = game.paths_at("S", 1, -2) | game.paths_at("N", 0, -1)
    assert set(game.legal("build_road")) == starts - {game.path(0, -1, "NE"), game.path(1, -2, "SE")}
    assert game.refuses("build_road", game.path(1, -2, "E"))


@pytest.mark.rule("two_player.neutral_players.6")
def test_a_players_building_stops_neutral_roads():
    place = table().road(2, (0, -1, "NE"), (0, -1, "NW")).settlement(1, "NW", 0, -1)
    game = built_road(place).do("choose_neutral", 0)
    beyond = game.paths_at("NW", 0, -1) - {game.path(0, -1, "NW")}
    assert not beyond & set(game.legal("build_road")) and game.path(0, -2, "E") in game.legal("build_road")


@pytest.mark.rule("two_player.neutral_players.9")
def test_without_a_piece_the_other_color_builds_and_there_is_no_choice():
    place = table(roads_per_player=3).road(2, (0, -1, "NE NW W"))
    game = built_road(place)
    assert game.decision == "neutral_road" and game.argument == 3
    assert set(game.legal("build_road")) == game.paths_at("N", -1, 2)


@pytest.mark.rule("two_player.neutral_players.9")
def test_without_a_place_or_a_piece_nothing_is_built():
    place = table(roads_per_player=3).road(2, (0, -1, "NE NW W")).road(3, (0, 1, "SW SE E"))
    game = built_road(place)
    assert game.decision == "play" and road_count(game) == [1, 0, 3, 3]
    walled_in = table().road(1, (1, -2, "SW SE"), (0, -1, "E"), (-1, 1, "SE E"), (0, 1, "SW"))
    game = built_road(walled_in)
    assert game.decision == "play" and road_count(game) == [1, 6, 0, 0]


# -- settlements -------------------------------------------------------------------------------------------------


@pytest.mark.rule("two_player.neutral_players.8")
def test_an_own_settlement_brings_a_neutral_settlement():
    place = table().road(2, (0, -1, "NE NW")).road(3, (0, 1, "SW SE"))
    game = built_settlement(place)
    assert (game.seat, game.decision) == (0, "choose_settlement_color") and game.kinds() == {"choose_neutral"}
    game.do("choose_neutral", 1)
    assert game.decision == "neutral_settlement" and game.kinds() == {"build_settlement"}
    assert game.legal("build_settlement") == [game.corner("SE", 0, 1)]
    game.do("build_settlement", game.corner("SE", 0, 1))
    assert village_count(game) == [2, 0, 1, 2] and game.state["settlements_left"][3] == 3
    assert game.decision == "play" and road_count(game) == [2, 0, 2, 2]
    assert set(game.bank().values()) == {19}


@pytest.mark.rule("two_player.neutral_players.6")
def test_neutral_settlements_keep_the_distance_rule():
    place = table().road(2, (0, -1, "NE NW")).road(3, (0, 1, "SW SE")).settlement(1, "NE", 0, 2)
    game = built_settlement(place)
    assert game.decision == "neutral_settlement" and game.argument == 2
    assert game.legal("build_settlement") == [game.corner("NW", 0, -1)]


@pytest.mark.rule("two_player.neutral_players.9")
def test_without_a_place_for_a_settlement_a_neutral_road_is_built():
    game = built_settlement(table())
    assert game.decision == "choose_road_color"
    game.do("choose_neutral", 1)
    assert game.decision == "neutral_road"
    game.do("build_road", game.legal("build_road")[0])
    assert village_count(game) == [2, 0, 1, 1] and road_count(game) == [2, 0, 0, 1]


@pytest.mark.rule("two_player.neutral_players.9")
def test_without_a_settlement_piece_a_neutral_road_is_built():
    place = table(settlements_per_player=2).road(2, (0, -1, "NE NW")).settlement(2, "NW", 0, -1)
    place.road(3, (0, 1, "SW SE")).settlement(3, "SE", 0, 1)
    assert built_settlement(place).decision == "choose_road_color"


@pytest.mark.rule("two_player.neutral_players.9")
def test_without_any_place_an_own_settlement_brings_nothing():
    walled_in = table().road(1, (1, -2, "SW SE"), (0, -1, "E"), (-1, 1, "SE E"), (0, 1, "SW"))
    assert built_settlement(walled_in).decision == "play"


# -- what brings nothing -----------------------------------------------------------------------------------------


@pytest.mark.rule("two_player.neutral_players.11")
def test_cities_and_cards_bring_nothing():
    game = table().hand(0, ore=4, grain=3, wool=1).game()
    assert game.do("build_city", game.corner("N", -2, 0)).decision == "play"
    assert game.buy("knight").decision == "play"
    assert road_count(game) == [0, 0, 0, 0] and village_count(game) == [1, 0, 1, 1]


@pytest.mark.rule("two_player.neutral_players.11")
def test_a_winning_piece_ends_the_game_at_once():
    place = table(victory_points=2)
    game = built_settlement(place)
    assert game.winner == 0 and game.decision != "choose_road_color"


# -- Road Building -----------------------------------------------------------------------------------------------


@pytest.mark.rule("two_player.neutral_players.10")
def test_each_road_of_road_building_brings_a_neutral_road():
    game = table().cards(0, road_building=1).game().do("play_road_building")
    for side, color in (("NW", 2), ("W", 3)):
        assert game.decision == "free_road"
        game.do("build_road", game.path(-2, 0, side)).do("choose_neutral", color - 2)
        game.do("build_road", game.legal("build_road")[0])
    assert game.decision == "play" and road_count(game) == [2, 0, 1, 1]


@pytest.mark.rule("two_player.neutral_players.10", "base.development_cards.16")
def test_a_forgone_road_brings_no_neutral_road():
    game = table().cards(0, road_building=1).game().do("play_road_building")
    game.do("build_road", game.path(-2, 0, "NW"))
    assert game.refuses("forgo_free_roads")  # the neutral road that follows from the first one is built
    game.do("choose_neutral", 0).do("build_road", game.legal("build_road")[0])
    assert game.do("forgo_free_roads").decision == "play" and road_count(game) == [1, 0, 1, 0]


@pytest.mark.rule("two_player.neutral_players.10")
def test_a_free_road_lapses_if_the_neutral_road_takes_its_last_place():
    """Seat 0's first free road leads up to color 2's, which closes the only way on."""
    place = position("two_player").settlement(0, "N", 0, -2).road(0, (0, -2, "NW")).road(1, (0, -2, "W"))
    place.road(2, (1, -2, "SW W")).cards(0, road_building=1).on_turn(0)
    game = place.game().do("play_road_building")
    assert set(game.legal("build_road")) == {game.path(0, -2, "NE")}
    game.do("build_road", game.path(0, -2, "NE")).do("choose_neutral", 0)
    game.do("build_road", game.path(1, -2, "NW"))
    assert game.decision == "play"
    assert road_count(game) == [2, 1, 3, 0]


@pytest.mark.rule("two_player.neutral_players.10")
def test_road_building_with_one_piece_left_brings_one_neutral_road():
    place = position("two_player", rules={"roads_per_player": 3}).settlement(0, "N", -2, 0).road(0, (-2, 0, "NW W"))
    game = place.cards(0, road_building=1).on_turn(0).game().do("play_road_building")
    game.do("build_road", game.path(-2, 0, "SW")).do("choose_neutral", 0)
    assert game.do("build_road", game.legal("build_road")[0]).decision == "play"
    assert road_count(game) == [3, 0, 1, 0]


# -- neutral colors receive nothing ------------------------------------------------------------------------------


@pytest.mark.rule("two_player.neutral_players.3")
def test_neutral_colors_never_receive_resources():
    """Color 2 stands at the hills with the 6, seat 1 as well."""
    game = position("two_player").settlement(1, "SW", 0, -1).on_turn(0, "pre_roll").game().roll(6)
    assert game.state["hands"].sum(axis=1).tolist() == [0, 1, 0, 0] and not game.state["income"][2:].any()


@pytest.mark.rule("two_player.neutral_players.3")
def test_neutral_claims_do_not_make_the_bank_short():
    place = position("two_player").settlement(1, "SW", 0, -1).bank(0, brick=1).on_turn(0, "pre_roll")
    game = place.game().roll(6)
    assert game.hand(1) == {"brick": 1}


@pytest.mark.rule("two_player.neutral_players.4")
def test_there_is_nothing_to_steal_from_neutral_colors():
    game = position("two_player").hand(1, wool=3).on_turn(0, "pre_roll").game().roll(7)
    game.do("move_robber", game.hex(0, -1))
    assert (game.seat, game.decision) == (0, "pre_roll") and game.hand(1) == {"wool": 3}


@pytest.mark.rule("two_player.neutral_players.4")
def test_a_neutral_neighbor_does_not_add_to_the_victims():
    game = position("two_player").settlement(1, "SW", 0, -1).hand(1, wool=3).on_turn(0, "pre_roll").game().roll(7)
    assert game.do("move_robber", game.hex(0, -1)).decision == "theft"


@pytest.mark.rule("two_player.neutral_players.4")
def test_the_friendly_robber_does_not_spare_neutral_colors():
    game = position("two_player", rules={"friendly_robber": 2}).on_turn(0, "pre_roll").game().roll(7)
    assert game.can("move_robber", game.hex(0, -1))


@pytest.mark.rule("two_player.neutral_players.11")
def test_neutral_settlements_at_harbors_and_deserts_give_nobody_anything():
    """Color 2's road leads to a 3:1 harbor on the coast, in a desert."""
    place = ready_to_settle(table().road(2, (1, -2, "SW"), (0, -2, "E NE")).field("terrain", [5] * 19))
    game = place.game().do("build_settlement", place.game().corner("SW", -2, 0))
    before = game.state.copy()
    game.do("build_settlement", game.corner("N", 0, -2))
    assert (game.state["tokens"] == before["tokens"]).all()
    assert (game.state["trade_rate"][:2] == before["trade_rate"][:2]).all()


# -- Longest Road ------------------------------------------------------------------------------------------------


def rival_roads():
    """Seat 0 holds Longest Road with five; color 2 has five too and a place for the sixth."""
    place = position("two_player").settlement(0, "N", -2, 0).road(0, (-2, 0, "NW W SW SE"), (-2, 1, "NE"))
    return place.road(2, (1, -2, "SE E NE NW"), (0, -2, "NE")).hand(0, **ROAD).on_turn(0)


@pytest.mark.rule("two_player.neutral_players.5")
def test_a_neutral_color_may_hold_longest_road():
    game = rival_roads().game()
    assert game.state["longest_road"] == 0 and game.points(0) == 3
    game.do("build_road", game.path(-2, 0, "NE")).do("choose_neutral", 0)
    assert game.state["longest_road"] == 0 and game.state["road_length"].tolist() == [6, 0, 5, 0]
    game.do("build_road", game.path(0, -2, "NW"))
    assert game.state["longest_road"] == 0  # the holder keeps it on a tie
    game = rival_roads().game()
    game.do("build_road", game.path(-2, 1, "W")).do("choose_neutral", 0)  # a branch: no longer
    game.do("build_road", game.path(0, -2, "NW"))
    assert game.state["longest_road"] == 2 and game.points(0) == 1 and game.points(1) == 0
    encoder = game.engine.encoder("flat", "uint8")
    for seat in range(2):
        row = dict(zip(encoder.feature_names, encoder.encode(seat)[0].tolist(), strict=True))
        assert [row[f"longest_road/{who}"] for who in ("me", "left_1", "neutral_a", "neutral_b")] == [0, 0, 1, 0]
        assert (row["road_length/neutral_a"], row["road_length/neutral_b"]) == (6, 0)
        assert row[f"edge_owner/neutral_a/path_{game.path(0, -2, 'NW')}"] == 1


@pytest.mark.rule("two_player.neutral_players.5")
def test_a_neutral_settlement_interrupts_a_players_road():
    """Color 2's roads end at the five of seat 1; a settlement there costs it the card."""
    place = table().road(1, (0, -2, "W NW NE"), (1, -2, "NW NE")).road(2, (1, -2, "SW W"))
    game = ready_to_settle(place).game()
    assert game.state["longest_road"] == 1 and game.state["road_length"][1] == 5
    game.do("build_settlement", game.corner("SW", -2, 0))
    assert game.decision == "neutral_settlement" and game.argument == 2
    game.do("build_settlement", game.corner("NE", 0, -2))
    assert game.state["longest_road"] == -1 and game.state["road_length"].tolist() == [2, 3, 2, 0]


# -- random play -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"board": "beginner", "initial_placement": "printed"}])
def test_random_games_keep_every_invariant(options):
    rng = np.random.default_rng(5)
    engine = new_game("two_player", seed=5, **options).engine
    for _ in range(400):
        legal = engine.chance_mask if engine.seat_to_act[0] < 0 else engine.action_mask
        engine.step(rng.choice(np.flatnonzero(legal[0]), 1))
        check(engine)
    assert (engine.state["edge_owner"] >= 2).any()
