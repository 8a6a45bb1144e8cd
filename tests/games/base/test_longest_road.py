"""Longest Road."""

from functools import cache

import numpy as np
import pytest

from catan_env.testing.positions import CITY, ROAD, SETTLEMENT, position

RING = "NE E SE SW W NW"
LINE = (0, 0, "NE E SE SW W")
"""Five roads in a row around the middle hex, from its corner N to NW."""


def board(num_players=3):
    return position("base", num_players).on_turn(0)


def length(place, seat=0):
    return int(place.game().state["road_length"][seat])


def holder(game):
    return int(game.state["longest_road"])


# -- how a road is measured ----------------------------------------------------------------------------------


@pytest.mark.rule("base.longest_road.2")
@pytest.mark.parametrize(
    "roads, expected",
    [
        pytest.param([LINE], 5, id="line"),
        pytest.param([(0, 0, "NE E"), (0, 0, "SW W"), (2, -1, "NE")], 2, id="apart"),
        pytest.param([(0, -1, "E"), (1, -1, "NW"), (0, 0, "NE E"), (0, 0, "NW W")], 4, id="three_arms_of_two"),
        pytest.param([LINE, (0, -1, "E"), (1, 0, "SW")], 6, id="branch"),
        pytest.param([(0, 0, RING)], 6, id="ring"),
        pytest.param([(0, 0, RING), (0, -1, "E"), (1, -1, "NW")], 8, id="ring_with_tail"),
        pytest.param([(0, 0, RING), (0, -1, "E"), (0, 1, "W")], 7, id="ring_with_two_tails"),
        pytest.param([(0, 0, RING), (1, 0, "NW NE E SE SW")], 11, id="two_rings_sharing_a_road"),
        pytest.param([(0, 0, RING), (1, 0, "NW NE"), (2, 0, "NE E SE SW W NW")], 14, id="two_rings_and_a_bridge"),
        pytest.param([(0, 0, RING), (2, -2, "NE E SE")], 6, id="ring_apart_from_a_line"),
        pytest.param([(0, 0, RING), (1, 0, "NW NE"), (2, 0, RING), (0, 1, "W")], 14, id="blind_end"),
    ],
)
def test_no_road_counts_twice_but_intersections_may(roads, expected):
    assert length(board().road(0, *roads)) == expected


@pytest.mark.rule("base.network.8")
def test_own_buildings_do_not_interrupt():
    assert length(board().road(0, LINE).settlement(0, "SE", 0, 0).city(0, "SW", 0, 0)) == 5


@pytest.mark.rule("base.network.9")
@pytest.mark.parametrize("corner, expected", [("N", 5), ("NE", 4), ("SE", 3), ("S", 3), ("NW", 5)])
def test_opponents_buildings_cut_but_roads_up_to_them_count(corner, expected):
    assert length(board().road(0, LINE).settlement(1, corner, 0, 0)) == expected
    assert length(board().settlement(1, corner, 0, 0).road(0, LINE)) == expected
    assert length(board().road(0, LINE).city(1, corner, 0, 0)) == expected


@pytest.mark.rule("base.network.9")
def test_a_road_between_two_opponents_buildings_counts_whole():
    assert length(board().settlement(1, "N", 0, 0).settlement(2, "NW", 0, 0).road(0, LINE)) == 5


@pytest.mark.rule("base.network.9")
def test_a_ring_may_begin_and_end_at_an_opponents_building():
    assert length(board().road(0, (0, 0, RING)).settlement(1, "N", 0, 0)) == 6


@pytest.mark.rule("base.network.9")
def test_a_ring_cut_twice_counts_its_longer_part():
    place = board().road(0, (0, 0, RING)).settlement(1, "N", 0, 0).settlement(2, "SE", 0, 0)
    assert length(place) == 4


@pytest.mark.rule("base.network.9")
def test_an_opponents_building_where_arms_meet_leaves_the_longest_arm():
    arms = [(0, -1, "E"), (1, -1, "NW"), (0, 0, "NE E"), (0, 0, "NW W")]
    assert length(board().road(0, *arms).settlement(1, "N", 0, 0)) == 2


@pytest.mark.rule("base.longest_road.2")
def test_roads_of_others_neither_count_nor_interrupt():
    place = board().road(0, LINE).road(1, (0, 0, "NW"), (1, 0, "SW"))
    assert (length(place, 0), length(place, 1)) == (5, 1)


# -- who holds the card --------------------------------------------------------------------------------------


@pytest.mark.rule("base.longest_road.1")
def test_the_fifth_road_in_a_row_brings_the_card_and_two_points():
    game = board().road(0, (0, 0, "NE E SE SW")).settlement(0, "N", 0, 0).hand(0, lumber=1, brick=1).game()
    assert holder(game) == -1 and game.points(0) == 1
    game.do("build_road", game.path(0, 0, "W"))
    assert holder(game) == 0 and (game.points(0), game.visible_points(0)) == (3, 3)


