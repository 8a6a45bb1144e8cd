"""Frenemies: favor tokens for connecting networks.

Most positions are around the hex in the middle: seat 0 is at its north corner, seat 1 at its south corner.
"""

import sys
from collections import Counter

import numpy as np
import pytest

from catan_agents.search import GreedyAgent
from catan_agents.search.lookahead_features import TERMS, LookaheadFeatures
from catan_agents.search.worlds import take
from catan_agents.streams import GameStreams
from catan_env import BatchEngine
from catan_env.engine.compiler.jit import DISABLE_JIT
from catan_env.testing.positions import new_game
from tests.games.frenemies.favor_positions import favors, frenemies, numbers_held, receives
from tests.strategies import Chooser

ROADS = {"lumber": 5, "brick": 5}


def two_networks(players=4, **rules):
    """Seat 0's road ends one path short of seat 1's."""
    place = frenemies(players, **rules).settlement(0, "N", 0, 0).road(0, (0, 0, "NE"))
    return place.settlement(1, "S", 0, 0).road(1, (0, 0, "SE")).hand(0, **ROADS).hand(1, **ROADS).on_turn(0)


def free_roads():
    """The same with a road building card, and a network of seat 2 in reach."""
    return two_networks().road(0, (0, 0, "NW")).road(2, (-1, 0, "NE")).cards(0, road_building=1)


def build(game, q, r, side):
    return game.do("build_road", game.path(q, r, side))


def builds_for_nothing(game, q, r, side):
    build(game, q, r, side)
    return game.decision not in ("draw_favor", "choose_drawer")


@pytest.mark.rule("frenemies.favor_networks.1")
def test_a_connection_earns_three_tokens_for_the_builder_and_one_for_the_other_who_draws_first():
    game = build(two_networks().game(), 0, 0, "E")
    receives(game, (1, "scholars"), (0, "traders"), (0, "merchants"), (0, "scholars"))
    assert numbers_held(game) == [3, 1, 0, 0]
    assert (game.seat, game.decision) == (0, "play")


@pytest.mark.rule("frenemies.favor_networks.2")
def test_two_networks_are_connected_for_the_first_time_once():
    place = two_networks().road(0, (0, 0, "NW")).road(1, (0, 0, "SW"))
    game = build(place.game(), 0, 0, "E")
    receives(game, (1, "scholars"), *[(0, "traders")] * 3)
    assert builds_for_nothing(game, 0, 0, "W")


@pytest.mark.rule("frenemies.favor_networks.1")
def test_who_connects_them_does_not_matter():
    game = two_networks().road(0, (0, 0, "NW")).road(1, (0, 0, "SW")).on_turn(1).game()
    receives(build(game, 0, 0, "E"), (0, "scholars"), *[(1, "traders")] * 3)
    game.do("end_turn")
    while game.seat != 0:
        game.roll(4).do("end_turn")
    assert builds_for_nothing(game.roll(4), 0, 0, "W")


@pytest.mark.skipif(not DISABLE_JIT, reason="counts calls in plain Python: run with NUMBA_DISABLE_JIT=1")
def test_search_follows_few_of_the_tokens_that_free_roads_bring():
    """Two free roads, each of which may connect two networks: four tokens of five guilds, twice."""
    engine, calls = free_roads().game().engine, Counter()
    sys.setprofile(lambda frame, event, _: calls.update([frame.f_code.co_name] if event == "call" else []))
    try:
        action_values = GreedyAgent(worlds=2, seed=1, trade=False).evaluate_actions(engine, np.array([0]))[1][0]
    finally:
        sys.setprofile(None)
    assert np.isfinite(action_values[engine.actions.id("play_road_building")])
    assert 100 < calls[take.__name__] < 1_000, "all of them are thousands, and more where more roads may be built"


def test_search_follows_one_of_the_tokens_that_another_player_draws_unseen():
    """What it is hardly matters to the seat: the stock that it draws from itself has one less."""
    engine, action_values = two_networks().game().engine, []
    for owners in (1, 0):
        agent = GreedyAgent(worlds=2, seed=1, trade=False)
        space = agent._workspace(engine).space
        space.owners[:] *= owners
        action_values.append(agent.evaluate_actions(engine, np.array([0]))[1][0])
    np.testing.assert_allclose(*action_values, atol=2e-2)


