"""Variable set-ups: hexes, numbers and harbors shuffled within limits.

The boards of the first four scenarios share one program; those of the others are laid in plain Python only.
"""

from collections import Counter

import numpy as np
import pytest

import catan_env
from catan_env import BatchEngine
from catan_env.board import load_map
from catan_env.board.terrain import DESERT, FOREST, FRAME, GOLD, PASTURE, TERRAINS
from catan_env.errors import UnknownScenarioError
from catan_env.testing.positions import new_game
from tests.strategies import PLAIN_PYTHON, play

RED = (6, 8)
GAMES = 3 if PLAIN_PYTHON else 200
BOARDS = {
    f"seafarers_{name}": {3: f"{name}_3", 4: f"{name}_4"}
    for name in ("new_shores", "four_islands", "fog_islands", "through_the_desert")
}
OTHER_BOARDS = {f"seafarers_{name}": {4: name} for name in ("forgotten_tribe", "cloth", "wonders")}
LAID = [(name, players) for name, boards in BOARDS.items() for players in boards]
ALL = LAID + ([(name, 4) for name in OTHER_BOARDS] if PLAIN_PYTHON else [])
in_plain_python = pytest.mark.skipif(not PLAIN_PYTHON, reason="compiled for the boards of one size only")


def drawn(scenario, players=4, games=GAMES, **options):
    """Games whose board chance has laid."""
    return BatchEngine(f"{scenario}+variable_setup", games, players, seed=7, **options)


def published(scenario, players):
    """The map of a scenario, and its published layout."""
    board = load_map((BOARDS | OTHER_BOARDS)[scenario][players])
    return board, board.layouts["published"]


def neighbors_in(engine, hexes):
    """Whether any two of these hexes, (H,) bool, are neighbors."""
    around = engine.topology.hex_neighbors[hexes]
    return bool((hexes[around] & (around >= 0)).any())


@pytest.mark.rule("seafarers.variable_setup.1", "seafarers.variable_setup.11")
@pytest.mark.parametrize(("name", "players"), ALL)
def test_every_pile_lays_the_hexes_and_numbers_published_and_the_rest_stays(name, players):
    board, layout = published(name, players)
    region = board.topology.marks["region"]
    pile = np.full(board.topology.num_hexes, -1)
    pile[region.places] = region.numbers["pile"]
    engine = drawn(name, players)
    pile[pile >= engine.rules["shuffled_piles"]] = -1
    assert engine.broken_invariants() == []
    for game in engine.state:
        for field, printed in (("terrain", layout.terrain), ("number", layout.number)):
            assert (game[field][pile < 0] == printed[pile < 0]).all()
            for k in range(pile.max() + 1):
                assert Counter(game[field][pile == k].tolist()) == Counter(printed[pile == k].tolist())
        bare = np.isin(game["terrain"], [TERRAINS.index(bare) for bare in ("desert", "sea", "fog", "frame")])
        assert not game["number"][bare].any() and game["number"][~bare & (pile >= 0)].all()
    for field in ("terrain", "number"):
        assert len({game[field].tobytes() for game in engine.state}) == GAMES


@pytest.mark.rule("seafarers.variable_setup.2")
@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("name", ["seafarers_new_shores", "seafarers_through_the_desert"])
def test_red_numbers_are_no_neighbors_on_new_shores_and_in_the_desert(name, players):
    engine = drawn(name, players)
    for game in engine.state:
        assert not neighbors_in(engine, np.isin(game["number"], RED))


@pytest.mark.rule("seafarers.variable_setup.3")
def test_no_red_number_lies_on_gold_in_the_desert():
    for players in (3, 4):
        for game in drawn("seafarers_through_the_desert", players).state:
            assert not np.isin(game["number"][game["terrain"] == GOLD], RED).any()


