"""The board: published layouts and the variable set-up."""

import copy
from collections import Counter

import pytest

from catan_env import BatchEngine
from catan_env.board import load_map
from catan_env.board.terrain import HARBOR_KINDS, TERRAINS
from catan_env.testing.positions import new_game

BEGINNER = """
    mountains 10, pasture 2, forest 9
    fields 12, hills 6, pasture 4, hills 10
    fields 9, forest 11, desert, forest 3, mountains 8
    forest 8, mountains 3, fields 4, pasture 5
    hills 5, fields 6, pasture 11"""
TOKENS = {
    "base": [5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11],
    "base_5_6": [2, 5, 4, 6, 3, 9, 8, 11, 11, 10, 6, 3, 8, 4, 8, 10, 11, 12, 10, 5, 4, 9, 5, 9, 12, 3, 2, 6],
}
TERRAIN_COUNTS = {
    "base": {"forest": 4, "pasture": 4, "fields": 4, "hills": 3, "mountains": 3, "desert": 1},
    "base_5_6": {"forest": 6, "pasture": 6, "fields": 6, "hills": 5, "mountains": 5, "desert": 2},
}
HARBOR_COUNTS = {
    "base": {"3:1": 4, "lumber": 1, "brick": 1, "wool": 1, "grain": 1, "ore": 1},
    "base_5_6": {"3:1": 5, "lumber": 1, "brick": 1, "wool": 2, "grain": 1, "ore": 1},
}
MAPS = {"base": load_map("base"), "base_5_6": load_map("large")}


def drawn(scenario, seed, **rules):
    """A new game whose board was drawn with this seed, waiting for what comes after the board."""
    game = new_game(scenario, **rules)
    choice = seed
    while game.decision not in ("start_player", "place_initial_settlement"):
        choice = choice * 75 % 65537
        chances = list(game.chances())
        game.draw(game.decision, chances[choice % len(chances)])
    return game


def terrain(game):
    return [TERRAINS[kind] for kind in game.state["terrain"]]


def harbors(game):
    """(path, kind) of every harbor, in the order of the coast."""
    coast = game.engine.topology.coast_paths
    return [(int(path), int(kind)) for path, kind in zip(coast, game.state["harbor"], strict=True) if kind >= 0]


@pytest.mark.rule("base.board_layout.1")
def test_beginner_board_has_the_printed_hexes_and_numbers():
    game = new_game("base", board="beginner")
    found = [f"{t} {n}" if n else t for t, n in zip(terrain(game), game.state["number"], strict=True)]
    assert found == [entry.strip() for entry in BEGINNER.replace("\n", ",").split(",") if entry.strip()]


@pytest.mark.rule("base.board_layout.2")
def test_beginner_board_has_the_printed_harbors_and_its_robber_in_the_desert():
    game = new_game("base", board="beginner")
    expected = [
        (0, -2, "NW", "3:1"), (1, -2, "NE", "grain"), (2, -1, "NE", "ore"), (2, 0, "E", "3:1"), (1, 1, "SE", "wool"),
        (-1, 2, "SE", "3:1"), (-2, 2, "SW", "3:1"), (-2, 1, "W", "brick"), (-1, -1, "W", "lumber"),
    ]  # fmt: skip
    assert harbors(game) == [(game.path(q, r, side), HARBOR_KINDS.index(kind)) for q, r, side, kind in expected]
    assert game.state["robber"] == game.hex(0, 0)


@pytest.mark.rule("base.board_layout.1")
def test_given_board_needs_no_draw():
    assert new_game("base", board="beginner").decision == "start_player"


@pytest.mark.rule("base.board_layout.3", "base.board_layout.7")
@pytest.mark.parametrize("scenario", TOKENS)
@pytest.mark.parametrize("seed", [11, 12, 13])
def test_drawn_board_has_the_terrain_of_the_box(scenario, seed):
    game = drawn(scenario, seed)
    assert Counter(terrain(game)) == TERRAIN_COUNTS[scenario]