def test_networks_are_shown_what_search_finds_tokens_and_free_roads_to_be_worth():
    engine, first = free_roads().game().engine, np.array([0])
    action_values = GreedyAgent(worlds=2, seed=5, trade=False).evaluate_actions(engine, first)[1][0]
    lookahead = LookaheadFeatures(engine, 2)
    now, found = lookahead.encode(first, GameStreams(5).words(first))
    shown = (now[0, TERMS:] + found[:, TERMS:]) @ lookahead.weights
    looked_at = np.isfinite(action_values[engine.action_mask[0]])
    np.testing.assert_allclose(shown[looked_at], action_values[engine.action_mask[0]][looked_at], atol=1e-4)


@pytest.mark.rule("frenemies.favor_networks.1")
def test_a_road_between_own_roads_or_into_the_open_earns_nothing():
    game = two_networks().road(0, (0, 0, "NW W"), (1, 0, "NW")).game()
    assert builds_for_nothing(game, 0, -1, "E")
    assert builds_for_nothing(game, 1, 0, "NE")


@pytest.mark.rule("frenemies.favor_networks.3")
def test_a_second_network_of_the_same_player_earns_tokens_again():
    place = two_networks().settlement(1, "N", 0, -1).road(1, (0, -1, "NE"))
    game = build(place.game(), 0, 0, "E")
    receives(game, (1, "scholars"), *[(0, "traders")] * 3)
    receives(build(game, 0, -1, "E"), (1, "scholars"), *[(0, "traders")] * 3)


@pytest.mark.rule("frenemies.favor_networks.3")
def test_so_does_a_second_network_of_the_builder():
    """Seat 0's southern network meets seat 1's already, its northern one does not."""
    place = two_networks().settlement(0, "S", 0, 1).road(0, (0, 1, "SW")).road(1, (0, 1, "W"))
    receives(build(place.game(), 0, 0, "E"), (1, "scholars"), *[(0, "traders")] * 3)


def own_networks_joined():
    """As before, and seat 0's networks are one road short of being one, around the hex to the east."""
    place = two_networks().settlement(0, "S", 0, 1).road(0, (0, 1, "SW")).road(1, (0, 1, "W"))
    return place.road(0, (0, 1, "SE E"), (1, 0, "SE E NE"))


@pytest.mark.rule("frenemies.favor_networks.4")
def test_own_networks_that_merge_inherit_what_each_has_met():
    game = own_networks_joined().game()
    assert builds_for_nothing(game, 1, 0, "NW")
    assert builds_for_nothing(game, 0, 0, "E")


@pytest.mark.rule("frenemies.favor_networks.4")
def test_without_the_merger_that_road_earns_tokens():
    receives(build(own_networks_joined().game(), 0, 0, "E"), (1, "scholars"), *[(0, "traders")] * 3)


@pytest.mark.rule("frenemies.favor_networks.4")
def test_a_road_that_merges_and_connects_at_once_inherits_too():
    place = two_networks().settlement(0, "S", 0, 1).road(0, (0, 1, "SW")).road(1, (0, 1, "W"))
    game = place.road(0, (0, 1, "SE E"), (1, 0, "SW")).game()
    assert builds_for_nothing(game, 0, 0, "E")


@pytest.mark.rule("frenemies.favor_networks.4")
def test_networks_that_merge_have_met_whom_one_of_them_has_met():
    """Seat 1 joins its two networks, of which seat 0 has met the northern one; then seat 0 reaches the southern."""
    place = frenemies().settlement(0, "N", 0, 0).road(0, (0, 0, "NE"), (0, -1, "E"))
    place.settlement(1, "N", 0, -1).road(1, (0, -1, "NE")).settlement(1, "SE", 0, 0).road(1, (1, 0, "SW SE E NE"))
    place.road(1, (1, -1, "NW NE")).hand(0, **ROADS).hand(1, **ROADS).on_turn(1)
    game = place.game()
    assert builds_for_nothing(game, 1, -1, "E")
    game.do("end_turn")
    while game.seat != 0:
        game.roll(4).do("end_turn")
    assert builds_for_nothing(game.roll(4), 0, 0, "E")


# -- two others at once --------------------------------------------------------------------------------------


def three_networks(**tokens):
    """Seat 0 has just connected its network with those of seats 1 and 2."""
    place = two_networks().settlement(2, "S", 1, 0).road(2, (1, 0, "SW"))
    return build((favors(place, **tokens) if tokens else place).game(), 0, 0, "E")


@pytest.mark.rule("frenemies.favor_networks.5")
@pytest.mark.parametrize("first, second", [(1, 2), (2, 1)])
def test_two_others_at_once_draw_in_the_order_the_builder_chooses(first, second):
    game = three_networks()
    assert (game.seat, game.decision) == (0, "choose_drawer")
    assert game.legal("let_draw") == [game.opponent(1), game.opponent(2)]
    game.do("let_draw", game.opponent(first))
    receives(game, (first, "scholars"), (second, "traders"), *[(0, "scholars")] * 3)
    assert numbers_held(game) == [3, 1, 1, 0]


