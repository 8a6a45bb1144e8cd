"""Training time broken down by activity."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

PARTS = ("engine", "lookahead", "network", "others", "data", "update")
"""Engine and observations, lookahead features, forward passes, teacher and opponents, returns, gradient steps."""


class Stopwatch:
    """Measures the seconds spent in each part, using `with watch("engine"): ...`."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(PARTS, 0.0)

    @contextmanager
    def __call__(self, part: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[part] += time.perf_counter() - start

    def shares(self) -> dict[str, float]:
        """Return each part's fraction of the total time."""
        total = sum(self.seconds.values()) or 1.0
        return {part: seconds / total for part, seconds in self.seconds.items()}

    def clear(self) -> None:
        """Reset all times to 0."""
        self.seconds = dict.fromkeys(PARTS, 0.0)