@pytest.mark.rule("seafarers.variable_setup.4")
def test_forests_and_pastures_of_the_four_islands_bear_no_numbers_of_one_or_two_pips():
    for players in (3, 4):
        for game in drawn("seafarers_four_islands", players).state:
            ships = np.isin(game["terrain"], (FOREST, PASTURE))
            assert not np.isin(game["number"][ships], (2, 3, 11, 12)).any()


@pytest.mark.rule("seafarers.variable_setup.5")
def test_red_numbers_may_be_neighbors_on_the_fog_islands_and_their_fog_stays():
    engine = drawn("seafarers_fog_islands", games=6)
    assert any(neighbors_in(engine, np.isin(game["number"], RED)) for game in engine.state)


@pytest.mark.rule("seafarers.variable_setup.6")
@in_plain_python
def test_three_hexes_of_the_tribes_long_island_bear_no_5_6_8_and_9():
    engine = drawn("seafarers_forgotten_tribe")
    end = [engine.topology.hex_at(*cell) for cell in ((4, 3), (4, 4), (3, 5))]
    for game in engine.state:
        assert not np.isin(game["number"][end], (5, 6, 8, 9)).any()


@pytest.mark.rule("seafarers.variable_setup.7")
@in_plain_python
def test_two_hexes_beside_the_desert_bear_no_red_number_among_the_wonders():
    engine = drawn("seafarers_wonders")
    beside = [engine.topology.hex_at(*cell) for cell in ((3, 4), (4, 3))]
    for game in engine.state:
        assert not np.isin(game["number"][beside], RED).any()


@pytest.mark.rule("seafarers.variable_setup.12")
@in_plain_python
def test_the_small_islands_of_the_wonders_stay():
    _, layout = published("seafarers_wonders", 4)
    engine = drawn("seafarers_wonders")
    islands = [engine.topology.hex_at(*cell) for cell in ((1, 1), (2, 1), (5, 5), (4, 6), (3, 7))]
    for game in engine.state:
        assert (game["terrain"][islands] == layout.terrain[islands]).all()
        assert (game["number"][islands] == layout.number[islands]).all()
    shuffled = drawn("seafarers_wonders", rules={"shuffled_piles": 2}).state
    assert len({game["number"][islands].tobytes() for game in shuffled}) > 1


@pytest.mark.rule("seafarers.variable_setup.8")
def test_the_robber_starts_on_a_desert_or_else_on_the_twelve():
    for scenario, players in LAID:
        for game in drawn(scenario, players, games=2).state:
            if (game["terrain"] == DESERT).any():
                assert game["terrain"][game["robber"]] == DESERT
            else:
                assert game["number"][game["robber"]] == 12


@pytest.mark.rule("seafarers.variable_setup.9", "base.board_layout.13")
@pytest.mark.parametrize(("name", "players"), ALL)
def test_harbors_are_shuffled_over_their_places_but_for_the_four_islands_and_the_fog_islands(name, players):
    _, layout = published(name, players)
    engine = drawn(name, players)
    at = np.isin(engine.topology.coast_paths, [path for path, _ in layout.harbors])
    kinds = sorted(kind for _, kind in layout.harbors)
    for game in engine.state:
        assert sorted(game["harbor"][at].tolist()) == kinds and (game["harbor"][~at] == -1).all()
    laid = {game["harbor"].tobytes() for game in engine.state}
    if name in ("seafarers_four_islands", "seafarers_fog_islands"):
        printed = BatchEngine(name, 1, players, board="published" if players == 4 else None).state["harbor"][0]
        assert laid == {printed.tobytes()}
    else:
        assert len(laid) > 1


@pytest.mark.rule("seafarers.variable_setup.9")
def test_harbors_of_other_variable_set_ups_and_of_custom_boards_are_shuffled_where_one_asks_for_it():
    board = published("seafarers_fog_islands", 3)[1].to_coordinates()
    for options in ({}, {"board": load_map("fog_islands_3")}):
        engine = drawn("seafarers_fog_islands", 3, games=6, rules={"shuffle_harbors": 1}, **options)
        assert len({game["harbor"].tobytes() for game in engine.state}) > 1
        assert all((game["harbor"] >= 0).sum() == len(board["harbors"]) for game in engine.state)