@pytest.mark.rule("frenemies.favor_tokens.4")
def test_the_stock_may_end_before_the_last_has_drawn():
    game = three_networks(seats={}, stock={"scholars": 1})
    game.do("let_draw", game.opponent(2))
    receives(game, (2, "scholars"))
    assert numbers_held(game) == [0, 0, 1, 0] and game.decision == "play"
    game = three_networks(seats={}, stock={"scholars": 3})
    receives(game.do("let_draw", game.opponent(2)), (2, "scholars"), (1, "scholars"), (0, "scholars"))
    assert game.decision == "play"


@pytest.mark.rule("frenemies.favor_tokens.4")
def test_from_an_empty_stock_nobody_draws_but_the_networks_have_met():
    game = three_networks(seats={1: {"traders": 1}}, stock={})
    assert game.decision == "play" and numbers_held(game) == [0, 1, 0, 0]


@pytest.mark.rule("frenemies.favor_networks.2")
def test_a_network_met_already_does_not_count_again_beside_a_new_one():
    place = two_networks().road(0, (0, 0, "NW W")).road(1, (0, 0, "SW"))
    place.settlement(2, "S", 1, 0).road(2, (1, 0, "SW"))
    receives(build(place.game(), 0, 0, "E"), (2, "scholars"), *[(0, "traders")] * 3)


@pytest.mark.rule("frenemies.favor_networks.6")
def test_two_roads_of_one_player_at_the_road_s_end_count_once():
    place = two_networks().road(1, (1, 0, "SW"))
    receives(build(place.game(), 0, 0, "E"), (1, "scholars"), *[(0, "traders")] * 3)


@pytest.mark.rule("frenemies.favor_networks.7")
def test_a_building_where_networks_meet_connects_them_and_parts_neither():
    """Seat 1's settlement stands where seat 0's road arrives, and later another road of seat 0 from behind."""
    place = frenemies().settlement(0, "N", 0, 0).road(0, (0, 0, "NE")).settlement(1, "SE", 0, 0)
    place.road(1, (0, 0, "SE")).settlement(0, "S", 1, 0).hand(0, **ROADS).on_turn(0)
    game = place.game()
    receives(build(game, 0, 0, "E"), (1, "scholars"), *[(0, "traders")] * 3)
    assert builds_for_nothing(game, 1, 0, "SW")


# -- whatever the road costs, whenever it is built -----------------------------------------------------------


@pytest.mark.rule("frenemies.favor_networks.9")
def test_free_roads_connect_as_well_and_tokens_are_drawn_before_the_next_road():
    game = two_networks().cards(0, road_building=1).game().do("play_road_building")
    build(game, 0, 0, "E")
    assert game.decision == "draw_favor"
    receives(game, (1, "scholars"), *[(0, "traders")] * 3)
    assert (game.seat, game.decision) == (0, "free_road")
    assert builds_for_nothing(game, 0, 0, "NW") and game.decision == "play"


@pytest.mark.rule("frenemies.favor_networks.9")
def test_the_last_free_road_connects_as_well():
    game = two_networks().cards(0, road_building=1).game().do("play_road_building")
    assert builds_for_nothing(game, 0, 0, "NW")
    receives(build(game, 0, 0, "E"), (1, "scholars"), *[(0, "traders")] * 3)
    assert game.decision == "play"


@pytest.mark.rule("frenemies.favor_networks.9")
def test_the_favor_of_the_road_builders_connects_as_well():
    game = favors(two_networks(), {0: {"road_builders": 1}}).game().do("redeem_favor", "road_builders")
    receives(build(game, 0, 0, "E"), (1, "scholars"), *[(0, "traders")] * 3)
    assert game.decision == "play"


@pytest.mark.rule("frenemies.favor_networks.9")
def test_a_settlement_connects_nothing():
    game = two_networks().road(0, (0, 0, "NW"), (-1, 0, "NE")).hand(0, wool=1, grain=1).game()
    game.do("build_settlement", game.corner("N", -1, 0))
    assert game.decision == "play" and numbers_held(game) == [0] * 4