@pytest.mark.rule("base.longest_road.1")
def test_six_roads_not_in_a_row_do_not_bring_it():
    place = board().road(0, (0, -1, "E"), (1, -1, "NW"), (0, 0, "NE E"), (0, 0, "NW W"))
    assert holder(place.game()) == -1


@pytest.mark.rule("base.longest_road.1")
def test_a_road_that_joins_two_networks_may_bring_it():
    game = board().road(0, (0, 0, "NE E"), (0, 0, "SW W")).hand(0, lumber=1, brick=1).game()
    assert holder(game) == -1
    assert holder(game.do("build_road", game.path(0, 0, "SE"))) == 0


FIVE_OF_1 = (-2, 2, "SW SE E NE NW")


@pytest.mark.rule("base.longest_road.4")
def test_the_holder_keeps_it_on_a_tie_and_loses_it_to_a_longer_road():
    game = board().road(1, FIVE_OF_1).road(0, (0, 0, "NE E SE SW")).hand(0, lumber=2, brick=2).game()
    game.do("build_road", game.path(0, 0, "W"))
    assert holder(game) == 1 and (game.points(0), game.points(1)) == (0, 2)
    game.do("build_road", game.path(0, 0, "NW"))
    assert holder(game) == 0 and (game.points(0), game.points(1)) == (2, 0)


def cutting(*roads, fives=(), num_players=4):
    """Seat 0 has the card for these roads around the middle and others follow with five each; seat 1 then settles
    on (0, 0) SE, which leaves seat 0 two roads on one side and the rest on the other."""
    place = position("base", num_players).road(0, *roads)
    for seat, hex in fives:
        place.road(seat, (*hex, "SW SE E NE NW"))
    place.settlement(1, "SE", 1, 0).road(1, (1, 0, "SE SW")).hand(1, lumber=1, brick=1, wool=1, grain=1)
    game = place.on_turn(1).game()
    assert holder(game) == 0
    return game.do("build_settlement", game.corner("SE", 0, 0))


LONG = [LINE, (-1, 0, "NE")]
"""Six roads, of which four are left if they are cut."""
LONGER = [LINE, (-1, 0, "NE NW")]
"""Seven, of which five are left."""


@pytest.mark.rule("base.longest_road.3")
def test_a_new_settlement_cuts_a_road_at_once():
    game = cutting(*LONG)
    assert game.state["road_length"][0] == 4
    assert holder(game) == -1 and game.points(0) == 0


@pytest.mark.rule("base.longest_road.5")
def test_after_a_cut_the_one_player_who_alone_leads_gets_it():
    game = cutting(*LONG, fives=[(2, (-2, 2))])
    assert holder(game) == 2 and (game.points(0), game.points(2)) == (0, 2)


@pytest.mark.rule("base.longest_road.7")
def test_after_a_cut_nobody_gets_it_if_several_lead():
    game = cutting(*LONG, fives=[(2, (-2, 2)), (3, (0, 2))])
    assert holder(game) == -1


@pytest.mark.rule("base.longest_road.6")
def test_after_a_cut_the_holder_keeps_it_if_among_the_leaders():
    game = cutting(*LONGER, fives=[(2, (-2, 2)), (3, (0, 2))])
    assert game.state["road_length"].tolist() == [5, 2, 5, 5]
    assert holder(game) == 0


@pytest.mark.rule("base.longest_road.6")
def test_after_a_cut_the_holder_keeps_it_if_still_the_longest():
    game = cutting(*LONGER)
    assert holder(game) == 0 and game.state["road_length"][0] == 5


@pytest.mark.rule("base.longest_road.7")
def test_a_card_set_aside_waits_for_one_player_who_alone_leads():
    place = position("base", 4).road(0, *LONG)
    place.road(2, (-2, 2, "SW SE E NE NW")).road(3, (0, 2, "SW SE E NE NW"))
    place.settlement(1, "SE", 0, 0).hand(3, lumber=1, brick=1).on_turn(3)
    game = place.game()
    assert holder(game) == -1
    game.do("build_road", game.path(0, 2, "W"))
    assert holder(game) == 3 and game.state["road_length"][3] == 6


@pytest.mark.rule("base.longest_road.7")
def test_a_card_set_aside_below_five_goes_to_who_first_has_five():
    place = position("base", 3).road(0, *LONG).settlement(1, "SE", 0, 0).road(2, (-2, 2, "SW SE E NE"))
    game = place.hand(2, lumber=1, brick=1).on_turn(2).game()
    assert holder(game) == -1
    assert holder(game.do("build_road", game.path(-2, 2, "NW"))) == 2


