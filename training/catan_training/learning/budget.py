"""The budget of a training run."""

from __future__ import annotations

import time

from catan_env.engine.compiler.progress import WAITED
from catan_training.learning.config import TrainConfig


class Budget:
    """The training budget, given as a duration or a number of decisions. Evaluation and compilation time are excluded.

    Attributes:
        taken: number of decisions learned from.
        spent: training time until the clock was last paused, in seconds.
    """

    def __init__(self, config: TrainConfig):
        self.seconds, self.steps = 60 * config.minutes, config.steps
        if config.clock == "processor":
            self._now = lambda: (time.process_time() - WAITED.processor) / config.torch_threads
        else:
            self._now = lambda: time.perf_counter() - WAITED.wall
        self.taken = 0
        self.spent = 0.0
        self._since: float | None = None

    def run(self) -> None:
        """Start or resume the clock."""
        self._since = self._now()

    def pause(self) -> None:
        """Pause the clock."""
        self.spent, self._since = self.elapsed, None

    @property
    def elapsed(self) -> float:
        """Elapsed training time, in seconds."""
        return self.spent + (self._now() - self._since if self._since is not None else 0.0)

    @property
    def done(self) -> float:
        """Fraction of the budget used so far, from 0 to 1."""
        by_time = self.elapsed / self.seconds if self.seconds else 0.0
        by_steps = self.taken / self.steps if self.steps else 0.0
        return min(1.0, max(by_time, by_steps))
