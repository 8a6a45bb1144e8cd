"""How the heuristic agent builds for its trade partner and beside it, on the beginner board."""

import numpy as np
import pytest

from catan_agents.heuristic import HeuristicAgent
from catan_agents.heuristic.partner_building import gain_of_road, loss
from catan_env import BatchEngine
from catan_env.engine.compiler.jit import DISABLE_JIT
from catan_env.games.vocabulary import INTERSECTIONS, PATHS
from catan_env.testing.positions import position
from tests.heuristic_values import computed

HOME, ABROAD = ("N", 0, 0), ("S", 0, 0)


def table():
    """Seat 0 stands at one end of the hex in the middle and has a road, its partner, color 2, at the other end."""
    return position("trade_partners").settlement(0, *HOME).road(0, (0, 0, "NE")).settlement(2, *ABROAD)


def chosen(game):
    """The place that the agent builds at."""
    action = int(HeuristicAgent().act(game.engine, np.array([0]))[0])
    return action - game.engine.actions.ids(game.engine.actions.kind_of[action]).start


def write_gains(batch, memo, found):
    """Kernel: what a road on each path brings seat 0."""
    for path in range(PATHS):
        found[path] = gain_of_road(batch.records[0], batch.params[0], 0, memo, path)


def write_losses(batch, memo, found):
    """Kernel: what seat 0 loses if another color builds on each intersection."""
    for intersection in range(INTERSECTIONS):
        found[intersection] = loss(batch.records[0], batch.params[0], 0, memo, intersection)


def test_roads_of_the_partner_keep_off_the_own_ways():
    game = table().on_turn(0, "play").game().do("end_turn")
    mine = computed(game.engine, write_gains, game.engine.topology.num_paths)
    assert mine[game.path(0, 0, "SE")] > 0 == mine[chosen(game)]


def test_the_partner_settles_where_it_takes_least_room():
    """Owed a settlement, it could have one near an own road, or one far from it."""
    theirs = [(0, 0, "SW W"), (0, 1, "E SE")]
    game = table().settlement(0, "N", -2, 0).road(2, *theirs).on_turn(0, "play").game().do("end_turn")
    lost = computed(game.engine, write_losses, game.engine.topology.num_intersections)
    assert len(sites := game.legal("build_settlement")) > 1
    assert lost[chosen(game)] == min(lost[sites]) < max(lost[sites])


@pytest.mark.skipif(DISABLE_JIT, reason="plays a hundred games")
def test_games_for_three_end():
    """When partners took sites from everybody, in one game of six nobody could get the points to win any more."""
    engine, agent = BatchEngine("trade_partners_3", 100, seed=1), HeuristicAgent()
    while (games := np.flatnonzero(engine.seat_to_act >= 0)).size:
        actions = np.full(engine.num_games, -1)
        actions[games] = agent.act(engine, games)
        engine.step(actions)
    assert engine.truncated.sum() <= 4