@pytest.mark.rule("frenemies.guild_favors.4")
def test_tokens_are_won_in_the_special_building_phase():
    game = two_networks(players=6).on_turn(5).game().do("end_turn")
    assert (game.seat, game.decision) == (0, "build_specially")
    receives(build(game, 0, 0, "E"), (1, "scholars"), *[(0, "traders")] * 3)
    assert (game.seat, game.decision) == (0, "build_specially")
    assert numbers_held(game) == [3, 1, 0, 0, 0, 0]


@pytest.mark.rule("frenemies.favor_networks.8")
def test_networks_that_meet_in_the_initial_placement_are_no_news_later():
    game = new_game("frenemies", 3, "beginner", start_player="seat_0").draw("start_player", 0)
    places = [
        ("N", 0, 0, (0, 0, "NE")),  # seat 0
        ("SE", 0, 0, (0, 0, "E")),  # seat 1 meets it
        ("N", -1, 2, (-1, 2, "NE")),
        ("S", -2, 2, (-2, 2, "SE")),
        ("S", 1, 1, (1, 1, "SE")),
        ("S", -1, 0, (-1, 0, "SW")),
    ]
    for corner, q, r, road in places:
        game.do("build_settlement", game.corner(corner, q, r)).do("build_road", game.path(*road))
    assert game.decision == "pre_roll" and numbers_held(game) == [0] * 3
    game.state["hands"][0, :2] += 1
    game.state["bank"][:2] -= 1
    game.roll(2)
    assert builds_for_nothing(game, 1, 0, "NW")


# -- against a plain bookkeeper ------------------------------------------------------------------------------


class Bookkeeper:
    """Networks as sets of roads, and a list of the pairs that have met, kept from the first road of a game on."""

    def __init__(self, topology):
        self.ends = topology.path_intersections
        self.networks = []  # (owner, paths)
        self.met = set()  # frozensets of two ids of networks

    def road(self, owner, path):
        """Notes a road; returns the other owners whose networks its network meets for the first time."""
        touched = [n for n in self.networks if any(set(self.ends[p]) & set(self.ends[path]) for p in n[1])]
        merged = [n for n in touched if n[0] == owner]
        new = (owner, {path}.union(*(paths for _, paths in merged)))
        self.networks = [n for n in self.networks if n not in merged] + [new]
        known = [n for n in self.networks if any(frozenset((id(m), id(n))) in self.met for m in merged)]
        others = [n for n in touched if n[0] != owner]
        self.met |= {frozenset((id(new), id(n))) for n in known + others}
        self.kept = getattr(self, "kept", []) + [new]  # keeps ids unique
        return {n[0] for n in others if not any(n is k for k in known)}


@pytest.mark.rule("frenemies.favor_networks.3")
@pytest.mark.parametrize("players, games, steps", [(4, 12, 500), pytest.param(6, 40, 1000, marks=pytest.mark.slow)])
def test_tokens_for_connections_agree_with_a_bookkeeper(players, games, steps):
    """Random games in which roads are free, the stock never ends and nothing else earns tokens."""
    rules = {"road_cost": (0,) * 5, "favor_tokens": (100,) * 5, "victory_points": 50}
    scenario = "frenemies" if players <= 4 else "frenemies_5_6"
    engine = BatchEngine(scenario, games, players, seed=players, chance="explicit", rules=rules)
    books = [Bookkeeper(engine.topology) for _ in range(games)]
    choose, kinds = Chooser(1), Counter()
    for _ in range(steps):
        roads, turns = engine.state["edge_owner"].copy(), engine.state["turn"].copy()
        engine.step(choose(engine))
        for game, path in np.argwhere(roads != engine.state["edge_owner"]).tolist():
            state = engine.state[game]
            owner = int(state["edge_owner"][path])
            met = books[game].road(owner, path)
            if turns[game] == 0:
                continue
            kinds[len(met)] += 1
            expected = [owner] * 3 * bool(met) + [*met] * (len(met) == 1)
            names = [*engine.program.composition.decisions, *engine.program.composition.draws]
            decision_stack = [
                (names[code], about) for code, about in zip(state["decision_stack"], state["decision_arguments"])
            ]
            decision_stack = decision_stack[: state["depth"]]
            assert [about for name, about in decision_stack if name == "draw_favor"] == expected
            chosen = [about for name, about in decision_stack if name == "choose_drawer"]
            assert chosen == ([sum(1 << seat for seat in met)] if len(met) > 1 else [])
        ended = engine.terminated | engine.truncated
        if ended.any():
            engine.reset(games=ended)
            for game in np.flatnonzero(ended):
                books[game] = Bookkeeper(engine.topology)
    assert not engine.broken_invariants()
    assert kinds[0] > 50 and kinds[1] > 10 and kinds[2] > 0, kinds
