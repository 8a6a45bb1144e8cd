"""Where the time of training goes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

PARTS = ("engine", "lookahead", "network", "others", "data", "update")
"""Games and observations; where actions lead; the learner's choices; teacher and opponents; handling of what was kept;
gradient steps."""


class Stopwatch:
    """Seconds by part: `with watch("engine"): ...`"""

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
        """The part of the time that each took."""
        total = sum(self.seconds.values()) or 1.0
        return {part: seconds / total for part, seconds in self.seconds.items()}

    def clear(self) -> None:
        """Begins at nothing."""
        self.seconds = dict.fromkeys(PARTS, 0.0)
