"""Move-by-move replay of a game recorded elsewhere, with a board by coordinates and forced chance outcomes."""

import numpy as np
import pytest

from catan_env import BatchEngine
from catan_env.board.terrain import RESOURCES
from catan_env.errors import IllegalActionError

HEXES = [
    (0, -2, "mountains", 10), (1, -2, "pasture", 2), (2, -2, "forest", 9),
    (-1, -1, "fields", 12), (0, -1, "hills", 6), (1, -1, "pasture", 4), (2, -1, "hills", 10),
    (-2, 0, "fields", 9), (-1, 0, "forest", 11), (0, 0, "desert", None), (1, 0, "forest", 3), (2, 0, "mountains", 8),
    (-2, 1, "forest", 8), (-1, 1, "mountains", 3), (0, 1, "fields", 4), (1, 1, "pasture", 5),
    (-2, 2, "hills", 5), (-1, 2, "fields", 6), (0, 2, "pasture", 11),
]  # fmt: skip
HARBORS = [(0, -2, "NW", "3:1"), (1, -2, "NE", "grain"), (2, 0, "E", "3:1"), (-2, 1, "W", "brick")]
BOARD = {"hexes": HEXES, "harbors": HARBORS, "robber": (0, 0)}


class Recording:
    """Plays the moves of a recorded game: actions by kind and coordinates, outcomes by name."""

    def __init__(self):
        self.engine = BatchEngine("base", 1, 3, chance="explicit", board=BOARD)
        self.places = self.engine.topology

    def do(self, kind, *where):
        match kind, where:
            case "build_road", (q, r, side):
                argument = self.places.path_at(q, r, side)
            case (("build_settlement" | "build_city"), (corner, q, r)):
                argument = self.places.intersection_at(corner, q, r)
            case "move_robber", (q, r):
                argument = self.places.hex_at(q, r)
            case _, (name,):
                argument = name
            case _:
                argument = 0
        self.engine.step(np.array([self.engine.actions.id(kind, argument)]))

    def chance(self, draw, outcome):
        self.engine.step(np.array([self.engine.outcomes.id(draw, outcome)]))

    def hand(self, seat):
        cards = self.engine.state["hands"][0, seat]
        return {name: int(n) for name, n in zip(RESOURCES, cards, strict=True) if n}


@pytest.mark.core
def test_a_recorded_game_is_followed_move_by_move():
    game = Recording()
    game.chance("start_player", 1)
    for corner, (q, r, side) in (  # seats 1, 2, 0, 0, 2, 1
        (("N", -2, 1), (-1, 0, "SW")), (("N", -2, 2), (-1, 1, "SW")), (("N", 0, -1), (1, -2, "SW")),
        (("N", 1, 1), (1, 0, "E")), (("N", -1, 2), (0, 1, "SW")), (("N", 0, 2), (0, 1, "E")),
    ):  # fmt: skip
        game.do("build_settlement", *corner)
        game.do("build_road", q, r, side)
    assert game.hand(0) == {"lumber": 1, "ore": 1, "wool": 1}
    assert game.hand(2) == {"ore": 1, "grain": 2}
    assert game.hand(1) == {"grain": 1, "wool": 2}
    assert game.engine.seat_to_act[0] == 1 and game.engine.broken_invariants() == []

    game.do("roll")
    game.chance("dice", "8")  # forest 8: seats 1 and 2; mountains 8: seat 0
    assert game.hand(0) == {"lumber": 1, "wool": 1, "ore": 2}
    assert game.hand(1) == {"lumber": 1, "wool": 2, "grain": 1}
    assert game.hand(2) == {"lumber": 1, "grain": 2, "ore": 1}
    game.do("end_turn")

    game.do("roll")  # seat 2
    game.chance("dice", "7")
    game.do("move_robber", 2, 0)  # only seat 0 is there
    game.chance("theft", "wool")
    assert game.hand(0) == {"lumber": 1, "ore": 2}
    assert game.hand(2) == {"lumber": 1, "wool": 1, "grain": 2, "ore": 1}
    game.do("buy_development_card")
    game.chance("draw_card", "knight")
    assert game.engine.state["development_cards"][0, 2].tolist() == [1, 0, 0, 0, 0]
    with pytest.raises(IllegalActionError, match="play a knight"):
        game.do("play_knight")
    game.do("end_turn")

    game.do("roll")  # seat 0; the robber is on mountains 8
    game.chance("dice", "8")
    assert game.hand(0) == {"lumber": 1, "ore": 2}
    assert game.hand(1) == {"lumber": 2, "wool": 2, "grain": 1}
    assert game.hand(2) == {"lumber": 2, "grain": 1}
    assert game.engine.victory_points[0].tolist() == [2, 2, 2]
    assert game.engine.broken_invariants() == []


def test_every_draw_of_the_set_up_can_be_forced():
    """Forced draws reproduce the terrain, harbors and robber of the beginner board."""
    engine = BatchEngine("base", 1, 4, chance="explicit")
    known = {(q, r): terrain for q, r, terrain, _ in HEXES}
    for q, r in engine.topology.hex_axial.tolist():
        engine.step(np.array([engine.outcomes.id("terrain_of_hex", known[q, r])]))
    engine.step(np.array([engine.outcomes.id("first_corner", "2")]))
    for piece in "ABCDEF":
        engine.step(np.array([engine.outcomes.id("frame_piece", piece)]))
    engine.step(np.array([engine.outcomes.id("start_player", 2)]))
    assert engine.decision(0) == "place_initial_settlement" and engine.seat_to_act[0] == 2
    beginner = BatchEngine("base", 1, 4, board="beginner", chance="explicit")
    for name in ("terrain", "harbor", "robber"):
        np.testing.assert_array_equal(engine.state[name], beginner.state[name])


def test_places_are_found_by_coordinates_and_named_by_them():
    engine = BatchEngine("base")
    places = engine.topology
    for path in range(places.num_paths):
        a, b = places.path_intersections[path]
        assert b in places.intersection_neighbors[a] and path in places.intersection_paths[b]
    corner = places.intersection_at("N", 0, 0)
    city = engine.actions.id("build_city", corner)
    assert engine.actions.describe(city) == "build a city on intersection N of (0, 0)"
    assert engine.actions.id("build_city", "intersection N of (0, 0)") == city
