"""The New World: a drawn board, and harbors that players place."""

import numpy as np
import pytest

from catan_env import BatchEngine
from catan_env.testing.positions import new_game

RED = (6, 8)


def drawn(games=8, players=4):
    """Games whose board chance has laid, up to the first harbor."""
    return BatchEngine("seafarers_new_world", games, num_players=players, seed=4)


@pytest.mark.rule("seafarers.new_world.1")
def test_the_board_has_the_hexes_and_numbers_of_the_box():
    engine = drawn()
    for game in engine.state:
        assert np.bincount(game["terrain"], minlength=7).tolist() == [5, 4, 5, 5, 4, 0, 19]
        numbers = np.sort(game["number"][game["number"] > 0]).tolist()
        assert numbers == sorted([2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 8, 8, 9, 9, 9, 10, 10, 10, 11, 11, 12])
        assert (game["number"][game["terrain"] == 6] == 0).all()
    assert len({game["terrain"].tobytes() for game in engine.state}) == 8


@pytest.mark.rule("seafarers.new_world.2")
def test_red_numbers_are_no_neighbors():
    engine = drawn(16)
    for game in engine.state:
        red = np.isin(game["number"], RED)
        around = engine.topology.hex_neighbors[red]
        assert not (red[around] & (around >= 0)).any()


@pytest.mark.rule("seafarers.new_world.3")
def test_the_robber_starts_on_the_twelve_and_the_pirate_off_the_board():
    for game in drawn().state:
        assert game["number"][game["robber"]] == 12 and game["pirate"] == -1


@pytest.mark.rule("seafarers.new_world.4")
def test_islands_are_the_connected_parts_of_the_land():
    engine = drawn(16)
    for game in engine.state:
        island, land = game["island"], game["terrain"] != 6
        assert ((island >= 0) == land).all()
        for hex, neighbors in enumerate(engine.topology.hex_neighbors):
            for other in neighbors:
                if other >= 0 and land[hex] and land[other]:
                    assert island[hex] == island[other]
        for k in range(island.max() + 1):
            assert reached_from(engine.topology.hex_neighbors, island == k) == set(np.flatnonzero(island == k).tolist())


def reached_from(neighbors, among):
    """Hexes reached from the first of some by walking over these alone."""
    reached, edge = set(), [int(np.flatnonzero(among)[0])]
    while edge:
        hex = edge.pop()
        reached.add(hex)
        edge += [int(n) for n in neighbors[hex] if n >= 0 and among[n] and int(n) not in reached]
    return reached


def to_harbors(players=4):
    """A drawn board at its first harbor; seat 1 begins."""
    game = new_game("seafarers_new_world", players)
    rng = np.random.default_rng(1)
    while game.decision != "start_player":
        game.engine.step(np.array([rng.choice(np.flatnonzero(game.engine.chance_mask[0]))]))
    return game.draw("start_player", 1)


@pytest.mark.rule("seafarers.new_world.5")
def test_players_place_the_harbors_in_turn_before_they_found():
    game = to_harbors()
    seats, kinds = [], []
    while game.decision == "next_harbor":
        game.draw("next_harbor", next(iter(game.chances())))
        seats.append(game.seat)
        game.do("place_harbor", game.legal("place_harbor")[0])
        kinds = np.bincount(game.state["harbor"][game.state["harbor"] >= 0], minlength=6).tolist()
    assert seats == [1, 2, 3, 0, 1, 2, 3, 0, 1, 2] and kinds == [1, 1, 1, 1, 1, 5]
    assert (game.seat, game.decision) == (1, "place_initial_settlement")


@pytest.mark.rule("seafarers.new_world.5")
@pytest.mark.parametrize("rules", [{"initial_settlements": 3}, {"harbor_tokens": (10, 10, 10, 10, 10, 10)}])
def test_more_harbors_than_the_decision_stack_has_room_for_are_left_out(rules):
    engine = BatchEngine("seafarers_new_world", 2, num_players=4, rules=rules, seed=4)
    engine.random_rollout(200, restart=False)
    assert not engine.broken_invariants()


@pytest.mark.rule("seafarers.new_world.5")
def test_harbors_lie_on_the_coast_at_least_one_path_apart():
    game = to_harbors(3)
    game.draw("next_harbor", "3:1")
    topology = game.engine.topology
    for path in game.legal("place_harbor"):
        sides = [h for h in topology.path_hexes[path] if h >= 0]
        assert sum(game.state["terrain"][h] != 6 for h in sides) == 1
    first = game.legal("place_harbor")[0]
    game.do("place_harbor", first).draw("next_harbor", "3:1")
    touching = {int(p) for end in topology.path_intersections[first] for p in topology.intersection_paths[end]}
    assert not touching & set(game.legal("place_harbor")) and game.legal("place_harbor")


@pytest.mark.rule("seafarers.new_world.4")
def test_an_island_that_is_no_home_brings_one_point_and_twelve_win():
    rules = drawn(1).rules
    assert rules["island_points"] == 1 and rules["victory_points"] == 12
