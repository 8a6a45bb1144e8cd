"""How the heuristic agent builds for its trade partner and beside it, on the beginner board."""

import numpy as np
import pytest

from catan_agents.heuristic import DecisionContext, HeuristicAgent
from catan_agents.heuristic.base import rates
from catan_agents.heuristic.partner_building import gains, losses, partners
from catan_env import BatchEngine
from catan_env.engine.compiler.jit import DISABLE_JIT
from catan_env.testing.positions import position

HOME, ABROAD = ("N", 0, 0), ("S", 0, 0)


def table():
    """Seat 0 stands at one end of the hex in the middle and has a road, its partner, color 2, at the other end."""
    return position("trade_partners").settlement(0, *HOME).road(0, (0, 0, "NE")).settlement(2, *ABROAD)


def chosen(game):
    """The place that the agent builds at."""
    action = int(HeuristicAgent().act(game.engine, np.array([0]))[0])
    return action - game.engine.actions.ids(game.engine.actions.kind_of[action]).start


def test_the_last_colors_are_the_partners():
    for scenario in ("trade_partners", "trade_partners_3"):
        engine = BatchEngine(scenario, 8, seed=2)
        context = DecisionContext(engine, np.arange(8))
        assert (
            partners(context) == engine.state["edge_pieces_left"].shape[1] - engine.num_players + context.seats
        ).all()


def test_roads_of_the_partner_keep_off_the_own_ways():
    game = table().on_turn(0, "play").game().do("end_turn")
    mine = gains(DecisionContext(game.engine, np.array([0])))[0]
    assert mine[game.path(0, 0, "SE")] > 0 == mine[chosen(game)]


def test_the_partner_settles_where_it_takes_least_room():
    """Owed a settlement, it could have one near an own road, or one far from it."""
    theirs = [(0, 0, "SW W"), (0, 1, "E SE")]
    game = table().settlement(0, "N", -2, 0).road(2, *theirs).on_turn(0, "play").game().do("end_turn")
    lost = losses(DecisionContext(game.engine, np.array([0])))[0]
    assert len(sites := game.legal("build_settlement")) > 1
    assert lost[chosen(game)] == min(lost[sites]) < max(lost[sites])


def test_harbors_of_the_partner_count():
    game = table().settlement(2, "N", 0, -2).on_turn(0, "play").game()
    mine, theirs = game.state["trade_rate"][0], game.state["trade_rate"][2]
    assert (theirs < mine).any()
    assert (rates(DecisionContext(game.engine, np.array([0])))[0] == np.minimum(mine, theirs)).all()


@pytest.mark.skipif(DISABLE_JIT, reason="plays a hundred games")
def test_games_for_three_end():
    """When partners took sites from everybody, in one game of six nobody could get the points to win any more."""
    engine, agent = BatchEngine("trade_partners_3", 100, seed=1), HeuristicAgent()
    while (games := np.flatnonzero(engine.seat_to_act >= 0)).size:
        actions = np.full(engine.num_games, -1)
        actions[games] = agent.act(engine, games)
        engine.step(actions)
    assert engine.truncated.sum() <= 4
