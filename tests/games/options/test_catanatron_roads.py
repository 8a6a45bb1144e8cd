"""Longest Road as catanatron awards it."""

import numpy as np
import pytest

from catan_env import BatchEngine
from catan_env.testing.positions import position

pytestmark = pytest.mark.usefixtures("plain_python")

LINE = (0, 0, "NE E SE SW W")
"""Five roads in a row around the middle hex, from its corner N to NW."""


def table(scenario="base+catanatron_roads", **rules):
    return position(scenario, 3, rules).on_turn(0)


def award(place):
    """The holder of Longest Road and the lengths of the players."""
    state = place.game().state
    return int(state["longest_road"]), state["network_length"][:3].tolist()


@pytest.mark.rule("options.catanatron_roads.1")
def test_a_road_that_arrives_at_an_opponents_building_does_not_count():
    whole = table().settlement(0, "N", 0, 0).road(0, LINE)
    assert award(whole) == (0, [5, 0, 0])
    blocked = table().settlement(0, "N", 0, 0).settlement(1, "NW", 0, 0).road(0, LINE)
    assert award(blocked) == (-1, [4, 0, 0])
    by_the_rules = table("base").settlement(0, "N", 0, 0).settlement(1, "NW", 0, 0).road(0, LINE)
    assert int(by_the_rules.game().state["longest_road"]) == 0


@pytest.mark.rule("options.catanatron_roads.1")
def test_a_building_that_comes_later_leaves_the_end_in_the_network():
    place = table().settlement(0, "N", 0, 0).road(0, LINE).settlement(1, "NW", 0, 0).road(0, (0, -1, "E"))
    assert award(place) == (0, [6, 0, 0])


@pytest.mark.rule("options.catanatron_roads.2")
def test_a_longer_road_takes_the_card_and_one_of_the_same_length_does_not():
    def rivals(sides):
        return table().settlement(0, "N", 0, 0).road(0, LINE).settlement(1, "N", 2, 0).road(1, (2, 0, sides))

    assert award(rivals("NE E SE SW W")) == (0, [5, 5, 0])
    assert award(rivals("NE E SE SW W NW")) == (1, [5, 6, 0])


@pytest.mark.rule("options.catanatron_roads.3")
@pytest.mark.parametrize("version", ["release", "repository"])
def test_after_a_cut_the_longest_road_of_all_takes_the_card_even_if_it_is_short(version):
    place = table(catanatron_version=version).settlement(0, "N", 0, 0).road(0, LINE)
    place.settlement(1, "NE", 1, 1).road(1, (1, 1, "NW"), (1, 0, "SW"))
    assert award(place) == (0, [5, 2, 0])
    assert award(place.settlement(1, "SE", 0, 0)) == (0, [3, 2, 0])
    assert int(table("base").road(0, LINE).settlement(1, "SE", 0, 0).game().state["longest_road"]) == -1


@pytest.mark.rule("options.catanatron_roads.4")
def test_roads_continue_behind_a_building_in_the_repository():
    for version, allowed in (("release", False), ("repository", True)):
        place = table(catanatron_version=version).settlement(0, "N", 0, 0).road(0, LINE).settlement(1, "NW", 0, 0)
        game = place.hand(0, lumber=1, brick=1).game()
        behind = game.engine.topology.path_at(-1, 0, "NE")
        assert game.can("build_road", behind) == allowed
        free = place.cards(0, road_building=1).game().do("play_road_building")
        assert free.can("build_road", behind) == allowed


@pytest.mark.parametrize("version", ["release", "repository"])
def test_random_games_keep_all_invariants(version):
    engine = BatchEngine(
        "base+catanatron_roads", 1, 4, rules={"catanatron_version": version, "turn_limit": 30}, seed=5, compiled="auto"
    )
    random = np.random.default_rng(1)
    while engine.seat_to_act[0] >= 0:
        engine.step(np.array([random.choice(np.flatnonzero(engine.action_mask[0]))]))
        assert not engine.broken_invariants()
        owners = engine.state[0]["edge_owner"]
        assert all(engine.state[0]["network_length"][seat] <= (owners == seat).sum() for seat in range(4))
