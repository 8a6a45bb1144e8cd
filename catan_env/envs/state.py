"""Complete game states as numbers, including hidden cards, for centralized critics."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from gymnasium.spaces import Box

from catan_env.encoders import make_encoder
from catan_env.engine.batch import BatchEngine
from catan_env.engine.declare import ALL, OWNER, Field

STREAM = "rng"


class WholeState:
    """Reads the complete state of each game, except for the random stream, as a row of numbers in [0, 1].

    A row consists of the flat observations of all seats, in seat order, followed by every record field that no
    observation shows in full, such as the cards left in a stack. Values are scaled by the declared bounds of their
    fields.

    Args:
        engine: the engine whose games to read.

    Attributes:
        space: Box of shape (size,), float32.
        names: names of all entries, in order.
    """

    def __init__(self, engine: BatchEngine):
        self.engine, self._encoder = engine, make_encoder(engine, "flat", "float32")
        composition = engine.program.composition
        self._fields = [field for field in composition.fields.values() if not (field.derived or _is_seen(field))]
        seen_names = self._encoder.feature_names
        self.names = [f"seat_{seat}/{name}" for seat in range(engine.num_players) for name in seen_names]
        for field in self._fields:
            self.names += _names_of(field.name, composition.shape(field))
        self.space = Box(0.0, 1.0, (len(self.names),), np.float32)

    def read(self) -> np.ndarray:
        """Return the current state of every game as a fresh (N, size) float32 array."""
        records, num_games = self.engine.state, self.engine.num_games
        parts = [self._encoder.encode(seat) for seat in range(self.engine.num_players)]
        for field in self._fields:
            values = np.asarray(records[field.name], np.float64).reshape(num_games, -1)
            values = (values - field.low) / max(field.high - field.low, 1)
            if field.name.startswith("decision_"):
                values[np.arange(values.shape[1]) >= records["depth"][:, None]] = 0.0  # decisions already taken
            parts.append(values)
        return np.concatenate(parts, axis=1).astype(np.float32)


def _is_seen(field: Field) -> bool:
    """Return whether an observation shows a field in full, or no player may ever know it (such as future dice)."""
    return field.name == STREAM or (field.show is not None and field.visible in (ALL, OWNER))


def _names_of(name: str, shape: tuple[int, ...]) -> Iterator[str]:
    """Yield a name for each entry of a field."""
    for indices in np.ndindex(*shape):
        yield "/".join([f"record/{name}", *map(str, indices)])
