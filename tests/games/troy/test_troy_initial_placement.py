"""Where the heuristic agent places its initial settlements in Troy."""

import numpy as np

from catan_agents.heuristic import HeuristicAgent
from catan_env import BatchEngine

GAMES, WOOL = 16, 2


def test_initial_settlements_seek_the_wool_that_ships_cost():
    """Before, the player who places first and last got no wool, and hardly built a ship."""
    engine, agent = BatchEngine("troy", GAMES, seed=5), HeuristicAgent()
    games = np.arange(GAMES)
    first = engine.seat_to_act.copy()
    for _ in range(16):
        engine.step(agent.act(engine, games))
    terrain = engine.state["terrain"]
    pasture = (terrain == WOOL)[:, engine.topology.intersection_hexes] & (engine.topology.intersection_hexes >= 0)
    mine = engine.state["building_owner"] == first[:, None]
    lacking = ~(pasture.any(axis=2) & mine).any(axis=1)
    assert lacking.mean() < 0.25
