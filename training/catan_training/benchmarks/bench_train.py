"""`catan bench train`: training speed in decisions per second, with the time broken down by activity."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import torch

from catan_training.benchmarks.bench import Figure
from catan_training.learning.config import TrainConfig, resolve
from catan_training.learning.ppo import Learner
from catan_training.learning.stopwatch import PARTS

MEANINGS = {
    "engine": "time in engine and observations",
    "lookahead": "time in lookahead features",
    "network": "time in the learner's policy",
    "others": "time in teacher and opponents",
    "data": "time in returns",
    "update": "time in gradient steps",
}
KINDS = {"self-play": {"teacher": "", "pool_share": 0.0}, "imitation": {}}


def measure_training(
    settings: TrainConfig, repeats: int, tell: Callable[[str], Any] = lambda text: None
) -> list[Figure]:
    """Measure self-play and imitation updates, each after one warm-up update.

    Args:
        settings: training settings.
        repeats: number of updates to measure.
        tell: called with the name of each part before it is measured.

    Raises:
        CatanError: a setting is invalid.
    """
    figures = []
    for kind, options in KINDS.items():
        tell(kind)
        config = resolve(settings.updated(options))
        torch.set_num_threads(config.torch_threads)
        learner = Learner(config)
        rates: dict[str, list[float]] = {name: [] for name in ("wall", "processor", *PARTS)}
        for repeat in range(repeats + 1):
            learner.watch.clear()
            choices, start, cpu_seconds = learner.choices, time.perf_counter(), time.process_time()
            learner.update(0.0)
            wall_seconds, cpu_seconds = time.perf_counter() - start, time.process_time() - cpu_seconds
            if repeat:
                rates["wall"].append((learner.choices - choices) / wall_seconds)
                rates["processor"].append((learner.choices - choices) / cpu_seconds)
                for part, share in learner.watch.shares().items():
                    rates[part].append(100 * share)
        figures += [
            Figure.of(kind, "decisions learned from", "decisions/s", rates["wall"]),
            Figure.of(f"{kind}-core", "the same, per core second", "decisions/s", rates["processor"]),
            *(Figure.of(f"{kind}-{part}", MEANINGS[part], "%", rates[part]) for part in PARTS),
        ]
    return figures