@pytest.mark.rule("base.board_layout.3")
@pytest.mark.parametrize("scenario", TOKENS)
def test_hexes_are_drawn_from_the_pile_without_putting_back(scenario):
    game = new_game(scenario)
    counts = TERRAIN_COUNTS[scenario]
    total = sum(counts.values())
    assert game.chances() == pytest.approx({t: counts[t] / total for t in counts})
    for left in (counts["hills"] - 1, counts["hills"] - 2):
        game.draw("terrain_of_hex", "hills")
        total -= 1
        assert game.chances()["hills"] == pytest.approx(left / total)


@pytest.mark.rule("base.board_layout.3")
@pytest.mark.parametrize("scenario", TOKENS)
def test_a_kind_of_hex_that_is_used_up_is_not_drawn(scenario):
    game = new_game(scenario)
    for _ in range(TERRAIN_COUNTS[scenario]["mountains"]):
        game.draw("terrain_of_hex", "mountains")
    assert "mountains" not in game.chances()


@pytest.mark.rule("base.board_layout.4", "base.board_layout.8")
@pytest.mark.parametrize("scenario", TOKENS)
@pytest.mark.parametrize("corner", range(6))
def test_tokens_are_laid_counter_clockwise_from_the_corner_without_deserts(scenario, corner):
    game = new_game(scenario)
    while game.decision == "terrain_of_hex":  # every desert early, so that the spiral passes over it
        game.draw("terrain_of_hex", "desert" if "desert" in game.chances() else next(iter(game.chances())))
    assert game.chances() == pytest.approx({str(k): 1 / 6 for k in range(1, 7)})
    game.draw("first_corner", corner)
    spiral = MAPS[scenario].topology.spiral(MAPS[scenario].topology.corner_hexes[corner])
    laid = [int(game.state["number"][hex]) for hex in spiral if TERRAINS[game.state["terrain"][hex]] != "desert"]
    assert laid == TOKENS[scenario]
    assert [game.state["number"][hex] for hex in spiral if TERRAINS[game.state["terrain"][hex]] == "desert"] == [
        0
    ] * TERRAIN_COUNTS[scenario]["desert"]


def red_neighbors(engine, game=0):
    """Pairs of neighboring hexes that both have a red number."""
    number = engine.state["number"][game]
    red = {hex for hex in range(len(number)) if number[hex] in (6, 8)}
    return [(hex, other) for hex in red for other in engine.topology.hex_neighbors[hex] if other in red]


def own_board(tokens):
    """The base game on the base map, with other tokens in the order they are laid."""
    table = copy.deepcopy(dict(MAPS["base"].source))
    table["numbers"]["tokens"] = tokens
    return table


@pytest.mark.rule("base.board_layout.15")
@pytest.mark.parametrize("seed", range(4))
def test_red_numbers_are_kept_apart_where_one_asks_for_it(seed):
    tokens = [6, 8, 6, 8, 5, 2, 3, 10, 9, 12, 11, 4, 10, 9, 4, 5, 3, 11]
    laid = BatchEngine("base", 1, seed=seed, board=own_board(tokens))
    assert red_neighbors(laid)
    apart = BatchEngine("base", 1, seed=seed, board=own_board(tokens), rules={"red_apart": 1})
    assert not red_neighbors(apart)
    assert Counter(apart.state["number"][0].tolist()) == Counter(laid.state["number"][0].tolist())
    assert (apart.state["number"][0][apart.state["terrain"][0] == TERRAINS.index("desert")] == 0).all()


@pytest.mark.rule("base.board_layout.15")
@pytest.mark.parametrize(
    ("first_tokens", "laid"),
    [([6, 8, 5, 2], [2, 8, 5, 6]), ([6, 5, 2, 8], [6, 5, 2, 8])],
    ids=["beside another", "alone"],
)
def test_a_red_number_changes_places_with_the_first_whose_hex_has_no_red_neighbor(first_tokens, laid):
    tokens = [*first_tokens, 3, 10, 9, 12, 11, 4, 10, 9, 4, 5, 3, 11, 2, 12]
    game = new_game("base", board=own_board(tokens), red_apart=1)
    while game.decision == "terrain_of_hex":
        game.draw("terrain_of_hex", next(iter(game.chances())))  # the desert comes last, on the last hex
    game.draw("first_corner", 0)
    spiral = MAPS["base"].topology.spiral(MAPS["base"].topology.corner_hexes[0])
    assert [int(game.state["number"][hex]) for hex in spiral[:4]] == laid