# -- by hand -----------------------------------------------------------------------------------------------


def laid_up_to(draw, **options):
    """A game of Heading for New Shores whose chance has done what comes before this draw, always the first thing."""
    game = new_game("seafarers_new_shores+variable_setup", **options)
    while game.decision != draw:
        game.draw(game.decision, next(iter(game.chances())))
    return game


@pytest.mark.rule("seafarers.variable_setup.1")
def test_hexes_of_the_main_island_and_of_the_small_ones_are_two_piles():
    game = new_game("seafarers_new_shores+variable_setup")
    small = {"forest": 1, "hills": 2, "pasture": 1, "fields": 1, "mountains": 2, "gold": 2}
    assert game.chances() == pytest.approx({name: count / 9 for name, count in small.items()})
    game.draw("shuffled_hex", "gold").draw("shuffled_hex", "gold")
    assert "gold" not in game.chances()
    while game.argument != game.hex(0, 3):
        game.draw("shuffled_hex", next(iter(game.chances())))
    main = {"forest": 4, "hills": 3, "pasture": 4, "fields": 4, "mountains": 3, "desert": 1}
    assert game.chances() == pytest.approx({name: count / 19 for name, count in main.items()})


@pytest.mark.rule("seafarers.variable_setup.2")
def test_a_red_number_keeps_off_its_like_and_leaves_them_room():
    """Four red ones are for the main island; in its middle the third would take the only places left."""
    game = laid_up_to("number_site", num_players=3)
    game.draw("number_site", game.hex(-1, 6)).draw("number_site", game.hex(-1, 4))
    assert set(game.chances()) == {game.hex(1, 3), game.hex(1, 5)}


@pytest.mark.rule("seafarers.variable_setup.10")
def test_a_board_without_room_is_laid_without_the_limits():
    hexes = published("seafarers_new_shores", 4)[1].to_coordinates()
    crowded = {**hexes, "hexes": [[q, r, name, 6 if number else None] for q, r, name, number in hexes["hexes"]]}
    engine = drawn("seafarers_new_shores", games=2, board=crowded)
    for game in engine.state:
        bearing = ~np.isin(game["terrain"], [TERRAINS.index(bare) for bare in ("desert", "sea", "frame")])
        assert (game["number"][bearing] == 6).all() and (game["terrain"] != FRAME).all()


def test_the_draws_are_in_the_log_and_the_seed_says_them():
    engine = drawn("seafarers_new_shores", games=3, record=True)
    again = catan_env.replay(engine.replay_log(2))
    alone = BatchEngine(engine.scenario.name, 1, 4, seed=engine.seeds[2:])
    for field in ("terrain", "number", "harbor", "robber"):
        assert (again.state[field] == engine.state[field][2]).all()
        assert (alone.state[field] == engine.state[field][2]).all()


def test_it_is_played_and_imagined_like_the_published_board():
    engine = drawn("seafarers_new_shores", games=2)
    standing = BatchEngine("seafarers_new_shores")
    assert engine.actions.hash == standing.actions.hash
    assert engine.encoder("flat").layout.columns == standing.encoder("flat").layout.columns
    board = engine.state["terrain"].copy(), engine.state["number"].copy()
    for _ in play(engine, 30, seed=1):
        pass
    assert engine.broken_invariants() == []
    seen = engine.determinise(seats=0)
    assert (seen["terrain"] == board[0]).all() and (seen["number"] == board[1]).all()


@pytest.mark.parametrize("name", ["base", "seafarers_new_world", "seafarers_pirate_islands"])
def test_scenarios_without_a_variable_set_up_refuse_it(name):
    with pytest.raises(UnknownScenarioError, match=f"{name}.*has no 'variable_setup'.*seafarers_four_islands"):
        BatchEngine(f"{name}+variable_setup")
