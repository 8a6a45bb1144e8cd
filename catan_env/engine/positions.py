"""Creates records from facts, so that games can start from a mid-game position as known to one seat."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from catan_env.engine import arguments
from catan_env.engine.random import streams
from catan_env.errors import PositionError


class PositionFacts(Protocol):
    """Facts about a game, such as `catan_env.Position`."""

    def write(self, spare: Any, board: np.void, seat: int | None) -> list[str]:
        """Write the facts into an engine's only game and return all contradictions found in them."""


def records_of(
    engine: Any, spare: Any, facts: PositionFacts, seat: int | None, count: int, seed: Any, game: int
) -> np.ndarray:
    """Return records of a position; see `BatchEngine.from_position`."""
    arguments.check_count("count", count)
    arguments.check_index("game", game, engine.num_games)
    if seat is not None:
        arguments.seats_of(seat, 1, engine.num_players)
    found = facts.write(spare, engine.state[game], seat)
    if found:
        raise PositionError(
            f"This position is impossible: {'; '.join(found)}. Correct the facts that contradict each other."
        )
    return sampled(spare, seat, count, seed)


def sampled(spare: Any, seat: int | None, count: int, seed: Any) -> np.ndarray:
    """Return `count` records of an engine's only game, sampling everything that a seat cannot see."""
    if seat is not None:
        return spare.determinise(seats=seat, count=count, seed=seed)
    records = np.repeat(spare.state, count)
    records["rng"] = streams(arguments.world_seeds(seed, count))
    return records


def spare_of(engine: Any) -> Any:
    """Return a new engine with the same settings but a single game, in which chance is sampled."""
    return type(engine)(**engine.settings | {"num_games": 1, "threads": 1, "chance": "sampled", "record": False})