@pytest.mark.rule("base.longest_road.7")
def test_a_tie_among_the_set_aside_may_be_broken_by_a_cut():
    place = position("base", 4).road(0, *LONG).road(2, (-2, 2, "SW SE E NE NW")).road(3, (0, 2, "SW SE E NE NW"))
    place.settlement(1, "SE", 0, 0)
    assert holder(place.on_turn(1).game()) == -1
    assert holder(place.settlement(1, "SE", 0, 2).game()) == 2


@pytest.mark.rule("base.longest_road.3")
def test_a_settlement_at_the_end_of_a_road_changes_nothing():
    game = board().road(1, LINE).settlement(0, "NW", 0, 0).game()
    assert holder(game) == 1 and game.state["road_length"][1] == 5


@pytest.mark.rule("base.longest_road.1")
def test_the_minimum_is_a_number_of_the_rules():
    game = position("base", 3, {"longest_road_minimum": 2}).road(0, (0, 0, "NE E")).on_turn(0).game()
    assert holder(game) == 0


# -- against brute force -------------------------------------------------------------------------------------


@cache
def longest_trail(roads, blocked):
    """Most of these roads, pairs of intersections, in one walk that does not go on from a blocked intersection."""

    def walk(here, left, first):
        if here in blocked and not first:
            return 0
        steps = [(road, road[0] if road[1] == here else road[1]) for road in left if here in road]
        return max((1 + walk(there, left - {road}, False) for road, there in steps), default=0)

    return max((walk(end, roads, True) for road in roads for end in road), default=0)


def rightful_holder(lengths, before):
    """Who holds the card for these lengths, by the words of the rule."""
    longest = max(lengths)
    leaders = [seat for seat, length in enumerate(lengths) if length == longest]
    if longest < 5:
        return -1
    if before in leaders:
        return before
    return leaders[0] if len(leaders) == 1 else -1


def random_pieces(topology, rng, num_players):
    """Pieces in random order, as `(kind, seat, place)`: roads that mostly grow from others of their seat within a
    small part of the board, so that they fork and close rings, and settlements that keep their distance."""
    center = rng.integers(topology.num_intersections)
    near = np.argsort(((topology.intersection_xy - topology.intersection_xy[center]) ** 2).sum(axis=1))[:26]
    allowed = {int(i) for i in near}
    ends = [tuple(pair) for pair in topology.path_intersections.tolist()]
    taken, built, mine = {}, {}, [[] for _ in range(num_players)]
    pieces = []
    for _ in range(60):
        seat = int(rng.integers(num_players))
        if rng.random() < 0.12:
            place = int(rng.choice(sorted(allowed)))
            around = {place, *topology.intersection_neighbors[place].tolist()}
            if not around & built.keys() and sum(owner == seat for owner in built.values()) < 5:
                built[place] = seat
                pieces.append((SETTLEMENT, seat, place))
        else:
            free = [p for p, (a, b) in enumerate(ends) if p not in taken and a in allowed and b in allowed]
            touching = [p for p in free if any(set(ends[p]) & set(ends[q]) for q in mine[seat])]
            if len(mine[seat]) < 15 and free:
                path = int(rng.choice(touching if touching and rng.random() < 0.9 else free))
                taken[path] = seat
                mine[seat].append(path)
                pieces.append((ROAD, seat, path))
    return pieces


@pytest.mark.rule("base.longest_road.2")
@pytest.mark.parametrize("scenario, num_players", [("base", 2), ("base", 4), ("base_5_6", 5)])
@pytest.mark.parametrize("seed", range(30))
def test_lengths_and_holder_equal_a_brute_force_search(scenario, num_players, seed):
    rng = np.random.default_rng([seed, num_players])
    place = position(scenario, num_players).on_turn(0)
    topology = place.game().engine.topology
    pieces = random_pieces(topology, rng, num_players)
    roads, buildings, expected_holder = [set() for _ in range(num_players)], {}, -1
    for kind, seat, where in pieces:
        place.piece(kind, seat, where)
        if kind == ROAD:
            roads[seat].add(tuple(topology.path_intersections[where].tolist()))
        else:
            buildings[where] = seat
        lengths = []
        for owner, net in enumerate(roads):
            ends = {end for road in net for end in road}
            blocked = frozenset(end for end in ends if buildings.get(end, owner) != owner)
            lengths.append(longest_trail(frozenset(net), blocked))
        expected_holder = rightful_holder(lengths, expected_holder)
    state = place.game().state
    assert state["road_length"][:num_players].tolist() == lengths
    assert state["longest_road"] == expected_holder


@pytest.mark.rule("base.network.8")
def test_a_city_leaves_the_lengths_as_they_are():
    place = board().road(0, LINE).settlement(1, "SE", 0, 0)
    before = length(place)
    assert length(place.piece(CITY, 1, place.game().corner("SE", 0, 0))) == before