@pytest.mark.rule("base.board_layout.15")
def test_red_numbers_without_room_stay_where_they_are():
    tokens = [6, 8] * 9
    apart = BatchEngine("base", 1, seed=1, board=own_board(tokens), rules={"red_apart": 1})
    assert sorted(apart.state["number"][0].tolist()) == [0] + [6] * 9 + [8] * 9


@pytest.mark.rule("base.board_layout.5", "base.board_layout.9")
@pytest.mark.parametrize("scenario", TOKENS)
@pytest.mark.parametrize("order", [(0, 1, 2, 3, 4, 5), (2, 3, 4, 5, 0, 1), (5, 3, 1, 0, 2, 4)])
def test_frame_pieces_in_any_order_make_the_harbors(scenario, order):
    game = new_game(scenario)
    while game.decision != "frame_piece":
        game.draw(game.decision, next(iter(game.chances())))
    for k, piece in enumerate(order):
        assert game.chances() == pytest.approx({"ABCDEF"[p]: 1 / (6 - k) for p in sorted(order[k:])})
        game.draw("frame_piece", piece)
    assert harbors(game) == MAPS[scenario].harbors_of_pieces(order)
    assert Counter(HARBOR_KINDS[kind] for _, kind in harbors(game)) == HARBOR_COUNTS[scenario]


@pytest.mark.rule("base.board_layout.2")
def test_frame_pieces_in_printed_order_make_the_beginner_harbors():
    game = new_game("base")
    while game.decision != "start_player":
        game.draw(game.decision, next(iter(game.chances())))
    assert list(game.state["frame"]) == list(range(6))
    assert harbors(game) == harbors(new_game("base", board="beginner"))


@pytest.mark.rule("base.board_layout.9")
def test_small_frame_pieces_of_the_large_board_stay_in_place():
    small = [(18, "wool"), (30, "3:1")]
    for seed in (1, 2, 3):
        found = [int(kind) for kind in drawn("base_5_6", seed).state["harbor"]]
        assert [(place, HARBOR_KINDS[found[place]]) for place, _ in small] == small


@pytest.mark.rule("base.board_layout.5", "base.board_layout.9", "base.board_layout.10")
@pytest.mark.parametrize("scenario", TOKENS)
def test_harbor_kinds_may_be_shuffled_over_fixed_sites(scenario):
    game = new_game(scenario, harbors="shuffled")
    while game.decision != "harbor_kind":
        game.draw(game.decision, next(iter(game.chances())))
    counts, total = HARBOR_COUNTS[scenario], sum(HARBOR_COUNTS[scenario].values())
    assert game.chances() == pytest.approx({kind: counts[kind] / total for kind in HARBOR_KINDS})
    while game.decision == "harbor_kind":
        game.draw("harbor_kind", list(game.chances())[-1])
    sites = MAPS[scenario].coast_paths[MAPS[scenario].harbor_sites]
    assert sorted(path for path, _ in harbors(game)) == sorted(sites.tolist())
    assert Counter(HARBOR_KINDS[kind] for _, kind in harbors(game)) == counts


@pytest.mark.rule("base.board_layout.6")
def test_robber_starts_in_the_only_desert():
    for seed in (4, 5):
        game = drawn("base", seed)
        assert terrain(game)[game.state["robber"]] == "desert"


@pytest.mark.rule("base.board_layout.12")
def test_robber_starts_on_either_desert_of_the_large_board():
    game = new_game("base_5_6")
    while game.decision != "robber_start":
        game.draw(game.decision, next(iter(game.chances())))
    deserts = [hex for hex, name in enumerate(terrain(game)) if name == "desert"]
    assert game.chances() == dict.fromkeys(deserts, 0.5)
    game.draw("robber_start", deserts[1])
    assert game.state["robber"] == deserts[1]
